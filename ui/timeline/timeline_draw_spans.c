/*
 * Spans are painted parents first, so that what lies inside stands on top, into an array of
 * columns; then columns become glyphs and names are written over the whole cells of their spans. A
 * column remembers how many spans begin or end in it: with more than two edges of different spans
 * it can't show what is there, and is shaded. A span whose end the trace does not have ends in an
 * arrow.
 */
#include "config.h"

#include "ui/timeline/timeline_draw_spans.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"

struct column {
	const struct timeline_span *span; /* on top */
	int from, to;                     /* eighths of the column that it covers */
	int others;                       /* spans that only partly lie here */
	int filled;                       /* eighths that they fill, together */
};

/* Eighth of a column at a time, rounded to the nearest. */
static int
eighth_of(const struct timescale *scale, int64_t at_ns, int column)
{
	int64_t into = time_sub(at_ns, timescale_time(scale, column));

	if (into <= 0) {
		return 0;
	}
	return into >= scale->cell_ns ? 8 : (int)((double)into * 8 / (double)scale->cell_ns + 0.5);
}

/* The column that a span ends in. */
static int
end_column(const struct timescale *scale, const struct timeline_span *span)
{
	int64_t end_ns = time_add(span->start_ns, span->duration_ns);

	return timescale_column(scale, end_ns > span->start_ns ? end_ns - 1 : end_ns);
}

static void
paint(const struct timescale *scale, struct column *columns, const struct timeline_span *span)
{
	int64_t end_ns = time_add(span->start_ns, span->duration_ns);
	int first = timescale_column(scale, span->start_ns);
	int last = end_column(scale, span);

	if (last < 0 || first >= scale->columns) {
		return;
	}
	first = first < 0 ? 0 : first;
	last = last >= scale->columns ? scale->columns - 1 : last;
	for (int i = first; i <= last; i++) {
		struct column *column = &columns[i];
		bool is_whole = span->start_ns <= timescale_time(scale, i) &&
		                end_ns >= timescale_time(scale, i + 1);
		int from = eighth_of(scale, span->start_ns, i), to = eighth_of(scale, end_ns, i);

		if (is_whole) { /* hides what was painted before: its parents */
			*column = (struct column){span, 0, 8, 0, 8};
			continue;
		}
		if (column->others == 0) {
			column->filled = 0;
		}
		column->others++;
		column->filled += to > from ? to - from : 1;
		if (!column->span || column->from > 0 || column->to < 8 || column->others == 1) {
			bool larger = !column->span || column->others == 1 ||
			              to - from >= column->to - column->from;
			if (larger) {
				column->span = span;
				column->from = from;
				column->to = to;
			}
		}
	}
}

static const char *
glyph_of(const struct canvas *canvas, const struct column *column, char mark, char ascii[2])
{
	static const char *const left[] = {"▏", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
	static const char *const shades[] = {"░", "░", "▒", "▓", "▓"};
	int width = column->to - column->from;

	ascii[1] = '\0';
	if (column->others > 2) {
		int filled = column->filled > 8 ? 8 : column->filled;

		ascii[0] = filled >= 4 ? '%' : ':';
		return canvas->ascii ? ascii : shades[filled / 2];
	}
	if (canvas->ascii) {
		ascii[0] = width >= 4 ? mark : width >= 2 ? ':' : '|';
		return ascii;
	}
	if (column->from == 0 || width == 8) {
		return left[width];
	}
	if (column->to == 8) {
		return width >= 7 ? "█" : width >= 3 ? "▐" : "▕";
	}
	return width >= 3 ? (column->from < 4 ? left[width] : "▐") : column->from < 4 ? "▏" : "▕";
}

static cell_style
style_of(const struct timeline_drawing *drawing, const struct timeline_span *span)
{
	cell_style style = timeline_style(drawing->colours, span->rank);

	if (drawing->match && *drawing->match &&
	    slice_contains(span->name, slice_of(drawing->match))) {
		style = STYLE_MATCH;
	}
	return style;
}

/* What stands inside a span. */
static struct slice
caption(const struct timeline_drawing *drawing, const struct timeline_span *span, char *mark)
{
	const struct colours *colours = drawing->colours;

	*mark = '\0';
	if (span->rank < colours->n && colours->mode >= COLOUR_STATUS && span->rank > 0) {
		*mark = colours->marks[span->rank];
	}
	if (colours->mode == COLOUR_NAME && drawing->timeline->has_tasks &&
	    span->rank < colours->n) {
		return colours->labels[span->rank];
	}
	return span->name;
}

/* Writes the name over whole cells [from, to) of a span. */
static void
write_name(const struct timeline_drawing *drawing, struct canvas *canvas,
           const struct timeline_span *span, int x, int y, int columns)
{
	char mark;
	struct slice name = caption(drawing, span, &mark);
	cell_style style = (cell_style)(style_of(drawing, span) | STYLE_REVERSE);
	int at = x + 1, room = columns - 2;

	if (span->id == drawing->selected_span) {
		style |= STYLE_BOLD;
	}
	if (room < 2 || (name.len == 0 && !mark)) {
		return;
	}
	if (mark) {
		at += canvas_text(canvas, at, y, 1, style, (struct slice){&mark, 1});
		room--;
	}
	canvas_text(canvas, at, y, room, style, name);
}

void
timeline_draw_spans(const struct timeline_drawing *drawing, struct canvas *canvas,
                    const struct timeline_track *track, int y)
{
	const struct timescale *scale = drawing->scale;
	struct column *columns = xcalloc((size_t)scale->columns, sizeof *columns);

	for (size_t i = 0; i < track->n_spans; i++) {
		paint(scale, columns, &track->spans[i]);
	}
	for (int i = 0; i < scale->columns; i++) {
		const struct timeline_span *span = columns[i].span;
		uint32_t rank = span ? span->rank : COLOUR_NONE;
		char ascii[2];
		const char *glyph;

		if (!span) {
			continue;
		}
		glyph = glyph_of(canvas, &columns[i],
		                 rank < drawing->colours->n ? drawing->colours->marks[rank] : '#',
		                 ascii);
		if (span->is_unfinished && columns[i].others <= 2 && i == end_column(scale, span)) {
			glyph = canvas->ascii ? ">" : "»";
		}
		if (span->id == drawing->selected_span && columns[i].others <= 2 &&
		    columns[i].to - columns[i].from == 8) {
			glyph = canvas->ascii ? "=" : "▓";
		}
		canvas_puts(canvas, drawing->label + i, y, style_of(drawing, span), glyph);
	}
	for (int i = 0, next; i < scale->columns; i = next) {
		next = i + 1;
		if (!columns[i].span || columns[i].to - columns[i].from < 8 ||
		    columns[i].others > 0) {
			continue;
		}
		while (next < scale->columns && columns[next].span == columns[i].span &&
		       columns[next].others == 0 && columns[next].to - columns[next].from == 8) {
			next++;
		}
		write_name(drawing, canvas, columns[i].span, drawing->label + i, y, next - i);
	}
	free(columns);
}
