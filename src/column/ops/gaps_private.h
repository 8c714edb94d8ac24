/* What the files of gaps share (gaps.c tells the story). */
#ifndef LANESCOPE_COLUMN_OPS_GAPS_PRIVATE_H
#define LANESCOPE_COLUMN_OPS_GAPS_PRIVATE_H

#include "column/scan/blockloop.h"
#include "column/scan/filter.h"
#include "column/ops/gaps.h"
#include "column/scan/rowcolumn.h"
#include "column/encode/span_sort.h"
#include "util/intervals.h"

/* The spans of one lane in one block that start in the window, merged and in order. */
struct gap_piece {
	size_t first; /* of its intervals, in the thread's */
	uint32_t n, n_spans, lane;
	uint32_t thread;
};

/* What one thread found in the window. */
struct gap_thread {
	struct filter_state *state;
	struct interval *intervals;
	struct gap_piece *pieces;
	size_t n_intervals, interval_capacity, n_pieces, piece_capacity;
	/* Room for one block: its rows' lanes and times, then ordered. */
	uint32_t *lanes;
	struct interval *times;
	struct sort_span *spans, *scratch;
	struct order order;
};

/* gaps_collect.c: the intervals of a window */
struct gap_collector {
	const struct dataset *dataset;
	const struct row_slots *start_slots, *end_slots;
	uint32_t lane_slot;
	const struct block_fields *fields;
	struct gap_thread *threads;
	unsigned n_threads;
	size_t memory_bytes;
	_Atomic size_t used_bytes;
	int64_t first_ns, last_ns; /* the window: spans that start in [first, last] */
	const struct cancel *cancel;
};
/* 0; 1: the window holds more than memory_bytes; -1 on error. */
int gap_collect(struct gap_collector *collector, struct err *err);

/* gaps_merge.c: all threads' pieces of a window, lane by lane */
struct gap_heap { /* the longest gaps so far, the shortest of them on top */
	struct gap *gaps;
	size_t n, capacity;
};
struct gap_merger {
	struct gap_thread *threads;
	unsigned n_threads;
	struct lane_gaps *lanes; /* carried from window to window */
	struct gap_heap *heaps;  /* one a thread */
	size_t limit;
	int64_t least_ns;
	const struct cancel *cancel;
};
int gap_merge(const struct gap_merger *merger, struct err *err);
/* The order of results: longest first, then by lane and start. */
int gap_compare(const void *left, const void *right);

/* gaps_neighbours.c: fills before and after of the gaps */
int gap_find_neighbours(const struct dataset *dataset, const struct gaps_request *request,
                        struct gap *gaps, size_t n, struct err *err);

#endif
