/*
 * The finishing pass, first half: what decoding threads do with each block. The whole:
 *
 * - finish_add: a block's keys are distributed over lanes, each lane is sorted (span_sort.c),
 *   packed and spilled (this file, spill.c).
 * - finish_run (finish_run.c) numbers the blocks of all sources, and then for each lane of the run,
 *   lanes in parallel: merges its pieces of all blocks into one stream in order (finish_merge.c),
 *   sweeps it for nesting and for what is innermost at each instant (sweep.c), folds the latter
 *   into tiles (pyramid.c), and sorts the former by block again, spilled too (finish_result.c).
 * - At last groups' tiles are summed from lanes' tiles (finish_tile.c), and the receiver gets
 *   everything in order.
 *
 * A block is sorted by itself, where it is still in the cache, and spilled as it is: larger runs
 * would need memory for each source that is being read (there may be thousands) and would gain
 * nothing, as the merge opens a piece only when its first start is reached: in a trace, where
 * blocks follow each other in time, few are open at once. Packed, a span takes some nine bytes.
 * What pieces there are is spilled behind them: each block may have spans of thousands of lanes.
 */
#include "config.h"
#include "column/finish/finish.h"

#include <stdlib.h>
#include <string.h>

#include "column/finish/finish_private.h"
#include "column/encode/pack.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

/* Room for one finish_add; kept for the next. */
struct finish_scratch {
	struct finish_scratch *next;
	struct order order;
	uint32_t *lanes;
	struct sort_span *spans, *merge;
	unsigned char *bytes;
	size_t lane_capacity, span_capacity, merge_capacity, byte_capacity;
	struct finish_piece *pieces;
	size_t n_pieces, piece_capacity;
};

struct finish *
finish_new(const char *directory, size_t memory_bytes)
{
	struct finish *finish = xcalloc(1, sizeof *finish);

	finish->spill = spill_new(directory, memory_bytes);
	pthread_mutex_init(&finish->lock, NULL);
	return finish;
}

static void
scratch_free(struct finish_scratch *scratch)
{
	order_free(&scratch->order);
	free(scratch->lanes);
	free(scratch->spans);
	free(scratch->merge);
	free(scratch->bytes);
	free(scratch->pieces);
	free(scratch);
}

void
finish_free(struct finish *finish)
{
	if (finish) {
		while (finish->scratch) {
			struct finish_scratch *next = finish->scratch->next;
			scratch_free(finish->scratch);
			finish->scratch = next;
		}
		free(finish->blocks);
		spill_free(finish->spill);
		pthread_mutex_destroy(&finish->lock);
		free(finish);
	}
}

static struct finish_scratch *
scratch_take(struct finish *finish, uint32_t n, size_t span_bytes)
{
	pthread_mutex_lock(&finish->lock);
	struct finish_scratch *scratch = finish->scratch;
	if (scratch) {
		finish->scratch = scratch->next;
	}
	pthread_mutex_unlock(&finish->lock);
	if (!scratch) {
		MEM_NEW(scratch, 1);
	}
	MEM_GROW(scratch->lanes, scratch->lane_capacity, n);
	MEM_GROW(scratch->spans, scratch->span_capacity, n);
	MEM_GROW(scratch->merge, scratch->merge_capacity, n / 2 + 1);
	scratch->bytes =
	    mem_grow(scratch->bytes, &scratch->byte_capacity, (size_t)n * span_bytes + 8, 1);
	scratch->n_pieces = 0;
	return scratch;
}

static void
scratch_give(struct finish *finish, struct finish_scratch *scratch)
{
	pthread_mutex_lock(&finish->lock);
	scratch->next = finish->scratch;
	finish->scratch = scratch;
	pthread_mutex_unlock(&finish->lock);
}

/* How many of the sorted spans have the times of the first. */
static size_t
count_equal(const struct sort_span *spans, size_t n)
{
	size_t i = 1;

	while (i < n && spans[i].start_ns == spans->start_ns &&
	       spans[i].duration_ns == spans->duration_ns) {
		i++;
	}
	return i;
}

struct tie {
	uint64_t begin;
	struct sort_span span;
};

static int
compare_ties(const void *left, const void *right)
{
	const struct tie *a = left, *b = right;

	ORDER_BY(a->begin, b->begin);
	return ORDER(a->span.row, b->span.row);
}

/* Brings sorted spans of equal times into the order of their begins. */
static void
order_ties(struct sort_span *spans, size_t n, const struct span_order *orders)
{
	for (size_t i = 0, k; i < n; i += k) {
		size_t in_order = 1;
		k = count_equal(spans + i, n - i);
		while (in_order < k && orders[spans[i + in_order - 1].row].begin <=
		                           orders[spans[i + in_order].row].begin) {
			in_order++;
		}
		if (in_order == k) {
			continue;
		}
		struct tie *ties = xcalloc(k, sizeof *ties);
		for (size_t j = 0; j < k; j++) {
			ties[j] = (struct tie){orders[spans[i + j].row].begin, spans[i + j]};
		}
		SORT(ties, k, compare_ties);
		for (size_t j = 0; j < k; j++) {
			spans[i + j] = ties[j].span;
		}
		free(ties);
	}
}

static size_t
pack_order(const struct span_order *order, uint64_t last_begin, unsigned char *out)
{
	uint64_t values[4] = {pack_zigzag((int64_t)(order->begin - last_begin)),
	                      order->end ? pack_zigzag((int64_t)(order->end - order->begin)) : 0,
	                      order->end != 0};

	return pack_put(out, values);
}

/* Packs sorted spans as differences; merge_next reads them. */
static size_t
pack_spans(const struct sort_span *spans, size_t n, const struct span_key *sums,
           const struct span_order *orders, unsigned char *out)
{
	unsigned char *at = out;
	int64_t start_ns = spans[0].start_ns, row = -1;
	uint64_t begin = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t values[4] = {
		    (uint64_t)spans[i].start_ns - (uint64_t)start_ns,
		    (uint64_t)spans[i].duration_ns, pack_zigzag((int64_t)spans[i].row - row - 1),
		    (uint32_t)(spans[i].category + 1), /* TEXT_NONE is 0 */
		};
		at += pack_put(at, values);
		if (orders) {
			at += pack_order(&orders[spans[i].row], begin, at);
			begin = orders[spans[i].row].begin;
		}
		if (sums) {
			uint64_t sum[4] = {(uint64_t)sums[spans[i].row].call_sum_ns + 1};
			at += pack_put(at, sum);
		}
		start_ns = spans[i].start_ns;
		row = spans[i].row;
	}
	return (size_t)(at - out);
}

static int64_t
last_end(const struct sort_span *spans, size_t n)
{
	int64_t last_ns = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		int64_t end_ns = time_add(spans[i].start_ns, spans[i].duration_ns);
		last_ns = MOST(end_ns, last_ns);
	}
	return last_ns;
}

static size_t
pieces_offset(size_t n_bytes)
{
	return (n_bytes + 7) & ~(size_t)7;
}

/* Distributes the rows over lanes, sorts and packs each. Returns the bytes. */
static size_t
pack_block(struct finish_scratch *scratch, const struct span_key *keys,
           const struct span_order *orders, bool has_sums, uint32_t n)
{
	struct sort_span *spans = scratch->spans;
	size_t n_bytes = 0;

	for (uint32_t i = 0; i < n; i++) {
		scratch->lanes[i] = keys[i].lane;
	}
	order_by(&scratch->order, scratch->lanes, n);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = scratch->order.rows[i];
		const struct span_key *key = &keys[row];
		spans[i] = (struct sort_span){key->start_ns, MOST(key->duration_ns, 0), row,
		                              key->category};
	}
	for (uint32_t i = 0, end; i < n; i = end) {
		uint32_t lane = keys[spans[i].row].lane;
		for (end = i + 1; end < n && keys[spans[end].row].lane == lane;) {
			end++;
		}
		sort_spans(spans + i, end - i, scratch->merge);
		if (orders) {
			order_ties(spans + i, end - i, orders);
		}
		MEM_GROW(scratch->pieces, scratch->piece_capacity, scratch->n_pieces + 1);
		scratch->pieces[scratch->n_pieces++] =
		    (struct finish_piece){spans[i].start_ns, last_end(spans + i, end - i), lane,
		                          end - i, (uint32_t)n_bytes};
		n_bytes += pack_spans(spans + i, end - i, has_sums ? keys : NULL, orders,
		                      scratch->bytes + n_bytes);
	}
	return n_bytes;
}

/* Puts the pieces behind the spans. Returns the bytes of all. */
static size_t
add_pieces(struct finish_scratch *scratch, size_t n_bytes)
{
	size_t at = pieces_offset(n_bytes), size = scratch->n_pieces * sizeof *scratch->pieces;

	scratch->bytes = mem_grow(scratch->bytes, &scratch->byte_capacity, at + size + 1, 1);
	memset(scratch->bytes + n_bytes, 0, at - n_bytes);
	if (size > 0) {
		memcpy(scratch->bytes + at, scratch->pieces, size);
	}
	return at + size;
}

static bool
has_call_sums(const struct span_key *keys, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (keys[i].call_sum_ns >= 0) {
			return true;
		}
	}
	return false;
}

int
finish_add(struct finish *finish, uint32_t source, uint32_t sequence, const struct span_key *keys,
           const struct span_order *orders, uint32_t n, struct err *err)
{
	if (n > BLOCK_ROWS) {
		return err_set(err, ERR_INTERNAL, "a block of %u rows", n);
	}

	bool has_sums = has_call_sums(keys, n);
	size_t n_packs = 1u + (orders != NULL) + has_sums;
	struct finish_scratch *scratch = scratch_take(finish, n, PACK_BYTES_MAX * n_packs);
	struct finish_block block = {.source = source,
	                             .sequence = sequence,
	                             .n_rows = n,
	                             .has_orders = orders != NULL,
	                             .has_sums = has_sums};
	size_t n_bytes = n > 0 ? pack_block(scratch, keys, orders, has_sums, n) : 0;
	size_t n_all = add_pieces(scratch, n_bytes);
	int status = spill_add(finish->spill, scratch->bytes, n_all, &block.place, err);

	if (status == 0) {
		block.n_bytes = (uint32_t)n_bytes;
		block.n_pieces = (uint32_t)scratch->n_pieces;
		block.last_lane = n > 0 ? scratch->pieces[scratch->n_pieces - 1].lane : 0;
		pthread_mutex_lock(&finish->lock);
		MEM_GROW(finish->blocks, finish->block_capacity, finish->n_blocks + 1);
		finish->blocks[finish->n_blocks++] = block;
		pthread_mutex_unlock(&finish->lock);
	}
	scratch_give(finish, scratch);
	return status;
}

/* What comes back from a file may be anything. */
static bool
are_pieces_of(const struct finish_piece *pieces, const struct finish_block *block)
{
	uint64_t n_rows = 0, offset = 0;
	bool is_good = true;

	for (uint32_t p = 0; p < block->n_pieces; p++) {
		is_good &= pieces[p].lane <= block->last_lane && pieces[p].offset >= offset &&
		           pieces[p].offset <= block->n_bytes;
		offset = pieces[p].offset;
		n_rows += pieces[p].n;
	}
	return is_good && n_rows == block->n_rows;
}

const struct finish_piece *
piece_read(struct piece_reader *reader, const struct finish *finish,
           const struct finish_block *block, struct err *err)
{
	size_t at = pieces_offset(block->n_bytes);

	if (block->place.memory) {
		return (const struct finish_piece *)(const void *)(block->place.memory + at);
	}
	MEM_GROW(reader->buffer, reader->capacity, block->n_pieces + 1);
	if (spill_read(finish->spill, &block->place, at, reader->buffer,
	               block->n_pieces * sizeof *reader->buffer, err)) {
		return NULL;
	}
	if (!are_pieces_of(reader->buffer, block)) {
		(void)spill_damaged(err);
		return NULL;
	}
	return reader->buffer;
}

void
piece_reader_fini(struct piece_reader *reader)
{
	free(reader->buffer);
}

int
finish_ends(const struct finish *finish,
            void (*tell)(void *user, uint32_t source, uint32_t lane, int64_t end_ns), void *user,
            struct err *err)
{
	struct piece_reader reader = {NULL, 0};
	int status = 0;

	for (size_t i = 0; i < finish->n_blocks && status == 0; i++) {
		const struct finish_block *block = &finish->blocks[i];
		const struct finish_piece *pieces = piece_read(&reader, finish, block, err);
		status = pieces ? 0 : -1;
		for (uint32_t p = 0; pieces && p < block->n_pieces; p++) {
			tell(user, block->source, pieces[p].lane, pieces[p].last_end_ns);
		}
	}
	piece_reader_fini(&reader);
	return status;
}
