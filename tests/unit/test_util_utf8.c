/* UTF-8: decoding, columns, clipping, escaping. */
#include "config.h"

#include <string.h>

#include "unit.h"
#include "util/prng.h"
#include "util/utf8.h"

START_TEST(every_character_survives)
{
	for (uint32_t code = 0; code <= 0x10ffff; code++) {
		char bytes[4];
		size_t used, n = utf8_encode(code, bytes);
		uint32_t expected = code >= 0xd800 && code <= 0xdfff ? 0xfffd : code;
		if (utf8_next((struct slice){bytes, n}, &used) != expected || used != n) {
			ck_abort_msg("U+%04x", code);
		}
	}
	char bytes[4];
	ck_assert_uint_eq(utf8_encode(0x110000, bytes), 3);
	ck_assert_int_eq(memcmp(bytes, "\xef\xbf\xbd", 3), 0);
}
END_TEST

START_TEST(bad_bytes_are_one_replacement_each)
{
	static const char *const bad[] = {
	    "\x80",
	    "\xbf",
	    "\xc0\x80",
	    "\xc1\xbf",
	    "\xe0\x80\x80",
	    "\xe0\x9f\xbf",
	    "\xed\xa0\x80",
	    "\xed\xbf\xbf",
	    "\xf0\x80\x80\x80",
	    "\xf0\x8f\xbf\xbf",
	    "\xf4\x90\x80\x80",
	    "\xf5\x80\x80\x80",
	    "\xff",
	    "\xc3",
	    "\xe2\x82",
	    "\xf0\x9f\x98",
	    "\xc3(",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		size_t used;
		ck_assert_uint_eq(utf8_next(slice_of(bad[i]), &used), 0xfffd);
		ck_assert_uint_eq(used, 1);
		ck_assert_msg(!utf8_valid(slice_of(bad[i])), "case %zu", i);
	}
	ck_assert(utf8_valid(slice_of("")));
	ck_assert(utf8_valid(slice_of("abcdefgh\xc3\xa4ijklmnopqrstuvwxyz\xf0\x9f\x98\x80")));
	ck_assert(!utf8_valid(slice_of("abcdefgh\xc3\xa4ijklmnopqrstuvwxyz\xf0\x9f\x98")));
}
END_TEST

START_TEST(valid_agrees_with_decoding)
{
	struct prng prng = {7};

	for (int i = 0; i < 20000; i++) {
		char bytes[40];
		size_t n = 0;
		while (n < 30) {
			uint64_t dice = prng_below(&prng, 40);
			if (dice == 0) {
				bytes[n++] = (char)prng_next(&prng);
			} else {
				uint32_t code =
				    (uint32_t)prng_below(&prng, dice < 30 ? 128 : 0xd800);
				n += utf8_encode(code, bytes + n);
			}
		}
		bool valid = true;
		for (size_t at = 0, used; at < n; at += used) {
			struct slice rest = {bytes + at, n - at};
			valid &= utf8_next(rest, &used) != 0xfffd;
		}
		ck_assert_int_eq(utf8_valid((struct slice){bytes, n}), valid);
	}
}
END_TEST

START_TEST(widths)
{
	static const struct {
		uint32_t code;
		int width;
	} cases[] = {
	    {'a', 1},     {0, -1},        {0x1b, -1},       {0x7f, -1},    {0x9b, -1},
	    {0xa0, 1},    {0xad, 1},      {0xe4, 1},        {0x301, 0},    {0x200d, -1},
	    {0xfe0f, 0},  {0x202e, -1},   {0x2066, -1},     {0x200e, -1},  {0x2028, -1},
	    {0x4e00, 2},  {0xac00, 2},    {0x1161, 0},      {0x1100, 2},   {0xff21, 2},
	    {0xff71, 1},  {0x1f600, 2},   {0x2588, 1},      {0x2502, 1},   {0x378, -1},
	    {0xd800, -1}, {0x10ffff, -1}, {0x110000, -1},   {0xfffd, 1},   {0xe000, 1},
	    {0x20dd, 0},  {0x3000, 2},    {0x20ac, 1},      {0xe0041, -1}, {0xfeff, -1},
	    {0x2026, 1},  {0x28ff, 1},    {UINT32_MAX, -1}, {0x200b, -1},  {0x200c, -1},
	    {0x2060, -1}, {0x34f, -1},    {0x3164, -1},     {0x115f, -1},  {0x180b, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		ck_assert_msg(utf8_width(cases[i].code) == cases[i].width, "U+%04x: %d",
		              cases[i].code, utf8_width(cases[i].code));
	}
}
END_TEST

START_TEST(clipping)
{
	static const char text[] = "a\xe4\xb8\x80\xcc\x81"
				   "b"; /* a, wide + accent, b */
	static const size_t lengths[] = {0, 1, 1, 6, 7, 7};

	ck_assert_uint_eq(utf8_columns(slice_of(text)), 4);
	for (size_t columns = 0; columns < 6; columns++) {
		ck_assert_uint_eq(utf8_clip(slice_of(text), columns).len, lengths[columns]);
	}
	ck_assert_uint_eq(utf8_columns(slice_of("\xff\xff")), 2);
	ck_assert_uint_eq(utf8_clip(slice_of("\xff\xff"), 1).len, 1);
	ck_assert_uint_eq(utf8_clip(slice_of(""), 5).len, 0);
	/* A mark without a base stays out of nothing. */
	ck_assert_uint_eq(utf8_clip(slice_of("\xcc\x81x"), 0).len, 2);
}
END_TEST

START_TEST(escaping)
{
	struct strbuf out = {NULL, 0, 0};

	utf8_escape(&out, (struct slice){"a\0b\t\n\r\033[31m\x7f", 12});
	ck_assert_str_eq(out.data, "a\\x00b\\t\\n\\r\\x1b[31m\\x7f");
	strbuf_clear(&out);
	utf8_escape(&out, slice_of("\xc2\x9b\xe2\x80\xae\xff\xf3\xa0\x81\x81\xc3\xa4\xe4\xb8\x80"));
	ck_assert_str_eq(out.data, "\\u009b\\u202e\\xff\\U000e0041\xc3\xa4\xe4\xb8\x80");
	/* two names that look alike are told apart */
	strbuf_clear(&out);
	utf8_escape(&out, slice_of("re\xe2\x80\x8b"
	                           "ad"));
	ck_assert_str_eq(out.data, "re\\u200bad");
	strbuf_free(&out);
}
END_TEST

START_TEST(escaped_text_is_printable_whatever_came_in)
{
	struct prng prng = {8};

	for (int i = 0; i < 5000; i++) {
		char bytes[24];
		for (size_t j = 0; j < sizeof bytes; j += 8) {
			uint64_t random = prng_next(&prng);
			memcpy(bytes + j, &random, 8);
		}
		struct strbuf out = {NULL, 0, 0};
		utf8_escape(&out, (struct slice){bytes, sizeof bytes});
		struct slice rest = strbuf_slice(&out);
		ck_assert(utf8_valid(rest));
		for (size_t used; rest.len; rest.ptr += used, rest.len -= used) {
			ck_assert_int_ge(utf8_width(utf8_next(rest, &used)), 0);
		}
		strbuf_free(&out);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_utf8");
	TCase *tests = tcase_create("utf8");

	tcase_add_test(tests, every_character_survives);
	tcase_add_test(tests, bad_bytes_are_one_replacement_each);
	tcase_add_test(tests, valid_agrees_with_decoding);
	tcase_add_test(tests, widths);
	tcase_add_test(tests, clipping);
	tcase_add_test(tests, escaping);
	tcase_add_test(tests, escaped_text_is_printable_whatever_came_in);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
