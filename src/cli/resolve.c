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
#include "util/order.h"

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

struct run_search {
	const char *name;
	struct path_list found;
};

static void
search_folder(void *user, const char *folder)
{
	struct run_search *search = user;
	look_in(folder, search->name, &search->found);
}

/* The folders of LANESCOPE_PATH, then the demo's. */
static void
each_place(void (*visit)(void *user, const char *folder), void *user)
{
	const char *folders = getenv("LANESCOPE_PATH");
	struct strbuf folder = {0};

	while (folders && *folders) {
		size_t n = strcspn(folders, ":");
		strbuf_clear(&folder);
		strbuf_add(&folder, folders, n);
		if (n > 0) {
			visit(user, folder.data);
		}
		folders += n + (folders[n] == ':');
	}
	strbuf_clear(&folder);
	if (cache_place("demo", &folder)) {
		visit(user, folder.data);
	}
	strbuf_free(&folder);
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
	struct run_search near = {.name = name}, cached = {.name = name};
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
	look_in("", name, &near.found);
	if (near.found.n == 0) {
		each_place(search_folder, &near);
		if (near.found.n == 0 && cache_place("runs", &folder)) {
			cache_each(folder.data, search_folder, &cached);
		}
	}
	if (near.found.n > 0) {
		strbuf_add_text(path, near.found.paths[0]);
		result = 1;
		for (size_t i = 1; others && i < near.found.n; i++) {
			strbuf_printf(others, "%s%s", i > 1 ? ", " : "", near.found.paths[i]);
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
	path_list_free(&near.found);
	path_list_free(&cached.found);
	return result;
}

static void
list_folder(void *user, const char *path)
{
	DIR *folder = opendir(path);

	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		size_t n = strlen(entry->d_name);
		if (slice_has_ending(slice_of(entry->d_name), ".lanes") &&
		    entry->d_name[0] != '.') {
			entry->d_name[n - strlen(".lanes")] = 0;
			path_list_add(user, entry->d_name);
		}
	}
	if (folder) {
		closedir(folder);
	}
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void
resolve_each(void (*take)(void *user, const char *name), void *user)
{
	struct path_list names = {0};
	struct strbuf runs = {0};

	each_place(list_folder, &names);
	if (cache_place("runs", &runs)) {
		cache_each(runs.data, list_folder, &names);
	}
	SORT(names.paths, names.n, compare_names);
	for (size_t i = 0; i < names.n; i++) {
		if (i == 0 || strcmp(names.paths[i], names.paths[i - 1]) != 0) {
			take(user, names.paths[i]);
		}
	}
	strbuf_free(&runs);
	path_list_free(&names);
}
