/* Differences of results, their sums and medians; matching against a slow reference. */
#include "config.h"
#include "results.h"
#include "unit.h"

#include <string.h>

#include "util/prng.h"

START_TEST(test_diff)
{
	struct err err = ERR_INIT;
	struct result *a = make(2, pair), *b = make(2, pair);
	add(a, "same", 100);
	add(a, "only a", 5);
	add(a, "twice", 1);
	add(a, "twice", 2);
	add(a, "zero", 0);
	add(a, NULL, 7);
	add(b, "twice", 11);
	add(b, "only b", 6);
	add(b, "same", 150);
	add(b, "twice", 12);
	add(b, "twice", 13);
	add(b, "zero", 0);
	add(b, NULL, 8);
	struct result *diff = query_diff(a, b, "f1", "f4", NULL, true, &err);
	ck_assert_msg(diff != NULL, "%s", err.message);
	ck_assert_uint_eq(diff->n_columns, 6);
	ck_assert_uint_eq(diff->n_rows, 8);
	static const char *const names[] = {"key",         "total_a",     "total_b",
	                                    "total_delta", "total_ratio", "total_rel"};
	for (size_t i = 0; i < 6; i++) {
		ck_assert_str_eq(diff->columns[i].name, names[i]);
	}
	ck_assert_str_eq(text_at(diff, 0, 0), "same"); /* A's rows in A's order */
	ck_assert_int_eq(result_value(diff, 0, 3)->integer, 50);
	ck_assert(result_value(diff, 0, 4)->real == 1.5 &&
	          result_value(diff, 0, 5)->real == 50.0 / 150);
	ck_assert_int_eq(result_value(diff, 1, 2)->integer, 0); /* none of it in B */
	ck_assert_int_eq(result_value(diff, 1, 3)->integer, -5);
	ck_assert_int_eq(result_value(diff, 2, 3)->integer, 10);
	ck_assert_int_eq(result_value(diff, 3, 3)->integer, 10); /* the second with the second */
	ck_assert_int_eq(result_value(diff, 4, 3)->integer, 0);
	ck_assert_int_eq(result_value(diff, 4, 4)->type, VALUE_NULL); /* 0 / 0 */
	ck_assert_int_eq(result_value(diff, 5, 3)->integer, 1); /* NULL is a key like others */
	ck_assert_str_eq(text_at(diff, 6, 0), "only b");        /* then B's own, in B's order */
	ck_assert_str_eq(text_at(diff, 7, 0), "twice");
	ck_assert_int_eq(result_value(diff, 7, 1)->integer, 0);
	ck_assert_uint_eq(diff->n_notes, 3);
	ck_assert_ptr_nonnull(strstr(diff->notes[2], "1 key stands more than once"));
	result_free(diff);
	ck_assert_ptr_null(query_diff(a, b, "f1", "f4", "total,nothing", true, &err));
	ck_assert_ptr_null(query_diff(a, b, "f1", "f4", "key,total", true,
	                              &err)); /* nothing is left to subtract */
	ck_assert_int_eq(err.code, ERR_QUERY);
	result_free(a);
	result_free(b);
}
END_TEST

START_TEST(test_diff_extremes)
{
	struct err err = ERR_INIT;
	struct result *a = make(2, pair), *b = make(2, pair);
	add(a, "x", INT64_MAX);
	add(b, "x", -INT64_MAX);
	struct result *diff = query_diff(a, b, "a", "b", NULL, true, &err);
	ck_assert_int_eq(result_value(diff, 0, 3)->type, VALUE_REAL); /* it leaves 64 bits */
	ck_assert(result_value(diff, 0, 3)->real == -0x1p64);
	result_free(diff);
	result_free(a);
	a = make(2, pair);
	diff = query_diff(a, b, "a", "b", NULL, true, &err);
	ck_assert_uint_eq(diff->n_rows, 1);
	result_free(diff);
	result_free(a);
	result_free(b);
}
END_TEST

static struct result *
diff_of(struct result *a, struct result *b, bool is_rel_to_b)
{
	struct err err = ERR_INIT;
	struct result *diff = query_diff(a, b, "a", "b", NULL, is_rel_to_b, &err);
	ck_assert_msg(diff != NULL, "%s", err.message);
	result_free(a);
	result_free(b);
	return diff;
}

/* A row that one side lacks, or a value that it lacks: 0 of what adds up, nothing of all else. */
START_TEST(test_diff_absent)
{
	static const struct {
		struct result_column column;
		bool is_zero;
	} cases[] = {
	    {{.name = "calls", .kind = KIND_COUNT, .is_measure = true}, true},
	    {{.name = "size_sum", .kind = KIND_SIZE, .is_measure = true}, true},
	    {{.name = "time", .kind = KIND_DURATION, .is_measure = true}, true},
	    {{.name = "mean", .kind = KIND_DURATION, .is_measure = true}, false},
	    {{.name = "size_p95", .kind = KIND_SIZE, .is_measure = true}, false},
	    {{.name = "max_time", .kind = KIND_DURATION, .is_measure = true}, false},
	    {{.name = "throughput", .kind = KIND_RATE, .is_measure = true}, false},
	    {{.name = "x", .kind = KIND_REAL, .is_measure = true}, false},
	    {{.name = "x", .kind = KIND_REAL, .is_measure = true, .sums = SUMS_UP}, true},
	    {{.name = "calls", .kind = KIND_COUNT, .is_measure = true, .sums = SUMS_NOT}, false},
	    {{.name = "max", .kind = KIND_SIZE, .is_measure = true, .absent_is_zero = true}, true},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct result_column columns[] = {pair[0], cases[i].column};
		struct result *a = make(2, columns), *b = make(2, columns);
		add(a, "null", 0);
		*result_value(a, 0, 1) = (struct value){.type = VALUE_NULL};
		add(b, "null", 5);
		add(b, "only b", 7);
		struct result *diff = diff_of(a, b, false);
		for (size_t row = 0; row < 2; row++) {
			enum value_type type = cases[i].is_zero ? VALUE_INTEGER : VALUE_NULL;
			ck_assert_int_eq(result_value(diff, row, 1)->type, type);
			ck_assert_int_eq(result_value(diff, row, 3)->type, type);
			ck_assert(!cases[i].is_zero ||
			          (result_value(diff, row, 1)->integer == 0 &&
			           result_value(diff, row, 3)->integer == (row ? 7 : 5)));
			ck_assert_int_eq(result_value(diff, row, 5)->type, VALUE_NULL);
		}
		ck_assert_int_eq(diff->only_in[0], -1);
		ck_assert_int_eq(diff->only_in[1], 1);
		result_free(diff);
	}
}
END_TEST

START_TEST(test_diff_relative)
{
	for (int to_b = 0; to_b < 2; to_b++) {
		struct result *a = make(2, pair), *b = make(2, pair);
		add(a, "x", 100);
		add(b, "x", 150);
		struct result *diff = diff_of(a, b, to_b);
		ck_assert(result_value(diff, 0, 5)->real == (to_b ? 50.0 / 150 : 0.5));
		ck_assert_ptr_nonnull(
		    strstr(diff->notes[0], to_b ? "rel = delta / b" : "rel = delta / a"));
		result_free(diff);
	}
}
END_TEST

/* The row of sums: what adds up, without a word in a key, of integers exact or not at all. */
START_TEST(test_sums)
{
	static const struct result_column columns[] = {
	    {.name = "at", .kind = KIND_TIME, .is_key = true},
	    {.name = "name", .kind = KIND_TEXT, .is_key = true},
	    {.name = "calls", .kind = KIND_COUNT},
	    {.name = "mean", .kind = KIND_DURATION},
	    {.name = "bytes", .kind = KIND_SIZE}};
	struct result *result = make(5, columns);
	for (int i = 0; i < 3; i++) {
		struct value *row = result_add_row(result);
		row[0] = value_integer(i);
		row[1] = value_text(result, slice_of("n"));
		row[2] = i == 1 ? (struct value){.type = VALUE_NULL} : value_integer(10 + i);
		row[3] = value_real(1.5);
		row[4] = value_integer(i == 2 ? INT64_MAX : i);
	}
	ck_assert(result_has_sums(result));
	result_add_sums(result, result_sums(result));
	ck_assert_uint_eq(result->n_rows, 4);
	ck_assert_uint_eq(result->n_sums, 1);
	ck_assert_str_eq(result->sums_label, "sum of 3 rows");
	const struct value *sums = result_value(result, 3, 0);
	ck_assert_int_eq(sums[0].type, VALUE_NULL);
	ck_assert_int_eq(sums[1].type, VALUE_NULL);
	ck_assert_int_eq(sums[2].integer, 22);
	ck_assert_int_eq(sums[3].type, VALUE_NULL);
	ck_assert_int_eq(sums[4].type, VALUE_NULL); /* 1 + INT64_MAX */
	ck_assert_uint_eq(result->n_notes, 1);
	ck_assert_ptr_nonnull(strstr(result->notes[0], "no sum of bytes"));
	struct result *marked = result_mark_sums(result);
	for (size_t row = 0; row < 4; row++) {
		ck_assert_int_eq(result_value(marked, row, 5)->integer, row == 3);
		ck_assert_int_eq(
		    value_compare(result_value(marked, row, 2), result_value(result, row, 2)), 0);
	}
	ck_assert_str_eq(marked->columns[5].name, "is_sum");
	result_free(marked);
	result_free(result);
}
END_TEST

/* Of runs below each other each has its sums, empty runs have none; a key that is called "sum"
 * stays a key. */
START_TEST(test_sums_of_runs)
{
	struct err err = ERR_INIT;
	struct result *sides[3];
	static const char *const names[] = {"first", "empty", "sum"};
	for (int i = 0; i < 3; i++) {
		sides[i] = make(2, pair);
		for (int row = 0; row < 2 && i != 1; row++) {
			add(sides[i], row ? "sum" : "a", 10 * i + row);
		}
	}
	struct result *stack = query_stack(sides, names, names, NULL, 3, &err);
	struct sum_rows *sums = result_sums(stack);
	result_limit(stack, 1);
	result_add_sums(stack, sums);
	ck_assert_uint_eq(stack->n_sums, 2);
	ck_assert_uint_eq(stack->n_rows, 3);
	ck_assert_str_eq(text_at(stack, 1, 0), "first");
	ck_assert_str_eq(text_at(stack, 1, 1), "first"); /* its path */
	ck_assert_int_eq(result_value(stack, 1, 2)->type, VALUE_NULL);
	ck_assert_int_eq(result_value(stack, 1, 3)->integer, 1);
	ck_assert_str_eq(text_at(stack, 2, 0), "sum");
	ck_assert_int_eq(result_value(stack, 2, 3)->integer, 41);
	result_free(stack);
	stack = query_stack(sides + 1, names + 1, NULL, NULL, 1, &err);
	result_add_sums(stack, result_sums(stack));
	ck_assert_uint_eq(stack->n_rows, 0);
	result_free(stack);
	for (int i = 0; i < 3; i++) {
		result_free(sides[i]);
	}
}
END_TEST

/* Of wide results each measure that adds up has a row of its own kind, whatever its place, and
 * however they are sorted later. */
START_TEST(test_sums_of_wide)
{
	static const struct result_column columns[] = {
	    {.name = "key", .kind = KIND_TEXT, .is_key = true},
	    {.name = "mean", .kind = KIND_DURATION, .is_measure = true},
	    {.name = "bytes", .kind = KIND_SIZE, .is_measure = true}};
	static const char *const names[] = {"one", "two"};
	struct err err = ERR_INIT;
	struct result *sides[2];
	for (int i = 0; i < 2; i++) {
		sides[i] = make(3, columns);
		for (int row = 0; row < 3 - i; row++) {
			struct value *values = result_add_row(sides[i]);
			values[0] = value_text(sides[i], slice_of(row ? row > 1 ? "c" : "b" : "a"));
			values[1] = value_integer(7);
			values[2] = value_integer(100 * i + row);
		}
	}
	struct result *wide = query_wide(sides, names, 2, NULL, &err);
	struct sum_rows *sums = result_sums(wide);
	ck_assert_int_eq(result_sort(wide, "-two", &err), 0);
	result_limit(wide, 2);
	ck_assert(result_has_sums(wide));
	result_add_sums(wide, sums);
	ck_assert_uint_eq(wide->n_rows, 3);
	ck_assert_uint_eq(wide->n_sums, 1);
	ck_assert_str_eq(wide->sums_label, "sum of 3 rows");
	ck_assert_int_eq(result_value(wide, 2, 0)->type, VALUE_NULL);
	ck_assert_str_eq(text_at(wide, 2, 1), "bytes");
	ck_assert_int_eq(result_value(wide, 2, 2)->integer, 3);
	ck_assert_int_eq(result_value(wide, 2, 3)->integer, 201);
	ck_assert_int_eq(result_kind(wide, 2, 2), KIND_SIZE);
	result_free(wide);
	result_free(sides[0]);
	result_free(sides[1]);
}
END_TEST

/* The sums of a difference: ratio and rel are those of the sums, whichever run rel is a part of;
 * over nothing there is none. */
START_TEST(test_sums_of_difference)
{
	struct err err = ERR_INIT;
	for (int to_b = 0; to_b < 2; to_b++) {
		struct result *a = make(2, pair), *b = make(2, pair);
		add(a, "both", 30);
		add(a, "only a", 10);
		add(b, "both", 20);
		add(b, "only b", 80);
		struct result *diff = query_diff(a, b, "a", "b", NULL, to_b, &err);
		result_add_sums(diff, result_sums(diff));
		const struct value *sums = result_value(diff, diff->n_rows - 1, 0);
		ck_assert_int_eq(sums[0].type, VALUE_NULL);
		ck_assert_int_eq(sums[1].integer, 40);
		ck_assert_int_eq(sums[2].integer, 100);
		ck_assert_int_eq(sums[3].integer, 60);
		ck_assert(sums[4].real == 2.5);
		ck_assert(sums[5].real == (to_b ? 0.6 : 1.5));
		result_free(diff);
		result_free(a);
		a = make(2, pair);
		diff = query_diff(a, b, "a", "b", NULL, to_b, &err);
		result_add_sums(diff, result_sums(diff));
		sums = result_value(diff, diff->n_rows - 1, 0);
		ck_assert_int_eq(sums[1].integer, 0);
		ck_assert_int_eq(sums[3].integer, 100);
		ck_assert_int_eq(sums[4].type, VALUE_NULL);
		ck_assert_int_eq(sums[5].type, to_b ? VALUE_REAL : VALUE_NULL);
		result_free(diff);
		result_free(a);
		result_free(b);
	}
}
END_TEST

/* Random tables with repeated keys, against counting by hand: the nth of a key goes with the
 * nth. */
START_TEST(test_diff_reference)
{
	struct prng prng = {11};
	struct err err = ERR_INIT;
	static const char *const keys[] = {"a", "b", "c", "d", NULL};
	for (int round = 0; round < 200; round++) {
		struct result *sides[2];
		int64_t values[2][5][32], counts[2][5] = {{0}};
		for (int side = 0; side < 2; side++) {
			sides[side] = make(2, pair);
			size_t n = prng_below(&prng, 30);
			for (size_t i = 0; i < n; i++) {
				size_t key = prng_below(&prng, 5);
				int64_t value = (int64_t)prng_below(&prng, 1000);
				add(sides[side], keys[key], value);
				values[side][key][counts[side][key]++] = value;
			}
		}
		size_t expected = 0;
		for (size_t key = 0; key < 5; key++) {
			expected += (size_t)(counts[0][key] > counts[1][key] ? counts[0][key]
			                                                     : counts[1][key]);
		}
		struct result *diff = query_diff(sides[0], sides[1], "a", "b", NULL, true, &err);
		ck_assert_uint_eq(diff->n_rows, expected);
		int64_t seen[5] = {0};
		for (size_t row = 0; row < diff->n_rows; row++) {
			size_t key = 0;
			while (key < 4 && strcmp(text_at(diff, row, 0), keys[key]) != 0) {
				key++;
			}
			int64_t nth = seen[key]++;
			for (size_t side = 0; side < 2; side++) {
				const struct value *value = result_value(diff, row, 1 + side);
				if (nth < counts[side][key]) {
					ck_assert_int_eq(value->integer, values[side][key][nth]);
				} else {
					ck_assert_int_eq(value->type, VALUE_INTEGER);
					ck_assert_int_eq(value->integer, 0);
				}
			}
		}
		result_free(diff);
		result_free(sides[0]);
		result_free(sides[1]);
	}
}
END_TEST

static struct result *
make_run(const char *note, const int64_t (*rows)[3], size_t n)
{
	static const struct result_column columns[] = {
	    {.name = "key", .kind = KIND_COUNT, .is_key = true},
	    {.name = "total", .kind = KIND_DURATION, .is_measure = true},
	    {.name = "mean", .kind = KIND_DURATION, .is_measure = true},
	};
	struct result *result = make(3, columns);
	for (size_t i = 0; i < n; i++) {
		struct value *row = result_add_row(result);
		for (size_t c = 0; c < 3; c++) {
			row[c] = rows[i][c] < 0 ? (struct value){.type = VALUE_NULL}
			                        : value_integer(rows[i][c]);
		}
	}
	result_add_note(result, "%s", note);
	return result;
}

/* Sums of a run without the row are 0 there, means are none; notes that all have stand once. */
START_TEST(test_median)
{
	struct err err = ERR_INIT;
	struct result *runs[] = {
	    make_run("same", (const int64_t[][3]){{1, 10, 1}, {2, 5, 5}}, 2),
	    make_run("same", (const int64_t[][3]){{1, 21, 2}}, 1),
	    make_run("other", (const int64_t[][3]){{2, 7, -1}, {1, 60, 9}, {3, 8, -1}}, 3),
	};
	const int64_t of_three[][3] = {{1, 21, 2}, {2, 5, 5}, {3, 0, -1}},
		      of_two[][3] = {{1, 15, 1}, {2, 2, 5}};
	for (size_t n = 2; n <= 3; n++) {
		struct result *median = query_median(runs, n, NULL, &err);
		ck_assert_uint_eq(median->n_rows, n);
		ck_assert_uint_eq(median->n_notes, n - 1);
		for (size_t i = 0; i < n * 3; i++) {
			int64_t wanted = (n == 3 ? of_three : of_two)[i / 3][i % 3];
			const struct value *value = result_value(median, i / 3, i % 3);
			ck_assert_int_eq(value->type, wanted < 0 ? VALUE_NULL : VALUE_INTEGER);
			ck_assert(wanted < 0 || value->integer == wanted);
		}
		result_free(median);
	}
	ck_assert_ptr_null(query_median(runs, 3, "nothing", &err));
	ck_assert_int_eq(err.code, ERR_USAGE);
	for (size_t i = 0; i < COUNT_OF(runs); i++) {
		result_free(runs[i]);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("result_diff");
	TCase *tests = tcase_create("result_diff");
	tcase_add_test(tests, test_diff);
	tcase_add_test(tests, test_diff_extremes);
	tcase_add_test(tests, test_diff_absent);
	tcase_add_test(tests, test_diff_relative);
	tcase_add_test(tests, test_sums);
	tcase_add_test(tests, test_sums_of_runs);
	tcase_add_test(tests, test_sums_of_wide);
	tcase_add_test(tests, test_sums_of_difference);
	tcase_add_test(tests, test_diff_reference);
	tcase_add_test(tests, test_median);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
