/* Interval arithmetic on half-open [start, end), int64 ns, saturating. */
#ifndef LANESCOPE_UTIL_INTERVALS_H
#define LANESCOPE_UTIL_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

struct interval {
	int64_t start, end;
};
int64_t time_add(int64_t a, int64_t b); /* saturating */
int64_t time_sub(int64_t a, int64_t b); /* saturating */
/* Sorts in place and merges touching intervals; returns how many remain. Empty ones vanish. */
size_t intervals_union(struct interval *intervals, size_t n);
int64_t intervals_length(const struct interval *intervals, size_t n); /* of a merged list */
/* Length of a without b; both merged lists. */
int64_t intervals_length_without(const struct interval *a, size_t n_a, const struct interval *b,
                                 size_t n_b);

#endif
