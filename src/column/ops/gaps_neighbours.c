/*
 * The spans around gaps: one more pass over the blocks that hold an instant at which a gap begins
 * or ends. An index of (cell, instant) tells which rows to note; they are judged block by block, in
 * order, on the calling thread. Hardly any row of millions is one: bits of the instants' hashes,
 * few of which are set, tell so in a nanosecond, where a look into the index takes ten.
 */
#include "config.h"
#include "column/ops/gaps_neighbours.h"

#include <stdlib.h>

#include "column/ops/span_scan.h"
#include "util/index.h"
#include "util/intern.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define GAP_BITS 64 /* for each gap, so that few are set */
#define BITS_LOG2_LEAST 12
#define BITS_LOG2_MOST 24

enum gap_side { SIDE_BEFORE, SIDE_AFTER, SIDES };

/* A row that ends or begins where a gap begins or ends. */
struct hit {
	struct gap_neighbour neighbour;
	uint32_t gap;
	enum gap_side side;
};
struct hits {
	struct hit *hits;
	size_t n, capacity;
};

struct neighbour_search {
	struct gap *gaps;
	size_t n_gaps;
	const uint32_t *cell_of;
	struct index by_border[SIDES]; /* of (cell, instant); a cell's gaps have each once */
	int64_t *instants;             /* sorted */
	uint64_t *bits[SIDES];         /* of hashes of instants */
	unsigned bits_shift;
	uint32_t lane_slot, name_slot;
	struct hits *hits; /* of each slot of the loop */
};

static int64_t
instant_of(const struct gap *gap, enum gap_side side)
{
	return side == SIDE_BEFORE ? gap->start_ns : gap->end_ns;
}

static uint64_t
hash_of(uint32_t cell, int64_t instant_ns)
{
	return hash_mix((uint64_t)instant_ns ^ hash_mix(cell));
}

/* The bit of an instant: by the high bits of a product. */
static inline uint64_t
bit_of(const struct neighbour_search *search, int64_t instant_ns)
{
	return (uint64_t)instant_ns * UINT64_C(0x9e3779b97f4a7c15) >> search->bits_shift;
}

static inline bool
may_be_border(const struct neighbour_search *search, enum gap_side side, int64_t instant_ns)
{
	uint64_t bit = bit_of(search, instant_ns);

	return search->bits[side][bit / 64] >> (bit & 63) & 1;
}

static int
compare_instants(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return ORDER(a, b);
}

static void
make_index(struct neighbour_search *search)
{
	unsigned n_log2 = BITS_LOG2_LEAST;

	while (n_log2 < BITS_LOG2_MOST && search->n_gaps > ((size_t)1 << n_log2) / GAP_BITS) {
		n_log2++;
	}
	search->bits_shift = 64 - n_log2;
	search->instants = xmalloc(search->n_gaps * SIDES * sizeof *search->instants);
	for (enum gap_side side = 0; side < SIDES; side++) {
		search->bits[side] =
		    xcalloc(((size_t)1 << n_log2) / 64, sizeof *search->bits[side]);
		for (size_t i = 0; i < search->n_gaps; i++) {
			const struct gap *gap = &search->gaps[i];
			int64_t instant_ns = instant_of(gap, side);
			index_add(&search->by_border[side], hash_of(gap->lane, instant_ns),
			          (uint32_t)i);
			search->instants[i * SIDES + side] = instant_ns;
			uint64_t bit = bit_of(search, instant_ns);
			search->bits[side][bit / 64] |= UINT64_C(1) << (bit & 63);
		}
	}
	SORT(search->instants, search->n_gaps * SIDES, compare_instants);
}

/* Does a gap begin or end while the block's spans go on? */
static bool
holds_instant(void *user, const struct block_info *block)
{
	const struct neighbour_search *search = user;
	size_t low = 0, n = search->n_gaps * SIDES;

	ORDER_FIND(low, n, middle, search->instants[middle] < block->start_min);
	return low < n && search->instants[low] <= block->end_max;
}

static void
scan_row(const struct neighbour_search *search, const struct span_chunk *chunk, uint32_t row,
         uint32_t lane, struct hits *hits)
{
	const uint32_t cell = search->cell_of ? search->cell_of[lane] : lane;
	const int64_t instants[SIDES] = {chunk->ends.values[row], chunk->starts.values[row]};

	for (enum gap_side side = 0; side < SIDES; side++) {
		uint32_t found;
		if (!may_be_border(search, side, instants[side])) {
			continue;
		}
		INDEX_FIND(found, &search->by_border[side], hash_of(cell, instants[side]),
		           search->gaps[found].lane == cell &&
		               instant_of(&search->gaps[found], side) == instants[side]);
		if (found == INDEX_NONE) {
			continue;
		}
		MEM_GROW(hits->hits, hits->capacity, hits->n + 1);
		hits->hits[hits->n++] = (struct hit){
		    .neighbour = {span_chunk_id(chunk, row),
		                  time_sub(instants[SIDE_BEFORE], instants[SIDE_AFTER]),
		                  span_chunk_name(chunk, search->name_slot, row), lane},
		    .gap = found,
		    .side = side};
	}
}

static int
take_chunk(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	const struct neighbour_search *search = user;
	struct row_codes lanes;

	(void)err;
	if (span_chunk_lanes(chunk, search->lane_slot, &lanes)) {
		for (uint32_t i = 0; i < chunk->n; i++) {
			uint32_t row = chunk->rows[i];
			scan_row(search, chunk, row, lanes.map[lanes.values[row]],
			         &search->hits[slot]);
		}
	}
	return 0;
}

static int
merge_block(void *user, const struct block_info *block, unsigned slot, struct err *err)
{
	struct neighbour_search *search = user;
	struct hits *hits = &search->hits[slot];

	(void)block;
	(void)err;
	for (size_t i = 0; i < hits->n; i++) {
		const struct hit *hit = &hits->hits[i];
		struct gap *gap = &search->gaps[hit->gap];
		struct gap_neighbour *best = hit->side == SIDE_BEFORE ? &gap->before : &gap->after;
		/* ids rise: of equal ones the first stays */
		if (best->id == 0 ||
		    (!search->cell_of && hit->neighbour.duration_ns > best->duration_ns)) {
			*best = hit->neighbour;
		}
	}
	hits->n = 0;
	return 0;
}

int
gap_find_neighbours(const struct dataset *dataset, const struct gaps_request *request,
                    const uint32_t *cell_of, struct gap *gaps, size_t n, struct err *err)
{
	struct neighbour_search search = {.gaps = gaps, .n_gaps = n, .cell_of = cell_of};
	const struct span_set set = {request->filter, NULL};
	struct span_scan scan;
	int status = span_scan_init(&scan, dataset, &set, 1, request->parameters, err);

	if (status == 0) {
		make_index(&search);
		search.lane_slot = block_fields_add(&scan.fields, FIELD_LANE);
		search.name_slot = block_fields_add(&scan.fields, FIELD_NAME);
		scan.loop.user = &search;
		scan.loop.wanted = holds_instant;
		scan.loop.merge = merge_block;
		scan.loop.cancel = request->cancel;
		scan.take = take_chunk;
		unsigned n_slots = block_loop_slots(&scan.loop);
		MEM_NEW(search.hits, n_slots);
		status = span_scan_run(&scan, err);
		for (unsigned i = 0; i < n_slots; i++) {
			free(search.hits[i].hits);
		}
		free(search.hits);
		free(search.instants);
		free(search.bits[SIDE_BEFORE]);
		free(search.bits[SIDE_AFTER]);
		index_free(&search.by_border[SIDE_BEFORE]);
		index_free(&search.by_border[SIDE_AFTER]);
	}
	span_scan_fini(&scan);
	return status;
}
