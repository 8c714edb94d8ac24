/*
 * The JSON tokenizer: tokens of chosen documents, agreement with jansson on generated and mutated
 * ones, and the same tokens whatever pieces the bytes arrive in.
 */
#include "config.h"

#include <dirent.h>
#include <string.h>
#include <sys/socket.h>

/* Both headers have these names. */
#define JSON_STRING JANSSON_STRING
#define JSON_TRUE JANSSON_TRUE
#define JSON_FALSE JANSSON_FALSE
#define JSON_NULL JANSSON_NULL
#include <jansson.h>
#undef JSON_STRING
#undef JSON_TRUE
#undef JSON_FALSE
#undef JSON_NULL
#undef JSON_STRICT

#include "unit.h"
#include "input/json.h"
#include "util/mem.h"
#include "util/prng.h"
#include "util/utf8.h"

/* A copy with padding behind it that would close anything, were it looked at. */
static char *
padded(struct slice text)
{
	char *copy = malloc(text.len + INPUT_PADDING);
	memcpy(copy, text.ptr, text.len);
	memset(copy + text.len, '"', INPUT_PADDING);
	return copy;
}

/* All tokens as one line of text: "{ k:a s:b n:1 i:2 } END". Errors end it with their offset and
 * reason. */
static void
transcribe(struct json *json, struct strbuf *out)
{
	static const char *const names[] = {
	    "END", "{", "}", "[", "]", "k:", "s:", "n:", "t", "f", "0"};
	enum json_token token;

	do {
		token = json_next(json);
		if (token == JSON_ERROR) {
			strbuf_printf(out, "ERROR@%u %s", (unsigned)json->error_offset,
			              json->error);
			return;
		}
		strbuf_add_text(out,
		                token == JSON_NUMBER && json->is_integer ? "i:" : names[token]);
		if (token == JSON_KEY || token == JSON_STRING || token == JSON_NUMBER) {
			strbuf_add(out, json->text.ptr, json->text.len);
		}
		strbuf_add_char(out, ' ');
	} while (token != JSON_END);
	out->len--;
}

static void
transcribe_slice(struct slice text, unsigned flags, struct strbuf *out)
{
	struct json json = {.depth = 0};
	char *copy = padded(text);

	strbuf_clear(out);
	json_begin(&json, (struct slice){copy, text.len}, flags);
	transcribe(&json, out);
	json_fini(&json);
	free(copy);
}

static void
transcribe_chunks(struct slice text, size_t chunk, unsigned flags, struct strbuf *out)
{
	struct json json = {.depth = 0};
	struct err err = ERR_INIT;
	struct input *input = input_from_memory(text, chunk);

	strbuf_clear(out);
	json_open_input(&json, input, flags, &err);
	transcribe(&json, out);
	json_fini(&json);
	input_close(input);
}

/* Whole and in every small chunk size the tokens are the same. */
static void
check_pieces(struct slice text, unsigned flags, struct strbuf *whole)
{
	static const size_t chunks[] = {0, 1, 2, 3, 7};
	struct strbuf out = {NULL, 0, 0};

	transcribe_slice(text, flags, whole);
	for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
		transcribe_chunks(text, chunks[i], flags, &out);
		ck_assert_msg(slice_equal(strbuf_slice(&out), strbuf_slice(whole)),
		              "chunks of %zu: %s\n%.*s\n%.*s", chunks[i], text.ptr, (int)out.len,
		              out.data, (int)whole->len, whole->data);
	}
	strbuf_free(&out);
}

struct pair {
	const char *text, *tokens;
};

static void
check_table(const struct pair *pairs, size_t n, unsigned flags)
{
	struct strbuf out = {NULL, 0, 0};

	for (size_t i = 0; i < n; i++) {
		check_pieces(slice_of(pairs[i].text), flags, &out);
		ck_assert_msg(slice_is(strbuf_slice(&out), pairs[i].tokens), "%s: %.*s",
		              pairs[i].text, (int)out.len, out.data);
	}
	strbuf_free(&out);
}
#define CHECK(pairs, flags) check_table(pairs, sizeof(pairs) / sizeof *(pairs), flags)

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

/* ---- jansson as the oracle ---- */

static json_t *build(struct json *json, enum json_token token);

static json_t *
build_container(struct json *json, bool is_object)
{
	json_t *value = is_object ? json_object() : json_array();
	struct strbuf key = {NULL, 0, 0};
	enum json_token token;

	while ((token = json_next(json)) > 0 && token != JSON_OBJECT_END &&
	       token != JSON_ARRAY_END) {
		strbuf_clear(&key);
		if (is_object) {
			strbuf_add(&key, json->text.ptr, json->text.len);
			token = json_next(json);
		}
		json_t *item = build(json, token);
		if (!item) {
			break;
		}
		if (is_object) {
			json_object_set_new_nocheck(value, strbuf_slice(&key).ptr, item);
		} else {
			json_array_append_new(value, item);
		}
	}
	strbuf_free(&key);
	return value;
}

static json_t *
build_number(const struct json *json)
{
	int64_t integer;
	double real;

	if (json->is_integer && slice_int64(json->text, &integer)) {
		return json_integer(integer);
	}
	return slice_double(json->text, &real) ? json_real(real) : NULL;
}

static json_t *
build(struct json *json, enum json_token token)
{
	switch (token) {
	case JSON_OBJECT_BEGIN:
		return build_container(json, true);
	case JSON_ARRAY_BEGIN:
		return build_container(json, false);
	case JSON_STRING:
		return json_stringn_nocheck(json->text.ptr, json->text.len);
	case JSON_NUMBER:
		return build_number(json);
	case JSON_TRUE:
	case JSON_FALSE:
		return json_boolean(token == JSON_TRUE);
	case JSON_NULL:
		return json_null();
	default:
		return NULL;
	}
}

/* True if both accept or both refuse, with equal values. Counts what was accepted. */
static bool
agrees(struct slice text, unsigned *n_accepted)
{
	json_error_t error;
	struct json json = {.depth = 0};
	char *bytes = padded(text);
	json_t *theirs = json_loadb(text.ptr, text.len, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
	enum json_error_code code = theirs ? json_error_unknown : json_error_code(&error);
	bool same = true;

	/* What jansson can't hold, though it is JSON. */
	if (theirs ||
	    (code != json_error_numeric_overflow && code != json_error_null_byte_in_key)) {
		json_begin(&json, (struct slice){bytes, text.len}, JSON_STRICT);
		json_t *ours = build(&json, json_next(&json));
		bool accepted = json_next(&json) == JSON_END;
		same = accepted ? theirs && json_equal(ours, theirs) : !theirs;
		*n_accepted += accepted;
		json_decref(ours);
		json_fini(&json);
	}
	json_decref(theirs);
	free(bytes);
	return same;
}

static void
generate_string(struct prng *prng, struct strbuf *out)
{
	static const char *const pieces[] = {"a",
	                                     "key",
	                                     " ",
	                                     "\\n",
	                                     "\\\"",
	                                     "\\\\",
	                                     "\\/",
	                                     "\\u0041",
	                                     "\\ud83d\\ude00",
	                                     "\xc3\xa4",
	                                     "\xe4\xb8\x80",
	                                     "{",
	                                     "]",
	                                     ",",
	                                     "0123456789abcdef",
	                                     "\\u00e4",
	                                     "'",
	                                     "/p/x.bin",
	                                     "\xf0\x9f\x98\x80",
	                                     ":"};

	strbuf_add_char(out, '"');
	for (uint64_t n = prng_below(prng, 6); n > 0; n--) {
		strbuf_add_text(out, pieces[prng_below(prng, sizeof pieces / sizeof *pieces)]);
	}
	strbuf_add_char(out, '"');
}

static void
generate_blanks(struct prng *prng, struct strbuf *out)
{
	if (prng_below(prng, 6) == 0) {
		strbuf_add_char(out, " \t\r\n"[prng_below(prng, 4)]);
	}
}

static void
generate(struct prng *prng, struct strbuf *out, unsigned depth)
{
	static const char *const scalars[] = {"true",
	                                      "false",
	                                      "null",
	                                      "0",
	                                      "-1",
	                                      "1.5",
	                                      "2e3",
	                                      "-0.25E-2",
	                                      "9223372036854775807",
	                                      "-9223372036854775808",
	                                      "1712598200500024",
	                                      "123456789.123456",
	                                      "1e-400",
	                                      "0e5"};
	uint64_t kind = prng_below(prng, depth > 5 ? 2 : 5);

	generate_blanks(prng, out);
	if (kind == 0) {
		generate_string(prng, out);
	} else if (kind == 1) {
		strbuf_add_text(out, scalars[prng_below(prng, sizeof scalars / sizeof *scalars)]);
	} else {
		bool is_object = kind < 4;
		strbuf_add_char(out, is_object ? '{' : '[');
		uint64_t n = prng_below(prng, 5);
		for (uint64_t i = 0; i < n; i++) {
			if (is_object) {
				generate_blanks(prng, out);
				generate_string(prng, out);
				generate_blanks(prng, out);
				strbuf_add_char(out, ':');
			}
			generate(prng, out, depth + 1);
			strbuf_add_text(out, i + 1 < n ? "," : "");
		}
		generate_blanks(prng, out);
		strbuf_add_char(out, is_object ? '}' : ']');
	}
	generate_blanks(prng, out);
}

/* No NUL: jansson takes one behind the document for the end. */
static void
mutate(struct prng *prng, struct strbuf *text)
{
	static const char alphabet[] = "{}[],:\"\\0123456789.eE+-tfnu \n\x01\x80\xc3\xff"
				       "ad";
	size_t at = (size_t)prng_below(prng, text->len);
	char c = alphabet[prng_below(prng, sizeof alphabet - 1)];

	switch (prng_below(prng, 4)) {
	case 0:
		text->data[at] = c;
		break;
	case 1:
		memmove(text->data + at, text->data + at + 1, text->len - at);
		text->len--;
		break;
	case 2:
		strbuf_add_char(text, '\0');
		memmove(text->data + at + 1, text->data + at, text->len - at - 1);
		text->data[at] = c;
		break;
	default:
		text->len = at;
	}
}

START_TEST(agrees_with_jansson)
{
	struct prng prng = {21};
	struct strbuf text = {NULL, 0, 0}, out = {NULL, 0, 0};
	unsigned n_accepted = 0;

	for (unsigned i = 0; i < 4000; i++) {
		strbuf_clear(&text);
		generate(&prng, &text, 0);
		for (unsigned mutations = i % 4; mutations > 0 && text.len > 0; mutations--) {
			mutate(&prng, &text);
		}
		struct slice slice = strbuf_slice(&text);
		if (!agrees(slice, &n_accepted)) {
			strbuf_clear(&out);
			utf8_escape(&out, slice);
			ck_abort_msg("%s", out.data);
		}
		if (i % 8 == 0) {
			check_pieces(
			    slice, i % 16 ? JSON_STRICT : JSON_TRAILING_COMMAS | JSON_INVALID_UTF8,
			    &out);
		}
	}
	ck_assert_uint_gt(n_accepted, 1200);
	ck_assert_uint_lt(n_accepted, 3500);
	strbuf_free(&text);
	strbuf_free(&out);
}
END_TEST

/* Strings whose end, escapes and multi-byte characters fall on every place of a vector. */
START_TEST(every_alignment)
{
	struct strbuf text = {NULL, 0, 0};
	static const char *const middles[] = {"",     "\\n",     "\xc3\xa4", "\x01",
	                                      "\xff", "\\u00e4", "\\"};
	unsigned n_accepted = 0;

	for (size_t before = 0; before < 36; before++) {
		for (size_t after = 0; after < 36; after++) {
			for (size_t m = 0; m < sizeof middles / sizeof *middles; m++) {
				strbuf_clear(&text);
				strbuf_printf(&text, "[\"%.*s%s%.*s\"]", (int)before,
				              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", middles[m],
				              (int)after, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij");
				ck_assert_msg(agrees(strbuf_slice(&text), &n_accepted), "%s",
				              text.data);
			}
		}
	}
	strbuf_free(&text);
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

/* ---- samples ---- */

static void
read_all(struct input *input, struct strbuf *out)
{
	struct slice bytes;
	struct err err = ERR_INIT;

	strbuf_clear(out);
	while (input_fill(input, 0, &bytes, &err) == 1) {
		strbuf_add(out, bytes.ptr, bytes.len);
		input_consume(input, bytes.len);
	}
}

START_TEST(agrees_with_jansson_on_samples)
{
	const char *shared = unit_shared();
	char path[1024];
	struct strbuf text = {NULL, 0, 0};
	unsigned n_files = 0, n_accepted = 0;

	if (!shared) {
		return;
	}
	snprintf(path, sizeof path, "%s/chrome", shared);
	DIR *folder = opendir(path);
	ck_assert_ptr_nonnull(folder);
	for (struct dirent *entry; (entry = readdir(folder));) {
		struct err err = ERR_INIT;
		snprintf(path, sizeof path, "%s/chrome/%s", shared, entry->d_name);
		struct input *input =
		    strstr(entry->d_name, ".json") ? input_open(path, &err) : NULL;
		if (!input) {
			continue;
		}
		read_all(input, &text);
		input_close(input);
		if (text.len < 4000000) {
			ck_assert_msg(agrees(strbuf_slice(&text), &n_accepted), "%s", path);
			n_files++;
		}
	}
	closedir(folder);
	strbuf_free(&text);
	ck_assert_uint_gt(n_files, 10);
	ck_assert_uint_gt(n_accepted, 10);
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
	tcase_add_test(tests, agrees_with_jansson);
	tcase_add_test(tests, every_alignment);
	tcase_add_test(tests, long_tokens_cross_buffers);
	tcase_add_test(tests, tokens_are_limited);
	tcase_add_test(tests, read_errors_are_told);
	tcase_add_test(tests, agrees_with_jansson_on_samples);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
