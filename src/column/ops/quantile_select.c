/*
 * Order statistics of values in memory: quickselect for many ranks at once, three-way (values
 * repeat a lot), with the middle of nine as pivot, and heap sort where pivots turn out bad.
 */
#include "config.h"
#include "column/ops/quantile.h"

#include <stdbool.h>

#include "util/heap.h"
#include "util/order.h"

double
quantile_between(double a, double b, double difference, double share)
{
	return share >= 0.5 ? b - difference * (1 - share) : a + difference * share;
}

static inline bool
is_greater(const int64_t *a, const int64_t *b)
{
	return *a > *b;
}
HEAP(values, int64_t, is_greater)

static int64_t
middle_of(int64_t a, int64_t b, int64_t c)
{
	return a < b ? (b < c ? b : MOST(c, a)) : (a < c ? a : MOST(c, b));
}

/* Quickselect for many ranks: values below, equal to and above a pivot apart, then on in the parts
 * that hold ranks. After `depth` bad pivots: heap sort. */
static void
select_between(int64_t *values, size_t n, size_t offset, const size_t *ranks, size_t n_ranks,
               unsigned depth)
{
	while (n_ranks > 0 && n > 1) {
		if (depth-- == 0) {
			values_sort(values, n);
			return;
		}
		int64_t pivot = middle_of(
		    middle_of(values[0], values[n / 8], values[n / 4]),
		    middle_of(values[n / 2 - n / 8], values[n / 2], values[n / 2 + n / 8]),
		    middle_of(values[n - 1 - n / 4], values[n - 1 - n / 8], values[n - 1]));
		size_t below = 0, i = 0, above = n;
		while (i < above) {
			int64_t value = values[i];
			if (value < pivot) {
				values[i++] = values[below];
				values[below++] = value;
			} else if (value > pivot) {
				values[i] = values[--above];
				values[above] = value;
			} else {
				i++;
			}
		}
		size_t n_low = 0, n_mid;
		while (n_low < n_ranks && ranks[n_low] - offset < below) {
			n_low++;
		}
		for (n_mid = n_low; n_mid < n_ranks && ranks[n_mid] - offset < above;) {
			n_mid++;
		}
		select_between(values, below, offset, ranks, n_low, depth);
		values += above;
		n -= above;
		offset += above;
		ranks += n_mid;
		n_ranks -= n_mid;
	}
}

void
select_ranks(int64_t *values, size_t n, const size_t *ranks, size_t n_ranks)
{
	unsigned depth = 8;
	for (size_t i = n; i > 1; i /= 2) {
		depth += 2;
	}
	select_between(values, n, 0, ranks, n_ranks, depth);
}
