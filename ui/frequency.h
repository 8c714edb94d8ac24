/* How often each value of a column occurs among the rows that a table shows, as
 * a table of its own. */
#ifndef LANESCOPE_UI_FREQUENCY_H
#define LANESCOPE_UI_FREQUENCY_H

#include "ui/table_model.h"
#include "ui/table_source.h"

/* New result: value, count, share; the most frequent first, equal ones by
 * value. */
struct result *frequency_count(const struct table_model *model, size_t column);
/* Source of such a table; Enter on a row leaves it and filters the table below
 * it by that value. */
struct table_source *frequency_source(const struct table_model *model, size_t column);

#endif
