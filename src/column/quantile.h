/* Exact order statistics of 64-bit integers; reals are mapped to integers of the same order. */
#ifndef LANESCOPE_COLUMN_QUANTILE_H
#define LANESCOPE_COLUMN_QUANTILE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Integers in the order of the reals, and back. */
static inline int64_t
real_to_key(int64_t bits)
{
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

/* Puts the values that belong at positions ranks[0 ... n_ranks-1] (ascending) of the sorted array there. Time n log n at worst. */
void select_ranks(int64_t *values, size_t n, const size_t *ranks, size_t n_ranks);
/* Between a and b, as numpy interpolates. */
double quantile_between(double a, double b, double difference, double share);

#endif
