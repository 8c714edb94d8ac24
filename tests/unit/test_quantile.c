/* Order statistics: selection against sorting, and quantiles of runs that are read in many passes
 * because little may be kept in memory. */
#include "config.h"

#include <inttypes.h>

#include "column/quantile.h"
#include "unit/scan_fixture.h"

static int
compare_integers(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

/* Values of different shapes: random, few distinct, sorted, reversed, organ pipe, all alike,
 * extremes. */
static int64_t
shaped(struct prng *prng, int shape, size_t i, size_t n)
{
	switch (shape) {
	case 0:
		return (int64_t)prng_next(prng);
	case 1:
		return (int64_t)prng_below(prng, 3);
	case 2:
		return (int64_t)i;
	case 3:
		return -(int64_t)i;
	case 4:
		return (int64_t)(i < n / 2 ? i : n - i);
	case 5:
		return 7;
	default:
		return prng_below(prng, 2) ? INT64_MIN + (int64_t)prng_below(prng, 2)
		                           : INT64_MAX - (int64_t)prng_below(prng, 3);
	}
}

START_TEST(selection_is_as_sorting)
{
	struct prng prng = {3};
	for (int round = 0; round < 700; round++) {
		size_t n = 1 + (size_t)prng_below(&prng, round % 10 == 0 ? 20000 : 60), n_ranks = 0,
		       ranks[12];
		int64_t *values = xcalloc(n, sizeof *values), *sorted = xcalloc(n, sizeof *sorted);
		for (size_t i = 0; i < n; i++) {
			values[i] = sorted[i] = shaped(&prng, round % 7, i, n);
		}
		qsort(sorted, n, sizeof *sorted, compare_integers);
		for (size_t rank = 0; rank < n && n_ranks < 12;
		     rank += 1 + (size_t)prng_below(&prng, n / 4 + 1)) {
			ranks[n_ranks++] = rank;
		}
		select_ranks(values, n, ranks, n_ranks);
		for (size_t r = 0; r < n_ranks; r++) {
			FIXTURE_CHECK(values[ranks[r]] == sorted[ranks[r]],
			              "round %d, rank %zu of %zu", round, ranks[r], n);
		}
		free(values);
		free(sorted);
	}
}
END_TEST

/* Each pivot the worst there is: time must stay near n log n. */
START_TEST(selection_is_fast_on_bad_input)
{
	size_t n = 200000, ranks[] = {n / 4, n / 2, n - 1};
	int64_t *values = xcalloc(n, sizeof *values);
	for (size_t i = 0; i < n; i++) { /* runs that make medians of nine lopsided */
		values[i] = (int64_t)((i * 7919) % 1009) * (i % 2 ? 1 : -1) + (int64_t)(i / 2);
	}
	int64_t *sorted = xcalloc(n, sizeof *sorted);
	memcpy(sorted, values, n * sizeof *values);
	qsort(sorted, n, sizeof *sorted, compare_integers);
	select_ranks(values, n, ranks, 3);
	for (int r = 0; r < 3; r++) {
		ck_assert_int_eq(values[ranks[r]], sorted[ranks[r]]);
	}
	free(values);
	free(sorted);
}
END_TEST

START_TEST(reals_are_ordered_as_keys)
{
	static const double reals[] = {-INFINITY, -1e300, -2.5, -1e-310, -0.0,
	                               1e-310,    0.5,    3,    1e300,   INFINITY};
	for (size_t i = 0; i + 1 < sizeof reals / sizeof reals[0]; i++) {
		int64_t a, b;
		memcpy(&a, &reals[i], 8);
		memcpy(&b, &reals[i + 1], 8);
		ck_assert_int_lt(real_to_key(a), real_to_key(b));
		ck_assert_int_eq(real_to_key(real_to_key(a)), a);
	}
}
END_TEST

static void
check_same(struct dataset *dataset, enum block_kind kind, const char *by, const char *filter,
           uint32_t gather_limit, unsigned n_threads)
{
	struct err err = ERR_INIT;
	struct sums_request request = {
	    .kind = kind, .by = by, .filter = filter, .quantiles = {63, 63, 63, 63}};
	dataset->n_threads = 2;
	struct sums *want = sums_run(dataset, &request, &err);
	request.gather_limit = gather_limit;
	dataset->n_threads = n_threads;
	struct sums *got = sums_run(dataset, &request, &err);
	ck_assert_msg(want && got, "%s", err.message);
	ck_assert_uint_eq(sums_count(want), sums_count(got));
	for (size_t g = 0; g < sums_count(want); g++) {
		for (int m = 0; m < MEASURES; m++) {
			const double *a = sums_group(want, g)->measure[m].quantile,
				     *b = sums_group(got, g)->measure[m].quantile;
			FIXTURE_CHECK(memcmp(a, b, QUANTILES * sizeof *a) == 0,
			              "by %s, group %zu, measure %d, %u values kept: %g, not %g",
			              by, g, m, gather_limit, b[1], a[1]);
		}
	}
	sums_free(want);
	sums_free(got);
}

START_TEST(little_memory_gives_the_same)
{
	static const uint32_t limits[] = {1, 10, 100, 1000, 5000};
	struct fixture *fixture = fixture_new(21, 1500, 500, _i == 1);
	for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		check_same(&fixture->dataset, BLOCK_SPAN, "", NULL, limits[i], 2);
		check_same(&fixture->dataset, BLOCK_COUNTER, "", NULL, limits[i], 3);
		check_same(&fixture->dataset, BLOCK_SPAN, i < 2 ? "kind" : "name,process",
		           "name <> 'read'", limits[i], 1);
		check_same(&fixture->dataset, BLOCK_COUNTER, i < 2 ? "kind" : "name", "value > 0",
		           limits[i], 7);
	}
	fixture_free(fixture);
}
END_TEST

static Suite *
make_suite(void)
{
	Suite *suite = suite_create("quantile");
	TCase *tcase = tcase_create("quantile");
	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, selection_is_as_sorting);
	tcase_add_test(tcase, selection_is_fast_on_bad_input);
	tcase_add_test(tcase, reals_are_ordered_as_keys);
	tcase_add_loop_test(tcase, little_memory_gives_the_same, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}

int
main(void)
{
	return unit_run(make_suite());
}
