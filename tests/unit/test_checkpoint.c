/* The checkpoint model against figures worked out by hand, and the best intervals. */
#include "config.h"

#include <math.h>

#include "simulate/checkpoint.h"
#include "unit.h"

START_TEST(times_by_nodes_and_by_doublings)
{
	static const struct {
		int64_t nodes;
		enum checkpoint_rule rule;
		double pfs_s, ssd_s, flush_s;
	} known[] = {
	    {1, CHECKPOINT_BY_NODE, 57.708, 110.8, 168.508},
	    {2, CHECKPOINT_BY_NODE, 72.135, 110.8, 182.935},
	    {4, CHECKPOINT_BY_NODE, 56.356, 55.4, 111.756},
	    {8, CHECKPOINT_BY_NODE, 17.198, 6.925, 24.123},
	    {1, CHECKPOINT_BY_DOUBLING, 57.708, 110.8, 168.508},
	    {2, CHECKPOINT_BY_DOUBLING, 72.135, 110.8, 182.935},
	    {4, CHECKPOINT_BY_DOUBLING, 90.169, 110.8, 200.969},
	    {8, CHECKPOINT_BY_DOUBLING, 112.712, 110.8, 223.512},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct checkpoint_times times =
		    checkpoint_model_times(&checkpoint_defaults, known[i].nodes, known[i].rule);
		ck_assert_double_eq_tol(times.pfs_s, known[i].pfs_s, 6e-4);
		ck_assert_double_eq_tol(times.ssd_s, known[i].ssd_s, 6e-4);
		ck_assert_double_eq_tol(times.flush_s, known[i].flush_s, 6e-4);
	}
}
END_TEST

/* Share of the time that is lost to checkpoints and to work done anew, with exponential
 * failures. */
static double
expected_time(double interval_s, double cost_s, double mtbf_s)
{
	return mtbf_s * (exp((interval_s + cost_s) / mtbf_s) - 1) / interval_s;
}

START_TEST(daly_is_near_the_true_optimum)
{
	static const double costs[] = {1, 60, 600, 3600};
	const double mtbf_s = 6 * 3600;

	for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
		double best_s = 1;
		for (double at = 1; at < 4 * mtbf_s; at *= 1.001) {
			if (expected_time(at, costs[i], mtbf_s) <
			    expected_time(best_s, costs[i], mtbf_s)) {
				best_s = at;
			}
		}
		ck_assert_double_eq_tol(checkpoint_daly(costs[i], mtbf_s), best_s, 0.02 * best_s);
	}
	ck_assert_double_eq_tol(checkpoint_young(2, 10000), 200, 1e-12);
	ck_assert_double_eq(checkpoint_daly(500, 250), 250);
}
END_TEST

START_TEST(nonsense_is_refused)
{
	struct checkpoint_model model = checkpoint_defaults;
	struct err err = ERR_INIT;

	ck_assert_int_eq(checkpoint_model_check(&model, &err), 0);
	model.pfs_rate = 0;
	ck_assert_int_eq(checkpoint_model_check(&model, &err), -1);
	model = checkpoint_defaults;
	model.ssd_factor = NAN;
	ck_assert_int_eq(checkpoint_model_check(&model, &err), -1);
	ck_assert_int_eq(err.code, ERR_USAGE);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("checkpoint");
	TCase *tcase = tcase_create("checkpoint");

	tcase_add_test(tcase, times_by_nodes_and_by_doublings);
	tcase_add_test(tcase, daly_is_near_the_true_optimum);
	tcase_add_test(tcase, nonsense_is_refused);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
