/*
 * quantile(x, p), median(x) and weighted_quantile(x, w, p): linear interpolation between the two
 * order statistics next to p (n - 1), as numpy's default; weights are how often each value counts.
 *
 * Values are kept as unsigned integers of the same order, eight bytes each: integers exactly, until
 * the first real turns all into doubles. The plain quantile selects in linear time (three-way,
 * random pivots), the weighted one sorts.
 */
#include "config.h"
#include "store/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/order.h"
#include "util/prng.h"

struct weighted {
	sqlite3_uint64 order;
	sqlite3_int64 weight;
};

struct quantile {
	bool is_real, has_p, is_weighted;
	double p;
	sqlite3_uint64 n, capacity;
	sqlite3_uint64 *values; /* not weighted */
	struct weighted *weighted;
	sqlite3_int64 total; /* of the weights */
};

static sqlite3_uint64
order_integer_to_real(sqlite3_uint64 order)
{
	return order_of_real((double)(sqlite3_int64)(order ^ (sqlite3_uint64)1 << 63));
}

/* From now on values are doubles. */
static void
become_real(struct quantile *quantile)
{
	for (sqlite3_uint64 i = 0; i < quantile->n; i++) {
		if (quantile->is_weighted) {
			quantile->weighted[i].order =
			    order_integer_to_real(quantile->weighted[i].order);
		} else {
			quantile->values[i] = order_integer_to_real(quantile->values[i]);
		}
	}
	quantile->is_real = true;
}

static sqlite3_uint64
order_of_number(struct quantile *quantile, const struct number *x)
{
	if (x->is_real && !quantile->is_real) {
		become_real(quantile);
	}
	return quantile->is_real ? order_of_real(x->real) : order_of_integer(x->integer);
}

/* p must be the same number from 0 to 1 in every row. */
static bool
check_p(sqlite3_context *context, struct quantile *quantile, sqlite3_value *value)
{
	struct number p;
	int found = function_number(context, value, &p);
	if (found < 0) {
		return false;
	}
	if (found == 0 || !(p.real >= 0 && p.real <= 1)) {
		return function_fail(context, "p must be a number from 0 to 1");
	}
	if (quantile->has_p && quantile->p != p.real) {
		return function_fail(context, "p must be the same in all rows of a group");
	}
	quantile->has_p = true;
	quantile->p = p.real;
	return true;
}

static bool
add_value(sqlite3_context *context, struct quantile *quantile, sqlite3_value *value)
{
	struct number x;
	int found = function_number(context, value, &x);
	if (found <= 0) {
		return found == 0;
	}
	if (!function_grow(context, &quantile->values, &quantile->capacity, quantile->n,
	                   sizeof *quantile->values)) {
		return false;
	}
	sqlite3_uint64 order = order_of_number(quantile, &x);
	quantile->values[quantile->n++] = order;
	return true;
}

static bool
add_quantile(sqlite3_context *context, void *quantile, sqlite3_value **argv)
{
	return check_p(context, quantile, argv[1]) && add_value(context, quantile, argv[0]);
}

static bool
add_median(sqlite3_context *context, void *quantile, sqlite3_value **argv)
{
	((struct quantile *)quantile)->p = 0.5;
	return add_value(context, quantile, argv[0]);
}

/* 1: a weight above 0; 0: nothing to add; -1: the error is set. */
static int
get_weight(sqlite3_context *context, sqlite3_value *value, sqlite3_int64 *weight)
{
	struct number w;
	int found = function_number(context, value, &w);
	if (found <= 0) {
		return found;
	}
	bool is_whole = !w.is_real || (w.real == floor(w.real) && fabs(w.real) < 9e18);
	*weight = w.is_real && is_whole ? (sqlite3_int64)w.real : w.integer;
	if (!is_whole || *weight < 0) {
		function_fail(context, "weights are whole numbers from 0 up");
		return -1;
	}
	return *weight > 0;
}

static bool
add_weighted(sqlite3_context *context, void *state, sqlite3_value **argv)
{
	struct quantile *quantile = state;
	struct number x;
	sqlite3_int64 weight = 0;
	quantile->is_weighted = true;
	if (!check_p(context, quantile, argv[2])) {
		return false;
	}
	int has_value = function_number(context, argv[0], &x);
	int has_weight = has_value > 0 ? get_weight(context, argv[1], &weight) : has_value;
	if (has_weight <= 0) {
		return has_weight == 0;
	}
	if (__builtin_add_overflow(quantile->total, weight, &quantile->total)) {
		return function_fail(context, "the weights' sum is too large");
	}
	if (!function_grow(context, &quantile->weighted, &quantile->capacity, quantile->n,
	                   sizeof *quantile->weighted)) {
		return false;
	}
	sqlite3_uint64 order = order_of_number(quantile, &x);
	quantile->weighted[quantile->n++] = (struct weighted){order, weight};
	return true;
}

/* --- Results ------------------------------------------------------------- */

/* Between a and b, as numpy has it: from the nearer end. */
static double
interpolate(bool is_real, sqlite3_uint64 order_a, sqlite3_uint64 order_b, double t)
{
	sqlite3_int64 base = (sqlite3_int64)(order_a ^ (sqlite3_uint64)1 << 63);
	double a = is_real ? real_of_order(order_a) : (double)base;
	if (order_a == order_b || t == 0) {
		return a;
	}
	double b = is_real ? real_of_order(order_b)
	                   : (double)(sqlite3_int64)(order_b ^ (sqlite3_uint64)1 << 63);
	double difference = is_real ? b - a : (double)(order_b - order_a);
	return t < 0.5 ? a + difference * t : b - difference * (1 - t);
}

static void
swap_values(sqlite3_uint64 *a, sqlite3_uint64 *b)
{
	sqlite3_uint64 swap = *a;
	*a = *b;
	*b = swap;
}

/* Moves what belongs at place k there; smaller ones stand before it, larger ones behind. */
static void
select_place(sqlite3_uint64 *values, sqlite3_uint64 n, sqlite3_uint64 k)
{
	struct prng prng = {n};
	sqlite3_uint64 low = 0, high = n;
	while (high - low > 1) {
		sqlite3_uint64 pivot = values[low + prng_below(&prng, high - low)];
		sqlite3_uint64 below = low, above = high;
		for (sqlite3_uint64 i = low; i < above;) {
			if (values[i] < pivot) {
				swap_values(&values[i++], &values[below++]);
			} else if (values[i] > pivot) {
				swap_values(&values[i], &values[--above]);
			} else {
				i++;
			}
		}
		if (k < below) {
			high = below;
		} else if (k >= above) {
			low = above;
		} else {
			return;
		}
	}
}

/* The place of p among n values: *below it, *t of the way to the next. */
static void
place_of(double p, sqlite3_uint64 n, sqlite3_uint64 *below, double *t)
{
	double place = p * (double)(n - 1), whole = floor(place);
	*below = (sqlite3_uint64)whole;
	*t = place - whole;
	if (*below >= n - 1) { /* also where n - 1 has no exact double */
		*below = n - 1;
		*t = 0;
	}
}

static double
plain_result(struct quantile *quantile)
{
	sqlite3_uint64 below, *values = quantile->values, n = quantile->n;
	double t;
	place_of(quantile->p, n, &below, &t);
	select_place(values, n, below);
	sqlite3_uint64 next = values[below];
	if (t > 0) {
		next = values[below + 1];
		for (sqlite3_uint64 i = below + 2; i < n; i++) {
			next = LEAST(values[i], next);
		}
	}
	return interpolate(quantile->is_real, values[below], next, t);
}

static int
compare_weighted(const void *a, const void *b)
{
	const struct weighted *x = a, *y = b;
	return ORDER(x->order, y->order);
}

static double
weighted_result(struct quantile *quantile)
{
	struct weighted *items = quantile->weighted;
	SORT(items, quantile->n, compare_weighted);
	sqlite3_uint64 below, i = 0, before = 0;
	double t;
	place_of(quantile->p, (sqlite3_uint64)quantile->total, &below, &t);
	while (before + (sqlite3_uint64)items[i].weight <= below) {
		before += (sqlite3_uint64)items[i++].weight;
	}
	bool is_last = before + (sqlite3_uint64)items[i].weight == below + 1;
	sqlite3_uint64 next = items[t > 0 && is_last ? i + 1 : i].order;
	return interpolate(quantile->is_real, items[i].order, next, t);
}

static void
finish_quantile(sqlite3_context *context, void *state, bool has_failed)
{
	struct quantile *quantile = state;
	if (quantile->n > 0 && !has_failed) {
		sqlite3_result_double(context, quantile->is_weighted ? weighted_result(quantile)
		                                                     : plain_result(quantile));
	}
	sqlite3_free(quantile->values);
	sqlite3_free(quantile->weighted);
}

const struct sql_function functions_quantile[] = {
    {"quantile", 2, .state_bytes = sizeof(struct quantile), .add = add_quantile,
     .finish = finish_quantile},
    {"median", 1, .state_bytes = sizeof(struct quantile), .add = add_median,
     .finish = finish_quantile},
    {"weighted_quantile", 3, .state_bytes = sizeof(struct quantile), .add = add_weighted,
     .finish = finish_quantile},
    {0},
};
