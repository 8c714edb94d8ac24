/*
 * Quantiles of figures in memory.
 * Used by explain, explain/parts, explain/verdict, query/saved, simulate.
 */
#ifndef LANESCOPE_UTIL_QUANTILE_H
#define LANESCOPE_UTIL_QUANTILE_H

#include <stddef.h>

/* Ascending, in place. None may be NAN. */
void quantile_sort(double *values, size_t n);
/* Of sorted values, interpolated linearly (as numpy); NAN for none. */
double quantile_sorted(const double *sorted, size_t n, double p);

#endif
