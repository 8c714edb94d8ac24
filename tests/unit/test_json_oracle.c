/* The JSON tokenizer agrees with jansson: on generated and mutated documents, and on samples. */
#include "config.h"

#include <dirent.h>
#include <string.h>

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

#include "json_fixture.h"
#include "util/prng.h"
#include "util/utf8.h"

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
	Suite *suite = suite_create("json_oracle");
	TCase *tests = tcase_create("json_oracle");

	tcase_set_timeout(tests, 30);
	tcase_add_test(tests, agrees_with_jansson);
	tcase_add_test(tests, every_alignment);
	tcase_add_test(tests, agrees_with_jansson_on_samples);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
