/*
 * One pass over the blocks of a window: the matching rows of each are distributed to their lanes,
 * sorted there (they nearly are) and merged into intervals.
 */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>

#include "column/scan/blockloop.h"
#include "column/scan/rowcolumn.h"
#include "util/mem.h"

/* The matching rows of the chunk whose start lies in the window, appended to the thread's. */
static uint32_t
take_chunk(const struct gap_collector *collector, struct gap_thread *thread,
           struct block_view *view, uint32_t n)
{
	int64_t start_scratch[CHUNK_ROWS], end_scratch[CHUNK_ROWS];
	uint64_t matches[CHUNK_WORDS];

	if (filter_chunk(thread->state, view, matches) == 0) {
		return n;
	}
	struct row_integers starts =
	    row_column_read(ROW_START, collector->start_slots, view, start_scratch);
	struct row_integers ends =
	    row_column_read(ROW_END, collector->end_slots, view, end_scratch);
	struct row_codes lanes = row_codes_read(collector->lane_slot, true, view);
	if (starts.n_present < view->n || ends.n_present < view->n || lanes.n_present < view->n) {
		return n; /* damaged: every row has its times and its lane */
	}
	for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
		for (uint64_t left = matches[w]; left; left &= left - 1) {
			uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(left);
			int64_t start_ns = starts.values[row], end_ns = ends.values[row];
			if (start_ns < collector->first_ns || start_ns > collector->last_ns) {
				continue;
			}
			thread->lanes[n] = lanes.map[lanes.values[row]];
			thread->times[n++] =
			    (struct interval){start_ns, end_ns > start_ns ? end_ns : start_ns};
		}
	}
	return n;
}

/* Sorts the thread's spans and merges them into intervals behind those that it has. */
static size_t
merge_spans(struct gap_thread *thread, struct sort_span *spans, size_t n)
{
	struct interval *out = thread->intervals + thread->n_intervals;
	size_t n_out = 0;

	sort_spans(spans, n, thread->scratch);
	for (size_t i = 0; i < n; i++) {
		int64_t start_ns = spans[i].start_ns,
			end_ns = time_add(start_ns, spans[i].duration_ns);
		if (n_out > 0 && start_ns <= out[n_out - 1].end) {
			out[n_out - 1].end =
			    end_ns > out[n_out - 1].end ? end_ns : out[n_out - 1].end;
		} else {
			out[n_out++] = (struct interval){start_ns, end_ns};
		}
	}
	thread->n_intervals += n_out;
	return n_out;
}

/* A block's rows by lane, each lane's a piece. */
static size_t
make_pieces(struct gap_thread *thread, uint32_t index, uint32_t n)
{
	size_t bytes = 0;

	order_by(&thread->order, thread->lanes, n);
	const uint32_t *rows = thread->order.rows;
	for (uint32_t i = 0; i < n; i++) {
		struct interval time = thread->times[rows[i]];
		thread->spans[i] = (struct sort_span){.start_ns = time.start,
		                                      .duration_ns = time_sub(time.end, time.start),
		                                      .row = i};
	}
	MEM_GROW(thread->intervals, thread->interval_capacity, thread->n_intervals + n);
	for (uint32_t i = 0, end; i < n; i = end) {
		uint32_t lane = thread->lanes[rows[i]];
		for (end = i + 1; end < n && thread->lanes[rows[end]] == lane; end++) {
		}
		size_t first = thread->n_intervals;
		size_t n_intervals = merge_spans(thread, thread->spans + i, end - i);
		MEM_GROW(thread->pieces, thread->piece_capacity, thread->n_pieces + 1);
		thread->pieces[thread->n_pieces++] =
		    (struct gap_piece){first, (uint32_t)n_intervals, end - i, lane, index};
		bytes += n_intervals * sizeof(struct interval) + sizeof(struct gap_piece);
	}
	return bytes;
}

static void
make_room(struct gap_thread *thread)
{
	if (!thread->lanes) {
		thread->lanes = xmalloc(BLOCK_ROWS * sizeof *thread->lanes);
		thread->times = xmalloc(BLOCK_ROWS * sizeof *thread->times);
		thread->spans = xmalloc(BLOCK_ROWS * sizeof *thread->spans);
		thread->scratch = xmalloc((BLOCK_ROWS / 2 + 1) * sizeof *thread->scratch);
	}
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct gap_collector *collector = user;
	struct gap_thread *thread = &collector->threads[view->thread];
	uint32_t n = 0;

	(void)slot;
	(void)err;
	make_room(thread);
	while (block_view_next(view)) {
		n = take_chunk(collector, thread, view, n);
	}
	size_t bytes = n > 0 ? make_pieces(thread, view->thread, n) : 0;
	size_t used =
	    atomic_fetch_add_explicit(&collector->used_bytes, bytes, memory_order_relaxed);
	return used + bytes > collector->memory_bytes;
}

static bool
block_wanted(void *user, const struct block_info *block)
{
	const struct gap_collector *collector = user;

	return block->start_min <= collector->last_ns && block->start_max >= collector->first_ns &&
	       filter_prune(collector->threads[0].state, block) != FILTER_NONE;
}

int
gap_collect(struct gap_collector *collector, struct err *err)
{
	struct block_loop loop = {.dataset = collector->dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = collector->fields,
	                          .end = SIZE_MAX,
	                          .user = collector,
	                          .wanted = block_wanted,
	                          .scan = scan_block,
	                          .cancel = collector->cancel};

	atomic_store(&collector->used_bytes, 0);
	for (unsigned t = 0; t < collector->n_threads; t++) {
		collector->threads[t].n_intervals = collector->threads[t].n_pieces = 0;
	}
	return block_loop_run(&loop, err);
}
