/*
 * Part `matched-tasks`: the pairs themselves, the largest differences first. What a row of the
 * other parts leads to.
 */
#include "config.h"

#include <stdlib.h>

#include "explain/parts/matched.h"
#include "explain/parts/parts.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

static const struct result_column columns[] = {
    {.name = "task",
     .kind = KIND_TEXT,
     .is_key = true,
     .about = "key of the task, or path of the file"},
    {.name = "kind", .kind = KIND_TEXT, .about = "kind of task, or pattern of file names"},
    {.name = "lane_a", .kind = KIND_TEXT, .about = "where it ran in A"},
    {.name = "lane_b", .kind = KIND_TEXT, .about = "where it ran in B"},
    {.name = "a", .kind = KIND_DURATION, .is_measure = true, .about = "run time in A"},
    {.name = "b", .kind = KIND_DURATION, .is_measure = true, .about = "run time in B"},
    {.name = "delta", .kind = KIND_DURATION, .is_measure = true, .about = "b - a"},
    {.name = "ratio", .kind = KIND_REAL, .is_measure = true, .about = "b / a"},
};
enum { TASK, KIND, LANE_A, LANE_B, A, B, DELTA, RATIO, COLUMNS };

struct matched_pair {
	const struct matched_thing *a, *b;
	int64_t delta_ns;
};

static int
compare_pairs(const void *x, const void *y)
{
	const struct matched_pair *p = x, *q = y;
	int64_t dp = llabs(p->delta_ns), dq = llabs(q->delta_ns);
	ORDER_BY(dq, dp);
	return ORDER(p->a, q->a); /* as they stand in A */
}

static struct matched_pair *
collect_pairs(const struct matched *matched, const char *kind, size_t *n)
{
	const struct matched_run *a = &matched->run[0], *b = &matched->run[1];
	struct matched_pair *pairs = xcalloc(matched->matching->n_pairs, sizeof *pairs);
	*n = 0;
	for (size_t i = 0; i < a->n; i++) {
		uint32_t j = matched->matching->b_of_a[i];
		bool is_wanted =
		    kind[0] == '\0' || slice_is(matched->kinds[a->things[i].kind], kind);
		if (j != MATCHING_NONE && is_wanted) {
			pairs[(*n)++] = (struct matched_pair){
			    &a->things[i], &b->things[j],
			    time_sub(b->things[j].duration_ns, a->things[i].duration_ns)};
		}
	}
	if (*n > 1) {
		qsort(pairs, *n, sizeof *pairs, compare_pairs);
	}
	return pairs;
}

static void
add_pair(const struct matched *matched, const struct matched_pair *pair, struct result *result)
{
	struct value *row = result_add_row(result);
	row[TASK] = value_text(result, pair->a->key);
	row[KIND] = value_text(result, matched->kinds[pair->a->kind]);
	row[LANE_A] = value_text(result, pair->a->lane);
	row[LANE_B] = value_text(result, pair->b->lane);
	row[A] = value_integer(pair->a->duration_ns);
	row[B] = value_integer(pair->b->duration_ns);
	row[DELTA] = value_integer(pair->delta_ns);
	if (pair->a->duration_ns > 0) {
		row[RATIO] =
		    value_real((double)pair->b->duration_ns / (double)pair->a->duration_ns);
	}
}

static struct result *
compute_matched_tasks(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct matched *matched = matched_new(explain, err);
	if (!matched) {
		return NULL;
	}
	size_t n;
	struct matched_pair *pairs = collect_pairs(matched, arguments[0], &n);
	struct result *result = result_new("Matched tasks one by one", columns, COLUMNS);
	for (size_t i = 0; i < n; i++) {
		add_pair(matched, &pairs[i], result);
	}
	matched_note(matched, explain, result);
	free(pairs);
	matched_free(matched);
	return result;
}

static const struct query_param params[] = {
    {"kind", "", "only this kind of task", KIND_TEXT, NULL},
};

const struct explain_part explain_matched_tasks = {
    .name = "matched-tasks",
    .title = "Matched tasks one by one",
    .summed = EXPLAIN_SUMMED_SUMS,
    .about = "A row a pair of matched tasks (files, where a run has no tasks), the largest "
	     "difference of their run "
	     "times first. They are matched as in the part matched.",
    .needs = "spans",
    .params = params,
    .n_params = sizeof params / sizeof *params,
    .drill = {"span", "name=task"},
    .compute = compute_matched_tasks,
};
