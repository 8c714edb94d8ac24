/*
 * Parts of a path, as Python's os.path has them: the basename is what follows the last slash ("" for "a/"), the dirname
 * what stands before it, without the slashes that end it unless there is nothing else ("/x" gives "/", "x" gives "").
 */
#ifndef LANESCOPE_UTIL_PATH_H
#define LANESCOPE_UTIL_PATH_H

#include "util/slice.h"

static inline size_t
path_basename_start(struct slice path)
{
	size_t start = path.len;
	while (start > 0 && path.ptr[start - 1] != '/') {
		start--;
	}
	return start;
}

static inline struct slice
path_basename(struct slice path)
{
	size_t start = path_basename_start(path);
	return (struct slice){ path.len ? path.ptr + start : path.ptr, path.len - start };
}

static inline struct slice
path_dirname(struct slice path)
{
	size_t head = path_basename_start(path), end = head;
	while (end > 0 && path.ptr[end - 1] == '/') {
		end--;
	}
	return (struct slice){ path.ptr, end > 0 ? end : head };
}

#endif
