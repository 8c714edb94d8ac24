/*
 * What stands around the lanes: above them where in the run the window is, and its times; below
 * what colours and signs mean.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ui/timeline/timeline_draw.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/labels.h"
#include "util/order.h"
#include "util/utf8.h"

#define RULER_COLUMNS 12
#define LEGEND_LABEL 24 /* columns of one label, less where the screen is small */

int
timeline_head_rows(const struct timeline *timeline)
{
	return timeline && timeline->pair ? 4 : 3;
}

/* The columns of the whole run that a run has, of two its part of their axis. */
struct strip {
	struct timescale whole; /* as the lanes show it when all of it is there */
	int from, to;           /* in the window */
	int begin, end;         /* of the run */
};

static struct strip
strip_of(const struct timeline_drawing *drawing, int side)
{
	const struct timescale *scale = drawing->scale;
	struct strip strip = {.whole = {.duration_ns = scale->duration_ns,
	                                .cell_ns = timescale_fit_ns(scale),
	                                .columns = scale->columns}};
	int last =
	    timescale_column(&strip.whole, time_sub(timescale_time(scale, scale->columns), 1));

	strip.from = timescale_column(&strip.whole, scale->start_ns);
	strip.to = last + 1 > scale->columns ? scale->columns : last + 1;
	strip.to = strip.to > strip.from ? strip.to : strip.from + 1;
	strip.end = scale->columns;
	if (drawing->axis) {
		int64_t end = drawing->axis->duration_ns[side];

		strip.begin =
		    timescale_column(&strip.whole, pair_axis_point(drawing->axis, side, 0));
		strip.end =
		    timescale_column(&strip.whole, pair_axis_point(drawing->axis, side, end)) + 1;
	}
	return strip;
}

/* The value of a strip at a time; NULL: none is known. */
static const struct timeline_value *
strip_value(const struct timeline_window *strips, size_t line, int64_t at_ns)
{
	const struct timeline_value *values = strips->tracks[line].values;
	int64_t i = strips->cell_ns > 0 ? at_ns / strips->cell_ns : strips->n_cells;

	return values && i < strips->n_cells && values[i].is_known ? &values[i] : NULL;
}

/* The highest value of all strips, so that those of two runs compare; 0: none is known. */
static double
strips_high(const struct timeline_window *strips)
{
	double high = 0;

	for (size_t line = 0; strips && line < strips->n_lines; line++) {
		const struct timeline_value *values = strips->tracks[line].values;

		for (uint32_t i = 0; values && i < strips->n_cells; i++) {
			high = values[i].high > high ? values[i].high : high;
		}
	}
	return high;
}

/* Before a strip: of two runs which it is of, else what it shows, where that is not how busy. */
static void
draw_strip_label(const struct timeline_drawing *drawing, struct canvas *canvas, int side, int y)
{
	int room = drawing->label - 3;

	if (drawing->names && drawing->axis) {
		canvas_puts(canvas, 2, y, side ? STYLE_B : STYLE_A, side ? "B" : "A");
		canvas_text_middle(canvas, 4, y, room - 2, STYLE_TITLE,
		                   slice_of(drawing->names[side]));
	} else if (drawing->timeline->n_work == 0 && drawing->timeline->n_dense > 0) {
		canvas_text(canvas, 2, y, room, STYLE_MUTED, slice_of("density"));
	}
}

/* Where a run was busy: against the busiest cell, since few runs keep all of their lanes busy.
 * line: of the minimap; n_lines: nothing is known. */
static void
draw_strip(const struct timeline_drawing *drawing, struct canvas *canvas, int side, size_t line,
           int y)
{
	const struct timeline_window *strips = drawing->minimap;
	struct strip strip = strip_of(drawing, side);
	double high = strips_high(strips);
	int columns = drawing->scale->columns, x = drawing->label;

	draw_strip_label(drawing, canvas, side, y);
	for (int i = strip.begin > 0 ? strip.begin : 0; i < columns && i < strip.end; i++) {
		const struct timeline_value *value =
		    strips && line < strips->n_lines
			? strip_value(strips, line, timescale_time(&strip.whole, i))
			: NULL;
		const char *glyph = canvas->ascii ? "." : "·";

		if (value && value->high > 0) {
			glyph = canvas_level(canvas, value->high / high);
		}
		canvas_puts(canvas, x + i, y,
		            i >= strip.from && i < strip.to ? STYLE_GROUP : STYLE_MUTED, glyph);
	}
	if (strip.from > 0 || strip.to < columns) { /* all of it needs no brackets */
		int last = strip.to - 1 > strip.from  ? strip.to - 1
		           : strip.from + 1 < columns ? strip.from + 1
		                                      : strip.from;

		canvas_puts(canvas, x + strip.from, y, STYLE_KEY, "[");
		canvas_puts(canvas, x + last, y, STYLE_KEY, "]");
	}
}

static void
draw_minimap(const struct timeline_drawing *drawing, struct canvas *canvas, int y)
{
	const struct timeline_window *strips = drawing->minimap;

	for (int side = 0; side < 1 + (drawing->axis != NULL); side++) {
		size_t line = 0;

		while (drawing->axis && strips && line < strips->n_lines &&
		       drawing->timeline->rows[strips->lines[line].row].side != side + 1) {
			line++;
		}
		draw_strip(drawing, canvas, side, line, y + side);
	}
}

void
timeline_draw_end(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line, int y)
{
	const struct timeline_row *row = &drawing->timeline->rows[drawing->lines[line].row];
	const struct timescale *scale = drawing->scale;
	int64_t end;
	int column;

	if (!drawing->axis || row->side == 0) {
		return;
	}
	end = pair_axis_point(drawing->axis, row->side - 1,
	                      drawing->axis->duration_ns[row->side - 1]);
	column = timescale_column(scale, end);
	if (end < scale->duration_ns && column >= 0 && column < scale->columns) {
		canvas_puts(canvas, drawing->label + column, y, STYLE_KEY, "|");
	}
}

/* Distance of marks that leaves room for their times, which are longer far into a run. */
static int64_t
ruler_step(const struct timescale *scale)
{
	int64_t end = timescale_time(scale, scale->columns);
	int64_t step = timescale_ruler_ns(scale, RULER_COLUMNS);
	char text[FORMAT_BYTES];
	int columns;

	format_position(text, end < scale->duration_ns ? end : scale->duration_ns, step);
	columns = (int)strlen(text) + 2;
	return columns > RULER_COLUMNS ? timescale_ruler_ns(scale, columns) : step;
}

static void
timeline_draw_ruler(const struct timeline_drawing *drawing, struct canvas *canvas, int y)
{
	const struct timescale *scale = drawing->scale;
	int64_t step = ruler_step(scale);
	int64_t end = timescale_time(scale, scale->columns);
	int64_t first = scale->start_ns > INT64_MAX - step
	                    ? INT64_MAX
	                    : (scale->start_ns + step - 1) / step * step;
	int free_from = 0;

	for (int64_t mark = first; mark < end && mark <= scale->duration_ns;
	     mark = time_add(mark, step)) {
		int column = timescale_column(scale, mark);
		char text[FORMAT_BYTES];

		format_position(text, mark, step);
		if (column >= free_from &&
		    column + (int)utf8_columns(slice_of(text)) <= scale->columns) {
			free_from =
			    column + 1 +
			    canvas_text(canvas, drawing->label + column, y, scale->columns - column,
			                STYLE_HEADER, slice_of(text));
		}
		canvas_puts(canvas, drawing->label + column, y + 1, STYLE_MUTED,
		            canvas->ascii ? "|" : "╷");
		if (mark > INT64_MAX - step) {
			break;
		}
	}
}

static void
draw_range(const struct timeline_drawing *drawing, struct canvas *canvas, int y)
{
	const struct timescale *scale = drawing->scale;
	int from = timescale_column(scale, drawing->range_start);
	int to = timescale_column(scale, time_sub(drawing->range_end, 1));

	if (drawing->range_end <= drawing->range_start || to < 0 || from >= scale->columns) {
		return;
	}
	for (int i = from < 0 ? 0 : from; i <= to && i < scale->columns; i++) {
		canvas_puts(canvas, drawing->label + i, y, STYLE_KEY,
		            i == from       ? "["
		            : i == to       ? "]"
		            : canvas->ascii ? "="
		                            : "━");
	}
	if (from == to) {
		canvas_puts(canvas, drawing->label + from, y, STYLE_KEY, "|");
	}
}

void
timeline_draw_head(const struct timeline_drawing *drawing, struct canvas *canvas, int y)
{
	int below = y + timeline_head_rows(drawing->timeline) - 2;

	draw_minimap(drawing, canvas, y);
	timeline_draw_ruler(drawing, canvas, below);
	draw_range(drawing, canvas, below + 1);
}

/* Of a legend whose words are few, and each of which is needed; else 0. */
static int
legend_columns(const struct colours *colours, int room)
{
	int columns = 1;

	for (size_t i = 0; i < colours->n; i++) {
		columns += 2 + LEAST((int)utf8_columns(colours->labels[i]), room) +
		           (i + 1 < colours->n ? 2 : 0);
	}
	return colours->mode >= COLOUR_STATUS ? columns : 0;
}

static void
add_hint(struct strbuf *text, int room, const char *hint)
{
	if ((int)(utf8_columns(strbuf_slice(text)) + utf8_columns(slice_of(hint))) <= room) {
		strbuf_add_text(text, hint);
	}
}

/* On the right, in what the legend leaves: what cells mean that is not said by colours. Returns
 * where it begins. */
static int
draw_hints(const struct timeline_drawing *drawing, struct canvas *canvas, int y, int end, int room)
{
	struct strbuf text = {0};
	bool has_spans = false, has_density = false;
	bool is_plain = canvas->ascii || canvas->mono;

	for (size_t i = 0; drawing->window && i < drawing->window->n_lines; i++) {
		has_spans = has_spans || drawing->window->tracks[i].has_spans;
		has_density = has_density || drawing->window->tracks[i].is_dense;
	}
	room = end - 1 - legend_columns(drawing->colours, room);
	if (drawing->group_height > 1) {
		char group[FORMAT_BYTES];

		snprintf(group, sizeof group, "  %s 1/%d+ of a group", canvas->ascii ? "@" : "█",
		         drawing->group_height);
		add_hint(&text, room, group);
	}
	if (has_spans && (!drawing->axis || drawing->colours->mode != COLOUR_SLOWDOWN)) {
		add_hint(&text, room, canvas->ascii ? "  % several" : "  ▒ several");
	}
	if (has_density) {
		add_hint(&text, room, is_plain ? "  .aA density" : "  ░▒▓ density");
	}
	if (drawing->timeline->pair) {
		add_hint(&text, room, "  | a run ends");
	}
	if (text.len > 0 && end > 60) {
		end -= (int)utf8_columns(strbuf_slice(&text)) + 1; /* as on the left */
		canvas_text(canvas, end, y, canvas->width - end, STYLE_MUTED, strbuf_slice(&text));
	}
	strbuf_free(&text);
	return end;
}

void
timeline_draw_legend(const struct timeline_drawing *drawing, struct canvas *canvas, int y, int end)
{
	const struct colours *colours = drawing->colours;
	struct arena *arena = arena_new();
	int x = 1;
	int room = colours->mode >= COLOUR_STATUS ? LEGEND_LABEL /* these words are short */
	           : canvas->width > 5            ? LEAST(LEGEND_LABEL, canvas->width / 5)
	                                          : 1;
	struct slice *labels = labels_shorten(colours->labels, LEAST(colours->n, COLOUR_SLOTS),
	                                      (size_t)room, canvas->ascii ? "~" : "…", arena);

	end = draw_hints(drawing, canvas, y, end, room);
	if (colours->reference && !drawing->axis) { /* of two runs it is the other */
		x += canvas_puts(canvas, x, y, STYLE_MUTED, "mean against ");
		x += canvas_text_middle(canvas, x, y, room, STYLE_MUTED,
		                        slice_of(colours->reference)) +
		     2;
	}
	for (uint32_t i = 0; i < colours->n; i++) {
		char mark[2] = {colours->marks[i], '\0'};
		int columns = i < COLOUR_SLOTS ? (int)utf8_columns(labels[i]) : 0;

		if (i >= COLOUR_SLOTS || x + columns + (i + 1 < colours->n ? 9 : 2) > end) {
			canvas_text(canvas, x, y, end - x, STYLE_MUTED, slice_of("other"));
			break;
		}
		x += canvas_puts(canvas, x, y, timeline_style(colours, i),
		                 canvas->ascii || canvas->mono || colours->mode >= COLOUR_STATUS
		                     ? mark
		                     : "█") +
		     1;
		x += canvas_text(canvas, x, y, LEAST(room, end - x), STYLE_MUTED, labels[i]) + 2;
	}
	arena_free(arena);
}
