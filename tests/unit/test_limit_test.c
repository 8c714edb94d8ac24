/* The gate's noise model: how many of many runs without a change it calls worse, for noise of many
 * shapes; what it does not miss; how many runs it needs. */
#include "config.h"
#include "explain/model/limit_test.h"

#include <math.h>

#include "unit.h"
#include "util/mem.h"
#include "util/prng.h"

#define LEVEL 0.01

static double
uniform(struct prng *prng)
{
	return ((double)prng_below(prng, UINT64_C(1) << 53) + 0.5) / 9007199254740992.0;
}

static double
normal(struct prng *prng)
{
	return sqrt(-2 * log(uniform(prng))) * cos(2 * acos(-1) * uniform(prng));
}

/* Factors of runs. */
static double
narrow(struct prng *prng)
{
	return exp(0.02 * normal(prng));
}

static double
wide(struct prng *prng)
{
	return exp(0.5 * normal(prng));
}

static double
skewed(struct prng *prng)
{
	return 1 - 0.2 * log(uniform(prng));
}

static double
outliers(struct prng *prng) /* Pareto: no variance */
{
	return pow(uniform(prng), -0.6);
}

static double
two_modes(struct prng *prng) /* three of ten runs are slow */
{
	return (uniform(prng) < 0.3 ? 1.4 : 1) * narrow(prng);
}

static double
rounded(struct prng *prng) /* ties */
{
	return 10 + (double)prng_below(prng, 4);
}

typedef double noise(struct prng *prng);
static noise *const noises[] = {narrow, wide, skewed, outliers, two_modes, rounded};

static void
draw(struct prng *prng, noise *factor, double figure, double *into, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		into[i] = figure * factor(prng);
	}
}

/* At a true rate of 1 % 10 of 1000 are expected, and more than 22 once in 5000. */
#define TRIALS 1000
#define ALARMS_MOST 22

static size_t
count_alarms(struct prng *prng, noise *factor, size_t n_a, size_t n_b, double limit, double change,
             bool is_higher_better)
{
	double a[32], b[32];
	size_t alarms = 0;
	for (size_t t = 0; t < TRIALS; t++) {
		draw(prng, factor, 100, a, n_a);
		draw(prng, factor, 100 * (1 + change), b, n_b);
		alarms += limit_test(a, n_a, b, n_b, limit, is_higher_better) <= LEVEL;
	}
	return alarms;
}

/* The hardest null: the true change is the limit itself. */
START_TEST(false_alarms_are_rare_for_any_noise)
{
	static const size_t sides[][2] = {{5, 5}, {4, 6}, {8, 8}, {22, 8}};
	struct prng prng = {12};
	for (size_t f = 0; f < COUNT_OF(noises); f++) {
		for (size_t s = 0; s < COUNT_OF(sides); s++) {
			size_t n_a = sides[s][0], n_b = sides[s][1], up, down, none;
			up = count_alarms(&prng, noises[f], n_a, n_b, 0.05, 0.05, false);
			down = count_alarms(&prng, noises[f], n_a, n_b, 0.05, -0.05, true);
			none = count_alarms(&prng, noises[f], n_a, n_b, 0, 0, false);
			ck_assert_msg(up <= ALARMS_MOST && down <= ALARMS_MOST &&
			                  none <= ALARMS_MOST,
			              "noise %zu, %zu and %zu runs: %zu, %zu, %zu of %d", f, n_a,
			              n_b, up, down, none, TRIALS);
		}
	}
}
END_TEST

/* With the limit above what happened there is hardly any. */
START_TEST(within_the_limit_is_no_alarm)
{
	struct prng prng = {13};
	ck_assert_uint_eq(count_alarms(&prng, narrow, 6, 6, 0.2, 0.05, false), 0);
	ck_assert_uint_eq(count_alarms(&prng, narrow, 6, 6, 0.2, -0.5, false), 0);
	ck_assert_uint_eq(count_alarms(&prng, narrow, 6, 6, 0.2, 0.5, true), 0);
}
END_TEST

START_TEST(what_is_far_beyond_the_limit_is_found)
{
	struct prng prng = {14};
	ck_assert_uint_eq(count_alarms(&prng, narrow, 5, 5, 0.05, 1, false), TRIALS);
	ck_assert_uint_eq(count_alarms(&prng, narrow, 5, 5, 0.05, -0.5, true), TRIALS);
	ck_assert_uint_gt(count_alarms(&prng, narrow, 10, 10, 0.05, 0.1, false), TRIALS * 95 / 100);
	ck_assert_uint_gt(count_alarms(&prng, skewed, 10, 10, 0.05, 1, false), TRIALS * 95 / 100);
}
END_TEST

/* Twelve figures of the same runs, each with its own noise, and together. */
START_TEST(figures_share_the_level)
{
	enum { FIGURES = 12, RUNS = 7 };
	struct prng prng = {15};
	for (size_t f = 0; f < COUNT_OF(noises); f++) {
		size_t alarms = 0;
		for (size_t t = 0; t < TRIALS; t++) {
			double p[FIGURES], a[RUNS], b[RUNS];
			bool significant[FIGURES];
			for (size_t i = 0; i < FIGURES; i++) {
				draw(&prng, noises[f], 100, a, RUNS);
				draw(&prng, noises[f], 105, b, RUNS);
				p[i] = limit_test(a, RUNS, b, RUNS, 0.05, false);
			}
			alarms += limit_test_share(p, FIGURES, LEVEL, significant) > 0;
		}
		ck_assert_msg(alarms <= ALARMS_MOST, "noise %zu: %zu of %d", f, alarms, TRIALS);
	}
}
END_TEST

START_TEST(holm_steps_down)
{
	const double p[] = {0.004, 0.5, 0.0024, 0.006};
	bool significant[4];
	ck_assert_uint_eq(limit_test_share(p, 4, LEVEL, significant), 1);
	ck_assert(!significant[0] && !significant[1] && significant[2] && !significant[3]);
	const double all[] = {0.003, 0.01, 0.0024, 0.005};
	ck_assert_uint_eq(limit_test_share(all, 4, LEVEL, significant), 4);
	ck_assert_uint_eq(limit_test_share(NULL, 0, LEVEL, NULL), 0);
}
END_TEST

/* C(2n, n) deals are as likely: 252 of five and five. */
START_TEST(runs_needed)
{
	ck_assert_uint_eq(limit_test_runs(0.01), 5);
	ck_assert_uint_eq(limit_test_runs(0.01 / 3), 6);
	ck_assert_uint_eq(limit_test_runs(0.01 / 9), 6);
	ck_assert_uint_eq(limit_test_runs(0.01 / 10), 7);
	ck_assert_uint_eq(limit_test_runs(1), 1);
	ck_assert(limit_test_can(4, 5, 0.01) && !limit_test_can(4, 4, 0.01));
	ck_assert(limit_test_can(1, 99, 0.01) && !limit_test_can(98, 1, 0.01));
	ck_assert(!limit_test_can(0, 100, 0.01) && !limit_test_can(100, 0, 0.01));
	const double a[] = {1, 2, 3, 4, 5}, b[] = {6, 7, 8, 9, 10};
	ck_assert_double_eq_tol(limit_test(a, 5, b, 5, 0, false), 1.0 / 252, 1e-12);
	ck_assert_double_eq_tol(limit_test(b, 5, a, 5, 0, true), 1.0 / 252, 1e-12);
	ck_assert_double_eq_tol(limit_test(b, 5, a, 5, 0, false), 1, 1e-12);
}
END_TEST

/* Figures that are the limit to the last digit are not over it; 0 and less are figures as well. */
START_TEST(edges)
{
	const double a[] = {100, 100, 100, 100, 100}, b[] = {157, 157, 157, 157, 157};
	ck_assert_double_eq(limit_test(a, 5, b, 5, 0.57, false), 1);
	ck_assert_double_lt(limit_test(a, 5, b, 5, 0.56, false), LEVEL);
	const double zero[] = {0, 0, 0, 0, 0}, less[] = {-2, -2, -2, -2, -2};
	ck_assert_double_eq(limit_test(zero, 5, zero, 5, 0, false), 1);
	ck_assert_double_lt(limit_test(zero, 5, b, 5, 10, false), LEVEL);
	ck_assert_double_lt(limit_test(less, 5, zero, 5, 0.5, false), LEVEL);
	ck_assert_double_eq(limit_test(less, 5, zero, 5, 2, false), 1);
	ck_assert_double_eq(limit_of(-2, 0.5, false), -1 + 2e-12);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("limit_test");
	TCase *tcase = tcase_create("limit_test");
	tcase_add_test(tcase, false_alarms_are_rare_for_any_noise);
	tcase_add_test(tcase, within_the_limit_is_no_alarm);
	tcase_add_test(tcase, what_is_far_beyond_the_limit_is_found);
	tcase_add_test(tcase, figures_share_the_level);
	tcase_add_test(tcase, holm_steps_down);
	tcase_add_test(tcase, runs_needed);
	tcase_add_test(tcase, edges);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
