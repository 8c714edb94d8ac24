/*
 * Streaming JSON tokenizer (RFC 8259), written for traces: bounded memory for documents of any
 * size, 64-bit numbers left as text, nothing copied unless a string has escapes.
 *
 * It reads a slice (one line) or, with json_open_input, a whole input of any size. Checks the full
 * grammar: nesting (depth limit), commas, colons, literals, escapes, surrogates, control
 * characters, trailing bytes.
 * Used by export, import, ingest.
 */
#ifndef LANESCOPE_INPUT_JSON_H
#define LANESCOPE_INPUT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include "input/input.h"
#include "util/err.h"
#include "util/slice.h"

#define JSON_DEPTH_LIMIT 512
#define JSON_TOKEN_LIMIT (64u << 20) /* bytes of one string or number */

enum json_token {
	JSON_ERROR = -1,
	JSON_END = 0, /* after the whole document */
	JSON_OBJECT_BEGIN,
	JSON_OBJECT_END,
	JSON_ARRAY_BEGIN,
	JSON_ARRAY_END,
	JSON_KEY,    /* text: the decoded key */
	JSON_STRING, /* text: the decoded string */
	JSON_NUMBER, /* text: the number as written */
	JSON_TRUE,
	JSON_FALSE,
	JSON_NULL
};

enum json_flags {
	JSON_STRICT = 0,
	JSON_CONTROL_CHARACTERS = 1, /* accept raw control bytes in strings */
	JSON_TRAILING_COMMAS = 2,    /* accept {"a":1,} and [1,] */
	JSON_INVALID_UTF8 =
	    /* accept bytes that are not UTF-8 (kept as they are), and half surrogate pairs
	     * (U+FFFD) */
	4,
	JSON_CONCATENATED =
	    8, /* several documents after each other: JSON_END after each; a JSON_END without a token
	                              * before it: there are no more */
	JSON_NOT_FINITE = 16 /* accept the bare words NaN, Infinity and -Infinity as JSON_NUMBER */
};

struct json {
	/* read-only for the caller */
	struct slice text;     /* of KEY, STRING, NUMBER; lent until the next call */
	bool is_integer;       /* NUMBER: no fraction, no exponent */
	unsigned depth;        /* open objects and arrays */
	const char *error;     /* reason of JSON_ERROR, static text */
	uint64_t error_offset; /* from the start of the slice or input */
	/* private */
	unsigned flags;
	const char *start, *cursor, *limit;
	struct input *input;
	uint64_t base;
	unsigned char stack[JSON_DEPTH_LIMIT / 8];
	unsigned char state;
	struct strbuf scratch;
	struct err *err;
};

/* INPUT_PADDING bytes after `document` must be readable. The struct is zeroed before its first use,
 * and then serves any number of documents. */
void json_begin(struct json *json, struct slice document, unsigned flags);
/* err receives read errors of the input (json_next then gives JSON_ERROR with error "read
 * error"). */
void json_open_input(struct json *json, struct input *input, unsigned flags, struct err *err);
enum json_token json_next(struct json *json);
/* The next member of the object whose {, or last value, was read: 1, its key is json->text; 0: the
 * object ends; -1: it is damaged. */
static inline int
json_member(struct json *json)
{
	enum json_token token = json_next(json);

	return token == JSON_KEY ? 1 : token == JSON_OBJECT_END ? 0 : -1;
}
/* Skips the value that the last token began. JSON_ERROR, also if that was the last token, or the
 * closing token; after a scalar nothing is skipped: JSON_NULL. */
enum json_token json_skip(struct json *json);
/* As json_skip, but appends the value's JSON text (white space removed) to `out`. The last token
 * may be any value. */
int json_copy_value(struct json *json, enum json_token token, struct strbuf *out);
/* The same for values of up to `limit` bytes; 1 if the value is longer: it is skipped and `out` is
 * as it was. */
int json_copy_value_within(struct json *json, enum json_token token, size_t limit,
                           struct strbuf *out);
uint64_t json_offset(const struct json *json); /* of the next byte to read */
void json_fini(struct json *json);             /* frees scratch memory; a zeroed struct is fine */

#endif
