/*
 * Planes: a cell has two by two dots, which are drawn as quadrants ("▚"), or as the series' letter
 * in ASCII and where several series can't be told apart by colour. Of several series in one cell
 * the last drawn has it, with the dots of all.
 */
#include "config.h"
#include "ui/chart/chart_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/order.h"

struct plane {
	const struct chart *chart;
	struct canvas *canvas;
	struct area area; /* of the dots */
	uint8_t *dots;    /* a bit for each quadrant of a cell: 1 2 above, 4 8 below */
	uint8_t *owner;   /* series of a cell, plus one */
	uint8_t *band;    /* the same of its spread */
};

static const char *const quadrants[16] = {" ", "▘", "▝", "▀", "▖", "▌", "▞", "▛",
                                          "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█"};

static size_t
cell_index(const struct plane *plane, int x, int y)
{
	return (size_t)y * (size_t)plane->area.width + (size_t)x;
}

static void
put_dot(struct plane *plane, int x, int y, size_t series)
{
	if (x >= 0 && y >= 0 && x < 2 * plane->area.width && y < 2 * plane->area.height) {
		size_t at = cell_index(plane, x / 2, y / 2);

		plane->dots[at] |= (uint8_t)(1u << (y % 2 * 2 + x % 2));
		plane->owner[at] = (uint8_t)(series + 1);
	}
}

/* Dots from 0; a value at the end of its axis is on the last one. */
static int
dot_x(const struct plane *plane, double value)
{
	int n = 2 * plane->area.width;
	double at = chart_axis_share(&plane->chart->x, value) * (n - 1);

	return (int)lround(LEAST(MOST(at, -1), n));
}

static int
dot_y(const struct plane *plane, double value)
{
	int n = 2 * plane->area.height;
	double at = (1 - chart_axis_share(&plane->chart->y, value)) * (n - 1);

	return (int)lround(LEAST(MOST(at, -1), n));
}

static void
put_line(struct plane *plane, int x, int y, int to_x, int to_y, size_t series)
{
	int wide = abs(to_x - x), high = abs(to_y - y), n = MOST(wide, high);

	for (int i = 0; i <= n; i++) {
		put_dot(plane, n ? x + (to_x - x) * i / n : x, n ? y + (to_y - y) * i / n : y,
		        series);
	}
}

static void
put_band(struct plane *plane, const struct chart_point *from, const struct chart_point *to,
         size_t series)
{
	int x = dot_x(plane, from->x) / 2, end = dot_x(plane, to->x) / 2;

	for (int i = MOST(x, 0); i <= end && i < plane->area.width; i++) {
		double share = end > x ? (double)(i - x) / (end - x) : 0;
		double low = from->low + (to->low - from->low) * share;
		double high = from->high + (to->high - from->high) * share;
		int top = MOST(dot_y(plane, high) / 2, 0);
		int bottom = LEAST(dot_y(plane, low) / 2, plane->area.height - 1);

		for (int k = top; k <= bottom; k++) {
			plane->band[cell_index(plane, i, k)] = (uint8_t)(series + 1);
		}
	}
}

static void
put_series(struct plane *plane, size_t i)
{
	const struct chart_series *series = &plane->chart->series[i];
	bool is_cdf = plane->chart->kind == CHART_CDF;
	bool has_steps = is_cdf || plane->chart->kind == CHART_STEPS;
	int last_x = 0, last_y = 2 * plane->area.height - 1;

	for (size_t k = 0; k < series->n; k++) {
		const struct chart_point *point = &series->points[k];
		int x = dot_x(plane, point->x), y = dot_y(plane, point->y);

		if (chart_is_line(plane->chart->kind) && !isnan(point->low)) {
			put_band(plane, k > 0 && !isnan(point[-1].low) ? &point[-1] : point, point,
			         i);
		}
		if (k > 0 && has_steps) {
			put_line(plane, last_x, last_y, x, last_y, i);
		} else if (k > 0 && plane->chart->kind == CHART_LINE) {
			put_line(plane, last_x, last_y, x, y, i);
		}
		if (has_steps && (k > 0 || is_cdf)) {
			put_line(plane, x, last_y, x, y, i);
		}
		put_dot(plane, x, y, i);
		last_x = x;
		last_y = y;
	}
	if (is_cdf && series->n > 0) {
		put_line(plane, last_x, last_y, 2 * plane->area.width - 1, last_y, i);
	}
}

static bool
has_letters(const struct plane *plane)
{
	return plane->canvas->ascii || (plane->canvas->mono && plane->chart->n_series > 1);
}

static void
draw_dots(const struct plane *plane)
{
	for (int y = 0; y < plane->area.height; y++) {
		for (int x = 0; x < plane->area.width; x++) {
			size_t at = cell_index(plane, x, y), owner = plane->owner[at];
			bool is_band = owner == 0 && plane->band[at] > 0;
			size_t series = owner > 0 ? owner - 1 : is_band ? plane->band[at] - 1u : 0;
			char mark[2] = {plane->chart->series[series].mark, 0};

			if (owner > 0 || is_band) {
				canvas_fill(plane->canvas, plane->area.x + x, plane->area.y + y, 1,
				            1, chart_series_style(plane->chart, series),
				            is_band ? (plane->canvas->ascii ? ":" : "░")
				            : has_letters(plane) ? mark
				                                 : quadrants[plane->dots[at]]);
			}
		}
	}
}

/* ---- histogram ---- */

/* The part of a column from `from` to `to`, in cells from below. */
static void
draw_column(const struct plane *plane, int x, double from, double to, size_t series)
{
	cell_style style = chart_series_style(plane->chart, series);
	char mark[2] = {plane->chart->series[series].mark, 0};
	bool letters = has_letters(plane) && plane->chart->n_series > 1;

	for (int k = (int)floor(from); k < plane->area.height && k < to; k++) {
		double share = LEAST(to - k, 1);

		if (k + 1 > from) {
			canvas_fill(plane->canvas, plane->area.x + x,
			            plane->area.y + plane->area.height - 1 - k, 1, 1, style,
			            letters ? mark : canvas_level(plane->canvas, share));
		}
	}
}

static void
draw_histogram(const struct plane *plane)
{
	const struct chart *chart = plane->chart;
	int width = plane->area.width, height = plane->area.height;

	for (size_t i = 0; i < chart->n_series; i++) {
		for (size_t k = 0; k < chart->series[i].n; k++) {
			const struct chart_point *point = &chart->series[i].points[k];
			int x = (int)lround(chart_axis_share(&chart->x, point->x) * width);
			int end = (int)lround(chart_axis_share(&chart->x, point->x_end) * width);

			for (int c = x; c < MOST(end, x + 1) && c < width && point->y > 0; c++) {
				draw_column(plane, c,
				            chart_axis_share(&chart->y, point->low) * height,
				            chart_axis_share(&chart->y, point->high) * height, i);
			}
		}
	}
}

/* ---- axes ---- */

static int
label_columns(const struct chart_tick *ticks, size_t n)
{
	size_t most = 1;

	for (size_t i = 0; i < n; i++) {
		most = MOST(most, strlen(ticks[i].text));
	}
	return (int)most;
}

static void
draw_y(const struct plane *plane, const struct chart_tick *ticks, size_t n, int labels)
{
	int x = plane->area.x - 1;

	canvas_fill(plane->canvas, x, plane->area.y, 1, plane->area.height, STYLE_MUTED,
	            plane->canvas->ascii ? "|" : "│");
	for (size_t i = n; i-- > 0;) {
		int y =
		    plane->area.y + LEAST(dot_y(plane, ticks[i].at) / 2, plane->area.height - 1);

		canvas_text_right(plane->canvas, x - labels, y, labels, STYLE_HEADER,
		                  slice_of(ticks[i].text));
		canvas_fill(plane->canvas, x, y, 1, 1, STYLE_MUTED,
		            plane->canvas->ascii ? "+" : "┤");
	}
}

static void
draw_x(const struct plane *plane, bool has_labels)
{
	struct chart_tick ticks[CHART_TICKS];
	size_t n =
	    chart_axis_ticks(&plane->chart->x, (size_t)MOST(plane->area.width / 12, 1), ticks);
	int y = plane->area.y + plane->area.height, next = plane->area.x - 1;
	int end = plane->area.x + plane->area.width;

	canvas_fill(plane->canvas, plane->area.x - 1, y, plane->area.width + 1, 1, STYLE_MUTED,
	            plane->canvas->ascii ? "-" : "─");
	canvas_fill(plane->canvas, plane->area.x - 1, y, 1, 1, STYLE_MUTED,
	            plane->canvas->ascii ? "+" : "└");
	for (size_t i = 0; i < n && has_labels; i++) {
		int wide = (int)strlen(ticks[i].text);
		int x = plane->area.x + LEAST(dot_x(plane, ticks[i].at) / 2, plane->area.width - 1);
		int at = LEAST(x - wide / 2, end - wide);

		canvas_fill(plane->canvas, x, y, 1, 1, STYLE_MUTED,
		            plane->canvas->ascii ? "+" : "┴");
		if (at >= next) {
			canvas_text(plane->canvas, at, y + 1, wide, STYLE_HEADER,
			            slice_of(ticks[i].text));
			next = at + wide + 1;
		}
	}
}

static void
draw_cursor(const struct plane *plane, const struct chart_cursor *cursor)
{
	const struct chart *chart = plane->chart;

	if (cursor->series < chart->n_series && cursor->point < chart->series[cursor->series].n) {
		const struct chart_point *point =
		    &chart->series[cursor->series].points[cursor->point];
		bool is_bin = chart->kind == CHART_HISTOGRAM;
		int x = is_bin
		            ? (int)lround(chart_axis_share(&chart->x, point->x) * plane->area.width)
		            : dot_x(plane, point->x) / 2;
		int y = dot_y(plane, is_bin ? point->high : point->y) / 2;

		canvas_select(plane->canvas, plane->area.x + LEAST(x, plane->area.width - 1),
		              plane->area.y + LEAST(y, plane->area.height - 1), 1, "");
	}
}

void
chart_draw_plane(const struct chart *chart, struct canvas *canvas, struct area area,
                 const struct chart_cursor *cursor)
{
	struct chart_tick ticks[CHART_TICKS];
	bool has_axes = area.height >= 4 && area.width >= 12;
	int rows = area.height - (has_axes ? 2 : 0);
	size_t n = chart_axis_ticks(&chart->y, (size_t)MOST(rows / 4, 2), ticks);
	int labels = has_axes ? LEAST(label_columns(ticks, n), area.width / 3) : 0;
	struct plane plane = {.chart = chart, .canvas = canvas, .area = area};

	if (has_axes) {
		plane.area =
		    (struct area){area.x + labels + 1, area.y, area.width - labels - 1, rows};
	}
	size_t n_cells = (size_t)MOST(plane.area.width, 1) * (size_t)MOST(plane.area.height, 1);
	plane.dots = xcalloc(n_cells, 1);
	plane.owner = xcalloc(n_cells, 1);
	plane.band = xcalloc(n_cells, 1);
	if (has_axes) {
		draw_y(&plane, ticks, n, labels);
		draw_x(&plane, true);
	}
	if (chart->kind == CHART_HISTOGRAM) {
		draw_histogram(&plane);
	} else {
		for (size_t i = 0; i < chart->n_series; i++) {
			put_series(&plane, i);
		}
		if (chart->n_series > 0) {
			draw_dots(&plane);
		}
	}
	if (cursor) {
		draw_cursor(&plane, cursor);
	}
	free(plane.dots);
	free(plane.owner);
	free(plane.band);
}
