#include "config.h"
#include "export/chart_svg_private.h"

#include <math.h>

#include "export/svg_parts.h"
#include "util/order.h"

double
plot_y(const struct plot *plot, double value)
{
	double share = chart_axis_share(&plot->chart->y, value);

	return plot->is_lying ? plot->left + plot->width * share
	                      : plot->top + plot->height * (1 - share);
}

void
plot_text(const struct plot *plot, double x, double y, const char *more, struct slice text)
{
	fprintf(plot->file, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, more);
	svg_put_foreign(plot->file, text);
	fputs("</text>\n", plot->file);
}

void
plot_name(const struct plot *plot, double x, double y, const char *more, struct slice name,
          size_t columns)
{
	fprintf(plot->file, "<text x=\"%.1f\" y=\"%.1f\"%s>", x, y, more);
	svg_put_name(plot->file, name, columns);
	fputs("</text>\n", plot->file);
}

void
plot_line(const struct plot *plot, double x1, double y1, double x2, double y2, const char *class)
{
	fprintf(plot->file,
	        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" class=\"%s\"/>\n", x1, y1,
	        x2, y2, class);
}

const char *
plot_colour(const struct chart *chart, size_t i)
{
	return chart->series_title ? svg_colour(chart->series[i].slot) : svg_colour(5);
}

void
plot_title(const struct plot *plot, const struct chart_series *series,
           const struct chart_point *point)
{
	const struct chart *chart = plot->chart;
	char text[FORMAT_BYTES];

	fputs("<title>", plot->file);
	if (series->name.len > 0) {
		svg_put_foreign(plot->file, series->name);
		fputs(", ", plot->file);
	}
	svg_put_foreign(plot->file, chart->x.n_names > 0
	                                ? chart->x.names[(size_t)point->x]
	                                : slice_of(chart_axis_show(&chart->x, point->x, text)));
	if (chart->kind == CHART_HISTOGRAM) {
		fprintf(plot->file, " .. %s", chart_axis_show(&chart->x, point->x_end, text));
	}
	if (chart->kind == CHART_HEATMAP) {
		fputs(", ", plot->file);
		svg_put_foreign(plot->file, chart->y.names[(size_t)point->y]);
	}
	fprintf(plot->file, ": %s",
	        chart->kind == CHART_HEATMAP ? chart_axis_show(&chart->value, point->value, text)
	                                     : chart_axis_show(&chart->y, point->y, text));
	if (chart->kind <= CHART_STEPS && !isnan(point->low)) {
		fprintf(plot->file, " (%s", chart_axis_show(&chart->y, point->low, text));
		fprintf(plot->file, " .. %s)", chart_axis_show(&chart->y, point->high, text));
	}
	if (point->n_rows > 1) {
		fprintf(plot->file, ", %zu rows", point->n_rows);
	}
	fputs("</title>", plot->file);
}

void
plot_rectangle(const struct plot *plot, double x, double y, double width, double height,
               const char *colour, double opacity)
{
	fprintf(plot->file,
	        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"", x, y,
	        MOST(width, 0), MOST(height, 0), colour);
	if (opacity < 1) {
		fprintf(plot->file, " fill-opacity=\"%.2f\"", opacity);
	}
	fputs(">", plot->file);
}
