/*
 * Part `series`: three runs or more in the order given, a row each, and whether they have a trend.
 *
 * The trend is Kendall's rank correlation of makespan and place, whose chance is counted over all
 * orders (of many runs, by the normal law), and the median of all slopes between two runs (Theil
 * and Sen): neither minds one run that is far off.
 */
#include "config.h"
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>

#include "explain/model/statistics.h"
#include "explain/parts/parts.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/quantile.h"

#define CHANCE_MAX 0.05
#define COUNTED_RUNS 100 /* of more, the normal law is as good */

static const struct result_column columns[] = {
    COLUMN("place", KIND_COUNT, "in the order given"),
    COLUMN_KEY("run", "its name"),
    COLUMN_MEASURE("makespan", KIND_DURATION, NULL),
    COLUMN_MEASURE("delta", KIND_DURATION, "to the first run"),
    COLUMN_MEASURE("rel", KIND_PERCENT, "delta as a part of the first run's makespan"),
    COLUMN_MEASURE("step", KIND_DURATION, "to the run before"),
    COLUMN("lane_time", KIND_DURATION, "of what ran"),
    COLUMN("items", KIND_COUNT, "tasks, or spans, that ran"),
    COLUMN("lanes", KIND_COUNT, "on which they ran"),
    COLUMN("cause", KIND_TEXT, "the largest of the difference to the first run"),
};

struct run_rows {
	struct result *result;
	double *makespans; /* ns, by run */
	size_t n;
};

static int64_t
lane_time(const struct schedule *schedule)
{
	int64_t sum = 0;
	for (size_t i = 0; i < schedule->n_items; i++) {
		time_raise(&sum, schedule->items[i].end_ns - schedule->items[i].start_ns);
	}
	return sum;
}

/* The sentence of the first cause; NULL where there is none to be had. */
static struct value
find_cause(struct result *result, struct explain *pair)
{
	struct err why = ERR_INIT;
	struct value cause = {.type = VALUE_NULL};
	struct result *causes = explain_compute_table(pair, &explain_causes, NULL, 0, &why);
	if (causes && causes->n_rows > 0) {
		int at = column_find(causes->columns, causes->n_columns, slice_of("sentence"));
		cause = value_copy(result, result_value(causes, 0, (size_t)at));
	}
	if (explain_is_failure(&why)) {
		result_add_note(result, "%s: its cause is lost: %s", pair->b->name, why.message);
		explain_lose(pair, &why);
	}
	result_free(causes);
	return cause;
}

static void
add_run(struct run_rows *series, const struct explain_run *run, struct value cause)
{
	const struct schedule *schedule = run->schedule;
	struct result *result = series->result;
	double *all = series->makespans, first = series->n ? all[0] : NAN;
	int64_t makespan = explain_makespan_ns(schedule);
	size_t n = series->n++;
	all[n] = (double)makespan;
	struct value nothing = {.type = VALUE_NULL};
	RESULT_ADD(result, value_integer((int64_t)n + 1), value_word(result, run->name),
	           value_integer(makespan),
	           n ? value_integer(time_of_real(round(all[n] - first))) : nothing,
	           value_finite((all[n] - first) / first),
	           n ? value_integer(time_of_real(round(all[n] - all[n - 1]))) : nothing,
	           value_integer(lane_time(schedule)), value_integer((int64_t)schedule->n_items),
	           value_integer((int64_t)schedule->n_lanes), cause);
}

static int
add_pair(void *user, struct explain *pair, const struct explain_deal *deal, struct err *err)
{
	struct run_rows *series = user;
	const struct schedule *a, *b;
	(void)deal;
	if (explain_schedules(pair, &a, &b, err)) {
		return -1;
	}
	if (series->n == 0) {
		add_run(series, pair->a, (struct value){.type = VALUE_NULL});
	}
	add_run(series, pair->b, find_cause(series->result, pair));
	return cancel_requested(pair->cancel) ? err_set(err, ERR_CANCELLED, "cancelled") : 0;
}

/* ---- the trend ---- */

/* Share of all orders of n runs with at most so many pairs out of order, or as few in order. */
static double
chance_of_order(size_t n, size_t n_fewer)
{
	size_t n_pairs = n * (n - 1) / 2;
	double *share = xcalloc(n_pairs + 1, sizeof *share), *next, chance = 0;
	share[0] = 1; /* of orders with so many pairs out of order */
	MEM_NEW(next, n_pairs + 1);
	for (size_t k = 2; k <= n; k++) {
		for (size_t i = 0; i <= n_pairs; i++) { /* the k-th goes before 0 to k - 1 others */
			double before = i ? next[i - 1] : 0;
			next[i] = before + (share[i] - (i >= k ? share[i - k] : 0)) / (double)k;
		}
		double *other = share;
		share = next;
		next = other;
	}
	for (size_t i = 0; i <= n_fewer; i++) {
		chance += 2 * share[i];
	}
	free(share);
	free(next);
	return LEAST(chance, 1);
}

static double
chance_of_trend(const double *values, size_t n)
{
	size_t n_up = 0, n_down = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			n_up += values[j] > values[i];
			n_down += values[j] < values[i];
		}
	}
	if (n <= COUNTED_RUNS) {
		size_t n_ties = n * (n - 1) / 2 - n_up - n_down; /* half of them either way */
		return chance_of_order(n, LEAST(n_up, n_down) + (n_ties + 1) / 2);
	}
	double runs = (double)n, score = fabs((double)n_up - (double)n_down) - 1;
	return erfc(score / sqrt(runs * (runs - 1) * (2 * runs + 5) / 18) / sqrt(2));
}

static double
median_slope(const double *values, size_t n)
{
	double *slopes = xcalloc(n * (n - 1) / 2 + 1, sizeof *slopes);
	size_t n_slopes = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = i + 1; j < n; j++) {
			slopes[n_slopes++] = (values[j] - values[i]) / (double)(j - i);
		}
	}
	quantile_sort(slopes, n_slopes);
	double slope = quantile_sorted(slopes, n_slopes, 0.5);
	free(slopes);
	return slope;
}

static void
note_trend(const struct run_rows *series)
{
	const double *all = series->makespans;
	double chance = chance_of_trend(all, series->n), slope = median_slope(all, series->n);
	double *places = xcalloc(series->n, sizeof *places);
	char time[FORMAT_BYTES], relative[FORMAT_BYTES];
	for (size_t i = 0; i < series->n; i++) {
		places[i] = (double)i;
	}
	double tau = statistics_kendall(places, all, series->n);
	format_duration(time, llround(fabs(slope)));
	format_percent(relative, fabs(slope) / all[0]);
	if (isnan(tau)) {
		result_add_note(series->result, "no trend: all runs take as long");
	} else if (chance > CHANCE_MAX) {
		result_add_note(series->result,
		                "no trend that chance would not give in the order of the runs "
		                "(Kendall's tau %.2g, chance %.2g)",
		                tau, chance);
	} else {
		result_add_note(series->result,
		                "makespans %s along the series, by %s (%s of the first) a run in "
		                "the middle (Kendall's tau %.2g, chance %.2g)",
		                tau > 0 ? "rise" : "fall", time, relative, tau, chance);
	}
	free(places);
}

static void
note_extremes(const struct run_rows *series, const struct explain *explain)
{
	const double *all = series->makespans;
	size_t shortest = 0, longest = 0, step = 1;
	char low[FORMAT_BYTES], high[FORMAT_BYTES], by[FORMAT_BYTES];
	for (size_t i = 1; i < series->n; i++) {
		shortest = all[i] < all[shortest] ? i : shortest;
		longest = all[i] > all[longest] ? i : longest;
		step = fabs(all[i] - all[i - 1]) > fabs(all[step] - all[step - 1]) ? i : step;
	}
	result_add_note(
	    series->result, "shortest: %s, %s; longest: %s, %s; largest step: from %s to %s, %s%s",
	    explain_run_at(explain, shortest)->name, format_duration(low, llround(all[shortest])),
	    explain_run_at(explain, longest)->name, format_duration(high, llround(all[longest])),
	    explain_run_at(explain, step - 1)->name, explain_run_at(explain, step)->name,
	    all[step] > all[step - 1] ? "+" : "",
	    format_duration(by, llround(all[step] - all[step - 1])));
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct run_rows series = {
	    .result = result_new("Runs in the order given", columns, COUNT_OF(columns))};
	(void)arguments;
	MEM_NEW(series.makespans, explain->n_a + explain->n_b);
	int rc = explain_each_pair(explain, add_pair, &series, err);
	if (rc == 0) {
		note_trend(&series);
		note_extremes(&series, explain);
	} else {
		result_free(series.result);
	}
	free(series.makespans);
	return rc == 0 ? series.result : NULL;
}

static const char *
why_not(const struct explain *explain)
{
	return explain->is_series ? NULL
	                          : "a series is three runs or more, given without --a and --b";
}

const struct explain_part explain_series = {
    .name = "series",
    .title = "Runs in the order given",
    .runs = EXPLAIN_RUNS_ALL,
    .about =
	"Three runs or more in the order given, a row each: the makespan, by how much it differs "
	"from the first run's and from that of the run before, and the cause that makes most of "
	"the difference to the first run (part causes, asked of these two). Notes say whether "
	"makespans have a trend (Kendall's tau, whose chance is counted over all orders of the "
	"runs; the slope is the median of those between all pairs, by Theil and Sen) and where "
	"the largest step is. Any other part of a series is asked of the first run and each of "
	"the others.",
    .needs = "spans",
    .why_not = why_not,
    .compute = compute,
};
