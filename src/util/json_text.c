/*
 * JSON text, value by value, without a tree: rows by the million are written so. Plain bytes are
 * copied in runs, and numbers are made without printf, which would take most of the time of a row.
 */
#include "config.h"
#include "util/json_text.h"

#include <math.h>

#include "util/format.h"
#include "util/utf8.h"

static void
add_escaped(struct strbuf *json, unsigned char c)
{
	static const char letters[] = "btn\0fr"; /* from 8 on */

	strbuf_add_char(json, '\\');
	if (c == '"' || c == '\\') {
		strbuf_add_char(json, (char)c);
	} else if (c >= 8 && c <= 13 && c != 11) {
		strbuf_add_char(json, letters[c - 8]);
	} else {
		strbuf_printf(json, "u%04x", c);
	}
}

void
json_add_text(struct strbuf *json, struct slice text)
{
	size_t plain = 0; /* bytes that need nothing, not added yet */

	strbuf_add_char(json, '"');
	for (size_t at = 0; at < text.len;) {
		unsigned char c = (unsigned char)text.ptr[at];
		size_t length = 1;
		char bytes[4];
		uint32_t code = 0;
		if (c >= 0x80) {
			code = utf8_next(slice_from(text, at), &length);
		}
		if ((c >= 0x20 && c < 0x7f && c != '"' && c != '\\') || length > 1) {
			at += length;
			plain += length;
			continue;
		}
		strbuf_add(json, text.ptr + at - plain, plain);
		plain = 0;
		if (c >= 0x80) {
			strbuf_add(json, bytes, utf8_encode(code, bytes));
		} else {
			add_escaped(json, c);
		}
		at += length;
	}
	strbuf_add(json, text.ptr + text.len - plain, plain);
	strbuf_add_char(json, '"');
}

void
json_add_unsigned(struct strbuf *json, uint64_t value)
{
	char digits[20];
	size_t n = sizeof digits;

	do {
		digits[--n] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	strbuf_add(json, digits + n, sizeof digits - n);
}

void
json_add_integer(struct strbuf *json, int64_t value)
{
	if (value < 0) {
		strbuf_add_char(json, '-');
	}
	json_add_unsigned(json, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void
json_add_real(struct strbuf *json, double value)
{
	char buffer[FORMAT_BYTES];

	if (isfinite(value)) {
		strbuf_add_text(json, format_real(buffer, value));
	} else {
		strbuf_add_text(json, isnan(value) ? "null" : value > 0 ? "9e999" : "-9e999");
	}
}
