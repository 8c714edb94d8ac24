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

#include "explain/parts/replay_model.h"
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

struct rerun {
	const struct replay *replay;
	unsigned run;
	struct replay_order order;
	uint32_t *rank; /* by unit: place in the order of starts */
	uint32_t *n_inputs, *missing;
	int64_t *ends, *free_at; /* by unit, by slot */
	struct waiting *ready, *future, *slots;
};

static uint32_t
slot_of(const struct rerun *rerun, uint32_t unit)
{
	return rerun->replay->run[rerun->run].slot[rerun->replay->units[unit].item[rerun->run]];
}

/* An end that only freed the slot. */
static bool
is_slot_trigger(const struct rerun *rerun, const struct replay_edge *edge)
{
	return edge->kind[rerun->run] == REPLAY_TRIGGER &&
	       rerun->order.previous[edge->to] == edge->from;
}

static bool
binds(const struct rerun *rerun, const struct replay_edge *edge)
{
	const struct replay_unit *units = rerun->replay->units;
	return edge->kind[rerun->run] != REPLAY_ABSENT && !is_slot_trigger(rerun, edge) &&
	       units[edge->from].item[rerun->run] != SCHEDULE_NONE &&
	       units[edge->to].item[rerun->run] != SCHEDULE_NONE;
}

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
	for (uint32_t u = 0; u < rerun->replay->n_units; u++) {
		if (replay_item(rerun->replay, rerun->run, u)) {
			rerun->ready[n++] =
			    (struct waiting){replay_start(rerun->replay, rerun->run, u), u};
		}
	}
	SORT(rerun->ready, n, compare_starts);
	for (size_t i = 0; i < n; i++) {
		rerun->rank[rerun->ready[i].unit] = (uint32_t)i;
	}
	for (size_t e = 0; e < rerun->replay->n_edges; e++) {
		const struct replay_edge *edge = &rerun->replay->edges[e];
		rerun->n_inputs[edge->to] += binds(rerun, edge);
	}
}

struct rerun *
rerun_new(const struct replay *replay, unsigned run)
{
	struct rerun *rerun = xcalloc(1, sizeof *rerun);
	size_t n = replay->n_units;
	rerun->replay = replay;
	rerun->run = run;
	replay_order_make(replay, run, run, &rerun->order);
	MEM_NEW(rerun->rank, n);
	MEM_NEW(rerun->n_inputs, n);
	MEM_NEW(rerun->missing, n);
	MEM_NEW(rerun->ends, n);
	MEM_NEW(rerun->ready, n);
	MEM_NEW(rerun->future, n);
	rank_units(rerun);
	return rerun;
}

void
rerun_free(struct rerun *rerun)
{
	if (rerun) {
		replay_order_fini(&rerun->order);
		free(rerun->rank);
		free(rerun->n_inputs);
		free(rerun->missing);
		free(rerun->ends);
		free(rerun->free_at);
		free(rerun->ready);
		free(rerun->future);
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
	return rerun->replay->run[rerun->run].n_slots;
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
		const struct replay_unit *unit = &rerun->replay->units[u];
		bool is_here = unit->item[rerun->run] != SCHEDULE_NONE;
		duration_ns[u] = is_here ? unit->duration_ns[rerun->run] : 0;
		dispatch_ns[u] = is_here ? unit->dispatch_ns[rerun->run] : 0;
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
duration_of(const struct rerun *rerun, const struct rerun_change *change, uint32_t unit)
{
	int64_t ns = change->duration_ns ? change->duration_ns[unit]
	                                 : rerun->replay->units[unit].duration_ns[rerun->run];
	return change->jitter > 0 ? (int64_t)((double)ns * factor_of(change, unit)) : ns;
}

static int64_t
scaled(int64_t ns, double by)
{
	return by == 1 ? ns : (int64_t)((double)ns * by);
}

/* When a unit could start in a slot that is free from free_ns on; *ready: when it and its inputs
 * were. */
static int64_t
bound_of(const struct rerun *rerun, const struct rerun_change *change, uint32_t u, int64_t free_ns,
         int64_t *all_ready)
{
	const struct replay *replay = rerun->replay;
	const struct replay_unit *unit = &replay->units[u];
	unsigned r = rerun->run;
	int64_t ready = MOST(free_ns, replay->floor_ns), bound = ready, delay = 0;
	for (size_t e = replay->first_edge[u]; e < replay->first_edge[u + 1]; e++) {
		const struct replay_edge *edge = &replay->edges[e];
		int64_t end = rerun->ends[edge->from], arrives = end;
		if (edge->kind[r] == REPLAY_ABSENT || end == SCHEDULE_NO_TIME) {
			continue;
		}
		if (edge->kind[r] == REPLAY_TRIGGER) {
			if (change->reacts && is_slot_trigger(rerun, edge)) {
				delay = edge->delay_ns[r];
				continue;
			}
			arrives = time_add(end, edge->delay_ns[r]);
		} else if (edge->kind[r] == REPLAY_EARLY) {
			arrives = time_add(end, scaled(edge->delay_ns[r], change->transfers));
			ready = MOST(end, ready);
		} else {
			ready = MOST(end, ready);
		}
		bound = MOST(arrives, bound);
	}
	bound = MOST(time_add(ready, delay), bound);
	if (unit->transfer_ns[r] != REPLAY_NO_TRANSFER) {
		int64_t arrives = time_add(ready, scaled(unit->transfer_ns[r], change->transfers));
		bound = MOST(arrives, bound);
	}
	*all_ready = ready;
	return MOST(unit->release_ns[r], bound);
}

static int64_t
start_of(const struct rerun *rerun, const struct rerun_change *change, uint32_t u, int64_t free_ns)
{
	int64_t ready, bound = bound_of(rerun, change, u, free_ns, &ready);
	int64_t start =
	    time_add(bound, change->dispatch_ns ? change->dispatch_ns[u]
	                                        : rerun->replay->units[u].dispatch_ns[rerun->run]);
	return MOST(start, ready);
}

static int64_t
run_fixed(struct rerun *rerun, const struct rerun_change *change)
{
	int64_t last = 0;
	for (size_t k = 0; k < rerun->order.n; k++) {
		uint32_t u = rerun->order.units[k], before = rerun->order.previous[u];
		int64_t free_ns =
		    before == SCHEDULE_NONE ? rerun->replay->floor_ns : rerun->ends[before];
		rerun->ends[u] =
		    time_add(start_of(rerun, change, u, free_ns), duration_of(rerun, change, u));
		last = MOST(rerun->ends[u], last);
	}
	return last;
}

/* Of slots by when they are free; the unit's own one where it is free by then, too. */
static uint32_t
choose_slot(struct rerun *rerun, uint32_t unit, size_t n_slots, int64_t now)
{
	uint32_t own = slot_of(rerun, unit);
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

/* What waited for a unit and for nothing else becomes ready. */
static void
release(struct rerun *rerun, const struct rerun_change *change, uint32_t unit, size_t *n_future)
{
	const struct replay *replay = rerun->replay;
	for (size_t k = replay->first_out[unit]; k < replay->first_out[unit + 1]; k++) {
		const struct replay_edge *edge = &replay->edges[replay->out[k]];
		if (binds(rerun, edge) && --rerun->missing[edge->to] == 0) {
			int64_t ready;
			int64_t bound = bound_of(rerun, change, edge->to, replay->floor_ns, &ready);
			push(rerun->future, n_future, bound, edge->to);
		}
	}
}

static int64_t
run_reacting(struct rerun *rerun, const struct rerun_change *change)
{
	const struct replay *replay = rerun->replay;
	size_t n_slots = change->n_slots ? change->n_slots : rerun_slots(rerun);
	size_t n_ready = 0, n_future = 0;
	int64_t last = 0, now = replay->floor_ns;
	rerun->slots = xrealloc_array(rerun->slots, n_slots, sizeof *rerun->slots);
	rerun->free_at = xrealloc_array(rerun->free_at, n_slots, sizeof *rerun->free_at);
	for (size_t s = 0; s < n_slots; s++) {
		rerun->slots[s] = (struct waiting){now, (uint32_t)s};
		rerun->free_at[s] = now;
	}
	memcpy(rerun->missing, rerun->n_inputs, replay->n_units * sizeof *rerun->missing);
	for (uint32_t u = 0; u < replay->n_units; u++) {
		if (replay_item(replay, rerun->run, u) && rerun->missing[u] == 0) {
			int64_t ready;
			int64_t bound = bound_of(rerun, change, u, replay->floor_ns, &ready);
			push(rerun->future, &n_future, bound, u);
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
		rerun->ends[u] = time_add(MOST(start, now), duration_of(rerun, change, u));
		rerun->free_at[slot] = rerun->slots[at].key = rerun->ends[u];
		waiting_sink(rerun->slots, n_slots, at);
		last = MOST(rerun->ends[u], last);
		release(rerun, change, u, &n_future);
	}
	return last;
}

int64_t
rerun_makespan_ns(struct rerun *rerun, const struct rerun_change *change)
{
	for (size_t u = 0; u < rerun->replay->n_units; u++) {
		rerun->ends[u] = SCHEDULE_NO_TIME;
	}
	bool can_react = rerun_slots(rerun) > 0;
	return change->reacts && can_react ? run_reacting(rerun, change) : run_fixed(rerun, change);
}
