/*
 * Are figures of some runs worse than those of others by more than a limit? The noise model of the
 * gate: what runs of one set-up differ by multiplies their figures, by a factor of any
 * distribution, skewed, with outliers, of several modes, but the same one on both sides, and drawn
 * anew for every run. Where the true change is the limit, A's figures moved by the limit and B's
 * are then dealt by chance, so that the rank-sum test over all ways to deal them is exact: whatever
 * the noise is, of pairs of groups that did not change by more at most a share of `level` is called
 * worse.
 * Used by explain.
 */
#ifndef LANESCOPE_EXPLAIN_MODEL_LIMIT_TEST_H
#define LANESCOPE_EXPLAIN_MODEL_LIMIT_TEST_H

#include <stdbool.h>
#include <stddef.h>

/* What a figure may grow to (where higher is better: fall to): by this share of its size. */
double limit_of(double figure, double limit, bool is_higher_better);
/* How often chance makes B's figures at least as bad, were the true change the limit. */
double limit_test(const double *a, size_t n_a, const double *b, size_t n_b, double limit,
                  bool is_higher_better);
/* Can so many figures fall below a level at all? */
bool limit_test_can(size_t n_a, size_t n_b, double level);
/* The least number a side that can. */
size_t limit_test_runs(double level);
/* Holm: of n tests that share a level those that are significant, so that chance makes any such in
 * at most that share of cases. significant: by test. Returns how many. */
size_t limit_test_share(const double *p, size_t n, double level, bool *significant);

#endif
