/* The MessagePack reader against documents of an independent encoder: every form of every type,
 * random nested documents and their JSON, every cut, and counts that lie. */
#include "config.h"

#include <inttypes.h>
#include <math.h>

#include "unit.h"
#include "input/json.h"
#include "input/msgpack.h"
#include "input/msgpack_encoder.h"
#include "util/format.h"
#include "util/json_text.h"
#include "util/prng.h"

static struct msgpack_value
read_one(const char *bytes, size_t length)
{
	struct msgpack reader;
	struct msgpack_value value;

	msgpack_begin(&reader, (struct slice){bytes, length});
	ck_assert_int_eq(msgpack_next(&reader, &value), 0);
	ck_assert_uint_eq(msgpack_left(&reader), 0);
	return value;
}
#define READ(bytes) read_one(bytes, sizeof(bytes) - 1)

static void
check_refused(const char *bytes, size_t length, const char *reason)
{
	struct msgpack reader;
	struct msgpack_value value;

	msgpack_begin(&reader, (struct slice){bytes, length});
	ck_assert_int_eq(msgpack_next(&reader, &value), -1);
	ck_assert_ptr_nonnull(strstr(reader.error, reason));
	ck_assert_ptr_eq(reader.cursor, bytes);
}
#define REFUSED(bytes, reason) check_refused(bytes, sizeof(bytes) - 1, reason)

START_TEST(integers)
{
	ck_assert_int_eq(READ("\x00").integer, 0);
	ck_assert_int_eq(READ("\x7f").integer, 127);
	ck_assert_int_eq(READ("\xff").integer, -1);
	ck_assert_int_eq(READ("\xe0").integer, -32);
	ck_assert_int_eq(READ("\xcc\xff").integer, 255);
	ck_assert_int_eq(READ("\xcd\xff\xfe").integer, 65534);
	ck_assert_int_eq(READ("\xce\xff\xff\xff\xff").integer, INT64_C(4294967295));
	ck_assert_int_eq(READ("\xcf\x7f\xff\xff\xff\xff\xff\xff\xff").integer, INT64_MAX);
	ck_assert_int_eq(READ("\xd0\x80").integer, -128);
	ck_assert_int_eq(READ("\xd0\x7f").integer, 127);
	ck_assert_int_eq(READ("\xd1\x80\x00").integer, -32768);
	ck_assert_int_eq(READ("\xd2\x80\x00\x00\x00").integer, INT32_MIN);
	ck_assert_int_eq(READ("\xd3\x80\x00\x00\x00\x00\x00\x00\x00").integer, INT64_MIN);
	ck_assert_int_eq(READ("\xd3\xff\xff\xff\xff\xff\xff\xff\xff").type, MSGPACK_INTEGER);
	struct msgpack_value large = READ("\xcf\xff\xff\xff\xff\xff\xff\xff\xff");
	ck_assert_int_eq(large.type, MSGPACK_UNSIGNED);
	ck_assert_uint_eq(large.count, UINT64_MAX);
}
END_TEST

START_TEST(others)
{
	ck_assert_int_eq(READ("\xc0").type, MSGPACK_NIL);
	ck_assert_int_eq(READ("\xc2").integer, 0);
	ck_assert_int_eq(READ("\xc3").integer, 1);
	ck_assert_int_eq(READ("\xc3").type, MSGPACK_BOOLEAN);
	ck_assert_double_eq(READ("\xca\x3f\x80\x00\x00").real, 1.0);
	ck_assert_double_eq(READ("\xcb\xbf\xe0\x00\x00\x00\x00\x00\x00").real, -0.5);
	ck_assert(isnan(READ("\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00").real));
	ck_assert(slice_is(READ("\xa3gr\x21").text, "gr!"));
	ck_assert(slice_is(READ("\xa0").text, ""));
	ck_assert(slice_is(READ("\xd9\x02"
	                        "ab")
	                       .text,
	                   "ab"));
	ck_assert(slice_is(READ("\xda\x00\x02"
	                        "ab")
	                       .text,
	                   "ab"));
	ck_assert(slice_is(READ("\xdb\x00\x00\x00\x03\xe2\x9c\x93").text, "\xe2\x9c\x93"));
	ck_assert_int_eq(READ("\xc4\x01\xff").type, MSGPACK_BINARY);
	ck_assert_uint_eq(READ("\xc5\x00\x01\xff").text.len, 1);
	ck_assert_uint_eq(READ("\xc6\x00\x00\x00\x00").text.len, 0);
	ck_assert_int_eq(READ("\xd4\xfe\x01").integer, -2);
	ck_assert_uint_eq(READ("\xd8\x05"
	                       "0123456789abcdef")
	                      .text.len,
	                  16);
	ck_assert_uint_eq(READ("\xc7\x03\x07"
	                       "abc")
	                      .text.len,
	                  3);
	ck_assert_int_eq(READ("\xc8\x00\x00\x07").integer, 7);
	ck_assert_uint_eq(READ("\x90").count, 0);
	ck_assert_int_eq(READ("\xde\x00\x00").type, MSGPACK_MAP);
	ck_assert_int_eq(READ("\xdd\x00\x00\x00\x00").type, MSGPACK_ARRAY);
}
END_TEST

START_TEST(hostile)
{
	REFUSED("", "ends");
	REFUSED("\xc1", "begins no value");
	REFUSED("\xcd\x01", "ends");
	REFUSED("\xa2"
	        "a",
	        "ends");
	REFUSED("\xdb\xff\xff\xff\xff"
	        "abc",
	        "ends");
	REFUSED("\xc7\x02\x01"
	        "a",
	        "ends");
	REFUSED("\xd4", "ends");
	REFUSED("\xd4\x01", "ends");
	REFUSED("\xc7\x00", "ends");
	REFUSED("\xa2\xc3\x28", "UTF-8");
	REFUSED("\x93\x01\x02", "more elements");
	REFUSED("\xdd\xff\xff\xff\xff\x01\x02", "more elements");
	REFUSED("\xdf\xff\xff\xff\xff\x01\x02", "more elements");
	REFUSED("\x82\x01\x02\x03", "more elements");

	/* arrays in arrays, each with as many elements as there are bytes: skipping stays linear */
	struct strbuf nested = {0};
	struct msgpack reader;
	for (unsigned i = 0; i < 100000; i++) {
		strbuf_add_text(&nested, "\x92");
	}
	msgpack_begin(&reader, strbuf_slice(&nested));
	ck_assert_int_eq(msgpack_skip(&reader), -1);
	strbuf_clear(&nested);
	/* deep, but whole */
	for (unsigned i = 0; i < 100000; i++) {
		strbuf_add_text(&nested, "\x91");
	}
	strbuf_add_text(&nested, "\x01");
	msgpack_begin(&reader, strbuf_slice(&nested));
	ck_assert_int_eq(msgpack_skip(&reader), 0);
	ck_assert_uint_eq(msgpack_left(&reader), 0);
	struct strbuf json = {0};
	msgpack_begin(&reader, strbuf_slice(&nested));
	ck_assert_int_eq(msgpack_copy_json(&reader, &json), -1);
	ck_assert_str_eq(reader.error, "nested too deeply");
	msgpack_begin(&reader, (struct slice){nested.data + nested.len - 1 - MSGPACK_DEPTH_LIMIT,
	                                      MSGPACK_DEPTH_LIMIT + 1});
	ck_assert_int_eq(msgpack_copy_json(&reader, &json), 0);
	strbuf_free(&json);
	strbuf_free(&nested);
}
END_TEST

static void
check_json(const char *bytes, size_t length, const char *expected)
{
	struct msgpack reader;
	struct strbuf json = {0};

	msgpack_begin(&reader, (struct slice){bytes, length});
	ck_assert_int_eq(msgpack_copy_json(&reader, &json), 0);
	ck_assert_str_eq(json.data, expected);
	ck_assert_uint_eq(msgpack_left(&reader), 0);
	strbuf_free(&json);
}
#define JSON(bytes, expected) check_json(bytes, sizeof(bytes) - 1, expected)

START_TEST(nothing)
{
	struct msgpack reader;
	struct msgpack_value value;

	msgpack_begin(&reader, (struct slice){NULL, 0});
	ck_assert_uint_eq(msgpack_left(&reader), 0);
	ck_assert_int_eq(msgpack_next(&reader, &value), -1);
	ck_assert_str_eq(reader.error, "ends within a value");
}
END_TEST

START_TEST(as_json)
{
	JSON("\xc0", "null");
	JSON("\x90", "[]");
	JSON("\x80", "{}");
	JSON("\x93\x01\xc3\xa1\"", "[1,true,\"\\\"\"]");
	JSON("\x82\xa1"
	     "a\x92\x80\x90\xa1"
	     "b\x81\xa1"
	     "c\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00",
	     "{\"a\":[{},[]],\"b\":{\"c\":1.5}}");
	JSON("\x81\x07\xc4\x02\x00\xff", "{\"7\":\"00ff\"}");
	JSON("\x81\xc0\xd4\x01\x10", "{\"null\":\"10\"}");
	JSON("\x92\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00\xcf\xff\xff\xff\xff\xff\xff\xff\xff",
	     "[null,18446744073709551615]");
	struct msgpack reader;
	struct strbuf json = {0};
	msgpack_begin(&reader, (struct slice){"\x81\x90\x01", 3});
	ck_assert_int_eq(msgpack_copy_json(&reader, &json), -1);
	strbuf_free(&json);
}
END_TEST

/* A random value in a random form, and its JSON. */
static void
make_value(struct prng *prng, struct strbuf *bytes, struct strbuf *json, unsigned depth)
{
	static const char *const texts[] = {"", "a", "größe", "x\"\\\n", "('var-e467', 13, 0)"};
	char number[FORMAT_BYTES];
	unsigned n = (unsigned)prng_below(prng, 5);
	int64_t integer = (int64_t)prng_next(prng) >> prng_below(prng, 64);
	double real = (double)integer / 1024;
	unsigned wide = (unsigned)prng_below(prng, 3);

	switch (prng_below(prng, depth ? 8 : 6)) {
	case 0:
		pack_nil(bytes);
		strbuf_add_text(json, "null");
		break;
	case 1:
		pack_integer(bytes, integer);
		strbuf_printf(json, "%" PRId64, integer);
		break;
	case 2: /* longer than needed */
		pack_form(bytes, 0xd3, (uint64_t)integer, 8);
		strbuf_printf(json, "%" PRId64, integer);
		break;
	case 3:
		pack_real(bytes, real);
		strbuf_add_text(json, format_real(number, real));
		break;
	case 4:
		pack_text(bytes, texts[n]);
		json_add_text_as(json, slice_of(texts[n]), JSON_TEXT_KEPT);
		break;
	case 5:
		pack_form(bytes, 0xd9 + wide, strlen(texts[n]), 1u << wide);
		strbuf_add_text(bytes, texts[n]);
		json_add_text_as(json, slice_of(texts[n]), JSON_TEXT_KEPT);
		break;
	case 6:
		pack_form(bytes, wide ? 0xdb + wide : 0x90 | n, n, wide * 2);
		strbuf_add_char(json, '[');
		for (unsigned i = 0; i < n; i++) {
			strbuf_add_text(json, i ? "," : "");
			make_value(prng, bytes, json, depth - 1);
		}
		strbuf_add_char(json, ']');
		break;
	default:
		pack_form(bytes, wide ? 0xdd + wide : 0x80 | n, n, wide * 2);
		strbuf_add_char(json, '{');
		for (unsigned i = 0; i < n; i++) {
			strbuf_printf(json, "%s\"k%u\":", i ? "," : "", i);
			strbuf_add_char(bytes, (char)0xa2);
			strbuf_printf(bytes, "k%u", i);
			make_value(prng, bytes, json, depth - 1);
		}
		strbuf_add_char(json, '}');
	}
}

START_TEST(random_documents)
{
	struct prng prng = {4711};
	struct strbuf bytes = {0}, json = {0}, found = {0};
	struct msgpack reader;

	for (unsigned round = 0; round < 3000; round++) {
		strbuf_clear(&bytes);
		strbuf_clear(&json);
		strbuf_clear(&found);
		make_value(&prng, &bytes, &json, 5);
		msgpack_begin(&reader, strbuf_slice(&bytes));
		ck_assert_int_eq(msgpack_copy_json(&reader, &found), 0);
		ck_assert_str_eq(found.data, json.data);
		ck_assert_uint_eq(msgpack_left(&reader), 0);
		msgpack_begin(&reader, strbuf_slice(&bytes));
		ck_assert_int_eq(msgpack_skip(&reader), 0);
		ck_assert_uint_eq(msgpack_left(&reader), 0);
		/* cut anywhere it is none */
		size_t cut = (size_t)prng_below(&prng, bytes.len);
		msgpack_begin(&reader, (struct slice){bytes.data, cut});
		ck_assert_int_eq(msgpack_skip(&reader), -1);
		msgpack_begin(&reader, (struct slice){bytes.data, cut});
		ck_assert_int_eq(msgpack_copy_json(&reader, &found), -1);
	}
	strbuf_free(&bytes);
	strbuf_free(&json);
	strbuf_free(&found);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("msgpack");
	TCase *tests = tcase_create("reader");

	tcase_add_test(tests, integers);
	tcase_add_test(tests, others);
	tcase_add_test(tests, hostile);
	tcase_add_test(tests, nothing);
	tcase_add_test(tests, as_json);
	tcase_add_test(tests, random_documents);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
