/* What the files of gaps share (gaps.c tells the story).
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_GAPS_PRIVATE_H
#define LANESCOPE_COLUMN_OPS_GAPS_PRIVATE_H

#include <pthread.h>

#include "column/ops/block_zones.h"
#include "column/ops/gaps.h"
#include "column/ops/interval_lists.h"
#include "column/ops/span_scan.h"
#include "util/order.h"

struct gap_heap { /* the longest gaps so far, the shortest of them on top */
	struct gap *gaps;
	size_t n, capacity;
};

struct finding {
	const struct gaps_request *request;
	struct dataset_scope scope; /* the dataset's own */
	struct dataset dataset;     /* the same without its range */
	int64_t least_ns;
	struct span_scan scan;
	uint32_t lane_slot;
	/* By lane: what it is looked at as part of; by that: the first of them. NULL: by itself */
	uint32_t *cell_of, *first_lane;
	struct interval_budget budget;
	struct interval_lists *threads; /* by cell, as all that is by lane below */
	struct interval_cells cells;
	struct gap_heap *heaps; /* one a thread */
	struct lane_gaps *lanes;
	bool *has_begun; /* by lane: a span was met, in the scope's range or not */

	/* Of the first reading, which settles what it can (gaps_settle.c). */
	bool was_read;
	struct block_zones zones;
	bool takes_wide;            /* the scan under way is of wide blocks, else of the others */
	struct block_lanes *blocks; /* one a thread */
	struct intervals *wide;     /* by lane: the union of what wide blocks have; NULL: none */
	pthread_mutex_t lock;       /* of lanes */
};

static inline uint32_t
gaps_cell(const struct finding *finding, uint32_t lane)
{
	return finding->cell_of ? finding->cell_of[lane] : lane;
}

/* A span as an interval of a list; false: the budget is used up. Spans out of the scope's range are
 * not counted, but cover what they cover. */
static inline bool
gaps_add_span(struct finding *finding, struct interval_list *list, int64_t start_ns, int64_t end_ns)
{
	const struct dataset_scope *scope = &finding->scope;

	if (!interval_list_add(list, &finding->budget, start_ns, MOST(end_ns, start_ns))) {
		return false;
	}
	if (scope->has_range && (start_ns >= scope->end_ns ||
	                         (end_ns <= scope->start_ns && start_ns < scope->start_ns))) {
		list->n_spans--;
	}
	return true;
}

/* gaps_cells.c: fills cell_of and first_lane; for others than GAPS_LANE. */
void gaps_find_cells(struct finding *finding, const struct dataset *dataset);

/* gaps_sums.c: adds a gap, cut at the scope's range, to a lane's sums and to a thread's heap. */
void gaps_add(const struct finding *finding, struct lane_gaps *sums, uint32_t lane,
              int64_t start_ns, int64_t end_ns, unsigned thread);
/* Reads the blocks that are wanted into the threads' lists; as span_scan_run. */
int gaps_read(struct finding *finding, struct err *err);

/* All threads' longest gaps, in order. */
void gaps_join(const struct finding *finding, struct gaps *gaps);

/* gaps_settle.c: the whole run, as gaps_read; `wide` and the threads' lists then have what is not
 * settled. Whatever the result, gaps_settle_fini() follows. */
int gaps_settle(struct finding *finding, struct err *err);
void gaps_settle_fini(struct finding *finding);

#endif
