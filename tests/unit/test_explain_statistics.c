/* Statistics against definitions: enumeration, direct sums, textbook figures. Assignment against
 * brute force. */
#include "config.h"
#include "explain/model/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "explain/model/assignment.h"
#include "util/student.h"
#include "unit.h"
#include "util/mem.h"
#include "util/prng.h"
#include "util/quantile.h"

static void
assert_near(double value, double wanted, double tolerance)
{
	ck_assert_msg(fabs(value - wanted) <= tolerance, "%.17g, not %.17g", value, wanted);
}

START_TEST(quantiles_interpolate)
{
	const double values[] = {1, 2, 4, 8};
	assert_near(quantile_sorted(values, 4, 0), 1, 0);
	assert_near(quantile_sorted(values, 4, 0.5), 3, 1e-12);
	assert_near(quantile_sorted(values, 4, 0.25), 1.75, 1e-12);
	assert_near(quantile_sorted(values, 4, 1), 8, 0);
	assert_near(quantile_sorted(values, 1, 0.3), 1, 0);
	ck_assert(isnan(quantile_sorted(values, 0, 0.5)));
}
END_TEST

/* All 2^n outcomes of n fair coins. */
START_TEST(sign_test_by_enumeration)
{
	for (size_t n = 0; n <= 14; n++) {
		for (size_t less = 0; less <= n; less++) {
			size_t fewer = less < n - less ? less : n - less, as_uneven = 0;
			for (size_t outcome = 0; outcome < (size_t)1 << n; outcome++) {
				size_t heads = (size_t)__builtin_popcountll(outcome);
				as_uneven += heads <= fewer || n - heads <= fewer;
			}
			assert_near(statistics_sign_test(less, n - less),
			            (double)as_uneven / (double)((size_t)1 << n), 1e-12);
		}
	}
}
END_TEST

START_TEST(sign_test_of_many)
{
	assert_near(statistics_sign_test(100000, 100000), 1, 0);
	/* Normal approximation with continuity correction agrees far out. */
	double z = (2000 - 1) / sqrt(200000);
	double p = erfc(z / sqrt(2));
	assert_near(statistics_sign_test(99000, 101000) / p, 1, 1e-3);
	ck_assert_double_ge(statistics_sign_test(0, 200000), 0);
	ck_assert_double_lt(statistics_sign_test(0, 200000), 1e-300);
}
END_TEST

/* q of a p: the least, over all thresholds that admit it, of threshold * m / number admitted. */
START_TEST(adjusted_as_defined)
{
	struct prng prng = {5};
	for (int round = 0; round < 200; round++) {
		double p[12], q[12];
		size_t n = 1 + (size_t)prng_below(&prng, 12), m = 0;
		for (size_t i = 0; i < n; i++) {
			p[i] = prng_below(&prng, 5) ? (double)prng_below(&prng, 30) / 30 : NAN;
			m += !isnan(p[i]);
		}
		memcpy(q, p, sizeof q);
		statistics_adjust(q, n);
		for (size_t i = 0; i < n; i++) {
			double least = 1;
			for (size_t t = 0; t < n; t++) {
				size_t admitted = 0;
				for (size_t k = 0; k < n; k++) {
					admitted += p[k] <= p[t];
				}
				if (p[t] >= p[i]) {
					least = fmin(least, p[t] * (double)m / (double)admitted);
				}
			}
			ck_assert_int_eq(isnan(q[i]), isnan(p[i]));
			if (!isnan(p[i])) {
				assert_near(q[i], least, 1e-12);
			}
		}
	}
}
END_TEST

static double
u_of(const double *a, size_t n_a, const double *b, size_t n_b)
{
	double u = 0;
	for (size_t i = 0; i < n_a; i++) {
		for (size_t j = 0; j < n_b; j++) {
			u += a[i] > b[j] ? 1 : a[i] == b[j] ? 0.5 : 0;
		}
	}
	return u;
}

/* Every way to deal the values to the two sides. */
static double
rank_sum_by_enumeration(const double *values, size_t n, size_t n_a, double u)
{
	double middle = (double)n_a * (double)(n - n_a) / 2;
	size_t all = 0, far = 0;
	for (size_t set = 0; set < (size_t)1 << n; set++) {
		double a[16], b[16];
		size_t in_a = 0, in_b = 0;
		if ((size_t)__builtin_popcountll(set) != n_a) {
			continue;
		}
		for (size_t i = 0; i < n; i++) {
			if (set >> i & 1) {
				a[in_a++] = values[i];
			} else {
				b[in_b++] = values[i];
			}
		}
		all++;
		far += fabs(u_of(a, in_a, b, in_b) - middle) >= fabs(u - middle) - 1e-9;
	}
	return (double)far / (double)all;
}

START_TEST(rank_sum_agrees_with_enumeration)
{
	struct prng prng = {7};
	for (int round = 0; round < 120; round++) {
		double values[10], u;
		size_t n_a = 1 + (size_t)prng_below(&prng, 5),
		       n_b = 1 + (size_t)prng_below(&prng, 5);
		uint64_t distinct = prng_below(&prng, 2) ? 6 : 1000000; /* ties, or none */
		for (size_t i = 0; i < n_a + n_b; i++) {
			values[i] = (double)prng_below(&prng, distinct);
		}
		double p = statistics_rank_sum(values, n_a, values + n_a, n_b, &u);
		assert_near(u, u_of(values, n_a, values + n_a, n_b), 1e-9);
		assert_near(p, rank_sum_by_enumeration(values, n_a + n_b, n_a, u), 1e-12);
	}
}
END_TEST

START_TEST(rank_sum_of_four_a_side)
{
	const double low[] = {1, 2, 3, 4}, high[] = {5, 6, 7, 8};
	double u;
	assert_near(statistics_rank_sum(low, 4, high, 4, &u), 2.0 / 70, 1e-12);
	assert_near(u, 0, 0);
	ck_assert(isnan(statistics_rank_sum(low, 0, high, 4, &u)));
	const double same[] = {1, 1, 1, 1};
	assert_near(statistics_rank_sum(same, 4, same, 4, &u), 1, 1e-12);
}
END_TEST

/* The approximation meets the exact test where both can be had. */
START_TEST(rank_sum_of_many)
{
	struct prng prng = {9};
	double a[40], b[40], u;
	for (size_t i = 0; i < 40; i++) {
		a[i] = (double)prng_below(&prng, 1000);
		b[i] = (double)prng_below(&prng, 1000) + 150;
	}
	double exact = statistics_rank_sum(a, 20, b, 20, &u);
	double near_exact = statistics_rank_sum(a, 21, b, 21, &u);
	ck_assert_double_lt(fabs(log(exact / near_exact)), 2);
	double middle = 40 * 40 / 2.0;
	u = u_of(a, 40, b, 40);
	double z = (fabs(u - middle) - 0.5) / sqrt(40 * 40 * 81 / 12.0);
	double p_u;
	assert_near(statistics_rank_sum(a, 40, b, 40, &p_u), erfc(z / sqrt(2)), 1e-3);
	double same[50];
	for (size_t i = 0; i < 50; i++) {
		same[i] = 3;
	}
	assert_near(statistics_rank_sum(same, 50, same, 50, &u), 1, 0);
}
END_TEST

static double
kendall_slowly(const double *x, const double *y, size_t n)
{
	double sum = 0, untied_x = 0, untied_y = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i; j++) {
			double dx = (x[i] > x[j]) - (x[i] < x[j]),
			       dy = (y[i] > y[j]) - (y[i] < y[j]);
			sum += dx * dy;
			untied_x += dx != 0;
			untied_y += dy != 0;
		}
	}
	return untied_x > 0 && untied_y > 0 ? sum / sqrt(untied_x * untied_y) : NAN;
}

START_TEST(correlations_by_definition)
{
	struct prng prng = {13};
	for (int round = 0; round < 300; round++) {
		double x[30], y[30], ranks_x[30], ranks_y[30];
		size_t n = (size_t)prng_below(&prng, 31);
		uint64_t distinct = prng_below(&prng, 2) ? 4 : 1000;
		for (size_t i = 0; i < n; i++) {
			x[i] = (double)prng_below(&prng, distinct);
			y[i] = x[i] + (double)prng_below(&prng, distinct);
		}
		double tau = statistics_kendall(x, y, n), slow = kendall_slowly(x, y, n);
		ck_assert_int_eq(isnan(tau), isnan(slow));
		if (!isnan(tau)) {
			assert_near(tau, slow, 1e-12);
		}
		statistics_ranks(x, n, ranks_x);
		statistics_ranks(y, n, ranks_y);
		double rho = statistics_spearman(x, y, n);
		double xx = 0, yy = 0, xy = 0, middle = ((double)n + 1) / 2;
		for (size_t i = 0; i < n; i++) {
			xx += (ranks_x[i] - middle) * (ranks_x[i] - middle);
			yy += (ranks_y[i] - middle) * (ranks_y[i] - middle);
			xy += (ranks_x[i] - middle) * (ranks_y[i] - middle);
		}
		if (!isnan(rho)) {
			assert_near(rho, xy / sqrt(xx * yy), 1e-9);
		}
	}
	const double up[] = {1, 2, 3, 4}, down[] = {9, 5, 2, 1};
	assert_near(statistics_spearman(up, down, 4), -1, 1e-12);
	assert_near(statistics_kendall(up, down, 4), -1, 1e-12);
	ck_assert(isnan(statistics_spearman(up, up, 1)));
}
END_TEST

START_TEST(correlation_chance)
{
	const double up[] = {1, 2, 4, 8}, down[] = {9, 5, 2, 1}, flat[] = {3, 3, 3, 3};
	const double ends[] = {1, 1, 7, 7};
	assert_near(statistics_correlation(up, up, 4), 1, 1e-12);
	assert_near(statistics_correlation_chance(up, up, 4), 1 / 24.0, 1e-12);
	assert_near(statistics_correlation_chance(ends, ends, 4), 8 / 24.0, 1e-12);
	ck_assert_double_lt(statistics_correlation(up, down, 4), -0.8);
	ck_assert(isnan(statistics_correlation(up, flat, 4)));
	ck_assert(isnan(statistics_correlation_chance(up, flat, 4)));
	double x[40], y[40];
	for (int i = 0; i < 40; i++) {
		x[i] = i;
		y[i] = i * 7 % 40;
	}
	ck_assert_double_lt(statistics_correlation_chance(x, x, 40), 1e-9);
	ck_assert_double_gt(statistics_correlation_chance(x, y, 40), 0.2);
}
END_TEST

START_TEST(orders)
{
	size_t order[4] = {0, 1, 2, 3}, n = 1;
	while (statistics_next_order(order, 4)) {
		n++;
	}
	ck_assert_uint_eq(n, 24);
	ck_assert_uint_eq(order[0], 3);
}
END_TEST

/* The best sum over all ways to give rows to columns. */
static int64_t
best_slowly(int64_t weights[7][7], size_t n_rows, size_t n_columns, size_t row, unsigned used)
{
	if (row == n_rows) {
		return 0;
	}
	int64_t best = best_slowly(weights, n_rows, n_columns, row + 1, used);
	for (size_t column = 0; column < n_columns; column++) {
		if (!(used >> column & 1)) {
			int64_t sum =
			    weights[row][column] +
			    best_slowly(weights, n_rows, n_columns, row + 1, used | 1u << column);
			best = sum > best ? sum : best;
		}
	}
	return best;
}

START_TEST(assignment_agrees_with_brute_force)
{
	struct prng prng = {17};
	for (int round = 0; round < 250; round++) {
		size_t n_rows = (size_t)prng_below(&prng, 7),
		       n_columns = (size_t)prng_below(&prng, 7);
		int64_t weights[7][7] = {{0}}, sum = 0;
		struct assignment_cell cells[49];
		uint32_t column_of_row[7];
		size_t n = 0;
		bool is_exact;
		for (uint32_t r = 0; r < n_rows; r++) {
			for (uint32_t c = 0; c < n_columns; c++) {
				weights[r][c] =
				    (int64_t)prng_below(&prng, 3) * (int64_t)prng_below(&prng, 20);
				if (weights[r][c] > 0) {
					cells[n++] = (struct assignment_cell){r, c, weights[r][c]};
				}
			}
		}
		int64_t best =
		    assignment_best(cells, n, n_rows, n_columns, column_of_row, &is_exact);
		unsigned used = 0;
		for (size_t r = 0; r < n_rows; r++) {
			if (column_of_row[r] != ASSIGNMENT_NONE) {
				ck_assert_uint_lt(column_of_row[r], n_columns);
				ck_assert(!(used >> column_of_row[r] & 1));
				used |= 1u << column_of_row[r];
				sum += weights[r][column_of_row[r]];
			}
		}
		ck_assert(is_exact);
		ck_assert_int_eq(best, sum);
		ck_assert_int_eq(best, best_slowly(weights, n_rows, n_columns, 0, 0));
	}
}
END_TEST

START_TEST(assignment_of_many_is_greedy)
{
	size_t n = 1000;
	struct assignment_cell *cells = xcalloc(2 * n, sizeof *cells);
	uint32_t *column_of_row = xcalloc(n, sizeof *column_of_row);
	bool is_exact;
	for (uint32_t i = 0; i < n; i++) {
		cells[2 * i] = (struct assignment_cell){i, (uint32_t)n - 1 - i, 10};
		cells[2 * i + 1] = (struct assignment_cell){i, i, 3};
	}
	ck_assert_int_eq(assignment_best(cells, 2 * n, n, n, column_of_row, &is_exact),
	                 10 * (int64_t)n);
	ck_assert(!is_exact);
	ck_assert_uint_eq(column_of_row[0], n - 1);
	free(cells);
	free(column_of_row);
}
END_TEST

/* Quantiles of the tables; chances by the laws of one and two degrees (Cauchy's, and an algebraic
 * one), and by the normal law for many. */
START_TEST(student_by_tables_and_laws)
{
	static const double degrees[] = {1, 2, 5, 10, 30};
	static const double nine_of_ten[] = {6.31375, 2.91999, 2.01505, 1.81246, 1.69726};
	for (size_t i = 0; i < COUNT_OF(degrees); i++) {
		double t = student_quantile(0.1, degrees[i]);
		assert_near(t, nine_of_ten[i], 1e-5);
		assert_near(student_chance(t, degrees[i]), 0.1, 1e-9);
		assert_near(student_chance(-t, degrees[i]), 0.1, 1e-9);
	}
	for (double t = 0.1; t < 50; t *= 1.7) {
		assert_near(student_chance(t, 1), 1 - 2 * atan(t) / acos(-1), 1e-9);
		assert_near(student_chance(t, 2), 1 - t / sqrt(2 + t * t), 1e-9);
		assert_near(student_chance(t, 1e7), erfc(t / sqrt(2)), 1e-5);
	}
	ck_assert_double_eq(student_chance(0, 3), 1);
	ck_assert(isnan(student_chance(1, 0)) && isnan(student_quantile(0.1, 0)));
	ck_assert(isnan(student_chance(NAN, 3)));
}
END_TEST

START_TEST(groups_have_one_spread)
{
	const double a[] = {10, 12, 14}, b[] = {20, 26};
	struct student_groups groups = student_groups(a, 3, b, 2);
	assert_near(groups.mean_a, 12, 1e-12);
	assert_near(groups.mean_b, 23, 1e-12);
	assert_near(groups.squares, 8 + 18, 1e-12);
	assert_near(groups.degrees, 3, 0);
	assert_near(student_error(&groups, 0, 0), sqrt(26. / 3 * (1. / 3 + 1. / 2)), 1e-12);
	/* What was known before counts as so many more runs. */
	assert_near(student_error(&groups, 2, 3), sqrt((26. + 6) / 6 * (5. / 6)), 1e-12);
	groups = student_groups(a, 1, b, 1);
	ck_assert(isnan(student_error(&groups, 0, 0)));
	assert_near(student_error(&groups, 2, 4), 2, 1e-12);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_statistics");
	TCase *tcase = tcase_create("statistics");
	tcase_add_test(tcase, quantiles_interpolate);
	tcase_add_test(tcase, correlation_chance);
	tcase_add_test(tcase, orders);
	tcase_add_test(tcase, sign_test_by_enumeration);
	tcase_add_test(tcase, sign_test_of_many);
	tcase_add_test(tcase, adjusted_as_defined);
	tcase_add_test(tcase, rank_sum_agrees_with_enumeration);
	tcase_add_test(tcase, rank_sum_of_four_a_side);
	tcase_add_test(tcase, rank_sum_of_many);
	tcase_add_test(tcase, correlations_by_definition);
	tcase_add_test(tcase, assignment_agrees_with_brute_force);
	tcase_add_test(tcase, assignment_of_many_is_greedy);
	tcase_add_test(tcase, student_by_tables_and_laws);
	tcase_add_test(tcase, groups_have_one_spread);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
