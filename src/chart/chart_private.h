/* Inside of charts: which columns, and what their rows come to.
 * Used by its room alone. */
#ifndef LANESCOPE_CHART_CHART_PRIVATE_H
#define LANESCOPE_CHART_CHART_PRIVATE_H

#include "chart/chart.h"
#include "util/intern.h"

#define CHART_COLUMNS 8u /* that a label is joined of, or that are drawn at once */

struct chart_columns {
	size_t at[CHART_COLUMNS];
	size_t n;
};

/* Where a column's spread stands: in two columns, or its standard deviation in one; SIZE_MAX:
 * nowhere. */
struct chart_spread {
	size_t low, high, deviation;
};

struct chart_plan {
	enum chart_kind kind;
	struct chart_columns x, y, series; /* x of bars without names: none */
	struct chart_spread spread[CHART_COLUMNS];
	bool log_x, log_y, says_log, series_is_guess;
	size_t most;
};
/* How many rows are no sums of others. */
static inline size_t
chart_rows(const struct result *result)
{
	return result->n_rows - result->n_sums;
}

/* Does the column tell rows apart? */
bool chart_varies(const struct result *result, size_t column);

/* What is asked for, and what the columns suggest for the rest. -1: ERR_USAGE. */
int chart_plan_make(const struct result *result, const struct chart_wish *wish,
                    struct chart_plan *plan, struct err *err);

/* A row's value of a column, or of two columns. */
struct chart_raw {
	double x, y, low, high;
	uint32_t series, row;
};
struct chart_data {
	struct chart *chart;
	const struct result *result;
	const struct chart_plan *plan;
	struct intern *names, *labels; /* of x, where it is names; of series */
	struct chart_raw *raw;
	size_t n_raw, capacity;
	size_t n_missing, n_infinite, n_not_positive;
};
/* What is left becomes the chart's series and points. */
void chart_reduce(struct chart_data *data);
void chart_reduce_values(struct chart_data *data); /* histogram, CDF */
void chart_reduce_cells(struct chart_data *data);  /* heat map */
void chart_note(struct chart *chart, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The series' rows one after the other, each by x; starts has n_series + 1 places. */
void chart_sort_raw(struct chart_data *data, size_t *starts);

double chart_step(enum column_kind kind, double least); /* a round step that is no less */
/* Makes low and high of an axis; with_zero: 0 is on it. */
void chart_axis_fit(struct chart_axis *axis, double low, double high, bool with_zero);
void chart_axis_round(struct chart_axis *axis, size_t wanted); /* outwards, to ticks */

#endif
