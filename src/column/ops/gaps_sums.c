/* Gaps into sums of lanes and heaps of threads. */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>
#include <string.h>

#include "util/heap.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

static int
compare_gaps(const void *left, const void *right)
{
	const struct gap *a = left, *b = right;
	int64_t length_a = time_sub(a->end_ns, a->start_ns);
	int64_t length_b = time_sub(b->end_ns, b->start_ns);

	ORDER_BY(length_b, length_a);
	ORDER_BY(a->lane, b->lane);
	return ORDER(a->start_ns, b->start_ns);
}

static inline bool
gap_is_shorter(const struct gap *a, const struct gap *b)
{
	return compare_gaps(a, b) > 0;
}
HEAP(shortest, struct gap, gap_is_shorter)

static void
heap_add(struct gap_heap *heap, size_t limit, const struct gap *gap)
{
	if (heap->n < limit) {
		MEM_GROW(heap->gaps, heap->capacity, heap->n + 1);
		heap->gaps[heap->n] = *gap;
		shortest_rise(heap->gaps, heap->n++);
	} else if (limit > 0 && compare_gaps(gap, &heap->gaps[0]) < 0) {
		heap->gaps[0] = *gap;
		shortest_sink(heap->gaps, heap->n, 0);
	}
}

/* Is there no place among the longest for one of this length? As good as all are such. */
static bool
heap_is_above(const struct gap_heap *heap, size_t limit, int64_t length_ns)
{
	return heap->n >= limit &&
	       (limit == 0 || length_ns < time_sub(heap->gaps[0].end_ns, heap->gaps[0].start_ns));
}

void
gaps_add(const struct finding *finding, struct lane_gaps *sums, uint32_t lane, int64_t start_ns,
         int64_t end_ns, unsigned thread)
{
	const struct dataset_scope *scope = &finding->scope;
	size_t limit = (size_t)finding->request->limit;

	if (scope->has_range) {
		start_ns = MOST(scope->start_ns, start_ns);
		end_ns = LEAST(scope->end_ns, end_ns);
	}
	if (start_ns >= end_ns) {
		return;
	}
	int64_t length_ns = time_sub(end_ns, start_ns);

	time_raise(&sums->uncovered_ns, length_ns);
	if (length_ns < finding->least_ns) {
		return;
	}
	sums->n_gaps++;
	time_raise(&sums->idle_ns, length_ns);
	if (length_ns > sums->longest_ns ||
	    (length_ns == sums->longest_ns && start_ns < sums->longest_start_ns)) {
		sums->longest_ns = length_ns;
		sums->longest_start_ns = start_ns;
	}
	if (!heap_is_above(&finding->heaps[thread], limit, length_ns)) {
		struct gap gap = {.start_ns = start_ns, .end_ns = end_ns, .lane = lane};
		heap_add(&finding->heaps[thread], limit, &gap);
	}
}

void
gaps_join(const struct finding *finding, struct gaps *gaps)
{
	size_t n = 0, limit = (size_t)finding->request->limit;

	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		n += finding->heaps[t].n;
	}
	gaps->gaps = xmalloc(n * sizeof *gaps->gaps);
	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		const struct gap_heap *heap = &finding->heaps[t];
		if (heap->n > 0) {
			memcpy(gaps->gaps + gaps->n_gaps, heap->gaps, heap->n * sizeof *heap->gaps);
			gaps->n_gaps += heap->n;
		}
	}
	SORT(gaps->gaps, n, compare_gaps);
	gaps->n_gaps = LEAST(n, limit);
}
