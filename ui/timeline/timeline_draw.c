/*
 * A cell's place follows from its time, so that an older window still stands where its times now
 * are, until the new one comes.
 */
#include "config.h"

#include "ui/timeline/timeline_draw.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/timeline/timeline_draw_parts.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/order.h"

#define GROUP_HEIGHT_LIMIT 4096
#define LABEL_COLUMNS 18
#define LABEL_LIMIT 32

int
timeline_label_columns(int width)
{
	int wide = LABEL_COLUMNS + (width - 100) / 5;

	return TIMELINE_SHARE_COLUMNS + (width < 60           ? 10
	                                 : width <= 100       ? LABEL_COLUMNS
	                                 : wide < LABEL_LIMIT ? wide
	                                                      : LABEL_LIMIT);
}

int
timeline_cell_columns(int width)
{
	int columns = width - timeline_label_columns(width);

	return columns > 1 ? columns : 1;
}

cell_style
timeline_style(const struct colours *colours, uint32_t rank)
{
	static const cell_style states[] = {STYLE_BAR, STYLE_ERROR};
	static const cell_style slowdowns[] = {[SLOWDOWN_SAME] = STYLE_MUTED,
	                                       [SLOWDOWN_FASTER] = STYLE_PALETTE + 2,
	                                       [SLOWDOWN_SLOWER] = STYLE_PALETTE + 1,
	                                       [SLOWDOWN_TWICE] = STYLE_ERROR,
	                                       [SLOWDOWN_ONLY_HERE] = STYLE_PALETTE + 3};

	if (rank >= colours->n) {
		return STYLE_MUTED;
	}
	if (colours->mode == COLOUR_STATUS) {
		return states[rank];
	}
	if (colours->mode == COLOUR_SLOWDOWN) {
		return slowdowns[rank];
	}
	return colours->slots[rank] == COLOUR_SLOT_NONE ? STYLE_MUTED
	                                                : style_palette(colours->slots[rank]);
}

static bool
is_blank(const struct cell *cell)
{
	return cell && cell->length == 1 && cell->text[0] == ' ' && cell->style == STYLE_NORMAL;
}

static void
timeline_settle(struct canvas *canvas, int x, int y, int columns)
{
	cell_style style = STYLE_NORMAL;
	int end = x + columns;

	while (end > x && is_blank(canvas_cell(canvas, end - 1, y))) {
		end--;
	}
	for (int i = x; i < end; i++) {
		const struct cell *cell = canvas_cell(canvas, i, y);

		if (is_blank(cell)) {
			canvas_restyle(canvas, i, y, 1, style);
		} else if (cell) {
			style = cell->style & 0xff;
		}
	}
}

int
timeline_line_rows(size_t n, int rows)
{
	int most = TIMELINE_LINE_ROWS;

	while (most > 1 && (n > INT_MAX / TIMELINE_LINE_ROWS || (int)n * most > rows)) {
		most--;
	}
	return most;
}

/* Where a line stands in the window: often in the same place, else it is looked for. */
static size_t
place_of(const struct timeline_drawing *drawing, size_t line)
{
	const struct timeline_window *window = drawing->window;
	const struct timeline_line *wanted = &drawing->lines[line];

	if (line < window->n_lines && window->lines[line].row == wanted->row &&
	    window->lines[line].depth == wanted->depth) {
		return line;
	}
	return timeline_window_line(window, *wanted);
}

static void
draw_label(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line, int y)
{
	const struct timeline_row *row = &drawing->timeline->rows[drawing->lines[line].row];
	bool is_open = !drawing->is_open || drawing->is_open[drawing->lines[line].row];
	bool is_group = timeline_row_is_group(row);
	int x = timeline_label_indent(drawing->is_flat ? 0 : row->level),
	    depth = drawing->lines[line].depth;
	int end = drawing->label - TIMELINE_SHARE_COLUMNS;
	char text[FORMAT_BYTES];

	if (row->side > 0) { /* in a column of its own, so that it touches no mark of folding */
		canvas_puts(canvas, 1, y, row->side == 1 ? STYLE_A : STYLE_B,
		            row->side == 1 ? "A" : "B");
		x += TIMELINE_SIDE_COLUMNS;
	}
	if (depth > 0) {
		snprintf(text, sizeof text, "%*s%d", depth % 6 + 3, "", depth);
		canvas_text(canvas, x, y, end - x, STYLE_MUTED, slice_of(text));
		return;
	}
	if (is_group || depth == 0) {
		canvas_puts(canvas, x, y, STYLE_MUTED,
		            is_open ? (canvas->ascii ? "-" : "▾") : (canvas->ascii ? "+" : "▸"));
	}
	canvas_text_middle(canvas, x + 1, y, end - x - 1,
	                   is_group || row->type == TIMELINE_SUM ? STYLE_TITLE : STYLE_NORMAL,
	                   drawing->is_flat || (row->label.len == 0 && !drawing->labels) ? row->name
	                   : drawing->labels ? drawing->labels[drawing->lines[line].row]
	                                     : row->label);
}

int
timeline_group_height(const struct timeline *timeline, int64_t cell_ns)
{
	double most = timeline_peak(timeline, cell_ns);
	int height = 1;

	while (most > 0 && most * height * 2 <= 1 && height < GROUP_HEIGHT_LIMIT) {
		height *= 2;
	}
	return height;
}

void
timeline_draw_cells(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line,
                    int y)
{
	size_t in_window;
	const struct timeline_track *track;

	if (!drawing->window) {
		return;
	}
	in_window = place_of(drawing, line);
	if (in_window >= drawing->window->n_lines) {
		return;
	}
	track = &drawing->window->tracks[in_window];
	if (track->values) {
		timeline_draw_values(drawing, canvas, track, y);
	} else if (track->has_spans) {
		timeline_draw_spans(drawing, canvas, in_window, y);
	} else if (track->is_cut) {
		canvas_text(canvas, drawing->label, y, drawing->scale->columns, STYLE_MUTED,
		            slice_of("too many lanes to add up: unfold"));
	} else if (track->is_dense) {
		timeline_draw_density(drawing, canvas, in_window, y);
	} else if (track->cells) {
		timeline_draw_busy(drawing, canvas, in_window, y);
	}
	for (int i = 0; i < timeline_rows_of(drawing); i++) {
		timeline_settle(canvas, drawing->label, y + i, drawing->scale->columns);
	}
}

/* In as many columns as shares have. */
static void
put_value(char out[FORMAT_BYTES], double value)
{
	if (value >= 10000 || value <= -10000) {
		format_count(out, value >= 9e18    ? INT64_MAX
		                  : value <= -9e18 ? -INT64_MAX
		                                   : (int64_t)value);
		for (char *blank = strchr(out, ' '); blank; blank = strchr(blank, ' ')) {
			memmove(blank, blank + 1, strlen(blank));
		}
		return;
	}
	snprintf(out, FORMAT_BYTES, "%.4g", value);
	if (strlen(out) >= TIMELINE_SHARE_COLUMNS) {
		snprintf(out, FORMAT_BYTES, "%.0e", value);
	}
}

/* How many of the lanes are busy on average: 2.5/8, 12/40, where that is too long 31 %. */
static void
put_ratio(char out[FORMAT_BYTES], double busy, uint32_t n)
{
	for (int digits = 1; digits >= 0; digits--) {
		snprintf(out, FORMAT_BYTES, "%.*f/%u", digits, busy, n);
		if (strlen(out) < TIMELINE_SHARE_COLUMNS) {
			return;
		}
	}
	snprintf(out, FORMAT_BYTES, "%.0f %%", 100 * busy / (n > 0 ? n : 1));
}

/* How much of a cell lies in the row's run, of two runs in its part of their axis. */
static int64_t
width_in_run(const struct timeline_drawing *drawing, const struct timeline_row *row, int64_t at_ns)
{
	int64_t from = at_ns, to = time_add(at_ns, drawing->window->cell_ns);
	int64_t begin = 0, end = drawing->scale->duration_ns;
	size_t side = row->side > 0 ? row->side - 1 : 0;

	if (drawing->axis && row->side > 0) {
		int64_t duration = drawing->axis->duration_ns[row->side - 1];

		begin = pair_axis_point(drawing->axis, row->side - 1, 0);
		end = pair_axis_point(drawing->axis, row->side - 1, duration);
	}
	from = MOST(from, MOST(begin, drawing->window->scoped[side].from_ns));
	to = LEAST(to, LEAST(end, drawing->window->scoped[side].until_ns));
	return to > from ? to - from : 0;
}

/* Busy share of the run in the window, or density, or the highest value. */
static void
draw_share(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line, int y)
{
	const struct timeline_row *row = &drawing->timeline->rows[drawing->lines[line].row];
	const struct timeline_window *window = drawing->window;
	const struct timeline_track *track;
	size_t in_window = window ? place_of(drawing, line) : 0;
	double busy = 0, span = 0;
	char text[FORMAT_BYTES];

	if (!window || in_window >= window->n_lines) {
		return;
	}
	track = &window->tracks[in_window];
	if (track->values) {
		put_value(text, track->high);
		canvas_text_right(canvas, drawing->label - TIMELINE_SHARE_COLUMNS, y,
		                  TIMELINE_SHARE_COLUMNS - 1, STYLE_MUTED, slice_of(text));
		return;
	}
	for (uint32_t i = 0; i < window->n_cells && track->cells; i++) {
		int64_t at = time_add(window->start_ns, (int64_t)i * window->cell_ns);
		double width = (double)width_in_run(drawing, row, at);

		busy += track->is_dense ? fmin(timeline_density(&track->cells[i], window->cell_ns) *
		                                   (double)window->cell_ns,
		                               width)
		                        : (double)track->cells[i].busy_ns;
		span += width;
	}
	if (span <= 0 || track->is_cut) {
		return;
	}
	if (row->type != TIMELINE_LANE) {
		put_ratio(text, busy / span, track->n_lanes);
	} else {
		snprintf(text, sizeof text, "%.0f %%", 100 * busy / span);
	}
	canvas_text_right(canvas, drawing->label - TIMELINE_SHARE_COLUMNS, y,
	                  TIMELINE_SHARE_COLUMNS - 1, STYLE_NORMAL, slice_of(text));
}

void
timeline_draw_line(const struct timeline_drawing *drawing, struct canvas *canvas, size_t line,
                   int y)
{
	draw_label(drawing, canvas, line, y);
	timeline_draw_cells(drawing, canvas, line, y);
	timeline_draw_paint(drawing, canvas, line, y);
	draw_share(drawing, canvas, line, y);
}
