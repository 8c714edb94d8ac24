#include "config.h"
#include "explain/model/limit_test.h"

#include <math.h>
#include <stdlib.h>

#include "explain/model/statistics.h"
#include "util/mem.h"
#include "util/order.h"

#define ROUNDING 1e-12 /* 57 % more than 100 is not more than 57 % more */

double
limit_of(double figure, double limit, bool is_higher_better)
{
	double by = limit * fabs(figure) + ROUNDING * fabs(figure);
	return is_higher_better ? figure - by : figure + by;
}

double
limit_test(const double *a, size_t n_a, const double *b, size_t n_b, double limit,
           bool is_higher_better)
{
	double sign = is_higher_better ? -1 : 1;
	double *moved = xcalloc(n_a + 1, sizeof *moved), *signed_b = xcalloc(n_b + 1, sizeof *b);
	for (size_t i = 0; i < n_a; i++) {
		moved[i] = sign * limit_of(a[i], limit, is_higher_better);
	}
	for (size_t i = 0; i < n_b; i++) {
		signed_b[i] = sign * b[i];
	}
	double p = statistics_rank_above(moved, n_a, signed_b, n_b);
	free(moved);
	free(signed_b);
	return p;
}

/* One deal of all is the worst: none is rarer. */
bool
limit_test_can(size_t n_a, size_t n_b, double level)
{
	double deals = 1;
	for (size_t i = 1; n_b > 0 && i <= n_a && deals * level < 1; i++) {
		deals *= (double)(n_b + i) / (double)i;
	}
	return deals * level >= 1 - 1e-9;
}

size_t
limit_test_runs(double level)
{
	size_t n = 1;
	while (!limit_test_can(n, n, level)) {
		n++;
	}
	return n;
}

struct shared_p {
	double p;
	size_t index;
};

static int
compare_ordered(const void *left, const void *right)
{
	const struct shared_p *a = left, *b = right;
	ORDER_BY(a->p, b->p);
	return ORDER(a->index, b->index);
}

size_t
limit_test_share(const double *p, size_t n, double level, bool *significant)
{
	struct shared_p *ordered = xcalloc(n + 1, sizeof *ordered);
	size_t found = 0;
	for (size_t i = 0; i < n; i++) {
		ordered[i] = (struct shared_p){p[i], i};
		significant[i] = false;
	}
	SORT(ordered, n, compare_ordered);
	while (found < n && ordered[found].p <= level / (double)(n - found)) {
		significant[ordered[found++].index] = true;
	}
	free(ordered);
	return found;
}
