/*
 * Tables for people: numbers with their units, right-aligned; texts left-aligned, control bytes
 * made visible.
 *
 * On a terminal a table must not wrap. First the widest texts are shortened, evenly, down to
 * TEXT_LEAST columns (a path loses its beginning, any other text its end); if that is not enough,
 * columns at the right are left out and named below the table. Widths come from a first pass over
 * all cells, so the second pass only pads.
 */
#include "config.h"
#include "export/export.h"

#include <stdlib.h>

#include "query/saved/kind.h"
#include "util/ascii.h"
#include "util/order.h"
#include "util/utf8.h"

#define TEXT_LEAST 18
#define GAP 2

/* By column of the result. */
struct table_layout {
	size_t *widths;
	bool *shown;
	bool *empty; /* only NULL */
};

static bool
is_sum(const struct result *result, size_t row)
{
	return row >= result->n_rows - result->n_sums;
}

struct slice
export_shown(const struct result *result, size_t row, size_t column, char *number,
             struct strbuf *scratch)
{
	const struct value *value = result_value(result, row, column);
	if (value->type == VALUE_NULL) {
		return slice_of(is_sum(result, row) ? "" : "-");
	}
	strbuf_clear(scratch);
	if (value->type == VALUE_BLOB) {
		return export_raw(value, scratch);
	}
	struct slice text = value_show(value, result_kind(result, row, column), number);
	if (value->type == VALUE_TEXT && text.len) {
		utf8_escape(scratch, text);
		text = strbuf_slice(scratch);
	}
	return text;
}

static bool
is_left(const struct result *result, size_t column)
{
	return !column_kind_is_number(result->columns[column].kind);
}

/* What stands above a column, escaped. */
static void
add_title(const struct result *result, size_t column, struct strbuf *out)
{
	struct strbuf title = {0};

	column_title(&result->columns[column], &title);
	utf8_escape(out, strbuf_slice(&title));
	strbuf_free(&title);
}

static void
measure(const struct result *result, bool header, struct table_layout *layout)
{
	struct strbuf scratch = {0};
	char number[FORMAT_BYTES];
	for (size_t c = 0; c < result->n_columns; c++) {
		add_title(result, c, &scratch);
		layout->widths[c] = header ? utf8_columns(strbuf_slice(&scratch)) : 1;
		layout->shown[c] = true;
		layout->empty[c] = result->n_rows > 0;
		strbuf_clear(&scratch);
	}
	for (size_t r = 0; r < result->n_rows; r++) {
		for (size_t c = 0; c < result->n_columns; c++) {
			size_t width = utf8_columns(export_shown(result, r, c, number, &scratch));
			layout->widths[c] = MOST(width, layout->widths[c]);
			layout->empty[c] =
			    layout->empty[c] && result_value(result, r, c)->type == VALUE_NULL;
		}
	}
	strbuf_free(&scratch);
}

static size_t
total_width(const struct table_layout *layout, size_t n)
{
	size_t total = 0, shown = 0;
	for (size_t c = 0; c < n; c++) {
		total += layout->shown[c] ? layout->widths[c] + (shown++ ? GAP : 0) : 0;
	}
	return total;
}

/* Takes one column off the widest text (the first of equals); false when all are at their least. */
static bool
shorten_widest(const struct result *result, struct table_layout *layout)
{
	size_t widest = result->n_columns, *widths = layout->widths;
	for (size_t c = 0; c < result->n_columns; c++) {
		if (layout->shown[c] && is_left(result, c) && widths[c] > TEXT_LEAST &&
		    (widest == result->n_columns || widths[c] > widths[widest])) {
			widest = c;
		}
	}
	if (widest == result->n_columns) {
		return false;
	}
	widths[widest]--;
	return true;
}

/* At least one column stays. */
static void
fit(const struct result *result, size_t width, struct table_layout *layout)
{
	size_t n = result->n_columns, n_shown = n;
	for (size_t c = n; c-- > 0 && total_width(layout, n) > width;) {
		if (layout->empty[c] && n_shown > 1) {
			layout->shown[c] = false;
			n_shown--;
		}
	}
	for (size_t c = 0; c < n; c++) { /* so that shortening takes at most width steps a column */
		if (is_left(result, c) && layout->widths[c] > width) {
			layout->widths[c] = MOST(width, TEXT_LEAST);
		}
	}
	while (total_width(layout, n) > width && shorten_widest(result, layout)) {
	}
	for (size_t c = n; c-- > 0 && n_shown > 1 && total_width(layout, n) > width;) {
		n_shown -= layout->shown[c];
		layout->shown[c] = false;
	}
}

static void
pad(struct strbuf *line, size_t n)
{
	while (n--) {
		strbuf_add_char(line, ' ');
	}
}

/* The end of a text, at most so many columns. */
static struct slice
clip_front(struct slice text, size_t columns)
{
	size_t excess = utf8_columns(text);
	while (text.len && excess > columns) {
		size_t length;
		int width = utf8_width(utf8_next(text, &length));
		excess -= width > 0 ? (size_t)width : 0;
		text = slice_from(text, length);
	}
	return text;
}

static void
add_cell(struct exporter *exporter, struct slice text, size_t width, bool left, bool last)
{
	struct strbuf *line = &exporter->line;
	const char *dots = exporter->options.ascii ? "~" : "\xe2\x80\xa6";
	size_t columns = utf8_columns(text);
	if (columns > width && memchr(text.ptr, '/', text.len)) {
		text = clip_front(text, width - 1);
		pad(line, width - 1 - utf8_columns(text));
		strbuf_add_text(line, dots);
		strbuf_add_slice(line, text);
		return;
	}
	if (columns > width) {
		text = utf8_clip(text, width - 1);
		strbuf_add_slice(line, text);
		strbuf_add_text(line, dots);
		columns = utf8_columns(text) + 1;
		text.len = 0;
	}
	if (!left) {
		pad(line, width - columns);
	}
	strbuf_add_slice(line, text);
	if (left && !last) {
		pad(line, width - columns);
	}
}

static void
flush_line(struct exporter *exporter)
{
	strbuf_add_char(&exporter->line, '\n');
	(void)fwrite(exporter->line.data, 1, exporter->line.len,
	             exporter->file); /* ferror is asked at the end */
	strbuf_clear(&exporter->line);
}

static size_t
last_shown(const struct result *result, const struct table_layout *layout)
{
	size_t c = result->n_columns;
	while (c > 1 && !layout->shown[c - 1]) {
		c--;
	}
	return c - 1;
}

static void
add_header(struct exporter *exporter, const struct result *result,
           const struct table_layout *layout)
{
	struct strbuf name = {0};
	size_t last = last_shown(result, layout);
	for (size_t c = 0; c < result->n_columns; c++) {
		if (layout->shown[c]) {
			add_title(result, c, &name);
			add_cell(exporter, strbuf_slice(&name), layout->widths[c],
			         is_left(result, c), c == last);
			pad(&exporter->line, c == last ? 0 : GAP);
			strbuf_clear(&name);
		}
	}
	strbuf_free(&name);
	flush_line(exporter);
}

static void
add_left_out(struct exporter *exporter, const struct result *result,
             const struct table_layout *layout)
{
	const char *before = "(no room for: ";
	for (size_t c = 0; c < result->n_columns; c++) {
		if (!layout->shown[c]) {
			strbuf_add_text(&exporter->line, before);
			utf8_escape(&exporter->line, slice_of(result->columns[c].name));
			before = ", ";
		}
	}
	if (exporter->line.len) {
		strbuf_add_text(&exporter->line, ")");
		flush_line(exporter);
	}
}

/* Sums stand below a line that says so, where no value can stand. */
static void
add_sums_line(struct exporter *exporter, const struct result *result,
              const struct table_layout *layout)
{
	const char *dash = exporter->options.ascii ? "-" : "\xe2\x94\x80";
	struct strbuf *line = &exporter->line;
	size_t width = total_width(layout, result->n_columns);
	size_t room = exporter->options.width > 4 ? exporter->options.width - 4 : 72;
	struct slice label = utf8_clip(slice_of(result->sums_label), room);
	size_t used = 4 + utf8_columns(label);

	strbuf_printf(line, "%s%s %.*s ", dash, dash, (int)label.len, label.ptr);
	for (; used < width; used++) {
		strbuf_add_text(line, dash);
	}
	flush_line(exporter);
}

void
export_table(struct exporter *exporter, const struct result *result)
{
	size_t n = result->n_columns + 1;
	struct table_layout layout = {xcalloc(n, sizeof *layout.widths),
	                              xcalloc(n, sizeof *layout.shown),
	                              xcalloc(n, sizeof *layout.empty)};
	struct strbuf scratch = {0};
	char number[FORMAT_BYTES];
	measure(result, exporter->options.header, &layout);
	if (exporter->options.width) {
		fit(result, exporter->options.width, &layout);
	}
	if (exporter->options.header) {
		add_header(exporter, result, &layout);
	}
	size_t last = last_shown(result, &layout);
	for (size_t r = 0; r < result->n_rows && !ferror(exporter->file); r++) {
		if (result->n_sums > 0 && r == result->n_rows - result->n_sums) {
			add_sums_line(exporter, result, &layout);
		}
		for (size_t c = 0; c <= last && c < result->n_columns; c++) {
			if (layout.shown[c]) {
				struct slice text = export_shown(result, r, c, number, &scratch);
				add_cell(exporter, text, layout.widths[c], is_left(result, c),
				         c == last);
				pad(&exporter->line, c == last ? 0 : GAP);
			}
		}
		struct strbuf *line = &exporter->line; /* of sums: it ends where its figures do */
		while (is_sum(result, r) && line->len > 0 && line->data[line->len - 1] == ' ') {
			line->len--;
		}
		flush_line(exporter);
	}
	add_left_out(exporter, result, &layout);
	strbuf_free(&scratch);
	free(layout.widths);
	free(layout.shown);
	free(layout.empty);
}

/* An underscore within a word is one. */
static bool
means_markdown(struct slice text, size_t i)
{
	return text.ptr[i] == '_' ? i == 0 || i + 1 == text.len || !is_alnum(text.ptr[i - 1]) ||
	                                !is_alnum(text.ptr[i + 1])
	                          : memchr("|\\`*<>[]~&", text.ptr[i], 10) != NULL;
}

void
export_markdown_text(struct strbuf *line, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (means_markdown(text, i)) {
			strbuf_add_char(line, '\\');
		}
		strbuf_add_char(line, text.ptr[i]);
	}
}

/* A cell of a row of sums is bold, which no other can be. */
static void
add_markdown_cell(struct strbuf *line, const struct result *result, size_t row, size_t column,
                  struct slice text)
{
	const char *mark = is_sum(result, row) && text.len > 0 ? "**" : "";

	strbuf_add_text(line, mark);
	if (result_value(result, row, column)->type == VALUE_TEXT) {
		export_markdown_text(line, text);
	} else {
		strbuf_add_slice(line, text);
	}
	strbuf_add_text(line, mark);
}

void
export_markdown(struct exporter *exporter, const struct result *result)
{
	struct strbuf scratch = {0}, *line = &exporter->line;
	char number[FORMAT_BYTES];
	for (size_t c = 0; c < result->n_columns;
	     c++) { /* a Markdown table can't be without a header */
		strbuf_add_text(line, c ? " | " : "| ");
		add_title(result, c, &scratch);
		export_markdown_text(line, strbuf_slice(&scratch));
		strbuf_clear(&scratch);
	}
	strbuf_add_text(line, " |\n");
	for (size_t c = 0; c < result->n_columns; c++) {
		strbuf_add_text(line, c ? " | " : "| ");
		strbuf_add_text(line, is_left(result, c) ? ":--" : "--:");
	}
	strbuf_add_text(line, " |");
	flush_line(exporter);
	for (size_t r = 0; r < result->n_rows && !ferror(exporter->file); r++) {
		for (size_t c = 0; c < result->n_columns; c++) {
			strbuf_add_text(line, c ? " | " : "| ");
			struct slice text = export_shown(result, r, c, number, &scratch);
			if (c == result->n_apart && is_sum(result, r) && text.len == 0) {
				text = slice_of("sum");
			}
			add_markdown_cell(line, result, r, c, text);
		}
		strbuf_add_text(line, " |");
		flush_line(exporter);
	}
	strbuf_free(&scratch);
}
