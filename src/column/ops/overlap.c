/*
 * Unions of intervals of two sets of spans, in windows by the span's start.
 *
 * Each thread numbers the windows that it meets; either set's spans of a window are a cell of
 * interval_lists.h. In the end the threads' windows become one list, and each window is measured.
 */
#include "config.h"
#include "column/scan/scan.h"

#include <stdlib.h>
#include <string.h>

#include "column/ops/interval_lists.h"
#include "column/ops/span_scan.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define WINDOW_LIMIT (1u << 20)
#define INTERVAL_BYTES (UINT64_C(4) << 30) /* all threads' lists together */

/* Windows by number: their indices, start / width, as the bytes of keys. */
struct window_numbers {
	struct intern *indices;
	/* The one asked for last, and the starts that are surely in it: [start, end). */
	int64_t start_ns, end_ns;
	uint32_t last;
};

struct window_number {
	int64_t index;
	uint32_t number;
};

struct overlap {
	const struct overlap_request *request;
	struct span_scan scan;
	struct interval_budget budget;
	struct window_numbers *numbers; /* by thread */
	struct interval_lists *lists;   /* by thread; cell: window * SPAN_SETS + set */
	struct window_numbers all;
	struct interval_cells cells;
	struct window_number *order; /* all windows in order of time */
	struct overlap_window *results;
};

static int64_t
index_of(const struct window_numbers *numbers, uint32_t window)
{
	int64_t index;

	memcpy(&index, intern_text(numbers->indices, window).ptr, sizeof index);
	return index;
}

static uint32_t
number_of(struct window_numbers *numbers, int64_t index)
{
	return intern_id(numbers->indices, (struct slice){(const char *)&index, sizeof index});
}

/* The window in which a span starts. Rows come nearly in order, so that it mostly is the last one:
 * a division for each would take as long as all the rest. */
static uint32_t
window_of(struct window_numbers *numbers, int64_t start_ns, int64_t width)
{
	if (start_ns < numbers->start_ns || start_ns >= numbers->end_ns) {
		int64_t index = width > 0 ? start_ns / width - (start_ns % width < 0) : 0;
		numbers->last = number_of(numbers, index);
		if (width <= 0) {
			numbers->start_ns = INT64_MIN;
			numbers->end_ns = INT64_MAX;
		} else if (__builtin_mul_overflow(index, width, &numbers->start_ns) ||
		           __builtin_add_overflow(numbers->start_ns, width, &numbers->end_ns)) {
			numbers->start_ns = start_ns;
			numbers->end_ns = time_add(start_ns, 1);
		}
	}
	return numbers->last;
}

static int
take_chunk(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	struct overlap *overlap = user;
	struct window_numbers *numbers = &overlap->numbers[chunk->view->thread];
	struct interval_lists *lists = &overlap->lists[chunk->view->thread];
	int64_t width = overlap->request->window_ns;

	(void)slot;
	for (uint32_t i = 0; i < chunk->n; i++) {
		uint32_t row = chunk->rows[i];
		int64_t start = chunk->starts.values[row], end = chunk->ends.values[row];
		dataset_clip(chunk->view->dataset, &start, &end);
		size_t cell = (size_t)window_of(numbers, start, width) * SPAN_SETS;
		if (cell >= lists->n) {
			if (cell / SPAN_SETS == WINDOW_LIMIT) {
				return err_set(err, ERR_LIMIT,
				               "more than %u windows: take wider ones",
				               WINDOW_LIMIT);
			}
			interval_lists_grow(lists, cell + SPAN_SETS);
		}
		for (unsigned set = 0; set < SPAN_SETS; set++) {
			if (span_chunk_has(chunk, set, row) &&
			    !interval_list_add(&lists->lists[cell + set], &overlap->budget, start,
			                       MOST(end, start))) {
				return err_set(err, ERR_LIMIT,
				               "too many separate spans: filter more, or take a "
				               "part of the run");
			}
		}
	}
	return 0;
}

static int
compare_windows(const void *left, const void *right)
{
	const struct window_number *a = left, *b = right;

	return ORDER(a->index, b->index);
}

/* All threads' windows, numbered together and in order; how many. */
static uint32_t
join_windows(struct overlap *overlap)
{
	if (overlap->request->window_ns <= 0) {
		number_of(&overlap->all, 0); /* the one window is there even if it is empty */
	}
	for (unsigned t = 0; t < overlap->scan.n_threads; t++) {
		struct interval_lists *lists = &overlap->lists[t];
		MEM_NEW(lists->cells, lists->n + 1);
		for (uint32_t cell = 0; cell < lists->n; cell++) {
			int64_t index = index_of(&overlap->numbers[t], cell / SPAN_SETS);
			lists->cells[cell] =
			    number_of(&overlap->all, index) * SPAN_SETS + cell % SPAN_SETS;
		}
	}
	uint32_t n = intern_count(overlap->all.indices);
	MEM_NEW(overlap->order, (size_t)n + 1);
	for (uint32_t i = 0; i < n; i++) {
		overlap->order[i] = (struct window_number){index_of(&overlap->all, i), i};
	}
	SORT(overlap->order, n, compare_windows);
	return n;
}

static int
measure_window(void *user, size_t item, unsigned thread, struct err *err)
{
	struct overlap *overlap = user;
	struct overlap_window *result = &overlap->results[item];
	const struct intervals none = {NULL, 0};
	struct window_number window = overlap->order[item];
	size_t cell = (size_t)window.number * SPAN_SETS;
	struct intervals a = interval_cells_take(&overlap->cells, cell, none, &result->n_a);
	struct intervals b = interval_cells_take(&overlap->cells, cell + 1, none, &result->n_b);
	int64_t width = overlap->request->window_ns;

	(void)thread;
	(void)err;
	if (width > 0 && __builtin_mul_overflow(window.index, width, &result->start_ns)) {
		result->start_ns = INT64_MIN;
	}
	result->a_ns = intervals_length(a.all, a.n);
	result->b_ns = intervals_length(b.all, b.n);
	result->both_ns = result->a_ns - intervals_length_without(a.all, a.n, b.all, b.n);
	free(a.all);
	free(b.all);
	return 0;
}

static int
overlap_init(struct overlap *overlap, const struct dataset *dataset, struct err *err)
{
	const struct overlap_request *request = overlap->request;
	const struct span_set sets[SPAN_SETS] = {{request->a, "first set"},
	                                         {request->b, "second set"}};

	overlap->all.indices = intern_new();
	if (span_scan_init(&overlap->scan, dataset, sets, SPAN_SETS, request->parameters, err) <
	    0) {
		return -1;
	}
	overlap->scan.loop.user = overlap;
	overlap->scan.loop.cancel = request->cancel;
	overlap->scan.take = take_chunk;
	MEM_NEW(overlap->lists, overlap->scan.n_threads);
	MEM_NEW(overlap->numbers, overlap->scan.n_threads);
	for (unsigned t = 0; t < overlap->scan.n_threads; t++) {
		overlap->numbers[t].indices = intern_new();
	}
	return 0;
}

static void
overlap_fini(struct overlap *overlap)
{
	for (unsigned t = 0; overlap->numbers && t < overlap->scan.n_threads; t++) {
		intern_free(overlap->numbers[t].indices);
	}
	interval_lists_drop(overlap->lists, overlap->lists ? overlap->scan.n_threads : 0);
	interval_cells_fini(&overlap->cells);
	intern_free(overlap->all.indices);
	free(overlap->numbers);
	free(overlap->lists);
	free(overlap->order);
	free(overlap->results);
	span_scan_fini(&overlap->scan);
}

int64_t
overlap_run(const struct dataset *dataset, const struct overlap_request *request,
            struct overlap_window **windows, struct err *err)
{
	struct overlap overlap = {.request = request, .budget = {INTERVAL_BYTES, 0}};
	int64_t result = -1;

	if (overlap_init(&overlap, dataset, err) == 0 && span_scan_run(&overlap.scan, err) == 0) {
		uint32_t n = join_windows(&overlap);
		interval_cells_init(&overlap.cells, overlap.lists, overlap.scan.n_threads,
		                    (size_t)n * SPAN_SETS);
		MEM_NEW(overlap.results, n);
		if (workers_run(overlap.scan.n_threads, n, measure_window, &overlap,
		                request->cancel, err) == 0) {
			*windows = overlap.results;
			overlap.results = NULL;
			result = n;
		}
	}
	overlap_fini(&overlap);
	return result;
}
