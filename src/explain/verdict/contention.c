/*
 * Tasks that slow down with how many run at once on their host.
 *
 * The log ratio of a matched item's time is its kind's slope times the log ratio of how many ran at
 * once, on average, while it did. Slopes are never below 0: that more at once makes a task faster
 * is no contention. Where concurrency rose alike for all items, two runs can't tell contention from
 * a slower machine; it is named first all the same, as its cause is there to see, with a word.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "explain/parts/contention.h"
#include "explain/verdict/cause.h"
#include "util/mem.h"
#include "util/order.h"

#define CHANGE_MIN 0.15 /* of the log of concurrency, mean of its size: less tells nothing */
#define KIND_MIN 3      /* items of a kind with a slope of its own */
#define SLOPE_MAX 3
#define SLOPE_COST 3 /* of a slope: much less than of a portion, as concurrency did change */

double *
contention_ratios(const struct comparison *comparison)
{
	double *at_once[2][DOMAINS];
	const struct schedule *b = comparison->run[1];
	double *ratios = xcalloc(b->n_items + 1, sizeof *ratios);
	contention_concurrency(comparison->run[0], at_once[0]);
	contention_concurrency(b, at_once[1]);
	for (size_t j = 0; j < b->n_items; j++) {
		uint32_t i = comparison->matching->a_of_b[j];
		if (i != MATCHING_NONE) {
			ratios[j] = log(at_once[1][DOMAIN_HOST][j] / at_once[0][DOMAIN_HOST][i]);
		}
	}
	for (unsigned r = 0; r < 2; r++) {
		for (int d = 0; d < DOMAINS; d++) {
			free(at_once[r][d]);
		}
	}
	return ratios;
}

struct kind_line {
	double xy, xx;
	size_t n;
};

double
contention_take_off(const struct comparison *comparison, struct portion_item *items, size_t n,
                    double *slopes)
{
	uint32_t n_kinds = intern_count(comparison->kinds);
	struct kind_line *lines = xcalloc((size_t)n_kinds + 1, sizeof *lines), all = {0, 0, 0};
	double change = 0, cost = 0;
	for (size_t i = 0; i < n; i++) {
		double x = items[i].at_once, y = items[i].ratio;
		struct kind_line *line = &lines[items[i].code[PORTION_KIND]];
		line->xy += x * y;
		line->xx += x * x;
		line->n++;
		all.xy += x * y;
		all.xx += x * x;
		change += fabs(x);
	}
	double pooled = all.xx > 0 ? all.xy / all.xx : 0;
	for (uint32_t k = 0; k < n_kinds; k++) {
		bool has_own = lines[k].n >= KIND_MIN && lines[k].xx > 0;
		double slope = has_own ? lines[k].xy / lines[k].xx : pooled;
		slopes[k] = slope < 0 ? 0 : LEAST(slope, SLOPE_MAX);
		cost += has_own && slopes[k] > 0 ? SLOPE_COST : 0;
	}
	for (size_t i = 0; i < n; i++) {
		items[i].ratio -= slopes[items[i].code[PORTION_KIND]] * items[i].at_once;
	}
	free(lines);
	return n && pooled > 0 && change / (double)n >= CHANGE_MIN ? cost : INFINITY;
}
