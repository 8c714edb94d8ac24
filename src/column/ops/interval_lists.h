/*
 * Spans as intervals by cell: a lane, a window of time, a group of sums. While blocks are read each
 * thread keeps a list a cell, merged as it grows; then all threads' lists of a cell become one. If
 * they need more memory than there is, the run is read window by window of the spans' starts.
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_OPS_INTERVAL_LISTS_H
#define LANESCOPE_COLUMN_OPS_INTERVAL_LISTS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "util/err.h"
#include "util/intervals.h"

/* What all lists together may take. */
struct interval_budget {
	size_t limit_bytes;
	_Atomic size_t used_bytes;
};
static inline bool
interval_budget_is_used_up(const struct interval_budget *budget)
{
	return atomic_load_explicit(&budget->used_bytes, memory_order_relaxed) >
	       budget->limit_bytes;
}

struct interval_list {
	struct interval *intervals;
	uint32_t n, capacity;
	uint32_t first_of_run; /* from here on sorted and disjoint */
	int64_t n_spans;       /* that were added */
};

/* One thread's. */
struct interval_lists {
	struct interval_list *lists; /* by its own numbers of cells */
	size_t n, capacity;
	uint32_t *cells; /* what all threads call each of its own; NULL: the same. Owned. */
};
/* Makes room for cells below n. */
void interval_lists_grow(struct interval_lists *lists, size_t n);
/* False: the budget is used up. One without length is kept unless it lies in or touches another. */
bool interval_list_add_any(struct interval_list *list, struct interval_budget *budget,
                           int64_t start, int64_t end);
/* The same: most follow the last. */
static inline bool
interval_list_add(struct interval_list *list, struct interval_budget *budget, int64_t start,
                  int64_t end)
{
	if (list->n > list->first_of_run && list->n < list->capacity &&
	    list->intervals[list->n - 1].end < start) {
		list->intervals[list->n++] = (struct interval){start, end};
		list->n_spans++;
		return true;
	}
	return interval_list_add_any(list, budget, start, end);
}
/* What was added as one merged list: lent. */
struct intervals interval_list_merge(struct interval_list *list);
/* The first n of what was merged go, and its count of spans is 0; its memory stays. */
void interval_list_shift(struct interval_list *list, size_t n);
/* Gives its memory back. */
void interval_list_free(struct interval_list *list, struct interval_budget *budget);
/* Frees what n threads have; they can be filled again. */
void interval_lists_drop(struct interval_lists *threads, unsigned n_threads);

/* All threads' lists by cell. */
struct interval_cells {
	size_t *firsts;
	struct interval_list **lists;
};
void interval_cells_init(struct interval_cells *cells, const struct interval_lists *threads,
                         unsigned n_threads, size_t n_cells);
/* The union of a cell's lists and of `before` (owned): new, the lists are freed. Of several cells
 * at the same time, but of each once. n_spans may be NULL. */
struct intervals interval_cells_take(const struct interval_cells *cells, size_t cell,
                                     struct intervals before, int64_t *n_spans);
/* The union of what a cell's lists have before an instant, cut there; the rest stays in the lists.
 * As interval_cells_take otherwise. */
struct intervals interval_cells_take_before(const struct interval_cells *cells, size_t cell,
                                            int64_t until);
void interval_cells_fini(struct interval_cells *cells);

/* What is done with a window. */
struct interval_windows {
	void *user;
	/* The spans that start in [first, last]: 0; 1: they need too much memory, and were dropped;
	 * -1 on error. */
	int (*collect)(void *user, int64_t first_ns, int64_t last_ns, struct err *err);
	int (*measure)(void *user, int64_t first_ns, int64_t last_ns, bool is_last,
	               struct err *err);
};
/* Goes from first to last in windows that fit, `width` long at first. ERR_LIMIT: not even one
 * instant does. */
int interval_windows_run(const struct interval_windows *windows, int64_t first_ns, int64_t last_ns,
                         uint64_t width, struct err *err);

#endif
