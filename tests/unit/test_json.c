/*
 * The JSON tokenizer: tokens of chosen documents, and the same tokens whatever pieces the bytes
 * arrive in.
 */
#include "config.h"

#include <string.h>
#include <sys/socket.h>

#include "json_fixture.h"

START_TEST(tokens)
{
	static const struct pair pairs[] = {
	    {"{}", "{ } END"},
	    {" [ ] ", "[ ] END"},
	    {"1", "i:1 END"},
	    {"\"a\"", "s:a END"},
	    {"{\"a\":1,\"b\":[true,false,null,-0.5e+3],\"c\":{\"d\":\"e\"}}",
	     "{ k:a i:1 k:b [ t f 0 n:-0.5e+3 ] k:c { k:d s:e } } END"},
	    {"{ \"a\" :\t1\r\n, \"b\" : 2 }", "{ k:a i:1 k:b i:2 } END"},
	    {"[18446744073709551615,1E2,-0,0.0]",
	     "[ i:18446744073709551615 n:1E2 i:-0 n:0.0 ] END"},
	    {"\"\\\"\\\\\\/\\u0041\\u00e4\\ud83d\\ude00\"", "s:\"\\/A\xc3\xa4\xf0\x9f\x98\x80 END"},
	    {"\"x\\ty\\nz\"", "s:x\ty\nz END"},
	    {"\"a long string without any escape in it, \xc3\xa4 though\"",
	     "s:a long string without any escape in it, \xc3\xa4 though END"},
	    {"{\"\":\"\"}", "{ k: s: } END"},
	    {"[[[[]]],{}]", "[ [ [ [ ] ] ] { } ] END"},
	};
	CHECK(pairs, JSON_STRICT);
}
END_TEST

START_TEST(mistakes)
{
	static const struct pair pairs[] = {
	    {"", "ERROR@0 no value"},
	    {"  ", "ERROR@2 no value"},
	    {"{", "{ ERROR@1 ends inside an object or array"},
	    {"[1", "[ i:1 ERROR@2 ends inside an object or array"},
	    {"[1,", "[ i:1 ERROR@3 ends inside an object or array"},
	    {"[1,]", "[ i:1 ERROR@3 not a value"},
	    {"{\"a\":1,}", "{ k:a i:1 ERROR@7 not a key in quotes"},
	    {"[,1]", "[ ERROR@1 not a value"},
	    {"[1 2]", "[ i:1 ERROR@3 neither comma nor ] after a value"},
	    {"{\"a\" 1}", "{ k:a ERROR@5 no colon after a key"},
	    {"{\"a\":1 \"b\"}", "{ k:a i:1 ERROR@7 neither comma nor } after a value"},
	    {"{\"a\"}", "{ k:a ERROR@4 no colon after a key"},
	    {"{1:2}", "{ ERROR@1 not a key in quotes"},
	    {"[1}", "[ i:1 ERROR@2 neither comma nor ] after a value"},
	    {"{\"a\":1]", "{ k:a i:1 ERROR@6 neither comma nor } after a value"},
	    {"1 2", "i:1 ERROR@2 bytes after the value"},
	    {"{}x", "{ } ERROR@2 bytes after the value"},
	    {"01", "ERROR@0 not a number"},
	    {"-", "ERROR@0 not a number"},
	    {"1.", "ERROR@2 not a number"},
	    {"1e", "ERROR@2 not a number"},
	    {"1e+", "ERROR@3 not a number"},
	    {"1.x", "ERROR@2 not a number"},
	    {"-x", "ERROR@0 not a number"},
	    {".5", "ERROR@0 not a value"},
	    {"+1", "ERROR@0 not a value"},
	    {"tru", "ERROR@0 not a value"},
	    {"truex", "t ERROR@4 bytes after the value"},
	    {"nulx", "ERROR@0 not a value"},
	    {"NaN", "ERROR@0 not a value"},
	    {"\"a", "ERROR@2 string without its end"},
	    {"\"a\\", "ERROR@3 string without its end"},
	    {"\"\\u12", "ERROR@5 string without its end"},
	    {"\"\\u12x4\"", "ERROR@3 \\u without four hexadecimal digits"},
	    {"\"\\x\"", "ERROR@2 unknown escape"},
	    {"\"\\ud800\"", "ERROR@3 half of a surrogate pair"},
	    {"\"\\ud800\\u0041\"", "ERROR@3 half of a surrogate pair"},
	    {"\"\\udc00\"", "ERROR@3 half of a surrogate pair"},
	    {"\"a\nb\"", "ERROR@2 control character in a string"},
	    {"\"a\xff\"", "ERROR@3 string is not UTF-8"},
	    {"\"\xed\xa0\x80\"", "ERROR@4 string is not UTF-8"},
	};
	CHECK(pairs, JSON_STRICT);
}
END_TEST

START_TEST(leniency)
{
	static const struct pair commas[] = {
	    {"{\"a\":1,}", "{ k:a i:1 } END"},
	    {"[1,[2,],]", "[ i:1 [ i:2 ] ] END"},
	    {"[,]", "[ ERROR@1 not a value"},
	    {"[1,,]", "[ i:1 ERROR@3 not a value"},
	    {"{\"a\":1,]", "{ k:a i:1 ERROR@7 not a key in quotes"},
	};
	static const struct pair bytes[] = {
	    {"\"a\xff\"", "s:a\xff END"},
	    {"\"\\ud800x\"", "s:\xef\xbf\xbdx END"},
	    {"\"\\ud800\\u0041\"", "s:\xef\xbf\xbd"
	                           "A END"},
	    {"\"a\nb\"", "ERROR@2 control character in a string"},
	};
	static const struct pair controls[] = {
	    {"\"a\nb\x01\\n\"", "s:a\nb\x01\n END"},
	    {"\"a\nb", "ERROR@4 string without its end"},
	};
	CHECK(commas, JSON_TRAILING_COMMAS);
	CHECK(bytes, JSON_INVALID_UTF8);
	CHECK(controls, JSON_CONTROL_CHARACTERS);
}
END_TEST

START_TEST(concatenated_documents)
{
	struct slice text = slice_of(" {\"a\":1}[2]\n3 4 \"x\" ");
	static const char *const documents[] = {
	    "{ k:a i:1 } END", "[ i:2 ] END", "i:3 END", "i:4 END", "s:x END", "END", "END"};

	for (size_t chunk = 0; chunk < 5; chunk++) {
		struct json json = {.depth = 0};
		struct strbuf out = {NULL, 0, 0};
		struct err err = ERR_INIT;
		struct input *input = input_from_memory(text, chunk);
		json_open_input(&json, input, JSON_CONCATENATED, &err);
		for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
			strbuf_clear(&out);
			transcribe(&json, &out);
			ck_assert(slice_is(strbuf_slice(&out), documents[i]));
			ck_assert_uint_eq(input_offset(input), json_offset(&json));
			ck_assert(i != 0 || json_offset(&json) == 8);
		}
		ck_assert_uint_eq(json_offset(&json), text.len);
		strbuf_free(&out);
		json_fini(&json);
		input_close(input);
	}
}
END_TEST

START_TEST(depth_is_limited)
{
	char text[2 * JSON_DEPTH_LIMIT + 4];
	struct strbuf out = {NULL, 0, 0};

	for (unsigned deep = JSON_DEPTH_LIMIT; deep <= JSON_DEPTH_LIMIT + 1; deep++) {
		for (unsigned i = 0; i < deep; i++) {
			text[i] = '[';
			text[2 * deep - 1 - i] = ']';
		}
		check_pieces((struct slice){text, 2 * (size_t)deep}, 0, &out);
		bool failed = slice_contains(strbuf_slice(&out), slice_of("nested too deeply"));
		ck_assert_int_eq(failed, deep > JSON_DEPTH_LIMIT);
	}
	strbuf_free(&out);
}
END_TEST

START_TEST(skipping_and_copying)
{
	struct slice text = slice_of(
	    "{\"a\": [1, {\"b\": [ ] }, \"x\\ty\\u0001\\\\\"], \"c\": 5, \"d\": \"\\\"\"}");

	for (int copy = 0; copy < 2; copy++) {
		struct json json = {.depth = 0};
		struct strbuf out = {NULL, 0, 0};
		char *bytes = padded(text);
		json_begin(&json, (struct slice){bytes, text.len}, 0);
		ck_assert_int_eq(json_next(&json), JSON_OBJECT_BEGIN);
		for (enum json_token token; (token = json_next(&json)) == JSON_KEY;) {
			token = json_next(&json);
			if (copy) {
				ck_assert_int_eq(json_copy_value(&json, token, &out), 0);
				strbuf_add_char(&out, ' ');
			} else {
				ck_assert_int_eq(json_skip(&json), token == JSON_ARRAY_BEGIN
				                                       ? JSON_ARRAY_END
				                                       : JSON_NULL);
			}
		}
		ck_assert_int_eq(json_next(&json), JSON_END);
		if (copy) {
			ck_assert_str_eq(out.data,
			                 "[1,{\"b\":[]},\"x\\ty\\u0001\\\\\"] 5 \"\\\"\" ");
		}
		strbuf_free(&out);
		json_fini(&json);
		free(bytes);
	}
}
END_TEST

START_TEST(not_finite)
{
	static const struct {
		const char *text, *lenient, *strict;
	} cases[] = {
	    {"[NaN,-Infinity,Infinity,-1]", "[ n:NaN n:-Infinity n:Infinity i:-1 ] END ",
	     "[ ERROR@1 not a value"},
	    {"-Infinity", "n:-Infinity END ", "ERROR@0 not a number"},
	    {"[Na]", "[ ERROR@1 not a value", "[ ERROR@1 not a value"},
	    {"-Inf", "ERROR@0 not a number", "ERROR@0 not a number"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		for (size_t chunk = 0; chunk < 4; chunk++) {
			for (int lenient = 0; lenient < 2; lenient++) {
				struct input *input =
				    input_from_memory(slice_of(cases[i].text), chunk);
				struct json json = {0};
				struct strbuf out = {0};
				struct err err = ERR_INIT;
				json_open_input(&json, input,
				                lenient ? JSON_NOT_FINITE : JSON_STRICT, &err);
				transcribe(&json, &out);
				ck_assert_str_eq(out.data,
				                 lenient ? cases[i].lenient : cases[i].strict);
				strbuf_free(&out);
				json_fini(&json);
				input_close(input);
			}
		}
	}
}
END_TEST

/* A copy that is too long is left out, and reading goes on behind the value. */
START_TEST(copying_within)
{
	char *text = padded(slice_of("[[1,{\"a\":NaN}],2]"));
	struct json json = {0};
	struct strbuf out = {0};

	for (size_t limit = 0; limit < 20; limit++) {
		json_begin(&json, (struct slice){text, 17}, JSON_NOT_FINITE);
		json_next(&json);
		strbuf_clear(&out);
		strbuf_add_char(&out, '>');
		int result = json_copy_value_within(&json, json_next(&json), limit, &out);
		bool fits = limit >= strlen("[1,{\"a\":null}]");
		ck_assert_int_eq(result, !fits);
		ck_assert_uint_eq(out.len, fits ? 15 : 1);
		ck_assert(!fits || memcmp(out.data, ">[1,{\"a\":null}]", 15) == 0);
		ck_assert_int_eq(json_next(&json), JSON_NUMBER);
		ck_assert(slice_is(json.text, "2"));
	}
	strbuf_free(&out);
	json_fini(&json);
	free(text);
}
END_TEST

START_TEST(copying_a_broken_value_leaves_nothing)
{
	struct json json = {.depth = 0};
	struct strbuf out = {NULL, 0, 0};
	char *bytes = padded(slice_of("[1,[2,x]]"));

	strbuf_add_text(&out, "before");
	json_begin(&json, (struct slice){bytes, 9}, 0);
	ck_assert_int_eq(json_copy_value(&json, json_next(&json), &out), -1);
	ck_assert_uint_eq(out.len, 6);
	ck_assert_int_eq(json_next(&json), JSON_ERROR);
	ck_assert_int_eq(json_skip(&json), JSON_ERROR);
	strbuf_free(&out);
	json_fini(&json);
	free(bytes);
}
END_TEST

/* The members of an object, whether their values are read, skipped or left; then its end, or where
 * it is damaged. */
START_TEST(members_are_read_one_by_one)
{
	static const struct {
		const char *text;
		int last;
	} objects[] = {{"{\"a\":1,\"b\":[2,{\"c\":3}],\"d\":{}}", 0},
	               {"{\"a\":1,\"b\":[2,{\"c\":3}],\"d\":{}", -1},
	               {"{\"a\":1,\"b\":[2,{\"c\":3}],\"d\":x}", -1}};

	for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
		struct json json = {.depth = 0};
		char *bytes = padded(slice_of(objects[i].text)), keys[8] = "";
		int more;

		json_begin(&json, (struct slice){bytes, strlen(objects[i].text)}, 0);
		ck_assert_int_eq(json_next(&json), JSON_OBJECT_BEGIN);
		for (size_t n = 0; (more = json_member(&json)) > 0; n++) {
			keys[n] = json.text.ptr[0];
			(void)json_next(&json);
			(void)json_skip(&json);
		}
		ck_assert_str_eq(keys, "abd");
		ck_assert_int_eq(more, objects[i].last);
		json_fini(&json);
		free(bytes);
	}
}
END_TEST

START_TEST(long_tokens_cross_buffers)
{
	static const size_t sizes[] = {100, 262140, 262144, 1000000};
	struct strbuf text = {NULL, 0, 0}, whole = {NULL, 0, 0}, out = {NULL, 0, 0};

	for (size_t i = 0; i < 4; i++) {
		strbuf_clear(&text);
		strbuf_add_text(&text, "[\"");
		for (size_t n = 0; n < sizes[i]; n += 10) {
			strbuf_add_text(&text, n % 1000 ? "abcdefghij" : "abc\\ndefg\\\"");
		}
		strbuf_add_text(&text, "\",1234567890");
		for (size_t n = 0; n < sizes[i]; n += 10) {
			strbuf_add_text(&text, "1234567890");
		}
		strbuf_add_text(&text, "]");
		transcribe_slice(strbuf_slice(&text), 0, &whole);
		ck_assert(!slice_contains(strbuf_slice(&whole), slice_of("ERROR")));
		for (size_t chunk = 0; chunk < 20000; chunk += 4999) {
			transcribe_chunks(strbuf_slice(&text), chunk, 0, &out);
			ck_assert(slice_equal(strbuf_slice(&out), strbuf_slice(&whole)));
		}
	}
	strbuf_free(&text);
	strbuf_free(&whole);
	strbuf_free(&out);
}
END_TEST

START_TEST(tokens_are_limited)
{
	size_t size = (size_t)JSON_TOKEN_LIMIT + 100;
	char *text = malloc(size);
	struct json json = {.depth = 0};
	struct err err = ERR_INIT;

	memset(text, '1', size);
	struct input *input = input_from_memory((struct slice){text, size}, 0);
	json_open_input(&json, input, 0, &err);
	ck_assert_int_eq(json_next(&json), JSON_ERROR);
	ck_assert_str_eq(json.error, "string or number too long");
	ck_assert_int_eq(json_next(&json), JSON_ERROR);
	json_fini(&json);
	input_close(input);
	free(text);
}
END_TEST

/* Standard input that gives the text and then fails. */
static struct input *
failing_input(const char *text, struct err *err)
{
	int ends[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
	ck_assert_int_eq(write(ends[1], text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(write(ends[0], "unread", 6),
	                 6); /* so that closing resets the connection */
	close(ends[1]);
	ck_assert_int_eq(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	close(ends[0]);
	return input_open("-", err);
}

/* Wherever reading fails, it is that which is told. */
START_TEST(read_errors_are_told)
{
	static const char *const beginnings[] = {"",     "[",      "[1 ",     "[1",       "[N",
	                                         "[t",   "[\"a",   "[\"a\\",  "[\"\\u00", "{",
	                                         "{\"a", "{\"a\"", "{\"a\":", "[1,",      "[1]"};

	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
		struct json json = {.depth = 0};
		struct err err = ERR_INIT;
		enum json_token token;
		char text[64];
		snprintf(text, sizeof text, "%20s%s", "", beginnings[i]);
		struct input *input = failing_input(text, &err);
		ck_assert_msg(input, "%s", err.message);
		json_open_input(&json, input, JSON_NOT_FINITE, &err);
		do {
			token = json_next(&json);
		} while (token != JSON_ERROR && token != JSON_END);
		ck_assert_msg(token == JSON_ERROR, "%s", text);
		ck_assert_str_eq(json.error, "read error");
		ck_assert_int_eq(err.code, ERR_SYSTEM);
		ck_assert_int_eq(json_next(&json), JSON_ERROR);
		json_fini(&json);
		input_close(input);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("json");
	TCase *tests = tcase_create("json");

	tcase_set_timeout(tests, 30);
	tcase_add_test(tests, tokens);
	tcase_add_test(tests, mistakes);
	tcase_add_test(tests, leniency);
	tcase_add_test(tests, concatenated_documents);
	tcase_add_test(tests, depth_is_limited);
	tcase_add_test(tests, skipping_and_copying);
	tcase_add_test(tests, not_finite);
	tcase_add_test(tests, copying_within);
	tcase_add_test(tests, copying_a_broken_value_leaves_nothing);
	tcase_add_test(tests, members_are_read_one_by_one);
	tcase_add_test(tests, long_tokens_cross_buffers);
	tcase_add_test(tests, tokens_are_limited);
	tcase_add_test(tests, read_errors_are_told);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
