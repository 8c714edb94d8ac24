/* Answers about groups of made-up runs, figure by figure. */
#include "config.h"

#include "unit.h"

#include "answers.h"

static const struct group_case {
	const char *name;
	size_t n_a, n_b;
	struct sim_params change_b;
	bool are_spans;
} group_cases[] = {
    {"groups: a kind", 3, 2, {.factor = {0, 0, 1.5}}, false},
    {"groups: a kind of spans", 2, 4, {.factor = {0, 0, 1.5}}, true},
    {"groups: the same", 3, 3, {.n_lanes = 0}, false},
    {"groups: lanes", 2, 3, {.n_lanes = 5}, false},
    {"groups: transfers", 3, 2, {.link_ns = 40 * MS}, false},
    {"groups: one run and three", 1, 3, {.factor = {1.3}}, false},
    {"groups: contention", 2, 2, {.per_host = 4}, false},
};

static struct asked
groups_of(const struct group_case *group)
{
	struct asked asked = {.n_a = 0};
	for (unsigned side = 0; side < 2; side++) {
		for (size_t k = 0; k < (side ? group->n_b : group->n_a); k++) {
			struct sim_params change = side ? group->change_b : (struct sim_params){0};
			change.link_ns = change.link_ns ? change.link_ns : 6 * MS;
			change.contention = 0.2;
			change.factor[3] = 0.98 + 0.02 * (double)((k * 2 + side) % 3);
			struct schedule *schedule = sim_of(&change, 50 + 10 * side + k);
			if (group->are_spans) {
				as_spans(schedule);
			}
			if (side == 1 && k == 1) {
				turn(schedule);
			}
			add_run(&asked, side, schedule);
		}
	}
	return asked;
}

START_TEST(groups)
{
	struct asked asked = groups_of(&group_cases[_i]);
	check_verdict(group_cases[_i].name, &asked);
}
END_TEST

/* ---- tasks that a controller plans ---- */

static double
host(unsigned task, unsigned lane)
{
	(void)task;
	return lane < 2 ? 1.4 : 1;
}

static double
second_half(unsigned task, unsigned lane)
{
	(void)lane;
	return task >= TASKS / 2 ? 1.5 : 1;
}

static double
kind_on_lane(unsigned task, unsigned lane)
{
	return lane == 3 && task * 7 / 3 % KINDS == 1 ? 2 : 1;
}

static double
outlier(unsigned task, unsigned lane)
{
	(void)lane;
	return task == 61 ? 12 : 1;
}

static int
fifth_kind(unsigned task)
{
	return task >= TASKS - 6 ? 4 : (int)(task * 7 / 3 % KINDS);
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

static const struct made_group {
	const char *name;
	size_t n_a, n_b;
	struct made_run a, b;
	unsigned more_a, more_b; /* tasks of each run than of the one before */
	unsigned lanes_a, lanes_b;
	int64_t clock_ns; /* by so much is the clock of host 1 ahead in the runs of B */
} made_groups[] = {
    {"groups: a host", 3, 3, .b = {.factor = host}},
    {"groups: from a time on", 2, 3, .b = {.factor = second_half}},
    {"groups: a kind on a lane", 3, 2, .b = {.factor = kind_on_lane}},
    {"groups: an outlier", 4, 3, .b = {.factor = outlier}},
    {"groups: controller", 2, 2, .b = {.plan_ns = 6 * MS}},
    {"groups: communication of a host", 3, 3, .b = {.far_host = 1, .far_ns = 9 * MS}},
    {"groups: start-up", 1, 3, .b = {.begin_ns = 9 * MS}},
    {"groups: more work", 3, 3, .a = {.n_tasks = TASKS - 6, .kind = fifth_kind},
     .b = {.n_tasks = TASKS, .kind = fifth_kind}, .more_b = 2},
    {"groups: more work or not", 3, 3, .a = {.n_tasks = TASKS, .kind = fifth_kind},
     .b = {.n_tasks = TASKS, .kind = fifth_kind}, .more_a = 2, .more_b = 3},
    {"groups: less work", 3, 3, .a = {.n_tasks = TASKS + 8, .kind = fifth_kind},
     .b = {.n_tasks = TASKS - 6, .kind = fifth_kind}, .more_a = 1},
    {"groups: lanes or not", 3, 3, .lanes_a = 1, .lanes_b = 1},
    {"groups: ever more lanes", 3, 2, .b = {.n_lanes = 7}, .lanes_b = 1},
    {"groups: a heap", 3, 3, .b = {.heaped = 3}},
    {"groups: a clock", 3, 2, .clock_ns = 80 * MS},
    {"groups: renamed", 2, 3, .a = {.key = old_key}, .b = {.key = new_key}},
    {"groups: noise", 3, 4, .b = {.noise = 0.2}},
};

static struct asked
made_groups_of(const struct made_group *group)
{
	struct asked asked = {.n_a = 0};
	for (unsigned side = 0; side < 2; side++) {
		for (size_t k = 0; k < (side ? group->n_b : group->n_a); k++) {
			struct made_run run = side ? group->b : group->a;
			unsigned more = (unsigned)k * (side ? group->more_b : group->more_a);
			unsigned lanes = (unsigned)k * (side ? group->lanes_b : group->lanes_a);
			run.seed = 100 + 10 * side + k;
			run.n_tasks =
			    more ? (run.n_tasks ? run.n_tasks : TASKS) + more : run.n_tasks;
			run.n_lanes = lanes ? (run.n_lanes ? run.n_lanes : 4) + lanes : run.n_lanes;
			struct schedule *schedule = run_of(run);
			if (side == 1 && run.key) {
				schedule->kinds[2] = slice_of("newer");
			}
			if (side == 1 && group->clock_ns) {
				shift_host(schedule, 2, group->clock_ns);
			}
			if (k % 2) {
				turn(schedule);
			}
			add_run(&asked, side, schedule);
		}
	}
	return asked;
}

START_TEST(planned)
{
	struct asked asked = made_groups_of(&made_groups[_i]);
	check_verdict(made_groups[_i].name, &asked);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_answers_groups");
	TCase *tcase = tcase_create("groups");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, groups, 0, COUNT_OF(group_cases));
	tcase_add_loop_test(tcase, planned, 0, COUNT_OF(made_groups));
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
