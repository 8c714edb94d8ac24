/*
 * Small statistics over doubles: tests, rank correlations. Results that cannot be had (too few
 * values, no variation) are NAN. Probabilities are two-sided.
 * Used by explain, explain/parts, explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_MODEL_STATISTICS_H
#define LANESCOPE_EXPLAIN_MODEL_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

/* Exact probability of a split at least as uneven, were more and less equally likely. Ties are
 * left out by the caller. 1 for none. */
double statistics_sign_test(size_t n_less, size_t n_more);

/* Benjamini-Hochberg: each p becomes the smallest false discovery rate at which it is still called
 * significant. NANs stay and do not count. */
void statistics_adjust(double *p, size_t n);

/* Mann-Whitney U: are values of one side larger? u gets U of a (pairs where a is larger, ties
 * half). Exact (by all ways to deal the observed, maybe tied, ranks) up to 20 values a side, else
 * the normal approximation with tie and continuity correction. NAN if a side is empty. */
double statistics_rank_sum(const double *a, size_t n_a, const double *b, size_t n_b, double *u);
#define STATISTICS_EXACT_VALUES 20
/* The same on one side: how often chance puts b at least as far above a. */
double statistics_rank_above(const double *a, size_t n_a, const double *b, size_t n_b);

/* Ranks from 1, equal values sharing the mean of theirs. */
void statistics_ranks(const double *values, size_t n, double *ranks);
double statistics_correlation(const double *x, const double *y, size_t n); /* Pearson's */
double statistics_spearman(const double *x, const double *y, size_t n);
double statistics_kendall(const double *x, const double *y, size_t n); /* tau-b, O(n log n) */
/* Two-sided: the share of all orders of y whose correlation is as strong; above
 * STATISTICS_ORDERS_MAX values the normal approximation. NAN where there is no correlation. */
double statistics_correlation_chance(const double *x, const double *y, size_t n);
/* The next in the order of the alphabet; false, and order is as it was, behind the last. n > 0. */
bool statistics_next_order(size_t *order, size_t n);
#define STATISTICS_ORDERS_MAX 7 /* 5040 */

#endif
