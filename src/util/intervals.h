/* Interval arithmetic on half-open [start, end), int64 ns, saturating.
 * Used by most rooms. */
#ifndef LANESCOPE_UTIL_INTERVALS_H
#define LANESCOPE_UTIL_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

struct interval {
	int64_t start, end;
};
static inline int64_t
time_add(int64_t a, int64_t b) /* saturating */
{
	int64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}
/* What of a real number of ns is whole; saturating, 0 of what is no number. */
static inline int64_t
time_of_real(double ns)
{
	return ns >= 0x1p63 ? INT64_MAX : ns < -0x1p63 ? INT64_MIN : ns == ns ? (int64_t)ns : 0;
}

static inline int64_t
time_sub(int64_t a, int64_t b) /* saturating */
{
	int64_t rest;
	return __builtin_sub_overflow(a, b, &rest) ? (a < 0 ? INT64_MIN : INT64_MAX) : rest;
}
static inline void
time_raise(int64_t *sum, int64_t more) /* adds to a sum, likewise */
{
	*sum = time_add(*sum, more);
}
/* Sorts in place and merges touching intervals; returns how many remain. Empty ones vanish. */
size_t intervals_union(struct interval *intervals, size_t n);
/* The same where none ends before it starts: empty ones stay unless they lie in or touch
 * another. */
size_t intervals_cover(struct interval *intervals, size_t n);
int64_t intervals_length(const struct interval *intervals, size_t n); /* of a merged list */
/* Length of a without b; both merged lists. */
int64_t intervals_length_without(const struct interval *a, size_t n_a, const struct interval *b,
                                 size_t n_b);

/* A merged list. */
struct intervals {
	struct interval *all;
	size_t n;
};
/* What two merged lists have, what both have, what only the first has: merged lists in `out`, which
 * takes n_a + n_b intervals and is neither of them. How many they are is returned. intervals_merge
 * takes any two that are in order of start, and may write over the first if there is no second. */
size_t intervals_merge(const struct interval *a, size_t n_a, const struct interval *b, size_t n_b,
                       struct interval *out);
size_t intervals_intersect(const struct interval *a, size_t n_a, const struct interval *b,
                           size_t n_b, struct interval *out);
size_t intervals_without(const struct interval *a, size_t n_a, const struct interval *b, size_t n_b,
                         struct interval *out);
/* One list of all; theirs are freed. */
struct intervals intervals_merge_all(struct intervals *lists, size_t n);
/* Those of a list that have something in [from, to): lent. */
struct intervals intervals_within(struct intervals list, int64_t from, int64_t to);

#endif
