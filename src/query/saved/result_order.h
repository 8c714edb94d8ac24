/* Orders of a result's rows, inside of src/query/saved.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_SAVED_RESULT_ORDER_H
#define LANESCOPE_QUERY_SAVED_RESULT_ORDER_H

#include "query/saved/query.h"
#include "util/workspace.h"

struct row_order {
	size_t column;
	bool descending;
};
/* As columns are sorted: NULLs last either way. */
int result_order_values(const struct value *a, const struct value *b, bool descending);
/* All rows in the order of these keys, those that are alike as they stand: in the workspace. */
size_t *result_order(const struct result *result, const struct row_order *keys, size_t n_keys,
                     struct workspace *workspace);

#endif
