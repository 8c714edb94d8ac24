/* Statistics over seeds. */
#include "config.h"
#include "simulate/sweep_stats.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/quantile.h"
#include "util/student.h"

const char *const sweep_stat_names[SWEEP_STATS] = {
    [SWEEP_MEAN] = "mean", [SWEEP_STD] = "std", [SWEEP_LOW] = "low", [SWEEP_HIGH] = "high",
    [SWEEP_MIN] = "min",   [SWEEP_P5] = "p5",   [SWEEP_P25] = "p25", [SWEEP_P50] = "p50",
    [SWEEP_P75] = "p75",   [SWEEP_P95] = "p95", [SWEEP_MAX] = "max"};

static int
add_stat(struct slice item, enum sweep_stat stats[SWEEP_STATS], size_t *n, struct err *err)
{
	size_t stat = 0, known = 0;

	item = slice_trim(item, " ");
	while (stat < SWEEP_STATS && !slice_is(item, sweep_stat_names[stat])) {
		stat++;
	}
	if (stat == SWEEP_STATS) {
		return err_set(err, ERR_USAGE,
		               "--stat %.*s: not mean, std, low, high, min, p5, p25, p50, p75, p95 "
		               "or max",
		               (int)item.len, item.ptr);
	}
	while (known < *n && stats[known] != stat) {
		known++;
	}
	if (known == *n) {
		stats[(*n)++] = (enum sweep_stat)stat;
	}
	return 0;
}

int
sweep_stats_read(struct slice list, enum sweep_stat stats[SWEEP_STATS], size_t *n, struct err *err)
{
	*n = 0;
	for (struct slice rest = list, item; preemption_next_item(&rest, &item);) {
		if (add_stat(item, stats, n, err)) {
			return -1;
		}
	}
	return 0;
}

void
sweep_stats_at(const struct preemption_sweep *sweep, size_t point,
               const struct preemption_field *field, double values[SWEEP_STATS])
{
	static const double shares[SWEEP_STATS] = {
	    [SWEEP_P5] = 0.05,  [SWEEP_P25] = 0.25, [SWEEP_P50] = 0.5,
	    [SWEEP_P75] = 0.75, [SWEEP_P95] = 0.95, [SWEEP_MAX] = 1};
	struct preemption_moments moments = preemption_sweep_moments(sweep, point, field);
	size_t n = sweep->n_seeds;
	double *sorted = xcalloc(n, sizeof *sorted), degrees = (double)n - 1;
	double half =
	    n > 1 ? student_quantile(0.05, degrees) * moments.deviation / sqrt((double)n) : NAN;

	for (size_t i = 0; i < n; i++) {
		sorted[i] = preemption_field_real(field, &sweep->results[point * n + i]);
	}
	quantile_sort(sorted, n);
	for (size_t stat = SWEEP_MIN; stat < SWEEP_STATS; stat++) {
		values[stat] = quantile_sorted(sorted, n, shares[stat]);
	}
	values[SWEEP_MEAN] = moments.mean;
	values[SWEEP_STD] = moments.deviation;
	values[SWEEP_LOW] = moments.mean - half;
	values[SWEEP_HIGH] = moments.mean + half;
	free(sorted);
}
