/*
 * A lane that runs several items at once (a worker with threads) is split into slots that run one
 * at a time, as few as it takes: an item goes into the slot that became free last, so that a
 * slot's gaps stay short and the item before it is the one whose end could have let it start.
 * Items come in order of start; running ones stand in a heap by end, free slots on a stack. O(n
 * log n).
 */
#include "config.h"
#include "explain/parts/replay_model.h"

#include <stdlib.h>

#include "util/heap.h"
#include "util/mem.h"

struct running {
	int64_t end_ns;
	uint32_t slot, item;
};

struct slots {
	struct running *heap; /* by end, the first to end on top */
	size_t n_heap;
	struct running *free_slots; /* the last to become free on top */
	size_t n_free;
};

static inline bool
ends_first(const struct running *a, const struct running *b)
{
	return a->end_ns < b->end_ns;
}
HEAP(running, struct running, ends_first)

void
replay_split_lanes(struct replay_run *run)
{
	const struct schedule *schedule = run->schedule;
	size_t n = schedule->n_items;
	struct slots slots = {xcalloc(n, sizeof *slots.heap), 0,
	                      xcalloc(n, sizeof *slots.free_slots), 0};
	run->slot = xcalloc(n, sizeof *run->slot);
	run->previous = xcalloc(n, sizeof *run->previous);
	run->n_slots = 0;
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		const struct schedule_lane *lane = &schedule->lanes[l];
		slots.n_heap = slots.n_free = 0;
		for (size_t i = lane->first; i < lane->first + lane->n; i++) {
			const struct schedule_item *item = &schedule->items[i];
			while (slots.n_heap > 0 && slots.heap[0].end_ns <= item->start_ns) {
				slots.free_slots[slots.n_free++] =
				    running_pop(slots.heap, slots.n_heap--);
			}
			struct running next = {item->end_ns, 0, (uint32_t)i};
			run->previous[i] = SCHEDULE_NONE;
			if (slots.n_free > 0) {
				next.slot = slots.free_slots[--slots.n_free].slot;
				run->previous[i] = slots.free_slots[slots.n_free].item;
			} else {
				next.slot = (uint32_t)run->n_slots++;
			}
			run->slot[i] = next.slot;
			slots.heap[slots.n_heap] = next;
			running_rise(slots.heap, slots.n_heap++);
		}
	}
	free(slots.heap);
	free(slots.free_slots);
}
