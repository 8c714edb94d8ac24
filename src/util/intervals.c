/*
 * Lists of half-open intervals as sorted, disjoint arrays: every operation on them is one merge.
 * Sums saturate: a hostile trace may hold times at both ends of int64.
 *
 * What limits: a merge takes 4 ns an interval, the time from one comparison to the load that hangs
 * on it. Lists as they come from threads that take turns at random are of runs of two or three. To
 * merge these takes a pass for each doubling of their length, 50 ns an interval in all; to spread
 * them over buckets in order of start takes 10.
 */
#include "config.h"
#include "util/intervals.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

/* Runs are merged where they are so long in the mean, else intervals are spread over buckets. */
#define RUN_LONG 16
#define BUCKETS_LEAST 64
#define BUCKET_INTERVALS 4 /* at most so many in the mean */
#define BUCKET_SORTED 32   /* sorted one by one, else merged */

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

/* The last of a merged list, to which the next is added. */
struct last {
	struct interval *out;
	size_t n; /* that stand in front of it */
	struct interval interval;
};

/* One that begins no earlier than those before it: joins the last or follows it. Which of both is
 * as good as chance where lanes are merged, so nothing branches on it. */
static inline void
add_next(struct last *last, int64_t start, int64_t end)
{
	bool is_apart = start > last->interval.end;

	last->out[last->n] = last->interval;
	last->n += is_apart;
	last->interval.start = is_apart ? start : last->interval.start;
	last->interval.end = MOST(end, last->interval.end); /* the next one's, if it is apart */
}

static inline size_t
end_list(struct last *last)
{
	last->out[last->n] = last->interval;
	return last->n + 1;
}

size_t
intervals_merge(const struct interval *a, size_t n_a, const struct interval *b, size_t n_b,
                struct interval *out)
{
	const struct interval *end_a = n_a > 0 ? a + n_a : a, *end_b = n_b > 0 ? b + n_b : b;

	if (n_a + n_b == 0) {
		return 0;
	}
	bool is_first = n_b == 0 || (n_a > 0 && a->start <= b->start);
	struct last last = {out, 0, is_first ? *a++ : *b++};
	while (a < end_a && b < end_b) {
		int64_t start_a = a->start, start_b = b->start;
		bool is_b = start_b < start_a;
		int64_t end = (is_b ? b : a)->end;
		add_next(&last, is_b ? start_b : start_a, end);
		a += !is_b;
		b += is_b;
	}
	for (; a < end_a; a++) {
		add_next(&last, a->start, a->end);
	}
	for (; b < end_b; b++) {
		add_next(&last, b->start, b->end);
	}
	return end_list(&last);
}

/* Runs in order of start are merged two by two until there is one: traces come as few, those of
 * their lanes, and what overlaps is one interval from the first time on. */
static size_t
merge_runs(struct interval *intervals, size_t n)
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

static void
sort_few(struct interval *intervals, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct interval next = intervals[i];
		size_t at = i;
		for (; at > 0 && intervals[at - 1].start > next.start; at--) {
			intervals[at] = intervals[at - 1];
		}
		intervals[at] = next;
	}
}

/* Spreads them over buckets of one width each, so that few are in one, and sorts these. Where many
 * are (times need not be spread evenly) they are merged. */
static size_t
merge_buckets(struct interval *intervals, size_t n, int64_t first, uint64_t width)
{
	unsigned shift = 0;

	while (width >> shift >= n / BUCKET_INTERVALS) {
		shift++;
	}
	size_t n_buckets = (size_t)(width >> shift) + 1;
	size_t *ends = xcalloc(n_buckets + 1, sizeof *ends);
	struct interval *spread = xmalloc(n * sizeof *spread);
	struct last last = {.out = intervals, .n = 0};
	for (size_t i = 0; i < n; i++) {
		ends[(((uint64_t)intervals[i].start - (uint64_t)first) >> shift) + 1]++;
	}
	for (size_t bucket = 1; bucket <= n_buckets; bucket++) {
		ends[bucket] += ends[bucket - 1];
	}
	for (size_t i = 0; i < n; i++) {
		spread[ends[((uint64_t)intervals[i].start - (uint64_t)first) >> shift]++] =
		    intervals[i];
	}
	for (size_t bucket = 0, from = 0; bucket < n_buckets; from = ends[bucket++]) {
		struct interval *some = spread + from;
		size_t n_some = ends[bucket] - from;
		if (n_some > BUCKET_SORTED) {
			n_some = merge_runs(some, n_some);
		} else {
			sort_few(some, n_some);
		}
		if (from == 0 && n_some > 0) {
			last.interval = some[0];
		}
		for (size_t i = 0; i < n_some; i++) {
			add_next(&last, some[i].start, some[i].end);
		}
	}
	free(ends);
	free(spread);
	return end_list(&last);
}

size_t
intervals_cover(struct interval *intervals, size_t n)
{
	int64_t first = INT64_MAX, last = INT64_MIN;
	size_t n_runs = 1;

	for (size_t i = 0; i < n; i++) {
		first = LEAST(intervals[i].start, first);
		last = MOST(intervals[i].start, last);
		n_runs += i > 0 && intervals[i].start < intervals[i - 1].start;
	}
	return n >= BUCKETS_LEAST && n_runs > n / RUN_LONG
	           ? merge_buckets(intervals, n, first, (uint64_t)last - (uint64_t)first)
	           : merge_runs(intervals, n);
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

/* Which list goes on is as good as chance, too. */
size_t
intervals_intersect(const struct interval *a, size_t n_a, const struct interval *b, size_t n_b,
                    struct interval *out)
{
	const struct interval *end_a = n_a > 0 ? a + n_a : a, *end_b = n_b > 0 ? b + n_b : b;
	size_t n = 0;

	while (a < end_a && b < end_b) {
		int64_t last_a = a->end, last_b = b->end;
		bool is_a = last_a < last_b;
		out[n].start = MOST(a->start, b->start);
		out[n].end = is_a ? last_a : last_b;
		n += out[n].start < out[n].end;
		a += is_a;
		b += !is_a;
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
