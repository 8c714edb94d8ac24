/*
 * Most gaps are settled as blocks are read, and need not be kept.
 *
 * Where a block is alone with its lanes (block_zones.h) nothing can lie between its spans but what
 * it has itself. So when a thread has read a block it counts the gaps of each lane there, and what
 * stands around them becomes one interval: a block leaves few of each lane, those at its borders.
 * Wide blocks are read first, since any other may lie beside them: of their unions each block takes
 * what lies in its zone.
 */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

/* The intervals of the block that a thread reads, by slot: a lane has one once it was met. */
struct block_lanes {
	struct interval_lists lists;
	uint32_t *lane_of_slot, *slot_of_lane; /* UINT32_MAX: none */
	uint32_t n_slots;
	size_t capacity;
};

static struct interval_list *
list_of(struct block_lanes *block, uint32_t lane)
{
	if (block->slot_of_lane[lane] == UINT32_MAX) {
		block->slot_of_lane[lane] = block->n_slots;
		MEM_GROW(block->lane_of_slot, block->capacity, block->n_slots + 1);
		block->lane_of_slot[block->n_slots++] = lane;
		interval_lists_grow(&block->lists, block->n_slots);
	}
	return &block->lists.lists[block->slot_of_lane[lane]];
}

static int
take_chunk(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err)
{
	struct finding *finding = user;
	struct block_lanes *block = &finding->blocks[chunk->view->thread];
	struct row_codes lanes;

	(void)slot;
	(void)err;
	if (!span_chunk_lanes(chunk, finding->lane_slot, &lanes)) {
		return 0;
	}
	for (uint32_t i = 0; i < chunk->n; i++) {
		uint32_t row = chunk->rows[i];
		uint32_t cell = gaps_cell(finding, lanes.map[lanes.values[row]]);
		if (!gaps_add_span(finding, list_of(block, cell), chunk->starts.values[row],
		                   chunk->ends.values[row])) {
			return 1;
		}
	}
	return 0;
}

/* Adds to a lane's sums what one of its blocks has. */
static void
add_sums(struct finding *finding, uint32_t lane, const struct lane_gaps *settled)
{
	struct lane_gaps *sums = &finding->lanes[lane];

	pthread_mutex_lock(&finding->lock);
	sums->n_gaps += settled->n_gaps;
	time_raise(&sums->uncovered_ns, settled->uncovered_ns);
	time_raise(&sums->idle_ns, settled->idle_ns);
	if (settled->longest_ns > sums->longest_ns ||
	    (settled->longest_ns == sums->longest_ns &&
	     settled->longest_start_ns < sums->longest_start_ns)) {
		sums->longest_ns = settled->longest_ns;
		sums->longest_start_ns = settled->longest_start_ns;
	}
	pthread_mutex_unlock(&finding->lock);
}

/* Counts the gaps that lie in the zone, and closes them. */
static size_t
close_gaps(struct finding *finding, struct intervals all, struct block_zone zone, uint32_t lane,
           unsigned thread)
{
	struct lane_gaps settled = {0};
	size_t n = LEAST(1, all.n);

	for (size_t i = 1; i < all.n; i++) {
		int64_t start_ns = all.all[n - 1].end, end_ns = all.all[i].start;
		if (start_ns >= zone.start_ns && end_ns <= zone.end_ns) {
			gaps_add(finding, &settled, lane, start_ns, end_ns, thread);
			all.all[n - 1].end = all.all[i].end;
		} else {
			all.all[n++] = all.all[i];
		}
	}
	if (settled.uncovered_ns > 0) {
		add_sums(finding, lane, &settled);
	}
	return n;
}

/* Settles a lane of a block, and adds what is left to the thread's list. */
static bool
end_lane(struct finding *finding, struct interval_list *list, struct block_zone zone, uint32_t lane,
         unsigned thread)
{
	struct interval_list *kept = &finding->threads[thread].lists[lane];
	struct intervals own = interval_list_merge(list), beside = {NULL, 0}, all = own;
	bool has_room = true;

	if (finding->wide) {
		beside = intervals_within(finding->wide[lane], zone.start_ns, zone.end_ns);
	}
	if (beside.n > 0) {
		all.all = xmalloc((own.n + beside.n) * sizeof *all.all);
		all.n = intervals_merge(own.all, own.n, beside.all, beside.n, all.all);
	}
	size_t n = close_gaps(finding, all, zone, lane, thread);
	for (size_t i = 0; i < n && has_room; i++) {
		has_room =
		    interval_list_add(kept, &finding->budget, all.all[i].start, all.all[i].end);
		kept->n_spans--;
	}
	kept->n_spans += list->n_spans;
	interval_list_clear(list);
	if (beside.n > 0) {
		free(all.all);
	}
	return has_room;
}

static int
end_block(void *user, const struct block_view *view, struct err *err)
{
	struct finding *finding = user;
	struct block_lanes *block = &finding->blocks[view->thread];
	bool has_room = true;

	(void)err;
	for (uint32_t slot = 0; slot < block->n_slots; slot++) {
		uint32_t lane = block->lane_of_slot[slot];
		has_room &= end_lane(finding, &block->lists.lists[slot],
		                     finding->zones.zones[view->index], lane, view->thread);
		block->slot_of_lane[lane] = UINT32_MAX;
	}
	block->n_slots = 0;
	return has_room ? 0 : 1;
}

static bool
is_wanted(void *user, const struct block_info *block)
{
	const struct finding *finding = user;
	size_t index = (size_t)(block - finding->dataset.blocks[BLOCK_SPAN]);

	return finding->zones.zones[index].is_wide == finding->takes_wide;
}

static int
unite_wide(void *user, size_t item, unsigned thread, struct err *err)
{
	const struct finding *finding = user;

	(void)thread;
	(void)err;
	finding->wide[item] = interval_cells_take(&finding->cells, item, (struct intervals){0},
	                                          &finding->lanes[item].n_spans);
	return 0;
}

static int
read_wide(struct finding *finding, struct err *err)
{
	unsigned n_threads = finding->scan.n_threads;
	uint32_t n_lanes = finding->dataset.n_lanes;

	finding->takes_wide = true;
	int status = gaps_read(finding, err);
	finding->takes_wide = false;
	if (status != 0) {
		return status;
	}
	MEM_NEW(finding->wide, (size_t)n_lanes + 1);
	interval_cells_init(&finding->cells, finding->threads, n_threads, n_lanes);
	status =
	    workers_run(n_threads, n_lanes, unite_wide, finding, finding->request->cancel, err);
	interval_cells_fini(&finding->cells);
	return status;
}

int
gaps_settle(struct finding *finding, struct err *err)
{
	struct span_scan *scan = &finding->scan;
	uint32_t n_lanes = finding->dataset.n_lanes;

	block_zones_init(&finding->zones, &finding->dataset, finding->cell_of);
	scan->loop.wanted = is_wanted;
	int status = finding->zones.has_wide ? read_wide(finding, err) : 0;
	if (status != 0) {
		return status;
	}
	MEM_NEW(finding->blocks, scan->n_threads);
	for (unsigned t = 0; t < scan->n_threads; t++) {
		finding->blocks[t].slot_of_lane = xmalloc(((size_t)n_lanes + 1) * sizeof(uint32_t));
		for (uint32_t lane = 0; lane < n_lanes; lane++) {
			finding->blocks[t].slot_of_lane[lane] = UINT32_MAX;
		}
	}
	scan->take = take_chunk;
	scan->end_block = end_block;
	return span_scan_run(scan, err);
}

void
gaps_settle_fini(struct finding *finding)
{
	for (unsigned t = 0; finding->blocks && t < finding->scan.n_threads; t++) {
		interval_lists_drop(&finding->blocks[t].lists, 1);
		free(finding->blocks[t].lane_of_slot);
		free(finding->blocks[t].slot_of_lane);
	}
	for (uint32_t lane = 0; finding->wide && lane < finding->dataset.n_lanes; lane++) {
		free(finding->wide[lane].all);
	}
	free(finding->blocks);
	free(finding->wide);
	finding->blocks = NULL;
	finding->wide = NULL;
	block_zones_fini(&finding->zones);
}
