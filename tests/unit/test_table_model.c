/* Rows of a table on the screen: filters that stack, sorting that is stable, missing values last. */
#include "config.h"

#include <string.h>

#include "tests/unit/unit.h"
#include "ui/table_model.h"

static struct table_model model;

static void
add(struct result *result, const char *kind, int64_t total_ns, bool has_size, int64_t size)
{
	struct value *row = result_add_row(result);

	row[0] = value_text(result, slice_of(kind));
	row[1] = value_integer(total_ns);
	if (has_size) {
		row[2] = value_integer(size);
	}
}

static struct result *
sample(void)
{
	const struct result_column columns[] = {
	    {.name = "kind", .kind = KIND_TEXT, .is_key = true},
	    {.name = "total", .kind = KIND_DURATION, .is_measure = true},
	    {.name = "size", .kind = KIND_SIZE, .is_measure = true},
	};
	struct result *result = result_new("sample", columns, 3);

	add(result, "retrieve", 45000000, true, 4096);
	add(result, "efi", 9000000000, false, 0);
	add(result, "concat", 45000000, true, 64);
	add(result, "sot", 7000000000, true, 1 << 20);
	add(result, "threshold", 240000000, false, 0);
	return result;
}

static void
setup(void)
{
	memset(&model, 0, sizeof(model));
	table_model_set(&model, sample());
}

static void
teardown(void)
{
	table_model_fini(&model);
}

/* The kinds of the shown rows, in order. */
static const char *
shown(void)
{
	static char text[256];

	text[0] = '\0';
	for (size_t i = 0; i < model.n_rows; i++) {
		struct slice kind = result_value(model.result, model.rows[i], 0)->text;

		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%.*s", i ? " " : "",
		         (int)kind.len, kind.ptr);
	}
	return text;
}

static void
filter(const char *text)
{
	struct err err = ERR_INIT;

	ck_assert_msg(table_model_filter(&model, slice_of(text), &err) == 0, "%s", err.message);
}

START_TEST(rows_come_as_the_query_gave_them)
{
	ck_assert_str_eq(shown(), "retrieve efi concat sot threshold");
}
END_TEST

START_TEST(sorting_is_stable_and_missing_values_are_last)
{
	table_model_sort(&model, 1, false);
	ck_assert_str_eq(shown(), "retrieve concat threshold sot efi");
	table_model_sort(&model, 1, true);
	ck_assert_str_eq(shown(), "efi sot threshold retrieve concat");
	table_model_sort(&model, 2, true);
	ck_assert_str_eq(shown(), "sot retrieve concat efi threshold");
	table_model_sort(&model, 2, false);
	ck_assert_str_eq(shown(), "concat retrieve sot efi threshold");
}
END_TEST

START_TEST(relations_take_units_of_the_column)
{
	filter("total > 100ms");
	ck_assert_str_eq(shown(), "efi sot threshold");
	filter("size >= 1MiB");
	ck_assert_str_eq(shown(), "sot");
	ck_assert(table_model_unfilter(&model));
	ck_assert_str_eq(shown(), "efi sot threshold");
	ck_assert(table_model_unfilter(&model));
	ck_assert(!table_model_unfilter(&model));
	ck_assert_str_eq(shown(), "retrieve efi concat sot threshold");
	filter("total = 45ms");
	ck_assert_str_eq(shown(), "retrieve concat");
	filter("kind <> concat");
	ck_assert_str_eq(shown(), "retrieve");
}
END_TEST

START_TEST(patterns_look_at_every_cell_or_at_one)
{
	filter("^(efi|sot)$");
	ck_assert_str_eq(shown(), "efi sot");
	table_model_unfilter(&model);
	filter("kind ~ re");
	ck_assert_str_eq(shown(), "retrieve threshold");
	table_model_unfilter(&model);
	filter("4.000 KiB");
	ck_assert_str_eq(shown(), "retrieve");
}
END_TEST

START_TEST(filters_and_sort_survive_a_new_result)
{
	filter("total > 100ms");
	table_model_sort(&model, 1, true);
	table_model_set(&model, sample());
	ck_assert_str_eq(shown(), "efi sot threshold");
}
END_TEST

START_TEST(a_wrong_filter_changes_nothing)
{
	static const char *const wrong[] = {"(", "total > soon", "kind ~ [", "size < 3 parsecs"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct err err = ERR_INIT;

		ck_assert_msg(table_model_filter(&model, slice_of(wrong[i]), &err) != 0,
		              "'%s' was taken", wrong[i]);
		ck_assert(err.message[0]);
		ck_assert_str_eq(shown(), "retrieve efi concat sot threshold");
		ck_assert_uint_eq(model.n_filters, 0);
	}
}
END_TEST

START_TEST(searching_ignores_case)
{
	ck_assert(table_model_matches(&model, 1, slice_of("EFI")));
	ck_assert(table_model_matches(&model, 1, slice_of("9.000 s")));
	ck_assert(!table_model_matches(&model, 1, slice_of("sot")));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("table_model");
	TCase *tests = tcase_create("table_model");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, rows_come_as_the_query_gave_them);
	tcase_add_test(tests, sorting_is_stable_and_missing_values_are_last);
	tcase_add_test(tests, relations_take_units_of_the_column);
	tcase_add_test(tests, patterns_look_at_every_cell_or_at_one);
	tcase_add_test(tests, filters_and_sort_survive_a_new_result);
	tcase_add_test(tests, a_wrong_filter_changes_nothing);
	tcase_add_test(tests, searching_ignores_case);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
