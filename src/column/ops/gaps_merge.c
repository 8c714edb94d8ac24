/*
 * The pieces of a window, merged lane by lane into the lanes' sums and the list of longest gaps.
 * Lanes are shared out to the threads; each keeps its own longest gaps, which are joined in the
 * end, so that the result does not depend on who did what.
 */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>

#include "util/heap.h"
#include "util/mem.h"
#include "util/workers.h"

#define CANCEL_INTERVALS (1u << 16) /* how often to look whether to stop */

int
gap_compare(const void *left, const void *right)
{
	const struct gap *a = left, *b = right;
	int64_t length_a = time_sub(a->end_ns, a->start_ns);
	int64_t length_b = time_sub(b->end_ns, b->start_ns);

	if (length_a != length_b) {
		return length_a > length_b ? -1 : 1;
	}
	if (a->lane != b->lane) {
		return a->lane < b->lane ? -1 : 1;
	}
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static inline bool
gap_is_shorter(const struct gap *a, const struct gap *b)
{
	return gap_compare(a, b) > 0;
}
HEAP(shortest, struct gap, gap_is_shorter)

static void
heap_add(struct gap_heap *heap, size_t limit, const struct gap *gap)
{
	if (heap->n < limit) {
		MEM_GROW(heap->gaps, heap->capacity, heap->n + 1);
		heap->gaps[heap->n] = *gap;
		shortest_rise(heap->gaps, heap->n++);
	} else if (limit > 0 && gap_compare(gap, &heap->gaps[0]) < 0) {
		heap->gaps[0] = *gap;
		shortest_sink(heap->gaps, heap->n, 0);
	}
}

/* What is read next of an open piece. */
struct cursor {
	const struct interval *at, *end;
};

static inline bool
cursor_is_before(const struct cursor *a, const struct cursor *b)
{
	return a->at->start < b->at->start;
}
HEAP(cursors, struct cursor, cursor_is_before)

struct window {
	const struct gap_merger *merger;
	struct gap_piece *pieces; /* all threads', by lane */
	size_t *firsts;           /* where each lane's begin, and the end */
	size_t n_lanes;
};

static void
add_gap(const struct gap_merger *merger, struct lane_gaps *lane, const struct gap *gap,
        unsigned thread)
{
	int64_t length_ns = time_sub(gap->end_ns, gap->start_ns);

	lane->uncovered_ns = time_add(lane->uncovered_ns, length_ns);
	if (length_ns < merger->least_ns) {
		return;
	}
	lane->n_gaps++;
	lane->idle_ns = time_add(lane->idle_ns, length_ns);
	if (length_ns > lane->longest_ns) {
		lane->longest_ns = length_ns;
		lane->longest_start_ns = gap->start_ns;
	}
	heap_add(&merger->heaps[thread], merger->limit, gap);
}

static void
add_interval(const struct gap_merger *merger, uint32_t index, struct interval interval,
             unsigned thread)
{
	struct lane_gaps *lane = &merger->lanes[index];

	if (lane->n_spans == 0) {
		lane->start_ns = interval.start;
		lane->end_ns = interval.end;
		lane->n_spans = 1; /* counted when all of the window is merged */
		return;
	}
	if (interval.start > lane->end_ns) {
		struct gap gap = {
		    .start_ns = lane->end_ns, .end_ns = interval.start, .lane = index};
		add_gap(merger, lane, &gap, thread);
	}
	lane->end_ns = interval.end > lane->end_ns ? interval.end : lane->end_ns;
}

static const struct interval *
piece_intervals(const struct gap_merger *merger, const struct gap_piece *piece)
{
	return merger->threads[piece->thread].intervals + piece->first;
}

/* Merges the pieces of a lane, sorted by their first start. */
static int
merge_pieces(const struct gap_merger *merger, const struct gap_piece *pieces, size_t n,
             struct cursor *heap, unsigned thread, struct err *err)
{
	size_t n_open = 0, next = 0;
	uint32_t lane = pieces[0].lane, n_merged = 0;

	while (n_open > 0 || next < n) {
		while (next < n && (n_open == 0 || piece_intervals(merger, &pieces[next])->start <=
		                                       heap[0].at->start)) {
			const struct interval *first = piece_intervals(merger, &pieces[next]);
			heap[n_open] = (struct cursor){first, first + pieces[next].n};
			cursors_rise(heap, n_open++);
			next++;
		}
		add_interval(merger, lane, *heap[0].at, thread);
		if (++heap[0].at == heap[0].end) {
			heap[0] = heap[--n_open];
		}
		if (n_open > 0) {
			cursors_sink(heap, n_open, 0);
		}
		if (++n_merged % CANCEL_INTERVALS == 0 && cancel_requested(merger->cancel)) {
			return err_set(err, ERR_CANCELLED, "stopped");
		}
	}
	return 0;
}

/* A piece with its first start at hand. */
struct place {
	int64_t start_ns;
	struct gap_piece piece;
};

static int
compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

static void
sort_pieces(const struct gap_merger *merger, struct gap_piece *pieces, size_t n)
{
	struct place *places = xmalloc(n * sizeof *places);

	for (size_t i = 0; i < n; i++) {
		places[i] = (struct place){piece_intervals(merger, &pieces[i])->start, pieces[i]};
	}
	qsort(places, n, sizeof *places, compare_places);
	for (size_t i = 0; i < n; i++) {
		pieces[i] = places[i].piece;
	}
	free(places);
}

static int
merge_lane(void *user, size_t item, unsigned thread, struct err *err)
{
	const struct window *window = user;
	struct gap_piece *pieces = window->pieces + window->firsts[item];
	size_t n = window->firsts[item + 1] - window->firsts[item];
	struct lane_gaps *lane = &window->merger->lanes[pieces[0].lane];
	int64_t n_spans = lane->n_spans;

	if (n > 1) {
		sort_pieces(window->merger, pieces, n);
	}
	struct cursor *heap = xmalloc(n * sizeof *heap);
	int status = merge_pieces(window->merger, pieces, n, heap, thread, err);
	free(heap);
	for (size_t i = 0; i < n; i++) {
		n_spans += pieces[i].n_spans;
	}
	lane->n_spans = n_spans;
	return status;
}

/* All threads' pieces by lane. */
static void
group_pieces(const struct gap_merger *merger, struct window *window)
{
	struct order order = {0};
	size_t n = 0, i = 0;

	for (unsigned t = 0; t < merger->n_threads; t++) {
		n += merger->threads[t].n_pieces;
	}
	const struct gap_piece **pieces = xmalloc(n * sizeof *pieces);
	uint32_t *lanes = xmalloc(n * sizeof *lanes);
	for (unsigned t = 0; t < merger->n_threads; t++) {
		for (size_t k = 0; k < merger->threads[t].n_pieces; k++, i++) {
			pieces[i] = &merger->threads[t].pieces[k];
			lanes[i] = pieces[i]->lane;
		}
	}
	order_by(&order, lanes, n);
	window->pieces = xmalloc(n * sizeof *window->pieces);
	window->firsts = xmalloc((n + 1) * sizeof *window->firsts);
	for (i = 0; i < n; i++) {
		window->pieces[i] = *pieces[order.rows[i]];
		if (i == 0 || window->pieces[i].lane != window->pieces[i - 1].lane) {
			window->firsts[window->n_lanes++] = i;
		}
	}
	window->firsts[window->n_lanes] = n;
	order_free(&order);
	free(lanes);
	free(pieces);
}

int
gap_merge(const struct gap_merger *merger, struct err *err)
{
	struct window window = {.merger = merger};

	group_pieces(merger, &window);
	int status = workers_run(merger->n_threads, window.n_lanes, merge_lane, &window,
	                         merger->cancel, err);
	free(window.pieces);
	free(window.firsts);
	return status;
}
