/*
 * Gaps, in bounded memory and on all cores.
 *
 * Gaps need each lane's spans in order of their start, and they are stored in any order. But what
 * matters of spans that overlap, nest or touch is their union, and a block's rows are nearly in
 * order. So each block is sorted by itself and leaves, for each lane that it meets, a piece: merged
 * intervals in order (gaps_collect.c). Pieces of one lane are then merged by a heap, in which
 * usually only one stands at a time, and the running maximum of the ends tells the gaps
 * (gaps_merge.c). Both steps use all cores; what is kept for a lane is a few sums, and the longest
 * gaps are kept in a heap as long as the caller asked for.
 *
 * A run may have more separate spans than fit into memory, so all this is done window by window: a
 * window takes the spans that start in it, and each lane's end so far is carried to the next one.
 * How many spans a window holds is guessed from the blocks' bounds. If it turns out to be more, the
 * window is halved and read again. Blocks that lie outside a window are not touched, so a run whose
 * blocks follow each other in time is read little more than once however many windows it takes.
 *
 * Names of the spans around the gaps are looked for in the end, in one more pass, and only for the
 * gaps that are given (gaps_neighbours.c).
 */
#include "config.h"
#include "column/ops/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/blockloop.h"
#include "column/ops/gaps_private.h"
#include "column/scan/rowcolumn.h"
#include "util/mem.h"

#define MEMORY_BYTES ((size_t)256 << 20)
#define ROW_BYTES (sizeof(struct interval) + sizeof(struct gap_piece)) /* of a span by itself */

/* How many spans start in [first, last], if each block's are spread evenly. */
static double
guess_rows(const struct dataset *dataset, int64_t first_ns, int64_t last_ns)
{
	double rows = 0;

	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		const struct block_info *block = &dataset->blocks[BLOCK_SPAN][i];
		double start = (double)block->start_min, end = (double)block->start_max + 1;
		double from = start > (double)first_ns ? start : (double)first_ns;
		double to = end < (double)last_ns + 1 ? end : (double)last_ns + 1;
		if (from < to) {
			rows += block->n_rows * ((to - from) / (end - start));
		}
	}
	return rows;
}

static int64_t
middle_of(int64_t first, int64_t last)
{
	return (int64_t)((uint64_t)first + ((uint64_t)last - (uint64_t)first) / 2);
}

/* Where a window from first on shall end: at last, or as late as its guessed rows fit. */
static int64_t
window_end(const struct dataset *dataset, size_t memory_bytes, int64_t first_ns, int64_t last_ns)
{
	double limit = (double)memory_bytes / ROW_BYTES;
	int64_t low = first_ns, high = last_ns;

	if (guess_rows(dataset, first_ns, last_ns) <= limit) {
		return last_ns;
	}
	while (low < high) { /* the last instant at which they fit, or the first one */
		int64_t middle = middle_of(low, high);
		if (guess_rows(dataset, first_ns, middle) <= limit) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low > first_ns ? low - 1 : low;
}

/* The first and the last start of all spans; false: there are none. */
static bool
get_bounds(const struct dataset *dataset, int64_t *first_ns, int64_t *last_ns)
{
	*first_ns = INT64_MAX;
	*last_ns = INT64_MIN;
	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		const struct block_info *block = &dataset->blocks[BLOCK_SPAN][i];
		*first_ns = block->start_min < *first_ns ? block->start_min : *first_ns;
		*last_ns = block->start_max > *last_ns ? block->start_max : *last_ns;
	}
	return *first_ns <= *last_ns;
}

static int
run_windows(struct gap_collector *collector, const struct gap_merger *merger, struct err *err)
{
	int64_t first_ns, last_ns;

	if (!get_bounds(collector->dataset, &first_ns, &last_ns)) {
		return 0;
	}
	collector->first_ns = first_ns;
	collector->last_ns =
	    window_end(collector->dataset, collector->memory_bytes, first_ns, last_ns);
	for (;;) {
		int status = gap_collect(collector, err);
		if (status > 0 && collector->last_ns > collector->first_ns) {
			collector->last_ns = middle_of(collector->first_ns, collector->last_ns);
			continue;
		}
		if (status > 0) {
			return err_set(err, ERR_LIMIT,
			               "too many spans start at one instant: filter more");
		}
		if (status < 0 || gap_merge(merger, err) < 0) {
			return -1;
		}
		if (collector->last_ns >= last_ns) {
			return 0;
		}
		collector->first_ns = collector->last_ns + 1;
		collector->last_ns = window_end(collector->dataset, collector->memory_bytes,
		                                collector->first_ns, last_ns);
	}
}

/* All threads' longest gaps in one list, in order. */
static void
join_heaps(const struct gap_heap *heaps, unsigned n_heaps, size_t limit, struct gaps *gaps)
{
	size_t n = 0;

	for (unsigned t = 0; t < n_heaps; t++) {
		n += heaps[t].n;
	}
	gaps->gaps = xmalloc(n * sizeof *gaps->gaps);
	for (unsigned t = 0; t < n_heaps; t++) {
		if (heaps[t].n > 0) {
			memcpy(gaps->gaps + gaps->n_gaps, heaps[t].gaps,
			       heaps[t].n * sizeof *gaps->gaps);
			gaps->n_gaps += heaps[t].n;
		}
	}
	qsort(gaps->gaps, n, sizeof *gaps->gaps, gap_compare);
	gaps->n_gaps = n < limit ? n : limit;
}

static void
free_threads(struct gap_thread *threads, struct gap_heap *heaps, unsigned n_threads)
{
	for (unsigned t = 0; t < n_threads; t++) {
		filter_state_free(threads[t].state);
		free(threads[t].intervals);
		free(threads[t].pieces);
		free(threads[t].lanes);
		free(threads[t].times);
		free(threads[t].spans);
		free(threads[t].scratch);
		order_free(&threads[t].order);
		free(heaps[t].gaps);
	}
	free(threads);
	free(heaps);
}

static int
run_filtered(const struct dataset *dataset, const struct gaps_request *request,
             struct filter *filter, struct gaps *gaps, struct err *err)
{
	struct block_fields fields = {0};
	struct row_slots start_slots, end_slots;
	struct block_loop loop = {.dataset = dataset};
	unsigned n_threads = block_loop_threads(&loop);
	struct gap_thread *threads = xcalloc(n_threads, sizeof *threads);
	struct gap_heap *heaps = xcalloc(n_threads, sizeof *heaps);

	filter_bind(filter, &fields);
	row_column_bind(ROW_START, &fields, &start_slots);
	row_column_bind(ROW_END, &fields, &end_slots);
	for (unsigned t = 0; t < n_threads; t++) {
		threads[t].state = filter_state_new(filter);
	}
	struct gap_collector collector = {
	    .dataset = dataset,
	    .start_slots = &start_slots,
	    .end_slots = &end_slots,
	    .lane_slot = block_fields_add(&fields, FIELD_LANE),
	    .fields = &fields,
	    .threads = threads,
	    .n_threads = n_threads,
	    .memory_bytes = request->memory_bytes ? request->memory_bytes : MEMORY_BYTES,
	    .cancel = request->cancel};
	struct gap_merger merger = {.threads = threads,
	                            .n_threads = n_threads,
	                            .lanes = gaps->lanes,
	                            .heaps = heaps,
	                            .limit = (size_t)request->limit,
	                            .least_ns = request->least_ns > 1 ? request->least_ns : 1,
	                            .cancel = request->cancel};
	int status = run_windows(&collector, &merger, err);
	if (status == 0) {
		join_heaps(heaps, n_threads, merger.limit, gaps);
	}
	free_threads(threads, heaps, n_threads);
	block_fields_free(&fields);
	return status;
}

int
gaps_run(const struct dataset *dataset, const struct gaps_request *request, struct gaps *gaps,
         struct err *err)
{
	*gaps = (struct gaps){.n_lanes = dataset->n_lanes};
	if (request->limit < 0 || request->limit > GAPS_LIMIT) {
		return err_set(err, ERR_LIMIT, "between 0 and %d gaps can be asked for",
		               GAPS_LIMIT);
	}
	struct filter *filter =
	    filter_compile(dataset, BLOCK_SPAN, request->filter, request->parameters, err);
	if (!filter) {
		return -1;
	}
	gaps->lanes = xcalloc(dataset->n_lanes, sizeof *gaps->lanes);
	int status = run_filtered(dataset, request, filter, gaps, err);
	if (status == 0 && request->neighbours && gaps->n_gaps > 0) {
		status = gap_find_neighbours(dataset, request, gaps->gaps, gaps->n_gaps, err);
	}
	filter_free(filter);
	return status;
}

void
gaps_fini(struct gaps *gaps)
{
	free(gaps->lanes);
	free(gaps->gaps);
	*gaps = (struct gaps){0};
}
