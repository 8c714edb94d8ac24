/*
 * A name is looked for where a user keeps runs, the nearest first, so that what lies in the current
 * folder is never hidden by what does not. Only the cache has no order: of two runs of one name
 * there nobody can say which was meant, unless by its path. A folder with nothing in it hides
 * nothing.
 */
#include "config.h"
#include "cli/resolve.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cache.h"
#include "cli/path_list.h"

/* NAME or NAME.lanes of a folder ("": the current one) becomes a candidate. */
static void
look_in(const char *folder, const char *name, struct path_list *found)
{
	static const char *const endings[] = {"", ".lanes"};
	struct stat status;

	for (int i = 0; i < 2; i++) {
		struct strbuf path = {0};
		strbuf_printf(&path, "%s%s%s%s", folder, *folder ? "/" : "", name, endings[i]);
		bool is_there = stat(path.data, &status) == 0 && S_ISREG(status.st_mode);
		if (is_there) {
			path_list_add(found, path.data);
		}
		strbuf_free(&path);
		if (is_there) {
			return;
		}
	}
}

static void
look_in_path(const char *name, struct path_list *found)
{
	const char *folders = getenv("LANESCOPE_PATH");

	while (folders && *folders) {
		size_t n = strcspn(folders, ":");
		struct strbuf folder = {0};
		strbuf_add(&folder, folders, n);
		if (n > 0) {
			look_in(folder.data, name, found);
		}
		strbuf_free(&folder);
		folders += n + (folders[n] == ':');
	}
}

struct run_search {
	const char *name;
	struct path_list found;
};

static void
look_in_cached(void *user, const char *folder)
{
	struct run_search *search = user;
	look_in(folder, search->name, &search->found);
}

static int
refuse(const char *name, const struct path_list *found, struct err *err)
{
	struct strbuf list = {0};
	for (size_t i = 0; i < found->n; i++) {
		strbuf_printf(&list, "%s%s", i ? ", " : "", found->paths[i]);
	}
	err_set(err, ERR_USAGE, "%s: the cache has %zu runs of this name; give the path of one: %s",
	        name, found->n, list.data);
	strbuf_free(&list);
	return -1;
}

bool
resolve_is_empty_folder(const char *name)
{
	DIR *folder = opendir(name);
	bool is_empty = folder;

	for (struct dirent *entry; is_empty && (entry = readdir(folder));) {
		is_empty = entry->d_name[0] == '.';
	}
	if (folder) {
		closedir(folder);
	}
	return is_empty;
}

int
resolve_name(const char *name, struct strbuf *path, struct strbuf *others, struct err *err)
{
	struct path_list places = {0};
	struct run_search cached = {.name = name};
	struct strbuf folder = {0};
	struct stat status;
	int result = 0;

	if (*name == 0 || strchr(name, '/')) {
		return 0;
	}
	bool is_empty = resolve_is_empty_folder(name);
	if (stat(name, &status) == 0 && !is_empty) { /* a folder, or a trace, as well */
		strbuf_add_text(path, name);
		return 1;
	}
	look_in("", name, &places);
	if (places.n == 0) {
		look_in_path(name, &places);
		if (cache_place("demo", &folder)) {
			look_in(folder.data, name, &places);
		}
		strbuf_clear(&folder);
		if (places.n == 0 && cache_place("runs", &folder)) {
			cache_each(folder.data, look_in_cached, &cached);
		}
	}
	if (places.n > 0) {
		strbuf_add_text(path, places.paths[0]);
		result = 1;
		for (size_t i = 1; others && i < places.n; i++) {
			strbuf_printf(others, "%s%s", i > 1 ? ", " : "", places.paths[i]);
		}
	} else if (cached.found.n == 1) {
		strbuf_add_text(path, cached.found.paths[0]);
		result = 1;
	} else if (cached.found.n > 1) {
		result = refuse(name, &cached.found, err);
	}
	if (is_empty && result == 0) {
		strbuf_add_text(path, name);
		result = 1;
	} else if (is_empty && result > 0 && others) {
		strbuf_printf(others, "%sthe empty folder %s", others->len ? ", " : "", name);
	}
	strbuf_free(&folder);
	path_list_free(&places);
	path_list_free(&cached.found);
	return result;
}
