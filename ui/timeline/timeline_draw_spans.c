/*
 * Spans are painted parents first, so that what lies inside stands on top, into an array of
 * columns; then columns become glyphs and names are written over the whole cells of their spans. A
 * column remembers how many spans begin or end in it: with more than two edges of different spans
 * it can't show what is there, and is shaded. Of two that touch the first leaves an edge free. A
 * span whose end the trace does not have ends in an arrow.
 *
 * What is selected is hatched, as is its partner in the other run; what is sought or hit keeps its
 * colour and is underlined while the others turn grey: neither needs a colour to be seen, nor
 * borrows that of a kind.
 */
#include "config.h"

#include "ui/timeline/timeline_draw_parts.h"

#include <stdlib.h>

#include "util/ascii.h"
#include "util/format.h"
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
	int64_t start = timescale_time(scale, column), into = time_sub(at_ns, start);
	int64_t width = time_sub(timescale_time(scale, column + 1), start);

	if (into <= 0) {
		return 0;
	}
	return into >= width ? 8 : (int)((double)into * 8 / (double)width + 0.5);
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

static bool
is_full(const struct column *column)
{
	return column->span && column->others == 0 && column->to - column->from == 8;
}

static const char *
glyph_of(const struct canvas *canvas, const struct column *column, char mark, char letter[2])
{
	static const char *const left[] = {"▏", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
	static const char *const shades[] = {"░", "░", "▒", "▓", "▓"};
	int width = column->to - column->from;

	letter[1] = '\0';
	if (column->others > 2) {
		int filled = column->filled > 8 ? 8 : column->filled;

		letter[0] = filled >= 4 ? '%' : ':';
		return canvas->ascii ? letter : shades[filled / 2];
	}
	if (canvas->ascii || (canvas->mono && width >= 4)) {
		letter[0] = width >= 4 ? mark : width >= 2 ? ':' : '|';
		return letter;
	}
	if (column->from == 0 || width == 8) {
		return left[width];
	}
	if (column->to == 8) {
		return width >= 7 ? "█" : width >= 3 ? "▐" : "▕";
	}
	return width >= 3 ? (column->from < 4 ? left[width] : "▐") : column->from < 4 ? "▏" : "▕";
}

/* ---- what stands out ---- */

/* A line of spans while it is drawn. */
struct painting {
	const struct timeline_drawing *drawing;
	struct canvas *canvas;
	const struct timeline_track *track;
	const bool *is_hit; /* NULL: all are as they are */
	int y;
};

static bool
is_selected(const struct timeline_drawing *drawing, const struct timeline_span *span)
{
	return span->id == drawing->selected_span || span->id == drawing->partner_span;
}

static bool
is_dimmed(const struct painting *painting, const struct timeline_span *span)
{
	return painting->is_hit && !painting->is_hit[span - painting->track->spans];
}

static cell_style
style_of(const struct painting *painting, const struct timeline_span *span)
{
	cell_style style = timeline_style(painting->drawing->colours, span->rank);

	if (is_dimmed(painting, span)) {
		return STYLE_MUTED;
	}
	return painting->is_hit ? style | STYLE_UNDERLINE : style;
}

/* ---- names ---- */

/* Among letters a name is set off by blanks. */
static bool
is_set_off(const struct painting *painting, int columns)
{
	return timeline_uses_letters(painting->canvas) && columns >= 6;
}

/* Columns for a name inside of so many. */
static int
room_inside(const struct painting *painting, int columns)
{
	return columns - 2 - 2 * is_set_off(painting, columns);
}

/* Writes text over whole cells of a span, the first and the last of which stay. */
static void
write_inside(const struct painting *painting, const struct timeline_span *span, int x, int row,
             int columns, struct slice text)
{
	struct canvas *canvas = painting->canvas;
	cell_style style = (cell_style)(style_of(painting, span) | STYLE_REVERSE);
	bool sets_off = is_set_off(painting, columns);
	int room = room_inside(painting, columns), y = painting->y + row;

	if (room < 2 || text.len == 0) {
		return;
	}
	if (is_selected(painting->drawing, span)) {
		style |= STYLE_BOLD;
	}
	if (sets_off) {
		canvas_puts(canvas, x + 1, y, style, " ");
	}
	room = canvas_text(canvas, x + 1 + sets_off, y, room, style, text);
	if (sets_off) {
		canvas_puts(canvas, x + 2 + room, y, style, " ");
	}
}

/* Its name and, below, how long it is. */
static void
write_name(const struct painting *painting, const struct timeline_span *span, int x, int columns)
{
	const struct timeline_drawing *drawing = painting->drawing;
	int room = room_inside(painting, columns);
	char mark, duration[FORMAT_BYTES];
	struct slice name = timeline_caption(drawing->timeline, drawing->colours, span, &mark);
	struct strbuf text = {0};

	if (room < 2) {
		return;
	}
	if (mark) {
		strbuf_add_char(&text, mark);
	}
	label_list_add_short(drawing->captions, name, (size_t)(room - (mark != 0)),
	                     painting->canvas->ascii ? "~" : "…", &text);
	write_inside(painting, span, x, 0, columns, strbuf_slice(&text));
	strbuf_free(&text);
	format_duration(duration, span->duration_ns);
	if (timeline_rows_of(drawing) > 1 && (int)strlen(duration) <= columns - 2) {
		write_inside(painting, span, x, 1, columns, slice_of(duration));
	}
}

/* ---- columns ---- */

static void
draw_column(const struct painting *painting, const struct column *columns, int i)
{
	const struct timeline_drawing *drawing = painting->drawing;
	const struct column *column = &columns[i];
	const struct timeline_span *span = column->span;
	struct canvas *canvas = painting->canvas;
	bool has_place = column->others <= 2, is_dim = is_dimmed(painting, span);
	char mark = span->rank < drawing->colours->n ? drawing->colours->marks[span->rank] : '#';
	char letter[2];
	const char *glyph =
	    glyph_of(canvas, column, painting->is_hit && !is_dim ? to_upper(mark) : mark, letter);

	if (is_dim && canvas->mono && column->to - column->from == 8) {
		glyph = canvas->ascii ? "." : "░";
	}
	if (is_full(column) && i + 1 < drawing->scale->columns && is_full(column + 1) &&
	    column[1].span != span) {
		glyph = !timeline_uses_letters(canvas)     ? "▉"
		        : i > 0 && column[-1].span == span ? "|"
		                                           : glyph;
	}
	if (span->is_unfinished && has_place && i == end_column(drawing->scale, span)) {
		glyph = canvas->ascii ? ">" : "»";
	}
	if (is_selected(drawing, span) && has_place && column->to - column->from == 8) {
		glyph = canvas->ascii ? "=" : "▓";
	}
	for (int row = 0; row < timeline_rows_of(drawing); row++) {
		canvas_puts(canvas, drawing->label + i, painting->y + row, style_of(painting, span),
		            glyph);
	}
}

void
timeline_draw_spans(const struct timeline_drawing *drawing, struct canvas *canvas, size_t in_window,
                    int y)
{
	const struct timeline_track *track = &drawing->window->tracks[in_window];
	const struct timescale *scale = drawing->scale;
	struct column *columns = xcalloc((size_t)scale->columns, sizeof *columns);
	bool *is_hit = timeline_window_hits(drawing->window, in_window, drawing->hits);
	struct painting painting = {drawing, canvas, track, is_hit, y};

	for (size_t i = 0; i < track->n_spans; i++) {
		paint(scale, columns, &track->spans[i]);
	}
	for (int i = 0; i < scale->columns; i++) {
		if (columns[i].span) {
			draw_column(&painting, columns, i);
		}
	}
	for (int i = 0, next; i < scale->columns; i = next) {
		next = i + 1;
		if (!is_full(&columns[i])) {
			continue;
		}
		while (next < scale->columns && columns[next].span == columns[i].span &&
		       is_full(&columns[next])) {
			next++;
		}
		write_name(&painting, columns[i].span, drawing->label + i, next - i);
	}
	free(is_hit);
	free(columns);
}
