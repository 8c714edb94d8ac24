/*
 * A tokenizer in the shape of a small state machine: json_next skips blanks, looks at one character
 * in the light of what the grammar allows next, and scans one token. Tokens always lie contiguously
 * in the slice or in the input's buffer, so that strings are lent from there; a token that reaches
 * the end of the bytes at hand is scanned again from its start after more were read, at least twice
 * as many each time, which keeps the work linear and the memory bounded by the longest token.
 *
 * Strings are scanned 16 (or 8) bytes at a time, beyond the end if need be: the callers' padding
 * allows that, and what is found behind the end does not count.
 */
#include "config.h"
#include "input/json.h"

#include "input/json_string.h"
#include "util/mem.h"
#include "util/ascii.h"
#include "util/utf8.h"

/* What may come next. */
enum json_state {
	START,       /* a document, or nothing */
	VALUE,       /* a value, after a comma or a colon */
	FIRST_VALUE, /* a value or ']' */
	COLON,
	FIRST_KEY,   /* a key or '}' */
	AFTER_VALUE, /* ',' or the end of the container */
	FINISHED,    /* the document is over */
	FAILED
};

void
json_begin(struct json *json, struct slice document, unsigned flags)
{
	json->text = (struct slice){0};
	json->is_integer = false;
	json->depth = 0;
	json->error = NULL;
	json->error_offset = 0;
	json->flags = flags;
	json->start = json->cursor = document.ptr ? document.ptr : "";
	json->limit = json->cursor + document.len;
	json->input = NULL;
	json->base = 0;
	json->state = START;
	json->err = NULL;
}

void
json_open_input(struct json *json, struct input *input, unsigned flags, struct err *err)
{
	json_begin(json, (struct slice){"", 0}, flags);
	json->input = input;
	json->err = err;
	json->base = input_offset(input);
}

void
json_fini(struct json *json)
{
	strbuf_free(&json->scratch);
}

uint64_t
json_offset(const struct json *json)
{
	return json->base + (uint64_t)(json->cursor - json->start);
}

/* Hands what was read back to the input, so that it stands behind the last token. */
static void
synchronise(struct json *json)
{
	size_t n = (size_t)(json->cursor - json->start);

	if (json->input && n) {
		input_consume(json->input, n);
		json->base += n;
		json->start = json->cursor;
	}
}

static enum json_token
fail_at(struct json *json, const char *at, const char *error)
{
	json->error = error;
	json->error_offset = json->base + (uint64_t)(at - json->start);
	json->state = FAILED;
	synchronise(json);
	return JSON_ERROR;
}

static enum json_token
fail(struct json *json, const char *error)
{
	return fail_at(json, json->cursor, error);
}

/* More bytes behind those at hand (from cursor on): 1, 0 if there are none, -1 (JSON_ERROR is set
 * up). */
static int
read_more(struct json *json)
{
	size_t held = (size_t)(json->limit - json->cursor);
	struct slice bytes;

	if (!json->input) {
		return 0;
	}
	if (held > JSON_TOKEN_LIMIT) {
		fail(json, "string or number too long");
		return -1;
	}
	synchronise(json);
	if (input_fill(json->input, held ? held * 2 : 1, &bytes, json->err) < 0) {
		json->start = json->cursor = json->limit = "";
		fail(json, "read error");
		return -1;
	}
	json->start = json->cursor = bytes.ptr;
	json->limit = bytes.ptr + bytes.len;
	return bytes.len > held;
}

/* Moves cursor to the next byte that is not blank: 1, 0 at the end, -1. */
static int
skip_blanks_slowly(struct json *json)
{
	for (;;) {
		const char *at = json->cursor;
		while (at < json->limit && is_blank(*at)) {
			at++;
		}
		json->cursor = at;
		if (at < json->limit) {
			return 1;
		}
		int more = read_more(json);
		if (more <= 0) {
			return more;
		}
	}
}

static inline int
skip_blanks(struct json *json)
{
	return json->cursor<json->limit && * json->cursor> ' ' ? 1 : skip_blanks_slowly(json);
}

static inline bool
in_object(const struct json *json)
{
	unsigned level = json->depth - 1;
	return json->stack[level / 8] >> (level % 8) & 1;
}

static enum json_token
open_container(struct json *json, bool is_object)
{
	if (json->depth == JSON_DEPTH_LIMIT) {
		return fail(json, "nested too deeply");
	}
	unsigned char bit = (unsigned char)(1u << (json->depth % 8));
	unsigned char *byte = &json->stack[json->depth / 8];
	*byte = is_object ? *byte | bit : (unsigned char)(*byte & ~bit);
	json->depth++;
	json->cursor++;
	json->state = is_object ? FIRST_KEY : FIRST_VALUE;
	return is_object ? JSON_OBJECT_BEGIN : JSON_ARRAY_BEGIN;
}

static inline void
value_done(struct json *json)
{
	json->state = json->depth ? AFTER_VALUE : FINISHED;
}

static enum json_token
close_container(struct json *json)
{
	bool is_object = in_object(json);

	json->depth--;
	json->cursor++;
	value_done(json);
	return is_object ? JSON_OBJECT_END : JSON_ARRAY_END;
}

/* The string at cursor (its opening quote), which is uncommon or not whole yet. False after an
 * error. */
static bool
read_string_slowly(struct json *json)
{
	for (;;) {
		struct json_scan scan;
		enum json_scan_result result =
		    json_scan_string(json->cursor, json->limit, json->flags, &json->scratch, &scan);
		if (result == JSON_SCAN_DONE) {
			json->text = scan.text;
			json->cursor = scan.end;
			return true;
		}
		if (result == JSON_SCAN_ERROR) {
			fail_at(json, scan.end, scan.error);
			return false;
		}
		int more = read_more(json);
		if (more <= 0) {
			if (more == 0) {
				fail_at(json, json->limit, "string without its end");
			}
			return false;
		}
	}
}

static inline bool
read_string(struct json *json)
{
	const char *first = json->cursor + 1;
	bool is_ascii = true;
	const char *at = json_scan_plain(first, json->limit, &is_ascii);

	if (at < json->limit && *at == '"' && is_ascii) {
		json->text = (struct slice){first, (size_t)(at - first)};
		json->cursor = at + 1;
		return true;
	}
	return read_string_slowly(json);
}

/*
 * The number at `at`: returns where it ends, or NULL with *error where it breaks the grammar.
 * *is_integer tells about fraction and exponent. Reads no more than limit; a number that reaches it
 * may go on.
 */
static const char *
scan_number(const char *at, const char *limit, bool *is_integer, const char **error)
{
	*is_integer = true;
	*error = at;
	at += at < limit && *at == '-';
	const char *digits = at;
	while (at < limit && is_digit(*at)) {
		at++;
	}
	if (at == digits || (*digits == '0' && at > digits + 1)) {
		return NULL;
	}
	if (at < limit && *at == '.') {
		const char *fraction = ++at;
		*is_integer = false;
		while (at < limit && is_digit(*at)) {
			at++;
		}
		if (at == fraction) {
			*error = at;
			return NULL;
		}
	}
	if (at < limit && (*at == 'e' || *at == 'E')) {
		*is_integer = false;
		at++;
		at += at < limit && (*at == '+' || *at == '-');
		const char *exponent = at;
		while (at < limit && is_digit(*at)) {
			at++;
		}
		if (at == exponent) {
			*error = at;
			return NULL;
		}
	}
	return at;
}

static enum json_token
read_number(struct json *json)
{
	for (;;) {
		const char *error;
		const char *end = scan_number(json->cursor, json->limit, &json->is_integer, &error);
		/* At the end of the bytes at hand it may go on, or be broken only as yet. */
		if (end ? end == json->limit : error >= json->limit - 1) {
			int more = read_more(json);
			if (more < 0) {
				return JSON_ERROR;
			}
			if (more) {
				continue;
			}
		}
		if (!end) {
			return fail_at(json, error, "not a number");
		}
		json->text = (struct slice){json->cursor, (size_t)(end - json->cursor)};
		json->cursor = end;
		value_done(json);
		return JSON_NUMBER;
	}
}

/* Has so many bytes at hand: 1; 0: it ends before, -1. */
static int
hold(struct json *json, size_t length)
{
	while ((size_t)(json->limit - json->cursor) < length) {
		int more = read_more(json);
		if (more <= 0) {
			return more;
		}
	}
	return 1;
}

static enum json_token
read_literal(struct json *json, const char *word, size_t length, enum json_token token)
{
	int held = hold(json, length);
	if (held < 0) {
		return JSON_ERROR;
	}
	if (held == 0 || memcmp(json->cursor, word, length) != 0) {
		return fail(json, "not a value");
	}
	json->cursor += length;
	value_done(json);
	return token;
}

/* NaN, Infinity or -Infinity, where they are accepted; else JSON_END, with nothing read. */
static enum json_token
read_not_finite(struct json *json)
{
	static const char *const words[] = {"NaN", "Infinity", "-Infinity"};

	for (size_t i = 0; i < COUNT_OF(words); i++) {
		size_t length = strlen(words[i]);
		int held = hold(json, length);
		if (held < 0) {
			return JSON_ERROR;
		}
		if (held && memcmp(json->cursor, words[i], length) == 0) {
			json->text = (struct slice){json->cursor, length};
			json->is_integer = false;
			json->cursor += length;
			value_done(json);
			return JSON_NUMBER;
		}
	}
	return JSON_END;
}

static inline enum json_token
read_value(struct json *json)
{
	switch (*json->cursor) {
	case '"':
		if (!read_string(json)) {
			return JSON_ERROR;
		}
		value_done(json);
		return JSON_STRING;
	case '{':
		return open_container(json, true);
	case '[':
		return open_container(json, false);
	case 't':
		return read_literal(json, "true", 4, JSON_TRUE);
	case 'f':
		return read_literal(json, "false", 5, JSON_FALSE);
	case 'n':
		return read_literal(json, "null", 4, JSON_NULL);
	default:
		if (is_digit(*json->cursor)) {
			return read_number(json);
		}
		if (json->flags & JSON_NOT_FINITE && strchr("NI-", *json->cursor)) {
			enum json_token token = read_not_finite(json);
			if (token != JSON_END) {
				return token;
			}
		}
		return *json->cursor == '-' ? read_number(json) : fail(json, "not a value");
	}
}

static inline enum json_token
read_key(struct json *json)
{
	if (*json->cursor != '"') {
		return fail(json, "not a key in quotes");
	}
	if (!read_string(json)) {
		return JSON_ERROR;
	}
	json->state = COLON;
	if (json->cursor < json->limit && *json->cursor == ':') { /* as nearly always */
		json->cursor++;
		json->state = VALUE;
	}
	return JSON_KEY;
}

/* A comma was read: what must follow it. Gives a token if the container ends after all. */
static inline enum json_token
after_comma(struct json *json)
{
	bool is_object = in_object(json);
	int more = skip_blanks(json);

	if (more <= 0) {
		return more < 0 ? JSON_ERROR : fail(json, "ends inside an object or array");
	}
	if (*json->cursor == (is_object ? '}' : ']') && json->flags & JSON_TRAILING_COMMAS) {
		return close_container(json);
	}
	return is_object ? read_key(json) : read_value(json);
}

static enum json_token
at_end(struct json *json)
{
	bool may_end =
	    json->state == FINISHED || (json->state == START && json->flags & JSON_CONCATENATED);

	if (!may_end) {
		return fail(json,
		            json->state == START ? "no value" : "ends inside an object or array");
	}
	synchronise(json);
	return JSON_END;
}

/* What json_next does where it is not about a value or key in the middle of a container. */
static enum json_token
next_rarely(struct json *json)
{
	switch ((enum json_state)json->state) {
	case FAILED:
		return JSON_ERROR;
	case COLON:
		if (*json->cursor != ':') {
			return fail(json, "no colon after a key");
		}
		json->cursor++;
		json->state = VALUE;
		return json_next(json);
	case FINISHED:
		return fail(json, "bytes after the value");
	case FIRST_KEY:
		return *json->cursor == '}' ? close_container(json) : read_key(json);
	case FIRST_VALUE:
		return *json->cursor == ']' ? close_container(json) : read_value(json);
	default:
		return read_value(json);
	}
}

enum json_token
json_next(struct json *json)
{
	if (json->state == FINISHED && json->flags & JSON_CONCATENATED) {
		json->state = START;
		synchronise(json);
		return JSON_END;
	}
	int more = json->state == FAILED ? 1 : skip_blanks(json);
	if (more <= 0) {
		return more < 0 ? JSON_ERROR : at_end(json);
	}
	if (json->state == VALUE) {
		return read_value(json);
	}
	if (json->state != AFTER_VALUE) {
		return next_rarely(json);
	}
	if (*json->cursor == ',') {
		json->cursor++;
		return after_comma(json);
	}
	if (*json->cursor == (in_object(json) ? '}' : ']')) {
		return close_container(json);
	}
	return fail(json, in_object(json) ? "neither comma nor } after a value"
	                                  : "neither comma nor ] after a value");
}

enum json_token
json_skip(struct json *json)
{
	unsigned depth = json->depth;
	enum json_token token;

	if (json->state != FIRST_KEY && json->state != FIRST_VALUE) {
		/* not behind the beginning of a container */
		return json->state == FAILED ? JSON_ERROR : JSON_NULL;
	}
	do {
		token = json_next(json);
	} while (token != JSON_ERROR && json->depth >= depth);
	return token;
}
