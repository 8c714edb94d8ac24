/*
 * What an argument is, is decided by looking: a folder with run files, a folder of traces, a file
 * that begins as SQLite does, any other file (a trace). NAME stands for NAME.lanes where only the
 * latter exists.
 */
#include "config.h"
#include "cli/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cache.h"
#include "cli/classes.h"
#include "query/runs.h"
#include "util/mem.h"

void
path_list_add(void *user, const char *path)
{
	struct path_list *list = user;
	list->paths = mem_grow(list->paths, &list->capacity, list->n + 1, sizeof *list->paths);
	list->paths[list->n++] = xstrdup(path);
}

void
path_list_free(struct path_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->paths[i]);
	}
	free(list->paths);
	*list = (struct path_list){0};
}

enum what { WHAT_RUN, WHAT_FOLDER, WHAT_TRACE };

static bool
is_sqlite(const char *path)
{
	char head[16] = {0};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, head, sizeof head);
	if (fd >= 0) {
		(void)close(fd); /* only read */
	}
	return n == (ssize_t)sizeof head && memcmp(head, "SQLite format 3", 16) == 0;
}

/* *path may become NAME.lanes (new, to be freed through *made). */
static int
classify(const char **path, char **made, enum what *what, struct err *err)
{
	struct stat status;
	if (strcmp(*path, "-") == 0) {
		*what = WHAT_TRACE;
		return 0;
	}
	if (stat(*path, &status) != 0) {
		int errnum = errno;
		struct strbuf longer = {0};
		strbuf_printf(&longer, "%s.lanes", *path);
		if (stat(longer.data, &status) != 0) {
			strbuf_free(&longer);
			return err_set_errno(err, errnum, "%s", *path);
		}
		*path = *made = strbuf_take(&longer);
	}
	*what = S_ISDIR(status.st_mode)                       ? WHAT_FOLDER
	        : S_ISREG(status.st_mode) && is_sqlite(*path) ? WHAT_RUN
	                                                      : WHAT_TRACE;
	return 0;
}

static int
add_traces(struct path_list *traces, const struct find_taker *taker, struct err *err)
{
	int rc = traces->n ? taker->traces(taker->user, (const char *const *)traces->paths,
	                                   (unsigned)traces->n, err)
	                   : 0;
	path_list_free(traces);
	return rc;
}

/* Run files of a folder; one without any is a trace among the others: what is one run is told over all of
 * them. */
static int
add_folder(const char *folder, struct path_list *traces, const struct find_taker *taker,
           struct err *err)
{
	struct run_list *runs = run_list_new(&folder, 1, err);
	if (!runs) {
		return -1;
	}
	int rc = runs->n ? add_traces(traces, taker, err) : 0;
	for (size_t i = 0; rc == 0 && i < runs->n; i++) {
		taker->run(taker->user, runs->entries[i].path);
	}
	if (runs->n == 0) {
		path_list_add(traces, folder);
	}
	run_list_free(runs);
	return rc;
}

int
find_arguments(char *const *arguments, size_t n, bool apart, const struct find_taker *taker,
               struct err *err)
{
	struct path_list traces = {0};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const char *path = arguments[i];
		char *made = NULL;
		enum what what = WHAT_TRACE;
		rc = classify(&path, &made, &what, err);
		if (rc == 0 && (what == WHAT_RUN || apart)) {
			rc = add_traces(&traces, taker, err);
		}
		if (rc == 0 && what == WHAT_TRACE) {
			path_list_add(&traces, path);
		} else if (rc == 0 && what == WHAT_RUN) {
			taker->run(taker->user, path);
		} else if (rc == 0) {
			rc = add_folder(path, &traces, taker, err);
		}
		free(made);
	}
	if (rc == 0) {
		rc = add_traces(&traces, taker, err);
	}
	path_list_free(&traces);
	return rc;
}

struct importing {
	struct cli *cli;
	struct path_list *list;
};

static void
take_run(void *user, const char *path)
{
	struct importing *importing = user;
	path_list_add(importing->list, path);
}

static int
take_traces(void *user, const char *const *traces, unsigned n, struct err *err)
{
	struct importing *importing = user;
	return cache_import(importing->cli, traces, n, path_list_add, importing->list, err);
}

int
find_run_files(struct cli *cli, char *const *arguments, size_t n, bool apart,
               struct path_list *list, struct err *err)
{
	struct importing importing = {cli, list};
	struct find_taker taker = {&importing, take_run, take_traces};
	return find_arguments(arguments, n, apart, &taker, err);
}

static bool
name_is_taken(const struct run_set *set, const char *name, size_t before)
{
	for (size_t i = 0; i < before; i++) {
		if (strcmp(set->names[i], name) == 0) {
			return true;
		}
	}
	return false;
}

static void
name_runs(struct run_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		set->names[i] = store_run(set->stores[i])->name;
		for (unsigned nth = 2; name_is_taken(set, set->names[i], i); nth++) {
			struct strbuf name = {0};
			strbuf_printf(&name, "%s#%u", store_run(set->stores[i])->name, nth);
			free(set->made_names[i]);
			set->names[i] = set->made_names[i] = strbuf_take(&name);
		}
	}
}

int
run_set_open(struct run_set *set, struct cli *cli, char *const *arguments, size_t n, bool apart,
             struct err *err)
{
	*set = (struct run_set){0};
	if (find_run_files(cli, arguments, n, apart, &set->paths, err)) {
		goto fail;
	}
	set->stores = xcalloc(set->paths.n + 1, sizeof *set->stores);
	set->names = xcalloc(set->paths.n + 1, sizeof *set->names);
	set->made_names = xcalloc(set->paths.n + 1, sizeof *set->made_names);
	for (; set->n < set->paths.n; set->n++) {
		set->stores[set->n] = store_open(set->paths.paths[set->n], err);
		if (!set->stores[set->n]) {
			goto fail;
		}
		store_set_classes(set->stores[set->n], classes_get(cli));
	}
	if (set->n == 0) {
		err_set(err, ERR_USAGE, "no run and no trace there");
		goto fail;
	}
	name_runs(set);
	return 0;
fail:
	run_set_close(set);
	return -1;
}

void
run_set_close(struct run_set *set)
{
	for (size_t i = 0; i < set->n; i++) {
		store_close(set->stores[i]);
		free(set->made_names[i]);
	}
	free(set->stores);
	free(set->names);
	free(set->made_names);
	path_list_free(&set->paths);
	*set = (struct run_set){0};
}
