/* The parts of a path, as Python's os.path (which the analyses that lanescope reproduces use)
 * splits it.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_SCAN_PATHNAME_H
#define LANESCOPE_COLUMN_SCAN_PATHNAME_H

#include "util/slice.h"

/* What follows the last slash: "" of "a/". */
static inline struct slice
path_basename(struct slice path)
{
	size_t i = path.len;
	while (i > 0 && path.ptr[i - 1] != '/') {
		i--;
	}
	return (struct slice){i ? path.ptr + i : path.ptr, path.len - i};
}

/* What stands before the last slash, less the slashes at its end; "/" of "/a", "" of "a". */
static inline struct slice
path_dirname(struct slice path)
{
	size_t head = path.len - path_basename(path).len, end = head;
	while (end > 0 && path.ptr[end - 1] == '/') {
		end--;
	}
	return (struct slice){path.ptr, end > 0 ? end : head};
}

#endif
