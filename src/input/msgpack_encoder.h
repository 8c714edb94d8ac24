/* A plain encoder of MessagePack, independent of the reader: writes what it is told, in the form it
 * is told. For made-up traces, and for the tests.
 * Used by simulate. */
#ifndef LANESCOPE_INPUT_MSGPACK_ENCODER_H
#define LANESCOPE_INPUT_MSGPACK_ENCODER_H

#include <stdint.h>
#include "util/slice.h"

static inline void
pack_bytes(struct strbuf *out, uint64_t number, unsigned n_bytes)
{
	while (n_bytes-- > 0) {
		strbuf_add_char(out, (char)(number >> (n_bytes * 8)));
	}
}

static inline void
pack_form(struct strbuf *out, unsigned first, uint64_t number, unsigned n_bytes)
{
	strbuf_add_char(out, (char)first);
	pack_bytes(out, number, n_bytes);
}

/* Shortest forms, as the profiler writes them. */
static inline void
pack_integer(struct strbuf *out, int64_t value)
{
	if (value >= -32 && value < 128) {
		pack_form(out, (unsigned)value & 0xff, 0, 0);
	} else if (value >= 0) {
		unsigned log = value < 256                   ? 0
		               : value < 65536               ? 1
		               : value < INT64_C(4294967296) ? 2
		                                             : 3;
		pack_form(out, 0xcc + log, (uint64_t)value, 1u << log);
	} else {
		unsigned log = value >= -128            ? 0
		               : value >= -32768        ? 1
		               : value >= -2147483648LL ? 2
		                                        : 3;
		pack_form(out, 0xd0 + log, (uint64_t)value, 1u << log);
	}
}

static inline void
pack_real(struct strbuf *out, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof bits);
	pack_form(out, 0xcb, bits, 8);
}

static inline void
pack_slice(struct strbuf *out, struct slice text)
{
	if (text.len < 32) {
		pack_form(out, 0xa0 | (unsigned)text.len, 0, 0);
	} else if (text.len < 256) {
		pack_form(out, 0xd9, text.len, 1);
	} else if (text.len < 65536) {
		pack_form(out, 0xda, text.len, 2);
	} else {
		pack_form(out, 0xdb, text.len, 4);
	}
	strbuf_add(out, text.ptr, text.len);
}

static inline void
pack_text(struct strbuf *out, const char *text)
{
	pack_slice(out, slice_of(text));
}

static inline void
pack_nil(struct strbuf *out)
{
	strbuf_add_char(out, (char)0xc0);
}

static inline void
pack_map(struct strbuf *out, unsigned n)
{
	pack_form(out, n < 16 ? 0x80 | n : 0xde, n, n < 16 ? 0 : 2);
}

static inline void
pack_array(struct strbuf *out, unsigned n)
{
	pack_form(out, n < 16 ? 0x90 | n : 0xdc, n, n < 16 ? 0 : 2);
}

#endif
