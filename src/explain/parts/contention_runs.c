/*
 * What all runs did with the same tasks: each run is matched with the first. And what the model of
 * them says in words, which never say more than its figures.
 */
#include "config.h"
#include "explain/parts/contention.h"

#include <math.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"

#define LEVELS_MIN 3 /* mean concurrencies that tell contention from slower machines */
#define R2_WEAK 0.25
#define R2_NEAR 0.02
#define R2_MIN 0.05
#define F_MIN 2
#define CHANCE_WEAK 0.05
#define EARLY_MIN 0.5 /* of R2, that must be left with early slopes */

struct pool_gathering {
	struct contention_pool *pool;
	uint32_t **item; /* by run: of each unit, or MATCHING_NONE */
	const struct schedule **schedules;
	int64_t *least_ns; /* by unit: over the runs; 0: it takes time in none */
};

/* Which item of a run each unit is. Run 0's items are the units. */
static int
match_run(struct pool_gathering *gathering, struct explain *explain, size_t run, struct err *err)
{
	struct contention_pool *pool = gathering->pool;
	const struct schedule *schedule = gathering->schedules[run];
	const struct matching *matching = NULL;
	struct matching *own = NULL;
	MEM_NEW(gathering->item[run], pool->n_units + 1);
	if (run == explain->n_a) {
		matching = explain_matching(explain, err);
	} else if (run > 0) {
		matching = own = matching_new(pool->first, schedule, explain->cancel, err);
	}
	if (run > 0 && !matching) {
		return -1;
	}
	for (uint32_t u = 0; u < pool->n_units; u++) {
		uint32_t i = matching ? matching->b_of_a[u] : u;
		size_t at = run * pool->n_units + u;
		gathering->item[run][u] = i;
		pool->took_ns[at] = i == MATCHING_NONE
		                        ? -1
		                        : schedule->items[i].end_ns - schedule->items[i].start_ns;
		if (pool->took_ns[at] > 0) {
			gathering->least_ns[u] =
			    gathering->least_ns[u]
				? LEAST(gathering->least_ns[u], pool->took_ns[at])
				: pool->took_ns[at];
		}
	}
	matching_free(own);
	return 0;
}

/* first_ns: by item, or NULL; into: by run and unit. */
static void
take_concurrency(const struct pool_gathering *gathering, size_t run, const int64_t *first_ns,
                 double *const into[DOMAINS])
{
	size_t n_units = gathering->pool->n_units;
	double *at_once[DOMAINS];
	contention_concurrency_first(gathering->schedules[run], first_ns, at_once);
	for (int d = 0; d < DOMAINS; d++) {
		for (size_t u = 0; u < n_units; u++) {
			uint32_t i = gathering->item[run][u];
			into[d][run * n_units + u] = i == MATCHING_NONE ? 1 : at_once[d][i];
		}
		free(at_once[d]);
	}
}

static void
measure_run(const struct pool_gathering *gathering, size_t run)
{
	struct contention_pool *pool = gathering->pool;
	const struct schedule *schedule = gathering->schedules[run];
	int64_t *first_ns = xcalloc(schedule->n_items + 1, sizeof *first_ns);
	for (size_t i = 0; i < schedule->n_items; i++) {
		first_ns[i] = INT64_MAX;
	}
	for (size_t u = 0; u < pool->n_units; u++) {
		if (gathering->item[run][u] != MATCHING_NONE) {
			first_ns[gathering->item[run][u]] = gathering->least_ns[u];
		}
	}
	take_concurrency(gathering, run, NULL, pool->at_once);
	take_concurrency(gathering, run, first_ns, pool->early);
	free(first_ns);
}

static void
count_units(struct contention_pool *pool)
{
	MEM_NEW(pool->is_common, pool->n_units + 1);
	for (size_t u = 0; u < pool->n_units; u++) {
		size_t n = 0, n_timed = 0;
		for (size_t r = 0; r < pool->n_runs; r++) {
			n += pool->took_ns[r * pool->n_units + u] >= 0;
			n_timed += pool->took_ns[r * pool->n_units + u] > 0;
		}
		pool->is_common[u] = n_timed == pool->n_runs;
		pool->n_common += n == pool->n_runs;
		pool->n_zero += n == pool->n_runs && n_timed < n;
	}
}

static size_t
count_slopes(const struct contention_pool *pool, const struct contention_fit *fit)
{
	size_t n = 0;
	for (size_t k = 0; k < pool->first->n_kinds; k++) {
		n += fit->kinds[k].slope > 0;
	}
	return n;
}

/* Lines through noise explain some of it too, the more the fewer durations there are: F. */
static bool
is_shown(const struct contention_pool *pool, const struct contention_fit *fit)
{
	double n_slopes = (double)count_slopes(pool, fit);
	double n_free = (double)fit->all.n * (1 - 1 / (double)pool->n_runs) - n_slopes;
	return n_slopes > 0 && n_free > 0 && fit->all.r2 > R2_MIN &&
	       fit->all.r2 * n_free > F_MIN * n_slopes * (1 - fit->all.r2);
}

/* The domain that foretells most; of two runs, that explains most. A wider one must be better, not
 * equal but for rounding. */
static int
choose_domain(const struct contention_pool *pool)
{
	int best = -1;
	double most = 0;
	for (int d = 0; d < DOMAINS; d++) {
		const struct contention_fit *fit = &pool->fits[d];
		double score = isnan(fit->predicted) ? fit->all.r2 : fit->predicted;
		if (is_shown(pool, fit) && (best < 0 || score > most + 1e-6)) {
			best = d;
			most = score;
		}
	}
	return best;
}

static int
gather(struct pool_gathering *gathering, struct explain *explain, struct err *err)
{
	struct contention_pool *pool = gathering->pool;
	for (size_t r = 0; r < pool->n_runs; r++) {
		gathering->schedules[r] =
		    explain_schedule(explain, explain_run_at(explain, r), err);
		if (!gathering->schedules[r]) {
			return -1;
		}
	}
	pool->first = gathering->schedules[0];
	pool->n_units = pool->first->n_items;
	MEM_NEW(gathering->least_ns, pool->n_units + 1);
	size_t n = pool->n_runs * pool->n_units + 1;
	MEM_NEW(pool->took_ns, n);
	for (int d = 0; d < DOMAINS; d++) {
		MEM_NEW(pool->at_once[d], n);
		MEM_NEW(pool->early[d], n);
	}
	for (size_t r = 0; r < pool->n_runs; r++) {
		if (match_run(gathering, explain, r, err)) {
			return -1;
		}
	}
	for (size_t r = 0; r < pool->n_runs; r++) {
		measure_run(gathering, r);
	}
	count_units(pool);
	for (int d = 0; d < DOMAINS; d++) {
		contention_fit_domain(pool, (enum contention_domain)d);
	}
	pool->best = choose_domain(pool);
	return 0;
}

struct contention_pool *
contention_pool_new(struct explain *explain, struct err *err)
{
	struct pool_gathering gathering = {0};
	struct contention_pool *pool;
	MEM_NEW(pool, 1);
	gathering.pool = pool;
	pool->n_runs = explain->n_a + explain->n_b;
	MEM_NEW(gathering.item, pool->n_runs);
	MEM_NEW(gathering.schedules, pool->n_runs);
	if (gather(&gathering, explain, err)) {
		contention_pool_free(pool);
		pool = NULL;
	}
	for (size_t r = 0; r < explain->n_a + explain->n_b; r++) {
		free(gathering.item[r]);
	}
	free(gathering.item);
	free(gathering.schedules);
	free(gathering.least_ns);
	return pool;
}

void
contention_pool_free(struct contention_pool *pool)
{
	if (pool) {
		for (int d = 0; d < DOMAINS; d++) {
			free(pool->at_once[d]);
			free(pool->early[d]);
			free(pool->fits[d].kinds);
			free(pool->fits[d].at_once);
		}
		free(pool->took_ns);
		free(pool->is_common);
		free(pool);
	}
}

static bool
is_causal(const struct contention_fit *fit)
{
	return fit->early_r2 >= EARLY_MIN * fit->all.r2;
}

/* Three numbers at once are told from slower machines; fewer, or as many that foretell nothing, are
 * not. */
static bool
is_told(const struct contention_pool *pool)
{
	const struct contention_fit *fit = &pool->fits[MOST(pool->best, 0)];
	return pool->best >= 0 && fit->n_levels >= LEVELS_MIN && fit->predicted > 0 &&
	       is_causal(fit);
}

/* Why nothing goes along with concurrency. */
static const char *
word_none(const struct contention_pool *pool, struct arena *arena)
{
	bool varies = false;
	size_t n_slopes = 0;
	for (int d = 0; d < DOMAINS; d++) {
		varies = varies || pool->fits[d].all.spread >= CONTENTION_SPREAD_MIN;
		n_slopes += count_slopes(pool, &pool->fits[d]);
	}
	return pool->n_common == pool->n_zero
	           ? arena_printf(arena,
	                          "no task takes time in all %zu runs: contention can't be told",
	                          pool->n_runs)
	       : !varies ? "how many tasks run at once hardly differs between the runs: contention "
	                   "can't be "
	                   "told"
	       : n_slopes == 0 ? "tasks do not take longer where more of them run at once: no "
	                         "contention is to be seen"
	                       : "tasks follow how many run at once no more than chance may have "
	                         "it: contention "
	                         "can't be told";
}

static const char *
word_doubt(const struct contention_pool *pool, const struct contention_fit *fit,
           struct arena *arena)
{
	return pool->n_runs == 2
	           ? "that cannot be told from a slower machine: give a third run, with another "
	             "number at once"
	       : !is_causal(fit) ? "not where the concurrency of their beginnings is taken: long "
	                           "tasks that are alone "
	                           "at last, or the like, may be what is seen"
	       : fit->n_levels < LEVELS_MIN
	           ? "that cannot be told from slower machines, as the runs differ in but one "
	             "step: "
	             "give a run with another number at once"
	           : arena_printf(arena,
	                          "slopes of the other runs do not foretell a run (R2 %.2f): "
	                          "contention is not shown",
	                          fit->predicted);
}

/* Where as many more run at once in a wider domain, the runs do not tell which it is. */
static const char *
word_where(const struct contention_pool *pool)
{
	bool or_all = pool->best == DOMAIN_HOST &&
	              pool->fits[DOMAIN_HOST].all.r2 - pool->fits[DOMAIN_ALL].all.r2 < R2_NEAR;
	return pool->best == DOMAIN_LANE   ? "in its lane"
	       : or_all                    ? "on its host, or anywhere,"
	       : pool->best == DOMAIN_HOST ? "on its host"
	                                   : "in the whole run";
}

const char *
contention_sentence(const struct contention_pool *pool, struct result *result)
{
	if (pool->best < 0) {
		return word_none(pool, result->arena);
	}
	const struct contention_fit *fit = &pool->fits[pool->best];
	const char *along =
	    arena_printf(result->arena,
	                 "in %zu runs a task takes longer the more run at once %s (%.3g to %.3g on "
	                 "average; R2 %.2f)",
	                 pool->n_runs, word_where(pool), fit->least, fit->most, fit->all.r2);
	if (!is_told(pool)) {
		return arena_printf(result->arena, "weak: %s, but %s", along,
		                    word_doubt(pool, fit, result->arena));
	}
	char share[FORMAT_BYTES];
	bool is_weak = fit->predicted < R2_WEAK || fit->chance > CHANCE_WEAK;
	const char *chance = isnan(fit->chance)
	                         ? ""
	                         : arena_printf(result->arena,
	                                        "; dealt among the runs in any order their "
	                                        "concurrencies fit as well in %s of the cases",
	                                        format_percent(share, fit->chance));
	return arena_printf(result->arena,
	                    "%s%s; slopes of the other runs foretell a run with R2 %.2f%s",
	                    is_weak ? "weak: " : "", along, fit->predicted, chance);
}
