/* The verdict on runs that a simulated scheduler made: a planted cause is named first, with its
 * size, and noise names none. */
#include "config.h"

#include "unit.h"

#include "causes_fixture.h"

/* Tasks without and with inputs, on lanes of two hosts. */
static struct sim_params
usual(uint64_t seed)
{
	return (struct sim_params){.n_tasks = 160,
	                           .n_lanes = 4,
	                           .per_host = 2,
	                           .graph_seed = 5 + seed / 100,
	                           .noise_seed = seed,
	                           .noise = 0.04,
	                           .is_linked = true,
	                           .edge_share = 60};
}

static struct told
told_of_runs(const struct sim_params *a, const struct sim_params *b)
{
	struct schedule *runs[2] = {sim_run(a), sim_run(b)};
	struct told told = told_of(runs[0], runs[1]);
	arena_free(runs[0]->arena);
	arena_free(runs[1]->arena);
	return told;
}

static int64_t
run_makespan(const struct sim_params *params)
{
	struct schedule *run = sim_run(params);
	int64_t ns = run->end_ns - run->start_ns;
	arena_free(run->arena);
	return ns;
}

/* What B took longer than with the same noise and without its cause. */
static int64_t
true_makespan(const struct sim_params *b, const struct sim_params *without)
{
	return run_makespan(b) - run_makespan(without);
}

START_TEST(a_kind)
{
	struct sim_params a = usual(1 + (uint64_t)_i), b = usual(100 + (uint64_t)_i), without;
	b.graph_seed = a.graph_seed;
	without = b;
	b.factor[2] = _i % 2 ? 1.5 : 1 / 1.5;
	struct told told = told_of_runs(&a, &b);
	int64_t truth = true_makespan(&b, &without);
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, _i % 2 ? "slower" : "faster");
	ck_assert_str_eq(told.cause[0].slice, "kind='kind 2'");
	ck_assert(
	    strstr(told.cause[0].sentence, _i % 2 ? "kind kind 2 runs 1." : "kind kind 2 runs 0."));
	ck_assert_double_le(told.cause[0].low, (double)truth);
	ck_assert_double_ge(told.cause[0].high, (double)truth);
	ck_assert_double_lt(told.cause[0].high - told.cause[0].low, 0.6 * (double)llabs(truth));
	ck_assert(told.cause[0].low <= told.cause[0].makespan &&
	          told.cause[0].makespan <= told.cause[0].high);
	ck_assert_double_lt(told.cause[0].chance, 0.001);
	ck_assert(strstr(told.note, _i % 2 ? "B is" : "B is"));
	ck_assert(strstr(told.note, _i % 2 ? "slower than A" : "faster than A"));
	ck_assert(strstr(told.note, told.cause[0].sentence));
}
END_TEST

START_TEST(its_lane_time)
{
	struct sim_params a = usual(3), b = usual(103);
	b.graph_seed = a.graph_seed;
	b.factor[3] = 1.4;
	struct schedule *runs[2] = {sim_run(&a), sim_run(&b)};
	double time = 0;
	for (size_t j = 0; j < runs[1]->n_items; j++) {
		const struct schedule_item *item = &runs[1]->items[j];
		time += item->kind == 3 ? (double)(item->end_ns - item->start_ns) : 0;
	}
	struct told told = told_of(runs[0], runs[1]);
	time *= 1 - 1 / 1.4;
	ck_assert_double_eq_tol(told.cause[0].lane_time, time, 0.05 * time);
	ck_assert_double_le(told.cause[0].lane_low, time);
	ck_assert_double_ge(told.cause[0].lane_high, time);
	arena_free(runs[0]->arena);
	arena_free(runs[1]->arena);
}
END_TEST

START_TEST(noise_names_none)
{
	unsigned n_named = 0;
	for (uint64_t seed = 0; seed < 40; seed++) {
		struct sim_params a = usual(1000 + seed), b = usual(2000 + seed);
		b.graph_seed = a.graph_seed = seed;
		a.noise = b.noise = 0.02 + 0.01 * (double)(seed % 8);
		struct told told = told_of_runs(&a, &b);
		bool is_same = told.n == 1 && strcmp(told.cause[0].cause, "same") == 0;
		n_named += !is_same;
		ck_assert(!is_same || strstr(told.note, "A and B are the same within noise"));
	}
	ck_assert_uint_le(n_named, 1);
}
END_TEST

START_TEST(a_run_and_itself)
{
	struct sim_params params = usual(7);
	struct told told = told_of_runs(&params, &params);
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "same");
	ck_assert(told.cause[0].makespan == 0 && told.cause[0].lane_time == 0);
	ck_assert(told.cause[0].low <= 0 && told.cause[0].high >= 0);
}
END_TEST

START_TEST(lanes)
{
	struct sim_params a = usual(11), b = usual(12), without = b;
	b.n_lanes = _i ? 6 : 3;
	struct told told = told_of_runs(&a, &b);
	double truth = (double)true_makespan(&b, &without);
	ck_assert_str_eq(told.cause[0].cause, "lanes");
	ck_assert_str_eq(told.cause[0].sentence,
	                 _i ? "6 lanes instead of 4" : "3 lanes instead of 4");
	ck_assert((told.cause[0].makespan > 0) == (truth > 0));
	ck_assert_double_eq_tol(told.cause[0].makespan, truth, 0.3 * fabs(truth));
}
END_TEST

START_TEST(transfers)
{
	struct sim_params a = usual(21), b = usual(22), without = b;
	a.link_ns = without.link_ns = 5 * MS;
	b.link_ns = 60 * MS;
	struct told told = told_of_runs(&a, &b);
	double truth = (double)true_makespan(&b, &without);
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "transfers");
	ck_assert_str_eq(told.cause[0].sentence, "transfers take 12.0 x as long");
	ck_assert_double_eq_tol(told.cause[0].makespan, truth, 0.25 * truth);
}
END_TEST

/* Fewer hosts of more lanes: each task takes longer where more run at once. */
START_TEST(contention)
{
	struct sim_params a = usual(31), b = usual(32);
	a.contention = b.contention = 0.4;
	a.n_lanes = b.n_lanes = 8;
	a.n_tasks = b.n_tasks = 240;
	a.edge_share = b.edge_share = 20;
	b.per_host = 8;
	struct told told = told_of_runs(&a, &b);
	ck_assert_str_eq(told.cause[0].cause, "contention");
	ck_assert(
	    strstr(told.cause[0].sentence, "as more run at once on their host, or it is slower"));
	ck_assert(strstr(told.cause[0].against, "a slower machine, a third can"));
	ck_assert_double_gt(told.cause[0].makespan, 0);
	struct told back = told_of_runs(&b, &a);
	ck_assert_str_eq(back.cause[0].cause, "contention");
	ck_assert(
	    strstr(back.cause[0].sentence, "as fewer run at once on their host, or it is faster"));
	ck_assert(strstr(back.cause[0].against, "a faster machine"));
	ck_assert_double_lt(back.cause[0].makespan, 0);
}
END_TEST

/* That more run at once makes none faster: no contention, whatever it goes along with. */
START_TEST(contention_has_one_sign)
{
	struct sim_params a = usual(41), b = usual(42);
	b.per_host = 4;
	for (int k = 0; k < SIM_KINDS; k++) {
		b.factor[k] = 0.7;
	}
	struct told told = told_of_runs(&a, &b);
	ck_assert_uint_eq(told.n, 1);
	ck_assert_str_eq(told.cause[0].cause, "faster");
	ck_assert_str_eq(told.cause[0].slice, "all");
	ck_assert_ptr_null(strstr(told.cause[0].against, "run at once"));
}
END_TEST

/* Placement and a kind at once are two causes; sizes add up to what was observed, within ranges. */
START_TEST(two_causes)
{
	struct sim_params a = usual(51), b = usual(52);
	b.factor[1] = 1.8;
	b.n_lanes = 3;
	struct told told = told_of_runs(&a, &b);
	ck_assert_uint_eq(told.n, 2);
	double sum = told.cause[0].makespan + told.cause[1].makespan;
	double delta = (double)(run_makespan(&b) - run_makespan(&a));
	ck_assert_double_eq_tol(sum, delta, 0.05 * delta);
	ck_assert_double_ge(told.cause[0].makespan, told.cause[1].makespan);
	bool lanes_first = strcmp(told.cause[0].cause, "lanes") == 0;
	ck_assert_str_eq(told.cause[lanes_first].slice, "kind='kind 1'");
	ck_assert_str_eq(told.cause[!lanes_first].cause, "lanes");
	ck_assert(strstr(told.note, told.cause[1].sentence));
}
END_TEST

/* What works against the difference stands apart in the answer. */
START_TEST(against_the_difference)
{
	struct sim_params a = usual(61), b = usual(62);
	b.factor[3] = 2;
	b.n_lanes = 8;
	struct told told = told_of_runs(&a, &b);
	const char *against = strstr(told.note, "; against that ");
	ck_assert_ptr_nonnull(against);
	ck_assert(
	    (strstr(against, "lanes") != NULL) !=
	    (strstr(told.note, "B is") != NULL && strstr(told.note, "faster than A") != NULL));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_causes");
	TCase *tcase = tcase_create("causes");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, a_kind, 0, 4);
	tcase_add_test(tcase, its_lane_time);
	tcase_add_test(tcase, noise_names_none);
	tcase_add_test(tcase, a_run_and_itself);
	tcase_add_loop_test(tcase, lanes, 0, 2);
	tcase_add_test(tcase, transfers);
	tcase_add_test(tcase, contention);
	tcase_add_test(tcase, contention_has_one_sign);
	tcase_add_test(tcase, two_causes);
	tcase_add_test(tcase, against_the_difference);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
