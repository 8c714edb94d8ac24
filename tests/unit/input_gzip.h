/* Of the tests of byte sources: texts, and gzip made of them. */
#ifndef TESTS_UNIT_INPUT_GZIP_H
#define TESTS_UNIT_INPUT_GZIP_H

#include <string.h>
#include <zlib.h>

#include "unit.h"
#include "input/input.h"
#include "util/mem.h"
#include "util/prng.h"

static const enum inflate_engine engines[] = {INFLATE_ZLIB, INFLATE_BEST};

/* Appends text as a gzip member. */
static void
add_member(struct strbuf *out, struct slice text, int level)
{
	z_stream stream;
	unsigned char piece[4096];

	memset(&stream, 0, sizeof stream);
	ck_assert_int_eq(deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY),
	                 Z_OK);
	stream.next_in = (unsigned char *)text.ptr;
	stream.avail_in = (unsigned)text.len;
	int result;
	do {
		stream.next_out = piece;
		stream.avail_out = sizeof piece;
		result = deflate(&stream, Z_FINISH);
		strbuf_add(out, piece, sizeof piece - stream.avail_out);
	} while (result == Z_OK);
	deflateEnd(&stream);
}

/* Everything that comes out of input, which is closed only by the caller. */
static inline void
drain(struct input *input, struct strbuf *out)
{
	struct err err = ERR_INIT;
	struct slice bytes;
	int more;

	while ((more = input_fill(input, 0, &bytes, &err)) == 1) {
		strbuf_add(out, bytes.ptr, bytes.len);
		for (size_t i = 0; i < INPUT_PADDING; i++) { /* readable, says the sanitizer */
			*(volatile const char *)(bytes.ptr + bytes.len + i);
		}
		input_consume(input, bytes.len);
	}
	ck_assert_msg(more == 0, "%s", err.message);
	ck_assert_uint_eq(input_offset(input), out->len);
}

/* Some text that deflate finds both literals and matches in. */
static inline void
make_text(struct strbuf *out, size_t size, uint64_t seed)
{
	struct prng prng = {seed};

	while (out->len < size) {
		strbuf_printf(out, "{\"id\":%u,\"name\":\"read\",\"v\":%x}%s", (unsigned)out->len,
		              (unsigned)prng_next(&prng), prng_below(&prng, 3) ? "\n" : "");
	}
	out->len = size;
}

#endif
