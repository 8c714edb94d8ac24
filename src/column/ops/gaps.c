/*
 * Gaps, in bounded memory and on all cores.
 *
 * What matters of spans that overlap, nest or touch is their union, so each lane has lists of
 * interval_lists.h: in their union a gap lies between each interval and the next. Blocks are read
 * in order of start, a batch at a time, and swept as far as nothing else can start in a lane
 * (gaps_sweep.c); what is kept of that is a few sums, and the lane's end so far. If the rest does
 * not fit into memory even so, as spans come in no order, the run is read again, window by window
 * of their starts. The longest gaps are kept in a heap a thread as long as the caller asked for,
 * joined in the end, so that the result does not depend on who did what.
 *
 * A scope's range cuts gaps rather than spans: what lies around it tells where a lane was idle, so
 * all spans are looked at that the scope's lanes and conditions leave, and gaps are cut as they are
 * found.
 *
 * Lanes that are looked at as one are one cell (gaps_cells.c). Of these the scope's range leaves
 * spans, as of any other scan, and gaps lie between them.
 *
 * Names of the spans around the gaps are looked for in the end, in one more pass, and only for the
 * gaps that are given (gaps_neighbours.c).
 */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>
#include <string.h>

#include "column/ops/gaps_neighbours.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define MEMORY_BYTES ((size_t)256 << 20)

/* So that the lists of a batch and what is left of the one before fit into memory. */
#define BATCH_ROW_BYTES (4 * sizeof(struct interval))
#define BATCH_ROWS ((size_t)1 << 18) /* a thread */

/* What was found of a run that did not fit is found again. */
static void
forget(struct finding *finding)
{
	uint32_t n_lanes = finding->dataset.n_lanes;

	memset(finding->lanes, 0, n_lanes * sizeof *finding->lanes);
	memset(finding->has_begun, 0, n_lanes * sizeof *finding->has_begun);
	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		finding->heaps[t].n = 0;
	}
}

/* The first window is the whole run. */
static int
collect(void *user, int64_t first_ns, int64_t last_ns, struct err *err)
{
	struct finding *finding = user;

	finding->scan.first_ns = first_ns;
	finding->scan.last_ns = last_ns;
	int status = finding->was_read ? span_scan_run(&finding->scan, err)
	                               : gaps_read_in_order(finding, err);
	if (status > 0) {
		gaps_lists_drop(finding);
	}
	if (!finding->was_read && status > 0) {
		forget(finding);
	}
	finding->was_read = true;
	return status;
}

static int
sweep(void *user, int64_t first_ns, int64_t last_ns, bool is_last, struct err *err)
{
	(void)first_ns;
	(void)last_ns;
	(void)is_last;
	return gaps_sweep(user, err);
}

static void
finding_fini(struct finding *finding)
{
	for (unsigned t = 0; finding->heaps && t < finding->scan.n_threads; t++) {
		free(finding->heaps[t].gaps);
	}
	free(finding->heaps);
	gaps_lists_fini(finding);
	free(finding->has_begun);
	free(finding->walks);
	block_room_free(&finding->room);
	block_order_fini(&finding->order);
	span_scan_fini(&finding->scan);
}

static int
find_gaps(struct finding *finding, const struct dataset *dataset, struct gaps *gaps,
          struct err *err)
{
	const struct gaps_request *request = finding->request;
	const struct span_set set = {request->filter, NULL};
	const struct interval_windows windows = {finding, collect, sweep};
	int64_t first_ns, last_ns, end_ns;
	int status = 0;

	finding->dataset = *dataset;
	if (request->within == GAPS_LANE) {
		finding->scope = dataset->scope;
		finding->dataset.scope.has_range = false;
	} else {
		gaps_find_cells(finding, dataset);
	}
	if (span_scan_init(&finding->scan, &finding->dataset, &set, 1, request->parameters, err)) {
		return -1;
	}
	finding->scan.loop.user = finding;
	finding->scan.loop.cancel = request->cancel;
	finding->scan.loop.room = &finding->room;
	finding->scan.take = gaps_take_chunk;
	finding->lane_slot = block_fields_add(&finding->scan.fields, FIELD_LANE);
	unsigned n_threads = finding->scan.n_threads;
	gaps_lists_init(finding);
	MEM_NEW(finding->heaps, n_threads);
	MEM_NEW(finding->walks, (size_t)n_threads * n_threads);
	MEM_NEW(finding->has_begun, dataset->n_lanes);
	finding->lanes = gaps->lanes = xcalloc(dataset->n_lanes, sizeof *gaps->lanes);
	finding->batch_rows =
	    LEAST(BATCH_ROWS * n_threads, finding->budget.limit_bytes / BATCH_ROW_BYTES + 1);
	block_order_init(&finding->order, &finding->dataset, finding->cell_of);
	if (span_bounds(dataset, &first_ns, &last_ns, &end_ns)) {
		status = interval_windows_run(&windows, first_ns, last_ns,
		                              (uint64_t)last_ns - (uint64_t)first_ns, err);
	}
	if (status == 0) {
		gaps_join(finding, gaps);
		for (uint32_t i = 0; i < gaps->n_lanes; i++) {
			dataset_clip(dataset, &gaps->lanes[i].start_ns, &gaps->lanes[i].end_ns);
		}
	}
	return status;
}

int
gaps_run(const struct dataset *dataset, const struct gaps_request *request, struct gaps *gaps,
         struct err *err)
{
	struct finding finding = {
	    .request = request,
	    .least_ns = MOST(request->least_ns, 1),
	    .budget = {request->memory_bytes ? request->memory_bytes : MEMORY_BYTES, 0}};

	*gaps = (struct gaps){.n_lanes = dataset->n_lanes};
	if (request->limit < 0 || request->limit > GAPS_LIMIT) {
		return err_set(err, ERR_LIMIT, "between 0 and %d gaps can be asked for",
		               GAPS_LIMIT);
	}
	int status = find_gaps(&finding, dataset, gaps, err);
	finding_fini(&finding);
	if (status == 0 && request->neighbours && gaps->n_gaps > 0) {
		status = gap_find_neighbours(dataset, request, finding.cell_of, gaps->gaps,
		                             gaps->n_gaps, err);
	}
	for (size_t i = 0; finding.first_lane && i < gaps->n_gaps; i++) {
		gaps->gaps[i].lane = finding.first_lane[gaps->gaps[i].lane];
	}
	free(finding.cell_of);
	free(finding.first_lane);
	return status;
}

void
gaps_fini(struct gaps *gaps)
{
	free(gaps->lanes);
	free(gaps->gaps);
	*gaps = (struct gaps){0};
}
