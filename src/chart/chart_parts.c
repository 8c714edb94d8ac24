#include "config.h"
#include "chart/chart_private.h"

#include <stdarg.h>
#include <stdlib.h>

#include "util/order.h"
#include "util/utf8.h"

void
chart_note(struct chart *chart, const char *format, ...)
{
	struct strbuf text = {0}, shown = {0};
	const char **notes = arena_alloc(chart->arena, (chart->n_notes + 1) * sizeof *notes);
	va_list args;

	va_start(args, format);
	strbuf_vprintf(&text, format, args);
	va_end(args);
	utf8_escape(&shown, strbuf_slice(&text));
	for (size_t i = 0; i < chart->n_notes; i++) {
		notes[i] = chart->notes[i];
	}
	notes[chart->n_notes++] = arena_strndup(chart->arena, shown.data, shown.len);
	chart->notes = notes;
	strbuf_free(&text);
	strbuf_free(&shown);
}

static int
raw_compare(const void *left, const void *right)
{
	const struct chart_raw *a = left, *b = right;

	ORDER_BY(a->series, b->series);
	ORDER_BY(a->x, b->x);
	return ORDER(a->row, b->row);
}

void
chart_sort_raw(struct chart_data *data, size_t *starts)
{
	size_t at = 0;

	SORT(data->raw, data->n_raw, raw_compare);
	for (size_t i = 0; i <= data->chart->n_series; i++) {
		while (at < data->n_raw && data->raw[at].series < i) {
			at++;
		}
		starts[i] = i == data->chart->n_series ? data->n_raw : at;
	}
}
