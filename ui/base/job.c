/*
 * One list of waiting jobs, one running, one list of finished ones, all under one lock. A cancelled
 * job that runs is only flagged: its work polls the flag (scans do, and statements through the
 * progress handler), and is dropped when it comes back.
 */
#include "config.h"

#include "ui/base/job.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "util/mem.h"
#include "util/workers.h"

#define OPEN_STORES 4
#define ANY_KIND (-1)
#define CANCEL_LOOK_NS 20000000

struct job_worker {
	struct open_store {
		char *path;
		struct store *store;
	} open[OPEN_STORES]; /* the most recently used first */
	struct path_classes *classes;
	const struct scope *scope; /* of the job that runs */
	struct err lost;           /* by it */
};

struct jobs {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	struct view_job *waiting, *running, *finished;
	struct timespec since;
	bool is_dropped; /* the running job was cancelled without a report */
	bool is_closing;
	struct scope scope;           /* of new jobs */
	struct path_classes *classes; /* for the worker to take; NULL: none new */
	void (*wake)(void *user);
	void *user;
	struct job_worker worker;
};

struct store *
worker_store(struct job_worker *worker, const char *path, const struct cancel *cancel,
             struct err *err)
{
	struct open_store found = {NULL, NULL};
	size_t i = 0;

	while (i < OPEN_STORES - 1 && worker->open[i].path &&
	       strcmp(worker->open[i].path, path) != 0) {
		i++;
	}
	if (worker->open[i].path && strcmp(worker->open[i].path, path) == 0) {
		found = worker->open[i];
	} else {
		found.store = store_open(path, err);
		if (!found.store) {
			return NULL;
		}
		found.path = xstrdup(path);
		store_set_classes(found.store, worker->classes);
		i = OPEN_STORES - 1;
		free(worker->open[i].path);
		store_close(worker->open[i].store);
	}
	memmove(&worker->open[1], &worker->open[0], i * sizeof found);
	worker->open[0] = found;
	store_set_cancel(found.store, cancel);
	return store_set_scope(found.store, worker->scope, err) ? NULL : found.store;
}

void
worker_lose(struct job_worker *worker, const struct err *why)
{
	if (worker->lost.code == ERR_NONE) {
		worker->lost = *why;
	}
}

struct store *
job_store(const struct view_job *job, struct job_worker *worker, struct err *err)
{
	return worker_store(worker, job->run_path, &job->cancel, err);
}

int
worker_stores(struct job_worker *worker, const struct two_runs *runs, const struct cancel *cancel,
              struct store *stores[2], struct err *err)
{
	stores[0] = worker_store(worker, runs->path[0], cancel, err);
	stores[1] = stores[0] ? worker_store(worker, runs->path[1], cancel, err) : NULL;
	return stores[1] ? 0 : -1;
}

void *
job_new(size_t size, int kind, int (*work)(struct view_job *, struct job_worker *, struct err *),
        void (*free)(struct view_job *), const char *run_path)
{
	struct view_job *job = xcalloc(1, size);

	job->kind = kind;
	job->work = work;
	job->free = free;
	job->run_path = run_path ? xstrdup(run_path) : NULL;
	return job;
}

void
job_free(struct view_job *job)
{
	if (job->free) {
		job->free(job);
	}
	scope_free(&job->scope);
	free(job->run_path);
	free(job);
}

/* A file that changed must be opened anew the next time. */
static void
worker_forget(struct job_worker *worker)
{
	for (size_t i = 0; i < OPEN_STORES; i++) {
		free(worker->open[i].path);
		store_close(worker->open[i].store);
		worker->open[i] = (struct open_store){NULL, NULL};
	}
}

/* Of new classes, if any: runs are opened anew, so that nothing mixes them with the old ones. */
static void
worker_take_classes(struct job_worker *worker, struct path_classes *classes)
{
	if (classes) {
		worker_forget(worker);
		path_classes_free(worker->classes);
		worker->classes = classes;
	}
}

static void
list_append(struct view_job **list, struct view_job *job)
{
	while (*list) {
		list = &(*list)->next;
	}
	job->next = NULL;
	*list = job;
}

static void
lock(struct jobs *jobs)
{
	pthread_mutex_lock(&jobs->lock);
}

static void
unlock(struct jobs *jobs)
{
	pthread_mutex_unlock(&jobs->lock);
}

static void *
worker_main(void *user)
{
	struct jobs *jobs = user;

	lock(jobs);
	for (;;) {
		struct path_classes *classes;
		struct view_job *job;

		while (!jobs->waiting && !jobs->is_closing) {
			pthread_cond_wait(&jobs->changed, &jobs->lock);
		}
		if (jobs->is_closing) {
			break;
		}
		job = jobs->running = jobs->waiting;
		jobs->waiting = job->next;
		job->next = NULL;
		jobs->is_dropped = false;
		classes = jobs->classes;
		jobs->classes = NULL;
		clock_gettime(CLOCK_MONOTONIC, &jobs->since);
		unlock(jobs);
		worker_take_classes(&jobs->worker, classes);
		job->err = jobs->worker.lost = (struct err)ERR_INIT;
		jobs->worker.scope = &job->scope;
		if (job->work(job, &jobs->worker, &job->err) && job->err.code == ERR_CHANGED) {
			worker_forget(&jobs->worker);
		}
		job->lost = jobs->worker.lost;
		lock(jobs);
		jobs->running = NULL;
		if (jobs->is_dropped) {
			job_free(job);
		} else {
			list_append(&jobs->finished, job);
		}
		pthread_cond_broadcast(&jobs->changed);
		jobs->wake(jobs->user);
	}
	unlock(jobs);
	worker_forget(&jobs->worker);
	path_classes_free(jobs->worker.classes);
	path_classes_free(jobs->classes);
	return NULL;
}

struct jobs *
jobs_new(void (*wake)(void *user), void *user, struct err *err)
{
	int errnum;
	struct jobs *jobs = xcalloc(1, sizeof *jobs);

	jobs->wake = wake;
	jobs->user = user;
	pthread_mutex_init(&jobs->lock, NULL);
	pthread_cond_init(&jobs->changed, NULL);
	errnum = thread_start(&jobs->thread, worker_main, jobs);
	if (errnum) {
		err_set_errno(err, errnum, "explorer: can't start a thread");
		pthread_mutex_destroy(&jobs->lock);
		pthread_cond_destroy(&jobs->changed);
		free(jobs);
		return NULL;
	}
	return jobs;
}

void
jobs_set_classes(struct jobs *jobs, const char *text)
{
	struct err ignored = ERR_INIT;
	struct path_classes *classes = path_classes_new(text, &ignored);

	lock(jobs);
	if (classes) {
		path_classes_free(jobs->classes);
		jobs->classes = classes;
	}
	unlock(jobs);
}

void
jobs_set_scope(struct jobs *jobs, const struct scope *scope)
{
	lock(jobs);
	scope_free(&jobs->scope);
	scope_copy(&jobs->scope, scope);
	unlock(jobs);
}

static void
list_drop(struct view_job **list, const void *owner, int kind)
{
	while (*list) {
		struct view_job *job = *list;

		if ((!owner || job->owner == owner) && (kind == ANY_KIND || job->kind == kind)) {
			*list = job->next;
			job_free(job);
		} else {
			list = &job->next;
		}
	}
}

static void
drop(struct jobs *jobs, const void *owner, int kind)
{
	list_drop(&jobs->waiting, owner, kind);
	list_drop(&jobs->finished, owner, kind);
}

void
jobs_free(struct jobs *jobs)
{
	if (!jobs) {
		return;
	}
	jobs_cancel(jobs, NULL, false); /* none is left, and what runs is dropped */
	lock(jobs);
	jobs->is_closing = true;
	pthread_cond_broadcast(&jobs->changed);
	unlock(jobs);
	pthread_join(jobs->thread, NULL);
	pthread_mutex_destroy(&jobs->lock);
	pthread_cond_destroy(&jobs->changed);
	scope_free(&jobs->scope);
	free(jobs);
}

void
jobs_submit(struct jobs *jobs, struct view_job *job)
{
	lock(jobs);
	scope_free(&job->scope);
	scope_copy(&job->scope, &jobs->scope);
	drop(jobs, job->owner, job->kind);
	if (jobs->running && jobs->running->owner == job->owner &&
	    jobs->running->kind == job->kind) {
		cancel_request(&jobs->running->cancel);
		jobs->is_dropped = true;
	}
	if (!jobs->waiting && !jobs->running) {
		clock_gettime(CLOCK_MONOTONIC, &jobs->since);
	}
	list_append(&jobs->waiting, job);
	pthread_cond_broadcast(&jobs->changed);
	unlock(jobs);
}

struct view_job *
jobs_take(struct jobs *jobs)
{
	struct view_job *job;

	lock(jobs);
	job = jobs->finished;
	if (job) {
		jobs->finished = job->next;
		job->next = NULL;
	}
	unlock(jobs);
	return job;
}

void
jobs_cancel(struct jobs *jobs, const void *owner, bool report)
{
	lock(jobs);
	drop(jobs, owner, ANY_KIND);
	if (jobs->running && (!owner || jobs->running->owner == owner)) {
		cancel_request(&jobs->running->cancel);
		jobs->is_dropped = jobs->is_dropped || !report;
	}
	unlock(jobs);
}

static bool
list_has(const struct view_job *list, const void *owner)
{
	while (list && list->owner != owner) {
		list = list->next;
	}
	return list != NULL;
}

/* Waits or runs, and was not cancelled. */
static bool
is_pending(const struct jobs *jobs, const void *owner)
{
	return list_has(jobs->waiting, owner) ||
	       (list_has(jobs->running, owner) && !jobs->is_dropped);
}

long
jobs_age_ms(struct jobs *jobs, const void *owner)
{
	struct timespec now;
	long age = -1;

	lock(jobs);
	if (is_pending(jobs, owner)) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		age = (now.tv_sec - jobs->since.tv_sec) * 1000 +
		      (now.tv_nsec - jobs->since.tv_nsec) / 1000000;
	}
	unlock(jobs);
	return age;
}

bool
jobs_owe(struct jobs *jobs, const void *owner)
{
	bool owe;

	lock(jobs);
	owe = is_pending(jobs, owner) || list_has(jobs->finished, owner);
	unlock(jobs);
	return owe;
}

bool
jobs_idle(struct jobs *jobs)
{
	bool idle;

	lock(jobs);
	idle = !jobs->waiting && !jobs->running && !jobs->finished;
	unlock(jobs);
	return idle;
}

/* A signal that cancels wakes nobody. */
static void
wait_a_while(pthread_cond_t *changed, pthread_mutex_t *lock)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += CANCEL_LOOK_NS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(changed, lock, &until);
}

void
jobs_wait(struct jobs *jobs)
{
	lock(jobs);
	while ((jobs->waiting || jobs->running) && !cancel_requested(NULL)) {
		wait_a_while(&jobs->changed, &jobs->lock);
	}
	unlock(jobs);
}
