/* Cells straight from the blocks: for windows finer than the tiles.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_FINISH_TILE_WINDOW_H
#define LANESCOPE_COLUMN_FINISH_TILE_WINDOW_H

#include "column/finish/tile.h"

/* As tile_read_many; reads the blocks whatever the width. */
int tile_read_blocks(const struct tile_reader *reader, const struct tile_request *requests,
                     size_t n_requests, struct tile_axis axis, struct arena *arena,
                     struct err *err);

/* Start of cell i; saturates. */
int64_t tile_cell_start(int64_t start_ns, int64_t cell_ns, uint64_t i);

#endif
