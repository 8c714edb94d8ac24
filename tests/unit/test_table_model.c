/* Rows of a table on the screen: filters that stack, sorting that is stable, missing values
 * last. */
#include "config.h"

#include <math.h>
#include <string.h>

#include "tests/unit/unit.h"
#include "ui/table/frequency.h"
#include "ui/base/result_copy.h"
#include "ui/table/table_filter.h"
#include "ui/table/table_model.h"
#include "util/prng.h"

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

static struct result *
differences(const char *column, enum column_difference difference)
{
	static const enum column_difference kinds[][2] = {{DIFFERENCE_NONE, DIFFERENCE_NONE},
	                                                  {DIFFERENCE_NONE, DIFFERENCE_DELTA},
	                                                  {DIFFERENCE_NONE, DIFFERENCE_REL},
	                                                  {DIFFERENCE_NONE, DIFFERENCE_RATIO}};
	const struct result_column columns[] = {{.name = "kind", .kind = KIND_TEXT},
	                                        {.name = column, .kind = KIND_REAL}};
	static const double deltas[] = {-3, 5, 0, -8, 1}, ratios[] = {0.25, 3, 1, 0.1, 2};
	struct result *result = result_new("differences", columns, 2);

	for (size_t i = 0; i < 5; i++) {
		const char name[] = {(char)('a' + i), '\0'};
		struct value *row = result_add_row(result);

		row[0] = value_text(result, slice_of(name));
		row[1] = value_real(difference == DIFFERENCE_RATIO ? ratios[i] : deltas[i]);
		if (difference == DIFFERENCE_DELTA) {
			row[1] = value_integer((int64_t)deltas[i]);
		}
	}
	result->differences = kinds[difference];
	return result;
}

START_TEST(differences_are_sorted_by_their_size)
{
	struct strbuf text = {0};
	struct err err = ERR_INIT;

	ck_assert(!table_model_sort_size(&model, 1, false)); /* a total is no difference */
	table_model_set(&model, differences("total_delta", DIFFERENCE_DELTA));
	ck_assert(table_model_sort_size(&model, 1, false));
	ck_assert_str_eq(shown(), "d b a e c");
	table_model_sort_text(&model, &text);
	ck_assert_str_eq(text.data, "-|total_delta|");
	/* The order stays when the difference is shown in another way. */
	table_model_set(&model, differences("total_rel", DIFFERENCE_REL));
	ck_assert_str_eq(shown(), "d b a e c");
	table_model_set(&model, differences("total_ratio", DIFFERENCE_RATIO));
	ck_assert_str_eq(shown(), "d a b e c"); /* a tenth is more than three times */
	/* By value it stays by value; other measures are not meant. */
	table_model_sort(&model, 1, true);
	ck_assert_str_eq(shown(), "b e c a d");
	table_model_set(&model, differences("total_delta", DIFFERENCE_DELTA));
	ck_assert_str_eq(shown(), "b e c a d");
	table_model_set(&model, differences("total_all_delta", DIFFERENCE_DELTA));
	ck_assert_str_eq(shown(), "a b c d e");
	/* What a text says is what is done. */
	ck_assert_int_eq(table_model_sort_by(&model, "|total_all_delta|", &err), 0);
	ck_assert_str_eq(shown(), "c e a b d");
	ck_assert_int_eq(table_model_sort_by(&model, "-|nothing|", &err), -1);
	ck_assert_int_eq(table_model_sort_by(&model, "-||", &err), -1);
	strbuf_free(&text);
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
		ck_assert_uint_eq(model.wish.filters.n, 0);
	}
}
END_TEST

START_TEST(searching_ignores_case)
{
	ck_assert(table_model_cell_matches(&model, 1, 0, slice_of("EFI")));
	ck_assert(table_model_cell_matches(&model, 1, 1, slice_of("9.00 s")));
	ck_assert(!table_model_cell_matches(&model, 1, 0, slice_of("sot")));
	ck_assert(!table_model_cell_matches(&model, 1, 0, slice_of("")));
}
END_TEST

START_TEST(several_keys_decide_one_after_the_other)
{
	struct err err = ERR_INIT;
	struct strbuf text = {0};

	table_model_sort(&model, 1, false);
	table_model_sort_add(&model, 0, false);
	ck_assert_str_eq(shown(), "concat retrieve threshold sot efi");
	table_model_sort_add(&model, 0, true);
	ck_assert_str_eq(shown(), "retrieve concat threshold sot efi");
	ck_assert_uint_eq(model.wish.n_keys, 2);
	table_model_sort_text(&model, &text);
	ck_assert_str_eq(text.data, "total,-kind");
	ck_assert_int_eq(table_model_sort_by(&model, " -size , kind", &err), 0);
	ck_assert_str_eq(shown(), "sot retrieve concat efi threshold");
	ck_assert_int_eq(table_model_sort_by(&model, "kind,totl", &err), -1);
	ck_assert_msg(strstr(err.message, "totl") && strstr(err.message, "total"), "%s",
	              err.message);
	ck_assert_str_eq(shown(), "sot retrieve concat efi threshold");
	ck_assert_int_eq(table_model_sort_by(&model, "", &err), 0);
	ck_assert_str_eq(shown(), "retrieve efi concat sot threshold");
	strbuf_free(&text);
}
END_TEST

START_TEST(quotes_and_null_are_understood)
{
	filter("size = NULL");
	ck_assert_str_eq(shown(), "efi threshold");
	table_model_unfilter(&model);
	filter("size <> NULL");
	ck_assert_str_eq(shown(), "retrieve concat sot");
	table_model_unfilter(&model);
	filter("size > 0"); /* nothing holds for what is missing */
	ck_assert_str_eq(shown(), "retrieve concat sot");
	table_model_unfilter(&model);
	filter("\"kind\" = 'sot'");
	ck_assert_str_eq(shown(), "sot");
	table_model_unfilter(&model);
	filter("kind = \"NULL\"");
	ck_assert_str_eq(shown(), "");
	table_model_unfilter(&model);
	filter("kind !~ ^.e");
	ck_assert_str_eq(shown(), "efi concat sot threshold");
	table_model_unfilter(&model);
	filter("total = 45000000");
	ck_assert_str_eq(shown(), "retrieve concat");
}
END_TEST

START_TEST(an_unknown_column_is_named_with_its_neighbour)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(table_model_filter(&model, slice_of("totl > 40ms"), &err), -1);
	ck_assert_msg(strstr(err.message, "did you mean total"), "%s", err.message);
	filter("a=b"); /* might be a text: a pattern */
	ck_assert_str_eq(shown(), "");
}
END_TEST

START_TEST(marks_add_up_what_adds_up)
{
	struct value total;

	table_model_mark(&model, 0);
	table_model_mark(&model, 3);
	table_model_mark(&model, 1);
	table_model_mark(&model, 1); /* takes it away again */
	ck_assert_uint_eq(model.n_marked, 2);
	total = table_model_total(&model, 1);
	ck_assert_int_eq(total.integer, 7045000000);
	total = table_model_total(&model, 2);
	ck_assert_int_eq(total.integer, 4096 + (1 << 20));
	ck_assert_int_eq(table_model_total(&model, 0).type, VALUE_NULL);
	table_model_sort(&model, 0, false); /* marks stay with their rows */
	ck_assert(table_model_is_marked(&model, 2));
	ck_assert(table_model_is_marked(&model, 3));
	filter("kind = sot"); /* what is not shown is not added */
	ck_assert_int_eq(table_model_total(&model, 1).integer, 7000000000);
	ck_assert_uint_eq(model.n_marked, 1);
	table_model_unfilter(&model);
	ck_assert_uint_eq(model.n_marked, 1);
	ck_assert(table_model_unmark_all(&model));
	ck_assert(!table_model_unmark_all(&model));
}
END_TEST

/* Where it is wanted, what is shown has a sum as well, of sums alone, and follows the filters. */
START_TEST(shown_rows_add_up)
{
	static const struct result_column columns[] = {{.name = "name", .kind = KIND_TEXT},
	                                               {.name = "calls", .kind = KIND_COUNT},
	                                               {.name = "max", .kind = KIND_DURATION}};
	struct err err = ERR_INIT;
	for (int wants = 0; wants < 2; wants++) {
		struct result *result = result_new("one", columns, 3);
		struct table_model one = {.wants_sums = wants};
		for (int i = 0; i < 3; i++) {
			struct value *row = result_add_row(result);
			row[0] = value_text(result, slice_of(i == 1 ? "b" : "a"));
			row[1] = value_integer(i + 1);
			row[2] = value_integer(i);
		}
		table_model_set(&one, result);
		ck_assert_int_eq(table_model_has_totals(&one), wants);
		ck_assert_int_eq(table_model_total(&one, 1).type,
		                 wants ? VALUE_INTEGER : VALUE_NULL);
		ck_assert(!wants || table_model_total(&one, 1).integer == 6);
		ck_assert_int_eq(table_model_total(&one, 2).type, VALUE_NULL);
		ck_assert_int_eq(table_model_filter(&one, slice_of("name = a"), &err), 0);
		ck_assert(!wants || table_model_total(&one, 1).integer == 4);
		ck_assert_int_eq(table_model_filter(&one, slice_of("calls = 3"), &err), 0);
		ck_assert(!table_model_has_totals(&one)); /* of one row */
		table_model_mark(&one, 0);
		ck_assert(table_model_has_totals(&one));
		ck_assert_int_eq(table_model_total(&one, 2).integer, 2);
		table_model_fini(&one);
	}
}
END_TEST

START_TEST(means_and_extremes_do_not_add_up)
{
	static const struct {
		const char *name;
		enum column_kind kind;
		int64_t expected; /* of 3 and 4; -1: nothing */
	} cases[] = {{"mean", KIND_DURATION, -1},   {"p95", KIND_DURATION, -1},
	             {"max", KIND_DURATION, 4},     {"min", KIND_DURATION, 3},
	             {"queue", KIND_DURATION, 7},   {"start", KIND_TIME, -1},
	             {"share", KIND_PERCENT, -1},   {"count", KIND_COUNT, 7},
	             {"longest", KIND_DURATION, 4}, {"id", KIND_INTEGER, -1}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct result_column column = {.name = cases[i].name, .kind = cases[i].kind};
		struct result *result = result_new("one", &column, 1);
		struct table_model one = {0};
		struct value total;

		result_add_row(result)[0] = value_integer(3);
		result_add_row(result)[0] = value_integer(4);
		table_model_set(&one, result);
		table_model_mark(&one, 0);
		table_model_mark(&one, 1);
		total = table_model_total(&one, 0);
		ck_assert_msg(cases[i].expected < 0 ? total.type == VALUE_NULL
		                                    : total.integer == cases[i].expected,
		              "%s", cases[i].name);
		table_model_fini(&one);
	}
}
END_TEST

/* Values on which bits of doubles, short texts and exact comparisons may disagree. */
static struct value
odd_value(struct result *result, struct prng *prng)
{
	static const int64_t integers[] = {0,
	                                   -1,
	                                   1,
	                                   INT64_MAX,
	                                   INT64_MAX - 1,
	                                   INT64_MIN,
	                                   INT64_C(1) << 53,
	                                   (INT64_C(1) << 53) + 1,
	                                   -(INT64_C(1) << 53) - 1,
	                                   (INT64_C(1) << 50) + 1};
	static const double reals[] = {0.0,
	                               -0.0,
	                               0.1,
	                               0.1 + 1e-17,
	                               1.0,
	                               1.0000000000000002,
	                               1e300,
	                               -1.0,
	                               9007199254740992.0,
	                               -1e-300,
	                               0.30000000000000004,
	                               0.3,
	                               INFINITY,
	                               -INFINITY};
	static const char *const texts[] = {"",        "a",        "a\x01",    "ab",
	                                    "abcdefg", "abcdefgh", "abcdefgi", "abcdef",
	                                    "\xff",    "zzzzzzzz", "zzzzzzzzz"};
	switch (prng_below(prng, 5)) {
	case 0:
		return (struct value){.type = VALUE_NULL};
	case 1:
		return value_integer(integers[prng_below(prng, 10)]);
	case 2:
		return value_real(reals[prng_below(prng, 14)]);
	case 3:
		return value_text(result, slice_of(texts[prng_below(prng, 11)]));
	default:
		return value_integer((int64_t)prng_below(prng, 5));
	}
}

static bool
stands_right(const struct result *result, const struct table_sort_key *keys, size_t n_keys,
             size_t a, size_t b)
{
	for (size_t i = 0; i < n_keys; i++) {
		const struct value *left = result_value(result, a, keys[i].column);
		const struct value *right = result_value(result, b, keys[i].column);
		int order = value_compare(left, right);

		if (left->type == VALUE_NULL || right->type == VALUE_NULL) {
			order = -order;
		} else if (keys[i].is_descending) {
			order = -order;
		}
		if (order != 0) {
			return order < 0;
		}
	}
	return a < b; /* stable */
}

START_TEST(sorting_agrees_with_comparing_values)
{
	const struct result_column columns[] = {{.name = "a"}, {.name = "b"}};
	struct prng prng;

	prng.state = (uint64_t)_i + 1;
	for (int round = 0; round < 50; round++) {
		struct result *result = result_new("odd", columns, 2);
		size_t n = prng_below(&prng, 60), rows[60];
		const struct table_sort_key keys[] = {
		    {.column = 0, .is_descending = prng_below(&prng, 2)},
		    {.column = 1, .is_descending = prng_below(&prng, 2)}};
		size_t n_keys = 1 + prng_below(&prng, 2);

		for (size_t i = 0; i < n; i++) {
			struct value *row = result_add_row(result);

			row[0] = odd_value(result, &prng);
			row[1] = odd_value(result, &prng);
			rows[i] = i;
		}
		ck_assert(table_sort(result, keys, n_keys, rows, n, NULL));
		for (size_t i = 1; i < n; i++) {
			ck_assert(stands_right(result, keys, n_keys, rows[i - 1], rows[i]));
		}
		result_free(result);
	}
}
END_TEST

START_TEST(a_written_filter_finds_exactly_its_value)
{
	static const char *const texts[] = {
	    "",        " a ",  "NULL", "null", "\"",   "'a'", "a = b", "5",     "1.0", "a\"b",
	    "\x1b[2J", "\xff", "40ms", "~",    "-- x", "\n",  "e'x'",  "E\"\"", "e'",  "\\0"};
	static const enum column_kind kinds[] = {KIND_TEXT,    KIND_DURATION, KIND_REAL,
	                                         KIND_PERCENT, KIND_COUNT,    KIND_CLOCK};
	const struct result_column column = {.name = _i == 0 ? "odd name > 3" : "value",
	                                     .kind = kinds[_i]};
	struct result *result = result_new("odd", &column, 1);
	struct prng prng;

	prng.state = 7;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		result_add_row(result)[0] = value_text(result, slice_of(texts[i]));
	}
	result_add_row(result)[0] = value_text(result, (struct slice){"a\0b", 3});
	result_add_row(result)[0] = value_text(result, (struct slice){"a", 1});
	for (size_t i = 0; i < 200; i++) {
		struct value value = odd_value(result, &prng);

		/* Nothing writes an infinity. */
		if (value.type != VALUE_REAL || isfinite(value.real)) {
			result_add_row(result)[0] = value;
		}
	}
	for (size_t i = 0; i < result->n_rows; i++) {
		const struct value *value = result_value(result, i, 0);
		struct table_filter *written;
		struct strbuf text = {0};
		struct err err = ERR_INIT;

		table_filter_write(&text, &result->columns[0], value);
		written = table_filter_compile(result, strbuf_slice(&text), &err);
		ck_assert_msg(written != NULL, "%s: %s", text.data, err.message);
		for (size_t k = 0; k < result->n_rows; k++) {
			const struct value *other = result_value(result, k, 0);
			bool equal = value_compare(value, other) == 0;

			/* A number also finds the text that reads as it. */
			if (value->type != VALUE_TEXT && other->type == VALUE_TEXT) {
				continue;
			}

			ck_assert_msg(table_filter_holds(written, k) == equal, "%s, row %zu",
			              text.data, k);
		}
		table_filter_free(written);
		strbuf_free(&text);
	}
	result_free(result);
}
END_TEST

START_TEST(frequencies_count_the_rows_shown)
{
	struct result *result;

	filter("kind <> efi");
	result = frequency_count(model.result, model.rows, model.n_rows, 1, NULL);
	ck_assert_uint_eq(result->n_rows, 3);
	ck_assert_int_eq(result_value(result, 0, 0)->integer, 45000000);
	ck_assert_int_eq(result_value(result, 0, 1)->integer, 2);
	ck_assert_double_eq(result_value(result, 0, 2)->real, 0.5);
	ck_assert_int_eq(result_value(result, 1, 0)->integer, 240000000);
	result_free(result);
	result = frequency_count(model.result, model.rows, model.n_rows, 2, NULL);
	ck_assert_uint_eq(result->n_rows, 4);
	ck_assert_int_eq(result_value(result, 3, 0)->type, VALUE_NULL);
	result_free(result);
}
END_TEST

START_TEST(a_selection_is_copied_with_its_texts)
{
	const size_t rows[] = {3, 0}, columns[] = {2, 0};
	struct result *copy = result_select(model.result, rows, 2, columns, 2);

	table_model_fini(&model);
	memset(&model, 0, sizeof(model));
	ck_assert_uint_eq(copy->n_rows, 2);
	ck_assert_str_eq(copy->columns[0].name, "size");
	ck_assert_int_eq(result_value(copy, 0, 0)->integer, 1 << 20);
	ck_assert(slice_is(result_value(copy, 1, 1)->text, "retrieve"));
	result_free(copy);
}
END_TEST

START_TEST(a_copy_has_all_notes)
{
	struct result *original = sample();

	result_add_note(original, "one");
	result_add_note(original, "two");
	struct result *copy = result_copy(original);

	ck_assert_uint_eq(copy->n_rows, 5);
	ck_assert_uint_eq(copy->n_notes, 2);
	ck_assert_str_eq(copy->notes[1], "two");
	result_free(original);
	result_free(copy);
}
END_TEST

START_TEST(keys_beyond_the_last_take_its_place)
{
	struct result_column columns[SORT_KEYS + 2];
	char names[SORT_KEYS + 2][4];
	struct table_model wide = {0};
	struct strbuf text = {0};

	for (size_t c = 0; c < SORT_KEYS + 2; c++) {
		snprintf(names[c], sizeof names[c], "c%zu", c);
		columns[c] = (struct result_column){.name = names[c], .kind = KIND_COUNT};
	}
	struct result *result = result_new("wide", columns, SORT_KEYS + 2);
	for (int64_t r = 0; r < 2; r++) {
		struct value *row = result_add_row(result);
		for (size_t c = 0; c < SORT_KEYS + 2; c++) {
			row[c] = value_integer(r);
		}
	}
	table_model_set(&wide, result);
	for (size_t c = 0; c < SORT_KEYS + 2; c++) {
		table_model_sort_add(&wide, c, false);
	}
	ck_assert_uint_eq(wide.wish.n_keys, SORT_KEYS);
	table_model_sort_text(&wide, &text);
	ck_assert_str_eq(text.data, "c0,c1,c2,c3,c4,c5,c6,c9");
	strbuf_free(&text);
	table_model_fini(&wide);
}
END_TEST

START_TEST(late_rows_are_taken_or_taken_back)
{
	struct cancel cancel;
	struct table_order *order;
	struct err err = ERR_INIT;

	memset(&cancel, 0, sizeof(cancel));
	model.at_once = 2; /* there are five */
	table_model_sort(&model, 1, true);
	ck_assert(model.is_late);
	ck_assert_str_eq(shown(), "retrieve efi concat sot threshold");
	ck_assert(table_model_revert(&model));
	ck_assert_uint_eq(model.wish.n_keys, 0);
	ck_assert(!table_model_revert(&model));
	table_model_sort(&model, 1, true);
	order = table_model_order(&model);
	ck_assert_int_eq(table_order_run(order, &cancel, &err), 0);
	table_model_take(&model, order);
	ck_assert(!model.is_late);
	ck_assert_str_eq(shown(), "efi sot threshold retrieve concat");
	table_model_mark(&model, 0);
	table_model_mark(&model, 1);
	filter("kind ~ t"); /* only narrows: in the order that stands */
	order = table_model_order(&model);
	ck_assert(order->is_sorted);
	ck_assert_int_eq(table_order_run(order, NULL, &err), 0);
	table_model_take(&model, order);
	ck_assert_str_eq(shown(), "sot threshold retrieve concat");
	ck_assert_uint_eq(model.n_marked, 1);
	table_model_unfilter(&model);
	order = table_model_order(&model);
	cancel_request(&cancel);
	ck_assert_int_eq(table_order_run(order, &cancel, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	table_order_free(order);
	order = table_model_order(&model); /* of a result that has gone meanwhile */
	table_model_set(&model, sample());
	ck_assert_int_eq(table_order_run(order, NULL, &err), 0);
	table_model_take(&model, order);
	ck_assert(model.is_late);
	ck_assert_str_eq(shown(), "retrieve efi concat sot threshold");
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("table_model");
	TCase *tests = tcase_create("table_model");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, rows_come_as_the_query_gave_them);
	tcase_add_test(tests, differences_are_sorted_by_their_size);
	tcase_add_test(tests, sorting_is_stable_and_missing_values_are_last);
	tcase_add_test(tests, several_keys_decide_one_after_the_other);
	tcase_add_loop_test(tests, sorting_agrees_with_comparing_values, 0, 4);
	tcase_add_test(tests, relations_take_units_of_the_column);
	tcase_add_test(tests, patterns_look_at_every_cell_or_at_one);
	tcase_add_test(tests, quotes_and_null_are_understood);
	tcase_add_loop_test(tests, a_written_filter_finds_exactly_its_value, 0, 6);
	tcase_add_test(tests, filters_and_sort_survive_a_new_result);
	tcase_add_test(tests, a_wrong_filter_changes_nothing);
	tcase_add_test(tests, an_unknown_column_is_named_with_its_neighbour);
	tcase_add_test(tests, marks_add_up_what_adds_up);
	tcase_add_test(tests, shown_rows_add_up);
	tcase_add_test(tests, means_and_extremes_do_not_add_up);
	tcase_add_test(tests, frequencies_count_the_rows_shown);
	tcase_add_test(tests, a_selection_is_copied_with_its_texts);
	tcase_add_test(tests, searching_ignores_case);
	tcase_add_test(tests, a_copy_has_all_notes);
	tcase_add_test(tests, keys_beyond_the_last_take_its_place);
	tcase_add_test(tests, late_rows_are_taken_or_taken_back);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
