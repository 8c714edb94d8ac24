/*
 * Reader of MessagePack, one token after the other: bytes in memory, nothing copied or allocated.
 * No count is believed before as many bytes are there, so that what hostile input claims costs
 * nothing.
 * Used by import.
 */
#ifndef LANESCOPE_INPUT_MSGPACK_H
#define LANESCOPE_INPUT_MSGPACK_H

#include <stdbool.h>
#include <stdint.h>
#include "util/slice.h"

#define MSGPACK_DEPTH_LIMIT 512

enum msgpack_type {
	MSGPACK_NIL,
	MSGPACK_BOOLEAN, /* integer: 0 or 1 */
	MSGPACK_INTEGER,
	MSGPACK_UNSIGNED, /* above INT64_MAX: count */
	MSGPACK_REAL,
	MSGPACK_TEXT, /* valid UTF-8 */
	MSGPACK_BINARY,
	MSGPACK_EXTENSION, /* text: its bytes, integer: its type */
	MSGPACK_ARRAY,     /* count elements follow */
	MSGPACK_MAP        /* count keys, each with its value, follow */
};

struct msgpack_value {
	enum msgpack_type type;
	int64_t integer;
	uint64_t count;
	double real;
	struct slice text; /* lent, as long as the bytes are there */
};

struct msgpack {
	const char *start, *cursor, *limit;
	const char *error; /* why a call gave -1; static text */
};

void msgpack_begin(struct msgpack *reader, struct slice bytes);
static inline size_t
msgpack_left(const struct msgpack *reader)
{
	return (size_t)(reader->limit - reader->cursor);
}

/* All return 0, or -1: what follows is cut or no MessagePack; the cursor then stands at it. */
int msgpack_next(struct msgpack *reader, struct msgpack_value *value);
/* A whole value, with all that is in it. */
int msgpack_skip(struct msgpack *reader);
/* Appends the next value as JSON: keys that are no text become texts, numbers that JSON has not
 * become null, bytes texts of hex digits. -1 also if it is nested deeper than
 * MSGPACK_DEPTH_LIMIT. */
int msgpack_copy_json(struct msgpack *reader, struct strbuf *out);

#endif
