/*
 * The preemption simulator: its draws and digests against those of an independent implementation,
 * what must add up in every simulation, replays worked out by hand, sweeps.
 */
#include "config.h"

#include <inttypes.h>
#include <stdint.h>
#include <string.h>

#include "record_sink.h"
#include "simulate/preemption_random.h"
#include "simulate/preemption_record.h"
#include "simulate/preemption_sweep.h"
#include "unit.h"
#include "util/mem.h"

static struct preemption_result
simulate(const struct preemption_params *params, const struct preemption_trace *trace)
{
	struct preemption_result result;
	struct err err = ERR_INIT;

	ck_assert_msg(preemption_run(params, trace, NULL, NULL, &result, &err) == 0, "%s",
	              err.message);
	return result;
}

/* ---- draws ---- */

START_TEST(draws_are_the_documented_ones)
{
	struct prng prng = {1};
	int64_t ids[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
	static const uint64_t below[] = {2, 7, 15, 14, 12, 2, 0, 3};
	static const int64_t victims[] = {5, 8, 1, 3, 7};

	ck_assert_double_eq(random_uniform(&prng), 0.5665615751722809);
	ck_assert_double_eq(random_uniform(&prng), 0.7457817572627011);
	prng.state = 1;
	ck_assert_double_eq_tol(random_normal(&prng, 0, 1), -0.034267321791851144, 1e-15);
	ck_assert_double_eq_tol(random_normal(&prng, 0, 1), -2.5000674933698677, 1e-15);
	prng.state = 1;
	for (size_t i = 0; i < 8; i++) {
		ck_assert_uint_eq(random_below(&prng, 21), below[i]);
	}
	prng.state = 1;
	random_victims(&prng, ids, 10, 5);
	ck_assert_mem_eq(ids, victims, sizeof victims);
}
END_TEST

START_TEST(sizes_are_at_least_one)
{
	struct prng prng = {7};

	for (int i = 0; i < 1000; i++) {
		ck_assert_int_ge(random_size(&prng, 0, 1), 1);
	}
	ck_assert_int_eq(random_size(&prng, -3.6, 0), 4); /* folded */
	ck_assert_int_eq(random_size(&prng, 2.5, 0), 2);  /* to even */
}
END_TEST

/* ---- digests ---- */

struct known {
	uint64_t seed;
	double minutes, p_preempt, p_add;
	int64_t depth, initial;
	uint64_t digest, rng_state;
	int64_t iterations;
};

START_TEST(digests_are_those_of_the_reference)
{
	static const double p_add = 51.0 / 355, p_preempt = 58.0 / 355;
	const struct known known[] = {
	    {1, 355, 0.02, p_add, 16, 32, 0x659dfefa3a1d35d9, 0x1e5d84d1fe01570d, 2472},
	    {2, 355, 0.02, p_add, 16, 32, 0xe596bae627a2f691, 0x4715424868065d99, 2112},
	    {3, 355, 0.02, p_add, 16, 32, 0xa42d0f780d12447c, 0x6910aa7902426e91, 2119},
	    {1, 355, 0.05, p_add, 16, 32, 0x206e10292a724f51, 0x0e0479785155e038, 1975},
	    {7, 60, 1, 0, 16, 32, 0x799ccb65dfb08382, 0, -1},
	    {7, 60, 0, 0, 16, 32, 0xa4c2a85129360ca2, 0, -1},
	    {9, 355, p_preempt, p_add, 8, 32, 0xc75d9ce9b0b3884e, 0, -1},
	    {9, 355, p_preempt, p_add, 24, 48, 0x97d43f0c5a486630, 0, -1},
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		struct preemption_params params = preemption_defaults;
		params.seed = known[i].seed;
		params.minutes = known[i].minutes;
		params.p_preempt = known[i].p_preempt;
		params.p_add = known[i].p_add;
		params.depth = known[i].depth;
		params.initial = known[i].initial;
		struct preemption_result result = simulate(&params, NULL);
		ck_assert_uint_eq(result.digest, known[i].digest);
		if (known[i].iterations >= 0) {
			ck_assert_uint_eq(result.rng_state, known[i].rng_state);
			ck_assert_int_eq(result.iterations, known[i].iterations);
		}
	}
}
END_TEST

/* ---- what adds up ---- */

struct seen {
	int64_t useful, lost, reconfiguring, idle, pending, job_end_ms, steps, checkpoints;
	int64_t instances, by_state[INSTANCE_GONE], area[INSTANCE_GONE], time_ms;
	enum instance_state state[4096];
	uint64_t digest;
};

static void
see_job(void *user, const char *state, int64_t start_ms, int64_t end_ms, int64_t world)
{
	struct seen *seen = user;
	int64_t ms = end_ms - start_ms;

	ck_assert_int_eq(start_ms, seen->job_end_ms); /* no gap, no overlap */
	ck_assert((strcmp(state, "idle") == 0) == (world == 0));
	seen->job_end_ms = end_ms;
	seen->useful += strcmp(state, "useful") == 0 ? ms : 0;
	seen->lost += strcmp(state, "lost") == 0 ? ms : 0;
	seen->reconfiguring += strcmp(state, "reconfiguring") == 0 ? ms : 0;
	seen->idle += strcmp(state, "idle") == 0 ? ms : 0;
	seen->pending += strcmp(state, "pending") == 0 ? ms : 0;
}

static void
advance(struct seen *seen, int64_t time_ms)
{
	ck_assert_int_ge(time_ms, seen->time_ms);
	for (int state = 0; state < INSTANCE_GONE; state++) {
		seen->area[state] += seen->by_state[state] * (time_ms - seen->time_ms);
	}
	seen->time_ms = time_ms;
}

static void
see_instance(void *user, int64_t time_ms, int64_t id, enum instance_state state)
{
	struct seen *seen = user;

	advance(seen, time_ms);
	if (id == seen->instances) {
		ck_assert_int_lt(id, 4096);
		seen->instances++;
	} else {
		ck_assert_int_ne(seen->state[id], INSTANCE_GONE);
		seen->by_state[seen->state[id]]--;
	}
	seen->state[id] = state;
	if (state != INSTANCE_GONE) {
		seen->by_state[state]++;
	}
}

static void
see_log(void *user, int64_t time_ms, const char *event, int64_t world, int64_t n)
{
	struct seen *seen = user;
	char line[120];

	snprintf(line, sizeof line, "%" PRId64 ",%s,%" PRId64 ",%" PRId64 "\n", time_ms, event,
	         world, n);
	for (const char *c = line; *c; c++) {
		seen->digest = (seen->digest ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
	}
	seen->steps += strcmp(event, "step") == 0;
	seen->checkpoints += strcmp(event, "checkpoint") == 0;
}

static struct preemption_params
random_params(struct prng *prng)
{
	struct preemption_params params = preemption_defaults;

	params.seed = prng_next(prng);
	params.minutes = 1 + (double)prng_below(prng, 200) / 3;
	params.tick_ms = 1 + (int64_t)prng_below(prng, 20000);
	params.depth = 1 + (int64_t)prng_below(prng, 20);
	params.prep_ms = (int64_t)prng_below(prng, 200000);
	params.initial = (int64_t)prng_below(prng, 70);
	params.inst_max = (int64_t)prng_below(prng, 70);
	params.inst_min = (int64_t)prng_below(prng, 20);
	params.p_preempt = random_uniform(prng);
	params.p_add = random_uniform(prng) * 2;
	params.p_big = random_uniform(prng);
	params.big_lo = (int64_t)prng_below(prng, 5);
	params.big_hi = params.big_lo + (int64_t)prng_below(prng, 10);
	params.reconfig_ms = (int64_t)prng_below(prng, 100000);
	params.checkpoint_ms = (int64_t)prng_below(prng, 100000);
	params.checkpoint_every_ms = prng_below(prng, 2) ? (int64_t)prng_below(prng, 300000) : 0;
	params.iterations[0].ms = 1000 + (int64_t)prng_below(prng, 30000);
	return params;
}

static void
check_sums(const struct preemption_result *result, struct seen *seen)
{
	int64_t sum = result->useful_ms + result->lost_ms + result->reconfig_ms + result->idle_ms +
	              result->pending_ms;

	ck_assert_int_eq(sum, result->duration_ms);
	ck_assert_int_eq(seen->job_end_ms, result->duration_ms);
	ck_assert_int_eq(seen->useful, result->useful_ms);
	ck_assert_int_eq(seen->lost, result->lost_ms);
	ck_assert_int_eq(seen->reconfiguring, result->reconfig_ms);
	ck_assert_int_eq(seen->idle, result->idle_ms);
	ck_assert_int_eq(seen->pending, result->pending_ms);
	advance(seen, result->duration_ms);
	ck_assert_int_eq(seen->area[INSTANCE_ACTIVE], result->inst_ms_active);
	ck_assert_int_eq(seen->area[INSTANCE_STANDBY], result->inst_ms_standby);
	ck_assert_int_eq(seen->area[INSTANCE_BOOTING], result->inst_ms_prep);
	ck_assert_int_eq(seen->by_state[INSTANCE_ACTIVE], result->final_active);
	ck_assert_int_eq(seen->steps, result->iterations_executed);
	ck_assert_int_eq(seen->steps, result->iterations + result->iterations_lost);
	ck_assert_int_eq(seen->checkpoints, result->checkpoints_saved);
	ck_assert_uint_eq(seen->digest, result->digest);
	ck_assert_int_le(result->last_saved, result->iterations);
	ck_assert_int_le(result->preempted_active, result->preempted);
}

START_TEST(every_simulation_adds_up)
{
	struct prng prng = {11};

	for (int i = 0; i < 300; i++) {
		struct preemption_params params = random_params(&prng);
		struct seen seen = {.digest = UINT64_C(0xcbf29ce484222325)};
		struct preemption_observer observer = {
		    .user = &seen, .log = see_log, .job = see_job, .instance = see_instance};
		struct preemption_result result;
		struct err err = ERR_INIT;
		ck_assert_msg(preemption_run(&params, NULL, &observer, NULL, &result, &err) == 0,
		              "%s", err.message);
		check_sums(&result, &seen);
		ck_assert_int_eq(result.final_active % params.depth, 0);
		ck_assert_int_eq(seen.instances, params.initial + result.added);
	}
}
END_TEST

/* Limits of the cluster hold, and without chance nothing happens. */
START_TEST(limits_hold)
{
	struct preemption_params params = preemption_defaults;

	params.p_preempt = 1;
	params.preempt_mean = 1000;
	params.inst_min = 20;
	struct preemption_result result = simulate(&params, NULL);
	ck_assert_int_ge(result.final_active + result.final_standby + result.final_prep, 20);
	params = preemption_defaults;
	params.p_add = 20;
	params.inst_max = 40;
	result = simulate(&params, NULL);
	ck_assert_int_le(result.final_active + result.final_standby + result.final_prep, 40);
	ck_assert_int_gt(result.add_clamped, 0);
	params.p_add = params.p_preempt = 0;
	result = simulate(&params, NULL);
	ck_assert_int_eq(result.useful_ms + result.pending_ms, result.duration_ms);
	ck_assert_int_eq(result.final_active, 32);
	params.initial = 15; /* never a pipeline */
	result = simulate(&params, NULL);
	ck_assert_int_eq(result.idle_ms, result.duration_ms);
	ck_assert_int_eq(result.final_state, JOB_IDLE);
}
END_TEST

/* ---- by hand ---- */

/* Depth 2, iterations of 10 s, checkpoints of 15 s: they start at 10, 30, 50, 70, 90 s. At 95 s
 * nine iterations are done, and the 7th was saved last. */
static struct preemption_params
small_job(void)
{
	struct preemption_params params = preemption_defaults;

	params.depth = 2;
	params.reconfig_ms = 20000;
	params.checkpoint_ms = 15000;
	params.prep_ms = 30000;
	params.iterations[0] = (struct preemption_iteration){2, 10000};
	params.n_iterations = 1;
	return params;
}

START_TEST(a_loss_goes_back_to_the_last_finished_checkpoint)
{
	struct preemption_params params = small_job();
	struct preemption_trace trace = {.initial = 3, .end_ms = 200000};

	preemption_trace_add(&trace, (struct preemption_change){95000, -3, -1});
	preemption_trace_add(&trace, (struct preemption_change){100000, 2, -1});
	struct preemption_result result = simulate(&params, &trace);
	ck_assert_int_eq(result.checkpoints_saved, 4 + 2);
	ck_assert_int_eq(result.checkpoints_aborted, 1);
	ck_assert_int_eq(result.iterations_lost, 2);
	ck_assert_int_eq(result.lost_ms, 25000);
	/* Idle until 130 s (30 s of booting), reconfiguring until 150 s, then 5 iterations: the 8th
	 * is saved at 175 s, the 10th at 195 s. */
	ck_assert_int_eq(result.idle_ms, 35000);
	ck_assert_int_eq(result.reconfig_ms, 20000);
	ck_assert_int_eq(result.iterations, 12);
	ck_assert_int_eq(result.last_saved, 10);
	ck_assert_int_eq(result.useful_ms, 120000);
	ck_assert_int_eq(result.pending_ms, 0);
	preemption_trace_free(&trace);
}
END_TEST

START_TEST(checkpoints_can_be_rarer)
{
	struct preemption_params params = small_job();
	struct preemption_trace trace = {.initial = 2, .end_ms = 100000};

	params.checkpoint_every_ms = 40000; /* at 40 and 80 s */
	ck_assert_int_eq(simulate(&params, &trace).checkpoints_saved, 2);
	params.checkpoint_every_ms = 41000; /* at 50 s; the next would be at 100 s */
	ck_assert_int_eq(simulate(&params, &trace).checkpoints_saved, 1);
	params.checkpoint_every_ms = 200000;
	ck_assert_int_eq(simulate(&params, &trace).checkpoints_saved, 0);
}
END_TEST

START_TEST(names_come_and_go)
{
	struct preemption_params params = small_job();
	struct preemption_trace trace = {.end_ms = 100000, .n_nodes = 4};
	static const struct preemption_change changes[] = {
	    {0, 1, 0},      {0, 1, 1},
	    {0, 1, 2},      {1000, -1, 2}, /* comes and goes in one tick */
	    {3000, 1, 3},   {3000, 1, 3},  /* twice: once */
	    {20000, -1, 2},                /* not there */
	    {60000, -1, 1}, {60000, 1, 1}, /* goes and comes back */
	    {99000, -1, 0},                /* after the last tick */
	};

	for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
		preemption_trace_add(&trace, changes[i]);
	}
	struct preemption_result result = simulate(&params, &trace);
	/* At tick 0 all of time 0 is due, at tick 5 s the rest up to there. */
	ck_assert_int_eq(result.added, 5);
	ck_assert_int_eq(result.preempted, 2);
	ck_assert_int_eq(result.final_active, 2);
	ck_assert_int_eq(result.final_prep, 0);
	ck_assert_int_eq(result.final_standby, 1);
	ck_assert_uint_eq(result.rng_state, params.seed); /* nothing was left to chance */
	preemption_trace_free(&trace);
}
END_TEST

START_TEST(iteration_times_between_sizes_are_linear)
{
	struct preemption_params params = preemption_defaults;
	struct err err = ERR_INIT;

	ck_assert_int_eq(preemption_iteration_ms(&params, 1), 18000);
	ck_assert_int_eq(preemption_iteration_ms(&params, 24), 14500);
	ck_assert_int_eq(preemption_iteration_ms(&params, 48), 9000);
	ck_assert_int_eq(preemption_iteration_ms(&params, 200), 8000);
	ck_assert_int_eq(preemption_iterations_set(&params, slice_of("4:10ms, 1:7ms"), &err), 0);
	ck_assert_int_eq(preemption_iteration_ms(&params, 2), 8);
	ck_assert_int_eq(preemption_iterations_set(&params, slice_of("1:1,3:2"), &err), 0);
	ck_assert_int_eq(preemption_iteration_ms(&params, 2), 2); /* half up */
}
END_TEST

START_TEST(nonsense_is_refused)
{
	static const char *const wrong[] = {"", "x", "5", "5:", ":5s", "5:5s,5:5s", "0:5s", "5:0"};
	struct preemption_params params;
	struct preemption_result result;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err err = ERR_INIT;
		params = preemption_defaults;
		ck_assert_msg(preemption_iterations_set(&params, slice_of(wrong[i]), &err) ||
		                  preemption_params_check(&params, &err),
		              "%s", wrong[i]);
		ck_assert_int_eq(err.code, ERR_USAGE);
	}
	for (const struct preemption_param *param = preemption_params; param->name; param++) {
		struct err err = ERR_INIT;
		params = preemption_defaults;
		ck_assert(preemption_param_set(&params, param, slice_of("nan"), &err));
		ck_assert(preemption_param_set(&params, param, slice_of(""), &err));
		err.code = ERR_NONE;
		bool is_signed = strstr(param->name, "-mean") != NULL;
		ck_assert_int_eq(preemption_param_set(&params, param, slice_of("-1000"), &err), 0);
		ck_assert_msg((preemption_run(&params, NULL, NULL, NULL, &result, &err) == 0) ==
		                  is_signed,
		              "%s", param->name);
	}
}
END_TEST

START_TEST(it_can_be_cancelled)
{
	struct preemption_params params = preemption_defaults;
	struct cancel cancel = {false};
	struct preemption_result result;
	struct err err = ERR_INIT;

	cancel_request(&cancel);
	params.minutes = 1e7;
	params.tick_ms = 1;
	ck_assert_int_eq(preemption_run(&params, NULL, NULL, &cancel, &result, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
	err.code = ERR_NONE;
	params.tick_ms = INT64_C(1) << 40; /* all in one tick */
	params.iterations[0].ms = params.iterations[1].ms = 1;
	ck_assert_int_eq(preemption_run(&params, NULL, NULL, &cancel, &result, &err), -1);
	ck_assert_int_eq(err.code, ERR_CANCELLED);
}
END_TEST

/* ---- sweeps ---- */

static int
set_values(struct preemption_sweep *sweep, enum preemption_param_id id, const char *list)
{
	struct err err = ERR_INIT;
	return preemption_sweep_values(sweep, &preemption_params[id], slice_of(list), &err);
}

START_TEST(sweeps_are_products_and_do_not_depend_on_threads)
{
	struct err err = ERR_INIT;
	struct preemption_result first[2 * 3 * 4];

	for (unsigned threads = 1; threads <= 4; threads += 3) {
		struct preemption_sweep sweep = {.base = preemption_defaults};
		ck_assert_int_eq(set_values(&sweep, PARAM_p_preempt, "0.02,0.05,0.1"), 0);
		ck_assert_int_eq(set_values(&sweep, PARAM_p_preempt, "0.02,0.05"), 0);
		ck_assert_int_eq(set_values(&sweep, PARAM_depth, "8,16,24"), 0);
		ck_assert_int_eq(set_values(&sweep, PARAM_minutes, "60"), 0);
		ck_assert_int_eq(preemption_sweep_seeds(&sweep, slice_of("1-3,9"), &err), 0);
		ck_assert_int_eq(preemption_sweep_run(&sweep, threads, NULL, &err), 0);
		ck_assert_uint_eq(sweep.n_points, 6);
		ck_assert_uint_eq(sweep.n_seeds, 4);
		if (threads == 1) {
			memcpy(first, sweep.results, sizeof first);
		}
		ck_assert_mem_eq(first, sweep.results, sizeof first);
		struct preemption_params params = preemption_defaults;
		params.minutes = 60;
		params.p_preempt = 0.05;
		params.depth = 24;
		params.seed = 9;
		ck_assert_uint_eq(sweep.results[5 * 4 + 3].digest, simulate(&params, NULL).digest);
		preemption_sweep_free(&sweep);
	}
}
END_TEST

START_TEST(wrong_lists_are_refused)
{
	static const char *const seeds[] = {
	    "", "x", "3-1", "1,,2", "1-", "-1", "0-18446744073709551615"};
	struct preemption_sweep sweep = {.base = preemption_defaults};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
		ck_assert_msg(preemption_sweep_seeds(&sweep, slice_of(seeds[i]), &err), "%s",
		              seeds[i]);
	}
	ck_assert_int_ne(set_values(&sweep, PARAM_depth, "8,,16"), 0);
	ck_assert_int_ne(set_values(&sweep, PARAM_depth, ""), 0);
	ck_assert_int_eq(preemption_sweep_seeds(&sweep, slice_of("1-1000000"), &err), 0);
	ck_assert_int_eq(set_values(&sweep, PARAM_depth, "8,16"), 0);
	ck_assert_int_eq(preemption_sweep_run(&sweep, 1, NULL, &err), -1);
	ck_assert_int_eq(err.code, ERR_LIMIT);
	preemption_sweep_free(&sweep);
}
END_TEST

/* ---- as a run, as a trace ---- */

static int64_t
span_ms(const struct record_sink *recorded, const char *name)
{
	int64_t sum = 0;

	for (size_t i = 0; i < recorded->n_spans; i++) {
		if (strcmp(record_text(recorded, recorded->spans[i].name), name) == 0) {
			sum += recorded->spans[i].duration_ns / 1000000;
		}
	}
	return sum;
}

START_TEST(a_record_holds_what_was_counted)
{
	struct preemption_params params = preemption_defaults;
	struct record_sink *recorded = record_sink_new();
	struct preemption_result result;
	struct err err = ERR_INIT;
	int64_t taken = 0, regroups = 0;

	ck_assert_int_eq(preemption_record(&params, NULL, NULL, &recorded->sink, &result, &err), 0);
	ck_assert_uint_eq(result.digest, simulate(&params, NULL).digest);
	ck_assert_int_eq(span_ms(recorded, "useful"), result.useful_ms);
	ck_assert_int_eq(span_ms(recorded, "lost"), result.lost_ms);
	ck_assert_int_eq(span_ms(recorded, "reconfiguring"), result.reconfig_ms);
	ck_assert_int_eq(span_ms(recorded, "active"), result.inst_ms_active);
	ck_assert_int_eq(span_ms(recorded, "standby"), result.inst_ms_standby);
	ck_assert_int_eq(span_ms(recorded, "booting"), result.inst_ms_prep);
	for (size_t i = 0; i < recorded->n_preemptions; i++) {
		taken += recorded->preemptions[i].nodes;
	}
	ck_assert_int_eq(taken, result.preempted);
	ck_assert_uint_eq(recorded->n_lanes, (size_t)(1 + params.initial + result.added));
	for (size_t i = 0; i < recorded->n_events; i++) {
		regroups += strcmp(record_text(recorded, recorded->events[i].name), "regroup") == 0;
	}
	ck_assert_int_eq(regroups, result.case_1a + result.case_1b + result.case_grow +
	                               result.case_both + result.case_exact);
	ck_assert_int_eq(recorded->capacities[0].time_ns, 0);
	ck_assert_int_eq(recorded->capacities[0].nodes, params.initial);
	ck_assert_int_eq(recorded->capacities[recorded->n_capacities - 1].time_ns,
	                 result.duration_ms * 1000000);
	record_sink_free(recorded);
}
END_TEST

START_TEST(a_sink_that_had_enough_stops_the_record)
{
	struct preemption_params params = preemption_defaults;
	struct record_sink *recorded = record_sink_new();
	struct preemption_result result;
	struct err err = ERR_INIT;

	recorded->stop_after = 20;
	ck_assert_int_eq(preemption_record(&params, NULL, NULL, &recorded->sink, &result, &err),
	                 -1);
	record_sink_free(recorded);
}
END_TEST

struct made {
	int64_t minute, count, rows;
};

static int
check_minute(void *user, int64_t minute, int64_t count, int64_t lost, int64_t added)
{
	struct made *made = user;

	ck_assert(made->rows == 0 ? minute == 0 : minute > made->minute && (lost || added));
	ck_assert_int_eq(count, made->rows ? made->count - lost + added : 32);
	ck_assert(count >= 0 && count <= 64 && lost >= 0 && added >= 0);
	*made = (struct made){minute, count, made->rows + 1};
	return made->rows == 1000;
}

START_TEST(made_up_traces_stay_within_limits)
{
	struct preemption_params params = preemption_defaults;

	for (params.seed = 1; params.seed <= 20; params.seed++) {
		struct made made = {0};
		ck_assert_int_eq(preemption_generate(&params, check_minute, &made), 0);
		ck_assert_int_gt(made.rows, 20);
		ck_assert_int_le(made.minute, 355);
	}
	struct made stopped = {0};
	params.minutes = 1e6;
	ck_assert_int_eq(preemption_generate(&params, check_minute, &stopped), 1);
	ck_assert_int_eq(stopped.rows, 1000);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("simulate");
	TCase *tcase = tcase_create("preemption");

	tcase_add_test(tcase, draws_are_the_documented_ones);
	tcase_add_test(tcase, sizes_are_at_least_one);
	tcase_add_test(tcase, digests_are_those_of_the_reference);
	tcase_add_test(tcase, every_simulation_adds_up);
	tcase_add_test(tcase, limits_hold);
	tcase_add_test(tcase, a_loss_goes_back_to_the_last_finished_checkpoint);
	tcase_add_test(tcase, checkpoints_can_be_rarer);
	tcase_add_test(tcase, names_come_and_go);
	tcase_add_test(tcase, iteration_times_between_sizes_are_linear);
	tcase_add_test(tcase, nonsense_is_refused);
	tcase_add_test(tcase, it_can_be_cancelled);
	tcase_add_test(tcase, sweeps_are_products_and_do_not_depend_on_threads);
	tcase_add_test(tcase, wrong_lists_are_refused);
	tcase_add_test(tcase, a_record_holds_what_was_counted);
	tcase_add_test(tcase, a_sink_that_had_enough_stops_the_record);
	tcase_add_test(tcase, made_up_traces_stay_within_limits);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
