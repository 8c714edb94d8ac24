/* Replay: observed schedules come out again, factors add up, and a known cause is found. */
#include "config.h"
#include "explain/parts/replay.h"

#include "explain/parts/parts.h"
#include "explain/parts/replay_model.h"
#include "explain_fixture.h"
#include "unit.h"

static const unsigned all_sets[REPLAY_SETS] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                               11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                               22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

static void
replay(const struct schedule *a, const struct schedule *b, int64_t *values)
{
	struct err err = ERR_INIT;
	struct matching *matching = matching_new(a, b, NULL, &err);
	struct replay *replay = replay_new(a, b, matching, NULL, &err);
	ck_assert_ptr_nonnull(replay);
	ck_assert_int_eq(replay_run(replay, all_sets, REPLAY_SETS, values, NULL, &err), 0);
	replay_free(replay);
	matching_free(matching);
}

static int64_t
makespan(const struct schedule *schedule)
{
	return schedule->end_ns - schedule->start_ns;
}

static struct sim_params
random_params(struct prng *prng)
{
	return (struct sim_params){.n_tasks = 20 + (unsigned)prng_below(prng, 120),
	                           .n_lanes = 1 + (unsigned)prng_below(prng, 9),
	                           .per_host = 1 + (unsigned)prng_below(prng, 4),
	                           .graph_seed = prng_below(prng, 50),
	                           .noise_seed = prng_next(prng),
	                           .noise = prng_below(prng, 2) ? 0.1 : 0,
	                           .link_ns = (int64_t)prng_below(prng, 3) * 7 * MS,
	                           .dispatch_ns = (int64_t)prng_below(prng, 2) * MS / 5,
	                           .is_fixed = prng_below(prng, 2),
	                           .contention = prng_below(prng, 2) ? 0.4 : 0,
	                           .is_linked = prng_below(prng, 2),
	                           .edge_share = (unsigned)prng_below(prng, 101)};
}

/* Any two runs, of other sizes, lanes and graphs: what was observed is replayed exactly, and rows
 * sum exactly. */
START_TEST(replays_what_was_observed)
{
	struct prng prng = {(uint64_t)_i + 1};
	for (int round = 0; round < 60; round++) {
		struct sim_params params_a = random_params(&prng), params_b = random_params(&prng);
		struct schedule *a = sim_run(&params_a), *b = sim_run(&params_b);
		int64_t values[REPLAY_SETS], sum = 0;
		replay(a, b, values);
		ck_assert_int_eq(values[0], makespan(a));
		ck_assert_int_eq(values[REPLAY_SETS - 1], makespan(b));
		struct replay_effect effects[REPLAY_FACTORS];
		replay_shapley(values, REPLAY_FACTORS, effects);
		for (unsigned i = 0; i < REPLAY_FACTORS; i++) {
			sum += effects[i].mean;
			ck_assert_int_le(effects[i].low, effects[i].mean + 1);
			ck_assert_int_ge(effects[i].high, effects[i].mean - 1);
		}
		ck_assert_int_eq(sum, makespan(b) - makespan(a));
		arena_free(a->arena);
		arena_free(b->arena);
	}
}
END_TEST

/* A unit waits for the end of another that is none of its inputs. */
static bool
is_trigger(const struct replay_edge *edge)
{
	bool is_one = false;
	for (int k = -1; k < 1; k++) {
		is_one = is_one || edge[k].kind[0] == REPLAY_TRIGGER ||
		         edge[k].kind[1] == REPLAY_TRIGGER;
	}
	return is_one;
}

/* One graph of both runs: each pair of units has one edge of inputs at most, found from
 * either end. */
START_TEST(edges_stand_in_order_and_once)
{
	struct prng prng = {(uint64_t)_i + 31};
	for (int round = 0; round < 20; round++) {
		struct sim_params params_a = random_params(&prng), params_b = random_params(&prng);
		params_b.graph_seed = params_a.graph_seed;
		struct schedule *a = sim_run(&params_a), *b = sim_run(&params_b);
		struct err err = ERR_INIT;
		struct matching *matching = matching_new(a, b, NULL, &err);
		struct replay *replay = replay_new(a, b, matching, NULL, &err);
		size_t n_out = 0;
		ck_assert_ptr_nonnull(replay);
		for (size_t e = 0; e < replay->n_edges; e++) {
			const struct replay_edge *edge = &replay->edges[e];
			ck_assert(e == 0 || edge[-1].to < edge->to ||
			          (edge[-1].to == edge->to &&
			           edge[-1].from < edge->from + is_trigger(edge)));
			ck_assert_uint_ge(e, replay->first_edge[edge->to]);
			ck_assert_uint_lt(e, replay->first_edge[edge->to + 1]);
		}
		for (uint32_t u = 0; u < replay->n_units; u++) {
			for (size_t k = replay->first_out[u]; k < replay->first_out[u + 1]; k++) {
				ck_assert_uint_eq(replay->edges[replay->out[k]].from, u);
				n_out++;
			}
		}
		ck_assert_uint_eq(n_out, replay->n_edges);
		replay_free(replay);
		matching_free(matching);
		arena_free(a->arena);
		arena_free(b->arena);
	}
	replay_free(NULL);
}
END_TEST

START_TEST(same_run_has_no_effects)
{
	struct sim_params params = {.n_tasks = 100,
	                            .n_lanes = 4,
	                            .per_host = 2,
	                            .graph_seed = 3,
	                            .edge_share = 80,
	                            .link_ns = MS};
	struct schedule *a = sim_run(&params);
	int64_t values[REPLAY_SETS];
	replay(a, a, values);
	for (unsigned i = 0; i < REPLAY_SETS; i++) {
		ck_assert_int_eq(values[i], makespan(a));
	}
	arena_free(a->arena);
}
END_TEST

/* Random overlap, zero lengths and edges that no schedule would have: no crash, still exact. */
START_TEST(hostile_schedules)
{
	struct prng prng = {(uint64_t)_i + 77};
	for (int round = 0; round < 60; round++) {
		struct schedule *runs[2];
		for (int r = 0; r < 2; r++) {
			struct made_task tasks[40];
			struct made_edge edges[80];
			unsigned n = (unsigned)prng_below(&prng, 40), n_edges = 0;
			unsigned n_lanes = 1 + (unsigned)prng_below(&prng, 3);
			for (unsigned i = 0; i < n; i++) {
				int64_t start = (int64_t)prng_below(&prng, 30);
				tasks[i] = (struct made_task){NULL,
				                              0,
				                              (unsigned)prng_below(&prng, n_lanes),
				                              start,
				                              start + (int64_t)prng_below(&prng, 8),
				                              prng_below(&prng, 2)
				                                  ? (int64_t)prng_below(&prng, 40)
				                                  : SCHEDULE_NO_TIME};
			}
			for (unsigned k = 0; k < 80 && n > 0; k++) {
				unsigned from = (unsigned)prng_below(&prng, n),
					 to = (unsigned)prng_below(&prng, n);
				if (tasks[from].end <= tasks[to].start && from != to) {
					int64_t begun = prng_below(&prng, 2)
					                    ? (int64_t)prng_below(&prng, 40)
					                    : SCHEDULE_NO_TIME;
					edges[n_edges++] = (struct made_edge){
					    from, to, begun, (int64_t)prng_below(&prng, 40)};
				}
			}
			runs[r] = made_schedule(tasks, n, edges, n_edges, n_lanes, 2);
		}
		int64_t values[REPLAY_SETS];
		replay(runs[0], runs[1], values);
		for (int r = 0; r < 2; r++) {
			int64_t last = 0;
			for (size_t i = 0; i < runs[r]->n_items; i++) {
				int64_t end = runs[r]->items[i].end_ns - runs[r]->start_ns;
				last = end > last ? end : last;
			}
			ck_assert_int_eq(values[r * (REPLAY_SETS - 1)], last);
			arena_free(runs[r]->arena);
		}
	}
}
END_TEST

/* Two lanes, three tasks, by hand: swapping durations moves the end of the lane that was not the
 * last. */
START_TEST(small_case_by_hand)
{
	const struct made_task in_a[] = {{"x", 0, 0, 0, 10, SCHEDULE_NO_TIME},
	                                 {"y", 0, 1, 0, 4, SCHEDULE_NO_TIME},
	                                 {"z", 1, 1, 12, 15, SCHEDULE_NO_TIME}};
	const struct made_task in_b[] = {{"x", 0, 0, 0, 20, SCHEDULE_NO_TIME},
	                                 {"y", 0, 1, 0, 4, SCHEDULE_NO_TIME},
	                                 {"z", 1, 1, 22, 25, SCHEDULE_NO_TIME}};
	const struct made_edge edge_a = {0, 2, 10, 12}, edge_b = {0, 2, 20, 22};
	struct schedule *a = made_schedule(in_a, 3, &edge_a, 1, 2, 1);
	struct schedule *b = made_schedule(in_b, 3, &edge_b, 1, 2, 1);
	int64_t values[REPLAY_SETS];
	replay(a, b, values);
	ck_assert_int_eq(values[0], 15);
	ck_assert_int_eq(values[1u << REPLAY_DURATIONS], 25);
	ck_assert_int_eq(values[1u << REPLAY_TRANSFERS], 15);
	ck_assert_int_eq(values[1u << REPLAY_PLACEMENT], 15);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

/* A transfer that only B needs appears with B's placement, at the time that such transfers take. */
START_TEST(placement_brings_its_transfers)
{
	const struct made_task in_a[] = {{"x", 0, 0, 0, 10, SCHEDULE_NO_TIME},
	                                 {"z", 1, 0, 10, 15, SCHEDULE_NO_TIME}};
	const struct made_task in_b[] = {{"x", 0, 0, 0, 10, SCHEDULE_NO_TIME},
	                                 {"z", 1, 1, 17, 22, SCHEDULE_NO_TIME}};
	const struct made_edge edge_a = {0, 1, SCHEDULE_NO_TIME, 0}, edge_b = {0, 1, 10, 17};
	struct schedule *a = made_schedule(in_a, 2, &edge_a, 1, 2, 1);
	struct schedule *b = made_schedule(in_b, 2, &edge_b, 1, 2, 1);
	int64_t values[REPLAY_SETS];
	replay(a, b, values);
	ck_assert_int_eq(values[1u << REPLAY_PLACEMENT], 22);
	ck_assert_int_eq(values[1u << REPLAY_TRANSFERS], 15);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

/* Independent: Shapley values by walking through all orders. */
static void
shapley_slowly(const int64_t *value, unsigned n, unsigned set, double weight, double *effects)
{
	unsigned left = n - (unsigned)__builtin_popcount(set);
	for (unsigned i = 0; i < n; i++) {
		if (!(set >> i & 1)) {
			unsigned with = set | 1u << i;
			effects[i] += weight / left * (double)(value[with] - value[set]);
			shapley_slowly(value, n, with, weight / left, effects);
		}
	}
}

START_TEST(shapley_agrees_with_all_orders)
{
	struct prng prng = {11};
	for (int round = 0; round < 200; round++) {
		unsigned n = 1 + (unsigned)prng_below(&prng, REPLAY_FACTORS);
		int64_t value[REPLAY_SETS], sum = 0;
		double slow[REPLAY_FACTORS] = {0};
		for (unsigned set = 0; set < 1u << n; set++) {
			value[set] = (int64_t)prng_below(&prng, 100000);
		}
		struct replay_effect effects[REPLAY_FACTORS];
		replay_shapley(value, n, effects);
		shapley_slowly(value, n, 0, 1, slow);
		for (unsigned i = 0; i < n; i++) {
			ck_assert_double_le(fabs((double)effects[i].mean - slow[i]), 1.0);
			sum += effects[i].mean;
		}
		ck_assert_int_eq(sum, value[(1u << n) - 1] - value[0]);
	}
}
END_TEST

static const struct sim_params base = {.n_tasks = 600,
                                       .n_lanes = 8,
                                       .per_host = 4,
                                       .graph_seed = 5,
                                       .noise_seed = 1,
                                       .noise = 0.03,
                                       .link_ns = 4 * MS,
                                       .dispatch_ns = MS / 5,
                                       .is_fixed = true,
                                       .is_linked = true,
                                       .edge_share = 30};

static struct result *
explain(const struct explain_part *part, const struct sim_params *params_a,
        const struct sim_params *params_b, const char *const *arguments)
{
	struct schedule *a = sim_run(params_a), *b = sim_run(params_b);
	struct result *result = made_explain(part, a, b, arguments);
	ck_assert_ptr_nonnull(result);
	arena_free(a->arena);
	arena_free(b->arena);
	return result;
}

/* The factor is the first named and makes all of the difference but a tenth; nothing is left
 * over. */
static void
assert_factor(const struct sim_params *params_b, const char *factor)
{
	struct result *result = explain(&explain_replay, &base, params_b, NULL);
	size_t row = made_row(result, factor, NULL), sum = made_row(result, "sum", NULL);
	size_t residual = made_row(result, "residual", NULL);
	double delta = made_number(result, sum, "delta");
	ck_assert_double_gt(delta, 0);
	ck_assert_msg(fabs(made_number(result, row, "delta") / delta - 1) < 0.1, "%s: %g of %g",
	              factor, made_number(result, row, "delta"), delta);
	ck_assert_double_lt(fabs(made_number(result, residual, "delta")), 0.05 * delta);
	for (size_t r = 0; r < sum; r++) {
		double other = made_number(result, r, "delta");
		ck_assert_double_le(fabs(other), made_number(result, row, "delta"));
	}
	ck_assert(made_has_note(result, factor));
	result_free(result);
}

START_TEST(finds_slow_kind)
{
	struct sim_params b = base;
	b.noise_seed = 2;
	b.factor[3] = 1.6;
	assert_factor(&b, "durations");
}
END_TEST

START_TEST(finds_contention_as_durations)
{
	struct sim_params b = base;
	b.noise_seed = 2;
	b.contention = 0.5;
	assert_factor(&b, "durations");
}
END_TEST

START_TEST(finds_slow_link)
{
	struct sim_params b = base;
	b.noise_seed = 2;
	b.slow_link_ns = 400 * MS;
	assert_factor(&b, "transfer times");
}
END_TEST

START_TEST(finds_missing_lane)
{
	struct sim_params b = base;
	b.n_lanes = 7;
	assert_factor(&b, "placement and order");
}
END_TEST

START_TEST(finds_imbalance)
{
	struct sim_params b = base;
	b.skew = 20;
	assert_factor(&b, "placement and order");
}
END_TEST

START_TEST(two_seeds_have_no_cause)
{
	struct sim_params b = base;
	for (uint64_t seed = 2; seed < 8; seed++) {
		b.noise_seed = seed;
		struct result *result = explain(&explain_replay, &base, &b, NULL);
		ck_assert(made_has_note(result, "no factor stands out"));
		result_free(result);
	}
}
END_TEST

/* A kind that is the whole run saves its share; a faster run of the simulator agrees. */
START_TEST(what_if_predicts_simulation)
{
	const char *const arguments[] = {"a", "", "kind 3", "40%", "1"};
	struct sim_params before = base, faster;
	before.is_fixed = false;
	faster = before;
	faster.factor[3] = 0.6;
	struct result *result = explain(&explain_what_if, &before, &before, arguments);
	struct schedule *really = sim_run(&faster);
	ck_assert_int_eq(result->n_rows, 1);
	double predicted = made_number(result, 0, "predicted");
	ck_assert_double_le(fabs(predicted / (double)makespan(really) - 1), 0.02);
	ck_assert_double_gt(made_number(result, 0, "saved_share"), 0.1);
	arena_free(really->arena);
	result_free(result);
}
END_TEST

START_TEST(what_if_lists_all_kinds)
{
	const char *const arguments[] = {"a", "kind", "", "20", "1"};
	struct result *result = explain(&explain_what_if, &base, &base, arguments);
	ck_assert_int_eq(result->n_rows, SIM_KINDS);
	result_free(result);
}
END_TEST

/* All that may change, by what it saves; lanes more or fewer have their rows, and a run of one
 * lane has none for that. */
START_TEST(what_if_ranks_all)
{
	const char *const arguments[] = {"a", "", "", "20", "2"};
	struct result *result = explain(&explain_what_if, &base, &base, arguments);
	int name = result_column_find(result, "name", NULL);
	bool is_more = false, is_fewer = false;
	for (size_t r = 0; r < result->n_rows; r++) {
		struct slice text = result_value(result, r, (size_t)name)->text;
		is_more = is_more || slice_is(text, "10 instead of 8");
		is_fewer = is_fewer || slice_is(text, "6 instead of 8");
		ck_assert(r == 0 ||
		          made_number(result, r, "saved") <= made_number(result, r - 1, "saved"));
	}
	ck_assert(is_more && is_fewer);
	result_free(result);
	struct sim_params one = base;
	one.n_lanes = 1;
	result = explain(&explain_what_if, &one, &one, arguments);
	for (size_t r = 0; r < result->n_rows; r++) {
		ck_assert(!slice_is(result_value(result, r, 0)->text, "lane"));
	}
	result_free(result);
}
END_TEST

START_TEST(what_if_refuses_nonsense)
{
	static const char *const bad[][5] = {{"c", "", "", "20", "1"},
	                                     {"a", "weather", "", "20", "1"},
	                                     {"a", "", "no such kind", "20", "1"},
	                                     {"a", "", "", "0", "1"},
	                                     {"a", "", "", "101", "1"},
	                                     {"a", "", "", "x", "1"}};
	struct schedule *a = sim_run(&base);
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ck_assert_ptr_null(made_explain(&explain_what_if, a, a, bad[i]));
	}
	arena_free(a->arena);
}
END_TEST

/* Planned times that follow ends are reactions: faster tasks are planned sooner, though no input is
 * known. */
START_TEST(planned_times_follow_ends)
{
	struct sim_params hidden = base, faster;
	hidden.is_linked = false;
	hidden.link_ns = 0;
	faster = hidden;
	faster.factor[3] = 0.5;
	struct schedule *a = sim_run(&hidden), *b = sim_run(&faster);
	struct err err = ERR_INIT;
	struct matching *matching = matching_new(a, b, NULL, &err);
	struct replay *model = replay_new(a, b, matching, NULL, &err);
	ck_assert(replay_rules(model, 0)->is_reacting);
	ck_assert_uint_gt(replay_rules(model, 0)->n_triggered, 0);
	unsigned durations = 1u << REPLAY_DURATIONS;
	int64_t predicted;
	ck_assert_int_eq(replay_run(model, &durations, 1, &predicted, NULL, &err), 0);
	ck_assert_double_le(fabs((double)predicted / (double)makespan(b) - 1), 0.05);
	replay_free(model);
	matching_free(matching);
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

/* Work that arrives by a timetable keeps to it, however fast tasks are. */
START_TEST(planned_times_as_timetable)
{
	struct made_task tasks[50];
	for (unsigned i = 0; i < 50; i++) {
		int64_t planned = (int64_t)i * 100 + (i * 37) % 50;
		tasks[i] = (struct made_task){NULL, 0, i % 4, planned, planned + 120, planned};
	}
	struct schedule *a = made_schedule(tasks, 50, NULL, 0, 4, 4);
	for (unsigned i = 0; i < 50; i++) {
		tasks[i].end = tasks[i].start + 10;
	}
	struct schedule *b = made_schedule(tasks, 50, NULL, 0, 4, 4);
	int64_t values[REPLAY_SETS];
	replay(a, b, values);
	ck_assert_int_eq(values[1u << REPLAY_DURATIONS], makespan(b));
	arena_free(a->arena);
	arena_free(b->arena);
}
END_TEST

START_TEST(can_be_cancelled)
{
	struct schedule *a = sim_run(&base);
	struct err err = ERR_INIT;
	struct cancel cancel = {0};
	struct matching *matching = matching_new(a, a, NULL, &err);
	struct replay *model = replay_new(a, a, matching, NULL, &err);
	int64_t values[REPLAY_SETS];
	cancel_request(&cancel);
	ck_assert_int_eq(replay_run(model, all_sets, REPLAY_SETS, values, &cancel, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	ck_assert_ptr_null(replay_new(a, a, matching, &cancel, &err));
	replay_free(model);
	matching_free(matching);
	arena_free(a->arena);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_replay");
	TCase *tcase = tcase_create("replay");
	tcase_add_loop_test(tcase, replays_what_was_observed, 0, 4);
	tcase_add_loop_test(tcase, edges_stand_in_order_and_once, 0, 4);
	tcase_add_test(tcase, same_run_has_no_effects);
	tcase_add_loop_test(tcase, hostile_schedules, 0, 8);
	tcase_add_test(tcase, small_case_by_hand);
	tcase_add_test(tcase, placement_brings_its_transfers);
	tcase_add_test(tcase, shapley_agrees_with_all_orders);
	tcase_add_test(tcase, planned_times_follow_ends);
	tcase_add_test(tcase, planned_times_as_timetable);
	tcase_add_test(tcase, can_be_cancelled);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("causes");
	tcase_add_test(tcase, finds_slow_kind);
	tcase_add_test(tcase, finds_contention_as_durations);
	tcase_add_test(tcase, finds_slow_link);
	tcase_add_test(tcase, finds_missing_lane);
	tcase_add_test(tcase, finds_imbalance);
	tcase_add_test(tcase, two_seeds_have_no_cause);
	suite_add_tcase(suite, tcase);
	tcase = tcase_create("what_if");
	tcase_add_test(tcase, what_if_predicts_simulation);
	tcase_add_test(tcase, what_if_lists_all_kinds);
	tcase_add_test(tcase, what_if_ranks_all);
	tcase_add_test(tcase, what_if_refuses_nonsense);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
