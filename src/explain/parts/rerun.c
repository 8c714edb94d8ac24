/*
 * Reruns of one run.
 *
 * A scheduler that reacts is a list scheduler: units whose inputs are there wait in the order in
 * which the run started them; whenever a slot is free the first of them takes it, its own slot
 * where that is free too, else the one that has been free longest. A planned time that followed
 * the end of the item before it in the same slot says only that the slot was free: such triggers
 * do not bind, their delay goes with the unit.
 */
#include "config.h"
#include "explain/parts/rerun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/parts/rerun_model.h"
#include "util/heap.h"
#include "util/intervals.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/order.h"

#define SLOTS_PREFERRED_MAX 1024 /* with more, a unit's own slot is not asked for */

struct waiting {
	int64_t key; /* when it is ready, or its rank */
	uint32_t unit;
};

static inline bool
is_first(const struct waiting *a, const struct waiting *b)
{
	return a->key != b->key ? a->key < b->key : a->unit < b->unit;
}
HEAP(waiting, struct waiting, is_first)

static int
compare_starts(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;
	ORDER_BY(x->key, y->key);
	return ORDER(x->unit, y->unit);
}

static void
rank_units(struct rerun *rerun)
{
	size_t n = 0;
	struct waiting *starts = xcalloc(rerun->replay->n_units, sizeof *starts);
	for (uint32_t u = 0; u < rerun->replay->n_units; u++) {
		if (replay_item(rerun->replay, rerun->run, u)) {
			starts[n++] =
			    (struct waiting){replay_start(rerun->replay, rerun->run, u), u};
		}
	}
	SORT(starts, n, compare_starts);
	for (size_t i = 0; i < n; i++) {
		rerun->rank[starts[i].unit] = (uint32_t)i;
	}
	free(starts);
	for (size_t e = 0; e < rerun->replay->n_edges; e++) {
		const struct replay_edge *edge = &rerun->replay->edges[e];
		rerun->n_inputs[edge->to] += rerun_binds(rerun, edge);
	}
}

struct rerun *
rerun_new(const struct replay *replay, unsigned run)
{
	struct rerun *rerun = xcalloc(1, sizeof *rerun);
	size_t n = replay->n_units;
	rerun->replay = replay;
	rerun->run = run;
	replay_order_make(replay, run, &rerun->order);
	MEM_NEW(rerun->rank, n);
	MEM_NEW(rerun->n_inputs, n);
	MEM_NEW(rerun->ends, n);
	MEM_NEW(rerun->lane, rerun_slots(rerun));
	for (size_t i = 0; i < replay->run[run].schedule->n_items; i++) {
		rerun->lane[replay->run[run].slot[i]] = replay->run[run].schedule->items[i].lane;
	}
	rank_units(rerun);
	rerun_observe(rerun);
	return rerun;
}

struct rerun *
rerun_beside(const struct rerun *first)
{
	struct rerun *rerun = xcalloc(1, sizeof *rerun);
	*rerun = *first;
	rerun->borrows = true;
	rerun->free_at = NULL;
	rerun->slots = NULL;
	MEM_NEW(rerun->ends, rerun_units(rerun));
	return rerun;
}

static void
free_observed(struct rerun *rerun)
{
	replay_order_fini(&rerun->order);
	free(rerun->rank);
	free(rerun->n_inputs);
	free(rerun->lane);
	free(rerun->service_ns);
	free(rerun->rest_ns);
	free(rerun->is_planned);
	free(rerun->queued_ns);
	free(rerun->moved_ns);
	free(rerun->hidden);
	free(rerun->hidden_out);
}

void
rerun_free(struct rerun *rerun)
{
	if (rerun) {
		if (!rerun->borrows) {
			free_observed(rerun);
		}
		free(rerun->ends);
		free(rerun->free_at);
		free(rerun->slots);
		free(rerun);
	}
}

size_t
rerun_units(const struct rerun *rerun)
{
	return rerun->replay->n_units;
}

size_t
rerun_slots(const struct rerun *rerun)
{
	return replay_slots(rerun->replay, rerun->run);
}

uint32_t
rerun_lane_of(const struct rerun *rerun, size_t slot)
{
	return rerun->lane[slot];
}

uint32_t
rerun_unit_of(const struct rerun *rerun, uint32_t item)
{
	return rerun->replay->run[rerun->run].unit[item];
}

void
rerun_observed(const struct rerun *rerun, int64_t *duration_ns, int64_t *dispatch_ns)
{
	for (size_t u = 0; u < rerun->replay->n_units; u++) {
		duration_ns[u] = rerun->replay->units[u].duration_ns[rerun->run];
		dispatch_ns[u] = rerun->replay->units[u].dispatch_ns[rerun->run];
	}
}

/* ---- one rerun ---- */

/* Of a unit's duration: near 1, by the sum of twelve equal chances, which is nearly normal. */
static double
factor_of(const struct rerun_change *change, uint32_t unit)
{
	uint64_t bits = hash_mix(change->seed * UINT64_C(0x9e3779b97f4a7c15) + unit + 1);
	double sum = 0;
	for (int i = 0; i < 3; i++, bits = hash_mix(bits + 1)) {
		for (int part = 0; part < 4; part++) {
			sum += (double)(bits >> (16 * part) & 0xffff) / 65536;
		}
	}
	return exp((sum - 6) * change->jitter);
}

static int64_t
scaled(int64_t ns, double by)
{
	return by == 1 ? ns : time_of_real((double)ns * by);
}

static int64_t
duration_of(const struct rerun *rerun, const struct rerun_change *change, uint32_t unit,
            uint32_t slot)
{
	int64_t ns = change->duration_ns ? change->duration_ns[unit]
	                                 : rerun->replay->units[unit].duration_ns[rerun->run];
	ns = change->speed ? scaled(ns, change->speed[slot]) : ns;
	return change->jitter > 0 ? scaled(ns, factor_of(change, unit)) : ns;
}

/* What holds a unit back, one after the other. */
struct bounds {
	int64_t ready;   /* its slot is free, and its inputs have ended */
	int64_t planned; /* and what a scheduler answered to, as far as that is known */
	int64_t arrived; /* and what it needs is there */
};

/* The run that tells how long a unit is planned; NULL: none is asked. */
static const struct rerun *
waits_of(const struct rerun *rerun, const struct rerun_change *change, uint32_t unit)
{
	const struct rerun *waits = change->reacts ? change->waits : NULL;
	bool is_there = waits && rerun->replay->units[unit].item[waits->run] != SCHEDULE_NONE;
	return waits && !is_there ? rerun : waits;
}

/* In a slot that is free from free_ns on. */
static struct bounds
bounds_of(const struct rerun *rerun, const struct rerun_change *change, uint32_t u, int64_t free_ns)
{
	const struct replay *replay = rerun->replay;
	const struct replay_unit *unit = &replay->units[u];
	const struct rerun *waits = waits_of(rerun, change, u);
	bool is_moved = change->moves && unit->item[change->moves->run] != SCHEDULE_NONE;
	const struct rerun *moves = is_moved ? change->moves : rerun;
	unsigned r = rerun->run, t = moves->run;
	int64_t ready = MOST(free_ns, replay->floor_ns), delay = 0;
	bool is_planned = waits && rerun->is_planned[u];
	int64_t planned = is_planned ? SCHEDULE_NO_TIME : unit->release_ns[r], arrived = ready;
	if (change->reacts && rerun->hidden[u] != SCHEDULE_NONE) {
		ready = MOST(rerun->ends[rerun->hidden[u]], ready);
	}
	for (size_t e = replay->first_edge[u]; e < replay->first_edge[u + 1]; e++) {
		const struct replay_edge *edge = &replay->edges[e];
		int64_t end = rerun->ends[edge->from], after = edge->delay_ns[r];
		if (edge->kind[r] == REPLAY_ABSENT || end == SCHEDULE_NO_TIME) {
			continue;
		}
		if (edge->kind[r] == REPLAY_TRIGGER) {
			after = scaled(after, change->delays);
			bool is_slot = change->reacts && rerun_is_slot_trigger(rerun, edge);
			if (is_planned) {
				continue;
			}
			delay = is_slot ? after : delay;
			planned = is_slot ? planned : MOST(time_add(end, after), planned);
			continue;
		}
		ready = MOST(end, ready);
		if (edge->kind[t] == REPLAY_EARLY) {
			after = edge->delay_ns[t] - (change->reacts ? moves->queued_ns[e] : 0);
			int64_t at = time_add(end, scaled(after, change->transfers));
			arrived = MOST(at, arrived);
		}
	}
	planned = MOST(time_add(ready, delay), planned);
	if (waits) {
		planned = time_add(MOST(rerun->planner_ns, planned),
		                   scaled(waits->service_ns[u], change->delays));
	}
	arrived = MOST(planned, arrived);
	if (unit->transfer_ns[t] != REPLAY_NO_TRANSFER) {
		int64_t from = change->reacts ? planned : ready;
		int64_t ns = change->reacts ? moves->moved_ns[u] : unit->transfer_ns[t];
		int64_t at = time_add(from, scaled(ns, change->transfers));
		arrived = MOST(at, arrived);
	}
	return (struct bounds){ready, planned, arrived};
}

static int64_t
start_of(struct rerun *rerun, const struct rerun_change *change, uint32_t u, int64_t free_ns)
{
	struct bounds bounds = bounds_of(rerun, change, u, free_ns);
	const struct rerun *waits = waits_of(rerun, change, u);
	int64_t dispatch = waits                 ? waits->rest_ns[u]
	                   : change->dispatch_ns ? change->dispatch_ns[u]
	                                         : rerun->replay->units[u].dispatch_ns[rerun->run];
	int64_t start = time_add(bounds.arrived, scaled(dispatch, change->delays));
	if (waits) {
		rerun->planner_ns = MOST(bounds.planned, rerun->planner_ns);
	}
	return MOST(start, bounds.ready);
}

static int64_t
run_fixed(struct rerun *rerun, const struct rerun_change *change)
{
	int64_t last = 0;
	for (size_t k = 0; k < rerun->order.n; k++) {
		uint32_t u = rerun->order.units[k], before = rerun->order.previous[u];
		int64_t free_ns =
		    before == SCHEDULE_NONE ? rerun->replay->floor_ns : rerun->ends[before];
		rerun->ends[u] = time_add(start_of(rerun, change, u, free_ns),
		                          duration_of(rerun, change, u, rerun_slot_of(rerun, u)));
		last = MOST(rerun->ends[u], last);
	}
	return last;
}

/* Of slots by when they are free; the unit's own one where it is free by then, too. */
static uint32_t
choose_slot(struct rerun *rerun, uint32_t unit, size_t n_slots, int64_t now)
{
	uint32_t own = rerun_slot_of(rerun, unit);
	if (own < n_slots && n_slots <= SLOTS_PREFERRED_MAX && rerun->free_at[own] <= now) {
		for (size_t i = 0; i < n_slots; i++) {
			if (rerun->slots[i].unit == own) {
				return (uint32_t)i;
			}
		}
	}
	return 0;
}

static void
push(struct waiting *heap, size_t *n, int64_t key, uint32_t unit)
{
	heap[*n] = (struct waiting){key, unit};
	waiting_rise(heap, (*n)++);
}

/* Of the inputs of a unit one more has ended. */
static void
count_down(struct rerun *rerun, const struct rerun_change *change, uint32_t unit, size_t *n_future)
{
	if (--rerun->missing[unit] == 0) {
		struct bounds bounds = bounds_of(rerun, change, unit, rerun->replay->floor_ns);
		push(rerun->future, n_future, bounds.planned, unit);
	}
}

/* What waited for a unit and for nothing else becomes ready. */
static void
release(struct rerun *rerun, const struct rerun_change *change, uint32_t unit, size_t *n_future)
{
	const struct replay *replay = rerun->replay;
	for (size_t k = replay->first_out[unit]; k < replay->first_out[unit + 1]; k++) {
		const struct replay_edge *edge = &replay->edges[replay->out[k]];
		if (rerun_binds(rerun, edge)) {
			count_down(rerun, change, edge->to, n_future);
		}
	}
	if (rerun->hidden_out[unit] != SCHEDULE_NONE) {
		count_down(rerun, change, rerun->hidden_out[unit], n_future);
	}
}

static int64_t
run_reacting(struct rerun *rerun, const struct rerun_change *change)
{
	const struct replay *replay = rerun->replay;
	size_t n_slots = change->n_slots ? change->n_slots : rerun_slots(rerun);
	size_t n_ready = 0, n_future = 0;
	int64_t last = 0, now = replay->floor_ns;
	MEM_NEW(rerun->ready, replay->n_units);
	MEM_NEW(rerun->future, replay->n_units);
	MEM_NEW(rerun->missing, replay->n_units);
	rerun->slots = xrealloc_array(rerun->slots, n_slots, sizeof *rerun->slots);
	rerun->free_at = xrealloc_array(rerun->free_at, n_slots, sizeof *rerun->free_at);
	for (size_t s = 0; s < n_slots; s++) {
		rerun->slots[s] = (struct waiting){now, (uint32_t)s};
		rerun->free_at[s] = now;
	}
	memcpy(rerun->missing, rerun->n_inputs, replay->n_units * sizeof *rerun->missing);
	for (uint32_t u = 0; u < replay->n_units; u++) {
		if (replay_item(replay, rerun->run, u) && rerun->missing[u] == 0) {
			struct bounds bounds = bounds_of(rerun, change, u, now);
			push(rerun->future, &n_future, bounds.planned, u);
		}
	}
	while (n_ready + n_future > 0) {
		now = MOST(rerun->slots[0].key, now);
		if (n_ready == 0) {
			now = MOST(rerun->future[0].key, now);
		}
		while (n_future > 0 && rerun->future[0].key <= now) {
			struct waiting next = waiting_pop(rerun->future, n_future--);
			push(rerun->ready, &n_ready, rerun->rank[next.unit], next.unit);
		}
		uint32_t u = waiting_pop(rerun->ready, n_ready--).unit;
		uint32_t at = choose_slot(rerun, u, n_slots, now);
		uint32_t slot = rerun->slots[at].unit;
		int64_t start = start_of(rerun, change, u, rerun->slots[at].key);
		rerun->ends[u] = time_add(MOST(start, now), duration_of(rerun, change, u, slot));
		rerun->free_at[slot] = rerun->slots[at].key = rerun->ends[u];
		waiting_sink(rerun->slots, n_slots, at);
		last = MOST(rerun->ends[u], last);
		release(rerun, change, u, &n_future);
	}
	free(rerun->ready);
	free(rerun->future);
	free(rerun->missing);
	return last;
}

int64_t
rerun_makespan_ns(struct rerun *rerun, const struct rerun_change *change)
{
	for (size_t u = 0; u < rerun->replay->n_units; u++) {
		rerun->ends[u] = SCHEDULE_NO_TIME;
	}
	rerun->planner_ns = rerun->replay->floor_ns;
	bool can_react = rerun_slots(rerun) > 0;
	return change->reacts && can_react ? run_reacting(rerun, change) : run_fixed(rerun, change);
}

struct rerun_least
rerun_least(struct rerun *rerun)
{
	const struct replay *replay = rerun->replay;
	struct rerun_least least = {0};
	size_t n_slots = MOST(rerun_slots(rerun), 1);
	for (size_t k = 0; k < rerun->order.n; k++) {
		uint32_t u = rerun->order.units[k];
		int64_t ns = replay->units[u].duration_ns[rerun->run], chain = 0;
		for (size_t e = replay->first_edge[u]; e < replay->first_edge[u + 1]; e++) {
			const struct replay_edge *edge = &replay->edges[e];
			if (rerun_binds(rerun, edge) && edge->kind[rerun->run] != REPLAY_TRIGGER) {
				chain = MOST(rerun->ends[edge->from], chain);
			}
		}
		rerun->ends[u] = time_add(chain, ns);
		least.chain_ns = MOST(rerun->ends[u], least.chain_ns);
		least.work_ns = time_add(least.work_ns, ns);
	}
	least.work_ns /= (int64_t)n_slots;
	return least;
}
