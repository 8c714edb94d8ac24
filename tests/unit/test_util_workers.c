/* Threads: every item once, the lowest error, cancelling; the queue's order and closing. */
#include "config.h"

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "unit.h"
#include "util/workers.h"

enum { N = 5000 };

struct job {
	atomic_uint done[N];
	size_t fail_from, cancel_at;
	struct cancel cancel;
	atomic_bool signals_open;
};

static int
work(void *user, size_t item, unsigned thread, struct err *err)
{
	struct job *job = user;
	sigset_t mask;

	atomic_fetch_add(&job->done[item], 1);
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	if (thread > 0 && !sigismember(&mask, SIGINT)) {
		atomic_store(&job->signals_open, true);
	}
	if (item == job->cancel_at) {
		cancel_request(&job->cancel);
	}
	if (item >= job->fail_from) {
		if (item == job->fail_from) {
			usleep(2000); /* later ones fail first */
		}
		return err_set(err, ERR_FORMAT, "item %zu", item);
	}
	return 0;
}

static struct job *
new_job(void)
{
	struct job *job = calloc(1, sizeof *job);
	job->fail_from = job->cancel_at = N;
	return job;
}

START_TEST(every_item_once)
{
	static const unsigned counts[] = {0, 1, 2, 7, 64};

	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		struct job *job = new_job();
		struct err err = ERR_INIT;
		ck_assert_int_eq(workers_run(counts[i], N, work, job, &job->cancel, &err), 0);
		for (size_t j = 0; j < N; j++) {
			ck_assert_uint_eq(atomic_load(&job->done[j]), 1);
		}
		ck_assert(!atomic_load(&job->signals_open));
		ck_assert_int_eq(workers_run(counts[i], 0, work, job, NULL, &err), 0);
		free(job);
	}
}
END_TEST

START_TEST(the_lowest_failure_is_reported)
{
	for (int round = 0; round < 50; round++) {
		struct job *job = new_job();
		struct err err = ERR_INIT;
		job->fail_from = 100;
		ck_assert_int_eq(workers_run(8, N, work, job, NULL, &err), -1);
		ck_assert_str_eq(err.message, "item 100");
		free(job);
	}
}
END_TEST

START_TEST(cancelling_stops)
{
	struct job *job = new_job();
	struct err err = ERR_INIT;

	job->cancel_at = 10;
	ck_assert_int_eq(workers_run(3, N, work, job, &job->cancel, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	unsigned done = 0;
	for (size_t i = 0; i < N; i++) {
		done += atomic_load(&job->done[i]);
	}
	ck_assert_uint_lt(done, N);
	free(job);
}
END_TEST

START_TEST(nothing_is_done_once_cancelled)
{
	struct job *job = new_job();
	struct err err = ERR_INIT;

	cancel_request(&job->cancel);
	ck_assert_int_eq(workers_run(3, N, work, job, &job->cancel, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	for (size_t i = 0; i < N; i++) {
		ck_assert_uint_eq(atomic_load(&job->done[i]), 0);
	}
	free(job);
}
END_TEST

struct meeting {
	pthread_barrier_t all;
	atomic_uint came[4];
};

static int
meet(void *user, size_t item, unsigned thread, struct err *err)
{
	struct meeting *meeting = user;

	(void)item;
	(void)err;
	ck_assert_uint_lt(thread, 4);
	atomic_fetch_add(&meeting->came[thread], 1);
	pthread_barrier_wait(&meeting->all); /* for as many as there are threads */
	return 0;
}

START_TEST(threads_work_side_by_side_and_have_numbers)
{
	struct meeting meeting = {0};
	struct err err = ERR_INIT;
	sigset_t before, after;

	ck_assert_int_eq(pthread_barrier_init(&meeting.all, NULL, 4), 0);
	pthread_sigmask(SIG_SETMASK, NULL, &before);
	ck_assert_int_eq(workers_run(4, 4, meet, &meeting, NULL, &err), 0);
	pthread_sigmask(SIG_SETMASK, NULL, &after);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq(atomic_load(&meeting.came[i]), 1);
	}
	ck_assert_int_eq(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
	pthread_barrier_destroy(&meeting.all);
}
END_TEST

START_TEST(thread_count_from_the_environment)
{
	cpu_set_t set;

	unsetenv("LANESCOPE_THREADS");
	const unsigned usable = workers_count();
	ck_assert_int_eq(sched_getaffinity(0, sizeof set, &set), 0);
	ck_assert_uint_eq(usable, (unsigned)(CPU_COUNT(&set) < 256 ? CPU_COUNT(&set) : 256));
	setenv("LANESCOPE_THREADS", "7", 1);
	ck_assert_uint_eq(workers_count(), 7);
	setenv("LANESCOPE_THREADS", "256", 1);
	ck_assert_uint_eq(workers_count(), 256);
	setenv("LANESCOPE_THREADS", "1", 1);
	ck_assert_uint_eq(workers_count(), 1);
	static const char *const bad[] = {"0", "x", "", "257", "-1"};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		setenv("LANESCOPE_THREADS", bad[i], 1);
		ck_assert_uint_eq(workers_count(), usable);
	}
}
END_TEST

START_TEST(queue_keeps_order)
{
	struct queue *queue = queue_new(4);
	static int items[4];

	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 4; i++) {
			ck_assert_int_eq(queue_put(queue, &items[i]), 0);
		}
		for (int i = 0; i < 4; i++) {
			ck_assert_ptr_eq(queue_get(queue), &items[i]);
		}
	}
	queue_put(queue, &items[0]);
	queue_close(queue);
	ck_assert_int_eq(queue_put(queue, &items[1]), -1);
	ck_assert_ptr_eq(queue_get(queue), &items[0]);
	ck_assert_ptr_null(queue_get(queue));
	queue_free(queue);
	queue_free(NULL);
}
END_TEST

struct relay {
	struct queue *queue;
	atomic_uint_fast64_t sum;
	atomic_uint n;
};

static void *
produce(void *user)
{
	struct relay *relay = user;
	for (uintptr_t i = 1; i <= N; i++) {
		if (queue_put(relay->queue, (void *)i) != 0) {
			break;
		}
	}
	return NULL;
}

static void *
consume(void *user)
{
	struct relay *relay = user;
	for (void *item; (item = queue_get(relay->queue));) {
		atomic_fetch_add(&relay->sum, (uintptr_t)item);
		atomic_fetch_add(&relay->n, 1);
	}
	return NULL;
}

START_TEST(queue_between_threads)
{
	struct relay relay = {queue_new(3), 0, 0};
	pthread_t producers[3], consumers[3];

	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(thread_start(&producers[i], produce, &relay), 0);
		ck_assert_int_eq(thread_start(&consumers[i], consume, &relay), 0);
	}
	for (int i = 0; i < 3; i++) {
		pthread_join(producers[i], NULL);
	}
	queue_close(relay.queue);
	for (int i = 0; i < 3; i++) {
		pthread_join(consumers[i], NULL);
	}
	ck_assert_uint_eq(atomic_load(&relay.n), 3 * N);
	ck_assert_uint_eq(atomic_load(&relay.sum), (uint64_t)3 * N * (N + 1) / 2);
	queue_free(relay.queue);
}
END_TEST

static void *
produce_two(void *user)
{
	struct relay *relay = user;

	for (uintptr_t i = 1; i <= 2; i++) {
		ck_assert_int_eq(queue_put(relay->queue, (void *)i), 0);
		atomic_fetch_add(&relay->n, 1);
	}
	return NULL;
}

START_TEST(a_full_queue_lets_producers_wait)
{
	for (size_t capacity = 0; capacity <= 1; capacity++) { /* none is one */
		struct relay relay = {queue_new(capacity), 0, 0};
		pthread_t producer;

		ck_assert_int_eq(thread_start(&producer, produce_two, &relay), 0);
		usleep(20000);
		ck_assert_uint_le(atomic_load(&relay.n), 1);
		ck_assert_uint_eq((uintptr_t)queue_get(relay.queue), 1);
		ck_assert_uint_eq((uintptr_t)queue_get(relay.queue), 2);
		pthread_join(producer, NULL);
		queue_close(relay.queue);
		queue_free(relay.queue);
	}
}
END_TEST

START_TEST(closing_wakes_a_waiting_consumer)
{
	struct relay relay = {queue_new(1), 0, 0};
	pthread_t consumers[2];

	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(thread_start(&consumers[i], consume, &relay), 0);
	}
	usleep(2000);
	queue_close(relay.queue);
	for (int i = 0; i < 2; i++) {
		pthread_join(consumers[i], NULL);
	}
	ck_assert_uint_eq(atomic_load(&relay.n), 0);
	queue_free(relay.queue);
}
END_TEST

START_TEST(closing_wakes_a_waiting_producer)
{
	struct relay relay = {queue_new(1), 0, 0};
	pthread_t producer;

	ck_assert_int_eq(thread_start(&producer, produce, &relay), 0);
	usleep(2000);
	queue_close(relay.queue);
	pthread_join(producer, NULL);
	while (queue_get(relay.queue)) {
	}
	queue_free(relay.queue);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_workers");
	TCase *tests = tcase_create("workers");

	tcase_add_test(tests, every_item_once);
	tcase_add_test(tests, the_lowest_failure_is_reported);
	tcase_add_test(tests, cancelling_stops);
	tcase_add_test(tests, nothing_is_done_once_cancelled);
	tcase_add_test(tests, threads_work_side_by_side_and_have_numbers);
	tcase_add_test(tests, thread_count_from_the_environment);
	tcase_add_test(tests, queue_keeps_order);
	tcase_add_test(tests, queue_between_threads);
	tcase_add_test(tests, a_full_queue_lets_producers_wait);
	tcase_add_test(tests, closing_wakes_a_waiting_producer);
	tcase_add_test(tests, closing_wakes_a_waiting_consumer);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
