/*
 * Causes in the stages of tasks: portions whose running, planning, sending or beginning takes
 * longer or shorter than in the other run.
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

/* How often noise alone may name a cause, by stage: they share what a verdict may err. */
static const double chances[STAGES] = {0.0002, 0.00005, 0.00005, 0.00005};
#define RUNS_CHANCE 0.002 /* the same by the spread of a group's runs */
#define STAGE_SHARE 0.006 /* of all time that tasks ran: what a stage must differ by */
#define WEIGHED_APART 3   /* standard errors: the effects of two ways to weigh items differ */
#define EFFECT_MIN 0.01   /* smaller changes are none */
#define TIME_MIN 1000     /* so small a part of all time that tasks ran is no cause */
#define MOST_SHARE 0.2    /* of a cause's time: a kind that is named */
#define FLOOR_SHARE 0.1   /* of a stage's mean: shorter times count as that */
#define TRANSFERS_MIN 5
#define RUN_NOISE 0.02 /* of the mean log time of transfers from run to run */
#define TRANSFERS_CHANCE 0.00005

#define WAIT_MAX 2 /* times the median of a stage but RUN: what is longer is waiting for others */

/* What an item's time counts as at most. */
static double
longest_of(enum comparison_stage stage, const struct portion_item *items, size_t n)
{
	double *times = xcalloc(n + 1, sizeof *times);
	for (size_t i = 0; i < n; i++) {
		times[i] = items[i].ns;
	}
	quantile_sort(times, n);
	double longest = stage == STAGE_PLAN ? quantile_sorted(times, n, 0.5) * WAIT_MAX : INFINITY;
	free(times);
	return longest;
}

/* The log ratio of the times of a portion's items in all, others' effects taken off, and its
 * standard error. */
static void
ratio_of_times(const struct portions *portions, size_t p, const struct portion_item *items,
               size_t n, double *ratio, double *error)
{
	double b = 0, a = 0, squares = 0;
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n; i++) {
			double before = items[i].ns * exp(-items[i].ratio);
			if (!portion_holds(&portions->found[p], items, i)) {
				continue;
			}
			for (size_t q = 0; q < portions->n; q++) {
				bool is_in = q != p && portion_holds(&portions->found[q], items, i);
				before *= is_in ? exp(portions->found[q].effect) : 1;
			}
			if (pass == 0) {
				b += items[i].ns;
				a += before;
			} else {
				double apart = items[i].ns - before * b / a;
				squares += apart * apart;
			}
		}
	}
	*ratio = log(b / a);
	*error = sqrt(squares) / b;
}

/* An effect is the mean of log ratios, in which every item counts alike. Where long items have
 * another one, and clearly so, theirs is that of the time, which causes are told of. */
static void
weigh_by_time(struct portions *portions, const struct portion_item *items, size_t n)
{
	for (size_t p = 0; p < portions->n; p++) {
		struct portion *portion = &portions->found[p];
		double ratio, error;
		ratio_of_times(portions, p, items, n, &ratio, &error);
		double unsure = sqrt(error * error + portion->error * portion->error);
		if (fabs(ratio - portion->effect) > WEIGHED_APART * unsure) {
			portion->effect = ratio;
			portion->error = error;
		}
	}
}

/* Time that a portion's items took more than without it, whatever others that hold them did. */
static void
measure_time(const struct comparison *comparison, enum comparison_stage stage,
             const struct portion_item *items, size_t n, const struct portions *portions,
             struct cause *causes)
{
	double time[PORTIONS_MAX] = {0}, slope[PORTIONS_MAX] = {0};
	double longest = longest_of(stage, items, n);
	/* Planning is one controller's: items whose share is not known have had as much. */
	double all = stage == STAGE_PLAN && n ? (double)comparison->matching->n_pairs / (double)n
	                                      : comparison_share(comparison);
	for (size_t i = 0; i < n; i++) {
		double ns = LEAST(items[i].ns, longest) * all;
		for (size_t p = 0; p < portions->n; p++) {
			const struct portion *portion = &portions->found[p];
			if (portion_holds(portion, items, i)) {
				time[p] += ns * -expm1(-portion->effect);
				slope[p] += ns * exp(-portion->effect);
			}
		}
	}
	for (size_t p = 0; p < portions->n; p++) {
		double around = 1.645 * portions->found[p].error * slope[p];
		causes[p].lane_time =
		    (struct amount){true, time_of_real(time[p]), time_of_real(time[p] - around),
		                    time_of_real(time[p] + around)};
	}
}

static const char *
name_of_item(struct causes *causes, const struct comparison *comparison,
             const struct portion *portion, const struct portion_item *items)
{
	return portion->item == PORTION_ANY
	           ? NULL
	           : arena_slice(causes->arena,
	                         matching_key(comparison->run[1], items[portion->item].unit))
	                 .ptr;
}

/* What portions say of a stage's items, as they are or with contention taken off. */
struct answer {
	struct portion_item *items;
	size_t n;
	struct portions portions;
	double cost;
	double *slopes;                   /* with contention taken off; or NULL */
	struct interference interference; /* taken off; or its overlaps are NULL */
};

enum taken_off { NOTHING, CONTENTION, INTERFERENCE };

static void
answer_free(struct answer *answer)
{
	free(answer->items);
	free(answer->slopes);
	free(answer->interference.overlaps);
}

struct attempts { /* at a stage's items: without and with windows, into answers */
	const struct comparison *comparison;
	enum comparison_stage stage;
	int64_t floor_ns;
	const double *at_once;
	enum taken_off off;
	struct answer answers[2];
};

static int
attempt(void *user, size_t windows, unsigned thread, struct err *err)
{
	struct attempts *attempts = user;
	const struct comparison *comparison = attempts->comparison;
	struct answer *answer = &attempts->answers[windows];
	uint32_t n_codes[PORTION_ATTRIBUTES];
	(void)thread;
	comparison_codes(comparison, n_codes);
	answer->items =
	    comparison_items(comparison, attempts->stage, attempts->floor_ns, &answer->n);
	for (size_t i = 0; attempts->at_once && i < answer->n; i++) {
		answer->items[i].at_once = attempts->at_once[answer->items[i].unit];
	}
	for (size_t i = 0; attempts->stage == STAGE_PLAN && i < answer->n; i++) {
		memset(answer->items[i].code, 0, sizeof answer->items[i].code); /* one controller */
	}
	if (attempts->off == CONTENTION) {
		MEM_NEW(answer->slopes, n_codes[PORTION_KIND]);
		answer->cost =
		    contention_take_off(comparison, answer->items, answer->n, answer->slopes);
	} else if (attempts->off == INTERFERENCE) {
		answer->cost = interference_take_off(comparison, answer->items, answer->n,
		                                     &answer->interference);
	}
	int rc = isfinite(answer->cost)
	             ? portions_find(answer->items, answer->n, n_codes, chances[attempts->stage],
	                             windows, &answer->portions, comparison->explain->cancel, err)
	             : 0;
	answer->cost += answer->portions.cost;
	return rc;
}

/* Both, at once; the best of these and of what was best before is. -1 on error. */
static int
try_answers(struct attempts *attempts, enum taken_off off, struct answer *best, struct err *err)
{
	attempts->off = off;
	memset(attempts->answers, 0, sizeof attempts->answers);
	int rc = workers_run(LEAST(workers_count(), 2), 2, attempt, attempts,
	                     attempts->comparison->explain->cancel, err);
	for (size_t windows = 0; windows < 2; windows++) {
		struct answer *answer = &attempts->answers[windows];
		if (rc == 0 && (!best->items || answer->cost < best->cost)) {
			answer_free(best);
			*best = *answer;
		} else {
			answer_free(answer);
		}
	}
	return rc;
}

/* The two kinds, of three or more, that took the most of a time, if each took a good part. */
static void
name_most(struct cause *cause, const double *time_of_kind, uint32_t n_kinds, double time)
{
	uint32_t most[2] = {PORTION_ANY, PORTION_ANY};
	size_t n = 0;
	for (uint32_t k = 0; k < n_kinds; k++) {
		n += time_of_kind[k] != 0;
		if (most[0] == PORTION_ANY ||
		    time_of_kind[k] / time > time_of_kind[most[0]] / time) {
			most[1] = most[0];
			most[0] = k;
		} else if (most[1] == PORTION_ANY ||
		           time_of_kind[k] / time > time_of_kind[most[1]] / time) {
			most[1] = k;
		}
	}
	for (size_t i = 0; n > 2 && i < 2 && time_of_kind[most[i]] / time > MOST_SHARE; i++) {
		cause->kinds[cause->n_kinds++] = most[i];
	}
}

static void
add_contention(struct causes *causes, const struct comparison *comparison,
               const struct answer *answer)
{
	struct cause *cause = causes_add(causes, CAUSE_CONTENTION);
	uint32_t n_kinds = intern_count(comparison->kinds);
	double time = 0, *time_of_kind = xcalloc(n_kinds + 1, sizeof *time_of_kind);
	cause->slopes = arena_copy(causes->arena, answer->slopes, n_kinds * sizeof(double));
	cause->chance = 0;
	for (size_t i = 0; i < answer->n; i++) {
		const struct portion_item *item = &answer->items[i];
		double effect = answer->slopes[item->code[PORTION_KIND]] * item->at_once;
		cause->portion.effect += effect / (double)answer->n;
		time += item->ns * -expm1(-effect);
		time_of_kind[item->code[PORTION_KIND]] += item->ns * -expm1(-effect);
	}
	name_most(cause, time_of_kind, n_kinds, time);
	free(time_of_kind);
	time *= comparison_share(comparison);
	double around = 0.1 * fabs(time);
	cause->lane_time = (struct amount){true, time_of_real(time), time_of_real(time - around),
	                                   time_of_real(time + around)};
}

static void
add_interference(struct causes *causes, const struct comparison *comparison,
                 const struct answer *answer)
{
	const struct interference *found = &answer->interference;
	const struct schedule *b = comparison->run[1];
	struct cause *cause = causes_add(causes, CAUSE_INTERFERENCE);
	double time = 0;
	cause->kind = found->of;
	cause->kinds[0] = found->during;
	cause->n_kinds = 1;
	cause->slowed = found->slowed;
	cause->overlaps = arena_copy(causes->arena, found->overlaps, b->n_items * sizeof(double));
	cause->chance = 0;
	for (size_t j = 0; j < b->n_items; j++) {
		if (comparison->kind_code[1][b->items[j].kind] == found->of) {
			time += (double)(b->items[j].end_ns - b->items[j].start_ns) *
			        found->overlaps[j] * found->slowed;
		}
	}
	cause->lane_time = (struct amount){true, time_of_real(time), time_of_real(0.9 * time),
	                                   time_of_real(1.1 * time)};
}

static void
add_portions(struct causes *causes, const struct comparison *comparison,
             enum comparison_stage stage, const struct answer *answer)
{
	static const enum cause_type types[] = {CAUSE_DURATION, CAUSE_PLAN, CAUSE_COMMUNICATION,
	                                        CAUSE_BEGIN};
	struct cause found[PORTIONS_MAX];
	int64_t ran_ns = comparison_total_ns(comparison, 1, STAGE_RUN);
	memset(found, 0, sizeof found);
	measure_time(comparison, stage, answer->items, answer->n, &answer->portions, found);
	for (size_t p = 0; p < answer->portions.n; p++) {
		const struct portion *portion = &answer->portions.found[p];
		if (fabs(portion->effect) < EFFECT_MIN ||
		    llabs(found[p].lane_time.ns) < ran_ns / TIME_MIN) {
			continue;
		}
		struct cause *cause = causes_add(causes, types[stage]);
		cause->portion = *portion;
		cause->chance = portion->chance;
		cause->lane_time = found[p].lane_time;
		cause->item_name = name_of_item(causes, comparison, portion, answer->items);
		if (portion->item != PORTION_ANY) {
			cause->portion.item = answer->items[portion->item].unit;
		}
	}
}

static int
find_stage(struct causes *causes, const struct comparison *comparison, enum comparison_stage stage,
           int64_t floor_ns, struct err *err)
{
	bool runs = stage == STAGE_RUN;
	bool is_spread = comparison_is_spread(comparison); /* whose items have it */
	double *at_once = runs && !is_spread ? contention_ratios(comparison) : NULL;
	struct answer best = {.items = NULL};
	struct attempts attempts = {comparison, stage, floor_ns, at_once, NOTHING, {{0}}};
	int rc = try_answers(&attempts, NOTHING, &best, err);
	/* Where there is something to be explained, maybe otherwise. */
	enum taken_off off = comparison->run[1]->is_tasks ? CONTENTION : INTERFERENCE;
	if (rc == 0 && runs && best.portions.n > 0 && !comparison->together) {
		rc = try_answers(&attempts, off, &best, err);
	}
	if (rc == 0) {
		comparison_confirm(comparison, stage, best.items, best.n, floor_ns, RUNS_CHANCE,
		                   &best.portions);
		if (runs) {
			weigh_by_time(&best.portions, best.items, best.n);
		}
		if (best.slopes) {
			add_contention(causes, comparison, &best);
		}
		if (best.interference.overlaps) {
			add_interference(causes, comparison, &best);
		}
		add_portions(causes, comparison, stage, &best);
	}
	if (runs) {
		causes->noise = best.portions.noise;
	}
	answer_free(&best);
	free(at_once);
	return rc;
}

/* Tasks wait for data before they begin, as far as that is known or not. */
static bool
has_transfers(const struct causes *causes)
{
	for (size_t c = 0; c < causes->n; c++) {
		if (causes->all[c].type == CAUSE_TRANSFERS) {
			return true;
		}
	}
	return false;
}

int
causes_find_stages(struct causes *causes, const struct comparison *comparison, struct err *err)
{
	int64_t ran_ns = comparison_total_ns(comparison, 1, STAGE_RUN);
	int rc = find_stage(causes, comparison, STAGE_RUN, 1, err);
	for (int stage = STAGE_RUN + 1; rc == 0 && stage < STAGES; stage++) {
		int64_t a = comparison_total_ns(comparison, 0, stage);
		int64_t b = comparison_total_ns(comparison, 1, stage);
		double mean =
		    ((double)a + (double)b) / 2 / ((double)comparison->run[1]->n_items + 1);
		if (llabs(time_sub(b, a)) > (int64_t)((double)ran_ns * STAGE_SHARE) &&
		    !(stage == STAGE_BEGIN && has_transfers(causes))) {
			rc = find_stage(causes, comparison, stage,
			                MOST(time_of_real(mean * FLOOR_SHARE), 1), err);
		}
	}
	return rc;
}

/* ---- transfers ---- */

static int64_t
transfer_ns(const struct schedule_transfer *transfer)
{
	int64_t begin =
	    transfer->started_ns != SCHEDULE_NO_TIME ? transfer->started_ns : transfer->planned_ns;
	int64_t end = transfer->finished_ns != SCHEDULE_NO_TIME ? transfer->finished_ns
	                                                        : transfer->received_ns;
	return begin == SCHEDULE_NO_TIME || end == SCHEDULE_NO_TIME || end <= begin ? STAGE_UNKNOWN
	                                                                            : end - begin;
}

/* Of a transfer's mode: those of equal modes are compared. */
static struct slice
mode_of(const struct schedule *schedule, const struct schedule_transfer *transfer)
{
	return schedule_text(schedule, transfer->mode);
}

/* Mean of the logs of A's transfers by mode: what one of B would have taken. */
struct usual {
	double sum;
	size_t n;
};

#define MODES_MAX 16

struct transfers { /* of the runs, by mode */
	struct intern *modes;
	struct usual usual[MODES_MAX];
};

static void
add_usual(struct transfers *transfers, const struct schedule *a)
{
	for (size_t t = 0; t < a->n_transfers; t++) {
		int64_t ns = transfer_ns(&a->transfers[t]);
		uint32_t mode = intern_id(transfers->modes, mode_of(a, &a->transfers[t]));
		if (ns != STAGE_UNKNOWN && mode < MODES_MAX) {
			transfers->usual[mode].sum += log((double)ns);
			transfers->usual[mode].n++;
		}
	}
}

/* Where and when a run's transfer was; false: how long it took is not known. */
static bool
place_transfer(const struct comparison *comparison, const struct transfers *transfers,
               const struct schedule *schedule, size_t t, struct portion_item *item)
{
	const struct schedule_transfer *transfer = &schedule->transfers[t];
	if (transfer_ns(transfer) == STAGE_UNKNOWN || transfer->lane == SCHEDULE_NONE) {
		return false;
	}
	struct slice lane = schedule_lane_name(schedule, transfer->lane);
	struct slice host = schedule_text(schedule, schedule->lanes[transfer->lane].host);
	*item = (struct portion_item){
	    .at_ns = transfer->planned_ns,
	    .unit = (uint32_t)t,
	    .code = {intern_find(transfers->modes, mode_of(schedule, transfer)),
	             intern_find(comparison->lanes, lane), intern_find(comparison->hosts, host)},
	};
	return true;
}

/* A run's transfers against what is usual in A, where that is known: an array to be freed. */
static struct portion_item *
transfer_items(const struct comparison *comparison, const struct transfers *transfers,
               const struct schedule *schedule, size_t *n)
{
	struct portion_item *items = xcalloc(schedule->n_transfers + 1, sizeof *items);
	*n = 0;
	for (size_t t = 0; t < schedule->n_transfers; t++) {
		struct portion_item *item = &items[*n];
		if (!place_transfer(comparison, transfers, schedule, t, item)) {
			continue;
		}
		uint32_t mode = item->code[PORTION_KIND];
		if (mode < MODES_MAX && transfers->usual[mode].n >= TRANSFERS_MIN) {
			const struct usual *usual = &transfers->usual[mode];
			double ns = (double)transfer_ns(&schedule->transfers[t]);
			item->ratio = log(ns) - usual->sum / (double)usual->n;
			++*n;
		}
	}
	return items;
}

/* Of groups: what the portion's transfers take in each run, in the mean. */
static double *
transfers_in_runs(const struct comparison *comparison, const struct transfers *transfers,
                  unsigned r, const struct portion *portion, size_t *n_runs)
{
	const struct explain *groups = comparison->groups;
	size_t n = r ? groups->n_b : groups->n_a;
	double *means = xcalloc(n, sizeof *means);
	*n_runs = 0;
	for (size_t k = 0; k < n; k++) {
		size_t n_items, n_in = 0;
		double sum = 0;
		struct portion_item *items = transfer_items(
		    comparison, transfers, (r ? groups->b : groups->a)[k].schedule, &n_items);
		for (size_t i = 0; i < n_items; i++) {
			bool is_in = portion_holds(portion, items, i);
			sum += is_in ? items[i].ratio : 0;
			n_in += is_in;
		}
		free(items);
		if (n_in > 0) {
			means[(*n_runs)++] = sum / (double)n_in;
		}
	}
	return means;
}

/* Does the portion stand out from what transfers of the runs of a group differ by? */
static bool
confirm_transfers(const struct comparison *comparison, const struct transfers *transfers, size_t n,
                  double noise, struct portion *portion)
{
	size_t n_a, n_b;
	if (!comparison->groups || !comparison->keeps_runs) {
		return true;
	}
	double *a = transfers_in_runs(comparison, transfers, 0, portion, &n_a);
	double *b = transfers_in_runs(comparison, transfers, 1, portion, &n_b);
	struct student_groups groups = student_groups(a, MOST(n_a, 1), b, MOST(n_b, 1));
	double prior = noise * noise / (double)MOST(portion->n, 1) + RUN_NOISE * RUN_NOISE;
	portion->effect = groups.mean_b - groups.mean_a;
	free(a);
	free(b);
	return n_a && n_b &&
	       comparison_stands_out(comparison, &groups, prior, n, RUNS_CHANCE, portion);
}

/* Time of B's transfers in a portion, with those of modes of which nothing is usual. */
static double
time_of_transfers(const struct comparison *comparison, const struct transfers *transfers,
                  const struct portion *portion)
{
	const struct schedule *b = comparison->run[1];
	struct portion_item item;
	double time = 0;
	for (size_t t = 0; t < b->n_transfers; t++) {
		if (place_transfer(comparison, transfers, b, t, &item) &&
		    portion_holds(portion, &item, 0)) {
			time += (double)transfer_ns(&b->transfers[t]);
		}
	}
	return time;
}

int
causes_find_transfers(struct causes *causes, const struct comparison *comparison, struct err *err)
{
	const struct schedule *b = comparison->run[1];
	const struct explain *groups = comparison->groups;
	struct transfers transfers = {.modes = intern_new()};
	uint32_t n_codes[PORTION_ATTRIBUTES];
	size_t n;
	bool is_pooled = groups && comparison->keeps_runs;
	for (size_t k = 0; k < (is_pooled ? groups->n_a : 1); k++) {
		add_usual(&transfers, is_pooled ? groups->a[k].schedule : comparison->run[0]);
	}
	struct portion_item *items = transfer_items(comparison, &transfers, b, &n);
	struct portions portions = {.n = 0};
	comparison_codes(comparison, n_codes);
	n_codes[PORTION_KIND] = intern_count(transfers.modes);
	int rc = portions_find(items, n, n_codes, TRANSFERS_CHANCE, true, &portions,
	                       comparison->explain->cancel, err);
	for (size_t p = 0; rc == 0 && p < portions.n; p++) {
		struct portion *portion = &portions.found[p];
		if (fabs(portion->effect) < 0.1 || portion->item != PORTION_ANY ||
		    !confirm_transfers(comparison, &transfers, n, portions.noise, portion)) {
			continue;
		}
		struct cause *cause = causes_add(causes, CAUSE_TRANSFERS);
		double time = time_of_transfers(comparison, &transfers, portion);
		cause->portion = *portion;
		cause->chance = portion->chance;
		cause->item_name =
		    portion->code[PORTION_KIND] == PORTION_ANY
			? NULL
			: arena_slice(causes->arena,
		                      intern_text(transfers.modes, portion->code[PORTION_KIND]))
			      .ptr;
		cause->lane_time = (struct amount){
		    true, time_of_real(time * -expm1(-portion->effect)),
		    time_of_real(time * -expm1(-(portion->effect - 1.645 * portion->error))),
		    time_of_real(time * -expm1(-(portion->effect + 1.645 * portion->error)))};
	}
	free(items);
	intern_free(transfers.modes);
	return rc;
}
