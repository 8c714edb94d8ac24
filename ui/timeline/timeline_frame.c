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
#include "util/utf8.h"

#define RULER_COLUMNS 12
#define LEGEND_LABEL 24 /* columns of one label, less where the screen is small */

/* Where the run was busy: against its busiest cell, since few runs keep all of their lanes busy. */
static void
draw_minimap(const struct timeline_drawing *drawing, struct canvas *canvas, int y)
{
	const struct timescale *scale = drawing->scale;
	const struct timeline_track *track =
	    drawing->minimap && drawing->minimap->n_lines > 0 ? &drawing->minimap->tracks[0] : NULL;
	int columns = scale->columns, x = drawing->label;
	/* the run on the columns of the lanes, as they show it when all of it is there */
	struct timescale whole = {.duration_ns = scale->duration_ns,
	                          .cell_ns = timescale_fit_ns(scale),
	                          .columns = columns};
	int from = timescale_column(&whole, scale->start_ns);
	int to = timescale_column(&whole, time_sub(timescale_time(scale, columns), 1)) + 1;
	double high = 0;

	to = to > columns ? columns : to <= from ? from + 1 : to;
	if (drawing->timeline->n_work == 0 && drawing->timeline->n_dense > 0) {
		canvas_text(canvas, 2, y, x - 3, STYLE_MUTED, slice_of("density"));
	}
	for (uint32_t i = 0; track && track->values && i < drawing->minimap->n_cells; i++) {
		high = track->values[i].high > high ? track->values[i].high : high;
	}
	for (int i = 0; i < columns; i++) {
		int64_t at = timescale_time(&whole, i);
		const struct timeline_value *value = NULL;
		const char *glyph = canvas->ascii ? "." : "·";

		if (track && track->values && drawing->minimap->cell_ns > 0 &&
		    at / drawing->minimap->cell_ns < drawing->minimap->n_cells) {
			value = &track->values[at / drawing->minimap->cell_ns];
		}
		if (value && value->is_known && value->high > 0) {
			glyph = canvas_level(canvas, value->high / high);
		}
		canvas_puts(canvas, x + i, y, i >= from && i < to ? STYLE_GROUP : STYLE_MUTED,
		            glyph);
	}
	if (from > 0 || to < columns) { /* all of it needs no brackets */
		canvas_puts(canvas, x + from, y, STYLE_KEY, "[");
		canvas_puts(canvas,
		            x + (to - 1 > from        ? to - 1
		                 : from + 1 < columns ? from + 1
		                                      : from),
		            y, STYLE_KEY, "]");
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
	draw_minimap(drawing, canvas, y);
	timeline_draw_ruler(drawing, canvas, y + 1);
	draw_range(drawing, canvas, y + 2);
}

/* On the right: what cells mean that is not said by colours. Returns where it begins. */
static int
draw_hints(const struct timeline_drawing *drawing, struct canvas *canvas, int y, int end)
{
	struct strbuf text = {0};
	bool has_spans = false, has_density = false;
	bool is_plain = canvas->ascii || canvas->mono;

	for (size_t i = 0; drawing->window && i < drawing->window->n_lines; i++) {
		has_spans = has_spans || drawing->window->tracks[i].has_spans;
		has_density = has_density || drawing->window->tracks[i].is_dense;
	}
	if (drawing->group_height > 1) {
		strbuf_printf(&text, "  %s 1/%d+ of a group", canvas->ascii ? "@" : "█",
		              drawing->group_height);
	}
	if (has_spans) {
		strbuf_add_text(&text, canvas->ascii ? "  % several" : "  ▒ several");
	}
	if (has_density) {
		strbuf_add_text(&text, is_plain ? "  .aA density" : "  ░▒▓ density");
	}
	if (drawing->timeline->pair) {
		strbuf_add_text(&text, "  | a run ends");
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
	int x = 1;
	int room = canvas->width / 5 < LEGEND_LABEL ? canvas->width / 5 : LEGEND_LABEL;

	end = draw_hints(drawing, canvas, y, end);
	if (colours->reference) {
		x += canvas_puts(canvas, x, y, STYLE_MUTED, "mean against ");
		x += canvas_text_middle(canvas, x, y, room, STYLE_MUTED,
		                        slice_of(colours->reference)) +
		     2;
	}
	for (uint32_t i = 0; i < colours->n; i++) {
		char mark[2] = {colours->marks[i], '\0'};
		int columns = (int)utf8_columns(colours->labels[i]);

		columns = columns < room ? columns : room;
		if (i >= COLOUR_SLOTS || x + columns + 9 > end) {
			canvas_text(canvas, x, y, end - x, STYLE_MUTED, slice_of("other"));
			break;
		}
		x += canvas_puts(canvas, x, y, timeline_style(colours, i),
		                 canvas->ascii || canvas->mono || colours->mode >= COLOUR_STATUS
		                     ? mark
		                     : "█") +
		     1;
		x += canvas_text_middle(canvas, x, y, room < end - x ? room : end - x, STYLE_MUTED,
		                        colours->labels[i]) +
		     2;
	}
}
