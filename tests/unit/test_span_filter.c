/* What is typed after "&" about spans: what is a condition, what a pattern, what a mistake, and
 * where. */
#include "config.h"

#include <stdlib.h>

#include "query/spans/span_filter.h"
#include "unit/unit.h"

static void
check_written(const char *typed, const char *expected)
{
	struct err err = ERR_INIT;
	char *filter = span_filter_write(slice_of(typed), &err);

	ck_assert_msg(filter != NULL, "%s: %s", typed, err.message);
	ck_assert_str_eq(filter, expected);
	free(filter);
}

static void
check_refused(const char *typed, const char *part)
{
	struct err err = ERR_INIT;
	char *filter = span_filter_write(slice_of(typed), &err);

	ck_assert_msg(filter == NULL, "%s: %s", typed, filter);
	ck_assert_msg(strstr(err.message, part) != NULL, "%s: %s", typed, err.message);
}

START_TEST(conditions_stay_as_they_are)
{
	static const char *const texts[] = {"duration > 1ms",
	                                    "dur>1ms AND path LIKE '%.pt'",
	                                    "NOT (kind = efi OR size IS NULL)",
	                                    "(((name = 'x')))",
	                                    "arg.kind = efi",
	                                    "arg.\"a key\" = 3",
	                                    "NAME in (a, b-1.c, 'd')",
	                                    "size NOT BETWEEN 1KiB AND 1MiB",
	                                    "name!=x"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		check_written(texts[i], texts[i]);
	}
	check_written("  depth = 1 ", "depth = 1");
}
END_TEST

START_TEST(all_else_is_a_pattern_for_names)
{
	check_written("^efi", "name REGEXP '^efi'");
	check_written("it's", "name REGEXP 'it''s'");
	check_written("end of step", "name REGEXP 'end of step'");
	check_written("name of it", "name REGEXP 'name of it'");
	check_written("duration", "name REGEXP 'duration'");
	check_written("(a|b)=c", "name REGEXP '(a|b)=c'");
	check_written("a=b", "name REGEXP 'a=b'");
	check_written("operator<", "name REGEXP 'operator<'");
	check_written("nothing", "name REGEXP 'nothing'");
	check_written("arg.", "name REGEXP 'arg.'");
}
END_TEST

START_TEST(patterns_as_in_tables)
{
	check_written("name ~ ^efi", "name REGEXP '^efi'");
	check_written("lane_name !~ 'worker 0'", "lane_name NOT REGEXP 'worker 0'");
	check_written("arg.kind~\"a\"", "arg.kind REGEXP 'a'");
}
END_TEST

START_TEST(mistakes_are_told_by_their_place)
{
	check_refused("dur > abc", "filter, character 7: duration is compared with a text");
	check_refused("  dur > abc", "filter, character 9: duration");
	check_refused("duration >", "character 11: expected a value");
	check_refused("name = a b", "character 10: expected AND, OR or the end");
	check_refused("size > 10ms", "a size");
	check_refused("bogus > 3", "there is no column 'bogus'");
	check_refused("durtion > 3ms", "did you mean duration?");
	check_refused("\"durtion\" = 3", "did you mean duration?");
	check_refused("a(", "character 3: '(' without ')'");
	check_refused("name ~ a(", "'(' without ')'");
}
END_TEST

START_TEST(columns_that_a_filter_asks_for)
{
	ck_assert(span_filter_names("depth > 1 AND Kind = 'x'", "kind"));
	ck_assert(!span_filter_names("arg.kind = 'kind'", "kind"));
	ck_assert(!span_filter_names("name = 'kind", "kind"));
	ck_assert(!span_filter_names("", "kind"));
}
END_TEST

START_TEST(keys_stand_in_quotes_where_they_must)
{
	struct strbuf out = {0};

	span_filter_write_key(&out, slice_of("fd.x"));
	ck_assert_str_eq(out.data, "fd.x");
	strbuf_clear(&out);
	span_filter_write_key(&out, slice_of("a \"key\""));
	ck_assert_str_eq(out.data, "\"a \"\"key\"\"\"");
	strbuf_clear(&out);
	span_filter_write_key(&out, slice_of(""));
	ck_assert_str_eq(out.data, "\"\"");
	strbuf_free(&out);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("span_filter");
	TCase *tests = tcase_create("span_filter");

	tcase_add_test(tests, conditions_stay_as_they_are);
	tcase_add_test(tests, all_else_is_a_pattern_for_names);
	tcase_add_test(tests, patterns_as_in_tables);
	tcase_add_test(tests, mistakes_are_told_by_their_place);
	tcase_add_test(tests, columns_that_a_filter_asks_for);
	tcase_add_test(tests, keys_stand_in_quotes_where_they_must);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
