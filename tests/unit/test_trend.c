/* Measures over what runs are put in order by: points, levels, the band, steps, runs that are left
 * out, figures that are missing. */
#include "config.h"
#include "query/saved/fold.h"

#include <stdlib.h>

#include "unit/unit.h"

#define RUNS 16

static struct result *results[RUNS];
static struct run_tag tag_texts[RUNS][2];
static struct run_tags tags[RUNS];
static struct value starts[RUNS];
static struct fold fold;

/* From -2 to 2. Of the 15 starts that are known the medians on both sides of the step are -0.5 and
 * 0, and the median of how far they are off these is 1.5. */
static int64_t
noise(size_t i)
{
	return (int64_t)(i * 3 % 5) - 2;
}

/* kind, n (adds up), late (does not, and is what is asked for). In reverse order of their starts,
 * of which the one of run 3 is not known. Kind a steps by 100 from start 8 on, in both; b never
 * does, and is missing in run 4. */
static void
set_up(void)
{
	static const struct result_column columns[] = {
	    {.name = "kind", .kind = KIND_TEXT, .is_key = true},
	    {.name = "n", .kind = KIND_COUNT, .is_measure = true, .sums = SUMS_UP},
	    {.name = "late",
	     .kind = KIND_TIME,
	     .is_measure = true,
	     .is_lead = true,
	     .sums = SUMS_NOT}};
	for (size_t i = 0; i < RUNS; i++) {
		size_t at = RUNS - 1 - i;
		int64_t step = at >= 8 ? 100 : 0;
		results[i] = result_new("t", columns, COUNT_OF(columns));
		RESULT_ADD(results[i], value_word(results[i], "a"),
		           value_integer(10 + noise(at) + step),
		           value_integer(1000 + noise(at) + step));
		if (i != 4) {
			RESULT_ADD(results[i], value_word(results[i], "b"), value_integer(5),
			           i == 5 ? (struct value){.type = VALUE_NULL}
			                  : value_integer(noise(at)));
		}
		starts[i] =
		    i == 3 ? (struct value){.type = VALUE_NULL} : value_integer((int64_t)at);
		tag_texts[i][0] = (struct run_tag){"nodes", at < 8 ? "4" : "16", TAG_OF_IMPORT};
		tag_texts[i][1] = (struct run_tag){"mode", i % 2 ? "odd" : "even", TAG_OF_IMPORT};
		tags[i] = (struct run_tags){.all = tag_texts[i], .n = i == 7 ? 1 : 2};
	}
	fold = (struct fold){.trend = FOLD_STARTED};
}

static void
tear_down(void)
{
	for (size_t i = 0; i < RUNS; i++) {
		result_free(results[i]);
	}
}

static struct result *
trend(size_t n)
{
	struct err err = ERR_INIT;
	struct result *table = query_trend(results, tags, starts, n, &fold, &err);
	ck_assert_msg(table != NULL, "%s", err.message);
	return table;
}

/* Of a column, by its name, in a row; 'NAN': nothing stands there. */
static double
at(const struct result *table, size_t row, const char *column)
{
	struct err err = ERR_INIT;
	int found = result_column_find(table, column, &err);
	ck_assert_msg(found >= 0, "%s", err.message);
	return value_number(result_value(table, row, (size_t)found));
}
#define IS_NULL(value) ((value) != (value))

START_TEST(steps)
{
	struct result *table = trend(RUNS);
	ck_assert_str_eq(table->columns[0].name, "started");
	ck_assert_int_eq(table->columns[0].kind, KIND_CLOCK);
	ck_assert_uint_eq(table->n_columns, 9); /* started, kind, runs, six of late */
	ck_assert_uint_eq(table->n_rows, 30);   /* 15 starts of 2 kinds */
	for (size_t i = 0; i < 15; i++) {
		size_t start = i + (i >= 12); /* all but that of run 3 */
		double base = start < 8 ? 1000 : 1100, level = start < 8 ? 999.5 : 1100;
		ck_assert_double_eq(at(table, i, "started"), (double)start);
		ck_assert_double_eq(at(table, i, "late_mean"), base + (double)noise(start));
		ck_assert_double_eq(at(table, i, "late_level"), level);
		ck_assert_double_eq_tol(at(table, i, "late_low"), level - 2 * 1.4826 * 1.5, 1e-9);
		ck_assert_double_eq_tol(at(table, i, "late_high"), level + 2 * 1.4826 * 1.5, 1e-9);
		ck_assert_int_eq(IS_NULL(at(table, i, "late_step")), start != 8);
		ck_assert_int_eq(IS_NULL(at(table, i, "late_p")), start != 8);
	}
	ck_assert_double_eq(at(table, 8, "late_step"), 100.5);
	ck_assert(at(table, 8, "late_p") > 0 && at(table, 8, "late_p") <= 0.01);
	ck_assert_int_eq(table->columns[3].kind, KIND_TIME);
	ck_assert_int_eq(table->columns[7].kind, KIND_DURATION);
	ck_assert(table->columns[3].is_lead && !table->columns[4].is_lead);
	for (size_t i = 15; i < 30; i++) {
		ck_assert(IS_NULL(at(table, i, "late_step")));
	}
	ck_assert_uint_eq(table->n_notes, 3);
	ck_assert_str_eq(table->notes[0],
	                 "late: 1 step in 1 of 2 series; where nothing changes, at "
	                 "most 1 in 50 shows one");
	ck_assert_msg(strncmp(table->notes[1], "kind a: ", 8) == 0, "%s", table->notes[1]);
	ck_assert_str_eq(table->notes[2],
	                 "1 of 16 runs are left out: they have no date of their start");
	result_free(table);
}
END_TEST

/* Of kind b, run 4 (start 11) lacks the row: 0 where it adds up, else nothing, as NULL is. */
START_TEST(missing)
{
	fold.measures = "n,late";
	struct result *table = trend(RUNS);
	ck_assert_double_eq(at(table, 15 + 11, "started"), 11);
	ck_assert_double_eq(at(table, 15 + 11, "n_mean"), 0);
	ck_assert(IS_NULL(at(table, 15 + 11, "late_mean")) &&
	          IS_NULL(at(table, 15 + 11, "late_level")));
	ck_assert(IS_NULL(at(table, 15 + 10, "late_mean")));
	ck_assert_double_eq(at(table, 15, "n_low"), 5); /* a constant has no noise */
	ck_assert_double_eq(at(table, 15, "n_high"), 5);
	ck_assert_double_eq(at(table, 8, "n_step"), 100.5);
	result_free(table);
}
END_TEST

/* Runs of one value are repetitions: two points, of eight runs each. */
START_TEST(over_a_tag)
{
	fold.trend = "nodes";
	struct result *table = trend(RUNS);
	ck_assert_uint_eq(table->n_rows, 4);
	ck_assert_int_eq(table->columns[0].kind, KIND_INTEGER);
	ck_assert_double_eq(at(table, 0, "nodes"), 4);
	ck_assert_double_eq(at(table, 1, "nodes"), 16);
	ck_assert_double_eq(at(table, 1, "runs"), 8);
	ck_assert_double_eq_tol(at(table, 1, "late_step"), 100, 1);
	ck_assert(IS_NULL(at(table, 3, "late_step")));
	result_free(table);
}
END_TEST

/* A series for each mode, and for the run without one. */
START_TEST(by_another_tag)
{
	fold.by = "started,mode";
	struct err err = ERR_INIT;
	fold.trend = "nodes";
	ck_assert_ptr_null(query_trend(results, tags, starts, RUNS, &fold, &err));
	ck_assert_msg(strstr(err.message, "no run has a tag started") != NULL, "%s", err.message);
	fold.by = "nodes,mode"; /* what is put in order by is no series */
	struct result *table = trend(RUNS);
	ck_assert_str_eq(table->columns[1].name, "mode");
	ck_assert_uint_eq(table->n_rows, 2 + 4 + 4);
	ck_assert_str_eq(table->notes[0],
	                 "late: whether it steps can't be told of 6 of 6 series, which have fewer "
	                 "than 10 figures, or all at one nodes");
	result_free(table);
}
END_TEST

/* Of few runs levels are told, of very few no noise. */
START_TEST(few)
{
	for (size_t n = 1; n < 10; n++) {
		struct result *table = trend(n);
		size_t n_dated = n > 3 ? n - 1 : n;
		ck_assert(!IS_NULL(at(table, 0, "late_level")));
		ck_assert_int_eq(IS_NULL(at(table, 0, "late_low")), n_dated < 5);
		for (size_t i = 0; i < table->n_rows; i++) {
			ck_assert(IS_NULL(at(table, i, "late_step")));
		}
		ck_assert(strstr(table->notes[0], "can't be told") != NULL);
		result_free(table);
	}
}
END_TEST

START_TEST(stopped)
{
	struct err err = ERR_INIT;
	struct cancel cancel = {true};
	fold.cancel = &cancel;
	ck_assert_ptr_null(query_trend(results, tags, starts, RUNS, &fold, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

START_TEST(no_order)
{
	struct err err = ERR_INIT;
	for (size_t i = 0; i < RUNS; i++) {
		starts[i] = (struct value){.type = VALUE_NULL};
	}
	ck_assert_ptr_null(query_trend(results, tags, starts, RUNS, &fold, &err));
	ck_assert_str_eq(err.message,
	                 "no run says when it started: --trend TAG puts them in order");
	fold.trend = "node";
	ck_assert_ptr_null(query_trend(results, tags, starts, RUNS, &fold, &err));
	ck_assert_str_eq(err.message, "no run has a tag node; there are: nodes, mode");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("trend");
	TCase *test_case = tcase_create("trend");
	tcase_add_checked_fixture(test_case, set_up, tear_down);
	tcase_add_test(test_case, steps);
	tcase_add_test(test_case, missing);
	tcase_add_test(test_case, over_a_tag);
	tcase_add_test(test_case, by_another_tag);
	tcase_add_test(test_case, few);
	tcase_add_test(test_case, stopped);
	tcase_add_test(test_case, no_order);
	suite_add_tcase(suite, test_case);
	return unit_run(suite);
}
