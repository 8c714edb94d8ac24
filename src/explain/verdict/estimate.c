/*
 * What a cause makes of the makespan: the run that has it is run again without it.
 *
 * Reruns react, as schedulers do, where that model meets the makespan that was observed, else they
 * keep placement and order. List schedules jump where a duration changes a little (Graham 1969), so
 * every rerun is made many times with durations that vary by as much as the matched items are seen
 * to, with and without the cause by the same factors; the middle of the differences is the
 * estimate, and its range holds nine of ten, widened by that of the effect itself.
 *
 * Jumps have long tails, which noise of items does not show. So a range is never narrower than what
 * estimates were found to err by on runs whose causes are known; and where one cause was found, for
 * which the observed difference speaks alone, a range of a large effect is no wider than that.
 */
#include "config.h"
#include "explain/verdict/cause.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/quantile.h"
#include "util/workers.h"

#define RERUNS 24
#define RERUN_ITEMS 1000000 /* in all reruns of a cause */
#define RERUNS_MIN 3
#define SECOND_UNITS 20000  /* of fewer, reruns take no time that threads would save */
#define SPREAD_MIN 0.02     /* of an effect: one that is surer is taken as it is */
#define NINE_OF_TEN 1.645   /* standard deviations to either side */
#define SIZE_ERROR 0.3      /* of a model's answer */
#define SCHEDULE_ERROR 0.04 /* of the makespan */
#define FREE_ERROR 0.2
#define NOISE_MIN 0.004   /* of the makespan, however steady the items are */
#define NOISE_MORE 1.6    /* times what reruns differ by: schedulers choose, too */
#define ERROR_LEAST 0.2   /* of an estimate: ranges of large ones reach at least so far ... */
#define ERROR_MOST 0.24   /* ... and of the only cause at most */
#define LARGE 0.05        /* of the makespan */
#define ERROR_SMALL 0.015 /* of the makespan: ranges of others reach at least so far */
#define MODEL_ERROR 0.06  /* of the makespan: a model that misses by more is not used */

/* Names and clocks are no work: they take no time, and need no model to say so. */
static bool
has_estimate(const struct cause *cause)
{
	return cause->type != CAUSE_CLOCK && cause->type != CAUSE_RENAMED;
}

struct estimator {
	const struct comparison *comparison;
	struct causes *causes;
	bool reacts[2];
	double jitter;
	size_t n_reruns;
	int64_t *duration_ns, *dispatch_ns; /* by unit */
	double *base[2];                    /* by run: makespans as it was, by seed; or NULL */
	struct rerun *second; /* of B, for another thread; NULL where that is not worth it */
};

struct series { /* reruns of a run with one change, by seed */
	const struct estimator *estimator;
	unsigned r;
	struct rerun_change change;
	double *makespans;
};

static int
rerun_seed(void *user, size_t seed, unsigned thread, struct err *err)
{
	const struct series *series = user;
	const struct estimator *estimator = series->estimator;
	struct rerun_change change = series->change;
	(void)err;
	change.jitter = seed == 0 ? 0 : estimator->jitter;
	change.seed = seed;
	if (change.n_slots == 0) {
		change.reacts = change.reacts || estimator->reacts[series->r];
	}
	struct rerun *model =
	    thread == 0 ? estimator->comparison->rerun[series->r] : estimator->second;
	series->makespans[seed] = (double)rerun_makespan_ns(model, &change);
	return 0;
}

static void
rerun_seeds(const struct estimator *estimator, unsigned r, const struct rerun_change *change,
            double *makespans)
{
	struct series series = {estimator, r, *change, makespans};
	struct err never = ERR_INIT;
	workers_run(r == 1 && estimator->second ? 2 : 1, estimator->n_reruns, rerun_seed, &series,
	            NULL, &never);
}

static bool
does_react(const struct comparison *comparison, unsigned r)
{
	double placed = comparison->placed_ns[r];
	return fabs(comparison->reacting_ns[r] - placed) < MODEL_ERROR * placed;
}

static int64_t
whole(double ns)
{
	return time_of_real(round(ns));
}

static void
set_range(struct amount *amount, double *differences, size_t n)
{
	quantile_sort(differences, n);
	*amount = (struct amount){true, whole(quantile_sorted(differences, n, 0.5)),
	                          whole(quantile_sorted(differences, n, 0.05)),
	                          whole(quantile_sorted(differences, n, 0.95))};
}

/* Once. */
static void
rerun_base(struct estimator *estimator, unsigned r)
{
	if (estimator->base[r]) {
		return;
	}
	MEM_NEW(estimator->base[r], estimator->n_reruns);
	rerun_seeds(estimator, r, &(struct rerun_change){RERUN_AS_WAS}, estimator->base[r]);
}

/* Takes what a portion added off the times of B's items; by: times the effect. */
static void
remove_portion(struct estimator *estimator, const struct cause *cause, double by)
{
	const struct comparison *comparison = estimator->comparison;
	static const enum comparison_stage stages[] = {
	    [CAUSE_PLAN] = STAGE_PLAN,
	    [CAUSE_COMMUNICATION] = STAGE_COMMUNICATE,
	    [CAUSE_BEGIN] = STAGE_BEGIN,
	};
	const struct schedule *b = comparison->run[1];
	for (size_t j = 0; j < b->n_items; j++) {
		uint32_t head = schedule_head(b, j);
		const struct schedule_item *item = &b->items[head];
		struct portion_item here = {.at_ns = item->start_ns,
		                            .code = {comparison->kind_code[1][item->kind],
		                                     comparison->lane_code[1][item->lane],
		                                     comparison->host_code[1][item->lane]}};
		bool is_in = cause->portion.item != PORTION_ANY
		                 ? cause->portion.item == head
		                 : portion_holds(&cause->portion, &here, 0);
		uint32_t unit = rerun_unit_of(comparison->rerun[1], (uint32_t)j);
		if (!is_in || comparison->matching->a_of_b[head] == MATCHING_NONE) {
			continue;
		}
		double left = exp(-cause->portion.effect * by);
		if (cause->type == CAUSE_DURATION) {
			estimator->duration_ns[unit] =
			    whole((double)estimator->duration_ns[unit] * left);
		} else {
			int64_t ns = comparison->stage_ns[1][stages[cause->type]][j];
			estimator->dispatch_ns[unit] -=
			    ns == STAGE_UNKNOWN ? 0 : whole((double)ns * (1 - left));
		}
	}
}

/* Items of the work that a run alone has take no time; where only some are more, a part of
 * theirs. */
static void
remove_work(struct estimator *estimator, const struct cause *cause, unsigned r)
{
	const struct comparison *comparison = estimator->comparison;
	const struct schedule *schedule = comparison->run[r];
	const uint32_t *match = r ? comparison->matching->a_of_b : comparison->matching->b_of_a;
	for (size_t i = 0; i < schedule->n_items; i++) {
		uint32_t unit = rerun_unit_of(comparison->rerun[r], (uint32_t)i);
		if (!matching_has(match, schedule, i) &&
		    comparison->kind_code[r][schedule->items[i].kind] == cause->kind) {
			double left = 1 - cause->share;
			estimator->duration_ns[unit] =
			    whole((double)estimator->duration_ns[unit] * left);
			/* What passed before a span is no part of it. */
			estimator->dispatch_ns[unit] =
			    schedule->is_tasks ? whole((double)estimator->dispatch_ns[unit] * left)
					       : estimator->dispatch_ns[unit];
		}
	}
}

/* As if no more had run at once than in A. */
static void
remove_contention(struct estimator *estimator, const struct cause *cause)
{
	const struct comparison *comparison = estimator->comparison;
	const struct schedule *b = comparison->run[1];
	double *at_once = contention_ratios(comparison);
	for (size_t j = 0; j < b->n_items; j++) {
		uint32_t unit = rerun_unit_of(comparison->rerun[1], (uint32_t)j);
		double slope = cause->slopes[comparison->kind_code[1][b->items[j].kind]];
		estimator->duration_ns[unit] =
		    whole((double)estimator->duration_ns[unit] * exp(-slope * at_once[j]));
	}
	free(at_once);
}

/* As if the other kind did not slow it. */
static void
remove_interference(struct estimator *estimator, const struct cause *cause)
{
	const struct comparison *comparison = estimator->comparison;
	const struct schedule *b = comparison->run[1];
	for (size_t j = 0; j < b->n_items; j++) {
		uint32_t unit = rerun_unit_of(comparison->rerun[1], (uint32_t)j);
		if (comparison->kind_code[1][b->items[j].kind] == cause->kind) {
			double left = 1 - cause->overlaps[j] * cause->slowed;
			estimator->duration_ns[unit] =
			    whole((double)estimator->duration_ns[unit] * left);
		}
	}
}

/* Differences that removing a cause makes, over all seeds; sign: of the run that has it. */
static void
collect(struct estimator *estimator, unsigned r, const struct rerun_change *change, double *into)
{
	rerun_seeds(estimator, r, change, into);
	for (size_t s = 0; s < estimator->n_reruns; s++) {
		into[s] = (r ? 1 : -1) * (estimator->base[r][s] - into[s]);
	}
}

static void
estimate_cause(struct estimator *estimator, struct cause *cause)
{
	const struct comparison *comparison = estimator->comparison;
	double differences[3 * RERUNS];
	size_t n = 0;
	unsigned r = cause->type == CAUSE_LESS_WORK ? 0 : 1;
	rerun_base(estimator, r);
	struct rerun_change change = {RERUN_AS_WAS, .duration_ns = estimator->duration_ns,
	                              .dispatch_ns = estimator->dispatch_ns};
	bool is_portion = cause->type == CAUSE_DURATION ||
	                  (cause->type >= CAUSE_PLAN && cause->type <= CAUSE_BEGIN);
	double spread = fabs(cause->portion.effect) > 0
	                    ? NINE_OF_TEN * cause->portion.error / fabs(cause->portion.effect)
	                    : 0;
	const double by[] = {1, 1 - spread, 1 + spread};
	bool has_spread = spread > SPREAD_MIN && (is_portion || cause->type == CAUSE_TRANSFERS);
	for (size_t k = 0; k < (has_spread ? COUNT_OF(by) : 1); k++) {
		rerun_observed(comparison->rerun[r], estimator->duration_ns,
		               estimator->dispatch_ns);
		if (is_portion) {
			remove_portion(estimator, cause, by[k]);
		} else if (cause->type == CAUSE_CONTENTION) {
			remove_contention(estimator, cause);
		} else if (cause->type == CAUSE_INTERFERENCE) {
			remove_interference(estimator, cause);
		} else if (cause->type == CAUSE_TRANSFERS) {
			change.transfers = exp(-cause->portion.effect * by[k]);
		} else if (cause->type == CAUSE_MORE_WORK || cause->type == CAUSE_LESS_WORK) {
			remove_work(estimator, cause, r);
		} else if (cause->type == CAUSE_LANES) {
			change.n_slots = cause->n_a;
			change.reacts = true;
		} else if (cause->type == CAUSE_PLACEMENT) {
			change.reacts = true;
		}
		collect(estimator, r, &change, differences + n);
		n += estimator->n_reruns;
	}
	set_range(&cause->makespan, differences, n);
}

static double
deviation(const struct amount *amount)
{
	return ((double)amount->high_ns - (double)amount->low_ns) / (2 * NINE_OF_TEN);
}

/* Spans, which nobody schedules, move the end by no more than what they take more or less. */
static double
within_time(const struct causes *causes, const struct cause *cause, double ns)
{
	double time = fabs((double)cause->lane_time.ns);
	if (causes->is_scheduled || cause->type > CAUSE_LESS_WORK) {
		return ns;
	}
	return ns > time ? time : MOST(ns, -time);
}

/* Models err: by a share of what they say, and by what schedules jump. Where a cause has no model,
 * anything is possible within that. */
static double
deviation_of_cause(const struct causes *causes, const struct cause *cause, double makespan)
{
	double own = deviation(&cause->makespan), of_size = (double)cause->makespan.ns * SIZE_ERROR;
	double of_schedule = makespan * (cause->type == CAUSE_SPLIT ? FREE_ERROR : SCHEDULE_ERROR);
	of_schedule = within_time(causes, cause, of_schedule);
	return sqrt(own * own + of_size * of_size + of_schedule * of_schedule);
}

/* How far the range of an estimate reaches, given what noise and models leave open. */
static double
reach_of(const struct causes *causes, double ns, double open, double makespan)
{
	double size = fabs(ns);
	if (size <= LARGE * makespan) {
		return MOST(open, ERROR_SMALL * makespan);
	}
	open = MOST(open, ERROR_LEAST * size);
	return causes->n == 1 ? LEAST(open, ERROR_MOST * size) : open;
}

/* Which way a cause can move the end: more time, or fewer lanes, never make it come sooner but for
 * jumps of the schedule; 0: either. */
static int
direction_of(const struct cause *cause)
{
	if (cause->type == CAUSE_LANES) {
		return cause->n_a > cause->n_b ? 1 : -1;
	}
	bool is_time = cause->type <= CAUSE_LESS_WORK;
	return !is_time ? 0 : cause->lane_time.ns > 0 ? 1 : -1;
}

struct rerun_pool { /* what causes miss of the difference together, and how unsure all of it is */
	double missing, variance;
};

static struct rerun_pool
pool_of(const struct causes *causes, const bool *is_still, double difference, double makespan)
{
	double noise = deviation(&causes->noise_makespan);
	struct rerun_pool pool = {difference, noise * noise};
	for (size_t c = 0; c < causes->n; c++) {
		const struct cause *cause = &causes->all[c];
		if (has_estimate(cause) && !is_still[c]) {
			double d = deviation_of_cause(causes, cause, makespan);
			pool.missing -= (double)cause->makespan.ns;
			pool.variance += d * d;
		}
	}
	return pool;
}

/* Its share of what is missing is dealt to each; that of a cause which would move the end against
 * its direction is none, and goes to the others. Whether there is a new one of these. */
static bool
find_still(const struct causes *causes, bool *is_still, const struct rerun_pool *pool,
           double makespan)
{
	bool is_new = false;
	for (size_t c = 0; c < causes->n; c++) {
		const struct cause *cause = &causes->all[c];
		if (has_estimate(cause) && !is_still[c]) {
			double d = deviation_of_cause(causes, cause, makespan);
			double share = d * d / pool->variance * pool->missing;
			double ns = (double)cause->makespan.ns + share;
			is_still[c] = ns * direction_of(cause) < 0;
			is_new = is_new || is_still[c];
		}
	}
	return is_new;
}

/* Causes together make the difference that was observed, but for noise: what they miss is dealt
 * among them by how unsure each is (the update of a Kalman filter, with one observation). */
static void
meet_observation(struct estimator *estimator)
{
	struct causes *causes = estimator->causes;
	double a = (double)comparison_makespan_ns(estimator->comparison, 0);
	double b = (double)comparison_makespan_ns(estimator->comparison, 1), longer = MOST(a, b);
	bool *is_still = xcalloc(causes->n + 1, sizeof *is_still);
	struct rerun_pool pool;
	do {
		pool = pool_of(causes, is_still, b - a, longer);
	} while (find_still(causes, is_still, &pool, longer));
	for (size_t c = 0; c < causes->n; c++) {
		struct cause *cause = &causes->all[c];
		if (has_estimate(cause)) {
			double d = deviation_of_cause(causes, cause, longer);
			double gain = is_still[c] ? 0 : d * d / pool.variance;
			double ns =
			    is_still[c] ? 0 : (double)cause->makespan.ns + gain * pool.missing;
			ns = within_time(causes, cause, ns);
			double open = NINE_OF_TEN * d * sqrt(1 - gain);
			double around = reach_of(causes, ns, open, longer);
			cause->makespan = (struct amount){true, whole(ns), whole(ns - around),
			                                  whole(ns + around)};
		}
	}
	free(is_still);
}

/* What two runs of the same differ by, were all as noisy as its items. */
static void
estimate_noise(struct estimator *estimator)
{
	double differences[RERUNS];
	size_t n = 0;
	for (size_t s = 1; s + 1 < estimator->n_reruns; s += 2) {
		differences[n++] = estimator->base[1][s] - estimator->base[1][s + 1];
	}
	double squares = 0; /* about 0: the runs are equals */
	for (size_t i = 0; i < n; i++) {
		squares += differences[i] * differences[i];
	}
	double least = estimator->base[1][0] * NOISE_MIN;
	double of_reruns = n ? squares / (double)n * NOISE_MORE * NOISE_MORE : 0;
	double noise = sqrt(of_reruns + least * least);
	int64_t around = whole(estimator->comparison->groups
	                           ? comparison_noise_ns(estimator->comparison, noise / sqrt(2))
	                           : NINE_OF_TEN * noise);
	estimator->causes->noise_makespan = (struct amount){n > 0, 0, -around, around};
}

int
causes_estimate(struct causes *causes, const struct comparison *comparison, struct err *err)
{
	size_t n_units = rerun_units(comparison->rerun[1]);
	struct estimator estimator = {
	    .comparison = comparison,
	    .causes = causes,
	    .jitter = causes->noise /
	              /* of one run, not of the ratio */
	              sqrt(comparison->groups ? comparison_ratio_variance(comparison) : 2),
	    .n_reruns = RERUN_ITEMS / (n_units + 1)};
	estimator.n_reruns = estimator.n_reruns < RERUNS_MIN ? RERUNS_MIN
	                     : estimator.n_reruns > RERUNS   ? RERUNS
	                                                     : estimator.n_reruns;
	MEM_NEW(estimator.duration_ns, n_units);
	MEM_NEW(estimator.dispatch_ns, n_units);
	causes->is_scheduled = comparison->run[0]->is_tasks && comparison->run[1]->is_tasks;
	estimator.reacts[0] = does_react(comparison, 0);
	estimator.reacts[1] = does_react(comparison, 1);
	if (n_units >= SECOND_UNITS && workers_count() > 1) {
		estimator.second = rerun_beside(comparison->rerun[1]);
	}
	rerun_base(&estimator, 1);
	int rc = 0;
	for (size_t c = 0; rc == 0 && c < causes->n; c++) {
		enum cause_type type = causes->all[c].type;
		if (cancel_requested(comparison->explain->cancel)) {
			rc = err_set(err, ERR_CANCELLED, "cancelled");
		} else if (type != CAUSE_SPLIT && has_estimate(&causes->all[c])) {
			estimate_cause(&estimator, &causes->all[c]);
		}
	}
	estimate_noise(&estimator);
	meet_observation(&estimator);
	free(estimator.duration_ns);
	free(estimator.dispatch_ns);
	free(estimator.base[0]);
	free(estimator.base[1]);
	rerun_free(estimator.second);
	return rc;
}
