/*
 * Work that must not block the keys: done by one worker thread, which has its own connections to
 * run files. Results come back to the main loop through jobs_take. A newer job of the same owner
 * and kind replaces an older one.
 * Used by ui/app, ui/chart, ui/lists, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_UI_BASE_JOB_H
#define LANESCOPE_UI_BASE_JOB_H

#include <stdbool.h>
#include "column/scan/scope.h"
#include "store/store.h"
#include "ui/base/two_runs.h"
#include "util/cancel.h"
#include "util/err.h"

struct jobs;
struct job_worker;

struct view_job {
	const void *owner; /* the view that asked; of a new one NULL */
	int kind;          /* of the owner's choice, from 0 on */
	/* On the worker: fills the job's result; -1 with err set on failure. */
	int (*work)(struct view_job *job, struct job_worker *worker, struct err *err);
	void (*free)(struct view_job *job); /* what it holds, not the job itself; NULL: nothing */
	char *run_path;                     /* the job's own; NULL: none */
	/* set by jobs */
	struct scope scope; /* of the connections; the one that stood when it was asked */
	struct cancel cancel;
	struct err err;  /* code ERR_NONE if it went well */
	struct err lost; /* then: the first failure that its result goes on without */
	struct view_job *next;
};

/* New, of size bytes, which begin with a struct view_job and are zero behind it. run_path is
 * copied; NULL: none. Who does not submit it frees it. */
void *job_new(size_t size, int kind,
              int (*work)(struct view_job *, struct job_worker *, struct err *),
              void (*free)(struct view_job *), const char *run_path);
void job_free(struct view_job *job);

/* wake(user) is called from the worker whenever a job is done. */
struct jobs *jobs_new(void (*wake)(void *user), void *user, struct err *err);
/* Classes of paths, as text, for all that is asked for from now on; what is wrong in it was told
 * before. */
void jobs_set_classes(struct jobs *jobs, const char *text);
/* The scope of all that is asked for from now on; copied. */
void jobs_set_scope(struct jobs *jobs, const struct scope *scope);
void jobs_free(struct jobs *jobs);                         /* cancels, waits; takes NULL */
void jobs_submit(struct jobs *jobs, struct view_job *job); /* takes job */
/* The next finished job (new, the caller frees it), NULL if none. */
struct view_job *jobs_take(struct jobs *jobs);
/* Cancels what owner waits for (NULL: everybody); nothing of it comes back afterwards, except an
 * error ERR_CANCELLED if `report`. */
void jobs_cancel(struct jobs *jobs, const void *owner, bool report);
/* Milliseconds for which owner's oldest job has been waiting or running, -1 if it has none. */
long jobs_age_ms(struct jobs *jobs, const void *owner);
/* Something of owner's waits, runs, or has not been taken yet. */
bool jobs_owe(struct jobs *jobs, const void *owner);
bool jobs_idle(struct jobs *jobs);
/* Until idle, or the program is asked to end; for scripts of keys. */
void jobs_wait(struct jobs *jobs);

/* On the worker: the connection to the job's run file, kept open for later jobs; to another; to
 * those of two runs. NULL or -1 on error. */
struct store *job_store(const struct view_job *job, struct job_worker *worker, struct err *err);
int worker_stores(struct job_worker *worker, const struct two_runs *runs,
                  const struct cancel *cancel, struct store *stores[2], struct err *err);
/* Keeps a failure that the job's result goes on without, if it is the first; ERR_NONE is none. */
void worker_lose(struct job_worker *worker, const struct err *why);
struct store *worker_store(struct job_worker *worker, const char *path, const struct cancel *cancel,
                           struct err *err);

#endif
