/* Exact order statistics of 64-bit integers; reals are mapped to integers of the same order.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_QUANTILE_H
#define LANESCOPE_COLUMN_OPS_QUANTILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Integers in the order of the reals, and back. */
static inline int64_t
real_to_key(int64_t bits)
{
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

/* NaN comes out below or above all others, -0 as 0. */
static inline int64_t
real_key(double real)
{
	int64_t bits;
	real += 0.0;
	memcpy(&bits, &real, sizeof bits);
	return real_to_key(bits);
}

/* Puts the values that belong at positions ranks[0 ... n_ranks-1] (ascending) of the sorted array
 * there. Time n log n at worst. */
void select_ranks(int64_t *values, size_t n, const size_t *ranks, size_t n_ranks);
/* Between a and b, as numpy interpolates. */
double quantile_between(double a, double b, double difference, double share);

#endif
