/*
 * Lists of half-open intervals as sorted, disjoint arrays: every operation on them is one merge.
 * Sums saturate: a hostile trace may hold times at both ends of int64.
 */
#include "config.h"
#include "util/intervals.h"

#include <stdbool.h>
#include <stdlib.h>

int64_t
time_add(int64_t a, int64_t b)
{
	int64_t sum;

	if (__builtin_add_overflow(a, b, &sum)) {
		return a < 0 ? INT64_MIN : INT64_MAX;
	}
	return sum;
}

int64_t
time_sub(int64_t a, int64_t b)
{
	int64_t difference;

	if (__builtin_sub_overflow(a, b, &difference)) {
		return a < 0 ? INT64_MIN : INT64_MAX;
	}
	return difference;
}

static int
compare(const void *a, const void *b)
{
	const struct interval *left = a, *right = b;

	return (left->start > right->start) - (left->start < right->start);
}

static bool
is_sorted(const struct interval *intervals, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (intervals[i].start < intervals[i - 1].start) {
			return false;
		}
	}
	return true;
}

size_t
intervals_union(struct interval *intervals, size_t n)
{
	size_t n_out = 0;

	/* Traces mostly arrive in order. */
	if (!is_sorted(intervals, n)) {
		qsort(intervals, n, sizeof *intervals, compare);
	}
	for (size_t i = 0; i < n; i++) {
		struct interval next = intervals[i];
		if (next.end <= next.start) {
			continue;
		}
		if (n_out && next.start <= intervals[n_out - 1].end) {
			struct interval *last = &intervals[n_out - 1];
			last->end = next.end > last->end ? next.end : last->end;
		} else {
			intervals[n_out++] = next;
		}
	}
	return n_out;
}

int64_t
intervals_length(const struct interval *intervals, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		sum = time_add(sum, time_sub(intervals[i].end, intervals[i].start));
	}
	return sum;
}

int64_t
intervals_length_without(const struct interval *a, size_t n_a, const struct interval *b, size_t n_b)
{
	int64_t sum = 0;
	size_t first = 0; /* of b that may still reach into a[i] */

	for (size_t i = 0; i < n_a; i++) {
		int64_t at = a[i].start;
		while (first < n_b && b[first].end <= at) {
			first++;
		}
		for (size_t j = first; j < n_b && b[j].start < a[i].end; j++) {
			if (b[j].start > at) {
				sum = time_add(sum, time_sub(b[j].start, at));
			}
			at = b[j].end;
		}
		if (at < a[i].end) {
			sum = time_add(sum, time_sub(a[i].end, at));
		}
	}
	return sum;
}
