/* Deviations of samples: to the last digit, however far the values are from zero. */
#include "config.h"

#include <math.h>

#include "unit.h"
#include "util/deviation.h"
#include "util/prng.h"

static double
deviation_of(const int64_t *values, size_t n)
{
	__int128 sum = 0;
	unsigned __int128 squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += values[i];
		squares += (unsigned __int128)((__int128)values[i] * values[i]);
	}
	return deviation_of_sums(n, sum, squares);
}

START_TEST(far_from_zero)
{
	static const int64_t bases[] = {0,
	                                1,
	                                -7,
	                                1900000000,
	                                -1900000000,
	                                INT64_C(1) << 40,
	                                INT64_C(1) << 48,
	                                INT64_C(1) << 60,
	                                (INT64_C(1) << 62) - 9};
	for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
		int64_t base = bases[b];
		const int64_t spread[] = {base + 2, base + 4, base + 4, base + 4,
		                          base + 5, base + 5, base + 7, base + 8};
		const int64_t same[] = {base, base, base, base}, two[] = {base, base + 1};
		/* mean 4.875, 24.875 the squares of the distances */
		ck_assert(deviation_of(spread, 8) ==
		          deviation_of((int64_t[]){2, 4, 4, 4, 5, 5, 7, 8}, 8));
		ck_assert(fabs(deviation_of(spread, 8) - sqrt(24.875 / 7)) < 1e-15);
		ck_assert(deviation_of(same, 4) == 0);
		ck_assert(deviation_of(two, 2) == sqrt(0.5));
	}
}
END_TEST

/* All 256 bits: the widest values that there are, as many as there can be. */
START_TEST(as_wide_as_it_gets)
{
	const int64_t ends[] = {INT64_MIN, INT64_MAX};
	uint64_t many = INT64_MAX - 1;
	__int128 sum = (__int128)(many / 2) * ends[0] + (__int128)(many / 2) * ends[1];
	unsigned __int128 squares = ~(unsigned __int128)0;

	ck_assert(deviation_of(ends, 2) == (double)(0x1p64L / sqrtl(2)));
	ck_assert(fabs(deviation_of_sums(many, sum, squares) / sqrt(0x1p128 / 0x1p63) - 1) < 1e-15);
	ck_assert(deviation_of_sums(many, 0, (unsigned __int128)(many - 1) << 60) == sqrt(0x1p60));
}
END_TEST

START_TEST(of_too_few_or_of_no_values)
{
	ck_assert(isnan(deviation_of_sums(0, 0, 0)));
	ck_assert(isnan(deviation_of_sums(1, 5, 25)));
	ck_assert(isnan(deviation_of_sums(2, 10, 49))); /* below 5^2 + 5^2 */
	ck_assert(isnan(deviations_get(&(struct deviations){1, 3, 0})));
}
END_TEST

/* In parts of all lengths, the empty one too, as in one go. */
START_TEST(reals_in_parts)
{
	struct prng prng = {5};
	double values[60];

	for (size_t i = 0; i < 60; i++) {
		values[i] = 1e9 + (double)prng_below(&prng, 1000) / 1000;
	}
	for (size_t cut = 0; cut <= 60; cut++) {
		struct deviations all = {0}, parts[2] = {{0}};
		long double mean = 0, squares = 0;
		for (size_t i = 0; i < 60; i++) {
			deviations_add(&all, values[i]);
			deviations_add(&parts[i >= cut], values[i]);
			mean += values[i] / 60.0L;
		}
		for (size_t i = 0; i < 60; i++) {
			squares += (values[i] - mean) * (values[i] - mean);
		}
		deviations_merge(&parts[0], &parts[1]);
		double expected = (double)sqrtl(squares / 59);
		ck_assert_int_eq(parts[0].n, 60);
		ck_assert(fabs(deviations_get(&all) - expected) < 1e-7 * expected);
		ck_assert(fabs(deviations_get(&parts[0]) - expected) < 1e-7 * expected);
	}
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("deviation");
	TCase *tcase = tcase_create("deviation");

	tcase_add_test(tcase, far_from_zero);
	tcase_add_test(tcase, as_wide_as_it_gets);
	tcase_add_test(tcase, of_too_few_or_of_no_values);
	tcase_add_test(tcase, reals_in_parts);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
