/*
 * Above what the axes are and the legend, below it the plot. Bars and heat maps are lists of rows,
 * which may be longer than the area; planes fill it.
 */
#include "config.h"
#include "ui/chart/chart_private.h"

#include <math.h>
#include <string.h>

#include "util/order.h"
#include "util/utf8.h"

#define LEGEND_COLUMNS 28 /* of a name */

cell_style
chart_series_style(const struct chart *chart, size_t series)
{
	return !chart->series_title ? STYLE_BAR
	       : chart->series[series].slot == COLOUR_SLOT_NONE
	           ? STYLE_MUTED
	           : style_palette(chart->series[series].slot);
}

static bool
is_list(const struct chart *chart)
{
	return chart->kind == CHART_BARS || chart->kind == CHART_HEATMAP;
}

static int
list_rows(const struct chart *chart)
{
	return chart->kind == CHART_HEATMAP ? (int)chart->y.n_names
	                                    : (int)(chart->x.n_names * MOST(chart->n_series, 1));
}

/* Where entries of a legend stand: in as many rows as they need. */
struct legend_place {
	int x, row;
};

static void
legend_add(struct legend_place *place, int columns, int width)
{
	if (place->x > 0 && place->x + columns > width) {
		*place = (struct legend_place){0, place->row + 1};
	}
	place->x += columns + 2;
}

static int
entry_columns(const struct chart *chart, size_t series)
{
	return 2 + canvas_columns(chart->series[series].name, LEGEND_COLUMNS);
}

static int
legend_rows(const struct chart *chart, int width)
{
	struct legend_place place = {canvas_columns(slice_of(chart->series_title), width) + 2, 0};

	for (size_t i = 0; i < chart->n_series; i++) {
		legend_add(&place, entry_columns(chart, i), width);
	}
	return place.row + 1;
}

static int
head_rows(const struct chart *chart, int width, int height)
{
	int head = chart->kind == CHART_HEATMAP ? 2
	           : chart->series_title ? 1 + LEAST(legend_rows(chart, width), MOST(height / 4, 1))
	                                 : 1;

	return (is_list(chart) ? height > head : height >= 4) ? head : 0;
}

int
chart_draw_rows(const struct chart *chart, int width)
{
	int rows = head_rows(chart, width, CANVAS_SIDE_LIMIT) + list_rows(chart) +
	           (chart->kind == CHART_HEATMAP);

	return is_list(chart) ? LEAST(rows, CANVAS_SIDE_LIMIT) : 0;
}

int
chart_draw_plot_rows(const struct chart *chart, struct area area)
{
	int rows = area.height - head_rows(chart, area.width, area.height) -
	           (chart->kind == CHART_HEATMAP);

	return MOST(rows, 1);
}

int
chart_draw_row_of(const struct chart *chart, size_t series, size_t point)
{
	const struct chart_point *at = &chart->series[series].points[point];

	return chart->kind == CHART_HEATMAP
	           ? (int)at->y
	           : (int)((size_t)at->x * MOST(chart->n_series, 1) + series);
}

/* ---- head ---- */

static void
draw_legend(const struct chart *chart, struct canvas *canvas, struct area area)
{
	struct slice title = slice_of(chart->series_title);
	struct legend_place place = {
	    canvas_text(canvas, area.x, area.y, area.width, STYLE_MUTED, title) + 2, 0};

	for (size_t i = 0; i < chart->n_series; i++) {
		cell_style style = chart_series_style(chart, i);
		bool letters = canvas->ascii || canvas->mono;
		char mark[2] = {chart->series[i].mark, 0};
		int columns = entry_columns(chart, i);

		legend_add(&place, columns, area.width);
		int x = place.x - columns - 2, left = area.width - x;
		if (place.row >= area.height || left <= 0) {
			break;
		}
		canvas_text(canvas, area.x + x, area.y + place.row, left, style,
		            slice_of(letters ? mark : "\xe2\x96\x88"));
		canvas_text_middle(canvas, area.x + x + 2, area.y + place.row,
		                   LEAST(columns, left) - 2, STYLE_NORMAL, chart->series[i].name);
	}
}

static const char *
shade_of(const struct canvas *canvas, double share)
{
	return share <= 0      ? (canvas->ascii ? "." : "\xc2\xb7")
	       : canvas->ascii ? canvas_level(canvas, share)
	       : share > 0.875 ? "\xe2\x96\x88"
	       : share > 0.625 ? "\xe2\x96\x93"
	       : share > 0.25  ? "\xe2\x96\x92"
	                       : "\xe2\x96\x91";
}

static void
draw_scale(const struct chart *chart, struct canvas *canvas, int x, int y, int end)
{
	char text[FORMAT_BYTES];

	x += canvas_text(canvas, x, y, end - x, STYLE_HEADER, chart->value.title) + 2;
	for (int i = 0; i <= 4 && x < end; i++) {
		double share = i / 4.0;
		double value = chart->value.low + (chart->value.high - chart->value.low) * share;

		x += canvas_text(canvas, x, y, end - x, STYLE_BAR,
		                 slice_of(shade_of(canvas, share))) +
		     1;
		x += canvas_text(canvas, x, y, end - x, STYLE_NORMAL,
		                 slice_of(chart_axis_show(&chart->value, value, text))) +
		     2;
	}
}

static void
draw_head(const struct chart *chart, struct canvas *canvas, struct area area)
{
	int end = area.x + area.width;

	if (chart->kind == CHART_HEATMAP) {
		draw_scale(chart, canvas, area.x, area.y, end);
		canvas_text(canvas, area.x, area.y + 1, area.width, STYLE_HEADER, chart->y.title);
		return;
	}
	if (chart->series_title) {
		draw_legend(chart, canvas,
		            (struct area){area.x, area.y, area.width, area.height - 1});
	}
	int y = area.y + area.height - 1;
	const struct chart_axis *left = chart->kind == CHART_BARS ? &chart->x : &chart->y;
	const struct chart_axis *right = chart->kind == CHART_BARS ? &chart->y : &chart->x;
	int used = canvas_text_cut(canvas, area.x, y, area.width / 2, STYLE_HEADER, left->title);
	canvas_text_right(canvas, area.x + used + 1, y, area.width - used - 1, STYLE_HEADER,
	                  right->title);
}

/* ---- bars ---- */

struct bar_columns {
	int label, series, bar, value; /* columns of each */
};

static struct bar_columns
lay_bars(const struct chart *chart, int width)
{
	struct bar_columns columns = {.label = 1, .value = 1};
	char text[FORMAT_BYTES];

	for (size_t i = 0; i < chart->x.n_names; i++) {
		int wide = canvas_columns(chart->x.names[i], width);
		columns.label = MOST(columns.label, wide);
	}
	for (size_t i = 0; i < chart->n_series; i++) {
		int wide = canvas_columns(chart->series[i].name, 16);
		columns.series = MOST(columns.series, chart->n_series > 1 ? wide + 1 : 0);
		for (size_t k = 0; k < chart->series[i].n; k++) {
			wide = (int)strlen(
			    chart_axis_show(&chart->y, chart->series[i].points[k].y, text));
			columns.value = MOST(columns.value, wide);
		}
	}
	columns.label = LEAST(columns.label, width * 2 / 5);
	columns.series = LEAST(columns.series, width / 5);
	columns.bar = width - columns.label - columns.series - columns.value - 2;
	if (columns.bar < 4) {
		columns.series = 0;
		columns.value = LEAST(columns.value, width / 3);
		columns.label = MOST(1, LEAST(columns.label, width / 3));
		columns.bar = MOST(0, width - columns.label - columns.value - 2);
	}
	return columns;
}

static int
cell_at(const struct chart_axis *axis, double value, int width)
{
	double cell = chart_axis_share(axis, value) * width;

	return (int)LEAST(MOST(floor(cell), 0), width - 1);
}

static void
draw_whiskers(const struct chart *chart, struct canvas *canvas, const struct chart_point *point,
              int x, int y, int width)
{
	int low = cell_at(&chart->y, point->low, width),
	    high = cell_at(&chart->y, point->high, width);

	canvas_fill(canvas, x + low, y, high - low + 1, 1, STYLE_NORMAL,
	            canvas->ascii ? "-" : "\xe2\x94\x80");
	canvas_fill(canvas, x + low, y, 1, 1, STYLE_NORMAL, canvas->ascii ? "[" : "\xe2\x94\x9c");
	canvas_fill(canvas, x + high, y, 1, 1, STYLE_NORMAL, canvas->ascii ? "]" : "\xe2\x94\xa4");
}

/* From 0, to the right or to the left. */
static void
draw_bar(const struct chart *chart, struct canvas *canvas, const struct chart_point *point,
         cell_style style, int x, int y, int width)
{
	double zero = chart_axis_share(&chart->y, 0) * width;
	double end = chart_axis_share(&chart->y, point->y) * width;

	if (point->y >= 0) {
		int from = (int)lround(zero);
		canvas_bar(canvas, x + from, y, width - from, llround((end - zero) * 8), style);
	} else {
		int from = (int)floor(end), until = MOST((int)lround(zero), from + 1);
		canvas_fill(canvas, x + from, y, until - from, 1, style,
		            canvas->ascii ? "#" : "\xe2\x96\x88");
	}
	if (!isnan(point->low) && point->high > point->low) {
		draw_whiskers(chart, canvas, point, x, y, width);
	}
}

static const struct chart_point *
find_point(const struct chart_series *series, double x, size_t *at)
{
	size_t low = 0;

	ORDER_FIND(low, series->n, middle, series->points[middle].x < x);
	*at = low;
	return low < series->n && series->points[low].x == x ? &series->points[low] : NULL;
}

static void
draw_bar_row(const struct chart *chart, struct canvas *canvas, struct area area, int row, int y,
             const struct chart_cursor *cursor)
{
	size_t n = MOST(chart->n_series, 1), name = (size_t)row / n, series = (size_t)row % n, at;
	struct bar_columns columns = lay_bars(chart, area.width);
	int x = area.x;
	char text[FORMAT_BYTES];

	if (series == 0) {
		canvas_text_middle(canvas, x, y, columns.label, STYLE_NORMAL, chart->x.names[name]);
	}
	x += columns.label + 1;
	if (chart->n_series == 0) {
		return;
	}
	if (columns.series > 0) {
		canvas_text_middle(canvas, x, y, columns.series - 1, STYLE_MUTED,
		                   chart->series[series].name);
		x += columns.series;
	}
	const struct chart_point *point = find_point(&chart->series[series], (double)name, &at);
	if (!point) {
		return;
	}
	cell_style style = chart_series_style(chart, series);
	if (chart->name_slots && chart->name_slots[name] != COLOUR_SLOT_NONE) {
		style = style_palette(chart->name_slots[name]);
	}
	draw_bar(chart, canvas, point, style, x, y, columns.bar);
	canvas_text_right(canvas, x + columns.bar + 1, y, columns.value, STYLE_NORMAL,
	                  slice_of(chart_axis_show(&chart->y, point->y, text)));
	if (cursor && cursor->series == series && cursor->point == at) {
		canvas_select(canvas, area.x, y, area.width, "");
	}
}

/* ---- heat map ---- */

struct cell_columns {
	int label, cell, n; /* columns of a label, of a cell; how many cells there is room for */
};

static struct cell_columns
lay_cells(const struct chart *chart, int width)
{
	struct cell_columns columns = {.label = 1};

	for (size_t i = 0; i < chart->y.n_names; i++) {
		int wide = canvas_columns(chart->y.names[i], width);
		columns.label = MOST(columns.label, wide);
	}
	columns.label = LEAST(columns.label, width / 3);
	int room = MOST(width - columns.label - 1, 1), n = MOST((int)chart->x.n_names, 1);
	columns.cell = LEAST(MOST(room / n, 1), 10);
	columns.n = LEAST((int)chart->x.n_names, room / columns.cell);
	return columns;
}

static void
draw_cell(const struct chart *chart, struct canvas *canvas, const struct chart_point *point, int x,
          int y, int columns)
{
	double share = chart_axis_share(&chart->value, point->value);
	char text[FORMAT_BYTES];
	int shaded = columns >= 8 ? 1 : columns > 2 ? columns - 1 : columns;

	canvas_fill(canvas, x, y, shaded, 1, STYLE_BAR, shade_of(canvas, share));
	if (columns >= 8) {
		canvas_text_right(canvas, x + 1, y, columns - 2, STYLE_NORMAL,
		                  slice_of(chart_axis_show(&chart->value, point->value, text)));
	}
}

static void
draw_cell_row(const struct chart *chart, struct canvas *canvas, struct area area, int row, int y,
              const struct chart_cursor *cursor)
{
	struct cell_columns columns = lay_cells(chart, area.width);
	const struct chart_series *cells = &chart->series[0];
	int x = area.x + columns.label + 1;

	canvas_text_middle(canvas, area.x, y, columns.label, STYLE_NORMAL, chart->y.names[row]);
	for (size_t i = 0; i < cells->n; i++) {
		const struct chart_point *point = &cells->points[i];

		if ((int)point->y == row && (int)point->x < columns.n) {
			int at = x + (int)point->x * columns.cell;

			draw_cell(chart, canvas, point, at, y, columns.cell);
			if (cursor && cursor->point == i) {
				canvas_select(canvas, at, y, columns.cell, "");
			}
		}
	}
}

static void
draw_cell_names(const struct chart *chart, struct canvas *canvas, struct area area, int y)
{
	struct cell_columns columns = lay_cells(chart, area.width);
	int x = area.x + columns.label + 1, end = area.x + area.width, next = x;
	int hidden = (int)chart->x.n_names - columns.n;
	int title = canvas_columns(chart->x.title, columns.label);

	canvas_text_right(canvas, area.x, y, columns.label, STYLE_HEADER,
	                  title < columns.label ? chart->x.title : slice_of(""));
	if (hidden > 0) {
		end -= canvas_printf(canvas, end - 12, y, STYLE_MUTED, " +%d hidden", hidden);
	}
	for (int i = 0; i < columns.n; i++) {
		int at = x + i * columns.cell;
		int wide = canvas_columns(chart->x.names[i], 16);

		if (at >= next && at + wide <= end) {
			canvas_text(canvas, at, y, wide, STYLE_HEADER, chart->x.names[i]);
			next = at + wide + 1;
		}
	}
}

/* ---- all of it ---- */

static void
draw_list(const struct chart *chart, struct canvas *canvas, struct area area,
          const struct chart_cursor *cursor)
{
	int first = cursor ? cursor->first_row : 0;

	for (int i = 0; i < area.height && first + i < list_rows(chart); i++) {
		if (chart->kind == CHART_HEATMAP) {
			draw_cell_row(chart, canvas, area, first + i, area.y + i, cursor);
		} else {
			draw_bar_row(chart, canvas, area, first + i, area.y + i, cursor);
		}
	}
}

void
chart_draw(const struct chart *chart, struct canvas *canvas, struct area area,
           const struct chart_cursor *cursor)
{
	int head = head_rows(chart, area.width, area.height);
	struct area plot = {area.x, area.y + head, area.width, chart_draw_plot_rows(chart, area)};

	if (head > 0) {
		draw_head(chart, canvas, (struct area){area.x, area.y, area.width, head});
	}
	if (is_list(chart)) {
		int rows = LEAST(plot.height, list_rows(chart));

		draw_list(chart, canvas, plot, cursor);
		if (chart->kind == CHART_HEATMAP) {
			draw_cell_names(chart, canvas, area, plot.y + rows);
		}
	} else {
		chart_draw_plane(chart, canvas, plot, cursor);
	}
}

void
chart_draw_words(const struct chart *chart, size_t series, size_t at, struct strbuf *out)
{
	const struct chart_series *of = &chart->series[series];
	const struct chart_point *point = &of->points[at];
	bool is_map = chart->kind == CHART_HEATMAP;
	char text[FORMAT_BYTES];

	if (of->name.len > 0) {
		strbuf_add_slice(out, of->name);
		strbuf_add_text(out, "  ");
	}
	strbuf_add_slice(out, chart->x.title);
	strbuf_add_char(out, ' ');
	strbuf_add_slice(out, chart->x.n_names > 0
	                          ? chart->x.names[(size_t)point->x]
	                          : slice_of(chart_axis_show(&chart->x, point->x, text)));
	if (chart->kind == CHART_HISTOGRAM) {
		strbuf_printf(out, " .. %s", chart_axis_show(&chart->x, point->x_end, text));
	}
	if (is_map) {
		strbuf_add_text(out, ", ");
		strbuf_add_slice(out, chart->y.names[(size_t)point->y]);
	}
	strbuf_add_text(out, ": ");
	strbuf_add_text(out, is_map ? chart_axis_show(&chart->value, point->value, text)
	                            : chart_axis_show(&chart->y, point->y, text));
	if (chart->kind <= CHART_STEPS && !isnan(point->low)) {
		strbuf_printf(out, " (%s", chart_axis_show(&chart->y, point->low, text));
		strbuf_printf(out, " .. %s)", chart_axis_show(&chart->y, point->high, text));
	}
	if (point->n_rows > 1) {
		strbuf_printf(out, ", %zu rows", point->n_rows);
	}
}
