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

struct finish_pass {
	struct finish *finish;
	const struct finish_plan *plan;
	struct finish_part *parts; /* by lane */
	size_t *firsts;            /* by lane, and the end */
	uint64_t *n_spans;         /* by lane */
	uint32_t *lanes;           /* those that have spans, most spans first */
	size_t n_lanes;
	int64_t base_ns;
	unsigned n_threads;
	struct sweeper *sweepers;
	struct tile_log *tile_logs;
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
	uint32_t lane = pass->lanes[item];
	bool is_dense = pass->plan->is_dense && pass->plan->is_dense[lane];
	struct merge_span span;
	int status;

	sweeper->lane = lane;
	merge_begin(sweeper->merge, pass->parts + pass->firsts[lane],
	            pass->firsts[lane + 1] - pass->firsts[lane]);
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

/* Brings the spans of a block, which are packed as differences, to the run's clock. */
static void
shift_block(struct finish_block *block, int64_t shift_ns)
{
	for (uint32_t p = 0; shift_ns != 0 && p < block->n_pieces; p++) {
		time_raise(&block->pieces[p].first_start_ns, shift_ns);
	}
}

/* Sorts the blocks, gives them their first ids and shifts them. */
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
		shift_block(block, plan->sources[block->source].shift_ns);
	}
	return 0;
}

/* Whether a lane has tiles. */
static bool
is_shown(const struct finish_plan *plan, uint32_t lane)
{
	return !(plan->is_flat && plan->is_flat[lane]) || (plan->is_dense && plan->is_dense[lane]);
}

/* Calls for every piece of a lane that is shown; adds its spans, or keeps its part. */
static int
distribute(struct finish_pass *pass, bool keep, struct err *err)
{
	const struct finish *finish = pass->finish;
	const struct finish_plan *plan = pass->plan;

	for (uint32_t b = 0; b < finish->n_blocks; b++) {
		const struct finish_block *block = &finish->blocks[b];
		const uint32_t *lanes = plan->sources[block->source].lanes;
		for (uint32_t p = 0; p < block->n_pieces; p++) {
			uint32_t lane = lanes[block->pieces[p].lane];
			if (lane >= plan->n_lanes) {
				return err_set(err, ERR_INTERNAL, "a span on unknown lane %u",
				               lane);
			}
			if (!is_shown(plan, lane)) {
				continue;
			}
			if (keep) {
				pass->parts[pass->firsts[lane]++] =
				    (struct finish_part){block->pieces[p].first_start_ns, b, p};
			} else {
				pass->n_spans[lane] += block->pieces[p].n;
				pass->firsts[lane + 1]++;
			}
		}
	}
	return 0;
}

/* Pieces by lane, in order of blocks. */
static int
gather_parts(struct finish_pass *pass, struct err *err)
{
	uint32_t n_lanes = pass->plan->n_lanes;

	MEM_NEW(pass->firsts, (size_t)n_lanes + 1);
	MEM_NEW(pass->n_spans, n_lanes);
	if (distribute(pass, false, err)) {
		return -1;
	}
	for (uint32_t lane = 0; lane < n_lanes; lane++) {
		pass->firsts[lane + 1] += pass->firsts[lane];
	}
	pass->parts = xmalloc(pass->firsts[n_lanes] * sizeof *pass->parts);
	if (distribute(pass, true, err)) {
		return -1;
	}
	/* Each first has moved to its lane's end. */
	memmove(pass->firsts + 1, pass->firsts, n_lanes * sizeof *pass->firsts);
	pass->firsts[0] = 0;
	return 0;
}

struct lane_size {
	uint64_t n_spans;
	uint32_t lane;
};

static int
compare_sizes(const void *left, const void *right)
{
	const struct lane_size *a = left, *b = right;

	ORDER_BY(b->n_spans, a->n_spans);
	return ORDER(a->lane, b->lane);
}

/* Lists the lanes that have spans, the longest first; returns the spans of all. */
static uint64_t
list_lanes(struct finish_pass *pass)
{
	struct lane_size *sizes = xmalloc(pass->plan->n_lanes * sizeof *sizes);
	uint64_t n_spans = 0;

	for (uint32_t lane = 0; lane < pass->plan->n_lanes; lane++) {
		if (pass->n_spans[lane] > 0) {
			sizes[pass->n_lanes++] = (struct lane_size){pass->n_spans[lane], lane};
			n_spans += pass->n_spans[lane];
		}
	}
	SORT(sizes, pass->n_lanes, compare_sizes);
	pass->lanes = xmalloc(pass->n_lanes * sizeof *pass->lanes);
	for (size_t i = 0; i < pass->n_lanes; i++) {
		pass->lanes[i] = sizes[i].lane;
	}
	free(sizes);
	return n_spans;
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
		result_log_free(pass->result_logs[t]);
	}
	free(pass->tile_logs);
	free(pass->result_logs);
	free(pass->parts);
	free(pass->firsts);
	free(pass->n_spans);
	free(pass->lanes);
}

static int
sweep_lanes(struct finish_pass *pass, struct err *err)
{
	open_sweepers(pass);
	int status =
	    workers_run(pass->n_threads, pass->n_lanes, sweep_lane, pass, pass->plan->cancel, err);
	for (unsigned t = 0; t < pass->n_threads && status == 0; t++) {
		status = result_log_flush(pass->result_logs[t], err);
		if (status == 0) {
			status = tile_log_flush(&pass->tile_logs[t], err);
		}
	}
	close_sweepers(pass);
	return status;
}

static int
deliver_tiles(struct finish_pass *pass, const struct finish_receiver *receiver, struct err *err)
{
	struct spill *spill = pass->finish->spill;
	size_t n;
	struct tile_entry *entries = tile_log_sorted(pass->tile_logs, pass->n_threads, &n);
	struct tile_grouping grouping = {pass->plan, spill, pass->base_ns, pass->tile_logs,
	                                 pass->n_threads};
	int status = tile_groups(&grouping, entries, n, err);

	free(entries);
	if (status != 0) {
		return -1;
	}
	entries = tile_log_sorted(pass->tile_logs, pass->n_threads, &n);
	status = tile_deliver(spill, entries, n, receiver, err);
	free(entries);
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
	if (number_blocks(finish, plan, err) || gather_parts(&pass, err)) {
		goto out;
	}
	uint64_t n_spans = list_lanes(&pass);
	if (n_spans > 0) {
		pass.base_ns = choose_base(plan->duration_ns, pass.n_lanes, n_spans);
		n_levels = pyramid_levels(pass.base_ns, plan->duration_ns);
	}
	if (receiver->base(receiver->user, pass.base_ns, n_levels)) {
		goto out;
	}
	status = 0;
	if (n_spans > 0 && (sweep_lanes(&pass, err) || deliver_tiles(&pass, receiver, err) ||
	                    result_deliver(finish, plan, pass.result_logs, pass.n_threads,
	                                   pass.n_threads, receiver, err))) {
		status = -1;
	}
out:
	pass_fini(&pass);
	return status;
}
