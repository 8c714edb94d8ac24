/* Opening a run file reads its header, one row and its lanes: a folder of hundreds is listed at
 * once. */
#include "config.h"

#include "query/saved/run_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "query/saved/natural.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define FOLDER_DEPTH 2
#define RUNS_A_THREAD 8

struct paths {
	struct arena *arena;
	struct run_entry *items; /* of which nothing but the paths is known */
	size_t n, capacity;
};

static void
paths_add(struct paths *paths, const char *path, bool is_named)
{
	MEM_GROW(paths->items, paths->capacity, paths->n + 1);
	paths->items[paths->n++] =
	    (struct run_entry){.path = arena_strdup(paths->arena, path), .is_named = is_named};
}

static int
path_compare(const void *a, const void *b)
{
	const char *left = ((const struct run_entry *)a)->path;
	const char *right = ((const struct run_entry *)b)->path;
	int order = natural_compare(slice_of(left), slice_of(right));

	return order ? order : strcmp(left, right);
}

static void
folder_add(struct paths *paths, const char *folder, int depth)
{
	DIR *entries = opendir(folder);
	struct dirent *entry;

	while (entries && (entry = readdir(entries)) != NULL) {
		size_t length = strlen(entry->d_name);
		struct stat status;
		char *path;

		if (entry->d_name[0] == '.') {
			continue;
		}
		path = strcmp(folder, ".") == 0
		           ? arena_printf(paths->arena, "%s", entry->d_name)
		           : arena_printf(paths->arena, "%s/%s", folder, entry->d_name);
		if (stat(path, &status) != 0) {
			continue;
		}
		if (S_ISDIR(status.st_mode) && depth > 1) {
			folder_add(paths, path, depth - 1);
		} else if (S_ISREG(status.st_mode) && length > 6 &&
		           strcmp(entry->d_name + length - 6, ".lanes") == 0) {
			paths_add(paths, path, false);
		}
	}
	if (entries) {
		closedir(entries);
	}
}

void
run_info_keep(struct run_info *info, struct arena *arena)
{
	const char **const texts[] = {&info->name,   &info->imported_as, &info->identity,
	                              &info->format, &info->dialect,     &info->clock};

	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		*texts[i] = arena_strdup(arena, *texts[i] ? *texts[i] : "");
	}
}

static void
entry_read(struct run_entry *entry, struct arena *arena)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(entry->path, &err);
	struct stat status;

	entry->is_known = true;
	if (!store) {
		entry->error = arena_strdup(arena, err.message);
		return;
	}
	entry->info = *store_run(store);
	run_info_keep(&entry->info, arena);
	if (lane_words_read(store, &entry->lanes, &err)) {
		entry->lanes = (struct lane_words){0, "lane", 0}; /* who opens it is told why */
	}
	(void)run_tags_read(store, &entry->tags, &err);
	entry->file_bytes = stat(entry->path, &status) == 0 ? (int64_t)status.st_size : 0;
	store_close(store);
}

static int
read_one(void *user, size_t item, unsigned thread, struct err *err)
{
	struct run_list *list = user;

	(void)err;
	if (!list->entries[item].is_known) {
		entry_read(&list->entries[item], list->arenas[thread]);
	}
	return 0;
}

/* A run takes a fraction of a millisecond, a folder of them on a network file system the sum of
 * their waits. */
int
run_list_read(struct run_list *list, struct err *err)
{
	list->n_arenas = (unsigned)LEAST((size_t)workers_count(), list->n / RUNS_A_THREAD + 1);
	MEM_NEW(list->arenas, list->n_arenas);
	for (unsigned i = 0; i < list->n_arenas; i++) {
		list->arenas[i] = arena_new();
	}
	return workers_run(list->n_arenas, list->n, read_one, list, NULL, err);
}

struct run_list *
run_list_find(const char *const *paths, size_t n_paths, struct err *err)
{
	struct run_list *list = xcalloc(1, sizeof *list);
	struct paths found = {0};

	list->arena = found.arena = arena_new();
	for (size_t i = 0; i < n_paths; i++) {
		struct stat status;
		size_t first = found.n;

		if (stat(paths[i], &status) != 0) {
			err_set_errno(err, errno, "%s", paths[i]);
			run_list_free(list);
			list = NULL;
			goto out;
		}
		if (S_ISDIR(status.st_mode)) {
			folder_add(&found, paths[i], FOLDER_DEPTH);
			SORT(found.items + first, found.n - first, path_compare);
		} else {
			paths_add(&found, paths[i], true);
		}
	}
	list->n = found.n;
	list->entries = found.items;
	found.items = NULL;
out:
	free(found.items);
	return list;
}

struct run_list *
run_list_new(const char *const *paths, size_t n_paths, struct err *err)
{
	struct run_list *list = run_list_find(paths, n_paths, err);

	if (list && run_list_read(list, err)) {
		run_list_free(list);
		list = NULL;
	}
	return list;
}

void
run_list_keep(struct run_list *list, size_t first, size_t step)
{
	size_t n = 0;

	for (size_t i = first; i < list->n; i += step) {
		list->entries[n++] = list->entries[i];
	}
	list->n = n;
}

void
run_list_free(struct run_list *list)
{
	if (list) {
		for (size_t i = 0; i < list->n; i++) {
			run_tags_free(&list->entries[i].tags);
		}
		for (unsigned i = 0; i < list->n_arenas; i++) {
			arena_free(list->arenas[i]);
		}
		free(list->arenas);
		free(list->entries);
		arena_free(list->arena);
		free(list);
	}
}

const struct result_column run_columns[RUN_COLUMNS] = {
    [RUN_NAME] = {.name = "run", .kind = KIND_TEXT},
    [RUN_FORMAT] = {.name = "format", .kind = KIND_TEXT},
    [RUN_DIALECT] = {.name = "dialect", .kind = KIND_TEXT},
    [RUN_STARTED] = {.name = "started", .kind = KIND_CLOCK},
    [RUN_DURATION] = {.name = "duration", .kind = KIND_DURATION},
    [RUN_LANES] = {.name = "lanes", .kind = KIND_COUNT},
    [RUN_LANE_KIND] = {.name = "lane_kind", .kind = KIND_TEXT},
    [RUN_HOSTS] = {.name = "hosts", .kind = KIND_COUNT},
    [RUN_RECORDS] = {.name = "records", .kind = KIND_COUNT},
    [RUN_PROBLEMS] = {.name = "problems", .kind = KIND_COUNT},
    [RUN_BYTES] = {.name = "file_bytes", .kind = KIND_SIZE},
    [RUN_PATH] = {.name = "path", .kind = KIND_TEXT},
    [RUN_IDENTITY] = {.name = "identity", .kind = KIND_TEXT},
};

struct value *
run_list_add_row(struct result *result, const struct run_entry *entry)
{
	const struct run_info *info = &entry->info;
	struct value *row = result_add_row(result);

	row[RUN_PATH] = value_word(result, entry->path);
	if (entry->error) {
		return row;
	}
	row[RUN_NAME] = value_word(result, info->name);
	row[RUN_FORMAT] = value_word(result, info->format);
	row[RUN_DIALECT] = value_word(result, info->dialect);
	if (info->has_date) {
		row[RUN_STARTED] = value_integer(info->date_ns);
	}
	row[RUN_DURATION] = value_integer(info->duration_ns);
	row[RUN_LANES] = value_integer(entry->lanes.n);
	row[RUN_LANE_KIND] = value_word(result, entry->lanes.one);
	row[RUN_HOSTS] = value_integer(entry->lanes.n_hosts);
	row[RUN_RECORDS] = value_integer(info->n_records);
	row[RUN_PROBLEMS] = value_integer(info->n_problems);
	row[RUN_BYTES] = value_integer(entry->file_bytes);
	if (result->n_columns > RUN_IDENTITY) {
		row[RUN_IDENTITY] = value_word(result, info->identity);
	}
	return row;
}
