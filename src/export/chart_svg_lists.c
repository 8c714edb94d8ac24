/* What has names at its left: bars and heat maps. */
#include "config.h"
#include "export/chart_svg_private.h"

#include <math.h>

#include "export/svg_parts.h"
#include "util/order.h"
#include "util/utf8.h"

#define CELL_COLUMNS 16 /* of names below a heat map */

/* ---- bars ---- */

static void
put_whiskers(const struct plot *plot, const struct chart_point *point, double y)
{
	double low = plot_y(plot, point->low), high = plot_y(plot, point->high);

	plot_line(plot, low, y, high, y, "whisker");
	plot_line(plot, low, y - 3, low, y + 3, "whisker");
	plot_line(plot, high, y - 3, high, y + 3, "whisker");
}

double
chart_svg_group_height(const struct chart *chart)
{
	return BAR * (double)MOST(chart->n_series, 1) + (chart->n_series > 1 ? 6 : 2);
}

void
chart_svg_put_bars(const struct plot *plot)
{
	const struct chart *chart = plot->chart;

	for (size_t i = 0; i < chart->x.n_names; i++) {
		double y = plot->top + chart_svg_group_height(chart) * ((double)i + 0.5) + 4;

		plot_name(plot, plot->left - 6, y, " text-anchor=\"end\"", chart->x.names[i],
		          NAME_COLUMNS);
	}
	for (size_t i = 0; i < chart->n_series; i++) {
		const struct chart_series *series = &chart->series[i];

		for (size_t k = 0; k < series->n; k++) {
			const struct chart_point *point = &series->points[k];
			size_t name = (size_t)point->x;
			double zero = plot_y(plot, 0), end = plot_y(plot, point->y);
			double y = plot->top + chart_svg_group_height(chart) * point->x +
			           BAR * (double)i + 1;
			char text[FORMAT_BYTES];

			plot_rectangle(plot, LEAST(zero, end), y, MOST(fabs(end - zero), 0.5),
			               BAR - 2,
			               chart->name_slots ? svg_colour(chart->name_slots[name])
			                                 : plot_colour(chart, i),
			               1);
			plot_title(plot, series, point);
			fputs("</rect>\n", plot->file);
			if (!isnan(point->low)) {
				put_whiskers(plot, point, y + BAR / 2.0 - 1);
				end = MOST(end, plot_y(plot, point->high));
			}
			plot_text(plot, MOST(end, zero) + 4, y + 11, " class=\"mark\"",
			          slice_of(chart_axis_show(&chart->y, point->y, text)));
		}
	}
}

/* ---- heat map ---- */

/* Light to dark: in print and for any eye the darker is the more. */
static void
put_cell_colour(char out[8], double share)
{
	static const int light[3] = {0xf3, 0xf0, 0xd8}, dark[3] = {0x12, 0x3a, 0x5c};
	int rgb[3];

	share = LEAST(MOST(share, 0), 1);
	for (int i = 0; i < 3; i++) {
		rgb[i] = (int)lround(light[i] + (dark[i] - light[i]) * share);
	}
	snprintf(out, 8, "#%02x%02x%02x", rgb[0] & 0xff, rgb[1] & 0xff, rgb[2] & 0xff);
}

/* As many as there is room for, each from its cell to the next that has one. */
static void
put_names_along(const struct plot *plot, double width)
{
	const struct chart_axis *axis = &plot->chart->x;
	size_t most = 1;

	for (size_t i = 0; i < axis->n_names; i++) {
		most = MOST(most, svg_name_columns(axis->names[i], CELL_COLUMNS));
	}
	size_t every = (size_t)ceil((SVG_LETTER_WIDTH * (double)most + 6) / width);
	for (size_t i = 0; i < axis->n_names; i += every) {
		double x = plot->left + width * (double)i;
		double end = x + SVG_LETTER_WIDTH * (double)svg_name_columns(axis->names[i], most);

		if (i == 0 || end <= WIDTH + MARGIN) {
			plot_name(plot, x, plot->top + plot->height + 14, " class=\"mark\"",
			          axis->names[i], most);
		}
	}
}

void
chart_svg_put_cells(const struct plot *plot)
{
	const struct chart *chart = plot->chart;
	const struct chart_series *cells = &chart->series[0];
	double width = plot->width / (double)MOST(chart->x.n_names, 1);
	char colour[8];

	for (size_t i = 0; i < chart->y.n_names; i++) {
		plot_name(plot, plot->left - 6, plot->top + BAR * (double)i + 12,
		          " text-anchor=\"end\"", chart->y.names[i], NAME_COLUMNS);
	}
	put_names_along(plot, width);
	for (size_t k = 0; k < cells->n; k++) {
		const struct chart_point *point = &cells->points[k];

		put_cell_colour(colour, chart_axis_share(&chart->value, point->value));
		plot_rectangle(plot, plot->left + width * point->x, plot->top + BAR * point->y,
		               width - (width > 4 ? 1 : 0), BAR - 1, colour, 1);
		plot_title(plot, cells, point);
		fputs("</rect>\n", plot->file);
	}
	plot_text(plot, plot->left + plot->width, plot->top + plot->height + 30,
	          " text-anchor=\"end\"", chart->x.title);
}

void
chart_svg_put_scale(const struct plot *plot, double y)
{
	const struct chart *chart = plot->chart;
	char colour[8], text[FORMAT_BYTES];

	plot_text(plot, MARGIN, y, "", chart->value.title);
	double x = MARGIN + SVG_LETTER_WIDTH * ((double)utf8_columns(chart->value.title) + 2);
	for (int i = 0; i <= 4; i++) {
		double value = chart->value.low + (chart->value.high - chart->value.low) * i / 4;

		put_cell_colour(colour, i / 4.0);
		plot_rectangle(plot, x, y - 9, 12, 10, colour, 1);
		fputs("</rect>", plot->file);
		plot_text(plot, x + 16, y, " class=\"mark\"",
		          slice_of(chart_axis_show(&chart->value, value, text)));
		x += 90;
	}
}
