/*
 * From two runs to a ranked list: finders look for causes of each sort, reruns say what each makes
 * of the makespan, and what is left is ordered by that.
 */
#include "config.h"
#include "explain/verdict/verdict.h"

#include <math.h>
#include <stdlib.h>

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

static struct result *
make_result(const struct causes *causes, const char *sentence, size_t limit)
{
	struct result *result = result_new(sentence, columns, COUNT_OF(columns));
	for (size_t c = 0; c < causes->n && (limit == 0 || c < limit); c++) {
		const struct cause *cause = &causes->all[c];
		const struct amount *makespan = &cause->makespan, *time = &cause->lane_time;
		RESULT_ADD(result, value_integer((int64_t)c + 1), value_word(result, cause->name),
		           value_word(result, cause->slice), known(makespan, makespan->ns),
		           known(makespan, makespan->low_ns), known(makespan, makespan->high_ns),
		           known(time, time->ns), known(time, time->low_ns),
		           known(time, time->high_ns), value_real(cause->chance),
		           text_or_null(result, cause->against),
		           value_word(result, cause->sentence), value_word(result, cause->look));
	}
	return result;
}

static void
add_same(struct causes *causes, const struct comparison *comparison)
{
	int64_t delta = time_sub(explain_makespan_ns(comparison->run[1]),
	                         explain_makespan_ns(comparison->run[0]));
	int64_t ran = time_sub(comparison_total_ns(comparison, 1, STAGE_RUN),
	                       comparison_total_ns(comparison, 0, STAGE_RUN));
	struct cause *cause = causes_add(causes, CAUSE_SAME);
	cause->lane_time = (struct amount){true, ran, ran, ran};
	cause->makespan =
	    (struct amount){true, delta, time_add(delta, causes->noise_makespan.low_ns),
	                    time_add(delta, causes->noise_makespan.high_ns)};
}

static bool
find_rest(struct causes *causes, const struct comparison *comparison)
{
	causes_find_placement(causes, comparison);
	return true;
}

struct result *
verdict_find(struct explain *explain, size_t limit, struct err *err)
{
	struct causes causes = {.arena = arena_new()};
	struct result *result = NULL;
	struct comparison *comparison = comparison_new(explain, err);
	if (comparison) {
		causes_find_clocks(&causes, comparison);
		causes_find_work(&causes, comparison);
		causes_find_lanes(&causes, comparison);
	}
	if (comparison && causes_find_transfers(&causes, comparison, err) == 0 &&
	    causes_find_stages(&causes, comparison, err) == 0 &&
	    find_rest(&causes, comparison) && causes_estimate(&causes, comparison, err) == 0) {
		if (causes.n == 0) {
			add_same(&causes, comparison);
		}
		SORT(causes.all, causes.n, compare_causes);
		causes_word(&causes, comparison);
		result = make_result(&causes, causes_sentence(&causes, comparison), limit);
	}
	comparison_free(comparison);
	free(causes.all);
	arena_free(causes.arena);
	return result;
}
