/*
 * Lists of half-open intervals as sorted, disjoint arrays: every operation on them is one merge.
 * Sums saturate: a hostile trace may hold times at both ends of int64.
 */
#include "config.h"
#include "util/intervals.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

/* Where the ascending run that begins at `first` ends. */
static size_t
end_of_run(const struct interval *intervals, size_t first, size_t n)
{
	size_t end = first + 1;

	while (end < n && intervals[end].start >= intervals[end - 1].start) {
		end++;
	}
	return LEAST(end, n);
}

/* Appends one that begins no earlier than those before it. */
static inline size_t
append(struct interval *out, size_t n, struct interval next)
{
	if (n > 0 && next.start <= out[n - 1].end) {
		out[n - 1].end = MOST(next.end, out[n - 1].end);
		return n;
	}
	out[n] = next;
	return n + 1;
}

size_t
intervals_merge(const struct interval *a, size_t n_a, const struct interval *b, size_t n_b,
                struct interval *out)
{
	size_t i = 0, j = 0, n = 0;

	while (i < n_a && j < n_b) {
		bool is_a = a[i].start <= b[j].start;
		n = append(out, n, is_a ? a[i] : b[j]);
		i += is_a;
		j += !is_a;
	}
	while (i < n_a) {
		n = append(out, n, a[i++]);
	}
	while (j < n_b) {
		n = append(out, n, b[j++]);
	}
	return n;
}

/* Runs in order of start are merged two by two until there is one: traces come as few, those of
 * their lanes, and what overlaps is one interval from the first time on. */
size_t
intervals_cover(struct interval *intervals, size_t n)
{
	if (end_of_run(intervals, 0, n) == n) {
		return intervals_merge(intervals, n, NULL, 0, intervals);
	}
	struct interval *scratch = xmalloc(n * sizeof *scratch), *from = intervals, *to = scratch;
	for (size_t n_runs = 2; n_runs > 1;) {
		size_t n_out = 0;
		n_runs = 0;
		for (size_t first = 0, end; first < n; first = end, n_runs++) {
			size_t middle = end_of_run(from, first, n);
			end = middle < n ? end_of_run(from, middle, n) : n;
			n_out += intervals_merge(from + first, middle - first, from + middle,
			                         end - middle, to + n_out);
		}
		struct interval *merged = to;
		to = from;
		from = merged;
		n = n_out;
	}
	if (from != intervals) {
		memcpy(intervals, from, n * sizeof *intervals);
	}
	free(scratch);
	return n;
}

size_t
intervals_union(struct interval *intervals, size_t n)
{
	size_t n_some = 0;

	for (size_t i = 0; i < n; i++) {
		if (intervals[i].start < intervals[i].end) {
			intervals[n_some++] = intervals[i];
		}
	}
	return intervals_cover(intervals, n_some);
}

int64_t
intervals_length(const struct interval *intervals, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++) {
		time_raise(&sum, time_sub(intervals[i].end, intervals[i].start));
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
				time_raise(&sum, time_sub(b[j].start, at));
			}
			at = b[j].end;
		}
		if (at < a[i].end) {
			time_raise(&sum, time_sub(a[i].end, at));
		}
	}
	return sum;
}

size_t
intervals_intersect(const struct interval *a, size_t n_a, const struct interval *b, size_t n_b,
                    struct interval *out)
{
	size_t i = 0, j = 0, n = 0;

	while (i < n_a && j < n_b) {
		int64_t start = a[i].start > b[j].start ? a[i].start : b[j].start;
		int64_t end = a[i].end < b[j].end ? a[i].end : b[j].end;
		if (start < end) {
			out[n++] = (struct interval){start, end};
		}
		if (a[i].end < b[j].end) {
			i++;
		} else {
			j++;
		}
	}
	return n;
}

size_t
intervals_without(const struct interval *a, size_t n_a, const struct interval *b, size_t n_b,
                  struct interval *out)
{
	size_t j = 0, n = 0;

	for (size_t i = 0; i < n_a; i++) {
		int64_t at = a[i].start;
		while (j < n_b && b[j].end <= at) {
			j++;
		}
		for (; j < n_b && b[j].start < a[i].end; j++) {
			if (b[j].start > at) {
				out[n++] = (struct interval){at, b[j].start};
			}
			at = b[j].end;
			if (at >= a[i].end) {
				break; /* it may reach into the next one, too */
			}
		}
		if (at < a[i].end) {
			out[n++] = (struct interval){at, a[i].end};
		}
	}
	return n;
}

struct intervals
intervals_merge_all(struct intervals *lists, size_t n)
{
	for (; n > 1; n = (n + 1) / 2) { /* two by two, so that each is read as seldom as can be */
		for (size_t i = 0; i < n / 2; i++) {
			struct intervals a = lists[2 * i], b = lists[2 * i + 1];
			struct interval *all = xmalloc((a.n + b.n) * sizeof *all);
			lists[i] =
			    (struct intervals){all, intervals_merge(a.all, a.n, b.all, b.n, all)};
			free(a.all);
			free(b.all);
		}
		if (n % 2 > 0) {
			lists[n / 2] = lists[n - 1];
		}
	}
	return n > 0 ? lists[0] : (struct intervals){NULL, 0};
}

/* The first interval that ends behind an instant. */
static size_t
find_end_behind(struct intervals list, int64_t at)
{
	size_t low = 0;

	ORDER_FIND(low, list.n, middle, list.all[middle].end <= at);
	return low;
}

struct intervals
intervals_within(struct intervals list, int64_t from, int64_t to)
{
	size_t first = find_end_behind(list, from), end = first;

	/* the first that starts at `to` or later */
	ORDER_FIND(end, list.n, middle, list.all[middle].start < to);
	return (struct intervals){list.n ? list.all + first : NULL, end - first};
}

/* The first from `first` on that ends behind an instant, found in steps that double: what is near
 * is found as fast as in a walk, and what is far in the logarithm of how far it is. */
static size_t
step_to_end_behind(struct intervals list, size_t first, int64_t at)
{
	size_t step = 1;

	while (step < list.n - first && list.all[first + step].end <= at) {
		first += step;
		step *= 2;
	}
	size_t end = LEAST(list.n, first + step);
	ORDER_FIND(first, end, middle, list.all[middle].end <= at);
	return first;
}

struct intervals
intervals_near(struct intervals list, struct intervals other)
{
	struct intervals near = {NULL, 0};
	size_t capacity = 0;

	for (size_t i = 0, at = 0; i < other.n && at < list.n; i++) {
		at = step_to_end_behind(list, at, other.all[i].start);
		for (; at < list.n && list.all[at].start < other.all[i].end; at++) {
			MEM_GROW(near.all, capacity, near.n + 1);
			near.all[near.n++] = list.all[at];
		}
	}
	return near;
}
