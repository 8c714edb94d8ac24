/*
 * Statistics for explanations.
 *
 * Everything here is distribution-free: times of tasks are skewed, and runs are few. Tests are
 * exact wherever that is affordable, since with four runs a side an approximation is worth nothing:
 * the sign test sums binomial terms in logarithms, from the middle outwards until they no longer
 * count; the rank sum test counts the ways to deal the observed ranks to the two sides, by dynamic
 * programming over doubled ranks (ties share a mean rank, which is an integer or a half). The
 * counts stay below C(40,20) = 1.4e11, so doubles hold them exactly.
 */
#include "config.h"
#include "explain/model/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

double
statistics_sign_test(size_t n_less, size_t n_more)
{
	size_t n = n_less + n_more;
	size_t fewer = LEAST(n_less, n_more);
	if (n_less == n_more) {
		return 1;
	}
	double log_term = lgamma((double)n + 1) - lgamma((double)fewer + 1) -
	                  lgamma((double)(n - fewer) + 1) - (double)n * log(2);
	double sum = 0;
	/* Towards 0 successes the terms shrink: C(n, k-1) / C(n, k) = k / (n - k + 1). */
	for (size_t k = fewer;; k--) {
		double term = exp(log_term);
		sum += term;
		if (k == 0 || term < sum * 1e-17 || term == 0) {
			break;
		}
		log_term += log((double)k / (double)(n - k + 1));
	}
	return fmin(1, 2 * sum);
}

struct statistics_ranked {
	double value;
	size_t index;
};

static int
compare_ranked(const void *a, const void *b)
{
	const struct statistics_ranked *x = a, *y = b;
	ORDER_BY(x->value, y->value);
	return ORDER(x->index, y->index);
}

static struct statistics_ranked *
sort_ranked(const double *values, size_t n)
{
	struct statistics_ranked *sorted = xcalloc(n, sizeof *sorted);
	for (size_t i = 0; i < n; i++) {
		sorted[i] = (struct statistics_ranked){values[i], i};
	}
	SORT(sorted, n, compare_ranked);
	return sorted;
}

void
statistics_adjust(double *p, size_t n)
{
	struct statistics_ranked *sorted = xcalloc(n, sizeof *sorted);
	size_t m = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isnan(p[i])) {
			sorted[m++] = (struct statistics_ranked){p[i], i};
		}
	}
	SORT(sorted, m, compare_ranked);
	double least = 1;
	for (size_t i = m; i-- > 0;) {
		least = fmin(least, sorted[i].value * (double)m / (double)(i + 1));
		p[sorted[i].index] = least;
	}
	free(sorted);
}

/* The first behind `first` that has another value. */
static size_t
behind_ties(const struct statistics_ranked *sorted, size_t first, size_t n)
{
	size_t end = first + 1;
	while (end < n && sorted[end].value == sorted[first].value) {
		end++;
	}
	return end;
}

void
statistics_ranks(const double *values, size_t n, double *ranks)
{
	struct statistics_ranked *sorted = sort_ranked(values, n);
	for (size_t i = 0, end; i < n; i = end) {
		end = behind_ties(sorted, i, n);
		for (size_t k = i; k < end; k++) {
			ranks[sorted[k].index] = ((double)i + 1 + (double)end) / 2;
		}
	}
	free(sorted);
}

/* Share of all ways to choose n_a of the ranks whose sum is at least as far from the mean as
 * this, or, on one side, as low. */
static double
rank_sum_exact(const double *ranks, size_t n_a, size_t n_b, double sum_a, bool is_one_sided)
{
	size_t n = n_a + n_b, highest = n * (n + 1), width = highest + 1;
	double *ways = xcalloc((n_a + 1) * width, sizeof *ways); /* [chosen][doubled sum] */
	ways[0] = 1;
	for (size_t i = 0; i < n; i++) {
		size_t rank = (size_t)(2 * ranks[i]);
		for (size_t chosen = i < n_a ? i + 1 : n_a; chosen > 0; chosen--) {
			double *to = ways + chosen * width, *from = to - width;
			for (size_t sum = highest; sum >= rank; sum--) {
				to[sum] += from[sum - rank];
			}
		}
	}
	/* Mean of the doubled sum is n_a (n + 1): an integer, so that the distances compare
	 * exactly. */
	double mean = (double)n_a * (double)(n + 1), distance = fabs(2 * sum_a - mean);
	double all = 0, far = 0;
	for (size_t sum = 0; sum <= highest; sum++) {
		double count = ways[n_a * width + sum];
		bool is_as_far =
		    is_one_sided ? (double)sum <= 2 * sum_a : fabs((double)sum - mean) >= distance;
		all += count;
		far += is_as_far ? count : 0;
	}
	free(ways);
	return far / all;
}

static double
rank_sum_normal(const double *values, size_t n_a, size_t n_b, double u, bool is_one_sided)
{
	size_t n = n_a + n_b;
	double ties = 0, count = (double)n;
	struct statistics_ranked *sorted = sort_ranked(values, n);
	for (size_t i = 0, end; i < n; i = end) {
		end = behind_ties(sorted, i, n);
		double t = (double)(end - i);
		ties += t * t * t - t;
	}
	free(sorted);
	double product = (double)n_a * (double)n_b;
	double variance = product / 12 * (count + 1 - ties / (count * (count - 1)));
	if (!(variance > 0)) {
		return 1;
	}
	if (is_one_sided) {
		return erfc((product / 2 - u - 0.5) / sqrt(2 * variance)) / 2;
	}
	double distance = fmax(0, fabs(u - product / 2) - 0.5);
	return erfc(distance / sqrt(2 * variance));
}

static double
rank_sum(const double *a, size_t n_a, const double *b, size_t n_b, bool is_one_sided, double *u)
{
	*u = NAN;
	if (n_a == 0 || n_b == 0) {
		return NAN;
	}
	size_t n = n_a + n_b;
	double *values = xcalloc(n, sizeof *values), *ranks = xcalloc(n, sizeof *ranks);
	memcpy(values, a, n_a * sizeof *a);
	memcpy(values + n_a, b, n_b * sizeof *b);
	statistics_ranks(values, n, ranks);
	double sum_a = 0;
	for (size_t i = 0; i < n_a; i++) {
		sum_a += ranks[i];
	}
	*u = sum_a - (double)n_a * (double)(n_a + 1) / 2;
	bool is_small = n_a <= STATISTICS_EXACT_VALUES && n_b <= STATISTICS_EXACT_VALUES;
	double p = is_small ? rank_sum_exact(ranks, n_a, n_b, sum_a, is_one_sided)
	                    : rank_sum_normal(values, n_a, n_b, *u, is_one_sided);
	free(values);
	free(ranks);
	return p;
}

double
statistics_correlation(const double *x, const double *y, size_t n)
{
	double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
	for (size_t i = 0; i < n; i++) {
		mean_x += x[i] / (double)n;
		mean_y += y[i] / (double)n;
	}
	for (size_t i = 0; i < n; i++) {
		xx += (x[i] - mean_x) * (x[i] - mean_x);
		yy += (y[i] - mean_y) * (y[i] - mean_y);
		xy += (x[i] - mean_x) * (y[i] - mean_y);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
}

double
statistics_rank_sum(const double *a, size_t n_a, const double *b, size_t n_b, double *u)
{
	return rank_sum(a, n_a, b, n_b, false, u);
}

double
statistics_rank_above(const double *a, size_t n_a, const double *b, size_t n_b)
{
	double u;
	return rank_sum(a, n_a, b, n_b, true, &u);
}

double
statistics_spearman(const double *x, const double *y, size_t n)
{
	double *ranks_x = xcalloc(n, sizeof *ranks_x), *ranks_y = xcalloc(n, sizeof *ranks_y);
	statistics_ranks(x, n, ranks_x);
	statistics_ranks(y, n, ranks_y);
	double rho = statistics_correlation(ranks_x, ranks_y, n);
	free(ranks_x);
	free(ranks_y);
	return rho;
}

struct statistics_point {
	double x, y;
};

static int
compare_points(const void *a, const void *b)
{
	const struct statistics_point *p = a, *q = b;
	ORDER_BY(p->x, q->x);
	return ORDER(p->y, q->y);
}

/* Sorts y by merging and counts the inversions; scratch has room for n. */
static double
count_inversions(double *y, double *scratch, size_t n)
{
	double inversions = 0;
	for (size_t width = 1; width < n; width *= 2) {
		for (size_t low = 0; low + width < n; low += 2 * width) {
			size_t i = low, middle = low + width, j = middle, to = low;
			size_t high = n - middle < width ? n : middle + width;
			while (i < middle && j < high) {
				if (y[j] < y[i]) {
					inversions += (double)(middle - i);
					scratch[to++] = y[j++];
				} else {
					scratch[to++] = y[i++];
				}
			}
			memcpy(scratch + to, y + i, (middle - i) * sizeof *y);
			to += middle - i;
			memcpy(scratch + to, y + j, (high - j) * sizeof *y);
			memcpy(y + low, scratch + low, (high - low) * sizeof *y);
		}
	}
	return inversions;
}

static double
pairs_of(size_t n)
{
	return (double)n * ((double)n - 1) / 2;
}

/* Knight's algorithm: sort by x, count what sorting by y must swap, correct for ties. */
double
statistics_kendall(const double *x, const double *y, size_t n)
{
	if (n < 2) {
		return NAN;
	}
	struct statistics_point *points = xcalloc(n, sizeof *points);
	double *ys = xcalloc(n, sizeof *ys), *scratch = xcalloc(n, sizeof *scratch);
	for (size_t i = 0; i < n; i++) {
		points[i] = (struct statistics_point){x[i], y[i]};
	}
	SORT(points, n, compare_points);
	double tied_x = 0, tied_y = 0, tied_both = 0;
	size_t same_x = 1, same_both = 1, same_y = 1;
	for (size_t i = 0; i < n; i++) {
		ys[i] = points[i].y;
		bool is_next = i + 1 < n;
		bool is_x = is_next && points[i + 1].x == points[i].x;
		bool is_both = is_x && points[i + 1].y == points[i].y;
		tied_x += is_x ? 0 : pairs_of(same_x);
		tied_both += is_both ? 0 : pairs_of(same_both);
		same_x = is_x ? same_x + 1 : 1;
		same_both = is_both ? same_both + 1 : 1;
	}
	double inversions = count_inversions(ys, scratch, n);
	for (size_t i = 0; i < n; i++) {
		bool is_y = i + 1 < n && ys[i + 1] == ys[i];
		tied_y += is_y ? 0 : pairs_of(same_y);
		same_y = is_y ? same_y + 1 : 1;
	}
	free(points);
	free(ys);
	free(scratch);
	double all = pairs_of(n), product = (all - tied_x) * (all - tied_y);
	double concordance = all - tied_x - tied_y + tied_both - 2 * inversions;
	return product > 0 ? concordance / sqrt(product) : NAN;
}

static void
swap(size_t *a, size_t *b)
{
	size_t kept = *a;
	*a = *b;
	*b = kept;
}

bool
statistics_next_order(size_t *order, size_t n)
{
	size_t i = n - 1, j = n - 1;
	while (i > 0 && order[i - 1] >= order[i]) {
		i--;
	}
	if (i == 0) {
		return false;
	}
	while (order[j] <= order[i - 1]) {
		j--;
	}
	swap(&order[i - 1], &order[j]);
	for (j = n - 1; i < j; i++, j--) {
		swap(&order[i], &order[j]);
	}
	return true;
}

double
statistics_correlation_chance(const double *x, const double *y, size_t n)
{
	double r = statistics_correlation(x, y, n), values[STATISTICS_ORDERS_MAX];
	size_t order[STATISTICS_ORDERS_MAX], n_orders = 0, n_as_strong = 0;
	if (isnan(r) || n > STATISTICS_ORDERS_MAX) {
		return isnan(r) ? NAN : erfc(fabs(r) * sqrt((double)(n - 1) / 2));
	}
	for (size_t i = 0; i < n; i++) {
		order[i] = i;
	}
	do {
		for (size_t i = 0; i < n; i++) {
			values[i] = y[order[i]];
		}
		n_orders++;
		n_as_strong += fabs(statistics_correlation(x, values, n)) >= fabs(r) - 1e-9;
	} while (statistics_next_order(order, n));
	return (double)n_as_strong / (double)n_orders;
}
