/* What parts of explain share: schedules and matchings that are read once, parts that can't be had,
 * a user who gives up. */
#include "config.h"

#include <string.h>

#include "explain/explain.h"
#include "imported_run.h"

static struct store *stores[2];
static struct explain *explain;
static struct cancel cancel;

/* Two calls at once; the reading one is longer in b. */
static void
set_up(void)
{
	static const char *const names[] = {"a", "b"};
	make_folder();
	for (int r = 0; r < 2; r++) {
		struct strbuf trace = {0};
		add_call(&trace, "read", "POSIX", 1, 0, r ? 250 : 100, "\"ret\":9");
		add_call(&trace, "write", "POSIX", 2, 0, 10, "\"ret\":9");
		stores[r] = import_calls(names[r], &trace);
	}
	atomic_init(&cancel.requested, false);
	explain = explain_new(&stores[0], &names[0], 1, &stores[1], &names[1], 1, &cancel);
}

static void
tear_down(void)
{
	explain_free(explain);
	store_close(stores[0]);
	store_close(stores[1]);
	remove_folder();
}

START_TEST(schedules_are_read_once)
{
	struct err err = ERR_INIT;
	const struct schedule *a, *b, *again[2];
	ck_assert_int_eq(explain_schedules(explain, &a, &b, &err), 0);
	ck_assert_int_eq(err.code, ERR_NONE);
	ck_assert_str_eq(err.message, "");
	ck_assert_int_eq(explain_makespan_ns(a), 100000);
	ck_assert_int_eq(explain_makespan_ns(b), 250000);
	ck_assert_int_eq(explain_ran_ns(b), 250000);
	ck_assert_str_eq(explain_bound(a), "");
	ck_assert_int_eq(explain_schedules(explain, &again[0], &again[1], &err), 0);
	ck_assert_ptr_eq(again[0], a);
	ck_assert_ptr_eq(again[1], b);
	const struct matching *matching = explain_matching(explain, &err);
	ck_assert_ptr_nonnull(matching);
	ck_assert_uint_eq(matching->n_pairs, 2);
	ck_assert_ptr_eq(explain_matching(explain, &err), matching);
	ck_assert_ptr_eq(explain_run_at(explain, 0), &explain->a[0]);
	ck_assert_ptr_eq(explain_run_at(explain, 1), &explain->b[0]);
}
END_TEST

/* Whoever gives up is told that and no more. */
START_TEST(a_stopped_reading_is_no_fault_of_a_run)
{
	struct err err = ERR_INIT;
	const struct schedule *a, *b;
	cancel_request(&cancel);
	ck_assert_int_eq(explain_schedules(explain, &a, &b, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_ptr_null(strstr(err.message, "a: "));
	err = (struct err)ERR_INIT;
	ck_assert_ptr_null(explain_matching(explain, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

/* Also one who gives up when the schedules are there, but not yet the first part. */
START_TEST(a_stopped_summary_is_none)
{
	for (int way = 0; way < 2; way++) {
		struct err err = ERR_INIT;
		const struct schedule *a, *b;
		if (way == 1) {
			atomic_init(&cancel.requested, false);
			ck_assert_int_eq(explain_schedules(explain, &a, &b, &err), 0);
		}
		cancel_request(&cancel);
		ck_assert_ptr_null(explain_summary(explain, 5, &err));
		ck_assert_int_eq(err.code, ERR_CANCELLED);
	}
}
END_TEST

/* Every part, asked by one who has given up already: a result, or what stopped it. */
START_TEST(stopped_parts_say_so)
{
	struct err err = ERR_INIT;
	const struct schedule *a, *b;
	size_t n = 0;
	ck_assert_int_eq(explain_schedules(explain, &a, &b, &err), 0);
	cancel_request(&cancel);
	for (size_t i = 0; explain_parts[i] && explain_parts[i]->name; i++) {
		const struct explain_part *part = explain_parts[i];
		err = (struct err)ERR_INIT;
		if (explain_part_check(explain, part, &err)) {
			ck_assert_int_eq(err.code, ERR_USAGE);
			continue;
		}
		struct query_argument given[8];
		size_t n_given = 0;
		for (size_t p = 0; p < part->n_params; p++) {
			if (!part->params[p].default_text) {
				given[n_given++] =
				    (struct query_argument){part->params[p].name, "id = 1"};
			}
		}
		struct result *result = explain_compute(explain, part, given, n_given, &err);
		ck_assert_msg(err.code == (result ? ERR_NONE : ERR_CANCELLED), "%s: %s", part->name,
		              err.message);
		n += result == NULL;
		result_free(result);
	}
	ck_assert_uint_ge(n, 5);
}
END_TEST

static int64_t
amount(const struct result *result, size_t row, const char *column)
{
	int at = column_find(result->columns, result->n_columns, slice_of(column));
	ck_assert_int_ge(at, 0);
	ck_assert_int_eq(result_value(result, row, (size_t)at)->type, VALUE_INTEGER);
	return result_value(result, row, (size_t)at)->integer;
}

START_TEST(a_summary_begins_with_the_makespans)
{
	struct err err = ERR_INIT;
	struct result *summary = explain_summary(explain, 0, &err);
	ck_assert_msg(summary != NULL, "%s", err.message);
	ck_assert_str_eq(summary->title, "Why B is slower than A");
	ck_assert(slice_is(result_value(summary, 0, 0)->text, "makespan"));
	ck_assert(slice_is(result_value(summary, 0, 1)->text, "sum"));
	ck_assert_int_eq(amount(summary, 0, "a"), 100000);
	ck_assert_int_eq(amount(summary, 0, "b"), 250000);
	ck_assert_int_eq(amount(summary, 0, "delta"), 150000);
	ck_assert_double_eq(result_value(summary, 0, 5)->real, 1);
	ck_assert_str_eq(summary->notes[0], "a is a, b is b; delta = b - a");
	ck_assert_str_eq(summary->notes[1],
	                 "makespan, from the first start to the last end: a 100 us, b 250 us, "
	                 "delta 150 us");
	result_free(summary);
}
END_TEST

START_TEST(a_part_is_found_by_its_name_or_a_near_one_is_named)
{
	struct err err = ERR_INIT;
	for (size_t i = 0; explain_parts[i] && explain_parts[i]->name; i++) {
		ck_assert_ptr_eq(explain_part_find(explain_parts[i]->name, &err), explain_parts[i]);
	}
	ck_assert_ptr_null(explain_part_find("indicator", &err));
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "did you mean \"indicators\""));
}
END_TEST

START_TEST(arguments_are_told_apart)
{
	struct err err = ERR_INIT;
	const struct explain_part *steps = explain_part_find("path-steps", &err);
	const struct query_argument unknown = {"runs", "a"}, wrong = {"shortest", "soon"},
				    twice[] = {{"run", "c"}, {"run", "a"}};
	ck_assert_ptr_null(explain_compute(explain, steps, &unknown, 1, &err));
	ck_assert_str_eq(err.message,
	                 "part path-steps has no parameter \"runs\"; it has run, shortest");
	ck_assert_ptr_null(explain_compute(explain, steps, &wrong, 1, &err));
	ck_assert_int_eq(err.code, ERR_USAGE);
	struct result *result = explain_compute(explain, steps, twice, 2, &err);
	ck_assert_ptr_nonnull(result); /* the last one counts */
	int64_t sum = 0;
	for (size_t i = 0; i < result->n_rows; i++) {
		sum += amount(result, i, "duration");
	}
	ck_assert_int_eq(sum, 100000);
	result_free(result);
	ck_assert_ptr_null(explain_compute(explain, steps, twice, 1, &err));
	ck_assert(explain_part_takes(steps, "run"));
	ck_assert(!explain_part_takes(steps, "fold"));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_frame");
	TCase *tests = tcase_create("explain_frame");

	tcase_add_checked_fixture(tests, set_up, tear_down);
	tcase_add_test(tests, schedules_are_read_once);
	tcase_add_test(tests, a_stopped_reading_is_no_fault_of_a_run);
	tcase_add_test(tests, a_stopped_summary_is_none);
	tcase_add_test(tests, stopped_parts_say_so);
	tcase_add_test(tests, a_summary_begins_with_the_makespans);
	tcase_add_test(tests, a_part_is_found_by_its_name_or_a_near_one_is_named);
	tcase_add_test(tests, arguments_are_told_apart);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
