/*
 * variance and stddev, of a sample (n - 1); NULL below two values.
 *
 * Integers (all our times and sizes) are summed exactly in 128 bits, shifted by the first value;
 * the sums of squares are moved to the integer next to the mean before anything is rounded, so that
 * nothing cancels. Should the sums overflow, or a real value appear, the result is Welford's, which
 * runs alongside.
 */
#include "config.h"
#include "store/functions.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

struct moments {
	sqlite3_int64 n, first;
	bool is_inexact;
	__int128 sum, squares; /* of value - first */
	double mean, m2;       /* Welford */
};

static void
add_exact(struct moments *moments, sqlite3_int64 value)
{
	__int128 difference = (__int128)value - moments->first, square;
	moments->is_inexact |= __builtin_mul_overflow(difference, difference, &square) ||
	                       __builtin_add_overflow(moments->squares, square, &moments->squares);
	moments->sum += difference; /* 2^64 times 2^63 at most */
}

static void
add_value(struct moments *moments, const struct number *x)
{
	if (x->is_real) {
		moments->is_inexact = true;
	} else if (!moments->is_inexact) {
		moments->first = moments->n ? moments->first : x->integer;
		add_exact(moments, x->integer);
	}
	double difference = x->real - moments->mean;
	moments->mean += difference / (double)++moments->n;
	moments->m2 += difference * (x->real - moments->mean);
}

static void
step_moments(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	struct number x;
	struct moments moments; /* SQLite aligns to 8 bytes, __int128 wants 16: so a copy */
	(void)argc;
	void *kept = sqlite3_aggregate_context(context, sizeof(moments));
	if (!kept) {
		sqlite3_result_error_nomem(context);
		return;
	}
	if (function_number(context, argv[0], &x) > 0) {
		memcpy(&moments, kept, sizeof(moments));
		add_value(&moments, &x);
		memcpy(kept, &moments, sizeof(moments));
	}
}

/* Sum of (value - mean)^2. */
static double
squared_deviations(const struct moments *moments)
{
	if (moments->is_inexact) {
		return moments->m2;
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
		return moments->m2;
	}
	return (double)(moments->squares - product) - (double)rest * (double)rest / (double)n;
}

static bool
get_variance(sqlite3_context *context, double *variance)
{
	struct moments moments;
	const void *kept = sqlite3_aggregate_context(context, 0);
	if (!kept) {
		return false;
	}
	memcpy(&moments, kept, sizeof(moments));
	if (moments.n < 2) {
		return false;
	}
	*variance = squared_deviations(&moments) / (double)(moments.n - 1);
	return true;
}

static void
finish_variance(sqlite3_context *context)
{
	double variance;
	if (get_variance(context, &variance)) {
		sqlite3_result_double(context, variance);
	}
}

static void
finish_stddev(sqlite3_context *context)
{
	double variance;
	if (get_variance(context, &variance)) {
		sqlite3_result_double(context, sqrt(variance));
	}
}

const struct sql_function functions_moments[] = {
    {"variance", 1, NULL, step_moments, finish_variance, NULL},
    {"stddev", 1, NULL, step_moments, finish_stddev, NULL},
    {NULL, 0, NULL, NULL, NULL, NULL},
};
