/*
 * The order in which a replay computes its units, for a task set of one run placed as in the
 * other.
 *
 * On each slot units stand as they ran in the run that gives the placement. A unit which that run
 * does not have goes where the matched unit before it on its own slot went, right behind it (else
 * in front of the next matched one; else, where nothing on its slot is matched, at the front of a
 * slot with its number).
 *
 * Slots and edges together give a partial order; units are taken as soon as all they wait for has
 * been (Kahn). Placement and edges of different runs may contradict each other: then the unit that
 * would start first is put in its place all the same and the edges that would hold it are passed
 * over. One order serves all replays of the same two runs, each of which is then one pass over an
 * array.
 */
#include "config.h"
#include "explain/parts/replay_model.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

struct place {
	uint32_t slot, unit;
	int64_t at;    /* item of the placing run that it stands at; -1: before all */
	int64_t shift; /* behind (> 0) or before it */
	int64_t start_ns;
};

static int
compare_in_slot(const struct place *x, const struct place *y)
{
	ORDER_BY(x->at, y->at);
	ORDER_BY(x->shift, y->shift);
	return ORDER(x->unit, y->unit);
}

static int
compare_by_slot(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	return x->slot != y->slot ? (x->slot < y->slot ? -1 : 1) : compare_in_slot(x, y);
}

static int
compare_by_start(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	return x->start_ns != y->start_ns ? (x->start_ns < y->start_ns ? -1 : 1)
	                                  : compare_in_slot(x, y);
}

static struct place
place_at(const struct replay *replay, unsigned p, uint32_t unit, uint32_t at_unit, int64_t shift)
{
	uint32_t item = replay->units[at_unit].item[p];
	return (struct place){replay->run[p].slot[item], unit, item, shift,
	                      replay_start(replay, p, at_unit)};
}

/* Places units of run t that run p does not have. anchor: by slot of t, the last unit seen on
 * it. */
static void
place_others(const struct replay *replay, unsigned t, unsigned p, struct place *place_of)
{
	const struct replay_run *run = &replay->run[t];
	size_t n = run->schedule->n_items;
	uint32_t *anchor = xcalloc(run->n_slots, sizeof *anchor);
	for (int backward = 0; backward < 2; backward++) {
		memset(anchor, 0xff, run->n_slots * sizeof *anchor);
		for (size_t k = 0; k < n; k++) {
			size_t i = backward ? n - 1 - k : k;
			uint32_t unit = run->unit[i], slot = run->slot[i];
			if (replay->units[unit].item[p] != SCHEDULE_NONE) {
				anchor[slot] = unit;
			} else if (anchor[slot] != SCHEDULE_NONE &&
			           place_of[i].unit == SCHEDULE_NONE) {
				int64_t distance = replay_start(replay, t, unit) -
				                   replay_start(replay, t, anchor[slot]);
				place_of[i] = place_at(replay, p, unit, anchor[slot],
				                       distance + (backward ? -1 : 1));
			}
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (place_of[i].unit == SCHEDULE_NONE) {
			size_t n_slots = replay->run[p].n_slots;
			uint32_t slot = n_slots > 0 ? run->slot[i] % (uint32_t)n_slots : 0;
			place_of[i] =
			    (struct place){slot, run->unit[i], -1,
			                   replay_start(replay, t, run->unit[i]), INT64_MIN};
		}
	}
	free(anchor);
}

/* Units of run t as run p has them, lane by lane; false where p lacks some. */
static bool
place_all(const struct replay *replay, unsigned t, unsigned p, struct place *places)
{
	const struct replay_run *run = &replay->run[p];
	size_t n = 0;
	for (size_t j = 0; j < run->schedule->n_items; j++) {
		uint32_t unit = run->unit[j];
		if (replay->units[unit].item[t] != SCHEDULE_NONE) {
			places[n++] = place_at(replay, p, unit, unit, 0);
		}
	}
	return n == replay->run[t].schedule->n_items;
}

static bool
is_sorted(const struct place *places, size_t n)
{
	for (size_t k = 1; k < n; k++) {
		if (compare_by_slot(&places[k - 1], &places[k]) > 0) {
			return false;
		}
	}
	return true;
}

/* By slot, and in order on each. */
static struct place *
make_places(const struct replay *replay, unsigned t, unsigned p)
{
	const struct replay_run *run = &replay->run[t];
	size_t n = run->schedule->n_items;
	struct place *places = xcalloc(n, sizeof *places);
	if (!place_all(replay, t, p, places)) {
		for (size_t i = 0; i < n; i++) {
			uint32_t unit = run->unit[i];
			places[i].unit = SCHEDULE_NONE;
			if (replay->units[unit].item[p] != SCHEDULE_NONE) {
				places[i] = place_at(replay, p, unit, unit, 0);
			}
		}
		place_others(replay, t, p, places);
	}
	if (!is_sorted(places, n)) {
		SORT(places, n, compare_by_slot);
	}
	return places;
}

struct queue_of_units {
	uint32_t *waits_for; /* how many a unit still waits for; DONE once it is taken */
	uint32_t *after;     /* in its slot */
	uint32_t *units;     /* taken, in order; also the queue */
	size_t n;
};
#define DONE UINT32_MAX

static bool
binds(const struct replay_edge *edge, unsigned p)
{
	return edge->kind[p] != REPLAY_ABSENT;
}

static void
count_down(struct queue_of_units *queue, uint32_t unit)
{
	if (queue->waits_for[unit] != DONE && --queue->waits_for[unit] == 0) {
		queue->waits_for[unit] = DONE;
		queue->units[queue->n++] = unit;
	}
}

/* Takes all that can be, from the units in the queue from `at` on. */
static size_t
take(const struct replay *replay, unsigned p, struct queue_of_units *queue, size_t at)
{
	for (; at < queue->n; at++) {
		uint32_t unit = queue->units[at];
		if (queue->after[unit] != SCHEDULE_NONE) {
			count_down(queue, queue->after[unit]);
		}
		for (size_t k = replay->first_out[unit]; k < replay->first_out[unit + 1]; k++) {
			const struct replay_edge *edge = &replay->edges[replay->out[k]];
			if (binds(edge, p)) {
				count_down(queue, edge->to);
			}
		}
	}
	return at;
}

/* waits_for stays DONE for units that are not in the set. */
static void
count_waits(const struct replay *replay, unsigned p, const struct replay_order *order,
            const struct place *places, size_t n, struct queue_of_units *queue)
{
	memset(queue->waits_for, 0xff, replay->n_units * sizeof *queue->waits_for);
	for (size_t k = 0; k < n; k++) {
		queue->waits_for[places[k].unit] = 0;
	}
	for (size_t k = 0; k < n; k++) {
		uint32_t unit = places[k].unit, waits = order->previous[unit] != SCHEDULE_NONE;
		for (size_t e = replay->first_edge[unit]; e < replay->first_edge[unit + 1]; e++) {
			const struct replay_edge *edge = &replay->edges[e];
			waits += binds(edge, p) && queue->waits_for[edge->from] != DONE;
		}
		queue->waits_for[unit] = waits;
	}
	for (size_t k = 0; k < n; k++) {
		uint32_t unit = places[k].unit;
		if (queue->waits_for[unit] == 0) {
			queue->waits_for[unit] = DONE;
			queue->units[queue->n++] = unit;
		}
	}
}

void
replay_order_make(const struct replay *replay, unsigned tasks, unsigned placement,
                  struct replay_order *order)
{
	size_t n = replay->run[tasks].schedule->n_items, n_units = replay->n_units;
	struct place *places = make_places(replay, tasks, placement);
	order->previous = xcalloc(n_units, sizeof *order->previous);
	order->units = xcalloc(n, sizeof *order->units);
	order->n_broken = 0;
	struct queue_of_units queue = {xcalloc(n_units, sizeof *queue.waits_for),
	                               xcalloc(n_units, sizeof *queue.after), order->units, 0};
	memset(order->previous, 0xff, n_units * sizeof *order->previous);
	memset(queue.after, 0xff, n_units * sizeof *queue.after);
	for (size_t k = 1; k < n; k++) {
		if (places[k].slot == places[k - 1].slot) {
			order->previous[places[k].unit] = places[k - 1].unit;
			queue.after[places[k - 1].unit] = places[k].unit;
		}
	}
	count_waits(replay, placement, order, places, n, &queue);
	size_t at = take(replay, placement, &queue, 0);
	if (queue.n < n) { /* a cycle */
		SORT(places, n, compare_by_start);
		for (size_t k = 0; k < n; k++) {
			if (queue.waits_for[places[k].unit] != DONE) {
				order->n_broken++;
				queue.waits_for[places[k].unit] = 1;
				count_down(&queue, places[k].unit);
				at = take(replay, placement, &queue, at);
			}
		}
	}
	order->n = queue.n;
	free(queue.waits_for);
	free(queue.after);
	free(places);
}

void
replay_order_fini(struct replay_order *order)
{
	free(order->units);
	free(order->previous);
}
