/*
 * The library: queries built into the program, overlaid by files of the user's folder, overlaid by
 * an extra folder. A later query replaces an earlier one of the same name. Files are read in name
 * order, so that messages and lists never depend on the folder's order. A broken file is remembered
 * with its message and leaves the one it would have replaced in place.
 */
#include "config.h"
#include "query/saved/query.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "query/saved/query_file.h"
#include "query/saved/builtin_queries.h"
#include "util/order.h"

#define QUERY_FILE_LIMIT (1u << 20)
#define QUERY_FILES_LIMIT 10000

struct query_library {
	struct arena *arena;
	const struct saved_query **queries;
	size_t n_queries, capacity;
	const char **broken;
	size_t n_broken, broken_capacity;
};

static size_t
position_of(const struct query_library *library, const char *name, bool *found)
{
	size_t low = 0, n = library->n_queries;

	ORDER_FIND(low, n, middle, strcmp(library->queries[middle]->name, name) < 0);
	*found = low < n && strcmp(library->queries[low]->name, name) == 0;
	return low;
}

static void
add_broken(struct query_library *library, const struct err *err)
{
	MEM_GROW(library->broken, library->broken_capacity, library->n_broken + 1);
	library->broken[library->n_broken++] = arena_strdup(library->arena, err->message);
}

static void
add_query(struct query_library *library, const char *name, const struct saved_query *query)
{
	bool found;
	size_t i = position_of(library, name, &found);
	if (!found) {
		MEM_GROW(library->queries, library->capacity, library->n_queries + 1);
		memmove(library->queries + i + 1, library->queries + i,
		        (library->n_queries - i) * sizeof *library->queries);
		library->n_queries++;
	}
	library->queries[i] = query;
}

static void
add_text(struct query_library *library, const char *name, const char *origin, struct slice text)
{
	struct err err = ERR_INIT;
	const struct saved_query *query =
	    query_file_parse(library->arena, name, origin, text, &err);
	if (query) {
		add_query(library, name, query);
	} else {
		err_wrap(&err, "%s", name);
		add_broken(library, &err);
	}
}

static int
read_file(const char *path, struct strbuf *text, struct err *err)
{
	int rc = -1;
	FILE *file = fopen(path, "re");
	if (!file) {
		return err_set_errno(err, errno, "%s", path);
	}
	char chunk[8192];
	size_t n;
	while ((n = fread(chunk, 1, sizeof chunk, file)) > 0) {
		strbuf_add(text, chunk, n);
		if (text->len > QUERY_FILE_LIMIT) {
			err_set(err, ERR_LIMIT, "%s: larger than 1 MiB: not a saved query", path);
			goto out;
		}
	}
	rc = ferror(file) ? err_set_errno(err, errno, "%s", path) : 0;
out:
	(void)fclose(file); /* only read */
	return rc;
}

static void
add_file(struct query_library *library, const char *folder, const char *file)
{
	struct err err = ERR_INIT;
	struct strbuf path = {0}, text = {0};
	struct stat status;
	strbuf_printf(&path, "%s/%s", folder, file);
	char *name = xstrndup(file, strlen(file) - 4);
	if (stat(path.data, &status) == 0 && !S_ISREG(status.st_mode)) {
		goto out; /* a folder or a pipe that is called x.sql */
	}
	if (read_file(path.data, &text, &err)) {
		err_wrap(&err, "%s", name);
		add_broken(library, &err);
	} else {
		add_text(library, name, path.data, strbuf_slice(&text));
	}
out:
	free(name);
	strbuf_free(&path);
	strbuf_free(&text);
}

static int
compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A folder that is not there is no error when it is the user's own, which few people have. */
static void
add_folder(struct query_library *library, const char *folder, bool required)
{
	struct err err = ERR_INIT;
	char **files = NULL;
	size_t n_files = 0, capacity = 0;
	DIR *dir = opendir(folder);
	if (!dir) {
		if (required || errno != ENOENT) {
			err_set_errno(&err, errno, "%s", folder);
			add_broken(library, &err);
		}
		return;
	}
	for (struct dirent *entry; (entry = readdir(dir)) && n_files < QUERY_FILES_LIMIT;) {
		size_t n = strlen(entry->d_name);
		if (n > 4 && entry->d_name[0] != '.' &&
		    strcmp(entry->d_name + n - 4, ".sql") == 0) {
			MEM_GROW(files, capacity, n_files + 1);
			files[n_files++] = xstrdup(entry->d_name);
		}
	}
	(void)closedir(dir);
	SORT(files, n_files, compare_names);
	for (size_t i = 0; i < n_files; i++) {
		add_file(library, folder, files[i]);
		free(files[i]);
	}
	free(files);
}

static void
add_user_folder(struct query_library *library)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	struct strbuf folder = {0};
	if (config && config[0] == '/') {
		strbuf_printf(&folder, "%s/lanescope/queries", config);
	} else if (home && home[0] == '/') {
		strbuf_printf(&folder, "%s/.config/lanescope/queries", home);
	}
	if (folder.len) {
		add_folder(library, folder.data, false);
	}
	strbuf_free(&folder);
}

struct query_library *
query_library_open(const char *extra_dir)
{
	struct query_library *library = xcalloc(1, sizeof *library);
	library->arena = arena_new();
	for (size_t i = 0; i < builtin_files_count; i++) {
		const struct builtin_file *query = &builtin_files[i];
		add_text(library, query->name, "built in",
		         (struct slice){(const char *)query->text, query->length});
	}
	add_user_folder(library);
	if (extra_dir) {
		add_folder(library, extra_dir, true);
	}
	return library;
}

size_t
query_library_count(const struct query_library *library)
{
	return library->n_queries;
}

const struct saved_query *
query_library_get(const struct query_library *library, size_t i)
{
	return library->queries[i];
}

const struct saved_query *
query_library_find(const struct query_library *library, const char *name, struct err *err)
{
	bool found;
	size_t i = position_of(library, name, &found);
	if (found) {
		return library->queries[i];
	}
	const char **names = xcalloc(library->n_queries + 1, sizeof *names);
	for (i = 0; i < library->n_queries; i++) {
		names[i] = library->queries[i]->name;
	}
	const char *near = query_suggest(name, names, library->n_queries);
	free(names);
	if (near) {
		err_set(err, ERR_USAGE,
		        "no query \"%s\": did you mean \"%s\"? `lanescope queries` lists them all",
		        name, near);
	} else {
		err_set(err, ERR_USAGE, "no query \"%s\": `lanescope queries` lists them all",
		        name);
	}
	return NULL;
}

const struct saved_query *
query_library_take(struct query_library *library, const char *name, struct err *err)
{
	const char *slash = strrchr(name, '/'), *file = slash ? slash + 1 : name;
	size_t n = strlen(file);
	bool is_sql = n > 4 && strcmp(file + n - 4, ".sql") == 0;
	const struct saved_query *query = NULL;
	struct strbuf text = {0};

	if (!slash && !is_sql) {
		return query_library_find(library, name, err);
	}
	char *own = xstrndup(file, n - (is_sql ? 4 : 0));
	if (read_file(name, &text, err) == 0) {
		query = query_file_parse(library->arena, own, name, strbuf_slice(&text), err);
	}
	if (query) {
		add_query(library, query->name, query);
	}
	strbuf_free(&text);
	free(own);
	return query;
}

size_t
query_library_broken(const struct query_library *library)
{
	return library->n_broken;
}

const char *
query_library_broken_message(const struct query_library *library, size_t i)
{
	return library->broken[i];
}

void
query_library_close(struct query_library *library)
{
	if (library) {
		free(library->queries);
		free(library->broken);
		arena_free(library->arena);
		free(library);
	}
}
