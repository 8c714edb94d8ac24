/* Verdicts on pairs of made-up runs, figure by figure, and where in time their causes are. */
#include "config.h"

#include "unit.h"

#include "answers.h"

/* ---- runs ---- */

static double
outlier(unsigned task, unsigned lane)
{
	(void)lane;
	return task == 61 ? 12 : 1;
}

static double
quick_outlier(unsigned task, unsigned lane)
{
	(void)lane;
	return task == 40 ? 0.05 : 1;
}

static double
second_half(unsigned task, unsigned lane)
{
	(void)lane;
	return task >= TASKS / 2 ? 1.5 : 1;
}

static double
first_third(unsigned task, unsigned lane)
{
	return lane == 1 && task < TASKS / 2 ? 1.8 : 1;
}

static double
host(unsigned task, unsigned lane)
{
	(void)task;
	return lane < 2 ? 1.4 : 1;
}

static double
kind_on_lane(unsigned task, unsigned lane)
{
	return lane == 3 && task * 7 / 3 % KINDS == 1 ? 2 : 1;
}

static double
kind_and_lane(unsigned task, unsigned lane)
{
	return (task * 7 / 3 % KINDS == 2 ? 1.3 : 1) * (lane == 1 ? 0.7 : 1);
}

static double
all_faster(unsigned task, unsigned lane)
{
	(void)task, (void)lane;
	return 0.8;
}

static double
second_kind_slower(unsigned task, unsigned lane)
{
	(void)lane;
	return task * 7 / 3 % KINDS == 2 ? 2 : 1;
}

static int
fifth_kind(unsigned task)
{
	return task >= TASKS ? 4 : (int)(task * 7 / 3 % KINDS);
}

static int
rare_kind(unsigned task)
{
	return task % 40 == 7 ? 4 : (int)(task * 7 / 3 % KINDS);
}

static const char *
hashed_key(unsigned task, const char *name)
{
	static char keys[TASKS * 2][40];
	snprintf(keys[task], sizeof keys[task], "%s:%08xab", name, task);
	return keys[task];
}

static const char *
old_key(unsigned task)
{
	return hashed_key(task, task * 7 / 3 % KINDS == 2 ? "older" : "task");
}

static const char *
new_key(unsigned task)
{
	return hashed_key(task, task * 7 / 3 % KINDS == 2 ? "newer" : "task");
}

static const struct made_pair {
	const char *name;
	struct made_run a, b;
	const char *kind[2]; /* what kind 2 is called in either; or NULL */
	int64_t clock_ns;    /* by so much is the clock of B's host 1 ahead */
} made_pairs[] = {
    {"controller", .b = {.plan_ns = 6 * MS}},
    {"controller, faster", .a = {.plan_ns = 6 * MS}},
    {"communication", .b = {.communicate_ns = 9 * MS}},
    {"communication of a host", .b = {.far_host = 1, .far_ns = 9 * MS}},
    {"start-up", .b = {.begin_ns = 9 * MS}},
    {"an outlier", .b = {.factor = outlier}},
    {"an outlier, faster", .b = {.factor = quick_outlier}},
    {"from a time on", .b = {.factor = second_half}},
    {"a lane until a time", .b = {.factor = first_third}},
    {"a host", .b = {.factor = host}},
    {"a kind on a lane", .b = {.factor = kind_on_lane}},
    {"a kind, and a lane", .b = {.factor = kind_and_lane}},
    {"all faster", .b = {.factor = all_faster}},
    {"more work", .b = {.n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"less work", .a = {.n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"another kind here and there", .b = {.kind = rare_kind}},
    {"renamed", .a = {.key = old_key}, .b = {.key = new_key}, .kind = {NULL, "newer"}},
    {"renamed, and slower", .a = {.key = old_key},
     .b = {.key = new_key, .factor = second_kind_slower}, .kind = {NULL, "newer"}},
    {"heaped", .b = {.heaped = 3}},
    {"two lanes more", .b = {.n_lanes = 6}},
    {"a lane less", .b = {.n_lanes = 3}},
    {"a host of all lanes", .b = {.per_host = 4}},
    {"a pause", .b = {.pause_ns = 1000 * MS}},
    {"a clock ahead", .clock_ns = 80 * MS},
    {"a clock behind", .clock_ns = -80 * MS},
    {"a clock ahead, and communication", .b = {.communicate_ns = 5 * MS}, .clock_ns = 80 * MS},
    {"controller, and more work",
     .b = {.plan_ns = 6 * MS, .n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"communication, and more work",
     .b = {.communicate_ns = 9 * MS, .n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"start-up, and more work",
     .b = {.begin_ns = 9 * MS, .n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"a host, and more work", .b = {.factor = host, .n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"heaped, and more work", .b = {.heaped = 3, .n_tasks = TASKS + 12, .kind = fifth_kind}},
    {"start-up, and less work", .a = {.n_tasks = TASKS + 12, .kind = fifth_kind},
     .b = {.begin_ns = 9 * MS}},
    {"the same", .a = {0}},
    {"controller, start-up and a kind on a lane",
     .b = {.plan_ns = 5 * MS, .begin_ns = 6 * MS, .factor = kind_on_lane}},
};

START_TEST(pairs)
{
	const struct made_pair *pair = &made_pairs[_i];
	struct asked asked = {.n_a = 0};
	for (unsigned r = 0; r < 2; r++) {
		struct made_run run = r ? pair->b : pair->a;
		run.seed = 5 + r;
		struct schedule *schedule = run_of(run);
		if (pair->kind[r]) {
			schedule->kinds[2] = slice_of(pair->kind[r]);
		}
		if (r == 1 && pair->clock_ns) {
			shift_host(schedule, 2, pair->clock_ns);
		}
		if ((int)r == _i % 2) {
			turn(schedule);
		}
		add_run(&asked, r, schedule);
	}
	check_verdict(pair->name, &asked);
}
END_TEST

/* ---- tasks with inputs ---- */

static const struct sim_pair {
	const char *name;
	struct sim_params change_a, change_b; /* what is not 0 is otherwise than usual */
} sim_pairs[] = {
    {"transfers", {.link_ns = 5 * MS}, {.link_ns = 60 * MS}},
    {"transfers to a lane", {.link_ns = 8 * MS}, {.link_ns = 8 * MS, .slow_link_ns = 60 * MS}},
    {"contention",
     {.contention = 0.4, .n_lanes = 8},
     {.contention = 0.4, .n_lanes = 8, .per_host = 8}},
    {"less contention",
     {.contention = 0.4, .n_lanes = 8, .per_host = 8},
     {.contention = 0.4, .n_lanes = 8}},
    {"two causes", {.n_lanes = 4}, {.n_lanes = 3, .factor = {0, 1.8}}},
    {"against the difference", {.n_lanes = 4}, {.n_lanes = 8, .factor = {0, 0, 0, 2}}},
    {"three kinds", {.n_lanes = 4}, {.factor = {1.2, 0.8, 1.4}}},
};

/* Of one kind or two, and a mode of five transfers. */
START_TEST(few_kinds)
{
	static const struct sim_pair changes[] = {
	    {"two kinds: contention",
	     {.contention = 0.4, .n_lanes = 8},
	     {.contention = 0.4, .n_lanes = 8, .per_host = 8}},
	    {"one kind: transfers", {.link_ns = 5 * MS}, {.link_ns = 40 * MS}},
	    {"one kind: transfers whose end is not known",
	     {.link_ns = 5 * MS},
	     {.link_ns = 40 * MS}},
	};
	struct asked asked = {.n_a = 0};
	for (unsigned r = 0; r < 2; r++) {
		const struct sim_params *change = r ? &changes[_i].change_b : &changes[_i].change_a;
		struct schedule *schedule = sim_of(change, 21 + r);
		uint32_t rare = made_text(schedule, "rare");
		schedule->n_kinds = _i ? 1 : 2;
		for (size_t i = 0; i < schedule->n_items; i++) {
			schedule->items[i].kind = _i ? 0 : schedule->items[i].kind % 2;
			struct schedule_task *task = &schedule->tasks[schedule->items[i].task];
			task->enqueued_ns = task->planned_ns;
		}
		for (size_t t = 0; t < schedule->n_transfers; t++) {
			struct schedule_transfer *transfer = &schedule->transfers[t];
			transfer->mode = t % 9 == 4 && t < 45 ? rare : transfer->mode;
			if (_i == 2) {
				transfer->finished_ns = SCHEDULE_NO_TIME;
			}
		}
		add_run(&asked, r, schedule);
	}
	check_verdict(changes[_i].name, &asked);
}
END_TEST

START_TEST(simulated)
{
	const struct sim_pair *pair = &sim_pairs[_i];
	struct asked asked = {.n_a = 0};
	add_run(&asked, 0, sim_of(&pair->change_a, 21));
	add_run(&asked, 1, sim_of(&pair->change_b, 22));
	turn(asked.runs[_i % 2 * RUNS_MAX].schedule);
	check_verdict(pair->name, &asked);
}
END_TEST

/* ---- spans ---- */

START_TEST(spans)
{
	static const char *const names[] = {
	    "spans: interference", "spans: barriers", "spans: a lane less",
	    "spans: more of them", "spans: the same", "spans: interference to the end"};
	struct asked asked = {.n_a = 0};
	for (unsigned r = 0; r < 2; r++) {
		struct schedule *schedule = _i == 0 || _i == 5 ? steps(3 + r, r ? 0.6 : 0)
		                            : _i == 1          ? barriers(8 + r, r ? 1.4 : 1)
		                            : _i == 2          ? dealt_spans(3 + r, TASKS, 0, 4 - r)
		                            : _i == 3
		                                ? dealt_spans(3 + r, TASKS + 20 * r, 50 + 20 * r, 2)
		                                : barriers(8 + r, 1);
		if (_i == 0 || _i == 5) {
			as_spans(schedule);
		}
		if (_i == 5) { /* the last flush does not outlast the steps */
			schedule->n_items--;
			schedule->lanes[1].n--;
			schedule->end_ns = schedule->items[schedule->lanes[0].n - 1].end_ns;
		}
		if (r == 1) {
			turn(schedule);
		}
		add_run(&asked, r, schedule);
	}
	check_verdict(names[_i], &asked);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_answers");
	TCase *tcase = tcase_create("answers");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, pairs, 0, COUNT_OF(made_pairs));
	tcase_add_loop_test(tcase, simulated, 0, COUNT_OF(sim_pairs));
	tcase_add_loop_test(tcase, few_kinds, 0, 3);
	tcase_add_loop_test(tcase, spans, 0, 6);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
