/* Texts in quotes: what is written is read again as it was, whatever its bytes, and shows on one
 * line. */
#include "config.h"

#include <string.h>

#include "tests/unit/unit.h"
#include "util/prng.h"
#include "util/quote.h"
#include "util/utf8.h"

static struct strbuf written, read_again;

static void
teardown(void)
{
	strbuf_free(&written);
	strbuf_free(&read_again);
}

static const char *
quoted(struct slice text, char quote)
{
	strbuf_clear(&written);
	quote_add(&written, text, quote);
	return written.data;
}

START_TEST(texts_are_written_plainly_where_that_shows_them)
{
	ck_assert_str_eq(quoted(slice_of("efi"), '\''), "'efi'");
	ck_assert_str_eq(quoted(slice_of(""), '"'), "\"\"");
	ck_assert_str_eq(quoted(slice_of("it's \"so\""), '\''), "'it''s \"so\"'");
	ck_assert_str_eq(quoted(slice_of("C:\\temp\\new"), '\''), "'C:\\temp\\new'");
	ck_assert_str_eq(quoted(slice_of("größe"), '"'), "\"größe\"");
	ck_assert_str_eq(quoted((struct slice){"a\0b", 3}, '\''), "e'a\\0b'");
	ck_assert_str_eq(quoted(slice_of("two\nlines'\t\\"), '\''), "e'two\\nlines\\'\\t\\\\'");
	ck_assert_str_eq(quoted(slice_of("\xff\x1b[2J\"ü"), '\''), "e'\\xff\\x1b[2J\"ü'");
}
END_TEST

START_TEST(escapes_are_read_and_others_refused)
{
	static const struct {
		const char *text;
		enum quote_outcome outcome;
		size_t n;
		const char *means;
	} cases[] = {
	    {"'a''b' rest", QUOTE_TAKEN, 6, "a'b"},
	    {"'a\\n'", QUOTE_TAKEN, 5, "a\\n"}, /* no escapes without the e */
	    {"e'a\\n\\x41\\'''\\\"'", QUOTE_TAKEN, 16, "a\nA''\""},
	    {"E\"\\\"\" AND", QUOTE_TAKEN, 5, "\""},
	    {"e'\\q'", QUOTE_ESCAPE, 2, NULL},
	    {"e'ab\\x4'", QUOTE_ESCAPE, 4, NULL},
	    {"e'\\", QUOTE_ESCAPE, 2, NULL},
	    {"e'\\'", QUOTE_OPEN, 0, NULL},
	    {"'", QUOTE_OPEN, 0, NULL},
	    {"'a''", QUOTE_OPEN, 0, NULL},
	    {"e", QUOTE_NONE, 0, NULL},
	    {"efi", QUOTE_NONE, 0, NULL},
	    {"", QUOTE_NONE, 0, NULL},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = 0;

		strbuf_clear(&read_again);
		ck_assert_msg(quote_take(slice_of(cases[i].text), &read_again, &n) ==
		                  cases[i].outcome,
		              "%s", cases[i].text);
		if (cases[i].outcome == QUOTE_TAKEN) {
			ck_assert_str_eq(read_again.data, cases[i].means);
		}
		if (cases[i].n > 0) {
			ck_assert_uint_eq(n, cases[i].n);
		}
	}
}
END_TEST

START_TEST(any_bytes_come_back)
{
	struct prng prng = {20 + (uint64_t)_i};
	static const char odd[] = "\0\n\t\r'\"\\ex0\x7f\xff\xc3\xa9\xef\xbf\xbd";

	for (int round = 0; round < 3000; round++) {
		char bytes[40];
		size_t length = prng_below(&prng, sizeof(bytes)), n;
		char quote = prng_below(&prng, 2) ? '"' : '\'';

		for (size_t i = 0; i < length; i++) {
			bytes[i] = prng_below(&prng, 3) ? odd[prng_below(&prng, sizeof(odd) - 1)]
			                                : (char)prng_below(&prng, 256);
		}
		quoted((struct slice){bytes, length}, quote);
		ck_assert_uint_eq(strlen(written.data), written.len); /* no NUL */
		ck_assert_ptr_null(strchr(written.data, '\n'));
		strbuf_clear(&read_again);
		ck_assert_int_eq(quote_take(strbuf_slice(&written), &read_again, &n), QUOTE_TAKEN);
		ck_assert_uint_eq(n, written.len);
		ck_assert_uint_eq(read_again.len, length);
		ck_assert(length == 0 || memcmp(read_again.data, bytes, length) == 0);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("quote");
	TCase *tests = tcase_create("quote");

	tcase_add_checked_fixture(tests, NULL, teardown);
	tcase_add_test(tests, texts_are_written_plainly_where_that_shows_them);
	tcase_add_test(tests, escapes_are_read_and_others_refused);
	tcase_add_loop_test(tests, any_bytes_come_back, 0, 3);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
