/* Interval arithmetic against a bitmap of small times, and at the ends of int64. */
#include "config.h"

#include <math.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/prng.h"

enum { SPACE = 200 };

static size_t
make(struct prng *prng, struct interval *intervals, size_t n, bool *bitmap)
{
	memset(bitmap, 0, SPACE);
	for (size_t i = 0; i < n; i++) {
		intervals[i].start = (int64_t)prng_below(prng, SPACE);
		intervals[i].end = (int64_t)prng_below(prng, SPACE);
		if (intervals[i].end > intervals[i].start + 20) {
			intervals[i].end = intervals[i].start + 20;
		}
		for (int64_t at = intervals[i].start; at < intervals[i].end; at++) {
			bitmap[at] = true;
		}
	}
	return intervals_union(intervals, n);
}

START_TEST(agree_with_a_bitmap)
{
	struct prng prng = {9};

	for (int round = 0; round < 5000; round++) {
		struct interval a[12], b[12];
		bool in_a[SPACE], in_b[SPACE];
		size_t n_a = make(&prng, a, (size_t)prng_below(&prng, 12), in_a);
		size_t n_b = make(&prng, b, (size_t)prng_below(&prng, 12), in_b);
		int64_t length = 0, without = 0;
		for (size_t i = 0; i < SPACE; i++) {
			length += in_a[i];
			without += in_a[i] && !in_b[i];
		}
		for (size_t i = 1; i < n_a; i++) {
			ck_assert_int_lt(a[i - 1].end, a[i].start); /* touching ones are one */
		}
		ck_assert_int_eq(intervals_length(a, n_a), length);
		ck_assert_int_eq(intervals_length_without(a, n_a, b, n_b), without);
	}
}
END_TEST

/* Is the list merged, and does it hold exactly what the bitmap says between two instants? */
static void
check_list(struct intervals list, const bool *bitmap, int64_t from, int64_t to)
{
	bool found[SPACE] = {false};
	bool is_merged = true;

	for (size_t i = 0; i < list.n; i++) {
		is_merged &= list.all[i].start < list.all[i].end &&
		             (i == 0 || list.all[i - 1].end < list.all[i].start);
		for (int64_t at = list.all[i].start; at < list.all[i].end; at++) {
			found[at] = true;
		}
	}
	ck_assert(is_merged);
	ck_assert(from >= to || /* each assertion takes its time */
	          memcmp(found + from, bitmap + from, (size_t)(to - from)) == 0);
}

START_TEST(lists_are_combined)
{
	struct prng prng = {10};

	for (int round = 0; round < 5000; round++) {
		struct interval a[12], b[12], out[24];
		bool in_a[SPACE], in_b[SPACE], expected[SPACE];
		size_t n_a = make(&prng, a, (size_t)prng_below(&prng, 12), in_a);
		size_t n_b = make(&prng, b, (size_t)prng_below(&prng, 12), in_b);
		int64_t from = (int64_t)prng_below(&prng, SPACE),
			to = (int64_t)prng_below(&prng, SPACE);
		for (size_t i = 0; i < SPACE; i++) {
			expected[i] = in_a[i] || in_b[i];
		}
		check_list((struct intervals){out, intervals_merge(a, n_a, b, n_b, out)}, expected,
		           0, SPACE);
		struct intervals lists[3] = {
		    {xcalloc(12, sizeof *a), n_a}, {xcalloc(12, sizeof *b), n_b}, {NULL, 0}};
		memcpy(lists[0].all, a, n_a * sizeof *a);
		memcpy(lists[1].all, b, n_b * sizeof *b);
		struct intervals all = intervals_merge_all(lists, 3);
		check_list(all, expected, 0, SPACE);
		free(all.all);
		for (size_t i = 0; i < SPACE; i++) {
			expected[i] = in_a[i] && in_b[i];
		}
		check_list((struct intervals){out, intervals_intersect(a, n_a, b, n_b, out)},
		           expected, 0, SPACE);
		for (size_t i = 0; i < SPACE; i++) {
			expected[i] = in_a[i] && !in_b[i];
		}
		check_list((struct intervals){out, intervals_without(a, n_a, b, n_b, out)},
		           expected, 0, SPACE);
		struct intervals within = intervals_within((struct intervals){a, n_a}, from, to);
		check_list(within, in_a, from, to);
		for (size_t i = 0; i < within.n; i++) {
			ck_assert(within.all[i].end > from && within.all[i].start < to);
		}
	}
	ck_assert_uint_eq(intervals_merge_all(NULL, 0).n, 0);
}
END_TEST

static int
compare_starts(const void *left, const void *right)
{
	const struct interval *a = left, *b = right;

	ORDER_BY(a->start, b->start);
	return ORDER(a->end, b->end);
}

/* As intervals_cover, by a sort of all. */
static size_t
cover_sorted(struct interval *intervals, size_t n)
{
	size_t n_out = 0;

	SORT(intervals, n, compare_starts);
	for (size_t i = 0; i < n; i++) {
		if (n_out > 0 && intervals[i].start <= intervals[n_out - 1].end) {
			intervals[n_out - 1].end = MOST(intervals[i].end, intervals[n_out - 1].end);
		} else {
			intervals[n_out++] = intervals[i];
		}
	}
	return n_out;
}

/* One of many: anywhere, close to a few instants, in turns of sorted ones, at the ends of all
 * times; some have no length. */
static struct interval
make_one(struct prng *prng, unsigned shape, size_t i)
{
	int64_t at = (int64_t)prng_below(prng, 1000000);

	at = shape == 1   ? at % 3 * 1000000000 + at % 500
	     : shape == 2 ? (int64_t)(i % 7 * 50000 + i)
	                  : at;
	at = shape == 3 && i % 5 == 0 ? (at % 2 ? INT64_MAX - at : INT64_MIN + at) : at;
	return (struct interval){
	    at, time_add(at, (int64_t)(prng_below(prng, 3) * prng_below(prng, 300)))};
}

START_TEST(many_in_any_order)
{
	struct prng prng = {11};

	for (unsigned round = 0; round < 200; round++) {
		size_t n = (size_t)prng_below(&prng, 3000) + 1;
		struct interval *some = xcalloc(n, sizeof *some), *same = xcalloc(n, sizeof *same);
		for (size_t i = 0; i < n; i++) {
			some[i] = same[i] = make_one(&prng, round % 4, i);
		}
		size_t n_some = intervals_cover(some, n);
		ck_assert_uint_eq(n_some, cover_sorted(same, n));
		ck_assert_mem_eq(some, same, n_some * sizeof *some);
		free(some);
		free(same);
	}
}
END_TEST

START_TEST(nothing)
{
	struct interval empty = {5, 5}, backwards = {7, 3}, one = {1, 2}, out[2];

	ck_assert_uint_eq(intervals_union(NULL, 0), 0);
	ck_assert_uint_eq(intervals_union(&empty, 1), 0);
	ck_assert_uint_eq(intervals_union(&backwards, 1), 0);
	ck_assert_int_eq(intervals_length_without(NULL, 0, NULL, 0), 0);
	ck_assert_uint_eq(intervals_merge(NULL, 0, &one, 1, out), 1);
	ck_assert_uint_eq(intervals_merge(&one, 1, NULL, 0, out), 1);
	ck_assert_uint_eq(intervals_merge(NULL, 0, NULL, 0, out), 0);
	ck_assert_uint_eq(intervals_intersect(NULL, 0, &one, 1, out), 0);
	ck_assert_uint_eq(intervals_intersect(&one, 1, NULL, 0, out), 0);
}
END_TEST

START_TEST(sums_saturate)
{
	struct interval all[] = {{INT64_MIN, INT64_MAX}};

	ck_assert_int_eq(time_add(INT64_MAX, 1), INT64_MAX);
	ck_assert_int_eq(time_add(INT64_MIN, -1), INT64_MIN);
	ck_assert_int_eq(time_add(-5, 3), -2);
	ck_assert_int_eq(time_sub(INT64_MIN, 1), INT64_MIN);
	ck_assert_int_eq(time_sub(INT64_MAX, -1), INT64_MAX);
	ck_assert_int_eq(time_sub(0, INT64_MIN), INT64_MAX);
	ck_assert_int_eq(intervals_length(all, 1), INT64_MAX);
	ck_assert_int_eq(intervals_length_without(all, 1, NULL, 0), INT64_MAX);
}
END_TEST

START_TEST(reals_saturate)
{
	ck_assert_int_eq(time_of_real(1.9), 1);
	ck_assert_int_eq(time_of_real(-1.9), -1);
	ck_assert_int_eq(time_of_real(0x1p63), INT64_MAX);
	ck_assert_int_eq(time_of_real(-0x1p63), INT64_MIN);
	ck_assert_int_eq(time_of_real(1e300), INT64_MAX);
	ck_assert_int_eq(time_of_real(-1e300), INT64_MIN);
	ck_assert_int_eq(time_of_real(NAN), 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("util_intervals");
	TCase *tests = tcase_create("intervals");

	tcase_add_test(tests, agree_with_a_bitmap);
	tcase_add_test(tests, lists_are_combined);
	tcase_add_test(tests, many_in_any_order);
	tcase_add_test(tests, nothing);
	tcase_add_test(tests, sums_saturate);
	tcase_add_test(tests, reals_saturate);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
