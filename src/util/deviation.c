/*
 * Standard deviations that do not cancel.
 *
 * The variance of integers is (n squares - sum^2) / (n (n - 1)). Its numerator is the small
 * difference of two numbers that agree in most of their digits (of sizes near 2 GB that differ by
 * one: in the first nineteen), so it is computed exactly, in 256 bits. It is rounded once, to the
 * longest real there is, and the root once to a double.
 *
 * Reals have no exact sums; theirs are Welford's, merged as Chan, Golub and LeVeque do.
 */
#include "config.h"
#include "util/deviation.h"

#include <math.h>
#include <stdbool.h>

typedef unsigned __int128 wide_half;
#define HALF_BITS 128

struct wide {
	wide_half high, low;
};

static struct wide
multiply(wide_half a, wide_half b)
{
	const wide_half mask = UINT64_MAX;
	wide_half a0 = a & mask, a1 = a >> 64, b0 = b & mask, b1 = b >> 64;
	wide_half low = a0 * b0, first = a0 * b1, second = a1 * b0;
	wide_half middle = (low >> 64) + (first & mask) + (second & mask);

	return (struct wide){a1 * b1 + (first >> 64) + (second >> 64) + (middle >> 64),
	                     (middle << 64) | (low & mask)};
}

/* a -= b; false: b is greater. */
static bool
subtract(struct wide *a, struct wide b)
{
	if (a->high < b.high || (a->high == b.high && a->low < b.low)) {
		return false;
	}
	a->high -= b.high + (a->low < b.low);
	a->low -= b.low;
	return true;
}

/* Rounded once: what does not fit the upper half is one bit that says whether there is more. */
static long double
round_wide(struct wide value)
{
	int shift = 0;

	if (value.high == 0) {
		return (long double)value.low;
	}
	while (!(value.high >> (HALF_BITS - 1))) {
		value.high = value.high << 1 | value.low >> (HALF_BITS - 1);
		value.low <<= 1;
		shift++;
	}
	return ldexpl((long double)(value.high | (value.low != 0)), HALF_BITS - shift);
}

double
deviation_of_sums(uint64_t n, __int128 sum, unsigned __int128 squares)
{
	wide_half size = sum < 0 ? -(wide_half)sum : (wide_half)sum;
	struct wide numerator = multiply(squares, n);

	if (n < 2 || !subtract(&numerator, multiply(size, size))) {
		return NAN;
	}
	return (double)sqrtl(round_wide(numerator) / (long double)((wide_half)n * (n - 1)));
}

void
deviations_add(struct deviations *deviations, double value)
{
	double distance = value - deviations->mean;

	deviations->mean += distance / (double)++deviations->n;
	deviations->squares += distance * (value - deviations->mean);
}

void
deviations_merge(struct deviations *deviations, const struct deviations *more)
{
	if (deviations->n == 0 || more->n == 0) {
		*deviations = more->n == 0 ? *deviations : *more;
		return;
	}
	double n = (double)deviations->n, n_more = (double)more->n;
	double distance = more->mean - deviations->mean;

	deviations->mean += distance * (n_more / (n + n_more));
	deviations->squares += more->squares + distance * distance * (n * n_more / (n + n_more));
	deviations->n += more->n;
}

double
deviations_get(const struct deviations *deviations)
{
	return deviations->n < 2 ? NAN : sqrt(deviations->squares / (double)(deviations->n - 1));
}
