/* Runs imported on the way: trace files named where a run is expected become run files in the
 * cache, once.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CACHE_H
#define LANESCOPE_CLI_CACHE_H

#include <pthread.h>
#include <time.h>
#include "cli/cli.h"
#include "ingest/ingest.h"
#include "util/slice.h"

/* $XDG_CACHE_HOME/lanescope or ~/.cache/lanescope with "/name" appended. False: nobody says
 * where. */
bool cache_place(const char *name, struct strbuf *path);
/* The same with the folders made. */
int cache_folder(const char *name, struct strbuf *path, struct err *err);

/* Like mkdir -p; the path is put back as it was. */
int make_folders(char *path, unsigned mode, struct err *err);

/* What the traces would become in the cache, whose folder of runs is put into *folder. NULL on
 * error. What leads to no run is told in the plans' `failed`. */
struct ingest_plans *cache_plan(const char *const *traces, unsigned n_traces, struct strbuf *folder,
                                const struct cancel *cancel, struct err *err);
/* A pipe or a device is gone once it was read, and may never begin: an error, but for standard
 * input and what a shell opened (/dev/fd/N), where it may be one. */
int cache_check_plain(const char *path, bool may_be_open, struct err *err);
/* A run file's path in that folder for what the plan reads (new); the folders above it are made. */
char *cache_run_path(const struct ingest_plan *plan, const char *folder, struct err *err);
bool cache_has(const char *path); /* a whole run file stands there */

/* The run at this path of the cache is used by this program from now on: it was used last now, and
 * no program removes it until cache_release (or this one's end). Call it before cache_has. */
void cache_hold(struct cli *cli, const char *path);
void cache_release(struct cli *cli); /* removes the folders of cli->once, too */
/* Removes the runs used longest ago until those in `folder` take no more than the limit (-1: none);
 * not those in use or used a moment ago. Whatever can't be removed stays. */
void cache_trim(const char *folder, int64_t limit_bytes);
/* The folders of its runs, the one used longest ago first. */
void cache_each(const char *folder, void (*add)(void *user, const char *path), void *user);
/* $LANESCOPE_CACHE, else the setting "cache"; -1: none. What is wrong with the variable is said. */
int64_t cache_limit_bytes(void);

struct cache_request {
	const char *const *traces;
	unsigned n_traces;
	bool is_all; /* nothing else was asked for, so that no run at all is an error, too */
	void (*add)(void *user, const char *run_path); /* gets the run files in order */
	void *user;
	/* What gives no run is said, counted here and left out; NULL: it is an error, since an
	 * answer about the others would pass for one about all. */
	size_t *n_failed;
};

/* Imports each run that the traces hold, unless the cache has it: a run is known by the path,
 * inode, size and times of all its files. */
int cache_import(struct cli *cli, const struct cache_request *request, struct err *err);

/* Does the work, which keeps the counters, under a progress bar where stderr is a terminal. */
int progress_show(const char *name, const struct cancel *cancel, struct ingest_progress *counters,
                  int (*work)(void *user, struct ingest_progress *counters, struct err *err),
                  void *user, struct err *err);
/* Imports one plan, with a progress bar where stderr is a terminal. summary may be NULL. */
int progress_import(const struct ingest_plan *plan, const struct ingest_options *options,
                    struct ingest_summary *summary, struct err *err);
/* Seconds since a moment of CLOCK_MONOTONIC. */
double progress_seconds(const struct timespec *started);
/* Waits for a change, with the lock held; true: ns have passed without one. */
bool progress_pause(pthread_cond_t *changed, pthread_mutex_t *lock, long ns);

#endif
