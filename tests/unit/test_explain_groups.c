/* The verdict on groups of simulated runs, which are noisy of their own and as a whole. */
#include "config.h"

#include "unit.h"

#include "causes_fixture.h"

#define RUNS_MAX 4

struct group {
	struct explain_run runs[RUNS_MAX];
	size_t n;
};

static struct sim_params
usual(uint64_t graph, uint64_t seed)
{
	return (struct sim_params){.n_tasks = 120,
	                           .n_lanes = 4,
	                           .per_host = 2,
	                           .graph_seed = graph,
	                           .noise_seed = seed,
	                           .noise = 0.04,
	                           .is_linked = true,
	                           .edge_share = 60};
}

/* n runs of a graph; of each, kinds are slow or fast by up to `spread`, and kind 2 by `factor`. */
static struct group
make_group(size_t n, uint64_t graph, uint64_t seed, double spread, double factor)
{
	struct group group = {.n = n};
	struct prng prng = {seed * 77 + 1};
	for (size_t k = 0; k < n; k++) {
		struct sim_params params = usual(graph, seed * 10 + k);
		for (int kind = 0; kind < SIM_KINDS; kind++) {
			params.factor[kind] = 1 + spread * (2 * sim_uniform(&prng) - 1);
		}
		params.factor[2] *= factor;
		group.runs[k] = (struct explain_run){.name = "run", .schedule = sim_run(&params)};
	}
	return group;
}

static void
free_group(struct group *group)
{
	for (size_t k = 0; k < group->n; k++) {
		matching_free(group->runs[k].matching);
		arena_free(group->runs[k].schedule->arena);
	}
}

static struct result *
compare(struct group *a, struct group *b)
{
	struct explain explain = {.a = a->runs, .b = b->runs, .n_a = a->n, .n_b = b->n};
	struct err err = ERR_INIT;
	struct result *result = explain_causes.compute(&explain, NULL, &err);
	ck_assert_msg(result != NULL, "%s", err.message);
	return result;
}

static double
mean_makespan(const struct group *group)
{
	double mean = 0;
	for (size_t k = 0; k < group->n; k++) {
		const struct schedule *run = group->runs[k].schedule;
		mean += (double)(run->end_ns - run->start_ns) / (double)group->n;
	}
	return mean;
}

START_TEST(a_kind)
{
	size_t n_a = _i % 3 == 0 ? 1 : 3, n_b = _i % 3 == 1 ? 2 : 4;
	uint64_t graph = 10 + (uint64_t)_i;
	struct group a = make_group(n_a, graph, 1, 0.02, 1);
	struct group b = make_group(n_b, graph, 2, 0.02, 1.5);
	struct group without = make_group(n_b, graph, 2, 0.02, 1);
	struct result *result = compare(&a, &b);
	char slice[80], note[400];
	double truth = mean_makespan(&b) - mean_makespan(&without);
	told_text(result, 0, "slice", slice, sizeof slice);
	ck_assert_str_eq(slice, "kind='kind 2'");
	ck_assert_double_le(made_number(result, 0, "makespan_low"), truth);
	ck_assert_double_ge(made_number(result, 0, "makespan_high"), truth);
	snprintf(note, sizeof note, "%s", result->notes[0]);
	ck_assert_msg(strstr(note, "(means ") != NULL, "%s", note);
	result_free(result);
	free_group(&a);
	free_group(&b);
	free_group(&without);
}
END_TEST

/* Two runs alone would be told apart, most of them. */
START_TEST(what_runs_differ_by_is_no_cause)
{
	unsigned n_named = 0, n_of_pairs = 0;
	for (uint64_t seed = 1; seed <= 30; seed++) {
		struct group a = make_group(2 + seed % 3, seed, 100 + seed, 0.06, 1);
		struct group b = make_group(2 + seed / 3 % 3, seed, 200 + seed, 0.06, 1);
		char cause[40];
		struct result *result = compare(&a, &b);
		told_text(result, 0, "cause", cause, sizeof cause);
		n_named += strcmp(cause, "same") != 0;
		result_free(result);
		result =
		    made_explain(&explain_causes, a.runs[0].schedule, b.runs[0].schedule, NULL);
		told_text(result, 0, "cause", cause, sizeof cause);
		n_of_pairs += strcmp(cause, "same") != 0;
		result_free(result);
		free_group(&a);
		free_group(&b);
	}
	printf("# named: %u of groups, %u of their first runs\n", n_named, n_of_pairs);
	ck_assert_uint_le(n_named, 1);
	ck_assert_uint_ge(n_of_pairs, 10);
}
END_TEST

/* A run whose last task of a lane hangs says nothing of its group; all of them do. */
static void
hang(struct schedule *run)
{
	struct schedule_item *last = &run->items[0];
	for (size_t i = 1; i < run->n_items; i++) {
		last = run->items[i].task == 7 ? &run->items[i] : last;
	}
	last->end_ns += 40 * (last->end_ns - last->start_ns);
	run->end_ns = run->end_ns > last->end_ns ? run->end_ns : last->end_ns;
}

START_TEST(one_task)
{
	struct group a = make_group(4, 31, 300, 0, 1), b = make_group(4, 31, 400, 0, 1);
	for (size_t k = 0; k < (_i ? b.n : 1); k++) {
		hang(b.runs[k].schedule);
	}
	char slice[120];
	struct result *result = compare(&a, &b);
	bool is_named = false;
	for (size_t r = 0; r < result->n_rows; r++) {
		told_text(result, r, "slice", slice, sizeof slice);
		if (strstr(slice, "task=") == slice) {
			told_text(result, r, "lane_name", slice, sizeof slice);
			ck_assert_str_ne(slice, "");
			is_named = true;
		}
	}
	ck_assert_int_eq(is_named, _i);
	result_free(result);
	free_group(&a);
	free_group(&b);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("explain_groups");
	TCase *tcase = tcase_create("groups");
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, a_kind, 0, 6);
	tcase_add_test(tcase, what_runs_differ_by_is_no_cause);
	tcase_add_loop_test(tcase, one_task, 0, 2);
	suite_add_tcase(suite, tcase);
	return unit_run(suite);
}
