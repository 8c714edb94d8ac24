/* Variance and deviation of a sample (n - 1), value by value.
 * Used by its room alone. */
#ifndef LANESCOPE_STORE_MOMENTS_H
#define LANESCOPE_STORE_MOMENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "util/deviation.h"

/* Zero-initialise. */
struct moments {
	int64_t n, first;
	bool is_inexact;
	__int128 sum, squares; /* of value - first */
	struct deviations deviations;
};
void moments_add(struct moments *moments, int64_t value);
void moments_add_real(struct moments *moments, double value);
/* NAN below two values. */
double moments_variance(const struct moments *moments);
double moments_deviation(const struct moments *moments);

#endif
