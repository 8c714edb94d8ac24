/* Comma-separated lists of names, as in a query's header and in --sort, --key: "task, -total". */
#ifndef LANESCOPE_QUERY_LIST_H
#define LANESCOPE_QUERY_LIST_H

#include "util/slice.h"

/* Without blanks (space, tab) at both ends. */
static inline struct slice
list_trim(struct slice text)
{
	while (text.len && (text.ptr[0] == ' ' || text.ptr[0] == '\t')) {
		text.ptr++;
		text.len--;
	}
	while (text.len && (text.ptr[text.len - 1] == ' ' || text.ptr[text.len - 1] == '\t')) {
		text.len--;
	}
	return text;
}

/* Takes the next item off *rest (trimmed, may be empty); false at the end. */
static inline bool
list_next(struct slice *rest, struct slice *item)
{
	if (rest->len == 0) {
		return false;
	}
	const char *comma = memchr(rest->ptr, ',', rest->len);
	size_t n = comma ? (size_t)(comma - rest->ptr) : rest->len;
	*item = list_trim((struct slice){rest->ptr, n});
	n += comma != NULL;
	rest->ptr += n;
	rest->len -= n;
	return true;
}

#endif
