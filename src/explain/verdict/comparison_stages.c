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

#define JUMP_MAX 0.2    /* of the makespan */
#define REACTION_MAX 20 /* times the usual: not the controller's any more */

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
	SORT(ends, schedule->n_items, order_int64);
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
	SORT(plans, *n, order_int64);
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
	SORT(known, n_known, order_int64);
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

/* A span that others cut runs as long as all of its stretches, and its first stands for them. */
static void
measure_runs(const struct schedule *schedule, int64_t *run)
{
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		int64_t ns = between(item->start_ns, item->end_ns);
		uint32_t head = schedule_head(schedule, i);
		run[i] = head == i ? ns : STAGE_UNKNOWN;
		if (head != i) { /* which stands before it */
			time_raise(&run[head], ns);
		}
	}
}

void
comparison_measure_stages(const struct schedule *schedule, int64_t *const stage[STAGES])
{
	size_t n_plans;
	int64_t *plans = sorted_plans(schedule, &n_plans);
	int64_t *ends = sorted_ends(schedule);
	measure_runs(schedule, stage[STAGE_RUN]);
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
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
