/* Jobs of the views: what comes back, what is replaced or cancelled, which run files stay open. */
#include "config.h"

#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>

#include "tests/unit/small_run.h"
#include "ui/base/job.h"
#include "util/mem.h"
#include "util/workers.h"

struct numbered {
	struct view_job job;
	int number;
	const char *paths[2]; /* of runs to open; NULL: none */
	enum err_code fails;
};

static struct jobs *jobs;
static atomic_int n_freed, n_made, n_wakes;
static sem_t started;
static const char view_a, view_b; /* whose jobs they are */

static void
wake(void *user)
{
	ck_assert_ptr_eq(user, &n_wakes);
	atomic_fetch_add(&n_wakes, 1);
}

static void
set_up(void)
{
	n_freed = n_made = n_wakes = 0;
	sem_init(&started, 0, 0);
	must((jobs = jobs_new(wake, &n_wakes, &err)) != NULL);
	ck_assert_ptr_nonnull(jobs);
}

static void
tear_down(void)
{
	jobs_free(jobs);
	ck_assert_int_eq(n_freed, n_made);
	sem_destroy(&started);
}

static int
work_at_once(struct view_job *job, struct job_worker *worker, struct err *err)
{
	(void)job;
	(void)worker;
	(void)err;
	return 0;
}

static int
work_in_part(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct err why = ERR_INIT;

	(void)job;
	(void)err;
	worker_lose(worker, &why);
	for (int i = 1; i < 3; i++) {
		err_set(&why, ERR_SYSTEM, "part %d", i);
		worker_lose(worker, &why);
	}
	return 0;
}

static int
work_until_cancelled(struct view_job *job, struct job_worker *worker, struct err *err)
{
	(void)worker;
	sem_post(&started);
	while (!cancel_requested(&job->cancel)) {
		sched_yield();
	}
	return err_set(err, ERR_CANCELLED, "cancelled");
}

static void
free_numbered(struct view_job *job)
{
	(void)job;
	atomic_fetch_add(&n_freed, 1);
}

static struct numbered *
make(const void *owner, int kind, int number,
     int (*work)(struct view_job *, struct job_worker *, struct err *))
{
	struct numbered *made = job_new(sizeof(*made), kind, work, free_numbered, NULL);

	made->job.owner = owner;
	made->number = number;
	atomic_fetch_add(&n_made, 1);
	return made;
}

static void
submit(const void *owner, int kind, int number)
{
	jobs_submit(jobs, &make(owner, kind, number, work_at_once)->job);
}

/* A job that runs until it is cancelled, and runs now. */
static void
submit_endless(const void *owner, int kind)
{
	jobs_submit(jobs, &make(owner, kind, 0, work_until_cancelled)->job);
	sem_wait(&started);
}

/* The number of the next finished job; -1: none. */
static int
take(enum err_code *code)
{
	struct numbered *taken = (struct numbered *)jobs_take(jobs);
	int number = taken ? taken->number : -1;

	if (taken) {
		ck_assert_ptr_null(taken->job.next);
		*code = taken->job.err.code;
		job_free(&taken->job);
	}
	return number;
}

static void
takes(int number)
{
	enum err_code code = ERR_NONE;

	ck_assert_int_eq(take(&code), number);
	ck_assert_int_eq(code, ERR_NONE);
}

START_TEST(answers_come_back_in_order)
{
	ck_assert(jobs_idle(jobs));
	ck_assert(!jobs_owe(jobs, &view_a));
	for (int i = 1; i <= 5; i++) {
		submit(&view_a, i, i);
	}
	jobs_wait(jobs);
	ck_assert_int_eq(n_wakes, 5);
	ck_assert_int_eq(jobs_age_ms(jobs, &view_a), -1); /* nobody waits for what is there */
	for (int i = 1; i <= 5; i++) {
		ck_assert(!jobs_idle(jobs));
		ck_assert(jobs_owe(jobs, &view_a));
		ck_assert(!jobs_owe(jobs, &view_b));
		takes(i);
	}
	takes(-1);
	ck_assert(jobs_idle(jobs));
	ck_assert(!jobs_owe(jobs, &view_a));
}
END_TEST

START_TEST(a_newer_job_replaces_an_older_one)
{
	submit_endless(&view_a, 0);
	submit(&view_a, 1, 1);
	submit(&view_b, 1, 2); /* another view's */
	submit(&view_a, 2, 3); /* of another kind */
	ck_assert_int_eq(n_freed, 0);
	submit(&view_a, 1, 4); /* in place of the first, behind the others */
	ck_assert_int_eq(n_freed, 1);
	submit(&view_a, 0, 5); /* and of the one that runs */
	jobs_wait(jobs);
	ck_assert_int_eq(n_freed, 2);
	submit(&view_b, 1, 6); /* the answer was not taken yet */
	ck_assert_int_eq(n_freed, 3);
	jobs_wait(jobs);
	takes(3);
	takes(4);
	takes(5);
	takes(6);
	takes(-1);
}
END_TEST

START_TEST(a_job_of_another_view_goes_on)
{
	submit_endless(&view_a, 1);
	submit(&view_b, 1, 1);
	submit(&view_a, 2, 2);
	jobs_cancel(jobs, &view_b, false);
	ck_assert(jobs_owe(jobs, &view_a));
	ck_assert(!jobs_owe(jobs, &view_b));
	ck_assert_int_ge(jobs_age_ms(jobs, &view_a), 0);
	ck_assert_int_lt(jobs_age_ms(jobs, &view_a), 60000);
	ck_assert_int_eq(jobs_age_ms(jobs, &view_b), -1);
	jobs_cancel(jobs, &view_a, false);
	ck_assert(!jobs_owe(jobs, &view_a));
	ck_assert_int_eq(jobs_age_ms(jobs, &view_a), -1);
	jobs_wait(jobs);
	takes(-1);
	ck_assert_int_eq(n_freed, 3);
}
END_TEST

START_TEST(who_asks_is_told_of_the_cancelled)
{
	enum err_code code = ERR_NONE;

	submit_endless(&view_a, 0);
	submit(&view_a, 1, 1); /* one that has not begun is no loss */
	jobs_cancel(jobs, &view_a, true);
	ck_assert_int_eq(n_freed, 1);
	ck_assert(jobs_owe(jobs, &view_a));
	jobs_wait(jobs);
	ck_assert_int_eq(take(&code), 0);
	ck_assert_int_eq(code, ERR_CANCELLED);
	takes(-1);
	submit_endless(&view_a, 0);
	jobs_cancel(jobs, &view_a, false);
	jobs_cancel(jobs, NULL, true); /* nobody wants it any more */
	jobs_wait(jobs);
	takes(-1);
	submit(&view_a, 0, 7); /* and the next is not taken for it */
	jobs_wait(jobs);
	takes(7);
}
END_TEST

START_TEST(closing_waits_for_nothing)
{
	submit(&view_a, 0, 1);
	jobs_wait(jobs);
	submit_endless(&view_b, 0);
	submit(&view_a, 1, 2);
	jobs_free(jobs);
	ck_assert_int_eq(n_freed, 3);
	jobs_free(NULL);
	must((jobs = jobs_new(wake, &n_wakes, &err)) != NULL);
}
END_TEST

START_TEST(waiting_ends_with_the_program)
{
	submit_endless(&view_a, 0);
	cancel_all();
	jobs_wait(jobs);
	atomic_store(&cancel_all_requested, false);
}
END_TEST

START_TEST(no_thread_is_an_error)
{
	struct err err = ERR_INIT;

	thread_fail_at(1);
	ck_assert_ptr_null(jobs_new(wake, &n_wakes, &err));
	ck_assert_int_eq(err.code, ERR_SYSTEM);
}
END_TEST

/* ---- run files ---- */

static char folder[64];

static void
set_up_runs(void)
{
	set_up();
	snprintf(folder, sizeof(folder), "%s", folder_new());
	for (int i = 0; i < 5; i++) {
		char path[96];

		snprintf(path, sizeof(path), "%s/%d.lanes", folder, i);
		small_run_write(path, "small", true);
	}
}

static void
tear_down_runs(void)
{
	tear_down();
	folder_remove(folder);
}

static int
work_on_runs(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct numbered *numbered = (struct numbered *)job;

	if (numbered->fails != ERR_NONE) {
		return err_set(err, numbered->fails, "it did");
	}
	if (numbered->paths[0]) {
		const struct two_runs runs = {{numbered->paths[0], numbered->paths[1]}, {"A", "B"}};
		struct store *stores[2];

		if (worker_stores(worker, &runs, &job->cancel, stores, err) != 0) {
			return -1;
		}
		ck_assert_str_eq(store_path(stores[0]), runs.path[0]);
		ck_assert_str_eq(store_path(stores[1]), runs.path[1]);
		return 0;
	}
	struct store *store = job_store(job, worker, err);

	if (store) {
		ck_assert_str_eq(store_path(store), job->run_path);
	}
	return store ? 0 : -1;
}

/* Which of the runs are open in this process. */
static const char *
open_runs(void)
{
	static char open[6];
	size_t n = 0;
	bool is_open[5] = {false};
	DIR *files = opendir("/proc/self/fd");

	ck_assert_ptr_nonnull(files);
	for (struct dirent *entry; (entry = readdir(files)) != NULL;) {
		char name[300], target[300];
		ssize_t length;

		snprintf(name, sizeof(name), "/proc/self/fd/%s", entry->d_name);
		length = readlink(name, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		if (strncmp(target, folder, strlen(folder)) == 0 && strstr(target, ".lanes")) {
			is_open[target[strlen(folder) + 1] - '0'] = true;
		}
	}
	closedir(files);
	for (int i = 0; i < 5; i++) {
		open[n] = (char)('0' + i);
		n += is_open[i];
	}
	open[n] = '\0';
	return open;
}

/* Asks a run, and says what came of it. */
static enum err_code
ask(const char *name)
{
	char path[96];
	struct numbered *made;
	enum err_code code = ERR_NONE;

	snprintf(path, sizeof(path), "%s/%s.lanes", folder, name);
	made = job_new(sizeof(*made), 0, work_on_runs, free_numbered, path);
	atomic_fetch_add(&n_made, 1);
	jobs_submit(jobs, &made->job);
	jobs_wait(jobs);
	ck_assert_int_eq(take(&code), 0);
	return code;
}

static enum err_code
ask_in_vain(enum err_code with)
{
	struct numbered *made = make(NULL, 0, 0, work_on_runs);
	enum err_code code = ERR_NONE;

	made->fails = with;
	jobs_submit(jobs, &made->job);
	jobs_wait(jobs);
	ck_assert_int_eq(take(&code), 0);
	return code;
}

START_TEST(the_last_four_runs_stay_open)
{
	static const char *const names[] = {"0", "1", "2", "3", "0"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		ck_assert_int_eq(ask(names[i]), ERR_NONE);
	}
	ck_assert_str_eq(open_runs(), "0123");
	ck_assert_int_eq(ask("4"), ERR_NONE);
	ck_assert_str_eq(open_runs(), "0234"); /* 1 was asked the longest time ago */
	ck_assert_int_eq(ask("3"), ERR_NONE);
	ck_assert_int_eq(ask("1"), ERR_NONE);
	ck_assert_str_eq(open_runs(), "0134");
	ck_assert_int_ne(ask("none"), ERR_NONE);
	ck_assert_str_eq(open_runs(), "0134");
	ck_assert_int_eq(ask("0"), ERR_NONE);
}
END_TEST

START_TEST(a_run_that_changed_is_opened_anew)
{
	ask("0");
	ask("1");
	ck_assert_int_eq(ask_in_vain(ERR_USAGE), ERR_USAGE);
	ck_assert_str_eq(open_runs(), "01");
	ck_assert_int_eq(ask_in_vain(ERR_CHANGED), ERR_CHANGED);
	ck_assert_str_eq(open_runs(), "");
	ck_assert_int_eq(ask("1"), ERR_NONE);
	ck_assert_str_eq(open_runs(), "1");
}
END_TEST

START_TEST(new_classes_of_paths_are_for_all_runs)
{
	ask("0");
	ask("1");
	jobs_set_classes(jobs, "no class at all"); /* wrong: the former ones stay */
	ask("1");
	ck_assert_str_eq(open_runs(), "01");
	jobs_set_classes(jobs, "pfs=/pfs/*");
	ask("1");
	ck_assert_str_eq(open_runs(), "1");
	ask("0");
	ck_assert_str_eq(open_runs(), "01");
	jobs_set_classes(jobs, "pfs=/a/*");
	jobs_set_classes(jobs, "pfs=/b/*"); /* the last counts; none is left behind at the end */
}
END_TEST

START_TEST(two_runs_are_asked_together)
{
	struct numbered *made = make(NULL, 0, 1, work_on_runs);
	char paths[3][96];
	enum err_code code = ERR_NONE;

	for (int i = 0; i < 3; i++) {
		snprintf(paths[i], sizeof(paths[i]), "%s/%d.lanes", folder, i < 2 ? i + 2 : 9);
	}
	made->paths[0] = paths[0];
	made->paths[1] = paths[1];
	jobs_submit(jobs, &made->job);
	jobs_wait(jobs);
	takes(1);
	ck_assert_str_eq(open_runs(), "23");
	for (int missing = 0; missing < 2; missing++) {
		made = make(NULL, 0, 2, work_on_runs);
		made->paths[missing] = paths[2];
		made->paths[1 - missing] = paths[0];
		jobs_submit(jobs, &made->job);
		jobs_wait(jobs);
		ck_assert_int_eq(take(&code), 2);
		ck_assert_int_ne(code, ERR_NONE);
	}
}
END_TEST

static int
work_on_a_long_question(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct store *store = job_store(job, worker, err);
	struct stmt *stmt = store_prepare(store,
	                                  "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 "
	                                  "FROM n) SELECT count(*) FROM n",
	                                  err);
	int result;

	ck_assert_ptr_nonnull(stmt);
	sem_post(&started);
	result = stmt_step(stmt, err);
	stmt_free(stmt);
	return result < 0 ? -1 : 0;
}

START_TEST(a_question_that_runs_is_cancelled)
{
	char path[96];
	enum err_code code = ERR_NONE;

	snprintf(path, sizeof(path), "%s/0.lanes", folder);
	ask("0"); /* also where the run is open already */
	for (int i = 0; i < 2; i++) {
		struct numbered *made =
		    job_new(sizeof(*made), 0, work_on_a_long_question, free_numbered, path);

		atomic_fetch_add(&n_made, 1);
		jobs_submit(jobs, &made->job);
		sem_wait(&started);
		jobs_cancel(jobs, NULL, true);
		jobs_wait(jobs);
		ck_assert_int_eq(take(&code), 0);
		ck_assert_int_eq(code, ERR_CANCELLED);
		ck_assert_int_eq(ask("0"), ERR_NONE);
	}
}
END_TEST

START_TEST(what_an_answer_lacks_comes_with_it)
{
	static int (*const works[])(struct view_job *, struct job_worker *,
	                            struct err *) = {work_at_once, work_in_part, work_at_once};

	for (int i = 0; i < 3; i++) {
		jobs_submit(jobs, &make(&view_a, 0, i, works[i])->job);
		jobs_wait(jobs);
		struct view_job *job = jobs_take(jobs);
		ck_assert_int_eq(job->err.code, ERR_NONE);
		ck_assert_int_eq(job->lost.code, i == 1 ? ERR_SYSTEM : ERR_NONE);
		ck_assert_str_eq(job->lost.message, i == 1 ? "part 1" : "");
		job_free(job);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("job");
	TCase *tests = tcase_create("job"), *runs = tcase_create("runs");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, answers_come_back_in_order);
	tcase_add_test(tests, a_newer_job_replaces_an_older_one);
	tcase_add_test(tests, a_job_of_another_view_goes_on);
	tcase_add_test(tests, who_asks_is_told_of_the_cancelled);
	tcase_add_test(tests, closing_waits_for_nothing);
	tcase_add_test(tests, waiting_ends_with_the_program);
	tcase_add_test(tests, no_thread_is_an_error);
	tcase_add_test(tests, what_an_answer_lacks_comes_with_it);
	suite_add_tcase(suite, tests);
	tcase_add_checked_fixture(runs, set_up_runs, tear_down_runs);
	tcase_add_test(runs, the_last_four_runs_stay_open);
	tcase_add_test(runs, a_run_that_changed_is_opened_anew);
	tcase_add_test(runs, new_classes_of_paths_are_for_all_runs);
	tcase_add_test(runs, two_runs_are_asked_together);
	tcase_add_test(runs, a_question_that_runs_is_cancelled);
	suite_add_tcase(suite, runs);
	return unit_run(suite);
}
