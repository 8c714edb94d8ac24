/*
 * Several runs a side. One run of each side, the one whose makespan is nearest to the mean, stands
 * for its group where something is run again. What its items took is the mean over the group; tasks
 * of B are searched run by run against that of A, as they run on other lanes, at other times.
 *
 * Runs of a group differ by more than their items do one by one: a whole run, or all items of a
 * kind in it, may be slow together, which more items do not average away. So what is found among
 * items must stand out from the spread of runs, too: of a portion, the mean log time of its items
 * in each run is one figure, and Student's test is asked of these. Few runs tell little of their
 * spread: it is drawn to what kinds usually spread by and the noise of items makes, as if that were
 * known from PRIOR_DEGREES more runs (moderated t: Smyth, Stat. Appl. Genet. Mol. Biol. 3, 2004).
 */
#include "config.h"
#include "explain/verdict/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/model/statistics.h"
#include "explain/parts/contention.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/quantile.h"

#define OUTSIDE 0.1 /* of a range: it holds nine of ten */
#define PRIOR_DEGREES 4
#define RUN_NOISE 0.003     /* of a mean log time, however many items it is of */
#define COUNTS_CHANCE 0.001 /* of counts that are not quite apart */
#define SPREAD_CHANCE 0.1   /* of two groups that do not differ */
#define WINDOWS 20          /* as many places of a window are worth */

int64_t
comparison_seen_makespan_ns(const struct comparison *comparison, unsigned run)
{
	const struct explain *pair = comparison->explain;
	const struct student_groups *makespans = &comparison->makespans;
	return comparison->groups ? time_of_real(round(run ? makespans->mean_b : makespans->mean_a))
	                          : explain_makespan_ns((run ? pair->b : pair->a)->schedule);
}

int64_t
comparison_makespan_ns(const struct comparison *comparison, unsigned run)
{
	const struct explain *pair = comparison->explain;
	int64_t seen = explain_makespan_ns((run ? pair->b : pair->a)->schedule);
	int64_t ahead = time_sub(seen, explain_makespan_ns(comparison->run[run]));
	return time_sub(comparison_seen_makespan_ns(comparison, run), ahead);
}

bool
comparison_is_spread(const struct comparison *comparison)
{
	return comparison->groups && comparison->group[1].lane;
}

double
comparison_share(const struct comparison *comparison)
{
	return comparison_is_spread(comparison) ? 1 / (double)comparison->group[1].n : 1;
}

double
comparison_ratio_variance(const struct comparison *comparison)
{
	return comparison_is_spread(comparison) ? 1 + 1 / (double)comparison->group[0].n
	                                        : comparison->makespans.per_figure;
}

/* ---- reading ---- */

static void
new_group(const struct comparison *comparison, struct comparison_group *group, unsigned r, size_t n)
{
	size_t n_items = n * comparison->run[r]->n_items;
	group->n = n;
	for (int s = 0; s < STAGES; s++) {
		MEM_NEW(group->log_ns[s], n_items);
	}
	if (comparison->run[r]->is_tasks) {
		MEM_NEW(group->lane, n_items);
		MEM_NEW(group->host, n_items);
		MEM_NEW(group->at_ns, n_items);
		MEM_NEW(group->log_at_once, n_items);
	}
	MEM_NEW(group->n_of_kind, n * intern_count(comparison->kinds));
	MEM_NEW(group->n_lanes, n);
	MEM_NEW(group->makespan_ns, n);
}

void
comparison_free_groups(struct comparison *comparison)
{
	for (unsigned r = 0; r < 2; r++) {
		struct comparison_group *group = &comparison->group[r];
		for (int s = 0; s < STAGES; s++) {
			free(group->log_ns[s]);
		}
		free(group->lane);
		free(group->host);
		free(group->at_ns);
		free(group->log_at_once);
		free(group->n_of_kind);
		free(group->n_lanes);
		free(group->makespan_ns);
	}
}

static void
count_kinds(const struct comparison *comparison, const struct schedule *schedule, size_t *counts)
{
	for (size_t i = 0; i < schedule->n_items; i++) {
		struct slice kind = schedule->kinds[schedule->items[i].kind];
		uint32_t code = intern_find(comparison->kinds, kind);
		if (code != INTERN_NONE && schedule_head(schedule, i) == i) {
			counts[code]++;
		}
	}
}

/* Which item of a run is the i-th of the one that stands for all. */
static uint32_t
counterpart(const struct matching *matching, size_t i)
{
	return matching ? matching->b_of_a[i] : (uint32_t)i;
}

/* Where and when the tasks of the k-th run of a side ran. */
static void
add_places(const struct comparison *comparison, unsigned r, size_t k,
           const struct schedule *schedule, const struct matching *matching)
{
	const struct comparison_group *group = &comparison->group[r];
	size_t n_items = comparison->run[r]->n_items;
	double *at_once[DOMAINS];
	uint32_t *lanes = xcalloc(schedule->n_lanes + 1, sizeof *lanes);
	uint32_t *hosts = xcalloc(schedule->n_lanes + 1, sizeof *hosts);
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		struct slice host = schedule_text(schedule, schedule->lanes[l].host);
		lanes[l] = intern_find(comparison->lanes, schedule_lane_name(schedule, l));
		hosts[l] = intern_find(comparison->hosts, host);
	}
	contention_concurrency(schedule, at_once);
	for (size_t i = 0; i < n_items; i++) {
		uint32_t j = counterpart(matching, i);
		size_t at = k * n_items + i;
		if (j != MATCHING_NONE) {
			const struct schedule_item *item = &schedule->items[j];
			group->lane[at] = lanes[item->lane];
			group->host[at] = hosts[item->lane];
			group->at_ns[at] = item->start_ns;
			group->log_at_once[at] = (float)log(at_once[DOMAIN_HOST][j]);
		}
	}
	for (int d = 0; d < DOMAINS; d++) {
		free(at_once[d]);
	}
	free(lanes);
	free(hosts);
}

/* The k-th run of a side. only_run: other stages can't be compared. */
static void
add_run(struct comparison *comparison, unsigned r, size_t k, const struct schedule *schedule,
        const struct matching *matching, bool only_run)
{
	struct comparison_group *group = &comparison->group[r];
	size_t n_items = comparison->run[r]->n_items;
	int64_t *stage[STAGES];
	for (int s = 0; s < STAGES; s++) {
		MEM_NEW(stage[s], schedule->n_items);
	}
	comparison_measure_stages(schedule, stage);
	for (int s = 0; s < STAGES; s++) {
		for (size_t i = 0; i < n_items; i++) {
			uint32_t j = counterpart(matching, i);
			bool is_known = j != MATCHING_NONE && stage[s][j] != STAGE_UNKNOWN &&
			                (s == STAGE_RUN || !only_run);
			group->log_ns[s][k * n_items + i] =
			    is_known ? (float)log((double)MOST(stage[s][j], 1)) : NAN;
		}
		free(stage[s]);
	}
	if (group->lane) {
		add_places(comparison, r, k, schedule, matching);
	}
	group->n_lanes[k] = schedule->n_lanes;
	count_kinds(comparison, schedule, group->n_of_kind + k * intern_count(comparison->kinds));
}

/* A run that does not itself stand for its side. */
static int
read_run(struct comparison *comparison, unsigned r, size_t k, struct explain *groups,
         struct explain_run *run, struct err *err)
{
	const struct explain *pair = comparison->explain;
	const struct schedule *own = (r ? pair->b : pair->a)->schedule;
	bool is_shifted = comparison->run[r] != own && !comparison->together;
	const struct schedule *schedule = explain_schedule(groups, run, err);
	struct arena *arena = arena_new();
	struct matching *matching = NULL;
	if (schedule) {
		comparison->group[r].makespan_ns[k] = (double)explain_makespan_ns(schedule);
		schedule = comparison->together ? comparison_condensed(comparison, schedule, arena)
		                                : schedule;
		matching = matching_new(comparison->run[r], schedule, groups->cancel, err);
	}
	if (matching) { /* stamps of other clocks than the one that was corrected */
		add_run(comparison, r, k, schedule, matching, is_shifted);
	}
	matching_free(matching);
	arena_free(arena);
	explain_release(groups, run);
	comparison->keeps_runs = comparison->keeps_runs && run->schedule;
	return matching ? 0 : -1;
}

/* Stages become means over the runs, where they are known. */
static void
average(struct comparison *comparison, unsigned r)
{
	const struct comparison_group *group = &comparison->group[r];
	size_t n_items = comparison->run[r]->n_items;
	for (int s = 0; s < STAGES; s++) {
		for (size_t i = 0; i < n_items; i++) {
			double sum = 0;
			size_t n = 0;
			for (size_t k = 0; k < group->n; k++) {
				double log_ns = group->log_ns[s][k * n_items + i];
				sum += isnan(log_ns) ? 0 : exp(log_ns);
				n += !isnan(log_ns);
			}
			comparison->stage_ns[r][s][i] =
			    n ? time_of_real(round(sum / (double)n)) : STAGE_UNKNOWN;
		}
	}
}

static int
add_group(struct comparison *comparison, unsigned r, struct explain *groups, struct err *err)
{
	const struct explain_run *own = r ? comparison->explain->b : comparison->explain->a;
	struct explain_run *runs = r ? groups->b : groups->a;
	size_t n = r ? groups->n_b : groups->n_a;
	new_group(comparison, &comparison->group[r], r, n);
	for (size_t k = 0; k < n; k++) {
		if (&runs[k] == own) {
			comparison->group[r].makespan_ns[k] =
			    (double)explain_makespan_ns(own->schedule);
			add_run(comparison, r, k, comparison->run[r], NULL, false);
		} else if (read_run(comparison, r, k, groups, &runs[k], err)) {
			return -1;
		}
	}
	average(comparison, r);
	return 0;
}

int
comparison_add_groups(struct comparison *comparison, struct explain *groups, struct err *err)
{
	const struct comparison_group *a = &comparison->group[0], *b = &comparison->group[1];
	comparison->keeps_runs = true;
	if (add_group(comparison, 0, groups, err) || add_group(comparison, 1, groups, err)) {
		return -1;
	}
	comparison->groups = groups;
	comparison->makespans = student_groups(a->makespan_ns, a->n, b->makespan_ns, b->n);
	return 0;
}

/* ---- items of all runs ---- */

/* Log of how many ran at once with an item of A, mean over the runs. */
static double
usual_at_once(const struct comparison *comparison, size_t i)
{
	const struct comparison_group *a = &comparison->group[0];
	size_t n_items = comparison->run[0]->n_items;
	double sum = 0, n = 0;
	for (size_t k = 0; k < a->n; k++) {
		if (!isnan(a->log_ns[STAGE_RUN][k * n_items + i])) {
			sum += a->log_at_once[k * n_items + i];
			n++;
		}
	}
	return n > 0 ? sum / n : 0;
}

static void
add_item(const struct comparison *comparison, enum comparison_stage stage, int64_t floor_ns,
         size_t run, size_t j, struct portion_item *items, size_t *n)
{
	const struct comparison_group *b = &comparison->group[1];
	size_t at = run * comparison->run[1]->n_items + j;
	uint32_t i = comparison->matching->a_of_b[j];
	int64_t a_ns = i == MATCHING_NONE ? STAGE_UNKNOWN : comparison->stage_ns[0][stage][i];
	double b_ns = exp((double)b->log_ns[stage][at]), floor = (double)floor_ns;
	if (a_ns == STAGE_UNKNOWN || isnan(b_ns) || (a_ns < floor_ns && b_ns < floor) ||
	    b->lane[at] == INTERN_NONE || b->host[at] == INTERN_NONE) {
		return;
	}
	uint32_t kind = comparison->run[1]->items[j].kind;
	items[(*n)++] = (struct portion_item){
	    .ratio = log(MOST(b_ns, floor) / (double)MOST(a_ns, floor_ns)),
	    .at_ns = b->at_ns[at],
	    .unit = (uint32_t)j,
	    .run = (uint32_t)run,
	    .ns = b_ns,
	    .at_once = b->log_at_once[at] - usual_at_once(comparison, i),
	    .code = {comparison->kind_code[1][kind], b->lane[at], b->host[at]},
	};
}

struct portion_item *
comparison_spread_items(const struct comparison *comparison, enum comparison_stage stage,
                        int64_t floor_ns, size_t *n)
{
	size_t n_items = comparison->run[1]->n_items, n_runs = comparison->group[1].n;
	struct portion_item *items = xcalloc(n_runs * n_items + 1, sizeof *items);
	*n = 0;
	for (size_t k = 0; k < n_runs; k++) {
		for (size_t j = 0; j < n_items; j++) {
			add_item(comparison, stage, floor_ns, k, j, items, n);
		}
	}
	return items;
}

/* ---- confirming ---- */

double
comparison_noise_ns(const struct comparison *comparison, double one_run_ns)
{
	double degrees = comparison->makespans.degrees + PRIOR_DEGREES;
	double error =
	    student_error(&comparison->makespans, one_run_ns * one_run_ns, PRIOR_DEGREES);
	return student_quantile(OUTSIDE, degrees) * error;
}

bool
comparison_is_within_spread(const struct comparison *comparison)
{
	const struct student_groups *makespans = &comparison->makespans;
	double delta = makespans->mean_b - makespans->mean_a;
	double t = delta / student_error(makespans, 0, 0);
	return comparison->groups && student_chance(t, makespans->degrees) > SPREAD_CHANCE;
}

/* Mean log time of a portion's items in a run, over the mean of A's group; NAN if none is known. */
static double
mean_in_run(const struct comparison *comparison, unsigned r, size_t k, enum comparison_stage stage,
            const struct portion_item *items, size_t n, double log_floor,
            const struct portion *portion)
{
	const float *log_ns = comparison->group[r].log_ns[stage] + k * comparison->run[r]->n_items;
	bool is_spread = comparison_is_spread(comparison);
	double sum = 0;
	size_t n_known = 0;
	for (size_t at = 0; at < n; at++) {
		uint32_t j = items[at].unit, i = comparison->matching->a_of_b[j];
		if (!portion_holds(portion, items, at) ||
		    (r == 1 && is_spread && items[at].run != k)) {
			continue;
		}
		double own = log_ns[r ? j : i];
		if (!isnan(own)) {
			double mean = log((double)MOST(comparison->stage_ns[0][stage][i], 1));
			sum += MOST(own, log_floor) - MOST(mean, log_floor);
			n_known++;
		}
	}
	return n_known ? sum / (double)n_known : NAN;
}

/* Of the means by run, without runs that have none of the items. */
static struct student_groups
means_of_runs(const struct comparison *comparison, enum comparison_stage stage,
              const struct portion_item *items, size_t n, int64_t floor_ns,
              const struct portion *portion)
{
	double *means[2];
	size_t n_means[2] = {0, 0};
	for (unsigned r = 0; r < 2; r++) {
		const struct comparison_group *group = &comparison->group[r];
		MEM_NEW(means[r], group->n);
		for (size_t k = 0; k < group->n; k++) {
			double mean = mean_in_run(comparison, r, k, stage, items, n,
			                          log((double)MOST(floor_ns, 1)), portion);
			means[r][n_means[r]] = mean;
			n_means[r] += !isnan(mean);
		}
	}
	struct student_groups groups =
	    student_groups(means[0], MOST(n_means[0], 1), means[1], MOST(n_means[1], 1));
	free(means[0]);
	free(means[1]);
	return groups;
}

/* As many portions of a sort were looked at. */
static double
family_of(const struct comparison *comparison, const struct portion *portion, size_t n)
{
	uint32_t n_codes[PORTION_ATTRIBUTES];
	double family = 1;
	comparison_codes(comparison, n_codes);
	if (portion->item != PORTION_ANY) {
		return (double)n;
	}
	for (int a = 0; a < PORTION_ATTRIBUTES; a++) {
		family *= portion->code[a] == PORTION_ANY ? 1 : n_codes[a];
	}
	bool has_window = portion->from_ns != INT64_MIN || portion->until_ns != INT64_MAX;
	return has_window ? family * WINDOWS : family;
}

/* Variance of a kind's mean log time from run to run beyond what its items make of it, typical of
 * the kinds of these items. */
static double
kinds_variance(const struct comparison *comparison, enum comparison_stage stage,
               const struct portion_item *items, size_t n, int64_t floor_ns, double of_item)
{
	uint32_t n_codes[PORTION_ATTRIBUTES];
	double sum = 0;
	size_t n_kinds = 0;
	comparison_codes(comparison, n_codes);
	size_t *n_items = xcalloc((size_t)n_codes[PORTION_KIND] + 1, sizeof *n_items);
	for (size_t i = 0; i < n; i++) {
		n_items[items[i].code[PORTION_KIND]]++;
	}
	for (uint32_t k = 0; k < n_codes[PORTION_KIND]; k++) {
		if (n_items[k] == 0) {
			continue;
		}
		struct portion portion = {.code = {k, PORTION_ANY, PORTION_ANY},
		                          .from_ns = INT64_MIN,
		                          .until_ns = INT64_MAX,
		                          .item = PORTION_ANY};
		struct student_groups groups =
		    means_of_runs(comparison, stage, items, n, floor_ns, &portion);
		sum += groups.squares / groups.degrees -
		       of_item / ((double)n_items[k] * comparison_share(comparison));
		n_kinds++;
	}
	free(n_items);
	return n_kinds ? MOST(sum / (double)n_kinds, 0) : 0;
}

bool
comparison_stands_out(const struct comparison *comparison, const struct student_groups *means,
                      double prior, size_t n, double chance_max, struct portion *portion)
{
	double error = student_error(means, prior, PRIOR_DEGREES);
	double chance = student_chance(portion->effect / error, means->degrees + PRIOR_DEGREES) *
	                family_of(comparison, portion, n);
	portion->error = MOST(portion->error, error);
	portion->chance = MOST(portion->chance, LEAST(chance, 1));
	return chance <= chance_max;
}

void
comparison_confirm(const struct comparison *comparison, enum comparison_stage stage,
                   const struct portion_item *items, size_t n, int64_t floor_ns, double chance_max,
                   struct portions *portions)
{
	size_t n_confirmed = 0;
	if (!comparison->groups || portions->n == 0) {
		return;
	}
	double of_item = portions->noise * portions->noise / comparison_ratio_variance(comparison);
	double of_run =
	    kinds_variance(comparison, stage, items, n, floor_ns, of_item) + RUN_NOISE * RUN_NOISE;
	for (size_t p = 0; p < portions->n; p++) {
		struct portion *portion = &portions->found[n_confirmed];
		size_t n_items = 0;
		*portion = portions->found[p];
		for (size_t i = 0; i < n; i++) {
			n_items += portion_holds(portion, items, i);
		}
		struct student_groups groups =
		    means_of_runs(comparison, stage, items, n, floor_ns, portion);
		double in_run = (double)MOST(n_items, 1) * comparison_share(comparison);
		double prior = of_item / in_run + of_run;
		n_confirmed +=
		    comparison_stands_out(comparison, &groups, prior, n, chance_max, portion);
	}
	portions->n = n_confirmed;
}

/* ---- counts ---- */

/* Of how many each run of a side has: of items of a kind, or of lanes (INTERN_NONE). */
static double *
counts_of(const struct comparison *comparison, unsigned r, uint32_t kind)
{
	const struct comparison_group *group = &comparison->group[r];
	double *counts = xcalloc(group->n, sizeof *counts);
	for (size_t k = 0; k < group->n; k++) {
		size_t at = k * intern_count(comparison->kinds) + kind;
		counts[k] =
		    (double)(kind == INTERN_NONE ? group->n_lanes[k] : group->n_of_kind[at]);
	}
	quantile_sort(counts, group->n);
	return counts;
}

/* 1: B's runs have more, -1: fewer; 0: that is not clear. Either side is apart from the other, or
 * nearly. */
static int
sign_of_counts(const struct comparison *comparison, uint32_t kind)
{
	size_t n_a = comparison->group[0].n, n_b = comparison->group[1].n;
	double *a = counts_of(comparison, 0, kind), *b = counts_of(comparison, 1, kind), u;
	double middle_a = quantile_sorted(a, n_a, 0.5);
	double middle_b = quantile_sorted(b, n_b, 0.5);
	bool is_apart = a[n_a - 1] < b[0] || b[n_b - 1] < a[0] ||
	                statistics_rank_sum(a, n_a, b, n_b, &u) < COUNTS_CHANCE;
	free(a);
	free(b);
	return !is_apart ? 0 : ORDER(middle_b, middle_a);
}

bool
comparison_kind_differs(const struct comparison *comparison, uint32_t kind, int sign)
{
	return !comparison->groups || sign_of_counts(comparison, kind) == sign;
}

bool
comparison_lanes_differ(const struct comparison *comparison)
{
	return !comparison->groups || sign_of_counts(comparison, INTERN_NONE) != 0;
}
