/* Results in memory: sorting, stacking, wide tables, notes, conditions. Differences and sums:
 * test_result_diff.c. */
#include "config.h"
#include "results.h"
#include "unit.h"

#include <string.h>

#include "util/prng.h"

START_TEST(test_compare)
{
	struct value null = {.type = VALUE_NULL}, big = value_integer(INT64_MAX),
		     small = value_integer(INT64_MIN);
	struct value above = value_real(9223372036854775808.0), below = value_real(-1e30),
		     half = value_real(0.5);
	struct value near_big = value_integer(9007199254740993),
		     near_real = value_real(9007199254740992.0);
	struct value zero = value_integer(0), minus_half = value_real(-0.5);
	ck_assert_int_lt(value_compare(&null, &small), 0);
	ck_assert_int_eq(value_compare(&null, &null), 0);
	ck_assert_int_lt(value_compare(&big, &above), 0);
	ck_assert_int_gt(value_compare(&above, &big), 0);
	ck_assert_int_gt(value_compare(&small, &below), 0);
	ck_assert_int_lt(value_compare(&zero, &half), 0);
	ck_assert_int_gt(value_compare(&zero, &minus_half), 0);
	ck_assert_int_gt(value_compare(&near_big, &near_real), 0);
}
END_TEST

/* A column is found by other names of what it is, where none has the name itself. */
START_TEST(test_aliases)
{
	static const struct result_column columns[] = {{.name = "n", .kind = KIND_COUNT},
	                                               {.name = "max", .kind = KIND_DURATION},
	                                               {.name = "p50", .kind = KIND_REAL}};
	struct err err = ERR_INIT;
	struct result *result = make(3, columns);
	ck_assert_int_eq(result_column_find(result, "count", &err), 0);
	ck_assert_int_eq(result_column_find(result, "longest", &err), 1);
	ck_assert_int_eq(result_column_find(result, "max", &err), 1);
	ck_assert_int_eq(result_column_find(result, "median", &err), 2);
	ck_assert_int_eq(result_column_find(result, "min", &err), -1);
	ck_assert_int_eq(result_column_find(result, "nothing of ours", &err), -1);
	result_free(result);
}
END_TEST

START_TEST(test_meanings)
{
	static const struct result_column time = {.name = "total", .kind = KIND_DURATION},
					  rate = {.name = "throughput", .kind = KIND_REAL},
					  other = {.name = "throughput", .kind = KIND_SIZE},
					  mine = {.name = "n", .kind = KIND_COUNT, .about = "Mine"};
	ck_assert_str_eq(column_unit(&time), "ns");
	ck_assert_str_eq(column_unit(&rate), "1/s");
	ck_assert_str_eq(column_about(&rate), "Samples a second");
	ck_assert_int_eq(column_meaning(&rate)->better, BETTER_HIGHER);
	ck_assert_ptr_null(column_meaning(&other)); /* the name is not of that kind */
	ck_assert_ptr_null(column_about(&other));
	ck_assert_str_eq(column_unit(&other), "bytes");
	ck_assert_ptr_null(column_unit(&mine));
	ck_assert_str_eq(column_about(&mine), "Mine");
	ck_assert_str_eq(column_alias("count", 0), "n");
	ck_assert_str_eq(column_alias("n", 1), "count");
	ck_assert_ptr_null(column_alias("n", 2));
	ck_assert_ptr_null(column_alias("nothing of ours", 0));
}
END_TEST

START_TEST(test_sort)
{
	struct err err = ERR_INIT;
	struct result *result = make(2, pair);
	add(result, "b", 2);
	add(result, NULL, 1);
	add(result, "a", INT64_MIN);
	add(result, "a", 2);
	add(result, "c", 3);
	ck_assert_int_eq(result_sort(result, "-total, key", &err), 0);
	ck_assert_str_eq(text_at(result, 0, 0), "c");
	ck_assert_str_eq(text_at(result, 1, 0), "a");
	ck_assert_str_eq(text_at(result, 2, 0), "b");
	ck_assert_str_eq(text_at(result, 3, 0), "NULL");
	ck_assert_int_eq(result_value(result, 4, 1)->type,
	                 VALUE_NULL); /* missing ones last, both ways */
	ck_assert_int_eq(result_sort(result, "total", &err), 0);
	ck_assert_int_eq(result_value(result, 4, 1)->type, VALUE_NULL);
	ck_assert_int_eq(result_sort(result, "key,totl", &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_ptr_nonnull(strstr(err.message, "\"total\""));
	result_limit(result, 2);
	ck_assert_uint_eq(result->n_rows, 2);
	result_limit(result, 100);
	ck_assert_uint_eq(result->n_rows, 2);
	result_free(result);
	result_free(NULL);
}
END_TEST

static struct value
random_key(struct prng *prng, int how)
{
	int64_t small = (int64_t)prng_below(prng, 5) - 2;

	switch (how) {
	case 1: /* as large as they get */
		return value_integer(small > 0   ? INT64_MAX - small
		                     : small < 0 ? INT64_MIN - small
		                                 : (int64_t)prng_next(prng));
	case 2: /* no integers alone */
		return prng_below(prng, 4) ? value_integer(small) : value_real((double)small / 2);
	default:
		return value_integer(small);
	}
}

/* By two columns, of which the second is sorted the other way round. */
START_TEST(test_sort_is_stable)
{
	static const struct result_column columns[] = {{.name = "x", .kind = KIND_INTEGER},
	                                               {.name = "y", .kind = KIND_INTEGER},
	                                               {.name = "nr", .kind = KIND_INTEGER}};
	struct prng prng = {7};
	struct err err = ERR_INIT;
	for (size_t n = 0; n < 200; n += 1 + n / 7) {
		struct result *result = make(3, columns);
		for (size_t i = 0; i < n; i++) {
			struct value *row = result_add_row(result);
			row[0] = random_key(&prng, _i);
			row[1] = random_key(&prng, 0);
			row[2] = value_integer((int64_t)i);
		}
		ck_assert_int_eq(result_sort(result, "-x,y", &err), 0);
		for (size_t i = 1; i < n; i++) {
			const struct value *before = result_value(result, i - 1, 0),
					   *here = result_value(result, i, 0);
			int order = value_compare(&here[0], &before[0]);
			order = order ? order : value_compare(&before[1], &here[1]);
			order = order ? order : value_compare(&before[2], &here[2]);
			ck_assert_int_lt(order, 0);
		}
		result_free(result);
	}
}
END_TEST

START_TEST(test_stack)
{
	static const char *const names[] = {"f1", "f4"};
	struct err err = ERR_INIT;
	struct result *parts[2] = {make(2, pair), make(2, pair)};
	add(parts[0], "a", 1);
	add(parts[1], "a", 2);
	add(parts[1], "b", 3);
	result_add_note(parts[1], "half of it is missing");
	struct result *stack = query_stack(parts, names, NULL, NULL, 2, &err);
	ck_assert_uint_eq(stack->n_rows, 3);
	ck_assert_uint_eq(stack->n_columns, 3);
	ck_assert_str_eq(stack->columns[0].name, "run");
	ck_assert(stack->columns[0].is_key && stack->columns[1].is_key &&
	          stack->columns[2].is_measure);
	ck_assert_str_eq(text_at(stack, 2, 0), "f4");
	ck_assert_str_eq(text_at(stack, 2, 1), "b");
	ck_assert_str_eq(stack->notes[0], "f4: half of it is missing");
	result_free(parts[1]);
	parts[1] = make(1, pair);
	ck_assert_ptr_null(query_stack(parts, names, NULL, NULL, 2, &err));
	ck_assert_int_eq(err.code, ERR_QUERY);
	result_free(parts[0]);
	result_free(parts[1]);
	result_free(stack);
}
END_TEST

START_TEST(test_wide)
{
	static const struct result_column columns[] = {
	    {.name = "key", .kind = KIND_TEXT, .is_key = true},
	    {.name = "time", .kind = KIND_DURATION, .is_measure = true},
	    {.name = "size", .kind = KIND_SIZE, .is_measure = true},
	    {.name = "about", .kind = KIND_TEXT}};
	static const char *const names[] = {"base", "scr", "flush"};
	struct err err = ERR_INIT;
	struct result *parts[3] = {make(4, columns), make(4, columns), make(4, columns)};
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < 2; k++) {
			if (i == 1 && k == 0) {
				continue;
			}
			struct value *row = result_add_row(parts[i]);
			row[0] = value_text(parts[i], slice_of(k ? "read" : "write"));
			row[1] = value_integer(i * 10 + k);
			row[2] = value_integer(1000 + i);
		}
	}
	struct result *wide = query_wide(parts, names, 3, NULL, &err);
	ck_assert_uint_eq(wide->n_columns, 5);
	ck_assert_uint_eq(wide->n_rows, 4);
	ck_assert_str_eq(wide->columns[1].name, "measure");
	ck_assert_str_eq(wide->columns[4].name, "flush");
	ck_assert_str_eq(text_at(wide, 0, 0), "write");
	ck_assert_str_eq(text_at(wide, 1, 1), "size");
	ck_assert_int_eq(result_value(wide, 0, 3)->type, VALUE_NULL); /* scr has no write */
	ck_assert_int_eq(result_value(wide, 2, 3)->integer, 11);
	ck_assert_int_eq(result_kind(wide, 0, 2), KIND_DURATION);
	ck_assert_int_eq(result_kind(wide, 1, 2), KIND_SIZE);
	ck_assert_int_eq(result_sort(wide, "-base", &err), 0);
	ck_assert_int_eq(result_kind(wide, 0, 2), KIND_SIZE); /* kinds go with their rows */
	result_free(wide);
	ck_assert_ptr_null(query_wide(parts, names, 3, "nokey", &err));
	for (int i = 0; i < 3; i++) {
		result_free(parts[i]);
	}
}
END_TEST

static void
assert_folded(const char *const *notes, const char *const *wanted)
{
	static const char *const names[] = {"f1", "f2", "f10", "a b"};
	struct result *result = make(2, pair);
	size_t n = 0;
	for (size_t i = 0; notes[i]; i++) {
		result_add_note(result, "%s", notes[i]);
	}
	result_fold_notes(result, names, COUNT_OF(names), "runs");
	for (; wanted[n]; n++) {
		ck_assert_uint_lt(n, result->n_notes);
		ck_assert_str_eq(result->notes[n], wanted[n]);
	}
	ck_assert_uint_eq(result->n_notes, n);
	result_free(result);
}

#define NOTES(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

START_TEST(test_fold_notes)
{
	assert_folded(NOTES("f1: 3 of 4 left out", "f2: 3 of 4 left out", "f10: 3 of 4 left out",
	                    "a b: 3 of 4 left out"),
	              NOTES("of 4 runs (f1, f2, f10, ...): 3 of 4 left out"));
	/* Figures, with their units, differ. */
	assert_folded(NOTES("f1: took 3.5 ms", "f10: took 12 s", "f1: and 5 %"),
	              NOTES("f1: took 3.5 ms (and the like of 1 more)", "f1: and 5 %"));
	/* What is said twice is said once; what is no run's, or said otherwise, stays. */
	assert_folded(NOTES("f1: x", "the runs differ", "f1: x", "f3: x", "f1: y"),
	              NOTES("f1: x", "the runs differ", "f3: x", "f1: y"));
	/* A name within a word, or within a longer name, is none. */
	assert_folded(NOTES("f1: of f100", "f2: of f200"), NOTES("f1: of f100", "f2: of f200"));
	assert_folded(NOTES("f1: beside f2", "f2: beside f10"),
	              NOTES("of 2 runs (f1, f2): beside f2"));
}
END_TEST

/* What the columns' kinds make of the values, and what a text, a number and nothing are equal to.
 * */
static struct result *
runs_table(void)
{
	static const struct result_column columns[] = {{.name = "run", .kind = KIND_TEXT},
	                                               {.name = "nodes", .kind = KIND_INTEGER},
	                                               {.name = "took", .kind = KIND_DURATION},
	                                               {.name = "a-b.c", .kind = KIND_TEXT},
	                                               {.name = "at", .kind = KIND_CLOCK}};
	struct result *table = result_new("t", columns, 5);
	struct value *row = result_add_row(table);
	row[0] = value_word(table, "a");
	row[1] = value_integer(4);
	row[2] = value_integer(1500000000);
	row[3] = value_word(table, "007");
	row[4] = value_integer(INT64_C(1719792000000000000)); /* 2024-07-01 */
	row = result_add_row(table);
	row[0] = value_word(table, "b");
	row[1] = value_integer(16);
	row[3] = value_word(table, "4KiB");
	row = result_add_row(table);
	row[0] = value_word(table, "c");
	row[1] = value_real(9.5);
	row[2] = value_integer(10);
	return table;
}

static const struct {
	const char *condition, *runs; /* "ac"; NULL: an error */
} conditions[] = {
    {"", "abc"},
    {"nodes > 4", "bc"},
    {"nodes >= 4 and not run = c", "ab"},
    {"nodes = '4'", "a"},
    {"took > 1s", "a"},
    {"took < 1s OR took IS NULL", "bc"},
    {"NOT took > 1s", "c"},
    {"\"a-b.c\" = 7", ""},
    {"\"a-b.c\" = 007", "a"},
    {"\"a-b.c\" = '007'", "a"},
    {"\"a-b.c\" = 4KiB", "b"},
    {"\"a-b.c\" IN (007, 4KiB)", "ab"},
    {"\"a-b.c\" LIKE '4%'", "b"},
    {"at >= '2024-07-01'", "a"},
    {"at > '2024-07-01T00:00:01'", ""},
    {"run REGEXP '^[ac]$' AND (nodes < 5 OR nodes BETWEEN 9 AND 10)", "ac"},
    {"run <> NULL", ""},
    {"duration > 1s", NULL},
    {"arg.nodes = 4", NULL},
    {"nodes > many", NULL},
    {"took > 1KiB", NULL},
    {"at > yesterday", NULL},
    {"nodes", NULL},
    {"nodes = 1 nodes = 2", NULL},
};

START_TEST(rows_that_meet_a_condition)
{
	struct err err = ERR_INIT;
	struct result *table = runs_table();
	const char *expected = conditions[_i].runs;
	ck_assert_int_eq(result_where(table, conditions[_i].condition, &err), expected ? 0 : -1);
	ck_assert_uint_eq(table->n_rows, expected ? strlen(expected) : 3);
	for (size_t r = 0; expected && r < table->n_rows; r++) {
		ck_assert_int_eq(result_value(table, r, 0)->text.ptr[0], expected[r]);
	}
	result_free(table);
}
END_TEST

START_TEST(columns_picked)
{
	struct err err = ERR_INIT;
	struct result *table = runs_table();
	ck_assert_int_eq(result_pick_columns(table, "run,x", &err), -1);
	ck_assert_int_eq(result_pick_columns(table, "", &err), -1);
	ck_assert_uint_eq(table->n_columns, 5);
	ck_assert_int_eq(result_pick_columns(table, "took, run", &err), 0);
	ck_assert_uint_eq(table->n_columns, 2);
	ck_assert_str_eq(table->columns[0].name, "took");
	ck_assert_int_eq(result_value(table, 2, 0)->integer, 10);
	ck_assert_int_eq(result_value(table, 2, 1)->text.ptr[0], 'c');
	result_free(table);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("result");
	TCase *tests = tcase_create("result");
	tcase_add_test(tests, test_compare);
	tcase_add_test(tests, test_aliases);
	tcase_add_test(tests, test_meanings);
	tcase_add_test(tests, test_sort);
	tcase_add_loop_test(tests, test_sort_is_stable, 0, 3);
	tcase_add_test(tests, test_stack);
	tcase_add_test(tests, test_fold_notes);
	tcase_add_test(tests, test_wide);
	tcase_add_loop_test(tests, rows_that_meet_a_condition, 0, (int)COUNT_OF(conditions));
	tcase_add_test(tests, columns_picked);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
