/*
 * Part `what-if`: one run replayed with the tasks of one kind made shorter. A kind that takes much
 * time in all may save nothing, where other work hides it; the replay shows that, sums by kind do
 * not.
 *
 * The run is replayed against itself: every unit is an item and its own match.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>

#include "explain/parts/parts.h"
#include "explain/parts/replay.h"
#include "util/mem.h"
#include "util/order.h"

#define KINDS_MAX 100 /* each costs a replay */
#define SCALE 1000000 /* of shares, as whole numbers */

struct kind_sum {
	uint32_t kind;
	int64_t total_ns, n;
};

static int
compare_sums(const void *a, const void *b)
{
	const struct kind_sum *x = a, *y = b;
	ORDER_BY(y->total_ns, x->total_ns);
	return ORDER(x->kind, y->kind);
}

/* The kinds that hold items, largest total first. */
static struct kind_sum *
sum_kinds(const struct schedule *schedule, size_t *n_kinds)
{
	struct kind_sum *sums = xcalloc(schedule->n_kinds, sizeof *sums);
	for (size_t k = 0; k < schedule->n_kinds; k++) {
		sums[k].kind = (uint32_t)k;
	}
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];
		sums[item->kind].total_ns += item->end_ns - item->start_ns;
		sums[item->kind].n++;
	}
	SORT(sums, schedule->n_kinds, compare_sums);
	*n_kinds = schedule->n_kinds;
	return sums;
}

/* Keeps the kind that is asked for, or the largest. */
static int
choose_kinds(const struct schedule *schedule, const char *wanted, struct kind_sum *sums, size_t *n,
             struct err *err)
{
	if (wanted[0] == '\0') {
		*n = LEAST(*n, KINDS_MAX);
		return 0;
	}
	for (size_t k = 0; k < *n; k++) {
		if (slice_is(schedule->kinds[sums[k].kind], wanted)) {
			sums[0] = sums[k];
			*n = 1;
			return 0;
		}
	}
	struct strbuf some = {0};
	for (size_t k = 0; k < *n && k < 12; k++) {
		struct slice name = schedule->kinds[sums[k].kind];
		strbuf_add_text(&some, k > 0 ? ", " : "");
		strbuf_add_slice(&some, name);
	}
	strbuf_add_text(&some, *n > 12 ? ", ..." : "");
	err_set(err, ERR_USAGE, "kind '%s': the run has none of that name; it has %s", wanted,
	        some.data ? some.data : "no kinds");
	strbuf_free(&some);
	return -1;
}

/* "20" or "20%": of every 100 ns of a task, 80 are left. */
static int
parse_faster(const char *text, int64_t *left, struct err *err)
{
	struct slice number = slice_of(text);
	double percent;
	if (number.len > 0 && number.ptr[number.len - 1] == '%') {
		number.len--;
	}
	if (!slice_double(number, &percent) || !(percent > 0 && percent <= 100)) {
		return err_set(err, ERR_USAGE,
		               "faster '%s': give a percentage above 0 and up to 100, such as 20",
		               text);
	}
	*left = (int64_t)((100 - percent) / 100 * SCALE + 0.5);
	return 0;
}

static const struct result_column columns[] = {
    COLUMN_KEY("kind", "kind of task"),
    COLUMN("n", KIND_COUNT, "how many ran"),
    COLUMN("total", KIND_DURATION, "time in them"),
    COLUMN_MEASURE("predicted", KIND_DURATION, "makespan, were they faster"),
    COLUMN_MEASURE("saved", KIND_DURATION, "of the replayed makespan", .better = BETTER_HIGHER),
    COLUMN_MEASURE("saved_share", KIND_PERCENT, "of the replayed makespan",
                   .better = BETTER_HIGHER),
};

static struct result *
make_result(const struct schedule *schedule, const struct kind_sum *sums, const int64_t *makespans,
            size_t n, int64_t base_ns)
{
	struct result *result =
	    result_new("Makespan, were one kind of task faster", columns, COUNT_OF(columns));
	for (size_t k = 0; k < n; k++) {
		int64_t saved = base_ns - makespans[k];
		RESULT_ADD(result, value_text(result, schedule->kinds[sums[k].kind]),
		           value_integer(sums[k].n), value_integer(sums[k].total_ns),
		           value_integer(makespans[k]), value_integer(saved),
		           value_finite(base_ns > 0 ? (double)saved / (double)base_ns : NAN));
	}
	return result;
}

static struct matching *
match_itself(const struct schedule *schedule)
{
	struct matching *matching = xcalloc(1, sizeof *matching);
	size_t n = schedule->n_items;
	matching->rule = "itself";
	matching->n_a = matching->n_b = matching->n_pairs = n;
	MEM_NEW(matching->b_of_a, n);
	MEM_NEW(matching->a_of_b, n);
	for (size_t i = 0; i < n; i++) {
		matching->b_of_a[i] = matching->a_of_b[i] = (uint32_t)i;
	}
	return matching;
}

static int
replay_kinds(struct explain *explain, const struct schedule *schedule, const struct kind_sum *sums,
             size_t n, int64_t left, int64_t *makespans, int64_t *base_ns, struct err *err)
{
	struct matching *matching = match_itself(schedule);
	struct replay *replay = replay_new(schedule, schedule, matching, explain->cancel, err);
	uint32_t *kinds = xcalloc(n, sizeof *kinds);
	const unsigned as_it_was = 0;
	int status = -1;
	for (size_t k = 0; k < n; k++) {
		kinds[k] = sums[k].kind;
	}
	if (replay && replay_run(replay, &as_it_was, 1, base_ns, explain->cancel, err) == 0) {
		status =
		    replay_what_if(replay, kinds, n, left, SCALE, makespans, explain->cancel, err);
	}
	free(kinds);
	replay_free(replay);
	matching_free(matching);
	return status;
}

static struct result *
compute_what_if(struct explain *explain, const char *const *arguments, struct err *err)
{
	bool is_a = strcmp(arguments[0], "a") == 0;
	int64_t left = SCALE, base_ns = 0;
	if (!is_a && strcmp(arguments[0], "b") != 0) {
		err_set(err, ERR_USAGE, "run '%s': give a or b", arguments[0]);
		return NULL;
	}
	if (parse_faster(arguments[2], &left, err)) {
		return NULL;
	}
	struct explain_run *run = is_a ? explain->a : explain->b;
	const struct schedule *schedule = explain_schedule(explain, run, err);
	if (!schedule) {
		return NULL;
	}
	size_t n;
	struct kind_sum *sums = sum_kinds(schedule, &n);
	struct result *result = NULL;
	int64_t *makespans = xcalloc(n, sizeof *makespans);
	if (choose_kinds(schedule, arguments[1], sums, &n, err) == 0 &&
	    replay_kinds(explain, schedule, sums, n, left, makespans, &base_ns, err) == 0) {
		result = make_result(schedule, sums, makespans, n, base_ns);
		if (result_sort(result, "-saved", err)) {
			result_free(result);
			result = NULL;
		}
	}
	if (result) {
		result_add_note(result,
		                "run %s: makespan %lld ns, replayed %lld ns; tasks %s %% faster",
		                run->name, (long long)(schedule->end_ns - schedule->start_ns),
		                (long long)base_ns, arguments[2]);
		if (schedule->n_kinds > n && arguments[1][0] == '\0') {
			result_add_note(result, "the %zu kinds with the most time, of %zu", n,
			                schedule->n_kinds);
		}
	}
	free(makespans);
	free(sums);
	return result;
}

static const struct query_param params[] = {
    {"run", "b", "the run to replay: a or b", KIND_TEXT, NULL},
    {"kind", "", "only this kind of task (else each in turn)", KIND_TEXT, NULL},
    {"faster", "20", "by how many percent its tasks are shorter", KIND_REAL, NULL},
};

const struct explain_part explain_what_if = {
    .name = "what-if",
    .title = "Makespan, were one kind of task faster",
    .about = "One run is replayed with the tasks of a kind shorter by the given percentage, all "
	     "else (placement, order, delays) as it was; "
	     "the row says what makespan the replay then has and what it saves. A virtual speedup "
	     "in the "
	     "sense of Coz (Curtsinger and Berger, SOSP 2015), by simulation from the trace. A "
	     "scheduler would place tasks otherwise, so "
	     "this is a lower bound of what is reachable more often than not, not a promise.",
    EXPLAIN_PARAMS(params),
    .needs = "spans",
    .compute = compute_what_if,
};
