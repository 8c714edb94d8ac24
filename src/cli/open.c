/*
 * What an argument is, is decided by looking: a folder with run files, a folder of traces, a file
 * that begins as SQLite does, any other file (a trace). NAME stands for NAME.lanes where only the
 * latter exists, and without a folder for the run of that name elsewhere (resolve.c).
 */
#include "config.h"
#include "cli/open.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cache.h"
#include "cli/classes.h"
#include "cli/resolve.h"
#include "cli/run_names.h"
#include "query/saved/run_table.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define RUNS_A_THREAD 4
#define OTHER_FILES 256 /* threads' temporary ones, tags, the answer */

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
classify(const char **path, char **made, bool says, enum what *what, struct err *err)
{
	struct stat status;
	if (strcmp(*path, "-") == 0) {
		*what = WHAT_TRACE;
		return 0;
	}
	int errnum = stat(*path, &status) != 0 ? errno : 0;
	if (errnum || (!strchr(*path, '/') && resolve_is_empty_folder(*path))) {
		struct strbuf longer = {0};
		struct strbuf others = {0};
		int found = resolve_name(*path, &longer, says ? &others : NULL, err);
		if (others.len) {
			cli_say("%s is %s, not %s", *path, longer.data, others.data);
		}
		strbuf_free(&others);
		if (found == 0) {
			strbuf_clear(&longer);
			strbuf_printf(&longer, "%s.lanes", *path); /* of a path */
		}
		if (found < 0 || stat(longer.data, &status) != 0) {
			strbuf_free(&longer);
			return found < 0 ? -1 : err_set_errno(err, errnum, "%s", *path);
		}
		*path = *made = strbuf_take(&longer);
	}
	*what = S_ISDIR(status.st_mode)                       ? WHAT_FOLDER
	        : S_ISREG(status.st_mode) && is_sqlite(*path) ? WHAT_RUN
	                                                      : WHAT_TRACE;
	return 0;
}

static bool
find_argument(const char *argument, struct err *err)
{
	char *made = NULL;
	enum what what;
	int rc = classify(&argument, &made, false, &what, err);
	free(made);
	return rc == 0;
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

/* Run files of a folder; one without any is a trace among the others: what is one run is told over
 * all of them. */
static int
add_folder(const char *folder, struct path_list *traces, const struct find_taker *taker,
           struct err *err)
{
	struct run_list *runs = run_list_find(&folder, 1, err);
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
		rc = classify(&path, &made, true, &what, err);
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
	rc = rc ? rc : add_traces(&traces, taker, err);
	path_list_free(&traces);
	return rc;
}

struct only_runs {
	struct path_list *paths;
	const char *why;
};

static void
take_only_run(void *user, const char *path)
{
	struct only_runs *only = user;
	path_list_add(only->paths, path);
}

static int
refuse_traces(void *user, const char *const *traces, unsigned n, struct err *err)
{
	const struct only_runs *only = user;
	(void)n;
	return err_set(err, ERR_USAGE, "%s: is no run file: %s", traces[0], only->why);
}

int
find_only_runs(char *argument, const char *why, struct path_list *paths, struct err *err)
{
	struct only_runs only = {paths, why};
	const struct find_taker taker = {&only, take_only_run, refuse_traces};
	return find_arguments(&argument, 1, false, &taker, err);
}

struct importing {
	struct cli *cli;
	struct path_list *list;
	size_t *n_failed; /* NULL: nobody answers for the others */
	size_t n_arguments;
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
	struct cache_request request = {traces,
	                                n,
	                                n == importing->n_arguments,
	                                path_list_add,
	                                importing->list,
	                                importing->n_failed};

	return cache_import(importing->cli, &request, err);
}

/* Keeps the run files of those runs that meet --runs-where. */
static int
keep_where(const struct cli *cli, struct path_list *list, size_t from, struct err *err)
{
	size_t n_plain;
	struct run_list *runs =
	    run_list_new((const char *const *)list->paths + from, list->n - from, err);
	struct result *table = runs ? run_table_new(runs, &n_plain) : NULL;
	int rc = table ? result_where(table, cli->runs_where, err) : -1;
	struct path_list kept = {0};
	int path = rc == 0 ? result_column_find(table, "path", err) : -1;
	for (size_t i = 0; i < from; i++) {
		path_list_add(&kept, list->paths[i]);
	}
	for (size_t i = 0, row = 0; path >= 0 && i < runs->n; i++) {
		const struct run_entry *entry = &runs->entries[i];
		const struct value *next =
		    row < table->n_rows ? result_value(table, row, (size_t)path) : NULL;
		bool is_next = !entry->error && next && slice_is(next->text, entry->path);
		row += is_next;
		if (is_next || entry->error) { /* who opens it tells why */
			path_list_add(&kept, entry->path);
		}
	}
	if (rc == 0 && kept.n == from) {
		rc = err_set(err, ERR_USAGE, "none of the %zu runs meets --runs-where \"%s\"",
		             list->n - from, cli->runs_where);
	}
	path_list_free(list);
	*list = kept;
	result_free(table);
	run_list_free(runs);
	return rc;
}

int
find_run_files(struct cli *cli, char *const *arguments, size_t n, bool apart,
               struct path_list *list, size_t *n_failed, struct err *err)
{
	struct importing importing = {cli, list, n_failed, n};
	struct find_taker taker = {&importing, take_run, take_traces};
	size_t from = list->n;
	int rc = find_arguments(arguments, n, apart, &taker, err);
	return rc == 0 && cli->runs_where && list->n > from ? keep_where(cli, list, from, err) : rc;
}

struct opening {
	const struct path_list *paths;
	struct store **stores;
	struct err *errs;
};

static int
open_one(void *user, size_t i, unsigned thread, struct err *err)
{
	struct opening *opening = user;
	(void)thread;
	(void)err;
	opening->stores[i] = store_open(opening->paths->paths[i], &opening->errs[i]);
	return 0;
}

/* Each run stays open: where the limit of open files is less, as far as the system lets it be
 * raised. */
static void
allow_files(size_t n_runs)
{
	rlim_t wanted = (rlim_t)n_runs + OTHER_FILES;
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < wanted) {
		limit.rlim_cur = LEAST(wanted, limit.rlim_max);
		(void)setrlimit(RLIMIT_NOFILE, &limit); /* what can't be opened is told */
	}
}

/* All at once, where they are many: most of it is waiting for the disk, or for SQLite to read what
 * tables there are. */
static int
open_all(struct opening *opening, size_t n, struct err *err)
{
	unsigned threads = (unsigned)LEAST((size_t)workers_count(), n / RUNS_A_THREAD + 1);
	allow_files(n);
	opening->stores = xcalloc(n + 1, sizeof(struct store *));
	MEM_NEW(opening->errs, n + 1);
	if (workers_run(threads, n, open_one, opening, NULL,
	                err)) { /* stopped: errs has all else */
		for (size_t i = 0; i < n; i++) {
			store_close(opening->stores[i]);
		}
		return -1;
	}
	return 0;
}

/* What can't be opened is left out of `paths`, too. */
static int
keep_opened(struct run_set *set, struct opening *opening, bool is_patient, struct err *err)
{
	size_t n = set->paths.n;
	for (size_t i = 0; i < n; i++) {
		struct store *store = opening->stores[i];
		if (!store && (!is_patient || n == 1) && !set->share.may_be_none) {
			*err = opening->errs[i];
			for (; i < n; i++) {
				store_close(opening->stores[i]);
			}
			return -1;
		}
		if (store) {
			char *path = set->paths.paths[i]; /* those left out go to the end */
			set->paths.paths[i] = set->paths.paths[set->n];
			set->paths.paths[set->n] = path;
			set->stores[set->n++] = store;
		} else {
			cli_say("%s", opening->errs[i].message);
			set->n_failed++;
		}
	}
	return set->n == 0 && n > 0 && set->n_failed > 0 && !set->share.may_be_none
	           ? err_set(err, ERR_FORMAT, "none of the %zu runs can be opened", n)
	           : 0;
}

static int
open_stores(struct run_set *set, bool is_patient, struct err *err)
{
	struct opening opening = {.paths = &set->paths};
	int rc = open_all(&opening, set->paths.n, err);
	rc = rc ? rc : keep_opened(set, &opening, is_patient, err);
	free(opening.stores);
	free(opening.errs);
	return rc;
}

/* Arguments that name nothing are told and left out; new list of the others. */
static char **
keep_found(struct run_set *set, char *const *arguments, size_t *n)
{
	char **found = xcalloc(*n + 1, sizeof *found);
	size_t n_found = 0;
	for (size_t i = 0; i < *n; i++) {
		struct err err = ERR_INIT;
		if (find_argument(arguments[i], &err)) {
			found[n_found++] = arguments[i];
		} else {
			cli_say("%s", err.message);
			set->n_failed++;
		}
	}
	*n = n_found;
	return found;
}

static bool
is_a_folder(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static void
keep_share(struct run_set *set)
{
	struct path_list kept = {0};

	if (!set->share.of) {
		return;
	}
	for (size_t i = set->share.nth - 1; i < set->paths.n; i += set->share.of) {
		path_list_add(&kept, set->paths.paths[i]);
	}
	path_list_free(&set->paths);
	set->paths = kept;
}

static int
open_set(struct run_set *set, struct cli *cli, char *const *arguments, size_t n, bool apart,
         bool is_patient, struct err *err)
{
	for (size_t i = 0; i < n; i++) {
		path_list_add(&set->inputs, arguments[i]);
	}
	bool may_fail = is_patient && (n > 1 || is_a_folder(arguments[0]));
	if (find_run_files(cli, arguments, n, apart, &set->paths, may_fail ? &set->n_failed : NULL,
	                   err)) {
		goto fail;
	}
	keep_share(set);
	for (size_t i = 0; i < set->paths.n; i++) {
		path_list_add(&set->inputs, set->paths.paths[i]);
	}
	set->stores = xcalloc(set->paths.n + 1, sizeof *set->stores);
	set->names = xcalloc(set->paths.n + 1, sizeof *set->names);
	if (open_stores(set, is_patient, err)) {
		goto fail;
	}
	if (set->n == 0 && set->n_failed > 0 && !set->share.may_be_none) {
		err_set(err, ERR_FORMAT, "nothing there can be opened");
		goto fail;
	}
	if (set->n == 0 && !set->share.may_be_none) {
		err_set(err, ERR_USAGE, "no run and no trace there");
		goto fail;
	}
	for (size_t i = 0; i < set->n; i++) {
		store_set_classes(set->stores[i], classes_get(cli));
		if (store_set_scope(set->stores[i], &cli->scope, err)) {
			goto fail;
		}
	}
	run_names(set->stores, set->n, set->names);
	return 0;
fail:
	run_set_close(set);
	return -1;
}

bool
run_set_is_many(const struct run_set *set)
{
	return set->n + set->n_failed + set->n_left > 1;
}

const struct run_tags *
run_set_tags(struct run_set *set, struct err *err)
{
	if (set->tags) {
		return set->tags;
	}
	MEM_NEW(set->tags, set->n + 1);
	for (size_t i = 0; i < set->n; i++) {
		if (run_tags_read(set->stores[i], &set->tags[i], err)) {
			return NULL;
		}
		if (set->tags[i].trouble) {
			cli_say("%s", set->tags[i].trouble);
		}
	}
	return set->tags;
}

void
run_set_forget_tags(struct run_set *set)
{
	for (size_t i = 0; set->tags && i < set->n; i++) {
		run_tags_free(&set->tags[i]);
	}
	free(set->tags);
	set->tags = NULL;
}

static void
take_out(struct run_set *set, size_t i)
{
	run_set_forget_tags(set);
	store_close(set->stores[i]);
	free((void *)set->names[i]);
	free(set->paths.paths[i]);
	set->n--;
	set->paths.n--;
	memmove(&set->stores[i], &set->stores[i + 1], (set->n - i) * sizeof(struct store *));
	memmove(&set->names[i], &set->names[i + 1], (set->n - i) * sizeof(char *));
	memmove(&set->paths.paths[i], &set->paths.paths[i + 1],
	        (set->paths.n - i) * sizeof(char *));
}

void
run_set_drop(struct run_set *set, size_t i)
{
	take_out(set, i);
	set->n_failed++;
}

void
run_set_leave(struct run_set *set, size_t i)
{
	take_out(set, i);
	set->n_left++;
}

void
run_set_close(struct run_set *set)
{
	run_set_forget_tags(set);
	for (size_t i = 0; i < set->n; i++) {
		store_close(set->stores[i]);
		free((void *)set->names[i]);
	}
	free(set->stores);
	free(set->names);
	path_list_free(&set->paths);
	path_list_free(&set->inputs);
	*set = (struct run_set){0};
}

int
run_set_open(struct run_set *set, struct cli *cli, char *const *arguments, size_t n, bool apart,
             struct err *err)
{
	*set = (struct run_set){0};
	return open_set(set, cli, arguments, n, apart, false, err);
}

int
run_set_open_some(struct run_set *set, struct cli *cli, char *const *arguments, size_t n,
                  const struct run_share *share, struct err *err)
{
	*set = (struct run_set){.share = share ? *share : (struct run_share){0}};
	size_t n_found = n;
	char **found = n > 1 ? keep_found(set, arguments, &n_found) : NULL;
	int rc = n_found == 0
	             ? err_set(err, ERR_USAGE, "none of these can be opened")
	             : open_set(set, cli, found ? found : arguments, n_found, false, true, err);
	free(found);
	return rc;
}
