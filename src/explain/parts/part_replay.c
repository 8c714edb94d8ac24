/*
 * Part `replay`: what would have been, had A had this or that of B.
 *
 * A model of a scheduler (rerun.c) is run with each factor taken from A or from B: 32 times for
 * five factors. Which of two factors is swapped first matters, as they interact (longer tasks cost
 * more where fewer lanes work off the list), so a factor's row is its average over all orders of
 * swapping them, the Shapley value. What the model of a run as it was misses of its makespan is
 * what the real scheduler placed worse than a list scheduler, and the model's error: the row
 * `placement`, which is measured, not left over.
 *
 * A model that is right about A and about B may still be wrong about what made the one the other.
 * So it has to predict: A with all that was measured of B put in, against what B took. Where that
 * misses, and the model errs by as much as factors make or these cancel, rows would be made up, and
 * there are none.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "explain/model/shapley.h"
#include "explain/parts/parts.h"
#include "explain/parts/rerun.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define STANDS_OUT 0.02     /* of the longer makespan: a factor that is told */
#define RERUNS 7            /* of each set of factors */
#define RERUN_ITEMS 8000000 /* in all reruns */
#define JITTER 0.03         /* of durations: schedules jump, a middle of several does less */
#define POOR 0.05 /* of the longer makespan: a prediction that is worse has to explain itself */
#define CANCEL 10 /* times the difference: factors that make as much either way cancel */

enum factor {
	FACTOR_TASKS,
	FACTOR_DURATIONS,
	FACTOR_TRANSFERS,
	FACTOR_DELAYS,
	FACTOR_LANES,
	FACTORS
};
#define SETS (1u << FACTORS)
#define VALUES_OF_B (SETS - 1 - (1u << FACTOR_TASKS)) /* what can be put into A */
static const char *const factor_names[FACTORS] = {"task set and order", "durations", "transfers",
                                                  "delays", "number of lanes"};

struct model {
	struct replay *replay;
	struct rerun *rerun[2];
	int64_t *duration_ns[2], *dispatch_ns[2]; /* by unit */
	bool reacts;
	size_t n_reruns;
};

static void
model_fini(struct model *model)
{
	for (unsigned r = 0; r < 2; r++) {
		rerun_free(model->rerun[r]);
		free(model->duration_ns[r]);
		free(model->dispatch_ns[r]);
	}
	replay_free(model->replay);
}

static int
model_init(struct model *model, struct explain *explain, const struct schedule *const run[2],
           const struct matching *matching, struct err *err)
{
	model->replay = replay_new(run[0], run[1], matching, explain->cancel, err);
	if (!model->replay) {
		return -1;
	}
	for (unsigned r = 0; r < 2; r++) {
		model->rerun[r] = rerun_new(model->replay, r);
		MEM_NEW(model->duration_ns[r], rerun_units(model->rerun[r]));
		MEM_NEW(model->dispatch_ns[r], rerun_units(model->rerun[r]));
		rerun_observed(model->rerun[r], model->duration_ns[r], model->dispatch_ns[r]);
	}
	size_t budget = RERUN_ITEMS / SETS / (rerun_units(model->rerun[0]) + 1);
	model->n_reruns = budget < 1 || !model->reacts ? 1 : LEAST(budget, RERUNS);
	return 0;
}

/* ---- what would have been ---- */

struct outcome {
	int64_t makespan_ns[2], values[SETS], placement_ns, predicted_ns;
	struct shapley_effect effects[FACTORS];
	unsigned largest, factors; /* in which the runs differ at all */
	bool reacts, same_tasks;
};

static unsigned
side_of(unsigned set, enum factor factor)
{
	return set >> factor & 1;
}

static int64_t
makespan_of(struct model *model, unsigned set)
{
	unsigned tasks = side_of(set, FACTOR_TASKS);
	struct rerun_change change = {
	    RERUN_AS_WAS,
	    .duration_ns = model->duration_ns[side_of(set, FACTOR_DURATIONS)],
	    .dispatch_ns = model->dispatch_ns[side_of(set, FACTOR_DELAYS)],
	    .moves = model->rerun[side_of(set, FACTOR_TRANSFERS)],
	    .waits = model->rerun[side_of(set, FACTOR_DELAYS)],
	    .n_slots = model->reacts ? rerun_slots(model->rerun[side_of(set, FACTOR_LANES)]) : 0,
	    .reacts = model->reacts,
	};
	double sum = 0;
	for (size_t s = 0; s < model->n_reruns; s++) {
		change.jitter = s == 0 ? 0 : JITTER;
		change.seed = s;
		sum += (double)rerun_makespan_ns(model->rerun[tasks], &change);
	}
	return llround(sum / (double)model->n_reruns);
}

/* Factors of which the runs have the same add nothing. */
static unsigned
differing(const struct model *model)
{
	unsigned factors = SETS - 1, lanes = 1u << FACTOR_LANES, moves = 1u << FACTOR_TRANSFERS;
	bool same_lanes = rerun_slots(model->rerun[0]) == rerun_slots(model->rerun[1]);
	factors -= !model->reacts || same_lanes ? lanes : 0;
	factors -= replay_rules(model->replay, 0)->n_transfers == 0 &&
	                   replay_rules(model->replay, 1)->n_transfers == 0
	               ? moves
	               : 0;
	return factors;
}

static int
run_all(struct model *model, struct outcome *outcome, const struct cancel *cancel, struct err *err)
{
	unsigned factors = outcome->factors = differing(model);
	outcome->reacts = model->reacts;
	int64_t *values = outcome->values;
	for (unsigned set = 0; set < SETS; set++) {
		if (cancel_requested(cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		values[set] =
		    (set & factors) == set ? makespan_of(model, set) : values[set & factors];
	}
	return 0;
}

/* ---- the answer ---- */

static void
judge(struct outcome *outcome)
{
	const int64_t *ns = outcome->makespan_ns, *values = outcome->values;
	shapley_effects(values, FACTORS, outcome->effects);
	outcome->placement_ns =
	    time_sub(time_sub(ns[1], values[SETS - 1]), time_sub(ns[0], values[0]));
	outcome->predicted_ns = time_add(ns[0], time_sub(values[VALUES_OF_B], values[0]));
	if (outcome->same_tasks) { /* another order of the same is placement, too */
		struct shapley_effect *order = &outcome->effects[FACTOR_TASKS];
		time_raise(&order->mean, outcome->placement_ns);
		time_raise(&order->low, outcome->placement_ns);
		time_raise(&order->high, outcome->placement_ns);
		outcome->placement_ns = 0;
	}
	for (unsigned f = 1; f < FACTORS; f++) {
		bool is_larger = llabs(outcome->effects[f].mean) >
		                 llabs(outcome->effects[outcome->largest].mean);
		outcome->largest = is_larger ? f : outcome->largest;
	}
}

/* Why rows would be made up; NULL: they would not. A real scheduler may place worse than the model,
 * which is a factor; where it seems to place better, the model errs. */
static const char *
find_fault(const struct outcome *outcome)
{
	const int64_t *ns = outcome->makespan_ns, *values = outcome->values;
	double longer = (double)MOST(ns[0], ns[1]), delta = fabs((double)(ns[1] - ns[0]));
	double missed = fabs((double)(outcome->predicted_ns - ns[1]));
	double slow_a = (double)(values[0] - ns[0]), slow_b = (double)(values[SETS - 1] - ns[1]);
	double error = MOST(slow_a, 0) + MOST(slow_b, 0);
	double largest = fabs((double)outcome->placement_ns), all = largest;
	for (unsigned f = 0; f < FACTORS; f++) {
		double ns_of = fabs((double)outcome->effects[f].mean);
		largest = MOST(ns_of, largest);
		all += ns_of;
	}
	return missed < POOR * longer || all < POOR * longer ? NULL
	       : error > largest / 2  ? "the model errs by more than half of what any factor makes"
	       : all > CANCEL * delta ? "they cancel each other, and the prediction misses"
	                              : NULL;
}

static const char *
name_of(const struct outcome *outcome, unsigned factor)
{
	return factor == FACTOR_TASKS && outcome->same_tasks ? "order and placement"
	                                                     : factor_names[factor];
}

static void
add_rows(struct explain_rows *rows, const struct outcome *outcome, const char *fault)
{
	const char *as_was = "as A was", *label = "not told apart";
	explain_rows_add(rows, &as_was, outcome->makespan_ns[0], outcome->makespan_ns[0]);
	if (fault) {
		explain_rows_add(rows, &label, 0,
		                 time_sub(outcome->makespan_ns[1], outcome->makespan_ns[0]));
		return;
	}
	for (unsigned f = 0; f < FACTORS; f++) {
		if (outcome->factors >> f & 1) {
			label = name_of(outcome, f);
			explain_rows_add(rows, &label, 0, outcome->effects[f].mean);
		}
	}
	if (outcome->reacts && !outcome->same_tasks) { /* else it is part of the order */
		label = "placement";
		explain_rows_add(rows, &label, 0, outcome->placement_ns);
	}
}

static void
note_prediction(struct result *result, const struct explain *explain, const struct outcome *outcome,
                const char *fault)
{
	char predicted[FORMAT_BYTES], took[FORMAT_BYTES], by[FORMAT_BYTES];
	const int64_t *ns = outcome->makespan_ns;
	double missed = fabs((double)(outcome->predicted_ns - ns[1])) / (double)MOST(ns[1], 1);
	result_add_note(
	    result,
	    "prediction: %s with durations, transfers, delays and lanes as measured in %s "
	    "takes %s; %s took %s: the prediction misses by %s",
	    explain->a->name, explain->b->name, format_duration(predicted, outcome->predicted_ns),
	    explain->b->name, format_duration(took, ns[1]), format_percent(by, missed));
	if (fault) {
		result_add_note(result, "no factors are told: %s", fault);
	}
}

static void
note_largest(struct result *result, const struct outcome *outcome)
{
	const struct shapley_effect *effect = &outcome->effects[outcome->largest];
	const int64_t *ns = outcome->makespan_ns;
	const char *name = name_of(outcome, outcome->largest);
	char mean[FORMAT_BYTES], low[FORMAT_BYTES], high[FORMAT_BYTES];
	format_duration(mean, effect->mean);
	format_duration(low, effect->low);
	format_duration(high, effect->high);
	if ((double)llabs(effect->mean) < STANDS_OUT * (double)MOST(ns[0], ns[1])) {
		result_add_note(
		    result,
		    "no factor stands out: the largest, %s, makes %s, below %g %% of the makespan",
		    name, mean, STANDS_OUT * 100);
	} else {
		result_add_note(
		    result,
		    "the largest factor, %s, makes %s (%s to %s, by what else is swapped first)",
		    name, mean, low, high);
	}
}

static void
note_run(struct result *result, const struct explain_run *run, const struct model *model,
         unsigned r, const struct outcome *outcome)
{
	struct rerun_least least = rerun_least(model->rerun[r]);
	struct rerun_change fixed = {RERUN_AS_WAS};
	char chain[FORMAT_BYTES], work[FORMAT_BYTES], as_was[FORMAT_BYTES], placed[FORMAT_BYTES];
	result_add_note(result,
	                "%s: at least %s by its longest chain of dependencies, %s by its work over "
	                "its lanes; the model makes %s of it as it was, %s on the lanes and in the "
	                "order that it had",
	                run->name, format_duration(chain, least.chain_ns),
	                format_duration(work, least.work_ns),
	                format_duration(as_was, outcome->values[r ? SETS - 1 : 0]),
	                format_duration(placed, rerun_makespan_ns(model->rerun[r], &fixed)));
}

/* All is a factor or placement: a residual of 0 would be so by construction. */
static void
drop_residual(struct result *result)
{
	size_t at = result->n_rows - 2;
	const struct value *delta = result_value(result, at, 3);
	if (delta->type == VALUE_INTEGER && delta->integer == 0) {
		memcpy(result_value(result, at, 0), result_value(result, at + 1, 0),
		       result->n_columns * sizeof(struct value));
		result->n_rows--;
	}
}

static struct result *
make_result(const struct explain *explain, const struct model *model,
            const struct matching *matching, const struct outcome *outcome)
{
	const char *label_name = "factor", *fault = find_fault(outcome);
	struct explain_rows *rows = explain_rows_new(&label_name, 1);
	add_rows(rows, outcome, fault);
	struct result *result = explain_rows_makespan(
	    rows, explain, "Makespan by replay: one factor after another from A to B", 0);
	drop_residual(result);
	matching_note(matching, explain->a->schedule->is_tasks ? "tasks" : "spans",
	              explain->a->name, explain->b->name, result);
	note_prediction(result, explain, outcome, fault);
	if (!fault) {
		note_largest(result, outcome);
	}
	note_run(result, explain->a, model, 0, outcome);
	note_run(result, explain->b, model, 1, outcome);
	return result;
}

/* -1: neither. */
static int
parse_mode(const char *text, bool is_tasks, bool *reacts, struct err *err)
{
	*reacts = text[0] ? strcmp(text, "anew") == 0 : is_tasks;
	return !text[0] || *reacts || strcmp(text, "fixed") == 0
	           ? 0
	           : err_set(err, ERR_USAGE, "placement '%s': give anew or fixed", text);
}

static struct result *
compute_replay(struct explain *explain, const char *const *arguments, struct err *err)
{
	const struct schedule *run[2];
	const struct matching *matching = explain_matching(explain, err);
	struct model model = {0};
	struct outcome outcome = {0};
	struct result *result = NULL;
	if (!matching || explain_schedules(explain, &run[0], &run[1], err) ||
	    parse_mode(arguments[0], run[0]->is_tasks && run[1]->is_tasks, &model.reacts, err)) {
		return NULL;
	}
	if (model_init(&model, explain, run, matching, err) == 0 &&
	    run_all(&model, &outcome, explain->cancel, err) == 0) {
		outcome.makespan_ns[0] = explain_ran_ns(run[0]);
		outcome.makespan_ns[1] = explain_ran_ns(run[1]);
		outcome.same_tasks =
		    matching->n_pairs == matching->n_a && matching->n_a == matching->n_b;
		judge(&outcome);
		result = make_result(explain, &model, matching, &outcome);
	}
	model_fini(&model);
	return result;
}

static const struct query_param params[] = {
    {"placement", "", "anew or fixed (else anew for tasks, fixed for spans)", KIND_TEXT, NULL},
};

const struct explain_part explain_replay = {
    .name = "replay",
    .title = "Makespan by replay: one factor after another from A to B",
    .about =
	"A model of the scheduler is run with one factor after another taken from B instead of "
	"A: task set and order, durations, transfers, delays (of the controller and of "
	"planning: from when a task could start until it does) and number of lanes. It "
	"decides placement again: what is ready goes to a lane that is free, in the order of "
	"the run; with placement=fixed lanes and order stay. A row is the average over all "
	"orders (Shapley value), so that rows add up; placement is what the runs take beside "
	"what the model makes of them as they were. A note says how well the model predicts: "
	"A with the measured values of B put in, against B; where that misses too far, or "
	"factors cancel, none are told. Another says what no schedule falls below: the "
	"longest chain of dependencies, and work over lanes. List schedules have anomalies "
	"(Graham 1969).",
    EXPLAIN_PARAMS(params),
    .adds_up = true,
    .needs = "spans",
    .compute = compute_replay,
};
