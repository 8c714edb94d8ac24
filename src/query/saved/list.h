/* Comma-separated lists of names, as in a query's header and in --sort, --key: "task, -total".
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_SAVED_LIST_H
#define LANESCOPE_QUERY_SAVED_LIST_H

#include "util/slice.h"

/* Takes the next item off *rest (trimmed, may be empty); false at the end. */
static inline bool
list_next(struct slice *rest, struct slice *item)
{
	if (rest->len == 0) {
		return false;
	}
	const char *comma = memchr(rest->ptr, ',', rest->len);
	size_t n = comma ? (size_t)(comma - rest->ptr) : rest->len;
	*item = slice_trim((struct slice){rest->ptr, n}, " \t");
	n += comma != NULL;
	*rest = slice_from(*rest, n);
	return true;
}

#endif
