/*
 * Blocks of spans in such an order that what lanes did is known from the first instant on: those of
 * sources that have a cell (a lane, or lanes that count as one) in common stand together, in order
 * of start.
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_OPS_BLOCK_ORDER_H
#define LANESCOPE_COLUMN_OPS_BLOCK_ORDER_H

#include "column/scan/dataset.h"
#include "column/scan/filter.h"

struct block_order {
	size_t *blocks; /* of the dataset's, all */
	size_t n;
	/* private: of sources, and of cells that are of any */
	uint32_t *family_of_source, *family_of_cell;
	const struct dataset *dataset;
};

/* From the descriptions of the blocks alone. cell_of: by lane, equal numbers (below n_lanes) of
 * those that are one; NULL: each is by itself. The dataset is lent. */
void block_order_init(struct block_order *order, const struct dataset *dataset,
                      const uint32_t *cell_of);
void block_order_fini(struct block_order *order);

/* Behind blocks from the first-th on that have n_rows rows together, at least, without those in
 * which no filter finds anything by their descriptions. *n_rows gets what they have. */
size_t block_order_batch(const struct block_order *order, size_t first, size_t *n_rows,
                         struct filter_state *const *filters, unsigned n_filters);

/* Once the first n blocks were read: the instant before which no other span of a cell starts;
 * INT64_MAX: there is none, INT64_MIN: its blocks are still to come. */
int64_t block_order_known(const struct block_order *order, size_t n, uint32_t cell);

#endif
