/*
 * What a run shows of the scheduler that ran it, so that reruns can do as it did: inputs that no
 * record tells of, what transfers took without the wait for a slot, and a planner that plans one
 * unit after another.
 */
#include "config.h"
#include "explain/parts/rerun_model.h"

#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define PLANNER_MOST 20 /* times the usual: not the planner's any more */

/* When the last of a unit's known inputs had ended; INT64_MIN if it has none. */
static int64_t
last_input(const struct rerun *rerun, uint32_t unit)
{
	const struct replay *replay = rerun->replay;
	int64_t last = INT64_MIN;
	for (size_t e = replay->first_edge[unit]; e < replay->first_edge[unit + 1]; e++) {
		const struct replay_edge *edge = &replay->edges[e];
		if (rerun_binds(rerun, edge) && edge->kind[rerun->run] != REPLAY_TRIGGER) {
			int64_t end = replay_end(replay, rerun->run, edge->from);
			last = MOST(end, last);
		}
	}
	return last;
}

/* A transfer that began when all inputs had ended waited for a slot until then, or for what no
 * record tells of: neither is its own, and a scheduler that reacts may begin it sooner. */
static void
observe_transfers(struct rerun *rerun)
{
	const struct replay *replay = rerun->replay;
	unsigned r = rerun->run;
	MEM_NEW(rerun->queued_ns, replay->n_edges);
	MEM_NEW(rerun->moved_ns, replay->n_units);
	for (uint32_t u = 0; u < replay->n_units; u++) {
		int64_t begun = INT64_MAX, arrived = INT64_MIN, last = last_input(rerun, u);
		for (size_t e = replay->first_edge[u]; e < replay->first_edge[u + 1]; e++) {
			const struct replay_edge *edge = &replay->edges[e];
			if (edge->kind[r] == REPLAY_EARLY && rerun_binds(rerun, edge)) {
				int64_t queued = time_sub(edge->begun_ns[r], last);
				rerun->queued_ns[e] = MOST(queued, 0);
			} else if (edge->kind[r] == REPLAY_LATE && rerun_binds(rerun, edge)) {
				begun = LEAST(edge->begun_ns[r], begun);
				arrived = MOST(edge->arrived_ns[r], arrived);
			}
		}
		rerun->moved_ns[u] = arrived > begun ? time_sub(arrived, begun) : 0;
	}
}

static size_t
count_by(const int64_t *times, size_t n, int64_t time_ns)
{
	size_t low = 0;
	ORDER_FIND(low, n, middle, times[middle] <= time_ns);
	return low;
}

/* When units were given to their slots, and when they ended: by item, and in order. */
struct occupancy {
	int64_t *given_ns, *in_order, *ends;
	size_t n;
};

/* SCHEDULE_NO_TIME: none is known. */
static int64_t
planned_time(const struct schedule *schedule, size_t i)
{
	uint32_t task = schedule->items[i].task;
	return task == SCHEDULE_NONE ? SCHEDULE_NO_TIME : schedule->tasks[task].planned_ns;
}

static struct occupancy
observe_occupancy(const struct rerun *rerun)
{
	const struct schedule *schedule = rerun->replay->run[rerun->run].schedule;
	size_t n = schedule->n_items;
	struct occupancy occupancy = {.n = n};
	MEM_NEW(occupancy.given_ns, n);
	MEM_NEW(occupancy.in_order, n);
	MEM_NEW(occupancy.ends, n);
	for (size_t i = 0; i < n; i++) {
		const struct schedule_item *item = &schedule->items[i];
		int64_t planned = planned_time(schedule, i);
		planned = planned == SCHEDULE_NO_TIME ? item->start_ns : planned;
		occupancy.given_ns[i] = occupancy.in_order[i] =
		    time_sub(planned, schedule->start_ns);
		occupancy.ends[i] = time_sub(item->end_ns, schedule->start_ns);
	}
	SORT(occupancy.in_order, n, order_int64);
	SORT(occupancy.ends, n, order_int64);
	return occupancy;
}

static void
occupancy_fini(struct occupancy *occupancy)
{
	free(occupancy->given_ns);
	free(occupancy->in_order);
	free(occupancy->ends);
}

static size_t
held_at(const struct occupancy *occupancy, int64_t time_ns)
{
	size_t given = count_by(occupancy->in_order, occupancy->n, time_ns);
	size_t ended = count_by(occupancy->ends, occupancy->n, time_ns);
	return given > ended ? given - ended : 0;
}

/* Planned times answer ends. Where the planner is slow, that does not show; but one scheduler ran
 * both runs, and what has inputs came by no timetable. */
static bool
is_scheduled(const struct rerun *rerun)
{
	const struct replay_run *runs = rerun->replay->run;
	return runs[rerun->run].schedule->n_edges > 0 || runs[0].rules.is_reacting ||
	       runs[1].rules.is_reacting;
}

/* What a unit made is there for others on its lane without a transfer, so that no record tells of
 * it. But one that was given to its slot right after the end of the one before it there, while
 * others had nothing to do, waited for what that one made. */
static void
find_hidden_inputs(struct rerun *rerun)
{
	const struct replay *replay = rerun->replay;
	const struct replay_run *run = &replay->run[rerun->run];
	int64_t tolerance = run->rules.reaction_ns * REPLAY_REACTION_TOLERANCE;
	MEM_NEW(rerun->hidden, replay->n_units);
	MEM_NEW(rerun->hidden_out, replay->n_units);
	memset(rerun->hidden, 0xff, replay->n_units * sizeof *rerun->hidden);
	memset(rerun->hidden_out, 0xff, replay->n_units * sizeof *rerun->hidden_out);
	if (!is_scheduled(rerun)) {
		return;
	}
	struct occupancy occupancy = observe_occupancy(rerun);
	for (size_t i = 0; i < run->schedule->n_items; i++) {
		uint32_t before = run->previous[i], unit = run->unit[i];
		if (before == SCHEDULE_NONE || planned_time(run->schedule, i) == SCHEDULE_NO_TIME) {
			continue;
		}
		int64_t end = replay_end(replay, rerun->run, run->unit[before]);
		int64_t delay = time_sub(occupancy.given_ns[i], end);
		if (delay >= 0 && delay <= tolerance && end > last_input(rerun, unit) &&
		    held_at(&occupancy, time_sub(end, 1)) < run->n_slots &&
		    held_at(&occupancy, time_sub(end, tolerance)) < run->n_slots) {
			rerun->hidden[unit] = run->unit[before];
			rerun->hidden_out[run->unit[before]] = unit;
			rerun->n_inputs[unit]++;
		}
	}
	occupancy_fini(&occupancy);
}

/* When a unit's slot was free, and its inputs had ended. */
static int64_t
observed_ready(const struct rerun *rerun, uint32_t unit)
{
	uint32_t before = rerun->order.previous[unit];
	int64_t inputs = last_input(rerun, unit), ready = rerun->replay->floor_ns;
	ready = MOST(inputs, ready);
	if (before != SCHEDULE_NONE) {
		int64_t end = replay_end(rerun->replay, rerun->run, before);
		ready = MOST(end, ready);
	}
	return ready;
}

/* Planned times one after another: what passed since the one before, or since the unit was ready,
 * is the planner's. What is far beyond the usual waited for something else. */
static void
observe_planner(struct rerun *rerun)
{
	const struct replay *replay = rerun->replay;
	const struct replay_run *run = &replay->run[rerun->run];
	struct occupancy occupancy = observe_occupancy(rerun);
	int64_t *usual = xcalloc(occupancy.n + 1, sizeof *usual);
	MEM_NEW(rerun->service_ns, replay->n_units);
	MEM_NEW(rerun->rest_ns, replay->n_units);
	MEM_NEW(rerun->is_planned, replay->n_units);
	for (size_t i = 0; i < occupancy.n; i++) {
		uint32_t unit = run->unit[i];
		int64_t planned = occupancy.given_ns[i], ready = observed_ready(rerun, unit);
		size_t n_before = count_by(occupancy.in_order, occupancy.n, time_sub(planned, 1));
		int64_t since = n_before ? occupancy.in_order[n_before - 1] : ready;
		usual[i] = rerun->service_ns[unit] = time_sub(planned, MOST(since, ready));
	}
	SORT(usual, occupancy.n, order_int64);
	double most = (double)usual[occupancy.n / 2] * PLANNER_MOST;
	bool reacts = is_scheduled(rerun);
	for (size_t i = 0; i < occupancy.n; i++) {
		uint32_t unit = run->unit[i];
		int64_t *service = &rerun->service_ns[unit],
			start = replay_start(replay, rerun->run, unit);
		int64_t planned = occupancy.given_ns[i],
			dispatch = replay->units[unit].dispatch_ns[rerun->run];
		bool is_known = planned_time(run->schedule, i) != SCHEDULE_NO_TIME;
		rerun->is_planned[unit] =
		    reacts && is_known && *service >= 0 && (double)*service <= most;
		*service = rerun->is_planned[unit] ? *service : 0;
		int64_t rest = time_sub(start, planned);
		rerun->rest_ns[unit] = rerun->is_planned[unit] ? LEAST(rest, dispatch) : dispatch;
	}
	free(usual);
	occupancy_fini(&occupancy);
}

void
rerun_observe(struct rerun *rerun)
{
	observe_transfers(rerun);
	find_hidden_inputs(rerun);
	observe_planner(rerun);
}
