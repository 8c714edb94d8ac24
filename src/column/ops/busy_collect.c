/*
 * From blocks to unions of intervals by cell.
 *
 * Records stand in the order in which their calls began or ended, so what is added to a list mostly
 * touches or contains its last intervals: they are merged at once, from the end, and the list stays
 * sorted. Only what lies before its last interval makes it unsorted; such a list is sorted in the
 * end.
 */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/workers.h"

#define FIRST_CAPACITY 16

static bool
has_room(struct busy_side *side, size_t bytes)
{
	size_t used = atomic_fetch_add_explicit(side->used_bytes, bytes, memory_order_relaxed);

	if (used + bytes > side->memory_bytes) {
		atomic_store_explicit(&side->is_full, true, memory_order_relaxed);
		return false;
	}
	return true;
}

static bool
list_add(struct busy_side *side, struct busy_list *list, int64_t start, int64_t end)
{
	while (list->n > 0 && !list->is_unsorted) {
		struct interval *last = &list->intervals[list->n - 1];
		if (last->end < start) {
			break;
		}
		if (last->start > end) {
			list->is_unsorted = true;
			break;
		}
		start = last->start < start ? last->start : start;
		end = last->end > end ? last->end : end;
		list->n--;
	}
	if (list->n == list->capacity) {
		if (list->is_unsorted) {
			list->n = intervals_union(list->intervals, list->n);
			list->is_unsorted = list->n > 0; /* what follows may lie anywhere */
		}
		if (list->n * 2 >= list->capacity) {
			size_t capacity = list->capacity ? list->capacity * 2 : FIRST_CAPACITY;
			if (!has_room(side,
			              (capacity - list->capacity) * sizeof *list->intervals)) {
				return false;
			}
			list->intervals =
			    xrealloc_array(list->intervals, capacity, sizeof *list->intervals);
			list->capacity = capacity;
		}
	}
	list->intervals[list->n++] = (struct interval){start, end};
	return true;
}

static void
grow_lists(struct busy_thread *thread, size_t n)
{
	size_t before = thread->capacity;

	MEM_GROW(thread->lists, thread->capacity, n);
	if (thread->capacity > before) {
		memset(thread->lists + before, 0,
		       (thread->capacity - before) * sizeof *thread->lists);
	}
	thread->n_lists = n > thread->n_lists ? n : thread->n_lists;
}

static int
add_chunk(struct busy_side *side, struct busy_thread *thread, struct block_view *view)
{
	int64_t start_scratch[CHUNK_ROWS], end_scratch[CHUNK_ROWS];
	const struct sums_thread *sums = thread->sums;
	struct row_integers starts =
	    row_column_read(ROW_START, &side->start_slots, view, start_scratch);
	struct row_integers ends = row_column_read(ROW_END, &side->end_slots, view, end_scratch);

	if (starts.n_present < view->n || ends.n_present < view->n) {
		return 0; /* damaged: every row has its times */
	}
	for (uint32_t i = 0; i < sums->n_rows; i++) {
		uint32_t row = sums->rows ? sums->rows[i] : i;
		uint32_t cell = sums->groups[row];
		int64_t start = starts.values[row], end = ends.values[row];
		if (start < end && start >= side->first_ns && start <= side->last_ns &&
		    cell < thread->n_lists && !list_add(side, &thread->lists[cell], start, end)) {
			return 1;
		}
	}
	return 0;
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct busy_side *side = user;
	struct busy_thread *thread = &side->threads[view->thread];
	enum filter_verdict verdict = filter_open(thread->sums->filter_state, view);

	(void)slot;
	while (verdict != FILTER_NONE && block_view_next(view)) {
		if (sums_thread_rows(thread->sums, view, verdict,
		                     side->is_known ? &side->table : NULL, err) < 0) {
			return -1;
		}
		if (thread->sums->n_rows == 0) {
			continue;
		}
		if (!side->is_known) {
			grow_lists(thread, thread->sums->table.n_groups);
		}
		bool is_full = atomic_load_explicit(&side->is_full, memory_order_relaxed) ||
		               add_chunk(side, thread, view) != 0;
		if (is_full && side->is_known) {
			return 1;
		}
		/* Last: it takes the records that stand for many calls out of the rows. */
		if (!side->is_known && sums_add_chunk(thread->sums, view, err) < 0) {
			return -1;
		}
	}
	return 0;
}

static bool
block_wanted(void *user, const struct block_info *block)
{
	const struct busy_side *side = user;

	return block->start_min <= side->last_ns && block->start_max >= side->first_ns &&
	       filter_prune(side->threads[0].sums->filter_state, block) != FILTER_NONE;
}

static bool
block_sift(void *user, struct block_view *view)
{
	const struct busy_side *side = user;

	return filter_open(side->threads[0].sums->filter_state, view) != FILTER_NONE;
}

/* All threads' cells and totals become the side's. */
static int
join_tables(struct busy_side *side, struct err *err)
{
	struct sums_thread *first = side->threads[0].sums;

	atomic_store_explicit(&side->n_groups, first->table.n_groups, memory_order_relaxed);
	for (unsigned t = 1; t < side->n_threads; t++) {
		struct busy_thread *thread = &side->threads[t];
		thread->cells =
		    xcalloc((size_t)thread->sums->table.n_groups + 1, sizeof *thread->cells);
		if (sums_thread_merge(first, thread->sums, thread->cells, err) < 0) {
			return -1;
		}
	}
	side->table = first->table;
	side->totals = first->totals;
	group_table_init(&first->table, side->plan.coders.n);
	first->totals = (struct group_totals){0};
	side->is_known = true;
	return 0;
}

int
busy_collect(struct busy_side *side, struct err *err)
{
	struct block_loop loop = {.dataset = side->plan.dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = &side->plan.fields,
	                          .end = SIZE_MAX,
	                          .user = side,
	                          .wanted = block_wanted,
	                          .sift = side->plan.n_sift ? block_sift : NULL,
	                          .n_sift = side->plan.n_sift,
	                          .scan = scan_block,
	                          .cancel = side->plan.cancel};

	atomic_store(&side->is_full, false);
	for (unsigned t = 0; side->is_known && t < side->n_threads; t++) {
		grow_lists(&side->threads[t], side->table.n_groups);
	}
	if (block_loop_run(&loop, err) < 0 || (!side->is_known && join_tables(side, err) < 0)) {
		return -1;
	}
	return atomic_load(&side->is_full);
}

static void
drop_lists(struct busy_thread *thread)
{
	for (size_t i = 0; i < thread->n_lists; i++) {
		free(thread->lists[i].intervals);
	}
	free(thread->lists);
	free(thread->cells);
	thread->lists = NULL;
	thread->cells = NULL;
	thread->n_lists = thread->capacity = 0;
}

void
busy_drop(struct busy_side *side)
{
	for (unsigned t = 0; t < side->n_threads; t++) {
		drop_lists(&side->threads[t]);
	}
	for (uint32_t cell = 0; side->unions && cell < side->table.n_groups; cell++) {
		free(side->unions[cell].all);
	}
	free(side->unions);
	side->unions = NULL;
}

/* Where each cell's lists are among all threads'. */
struct uniting {
	struct busy_side *side;
	bool is_last;
	size_t *firsts; /* by cell */
	struct busy_list **lists;
};

/* Cuts the cell's intervals at the window's end; one at most goes on, for they are merged and begin before it. */
static void
cut(struct busy_side *side, uint32_t cell)
{
	struct intervals *list = &side->unions[cell];
	int64_t end = side->last_ns + 1;

	side->carry[cell] = INT64_MIN;
	if (list->n > 0 && list->all[list->n - 1].end > end) {
		side->carry[cell] = list->all[list->n - 1].end;
		list->all[list->n - 1].end = end;
		list->n -= list->all[list->n - 1].start >= end;
	}
}

static int
unite_cell(void *user, size_t item, unsigned thread, struct err *err)
{
	const struct uniting *uniting = user;
	struct busy_side *side = uniting->side;
	struct busy_list **lists = uniting->lists + uniting->firsts[item];
	size_t n_lists = uniting->firsts[item + 1] - uniting->firsts[item], n = 0;
	bool has_carry = side->carry && side->carry[item] > INT64_MIN;

	(void)thread;
	(void)err;
	struct intervals *sorted = xcalloc(n_lists + 1, sizeof *sorted);
	if (has_carry) {
		sorted[n].all = xcalloc(1, sizeof(struct interval));
		sorted[n].all[0] = (struct interval){side->first_ns, side->carry[item]};
		sorted[n++].n = 1;
	}
	for (size_t i = 0; i < n_lists; i++) {
		if (lists[i]->is_unsorted) {
			lists[i]->n = intervals_union(lists[i]->intervals, lists[i]->n);
		}
		if (lists[i]->n > 0) {
			sorted[n++] = (struct intervals){lists[i]->intervals, lists[i]->n};
		} else {
			free(lists[i]->intervals);
		}
		*lists[i] = (struct busy_list){0};
	}
	side->unions[item] = intervals_merge_all(sorted, n);
	free(sorted);
	if (!uniting->is_last) {
		cut(side, (uint32_t)item);
	}
	return 0;
}

static uint32_t
cell_of(const struct busy_thread *thread, size_t i)
{
	return thread->cells ? thread->cells[i] : (uint32_t)i;
}

int
busy_unite(struct busy_side *side, bool is_last, struct err *err)
{
	size_t n_cells = side->table.n_groups;
	struct uniting uniting = {.side = side, .is_last = is_last};

	uniting.firsts = xcalloc(n_cells + 2, sizeof *uniting.firsts);
	for (unsigned t = 0; t < side->n_threads; t++) {
		for (size_t i = 0; i < side->threads[t].n_lists; i++) {
			uniting.firsts[cell_of(&side->threads[t], i) + 2]++;
		}
	}
	for (size_t i = 2; i < n_cells + 2; i++) {
		uniting.firsts[i] += uniting.firsts[i - 1];
	}
	uniting.lists = xcalloc(uniting.firsts[n_cells + 1] + 1, sizeof *uniting.lists);
	for (unsigned t = 0; t < side->n_threads; t++) {
		for (size_t i = 0; i < side->threads[t].n_lists; i++) {
			uniting.lists[uniting.firsts[cell_of(&side->threads[t], i) + 1]++] =
			    &side->threads[t].lists[i];
		}
	}
	side->unions = xcalloc(n_cells + 1, sizeof *side->unions);
	int status =
	    workers_run(side->n_threads, n_cells, unite_cell, &uniting, side->plan.cancel, err);
	free(uniting.firsts);
	free(uniting.lists);
	return status;
}
