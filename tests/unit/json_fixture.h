/* What the JSON tokenizer makes of a text, as text, in one piece or several. */
#ifndef LANESCOPE_TESTS_JSON_FIXTURE_H
#define LANESCOPE_TESTS_JSON_FIXTURE_H

#include <string.h>

#include "unit.h"
#include "input/json.h"
#include "util/mem.h"

/* A copy with padding behind it that would close anything, were it looked at. */
static inline char *
padded(struct slice text)
{
	char *copy = malloc(text.len + INPUT_PADDING);
	memcpy(copy, text.ptr, text.len);
	memset(copy + text.len, '"', INPUT_PADDING);
	return copy;
}

/* All tokens as one line of text: "{ k:a s:b n:1 i:2 } END". Errors end it with their offset and
 * reason. */
static inline void
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

static inline void
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

static inline void
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
static inline void
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

static inline void
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

#endif
