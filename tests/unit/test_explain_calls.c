/* Spans of two runs are matched by what called them, and causes among them claim no more than the
 * spans show. */
#include "config.h"

#include <string.h>

#include "unit.h"

#include "causes_fixture.h"
#include "imported_run.h"

enum { STEPS = 12, STEP_US = 10000 };

struct trace {
	const char *name;
	int thread, log_writes;
	double slow; /* long writes take so many times as long */
};

/* Steps of a loop. In each some writes to a log, where the run has one, then a short and a long
 * write of data; the rest is the step's own. */
static struct store *
import_steps(const struct trace *trace)
{
	struct strbuf text = {0};
	for (int s = 0; s < STEPS; s++) {
		int thread = trace->thread, at = s * STEP_US,
		    length = (int)(1000 * trace->slow) + s % 5;
		add_call(&text, "step", "app", thread, at, 8000 + length, "");
		if (trace->log_writes > 0) {
			add_call(&text, "log", "app", thread, at + 500, 100, "");
		}
		for (int w = 0; w < trace->log_writes; w++) {
			add_call(&text, "write", "POSIX", thread, at + 500 + 20 * w, 10, "");
		}
		add_call(&text, "save", "app", thread, at + 1000, length + 100, "");
		add_call(&text, "write", "POSIX", thread, at + 1010, 10 + s % 3, "");
		add_call(&text, "write", "POSIX", thread, at + 1050, length, "");
	}
	return import_calls(trace->name, &text);
}

static struct store *stores[2];
static struct schedule *runs[2];

static void
read_runs(const struct trace *a, const struct trace *b)
{
	struct err err = ERR_INIT;
	stores[0] = import_steps(a);
	stores[1] = import_steps(b);
	for (int r = 0; r < 2; r++) {
		runs[r] = schedule_read(stores[r], NULL, &err);
		ck_assert_msg(runs[r] != NULL, "%s", err.message);
	}
}

static void
tear_down(void)
{
	for (int r = 0; r < 2; r++) {
		schedule_free(runs[r]);
		store_close(stores[r]);
		runs[r] = NULL;
		stores[r] = NULL;
	}
	remove_folder();
}

/* All spans of A have their match in the same step of B, writes of data among them. */
static void
check_pairs(const char *rule)
{
	struct err err = ERR_INIT;
	struct matching *matching = matching_new(runs[0], runs[1], NULL, &err);
	ck_assert_msg(matching != NULL, "%s", err.message);
	ck_assert_str_eq(matching->rule, rule);
	for (size_t i = 0; i < runs[0]->n_items; i++) {
		uint32_t j = matching->b_of_a[i];
		ck_assert_uint_ne(j, MATCHING_NONE);
		const struct schedule_item *a = &runs[0]->items[i], *b = &runs[1]->items[j];
		struct slice kind = runs[0]->kinds[a->kind];
		ck_assert(slice_equal(kind, runs[1]->kinds[b->kind]));
		ck_assert_int_eq(a->start_ns / (STEP_US * 1000), b->start_ns / (STEP_US * 1000));
		if (slice_is(kind, "write")) {
			ck_assert_int_eq(a->start_ns, b->start_ns);
		}
	}
	matching_free(matching);
}

START_TEST(within_what_called_them)
{
	read_runs(&(struct trace){"a", 1, 0, 1}, &(struct trace){"b", 1, 3, 2});
	check_pairs("lane, callers, name and occurrence");
}
END_TEST

START_TEST(lanes_by_their_place)
{
	read_runs(&(struct trace){"a", 1, 0, 1}, &(struct trace){"b", 7315, 3, 2});
	check_pairs("place of the lane, callers, name and occurrence");
}
END_TEST

/* The figures of causes are those of the spans: the long writes took 1 ms more in each step, and
 * that steps are cut by more calls makes neither more nor other steps. */
START_TEST(claims_are_what_spans_show)
{
	read_runs(&(struct trace){"a", 1, 0, 1}, &(struct trace){"b", 1, 3, 2});
	struct told told = told_of(runs[0], runs[1]);
	ck_assert_uint_ge(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "slower");
	ck_assert_str_eq(told.cause[0].slice, "kind=write");
	ck_assert_str_eq(told.cause[0].sentence, "kind write runs 1.99 x as long");
	ck_assert_double_eq_tol(told.cause[0].lane_time, STEPS * 1e6, 0.01e6);
	for (size_t c = 0; c < told.n; c++) {
		ck_assert_ptr_null(strstr(told.cause[c].slice, "step"));
	}
}
END_TEST

/* A run that writes behind, on a thread that mostly waits: for what it waits is no time of the call
 * that comes next. */
START_TEST(waiting_is_no_work)
{
	struct strbuf a = {0}, b = {0};
	struct err err = ERR_INIT;
	for (int s = 0; s < STEPS; s++) {
		add_call(&a, "step", "app", 1, s * STEP_US, 9000, "");
		add_call(&b, "step", "app", 1, s * STEP_US, 9000, "");
	}
	for (int at = 30000; at < 120000; at += 85000) {
		add_call(&b, "open", "app", 2, at, 200, "");
		add_call(&b, "flush", "app", 2, at + 200, 20000, "");
	}
	stores[0] = import_calls("a", &a);
	stores[1] = import_calls("b", &b);
	for (int r = 0; r < 2; r++) {
		runs[r] = schedule_read(stores[r], NULL, &err);
		ck_assert_msg(runs[r] != NULL, "%s", err.message);
	}
	struct told told = told_of(runs[0], runs[1]);
	ck_assert_uint_ge(told.n, 2);
	ck_assert_str_eq(told.cause[0].sentence, "2 spans of kind flush more");
	ck_assert_double_eq_tol(told.cause[0].makespan, 16.2e6, 5e6); /* 135.2 ms for 119 */
	for (size_t c = 0; c < told.n; c++) {
		if (strcmp(told.cause[c].sentence, "2 spans of kind open more") == 0) {
			ck_assert_double_le(told.cause[c].makespan, 0.4e6);
		}
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_calls");
	TCase *tests = tcase_create("explain_calls");
	tcase_add_checked_fixture(tests, make_folder, tear_down);
	tcase_add_test(tests, within_what_called_them);
	tcase_add_test(tests, lanes_by_their_place);
	tcase_add_test(tests, claims_are_what_spans_show);
	tcase_add_test(tests, waiting_is_no_work);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
