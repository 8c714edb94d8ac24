/*
 * The finishing pass, second half: from sorted pieces to nesting and tiles (finish.c tells the
 * whole). Lanes are the unit of parallel work, the longest first, so that no thread is left alone
 * with a long one at the end.
 */
#include "config.h"
#include "column/finish/finish.h"

#include <stdlib.h>
#include <string.h>

#include "column/finish/density.h"
#include "column/finish/finish_private.h"
#include "column/finish/pyramid.h"
#include "column/finish/sweep.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define SPANS_A_CELL 32u
#define LANE_CELLS_MAX (UINT64_C(1) << 22)
#define CANCEL_SPANS 65536u /* between two looks at the cancel flag */
/* So many lanes and parts of them are swept in one round, or a share of all where there are more:
 * what is known of each takes some hundred bytes until its tiles are delivered. */
#define LANES_A_ROUND (UINT32_C(1) << 16)
#define PARTS_A_ROUND ((size_t)1 << 20)
#define ROUNDS 32

struct finish_pass;

/* One thread's tools for sweeping lanes. */
struct sweeper {
	struct finish_pass *pass;
	struct lane_merge *merge;
	struct sweep *sweep;
	struct density *density; /* NULL before a lane needs it */
	struct pyramid *pyramid;
	struct result_log *results;
	struct tile_log *tiles;
	uint32_t lane;
	bool nests;
};

/* Lanes that are swept together: [first, end), and what there is of them. */
struct lane_round {
	uint32_t first, end;
	struct finish_part *parts; /* by lane */
	size_t *firsts;            /* by lane from `first`, and the end */
	struct lane_size *lanes;   /* those that have spans, most spans first */
	size_t n_lanes;
};

struct lane_size {
	uint64_t n_spans;
	uint32_t lane;
};

struct finish_pass {
	struct finish *finish;
	const struct finish_plan *plan;
	uint32_t *n_parts; /* by lane */
	uint64_t n_all_parts, n_spans;
	size_t n_used; /* lanes that have spans */
	struct lane_round round;
	struct piece_reader pieces;
	int64_t base_ns;
	unsigned n_threads;
	struct sweeper *sweepers;
	struct tile_log *tile_logs;
	struct tile_log *group_logs; /* of rounds, where there are several */
	struct result_log **result_logs;
};

static int
show_stretch(void *user, int64_t start_ns, int64_t end_ns, uint32_t category, struct err *err)
{
	struct sweeper *sweeper = user;

	return pyramid_add_time(sweeper->pyramid, start_ns, end_ns, category, err);
}

/* tag: block << 16 | row */
static int
keep_nesting(void *user, const struct sweep_nesting *nesting, struct err *err)
{
	struct sweeper *sweeper = user;

	if (!sweeper->nests ||
	    (nesting->depth == 0 && nesting->distance == 0 && nesting->covered_ns == 0)) {
		return 0;
	}
	struct span_nesting result = {.block = (uint32_t)(nesting->tag >> 16),
	                              .row = (uint16_t)nesting->tag,
	                              .depth = (uint16_t)nesting->depth,
	                              .distance = nesting->distance,
	                              .covered_ns = nesting->covered_ns};
	return result_log_add(sweeper->results, &result, err);
}

static int
keep_chunk(void *user, unsigned level, uint64_t chunk, struct slice bytes, struct err *err)
{
	struct sweeper *sweeper = user;

	return tile_log_add(sweeper->tiles, TILE_LANE, sweeper->lane, level, chunk, bytes, err);
}

static int
sweep_span(struct sweeper *sweeper, const struct merge_span *merged, struct err *err)
{
	const struct finish_block *block = &sweeper->pass->finish->blocks[merged->block];
	const struct finish_plan *plan = sweeper->pass->plan;
	uint32_t category = merged->category;
	struct sweep_span span = {
	    .start_ns = time_sub(merged->start_ns, plan->origin_ns),
	    .duration_ns = merged->duration_ns,
	    .category =
		category == TEXT_NONE ? TEXT_NONE : plan->sources[block->source].texts[category],
	    .id = block->first_id + merged->row,
	    .tag = (uint64_t)merged->block << 16 | merged->row,
	    .order = merged->order,
	};

	if (sweep_add(sweeper->sweep, &span, err)) {
		return -1;
	}
	return pyramid_add_start(sweeper->pyramid, span.start_ns, err);
}

static int
keep_density(void *user, uint64_t index, int64_t density_ns, struct err *err)
{
	struct sweeper *sweeper = user;

	return pyramid_add_density(sweeper->pyramid, index, density_ns, err);
}

/* Makes ready for a lane of records that stand for many calls. */
static void
begin_density(struct sweeper *sweeper)
{
	const struct finish_pass *pass = sweeper->pass;

	if (!sweeper->density) {
		uint64_t n_cells = (uint64_t)pass->plan->duration_ns / (uint64_t)pass->base_ns + 1;
		sweeper->density = density_new(pass->base_ns, n_cells, keep_density);
	}
	density_begin(sweeper->density, sweeper);
}

/* Densities come before what else is in their cells: the pyramid keeps them until then. */
static int
add_density(struct sweeper *sweeper, const struct merge_span *merged, struct err *err)
{
	return density_add(
	    sweeper->density, time_sub(merged->start_ns, sweeper->pass->plan->origin_ns),
	    merged->duration_ns,
	    merged->call_sum_ns >= 0 ? merged->call_sum_ns : merged->duration_ns, err);
}

static int
sweep_lane(void *user, size_t item, unsigned thread, struct err *err)
{
	struct finish_pass *pass = user;
	struct sweeper *sweeper = &pass->sweepers[thread];
	const struct lane_round *round = &pass->round;
	uint32_t lane = round->lanes[item].lane, at = lane - round->first;
	bool is_dense = pass->plan->is_dense && pass->plan->is_dense[lane];
	struct merge_span span;
	int status;

	sweeper->lane = lane;
	merge_begin(sweeper->merge, round->parts + round->firsts[at],
	            round->firsts[at + 1] - round->firsts[at]);
	pyramid_begin(sweeper->pyramid, sweeper);
	sweeper->nests = !(pass->plan->is_flat && pass->plan->is_flat[lane]);
	if (is_dense) {
		begin_density(sweeper);
	}
	for (uint64_t n = 1; (status = merge_next(sweeper->merge, &span, err)) > 0; n++) {
		if (n % CANCEL_SPANS == 0 && cancel_check(pass->plan->cancel, err)) {
			return -1;
		}
		if ((is_dense && add_density(sweeper, &span, err)) ||
		    sweep_span(sweeper, &span, err)) {
			return -1;
		}
	}
	if (status < 0 || (is_dense && density_end(sweeper->density, err)) ||
	    sweep_end(sweeper->sweep, err)) {
		return -1;
	}
	return pyramid_end(sweeper->pyramid, err);
}

static int
compare_blocks(const void *left, const void *right)
{
	const struct finish_block *a = left, *b = right;

	ORDER_BY(a->source, b->source);
	return ORDER(a->sequence, b->sequence);
}

/* Sorts the blocks and gives them their first ids. */
static int
number_blocks(struct finish *finish, const struct finish_plan *plan, struct err *err)
{
	uint64_t id = 1;

	SORT(finish->blocks, finish->n_blocks, compare_blocks);
	for (size_t i = 0; i < finish->n_blocks; i++) {
		struct finish_block *block = &finish->blocks[i];
		if (block->source >= plan->n_sources) {
			return err_set(err, ERR_INTERNAL, "a block of unknown source %u",
			               block->source);
		}
		if (i > 0 && compare_blocks(block - 1, block) == 0) {
			return err_set(err, ERR_INTERNAL, "block %u of source %u came twice",
			               block->sequence, block->source);
		}
		block->first_id = id;
		id += block->n_rows;
	}
	return 0;
}

/* Whether a lane has tiles. */
static bool
is_shown(const struct finish_plan *plan, uint32_t lane)
{
	return !(plan->is_flat && plan->is_flat[lane]) || (plan->is_dense && plan->is_dense[lane]);
}

/* Visits every piece of a lane that is shown; nonzero stops. */
typedef int piece_visit(struct finish_pass *pass, uint32_t block, const struct finish_piece *piece,
                        uint32_t n_bytes, uint32_t lane, struct err *err);

static int
each_piece(struct finish_pass *pass, piece_visit *visit, struct err *err)
{
	const struct finish *finish = pass->finish;
	const struct finish_plan *plan = pass->plan;

	for (uint32_t b = 0; b < finish->n_blocks; b++) {
		const struct finish_block *block = &finish->blocks[b];
		const uint32_t *lanes = plan->sources[block->source].lanes;
		const struct finish_piece *pieces = piece_read(&pass->pieces, finish, block, err);
		if (!pieces || cancel_check(plan->cancel, err)) {
			return -1;
		}
		for (uint32_t p = 0; p < block->n_pieces; p++) {
			uint32_t lane = lanes[pieces[p].lane];
			uint32_t end =
			    p + 1 < block->n_pieces ? pieces[p + 1].offset : block->n_bytes;
			if (lane >= plan->n_lanes) {
				return err_set(err, ERR_INTERNAL, "a span on unknown lane %u",
				               lane);
			}
			if (is_shown(plan, lane) && visit(pass, b, &pieces[p], end, lane, err)) {
				return -1;
			}
		}
	}
	return 0;
}

static int
count_piece(struct finish_pass *pass, uint32_t block, const struct finish_piece *piece,
            uint32_t end, uint32_t lane, struct err *err)
{
	(void)block;
	(void)end;
	(void)err;
	pass->n_used += pass->n_parts[lane]++ == 0;
	pass->n_all_parts++;
	pass->n_spans += piece->n;
	return 0;
}

/* Each first moves to its lane's end. */
static int
place_piece(struct finish_pass *pass, uint32_t block, const struct finish_piece *piece,
            uint32_t end, uint32_t lane, struct err *err)
{
	struct lane_round *round = &pass->round;
	uint32_t source = pass->finish->blocks[block].source;

	(void)err;
	if (lane >= round->first && lane < round->end) {
		round->parts[round->firsts[lane - round->first]++] =
		    (struct finish_part){.start_ns = time_add(piece->first_start_ns,
		                                              pass->plan->sources[source].shift_ns),
		                         .block = block,
		                         .n = piece->n,
		                         .offset = piece->offset,
		                         .end = end};
	}
	return 0;
}

static int
compare_sizes(const void *left, const void *right)
{
	const struct lane_size *a = left, *b = right;

	ORDER_BY(b->n_spans, a->n_spans);
	return ORDER(a->lane, b->lane);
}

static void
round_fini(struct lane_round *round)
{
	free(round->parts);
	free(round->firsts);
	free(round->lanes);
	*round = (struct lane_round){.first = round->end, .end = round->end};
}

/* Lists the lanes of the round that have spans, the longest first. */
static void
list_lanes(struct lane_round *round)
{
	uint32_t n = round->end - round->first;

	round->lanes = xmalloc(n * sizeof *round->lanes);
	for (uint32_t i = 0; i < n; i++) {
		struct lane_size size = {0, round->first + i};
		for (size_t p = round->firsts[i]; p < round->firsts[i + 1]; p++) {
			size.n_spans += round->parts[p].n;
		}
		if (size.n_spans > 0) {
			round->lanes[round->n_lanes++] = size;
		}
	}
	SORT(round->lanes, round->n_lanes, compare_sizes);
}

/* The next lanes, and their pieces in order of blocks. */
static int
begin_round(struct finish_pass *pass, struct err *err)
{
	struct lane_round *round = &pass->round;
	uint32_t n_lanes = MOST(LANES_A_ROUND, pass->plan->n_lanes / ROUNDS);
	size_t most = MOST(PARTS_A_ROUND, pass->n_all_parts / ROUNDS), n_parts = 0;

	round_fini(round);
	while (round->end < pass->plan->n_lanes && round->end - round->first < n_lanes &&
	       (round->end == round->first || n_parts + pass->n_parts[round->end] <= most)) {
		n_parts += pass->n_parts[round->end++];
	}
	n_lanes = round->end - round->first;
	MEM_NEW(round->firsts, (size_t)n_lanes + 1);
	for (uint32_t i = 0; i < n_lanes; i++) {
		round->firsts[i + 1] = round->firsts[i] + pass->n_parts[round->first + i];
	}
	round->parts = xmalloc(n_parts * sizeof *round->parts);
	if (each_piece(pass, place_piece, err)) {
		return -1;
	}
	memmove(round->firsts + 1, round->firsts, n_lanes * sizeof *round->firsts);
	round->firsts[0] = 0;
	list_lanes(round);
	return 0;
}

/* The smallest 1, 2 or 5 x 10^k ns that keeps the base cells of all lanes to a share of the spans
 * (but a cell a lane there always is). */
static int64_t
choose_base(int64_t duration_ns, uint64_t n_lanes, uint64_t n_spans)
{
	uint64_t most = n_spans / SPANS_A_CELL / n_lanes; /* cells a lane */
	uint64_t base_ns = 1, decade = 1;
	static const uint64_t next[] = {2, 5, 10};

	most = most < 1 ? 1 : LEAST(LANE_CELLS_MAX, most);
	for (unsigned i = 0; (uint64_t)duration_ns / base_ns >= most; i++) {
		base_ns = decade * next[i % 3];
		decade *= i % 3 == 2 ? 10 : 1;
		if (base_ns > INT64_MAX / 4) {
			break; /* three hundred years and no end */
		}
	}
	return (int64_t)base_ns;
}

static void
open_sweepers(struct finish_pass *pass)
{
	MEM_NEW(pass->sweepers, pass->n_threads);
	MEM_NEW(pass->tile_logs, pass->n_threads);
	MEM_NEW(pass->group_logs, pass->n_threads);
	MEM_NEW(pass->result_logs, pass->n_threads);
	for (unsigned t = 0; t < pass->n_threads; t++) {
		struct sweeper *sweeper = &pass->sweepers[t];
		struct sweep_hooks hooks = {sweeper, show_stretch, keep_nesting};
		sweeper->pass = pass;
		sweeper->merge = merge_new(pass->finish);
		sweeper->sweep = sweep_new(&hooks);
		sweeper->pyramid = pyramid_new(pass->base_ns, pass->plan->duration_ns, keep_chunk);
		sweeper->results = pass->result_logs[t] = result_log_new(pass->finish->spill);
		sweeper->tiles = &pass->tile_logs[t];
		sweeper->tiles->spill = pass->finish->spill;
		pass->group_logs[t].spill = pass->finish->spill;
	}
}

static void
close_sweepers(struct finish_pass *pass)
{
	for (unsigned t = 0; pass->sweepers && t < pass->n_threads; t++) {
		merge_free(pass->sweepers[t].merge);
		sweep_free(pass->sweepers[t].sweep);
		density_free(pass->sweepers[t].density);
		pyramid_free(pass->sweepers[t].pyramid);
	}
	free(pass->sweepers);
	pass->sweepers = NULL;
}

static void
pass_fini(struct finish_pass *pass)
{
	close_sweepers(pass);
	for (unsigned t = 0; pass->tile_logs && t < pass->n_threads; t++) {
		tile_log_fini(&pass->tile_logs[t]);
		tile_log_fini(&pass->group_logs[t]);
		result_log_free(pass->result_logs[t]);
	}
	free(pass->tile_logs);
	free(pass->group_logs);
	free(pass->result_logs);
	free(pass->n_parts);
	round_fini(&pass->round);
	piece_reader_fini(&pass->pieces);
}

static struct tile_grouping
grouping_into(const struct finish_pass *pass, struct tile_log *logs)
{
	return (struct tile_grouping){pass->plan, pass->finish->spill, pass->base_ns, logs,
	                              pass->n_threads};
}

/* The tiles of all groups, of the lanes' or of what the rounds have summed. */
static int
deliver_groups(struct finish_pass *pass, const struct tile_entry *entries, size_t n,
               const struct finish_receiver *receiver, struct err *err)
{
	struct tile_grouping grouping = grouping_into(pass, pass->tile_logs);

	if (tile_groups(&grouping, entries, n, err)) {
		return -1;
	}
	struct tile_entry *groups = tile_log_take(pass->tile_logs, pass->n_threads, &n);
	int status = tile_deliver(pass->finish->spill, groups, n, receiver, err);
	free(groups);
	return status;
}

/* The tiles of a round's lanes; if it is the only one, those of groups, too. */
static int
deliver_tiles(struct finish_pass *pass, bool is_only, const struct finish_receiver *receiver,
              struct err *err)
{
	struct tile_grouping grouping = grouping_into(pass, pass->group_logs);
	size_t n;
	struct tile_entry *lanes = tile_log_take(pass->tile_logs, pass->n_threads, &n);
	int status = tile_deliver(pass->finish->spill, lanes, n, receiver, err);

	if (status == 0) {
		status = is_only ? deliver_groups(pass, lanes, n, receiver, err)
		                 : tile_part_groups(&grouping, lanes, n, err);
	}
	free(lanes);
	return status;
}

static int
sweep_round(struct finish_pass *pass, struct err *err)
{
	int status = workers_run(pass->n_threads, pass->round.n_lanes, sweep_lane, pass,
	                         pass->plan->cancel, err);

	for (unsigned t = 0; t < pass->n_threads && status == 0; t++) {
		status = tile_log_flush(&pass->tile_logs[t], err);
	}
	return status;
}

static int
sweep_lanes(struct finish_pass *pass, const struct finish_receiver *receiver, struct err *err)
{
	uint32_t n_lanes = pass->plan->n_lanes;
	bool is_only = true;

	open_sweepers(pass);
	while (pass->round.end < n_lanes) {
		if (begin_round(pass, err)) {
			return -1;
		}
		is_only = pass->round.first == 0 && pass->round.end == n_lanes;
		if (sweep_round(pass, err) || deliver_tiles(pass, is_only, receiver, err)) {
			return -1;
		}
	}
	for (unsigned t = 0; t < pass->n_threads; t++) {
		if (result_log_flush(pass->result_logs[t], err)) {
			return -1;
		}
	}
	round_fini(&pass->round);
	close_sweepers(pass);
	if (is_only) {
		return 0;
	}
	size_t n;
	struct tile_entry *parts = tile_log_take(pass->group_logs, pass->n_threads, &n);
	int status = deliver_groups(pass, parts, n, receiver, err);
	free(parts);
	return status;
}

int
finish_run(struct finish *finish, const struct finish_plan *plan,
           const struct finish_receiver *receiver, struct err *err)
{
	struct finish_pass pass = {.finish = finish, .plan = plan};
	unsigned n_levels = 0;
	int status = -1;

	pass.n_threads = plan->n_threads > 0 ? plan->n_threads : workers_count();
	MEM_NEW(pass.n_parts, plan->n_lanes);
	if (number_blocks(finish, plan, err) || each_piece(&pass, count_piece, err)) {
		goto out;
	}
	if (pass.n_spans > 0) {
		pass.base_ns = choose_base(plan->duration_ns, pass.n_used, pass.n_spans);
		n_levels = pyramid_levels(pass.base_ns, plan->duration_ns);
	}
	if (receiver->base(receiver->user, pass.base_ns, n_levels)) {
		goto out;
	}
	status = 0;
	if (pass.n_spans > 0 && (sweep_lanes(&pass, receiver, err) ||
	                         result_deliver(finish, plan, pass.result_logs, pass.n_threads,
	                                        pass.n_threads, receiver, err))) {
		status = -1;
	}
out:
	pass_fini(&pass);
	return status;
}
