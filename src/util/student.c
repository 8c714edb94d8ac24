/*
 * Student's t by the incomplete beta function, whose continued fraction is that of Abramowitz and
 * Stegun 26.5.8, evaluated as by Lentz.
 */
#include "config.h"
#include "util/student.h"

#include <math.h>

#define TERMS_MAX 500
#define PRECISION 1e-14
#define TINY 1e-300

static double
continued_fraction(double x, double a, double b)
{
	double c = 1, d = 1 - (a + b) * x / (a + 1);
	d = 1 / (fabs(d) < TINY ? TINY : d);
	double fraction = d;
	for (int m = 1; m < TERMS_MAX; m++) {
		const double terms[2] = {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
		                         -(a + m) * (a + b + m) * x /
		                             ((a + 2 * m) * (a + 2 * m + 1))};
		double step = 1;
		for (int half = 0; half < 2; half++) {
			d = 1 + terms[half] * d;
			c = 1 + terms[half] / c;
			d = 1 / (fabs(d) < TINY ? TINY : d);
			c = fabs(c) < TINY ? TINY : c;
			step = c * d;
			fraction *= step;
		}
		if (fabs(step - 1) < PRECISION) {
			break;
		}
	}
	return fraction;
}

/* Regularised incomplete beta function; 0 < x < 1. */
static double
beta_share(double x, double a, double b)
{
	double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * continued_fraction(x, a, b) / a
	                                 : 1 - front * continued_fraction(1 - x, b, a) / b;
}

double
student_chance(double t, double degrees)
{
	double x = degrees / (degrees + t * t);
	if (!(degrees > 0) || isnan(t)) {
		return NAN;
	}
	return x >= 1 ? 1 : x <= 0 ? 0 : beta_share(x, degrees / 2, 0.5);
}

double
student_quantile(double chance, double degrees)
{
	double low = 0, high = 1;
	if (!(degrees > 0)) {
		return NAN;
	}
	while (student_chance(high, degrees) > chance && high < 1e12) {
		high *= 2;
	}
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;
		*(student_chance(middle, degrees) > chance ? &low : &high) = middle;
	}
	return high;
}

static double
take_group(const double *values, size_t n, double *squares)
{
	double mean = 0;
	for (size_t i = 0; i < n; i++) {
		double from_mean = values[i] - mean;
		mean += from_mean / (double)(i + 1);
		*squares += from_mean * (values[i] - mean);
	}
	return mean;
}

struct student_groups
student_groups(const double *a, size_t n_a, const double *b, size_t n_b)
{
	struct student_groups groups = {.degrees = (double)(n_a + n_b) - 2,
	                                .per_figure = 1 / (double)n_a + 1 / (double)n_b};
	groups.mean_a = take_group(a, n_a, &groups.squares);
	groups.mean_b = take_group(b, n_b, &groups.squares);
	return groups;
}

double
student_error(const struct student_groups *groups, double prior, double prior_degrees)
{
	double degrees = groups->degrees + prior_degrees;
	double variance = (groups->squares + prior * prior_degrees) / degrees;
	return degrees > 0 ? sqrt(variance * groups->per_figure) : NAN;
}
