/*
 * Layout from top to bottom: title, legend, plot with its axes, notes. Bars lie, so that their
 * names can be read; all else has x below and y at the left. Heights follow from what there is to
 * show.
 */
#include "config.h"
#include "export/chart_svg.h"
#include "export/chart_svg_private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "export/svg_parts.h"
#include "util/order.h"
#include "util/utf8.h"

#define PLOT_HEIGHT 320
#define NOTE 15
#define LEGEND_COLUMNS 30
#define TITLE_COLUMNS 90
#define NOTE_COLUMNS 130
#define TICKS_UP 6

static double
plot_x(const struct plot *plot, double value)
{
	return plot->left + plot->width * chart_axis_share(&plot->chart->x, value);
}

/* ---- axes ---- */

static void
put_ticks_along(const struct plot *plot, const struct chart_axis *axis)
{
	struct chart_tick ticks[CHART_TICKS];
	size_t n = chart_axis_ticks(axis, (size_t)(plot->width / 90), ticks);
	double bottom = plot->top + plot->height;

	for (size_t i = 0; i < n; i++) {
		double x = plot->left + plot->width * chart_axis_share(axis, ticks[i].at);

		plot_line(plot, x, plot->top, x, bottom, "rule");
		plot_text(plot, x, bottom + 14, " text-anchor=\"middle\" class=\"mark\"",
		          slice_of(ticks[i].text));
	}
	plot_text(plot, plot->left + plot->width, bottom + 30, " text-anchor=\"end\"", axis->title);
}

static void
put_ticks_up(const struct plot *plot)
{
	const struct chart_axis *axis = &plot->chart->y;
	struct chart_tick ticks[CHART_TICKS];
	size_t n = chart_axis_ticks(axis, TICKS_UP, ticks);

	for (size_t i = 0; i < n; i++) {
		double y = plot_y(plot, ticks[i].at);

		plot_line(plot, plot->left, y, plot->left + plot->width, y, "rule");
		plot_text(plot, plot->left - 6, y + 4, " text-anchor=\"end\" class=\"mark\"",
		          slice_of(ticks[i].text));
	}
	plot_text(plot, MARGIN, plot->top - 12, "", axis->title);
}

/* ---- points ---- */

/* Series have marks of different shapes. */
static void
put_mark(const struct plot *plot, size_t shape, double x, double y, double r, const char *colour)
{
	static const char *const shapes[] = {
	    "M-1,0a1,1 0 1,0 2,0a1,1 0 1,0 -2,0z", /* circle */
	    "M-1,-1h2v2h-2z",                      /* square */
	    "M0,-1.2l1.2,2.2h-2.4z",               /* triangle */
	    "M0,-1.3l1.3,1.3l-1.3,1.3l-1.3,-1.3z", /* diamond */
	    "M-1.2,-1h2.4l-1.2,2.2z",              /* triangle, down */
	    "M-.4,-1.2h.8v.8h.8v.8h-.8v.8h-.8v-.8h-.8v-.8h.8z",
	    "M-1.2,-.5h2.4v1h-2.4z",
	    "M-.5,-1.2h1v2.4h-1z",
	};

	fprintf(plot->file,
	        "<path transform=\"translate(%.1f,%.1f) scale(%.1f)\" d=\"%s\" fill=\"%s\">", x, y,
	        r, shapes[shape % COUNT_OF(shapes)], colour);
}

static void
put_points(const struct plot *plot, size_t i)
{
	const struct chart_series *series = &plot->chart->series[i];

	for (size_t k = 0; k < series->n; k++) {
		const struct chart_point *point = &series->points[k];

		put_mark(plot, i, plot_x(plot, point->x), plot_y(plot, point->y),
		         series->n > 200 ? 2 : 3, plot_colour(plot->chart, i));
		plot_title(plot, series, point);
		fputs("</path>\n", plot->file);
	}
}

static double
on_scale(const struct chart_axis *axis, double value)
{
	return LEAST(MOST(value, axis->low), axis->high);
}

/* The area between the ends of the spread, there and back; of a point alone a line. */
static void
put_band(const struct plot *plot, size_t i)
{
	const struct chart_series *series = &plot->chart->series[i];
	const struct chart_axis *y = &plot->chart->y;
	bool has_any = false;

	if (series->n == 1) {
		double x = plot_x(plot, series->points[0].x);

		plot_line(plot, x, plot_y(plot, on_scale(y, series->points[0].low)), x,
		          plot_y(plot, on_scale(y, series->points[0].high)), "whisker");
		return;
	}

	for (size_t k = 0; k < 2 * series->n; k++) {
		bool back = k >= series->n;
		const struct chart_point *point = &series->points[back ? 2 * series->n - 1 - k : k];
		double at = isnan(point->low) ? point->y : back ? point->low : point->high;

		if (k == 0) {
			fprintf(plot->file, "<path fill=\"%s\" fill-opacity=\".2\" d=\"",
			        plot_colour(plot->chart, i));
		}
		fprintf(plot->file, "%c%.1f,%.1f", has_any ? 'L' : 'M', plot_x(plot, point->x),
		        plot_y(plot, on_scale(y, at)));
		has_any = true;
	}
	fputs(has_any ? "z\"/>\n" : "", plot->file);
}

static bool
has_spread(const struct chart_series *series)
{
	for (size_t k = 0; k < series->n; k++) {
		if (!isnan(series->points[k].low)) {
			return true;
		}
	}
	return false;
}

/* A CDF goes up where a value is, and stays. */
static void
put_path(const struct plot *plot, size_t i)
{
	static const char *const dashes[] = {"",     "6 3", "2 2", "8 3 2 3",
	                                     "10 4", "4 1", "1 3", "6 2 2 2 2 2"};
	const struct chart_series *series = &plot->chart->series[i];
	bool is_cdf = plot->chart->kind == CHART_CDF;

	if (series->n == 0) {
		return;
	}
	fprintf(plot->file,
	        "<path fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\" stroke-dasharray=\"%s\" "
	        "d=\"M%.1f,%.1f",
	        plot_colour(plot->chart, i), dashes[i % COUNT_OF(dashes)],
	        plot_x(plot, series->points[0].x), plot_y(plot, is_cdf ? 0 : series->points[0].y));
	for (size_t k = 0; k < series->n; k++) {
		double x = plot_x(plot, series->points[k].x), y = plot_y(plot, series->points[k].y);

		if (is_cdf || (k > 0 && plot->chart->kind == CHART_STEPS)) {
			fprintf(plot->file, "H%.1fV%.1f", x, y);
		} else if (k > 0) {
			fprintf(plot->file, "L%.1f,%.1f", x, y);
		}
	}
	if (is_cdf) {
		fprintf(plot->file, "H%.1f", plot->left + plot->width);
	}
	fputs("\"/>\n", plot->file);
}

static void
put_histogram(const struct plot *plot)
{
	const struct chart *chart = plot->chart;

	for (size_t i = 0; i < chart->n_series; i++) {
		const struct chart_series *series = &chart->series[i];

		for (size_t k = 0; k < series->n; k++) {
			const struct chart_point *point = &series->points[k];
			double x = plot_x(plot, point->x), end = plot_x(plot, point->x_end);
			double y = plot_y(plot, point->high);

			if (point->y <= 0) {
				continue;
			}
			plot_rectangle(plot, x, y, end - x - (end - x > 4 ? 1 : 0),
			               plot_y(plot, point->low) - y, plot_colour(chart, i), 1);
			plot_title(plot, series, point);
			fputs("</rect>\n", plot->file);
		}
	}
}

/* ---- all of it ---- */

static double
entry_width(const struct chart *chart, size_t series)
{
	return 26 + SVG_LETTER_WIDTH *
	                (double)svg_name_columns(chart->series[series].name, LEGEND_COLUMNS);
}

static void
put_legend(const struct plot *plot, double y)
{
	const struct chart *chart = plot->chart;
	double x = MARGIN;

	plot_text(plot, x, y, " class=\"mark\"", slice_of(chart->series_title));
	x += SVG_LETTER_WIDTH * (double)utf8_columns(slice_of(chart->series_title)) + 12;
	for (size_t i = 0; i < chart->n_series; i++) {
		double width = entry_width(chart, i);

		if (x + width > WIDTH && x > MARGIN) {
			x = MARGIN;
			y += NOTE;
		}
		put_mark(plot, i, x + 5, y - 4, 4, plot_colour(chart, i));
		fputs("</path>", plot->file);
		plot_name(plot, x + 14, y, "", chart->series[i].name, LEGEND_COLUMNS);
		x += width;
	}
}

static double
legend_height(const struct chart *chart)
{
	double x = MARGIN, rows = 1;

	if (chart->kind == CHART_HEATMAP) {
		return NOTE + 8;
	}
	if (!chart->series_title) {
		return 0;
	}
	x += SVG_LETTER_WIDTH * (double)utf8_columns(slice_of(chart->series_title)) + 12;
	for (size_t i = 0; i < chart->n_series; i++) {
		double width = entry_width(chart, i);

		rows += x + width > WIDTH && x > MARGIN;
		x = x + width > WIDTH && x > MARGIN ? MARGIN + width : x + width;
	}
	return rows * NOTE + 8;
}

static double
names_width(const struct chart_axis *axis)
{
	size_t most = 0;

	for (size_t i = 0; i < axis->n_names; i++) {
		most = MOST(most, svg_name_columns(axis->names[i], NAME_COLUMNS));
	}
	return (double)most * SVG_LETTER_WIDTH + 12;
}

static double
ticks_width(const struct chart_axis *axis)
{
	struct chart_tick ticks[CHART_TICKS];
	size_t n = chart_axis_ticks(axis, TICKS_UP, ticks), most = 0;

	for (size_t i = 0; i < n; i++) {
		most = MOST(most, strlen(ticks[i].text));
	}
	return MOST((double)most * SVG_LETTER_WIDTH + 12, 66);
}

static size_t
note_lines(const struct chart *chart)
{
	size_t n = 0;

	for (size_t i = 0; i < chart->n_notes; i++) {
		for (struct slice rest = slice_of(chart->notes[i]); rest.len > 0; n++) {
			(void)svg_take_line(&rest, NOTE_COLUMNS);
		}
	}
	return n;
}

static void
put_notes(const struct plot *plot, double y)
{
	for (size_t i = 0; i < plot->chart->n_notes; i++) {
		struct slice rest = slice_of(plot->chart->notes[i]);
		while (rest.len > 0) {
			plot_text(plot, MARGIN, y, " class=\"mark\"",
			          svg_take_line(&rest, NOTE_COLUMNS));
			y += NOTE;
		}
	}
}

static struct plot
lay(const struct chart *chart, FILE *file)
{
	bool is_lying = chart->kind == CHART_BARS;
	const struct chart_axis *names = is_lying ? &chart->x : &chart->y;
	struct plot plot = {.file = file, .chart = chart, .is_lying = is_lying};

	plot.left = MARGIN + (names->n_names > 0 ? names_width(names) : ticks_width(&chart->y));
	plot.width = WIDTH - plot.left - (is_lying ? 80 : MARGIN);
	plot.top = 40 + legend_height(chart) + (chart->kind == CHART_BARS ? 0 : 18);
	plot.height = is_lying ? chart_svg_group_height(chart) * (double)chart->x.n_names
	              : chart->kind == CHART_HEATMAP ? BAR * (double)chart->y.n_names
	                                             : PLOT_HEIGHT;
	return plot;
}

static void
put_plot(const struct plot *plot)
{
	const struct chart *chart = plot->chart;

	if (chart->kind == CHART_HEATMAP) {
		chart_svg_put_scale(plot, 42);
		chart_svg_put_cells(plot);
		return;
	}
	if (chart->series_title) {
		put_legend(plot, 42);
	}
	put_ticks_along(plot, plot->is_lying ? &chart->y : &chart->x);
	if (chart->kind == CHART_BARS) {
		chart_svg_put_bars(plot);
		plot_line(plot, plot_y(plot, 0), plot->top, plot_y(plot, 0),
		          plot->top + plot->height, "axis");
		return;
	}
	put_ticks_up(plot);
	if (chart->kind == CHART_HISTOGRAM) {
		put_histogram(plot);
	}
	for (size_t i = 0; i < chart->n_series && chart->kind != CHART_HISTOGRAM; i++) {
		if (chart_is_line(chart->kind) && has_spread(&chart->series[i])) {
			put_band(plot, i);
		}
		if (chart->kind != CHART_SCATTER) {
			put_path(plot, i);
		}
		if (chart->kind == CHART_SCATTER ||
		    (chart_is_line(chart->kind) && chart->series[i].n <= 100)) {
			put_points(plot, i);
		}
	}
	plot_line(plot, plot->left, plot->top, plot->left, plot->top + plot->height, "axis");
	plot_line(plot, plot->left, plot->top + plot->height, plot->left + plot->width,
	          plot->top + plot->height, "axis");
}

int
export_chart_svg(const struct chart *chart, FILE *file, struct err *err)
{
	struct plot plot = lay(chart, file);
	double y = plot.top + plot.height + 52;

	fprintf(file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%.0f\" "
	        "font-family=\"sans-serif\" font-size=\"11\">\n"
	        "<style>.mark{fill:#555;font-size:10px}.rule{stroke:#ddd;stroke-width:1}"
	        ".axis,.whisker{stroke:#333;stroke-width:1}</style>\n"
	        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
	        WIDTH + MARGIN, y + NOTE * (double)note_lines(chart));
	plot_name(&plot, MARGIN, 20, " font-size=\"14\"", chart->title, TITLE_COLUMNS);
	put_plot(&plot);
	put_notes(&plot, y);
	fputs("</svg>\n", file);
	return fflush(file) != 0 || ferror(file) ? err_set_errno(err, errno, "picture") : 0;
}
