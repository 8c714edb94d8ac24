/*
 * One thread that looks every few milliseconds. Queries poll their flag anyway, so a finer clock
 * would gain nothing, and a thread is the one way to set a flag that does not depend on what the
 * work does meanwhile.
 */
#include "config.h"
#include "explain/frame/watchdog.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "util/clock.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/workers.h"

#define TICK_NS 5000000

struct watchdog {
	const struct cancel *outer;
	struct cancel cancel;
	/* Whoever looks at the deadline also acts on it before another one is set: an expired one
	 * would cancel the next piece of work. */
	pthread_mutex_t mutex;
	int64_t deadline_ns; /* on the monotonic clock; 0: not armed */
	bool is_over;
	atomic_bool is_ending;
	pthread_t thread;
};

static void *
watch(void *user)
{
	struct watchdog *watchdog = user;
	const struct timespec tick = {0, TICK_NS};
	while (!atomic_load(&watchdog->is_ending)) {
		pthread_mutex_lock(&watchdog->mutex);
		if (watchdog->deadline_ns && clock_ns() >= watchdog->deadline_ns) {
			watchdog->is_over = true;
			cancel_request(&watchdog->cancel);
		}
		pthread_mutex_unlock(&watchdog->mutex);
		if (cancel_requested(watchdog->outer)) {
			cancel_request(&watchdog->cancel);
		}
		(void)nanosleep(&tick, NULL); /* cut short by a signal: looks earlier */
	}
	return NULL;
}

struct watchdog *
watchdog_new(const struct cancel *outer, struct err *err)
{
	struct watchdog *watchdog = xcalloc(1, sizeof *watchdog);
	watchdog->outer = outer;
	pthread_mutex_init(&watchdog->mutex, NULL);
	int errnum = thread_start(&watchdog->thread, watch, watchdog);
	if (errnum) {
		err_set_errno(err, errnum, "can't start a thread");
		pthread_mutex_destroy(&watchdog->mutex);
		free(watchdog);
		return NULL;
	}
	return watchdog;
}

const struct cancel *
watchdog_arm(struct watchdog *watchdog, int64_t budget_ns)
{
	pthread_mutex_lock(&watchdog->mutex);
	watchdog->is_over = budget_ns <= 0;
	atomic_store(&watchdog->cancel.requested, watchdog->is_over);
	watchdog->deadline_ns = watchdog->is_over ? 0 : time_add(clock_ns(), budget_ns);
	pthread_mutex_unlock(&watchdog->mutex);
	return &watchdog->cancel;
}

bool
watchdog_disarm(struct watchdog *watchdog)
{
	pthread_mutex_lock(&watchdog->mutex);
	watchdog->deadline_ns = 0;
	bool is_over = watchdog->is_over;
	pthread_mutex_unlock(&watchdog->mutex);
	return is_over;
}

void
watchdog_free(struct watchdog *watchdog)
{
	if (watchdog) {
		atomic_store(&watchdog->is_ending, true);
		(void)pthread_join(watchdog->thread, NULL); /* it was started */
		pthread_mutex_destroy(&watchdog->mutex);
		free(watchdog);
	}
}
