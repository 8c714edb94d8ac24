/*
 * Aggregates for which rows must be put in order first.
 *
 * union_ns(start, dur): length of the union of the intervals [start, start + dur), 0 for none. Rows
 * that arrive sorted (the usual case) are merged as they come, so that memory is that of the gaps.
 *
 * sum_in_order(x, order): plain additions of doubles from left to right in the order of `order`
 * (numbers; NULL first; ties in order of arrival), NULL for none. SQLite's own sum compensates
 * rounding errors in newer versions and follows no given order; figures that other programs
 * computed by a simple loop come out to the last digit only this way. mean_in_order(x, order): that
 * sum over the number of x.
 */
#include "config.h"
#include "store/functions.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/order.h"

struct union_state {
	struct interval *intervals;
	sqlite3_uint64 n, capacity;
};

/* 1: both are there, 0: NULL, -1: the error is set. */
static int
get_interval(sqlite3_context *context, sqlite3_value **argv, struct interval *interval)
{
	struct number start, duration;
	int has_start = function_number(context, argv[0], &start);
	int has_duration = has_start < 0 ? -1 : function_number(context, argv[1], &duration);
	if (has_start <= 0 || has_duration <= 0) {
		return has_start < 0 || has_duration < 0 ? -1 : 0;
	}
	bool is_real = start.is_real || duration.is_real;
	if (is_real || duration.integer < 0) {
		function_fail(context, is_real ? "times are integers" : "a duration is negative");
		return -1;
	}
	*interval = (struct interval){start.integer, time_add(start.integer, duration.integer)};
	return 1;
}

static bool
add_interval(sqlite3_context *context, struct union_state *state, struct interval interval)
{
	struct interval *last = state->n ? &state->intervals[state->n - 1] : NULL;
	if (last && interval.start >= last->start && interval.start <= last->end) {
		last->end = MOST(interval.end, last->end);
		return true;
	}
	if (!function_grow(context, &state->intervals, &state->capacity, state->n,
	                   sizeof *state->intervals)) {
		return false;
	}
	state->intervals[state->n++] = interval;
	return true;
}

static bool
add_union(sqlite3_context *context, void *state, sqlite3_value **argv)
{
	struct interval interval;
	int found = get_interval(context, argv, &interval);
	return found == 0 || (found > 0 && add_interval(context, state, interval));
}

static void
finish_union(sqlite3_context *context, void *user, bool has_failed)
{
	struct union_state *state = user;
	if (!has_failed) {
		size_t n = state->n ? intervals_union(state->intervals, state->n) : 0;
		sqlite3_result_int64(context, n ? intervals_length(state->intervals, n) : 0);
	}
	sqlite3_free(state->intervals);
}

/* --- sum_in_order -------------------------------------------------------- */

struct ordered_term {
	sqlite3_uint64 order; /* real orders: of the double */
	sqlite3_uint64 arrival;
	double value;
};

struct ordered_sum {
	struct ordered_term *terms;
	sqlite3_uint64 n, capacity;
	bool is_real, is_unsorted;
};

static void
orders_become_real(struct ordered_sum *sum)
{
	for (sqlite3_uint64 i = 0; i < sum->n; i++) {
		struct ordered_term *term = &sum->terms[i];
		if (term->order != 0) { /* 0 is NULL */
			term->order = order_of_real(
			    (double)(sqlite3_int64)(term->order ^ (sqlite3_uint64)1 << 63));
		}
	}
	sum->is_real = true;
	sum->is_unsorted = true;
}

static bool
add_term(sqlite3_context *context, void *state, sqlite3_value **argv)
{
	struct ordered_sum *sum = state;
	struct number x, order;
	int has_x = function_number(context, argv[0], &x);
	if (has_x <= 0) {
		return has_x == 0;
	}
	int has_order = function_number(context, argv[1], &order);
	if (has_order < 0 ||
	    !function_grow(context, &sum->terms, &sum->capacity, sum->n, sizeof *sum->terms)) {
		return false;
	}
	if (has_order && order.is_real && !sum->is_real) {
		orders_become_real(sum);
	}
	sqlite3_uint64 key = 0;
	if (has_order) {
		key = sum->is_real ? order_of_real(order.real) : order_of_integer(order.integer);
	}
	sum->is_unsorted |= sum->n > 0 && key < sum->terms[sum->n - 1].order;
	sum->terms[sum->n] = (struct ordered_term){key, sum->n, x.real};
	sum->n++;
	return true;
}

static int
compare_terms(const void *a, const void *b)
{
	const struct ordered_term *x = a, *y = b;
	ORDER_BY(x->order, y->order);
	return ORDER(x->arrival, y->arrival);
}

static void
finish_ordered(sqlite3_context *context, struct ordered_sum *sum, bool is_mean, bool has_failed)
{
	if (sum->n > 0 && !has_failed) {
		if (sum->is_unsorted) {
			SORT(sum->terms, sum->n, compare_terms);
		}
		double result = 0;
		for (sqlite3_uint64 i = 0; i < sum->n; i++) {
			result += sum->terms[i].value;
		}
		sqlite3_result_double(context, is_mean ? result / (double)sum->n : result);
	}
	sqlite3_free(sum->terms);
}

static void
finish_sum(sqlite3_context *context, void *state, bool has_failed)
{
	finish_ordered(context, state, false, has_failed);
}

static void
finish_mean(sqlite3_context *context, void *state, bool has_failed)
{
	finish_ordered(context, state, true, has_failed);
}

const struct sql_function functions_ordered[] = {
    {"union_ns", 2, .state_bytes = sizeof(struct union_state), .add = add_union,
     .finish = finish_union},
    {"sum_in_order", 2, .state_bytes = sizeof(struct ordered_sum), .add = add_term,
     .finish = finish_sum},
    {"mean_in_order", 2, .state_bytes = sizeof(struct ordered_sum), .add = add_term,
     .finish = finish_mean},
    {0},
};
