/*
 * Part `causes`, the verdict: from two runs to a ranked list. Finders look for causes of each sort,
 * reruns say what each makes of the makespan, and what is found is ordered by that. The first note
 * is the answer in one sentence.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "explain/parts/parts.h"
#include "explain/verdict/cause.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

static const struct result_column columns[] = {
    COLUMN("rank", KIND_COUNT, "1: the largest"),
    COLUMN_KEY("cause", "what sort of cause it is"),
    COLUMN_KEY("slice", "which part of the runs it is in"),
    COLUMN_MEASURE("makespan", KIND_DURATION, "what it adds to B's makespan"),
    COLUMN("makespan_low", KIND_DURATION, "lower end of the range of that, nine of ten"),
    COLUMN("makespan_high", KIND_DURATION, "upper end"),
    COLUMN_MEASURE("lane_time", KIND_DURATION, "what it adds to the time of tasks"),
    COLUMN("lane_time_low", KIND_DURATION, "lower end of the range of that, nine of ten"),
    COLUMN("lane_time_high", KIND_DURATION, "upper end"),
    COLUMN("chance", KIND_REAL, "how often noise alone would name such a cause"),
    COLUMN("against", KIND_TEXT, "what speaks against it"),
    COLUMN("sentence", KIND_TEXT, "the cause in words"),
    COLUMN("look", KIND_TEXT, "the part of explain that shows it"),
    COLUMN("lane_name", KIND_TEXT, "the lane on which B shows it most"),
    COLUMN("lane", KIND_INTEGER, "lane.id of that in B's run file"),
    COLUMN("start", KIND_TIME, "from when on; part intervals has all stretches"),
    COLUMN("end", KIND_TIME, "until when"),
};

static int64_t
size_of(const struct cause *cause)
{
	int64_t makespan = cause->makespan.is_known ? llabs(cause->makespan.ns) : 0;
	return makespan;
}

/* The largest effect on the makespan first; where there is none, the most time of tasks. */
static int
compare_causes(const void *a, const void *b)
{
	const struct cause *x = a, *y = b;
	ORDER_BY(size_of(y), size_of(x));
	ORDER_BY(llabs(y->lane_time.ns), llabs(x->lane_time.ns));
	ORDER_BY(x->type, y->type);
	return ORDER(x->kind, y->kind);
}

static struct value
known(const struct amount *amount, int64_t ns)
{
	return amount->is_known ? value_integer(ns) : (struct value){.type = VALUE_NULL};
}

static struct value
text_or_null(struct result *result, const char *text)
{
	return text ? value_word(result, text) : (struct value){.type = VALUE_NULL};
}

#define CAUSES_TOLD 7

/* Where B shows a cause most. */
static void
keep_largest(void *user, const struct place *place)
{
	struct place *largest = user;
	bool is_larger = llabs(place->more_ns) > llabs(largest->more_ns);
	if (place->run == 1 && (largest->lane == SCHEDULE_NONE || is_larger)) {
		*largest = *place;
	}
}

static void
add_place(struct result *result, const struct comparison *comparison, const struct cause *cause,
          struct value place[4])
{
	struct place largest = {.lane = SCHEDULE_NONE};
	const struct place_taker taker = {&largest, keep_largest};
	causes_places(comparison, cause, &taker);
	for (int c = 0; c < 4; c++) {
		place[c] = (struct value){.type = VALUE_NULL};
	}
	if (largest.lane != SCHEDULE_NONE) {
		const struct schedule *b = comparison->run[1];
		place[0] = value_text(result, schedule_lane_name(b, largest.lane));
		place[1] = value_integer(b->lanes[largest.lane].id);
		place[2] = value_integer(largest.start_ns);
		place[3] = value_integer(largest.end_ns);
	}
}

static struct result *
make_result(const struct causes *causes, const struct comparison *comparison)
{
	struct result *result = result_new("Causes, the largest first", columns, COUNT_OF(columns));
	for (size_t c = 0; c < causes->n && c < CAUSES_TOLD; c++) {
		const struct cause *cause = &causes->all[c];
		const struct amount *makespan = &cause->makespan, *time = &cause->lane_time;
		struct value place[4];
		add_place(result, comparison, cause, place);
		RESULT_ADD(result, value_integer((int64_t)c + 1), value_word(result, cause->name),
		           value_word(result, cause->slice), known(makespan, makespan->ns),
		           known(makespan, makespan->low_ns), known(makespan, makespan->high_ns),
		           known(time, time->ns), known(time, time->low_ns),
		           known(time, time->high_ns), value_real(cause->chance),
		           text_or_null(result, cause->against),
		           value_word(result, cause->sentence), value_word(result, cause->look),
		           place[0], place[1], place[2], place[3]);
	}
	result_add_note(result, "%s", causes_sentence(causes, comparison));
	if (causes->n > CAUSES_TOLD) {
		result_add_note(result, "%zu smaller causes are left out", causes->n - CAUSES_TOLD);
	}
	return result;
}

#define BEYOND_NOISE 3 /* times the range of noise: more is no accident */
#define SAME_MOST 0.25 /* of the makespan: nobody takes more for the same, however noisy it is */

/* Both did something, and nothing that the other did. */
static bool
are_others(const struct comparison *comparison)
{
	return comparison->matching->n_pairs == 0 && comparison->run[0]->n_items > 0 &&
	       comparison->run[1]->n_items > 0;
}

/* Kinds that both have, though not by that name. */
static bool
has_names(const struct causes *causes)
{
	for (size_t c = 0; c < causes->n; c++) {
		enum cause_type type = causes->all[c].type;
		if (type == CAUSE_RENAMED || type == CAUSE_SPLIT) {
			return true;
		}
	}
	return false;
}

/* No cause was found: the runs are the same, or differ by what is not seen. */
static void
add_none(struct causes *causes, const struct comparison *comparison)
{
	int64_t a = comparison_seen_makespan_ns(comparison, 0);
	int64_t b = comparison_seen_makespan_ns(comparison, 1), delta = time_sub(b, a);
	int64_t ran = time_sub(comparison_total_ns(comparison, 1, STAGE_RUN),
	                       comparison_total_ns(comparison, 0, STAGE_RUN));
	const struct amount *noise = &causes->noise_makespan;
	double usual = BEYOND_NOISE * (double)MOST(noise->high_ns, 1);
	double jump = (double)comparison_jump_ns(comparison);
	double most = SAME_MOST * (double)MOST(a, b), within = MOST(usual, jump);
	bool is_same = fabs((double)delta) <= LEAST(within, most);
	struct cause *cause = causes_add(causes, are_others(comparison) ? CAUSE_OTHER_WORK
	                                         : is_same              ? CAUSE_SAME
	                                                                : CAUSE_UNEXPLAINED);
	cause->lane_time = (struct amount){true, ran, ran, ran};
	cause->makespan = (struct amount){true, delta, time_add(delta, noise->low_ns),
	                                  time_add(delta, noise->high_ns)};
}

int
causes_find(struct causes *causes, struct comparison *comparison, struct err *err)
{
	causes_find_clocks(causes, comparison);
	causes_find_work(causes, comparison);
	causes_find_lanes(causes, comparison);
	if (causes_find_transfers(causes, comparison, err) ||
	    causes_find_stages(causes, comparison, err)) {
		return -1;
	}
	causes_find_placement(causes, comparison);
	if (comparison_make_reruns(comparison, err) || causes_estimate(causes, comparison, err)) {
		return -1;
	}
	if (are_others(comparison) && !has_names(causes)) {
		causes->n = 0; /* one for each kind, lanes ...: they say no more */
	}
	if (causes->n == 0) {
		add_none(causes, comparison);
	}
	SORT(causes->all, causes->n, compare_causes);
	return 0;
}

static struct result *
judge(struct comparison *comparison, struct err *err)
{
	struct causes causes = {.arena = arena_new()};
	struct result *result = NULL;
	if (causes_find(&causes, comparison, err) == 0) {
		causes_word(&causes, comparison);
		result = make_result(&causes, comparison);
		if (comparison->together) {
			bool is_short = matching_items_limit() < MATCHING_ITEMS_LIMIT;
			result_add_note(result,
			                "spans are too many to be matched one by one%s: of a kind "
			                "several on a lane count as one",
			                is_short ? " in so much memory (--memory)" : "");
		}
	}
	free(causes.all);
	arena_free(causes.arena);
	return result;
}

/* The run of a group whose makespan is nearest to the mean stands for the group. NULL: error. */
static struct explain_run *
middle_run(struct explain *explain, struct explain_run *runs, size_t n, struct err *err)
{
	double *makespans = xcalloc(n, sizeof *makespans), mean = 0;
	size_t middle = 0, i = 0;
	for (; i < n; i++) {
		const struct schedule *schedule = explain_schedule(explain, &runs[i], err);
		if (!schedule) {
			break;
		}
		makespans[i] = (double)explain_makespan_ns(schedule);
		mean += makespans[i] / (double)n;
		explain_release(explain, &runs[i]);
	}
	for (size_t k = 1; i == n && k < n; k++) {
		bool is_nearer = fabs(makespans[k] - mean) < fabs(makespans[middle] - mean);
		middle = is_nearer ? k : middle;
	}
	free(makespans);
	return i == n ? &runs[middle] : NULL;
}

static struct result *
compare_groups(struct explain *explain, struct err *err)
{
	struct explain_run *a = middle_run(explain, explain->a, explain->n_a, err);
	struct explain_run *b = a ? middle_run(explain, explain->b, explain->n_b, err) : NULL;
	struct explain pair = {.a = a,
	                       .b = b,
	                       .n_a = 1,
	                       .n_b = 1,
	                       .is_of_many = true,
	                       .cancel = explain->cancel,
	                       .lost = explain->lost};
	struct comparison *comparison = b ? comparison_new(&pair, err) : NULL;
	struct result *result = NULL;
	if (comparison && comparison_add_groups(comparison, explain, err) == 0) {
		result = judge(comparison, err);
	}
	if (result) {
		result_add_note(result,
		                "means over the runs; %s and %s, whose makespans are nearest to "
		                "these, stand for a and b where something is run again",
		                a->name, b->name);
	}
	comparison_free(comparison);
	return result;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	(void)arguments;
	if (explain->n_a + explain->n_b > 2) {
		return compare_groups(explain, err);
	}
	struct comparison *comparison = comparison_new(explain, err);
	struct result *result = comparison ? judge(comparison, err) : NULL;
	comparison_free(comparison);
	return result;
}

const struct explain_part explain_causes = {
    .name = "causes",
    .runs = EXPLAIN_RUNS_GROUPS,
    .title = "Causes, the largest first",
    .about =
	"The verdict: what makes B take longer or shorter than A, one row a cause, at most a "
	"few. Matched items are searched for the smallest slices (a kind, lane, host, a kind on "
	"one of these, from or until a time, one item) that explain their log ratios, as are "
	"planning, communication, start-up and transfers; work that one run alone has, kinds "
	"renamed or split, lanes, clocks, placement, contention on a host and interference with "
	"what runs beside are told for themselves. A slice is a cause where chance would hardly "
	"give one as clear (items dealt anew, largest of all slices). Its size is what reruns of "
	"the run without it differ by, made to meet the difference that was observed; ranges "
	"hold nine of ten. `same`: no slice differs by more than chance. Of two runs, contention "
	"can't be told from a slower machine.",
    .needs = "spans",
    .drill = {.view = "timeline", .bindings = "lane=lane"},
    .compute = compute,
};
