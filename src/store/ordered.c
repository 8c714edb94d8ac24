/* Selects in linear time: three-way, random pivots. */
#include "config.h"
#include "store/ordered.h"

#include <math.h>

#include "store/functions.h"
#include "util/order.h"
#include "util/prng.h"

double
ordered_between(bool is_real, uint64_t order_a, uint64_t order_b, double t)
{
	int64_t base = (int64_t)(order_a ^ (uint64_t)1 << 63);
	double a = is_real ? real_of_order(order_a) : (double)base;
	if (order_a == order_b || t == 0) {
		return a;
	}
	double b =
	    is_real ? real_of_order(order_b) : (double)(int64_t)(order_b ^ (uint64_t)1 << 63);
	double difference = is_real ? b - a : (double)(order_b - order_a);
	return t < 0.5 ? a + difference * t : b - difference * (1 - t);
}

static void
swap_values(uint64_t *a, uint64_t *b)
{
	uint64_t swap = *a;
	*a = *b;
	*b = swap;
}

/* Moves what belongs at place k there; smaller ones stand before it, larger ones behind. */
static void
select_place(uint64_t *values, uint64_t n, uint64_t k)
{
	struct prng prng = {n};
	uint64_t low = 0, high = n;
	while (high - low > 1) {
		uint64_t pivot = values[low + prng_below(&prng, high - low)];
		uint64_t below = low, above = high;
		for (uint64_t i = low; i < above;) {
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

void
ordered_place(double p, uint64_t n, uint64_t *below, double *t)
{
	double place = p * (double)(n - 1), whole = floor(place);
	*below = (uint64_t)whole;
	*t = place - whole;
	if (*below >= n - 1) { /* also where n - 1 has no exact double */
		*below = n - 1;
		*t = 0;
	}
}

double
ordered_quantile(uint64_t *values, uint64_t n, double p, bool is_real)
{
	uint64_t below;
	double t;

	ordered_place(p, n, &below, &t);
	select_place(values, n, below);
	uint64_t next = values[below];
	if (t > 0) {
		next = values[below + 1];
		for (uint64_t i = below + 2; i < n; i++) {
			next = LEAST(values[i], next);
		}
	}
	return ordered_between(is_real, values[below], next, t);
}
