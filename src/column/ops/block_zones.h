/*
 * Where a block of spans is alone: the part of time in which no other block has a span of any lane
 * that it may have one of. What is between two spans of a block there is known as soon as the
 * block is read.
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_OPS_BLOCK_ZONES_H
#define LANESCOPE_COLUMN_OPS_BLOCK_ZONES_H

#include <stdbool.h>

#include "column/scan/dataset.h"

struct block_zone {
	/* No span of another block lies in [start, end], but at its ends; but spans of wide blocks
	 * may. Empty (end < start): nowhere. */
	int64_t start_ns, end_ns;
	/* It goes on beside many others, which takes none of their zones from them. A wide block
	 * has none itself. */
	bool is_wide;
};

struct block_zones {
	struct block_zone *zones; /* by block of spans */
	bool has_wide;
};

/* From the descriptions of the blocks alone. cell_of: by lane, equal numbers (below n_lanes) of
 * those that are one; NULL: each is by itself. */
void block_zones_init(struct block_zones *zones, const struct dataset *dataset,
                      const uint32_t *cell_of);
void block_zones_fini(struct block_zones *zones);

#endif
