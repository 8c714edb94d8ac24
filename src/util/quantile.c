/* Quantiles of figures that are in memory already, sorted once for all that is asked of them. */
#include "config.h"
#include "util/quantile.h"

#include <math.h>
#include <stdlib.h>

#include "util/order.h"

static int
compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return ORDER(x, y);
}

void
quantile_sort(double *values, size_t n)
{
	SORT(values, n, compare_doubles);
}

double
quantile_sorted(const double *sorted, size_t n, double p)
{
	if (n == 0) {
		return NAN;
	}
	double place = p * (double)(n - 1);
	size_t below = (size_t)place;
	if (below + 1 >= n) {
		return sorted[n - 1];
	}
	return sorted[below] + (place - (double)below) * (sorted[below + 1] - sorted[below]);
}
