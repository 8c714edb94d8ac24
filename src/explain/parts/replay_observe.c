/*
 * What one run shows about its delays.
 *
 * The start of an item is taken apart, so that putting the same pieces together again gives the
 * same start:
 *
 *   ready     the item before it in its slot has ended, and so have all its inputs
 *   early     ... and the transfers have arrived that were begun before it was ready
 *   late      + the time until the transfers arrived that were begun once it was ready
 *   planned   ... and the scheduler had planned it
 *   dispatch  + the rest
 *
 * A transfer that begins before its task is ready depends on its source alone (prefetching); one
 * that begins afterwards is the reaction of a scheduler to the task being ready, and would move
 * with it. Where the task becomes ready by the very input that is then moved, both look the same;
 * it counts as early where the run is seen to prefetch elsewhere.
 *
 * A planned time is mostly the scheduler's answer to some task's end, and then nothing of its own:
 * if tasks ran faster it would come sooner. So where planned times follow an end anywhere in the
 * run far more closely than chance would have it (their median distance is below a quarter of the
 * median distance between ends), an item that is planned later than its known inputs explain is
 * bound to that end (there is an input that the trace does not show), else, if it has no inputs,
 * to the planned time as it is (work that arrives by a timetable). An item planned right after it
 * was ready needs neither: that delay is dispatch.
 */
#include "config.h"
#include "explain/parts/replay_model.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define REACTIONS_MIN 8   /* fewer planned times tell nothing */
#define REACTION_SHARE 4  /* of the distance between ends */
#define PREFETCH_SHARE 20 /* one transfer in so many begun early: the run prefetches */

static int
compare_times(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return ORDER(x, y);
}

static int64_t
median(int64_t *times, size_t n)
{
	if (n == 0) {
		return 0;
	}
	SORT(times, n, compare_times);
	return times[n / 2];
}

/* When the slot was free and all inputs had ended. */
static int64_t
find_ready(const struct replay *replay, unsigned r, uint32_t unit)
{
	const struct replay_run *run = &replay->run[r];
	uint32_t item = replay->units[unit].item[r], before = run->previous[item];
	int64_t ready = replay->floor_ns;
	if (before != SCHEDULE_NONE) {
		ready = run->schedule->items[before].end_ns - run->schedule->start_ns;
	}
	for (size_t e = replay->first_edge[unit]; e < replay->first_edge[unit + 1]; e++) {
		const struct replay_edge *edge = &replay->edges[e];
		if (edge->kind[r] != REPLAY_ABSENT && edge->kind[r] != REPLAY_TRIGGER) {
			int64_t end = replay_end(replay, r, edge->from);
			ready = MOST(end, ready);
		}
	}
	return ready;
}

/* By unit; SCHEDULE_NO_TIME for those that are not in the run. */
static int64_t *
find_all_ready(const struct replay *replay, unsigned r)
{
	int64_t *ready = xcalloc(replay->n_units, sizeof *ready);
	for (uint32_t u = 0; u < replay->n_units; u++) {
		bool is_here = replay->units[u].item[r] != SCHEDULE_NONE;
		ready[u] = is_here ? find_ready(replay, r, u) : SCHEDULE_NO_TIME;
	}
	return ready;
}

static void
find_prefetching(struct replay *replay, unsigned r, const int64_t *ready)
{
	size_t n = 0, n_early = 0;
	for (size_t e = 0; e < replay->n_edges; e++) {
		const struct replay_edge *edge = &replay->edges[e];
		if (edge->kind[r] == REPLAY_LATE) {
			n++;
			n_early += edge->begun_ns[r] < ready[edge->to];
		}
	}
	replay->run[r].rules.n_transfers = n;
	replay->run[r].rules.is_prefetching = n_early > 0 && n_early >= n / PREFETCH_SHARE;
}

/* Decides for each transfer whether it is early, and what it takes. */
static void
measure_transfers(struct replay *replay, unsigned r, const int64_t *all_ready)
{
	struct replay_run *run = &replay->run[r];
	for (uint32_t u = 0; u < replay->n_units; u++) {
		struct replay_unit *unit = &replay->units[u];
		unit->transfer_ns[r] = REPLAY_NO_TRANSFER;
		if (unit->item[r] == SCHEDULE_NONE) {
			continue;
		}
		int64_t ready = all_ready[u], start = replay_start(replay, r, u);
		for (size_t e = replay->first_edge[u]; e < replay->first_edge[u + 1]; e++) {
			struct replay_edge *edge = &replay->edges[e];
			if (edge->kind[r] != REPLAY_LATE) {
				continue;
			}
			int64_t arrival = LEAST(edge->arrived_ns[r], start);
			if (run->rules.is_prefetching || edge->begun_ns[r] < ready) {
				int64_t delay =
				    time_sub(arrival, replay_end(replay, r, edge->from));
				edge->kind[r] = REPLAY_EARLY;
				edge->delay_ns[r] = MOST(delay, 0);
				continue;
			}
			int64_t waited = arrival > ready ? arrival - ready : 0;
			unit->transfer_ns[r] = MOST(unit->transfer_ns[r], waited);
			edge->delay_ns[r] = 0;
		}
	}
}

struct unit_end {
	int64_t end_ns;
	uint32_t unit;
};

static int
compare_ended(const void *a, const void *b)
{
	const struct unit_end *x = a, *y = b;
	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->unit, y->unit);
}

static struct unit_end *
sort_ends(const struct replay *replay, unsigned r)
{
	const struct replay_run *run = &replay->run[r];
	size_t n = run->schedule->n_items;
	struct unit_end *ends = xcalloc(n, sizeof *ends);
	for (size_t i = 0; i < n; i++) {
		ends[i] = (struct unit_end){
		    run->schedule->items[i].end_ns - run->schedule->start_ns, run->unit[i]};
	}
	SORT(ends, n, compare_ended);
	return ends;
}

/* The last that ended by a time; NULL: none. */
static const struct unit_end *
last_ended(const struct unit_end *ends, size_t n, int64_t time_ns)
{
	size_t low = 0, high = n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (ends[middle].end_ns <= time_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low == 0 ? NULL : &ends[low - 1];
}

/* Planned time of a unit; SCHEDULE_NO_TIME if it has none that could have held it back. */
static int64_t
planned_time(const struct replay *replay, unsigned r, uint32_t u)
{
	const struct schedule_item *item = replay_item(replay, r, u);
	const struct schedule *schedule = replay->run[r].schedule;
	if (!item || item->task == SCHEDULE_NONE) {
		return SCHEDULE_NO_TIME;
	}
	int64_t planned = schedule->tasks[item->task].planned_ns;
	if (planned == SCHEDULE_NO_TIME || planned > item->start_ns ||
	    planned < schedule->start_ns) {
		return SCHEDULE_NO_TIME;
	}
	return planned - schedule->start_ns;
}

static void
find_reactions(struct replay *replay, unsigned r, const struct unit_end *ends)
{
	struct replay_rules *rules = &replay->run[r].rules;
	size_t n_ends = replay->run[r].schedule->n_items, n = 0, n_gaps = 0;
	int64_t *reactions = xcalloc(replay->n_units, sizeof *reactions);
	int64_t *gaps = xcalloc(n_ends, sizeof *gaps);
	for (uint32_t u = 0; u < replay->n_units; u++) {
		int64_t planned = planned_time(replay, r, u);
		const struct unit_end *last =
		    planned == SCHEDULE_NO_TIME ? NULL : last_ended(ends, n_ends, planned);
		if (last) {
			reactions[n++] = planned - last->end_ns;
		}
	}
	for (size_t i = 1; i < n_ends; i++) {
		gaps[n_gaps++] = ends[i].end_ns - ends[i - 1].end_ns;
	}
	rules->reaction_ns = median(reactions, n);
	rules->is_reacting =
	    n >= REACTIONS_MIN && rules->reaction_ns < median(gaps, n_gaps) / REACTION_SHARE;
	free(reactions);
	free(gaps);
}

static void
add_trigger(struct replay *replay, size_t *capacity, unsigned r, uint32_t from, uint32_t to,
            int64_t delay_ns)
{
	replay->edges =
	    mem_grow(replay->edges, capacity, replay->n_edges + 1, sizeof *replay->edges);
	struct replay_edge *edge = &replay->edges[replay->n_edges++];
	*edge = (struct replay_edge){.from = from, .to = to};
	edge->kind[r] = REPLAY_TRIGGER;
	edge->delay_ns[r] = delay_ns;
}

static bool
has_inputs(const struct replay *replay, unsigned r, uint32_t u)
{
	for (size_t e = replay->first_edge[u]; e < replay->first_edge[u + 1]; e++) {
		if (replay->edges[e].kind[r] != REPLAY_ABSENT) {
			return true;
		}
	}
	return false;
}

/* Binds items whose planned time is later than what is known explains. */
static void
bind_planned(struct replay *replay, unsigned r, const int64_t *ready, const struct unit_end *ends)
{
	struct replay_rules *rules = &replay->run[r].rules;
	size_t n_ends = replay->run[r].schedule->n_items, capacity = replay->n_edges;
	int64_t tolerance = rules->is_reacting ? rules->reaction_ns * REPLAY_REACTION_TOLERANCE : 0;
	for (uint32_t u = 0; u < replay->n_units; u++) {
		replay->units[u].release_ns[r] = SCHEDULE_NO_TIME;
		int64_t planned = planned_time(replay, r, u);
		if (planned == SCHEDULE_NO_TIME) {
			continue;
		}
		int64_t late = planned - ready[u];
		if (rules->is_reacting ? late >= 0 && late <= tolerance
		                       : has_inputs(replay, r, u)) {
			continue;
		}
		const struct unit_end *last =
		    rules->is_reacting ? last_ended(ends, n_ends, planned) : NULL;
		if (last &&
		    replay_runs_before(replay->run[r].schedule, replay->units[last->unit].item[r],
		                       replay->units[u].item[r])) {
			add_trigger(replay, &capacity, r, last->unit, u, planned - last->end_ns);
			rules->n_triggered++;
		} else {
			replay->units[u].release_ns[r] = planned;
		}
	}
}

/* What is left between all that held a unit back and its start. */
static void
measure_dispatch(struct replay *replay, unsigned r, const int64_t *all_ready)
{
	for (uint32_t u = 0; u < replay->n_units; u++) {
		struct replay_unit *unit = &replay->units[u];
		if (unit->item[r] == SCHEDULE_NONE) {
			continue;
		}
		int64_t ready = all_ready[u], bound = ready;
		for (size_t e = replay->first_edge[u]; e < replay->first_edge[u + 1]; e++) {
			const struct replay_edge *edge = &replay->edges[e];
			if (edge->kind[r] == REPLAY_EARLY || edge->kind[r] == REPLAY_TRIGGER) {
				int64_t at =
				    time_add(replay_end(replay, r, edge->from), edge->delay_ns[r]);
				bound = MOST(at, bound);
			}
		}
		if (unit->transfer_ns[r] != REPLAY_NO_TRANSFER) {
			int64_t at = time_add(ready, unit->transfer_ns[r]);
			bound = MOST(at, bound);
		}
		bound = MOST(unit->release_ns[r], bound);
		int64_t dispatch = time_sub(replay_start(replay, r, u), bound);
		unit->dispatch_ns[r] = MOST(dispatch, 0);
	}
}

void
replay_observe(struct replay *replay)
{
	int64_t *ready[2];
	for (unsigned r = 0; r < 2; r++) {
		ready[r] = find_all_ready(replay, r);
		find_prefetching(replay, r, ready[r]);
		measure_transfers(replay, r, ready[r]);
	}
	for (unsigned r = 0; r < 2; r++) {
		struct unit_end *ends = sort_ends(replay, r);
		find_reactions(replay, r, ends);
		bind_planned(replay, r, ready[r], ends);
		free(ends);
	}
	replay_index_edges(replay);
	for (unsigned r = 0; r < 2; r++) {
		measure_dispatch(replay, r, ready[r]);
		free(ready[r]);
	}
}
