/* Where columns stand on the screen: shared by layout and drawing of a grid.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TABLE_GRID_PRIVATE_H
#define LANESCOPE_UI_TABLE_GRID_PRIVATE_H

#include "ui/table/grid.h"
#include "util/format.h"

#define GRID_MARGIN 2 /* marks and the arrow of the selected row */
#define GRID_GAP 2    /* between columns */

#define GRID_TEXT_BYTES (FORMAT_BYTES + 1)
/* A value as it is shown: a difference that is more with its "+". */
struct slice grid_text(const struct value *value, enum column_kind kind, bool is_signed,
                       char buffer[GRID_TEXT_BYTES]);

struct grid_place {
	size_t i; /* index in grid->columns */
	int x, width;
};
/* The next column on a screen of this width, from left to right; begin with
 * {SIZE_MAX, 0, 0}. Numbers are shown whole or not at all. */
bool grid_next_place(const struct grid *grid, int width, struct grid_place *place);
/* Moves the column at `from` to `to`, before it. */
void grid_bring(struct grid *grid, size_t from, size_t to);
/* Whether all of the result's rows, more than one, hold the same there, and it is no measure. */
bool grid_is_constant(const struct result *result, size_t column);
void grid_unfold(struct grid *grid);
/* Folds what may be; one column stays. */
void grid_fold(struct grid *grid, const struct table_model *model);
void grid_draw_folded(const struct grid *grid, const struct result *result, struct canvas *canvas,
                      struct area area);
/* The selection stands on a column that is shown. */
void grid_settle(struct grid *grid);
/* Index of the next column that is neither hidden nor folded, at or behind i; n if none. */
size_t grid_next_shown(const struct grid *grid, size_t i);
/* On to the next of those, from SIZE_MAX on; false behind the last. */
bool grid_step(const struct grid *grid, size_t *i);

#endif
