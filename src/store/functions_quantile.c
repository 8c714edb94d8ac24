/*
 * quantile(x, p), median(x) and weighted_quantile(x, w, p), interpolated (ordered.h); weights are
 * how often each value counts.
 *
 * Values are kept as unsigned integers of the same order, eight bytes each: integers exactly, until
 * the first real turns all into doubles. The plain quantile selects, the weighted one sorts.
 */
#include "config.h"
#include "store/functions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/ordered.h"
#include "util/order.h"

struct weighted {
	sqlite3_uint64 order;
	sqlite3_int64 weight;
};

struct quantile {
	bool is_real, has_p, is_weighted;
	double p;
	sqlite3_uint64 n, capacity;
	uint64_t *values; /* not weighted */
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
	uint64_t below, i = 0, before = 0;
	double t;
	ordered_place(quantile->p, (uint64_t)quantile->total, &below, &t);
	while (before + (uint64_t)items[i].weight <= below) {
		before += (sqlite3_uint64)items[i++].weight;
	}
	bool is_last = before + (uint64_t)items[i].weight == below + 1;
	sqlite3_uint64 next = items[t > 0 && is_last ? i + 1 : i].order;
	return ordered_between(quantile->is_real, items[i].order, next, t);
}

static void
finish_quantile(sqlite3_context *context, void *state, bool has_failed)
{
	struct quantile *quantile = state;
	if (quantile->n > 0 && !has_failed) {
		sqlite3_result_double(context,
		                      quantile->is_weighted
		                          ? weighted_result(quantile)
		                          : ordered_quantile(quantile->values, quantile->n,
		                                             quantile->p, quantile->is_real));
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
