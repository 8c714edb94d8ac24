/* Rows that add up: adding, folding, limits, extremes. Folding is compared with a slow sum over
 * everything. */
#include "config.h"
#include "explain/explain.h"

#include "unit.h"
#include "util/prng.h"

static struct explain_run run_a = {.name = "old"}, run_b = {.name = "new"};
static const struct explain pair = {.a = &run_a, .b = &run_b, .n_a = 1, .n_b = 1};

static const char *
text_at(const struct result *result, size_t row, size_t column)
{
	const struct value *value = result_value(result, row, column);
	ck_assert_int_eq(value->type, VALUE_TEXT);
	return value->text.ptr; /* copies end in NUL */
}

static int64_t
integer_at(const struct result *result, size_t row, size_t column)
{
	const struct value *value = result_value(result, row, column);
	ck_assert_int_eq(value->type, VALUE_INTEGER);
	return value->integer;
}

/* Sums of a, b and delta over all rows but the last, which must say the same. */
static void
check_sums(const struct result *result, size_t n_labels)
{
	size_t last = result->n_rows - 1;
	ck_assert_str_eq(text_at(result, last, 0), "sum");
	ck_assert_str_eq(text_at(result, last - 1, 0), "residual");
	for (size_t c = n_labels; c < n_labels + 3; c++) {
		int64_t sum = 0;
		for (size_t r = 0; r < last; r++) {
			sum += integer_at(result, r, c);
		}
		ck_assert_int_eq(sum, integer_at(result, last, c));
	}
}

START_TEST(test_equal_labels_are_added)
{
	const char *labels[] = {"kind"}, *x[] = {"x"}, *y[] = {"y"};
	struct explain_rows *rows = explain_rows_new(labels, 1);
	explain_rows_add(rows, x, 10, 0);
	explain_rows_add(rows, y, 5, 5);
	explain_rows_add(rows, x, 0, 40);
	struct result *result = explain_rows_finish(rows, &pair, "Title", 15, 45, 0);
	ck_assert_str_eq(result->title, "Title");
	ck_assert_str_eq(result->columns[0].name, "kind");
	ck_assert_str_eq(result->columns[1].name, "old");
	ck_assert_str_eq(result->columns[2].name, "new");
	ck_assert_uint_eq(result->n_rows, 4);
	ck_assert_str_eq(text_at(result, 0, 0), "x");
	ck_assert_int_eq(integer_at(result, 0, 3), 30);
	ck_assert_double_eq(result_value(result, 0, 4)->real, 1.0);
	ck_assert_str_eq(text_at(result, 1, 0), "y");
	check_sums(result, 1);
	ck_assert_int_eq(integer_at(result, 2, 3), 0);
	result_free(result);
}
END_TEST

START_TEST(test_what_is_missing_is_the_residual)
{
	const char *labels[] = {"kind"}, *x[] = {"x"};
	struct explain_rows *rows = explain_rows_new(labels, 1);
	explain_rows_add(rows, x, 10, 20);
	struct result *result = explain_rows_finish(rows, &pair, NULL, 11, 17, 0.5);
	ck_assert_int_eq(integer_at(result, 1, 1), 1);
	ck_assert_int_eq(integer_at(result, 1, 2), -3);
	ck_assert_int_eq(integer_at(result, 1, 3), -4);
	check_sums(result, 1);
	result_free(result);
}
END_TEST

START_TEST(test_without_rows_there_is_a_sum)
{
	const char *labels[] = {"kind"};
	struct result *result =
	    explain_rows_finish(explain_rows_new(labels, 1), &pair, NULL, 7, 7, 0.01);
	ck_assert_uint_eq(result->n_rows, 2);
	check_sums(result, 1);
	ck_assert_int_eq(result_value(result, 1, 4)->type, VALUE_NULL); /* share of nothing */
	explain_rows_limit(result, 0);
	ck_assert_uint_eq(result->n_rows, 2);
	result_free(result);
}
END_TEST

START_TEST(test_small_rows_fold_within_their_first_label)
{
	static const char *const names[] = {"stage", "kind"};
	static const struct {
		const char *labels[2];
		int64_t a, b;
	} amounts[] = {
	    {{"run", "efi"}, 0, 1000},    {{"run", "sot"}, 0, 500}, {{"run", "mean"}, 0, 3},
	    {{"run", "concat"}, 7, 0},    {{"queue", "efi"}, 0, 2}, {{"queue", "sot"}, 0, 4},
	    {{"load", "only"}, 100, 101},
	};
	struct explain_rows *rows = explain_rows_new(names, 2);
	for (size_t i = 0; i < sizeof amounts / sizeof *amounts; i++) {
		explain_rows_add(rows, amounts[i].labels, amounts[i].a, amounts[i].b);
	}
	struct result *result = explain_rows_finish(rows, &pair, NULL, 107, 1610, 0.01);
	ck_assert_uint_eq(result->n_rows, 7);
	ck_assert_str_eq(text_at(result, 0, 1), "efi");
	ck_assert_str_eq(text_at(result, 1, 1), "sot");
	ck_assert_str_eq(text_at(result, 2, 0), "queue");
	ck_assert_str_eq(text_at(result, 2, 1), "(all 2)");
	ck_assert_int_eq(integer_at(result, 2, 4), 6);
	ck_assert_str_eq(text_at(result, 3, 0), "run");
	ck_assert_str_eq(text_at(result, 3, 1), "(2 more)");
	ck_assert_int_eq(integer_at(result, 3, 2), 7);
	ck_assert_int_eq(integer_at(result, 3, 3), 3);
	ck_assert_str_eq(text_at(result, 4, 1), "only"); /* a single one stays */
	check_sums(result, 2);
	result_free(result);
}
END_TEST

START_TEST(test_extremes_are_not_wrapped)
{
	const char *labels[] = {"kind"}, *x[] = {"x"}, *y[] = {"y"};
	struct explain_rows *rows = explain_rows_new(labels, 1);
	explain_rows_add(rows, x, INT64_MIN, INT64_MAX);
	explain_rows_add(rows, y, INT64_MAX, INT64_MIN);
	explain_rows_add(rows, y, INT64_MAX, 0);
	struct result *result = explain_rows_finish(rows, &pair, NULL, INT64_MAX, INT64_MIN, 0.01);
	ck_assert_uint_eq(result->n_rows, 4);
	/* y's a is twice the largest integer, and the differences are beyond it. */
	ck_assert_str_eq(text_at(result, 0, 0), "y");
	ck_assert_int_eq(result_value(result, 0, 1)->type, VALUE_REAL);
	ck_assert_double_eq(result_value(result, 0, 1)->real, 18446744073709551616.0);
	ck_assert_int_eq(result_value(result, 0, 3)->type, VALUE_REAL);
	ck_assert_double_eq(result_value(result, 1, 3)->real, 18446744073709551616.0);
	/* What is left after 128-bit sums: exact, and small again. */
	ck_assert_int_eq(integer_at(result, 2, 1), 1);
	ck_assert_int_eq(integer_at(result, 2, 2), -INT64_MAX);
	explain_rows_limit(result, 0);
	ck_assert_uint_eq(result->n_rows, 3);
	ck_assert_int_eq(result_value(result, 0, 1)->type, VALUE_REAL);
	result_free(result);
}
END_TEST

START_TEST(test_runs_called_as_a_label)
{
	const char *labels[] = {"old"};
	struct explain_run delta = {.name = "delta"};
	struct explain odd = {.a = &run_a, .b = &delta, .n_a = 1, .n_b = 1};
	struct result *result =
	    explain_rows_finish(explain_rows_new(labels, 1), &odd, NULL, 0, 0, 0);
	ck_assert_str_eq(result->columns[1].name, "old (a)");
	ck_assert_str_eq(result->columns[2].name, "delta (b)");
	result_free(result);
}
END_TEST

/* Random rows in random order: whatever is folded and cut, sums are those of what was added. */
START_TEST(test_sums_survive_folding)
{
	static const char *const names[] = {"x", "y", "z"};
	struct prng prng = {(uint64_t)_i + 1};
	size_t n_labels = 1 + prng_below(&prng, 3), n = prng_below(&prng, 300);
	struct explain_rows *rows = explain_rows_new(names, n_labels);
	int64_t a_sum = 0, b_sum = 0;
	for (size_t i = 0; i < n; i++) {
		char texts[3][24];
		const char *labels[3] = {texts[0], texts[1], texts[2]};
		for (size_t l = 0; l < 3; l++) {
			snprintf(texts[l], sizeof texts[l], "%u",
			         (unsigned)prng_below(&prng, l == 2 ? 20 : 5));
		}
		int64_t scale = (int64_t)1 << prng_below(&prng, 40);
		int64_t a = (int64_t)prng_below(&prng, 1000) * scale;
		int64_t b = (int64_t)prng_below(&prng, 1000) * scale;
		explain_rows_add(rows, labels, a, b);
		a_sum += a;
		b_sum += b;
	}
	double fold = (double)prng_below(&prng, 30) / 100;
	struct result *result = explain_rows_finish(rows, &pair, NULL, a_sum, b_sum, fold);
	check_sums(result, n_labels);
	ck_assert_int_eq(integer_at(result, result->n_rows - 2, n_labels + 2), 0);
	for (size_t r = 1; r + 2 < result->n_rows; r++) {
		int64_t above = llabs(integer_at(result, r - 1, n_labels + 2));
		ck_assert_int_ge(above, llabs(integer_at(result, r, n_labels + 2)));
	}
	size_t limit = prng_below(&prng, 10), before = result->n_rows;
	explain_rows_limit(result, limit);
	ck_assert(result->n_rows <= limit + 3 || before <= limit + 3);
	check_sums(result, n_labels);
	result_free(result);
}
END_TEST

/* More labels than the hash table begins with. */
START_TEST(test_many_rows)
{
	const char *names[] = {"n"};
	struct explain_rows *rows = explain_rows_new(names, 1);
	for (int pass = 0; pass < 2; pass++) {
		for (int i = 0; i < 5000; i++) {
			char text[16];
			const char *labels[] = {text};
			snprintf(text, sizeof text, "%d", i);
			explain_rows_add(rows, labels, i, 2 * i);
		}
	}
	struct result *result =
	    explain_rows_finish(rows, &pair, NULL, 4999 * 5000, 2 * 4999 * 5000, 0);
	ck_assert_uint_eq(result->n_rows, 5002);
	ck_assert_int_eq(integer_at(result, 0, 3), 2 * 4999);
	check_sums(result, 1);
	result_free(result);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain rows");
	TCase *tests = tcase_create("rows");
	tcase_add_test(tests, test_equal_labels_are_added);
	tcase_add_test(tests, test_what_is_missing_is_the_residual);
	tcase_add_test(tests, test_without_rows_there_is_a_sum);
	tcase_add_test(tests, test_small_rows_fold_within_their_first_label);
	tcase_add_test(tests, test_extremes_are_not_wrapped);
	tcase_add_test(tests, test_runs_called_as_a_label);
	tcase_add_loop_test(tests, test_sums_survive_folding, 0, 300);
	tcase_add_test(tests, test_many_rows);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
