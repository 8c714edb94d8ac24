/* Part of term.c: moves what only moved sideways inside the terminal.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TERM_TERM_SHIFT_H
#define LANESCOPE_UI_TERM_TERM_SHIFT_H

#include "ui/term/canvas.h"

/* Between two refreshes: tells the terminal to move the rows of `before` that differ from `after`
 * by a shift, and curses what it shows now. */
void term_shift(const struct canvas *before, const struct canvas *after);

#endif
