/* What the files of gaps share (gaps.c tells the story).
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_GAPS_PRIVATE_H
#define LANESCOPE_COLUMN_OPS_GAPS_PRIVATE_H

#include "column/ops/block_order.h"
#include "column/ops/gaps.h"
#include "column/ops/interval_lists.h"
#include "column/ops/span_scan.h"
#include "util/order.h"

struct gap_heap { /* the longest gaps so far, the shortest of them on top */
	struct gap *gaps;
	size_t n, capacity;
};

/* A thread's list of the cell that is walked. */
struct cell_walk {
	struct interval_list *list;
	const struct interval *next, *end;
};

/* The lists of a thread: a cell has one from its first span on until it is empty again. */
struct cell_lists {
	struct interval_lists lists; /* by slot; its cells are not used */
	uint32_t *cell_of_slot;      /* UINT32_MAX: none */
	uint32_t *slot_of_cell;      /* UINT32_MAX: none */
	uint32_t *free_slots;
	size_t n_free, free_capacity, slot_capacity;
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
	struct cell_lists *threads; /* by cell, as all that is by lane below */
	struct gap_heap *heaps;     /* one a thread */
	struct lane_gaps *lanes;
	bool *has_begun;         /* by lane: a span was met, in the scope's range or not */
	struct cell_walk *walks; /* n_threads a thread */
	uint32_t *swept;         /* cells that have lists */
	struct block_room room;

	/* Of the first reading, batch by batch (gaps_sweep.c). */
	bool was_read;
	struct block_order order;
	size_t n_read; /* blocks of that order */
	size_t batch_rows;
};

static inline uint32_t
gaps_cell(const struct finding *finding, uint32_t lane)
{
	return finding->cell_of ? finding->cell_of[lane] : lane;
}

/* gaps_cells.c: fills cell_of and first_lane; for others than GAPS_LANE. */
void gaps_find_cells(struct finding *finding, const struct dataset *dataset);

/* gaps_sums.c: adds a gap, cut at the scope's range, to a lane's sums and to a thread's heap. */
void gaps_add(const struct finding *finding, struct lane_gaps *sums, uint32_t lane,
              int64_t start_ns, int64_t end_ns, unsigned thread);
/* All threads' longest gaps, in order. */
void gaps_join(const struct finding *finding, struct gaps *gaps);

/* gaps_lists.c: empty lists of each thread. */
void gaps_lists_init(struct finding *finding);
/* Their memory goes; they can be filled again. */
void gaps_lists_drop(struct finding *finding);
void gaps_lists_fini(struct finding *finding);
/* The list of a cell, NULL: it has none. */
static inline struct interval_list *
gaps_list(const struct cell_lists *lists, uint32_t cell)
{
	uint32_t slot = lists->slot_of_cell[cell];

	return slot == UINT32_MAX ? NULL : &lists->lists.lists[slot];
}
/* The cells that have a list, into `swept`, in no order; how many is returned. */
size_t gaps_lists_cells(const struct finding *finding);
/* Lists that are empty are for any cell again. */
void gaps_lists_release(struct finding *finding);
/* Adds a chunk's spans: `take` of the scan. */
int gaps_take_chunk(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err);

/* gaps_sweep.c: the gaps of what was read, as far as cells are known; the rest stays in the
 * lists. */
int gaps_sweep(struct finding *finding, struct err *err);
/* Reads and sweeps the whole run; as span_scan_run. */
int gaps_read_in_order(struct finding *finding, struct err *err);

#endif
