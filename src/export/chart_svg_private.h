/* Inside of a chart as SVG: where things stand, and the elements that are drawn.
 * Used by its room alone. */
#ifndef LANESCOPE_EXPORT_CHART_SVG_PRIVATE_H
#define LANESCOPE_EXPORT_CHART_SVG_PRIVATE_H

#include <stdio.h>
#include "chart/chart.h"

#define WIDTH 760
#define BAR 16 /* height of a bar, or of a row of a heat map */
#define MARGIN 16
#define NAME_COLUMNS 40

struct plot {
	FILE *file;
	const struct chart *chart;
	double left, top, width, height;
	bool is_lying; /* bars: y runs to the right */
};

/* Where a value of y stands; of bars y runs to the right. */
double plot_y(const struct plot *plot, double value);
/* more: attributes, or "". */
void plot_text(const struct plot *plot, double x, double y, const char *more, struct slice text);
/* Of at most so many letters, cut in its middle. */
void plot_name(const struct plot *plot, double x, double y, const char *more, struct slice name,
               size_t columns);
void plot_line(const struct plot *plot, double x1, double y1, double x2, double y2,
               const char *class);
/* Left open, for its title. */
void plot_rectangle(const struct plot *plot, double x, double y, double width, double height,
                    const char *colour, double opacity);
/* What a reader sees who points at it. */
void plot_title(const struct plot *plot, const struct chart_series *series,
                const struct chart_point *point);
const char *plot_colour(const struct chart *chart, size_t series);

double chart_svg_group_height(const struct chart *chart); /* of the bars of one name */
void chart_svg_put_bars(const struct plot *plot);
void chart_svg_put_cells(const struct plot *plot);
void chart_svg_put_scale(const struct plot *plot, double y); /* what the shades stand for */

#endif
