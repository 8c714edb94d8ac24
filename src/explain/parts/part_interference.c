/*
 * Part `interference`: the saved query of that name, asked of each run, and what it says of each in
 * a sentence. A run by itself shows it, since within one spans run beside others and do not; runs
 * stand side by side only.
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <math.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"

#define QUERY "interference"
#define CHANCE_MAX 0.05

static double
number_at(const struct result *result, size_t row, const char *name)
{
	int column = column_find(result->columns, result->n_columns, slice_of(name));
	return column < 0 ? NAN : value_number(result_value(result, row, (size_t)column));
}

/* What the row of a whole run says, and no more. */
static void
note_run(struct result *into, const struct result *result, const char *run)
{
	char share[FORMAT_BYTES], low[FORMAT_BYTES], high[FORMAT_BYTES], time[FORMAT_BYTES];
	char n[FORMAT_BYTES], n_beside[FORMAT_BYTES];
	if (result->n_rows == 0) {
		result_add_note(into, "%s: no spans to look at", run);
		return;
	}
	double slowed = number_at(result, 0, "slowed"), from = number_at(result, 0, "low");
	double to = number_at(result, 0, "high");
	format_count(n, (int64_t)number_at(result, 0, "n"));
	format_count(n_beside, (int64_t)number_at(result, 0, "n_beside"));
	if (isnan(slowed) || isnan(from)) {
		result_add_note(
		    into,
		    "%s: %s of %s spans run beside the others: too few of one or of the "
		    "other, or too uneven, to tell",
		    run, n_beside, n);
		return;
	}
	bool is_less = slowed<0, is_told = from * to> 0 && slowed < 1;
	format_percent(share, is_told ? fabs(slowed) : slowed);
	format_percent(low, is_told && is_less ? -to : from);
	format_percent(high, is_told && is_less ? -from : to);
	if (!is_told || !(number_at(result, 0, "p") < CHANCE_MAX)) {
		result_add_note(
		    into,
		    "%s: %s of %s spans run beside the others: that they take longer or "
		    "shorter can't be told from chance (%s of that time, range %s to %s)",
		    run, n_beside, n, share, low, high);
		return;
	}
	format_duration(time, llround(fabs(number_at(result, 0, "lost_time"))));
	result_add_note(
	    into,
	    "%s: %s spans take %.2f x as long while wholly beside the others: of that time "
	    "they %s %s (%s to %s), %s in all; it goes along with them, which need not "
	    "be why",
	    run, n, 1 / (1 - slowed), is_less ? "gain" : "lose", share, low, high, time);
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct query_library *library = query_library_open(NULL);
	const struct saved_query *query = query_library_find(library, QUERY, err);
	size_t n_runs = explain->n_a + explain->n_b, n = 0;
	struct result **results = xcalloc(n_runs + 1, sizeof *results), *stack = NULL;
	const char **names = xcalloc(n_runs + 1, sizeof *names);
	struct query_argument given[] = {{"of", arguments[0]},
	                                 {"while", arguments[1]},
	                                 {"within", arguments[2]},
	                                 {"shifts", arguments[3]}};
	for (; query && n < n_runs; n++) {
		const struct explain_run *run = explain_run_at(explain, n);
		results[n] =
		    query_run(run->store, query, given, COUNT_OF(given), explain->cancel, err);
		if (!results[n]) {
			break;
		}
		names[n] = run->name;
	}
	stack = query && n == n_runs ? query_stack(results, names, NULL, NULL, n, err) : NULL;
	for (size_t r = 0; r < n; r++) {
		if (stack) {
			note_run(stack, results[r], names[r]);
		}
		result_free(results[r]);
	}
	free(results);
	free(names);
	query_library_close(library);
	return stack;
}

static const struct query_param params[] = {
    {"of", NULL, "spans that may be slowed, in the filter language", KIND_TEXT, NULL},
    {"while", NULL, "spans that may slow them", KIND_TEXT, NULL},
    {"within", "host", "beside: on another lane of the same", KIND_TEXT, "host, process, run"},
    {"shifts", "199", "shifts of the others in time, for the range", KIND_COUNT, NULL},
};

const struct explain_part explain_interference = {
    .name = "interference",
    .title = "How much longer spans take while others run beside them",
    .about =
	"Of each run, each host, name and lane where there are several: durations of the spans "
	"that `of` takes by the share of them that lies beside spans that `while` takes, on other "
	"lanes. A span that takes d and runs beside them for the share o of it would take "
	"d (1 - slowed o) without them; slowed is what leaves no covariance of o with that, each "
	"lane and name by itself. What chance gives is asked by shifting the others in time around "
	"the end: both keep their order, as durations depend on what was just before. A range that "
	"holds 0 shows nothing, and where both keep the same beat nothing can be shown. What else "
	"goes along with the others (a phase of the run) is not told from them.",
    .runs = EXPLAIN_RUNS_ALL,
    .needs = "spans",
    EXPLAIN_PARAMS(params),
    .drill = {QUERY, ""},
    .compute = compute,
};
