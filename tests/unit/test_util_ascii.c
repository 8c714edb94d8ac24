/* Character tests: every byte against the C library's in the C locale. */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/ascii.h"

START_TEST(every_byte)
{
	for (int i = 0; i < 256; i++) {
		char c = (char)i, text[2] = {c, '\0'};

		ck_assert_int_eq(is_digit(c), isdigit(i) != 0);
		ck_assert_int_eq(is_upper(c), isupper(i) != 0);
		ck_assert_int_eq(is_lower(c), islower(i) != 0);
		ck_assert_int_eq(is_letter(c), isalpha(i) != 0);
		ck_assert_int_eq(is_alnum(c), isalnum(i) != 0);
		ck_assert_int_eq(is_word_char(c), isalnum(i) || c == '_');
		ck_assert_int_eq(is_space(c), isspace(i) != 0);
		ck_assert_int_eq(is_blank(c), c && strchr(" \t\r\n", c));
		ck_assert_int_eq(to_lower(c), (char)tolower(i));
		ck_assert_int_eq(hex_value(c), isxdigit(i) ? (int)strtol(text, NULL, 16) : -1);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("ascii");
	TCase *tcase = tcase_create("ascii");

	tcase_add_test(tcase, every_byte);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
