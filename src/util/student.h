/*
 * Means of a few runs: Student's t.
 * Used by explain, explain/verdict, simulate, store.
 */
#ifndef LANESCOPE_UTIL_STUDENT_H
#define LANESCOPE_UTIL_STUDENT_H

#include <stddef.h>

/* How often |t| or more comes by chance, with so many (maybe broken) degrees of freedom. NAN for
 * none. */
double student_chance(double t, double degrees);
/* The t that chance exceeds, to either side, as often. NAN for no degrees. */
double student_quantile(double chance, double degrees);
/* What two groups of figures say: their means, and the sum of squares within them, which has so
 * many degrees of freedom (0: one figure a side). */
struct student_groups {
	double mean_a, mean_b, squares, degrees;
	double per_figure; /* variance of the difference over that of one figure */
};
struct student_groups student_groups(const double *a, size_t n_a, const double *b, size_t n_b);
/* Standard error of the difference. prior: what the variance of a figure was taken to be before,
 * worth prior_degrees (0: nothing). NAN for no degrees at all. */
double student_error(const struct student_groups *groups, double prior, double prior_degrees);

#endif
