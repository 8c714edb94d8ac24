/*
 * Histograms and CDFs: how often values occur. Each row counts once, or as often as a column of
 * counts says (sizes by how often they occur). Values that range over more than a thousand times
 * their least stand on a logarithmic scale.
 */
#include "config.h"
#include "chart/chart_private.h"

#include <math.h>
#include <stdlib.h>

#include "util/order.h"

#define BINS 40
#define STEPS 512 /* of a CDF */
#define WIDE 1000

static void
fit_values(struct chart_data *data)
{
	struct chart_axis *x = &data->chart->x;
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < data->n_raw; i++) {
		low = LEAST(low, data->raw[i].x);
		high = MOST(high, data->raw[i].x);
	}
	x->is_log = x->is_log || (low > 0 && high / low > WIDE);
	chart_axis_fit(x, low, high, false);
}

/* ---- histogram ---- */

/* Edges of bins: origin + i * step, or that power of ten. */
struct bins {
	double origin, step;
	bool is_log;
	size_t n;
};

static struct bins
make_bins(const struct chart_axis *x)
{
	struct bins bins = {.is_log = x->is_log};
	double low = bins.is_log ? log10(x->low) : x->low;
	double high = bins.is_log ? log10(x->high) : x->high;

	bins.step =
	    bins.is_log ? MOST(0.1, (high - low) / BINS) : chart_step(x->kind, (high - low) / BINS);
	bins.origin = floor(low / bins.step) * bins.step;
	bins.n = (size_t)LEAST(floor((high - bins.origin) / bins.step) + 1, 2 * BINS + 2);
	return bins;
}

static double
bin_edge(const struct bins *bins, size_t i)
{
	double edge = bins->origin + (double)i * bins->step;

	return bins->is_log ? pow(10, edge) : edge;
}

static size_t
bin_of(const struct bins *bins, double value)
{
	double at = ((bins->is_log ? log10(value) : value) - bins->origin) / bins->step;

	return (size_t)LEAST(MOST(floor(at + 1e-9), 0), (double)bins->n - 1);
}

/* One series on the other. */
static void
reduce_histogram(struct chart_data *data)
{
	struct chart *chart = data->chart;
	struct bins bins = make_bins(&chart->x);
	double *tops = xcalloc(bins.n + 1, sizeof *tops), most = 0, least = INFINITY;

	for (size_t i = 0; i < chart->n_series; i++) {
		struct chart_series *series = &chart->series[i];

		series->points = arena_zalloc(chart->arena, (bins.n + 1) * sizeof *series->points);
		series->n = bins.n;
		for (size_t k = 0; k < bins.n; k++) {
			series->points[k].x = bin_edge(&bins, k);
			series->points[k].x_end = bin_edge(&bins, k + 1);
			series->points[k].row = SIZE_MAX;
		}
	}
	for (size_t i = 0; i < data->n_raw; i++) {
		const struct chart_raw *raw = &data->raw[i];
		struct chart_point *point =
		    &chart->series[raw->series].points[bin_of(&bins, raw->x)];

		point->y += raw->y;
		point->row = LEAST(point->row, raw->row);
		point->n_rows++;
	}
	for (size_t i = 0; i < chart->n_series; i++) {
		for (size_t k = 0; k < bins.n; k++) {
			struct chart_point *point = &chart->series[i].points[k];

			point->low = tops[k];
			point->high = tops[k] += point->y;
			most = MOST(most, tops[k]);
			least = point->y > 0 ? LEAST(least, tops[k]) : least;
		}
	}
	chart->x.low = bin_edge(&bins, 0);
	chart->x.high = bin_edge(&bins, bins.n);
	/* Half of the least is below it on a logarithmic axis, which has no 0. */
	chart_axis_fit(&chart->y, chart->y.is_log ? least / 2 : 0, most, true);
	chart_axis_round(&chart->y, 5);
	free(tops);
}

/* ---- CDF ---- */

/* Of raw [from, end), sorted by x: the last value of each share. */
static void
reduce_steps(struct chart_data *data, struct chart_series *series, size_t from, size_t end)
{
	double all = 0, sum = 0, shown = 0;

	for (size_t i = from; i < end; i++) {
		all += data->raw[i].y;
	}
	series->points = arena_alloc(data->chart->arena, (STEPS + 2) * sizeof *series->points);
	for (size_t i = from; i < end && all > 0; i++) {
		const struct chart_raw *raw = &data->raw[i];
		bool is_last = i + 1 == end;

		sum += raw->y;
		if ((!is_last && data->raw[i + 1].x == raw->x) ||
		    (!is_last && end - from > STEPS && sum / all < shown + 1.0 / STEPS) ||
		    series->n > STEPS) {
			continue;
		}
		shown = sum / all;
		series->points[series->n++] = (struct chart_point){.x = raw->x,
		                                                   .x_end = raw->x,
		                                                   .y = is_last ? 1 : shown,
		                                                   .low = NAN,
		                                                   .high = NAN,
		                                                   .row = raw->row,
		                                                   .n_rows = i + 1 - from};
	}
}

static void
reduce_cdf(struct chart_data *data)
{
	struct chart *chart = data->chart;
	size_t *starts = xcalloc(chart->n_series + 1, sizeof *starts);

	chart_sort_raw(data, starts);
	for (size_t i = 0; i < chart->n_series; i++) {
		reduce_steps(data, &chart->series[i], starts[i], starts[i + 1]);
	}
	chart->y = (struct chart_axis){.title = arena_slice(chart->arena, slice_of("share")),
	                               .kind = KIND_PERCENT,
	                               .low = 0,
	                               .high = 1};
	free(starts);
}

/* A row that counts a negative number of times does not count. */
static void
drop_negative(struct chart_data *data)
{
	size_t to = 0;

	for (size_t i = 0; i < data->n_raw; i++) {
		if (data->raw[i].y > 0) {
			data->raw[to++] = data->raw[i];
		}
	}
	if (to < data->n_raw) {
		chart_note(data->chart, "%zu values count 0 times or less: left out",
		           data->n_raw - to);
	}
	data->n_raw = to;
}

void
chart_reduce_values(struct chart_data *data)
{
	struct chart *chart = data->chart;

	drop_negative(data);
	fit_values(data);
	if (chart->x.is_log && !data->plan->log_x) {
		chart_note(chart, "x is logarithmic, as its values range that far");
	}
	if (chart->kind == CHART_CDF) {
		reduce_cdf(data);
	} else {
		reduce_histogram(data);
	}
	if (chart->n_rows > 0) {
		struct value sum = value_real(0);

		for (size_t i = 0; i < data->n_raw; i++) {
			sum.real += data->raw[i].y;
		}
		if (data->plan->y.n > 0 &&
		    data->result->columns[data->plan->y.at[0]].kind == KIND_COUNT) {
			char text[FORMAT_BYTES];

			chart_note(
			    chart, "%zu values, counted by %.*s: %s in all", data->n_raw,
			    (int)slice_of(chart->y_columns).len, chart->y_columns,
			    column_kinds[KIND_COUNT].show(text, llround(LEAST(sum.real, 9e18))));
		} else {
			chart_note(chart, "%zu values", data->n_raw);
		}
	}
}
