/* Texts that stand below each other in a column of the screen, shortened by what they have in
 * common.
 * Used by ui/lists, ui/table, ui/timeline. */
#ifndef LANESCOPE_UI_TERM_SHORT_ROWS_H
#define LANESCOPE_UI_TERM_SHORT_ROWS_H

#include "util/mem.h"

/* The text of a row; without bytes: it has none. */
typedef struct slice short_rows_text(const void *of, size_t row);
/* The texts of rows [first, first + n) of `all`, escaped, each in at most `columns` (> 0); in the
 * arena. NULL: all of them fit as they are. What a row shows does not depend on how far the list is
 * scrolled. */
struct slice *short_rows(size_t first, size_t n, size_t all, short_rows_text *text_of,
                         const void *of, int columns, bool is_ascii, struct arena *arena);

#endif
