/* Steps in rows of figures: how often noise is taken for one, how often one is found, and where. */
#include "config.h"
#include "util/change_points.h"

#include <math.h>

#include "unit/unit.h"
#include "util/mem.h"
#include "util/prng.h"

#define MOST 120

static struct prng prng;
static double figures[MOST];
static bool begins[MOST];
static struct change_point changes[MOST];

static double
uniform(void)
{
	return ((double)(prng_next(&prng) >> 11) + 0.5) * 0x1p-53;
}

static double
normal(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

/* Has no mean, so many outliers has it. */
static double
cauchy(void)
{
	return tan(M_PI * (uniform() - 0.5));
}

static double
exponential(void)
{
	return -log(uniform());
}

/* As clocks and counters give it: many are equal. */
static double
whole(void)
{
	return floor(3 * uniform());
}

static double (*const noises[])(void) = {normal, cauchy, exponential, whole};
static const size_t lengths[] = {10, 13, 20, 40, 100};

static void
set_up(void)
{
	prng = (struct prng){15};
	for (size_t i = 0; i < MOST; i++) {
		begins[i] = true;
	}
}

static size_t
find(size_t n)
{
	return change_points_find(figures, begins, n, changes);
}

/* Two in a hundred is what is promised; of 300 that is 6, and 15 come once in 500 times then. */
START_TEST(noise_is_none)
{
	for (size_t k = 0; k < COUNT_OF(lengths); k++) {
		size_t n_false = 0;
		for (int i = 0; i < 300; i++) {
			for (size_t f = 0; f < lengths[k]; f++) {
				figures[f] = noises[_i]();
			}
			n_false += find(lengths[k]) > 0;
		}
		ck_assert_msg(n_false < 15, "%zu of 300 rows of %zu", n_false, lengths[k]);
	}
}
END_TEST

/* In the noise of normal figures from `at` to `end` by `size` standard deviations: of 100 rows at
 * least `told` show any step, `found` this one, there or one beside it, all of it. */
static const struct {
	size_t n, at, end;
	double size;
	size_t told, found;
} steps[] = {
    {10, 5, 10, 5, 97, 97},   {12, 6, 12, 3, 78, 75},    {20, 10, 20, 2, 70, 60},
    {20, 10, 20, 3, 95, 90},  {40, 20, 40, 2, 96, 75},   {40, 20, 40, 3, 99, 92},
    {40, 20, 40, 5, 100, 92}, {100, 50, 100, 2, 99, 75}, {40, 35, 40, 5, 98, 75},
    {40, 16, 24, 3, 96, 72},  {40, 16, 24, 5, 99, 75},   {100, 90, 100, -3, 99, 82},
};

START_TEST(steps_are_found)
{
	size_t n_told = 0, n_found = 0, n_ends = steps[_i].end < steps[_i].n ? 2 : 1;
	for (int i = 0; i < 100; i++) {
		for (size_t f = 0; f < steps[_i].n; f++) {
			bool is_off = f >= steps[_i].at && f < steps[_i].end;
			figures[f] = normal() + (is_off ? steps[_i].size : 0);
		}
		size_t n_steps = find(steps[_i].n);
		bool is_found = n_steps >= n_ends;
		const size_t places[] = {steps[_i].at, steps[_i].end};
		for (size_t e = 0; is_found && e < n_ends; e++) {
			bool is_there = false;
			for (size_t c = 0; c < n_ends; c++) {
				is_there |= changes[c].at + 1 >= places[e] &&
				            changes[c].at <= places[e] + 1;
				ck_assert(changes[c].chance > 0 &&
				          changes[c].chance <= CHANGE_CHANCE);
			}
			is_found = is_there;
		}
		n_found += is_found;
		n_told += n_steps > 0;
	}
	ck_assert_msg(n_told >= steps[_i].told, "%zu of 100 told", n_told);
	ck_assert_msg(n_found >= steps[_i].found, "%zu of 100", n_found);
}
END_TEST

/* A figure that is the greatest of its level stands last in it: by its rank it could be of the
 * next, by its size it is not. In the long row stretches are looked for on a grid. */
START_TEST(steps_stand_where_levels_part)
{
	static double row[5 * MOST];
	static bool all[5 * MOST];
	static struct change_point found[5 * MOST];

	for (size_t i = 0; i < COUNT_OF(row); i++) {
		all[i] = true;
		row[i] = 0.1 * (double)(i * 7 % 5) + (i < 60 ? 0 : 5);
	}
	row[59] = 0.9;
	ck_assert_uint_eq(change_points_find(row, all, 100, found), 1);
	ck_assert_uint_eq(found[0].at, 60);
	for (size_t i = 0; i < COUNT_OF(row); i++) {
		row[i] = 0.1 * (double)(i * 7 % 5) + (i < 251 || i >= 353 ? 0 : 5);
	}
	ck_assert_uint_eq(change_points_find(row, all, COUNT_OF(row), found), 2);
	ck_assert_uint_eq(found[0].at, 251);
	ck_assert_uint_eq(found[1].at, 353);
}
END_TEST

/* One figure is no level, however far off, and neither are two or three at the end. */
START_TEST(outliers_are_none)
{
	for (size_t last = 1; last <= 3; last++) {
		size_t n_told = 0;
		for (int i = 0; i < 100; i++) {
			for (size_t f = 0; f < 30; f++) {
				figures[f] = normal() + (f + last >= 30 ? 1e6 : 0);
			}
			n_told += find(30) > 0;
		}
		ck_assert_msg(n_told < 25, "%zu of 100 with %zu", n_told, last);
	}
}
END_TEST

START_TEST(edges)
{
	for (size_t n = 0; n < CHANGE_FIGURES_LEAST; n++) { /* too few, however clear */
		for (size_t i = 0; i < n; i++) {
			figures[i] = i < n / 2 ? 0 : 1e9;
		}
		ck_assert_uint_eq(find(n), 0);
	}
	for (size_t i = 0; i < MOST; i++) {
		figures[i] = 7;
	}
	ck_assert_uint_eq(find(MOST), 0);
	for (size_t i = 0; i < MOST; i++) { /* three levels without noise */
		figures[i] = i < 40 ? -INFINITY : i < 90 ? 1e-300 : 1e300;
	}
	ck_assert_uint_eq(find(MOST), 2);
	ck_assert_uint_eq(changes[0].at, 40);
	ck_assert_uint_eq(changes[1].at, 90);
	struct change_point before[2] = {changes[0], changes[1]};
	ck_assert_uint_eq(find(MOST), 2);
	ck_assert_double_eq(before[0].chance, changes[0].chance);
	ck_assert_double_eq(before[1].chance, changes[1].chance);
}
END_TEST

/* Repetitions are not parted: the step at 17 is told where a measurement begins. */
START_TEST(repetitions)
{
	for (size_t i = 0; i < 40; i++) {
		figures[i] = (double)(i * 7 % 5) + (i < 17 ? 0 : 50);
		begins[i] = i % 5 == 0;
	}
	ck_assert_uint_eq(find(40), 1);
	ck_assert(changes[0].at == 15 || changes[0].at == 20);
	for (size_t i = 0; i < 40; i++) {
		begins[i] = i == 0; /* a single measurement */
	}
	ck_assert_uint_eq(find(40), 0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("change_points");
	TCase *test_case = tcase_create("change_points");
	tcase_set_timeout(test_case, 60);
	tcase_add_checked_fixture(test_case, set_up, NULL);
	tcase_add_loop_test(test_case, noise_is_none, 0, (int)COUNT_OF(noises));
	tcase_add_loop_test(test_case, steps_are_found, 0, (int)COUNT_OF(steps));
	tcase_add_test(test_case, steps_stand_where_levels_part);
	tcase_add_test(test_case, outliers_are_none);
	tcase_add_test(test_case, edges);
	tcase_add_test(test_case, repetitions);
	suite_add_tcase(suite, test_case);
	return unit_run(suite);
}
