/*
 * Bars, lines and scatters. Rows of one place are one: their mean, with the range of them (and of
 * their spreads) as its spread. A line of more than CHART_POINTS places is cut into steps of x,
 * each one such place; of a scatter, points that would fall on each other on a fine grid are one.
 */
#include "config.h"
#include "chart/chart_private.h"

#include <math.h>
#include <stdlib.h>

#include "util/order.h"

#define GRID 200 /* of a scatter, each way */
#define FAR 1000

static double
mean_of(double sum, size_t n)
{
	return n == 0 ? 0 : sum / (double)n;
}

/* Rows that stand at one place. */
struct chart_place {
	double x, sum, low, high;
	bool has_spread;
	size_t row, n;
};

static void
place_add(struct chart_place *place, const struct chart_raw *raw)
{
	bool has_spread = !isnan(raw->low);
	double low = has_spread ? raw->low : raw->y, high = has_spread ? raw->high : raw->y;

	if (place->n == 0) {
		*place = (struct chart_place){raw->x, 0, low, high, has_spread, raw->row, 0};
	}
	place->sum += raw->y / 16; /* the sum of all may be beyond a double */
	place->low = LEAST(place->low, low);
	place->high = MOST(place->high, high);
	place->has_spread = place->has_spread || has_spread;
	place->n++;
}

static struct chart_point
place_point(const struct chart_place *place)
{
	bool has_spread = place->has_spread || place->n > 1;

	return (struct chart_point){
	    .x = place->x,
	    .x_end = place->x,
	    .y = mean_of(place->sum, place->n) * 16,
	    .low = has_spread ? place->low : NAN,
	    .high = has_spread ? place->high : NAN,
	    .row = place->row,
	    .n_rows = place->n,
	};
}

/* Of raw [from, end), sorted by x, each place of one x (step 0) or of one step of x. Returns how
 * many; points NULL: counts them only. */
static size_t
make_places(const struct chart_data *data, size_t from, size_t end, double origin, double step,
            struct chart_point *points)
{
	struct chart_place place = {.n = 0};
	size_t n = 0;

	for (size_t i = from; i <= end; i++) {
		const struct chart_raw *raw = &data->raw[i];
		bool goes_on =
		    i < end && place.n > 0 &&
		    (step > 0 ? floor((raw->x - origin) / step) == floor((place.x - origin) / step)
		              : raw->x == place.x);

		if (place.n > 0 && !goes_on) {
			if (points) {
				points[n] = place_point(&place);
				points[n].x =
				    step > 0 && place.n > 1
					? origin + (floor((place.x - origin) / step) + 0.5) * step
					: place.x;
			}
			n++;
			place.n = 0;
		}
		if (i < end) {
			place_add(&place, raw);
		}
	}
	return n;
}

static void
note_folded(struct chart_data *data, const char *one)
{
	size_t n_points = 0, n_rows = 0;

	for (size_t i = 0; i < data->chart->n_series; i++) {
		for (size_t k = 0; k < data->chart->series[i].n; k++) {
			n_points++;
			n_rows += data->chart->series[i].points[k].n_rows;
		}
	}
	if (n_rows > n_points) {
		chart_note(
		    data->chart,
		    "%zu values in %zu %s: the mean of those that share one, with their range",
		    n_rows, n_points, one);
	}
}

static void
reduce_lines(struct chart_data *data, const size_t *starts)
{
	struct chart *chart = data->chart;
	double low = INFINITY, high = -INFINITY, step = 0;
	size_t most = 0;

	for (size_t i = 0; i < chart->n_series; i++) {
		size_t n = make_places(data, starts[i], starts[i + 1], 0, 0, NULL);

		most = MOST(most, n);
	}
	for (size_t i = 0; i < data->n_raw; i++) {
		low = LEAST(low, data->raw[i].x);
		high = MOST(high, data->raw[i].x);
	}
	bool is_cut = most > CHART_POINTS;
	if (is_cut) {
		step = chart_step(chart->x.kind, (high - low) / (CHART_POINTS / 2));
		low = floor(low / step) * step;
	}
	for (size_t i = 0; i < chart->n_series; i++) {
		size_t n = make_places(data, starts[i], starts[i + 1], low, step, NULL);

		chart->series[i].points =
		    arena_alloc(chart->arena, (n + 1) * sizeof(struct chart_point));
		chart->series[i].n =
		    make_places(data, starts[i], starts[i + 1], low, step, chart->series[i].points);
	}
	if (is_cut) {
		char text[FORMAT_BYTES];

		chart_note(chart, "in steps of %s along x", chart_axis_show(&chart->x, step, text));
	}
	note_folded(data, "points");
}

/* Is one line that much above another that one of them would be the axis? Of figures without a
 * unit, as counters of many things are: times can be compared. */
static bool
are_far_apart(const struct chart_data *data)
{
	const struct chart *chart = data->chart;
	double least = INFINITY, most = 0;

	if (chart->y.kind != KIND_REAL ||
	    column_unit(&data->result->columns[data->plan->y.at[0]])) {
		return false;
	}

	for (size_t i = 0; i < chart->n_series; i++) {
		double top = 0;

		for (size_t k = 0; k < chart->series[i].n; k++) {
			if (chart->series[i].points[k].y < 0) {
				return false;
			}
			top = MOST(top, chart->series[i].points[k].y);
		}
		least = top > 0 ? LEAST(least, top) : least;
		most = MOST(most, top);
	}
	return most / least > FAR;
}

static void
choose_scale(struct chart_data *data)
{
	struct chart *chart = data->chart;
	size_t n_gone = 0;

	if (data->plan->says_log || !are_far_apart(data)) {
		return;
	}
	chart->y.is_log = true;
	for (size_t i = 0; i < chart->n_series; i++) {
		struct chart_series *series = &chart->series[i];
		size_t to = 0;

		for (size_t k = 0; k < series->n; k++) {
			if (series->points[k].y > 0) {
				series->points[to++] = series->points[k];
			}
		}
		n_gone += series->n - to;
		series->n = to;
	}
	chart_note(chart, "y is logarithmic, as its lines are that far apart");
	if (n_gone > 0) {
		chart_note(chart, "%zu points at 0 have no place there", n_gone);
	}
}

/* ---- bars ---- */

static void
reduce_bars(struct chart_data *data, const size_t *starts)
{
	struct chart *chart = data->chart;
	size_t n_all = intern_count(data->names), n = LEAST(n_all, data->plan->most);

	for (size_t i = 0; i < chart->n_series; i++) {
		size_t end = starts[i];

		while (end < starts[i + 1] && data->raw[end].x < (double)n) {
			end++;
		}
		chart->series[i].points =
		    arena_alloc(chart->arena, (n + 1) * sizeof(struct chart_point));
		chart->series[i].n =
		    make_places(data, starts[i], end, 0, 0, chart->series[i].points);
	}
	chart->x.names = arena_alloc(chart->arena, (n + 1) * sizeof *chart->x.names);
	chart->x.n_names = n;
	for (size_t i = 0; i < n; i++) {
		chart->x.names[i] =
		    arena_slice(chart->arena, intern_text(data->names, (uint32_t)i));
	}
	if (n_all > n) {
		chart_note(
		    chart,
		    "the first %zu of %zu bars are shown: --limit N shows more, --sort others", n,
		    n_all);
	}
	note_folded(data, "bars");
}

/* ---- scatter ---- */

static uint64_t
cell_of(const struct chart_axis *x, const struct chart_axis *y, const struct chart_raw *raw)
{
	uint64_t column = (uint64_t)(chart_axis_share(x, raw->x) * (GRID - 1) + 0.5);
	uint64_t row = (uint64_t)(chart_axis_share(y, raw->y) * (GRID - 1) + 0.5);

	return row * GRID + column;
}

/* seen: by cell, where its point is; 0: none yet. */
static void
reduce_points(struct chart_data *data, size_t series, size_t from, size_t end, bool on_grid,
              uint32_t *seen)
{
	struct chart *chart = data->chart;
	struct chart_series *to = &chart->series[series];
	size_t capacity = LEAST(end - from, on_grid ? GRID * GRID : end - from);

	to->points = arena_alloc(chart->arena, (capacity + 1) * sizeof *to->points);
	for (size_t i = from; i < end; i++) {
		const struct chart_raw *raw = &data->raw[i];
		uint64_t cell = on_grid ? cell_of(&chart->x, &chart->y, raw) : 0;

		if (on_grid && seen[cell] > 0) {
			to->points[seen[cell] - 1].n_rows++;
			continue;
		}
		to->points[to->n++] = (struct chart_point){.x = raw->x,
		                                           .x_end = raw->x,
		                                           .y = raw->y,
		                                           .low = NAN,
		                                           .high = NAN,
		                                           .row = raw->row,
		                                           .n_rows = 1};
		if (on_grid) {
			seen[cell] = (uint32_t)to->n;
		}
	}
}

static void
fit_axes(struct chart_data *data)
{
	struct chart *chart = data->chart;
	double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;

	for (size_t i = 0; i < chart->n_series; i++) {
		for (size_t k = 0; k < chart->series[i].n; k++) {
			const struct chart_point *point = &chart->series[i].points[k];
			bool has_spread = !isnan(point->low);
			double low = has_spread && !(chart->y.is_log && point->low <= 0)
			                 ? LEAST(point->low, point->y)
			                 : point->y;

			x_low = LEAST(x_low, point->x);
			x_high = MOST(x_high, point->x);
			y_low = LEAST(y_low, low);
			y_high = MOST(y_high, has_spread ? MOST(point->high, point->y) : point->y);
		}
	}
	chart_axis_fit(&chart->y, y_low, y_high, chart->kind == CHART_BARS);
	chart_axis_round(&chart->y, 6);
	if (chart->x.n_names > 0) {
		chart->x.low = -0.5;
		chart->x.high = (double)chart->x.n_names - 0.5;
	} else {
		chart_axis_fit(&chart->x, x_low, x_high, false);
	}
}

static void
fit_raw(struct chart_data *data)
{
	struct chart *chart = data->chart;
	double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;

	for (size_t i = 0; i < data->n_raw; i++) {
		x_low = LEAST(x_low, data->raw[i].x);
		x_high = MOST(x_high, data->raw[i].x);
		y_low = LEAST(y_low, data->raw[i].y);
		y_high = MOST(y_high, data->raw[i].y);
	}
	chart_axis_fit(&chart->x, x_low, x_high, false);
	chart_axis_fit(&chart->y, y_low, y_high, false);
}

static void
reduce_scatter(struct chart_data *data, const size_t *starts)
{
	struct chart *chart = data->chart;
	bool on_grid = data->n_raw > CHART_POINTS * 5;
	uint32_t *seen = on_grid ? xcalloc(GRID * GRID, sizeof *seen) : NULL;
	size_t n_points = 0;

	fit_raw(data);
	for (size_t i = 0; i < chart->n_series; i++) {
		for (size_t k = 0; on_grid && i > 0 && k < GRID * GRID; k++) {
			seen[k] = 0;
		}
		reduce_points(data, i, starts[i], starts[i + 1], on_grid, seen);
		n_points += chart->series[i].n;
	}
	free(seen);
	if (n_points < data->n_raw) {
		chart_note(chart, "%zu rows fall on %zu points of a grid of %d by %d", data->n_raw,
		           n_points, GRID, GRID);
	}
}

void
chart_reduce(struct chart_data *data)
{
	size_t *starts = xcalloc(data->chart->n_series + 1, sizeof *starts);

	chart_sort_raw(data, starts);
	switch (data->plan->kind) {
	case CHART_BARS:
		reduce_bars(data, starts);
		break;
	case CHART_LINE:
	case CHART_STEPS:
		reduce_lines(data, starts);
		choose_scale(data);
		break;
	default:
		reduce_scatter(data, starts);
	}
	fit_axes(data);
	free(starts);
}
