/*
 * Stages of a task. A planned time answers an end: of the task's last known input, or of the item
 * before it on its lane; where these say nothing, the last end anywhere. A controller plans one
 * task after another, so its delay is what passed since that end and since it planned another. What
 * is far beyond the usual of the run was spent on waiting for something else (an input that the
 * trace does not show), which is no stage but the schedule's doing.
 */
#include "config.h"
#include "explain/verdict/comparison.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define TOGETHER 5      /* times nearer to each other than their starts: ends that are one */
#define WAITS_MIN 8     /* items of a kind */
#define WAITS_SHARE 0.9 /* of half of them: of two that end together one comes first */
#define JUMP_MAX 0.2    /* of the makespan */
#define REACTION_MAX 20 /* times the usual: not the controller's any more */

const char *
comparison_kind(const struct comparison *comparison, uint32_t code)
{
	return intern_text(comparison->kinds, code).ptr;
}

static void
intern_names(struct comparison *comparison, unsigned r)
{
	const struct schedule *schedule = comparison->run[r];
	MEM_NEW(comparison->kind_code[r], schedule->n_kinds);
	MEM_NEW(comparison->lane_code[r], schedule->n_lanes);
	MEM_NEW(comparison->host_code[r], schedule->n_lanes);
	for (size_t k = 0; k < schedule->n_kinds; k++) {
		comparison->kind_code[r][k] = intern_id(comparison->kinds, schedule->kinds[k]);
	}
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		comparison->lane_code[r][l] =
		    intern_id(comparison->lanes, schedule_lane_name(schedule, l));
		comparison->host_code[r][l] =
		    intern_id(comparison->hosts, schedule_text(schedule, schedule->lanes[l].host));
	}
}

static int
compare_integers_up(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;
	return ORDER(*x, *y);
}

/* Of the ends in order the last by a time; INT64_MIN if none. */
static int64_t
last_by(const int64_t *ends, size_t n, int64_t time_ns)
{
	size_t low = 0;
	ORDER_FIND(low, n, middle, ends[middle] <= time_ns);
	return low == 0 ? INT64_MIN : ends[low - 1];
}

static int64_t
between(int64_t from, int64_t to)
{
	return from == SCHEDULE_NO_TIME || to == SCHEDULE_NO_TIME || from > to ? STAGE_UNKNOWN
	                                                                       : to - from;
}

static int64_t *
sorted_ends(const struct schedule *schedule)
{
	int64_t *ends = xcalloc(schedule->n_items + 1, sizeof *ends);
	for (size_t i = 0; i < schedule->n_items; i++) {
		ends[i] = schedule->items[i].end_ns;
	}
	SORT(ends, schedule->n_items, compare_integers_up);
	return ends;
}

/* Planned times in order: a controller plans one task after another. */
static int64_t *
sorted_plans(const struct schedule *schedule, size_t *n)
{
	int64_t *plans = xcalloc(schedule->n_tasks + 1, sizeof *plans);
	*n = 0;
	for (size_t t = 0; t < schedule->n_tasks; t++) {
		if (schedule->tasks[t].planned_ns != SCHEDULE_NO_TIME) {
			plans[(*n)++] = schedule->tasks[t].planned_ns;
		}
	}
	SORT(plans, *n, compare_integers_up);
	return plans;
}

/* Delays of planning that are far beyond the usual wait for something else. */
static void
drop_waits(int64_t *delays, size_t n)
{
	int64_t *known = xcalloc(n + 1, sizeof *known);
	size_t n_known = 0;
	for (size_t i = 0; i < n; i++) {
		if (delays[i] != STAGE_UNKNOWN) {
			known[n_known++] = delays[i];
		}
	}
	SORT(known, n_known, compare_integers_up);
	int64_t most = n_known ? known[n_known / 2] * REACTION_MAX : 0;
	for (size_t i = 0; i < n; i++) {
		if (delays[i] > most) {
			delays[i] = STAGE_UNKNOWN;
		}
	}
	free(known);
}

/* When the last of an item's inputs was there; INT64_MIN if none is known. */
static int64_t
last_arrival(const struct schedule *schedule, uint32_t item)
{
	int64_t last = INT64_MIN;
	for (size_t e = schedule_first_edge_to(schedule, item);
	     e < schedule->n_edges && schedule->edges[e].to == item; e++) {
		int64_t arrival = schedule_arrival_ns(schedule, &schedule->edges[e]);
		last = MOST(arrival, last);
	}
	return last;
}

/* When the last of an item's known inputs was made; INT64_MIN if none is known. */
static int64_t
last_input(const struct schedule *schedule, uint32_t item)
{
	int64_t last = INT64_MIN;
	for (size_t e = schedule_first_edge_to(schedule, item);
	     e < schedule->n_edges && schedule->edges[e].to == item; e++) {
		int64_t end = schedule->items[schedule->edges[e].from].end_ns;
		last = MOST(end, last);
	}
	return last;
}

void
comparison_measure_stages(const struct schedule *schedule, int64_t *const stage[STAGES])
{
	size_t n_plans;
	int64_t *plans = sorted_plans(schedule, &n_plans);
	int64_t *ends = sorted_ends(schedule);
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		stage[STAGE_RUN][i] = between(item->start_ns, item->end_ns);
		stage[STAGE_PLAN][i] = stage[STAGE_COMMUNICATE][i] = stage[STAGE_BEGIN][i] =
		    STAGE_UNKNOWN;
		if (item->task == SCHEDULE_NONE) {
			continue;
		}
		const struct schedule_task *task = &schedule->tasks[item->task];
		int64_t planned = task->planned_ns, enqueued = task->enqueued_ns;
		int64_t slot_free = i > schedule->lanes[item->lane].first
		                        ? schedule->items[i - 1].end_ns
		                        : INT64_MIN;
		if (planned != SCHEDULE_NO_TIME) {
			int64_t inputs = last_input(schedule, (uint32_t)i);
			int64_t end = MOST(slot_free, inputs);
			if (end == INT64_MIN || end > planned) {
				end = last_by(ends, schedule->n_items, planned);
			}
			int64_t before = last_by(plans, n_plans, planned - 1);
			end = MOST(before, end);
			stage[STAGE_PLAN][i] = end == INT64_MIN ? STAGE_UNKNOWN : planned - end;
		}
		stage[STAGE_COMMUNICATE][i] = between(planned, enqueued);
		if (enqueued != SCHEDULE_NO_TIME && slot_free <= item->start_ns) {
			int64_t inputs = last_arrival(schedule, (uint32_t)i);
			slot_free = MOST(inputs, slot_free);
			stage[STAGE_BEGIN][i] = between(MOST(enqueued, slot_free), item->start_ns);
		}
	}
	drop_waits(stage[STAGE_PLAN], schedule->n_items);
	free(ends);
	free(plans);
}

struct ended {
	int64_t end_ns, ns;
	uint32_t kind, lane;
};

static int
compare_ended(const void *a, const void *b)
{
	const struct ended *x = a, *y = b;
	ORDER_BY(x->kind, y->kind);
	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->lane, y->lane);
}

/* Two that began apart, on two lanes, and ended as one. */
static bool
end_together(const struct ended *x, const struct ended *y)
{
	int64_t apart = llabs((y->end_ns - y->ns) - (x->end_ns - x->ns));
	return x->lane != y->lane && (y->end_ns - x->end_ns) * TOGETHER < apart;
}

/* Kinds of which most end together on several lanes: their time is what others made them wait. */
static void
find_waits(struct comparison *comparison)
{
	const struct schedule *b = comparison->run[1];
	struct ended *ended = xcalloc(b->n_items + 1, sizeof *ended);
	MEM_NEW(comparison->is_wait, intern_count(comparison->kinds));
	for (size_t i = 0; i < b->n_items; i++) {
		const struct schedule_item *item = &b->items[i];
		ended[i] = (struct ended){item->end_ns, item->end_ns - item->start_ns, item->kind,
		                          item->lane};
	}
	SORT(ended, b->n_items, compare_ended);
	for (size_t from = 0, to; from < b->n_items; from = to) {
		size_t n_together = 0;
		for (to = from; to < b->n_items && ended[to].kind == ended[from].kind; to++) {
			n_together += to > from && end_together(&ended[to - 1], &ended[to]);
		}
		comparison->is_wait[comparison->kind_code[1][ended[from].kind]] =
		    to - from >= WAITS_MIN && n_together * 2 >= (to - from) * WAITS_SHARE;
	}
	free(ended);
}

static int
measure_run(void *user, size_t r, unsigned thread, struct err *err)
{
	struct comparison *comparison = user;
	(void)thread, (void)err;
	for (int s = 0; s < STAGES; s++) {
		MEM_NEW(comparison->stage_ns[r][s], comparison->run[r]->n_items);
	}
	comparison_measure_stages(comparison->run[r], comparison->stage_ns[r]);
	const struct rerun_change placed = {RERUN_AS_WAS};
	const struct rerun_change reacts = {RERUN_AS_WAS, .reacts = true};
	struct rerun *rerun = rerun_new(comparison->replay, (unsigned)r);
	comparison->rerun[r] = rerun;
	if (comparison->run[r]->is_tasks) {
		comparison->placed_ns[r] = (double)rerun_makespan_ns(rerun, &placed);
		comparison->reacting_ns[r] = (double)rerun_makespan_ns(rerun, &reacts);
	}
	return 0;
}

/* What is too much to be matched one by one is condensed before. */
static const struct matching *
match(struct comparison *comparison, struct err *err)
{
	struct explain *explain = comparison->explain;
	if (comparison_condense(comparison)) {
		comparison->own_matching =
		    matching_new(comparison->run[0], comparison->run[1], explain->cancel, err);
		comparison->matching = comparison->own_matching;
	} else {
		comparison->matching = explain_matching(explain, err);
	}
	return comparison->matching;
}

struct comparison *
comparison_new(struct explain *explain, struct err *err)
{
	struct comparison *comparison = xcalloc(1, sizeof *comparison);
	comparison->explain = explain;
	comparison->group[0].n = comparison->group[1].n = 1;
	comparison->makespans.per_figure = 2;
	comparison->kinds = intern_new();
	comparison->lanes = intern_new();
	comparison->hosts = intern_new();
	comparison->arena = arena_new();
	if (explain_schedules(explain, &comparison->run[0], &comparison->run[1], err)) {
		comparison_free(comparison);
		return NULL;
	}
	intern_names(comparison, 0);
	intern_names(comparison, 1);
	if (!match(comparison, err)) {
		comparison_free(comparison);
		return NULL;
	}
	MEM_NEW(comparison->clock_ns, intern_count(comparison->hosts));
	comparison->run[1] = clocks_corrected(comparison, comparison->arena);
	comparison->replay = replay_new(comparison->run[0], comparison->run[1],
	                                comparison->matching, explain->cancel, err);
	if (!comparison->replay) {
		comparison_free(comparison);
		return NULL;
	}
	find_waits(comparison);
	if (workers_run(LEAST(workers_count(), 2), 2, measure_run, comparison, explain->cancel,
	                err)) {
		comparison_free(comparison);
		return NULL;
	}
	return comparison;
}

void
comparison_free(struct comparison *comparison)
{
	if (!comparison) {
		return;
	}
	for (unsigned r = 0; r < 2; r++) {
		rerun_free(comparison->rerun[r]);
		free(comparison->kind_code[r]);
		free(comparison->lane_code[r]);
		free(comparison->host_code[r]);
		for (int s = 0; s < STAGES; s++) {
			free(comparison->stage_ns[r][s]);
		}
	}
	comparison_free_groups(comparison);
	replay_free(comparison->replay);
	matching_free(comparison->own_matching);
	free(comparison->together);
	intern_free(comparison->kinds);
	intern_free(comparison->lanes);
	intern_free(comparison->hosts);
	free(comparison->clock_ns);
	free(comparison->is_wait);
	arena_free(comparison->arena);
	free(comparison);
}

struct portion_item *
comparison_items(const struct comparison *comparison, enum comparison_stage stage, int64_t floor_ns,
                 size_t *n)
{
	const struct schedule *b = comparison->run[1];
	if (comparison_is_spread(comparison)) {
		return comparison_spread_items(comparison, stage, floor_ns, n);
	}
	struct portion_item *items = xcalloc(b->n_items + 1, sizeof *items);
	*n = 0;
	for (size_t j = 0; j < b->n_items; j++) {
		uint32_t i = comparison->matching->a_of_b[j];
		int64_t a_ns =
		    i == MATCHING_NONE ? STAGE_UNKNOWN : comparison->stage_ns[0][stage][i];
		int64_t b_ns = comparison->stage_ns[1][stage][j];
		if (a_ns == STAGE_UNKNOWN || b_ns == STAGE_UNKNOWN ||
		    (a_ns < floor_ns && b_ns < floor_ns)) {
			continue;
		}
		const struct schedule_item *item = &b->items[j];
		if (!b->is_tasks && comparison->is_wait[comparison->kind_code[1][item->kind]]) {
			continue;
		}
		items[(*n)++] = (struct portion_item){
		    .ratio = log((double)MOST(b_ns, floor_ns) / (double)MOST(a_ns, floor_ns)),
		    .at_ns = item->start_ns,
		    .unit = (uint32_t)j,
		    .ns = (double)b_ns,
		    .code = {comparison->kind_code[1][item->kind],
		             comparison->lane_code[1][item->lane],
		             comparison->host_code[1][item->lane]},
		};
	}
	return items;
}

void
comparison_codes(const struct comparison *comparison, uint32_t n_codes[PORTION_ATTRIBUTES])
{
	n_codes[PORTION_KIND] = intern_count(comparison->kinds);
	n_codes[PORTION_LANE] = intern_count(comparison->lanes);
	n_codes[PORTION_HOST] = intern_count(comparison->hosts);
}

int64_t
comparison_total_ns(const struct comparison *comparison, unsigned run, enum comparison_stage stage)
{
	int64_t total = 0;
	for (size_t i = 0; i < comparison->run[run]->n_items; i++) {
		int64_t ns = comparison->stage_ns[run][stage][i];
		total = ns == STAGE_UNKNOWN ? total : time_add(total, ns);
	}
	return total;
}

int64_t
comparison_jump_ns(const struct comparison *comparison)
{
	int64_t longest = 0, makespan = 0;
	for (unsigned r = 0; r < 2; r++) {
		const struct schedule *run = comparison->run[r];
		int64_t all = explain_makespan_ns(run);
		makespan = MOST(all, makespan);
		for (size_t i = 0; i < run->n_items; i++) {
			int64_t ns = comparison->stage_ns[r][STAGE_RUN][i];
			longest = MOST(ns, longest);
		}
	}
	return LEAST(longest, (int64_t)(JUMP_MAX * (double)makespan));
}
