/* Results made of parts of others.
 * Used by ui/app, ui/table. */
#ifndef LANESCOPE_UI_BASE_RESULT_COPY_H
#define LANESCOPE_UI_BASE_RESULT_COPY_H

#include "query/saved/query.h"

/* New: these numbers of rows or columns; NULL: 0 .. n - 1. */
size_t *numbers_copy(const size_t *numbers, size_t n);
/* New result: these rows and columns of another, in this order. */
struct result *result_select(const struct result *result, const size_t *rows, size_t n_rows,
                             const size_t *columns, size_t n_columns);
/* All of it, with its notes. */
struct result *result_copy(const struct result *result);

#endif
