/*
 * Three lines a pair: A, B, and where A is busier (+) or B (-). A column holds the same stretch of
 * the axis in both, however the runs' cells lie.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ui/timeline/view_pair.h"
#include "util/format.h"

#define NOTHING 0.05 /* smaller differences are none */
#define SMALL 0.15   /* smaller ones are not worth a colour, nor its bytes */

static size_t
line_of(const struct pair_side *side, size_t row)
{
	return row == PAIR_NONE || !side->window
	           ? PAIR_NONE
	           : timeline_window_line(side->window, (struct timeline_line){row, -1});
}

bool
pair_share_at(const struct pair_view *pair, int side, size_t pair_index, int column, double *share,
              uint32_t *rank)
{
	const struct pair_side *own = &pair->sides[side];
	size_t line = line_of(own, pair->rows[pair_index].row[side]);

	*share = 0;
	if (line == PAIR_NONE || line >= own->window->n_lines) {
		return false;
	}
	return pair_share(
	    own->window, own->timeline, line,
	    pair_axis_time(&pair->axis, side, (double)timescale_time(&pair->scale, column)),
	    pair_axis_time(&pair->axis, side, (double)timescale_time(&pair->scale, column + 1)),
	    share, rank);
}

static bool
is_dense_at(const struct pair_view *pair, int side, size_t pair_index)
{
	const struct pair_side *own = &pair->sides[side];
	size_t line = line_of(own, pair->rows[pair_index].row[side]);

	return line != PAIR_NONE && line < own->window->n_lines &&
	       pair_is_dense(own->window, own->timeline, line);
}

/* One palette for both: a label has the colour that it has in A; one that only B has is muted. */
static cell_style
style_of(const struct pair_view *pair, int side, uint32_t rank)
{
	const struct colours *own = pair->sides[side].colours, *shared = pair->sides[0].colours;

	if (rank == COLOUR_NONE || rank >= own->n) {
		return side ? STYLE_B : STYLE_A;
	}
	if (side && own->mode == shared->mode) {
		rank = colours_rank_of_text(shared, own->labels[rank]);
		return rank == COLOUR_NONE ? STYLE_MUTED : timeline_style(shared, rank);
	}
	return timeline_style(own, rank);
}

static void
draw_run(const struct pair_view *pair, struct canvas *canvas, int side, size_t index, int y,
         int label)
{
	const struct pair_side *own = &pair->sides[side];
	size_t row = pair->rows[index].row[side];
	double end = (double)own->timeline->duration_ns;
	bool is_dense = is_dense_at(pair, side, index);

	canvas_puts(canvas, 1, y, side ? STYLE_B : STYLE_A, side ? "B" : "A");
	canvas_text_middle(canvas, 3, y, label - 4, row == PAIR_NONE ? STYLE_MUTED : STYLE_NORMAL,
	                   row == PAIR_NONE ? slice_of("no such lane")
	                   : own->timeline->rows[row].type == TIMELINE_SUM
	                       ? slice_of("all lanes")
	                       : own->timeline->rows[row].name);
	for (int column = 0; column < pair->scale.columns; column++) {
		double from =
		    pair_axis_time(&pair->axis, side, (double)timescale_time(&pair->scale, column));
		double to = pair_axis_time(&pair->axis, side,
		                           (double)timescale_time(&pair->scale, column + 1));
		double share;
		uint32_t rank;

		if (row != PAIR_NONE && from < end && to >= end) {
			canvas_puts(canvas, label + column, y, STYLE_KEY, "|");
		} else if (pair_share_at(pair, side, index, column, &share, &rank) && share > 0) {
			canvas_puts(canvas, label + column, y, style_of(pair, side, rank),
			            is_dense ? canvas_shade(canvas, share)
			                     : canvas_level(canvas, share));
		}
	}
	timeline_settle(canvas, label, y, pair->scale.columns);
}

static void
draw_difference(const struct pair_view *pair, struct canvas *canvas, size_t index, int y, int label)
{
	double sum = 0;
	char text[FORMAT_BYTES];

	canvas_puts(canvas, 1, y, STYLE_MUTED, "A-B");
	for (int column = 0; column < pair->scale.columns; column++) {
		double a, b;
		bool any = pair_share_at(pair, 0, index, column, &a, NULL);

		any = pair_share_at(pair, 1, index, column, &b, NULL) || any;
		sum += a - b;
		if (any && (a - b > NOTHING || b - a > NOTHING)) {
			double size = a > b ? a - b : b - a;
			cell_style style = a > b ? STYLE_A : STYLE_B;

			style = size < SMALL ? STYLE_MUTED
			        : size > 0.5 ? style | STYLE_BOLD
			                     : style;
			canvas_puts(canvas, label + column, y, style, a > b ? "+" : "-");
		}
	}
	snprintf(text, sizeof(text), "%+.1f %%", 100 * sum / pair->scale.columns);
	canvas_text_right(canvas, label - 9, y, 8, STYLE_MUTED, slice_of(text));
	timeline_settle(canvas, label, y, pair->scale.columns);
}

static void
draw_facts(const struct pair_view *pair, struct canvas *canvas, int side, int y)
{
	const struct pair_side *own = &pair->sides[side];
	double at = pair_axis_time(&pair->axis, side,
	                           (double)timescale_time(&pair->scale, pair->scale.cursor));
	double share;
	uint32_t rank = COLOUR_NONE;
	char time[FORMAT_BYTES], busy[FORMAT_BYTES], all[FORMAT_BYTES];
	int x = 1 + canvas_puts(canvas, 1, y, side ? STYLE_B : STYLE_A, side ? "B" : "A");

	x += 1 + canvas_text(canvas, x + 1, y, 24, STYLE_NORMAL, slice_of(own->name));
	if (!pair_share_at(pair, side, pair->list.selected, pair->scale.cursor, &share, &rank)) {
		canvas_printf(canvas, x + 2, y, STYLE_MUTED, "lasts %s%s: nothing here",
		              own->timeline->is_at_most ? "at most " : "",
		              format_duration(all, own->timeline->duration_ns));
		return;
	}
	x += canvas_printf(canvas, x + 2, y, STYLE_NORMAL, "at %s of %s%s  %s %s",
	                   format_duration(time, at > 0 ? (int64_t)at : 0),
	                   own->timeline->is_at_most ? "at most " : "",
	                   format_duration(all, own->timeline->duration_ns),
	                   is_dense_at(pair, side, pair->list.selected) ? "density" : "busy",
	                   format_percent(busy, share));
	if (rank < own->colours->n) {
		canvas_text(canvas, x + 4, y, canvas->width - x - 5, STYLE_NORMAL,
		            own->colours->labels[rank]);
	}
}

/* What the signs say, and, as far as there is room, the colours. */
static void
draw_legend(const struct pair_view *pair, struct canvas *canvas, int y)
{
	const struct timeline_drawing drawing = {.colours = pair->sides[0].colours};
	const char *signs = "+ A is busier  - B is  | a run ends";
	int columns = (int)strlen(signs), x = canvas->width - columns - 1;

	if (x < 0) {
		return;
	}
	timeline_draw_legend(&drawing, canvas, y, x - 1);
	canvas_puts(canvas, x, y, STYLE_MUTED, signs);
}

void
pair_draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct pair_view *pair = view->state;
	int label = timeline_label_columns(area.width), y = area.y + PAIR_HEAD_ROWS;
	struct timeline_drawing drawing = {.scale = &pair->scale, .label = label};

	if (!pair_is_ready(pair)) {
		return;
	}
	if (pair->list.n == 0) {
		canvas_puts(canvas, 2, area.y + 1, STYLE_MUTED, "these runs have no lanes to draw");
		return;
	}
	timeline_draw_ruler(&drawing, canvas, area.y);
	for (size_t i = 0; i < pair->list.height && pair->list.top + i < pair->list.n;
	     i++, y += 3) {
		size_t index = pair->list.top + i;

		draw_run(pair, canvas, 0, index, y, label);
		draw_run(pair, canvas, 1, index, y + 1, label);
		draw_difference(pair, canvas, index, y + 2, label);
		if (index == pair->list.selected) {
			for (int k = 0; k < 3; k++) {
				canvas_puts(canvas, 0, y + k, STYLE_KEY, ">");
				canvas_attribute(canvas, label + pair->scale.cursor, y + k, 1,
				                 STYLE_REVERSE);
			}
			canvas_attribute(canvas, 0, y, label, STYLE_REVERSE);
			canvas->cursor_x = label + pair->scale.cursor;
			canvas->cursor_y = y;
		}
	}
	draw_legend(pair, canvas, area.y + area.height - 3);
	draw_facts(pair, canvas, 0, area.y + area.height - 2);
	draw_facts(pair, canvas, 1, area.y + area.height - 1);
}
