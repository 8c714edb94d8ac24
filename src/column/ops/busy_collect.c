/* From blocks to unions of intervals by cell. */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/workers.h"

/* Nonzero: there is no room. */
static int
add_chunk(const struct busy_side *side, struct block_view *view)
{
	int64_t start_scratch[CHUNK_ROWS], end_scratch[CHUNK_ROWS];
	const struct sums_thread *sums = side->sums[view->thread];
	const struct interval_lists *lists = &side->lists[view->thread];
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
		bool is_wanted = start < end && start >= side->first_ns && start <= side->last_ns;
		dataset_clip(view->dataset, &start, &end);
		if (is_wanted && start < end && cell < lists->n &&
		    !interval_list_add(&lists->lists[cell], side->budget, start, end)) {
			return 1;
		}
	}
	return 0;
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct busy_side *side = user;
	struct sums_thread *sums = side->sums[view->thread];
	enum filter_verdict verdict = filter_open(sums->filter_state, view);

	(void)slot;
	while (verdict != FILTER_NONE && block_view_next(view)) {
		if (sums_thread_rows(sums, view, verdict, side->is_known ? &side->table : NULL,
		                     err)) {
			return -1;
		}
		if (sums->n_rows == 0) {
			continue;
		}
		if (!side->is_known) {
			interval_lists_grow(&side->lists[view->thread], sums->table.n_groups);
		}
		bool is_full =
		    interval_budget_is_used_up(side->budget) || add_chunk(side, view) != 0;
		if (is_full && side->is_known) {
			return 1;
		}
		/* Last: it takes the records that stand for many calls out of the rows. */
		if (!side->is_known && sums_add_chunk(sums, view, err)) {
			return -1;
		}
	}
	return 0;
}

static bool
block_wanted(void *user, const struct block_info *block)
{
	const struct busy_side *side = user;

	return block->start_min <= side->last_ns && block->start_max >= side->first_ns;
}

int
busy_map_cells(struct busy_side *side, struct err *err)
{
	struct sums_thread *first = side->sums[0];
	/* those of other threads were counted as they were met */
	uint64_t n_groups = atomic_load_explicit(&side->n_groups, memory_order_relaxed);

	for (unsigned t = 1; t < side->n_threads; t++) {
		const struct group_table *table = &side->sums[t]->table;
		struct interval_lists *lists = &side->lists[t];
		lists->cells =
		    xrealloc_array(lists->cells, (size_t)table->n_groups + 1, sizeof *lists->cells);
		for (uint32_t i = side->n_mapped_of[t]; i < table->n_groups; i++) {
			if (sums_thread_group(first, group_table_codes(table, i), &lists->cells[i],
			                      err)) {
				return -1;
			}
		}
		side->n_mapped_of[t] = table->n_groups;
	}
	atomic_store_explicit(&side->n_groups, n_groups, memory_order_relaxed);
	side->n_mapped = first->table.n_groups;
	return 0;
}

int
busy_join(struct busy_side *side, struct err *err)
{
	struct sums_thread *first = side->sums[0];

	atomic_store_explicit(&side->n_groups, first->table.n_groups, memory_order_relaxed);
	for (unsigned t = 1; t < side->n_threads; t++) {
		uint32_t *cells = xcalloc((size_t)side->sums[t]->table.n_groups + 1, sizeof *cells);
		int status = sums_thread_merge(first, side->sums[t], cells, err);
		free(cells);
		if (status) {
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
	struct block_loop loop = sums_plan_loop(&side->plan, side, scan_block);

	loop.filters = &side->sums[0]->filter_state;
	loop.wanted = block_wanted;
	loop.order = side->order;
	loop.first = side->first;
	loop.end = side->end;
	loop.room = side->room;
	for (unsigned t = 0; side->is_known && t < side->n_threads; t++) {
		interval_lists_grow(&side->lists[t], side->table.n_groups);
	}
	return block_loop_run(&loop, err) < 0 ? -1 : interval_budget_is_used_up(side->budget);
}

void
busy_drop_unions(struct busy_side *side)
{
	for (uint32_t cell = 0; side->unions && cell < busy_table(side)->n_groups; cell++) {
		free(side->unions[cell].all);
	}
	free(side->unions);
	side->unions = NULL;
}

void
busy_release_lists(struct busy_side *side)
{
	for (unsigned t = 0; t < side->n_threads; t++) {
		struct interval_lists *lists = &side->lists[t];
		for (size_t i = 0; i < lists->n; i++) {
			if (lists->lists[i].n == 0) {
				interval_list_free(&lists->lists[i], side->budget);
			}
		}
	}
}

void
busy_drop(struct busy_side *side)
{
	interval_lists_drop(side->lists, side->n_threads);
	busy_drop_unions(side);
}

struct uniting {
	struct busy_side *side;
	bool is_last;
	int64_t known_ns;
	struct interval_cells cells;
};

/* Cuts the cell's intervals at the window's end; one at most goes on, for they are merged and begin
 * before it. */
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
	struct intervals before = {NULL, 0};

	(void)thread;
	(void)err;
	if (side->carry && side->carry[item] > INT64_MIN) {
		before = (struct intervals){xcalloc(1, sizeof *before.all), 1};
		before.all[0] = (struct interval){side->first_ns, side->carry[item]};
		dataset_clip(side->plan.dataset, &before.all[0].start, &before.all[0].end);
	}
	side->unions[item] = interval_cells_take(&uniting->cells, item, before, NULL);
	if (!uniting->is_last) {
		cut(side, (uint32_t)item);
	}
	return 0;
}

static int
unite_known(void *user, size_t item, unsigned thread, struct err *err)
{
	const struct uniting *uniting = user;

	(void)thread;
	(void)err;
	uniting->side->unions[item] =
	    interval_cells_take_before(&uniting->cells, item, uniting->known_ns);
	return 0;
}

static int
unite(struct uniting *uniting, int (*unite_one)(void *, size_t, unsigned, struct err *),
      struct err *err)
{
	struct busy_side *side = uniting->side;
	size_t n_cells = busy_table(side)->n_groups;

	interval_cells_init(&uniting->cells, side->lists, side->n_threads, n_cells);
	MEM_NEW(side->unions, n_cells + 1);
	int status =
	    workers_run(side->n_threads, n_cells, unite_one, uniting, side->plan.cancel, err);
	interval_cells_fini(&uniting->cells);
	return status;
}

int
busy_unite(struct busy_side *side, bool is_last, struct err *err)
{
	struct uniting uniting = {.side = side, .is_last = is_last};

	return unite(&uniting, unite_cell, err);
}

int
busy_unite_known(struct busy_side *side, int64_t known_ns, struct err *err)
{
	struct uniting uniting = {.side = side, .known_ns = known_ns};

	return unite(&uniting, unite_known, err);
}
