/*
 * JSON, written by hand: rows must stream, 64-bit integers must come out in full, and texts from
 * traces may hold bytes that are no UTF-8 (each becomes U+FFFD, as JSON has no other way). Infinite
 * reals are null.
 */
#include "config.h"
#include "export/export.h"

#include <math.h>

#include "util/utf8.h"

static void
add_character(struct strbuf *line, struct slice text, size_t length, uint32_t code, bool escape)
{
	switch (code) {
	case '"':
		strbuf_add_text(line, "\\\"");
		return;
	case '\\':
		strbuf_add_text(line, "\\\\");
		return;
	case '\n':
		strbuf_add_text(line, "\\n");
		return;
	case '\t':
		strbuf_add_text(line, "\\t");
		return;
	case '\r':
		strbuf_add_text(line, "\\r");
		return;
	default:
		break;
	}
	bool invalid = code == 0xfffd && length == 1;
	if (code < 0x20 || (escape && code < 0x10000 && utf8_width(code) < 0)) {
		strbuf_printf(line, "\\u%04x", (unsigned)code);
	} else if (escape && utf8_width(code) < 0) {
		uint32_t rest = code - 0x10000;
		strbuf_printf(line, "\\u%04x\\u%04x", 0xd800 + (unsigned)(rest >> 10),
		              0xdc00 + (unsigned)(rest & 0x3ff));
	} else if (invalid) {
		strbuf_add_text(line, "\xef\xbf\xbd");
	} else {
		strbuf_add(line, text.ptr, length);
	}
}

static void
add_string(struct strbuf *line, struct slice text, bool escape)
{
	strbuf_add_char(line, '"');
	while (text.len) {
		size_t length;
		uint32_t code = utf8_next(text, &length);
		add_character(line, text, length, code, escape);
		text = slice_from(text, length);
	}
	strbuf_add_char(line, '"');
}

static void
add_object(struct exporter *exporter, const struct value *values)
{
	struct strbuf scratch = {0}, *line = &exporter->line;
	strbuf_add_char(line, '{');
	for (size_t i = 0; i < exporter->n_columns; i++) {
		strbuf_add_text(line, i ? ", " : "");
		add_string(line, slice_of(exporter->columns[i].name), exporter->options.escape);
		strbuf_add_text(line, ": ");
		const struct value *value = &values[i];
		if (value->type == VALUE_NULL ||
		    (value->type == VALUE_REAL && !isfinite(value->real))) {
			strbuf_add_text(line, "null");
		} else if (value->type == VALUE_TEXT || value->type == VALUE_BLOB) {
			add_string(line, export_raw(value, &scratch), exporter->options.escape);
		} else {
			struct slice raw = export_raw(value, &scratch);
			strbuf_add_slice(line, raw);
		}
	}
	strbuf_add_char(line, '}');
	strbuf_free(&scratch);
}

void
export_json_begin(struct exporter *exporter)
{
	strbuf_add_char(&exporter->line, '[');
}

void
export_json_row(struct exporter *exporter, const struct value *values)
{
	strbuf_add_text(&exporter->line, exporter->n_rows ? ",\n " : "");
	add_object(exporter, values);
}

void
export_json_end(struct exporter *exporter)
{
	strbuf_add_text(&exporter->line, "]\n");
}

void
export_jsonl_row(struct exporter *exporter, const struct value *values)
{
	add_object(exporter, values);
	strbuf_add_char(&exporter->line, '\n');
}
