/* Memory of a result's values and texts, inside of src/query/saved.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_SAVED_RESULT_MEMORY_H
#define LANESCOPE_QUERY_SAVED_RESULT_MEMORY_H

#include "query/saved/query.h"

/* Makes room for so many bytes of values; the rows that are there stay. */
void result_grow_values(struct result *result, size_t want);
void result_free_memory(struct result *result); /* all but the arena */

#endif
