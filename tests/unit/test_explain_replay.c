/* Replay: observed schedules come out again, factors add up, and a known cause is found. */
#include "config.h"
#include "explain/parts/replay.h"

#include "explain/parts/parts.h"
#include "explain/model/shapley.h"
#include "explain/parts/replay_model.h"
#include "explain/parts/rerun.h"
#include "explain_fixture.h"
#include "unit.h"

/* Both runs as one model. */
struct pair {
	struct schedule *run[2];
	struct matching *matching;
	struct replay *replay;
	struct rerun *rerun[2];
};

static struct pair
pair_of(struct schedule *a, struct schedule *b)
{
	struct err err = ERR_INIT;
	struct pair pair = {.run = {a, b}, .matching = matching_new(a, b, NULL, &err)};
	pair.replay = replay_new(a, b, pair.matching, NULL, &err);
	ck_assert_ptr_nonnull(pair.replay);
	pair.rerun[0] = rerun_new(pair.replay, 0);
	pair.rerun[1] = rerun_new(pair.replay, 1);
	return pair;
}

static void
pair_free(struct pair *pair)
{
	rerun_free(pair->rerun[0]);
	rerun_free(pair->rerun[1]);
	replay_free(pair->replay);
	matching_free(pair->matching);
	arena_free(pair->run[0]->arena);
	if (pair->run[1] != pair->run[0]) {
		arena_free(pair->run[1]->arena);
	}
}

/* Of A on its lanes and in its order, with what B took. */
static int64_t
with_durations_of_b(struct pair *pair)
{
	size_t n = rerun_units(pair->rerun[1]);
	int64_t *durations = xcalloc(n, sizeof *durations),
		*dispatch = xcalloc(n, sizeof *dispatch);
	rerun_observed(pair->rerun[1], durations, dispatch);
	struct rerun_change change = {RERUN_AS_WAS, .duration_ns = durations};
	int64_t ns = rerun_makespan_ns(pair->rerun[0], &change);
	free(durations);
	free(dispatch);
	return ns;
}

static int64_t
as_was(struct pair *pair, unsigned run, bool reacts)
{
	struct rerun_change change = {RERUN_AS_WAS, .reacts = reacts};
	return rerun_makespan_ns(pair->rerun[run], &change);
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

/* Any two runs, of other sizes, lanes and graphs: on its lanes and in its order each takes what it
 * took. */
START_TEST(replays_what_was_observed)
{
	struct prng prng = {(uint64_t)_i + 1};
	for (int round = 0; round < 60; round++) {
		struct sim_params params_a = random_params(&prng), params_b = random_params(&prng);
		struct pair pair = pair_of(sim_run(&params_a), sim_run(&params_b));
		ck_assert_int_eq(as_was(&pair, 0, false), makespan(pair.run[0]));
		ck_assert_int_eq(as_was(&pair, 1, false), makespan(pair.run[1]));
		pair_free(&pair);
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

/* Rows add up, and none is 0 by construction; of one run with itself, all are. */
START_TEST(rows_add_up)
{
	struct prng prng = {7};
	for (int round = 0; round < 40; round++) {
		struct sim_params params_a = random_params(&prng), params_b = random_params(&prng);
		const char *const arguments[] = {round % 2 ? "anew" : "fixed"};
		bool is_same = round < 4;
		struct schedule *a = sim_run(&params_a), *b = is_same ? a : sim_run(&params_b);
		struct result *result = made_explain(&explain_replay, a, b, arguments);
		double sum = 0;
		ck_assert_ptr_nonnull(result);
		for (size_t r = 0; r + 1 < result->n_rows; r++) {
			double delta = made_number(result, r, "delta");
			ck_assert(!is_same || delta == 0);
			sum += delta;
		}
		ck_assert_double_eq(sum, (double)(makespan(b) - makespan(a)));
		ck_assert_uint_eq(made_row(result, "residual", NULL), SIZE_MAX);
		result_free(result);
		arena_free(a->arena);
		if (!is_same) {
			arena_free(b->arena);
		}
	}
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
		struct pair pair = pair_of(runs[0], runs[1]);
		for (unsigned r = 0; r < 2; r++) {
			int64_t last = 0, work = 0;
			for (size_t i = 0; i < runs[r]->n_items; i++) {
				const struct schedule_item *item = &runs[r]->items[i];
				int64_t end = item->end_ns - runs[r]->start_ns;
				last = end > last ? end : last;
				work += item->end_ns - item->start_ns;
			}
			ck_assert_int_eq(as_was(&pair, r, false), last);
			struct rerun_least least = rerun_least(pair.rerun[r]);
			int64_t before = -pair.replay->floor_ns; /* clocks are skewed */
			ck_assert_int_le(least.chain_ns, last + before);
			ck_assert_int_le(least.work_ns, work);
			ck_assert_int_ge(as_was(&pair, r, true) + before, least.chain_ns);
			ck_assert_int_ge(as_was(&pair, r, true) + before, least.work_ns);
		}
		pair_free(&pair);
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
	struct pair pair = pair_of(a, b);
	struct rerun_change moves = {RERUN_AS_WAS, .moves = pair.rerun[1]};
	ck_assert_int_eq(as_was(&pair, 0, false), 15);
	ck_assert_int_eq(with_durations_of_b(&pair), 25);
	ck_assert_int_eq(rerun_makespan_ns(pair.rerun[0], &moves), 15);
	ck_assert_int_eq(rerun_least(pair.rerun[0]).chain_ns, 13);
	ck_assert_int_eq(rerun_least(pair.rerun[0]).work_ns, 17 / 2);
	pair_free(&pair);
}
END_TEST

/* What is moved in B alone takes its time in A where B's transfers are put in. */
START_TEST(transfers_can_be_put_in)
{
	const struct made_task in_a[] = {{"x", 0, 0, 0, 10, SCHEDULE_NO_TIME},
	                                 {"z", 1, 0, 10, 15, SCHEDULE_NO_TIME}};
	const struct made_task in_b[] = {{"x", 0, 0, 0, 10, SCHEDULE_NO_TIME},
	                                 {"z", 1, 1, 17, 22, SCHEDULE_NO_TIME}};
	const struct made_edge edge_a = {0, 1, SCHEDULE_NO_TIME, 0}, edge_b = {0, 1, 10, 17};
	struct schedule *a = made_schedule(in_a, 2, &edge_a, 1, 2, 1);
	struct schedule *b = made_schedule(in_b, 2, &edge_b, 1, 2, 1);
	struct pair pair = pair_of(a, b);
	struct rerun_change moves = {RERUN_AS_WAS, .moves = pair.rerun[1]};
	ck_assert_int_eq(rerun_makespan_ns(pair.rerun[0], &moves), 22);
	moves.moves = pair.rerun[0];
	ck_assert_int_eq(rerun_makespan_ns(pair.rerun[1], &moves), 15);
	pair_free(&pair);
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
		unsigned n = 1 + (unsigned)prng_below(&prng, SHAPLEY_FACTORS);
		int64_t value[1 << SHAPLEY_FACTORS], sum = 0;
		double slow[SHAPLEY_FACTORS] = {0};
		for (unsigned set = 0; set < 1u << n; set++) {
			value[set] = (int64_t)prng_below(&prng, 100000);
		}
		struct shapley_effect effects[SHAPLEY_FACTORS];
		shapley_effects(value, n, effects);
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

/* The factor is the first named and makes all of the difference but a fifth, and A with the
 * measured values of B is nearly B. */
static void
assert_factor(const struct sim_params *params_b, const char *factor)
{
	struct result *result = explain(&explain_replay, &base, params_b, NULL);
	size_t row = made_row(result, factor, NULL), sum = made_row(result, "sum", NULL);
	double delta = made_number(result, sum, "delta");
	ck_assert_double_gt(delta, 0);
	ck_assert_msg(fabs(made_number(result, row, "delta") / delta - 1) < 0.2, "%s: %g of %g",
	              factor, made_number(result, row, "delta"), delta);
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
	assert_factor(&b, "transfers");
}
END_TEST

START_TEST(finds_missing_lane)
{
	struct sim_params b = base;
	b.n_lanes = 6;
	assert_factor(&b, "number of lanes");
}
END_TEST

START_TEST(finds_imbalance)
{
	struct sim_params b = base;
	b.is_fixed = true;
	b.skew = 20;
	assert_factor(&b, "order and placement");
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
	struct sim_params faster = base;
	faster.factor[3] = 0.6;
	struct result *result = explain(&explain_what_if, &base, &base, arguments);
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

/* Two lanes, of which one waits for what is moved from the other; and all on one lane. */
START_TEST(scaling_by_hand)
{
	const struct made_task on_two[] = {{"x", 0, 0, 0, 10, SCHEDULE_NO_TIME},
	                                   {"y", 0, 1, 0, 4, SCHEDULE_NO_TIME},
	                                   {"z", 1, 1, 12, 15, SCHEDULE_NO_TIME}};
	const struct made_task on_one[] = {{"x", 0, 0, 0, 8, SCHEDULE_NO_TIME},
	                                   {"y", 0, 0, 8, 12, SCHEDULE_NO_TIME},
	                                   {"z", 1, 0, 12, 15, SCHEDULE_NO_TIME}};
	const struct made_edge moved = {0, 2, 10, 12};
	struct schedule *two = made_schedule(on_two, 3, &moved, 1, 2, 1);
	struct schedule *one = made_schedule(on_one, 3, NULL, 0, 1, 1);
	struct result *result = made_explain(&explain_scaling, two, one, NULL);
	size_t few = made_row(result, "B", NULL), many = made_row(result, "A", NULL);
	ck_assert_uint_eq(few, 0); /* the reference */
	ck_assert_double_eq(made_number(result, few, "global"), 1);
	ck_assert_double_eq(made_number(result, many, "speedup"), 1);
	ck_assert_double_eq_tol(made_number(result, many, "computation"), 15.0 / 17, 1e-12);
	ck_assert_double_eq_tol(made_number(result, many, "load_balance"), 8.5 / 10, 1e-12);
	ck_assert_double_eq_tol(made_number(result, many, "communication_efficiency"), 10.0 / 15,
	                        1e-12);
	ck_assert_double_eq_tol(made_number(result, many, "serialisation"), 10.0 / 13, 1e-12);
	ck_assert_double_eq_tol(made_number(result, many, "transfer"), 13.0 / 15, 1e-12);
	ck_assert_double_eq_tol(made_number(result, many, "parallel"), 8.5 / 15, 1e-12);
	ck_assert_double_eq_tol(made_number(result, many, "global"), 15.0 / 2 / 15, 1e-12);
	result_free(result);
	arena_free(two->arena);
	arena_free(one->arena);
}
END_TEST

/* Planned times that follow ends are reactions: faster tasks are planned sooner, though no input is
 * known. */
START_TEST(planned_times_follow_ends)
{
	struct sim_params hidden = base, faster;
	hidden.is_fixed = true;
	hidden.is_linked = false;
	hidden.link_ns = 0;
	faster = hidden;
	faster.factor[3] = 0.5;
	struct pair pair = pair_of(sim_run(&hidden), sim_run(&faster));
	ck_assert(replay_rules(pair.replay, 0)->is_reacting);
	ck_assert_uint_gt(replay_rules(pair.replay, 0)->n_triggered, 0);
	double predicted = (double)with_durations_of_b(&pair);
	ck_assert_double_le(fabs(predicted / (double)makespan(pair.run[1]) - 1), 0.05);
	pair_free(&pair);
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
	struct pair pair = pair_of(a, b);
	ck_assert_int_eq(with_durations_of_b(&pair), makespan(b));
	pair_free(&pair);
}
END_TEST

START_TEST(can_be_cancelled)
{
	struct schedule *a = sim_run(&base);
	struct err err = ERR_INIT;
	struct cancel cancel = {0};
	struct matching *matching = matching_new(a, a, NULL, &err);
	cancel_request(&cancel);
	ck_assert_ptr_null(replay_new(a, a, matching, &cancel, &err));
	ck_assert_int_eq(err.code, ERR_CANCELLED);
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
	tcase_add_test(tcase, rows_add_up);
	tcase_add_loop_test(tcase, hostile_schedules, 0, 8);
	tcase_add_test(tcase, small_case_by_hand);
	tcase_add_test(tcase, transfers_can_be_put_in);
	tcase_add_test(tcase, shapley_agrees_with_all_orders);
	tcase_add_test(tcase, scaling_by_hand);
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
