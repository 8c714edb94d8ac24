/*
 * The spans of one lane in order, out of its pieces in all blocks.
 *
 * Pieces are sorted by their first start and opened when the merge gets there: a heap holds the
 * open ones. Pieces in memory are read in place, others through a small buffer each. Order: start,
 * longer first, then where they begin in their source if that is told, then block and row, that is,
 * id.
 */
#include "config.h"
#include "column/finish/finish_private.h"

#include <stdlib.h>
#include <string.h>

#include "column/encode/pack.h"
#include "util/heap.h"
#include "util/mem.h"
#include "util/order.h"

#define CURSOR_BUFFER_BYTES (16u << 10)

struct merge_cursor {
	struct merge_span span;        /* the next one */
	uint32_t n_left;               /* after it */
	const unsigned char *at, *end; /* bytes at hand; PACK_READ_MAX more are readable */
	const struct spill_place *place;
	size_t offset, n_unread; /* in the file, after `end` */
	bool has_orders, has_sums;
	unsigned char *buffer; /* NULL: read in place, or never needed yet */
};

struct lane_merge {
	const struct finish *finish;
	struct finish_part *parts;
	size_t n_parts, next_part;
	struct merge_cursor **heap; /* [0, n_open) is the heap, the rest are free for use */
	size_t n_open, n_cursors, capacity;
};

struct lane_merge *
merge_new(const struct finish *finish)
{
	struct lane_merge *merge = xcalloc(1, sizeof *merge);

	merge->finish = finish;
	return merge;
}

void
merge_free(struct lane_merge *merge)
{
	if (merge) {
		for (size_t i = 0; i < merge->n_cursors; i++) {
			free(merge->heap[i]->buffer);
			free(merge->heap[i]);
		}
		free(merge->heap);
		free(merge);
	}
}

/* Sorted by heap: what qsort does in the worst case is not specified. */
static inline bool
part_after(const struct finish_part *a, const struct finish_part *b)
{
	if (a->start_ns != b->start_ns) {
		return a->start_ns > b->start_ns;
	}
	return a->block != b->block ? a->block > b->block : a->offset > b->offset;
}
HEAP(parts, struct finish_part, part_after)

static void
sort_parts(struct finish_part *parts, size_t n)
{
	size_t i = 1;

	while (i < n && !part_after(&parts[i - 1], &parts[i])) {
		i++;
	}
	if (i < n) { /* else one source, blocks in time order: the usual case */
		parts_sort(parts, n);
	}
}

void
merge_begin(struct lane_merge *merge, struct finish_part *parts, size_t n_parts)
{
	sort_parts(parts, n_parts);
	merge->parts = parts;
	merge->n_parts = n_parts;
	merge->next_part = 0;
	merge->n_open = 0;
}

/* Makes at least one packed span readable. */
static int
refill(const struct lane_merge *merge, struct merge_cursor *cursor, struct err *err)
{
	size_t kept = (size_t)(cursor->end - cursor->at);
	size_t n = CURSOR_BUFFER_BYTES - kept;

	if (!cursor->buffer) {
		cursor->buffer = xcalloc(1, CURSOR_BUFFER_BYTES + PACK_READ_MAX);
	}
	if (kept > 0) {
		memmove(cursor->buffer, cursor->at, kept);
	}
	n = LEAST(n, cursor->n_unread);
	if (spill_read(merge->finish->spill, cursor->place, cursor->offset, cursor->buffer + kept,
	               n, err)) {
		return -1;
	}
	cursor->offset += n;
	cursor->n_unread -= n;
	cursor->at = cursor->buffer;
	cursor->end = cursor->buffer + kept + n;
	return 0;
}

static inline int
cursor_read(struct merge_cursor *cursor, uint64_t values[4], struct err *err)
{
	if (cursor->at >= cursor->end) {
		return spill_damaged(err);
	}
	cursor->at += pack_get(cursor->at, values);
	return 0;
}

static int
cursor_read_order(struct merge_cursor *cursor, struct err *err)
{
	struct span_order *order = &cursor->span.order;
	uint64_t values[4];

	if (cursor_read(cursor, values, err)) {
		return -1;
	}
	order->begin += (uint64_t)pack_unzigzag(values[0]);
	order->end = values[2] ? order->begin + (uint64_t)pack_unzigzag(values[1]) : 0;
	return 0;
}

static int
cursor_read_sum(struct merge_cursor *cursor, struct err *err)
{
	uint64_t values[4];

	if (cursor_read(cursor, values, err)) {
		return -1;
	}
	cursor->span.call_sum_ns = (int64_t)(values[0] - 1);
	return 0;
}

/* Decodes the next span of a piece; the first is coded against its start and row -1. */
static int
cursor_advance(const struct lane_merge *merge, struct merge_cursor *cursor, struct err *err)
{
	uint64_t values[4];

	if (cursor->n_unread > 0 && cursor->end - cursor->at < 3 * (ptrdiff_t)PACK_READ_MAX &&
	    refill(merge, cursor, err)) {
		return -1;
	}
	if (cursor_read(cursor, values, err)) {
		return -1;
	}
	cursor->span.start_ns = (int64_t)((uint64_t)cursor->span.start_ns + values[0]);
	cursor->span.duration_ns = (int64_t)values[1];
	cursor->span.row += (uint32_t)pack_unzigzag(values[2]) + 1;
	cursor->span.category = (uint32_t)values[3] - 1;
	cursor->n_left--;
	if (cursor->has_orders && cursor_read_order(cursor, err)) {
		return -1;
	}
	return cursor->has_sums ? cursor_read_sum(cursor, err) : 0;
}

static inline bool
cursor_before(struct merge_cursor *const *left, struct merge_cursor *const *right)
{
	const struct merge_cursor *a = *left, *b = *right;

	if (a->span.start_ns != b->span.start_ns) {
		return a->span.start_ns < b->span.start_ns;
	}
	if (a->span.duration_ns != b->span.duration_ns) {
		return a->span.duration_ns > b->span.duration_ns;
	}
	if (a->span.order.begin != b->span.order.begin) {
		return a->span.order.begin < b->span.order.begin;
	}
	if (a->span.block != b->span.block) {
		return a->span.block < b->span.block;
	}
	return a->span.row < b->span.row;
}
HEAP(cursors, struct merge_cursor *, cursor_before)

static struct merge_cursor *
spare_cursor(struct lane_merge *merge)
{
	if (merge->n_open == merge->n_cursors) {
		MEM_GROW(merge->heap, merge->capacity, merge->n_cursors + 1);
		merge->heap[merge->n_cursors++] = xcalloc(1, sizeof(struct merge_cursor));
	}
	return merge->heap[merge->n_open];
}

static int
open_part(struct lane_merge *merge, struct err *err)
{
	const struct finish_part *part = &merge->parts[merge->next_part++];
	const struct finish_block *block = &merge->finish->blocks[part->block];
	struct merge_cursor *cursor = spare_cursor(merge);

	cursor->span = (struct merge_span){
	    .start_ns = part->start_ns, .block = part->block, .row = UINT32_MAX, .call_sum_ns = -1};
	cursor->n_left = part->n;
	cursor->has_orders = block->has_orders;
	cursor->has_sums = block->has_sums;
	cursor->place = &block->place;
	if (block->place.memory) {
		cursor->at = block->place.memory + part->offset;
		cursor->end = block->place.memory + part->end;
		cursor->n_unread = 0;
	} else {
		cursor->at = cursor->end = cursor->buffer;
		cursor->offset = part->offset;
		cursor->n_unread = part->end - part->offset;
	}
	if (cursor_advance(merge, cursor, err)) {
		return -1;
	}
	cursors_rise(merge->heap, merge->n_open++);
	return 0;
}

int
merge_next(struct lane_merge *merge, struct merge_span *span, struct err *err)
{
	while (merge->next_part < merge->n_parts &&
	       (merge->n_open == 0 ||
	        merge->parts[merge->next_part].start_ns <= merge->heap[0]->span.start_ns)) {
		if (open_part(merge, err)) {
			return -1;
		}
	}
	if (merge->n_open == 0) {
		return 0;
	}

	struct merge_cursor *first = merge->heap[0];
	*span = first->span;
	if (first->n_left > 0) {
		if (cursor_advance(merge, first, err)) {
			return -1;
		}
		cursors_sink(merge->heap, merge->n_open, 0);
	} else {
		cursors_pop(merge->heap, merge->n_open--);
	}
	return 1;
}
