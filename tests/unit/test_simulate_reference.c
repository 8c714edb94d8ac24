/* The preemption simulator against all simulations of the independent implementation, where they
 * are. */
#include "config.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "simulate/preemption_record.h"
#include "simulate/preemption_sweep.h"
#include "unit.h"

static json_t *
load(const char *name)
{
	const char *shared = unit_shared();
	char path[4096];

	if (!shared) {
		return NULL;
	}
	snprintf(path, sizeof path, "%s/preemption/expected/%s", shared, name);
	json_t *json = json_load_file(path, 0, NULL);
	if (!json) {
		printf("# skipped: no %s\n", path);
	}
	return json;
}

static struct preemption_params
params_of(const json_t *arguments)
{
	struct preemption_params params = preemption_defaults;
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)arguments, key, value)
	{
		char name[64];
		struct err err = ERR_INIT;
		if (strcmp(key, "seed") == 0) {
			params.seed = (uint64_t)json_integer_value(value);
			continue;
		}
		snprintf(name, sizeof name, "%s", key);
		for (char *c = name; *c; c++) {
			*c = *c == '_' ? '-' : *c;
		}
		const struct preemption_param *param = preemption_params;
		while (param->name && strcmp(param->name, name) != 0) {
			param++;
		}
		ck_assert_msg(param->name != NULL, "%s", key);
		char text[64];
		snprintf(text, sizeof text, "%.17g", json_number_value(value));
		ck_assert_int_eq(preemption_param_set(&params, param, slice_of(text), &err), 0);
	}
	return params;
}

static void
compare_result(const struct preemption_result *result, const json_t *expected)
{
	char digest[24];

	for (const struct preemption_field *field = preemption_fields; field->name; field++) {
		const json_t *value = json_object_get(expected, field->name);
		if (json_is_integer(value)) {
			ck_assert_msg(preemption_field_integer(field, result) ==
			                  json_integer_value(value),
			              "%s", field->name);
		} else if (value) {
			double real = json_real_value(value);
			ck_assert_msg(fabs(preemption_field_real(field, result) - real) <=
			                  1e-12 * fabs(real),
			              "%s", field->name);
		}
	}
	snprintf(digest, sizeof digest, "%016" PRIx64, result->digest);
	ck_assert_str_eq(digest, json_string_value(json_object_get(expected, "digest")));
	snprintf(digest, sizeof digest, "%016" PRIx64, result->rng_state);
	ck_assert_str_eq(digest, json_string_value(json_object_get(expected, "rng_state")));
	ck_assert_str_eq(job_state_name(result->final_state),
	                 json_string_value(json_object_get(expected, "final_state")));
}

START_TEST(all_simulations_of_the_reference)
{
	json_t *json = load("simulations.json"), *run;
	size_t i;

	json_array_foreach(json_object_get(json, "runs"), i, run)
	{
		struct preemption_params params = params_of(json_object_get(run, "args"));
		struct preemption_result result;
		struct err err = ERR_INIT;
		ck_assert_int_eq(preemption_run(&params, NULL, NULL, NULL, &result, &err), 0);
		compare_result(&result, json_object_get(run, "result"));
	}
	json_decref(json);
}
END_TEST

START_TEST(all_levels_of_the_reference)
{
	json_t *json = load("levels.json"), *level;
	size_t i;

	json_array_foreach(json, i, level)
	{
		struct preemption_sweep sweep = {.base = preemption_defaults};
		struct err err = ERR_INIT;
		sweep.base.p_preempt = json_number_value(json_object_get(level, "p_preempt"));
		ck_assert_int_eq(preemption_sweep_seeds(&sweep, slice_of("1-20"), &err), 0);
		ck_assert_int_eq(preemption_sweep_run(&sweep, 2, NULL, &err), 0);
		for (const struct preemption_field *field = preemption_fields; field->name;
		     field++) {
			const json_t *pair = json_object_get(level, field->name);
			struct preemption_moments moments =
			    preemption_sweep_moments(&sweep, 0, field);
			if (pair) {
				ck_assert_double_eq_tol(moments.mean,
				                        json_number_value(json_array_get(pair, 0)),
				                        1e-9 * (1 + fabs(moments.mean)));
				ck_assert_double_eq_tol(moments.deviation,
				                        json_number_value(json_array_get(pair, 1)),
				                        1e-9 * (1 + fabs(moments.deviation)));
			}
		}
		preemption_sweep_free(&sweep);
	}
	json_decref(json);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("simulate_reference");
	TCase *tcase = tcase_create("preemption");

	tcase_add_test(tcase, all_simulations_of_the_reference);
	tcase_add_test(tcase, all_levels_of_the_reference);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
