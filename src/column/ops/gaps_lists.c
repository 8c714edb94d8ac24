/*
 * Spans into the lists of their cells. There may be many, a few of which have spans in a batch of
 * blocks; so a cell has a list while something is in it, and lists go from cell to cell with their
 * memory, which costs more to be had anew than to be filled.
 */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

void
gaps_lists_init(struct finding *finding)
{
	size_t n_cells = (size_t)finding->dataset.n_lanes + 1;

	MEM_NEW(finding->swept, n_cells);
	MEM_NEW(finding->threads, finding->scan.n_threads);
	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		struct cell_lists *lists = &finding->threads[t];
		lists->slot_of_cell = xmalloc(n_cells * sizeof *lists->slot_of_cell);
		memset(lists->slot_of_cell, 0xff, n_cells * sizeof *lists->slot_of_cell);
	}
}

void
gaps_lists_drop(struct finding *finding)
{
	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		struct cell_lists *lists = &finding->threads[t];
		for (size_t slot = 0; slot < lists->lists.n; slot++) {
			if (lists->cell_of_slot[slot] != UINT32_MAX) {
				lists->slot_of_cell[lists->cell_of_slot[slot]] = UINT32_MAX;
			}
		}
		interval_lists_drop(&lists->lists, 1);
		lists->n_free = 0;
	}
	atomic_store(&finding->budget.used_bytes, 0);
}

void
gaps_lists_fini(struct finding *finding)
{
	if (!finding->threads) {
		return;
	}
	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		struct cell_lists *lists = &finding->threads[t];
		interval_lists_drop(&lists->lists, 1);
		free(lists->cell_of_slot);
		free(lists->slot_of_cell);
		free(lists->free_slots);
	}
	free(finding->threads);
	free(finding->swept);
}

/* A list for a cell that has none. */
static struct interval_list *
take_list(struct cell_lists *lists, uint32_t cell)
{
	uint32_t slot = (uint32_t)lists->lists.n;

	if (lists->n_free > 0) {
		slot = lists->free_slots[--lists->n_free];
	} else {
		interval_lists_grow(&lists->lists, (size_t)slot + 1);
		MEM_GROW(lists->cell_of_slot, lists->slot_capacity, lists->lists.n);
	}
	lists->cell_of_slot[slot] = cell;
	lists->slot_of_cell[cell] = slot;
	return &lists->lists.lists[slot];
}

size_t
gaps_lists_cells(const struct finding *finding)
{
	size_t n = 0;

	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		const struct cell_lists *lists = &finding->threads[t];
		for (size_t slot = 0; slot < lists->lists.n; slot++) {
			uint32_t cell = lists->cell_of_slot[slot];
			bool is_new = cell != UINT32_MAX;
			for (unsigned before = 0; before < t && is_new; before++) {
				is_new = !gaps_list(&finding->threads[before], cell);
			}
			if (is_new) {
				finding->swept[n++] = cell;
			}
		}
	}
	return n;
}

void
gaps_lists_release(struct finding *finding)
{
	bool has_little = finding->budget.used_bytes > finding->budget.limit_bytes / 2;

	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		struct cell_lists *lists = &finding->threads[t];
		for (size_t slot = 0; slot < lists->lists.n; slot++) {
			struct interval_list *list = &lists->lists.lists[slot];
			if (list->n > 0) {
				continue;
			}
			if (has_little) {
				interval_list_free(list, &finding->budget);
			}
			if (lists->cell_of_slot[slot] != UINT32_MAX) {
				lists->slot_of_cell[lists->cell_of_slot[slot]] = UINT32_MAX;
				lists->cell_of_slot[slot] = UINT32_MAX;
				MEM_GROW(lists->free_slots, lists->free_capacity,
				         lists->n_free + 1);
				lists->free_slots[lists->n_free++] = (uint32_t)slot;
			}
		}
	}
}

/* False: the budget is used up. Spans out of the scope's range are not counted, but cover what they
 * cover. */
static inline bool
add_span(struct finding *finding, struct interval_list *list, int64_t start_ns, int64_t end_ns)
{
	const struct dataset_scope *scope = &finding->scope;

	if (!interval_list_add(list, &finding->budget, start_ns, MOST(end_ns, start_ns))) {
		return false;
	}
	if (scope->has_range && (start_ns >= scope->end_ns ||
	                         (end_ns <= scope->start_ns && start_ns < scope->start_ns))) {
		list->n_spans--;
	}
	return true;
}

int
gaps_take_chunk(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	struct finding *finding = user;
	struct cell_lists *lists = &finding->threads[chunk->view->thread];
	struct row_codes lanes;

	(void)slot;
	(void)err;
	if (!span_chunk_lanes(chunk, finding->lane_slot, &lanes)) {
		return 0;
	}
	for (uint32_t i = 0; i < chunk->n; i++) {
		uint32_t row = chunk->rows[i];
		uint32_t cell = gaps_cell(finding, lanes.map[lanes.values[row]]);
		struct interval_list *list = gaps_list(lists, cell);
		if (!list) {
			list = take_list(lists, cell);
		}
		if (!add_span(finding, list, chunk->starts.values[row], chunk->ends.values[row])) {
			return 1;
		}
	}
	return 0;
}
