/*
 * Unions of intervals of two sets of spans, in windows by the span's start.
 *
 * Each thread keeps, for each window that it meets, two lists of intervals. A list that is full is
 * sorted and merged in place; only if that does not free half of it does it grow. Spans of one
 * thread of the program being traced hardly overlap others' in any useful way, but many of them
 * touch or nest, so lists stay far shorter than the rows. In the end each window's lists are joined
 * and measured.
 */
#include "config.h"
#include "column/scan/scan.h"

#include <inttypes.h>
#include <stdlib.h>

#include "column/scan/filter.h"
#include "column/scan/rowcolumn.h"
#include "util/index.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/workers.h"

#define WINDOW_LIMIT (1u << 20)
#define INTERVAL_BYTES (UINT64_C(4) << 30) /* all threads' lists together */
#define FIRST_CAPACITY 64
#define SIDES 2

struct interval_list {
	struct interval *intervals;
	size_t n, capacity;
};

struct window {
	int64_t index; /* start / width */
	struct interval_list lists[SIDES];
	int64_t n[SIDES];
};

struct overlap_thread {
	struct filter_state *states[SIDES];
	struct window *windows;
	size_t n_windows, capacity;
	struct index by_index;
	size_t last; /* window used last */
};

struct overlap {
	const struct overlap_request *request;
	struct filter *filters[SIDES];
	struct row_slots start_slots, end_slots;
	struct overlap_thread *threads;
	unsigned n_threads;
	_Atomic uint64_t bytes;
	struct window **windows; /* all threads', sorted by index */
	size_t n_windows;
	size_t *firsts; /* where each result's windows begin */
	struct overlap_window *results;
	size_t n_results;
};

/* The thread's window; NULL: too many. Rows come nearly in order, so the last one is tried first.
 */
static struct window *
window_of(struct overlap_thread *thread, int64_t index, struct err *err)
{
	if (thread->last < thread->n_windows && thread->windows[thread->last].index == index) {
		return &thread->windows[thread->last];
	}
	uint64_t hash = hash_mix((uint64_t)index);
	uint32_t found;
	INDEX_FIND(found, &thread->by_index, hash, thread->windows[found].index == index);
	if (found == INDEX_NONE) {
		if (thread->n_windows == WINDOW_LIMIT) {
			err_set(err, ERR_LIMIT, "more than %u windows: take wider ones",
			        WINDOW_LIMIT);
			return NULL;
		}
		MEM_GROW(thread->windows, thread->capacity, thread->n_windows + 1);
		found = (uint32_t)thread->n_windows++;
		thread->windows[found] = (struct window){.index = index};
		index_add(&thread->by_index, hash, found);
	}
	thread->last = found;
	return &thread->windows[thread->last];
}

static int
list_add(struct overlap *overlap, struct interval_list *list, int64_t start, int64_t end,
         struct err *err)
{
	struct interval *last = list->n ? &list->intervals[list->n - 1] : NULL;
	if (last && start >= last->start &&
	    start <= last->end) { /* nested in, touching or prolonging the last one */
		last->end = end > last->end ? end : last->end;
		return 0;
	}
	if (list->n == list->capacity) {
		list->n = intervals_union(list->intervals, list->n);
		if (list->n * 2 >= list->capacity) {
			size_t capacity = list->capacity ? list->capacity * 2 : FIRST_CAPACITY;
			uint64_t more = (capacity - list->capacity) * sizeof *list->intervals;
			if (atomic_fetch_add_explicit(&overlap->bytes, more, memory_order_relaxed) +
			        more >
			    INTERVAL_BYTES) {
				return err_set(err, ERR_LIMIT,
				               "too many separate spans: filter more, or take a "
				               "part of the run");
			}
			list->intervals =
			    xrealloc_array(list->intervals, capacity, sizeof *list->intervals);
			list->capacity = capacity;
		}
	}
	list->intervals[list->n++] = (struct interval){start, end};
	return 0;
}

static int
add_row(struct overlap *overlap, struct overlap_thread *thread, int side, int64_t start,
        int64_t end, struct err *err)
{
	int64_t width = overlap->request->window_ns, index = 0;
	if (width > 0) {
		index = start / width - (start % width < 0);
	}
	struct window *window = window_of(thread, index, err);
	if (!window) {
		return -1;
	}
	window->n[side]++;
	return start < end ? list_add(overlap, &window->lists[side], start, end, err) : 0;
}

static int
scan_chunk(struct overlap *overlap, struct overlap_thread *thread, struct block_view *view,
           struct err *err)
{
	int64_t start_scratch[CHUNK_ROWS], end_scratch[CHUNK_ROWS];
	uint64_t matches[SIDES][CHUNK_WORDS];
	uint32_t n = 0;
	for (int side = 0; side < SIDES; side++) {
		n += filter_chunk(thread->states[side], view, matches[side]);
	}
	if (n == 0) {
		return 0;
	}
	struct row_integers starts =
	    row_column_read(ROW_START, &overlap->start_slots, view, start_scratch);
	struct row_integers ends = row_column_read(ROW_END, &overlap->end_slots, view, end_scratch);
	if (starts.n_present < view->n || ends.n_present < view->n) {
		return 0; /* damaged: every row has its times */
	}
	for (int side = 0; side < SIDES; side++) {
		for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
			for (uint64_t left = matches[side][w]; left; left &= left - 1) {
				uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(left);
				if (add_row(overlap, thread, side, starts.values[row],
				            ends.values[row], err) < 0) {
					return -1;
				}
			}
		}
	}
	return 0;
}

static bool
is_wanted(const struct overlap_thread *thread, const struct block_info *block)
{
	return filter_prune(thread->states[0], block) != FILTER_NONE ||
	       filter_prune(thread->states[1], block) != FILTER_NONE;
}

static bool
block_wanted(void *user, const struct block_info *block)
{
	const struct overlap *overlap = user;
	return is_wanted(&overlap->threads[0], block);
}

static bool
block_sift(void *user, struct block_view *view)
{
	struct overlap *overlap = user;
	return filter_open(overlap->threads[0].states[0], view) != FILTER_NONE ||
	       filter_open(overlap->threads[0].states[1], view) != FILTER_NONE;
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct overlap *overlap = user;
	(void)slot;
	while (block_view_next(view)) {
		if (scan_chunk(overlap, &overlap->threads[view->thread], view, err) < 0) {
			return -1;
		}
	}
	return 0;
}

static int
compare_windows(const void *pa, const void *pb)
{
	const struct window *a = *(struct window *const *)pa, *b = *(struct window *const *)pb;
	return (a->index > b->index) - (a->index < b->index);
}

/* All threads' windows in order; the same window of several threads stands together. */
static void
collect_windows(struct overlap *overlap)
{
	size_t n = 0;
	for (unsigned t = 0; t < overlap->n_threads; t++) {
		n += overlap->threads[t].n_windows;
	}
	overlap->windows = xcalloc(n, sizeof *overlap->windows);
	overlap->firsts = xcalloc(n + 1, sizeof *overlap->firsts);
	for (unsigned t = 0; t < overlap->n_threads; t++) {
		for (size_t i = 0; i < overlap->threads[t].n_windows; i++) {
			overlap->windows[overlap->n_windows++] = &overlap->threads[t].windows[i];
		}
	}
	qsort(overlap->windows, n, sizeof *overlap->windows, compare_windows);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || overlap->windows[i]->index != overlap->windows[i - 1]->index) {
			overlap->firsts[overlap->n_results++] = i;
		}
	}
	overlap->firsts[overlap->n_results] = n;
}

/* Everything of one side in one merged list. */
static struct interval_list
join_lists(struct window *const *windows, size_t n, int side)
{
	struct interval_list joined = {0};
	for (size_t i = 0; i < n; i++) {
		joined.capacity += windows[i]->lists[side].n;
	}
	joined.intervals = xcalloc(joined.capacity, sizeof *joined.intervals);
	for (size_t i = 0; i < n; i++) {
		struct interval_list *list = &windows[i]->lists[side];
		if (list->n > 0) {
			memcpy(joined.intervals + joined.n, list->intervals,
			       list->n * sizeof *list->intervals);
			joined.n += list->n;
		}
		free(list->intervals);
		*list = (struct interval_list){0};
	}
	joined.n = intervals_union(joined.intervals, joined.n);
	return joined;
}

static int
measure_window(void *user, size_t item, unsigned thread, struct err *err)
{
	struct overlap *overlap = user;
	struct overlap_window *result = &overlap->results[item];
	size_t first = overlap->firsts[item], n = overlap->firsts[item + 1] - first;
	struct window *const *windows = overlap->windows + first;
	int64_t width = overlap->request->window_ns;
	struct interval_list a = join_lists(windows, n, 0), b = join_lists(windows, n, 1);
	(void)thread;
	(void)err;
	if (width <= 0 || __builtin_mul_overflow(windows[0]->index, width, &result->start_ns)) {
		result->start_ns = width <= 0 ? 0 : INT64_MIN;
	}
	result->a_ns = intervals_length(a.intervals, a.n);
	result->b_ns = intervals_length(b.intervals, b.n);
	result->both_ns =
	    result->a_ns - intervals_length_without(a.intervals, a.n, b.intervals, b.n);
	for (size_t i = 0; i < n; i++) {
		result->n_a += windows[i]->n[0];
		result->n_b += windows[i]->n[1];
	}
	free(a.intervals);
	free(b.intervals);
	return 0;
}

static void
overlap_fini(struct overlap *overlap)
{
	for (unsigned t = 0; t < overlap->n_threads; t++) {
		struct overlap_thread *thread = &overlap->threads[t];
		for (size_t i = 0; i < thread->n_windows; i++) {
			free(thread->windows[i].lists[0].intervals);
			free(thread->windows[i].lists[1].intervals);
		}
		filter_state_free(thread->states[0]);
		filter_state_free(thread->states[1]);
		free(thread->windows);
		index_free(&thread->by_index);
	}
	free(overlap->threads);
	free(overlap->windows);
	free(overlap->firsts);
	free(overlap->results);
	filter_free(overlap->filters[0]);
	filter_free(overlap->filters[1]);
}

/* Compiles both filters; says which one an error is about. */
static int
compile_filters(struct overlap *overlap, const struct dataset *dataset, struct block_fields *fields,
                size_t *n_sift, struct err *err)
{
	const char *texts[SIDES] = {overlap->request->a, overlap->request->b};
	for (int side = 0; side < SIDES; side++) {
		overlap->filters[side] = filter_compile(dataset, BLOCK_SPAN, texts[side],
		                                        overlap->request->parameters, err);
		if (!overlap->filters[side]) {
			return err_wrap(err, side == 0 ? "first set" : "second set");
		}
		filter_bind(overlap->filters[side], fields);
	}
	*n_sift = fields->n;
	row_column_bind(ROW_START, fields, &overlap->start_slots);
	row_column_bind(ROW_END, fields, &overlap->end_slots);
	return 0;
}

static void
make_threads(struct overlap *overlap, unsigned n_threads)
{
	overlap->n_threads = n_threads;
	overlap->threads = xcalloc(n_threads, sizeof *overlap->threads);
	for (unsigned t = 0; t < n_threads; t++) {
		overlap->threads[t].states[0] = filter_state_new(overlap->filters[0]);
		overlap->threads[t].states[1] = filter_state_new(overlap->filters[1]);
	}
}

int64_t
overlap_run(const struct dataset *dataset, const struct overlap_request *request,
            struct overlap_window **windows, struct err *err)
{
	struct overlap overlap = {.request = request};
	struct block_fields fields = {0};
	struct block_loop loop = {.dataset = dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = &fields,
	                          .end = SIZE_MAX,
	                          .user = &overlap,
	                          .wanted = block_wanted,
	                          .scan = scan_block,
	                          .cancel = request->cancel};
	int64_t result = -1;
	if (compile_filters(&overlap, dataset, &fields, &loop.n_sift, err) < 0) {
		goto out;
	}
	loop.sift = loop.n_sift ? block_sift : NULL;
	make_threads(&overlap, block_loop_threads(&loop));
	if (block_loop_run(&loop, err) != 0) {
		goto out;
	}
	collect_windows(&overlap);
	if (overlap.n_results == 0 &&
	    request->window_ns <= 0) { /* the one window is there even if it is empty */
		overlap.results = xcalloc(1, sizeof *overlap.results);
		overlap.n_results = 1;
	} else {
		overlap.results = xcalloc(overlap.n_results, sizeof *overlap.results);
		if (workers_run(overlap.n_threads, overlap.n_results, measure_window, &overlap,
		                request->cancel, err) < 0) {
			goto out;
		}
	}
	*windows = overlap.results;
	overlap.results = NULL;
	result = (int64_t)overlap.n_results;
out:
	overlap_fini(&overlap);
	block_fields_free(&fields);
	return result;
}
