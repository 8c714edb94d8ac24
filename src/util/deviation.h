/* Standard deviations of a sample (n - 1), from sums.
 * Used by column/ops, query/saved, store. */
#ifndef LANESCOPE_UTIL_DEVIATION_H
#define LANESCOPE_UTIL_DEVIATION_H

#include <stdint.h>

/* Of n integers, from their sum and the sum of their squares, both exact. NAN below two values, or
 * where no n values have such sums. */
double deviation_of_sums(uint64_t n, __int128 sum, unsigned __int128 squares);

/* Of reals, one after the other or part by part: nothing is squared but distances from the mean, so
 * nothing cancels. */
struct deviations {
	int64_t n;
	double mean, squares; /* of the distances */
};
void deviations_add(struct deviations *deviations, double value);
void deviations_merge(struct deviations *deviations, const struct deviations *more);
double deviations_get(const struct deviations *deviations); /* NAN below two values */

#endif
