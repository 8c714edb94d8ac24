/*
 * The spans around gaps: one more pass over the blocks that hold an instant at which a gap begins
 * or ends. An index of (lane, instant) tells which rows to note; they are judged block by block, in
 * order, on the calling thread.
 */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>

#include "column/scan/blockloop.h"
#include "column/scan/rowcolumn.h"
#include "util/index.h"
#include "util/intern.h"
#include "util/mem.h"

enum side { SIDE_BEFORE, SIDE_AFTER, SIDES };

/* A row that ends or begins where a gap begins or ends. */
struct hit {
	struct gap_neighbour neighbour;
	uint32_t gap;
	enum side side;
};
struct hits {
	struct hit *hits;
	size_t n, capacity;
};

struct search {
	const struct dataset *dataset;
	struct gap *gaps;
	size_t n_gaps;
	struct index by_border[SIDES]; /* of (lane, instant); a lane's gaps have each once */
	int64_t *instants;             /* sorted */
	struct filter_state **states;
	struct row_slots start_slots, end_slots;
	uint32_t lane_slot, name_slot;
	struct hits *hits; /* of each slot of the loop */
};

static int64_t
instant_of(const struct gap *gap, enum side side)
{
	return side == SIDE_BEFORE ? gap->start_ns : gap->end_ns;
}

static uint64_t
hash_of(uint32_t lane, int64_t instant_ns)
{
	return hash_mix((uint64_t)instant_ns ^ hash_mix(lane));
}

static int
compare_instants(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static void
make_index(struct search *search)
{
	search->instants = xmalloc(search->n_gaps * SIDES * sizeof *search->instants);
	for (enum side side = 0; side < SIDES; side++) {
		for (size_t i = 0; i < search->n_gaps; i++) {
			const struct gap *gap = &search->gaps[i];
			int64_t instant_ns = instant_of(gap, side);
			index_add(&search->by_border[side], hash_of(gap->lane, instant_ns),
			          (uint32_t)i);
			search->instants[i * SIDES + side] = instant_ns;
		}
	}
	qsort(search->instants, search->n_gaps * SIDES, sizeof *search->instants, compare_instants);
}

/* Does a gap begin or end while the block's spans go on? */
static bool
holds_instant(const struct search *search, const struct block_info *block)
{
	size_t low = 0, high = search->n_gaps * SIDES;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (search->instants[middle] < block->start_min) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < search->n_gaps * SIDES && search->instants[low] <= block->end_max;
}

static bool
block_wanted(void *user, const struct block_info *block)
{
	const struct search *search = user;

	return holds_instant(search, block) &&
	       filter_prune(search->states[0], block) != FILTER_NONE;
}

static void
add_hit(struct hits *hits, const struct hit *hit)
{
	MEM_GROW(hits->hits, hits->capacity, hits->n + 1);
	hits->hits[hits->n++] = *hit;
}

static void
scan_row(const struct search *search, struct block_view *view, uint32_t row, uint32_t lane,
         const int64_t instants[SIDES], struct hits *hits)
{
	for (enum side side = 0; side < SIDES; side++) {
		uint32_t found;
		INDEX_FIND(found, &search->by_border[side], hash_of(lane, instants[side]),
		           search->gaps[found].lane == lane &&
		               instant_of(&search->gaps[found], side) == instants[side]);
		if (found == INDEX_NONE) {
			continue;
		}
		struct row_codes names = row_codes_read(search->name_slot, false, view);
		bool has_name = names.n_present == view->n ||
		                (names.n_present > 0 && (names.presence[row / 64] >> row % 64 & 1));
		struct hit hit = {
		    .neighbour = {view->info->first_id + view->row + row,
		                  time_sub(instants[SIDE_BEFORE], instants[SIDE_AFTER]),
		                  has_name ? names.map[names.values[row]] : TEXT_NONE},
		    .gap = found,
		    .side = side};
		add_hit(hits, &hit);
	}
}

static void
scan_chunk(const struct search *search, struct block_view *view, struct hits *hits)
{
	int64_t start_scratch[CHUNK_ROWS], end_scratch[CHUNK_ROWS];
	uint64_t matches[CHUNK_WORDS];

	if (filter_chunk(search->states[view->thread], view, matches) == 0) {
		return;
	}
	struct row_integers starts =
	    row_column_read(ROW_START, &search->start_slots, view, start_scratch);
	struct row_integers ends = row_column_read(ROW_END, &search->end_slots, view, end_scratch);
	struct row_codes lanes = row_codes_read(search->lane_slot, true, view);
	if (starts.n_present < view->n || ends.n_present < view->n || lanes.n_present < view->n) {
		return; /* damaged, as when the gaps were looked for */
	}
	for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
		for (uint64_t left = matches[w]; left; left &= left - 1) {
			uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(left);
			const int64_t instants[SIDES] = {ends.values[row], starts.values[row]};
			scan_row(search, view, row, lanes.map[lanes.values[row]], instants, hits);
		}
	}
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	const struct search *search = user;

	(void)err;
	search->hits[slot].n = 0;
	while (block_view_next(view)) {
		scan_chunk(search, view, &search->hits[slot]);
	}
	return 0;
}

static int
merge_block(void *user, const struct block_info *block, unsigned slot, struct err *err)
{
	struct search *search = user;
	const struct hits *hits = &search->hits[slot];

	(void)block;
	(void)err;
	for (size_t i = 0; i < hits->n; i++) {
		const struct hit *hit = &hits->hits[i];
		struct gap *gap = &search->gaps[hit->gap];
		struct gap_neighbour *best = hit->side == SIDE_BEFORE ? &gap->before : &gap->after;
		if (best->id == 0 || hit->neighbour.duration_ns > best->duration_ns) {
			*best = hit->neighbour; /* ids rise: of equal ones the first stays */
		}
	}
	return 0;
}

static int
run_loop(struct search *search, struct filter *filter, const struct cancel *cancel, struct err *err)
{
	struct block_fields fields = {0};
	struct block_loop loop = {.dataset = search->dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = &fields,
	                          .end = SIZE_MAX,
	                          .user = search,
	                          .wanted = block_wanted,
	                          .scan = scan_block,
	                          .merge = merge_block,
	                          .cancel = cancel};
	unsigned n_threads = block_loop_threads(&loop), n_slots = block_loop_slots(&loop);

	filter_bind(filter, &fields);
	row_column_bind(ROW_START, &fields, &search->start_slots);
	row_column_bind(ROW_END, &fields, &search->end_slots);
	search->lane_slot = block_fields_add(&fields, FIELD_LANE);
	search->name_slot = block_fields_add(&fields, FIELD_NAME);
	search->states = xcalloc(n_threads, sizeof *search->states);
	search->hits = xcalloc(n_slots, sizeof *search->hits);
	for (unsigned t = 0; t < n_threads; t++) {
		search->states[t] = filter_state_new(filter);
	}
	int status = block_loop_run(&loop, err);
	for (unsigned t = 0; t < n_threads; t++) {
		filter_state_free(search->states[t]);
	}
	for (unsigned i = 0; i < n_slots; i++) {
		free(search->hits[i].hits);
	}
	free(search->states);
	free(search->hits);
	block_fields_free(&fields);
	return status;
}

int
gap_find_neighbours(const struct dataset *dataset, const struct gaps_request *request,
                    struct gap *gaps, size_t n, struct err *err)
{
	struct search search = {.dataset = dataset, .gaps = gaps, .n_gaps = n};
	/* Filters belong to the fields that they are bound to: this pass reads others. */
	struct filter *filter =
	    filter_compile(dataset, BLOCK_SPAN, request->filter, request->parameters, err);

	if (!filter) {
		return -1;
	}
	make_index(&search);
	int status = run_loop(&search, filter, request->cancel, err);
	free(search.instants);
	index_free(&search.by_border[SIDE_BEFORE]);
	index_free(&search.by_border[SIDE_AFTER]);
	filter_free(filter);
	return status;
}
