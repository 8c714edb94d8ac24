/*
 * Contention, from all runs at once.
 *
 * Within one run concurrency hardly varies, and two runs can't tell it from a slower machine. So
 * durations of the same task in all runs are held against each other: the task's own effect is its
 * mean over the runs, what is left is a line in the log of its concurrency through the origin, with
 * a slope for each kind. Runs have no effects of their own, since these would explain anything.
 *
 * What is fitted is also put to three tests. A run is left out, and foretold by the slopes of the
 * others: the domains (lane, host, everywhere) are compared by that where there are runs enough,
 * not by how well lines fit what they were drawn through. The runs' concurrencies are dealt anew
 * among the runs: as runs may differ in speed for any reason, it is runs that chance deals, not
 * tasks. And the slopes are fitted again by concurrency that a task's own length can't have changed
 * (as an instrumental variable: cov(early, duration) / cov(early, concurrency)): a task at the tail
 * is alone at last because it is long.
 */
#include "config.h"
#include "explain/parts/contention.h"

#include <math.h>
#include <stdlib.h>

#include "explain/model/statistics.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"
#include "util/quantile.h"

#define LEVEL_RATIO 1.15 /* of mean concurrencies that clearly differ */
#define LINE_MIN 2       /* durations for a line; is_shown asks for more */
#define CHANCE_RUNS 24   /* for more, orders of runs are not counted */
#define ORDERS 4999      /* drawn for more */

struct line_sums { /* of deviations from the tasks' means */
	double xx, xy, yy, zx, zy;
	size_t n;
};

struct fitting {
	const struct contention_pool *pool;
	const double *at_once, *early;
	size_t n_kinds;
	struct line_sums *kinds, *without; /* by kind; by run and kind: of the other runs */
	/* By kind, run of the concurrency, run of the duration: products of deviations. NULL: too
	 * many runs. */
	double *crossed;
};

static void
add_square(struct line_sums *sums, double x, double y, double z, double weight)
{
	sums->xx += weight * x * x;
	sums->xy += weight * x * y;
	sums->yy += weight * y * y;
	sums->zx += weight * z * x;
	sums->zy += weight * z * y;
}

static bool
varies(const struct line_sums *sums)
{
	return sums->n >= LINE_MIN && sqrt(sums->xx / (double)sums->n) >= CONTENTION_SPREAD_MIN;
}

static double
slope_of(const struct line_sums *sums)
{
	return varies(sums) ? fmax(0, sums->xy / sums->xx) : 0;
}

static double
early_slope_of(const struct line_sums *sums)
{
	return slope_of(sums) > 0 && sums->zx > 0 ? fmax(0, sums->zy / sums->zx) : 0;
}

static double
squares_left(const struct line_sums *sums, double slope)
{
	return sums->yy - 2 * slope * sums->xy + slope * slope * sums->xx;
}

struct from_means { /* of one task, from its means */
	size_t n, *runs;
	double *x, *y, *z;
};

/* A task's mean without one of its n runs is n / (n - 1) of that run's deviation away, and its
 * squares are less by that times the deviation's square. */
static void
add_unit(struct fitting *fitting, size_t kind, const struct from_means *unit)
{
	size_t n = unit->n, n_runs = fitting->pool->n_runs;
	double weight = (double)n / (double)(n - 1);
	for (size_t i = 0; i < n; i++) {
		struct line_sums *without =
		    &fitting->without[unit->runs[i] * fitting->n_kinds + kind];
		add_square(&fitting->kinds[kind], unit->x[i], unit->y[i], unit->z[i], 1);
		add_square(without, unit->x[i], unit->y[i], unit->z[i], -weight);
		without->n += n > 2 ? 1 : n; /* a task of two runs says nothing without one */
	}
	fitting->kinds[kind].n += n;
	for (size_t i = 0; i < n && n == n_runs && fitting->crossed; i++) {
		for (size_t j = 0; j < n; j++) {
			fitting->crossed[(kind * n_runs + i) * n_runs + j] +=
			    unit->x[i] * unit->y[j];
		}
	}
}

static void
add_units(struct fitting *fitting)
{
	const struct contention_pool *pool = fitting->pool;
	double *values = xcalloc(pool->n_runs, 3 * sizeof *values);
	struct from_means unit = {.runs = xcalloc(pool->n_runs, sizeof *unit.runs),
	                          .x = values,
	                          .y = values + pool->n_runs,
	                          .z = values + 2 * pool->n_runs};
	for (size_t u = 0; u < pool->n_units; u++) {
		double x = 0, y = 0, z = 0;
		unit.n = 0;
		for (size_t r = 0; r < pool->n_runs; r++) {
			size_t at = r * pool->n_units + u;
			if (pool->took_ns[at] > 0) {
				x += unit.x[unit.n] = log(fitting->at_once[at]);
				y += unit.y[unit.n] = log((double)pool->took_ns[at]);
				z += unit.z[unit.n] = log(fitting->early[at]);
				unit.runs[unit.n++] = r;
			}
		}
		for (size_t i = 0; i < unit.n; i++) {
			unit.x[i] -= x / (double)unit.n;
			unit.y[i] -= y / (double)unit.n;
			unit.z[i] -= z / (double)unit.n;
		}
		if (unit.n > 1) {
			add_unit(fitting, pool->first->items[u].kind, &unit);
		}
	}
	free(unit.runs);
	free(values);
}

/* R2 of each run, by the slopes of the others. */
static double
foretell(struct fitting *fitting)
{
	double wrong = 0, all = 0;
	for (size_t r = 0; r < fitting->pool->n_runs; r++) {
		for (size_t k = 0; k < fitting->n_kinds; k++) {
			struct line_sums *without = &fitting->without[r * fitting->n_kinds + k];
			const struct line_sums *kind = &fitting->kinds[k];
			struct line_sums own = {
			    .xx = -without->xx, .xy = -without->xy, .yy = -without->yy};
			struct line_sums others = {.n = kind->n - LEAST(without->n, kind->n),
			                           .xx = fmax(0, kind->xx - own.xx),
			                           .xy = kind->xy - own.xy};
			wrong += squares_left(&own, slope_of(&others));
			all += own.yy;
		}
	}
	return fitting->pool->n_runs > 2 && all > 0 ? 1 - wrong / all : NAN;
}

/* What slopes explain where run i has the concurrency of run order[i]. */
static double
gain_of(const struct fitting *fitting, const size_t *order)
{
	size_t n = fitting->pool->n_runs;
	double gain = 0;
	for (size_t k = 0; k < fitting->n_kinds; k++) {
		double xy = 0;
		for (size_t i = 0; i < n && varies(&fitting->kinds[k]); i++) {
			xy += fitting->crossed[(k * n + order[i]) * n + i];
		}
		gain += xy > 0 ? xy * xy / fitting->kinds[k].xx : 0;
	}
	return gain;
}

static void
draw_order(size_t *order, size_t n, struct prng *prng)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)prng_below(prng, i), kept = order[j];
		order[j] = order[i - 1];
		order[i - 1] = kept;
	}
}

/* How often runs in another order fit as well: in all orders of a few, else in some drawn. */
static double
count_orders(const struct fitting *fitting)
{
	size_t order[CHANCE_RUNS], n = fitting->pool->n_runs, n_orders = 0, n_as_good = 0;
	struct prng prng = {1};
	for (size_t i = 0; i < n; i++) {
		order[i] = i;
	}
	double least = gain_of(fitting, order) * (1 - 1e-9);
	bool more = least > 0;
	while (more) {
		n_orders++;
		n_as_good += gain_of(fitting, order) >= least;
		if (n <= STATISTICS_ORDERS_MAX) {
			more = statistics_next_order(order, n);
		} else {
			draw_order(order, n, &prng);
			more = n_orders <= ORDERS;
		}
	}
	return n_orders ? (double)n_as_good / (double)n_orders : NAN;
}

static struct contention_line
draw_line(const struct line_sums *sums)
{
	struct contention_line line = {
	    .n = sums->n, .slope = slope_of(sums), .early_slope = early_slope_of(sums), .r2 = NAN};
	line.spread = sums->n ? sqrt(sums->xx / (double)sums->n) : 0;
	if (sums->yy > 0) {
		line.r2 = 1 - squares_left(sums, line.slope) / sums->yy;
	}
	return line;
}

/* Shares of all squares that the lines of the kinds explain. */
static void
add_lines(const struct fitting *fitting, struct contention_fit *fit)
{
	struct line_sums all = {0};
	double left = 0, early_left = 0;
	for (size_t k = 0; k < fitting->n_kinds; k++) {
		const struct line_sums *sums = &fitting->kinds[k];
		struct contention_line *line = &fit->kinds[k];
		*line = draw_line(sums);
		left += squares_left(sums, line->slope);
		early_left += squares_left(sums, line->early_slope);
		all.xx += sums->xx;
		all.xy += sums->xy;
		all.yy += sums->yy;
		all.zx += sums->zx;
		all.zy += sums->zy;
		all.n += sums->n;
	}
	fit->all = draw_line(&all);
	fit->all.r2 = all.yy > 0 ? 1 - left / all.yy : NAN;
	fit->early_r2 = all.yy > 0 ? 1 - early_left / all.yy : NAN;
}

/* Means weighted by time, over the tasks that all runs have. */
static void
count_levels(const struct contention_pool *pool, const double *at_once, struct contention_fit *fit)
{
	double *sorted = xcalloc(pool->n_runs + 1, sizeof *sorted), level = 0;
	MEM_NEW(fit->at_once, pool->n_runs + 1);
	for (size_t r = 0; r < pool->n_runs; r++) {
		double ran = 0, took = 0;
		for (size_t u = 0; u < pool->n_units; u++) {
			if (pool->is_common[u]) {
				size_t at = r * pool->n_units + u;
				ran += at_once[at] * (double)pool->took_ns[at];
				took += (double)pool->took_ns[at];
			}
		}
		sorted[r] = fit->at_once[r] = took > 0 ? ran / took : 1;
	}
	quantile_sort(sorted, pool->n_runs);
	fit->least = sorted[0];
	fit->most = sorted[pool->n_runs - 1];
	fit->n_levels = 0;
	for (size_t r = 0; r < pool->n_runs; r++) {
		if (sorted[r] >= level * LEVEL_RATIO) {
			level = sorted[r];
			fit->n_levels++;
		}
	}
	free(sorted);
}

void
contention_fit_domain(struct contention_pool *pool, enum contention_domain domain)
{
	size_t n_kinds = pool->first->n_kinds, n_runs = pool->n_runs;
	struct contention_fit *fit = &pool->fits[domain];
	struct fitting fitting = {.pool = pool,
	                          .at_once = pool->at_once[domain],
	                          .early = pool->early[domain],
	                          .n_kinds = n_kinds,
	                          .kinds = xcalloc(n_kinds + 1, sizeof *fitting.kinds),
	                          .without =
	                              xcalloc(n_kinds * n_runs + 1, sizeof *fitting.without)};
	if (n_runs <= CHANCE_RUNS) {
		fitting.crossed = xcalloc(n_kinds * n_runs * n_runs + 1, sizeof *fitting.crossed);
	}
	add_units(&fitting);
	fit->kinds = xcalloc(n_kinds + 1, sizeof *fit->kinds);
	add_lines(&fitting, fit);
	fit->predicted = foretell(&fitting);
	fit->chance = fitting.crossed ? count_orders(&fitting) : NAN;
	count_levels(pool, fitting.at_once, fit);
	free(fitting.kinds);
	free(fitting.without);
	free(fitting.crossed);
}
