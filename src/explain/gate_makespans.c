/*
 * Makespans of the gate. Of one run a side the noise between runs can't be known, but some of it
 * can: matched items of one kind differ from what their kind does, some up, some down, and the lane
 * that ends last sums what its items do. That, and somewhat more, is taken for what two runs of the
 * same differ by, as far as items vary independently of each other. Medians tell it, so that a
 * straggler, or a lane that is slow, is no noise; and noise is never taken to make more than a
 * fifth of a makespan.
 */
#include "config.h"
#include "explain/gate_figures.h"

#include <math.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/quantile.h"

#define ONE_IN_100 2.326  /* standard deviations, to one side */
#define OF_MEDIAN 1.4826  /* standard deviations: the median of distances from the median */
#define KIND_LEAST 4      /* items that tell of a kind's noise */
#define NOISE_MORE 1.6    /* times what items sum to: schedulers choose, too */
#define NOISE_LEAST 0.004 /* of a makespan, where items vary at all */
#define NOISE_MOST 0.2    /* of a makespan */

struct kind_ratio {
	uint32_t kind;
	double ratio; /* log of b / a of a matched item */
};

static int
compare_kinds(const void *left, const void *right)
{
	const struct kind_ratio *a = left, *b = right;
	ORDER_BY(a->kind, b->kind);
	return ORDER(a->ratio, b->ratio);
}

static double
length_of(const struct schedule_item *item)
{
	return (double)item->end_ns - (double)item->start_ns;
}

/* Of matched items, by kind of B and size. To be freed. */
static struct kind_ratio *
list_ratios(const struct schedule *a, const struct schedule *b, const struct matching *matching,
            size_t *n)
{
	struct kind_ratio *ratios = xcalloc(b->n_items + 1, sizeof *ratios);
	*n = 0;
	for (size_t j = 0; j < b->n_items; j++) {
		uint32_t i = matching->a_of_b[j];
		double before = i == MATCHING_NONE ? 0 : length_of(&a->items[i]);
		double after = length_of(&b->items[j]);
		if (before > 0 && after > 0) {
			ratios[(*n)++] = (struct kind_ratio){b->items[j].kind, log(after / before)};
		}
	}
	SORT(ratios, *n, compare_kinds);
	return ratios;
}

/* Standard deviation of the sorted ratios of one kind. */
static double
spread_of(const struct kind_ratio *ratios, size_t n)
{
	double *away = xcalloc(n, sizeof *away);
	double median = (ratios[(n - 1) / 2].ratio + ratios[n / 2].ratio) / 2;
	for (size_t i = 0; i < n; i++) {
		away[i] = fabs(ratios[i].ratio - median);
	}
	quantile_sort(away, n);
	double spread = OF_MEDIAN * quantile_sorted(away, n, 0.5);
	free(away);
	return spread;
}

/* By kind of B; 0: not known. To be freed. */
static double *
measure_spreads(const struct schedule *a, const struct schedule *b, const struct matching *matching)
{
	double *spreads = xcalloc(b->n_kinds + 1, sizeof *spreads);
	size_t n;
	struct kind_ratio *ratios = list_ratios(a, b, matching, &n);
	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && ratios[end].kind == ratios[first].kind;) {
			end++;
		}
		if (end - first >= KIND_LEAST) {
			spreads[ratios[first].kind] = spread_of(ratios + first, end - first);
		}
	}
	free(ratios);
	return spreads;
}

/* Standard deviation of the difference of the makespans, in ns. */
static double
noise_of_items(const struct schedule *a, const struct schedule *b, const struct matching *matching)
{
	double *spreads = measure_spreads(a, b, matching), variance = 0;
	uint32_t last = 0;
	int64_t end_ns = INT64_MIN;
	for (size_t j = 0; j < b->n_items; j++) {
		if (b->items[j].end_ns > end_ns) {
			end_ns = b->items[j].end_ns;
			last = b->items[j].lane;
		}
	}
	for (size_t j = 0; j < b->n_items; j++) {
		if (b->items[j].lane == last) {
			double around = length_of(&b->items[j]) * spreads[b->items[j].kind];
			variance += around * around;
		}
	}
	free(spreads);
	return sqrt(variance);
}

/* Where items can't be matched, nothing is known of their noise. */
static int
measure_error(struct gate_figure *figure, struct explain *explain, struct err *err)
{
	struct err why = ERR_INIT;
	const struct matching *matching = explain_matching(explain, &why);
	if (matching) {
		double makespan = figure->values[0][0];
		double of_items =
		    noise_of_items(explain->a[0].schedule, explain->b[0].schedule, matching);
		double noise =
		    of_items > 0 ? hypot(NOISE_MORE * of_items, NOISE_LEAST * makespan) : 0;
		figure->error = fmin(ONE_IN_100 * noise, NOISE_MOST * makespan);
	} else if (explain_is_failure(&why)) {
		*err = why;
		return -1;
	}
	return 0;
}

int
gate_add_makespans(struct gate *gate, struct explain *explain, struct err *err)
{
	struct gate_figure *figure = gate_figure_add(gate, "makespan", KIND_DURATION, false);
	for (size_t i = 0; i < gate->n_a + gate->n_b; i++) {
		unsigned side = i >= gate->n_a;
		const struct schedule *schedule =
		    explain_schedule(explain, explain_run_at(explain, i), err);
		if (!schedule) {
			return -1;
		}
		gate_figure_take(gate, figure, i, (double)explain_makespan_ns(schedule));
		figure->bound[side] =
		    *figure->bound[side] ? figure->bound[side] : explain_bound(schedule);
	}
	return gate_is_pair(gate) ? measure_error(figure, explain, err) : 0;
}
