/*
 * Integers (all our times and sizes) are summed exactly in 128 bits, shifted by the first value;
 * the sums of squares are moved to the integer next to the mean before anything is rounded, so that
 * nothing cancels. Should the sums overflow, or a real value appear, the result is Welford's, which
 * runs alongside.
 */
#include "config.h"
#include "store/moments.h"

#include <math.h>

static void
add_exact(struct moments *moments, int64_t value)
{
	__int128 difference = (__int128)value - moments->first, square;
	moments->is_inexact |= __builtin_mul_overflow(difference, difference, &square) ||
	                       __builtin_add_overflow(moments->squares, square, &moments->squares);
	moments->sum += difference; /* 2^64 times 2^63 at most */
}

void
moments_add(struct moments *moments, int64_t value)
{
	if (!moments->is_inexact) {
		moments->first = moments->n ? moments->first : value;
		add_exact(moments, value);
	}
	moments->n++;
	deviations_add(&moments->deviations, (double)value);
}

void
moments_add_real(struct moments *moments, double value)
{
	moments->is_inexact = true;
	moments->n++;
	deviations_add(&moments->deviations, value);
}

/* Sum of (value - mean)^2. */
static double
squared_deviations(const struct moments *moments)
{
	if (moments->is_inexact) {
		return moments->deviations.squares;
	}
	__int128 n = moments->n, mean = moments->sum / n, rest = moments->sum % n;
	if (2 * rest > n) {
		mean++;
		rest -= n;
	} else if (2 * rest < -n) {
		mean--;
		rest += n;
	}
	/* sum (d - mean)^2 = squares - mean (sum + rest), and the true mean is rest / n further: at
	 * most half of that. */
	__int128 product;
	if (__builtin_mul_overflow(mean, moments->sum + rest, &product)) {
		return moments->deviations.squares;
	}
	return (double)(moments->squares - product) - (double)rest * (double)rest / (double)n;
}

double
moments_variance(const struct moments *moments)
{
	return moments->n < 2 ? NAN : squared_deviations(moments) / (double)(moments->n - 1);
}

double
moments_deviation(const struct moments *moments)
{
	return sqrt(moments_variance(moments));
}
