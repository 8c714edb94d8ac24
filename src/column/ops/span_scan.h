/*
 * One pass over a run's spans, on all cores: those that one or two filters take, chunk by chunk,
 * with their times. What gaps, overlaps, pairs and the spans around gaps have in common.
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_OPS_SPAN_SCAN_H
#define LANESCOPE_COLUMN_OPS_SPAN_SCAN_H

#include "column/scan/blockloop.h"
#include "column/scan/filter.h"
#include "column/scan/rowcolumn.h"

#define SPAN_SETS 2

struct span_set {
	const char *filter; /* NULL: all spans */
	const char *name;   /* what an error in the filter begins with; NULL: nothing */
};

/* The rows of a chunk that a set takes. */
struct span_chunk {
	struct block_view *view;
	struct row_integers starts, ends;
	uint64_t matches[SPAN_SETS][CHUNK_WORDS];
	uint32_t n_matches[SPAN_SETS];
	uint32_t n;
	uint16_t rows[CHUNK_ROWS]; /* n of them, in order: those of either set */
};

struct span_scan {
	struct block_loop loop; /* user, wanted, merge and cancel are the caller's to set */
	struct block_fields fields;
	unsigned n_sets, n_threads;
	/* Any nonzero value stops the scan, -1 with *err set. */
	int (*take)(void *user, const struct span_chunk *chunk, unsigned slot, struct err *err);
	/* If given: once `take` was called for the last chunk of a block, on the same thread; as
	 * take. */
	int (*end_block)(void *user, const struct block_view *view, struct err *err);
	int64_t first_ns, last_ns; /* only spans that start in [first, last]; at first all */
	/* private */
	struct filter *filters[SPAN_SETS];
	struct filter_state **states;
	struct row_slots start_slots, end_slots;
};
/* Fills *scan (span_scan_fini() even after an error); further fields may be added to its own then.
 * ERR_QUERY, ERR_LIMIT. */
int span_scan_init(struct span_scan *scan, const struct dataset *dataset,
                   const struct span_set *sets, unsigned n_sets,
                   const struct scan_value *parameters, struct err *err);
/* As block_loop_run(), as often as it is wanted. */
int span_scan_run(struct span_scan *scan, struct err *err);
void span_scan_fini(struct span_scan *scan);

static inline bool
span_chunk_has(const struct span_chunk *chunk, unsigned set, uint32_t row)
{
	return chunk->matches[set][row / 64] >> (row & 63) & 1;
}

/* The run's lane of a row, and its name's text code (TEXT_NONE), by slots of the scan's fields.
 * False: the block is damaged, for every row has a lane. */
static inline bool
span_chunk_lanes(const struct span_chunk *chunk, uint32_t slot, struct row_codes *lanes)
{
	*lanes = row_codes_read(slot, true, chunk->view);
	return lanes->n_present == chunk->view->n;
}
uint32_t span_chunk_name(const struct span_chunk *chunk, uint32_t slot, uint32_t row);
/* Id of a row. */
static inline int64_t
span_chunk_id(const struct span_chunk *chunk, uint32_t row)
{
	return (int64_t)((uint64_t)chunk->view->info->first_id + chunk->view->row + row);
}

/* The first and the last start and the last end of all spans; false: there are none. */
bool span_bounds(const struct dataset *dataset, int64_t *first_ns, int64_t *last_ns,
                 int64_t *end_ns);

#endif
