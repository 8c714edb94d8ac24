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
add_escaped(struct strbuf *json, uint32_t code)
{
	if (code == '\n' || code == '\r' || code == '\t') {
		strbuf_add_text(json, code == '\n' ? "\\n" : code == '\r' ? "\\r" : "\\t");
	} else if (code == '"' || code == '\\') {
		strbuf_add_char(json, '\\');
		strbuf_add_char(json, (char)code);
	} else if (code < 0x10000) {
		strbuf_printf(json, "\\u%04x", (unsigned)code);
	} else {
		strbuf_printf(json, "\\u%04x\\u%04x", 0xd7c0 + (unsigned)(code >> 10),
		              0xdc00 + (unsigned)(code & 0x3ff));
	}
}

void
json_add_text_as(struct strbuf *json, struct slice text, enum json_texts how)
{
	unsigned char plain_end = how == JSON_TEXT_KEPT ? 0xff : 0x7e;

	strbuf_add_char(json, '"');
	for (size_t at = 0, from = 0; at < text.len; from = at) {
		unsigned char c = 0;
		while (at < text.len && (c = (unsigned char)text.ptr[at]) >= ' ' &&
		       c <= plain_end && c != '"' && c != '\\') {
			at++;
		}
		strbuf_add(json, text.ptr + from, at - from);
		if (at == text.len) {
			break;
		}
		size_t length;
		uint32_t code = utf8_next(slice_from(text, at), &length);
		if (c < 0x7f || (how == JSON_TEXT_SHOWN && utf8_width(code) < 0)) {
			add_escaped(json, code);
		} else if (c == 0x7f || length > 1) {
			strbuf_add(json, text.ptr + at, length);
		} else {
			strbuf_add_text(json, "\xef\xbf\xbd");
		}
		at += length;
	}
	strbuf_add_char(json, '"');
}

void
json_add_text(struct strbuf *json, struct slice text)
{
	json_add_text_as(json, text, JSON_TEXT_REPAIRED);
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
