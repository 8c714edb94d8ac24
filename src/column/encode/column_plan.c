/*
 * How to store a column's integers is decided from its range, the greatest common divisor of its
 * distances, and a sample of a few hundred values: for the plain values and for their differences,
 * the window of 2^width numbers is sought for which width plus the cost of what falls outside
 * (patches) is least; few distinct values speak for a table; one very frequent value among wide
 * ones (-1, 0) for a bitmap that takes it out. What the sample promised is checked by the encoder,
 * which falls back to the full width, so a bad guess costs a few bits and never a value.
 *
 * Everything depends on the values alone: the same rows give the same bytes.
 */
#include "config.h"
#include "column/encode/column_plan.h"

#include <stdlib.h>
#include <string.h>

#include "column/encode/column_bits.h"
#include "util/order.h"

#define SAMPLE 512u
#define STRETCH 64u

struct value_sample {
	int64_t values[SAMPLE], deltas[SAMPLE];
	uint32_t n, n_deltas;
};

struct exact_divisor
exact_divisor_of(uint64_t divisor)
{
	struct exact_divisor exact = {.shift = (unsigned)__builtin_ctzll(divisor),
	                              .limit = UINT64_MAX / divisor};
	uint64_t odd = divisor >> exact.shift,
		 inverse = odd; /* right in 3 bits; each turn doubles them */

	for (int turn = 0; turn < 5; turn++) {
		inverse *= 2 - odd * inverse;
	}
	exact.inverse = inverse;
	return exact;
}

static uint64_t
greatest_common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Of values[i] - min, beginning with a multiple of the result; 1 as soon as that is certain. */
static uint64_t
common_divisor(uint64_t divisor, const int64_t *values, uint32_t n, uint64_t min)
{
	struct exact_divisor exact = {0, 0, 0};

	if (divisor > 1) {
		exact = exact_divisor_of(divisor);
	}
	for (uint32_t i = 0; i < n && divisor != 1; i++) {
		uint64_t distance = (uint64_t)values[i] - min;
		if (divisor == 0 || exact_divide(&exact, distance) > exact.limit) {
			divisor = greatest_common_divisor(divisor, distance);
			if (divisor > 1) {
				exact = exact_divisor_of(divisor);
			}
		}
	}
	return divisor;
}

static void
take_sample(struct value_sample *sample, const int64_t *values, uint32_t n)
{
	uint32_t stretch = n <= SAMPLE ? n : STRETCH;
	uint32_t n_stretches = n <= SAMPLE ? 1 : SAMPLE / STRETCH;

	sample->n = sample->n_deltas = 0;
	for (uint32_t s = 0; s < n_stretches; s++) {
		uint32_t at = n_stretches == 1
		                  ? 0
		                  : (uint32_t)((uint64_t)(n - stretch) * s / (n_stretches - 1));
		for (uint32_t i = at; i < at + stretch; i++) {
			sample->values[sample->n++] = values[i];
			if (i > at) {
				sample->deltas[sample->n_deltas++] =
				    (int64_t)((uint64_t)values[i] - (uint64_t)values[i - 1]);
			}
		}
	}
}

static int
compare_integers(const void *left, const void *right)
{
	int64_t a, b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	return ORDER(a, b);
}

struct bit_window {
	unsigned width;
	uint64_t low, high; /* of the sample's numbers in it */
	double bits;
};

/* The cheapest window over sorted values; numbers are (value - origin) / scale. */
static struct bit_window
best_window(const int64_t *sorted, uint32_t n, uint64_t origin, uint64_t scale)
{
	uint64_t numbers[SAMPLE];
	struct bit_window best = {64, 0, 0, 65.0};

	for (uint32_t i = 0; i < n; i++) {
		numbers[i] = ((uint64_t)sorted[i] - origin) / scale;
	}
	for (unsigned width = 0; width <= BITS_MAX_PARTIAL; width++) {
		uint32_t most = 0, most_at = 0;
		for (uint32_t low = 0, high = 0; high < n; high++) {
			while (numbers[high] - numbers[low] > bits_mask(width)) {
				low++;
			}
			if (high - low + 1 > most) {
				most = high - low + 1;
				most_at = low;
			}
		}
		double bits = width + PATCH_BITS * (n - most) / n;
		if (bits < best.bits) {
			best = (struct bit_window){width, numbers[most_at],
			                           numbers[most_at + most - 1], bits};
		}
		if (most == n) {
			break;
		}
	}
	return best;
}

/* Puts the window where it takes in an end of the true range 0 ... top, if it can. */
static uint64_t
window_start(const struct bit_window *window, uint64_t top)
{
	uint64_t mask = bits_mask(window->width);

	if (window->high <= mask) {
		return 0;
	}
	if (top - window->low <= mask) {
		return top - mask;
	}
	uint64_t slack = mask - (window->high - window->low);
	return window->low - LEAST(slack / 2, window->low);
}

static void
use_window(struct column_plan *plan, const struct bit_window *window, uint64_t min, uint64_t max)
{
	uint64_t top = (max - min) / plan->scale;

	plan->full_base = min;
	plan->full_width = bits_width(top);
	if (window->bits < plan->full_width) {
		plan->width = window->width;
		plan->base = min + window_start(window, top) * plan->scale;
		plan->bits = window->bits;
	} else {
		plan->width = plan->full_width;
		plan->base = min;
		plan->bits = plan->full_width;
	}
}

static void
try_delta(struct column_plan *plan, struct value_sample *sample, const int64_t *values, uint32_t n)
{
	if (plan->bits <= 2 || sample->n_deltas < 8 ||
	    (uint64_t)plan->max - (uint64_t)plan->min > INT64_MAX) {
		return;
	}
	SORT(sample->deltas, sample->n_deltas, compare_integers);
	struct bit_window window =
	    best_window(sample->deltas, sample->n_deltas, (uint64_t)sample->deltas[0], plan->scale);
	if (window.bits + 1 >
	    plan->bits * 0.9) { /* differences are slower to read: they must pay */
		return;
	}
	int64_t min = INT64_MAX, max = INT64_MIN;
	for (uint32_t i = 1; i < n; i++) {
		int64_t delta = values[i] - values[i - 1];
		min = LEAST(delta, min);
		max = MOST(delta, max);
	}
	uint64_t shift = ((uint64_t)sample->deltas[0] - (uint64_t)min) / plan->scale;
	window.low += shift;
	window.high += shift;
	plan->is_delta = true;
	use_window(plan, &window, (uint64_t)min, (uint64_t)max);
}

/* Looks at how often values occur in the sorted sample. */
static void
try_table(struct column_plan *plan, const struct value_sample *sample)
{
	uint32_t n_distinct = 1, most = 1, length = 1;

	plan->fill = (uint64_t)sample->values[0];
	for (uint32_t i = 1; i < sample->n; i++) {
		length = sample->values[i] == sample->values[i - 1] ? length + 1 : 1;
		n_distinct += length == 1;
		if (length > most) {
			most = length;
			plan->fill = (uint64_t)sample->values[i];
		}
	}
	double share = (double)most / sample->n;
	plan->has_fill = share >= 0.05 && share <= 0.98;
	if (n_distinct <= sample->n / 4 && bits_width(n_distinct - 1) + 0.5 < plan->bits) {
		plan->is_table = true;
		plan->n_distinct = n_distinct;
	}
}

void
column_plan_make(struct column_plan *plan, const int64_t *values, uint32_t n)
{
	struct value_sample sample;
	int64_t min = values[0], max = values[0];

	memset(plan, 0, sizeof *plan);
	for (uint32_t i = 1; i < n; i++) {
		min = LEAST(values[i], min);
		max = MOST(values[i], max);
	}
	plan->min = min;
	plan->max = max;
	plan->scale = 1;
	plan->base = plan->full_base = (uint64_t)min;
	if (min == max) {
		return;
	}
	take_sample(&sample, values, n);
	uint64_t divisor = common_divisor(0, sample.values, sample.n, (uint64_t)min);
	plan->scale = common_divisor(divisor, values, n, (uint64_t)min);
	SORT(sample.values, sample.n, compare_integers);
	struct bit_window window = best_window(sample.values, sample.n, (uint64_t)min, plan->scale);
	use_window(plan, &window, (uint64_t)min, (uint64_t)max);
	try_delta(plan, &sample, values, n);
	try_table(plan, &sample);
}
