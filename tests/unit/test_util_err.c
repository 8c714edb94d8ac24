/* Error messages: context, escaping, cutting. */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/err.h"
#include "util/utf8.h"

START_TEST(set_and_wrap)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err_set(&err, ERR_FORMAT, "line %d: %s", 7, "no colon"), -1);
	ck_assert_int_eq(err_wrap(&err, "%s", "a.pfw"), -1);
	ck_assert_str_eq(err.message, "a.pfw: line 7: no colon");
	ck_assert_int_eq(err.code, ERR_FORMAT);
}
END_TEST

START_TEST(errno_is_explained)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(err_set_errno(&err, ENOENT, "%s", "a.pfw"), -1);
	ck_assert_str_eq(err.message, "a.pfw: No such file or directory");
	ck_assert_int_eq(err.code, ERR_SYSTEM);
}
END_TEST

START_TEST(control_bytes_are_escaped_once)
{
	struct err err = ERR_INIT;

	err_set(&err, ERR_FORMAT, "%s",
	        "a\033[2J\n\xff\xe2\x80\xae"
	        "b\xc3\xa4");
	ck_assert_str_eq(err.message, "a\\x1b[2J\\n\\xff\\u202eb\xc3\xa4");
	err_wrap(&err, "c\rd");
	ck_assert_str_eq(err.message, "c\\rd: a\\x1b[2J\\n\\xff\\u202eb\xc3\xa4");
}
END_TEST

static bool
ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), n = strlen(end);

	return length >= n && strcmp(text + length - n, end) == 0;
}

START_TEST(long_messages_lose_their_middle_and_stay_utf8)
{
	struct err err = ERR_INIT;
	char text[6000];

	for (size_t shift = 0; shift < 9; shift++) {
		memset(text, 'x', shift);
		for (size_t i = shift; i + 3 < sizeof text; i += 2) {
			memcpy(text + i, "\xc3\xa4", 3);
		}
		err_set(&err, ERR_FORMAT, "begin %s: bad magic; import it again", text);
		size_t length = strlen(err.message);
		ck_assert_uint_lt(length, ERR_MESSAGE_BYTES);
		ck_assert_uint_gt(length, ERR_MESSAGE_BYTES - 12);
		ck_assert(strncmp(err.message, "begin ", 6) == 0);
		ck_assert_ptr_nonnull(strstr(err.message, "\xe2\x80\xa6"));
		ck_assert(ends_with(err.message, ": bad magic; import it again"));
		ck_assert(utf8_valid(slice_of(err.message)));
		err_wrap(&err, "outer %s", text);
		ck_assert_uint_lt(strlen(err.message), ERR_MESSAGE_BYTES);
		ck_assert(strncmp(err.message, "outer ", 6) == 0);
		ck_assert(ends_with(err.message, ": bad magic; import it again"));
		ck_assert(utf8_valid(slice_of(err.message)));
		err_set_errno(&err, ENOENT, "%s", text);
		ck_assert_uint_lt(strlen(err.message), ERR_MESSAGE_BYTES);
		ck_assert(ends_with(err.message, ": No such file or directory"));
	}
}
END_TEST

START_TEST(a_message_that_just_fits_is_whole)
{
	struct err err = ERR_INIT;
	char text[ERR_MESSAGE_BYTES + 1];

	for (size_t length = ERR_MESSAGE_BYTES - 6; length <= ERR_MESSAGE_BYTES; length++) {
		memset(text, 'x', length);
		text[length] = '\0';
		err_set(&err, ERR_FORMAT, "%s", text);
		if (length < ERR_MESSAGE_BYTES) {
			ck_assert_str_eq(err.message, text);
		} else {
			ck_assert_ptr_nonnull(strstr(err.message, "x\xe2\x80\xa6x"));
			ck_assert_uint_eq(strlen(err.message), ERR_MESSAGE_BYTES - 1);
		}
	}
}
END_TEST

START_TEST(a_reason_outlives_a_long_context_whole)
{
	static const char reason[] =
	    "SQL, line 1, column 8: no such column: nam; there are name, lane, start";
	struct err err = ERR_INIT;
	char *text = calloc(1, 200001);

	ck_assert_ptr_nonnull(text);
	memset(text, 'p', 200000);
	err_set(&err, ERR_QUERY, "%s", reason);
	err_wrap(&err, "/%s/run.lanes", text);
	ck_assert_ptr_nonnull(strstr(err.message, "/run.lanes: SQL, line 1"));
	ck_assert(ends_with(err.message, reason));
	err_set(&err, ERR_QUERY, "%s: the end", text); /* beyond what stands on the stack */
	ck_assert(ends_with(err.message, "pp: the end"));
	err_set(&err, ERR_QUERY, "\x1b%s\x1b", text);
	ck_assert(strncmp(err.message, "\\x1bp", 5) == 0);
	ck_assert(ends_with(err.message, "p\\x1b"));
	free(text);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_err");
	TCase *tests = tcase_create("err");

	tcase_add_test(tests, set_and_wrap);
	tcase_add_test(tests, errno_is_explained);
	tcase_add_test(tests, control_bytes_are_escaped_once);
	tcase_add_test(tests, long_messages_lose_their_middle_and_stay_utf8);
	tcase_add_test(tests, a_reason_outlives_a_long_context_whole);
	tcase_add_test(tests, a_message_that_just_fits_is_whole);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
