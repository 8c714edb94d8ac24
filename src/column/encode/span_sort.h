/* Sorting of rows for the finishing pass and for windows of the timeline.
 * Used by column/finish, explain/schedule. */
#ifndef LANESCOPE_COLUMN_ENCODE_SPAN_SORT_H
#define LANESCOPE_COLUMN_ENCODE_SPAN_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Room for ordering; zero-initialise. */
struct order {
	uint32_t *rows; /* the result */
	uint32_t *counts;
	uint64_t *pairs; /* two halves */
	size_t row_capacity, count_capacity, pair_capacity;
};
/* Fills order->rows with 0 ... n-1 in stable order of their keys. */
void order_by(struct order *order, const uint32_t *keys, size_t n);
void order_free(struct order *order);

/* A span while it is being sorted. row: what orders equal times, its row in the block or, once the
 * run was finished, its depth. */
struct sort_span {
	int64_t start_ns, duration_ns;
	uint32_t row, category;
};
/* By (start, -duration, row), stable. scratch: room for n / 2 + 1. */
void sort_spans(struct sort_span *spans, size_t n, struct sort_span *scratch);

#endif
