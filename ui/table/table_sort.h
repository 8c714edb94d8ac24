/* Order of a result's rows by several columns.
 * Used by ui/lists. */
#ifndef LANESCOPE_UI_TABLE_TABLE_SORT_H
#define LANESCOPE_UI_TABLE_TABLE_SORT_H

#include "query/saved/query.h"
#include "util/cancel.h"

enum sort_by {
	SORT_BY_VALUE,
	SORT_BY_SIZE,  /* how far from 0 */
	SORT_BY_FACTOR /* how far from 1: 1/2 is as far as 2 */
};
struct table_sort_key {
	size_t column;
	bool is_descending;
	enum sort_by by; /* texts always by value */
};

/* Sorts row numbers by the keys, the first decides most. Stable; missing values
 * are last in either direction. False if it was cancelled: the rows are in any order then. */
bool table_sort(const struct result *result, const struct table_sort_key *keys, size_t n_keys,
                size_t *rows, size_t n_rows, const struct cancel *cancel);

#endif
