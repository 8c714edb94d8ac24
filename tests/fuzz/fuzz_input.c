/*
 * Gzip and lines: any bytes. Both inflaters must agree on what a stream that they both find whole
 * holds; lines, put together again, are the bytes. The first byte gives the piece size.
 */
#include "config.h"

#include <stdlib.h>

#include "fuzz/fuzz.h"
#include "input/input.h"

#define OUTPUT_LIMIT ((size_t)1 << 20) /* a few bytes can inflate to gigabytes */

static void
read_filled(struct input *input, struct strbuf *out)
{
	struct err err = ERR_INIT;
	struct slice bytes;

	while (out->len < OUTPUT_LIMIT && input_fill(input, 100, &bytes, &err) == 1) {
		FUZZ_CHECK(bytes.len > 0);
		strbuf_add(out, bytes.ptr, bytes.len);
		input_consume(input, bytes.len);
		FUZZ_CHECK(input_offset(input) == out->len);
	}
}

static void
read_lines(struct input *input, struct strbuf *out)
{
	struct err err = ERR_INIT;
	struct slice line;
	bool cut;

	while (out->len < OUTPUT_LIMIT && input_line(input, &line, &cut, &err) == 1) {
		FUZZ_CHECK(!cut);
		strbuf_add(out, line.ptr, line.len);
		strbuf_add(out, "\n", !input_last_line_open(input));
	}
}

/* Where it is not, the inflaters give up at different bytes. */
static bool
is_whole(const struct input *input)
{
	uint64_t offset;

	return !input_truncated(input) && !input_damage(input, &offset);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf a = {NULL, 0, 0}, b = {NULL, 0, 0}, c = {NULL, 0, 0};

	if (size == 0) {
		return 0;
	}
	size_t chunk = data[0];
	struct slice bytes = {(const char *)data + 1, size - 1};
	struct input *first = input_from_memory_engine(bytes, chunk, INFLATE_ZLIB);
	struct input *second = input_from_memory_engine(bytes, 0, INFLATE_BEST);
	struct input *third = input_from_memory_engine(bytes, chunk, INFLATE_BEST);
	read_filled(first, &a);
	read_filled(second, &b);
	read_lines(third, &c);
	bool ended = a.len < OUTPUT_LIMIT && b.len < OUTPUT_LIMIT && c.len < OUTPUT_LIMIT;
	if (ended && is_whole(first) && is_whole(second)) {
		FUZZ_CHECK(slice_equal(strbuf_slice(&a), strbuf_slice(&b)));
	}
	if (ended && is_whole(second) && is_whole(third)) {
		FUZZ_CHECK(slice_equal(strbuf_slice(&b), strbuf_slice(&c)));
	}
	input_close(first);
	input_close(second);
	input_close(third);
	strbuf_free(&a);
	strbuf_free(&b);
	strbuf_free(&c);
	return 0;
}
