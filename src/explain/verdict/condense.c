/*
 * Runs of so many spans that they can't be matched one by one: of a lane's spans of one kind so
 * many stand for one item, which takes the time of all of them. As spans are matched by their
 * number on the lane, items of A and B stand for the same spans. What is left at a lane's end is
 * left out.
 */
#include "config.h"
#include "explain/verdict/comparison.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define ITEMS_OF_ALL ((size_t)400000) /* about as many of a run are compared */

static int
compare_items(const void *a, const void *b)
{
	const struct schedule_item *x = a, *y = b;
	ORDER_BY(x->start_ns, y->start_ns);
	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->kind, y->kind);
}

/* How many spans of each kind stand for one, the same in both runs. */
static void
decide(struct comparison *comparison)
{
	size_t n_kinds = intern_count(comparison->kinds);
	size_t each = LEAST(ITEMS_OF_ALL, matching_items_limit()) / MOST(n_kinds, 1) + 1;
	MEM_NEW(comparison->together, n_kinds);
	for (unsigned r = 0; r < 2; r++) {
		const struct schedule *run = comparison->run[r];
		size_t *n = xcalloc(n_kinds + 1, sizeof *n);
		for (size_t i = 0; i < run->n_items; i++) {
			n[comparison->kind_code[r][run->items[i].kind]]++;
		}
		for (size_t k = 0; k < n_kinds; k++) {
			uint32_t here = (uint32_t)((n[k] + each - 1) / each);
			comparison->together[k] = MOST(here, comparison->together[k]);
		}
		free(n);
	}
}

struct heap_of_spans { /* of a kind, on the lane that is looked at */
	struct schedule_item item;
	uint32_t n;
};

/* How many spans of a kind of the run stand for one; of a kind of neither run, one. */
static uint32_t *
together_in(const struct comparison *comparison, const struct schedule *run)
{
	uint32_t *together = xcalloc(run->n_kinds + 1, sizeof *together);
	for (size_t k = 0; k < run->n_kinds; k++) {
		uint32_t code = intern_find(comparison->kinds, run->kinds[k]);
		together[k] = code == INTERN_NONE ? 1 : comparison->together[code];
	}
	return together;
}

const struct schedule *
comparison_condensed(const struct comparison *comparison, const struct schedule *run,
                     struct arena *arena)
{
	struct schedule *condensed = arena_copy(arena, run, sizeof *run);
	uint32_t *together = together_in(comparison, run);
	struct schedule_item *items = NULL;
	size_t n = 0, capacity = 0;
	struct heap_of_spans *heaps = xcalloc(run->n_kinds + 1, sizeof *heaps);
	condensed->lanes = arena_copy(arena, run->lanes, run->n_lanes * sizeof *run->lanes);
	for (size_t l = 0; l < run->n_lanes; l++) {
		const struct schedule_lane *lane = &run->lanes[l];
		size_t first = n;
		memset(heaps, 0, run->n_kinds * sizeof *heaps);
		for (size_t i = lane->first; i < lane->first + lane->n; i++) {
			const struct schedule_item *item = &run->items[i];
			struct heap_of_spans *heap = &heaps[item->kind];
			if (heap->n++ == 0) {
				heap->item = *item;
			} else {
				time_raise(&heap->item.end_ns, item->end_ns - item->start_ns);
			}
			if (heap->n == together[item->kind]) {
				MEM_GROW(items, capacity, n + 1);
				items[n++] = heap->item;
				heap->n = 0;
			}
		}
		if (n > first) {
			SORT(items + first, n - first, compare_items);
		}
		condensed->lanes[l].first = first;
		condensed->lanes[l].n = n - first;
	}
	condensed->items = arena_copy(arena, items, n * sizeof *items);
	condensed->n_items = n;
	condensed->n_edges = 0;
	condensed->n_calls = 0;
	free(items);
	free(heaps);
	free(together);
	return condensed;
}

bool
comparison_condense(struct comparison *comparison)
{
	size_t most = MOST(comparison->run[0]->n_items, comparison->run[1]->n_items);
	if (most <= matching_items_limit() || comparison->run[0]->is_tasks ||
	    comparison->run[1]->is_tasks) {
		return false;
	}
	decide(comparison);
	for (unsigned r = 0; r < 2; r++) {
		comparison->run[r] =
		    comparison_condensed(comparison, comparison->run[r], comparison->arena);
	}
	return true;
}
