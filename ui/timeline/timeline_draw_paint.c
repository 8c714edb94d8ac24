/*
 * Stretches on lanes, in their bottom row: where one begins stands the letter of its class, a large
 * one if a column holds several, and a rule goes on to where it ends. Letters tell without colours
 * what is painted; the spans below are dimmed.
 *
 * A column that several stretches share shows the class that has most of it.
 */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/timeline_draw_parts.h"
#include "util/ascii.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"

#define LEGEND_NAME 20 /* columns of one class */

/* What stands in a column of a line. */
struct painted_column {
	int64_t ns[PAINT_CLASSES];
	uint32_t n, n_begun;
};

static int64_t
stretch_start(const struct timeline_drawing *drawing, const struct paint_stretch *stretch)
{
	return drawing->axis ? pair_axis_point(drawing->axis, stretch->side, stretch->start_ns)
	                     : stretch->start_ns;
}

static int64_t
stretch_end(const struct timeline_drawing *drawing, const struct paint_stretch *stretch)
{
	return drawing->axis ? pair_axis_point(drawing->axis, stretch->side, stretch->end_ns)
	                     : stretch->end_ns;
}

/* A point of the axis as a time of the lane's run. */
static int64_t
own_time(const struct timeline_drawing *drawing, uint8_t row_side, int64_t at_ns)
{
	return drawing->axis ? pair_axis_time(drawing->axis, row_side == 2, at_ns) : at_ns;
}

static cell_style
class_style(unsigned class)
{
	return style_palette(class);
}

/* Calls `take` for the stretches of a line's lanes that overlap [from_ns, to_ns) of the axis. */
static void
each_stretch(const struct timeline_drawing *drawing, size_t line, int64_t from_ns, int64_t to_ns,
             void (*take)(void *user, const struct paint_stretch *stretch), void *user)
{
	const struct timeline_paint *paint = drawing->paint;
	size_t at = drawing->lines[line].row;
	const struct timeline_row *row = &drawing->timeline->rows[at];
	bool is_lane = row->type == TIMELINE_LANE;
	bool is_shut = timeline_row_is_group(row) && drawing->is_open && !drawing->is_open[at];
	uint32_t n = is_lane ? 1 : is_shut ? row->n_members : 0;
	int64_t own_from = own_time(drawing, row->side, from_ns);

	if (!paint || drawing->lines[line].depth > 0) {
		return;
	}
	for (uint32_t i = 0; i < n; i++) {
		uint32_t lane = is_lane ? row->id : row->members[i];

		if (lane >= paint->n_lanes) {
			continue;
		}
		for (size_t k = timeline_paint_from(paint, lane, own_from);
		     k < paint->firsts[lane + 1]; k++) {
			const struct paint_stretch *stretch = &paint->stretches[k];

			if (stretch_start(drawing, stretch) >= to_ns) {
				break;
			}
			take(user, stretch);
		}
	}
}

/* ---- columns ---- */

struct painted_columns {
	const struct timeline_drawing *drawing;
	struct painted_column *list;
};

static int64_t
overlap(const struct timescale *scale, int column, int64_t start_ns, int64_t end_ns)
{
	int64_t from = timescale_time(scale, column), to = timescale_time(scale, column + 1);

	from = start_ns > from ? start_ns : from;
	to = end_ns < to ? end_ns : to;
	return to > from ? time_sub(to, from) : 1; /* an instant is there, too */
}

/* The columns that a stretch stands in; false: none of the window's. */
static bool
columns_of(const struct timescale *scale, int64_t start_ns, int64_t end_ns, int *first, int *last)
{
	*first = timescale_column(scale, start_ns);
	*last = timescale_column(scale, end_ns > start_ns ? time_sub(end_ns, 1) : start_ns);
	if (*last < 0 || *first >= scale->columns) {
		return false;
	}
	*last = *last < scale->columns ? *last : scale->columns - 1;
	return true;
}

static void
add_to_columns(void *user, const struct paint_stretch *stretch)
{
	struct painted_columns *columns = user;
	const struct timescale *scale = columns->drawing->scale;
	int64_t start = stretch_start(columns->drawing, stretch);
	int64_t end = stretch_end(columns->drawing, stretch);
	int first, last;

	if (!columns_of(scale, start, end, &first, &last)) {
		return;
	}
	for (int i = first < 0 ? 0 : first; i <= last; i++) {
		struct painted_column *column = &columns->list[i];

		column->n++;
		column->n_begun += i == first;
		column->ns[stretch->class] =
		    time_add(column->ns[stretch->class], overlap(scale, i, start, end));
	}
}

static unsigned
largest_class(const struct painted_column *column)
{
	unsigned best = 0;

	for (unsigned i = 1; i < PAINT_CLASSES; i++) {
		best = column->ns[i] > column->ns[best] ? i : best;
	}
	return best;
}

void
timeline_draw_paint(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line,
                    int y)
{
	const struct timescale *scale = drawing->scale;
	struct painted_columns columns = {.drawing = drawing};
	int rows = timeline_rows_of(drawing);

	if (!drawing->paint) {
		return;
	}
	columns.list = xcalloc((size_t)scale->columns + 1, sizeof *columns.list);
	each_stretch(drawing, line, scale->start_ns, timescale_time(scale, scale->columns),
	             add_to_columns, &columns);
	for (int i = 0; i < rows; i++) {
		canvas_restyle(canvas, drawing->label, y + i, scale->columns, STYLE_MUTED);
	}
	for (int i = 0; i < scale->columns; i++) {
		const struct painted_column *column = &columns.list[i];
		unsigned class = largest_class(column);
		char mark[2] = {drawing->paint->classes[class].mark, '\0'};

		if (column->n == 0) {
			continue;
		}
		mark[0] = column->n > 1 ? to_upper(mark[0]) : mark[0];
		canvas_puts(canvas, drawing->label + i, y + rows - 1, class_style(class),
		            column->n_begun > 0 || column->n > 1 || i == 0 ? mark
		            : canvas->ascii                                ? "="
		                                                           : "━");
	}
	free(columns.list);
}

/* ---- one of them ---- */

struct longest_stretch {
	const struct timeline_drawing *drawing;
	int column;
	int64_t ns;
	const struct paint_stretch *stretch;
};

static void
take_larger(void *user, const struct paint_stretch *stretch)
{
	struct longest_stretch *best = user;
	int64_t start = stretch_start(best->drawing, stretch);
	int64_t end = stretch_end(best->drawing, stretch);
	int first, last;

	if (columns_of(best->drawing->scale, start, end, &first, &last) && first <= best->column &&
	    best->column <= last) {
		int64_t ns = overlap(best->drawing->scale, best->column, start, end);

		if (ns > best->ns) {
			best->ns = ns;
			best->stretch = stretch;
		}
	}
}

const struct paint_stretch *
timeline_stretch_at(const struct timeline_drawing *drawing, size_t line, int column)
{
	struct longest_stretch best = {.drawing = drawing, .column = column};

	each_stretch(drawing, line, timescale_time(drawing->scale, column),
	             timescale_time(drawing->scale, column + 1), take_larger, &best);
	return best.stretch;
}

/* ---- legend ---- */

int
timeline_draw_paint_legend(const struct timeline_drawing *drawing, struct canvas *canvas, int x,
                           int y, int end)
{
	const struct timeline_paint *paint = drawing->paint;
	int from = x;

	for (uint32_t i = 0; paint && i < paint->n_classes; i++) {
		const struct paint_class *class = &paint->classes[i];
		char mark[2] = {class->mark, '\0'}, count[FORMAT_BYTES];
		struct slice name = slice_of(class->name);
		int columns = canvas_columns(name, LEGEND_NAME);

		format_count(count, class->n);
		if (x + columns + (int)strlen(count) + 5 > end) {
			x += canvas_text(canvas, x, y, end - x, STYLE_MUTED, slice_of("..."));
			break;
		}
		x += canvas_puts(canvas, x, y, class_style(i), mark) + 1;
		x += canvas_text_middle(canvas, x, y, columns, STYLE_NORMAL, name) + 1;
		x += canvas_puts(canvas, x, y, STYLE_MUTED, count) + 2;
	}
	return x - from;
}
