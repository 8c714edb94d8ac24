/*
 * Part `matched-tasks`: the pairs themselves, the largest differences first. What a row of the
 * other parts leads to.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "explain/parts/matched.h"
#include "explain/parts/parts.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

static const struct result_column columns[] = {
    COLUMN_KEY("task", "key of the task, or path of the file"),
    COLUMN("kind", KIND_TEXT, "kind of task, or pattern of file names"),
    COLUMN("lane_a", KIND_TEXT, "where it ran in A"),
    COLUMN("lane_b", KIND_TEXT, "where it ran in B"),
    COLUMN_MEASURE("a", KIND_DURATION, "run time in A"),
    COLUMN_MEASURE("b", KIND_DURATION, "run time in B"),
    COLUMN_MEASURE("delta", KIND_DURATION, "b - a"),
    COLUMN_MEASURE("ratio", KIND_REAL, "b / a"),
};

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
		if (j != MATCHING_NONE && !a->things[i].is_rest && is_wanted) {
			pairs[(*n)++] = (struct matched_pair){
			    &a->things[i], &b->things[j],
			    time_sub(b->things[j].duration_ns, a->things[i].duration_ns)};
		}
	}
	SORT(pairs, *n, compare_pairs);
	return pairs;
}

static void
add_pair(const struct matched *matched, const struct matched_pair *pair, struct result *result)
{
	const struct matched_thing *a = pair->a, *b = pair->b;
	double ratio = a->duration_ns > 0 ? (double)b->duration_ns / (double)a->duration_ns : NAN;
	RESULT_ADD(result, value_text(result, a->key), value_text(result, matched->kinds[a->kind]),
	           value_text(result, a->lane), value_text(result, b->lane),
	           value_integer(a->duration_ns), value_integer(b->duration_ns),
	           value_integer(pair->delta_ns), value_finite(ratio));
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
	struct result *result = result_new("Matched tasks one by one", columns, COUNT_OF(columns));
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
    EXPLAIN_PARAMS(params),
    .drill = {"span", "name=task"},
    .compute = compute_matched_tasks,
};
