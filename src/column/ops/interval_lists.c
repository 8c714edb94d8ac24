/*
 * Records stand in the order in which their calls began or ended, so what is added to a list mostly
 * touches or contains its last intervals: they are merged at once, from the end, and the list stays
 * sorted. What lies before its last interval begins another run, in which the same goes on: a list
 * has as many as files of one cell were read one after another. Runs are merged when the list is
 * full, and in the end.
 */
#include "config.h"
#include "column/ops/interval_lists.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

#define FIRST_CAPACITY 4
#define FEW_LISTS 16

void
interval_lists_grow(struct interval_lists *lists, size_t n)
{
	size_t before = lists->capacity;

	MEM_GROW(lists->lists, lists->capacity, n);
	if (lists->capacity > before) {
		memset(lists->lists + before, 0, (lists->capacity - before) * sizeof *lists->lists);
	}
	lists->n = MOST(n, lists->n);
}

struct intervals
interval_list_merge(struct interval_list *list)
{
	if (list->first_of_run > 0) {
		list->n = (uint32_t)intervals_cover(list->intervals, list->n);
		list->first_of_run = 0;
	}
	return (struct intervals){list->intervals, list->n};
}

void
interval_list_shift(struct interval_list *list, size_t n)
{
	list->n -= (uint32_t)n;
	list->n_spans = 0;
	if (n > 0 && list->n > 0) {
		memmove(list->intervals, list->intervals + n, list->n * sizeof *list->intervals);
	}
}

void
interval_list_free(struct interval_list *list, struct interval_budget *budget)
{
	atomic_fetch_sub_explicit(&budget->used_bytes, list->capacity * sizeof *list->intervals,
	                          memory_order_relaxed);
	free(list->intervals);
	*list = (struct interval_list){0};
}

/* Makes room for one more in a full list; false: there is none. */
static bool
make_room(struct interval_list *list, struct interval_budget *budget)
{
	if (list->first_of_run > 0) {
		interval_list_merge(list);
		list->first_of_run = list->n; /* the next one may lie anywhere */
	}
	if (list->n * 2 < list->capacity) {
		return true;
	}
	uint32_t capacity = list->capacity ? list->capacity * 2 : FIRST_CAPACITY;
	size_t bytes = (capacity - list->capacity) * sizeof *list->intervals;
	if (atomic_fetch_add_explicit(&budget->used_bytes, bytes, memory_order_relaxed) + bytes >
	    budget->limit_bytes) {
		return false;
	}
	list->intervals = xrealloc_array(list->intervals, capacity, sizeof *list->intervals);
	list->capacity = capacity;
	return true;
}

bool
interval_list_add_any(struct interval_list *list, struct interval_budget *budget, int64_t start,
                      int64_t end)
{
	while (list->n > list->first_of_run) {
		const struct interval *last = &list->intervals[list->n - 1];
		if (last->end < start) {
			break;
		}
		if (last->start > end) {
			list->first_of_run = list->n;
			break;
		}
		start = LEAST(last->start, start);
		end = MOST(last->end, end);
		list->n--;
	}
	if (list->n == list->capacity && !make_room(list, budget)) {
		return false;
	}
	list->intervals[list->n++] = (struct interval){start, end};
	list->n_spans++;
	return true;
}

void
interval_lists_drop(struct interval_lists *threads, unsigned n_threads)
{
	for (unsigned t = 0; t < n_threads; t++) {
		for (size_t i = 0; i < threads[t].n; i++) {
			free(threads[t].lists[i].intervals);
		}
		free(threads[t].lists);
		free(threads[t].cells);
		threads[t] = (struct interval_lists){0};
	}
}

static uint32_t
cell_of(const struct interval_lists *lists, size_t i)
{
	return lists->cells ? lists->cells[i] : (uint32_t)i;
}

void
interval_cells_init(struct interval_cells *cells, const struct interval_lists *threads,
                    unsigned n_threads, size_t n_cells)
{
	size_t *firsts = xcalloc(n_cells + 2, sizeof *firsts);

	for (unsigned t = 0; t < n_threads; t++) {
		for (size_t i = 0; i < threads[t].n; i++) {
			firsts[cell_of(&threads[t], i) + 2]++;
		}
	}
	for (size_t i = 2; i < n_cells + 2; i++) {
		firsts[i] += firsts[i - 1];
	}
	MEM_NEW(cells->lists, firsts[n_cells + 1] + 1);
	for (unsigned t = 0; t < n_threads; t++) {
		for (size_t i = 0; i < threads[t].n; i++) {
			cells->lists[firsts[cell_of(&threads[t], i) + 1]++] = &threads[t].lists[i];
		}
	}
	cells->firsts = firsts;
}

struct intervals
interval_cells_take(const struct interval_cells *cells, size_t cell, struct intervals before,
                    int64_t *n_spans)
{
	struct interval_list **lists = cells->lists + cells->firsts[cell];
	size_t n_lists = cells->firsts[cell + 1] - cells->firsts[cell], n = 0;
	struct intervals few[FEW_LISTS]; /* most cells have as many as there are threads */
	struct intervals *sorted =
	    n_lists < FEW_LISTS ? few : xmalloc((n_lists + 1) * sizeof *sorted);
	int64_t n_all = 0;

	if (before.n > 0) {
		sorted[n++] = before;
	}
	for (size_t i = 0; i < n_lists; i++) {
		struct interval_list *list = lists[i];
		n_all += list->n_spans;
		if (list->n > 0) {
			sorted[n++] = interval_list_merge(list);
		} else {
			free(list->intervals);
		}
		*list = (struct interval_list){0};
	}
	struct intervals all = intervals_merge_all(sorted, n);
	if (sorted != few) {
		free(sorted);
	}
	if (n_spans) {
		*n_spans = n_all;
	}
	return all;
}

/* A list's part before an instant, new; the rest stays. */
static struct intervals
take_before(struct interval_list *list, int64_t until)
{
	struct intervals all = interval_list_merge(list), taken = {NULL, 0};

	ORDER_FIND(taken.n, all.n, middle, all.all[middle].start < until);
	if (taken.n == 0) {
		return taken;
	}
	taken.all = xmalloc(taken.n * sizeof *taken.all);
	memcpy(taken.all, all.all, taken.n * sizeof *taken.all);
	struct interval *last = &all.all[taken.n - 1];
	bool goes_on = last->end > until;
	if (goes_on) {
		taken.all[taken.n - 1].end = last->start = until;
	}
	interval_list_shift(list, taken.n - goes_on);
	return taken;
}

struct intervals
interval_cells_take_before(const struct interval_cells *cells, size_t cell, int64_t until)
{
	struct interval_list **lists = cells->lists + cells->firsts[cell];
	size_t n_lists = cells->firsts[cell + 1] - cells->firsts[cell], n = 0;
	struct intervals *taken = xmalloc((n_lists + 1) * sizeof *taken);

	for (size_t i = 0; i < n_lists; i++) {
		taken[n] = take_before(lists[i], until);
		n += taken[n].n > 0;
	}
	struct intervals all = intervals_merge_all(taken, n);
	free(taken);
	return all;
}

void
interval_cells_fini(struct interval_cells *cells)
{
	free(cells->firsts);
	free(cells->lists);
}

/* A window that is too full is halved; where there is less again, they grow. */
int
interval_windows_run(const struct interval_windows *windows, int64_t first_ns, int64_t last_ns,
                     uint64_t width, struct err *err)
{
	for (;;) {
		bool is_last = (uint64_t)last_ns - (uint64_t)first_ns <= width;
		int64_t until = is_last ? last_ns : (int64_t)((uint64_t)first_ns + width);
		int status = windows->collect(windows->user, first_ns, until, err);
		if (status > 0 && width == 0) {
			return err_set(err, ERR_LIMIT,
			               "too many spans start at one instant: filter more");
		}
		if (status > 0) {
			width = (is_last ? (uint64_t)last_ns - (uint64_t)first_ns : width) / 2;
			continue;
		}
		if (status < 0 ||
		    windows->measure(windows->user, first_ns, until, is_last, err) < 0) {
			return -1;
		}
		if (is_last) {
			return 0;
		}
		first_ns = until + 1;
		width += width / 2;
	}
}
