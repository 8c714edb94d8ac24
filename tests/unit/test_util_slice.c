/* Slices: numbers against the C library's, buffers. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "unit.h"
#include "util/prng.h"
#include "util/library.h"
#include "util/slice.h"

START_TEST(integers)
{
	static const struct {
		const char *text;
		bool is_int, is_uint;
		int64_t value;
	} cases[] = {
	    {"0", true, true, 0},
	    {"-0", true, false, 0},
	    {"007", true, true, 7},
	    {"9223372036854775807", true, true, INT64_MAX},
	    {"9223372036854775808", false, true, INT64_MIN},
	    {"-9223372036854775808", true, false, INT64_MIN},
	    {"-9223372036854775809", false, false, 0},
	    {"18446744073709551615", false, true, -1},
	    {"18446744073709551616", false, false, 0},
	    {"99999999999999999999", false, false, 0},
	    {"000000000000000000000000000012", true, true, 12},
	    {"", false, false, 0},
	    {"-", false, false, 0},
	    {"+1", false, false, 0},
	    {"1 ", false, false, 0},
	    {" 1", false, false, 0},
	    {"1.0", false, false, 0},
	    {"0x1", false, false, 0},
	    {"--1", false, false, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t value = 0;
		uint64_t unsigned_value = 0;
		struct slice text = slice_of(cases[i].text);
		ck_assert_msg(slice_int64(text, &value) == cases[i].is_int, "%s", cases[i].text);
		ck_assert_msg(slice_uint64(text, &unsigned_value) == cases[i].is_uint, "%s",
		              cases[i].text);
		if (cases[i].is_int) {
			ck_assert_int_eq(value, cases[i].value);
		}
		if (cases[i].is_uint) {
			ck_assert_uint_eq(unsigned_value, (uint64_t)cases[i].value);
		}
	}
}
END_TEST

START_TEST(printed_integers_read_back)
{
	struct prng prng = {2};
	struct strbuf buf = {0};

	for (int i = 0; i < 100000; i++) {
		uint64_t number = prng_next(&prng) >> prng_below(&prng, 64);
		uint64_t unsigned_back;
		int64_t back;
		char text[32];
		snprintf(text, sizeof text, "%" PRIu64, number);
		ck_assert(slice_uint64(slice_of(text), &unsigned_back) && unsigned_back == number);
		snprintf(text, sizeof text, "%" PRId64, (int64_t)number);
		ck_assert(slice_int64(slice_of(text), &back) && back == (int64_t)number);
		strbuf_clear(&buf);
		strbuf_add_integer(&buf, back);
		ck_assert_str_eq(buf.data, text);
	}
	strbuf_clear(&buf);
	strbuf_add_integer(&buf, INT64_MIN);
	strbuf_add_integer(&buf, 0);
	ck_assert_str_eq(buf.data, "-92233720368547758080");
	strbuf_free(&buf);
}
END_TEST

START_TEST(reals_agree_with_strtod)
{
	struct prng prng = {3};

	for (int i = 0; i < 100000; i++) {
		char text[64];
		double value;
		uint64_t bits = prng_next(&prng);
		switch (prng_below(&prng, 4)) {
		case 0:
			memcpy(&value, &bits, sizeof value);
			snprintf(text, sizeof text, "%.*g", (int)prng_below(&prng, 20), value);
			break;
		case 1:
			snprintf(text, sizeof text, "%" PRIu64 ".%06" PRIu64, bits >> 30,
			         prng_below(&prng, 1000000));
			break;
		case 2:
			snprintf(text, sizeof text, "-%" PRIu64 "e%d",
			         bits >> prng_below(&prng, 60), (int)prng_below(&prng, 60) - 30);
			break;
		default:
			snprintf(text, sizeof text, "0.000%" PRIu64, bits);
		}
		double expected = strtod(text, NULL);
		ck_assert_msg(slice_double(slice_of(text), &value), "%s", text);
		ck_assert_msg(memcmp(&value, &expected, sizeof value) == 0 ||
		                  (isnan(value) && isnan(expected)),
		              "%s: %a, not %a", text, value, expected);
	}
}
END_TEST

START_TEST(what_is_no_real)
{
	static const char *const no[] = {"",     "-",     "+",   ".",      "1e",   "1e+", "1.2.3",
	                                 "0x10", " 1",    "1 ",  "1f",     "nanx", "in",  "--1",
	                                 "e5",   "1e5.0", "1,5", "nan(1)", "1e1e1"};
	static const char *const yes[] = {"1.", ".5", "+1", "NaN", "-inf", "Infinity", "1E5", "-0"};
	double value;

	for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
		ck_assert_msg(!slice_double(slice_of(no[i]), &value), "%s", no[i]);
	}
	for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
		ck_assert_msg(slice_double(slice_of(yes[i]), &value), "%s", yes[i]);
	}
	ck_assert(slice_double(slice_of("-0"), &value) && signbit(value));
	/* Not NUL-terminated: the slice ends where it says. */
	ck_assert(slice_double((struct slice){"12345", 2}, &value) && value == 12);
}
END_TEST

START_TEST(contains)
{
	ck_assert(slice_contains(slice_of("abcabd"), slice_of("abd")));
	ck_assert(!slice_contains(slice_of("abcab"), slice_of("abd")));
	ck_assert(slice_contains(slice_of(""), slice_of("")));
	ck_assert(!slice_contains(slice_of(""), slice_of("a")));
	ck_assert(slice_equal((struct slice){NULL, 0}, slice_of("")));
	ck_assert(slice_is((struct slice){"abc", 2}, "ab"));
	ck_assert(!slice_is((struct slice){"abc", 2}, "abc"));
}
END_TEST

START_TEST(contains_whatever_the_case)
{
	ck_assert(slice_contains_anycase(slice_of("aBcabD"), slice_of("AbD")));
	ck_assert(slice_contains_anycase(slice_of("aBcabD"), slice_of("abC")));
	ck_assert(!slice_contains_anycase(slice_of("aBcab"), slice_of("abd")));
	ck_assert(!slice_contains_anycase(slice_of("ab"), slice_of("abc")));
	ck_assert(slice_contains_anycase(slice_of("ab"), slice_of("")));
	ck_assert(slice_contains_anycase(slice_of(""), slice_of("")));
	ck_assert(!slice_contains_anycase((struct slice){"abc", 2}, slice_of("c")));
}
END_TEST

START_TEST(numbers_above_the_range)
{
	static const char *const above[] = {"9223372036854775808", "1e300", "9.3e18", "+1e19"};
	static const char *const within[] = {
	    "9223372036854775807", "-1e300", "1e10", "0.5", "nan", "inf", "", "x", "1e999"};

	for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
		ck_assert_msg(slice_is_above_int64(slice_of(above[i])), "%s", above[i]);
	}
	for (size_t i = 0; i < sizeof within / sizeof *within; i++) {
		ck_assert_msg(!slice_is_above_int64(slice_of(within[i])), "%s", within[i]);
	}
}
END_TEST

/* Zeros before and behind, digits without end, exponents that no integer holds. */
START_TEST(reals_of_any_length)
{
	double value;
	char text[400] = "0.";

	for (size_t n = 1; n < sizeof text - 8; n++) {
		memset(text + 2, '0', n - 1);
		snprintf(text + 1 + n, sizeof text - 1 - n, "7e%zu", n);
		ck_assert_msg(slice_double(slice_of(text), &value) && value == 7, "%s", text);
		memset(text + 2, '3', n);
		text[2 + n] = '\0';
		ck_assert_msg(slice_double(slice_of(text), &value) && value == strtod(text, NULL),
		              "%s", text);
	}
	ck_assert(slice_double(slice_of("1e99999999999999999999"), &value) && value > 1e308);
	ck_assert(slice_double(slice_of("1e-99999999999999999999"), &value) && value == 0);
	ck_assert(slice_double(slice_of("-1e22"), &value) && value == -1e22);
	ck_assert(slice_double(slice_of("9007199254740993e-23"), &value) &&
	          value == 9007199254740993e-23);
}
END_TEST

START_TEST(buffers)
{
	struct strbuf buf = {NULL, 0, 0};

	ck_assert_uint_eq(strbuf_slice(&buf).len, 0);
	strbuf_add(&buf, "", 0);
	ck_assert_str_eq(buf.data, "");
	for (int i = 0; i < 1000; i++) {
		strbuf_add_char(&buf, 'a');
		strbuf_add_text(&buf, "bc");
		strbuf_printf(&buf, "%d", i % 10);
	}
	ck_assert_uint_eq(buf.len, 4000);
	ck_assert_uint_eq(strlen(buf.data), 4000);
	ck_assert_int_eq(memcmp(buf.data + 3996, "abc9", 5), 0);
	strbuf_clear(&buf);
	ck_assert_str_eq(buf.data, "");
	ck_assert_uint_eq(buf.len, 0);
	strbuf_add_slice(&buf, (struct slice){"xyz", 1});
	ck_assert(slice_is(strbuf_slice(&buf), "x"));
	char *text = strbuf_take(&buf);
	ck_assert_str_eq(text, "x");
	ck_assert_ptr_null(buf.data);
	free(text);
	text = strbuf_take(&buf);
	ck_assert_str_eq(text, "");
	free(text);
	strbuf_free(&buf);
}
END_TEST

START_TEST(blanks_are_taken_off)
{
	static const struct {
		const char *text, *trimmed;
		size_t length; /* of text; 0: to its NUL */
	} cases[] = {{"", "", 0},       {" \t\r\n", "", 0}, {"a", "a", 0},     {" a b\t", "a b", 0},
	             {"\na\n", "a", 0}, {"\va", "\va", 0},  {" a \0", NULL, 4}};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		size_t length = cases[i].length ? cases[i].length : strlen(cases[i].text);
		struct slice trimmed = slice_trim((struct slice){cases[i].text, length}, " \t\r\n");
		struct slice wanted = cases[i].length ? (struct slice){"a \0", 3}
		                                      /* NUL is no blank */
		                                      : slice_of(cases[i].trimmed);
		ck_assert(slice_equal(trimmed, wanted));
	}
	ck_assert(slice_is(slice_trim(slice_of("\ra\n"), " \t"), "\ra\n"));
}
END_TEST

START_TEST(beginnings_and_endings)
{
	const struct slice none = {NULL, 0}, name = slice_of("Run.CSV");

	ck_assert(slice_starts_with(name, "Run") && slice_starts_with(name, ""));
	ck_assert(slice_starts_with(name, "Run.CSV") && !slice_starts_with(name, "Run.CSV."));
	ck_assert(!slice_starts_with(name, "run") && slice_starts_with(none, ""));
	ck_assert(slice_ends_with(name, "CSV") && slice_ends_with(name, "Run.CSV"));
	ck_assert(!slice_ends_with(name, "csv") && !slice_ends_with(name, "aRun.CSV"));
	ck_assert(slice_ends_with(none, "") && !slice_ends_with(none, "a"));
	ck_assert(slice_has_ending(name, ".csv") && slice_has_ending(name, ".CSV"));
	ck_assert(!slice_has_ending(name, "run.csv") && !slice_has_ending(none, ".csv"));
	ck_assert(!slice_has_ending(name, "txt"));
	ck_assert(slice_is_anycase(name, "rUN.csv") && slice_is_anycase(none, ""));
	ck_assert(!slice_is_anycase(name, "run.cs") && !slice_is_anycase(name, "run.csvs"));
	ck_assert(!slice_is_anycase(slice_of("[`"), "{@")); /* 32 apart, but no letters */
	ck_assert(slice_is(slice_from(name, 4), "CSV") && slice_is(slice_from(name, 0), "Run.CSV"));
	ck_assert(slice_from(name, 7).len == 0 && slice_from(name, SIZE_MAX).len == 0);
	ck_assert(slice_is(slice_behind_mark(slice_of("\xef\xbb\xbf"
	                                              "a")),
	                   "a"));
	ck_assert(slice_is(slice_behind_mark(slice_of("\xef\xbb"
	                                              "a")),
	                   "\xef\xbb"
	                   "a"));
	ck_assert(slice_is(slice_behind_mark(none), ""));
}
END_TEST

START_TEST(texts_are_ordered_by_bytes)
{
	static const char *const order[] = {"",  "a",    "a\x01", "aa",  "ab",
	                                    "b", "\x7f", "\x80",  "\xff"};

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
			int got = slice_compare(slice_of(order[i]), slice_of(order[k]));

			ck_assert_int_eq((got > 0) - (got < 0), (i > k) - (i < k));
		}
	}
	ck_assert_int_eq(slice_compare((struct slice){NULL, 0}, slice_of("")), 0);
}
END_TEST

START_TEST(libraries_tell_of_another_version_than_the_compiled_one)
{
	struct strbuf text = {0};

	library_add(&text, "a", "1.2", "1.2");
	library_add(&text, "b", "6.4", "6.4.2022");
	library_add(&text, "c", "3.26.0", "3.40.1");
	library_add(&text, "d", "2.30", NULL);
	library_add(&text, "e", "1.2", "1.20");
	ck_assert_str_eq(text.data, "a 1.2, b 6.4.2022, c 3.40.1 (compiled for 3.26.0), d 2.30, "
	                            "e 1.20 (compiled for 1.2)");
	strbuf_free(&text);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_slice");
	TCase *tests = tcase_create("slice");

	tcase_add_test(tests, integers);
	tcase_add_test(tests, blanks_are_taken_off);
	tcase_add_test(tests, printed_integers_read_back);
	tcase_add_test(tests, reals_agree_with_strtod);
	tcase_add_test(tests, what_is_no_real);
	tcase_add_test(tests, contains);
	tcase_add_test(tests, contains_whatever_the_case);
	tcase_add_test(tests, numbers_above_the_range);
	tcase_add_test(tests, reals_of_any_length);
	tcase_add_test(tests, beginnings_and_endings);
	tcase_add_test(tests, texts_are_ordered_by_bytes);
	tcase_add_test(tests, buffers);
	tcase_add_test(tests, libraries_tell_of_another_version_than_the_compiled_one);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
