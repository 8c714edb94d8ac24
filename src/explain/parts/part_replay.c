/*
 * Parts `replay` and `what-if`: what would have been.
 *
 * Both runs are replayed as list schedules (replay_observe.c, replay_simulate.c) with each factor
 * taken from A or from B: 32 replays for five factors. Which of two factors is swapped first
 * matters, as they interact (longer tasks cost more where fewer lanes work off the list), so a
 * factor's row is its average over all orders of swapping them, the Shapley value; the rows then
 * add up to the difference of the replayed makespans. What the replay of a run as it was misses of
 * its makespan is the residual.
 *
 * A replay keeps placement, order and delays as they were. A real scheduler would react, and list
 * schedules know anomalies (shorter tasks may make a run longer), so this is a model's answer, not
 * a promise.
 */
#include "config.h"
#include "explain/parts/replay.h"

#include <stdio.h>
#include <stdlib.h>

#include "explain/parts/parts.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"

/* A factor stands out if it makes this much of the longer makespan. */
#define STANDS_OUT 0.02

static void
note_rules(struct result *result, const char *name, const struct replay_rules *rules)
{
	char reaction[FORMAT_BYTES];
	const char *when = rules->n_transfers == 0 ? ""
	                   : rules->is_prefetching ? ", which begin before their task is ready"
	                                           : ", which begin once their task is ready";
	result_add_note(result, "%s: %zu inputs known, %zu of them by transfers%s", name,
	                rules->n_edges, rules->n_transfers, when);
	if (rules->is_reacting) {
		result_add_note(
		    result,
		    "%s: planned times follow the end of some task by %s (median), so they move "
		    "with it; %zu tasks wait for an end that no input explains",
		    name, format_duration(reaction, rules->reaction_ns), rules->n_triggered);
	} else if (rules->n_released > 0) {
		result_add_note(result, "%s: %zu tasks start no earlier than planned", name,
		                rules->n_released);
	}
}

static void
note_outstanding(struct result *result, const struct replay_effect *effects, int64_t makespan_ns)
{
	unsigned most = 0;
	for (unsigned i = 1; i < REPLAY_FACTORS; i++) {
		most = llabs(effects[i].mean) > llabs(effects[most].mean) ? i : most;
	}
	const struct replay_effect *effect = &effects[most];
	char mean[FORMAT_BYTES], low[FORMAT_BYTES], high[FORMAT_BYTES];
	format_duration(mean, effect->mean);
	format_duration(low, effect->low);
	format_duration(high, effect->high);
	bool is_small = (double)llabs(effect->mean) < STANDS_OUT * (double)makespan_ns;
	if (is_small) {
		result_add_note(
		    result,
		    "no factor stands out: the largest, %s, makes %s, below %g %% of the makespan",
		    replay_factor_name((enum replay_factor)most), mean, STANDS_OUT * 100);
	} else {
		result_add_note(
		    result,
		    "the largest factor, %s, makes %s (%s to %s, by what else is swapped first)",
		    replay_factor_name((enum replay_factor)most), mean, low, high);
	}
}

static int
replay_all(struct explain *explain, const struct schedule *a, const struct schedule *b,
           const struct matching *matching, int64_t *values, struct replay_rules *rules,
           struct err *err)
{
	struct replay *replay = replay_new(a, b, matching, explain->cancel, err);
	if (!replay) {
		return -1;
	}
	unsigned sets[REPLAY_SETS];
	for (unsigned set = 0; set < REPLAY_SETS; set++) {
		sets[set] = set;
	}
	rules[0] = *replay_rules(replay, 0);
	rules[1] = *replay_rules(replay, 1);
	int status = replay_run(replay, sets, REPLAY_SETS, values, explain->cancel, err);
	replay_free(replay);
	return status;
}

static struct result *
compute_replay(struct explain *explain, const char *const *arguments, struct err *err)
{
	(void)arguments;
	const struct schedule *a = explain_schedule(explain, explain->a, err);
	const struct schedule *b = a ? explain_schedule(explain, explain->b, err) : NULL;
	const struct matching *matching = b ? explain_matching(explain, err) : NULL;
	int64_t values[REPLAY_SETS];
	struct replay_rules rules[2];
	if (!matching || replay_all(explain, a, b, matching, values, rules, err)) {
		return NULL;
	}
	struct replay_effect effects[REPLAY_FACTORS];
	replay_shapley(values, REPLAY_FACTORS, effects);
	const char *label_name = "factor", *as_was = "as A was";
	struct explain_rows *rows = explain_rows_new(&label_name, 1);
	explain_rows_add(rows, &as_was, values[0], values[0]);
	for (unsigned i = 0; i < REPLAY_FACTORS; i++) {
		const char *label = replay_factor_name((enum replay_factor)i);
		explain_rows_add(rows, &label, 0, effects[i].mean);
	}
	int64_t makespan_a = explain_makespan_ns(a), makespan_b = explain_makespan_ns(b);
	struct result *result = explain_rows_makespan(
	    rows, explain, "Makespan by replay: one factor after another from A to B", 0);
	const char *name_a = explain->a->name, *name_b = explain->b->name;
	matching_note(matching, a->is_tasks && b->is_tasks ? "tasks" : "spans", name_a, name_b,
	              result);
	note_rules(result, name_a, &rules[0]);
	note_rules(result, name_b, &rules[1]);
	note_outstanding(result, effects, MOST(makespan_a, makespan_b));
	return result;
}

const struct explain_part explain_replay = {
    .name = "replay",
    .title = "Makespan by replay: one factor after another from A to B",
    .about = "Both runs are simulated again as list schedules from their inputs, placement, order, "
	     "release times and delays, with one factor after another taken from B instead of A: "
	     "task set, durations, transfer "
	     "times, dispatch delays, placement with the number of lanes. A row is the average "
	     "over all orders (Shapley value), so "
	     "that rows add up; what the replay of the runs as they were misses is the residual. "
	     "Tasks are "
	     "matched between the runs. The only part that asks what would have been, and only "
	     "within the model: "
	     "placement, order and delays stay as they were, where a scheduler would react, and "
	     "list schedules "
	     "have anomalies (Graham 1969).",
    .adds_up = true,
    .needs = "spans",
    .compute = compute_replay,
};
