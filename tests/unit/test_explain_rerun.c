/* Reruns: what was observed comes out again, a scheduler that reacts is a list scheduler, and each
 * change does what it says. */
#include "config.h"
#include "explain/parts/rerun.h"

#include "explain/parts/parts.h"
#include "explain_fixture.h"
#include "unit.h"

#define NEVER SCHEDULE_NO_TIME

/* A run beside itself, and its model. */
struct model {
	struct schedule *schedule;
	struct matching *matching;
	struct replay *replay;
	struct rerun *rerun;
};

static struct model
model_of(struct schedule *schedule)
{
	struct err err = ERR_INIT;
	struct model model = {.schedule = schedule};
	model.matching = matching_new(schedule, schedule, NULL, &err);
	model.replay = replay_new(schedule, schedule, model.matching, NULL, &err);
	ck_assert_ptr_nonnull(model.replay);
	model.rerun = rerun_new(model.replay, 1);
	return model;
}

static void
model_free(struct model *model)
{
	rerun_free(model->rerun);
	replay_free(model->replay);
	matching_free(model->matching);
	arena_free(model->schedule->arena);
}

static int64_t
makespan(const struct model *model, struct rerun_change change)
{
	return rerun_makespan_ns(model->rerun, &change);
}

static struct model
model_of_tasks(const struct made_task *tasks, size_t n, const struct made_edge *edges,
               size_t n_edges, unsigned n_lanes)
{
	return model_of(made_schedule(tasks, n, edges, n_edges, n_lanes, n_lanes));
}

START_TEST(what_was_observed_comes_out_again)
{
	struct prng prng = {(uint64_t)_i + 1};
	for (int round = 0; round < 30; round++) {
		struct sim_params params = {.n_tasks = 10 + (unsigned)prng_below(&prng, 90),
		                            .n_lanes = 1 + (unsigned)prng_below(&prng, 7),
		                            .per_host = 1 + (unsigned)prng_below(&prng, 3),
		                            .graph_seed = prng_next(&prng),
		                            .noise = 0.2,
		                            .link_ns = (int64_t)prng_below(&prng, 3) * 5 * MS,
		                            .dispatch_ns = (int64_t)prng_below(&prng, 2) * MS,
		                            .is_fixed = prng_below(&prng, 2),
		                            .is_linked = prng_below(&prng, 2),
		                            .edge_share = (unsigned)prng_below(&prng, 101)};
		struct model model = model_of(sim_run(&params));
		const struct schedule *schedule = model.schedule;
		int64_t observed = schedule->end_ns - schedule->start_ns;
		ck_assert_int_eq(makespan(&model, (struct rerun_change){RERUN_AS_WAS}), observed);
		size_t n_used = 0;
		for (size_t l = 0; l < schedule->n_lanes; l++) {
			n_used += schedule->lanes[l].n > 0;
		}
		ck_assert_uint_eq(rerun_slots(model.rerun), n_used);
		ck_assert_uint_eq(rerun_units(model.rerun), schedule->n_items);
		model_free(&model);
	}
}
END_TEST

#define N 40
/* Independent tasks, one behind the other on each lane. */
static struct model
independent(struct prng *prng, unsigned n_lanes, int64_t *durations)
{
	struct made_task tasks[N];
	int64_t free_at[8] = {0};
	for (unsigned i = 0; i < N; i++) {
		unsigned lane = 0;
		for (unsigned l = 1; l < n_lanes; l++) {
			lane = free_at[l] < free_at[lane] ? l : lane;
		}
		durations[i] = (1 + (int64_t)prng_below(prng, 90)) * MS;
		tasks[i] = (struct made_task){
		    NULL, 0, lane, free_at[lane], free_at[lane] + durations[i], NEVER};
		free_at[lane] += durations[i];
	}
	return model_of_tasks(tasks, N, NULL, 0, n_lanes);
}

static int64_t
list_schedule(const int64_t *durations, unsigned n_slots)
{
	int64_t free_at[16] = {0}, last = 0;
	for (unsigned i = 0; i < N; i++) {
		unsigned slot = 0;
		for (unsigned s = 1; s < n_slots; s++) {
			slot = free_at[s] < free_at[slot] ? s : slot;
		}
		free_at[slot] += durations[i];
		last = free_at[slot] > last ? free_at[slot] : last;
	}
	return last;
}

START_TEST(reacting_is_list_scheduling)
{
	struct prng prng = {(uint64_t)_i + 100};
	unsigned n_lanes = 1 + (unsigned)prng_below(&prng, 8);
	int64_t durations[N];
	struct model model = independent(&prng, n_lanes, durations);
	for (unsigned n_slots = 1; n_slots <= 12; n_slots++) {
		struct rerun_change change = {RERUN_AS_WAS, .reacts = true, .n_slots = n_slots};
		ck_assert_int_eq(makespan(&model, change), list_schedule(durations, n_slots));
	}
	ck_assert_int_eq(makespan(&model, (struct rerun_change){RERUN_AS_WAS, .reacts = true}),
	                 list_schedule(durations, n_lanes));
	model_free(&model);
}
END_TEST

/* The longest of durations that are changed goes where it hurts: as the list schedule says. */
START_TEST(reacting_with_other_durations)
{
	struct prng prng = {(uint64_t)_i + 200};
	int64_t durations[N], changed[N], dispatch[N], by_unit[N];
	struct model model = independent(&prng, 4, durations);
	rerun_observed(model.rerun, by_unit, dispatch);
	for (unsigned i = 0; i < N; i++) {
		uint32_t unit = rerun_unit_of(model.rerun, model.schedule->tasks[i].item);
		ck_assert_int_eq(by_unit[unit], durations[i]);
		ck_assert_int_eq(dispatch[unit], 0);
		changed[i] = by_unit[unit] = durations[i] * (1 + (i % 3 == 0));
	}
	struct rerun_change change = {RERUN_AS_WAS, .duration_ns = by_unit, .reacts = true};
	ck_assert_int_eq(makespan(&model, change), list_schedule(changed, 4));
	model_free(&model);
}
END_TEST

/* lane 0: task 0 until 10; moved until 15; lane 1: task 1 from 16 to 26, then task 2 until 30. */
static struct model
chain(void)
{
	static const struct made_task tasks[] = {{NULL, 0, 0, 0, 10 * MS, NEVER},
	                                         {NULL, 1, 1, 16 * MS, 26 * MS, NEVER},
	                                         {NULL, 1, 1, 26 * MS, 30 * MS, NEVER}};
	static const struct made_edge edges[] = {{0, 1, 10 * MS, 15 * MS}};
	return model_of_tasks(tasks, 3, edges, 1, 2);
}

START_TEST(each_change_does_what_it_says)
{
	struct model model = chain();
	int64_t durations[3], dispatch[3];
	rerun_observed(model.rerun, durations, dispatch);
	ck_assert_int_eq(makespan(&model, (struct rerun_change){RERUN_AS_WAS}), 30 * MS);
	ck_assert_int_eq(makespan(&model, (struct rerun_change){.transfers = 0, .delays = 1}),
	                 25 * MS);
	ck_assert_int_eq(makespan(&model, (struct rerun_change){.transfers = 3, .delays = 1}),
	                 40 * MS);
	uint32_t first = rerun_unit_of(model.rerun, model.schedule->tasks[0].item);
	uint32_t second = rerun_unit_of(model.rerun, model.schedule->tasks[1].item);
	ck_assert_int_eq(dispatch[second], MS);
	dispatch[second] = 4 * MS;
	struct rerun_change change = {RERUN_AS_WAS, .dispatch_ns = dispatch};
	ck_assert_int_eq(makespan(&model, change), 33 * MS);
	dispatch[second] = -100 * MS; /* not before its input ends */
	ck_assert_int_eq(makespan(&model, change), 24 * MS);
	durations[first] = 2 * MS;
	change = (struct rerun_change){RERUN_AS_WAS, .duration_ns = durations};
	ck_assert_int_eq(makespan(&model, change), 22 * MS);
	/* The third needs nothing, and has the lane of the second when that can be planned: it goes
	 * to the other, and its data is moved from then on. */
	change.reacts = true;
	ck_assert_int_eq(makespan(&model, change), 18 * MS);
	change.n_slots = 1;
	ck_assert_int_eq(makespan(&model, change), 22 * MS);
	model_free(&model);
}
END_TEST

/* Planned when the one before it in its slot ended: that delay goes with it. */
START_TEST(planned_times_follow_ends)
{
	enum { TASKS = 20 };
	struct made_task tasks[TASKS];
	int64_t durations[TASKS], now = 0;
	for (int i = 0; i < TASKS; i++) {
		int64_t start = now + 2 * MS;
		now = start + (10 + i % 3) * MS;
		tasks[i] = (struct made_task){NULL, 0, 0, start, now, start};
		durations[i] = 20 * MS;
	}
	struct model model = model_of_tasks(tasks, TASKS, NULL, 0, 1);
	struct rerun_change change = {RERUN_AS_WAS, .reacts = true};
	ck_assert_int_eq(makespan(&model, (struct rerun_change){RERUN_AS_WAS}), now - 2 * MS);
	ck_assert_int_eq(makespan(&model, change), now - 2 * MS);
	change.duration_ns = durations;
	ck_assert_int_eq(makespan(&model, change), (TASKS * 22 - 2) * MS);
	change.reacts = false;
	ck_assert_int_eq(makespan(&model, change), (TASKS * 22 - 2) * MS);
	model_free(&model);
}
END_TEST

START_TEST(jitter_is_by_seed)
{
	struct prng prng = {7};
	int64_t durations[N];
	struct model model = independent(&prng, 1, durations);
	double sum = 0, squares = 0, all = (double)list_schedule(durations, 1);
	struct rerun_change change = {RERUN_AS_WAS, .jitter = 0.1};
	for (change.seed = 1; change.seed <= 400; change.seed++) {
		double x = (double)makespan(&model, change) / all - 1;
		ck_assert(x == (double)makespan(&model, change) / all - 1);
		sum += x;
		squares += x * x;
	}
	/* of N durations d: 0.1 sqrt(sum d^2) / sum d, and a mean that is exp(0.1^2 / 2) */
	double own = 0;
	for (unsigned i = 0; i < N; i++) {
		own += (double)durations[i] * (double)durations[i];
	}
	double expected = 0.1 * sqrt(own) / all, spread = sqrt(squares / 400);
	ck_assert(spread > 0.85 * expected && spread < 1.2 * expected);
	ck_assert(fabs(sum / 400 - 0.005) < 0.005);
	model_free(&model);
}
END_TEST

START_TEST(nothing_and_huge_times)
{
	struct model model = model_of_tasks(NULL, 0, NULL, 0, 0);
	ck_assert_int_eq(makespan(&model, (struct rerun_change){RERUN_AS_WAS}), 0);
	ck_assert_int_eq(makespan(&model, (struct rerun_change){RERUN_AS_WAS, .reacts = true}), 0);
	model_free(&model);
	const struct made_task tasks[] = {{NULL, 0, 0, 0, INT64_MAX / 2, NEVER},
	                                  {NULL, 0, 0, INT64_MAX / 2, INT64_MAX - 1, NEVER}};
	model = model_of_tasks(tasks, 2, NULL, 0, 1);
	int64_t durations[] = {INT64_MAX / 2, INT64_MAX - 5};
	struct rerun_change change = {RERUN_AS_WAS, .duration_ns = durations};
	ck_assert_int_eq(makespan(&model, change), INT64_MAX);
	change.reacts = true;
	ck_assert_int_eq(makespan(&model, change), INT64_MAX);
	model_free(&model);
	rerun_free(NULL);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_rerun");
	TCase *tcase = tcase_create("rerun");
	tcase_add_loop_test(tcase, what_was_observed_comes_out_again, 0, 8);
	tcase_add_loop_test(tcase, reacting_is_list_scheduling, 0, 10);
	tcase_add_loop_test(tcase, reacting_with_other_durations, 0, 5);
	tcase_add_test(tcase, each_change_does_what_it_says);
	tcase_add_test(tcase, planned_times_follow_ends);
	tcase_add_test(tcase, jitter_is_by_seed);
	tcase_add_test(tcase, nothing_and_huge_times);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
