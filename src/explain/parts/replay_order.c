/*
 * The order in which a rerun computes its units: on each slot as they ran, and each behind all that
 * it waits for (Kahn). What was observed never goes in a circle, so that every unit comes by its
 * turn; one order serves all reruns of a run, each of which is then one pass over an array.
 */
#include "config.h"
#include "explain/parts/replay_model.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

struct queue_of_units {
	uint32_t *waits_for; /* how many a unit still waits for */
	uint32_t *after;     /* in its slot */
};

static bool
binds(const struct replay *replay, unsigned run, const struct replay_edge *edge)
{
	return edge->kind[run] != REPLAY_ABSENT &&
	       replay->units[edge->from].item[run] != SCHEDULE_NONE &&
	       replay->units[edge->to].item[run] != SCHEDULE_NONE;
}

static void
count_down(struct replay_order *order, struct queue_of_units *queue, uint32_t unit)
{
	if (--queue->waits_for[unit] == 0) {
		order->units[order->n++] = unit;
	}
}

static void
count_waits(const struct replay *replay, unsigned r, struct replay_order *order,
            struct queue_of_units *queue)
{
	const struct replay_run *run = &replay->run[r];
	for (size_t i = 0; i < run->schedule->n_items; i++) {
		uint32_t unit = run->unit[i], before = run->previous[i];
		if (before != SCHEDULE_NONE) {
			order->previous[unit] = run->unit[before];
			queue->after[run->unit[before]] = unit;
			queue->waits_for[unit]++;
		}
		for (size_t e = replay->first_edge[unit]; e < replay->first_edge[unit + 1]; e++) {
			queue->waits_for[unit] += binds(replay, r, &replay->edges[e]);
		}
		if (queue->waits_for[unit] == 0) {
			order->units[order->n++] = unit;
		}
	}
}

void
replay_order_make(const struct replay *replay, unsigned r, struct replay_order *order)
{
	size_t n_units = replay->n_units;
	struct queue_of_units queue;
	order->n = 0;
	MEM_NEW(order->units, replay->run[r].schedule->n_items);
	MEM_NEW(order->previous, n_units);
	MEM_NEW(queue.waits_for, n_units);
	MEM_NEW(queue.after, n_units);
	memset(order->previous, 0xff, n_units * sizeof *order->previous);
	memset(queue.after, 0xff, n_units * sizeof *queue.after);
	count_waits(replay, r, order, &queue);
	for (size_t at = 0; at < order->n; at++) {
		uint32_t unit = order->units[at];
		if (queue.after[unit] != SCHEDULE_NONE) {
			count_down(order, &queue, queue.after[unit]);
		}
		for (size_t k = replay->first_out[unit]; k < replay->first_out[unit + 1]; k++) {
			const struct replay_edge *edge = &replay->edges[replay->out[k]];
			if (binds(replay, r, edge)) {
				count_down(order, &queue, edge->to);
			}
		}
	}
	free(queue.waits_for);
	free(queue.after);
}

void
replay_order_fini(struct replay_order *order)
{
	free(order->units);
	free(order->previous);
}
