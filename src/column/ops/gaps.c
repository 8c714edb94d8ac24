/*
 * Gaps, in bounded memory and on all cores.
 *
 * What matters of spans that overlap, nest or touch is their union, so each lane is a cell of
 * interval_lists.h: in its union a gap lies between each interval and the next. Most gaps are
 * settled while blocks are read (gaps_settle.c); what is left to be united is little. If it does
 * not fit into memory even so, the run is read again, window by window, without that. What is kept
 * for a lane is a few sums, and its end so far, from which a next window goes on. The longest gaps
 * are kept in a heap a thread as long as the caller asked for, joined in the end, so that the
 * result does not depend on who did what.
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
#include "util/workers.h"

#define MEMORY_BYTES ((size_t)256 << 20)

/* --- The intervals of a window ------------------------------------------- */

/* What was settled of a run that did not fit is found again. */
static void
forget(struct finding *finding)
{
	memset(finding->lanes, 0, finding->dataset.n_lanes * sizeof *finding->lanes);
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
	atomic_store(&finding->budget.used_bytes, 0);
	for (unsigned t = 0; t < finding->scan.n_threads; t++) {
		interval_lists_grow(&finding->threads[t], finding->scan.loop.dataset->n_lanes);
	}
	int status = finding->was_read ? gaps_read(finding, err) : gaps_settle(finding, err);
	if (status > 0) {
		interval_lists_drop(finding->threads, finding->scan.n_threads);
	}
	if (!finding->was_read && status > 0) {
		gaps_settle_fini(finding);
		forget(finding);
	}
	finding->scan.loop.wanted = NULL;
	finding->was_read = true;
	return status;
}

/* --- Gaps between them --------------------------------------------------- */

static int
sweep_lane(void *user, size_t item, unsigned thread, struct err *err)
{
	const struct finding *finding = user;
	struct lane_gaps *lane = &finding->lanes[item];
	int64_t n_spans;
	struct intervals wide = {0};

	(void)err;
	if (finding->wide) {
		wide = finding->wide[item];
		finding->wide[item] = (struct intervals){0};
	}
	struct intervals all = interval_cells_take(&finding->cells, item, wide, &n_spans);
	if (!finding->has_begun[item] && all.n > 0) {
		finding->has_begun[item] = true;
		lane->start_ns = lane->end_ns = all.all[0].start;
	}
	for (size_t i = 0; i < all.n; i++) {
		if (all.all[i].start > lane->end_ns) {
			gaps_add(finding, lane, (uint32_t)item, lane->end_ns, all.all[i].start,
			         thread);
		}
		lane->end_ns = MOST(all.all[i].end, lane->end_ns);
	}
	lane->n_spans += n_spans;
	free(all.all);
	return 0;
}

static int
sweep(void *user, int64_t first_ns, int64_t last_ns, bool is_last, struct err *err)
{
	struct finding *finding = user;
	unsigned n_threads = finding->scan.n_threads;
	uint32_t n_lanes = finding->scan.loop.dataset->n_lanes;

	(void)first_ns;
	(void)last_ns;
	(void)is_last;
	interval_cells_init(&finding->cells, finding->threads, n_threads, n_lanes);
	int status =
	    workers_run(n_threads, n_lanes, sweep_lane, finding, finding->request->cancel, err);
	interval_cells_fini(&finding->cells);
	interval_lists_drop(finding->threads, n_threads);
	return status;
}

static void
finding_fini(struct finding *finding)
{
	for (unsigned t = 0; finding->heaps && t < finding->scan.n_threads; t++) {
		free(finding->heaps[t].gaps);
	}
	free(finding->heaps);
	if (finding->threads) {
		interval_lists_drop(finding->threads, finding->scan.n_threads);
	}
	free(finding->threads);
	free(finding->has_begun);
	gaps_settle_fini(finding);
	span_scan_fini(&finding->scan);
	pthread_mutex_destroy(&finding->lock);
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
	finding->lane_slot = block_fields_add(&finding->scan.fields, FIELD_LANE);
	MEM_NEW(finding->threads, finding->scan.n_threads);
	MEM_NEW(finding->heaps, finding->scan.n_threads);
	MEM_NEW(finding->has_begun, dataset->n_lanes);
	finding->lanes = gaps->lanes = xcalloc(dataset->n_lanes, sizeof *gaps->lanes);
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
	pthread_mutex_init(&finding.lock, NULL);
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
