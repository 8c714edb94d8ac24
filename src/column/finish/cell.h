/* A tile cell while it is being summed.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_SCAN_CELL_H
#define LANESCOPE_COLUMN_SCAN_CELL_H

#include <stddef.h>
#include "column/finish/tile.h"

#include "util/index.h"

/* Zero-initialise. */
struct cell_sum {
	int64_t busy_ns, count, density_ns;
	struct category_time *entries; /* each category once */
	size_t n, capacity;
	size_t last;              /* entry used last */
	struct index by_category; /* of the entries, once there are many */
};
/* Adds to busy and to the category. ns > 0; sums saturate. */
void cell_add(struct cell_sum *sum, uint32_t category, int64_t ns);
void cell_add_cell(struct cell_sum *sum, const struct tile_cell *cell);
/* Adds what lies in [from, to) of a cell of a length, if it is spread evenly; from 0 or to the
 * length, since a part and the rest add up to the cell. */
void cell_add_part(struct cell_sum *sum, const struct tile_cell *cell, int64_t from, int64_t to,
                   int64_t length);
/* The sum as a cell: categories sorted, at most TILE_CATEGORIES. Borrowed until the next call;
 * cell_reset must follow before more is added. */
struct tile_cell cell_finish(struct cell_sum *sum);
/* The same with the categories in the arena; the sum is reset. */
struct tile_cell cell_take(struct cell_sum *sum, struct arena *arena);
void cell_reset(struct cell_sum *sum); /* to nothing, keeps memory */
void cell_fini(struct cell_sum *sum);
static inline bool
cell_is_empty(const struct tile_cell *cell)
{
	return cell->busy_ns == 0 && cell->count == 0 && cell->density_ns == 0;
}

#endif
