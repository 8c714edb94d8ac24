/*
 * A parallel loop. Items are handed out in order from one counter; the first failure stops the
 * handing out, and as every lower item was handed out before, the error of the lowest failing item
 * is the one reported, whatever the timing. Threads live for one call: starting one costs tens of
 * microseconds, which a scan or an import does not notice, and nothing is left behind after it.
 */
#include "config.h"
#include "util/workers.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "util/mem.h"
#include "util/slice.h"

#define THREADS_MAX 256
#define STACK_BYTES ((size_t)2 << 20) /* musl's default of 128 KiB is too little for us */

struct loop {
	int (*work)(void *user, size_t item, unsigned thread, struct err *err);
	void *user;
	const struct cancel *cancel;
	size_t n_items;
	atomic_size_t next;
	atomic_bool stop;
	pthread_mutex_t lock; /* guards the rest */
	size_t failed_item;   /* n_items: none */
	struct err err;
};

struct pool_worker {
	struct loop *loop;
	pthread_t thread;
	unsigned number;
};

/* 0: nothing. */
static unsigned
told_count(void)
{
	const char *text = getenv("LANESCOPE_THREADS");
	int64_t wished;

	if (text && slice_int64(slice_of(text), &wished) && wished >= 1 && wished <= THREADS_MAX) {
		return (unsigned)wished;
	}
	return 0;
}

bool
workers_are_told(void)
{
	return told_count() > 0;
}

unsigned
workers_count(void)
{
	cpu_set_t set; /* too small for more than 1024 cores: then the call fails */
	long n = 0;

	if (workers_are_told()) {
		return told_count();
	}
	if (sched_getaffinity(0, sizeof set, &set) == 0) {
		n = CPU_COUNT(&set);
	} else {
		n = sysconf(_SC_NPROCESSORS_ONLN);
	}
	return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (unsigned)n;
}

static void
fail(struct loop *loop, size_t item, const struct err *err)
{
	pthread_mutex_lock(&loop->lock);
	if (item < loop->failed_item) {
		loop->failed_item = item;
		loop->err = *err;
	}
	pthread_mutex_unlock(&loop->lock);
	atomic_store(&loop->stop, true);
}

static void
work_off(struct loop *loop, unsigned thread)
{
	while (!atomic_load_explicit(&loop->stop, memory_order_relaxed) &&
	       !cancel_requested(loop->cancel)) {
		size_t item = atomic_fetch_add(&loop->next, 1);
		if (item >= loop->n_items) {
			return;
		}
		struct err err = ERR_INIT;
		if (loop->work(loop->user, item, thread, &err)) {
			fail(loop, item, &err);
		}
	}
}

static void *
worker_main(void *user)
{
	struct pool_worker *worker = user;

	work_off(worker->loop, worker->number);
	return NULL;
}

static atomic_uint fail_countdown;

void
thread_fail_at(unsigned n)
{
	atomic_store(&fail_countdown, n);
}

int
thread_start(pthread_t *thread, void *(*run)(void *user), void *user)
{
	pthread_attr_t attributes;
	sigset_t all, old;
	size_t stack = 0;

	if (atomic_load(&fail_countdown) && atomic_fetch_sub(&fail_countdown, 1) == 1) {
		return EAGAIN;
	}

	sigfillset(&all);
	pthread_attr_init(&attributes);
	if (pthread_attr_getstacksize(&attributes, &stack) == 0 && stack < STACK_BYTES) {
		(void)pthread_attr_setstacksize(&attributes, STACK_BYTES); /* else the default */
	}
	pthread_sigmask(SIG_SETMASK, &all, &old);
	int failed = pthread_create(thread, &attributes, run, user);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	pthread_attr_destroy(&attributes);
	return failed;
}

int
workers_run(unsigned n_threads, size_t n_items,
            int (*work)(void *user, size_t item, unsigned thread, struct err *err), void *user,
            const struct cancel *cancel, struct err *err)
{
	struct loop loop = {.work = work,
	                    .user = user,
	                    .cancel = cancel,
	                    .n_items = n_items,
	                    .lock = PTHREAD_MUTEX_INITIALIZER,
	                    .failed_item = n_items};
	unsigned n = n_threads > n_items ? (unsigned)n_items : n_threads;
	struct pool_worker *workers = n > 1 ? xcalloc(n - 1, sizeof *workers) : NULL;
	unsigned n_started = 0;

	/* Threads that can't be had are done without. */
	while (n_started + 1 < n) {
		struct pool_worker *worker = &workers[n_started];
		worker->loop = &loop;
		worker->number = n_started + 1;
		if (thread_start(&worker->thread, worker_main, worker) != 0) {
			break;
		}
		n_started++;
	}
	work_off(&loop, 0);
	for (unsigned i = 0; i < n_started; i++) {
		pthread_join(workers[i].thread, NULL);
	}
	free(workers);
	pthread_mutex_destroy(&loop.lock);
	if (loop.failed_item < n_items) {
		*err = loop.err;
		return -1;
	}
	if (atomic_load(&loop.next) < n_items) {
		return err_set(err, ERR_CANCELLED, "cancelled");
	}
	return 0;
}
