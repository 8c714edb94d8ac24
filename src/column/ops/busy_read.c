/*
 * Blocks in order of start, whatever source they are of, a batch at a time: until the instant at
 * which the next block begins all intervals are known. So what the cells have before it is united,
 * measured, and forgotten; what goes further, or begins behind it, stays in the lists. Cells that
 * are met for the first time make groups anew, which take over what was measured. Lists that were
 * just written are in the processor's cache, and their memory is used again. Where there are many
 * cells, of few rows each, that helps nothing: they are measured when they take much memory, or in
 * the end.
 *
 * If the lists do not fit into memory even so, for blocks lie side by side or are in no order, the
 * rest is only summed, and the run is read again, window by window in time: a window takes the
 * spans that start in it, cuts them at its end and carries on what goes further. A window that
 * turns out too full is halved. Cells and sums are those of the first reading.
 */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "column/ops/block_order.h"
#include "column/ops/span_scan.h"
#include "util/mem.h"
#include "util/order.h"

/* So that the lists of a batch and what is left of the one before fit into memory. */
#define BATCH_ROW_BYTES (4 * sizeof(struct interval))
#define BATCH_ROWS ((size_t)1 << 19) /* a thread */
#define CELL_ROWS 64                 /* few in a cell are not measured by themselves */

static unsigned
n_sides(const struct busy *busy)
{
	return 1 + busy->has_beside;
}

static int
measure(struct busy *busy, int64_t first_ns, int64_t end_ns, struct err *err)
{
	struct busy_measuring measuring = {.side = &busy->sides[0],
	                                   .beside = busy->has_beside ? &busy->sides[1] : NULL,
	                                   .lanes = &busy->lanes,
	                                   .lane_of_cell = busy->lane_of_cell[0],
	                                   .beside_lane_of_cell = busy->lane_of_cell[1],
	                                   .order = busy->order,
	                                   .cells = busy->cells,
	                                   .groups = busy->groups,
	                                   .n_groups = busy->n_groups,
	                                   .n_levels = busy->n_levels,
	                                   .n_threads = busy->sides[0].n_threads,
	                                   .first_ns = first_ns,
	                                   .end_ns = end_ns,
	                                   .cancel = busy->request->cancel};

	return busy_measure(&measuring, err);
}

static void
drop(struct busy *busy)
{
	for (unsigned s = 0; s < n_sides(busy); s++) {
		busy_drop(&busy->sides[s]);
	}
}

/* --- In order ------------------------------------------------------------ */

/* Behind the blocks of a batch that begins with block `first` of the order. */
static size_t
end_of_batch(const struct busy *busy, const struct block_order *order, size_t first, size_t *n_rows)
{
	struct filter_state *filters[2];

	for (unsigned s = 0; s < n_sides(busy); s++) {
		filters[s] = busy->sides[s].sums[0]->filter_state;
	}
	*n_rows = LEAST(busy->budget.limit_bytes / 2 / BATCH_ROW_BYTES + 1,
	                BATCH_ROWS * busy->sides[0].n_threads);
	return block_order_batch(order, first, n_rows, filters, n_sides(busy));
}

/* Do the lists take so much that hardly more than a batch fits besides? */
static bool
has_much(const struct busy *busy)
{
	return atomic_load(&busy->budget.used_bytes) > busy->budget.limit_bytes / 4;
}

/* After so many rows since it was done last. */
static bool
is_worth_measuring(const struct busy *busy, size_t n_rows)
{
	size_t n_cells = 0;

	for (unsigned t = 0; t < busy->sides[0].n_threads; t++) {
		n_cells = MOST(busy->sides[0].sums[t]->table.n_groups, n_cells);
	}
	return n_rows / CELL_ROWS >= n_cells || has_much(busy);
}

/* New cells of either side make groups anew. */
static int
update_groups(struct busy *busy, struct err *err)
{
	bool is_grown = !busy->groups;

	for (unsigned s = 0; s < n_sides(busy); s++) {
		struct busy_side *side = &busy->sides[s];
		uint32_t before = side->n_mapped;
		if (busy_map_cells(side, err)) {
			return -1;
		}
		is_grown |= side->n_mapped > before;
	}
	if (is_grown) {
		busy_group_cells(busy);
	}
	return 0;
}

/* Measures what lies before an instant; the rest stays in the lists. */
static int
measure_known(struct busy *busy, int64_t first_ns, int64_t known_ns, struct err *err)
{
	int status = update_groups(busy, err);

	for (unsigned s = 0; s < n_sides(busy) && status == 0; s++) {
		status = busy_unite_known(&busy->sides[s], known_ns, err);
	}
	if (status == 0) {
		status = measure(busy, first_ns, LEAST(known_ns, busy->end_ns), err);
	}
	for (unsigned s = 0; s < n_sides(busy); s++) {
		busy_drop_unions(&busy->sides[s]);
	}
	for (unsigned s = 0; s < n_sides(busy) && has_much(busy); s++) {
		busy_release_lists(&busy->sides[s]);
	}
	return status;
}

/* As busy_collect. */
static int
read_batches(struct busy *busy, const struct block_order *order, int64_t first_ns, struct err *err)
{
	int is_full = 0;
	size_t n_rows = 0;

	for (size_t first = 0, end; first < order->n; first = end) {
		size_t more_rows;
		end = end_of_batch(busy, order, first, &more_rows);
		n_rows += more_rows;
		for (unsigned s = 0; s < n_sides(busy); s++) {
			struct busy_side *side = &busy->sides[s];
			side->order = order->blocks;
			side->first = first;
			side->end = end;
			int status = busy_collect(side, err);
			if (status < 0) {
				return -1;
			}
			is_full |= status;
		}
		int64_t known_ns = block_order_known(order, end, 0);
		if (!is_full && known_ns > first_ns &&
		    (end == order->n || is_worth_measuring(busy, n_rows))) {
			if (measure_known(busy, first_ns, known_ns, err)) {
				return -1;
			}
			first_ns = known_ns;
			n_rows = 0;
		}
	}
	return is_full;
}

static int
read_in_order(struct busy *busy, const struct dataset *dataset, int64_t first_ns, struct err *err)
{
	uint32_t *one = xcalloc((size_t)dataset->n_lanes + 1, sizeof *one);
	struct block_order order;

	block_order_init(&order, dataset, one);
	int status = read_batches(busy, &order, first_ns, err);
	block_order_fini(&order);
	free(one);
	for (unsigned s = 0; s < n_sides(busy); s++) {
		busy->sides[s].order = NULL;
		busy->sides[s].first = 0;
		busy->sides[s].end = SIZE_MAX;
	}
	return status;
}

/* --- Window by window ---------------------------------------------------- */

/* Both sides' intervals of a window; 1: they are too many, and were dropped. */
static int
collect_window(void *user, int64_t first_ns, int64_t last_ns, struct err *err)
{
	struct busy *busy = user;
	int status = 0;

	atomic_store(&busy->budget.used_bytes, 0);
	for (unsigned s = 0; s < n_sides(busy) && status == 0; s++) {
		busy->sides[s].first_ns = first_ns;
		busy->sides[s].last_ns = last_ns;
		status = busy_collect(&busy->sides[s], err);
	}
	if (status > 0) {
		drop(busy);
	}
	return status;
}

static int
measure_window(void *user, int64_t first_ns, int64_t last_ns, bool is_last, struct err *err)
{
	struct busy *busy = user;

	for (unsigned s = 0; s < n_sides(busy); s++) {
		if (busy_unite(&busy->sides[s], is_last, err)) {
			return -1;
		}
	}
	int status = measure(busy, first_ns, is_last ? busy->end_ns : last_ns + 1, err);
	drop(busy);
	return status;
}

static int
read_windows(struct busy *busy, int64_t first_ns, int64_t last_ns, struct err *err)
{
	const struct interval_windows windows = {busy, collect_window, measure_window};

	drop(busy);
	for (size_t g = 0; g < busy->n_groups; g++) {
		busy->groups[g].busy_ns = busy->groups[g].hidden_ns = 0;
	}
	for (unsigned s = 0; s < n_sides(busy); s++) {
		struct busy_side *side = &busy->sides[s];
		MEM_NEW(side->carry, (size_t)side->table.n_groups + 1);
		for (uint32_t cell = 0; cell < side->table.n_groups; cell++) {
			side->carry[cell] = INT64_MIN;
		}
	}
	return interval_windows_run(&windows, first_ns, last_ns,
	                            ((uint64_t)last_ns - (uint64_t)first_ns) / 2, err);
}

int
busy_read(struct busy *busy, const struct dataset *dataset, struct err *err)
{
	int64_t first_ns, last_ns;

	(void)span_bounds(dataset, &first_ns, &last_ns, &busy->end_ns);
	int status = read_in_order(busy, dataset, first_ns, err);
	if (status < 0 || update_groups(busy, err)) {
		return -1;
	}
	for (unsigned s = 0; s < n_sides(busy); s++) {
		if (busy_join(&busy->sides[s], err)) {
			return -1;
		}
	}
	if (status > 0 && read_windows(busy, first_ns, last_ns, err)) {
		return -1;
	}
	busy_complete_groups(busy);
	return 0;
}
