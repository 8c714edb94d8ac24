/* Sweeps of simulations: lists of values and seeds, limits, means, and what tells two apart. */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "simulate/preemption.h"
#include "simulate/preemption_sweep.h"
#include "tests/unit/unit.h"

static const struct preemption_param *
param_at(size_t offset)
{
	const struct preemption_param *param = preemption_params;

	while (param->offset != offset) {
		param++;
	}
	return param;
}

#define PARAM(member) param_at(offsetof(struct preemption_params, member))

static struct preemption_sweep
new_sweep(void)
{
	struct preemption_sweep sweep = {.base = preemption_defaults};

	sweep.base.minutes = 5;
	return sweep;
}

START_TEST(without_seeds_the_base_has_one)
{
	struct preemption_sweep sweep = new_sweep();
	struct err err = ERR_INIT;
	struct preemption_result alone;

	sweep.base.seed = 42;
	ck_assert_int_eq(preemption_run(&sweep.base, NULL, NULL, NULL, &alone, &err), 0);
	for (int i = 0; i < 2; i++) { /* a second time the first results go */
		ck_assert_int_eq(preemption_sweep_run(&sweep, 0, NULL, &err), 0);
		ck_assert_uint_eq(sweep.n_points, 1);
		ck_assert_uint_eq(sweep.n_seeds, 1);
		ck_assert_uint_eq(sweep.results[0].digest, alone.digest);
	}
	preemption_sweep_free(&sweep);
	ck_assert_ptr_null(sweep.results);
}
END_TEST

START_TEST(each_parameter_can_have_several_values)
{
	struct preemption_sweep sweep = new_sweep();
	struct err err = ERR_INIT;
	const struct preemption_param *param = preemption_params;
	struct preemption_params params;

	for (; param->name; param++) {
		ck_assert_int_eq(preemption_sweep_values(&sweep, param, slice_of("1,2"), &err), 0);
	}
	ck_assert_uint_eq(sweep.n_axes, PREEMPTION_N_PARAMS);
	ck_assert_int_eq(preemption_sweep_values(&sweep, param - 1, slice_of("3,4,5"), &err), 0);
	ck_assert_uint_eq(sweep.n_axes, PREEMPTION_N_PARAMS); /* it replaces the former */
	ck_assert_uint_eq(sweep.axes[PREEMPTION_N_PARAMS - 1].n, 3);
	preemption_sweep_free(&sweep);
	sweep = new_sweep();
	ck_assert_int_eq(preemption_sweep_values(&sweep, PARAM(depth), slice_of("8,16,24"), &err),
	                 0);
	ck_assert_int_eq(preemption_sweep_values(&sweep, PARAM(minutes), slice_of("1,2"), &err), 0);
	for (size_t point = 0; point < 6; point++) { /* the last varies fastest */
		preemption_sweep_params(&sweep, point, &params);
		ck_assert_int_eq(params.depth, 8 * (1 + (int)point / 2));
		ck_assert(params.minutes == (point % 2 ? 2 : 1));
	}
	err = (struct err)ERR_INIT;
	ck_assert_int_ne(preemption_sweep_values(&sweep, PARAM(depth), slice_of("8,x"), &err), 0);
	ck_assert_int_eq(err.code, ERR_USAGE);
	ck_assert_uint_eq(sweep.axes[0].n, 3); /* as it was */
	preemption_sweep_free(&sweep);
}
END_TEST

START_TEST(seeds_are_numbers_and_ranges)
{
	static const uint64_t wanted[] = {1, 2, 5, 6, 7, 5};
	struct preemption_sweep sweep = new_sweep();
	struct err err = ERR_INIT;

	ck_assert_int_eq(preemption_sweep_seeds(&sweep, slice_of("9"), &err), 0);
	ck_assert_int_eq(preemption_sweep_seeds(&sweep, slice_of("1,2,5-7,5-5"), &err), 0);
	ck_assert_uint_eq(sweep.n_seeds, 6); /* a second list replaces the first */
	ck_assert_mem_eq(sweep.seeds, wanted, sizeof wanted);
	ck_assert_int_ne(preemption_sweep_seeds(&sweep, slice_of("1,x"), &err), 0);
	ck_assert_str_eq(err.message, "--seed 1,x: not a seed, or a list of them (1-20)");
	ck_assert_int_eq(preemption_sweep_seeds(&sweep, slice_of("1-1000000"), &err), 0);
	ck_assert_uint_eq(sweep.n_seeds, 1000000);
	ck_assert_int_ne(preemption_sweep_seeds(&sweep, slice_of("1-1000000,3"), &err), 0);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	ck_assert_int_ne(preemption_sweep_seeds(&sweep, slice_of("0-1000000"), &err), 0);
	preemption_sweep_free(&sweep);
}
END_TEST

START_TEST(means_and_deviations_are_of_the_seeds_of_a_point)
{
	struct preemption_result results[6] = {{.iterations = 5}, {.iterations = 100},
	                                       {.iterations = 2}, {.iterations = 4},
	                                       {.iterations = 4}, {.iterations = 6}};
	struct preemption_sweep sweep = {.results = results, .n_seeds = 2, .n_points = 3};
	const struct preemption_field *field = preemption_fields;
	struct preemption_moments moments;

	while (strcmp(field->name, "iterations") != 0) {
		field++;
	}
	moments = preemption_sweep_moments(&sweep, 1, field);
	ck_assert_double_eq(moments.mean, 3);
	ck_assert_double_eq_tol(moments.deviation, sqrt(2), 1e-12);
	sweep.n_seeds = 4; /* 2, 4, 4, 6 */
	sweep.results = results + 2;
	moments = preemption_sweep_moments(&sweep, 0, field);
	ck_assert_double_eq(moments.mean, 4);
	ck_assert_double_eq_tol(moments.deviation, sqrt(8.0 / 3), 1e-12);
	sweep.results = results;
	sweep.n_seeds = 1;
	moments = preemption_sweep_moments(&sweep, 1, field);
	ck_assert_double_eq(moments.mean, 100);
	ck_assert_double_nan(moments.deviation);
}
END_TEST

/* All that makes a run another one is told, each by a line of its own. */
START_TEST(a_description_tells_simulations_apart)
{
	struct preemption_params params = preemption_defaults;
	struct preemption_change changes[] = {{1500, 2, -1}, {2500, -1, 0}};
	struct preemption_trace trace = {
	    .initial = 7, .end_ms = 60000, .changes = changes, .n_changes = 2};
	struct strbuf text = {0};
	const char *at;

	params.seed = UINT64_MAX;
	params.p_preempt = 0.1;
	params.iterations[0] = (struct preemption_iteration){8, 950};
	params.iterations[1] = (struct preemption_iteration){16, 500};
	params.n_iterations = 2;
	preemption_describe(&params, &trace, &text);
	at = text.data;
	ck_assert_int_eq(strncmp(at, "seed 18446744073709551615\n", 26), 0);
	for (const struct preemption_param *param = preemption_params; param->name; param++) {
		at = strchr(at, '\n') + 1; /* each in its order, behind the seed */
		ck_assert_int_eq(strncmp(at, param->name, strlen(param->name)), 0);
		ck_assert_int_eq(at[strlen(param->name)], ' ');
		if (param == PARAM(p_preempt)) {
			ck_assert_ptr_eq(strstr(at, " 0.10000000000000001\n"),
			                 at + strlen(param->name));
		} else if (param == PARAM(depth)) {
			ck_assert_int_eq(atoll(at + strlen(param->name)), params.depth);
		}
	}
	ck_assert_str_eq(strchr(at, '\n') + 1, "iteration 8 950\niteration 16 500\n"
	                                       "change 1500 2 -1\nchange 2500 -1 0\n"
	                                       "trace 7 60000\n");
	strbuf_clear(&text);
	preemption_describe(&params, NULL, &text);
	ck_assert_ptr_null(strstr(text.data, "change"));
	ck_assert_ptr_null(strstr(text.data, "trace"));
	strbuf_free(&text);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("sweep");
	TCase *tests = tcase_create("sweep");

	tcase_add_test(tests, without_seeds_the_base_has_one);
	tcase_add_test(tests, each_parameter_can_have_several_values);
	tcase_add_test(tests, seeds_are_numbers_and_ranges);
	tcase_add_test(tests, means_and_deviations_are_of_the_seeds_of_a_point);
	tcase_add_test(tests, a_description_tells_simulations_apart);
	suite_add_tcase(suite, tests);
	return unit_run(suite);
}
