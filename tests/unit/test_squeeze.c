/* Bytes made smaller and read back, and bytes that never were. */
#include "config.h"
#include "input/squeeze.h"

#include <stdlib.h>
#include <zlib.h>

#include "unit/unit.h"
#include "util/mem.h"

static void
squeeze_all(struct slice bytes, struct strbuf *out)
{
	struct err err = ERR_INIT;

	ck_assert_int_eq(squeeze(bytes, out, &err), 0);
}

static void
check_back(struct slice bytes)
{
	struct strbuf squeezed = {0}, back = {0};
	struct err err = ERR_INIT;

	squeeze_all(bytes, &squeezed);
	ck_assert_uint_le(squeezed.len, bytes.len + 1);
	ck_assert_int_eq(unsqueeze(strbuf_slice(&squeezed), &back, &err), 0);
	ck_assert(slice_equal(strbuf_slice(&back), bytes));
	strbuf_free(&squeezed);
	strbuf_free(&back);
}

START_TEST(what_was_put_in_comes_out)
{
	size_t n = (size_t)3 << 20;
	char *bytes = xmalloc(n);

	check_back((struct slice){"", 0});
	check_back(slice_of("a"));
	for (size_t i = 0; i < n; i++) {
		bytes[i] = (char)(i / 1000);
	}
	check_back((struct slice){bytes, n});
	srand(1);
	for (size_t i = 0; i < n; i++) {
		bytes[i] = (char)rand();
	}
	check_back((struct slice){bytes, n});
	free(bytes);
}
END_TEST

static void
check_refused(struct slice bytes)
{
	struct strbuf out = {0};
	struct err err = ERR_INIT;

	ck_assert_int_eq(unsqueeze(bytes, &out, &err), -1);
	ck_assert_int_eq(err.code, ERR_FORMAT);
	strbuf_free(&out);
}

START_TEST(what_was_never_written_is_refused)
{
	struct strbuf squeezed = {0};
	char bytes[1000] = {0};

	check_refused((struct slice){"", 0});
	check_refused(slice_of("\2abc"));
	check_refused(slice_of("\1abc"));
	squeeze_all((struct slice){bytes, sizeof bytes}, &squeezed);
	ck_assert_int_eq(squeezed.data[0], 1);
	for (size_t n = 1; n < squeezed.len; n++) {
		check_refused((struct slice){squeezed.data, n});
	}
	strbuf_add_char(&squeezed, 'x');
	check_refused(strbuf_slice(&squeezed));
	strbuf_free(&squeezed);
}
END_TEST

/* A few bytes that say they are very many, as only others write them. */
START_TEST(what_grows_too_far_is_refused)
{
	size_t n = SQUEEZE_BYTES_MAX;
	char *bytes = xcalloc(n + 1, 1);
	uLongf length = compressBound((uLong)n + 1);
	char *packed = xmalloc(length + 1);

	check_back((struct slice){bytes, n});
	check_back((struct slice){bytes, n + 1});
	for (size_t more = 0; more < 2; more++) {
		struct strbuf out = {0};
		struct err err = ERR_INIT;
		packed[0] = 1;
		ck_assert_int_eq(compress2((Bytef *)packed + 1, &length, (const Bytef *)bytes,
		                           (uLong)(n + more), 1),
		                 Z_OK);
		ck_assert_uint_lt(length, n / 100);
		int status = unsqueeze((struct slice){packed, length + 1}, &out, &err);
		ck_assert_int_eq(status, more ? -1 : 0);
		ck_assert_int_eq(err.code, more ? ERR_FORMAT : ERR_NONE);
		strbuf_free(&out);
		length = compressBound((uLong)n + 1);
	}
	free(bytes);
	free(packed);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("squeeze");
	TCase *tcase = tcase_create("squeeze");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, what_was_put_in_comes_out);
	tcase_add_test(tcase, what_was_never_written_is_refused);
	tcase_add_test(tcase, what_grows_too_far_is_refused);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
