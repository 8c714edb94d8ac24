/* How often each value of a column occurs among the rows that a table shows, as
 * a table of its own.
 * Used by ui/lists. */
#ifndef LANESCOPE_UI_TABLE_FREQUENCY_H
#define LANESCOPE_UI_TABLE_FREQUENCY_H

#include "ui/table/table_model.h"
#include "ui/table/table_source.h"

/* New result of the rows: value, count, share; the most frequent first, equal ones by
 * value. NULL if it was cancelled. */
struct result *frequency_count(const struct result *from, const size_t *rows, size_t n_rows,
                               size_t column, const struct cancel *cancel);
/* Source of such a table; Enter on a row leaves it and filters the table below
 * it by that value. */
struct table_source *frequency_source(const struct table_model *model, size_t column);

#endif
