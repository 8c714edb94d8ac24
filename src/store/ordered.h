/*
 * Quantiles of numbers that are kept as unsigned integers of the same order (functions.h): linear
 * interpolation between the two order statistics next to p (n - 1), as numpy's default.
 * Used by its room alone.
 */
#ifndef LANESCOPE_STORE_ORDERED_H
#define LANESCOPE_STORE_ORDERED_H

#include <stdbool.h>
#include <stdint.h>

/* The place of p among n values: *below it, *t of the way to the next. */
void ordered_place(double p, uint64_t n, uint64_t *below, double *t);
/* Between two that stand for reals, or for integers: from the nearer end. */
double ordered_between(bool is_real, uint64_t order_a, uint64_t order_b, double t);
/* Of n > 0 values, whose order it changes. In linear time. */
double ordered_quantile(uint64_t *values, uint64_t n, double p, bool is_real);

#endif
