/*
 * One thread imports, one run after the other (each import uses all cores by itself), the smallest
 * traces first, so that there is something to look at while large ones are read; another thread
 * wakes the explorer while something is going on. Both sleep when nothing is: no timer runs then.
 * What is stopped leaves nothing behind: ingest_run removes its file, and cache_release the folder
 * that was made for it.
 */
#include "config.h"
#include "cli/background.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/cache.h"
#include "cli/early_table.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define WAKE_NS 500000000
#define RATE_AFTER_SECONDS 0.5 /* sooner, a rate says nothing */

struct import_item {
	const struct ingest_plan *plan;
	char *path;     /* of the run file */
	uint64_t bytes; /* of its traces; UINT64_MAX: one is no plain file, and may never end */
	enum import_state state;
	struct cancel cancel;
	struct ingest_progress counters;
	struct early_look *early; /* what was read so far */
	struct timespec started;
	struct err err;
};

struct background {
	struct cli *cli;
	struct strbuf folder; /* of the cache's runs */
	int64_t limit_bytes;  /* asked before the screen is the explorer's */
	struct ui_imports imports;
	struct ingest_plans **plans; /* what the items' plans stand in */
	size_t n_plans, plans_capacity, capacity;
	struct import_item **items; /* as many as imports.n */
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a state, or `stops` */
	pthread_t importer, waker;
	bool runs, stops;
	void (*wake)(void *user);
	void *wake_user;
};

static bool
is_active(enum import_state state)
{
	return state == IMPORT_READING || state == IMPORT_FINISHING;
}

/* The smallest that waits (of equals the one that was given first), or the one that is being read;
 * NULL if there is none. With the lock held. */
static struct import_item *
find_item(const struct background *background, bool is_running)
{
	struct import_item *found = NULL;

	for (size_t i = 0; i < background->imports.n; i++) {
		struct import_item *item = background->items[i];
		bool fits = is_running ? is_active(item->state) : item->state == IMPORT_WAITING;

		if (fits && (!found || item->bytes < found->bytes)) {
			found = item;
		}
	}
	return found;
}

/* Lets go of the lock meanwhile. */
static void
wake_unlocked(struct background *background)
{
	pthread_mutex_unlock(&background->lock);
	background->wake(background->wake_user);
	pthread_mutex_lock(&background->lock);
}

static void
import_item(struct background *background, struct import_item *item)
{
	struct ingest_options options = {.clash = CLASH_SHARE, .cancel = &item->cancel};
	struct ingest_plan plan = *item->plan;
	struct err err = ERR_INIT;
	int rc;

	item->state = IMPORT_READING;
	memset(&item->counters, 0, sizeof item->counters);
	early_reset(item->early);
	item->counters.early = item->early;
	clock_gettime(CLOCK_MONOTONIC, &item->started);
	pthread_cond_broadcast(&background->changed);
	pthread_mutex_unlock(&background->lock);
	background->wake(background->wake_user);
	plan.out_path = item->path;
	rc = ingest_run(&plan, &options, &item->counters, NULL, &err);
	cache_trim(background->folder.data, background->limit_bytes);
	pthread_mutex_lock(&background->lock);
	item->err = err;
	item->state = rc == 0                           ? IMPORT_DONE
	              : cancel_requested(&item->cancel) ? IMPORT_STOPPED
	                                                : IMPORT_FAILED;
	pthread_cond_broadcast(&background->changed);
}

static void *
run_importer(void *user)
{
	struct background *background = user;

	pthread_mutex_lock(&background->lock);
	while (!background->stops) {
		struct import_item *item = find_item(background, false);

		if (item) {
			import_item(background, item);
			wake_unlocked(background);
		} else {
			pthread_cond_wait(&background->changed, &background->lock);
		}
	}
	pthread_mutex_unlock(&background->lock);
	return NULL;
}

static void
cancel_item(struct import_item *item)
{
	cancel_request(&item->cancel);
	item->state = item->state == IMPORT_WAITING ? IMPORT_STOPPED : item->state;
}

/* With the lock held. */
static void
cancel_items(struct background *background)
{
	for (size_t i = 0; i < background->imports.n; i++) {
		cancel_item(background->items[i]);
	}
}

static void *
run_waker(void *user)
{
	struct background *background = user;

	pthread_mutex_lock(&background->lock);
	while (!background->stops) {
		if (!find_item(background, true)) {
			pthread_cond_wait(&background->changed, &background->lock);
			continue;
		}
		if (!progress_pause(&background->changed, &background->lock, WAKE_NS)) {
			continue; /* whoever changed something has woken the explorer */
		}
		wake_unlocked(background);
	}
	pthread_mutex_unlock(&background->lock);
	return NULL;
}

/* ---- what the explorer asks for ---- */

/* With the lock held, which it gives back. */
static void
end_importer(struct background *background)
{
	background->stops = true;
	pthread_cond_broadcast(&background->changed);
	pthread_mutex_unlock(&background->lock);
	pthread_join(background->importer, NULL);
	background->runs = false;
}

static void
start(void *user, void (*wake)(void *wake_user), void *wake_user)
{
	struct background *background = user;
	int errnum;

	background->wake = wake;
	background->wake_user = wake_user;
	errnum = thread_start(&background->importer, run_importer, background);
	if (errnum == 0) {
		background->runs = true;
		errnum = thread_start(&background->waker, run_waker, background);
		if (errnum != 0) {
			pthread_mutex_lock(&background->lock);
			end_importer(background);
		}
	}
	for (size_t i = 0; errnum != 0 && i < background->imports.n; i++) {
		background->items[i]->state = IMPORT_FAILED;
		err_set_errno(&background->items[i]->err, errnum, "no thread for the import");
	}
}

static void
read_progress(const struct import_item *item, struct ui_import *import)
{
	double seconds = progress_seconds(&item->started);
	uint64_t bytes = atomic_load(&item->counters.raw_bytes);
	uint64_t total = atomic_load(&item->counters.raw_total);

	import->records = (int64_t)atomic_load(&item->counters.records);
	if (atomic_load(&item->counters.phase) != INGEST_READING) {
		import->state = IMPORT_FINISHING;
		return;
	}
	import->progress = total > 0 ? (double)bytes / (double)total : -1;
	import->progress = LEAST(1, import->progress);
	if (seconds > RATE_AFTER_SECONDS) {
		import->records_per_second = (int64_t)((double)import->records / seconds);
		if (import->progress > 0.02) {
			import->seconds_left =
			    (int64_t)(seconds / import->progress * (1 - import->progress));
		}
	}
}

static void
read_import(void *user, size_t i, struct ui_import *import)
{
	struct background *background = user;
	const struct import_item *item = background->items[i];

	pthread_mutex_lock(&background->lock);
	*import = (struct ui_import){.name = item->plan->name,
	                             .format = item->plan->format,
	                             .state = item->state,
	                             .progress = -1,
	                             .records_per_second = -1,
	                             .seconds_left = -1,
	                             .run_path = item->state == IMPORT_DONE ? item->path : NULL,
	                             .err = item->err};
	if (is_active(item->state)) {
		read_progress(item, import);
	}
	pthread_mutex_unlock(&background->lock);
}

static struct result *
read_early(void *user, size_t i)
{
	struct background *background = user;
	struct ui_import import;

	read_import(user, i, &import);
	return early_table(background->items[i]->early, &import);
}

static void
cancel(void *user, size_t i)
{
	struct background *background = user;

	pthread_mutex_lock(&background->lock);
	cancel_item(background->items[i]);
	pthread_mutex_unlock(&background->lock);
	background->wake(background->wake_user);
}

static void
again(void *user, size_t i)
{
	struct background *background = user;
	struct import_item *item = background->items[i];

	pthread_mutex_lock(&background->lock);
	if (item->state == IMPORT_FAILED || item->state == IMPORT_STOPPED) {
		atomic_store(&item->cancel.requested, false);
		item->state = IMPORT_WAITING;
		pthread_cond_broadcast(&background->changed);
	}
	pthread_mutex_unlock(&background->lock);
}

static void
wait_for_all(void *user)
{
	struct background *background = user;

	pthread_mutex_lock(&background->lock);
	while (background->runs && (find_item(background, true) || find_item(background, false))) {
		pthread_cond_wait(&background->changed, &background->lock);
	}
	pthread_mutex_unlock(&background->lock);
}

static void
stop(void *user)
{
	struct background *background = user;

	if (!background->runs) {
		return;
	}
	pthread_mutex_lock(&background->lock);
	cancel_items(background);
	end_importer(background);
	pthread_join(background->waker, NULL);
}

/* ---- what the command line asks for ---- */

static uint64_t
traces_bytes(const struct ingest_plan *plan)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < plan->n_paths; i++) {
		struct stat status;

		if (stat(plan->paths[i], &status) != 0 || !S_ISREG(status.st_mode)) {
			return UINT64_MAX;
		}
		bytes += (uint64_t)status.st_size;
	}
	return bytes;
}

struct background *
background_new(struct cli *cli)
{
	struct background *background = xcalloc(1, sizeof *background);

	background->cli = cli;
	background->imports = (struct ui_imports){.user = background,
	                                          .start = start,
	                                          .read = read_import,
	                                          .early = read_early,
	                                          .cancel = cancel,
	                                          .again = again,
	                                          .wait = wait_for_all,
	                                          .stop = stop};
	pthread_mutex_init(&background->lock, NULL);
	pthread_cond_init(&background->changed, NULL);
	return background;
}

int
background_add(struct background *background, const char *const *traces, unsigned n_traces,
               void (*add)(void *user, const char *run_path), void *user, struct err *err)
{
	for (unsigned i = 0; i < n_traces; i++) {
		if (cache_check_plain(traces[i], false, err)) {
			return -1;
		}
	}
	struct ingest_plans *plans =
	    cache_plan(traces, n_traces, &background->folder, &background->cli->cancel, err);
	int rc = plans ? 0 : -1;

	if (plans && plans->n_failed) { /* the screen would hide it */
		rc = err_set(err, ERR_FORMAT, "%s", plans->failed[0]);
	}
	background->limit_bytes = cache_limit_bytes();
	if (plans) {
		MEM_GROW(background->plans, background->plans_capacity, background->n_plans + 1);
		background->plans[background->n_plans++] = plans;
	}
	for (unsigned i = 0; rc == 0 && i < plans->n_plans; i++) {
		struct import_item *item;
		char *path = cache_run_path(&plans->plans[i], background->folder.data, err);

		if (!path) {
			rc = -1;
			break;
		}
		cache_hold(background->cli, path);
		if (cache_has(path)) {
			add(user, path);
			free(path);
			continue;
		}
		item = xcalloc(1, sizeof *item);
		item->plan = &plans->plans[i];
		item->path = path;
		item->bytes = traces_bytes(item->plan);
		item->early = early_new();
		MEM_GROW(background->items, background->capacity, background->imports.n + 1);
		background->items[background->imports.n++] = item;
	}
	return rc;
}

const struct ui_imports *
background_imports(struct background *background)
{
	return background->imports.n > 0 ? &background->imports : NULL;
}

void
background_free(struct background *background)
{
	if (!background) {
		return;
	}
	stop(background);
	for (size_t i = 0; i < background->imports.n; i++) {
		free(background->items[i]->path);
		early_free(background->items[i]->early);
		free(background->items[i]);
	}
	for (size_t i = 0; i < background->n_plans; i++) {
		ingest_plans_free(background->plans[i]);
	}
	strbuf_free(&background->folder);
	free(background->items);
	free(background->plans);
	pthread_mutex_destroy(&background->lock);
	pthread_cond_destroy(&background->changed);
	free(background);
}
