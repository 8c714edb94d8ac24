/*
 * CSV and TSV. Data stay exact, but for bytes that are not UTF-8, which readers of either refuse or
 * replace: those become \xNN. A text that spreadsheets take for a formula is quoted, which is all
 * that CSV can say; a prefix would give a reader another text than the trace held, so it comes only
 * when it is asked for. NULL is the empty field and the empty text is "" in CSV, so that the two
 * can be told apart; in TSV NULL is \N.
 */
#include "config.h"
#include "export/export.h"

#include <string.h>

#include "util/mem.h"
#include "util/utf8.h"

static bool
needs_quotes(struct slice text)
{
	if (text.len == 0 || strchr("=+-@ \t", text.ptr[0]) || text.ptr[text.len - 1] == ' ') {
		return true;
	}
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];
		if (c == '"' || c == ',' || c == '\n' || c == '\r') {
			return true;
		}
	}
	return false;
}

static void
add_csv_text(struct strbuf *line, struct slice text)
{
	if (!needs_quotes(text)) {
		strbuf_add_slice(line, text);
		return;
	}
	strbuf_add_char(line, '"');
	while (text.len) {
		const char *quote = memchr(text.ptr, '"', text.len);
		size_t n = quote ? (size_t)(quote - text.ptr) + 1 : text.len;
		strbuf_add(line, text.ptr, n);
		if (quote) {
			strbuf_add_char(line, '"');
		}
		text = slice_from(text, n);
	}
	strbuf_add_char(line, '"');
}

static void
add_tsv_text(struct strbuf *line, struct slice text)
{
	static const char special[] = "\t\n\r\\", letters[] = "tnr\\";
	for (size_t i = 0; i < text.len; i++) {
		const char *found = text.ptr[i] ? strchr(special, text.ptr[i]) : NULL;
		if (found) {
			strbuf_add_char(line, '\\');
			strbuf_add_char(line, letters[found - special]);
		} else {
			strbuf_add_char(line, text.ptr[i]);
		}
	}
}

/* Do spreadsheets compute it? By its first character, as OWASP lists them (CSV injection), those of
 * full width included. A number is what it says. */
static bool
is_formula(struct slice text)
{
	static const uint32_t begins[] = {'=',  '+',    '-',    '@',    '\t',  '\r',
	                                  '\n', 0xff1d, 0xff0b, 0xff0d, 0xff20};
	size_t length;
	double number;

	for (size_t i = 0; text.len > 0 && i < COUNT_OF(begins); i++) {
		if (utf8_next(text, &length) == begins[i]) {
			return !slice_double(text, &number);
		}
	}
	return false;
}

static void
add_text(struct exporter *exporter, struct slice text,
         void (*add)(struct strbuf *line, struct slice text))
{
	struct strbuf shown = {0}, cell = {0};

	if (exporter->options.safe && is_formula(text)) {
		strbuf_add_char(&shown, '\'');
	}
	if (exporter->options.escape) {
		utf8_escape(&shown, text);
		text = strbuf_slice(&shown);
	} else if (shown.len) {
		strbuf_add_slice(&shown, text);
		text = strbuf_slice(&shown);
	}
	if (utf8_valid(text)) {
		add(&exporter->line, text);
	} else { /* afterwards, so that TSV writes the backslash as one that the text didn't have */
		add(&cell, text);
		utf8_escape_invalid(&exporter->line, strbuf_slice(&cell));
	}
	strbuf_free(&shown);
	strbuf_free(&cell);
}

static void
add_names(struct exporter *exporter, char separator,
          void (*add)(struct strbuf *line, struct slice text))
{
	for (size_t i = 0; exporter->options.header && i < exporter->n_columns; i++) {
		if (i) {
			strbuf_add_char(&exporter->line, separator);
		}
		add_text(exporter, slice_of(exporter->columns[i].name), add);
	}
	if (exporter->options.header) {
		strbuf_add_char(&exporter->line, '\n');
	}
}

static void
add_values(struct exporter *exporter, const struct value *values, char separator,
           void (*add)(struct strbuf *line, struct slice text), const char *null)
{
	struct strbuf scratch = {0};
	for (size_t i = 0; i < exporter->n_columns; i++) {
		if (i) {
			strbuf_add_char(&exporter->line, separator);
		}
		if (values[i].type == VALUE_NULL) {
			strbuf_add_text(&exporter->line, null);
		} else if (values[i].type == VALUE_TEXT) {
			add_text(exporter, values[i].text, add);
		} else if (values[i].type == VALUE_INTEGER) {
			strbuf_add_integer(&exporter->line, values[i].integer);
		} else {
			struct slice raw = export_raw(&values[i], &scratch);
			strbuf_add_slice(&exporter->line, raw);
		}
	}
	strbuf_add_char(&exporter->line, '\n');
	strbuf_free(&scratch);
}

void
export_csv_begin(struct exporter *exporter)
{
	add_names(exporter, ',', add_csv_text);
}

void
export_csv_row(struct exporter *exporter, const struct value *values)
{
	add_values(exporter, values, ',', add_csv_text, "");
}

void
export_tsv_begin(struct exporter *exporter)
{
	add_names(exporter, '\t', add_tsv_text);
}

void
export_tsv_row(struct exporter *exporter, const struct value *values)
{
	add_values(exporter, values, '\t', add_tsv_text, "\\N");
}
