/* Scopes: what is read, what is written, what they mean as a range and a filter. */
#include "config.h"

#include <stdlib.h>

#include "column/scan/scope.h"
#include "unit/unit.h"

static struct scope
read_scope(const char *text)
{
	struct scope scope;
	struct err err = ERR_INIT;

	ck_assert_msg(scope_read(slice_of(text), &scope, &err) == 0, "%s: %s", text, err.message);
	return scope;
}

/* Reads a text, and what is written of it: the same. */
static void
check_written(const char *text, const char *expected)
{
	struct scope scope = read_scope(text);
	struct strbuf out = {0};

	strbuf_add_text(&out, "");
	scope_write(&scope, &out);
	ck_assert_str_eq(out.data, expected);
	struct scope again = read_scope(out.data);
	ck_assert(scope_equal(&scope, &again));
	scope_free(&again);
	scope_free(&scope);
	strbuf_free(&out);
}

static void
check_refused(const char *text, const char *part)
{
	struct scope scope = {NULL, 0};
	struct err err = ERR_INIT;

	ck_assert_msg(scope_read(slice_of(text), &scope, &err) == -1, "%s", text);
	ck_assert_msg(strstr(err.message, part) != NULL, "%s: %s", text, err.message);
	ck_assert_int_eq(scope.n, 0);
}

START_TEST(words_read_back_as_the_same)
{
	check_written("", "");
	check_written(" ; ;", "");
	check_written("range 1.2s .. 3.4s; lanes worker*; name = efi",
	              "range 1.2s .. 3.4s; lanes worker*; name = efi");
	check_written("RANGE 300..1m30s;name='a;b';", "range 300ns .. 90s; name='a;b'");
	check_written("range ..1.000000001s", "range 0ns .. 1.000000001s");
	check_written("range 1500us ..", "range 1.5ms ..");
	check_written("range 9223372036.854775806s ..", "range 9223372036.854775806s ..");
	check_written("lanes worker's", "lanes 'worker''s'");
	check_written("lanes 'a; b'", "lanes 'a; b'");
	check_written("lanes ' a'", "lanes ' a'");
	check_written("lanes ''", "lanes ''");
	check_written("lanes e'a\\tb'", "lanes e'a\\tb'");
	check_written("filter 'name = a;b'", "filter 'name = a;b'");
	check_written("filter name = a", "name = a");
	check_written("name = e'\\';'; size > 1MiB", "name = e'\\';'; size > 1MiB");
	check_written("(name = a OR name = \"b;c\")", "(name = a OR name = \"b;c\")");
	check_written("name = a; name = a", "name = a");
	check_written("arg.range = 1; name = range", "arg.range = 1; name = range");
}
END_TEST

START_TEST(mistakes_are_told_with_their_place)
{
	check_refused("range", "START .. END");
	check_refused("range 1s", "START .. END");
	check_refused("range x .. 2s", "x is no time");
	check_refused("range -1s .. 2s", "-1s is no time");
	check_refused("range 2s .. 1s", "begins at 2.00 s and ends at 1.00 s");
	check_refused("range 2s .. 2s", "is empty");
	check_refused("lanes", "pattern");
	check_refused("range 1s .. 2s; nam = x", "character 17");
	check_refused("name = ?1", "parameters have no value here");
	check_refused("name = 'x", "does not end");
	check_refused("worker", "character 1");
	check_refused("name = a) OR (name = b", "character 9");
}
END_TEST

START_TEST(ranges_have_what_they_share)
{
	int64_t start = -1, end = -1;
	struct scope scope = read_scope("lanes x");

	ck_assert(!scope_range(&scope, &start, &end));
	scope_free(&scope);
	scope = read_scope("range 1s .. 5s; range 2s ..; range .. 4s");
	ck_assert(scope_range(&scope, &start, &end));
	ck_assert_int_eq(start, 2000000000);
	ck_assert_int_eq(end, 4000000000);
	scope_free(&scope);
	scope = read_scope("range 1s .. 2s; range 3s .. 4s");
	ck_assert(scope_range(&scope, &start, &end));
	ck_assert_int_eq(start, end);
	scope_free(&scope);
}
END_TEST

static void
check_filter(const char *text, const char *expected)
{
	struct scope scope = read_scope(text);
	char *filter = scope_filter(&scope);

	if (expected) {
		ck_assert_str_eq(filter, expected);
	} else {
		ck_assert(!filter);
	}
	free(filter);
	scope_free(&scope);
}

START_TEST(lanes_and_conditions_are_one_filter)
{
	check_filter("range 1s .. 2s", NULL);
	check_filter("lanes w*; range .. 1s; name = a OR name = b",
	             "lane_name GLOB 'w*' AND (name = a OR name = b)");
}
END_TEST

START_TEST(conditions_that_choose_spans)
{
	static const char *const texts[] = {"range 1s .. 2s; lanes w*", "host = a OR lane < 3",
	                                    "host = a; host = a OR name = b"};
	static const char *const found[] = {NULL, NULL, "host = a OR name = b"};

	for (int i = 0; i < 3; i++) {
		struct scope scope = read_scope(texts[i]);
		const char *condition = scope_condition(&scope);
		ck_assert_msg((condition == NULL) == (found[i] == NULL), "%s", texts[i]);
		ck_assert(!condition || strcmp(condition, found[i]) == 0);
		scope_free(&scope);
	}
}
END_TEST

START_TEST(words_come_and_go)
{
	struct scope scope = read_scope("range 1s .. 2s; lanes w*; name = a"), copy;
	struct strbuf out = {0};

	scope_copy(&copy, &scope);
	scope_remove(&copy, 1);
	scope_add(&copy, &scope.words[0]);
	scope_write(&copy, &out);
	ck_assert_str_eq(out.data, "range 1s .. 2s; name = a");
	ck_assert(!scope_equal(&copy, &scope));
	scope_free(&copy);
	scope_copy(&copy, NULL);
	ck_assert_int_eq(copy.n, 0);
	scope_free(&scope);
	strbuf_free(&out);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("scope");
	TCase *tests = tcase_create("scope");

	tcase_add_test(tests, words_read_back_as_the_same);
	tcase_add_test(tests, mistakes_are_told_with_their_place);
	tcase_add_test(tests, ranges_have_what_they_share);
	tcase_add_test(tests, lanes_and_conditions_are_one_filter);
	tcase_add_test(tests, conditions_that_choose_spans);
	tcase_add_test(tests, words_come_and_go);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
