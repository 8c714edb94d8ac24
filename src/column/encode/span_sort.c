/*
 * Rows are first distributed by a small key (lane, or block), by counting where the keys lie close
 * together, else by radix. Within a lane the order is nearly right already: tracers write a span
 * when it ends, so it stands behind its children, a few rows too late. Hence a merge sort from the
 * bottom up whose merges look for the part that is out of place first: nothing to do costs two
 * searches, a few rows out of place cost little, and the worst case stays n log n.
 */
#include "config.h"
#include "column/encode/span_sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

#define COUNT_RANGE                                                                                \
	4u /* keys that spread over up to this many times n (and COUNT_FLOOR) are counted */
#define COUNT_FLOOR 4096u
#define INSERTION_ROWS 24u

static void
order_by_counting(struct order *order, const uint32_t *keys, size_t n, uint32_t min, uint32_t max)
{
	size_t range = (size_t)(max - min) + 1;
	uint32_t position = 0;

	MEM_GROW(order->counts, order->count_capacity, range);
	memset(order->counts, 0, range * sizeof *order->counts);
	for (size_t i = 0; i < n; i++) {
		order->counts[keys[i] - min]++;
	}
	for (size_t k = 0; k < range; k++) {
		uint32_t count = order->counts[k];
		order->counts[k] = position;
		position += count;
	}
	for (size_t i = 0; i < n; i++) {
		order->rows[order->counts[keys[i] - min]++] = (uint32_t)i;
	}
}

static void
order_by_radix(struct order *order, const uint32_t *keys, size_t n)
{
	MEM_GROW(order->pairs, order->pair_capacity, 2 * n);
	uint64_t *from = order->pairs, *to = order->pairs + n;

	for (size_t i = 0; i < n; i++) {
		from[i] = (uint64_t)keys[i] << 32 | i;
	}
	for (unsigned shift = 32; shift < 64; shift += 8) {
		size_t counts[257] = {0};
		for (size_t i = 0; i < n; i++) {
			counts[(from[i] >> shift & 255) + 1]++;
		}
		for (unsigned digit = 0; digit < 255; digit++) {
			counts[digit + 1] += counts[digit];
		}
		for (size_t i = 0; i < n; i++) {
			to[counts[from[i] >> shift & 255]++] = from[i];
		}
		uint64_t *swap = from;
		from = to;
		to = swap;
	}
	for (size_t i = 0; i < n; i++) {
		order->rows[i] = (uint32_t)from[i];
	}
}

void
order_by(struct order *order, const uint32_t *keys, size_t n)
{
	uint32_t min = UINT32_MAX, max = 0;

	MEM_GROW(order->rows, order->row_capacity, n);
	for (size_t i = 0; i < n; i++) {
		min = LEAST(keys[i], min);
		max = MOST(keys[i], max);
	}
	if (n == 0 || max - min <= n * COUNT_RANGE + COUNT_FLOOR) {
		order_by_counting(order, keys, n, n ? min : 0, max);
	} else {
		order_by_radix(order, keys, n);
	}
}

void
order_free(struct order *order)
{
	free(order->rows);
	free(order->counts);
	free(order->pairs);
}

static inline bool
before(const struct sort_span *a, const struct sort_span *b)
{
	if (a->start_ns != b->start_ns) {
		return a->start_ns < b->start_ns;
	}
	if (a->duration_ns != b->duration_ns) {
		return a->duration_ns > b->duration_ns;
	}
	return a->row < b->row;
}

static void
sort_by_insertion(struct sort_span *spans, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct sort_span span = spans[i];
		size_t k = i;
		for (; k > 0 && before(&span, &spans[k - 1]); k--) {
			spans[k] = spans[k - 1];
		}
		spans[k] = span;
	}
}

/* How many of the n sorted spans stand before `span`. */
static size_t
count_before(const struct sort_span *spans, size_t n, const struct sort_span *span)
{
	size_t low = 0;

	ORDER_FIND(low, n, middle, before(&spans[middle], span));
	return low;
}

/* Merges the sorted neighbours spans[0, left) and spans[left, n); scratch holds the shorter one. */
static void
merge_neighbours(struct sort_span *spans, size_t left, size_t n, struct sort_span *scratch)
{
	if (!before(&spans[left], &spans[left - 1])) {
		return;
	}
	size_t skip = count_before(spans, left, &spans[left]);
	n = left + count_before(spans + left, n - left, &spans[left - 1]);
	spans += skip;
	left -= skip;
	n -= skip;

	size_t right = n - left;
	if (left <= right) {
		memcpy(scratch, spans, left * sizeof *spans);
		size_t i = 0, k = left, out = 0;
		while (i < left) {
			bool take_right = k < n && before(&spans[k], &scratch[i]);
			spans[out++] = take_right ? spans[k++] : scratch[i++];
		}
	} else {
		memcpy(scratch, spans + left, right * sizeof *spans);
		size_t i = left, k = right, out = n;
		while (k > 0) {
			bool take_left = i > 0 && before(&scratch[k - 1], &spans[i - 1]);
			spans[--out] = take_left ? spans[--i] : scratch[--k];
		}
	}
}

void
sort_spans(struct sort_span *spans, size_t n, struct sort_span *scratch)
{
	for (size_t i = 0; i < n; i += INSERTION_ROWS) {
		sort_by_insertion(spans + i, LEAST(n - i, INSERTION_ROWS));
	}
	for (size_t width = INSERTION_ROWS; width < n; width *= 2) {
		for (size_t i = 0; i + width < n; i += 2 * width) {
			size_t both = LEAST(n - i, 2 * width);
			merge_neighbours(spans + i, width, both, scratch);
		}
	}
}
