/* Finds rows of a canvas whose right part only moved sideways, so that a terminal can be told to
 * move it instead of getting it anew.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TERM_CANVAS_SHIFT_H
#define LANESCOPE_UI_TERM_CANVAS_SHIFT_H

#include "ui/term/canvas.h"

struct canvas_shift {
	/* > 0: what stands right of x moves to the left by so many, < 0: to the right; 0: nothing
	 * moved */
	int columns;
	int *xs; /* by row: where it begins; -1: this row did not move */
};
/* Same sizes. Fills xs (of height). */
void canvas_find_shift(const struct canvas *before, const struct canvas *after,
                       struct canvas_shift *shift);
bool cell_same(const struct cell *a, const struct cell *b);

#endif
