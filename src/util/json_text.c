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
	size_t plain = 0; /* bytes that need nothing, not added yet */

	strbuf_add_char(json, '"');
	for (size_t at = 0, length = 1; at < text.len; at += length) {
		unsigned char c = (unsigned char)text.ptr[at];
		uint32_t code = c;
		length = 1;
		if (c >= 0x7f && how != JSON_TEXT_KEPT) {
			code = utf8_next(slice_from(text, at), &length);
		}
		bool is_special = c < 0x20 || c == '"' || c == '\\' ||
		                  (how == JSON_TEXT_SHOWN && c >= 0x7f && utf8_width(code) < 0);
		if (!is_special && (c < 0x80 || length > 1 || how == JSON_TEXT_KEPT)) {
			plain += length;
			continue;
		}
		strbuf_add(json, text.ptr + at - plain, plain);
		plain = 0;
		if (is_special) {
			add_escaped(json, code);
		} else {
			strbuf_add_text(json, "\xef\xbf\xbd");
		}
	}
	strbuf_add(json, text.ptr + text.len - plain, plain);
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
