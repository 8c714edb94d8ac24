/* Comma-separated lists of names, as in a query's header and in --sort, --key: "task, -total".
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_SAVED_LIST_H
#define LANESCOPE_QUERY_SAVED_LIST_H

#include "util/slice.h"

/* Takes the next item, up to a separator, off *rest (trimmed, may be empty); false at the end. */
static inline bool
list_take(struct slice *rest, struct slice *item, char separator)
{
	if (rest->len == 0) {
		return false;
	}
	const char *end = memchr(rest->ptr, separator, rest->len);
	size_t n = end ? (size_t)(end - rest->ptr) : rest->len;
	*item = slice_trim((struct slice){rest->ptr, n}, " \t");
	n += end != NULL;
	*rest = slice_from(*rest, n);
	return true;
}

static inline bool
list_next(struct slice *rest, struct slice *item)
{
	return list_take(rest, item, ',');
}

#endif
