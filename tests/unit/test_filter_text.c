/*
 * What SQLite cannot say of the filter language: units, arguments that are texts and numbers at
 * once, errors, and filters made to hurt.
 */
#include "config.h"

#include <inttypes.h>

#include "column/scan/filter.h"
#include "unit/matching.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct fixture *fixture;

static void
setup(void)
{
	fixture = fixture_new(7, 500, 300, true);
}

static void
teardown(void)
{
	fixture_free(fixture);
}

static void
check_same(enum block_kind kind, const char *a, const char *b)
{
	struct err err = ERR_INIT;
	unsigned char *rows_a = matching_rows(fixture, kind, a, NULL, 2, &err),
		      *rows_b = matching_rows(fixture, kind, b, NULL, 1, &err);
	ck_assert_msg(rows_a && rows_b, "%s | %s: %s", a, b, err.message);
	ck_assert_msg(memcmp(rows_a, rows_b, fixture->n_rows[kind]) == 0, "%s | %s", a, b);
	free(rows_a);
	free(rows_b);
}

START_TEST(units_synonyms_and_spelling)
{
	check_same(BLOCK_SPAN, "duration >= 2us", "DUR>=2000");
	check_same(BLOCK_SPAN, "self < 1.5us", "SELF < 1500");
	check_same(BLOCK_SPAN, "size = 4KiB", "size = 4096");
	check_same(BLOCK_SPAN, "size >= '64KiB'", "size >= 65536");
	check_same(BLOCK_SPAN, "finish > 100us", "end > 100000");
	check_same(BLOCK_SPAN, "start between 10us and 1ms", "start >= 10000 AND start <= 1000000");
	check_same(BLOCK_SPAN, "name = \"read\"", "name = 'read'");
	check_same(BLOCK_SPAN, "name = \"it's\"", "name = 'it''s'");
	check_same(BLOCK_SPAN, "name = e'\\x72e\\x61d'", "name = 'read'");
	check_same(BLOCK_SPAN, "arg.e'odd\\x20key' is not null", "arg.'odd key' is not null");
	check_same(BLOCK_SPAN, "name = read OR name IN (write,open)",
	           "name = 'read' OR name IN ('write', 'open')");
	check_same(BLOCK_SPAN, "(lane_name = node-1.x)", "lane_name = 'node-1.x'");
	check_same(BLOCK_SPAN, "", " \t\n ");
	check_same(BLOCK_SPAN, "", "id > 0");
	check_same(BLOCK_SPAN, "arg.nowhere IS NULL", "");
	check_same(BLOCK_SPAN, "arg.nowhere = 1 OR NOT arg.nowhere = 1", "id < 0");
	check_same(BLOCK_SPAN, "arg.'odd key' is not null", "arg.\"odd key\" NOT GLOB 'x'");
	check_same(BLOCK_EVENT, "time > 100us", "start > 100000");
}
END_TEST

/* The one rule SQL does not have: a JSON text that is an integer equals both. */
static bool
mix_equals(const struct row_value *value, const struct scan_value *literal)
{
	if (value->type == VALUE_IS_NULL) {
		return false;
	}
	if (literal->type == SCAN_TEXT && value->type == VALUE_IS_TEXT) {
		return slice_equal(value->text, literal->text);
	}
	if (literal->type == SCAN_TEXT) {
		char digits[32];
		snprintf(digits, sizeof digits,
		         value->type == VALUE_IS_UNSIGNED ? "%" PRIu64 : "%" PRId64,
		         value->integer);
		return (value->type == VALUE_IS_UNSIGNED || value->type == VALUE_IS_INTEGER_TEXT) &&
		       slice_is(literal->text, digits);
	}
	if (value->type == VALUE_IS_REAL) {
		return value->real == (double)literal->integer;
	}
	return (value->type == VALUE_IS_INTEGER || value->type == VALUE_IS_INTEGER_TEXT) &&
	       value->integer == literal->integer;
}

START_TEST(arguments_of_every_type)
{
	static const struct scan_value literals[] = {
	    {.type = SCAN_INTEGER, .integer = 3},
	    {.type = SCAN_INTEGER, .integer = 7},
	    {.type = SCAN_INTEGER, .integer = -1},
	    {.type = SCAN_TEXT, .text = {"3", 1}},
	    {.type = SCAN_TEXT, .text = {"7", 1}},
	    {.type = SCAN_TEXT, .text = {"seven", 5}},
	    {.type = SCAN_TEXT, .text = {"18446744073709551615", 20}},
	    {.type = SCAN_TEXT, .text = {"{\"a\":[1]}", 9}}};
	static const struct {
		const char *op;
		bool is_negated;
	} forms[] = {{"= ?1", false},
	             {"IN (?1)", false},
	             {"<> ?1", true},
	             {"NOT IN ('none', ?1)", true},
	             {"BETWEEN ?1 AND ?1", false}};
	for (int key = KEY_FD; key <= KEY_MIX; key += KEY_MIX - KEY_FD) {
		for (size_t l = 0; l < COUNT(literals) * COUNT(forms); l++) {
			struct scan_value parameters[SCAN_PARAMETERS] = {
			    literals[l / COUNT(forms)]};
			struct err err = ERR_INIT;
			char text[100];
			snprintf(text, sizeof text, "arg.%s %s", fixture_keys[key],
			         forms[l % COUNT(forms)].op);
			unsigned char *rows =
			    matching_rows(fixture, BLOCK_SPAN, text, parameters, 2, &err);
			ck_assert_msg(rows != NULL, "%s: %s", text, err.message);
			for (size_t i = 0; i < fixture->n_rows[BLOCK_SPAN]; i++) {
				const struct row_value *value =
				    &fixture->rows[BLOCK_SPAN][i].args[key];
				bool expected = mix_equals(value, &parameters[0]);
				if (forms[l % COUNT(forms)].is_negated) {
					expected = value->type != VALUE_IS_NULL && !expected;
				}
				FIXTURE_CHECK(rows[i] == expected, "%s, literal %zu, row %zu", text,
				              l / COUNT(forms), i);
			}
			free(rows);
		}
	}
}
END_TEST

START_TEST(threads_agree)
{
	static const char *const filters[] = {"path LIKE '%model%' AND duration > 1us",
	                                      "name REGEXP '^[a-m]' OR arg.mix > 2",
	                                      "host = 'node1' OR size IS NULL"};
	for (size_t i = 0; i < COUNT(filters); i++) {
		struct err err = ERR_INIT;
		unsigned char *one = matching_rows(fixture, BLOCK_SPAN, filters[i], NULL, 1, &err);
		unsigned char *seven =
		    matching_rows(fixture, BLOCK_SPAN, filters[i], NULL, 7, &err);
		ck_assert(one && seven);
		ck_assert_int_eq(memcmp(one, seven, fixture->n_rows[BLOCK_SPAN]), 0);
		free(one);
		free(seven);
	}
}
END_TEST

static void
check_refused(enum block_kind kind, const char *text, enum err_code code, const char *part)
{
	static const struct scan_value parameters[SCAN_PARAMETERS] = {
	    {.type = SCAN_TEXT, .text = {"x", 1}}};
	struct err err = ERR_INIT;
	struct filter *filter = filter_compile(&fixture->dataset, kind, text, parameters, &err);
	ck_assert_msg(filter == NULL, "%s", text);
	ck_assert_msg(err.code == code, "%.100s: code %d, %s", text, err.code, err.message);
	ck_assert_msg(strstr(err.message, part) != NULL, "%.100s: %s", text, err.message);
}

START_TEST(errors_say_where_and_what)
{
	check_refused(BLOCK_SPAN, "nme = 'x'", ERR_QUERY,
	              "character 1: expected a column (id, name, category, path");
	check_refused(BLOCK_SPAN, "nme = 'x'", ERR_QUERY, "found nme");
	check_refused(BLOCK_SPAN, "name ~ 'x'", ERR_QUERY, "character 6");
	check_refused(BLOCK_SPAN, "name 'x'", ERR_QUERY, "character 6: expected =");
	check_refused(BLOCK_SPAN, "name = ", ERR_QUERY, "found the end");
	check_refused(BLOCK_SPAN, "name = AND", ERR_QUERY, "character 8: expected a value");
	check_refused(BLOCK_SPAN, "name = x y", ERR_QUERY, "character 10: expected AND, OR");
	check_refused(BLOCK_SPAN, "name = x(1, 2)", ERR_QUERY, "character 11: expected AND");
	check_refused(BLOCK_SPAN, "duration > abc", ERR_QUERY, "character 12: duration");
	check_refused(BLOCK_SPAN, "name = 'x", ERR_QUERY, "does not end");
	check_refused(BLOCK_SPAN, "name = e'x\\y'", ERR_QUERY,
	              "character 11: a text in e'...' has");
	check_refused(BLOCK_SPAN, "(name = 'x'", ERR_QUERY, "AND, OR or )");
	check_refused(BLOCK_SPAN, "name = 'x')", ERR_QUERY, "AND, OR or the end");
	check_refused(BLOCK_SPAN, "name = 'x' name = 'y'", ERR_QUERY, "character 12");
	check_refused(BLOCK_SPAN, "name = ?9", ERR_QUERY, "?1 to ?8");
	check_refused(BLOCK_SPAN, "name = ?12", ERR_QUERY, "?1 to ?8");
	check_refused(BLOCK_SPAN, "duration > 10parsec", ERR_QUERY, "a duration");
	check_refused(BLOCK_SPAN, "size > 10ms", ERR_QUERY, "a size");
	check_refused(BLOCK_SPAN, "size > 'many'", ERR_QUERY, "a size");
	check_refused(BLOCK_SPAN, "size > ?1", ERR_QUERY, "a size");
	check_refused(BLOCK_SPAN, "depth = 1ms", ERR_QUERY, "is not a number");
	check_refused(BLOCK_SPAN, "name REGEXP '('", ERR_QUERY, "character 13");
	check_refused(BLOCK_SPAN, "name LIKE 'x' ESCAPE 'ab'", ERR_QUERY, "one character");
	check_refused(BLOCK_SPAN, "name NOT = 'x'", ERR_QUERY, "after NOT");
	check_refused(BLOCK_SPAN, "name IS 'x'", ERR_QUERY, "after IS");
	check_refused(BLOCK_SPAN, "name IN 'x'", ERR_QUERY, "( after IN");
	check_refused(BLOCK_SPAN, "name IN ('x' 'y')", ERR_QUERY, ", or )");
	check_refused(BLOCK_SPAN, "size BETWEEN 1 OR 2", ERR_QUERY, "BETWEEN");
	check_refused(BLOCK_SPAN, "value > 1", ERR_QUERY, "expected a column");
	check_refused(BLOCK_EVENT, "duration > 1", ERR_QUERY, "expected a column");
	check_refused(BLOCK_COUNTER, "path = 'x'", ERR_QUERY, "value");
	check_refused(BLOCK_SPAN, "arg. = 1", ERR_QUERY, "name of an argument");
	check_refused(BLOCK_SPAN, "\x80 = 1", ERR_QUERY, "character 1");
	check_refused(BLOCK_SPAN, "name = -'x'", ERR_QUERY, "a number");
	check_refused(BLOCK_SPAN, "AND", ERR_QUERY, "character 1");
	check_refused(BLOCK_SPAN, "()", ERR_QUERY, "character 2");
}
END_TEST

static char *
repeated(const char *part, size_t n, const char *end)
{
	struct strbuf text = {0};
	for (size_t i = 0; i < n; i++) {
		strbuf_add_text(&text, part);
	}
	strbuf_add_text(&text, end);
	return strbuf_take(&text);
}

START_TEST(hostile_filters_are_refused)
{
	static const struct {
		const char *part, *end, *message;
		size_t n;
	} cases[] = {{"(", "name = 'x'", "nested deeper", 100000},
	             {"not (", "name = 'x'", "nested deeper", 1000},
	             {"name = 'x' or ", "name = 'x'", "conditions", 20000},
	             {"name = NULL or ", "name = 'x'", "conditions", 20000},
	             {"name = 'xxxxxxxxxxxxxxxxxxx' or ", "name = 'x'", "longer than", 100000},
	             {"name in (", "", "character 15", 3}};
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = repeated(cases[i].part, cases[i].n, cases[i].end);
		check_refused(BLOCK_SPAN, text,
		              strstr(cases[i].message, "character") ? ERR_QUERY : ERR_LIMIT,
		              cases[i].message);
		free(text);
	}
	char *pattern = repeated("%a", 30000, "'"), *text;
	struct strbuf filter = {0};
	strbuf_printf(&filter, "name LIKE '%s", pattern);
	check_refused(BLOCK_SPAN, filter.data, ERR_LIMIT, "pattern longer");
	strbuf_clear(&filter);
	strbuf_add_text(&filter, "name REGEXP '((a{1,255}){1,255}){1,255}'");
	check_refused(BLOCK_SPAN, filter.data, ERR_LIMIT, "character 13");
	/* Long but fine. */
	struct err err = ERR_INIT;
	text = repeated("not ", 100001, "name = 'read'");
	unsigned char *rows = matching_rows(fixture, BLOCK_SPAN, text, NULL, 1, &err);
	ck_assert_msg(rows != NULL, "%s", err.message);
	free(rows);
	free(text);
	text = repeated("'x', ", 100000, "'read')");
	strbuf_clear(&filter);
	strbuf_printf(&filter, "name IN (%s", text);
	check_same(BLOCK_SPAN, filter.data, "name = 'read'");
	free(text);
	free(pattern);
	strbuf_free(&filter);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("filter_text");
	TCase *tcase = tcase_create("filter_text");
	tcase_add_unchecked_fixture(tcase, setup, teardown);
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, units_synonyms_and_spelling);
	tcase_add_test(tcase, arguments_of_every_type);
	tcase_add_test(tcase, threads_agree);
	tcase_add_test(tcase, errors_say_where_and_what);
	tcase_add_test(tcase, hostile_filters_are_refused);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
