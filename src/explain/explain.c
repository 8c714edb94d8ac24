/*
 * Two groups of runs, and the way into a part. The makespans are noted only where a part has read
 * the schedules.
 *
 * Whether a part fits is asked before it runs, and answered with the run that lacks something, so
 * that a table without rows never stands for "does not apply".
 */
#include "config.h"
#include "explain/explain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/pool.h"
#include "query/saved/notes.h"
#include "query/saved/query_file.h"
#include "query/saved/kind.h"
#include "util/intervals.h"
#include "util/order.h"

static struct explain_run *
copy_runs(struct store *const *stores, const char *const *names, size_t n)
{
	struct explain_run *runs = xcalloc(n + 1, sizeof *runs);
	for (size_t i = 0; i < n; i++) {
		runs[i].store = stores[i];
		runs[i].name = xstrdup(names[i]);
	}
	return runs;
}

struct explain *
explain_new(struct store *const *a, const char *const *names_a, size_t n_a, struct store *const *b,
            const char *const *names_b, size_t n_b, const struct cancel *cancel)
{
	struct explain *explain = xcalloc(1, sizeof *explain);
	explain->a = copy_runs(a, names_a, n_a);
	explain->b = copy_runs(b, names_b, n_b);
	explain->n_a = n_a;
	explain->n_b = n_b;
	explain->is_of_many = n_a > 1 || n_b > 1;
	for (size_t i = 0; i < n_a + n_b; i++) {
		struct store_view view = store_view(explain_run_at(explain, i)->store);
		explain->longest_ns = MOST(view.end_ns - view.start_ns, explain->longest_ns);
	}
	explain->cancel = cancel;
	explain->lost = xcalloc(1, sizeof *explain->lost);
	return explain;
}

struct explain *
explain_new_series(struct store *const *runs, const char *const *names, size_t n,
                   const struct cancel *cancel)
{
	struct explain *explain = explain_new(runs, names, 1, runs + 1, names + 1, n - 1, cancel);
	explain->is_series = true;
	return explain;
}

static void
free_runs(struct explain_run *runs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		schedule_free(runs[i].schedule);
		matching_free(runs[i].matching);
		free((char *)runs[i].name);
	}
	free(runs);
}

void
explain_free(struct explain *explain)
{
	if (explain) {
		free_runs(explain->a, explain->n_a);
		free_runs(explain->b, explain->n_b);
		free(explain->lost);
		free(explain);
	}
}

/* Of a word of explain_part.needs that every run is asked for: how many it has; of any other, the
 * name of a format: -1. */
static int64_t
count_of(const struct run_info *info, struct slice word)
{
	return slice_is(word, "tasks")       ? info->n_tasks
	       : slice_is(word, "transfers") ? info->n_transfers
	       : slice_is(word, "spans")     ? info->n_spans
	                                     : -1;
}

static int
check_need(const struct explain_part *part, const struct explain_run *run, struct slice word,
           struct err *err)
{
	const struct run_info *info = store_run(run->store);
	int64_t n = count_of(info, word);
	if (n == 0) {
		return err_set(err, ERR_USAGE, "part %s needs %.*s: %s has none", part->name,
		               (int)word.len, word.ptr, run->name);
	}
	return n > 0 || slice_is(word, info->format)
	           ? 0
	           : err_set(err, ERR_USAGE, "part %s is for runs of format %.*s: %s is a %s run",
	                     part->name, (int)word.len, word.ptr, run->name, info->format);
}

/* Parts divide the time of lanes, each by all that goes on there. */
static int
check_scope(const struct store *store, struct err *err)
{
	const char *condition = store_scope_condition(store);

	return !condition
	           ? 0
	           : err_set(err, ERR_USAGE,
	                     "explain accounts for all that goes on on lanes: its scope can be "
	                     "a range and lanes, but not %s",
	                     condition);
}

int
explain_part_check(const struct explain *explain, const struct explain_part *part, struct err *err)
{
	for (size_t i = 0; i < explain->n_a + explain->n_b; i++) {
		for (const char *at = part->needs; *at;) {
			struct slice word = {at, strcspn(at, " ")};
			at += word.len + strspn(at + word.len, " ");
			if (check_need(part, explain_run_at(explain, i), word, err)) {
				return -1;
			}
		}
	}
	for (size_t i = 0; i < explain->n_a + explain->n_b; i++) {
		if (check_scope(explain_run_at(explain, i)->store, err)) {
			return -1;
		}
	}
	const char *why_not = part->why_not ? part->why_not(explain) : NULL;
	return why_not ? err_set(err, ERR_USAGE, "part %s says nothing about these runs: %s",
	                         part->name, why_not)
	               : 0;
}

static bool
takes_time(const struct explain *explain, const struct explain_run *run)
{
	struct err why = ERR_INIT;
	struct stmt *stmt =
	    store_prepare(run->store, "SELECT 1 FROM work_total WHERE dur_sum > 0 LIMIT 1", &why);
	bool takes = store_run(run->store)->n_tasks > 0 || (stmt && stmt_step(stmt, &why) > 0);

	explain_lose(explain, &why);
	stmt_free(stmt);
	return takes;
}

bool
explain_part_is_listed(const struct explain *explain, const struct explain_part *part)
{
	struct err ignored = ERR_INIT;
	bool is_listed = explain_part_check(explain, part, &ignored) == 0 &&
	                 !(part->is_silent && part->is_silent(explain));

	for (size_t i = 0; is_listed && i < explain->n_a + explain->n_b; i++) {
		is_listed = strcmp(part->needs, "spans") != 0 ||
		            takes_time(explain, explain_run_at(explain, i));
	}
	return is_listed;
}

static int
set_unknown_argument(const struct explain_part *part, const char *name, struct err *err)
{
	struct strbuf list = {0};
	for (size_t i = 0; i < part->n_params; i++) {
		strbuf_printf(&list, "%s%s", i ? ", " : "", part->params[i].name);
	}
	err_set(err, ERR_USAGE, "part %s has no parameter \"%s\"; it has %s", part->name, name,
	        list.data ? list.data : "none");
	strbuf_free(&list);
	return -1;
}

bool
explain_part_takes_runs(const struct explain *explain, const struct explain_part *part)
{
	return explain->n_a + explain->n_b == 2 ||
	       part->runs >= (explain->is_series ? EXPLAIN_RUNS_ALL : EXPLAIN_RUNS_GROUPS);
}

bool
explain_part_takes(const struct explain_part *part, const char *name)
{
	return name_find(slice_of(name), part->params, part->n_params, sizeof *part->params) <
	       part->n_params;
}

/* A text for each of the part's parameters; the last of arguments with one name wins. */
static int
take_arguments(const struct explain_part *part, const struct query_argument *arguments,
               size_t n_arguments, const char **texts, struct err *err)
{
	for (size_t i = 0; i < n_arguments; i++) {
		if (!explain_part_takes(part, arguments[i].name)) {
			return set_unknown_argument(part, arguments[i].name, err);
		}
	}
	for (size_t p = 0; p < part->n_params; p++) {
		const struct query_param *param = &part->params[p];
		struct value value;
		texts[p] = param->default_text;
		for (size_t i = 0; i < n_arguments; i++) {
			if (strcmp(arguments[i].name, param->name) == 0) {
				texts[p] = arguments[i].text;
			}
		}
		if (!texts[p]) {
			return err_set(err, ERR_USAGE, "part %s needs -p %s=...: %s", part->name,
			               param->name, param->about);
		}
		if (query_param_value(param, slice_of(texts[p]), &value, err)) {
			return err_wrap(err, "part %s", part->name);
		}
	}
	return 0;
}

static void
note_left_out(struct result *result, const struct explain_run *run)
{
	size_t n = run->schedule->n_tasks;
	for (size_t i = 0; i < run->schedule->n_items; i++) {
		n -= run->schedule->items[i].task != SCHEDULE_NONE;
	}
	if (n > 0) {
		result_add_note(result,
		                "%s: %zu of %zu tasks have no start, end or lane and are left out",
		                run->name, n, run->schedule->n_tasks);
	}
}

/* Where it begins or ends with an interval that a record of many calls reports, a makespan is an
 * upper bound. */
static void
note_bound(struct result *result, const struct explain_run *run)
{
	char outside[FORMAT_BYTES];
	int64_t ns = time_sub(explain_makespan_ns(run->schedule), explain_ran_ns(run->schedule));
	if (ns > 0) {
		result_add_note(result,
		                "%s: %s of the makespan lie outside of what was "
		                "recorded call by call, where only records of many calls are; "
		                "rows that add up to it leave that to the residual",
		                run->name, format_duration(outside, ns));
	}
}

/* From what a makespan counts. */
static const char *
beginning(const struct explain *explain)
{
	size_t n = explain->n_a + explain->n_b, n_planned = 0;
	for (size_t i = 0; i < n; i++) {
		n_planned += explain_run_at(explain, i)->schedule->starts_planned;
	}
	return n_planned == n   ? "first planned time"
	       : n_planned == 0 ? "first start"
	                        : "first planned time (first start where nothing was planned)";
}

/* The mean of a group. */
static void
print_makespan(struct strbuf *text, const struct explain_run *runs, size_t n, const char *name,
               double *mean)
{
	char time[FORMAT_BYTES];
	const char *bound = "";
	*mean = 0;
	for (size_t i = 0; i < n; i++) {
		const struct schedule *schedule = runs[i].schedule;
		*mean += (double)explain_makespan_ns(schedule) / (double)n;
		bound = *bound ? bound : explain_bound(schedule);
	}
	strbuf_printf(text, "%s %s%s, ", name, bound, format_duration(time, llround(*mean)));
}

static void
note_makespan(struct result *result, const struct explain *explain)
{
	struct strbuf text = {0};
	char delta_text[FORMAT_BYTES];
	double a, b;
	for (size_t i = 0; i < explain->n_a + explain->n_b; i++) {
		if (!explain_run_at(explain, i)->schedule) {
			return;
		}
	}
	print_makespan(&text, explain->a, explain->n_a, explain_head(explain, 0), &a);
	print_makespan(&text, explain->b, explain->n_b, explain_head(explain, 1), &b);
	struct value delta = value_integer(llround(b - a));
	result_add_note(result, "makespan, from the %s to the last end%s: %sdelta %s",
	                beginning(explain),
	                explain->n_a + explain->n_b > 2 ? ", mean of the runs" : "", text.data,
	                value_show(&delta, KIND_DURATION, delta_text).ptr);
	strbuf_free(&text);
	for (size_t i = 0; i < explain->n_a + explain->n_b; i++) {
		note_left_out(result, explain_run_at(explain, i));
		note_bound(result, explain_run_at(explain, i));
	}
}

/* Of a schedule, the time that is theirs alone; else of sums, the time that is in them. */
static void
note_unfinished(struct result *result, const struct explain_run *run)
{
	char spans[FORMAT_BYTES], time[FORMAT_BYTES];
	if (!run->schedule || run->schedule->is_tasks) {
		result_note_unfinished(result, run->store, run->name);
	} else if (run->schedule->unfinished > 0) {
		result_add_note(
		    result,
		    "%s: %s span%s without an end in the trace last%s until its last time: %s of "
		    "the time of lanes that rows divide is theirs alone",
		    run->name, format_count(spans, run->schedule->unfinished),
		    run->schedule->unfinished == 1 ? "" : "s",
		    run->schedule->unfinished == 1 ? "s" : "",
		    format_duration(time, run->schedule->unfinished_ns));
	}
}

#define RUNS_NAMED 4

static void
print_group(struct strbuf *text, const struct explain_run *runs, size_t n)
{
	for (size_t i = 0; i < n && i < RUNS_NAMED; i++) {
		strbuf_printf(text, "%s%s", i ? ", " : "", runs[i].name);
	}
	if (n > RUNS_NAMED) {
		strbuf_printf(text, ", ... (%zu runs)", n);
	}
}

static void
note_runs(struct result *result, const struct explain *explain)
{
	struct strbuf a = {0}, b = {0};
	print_group(&a, explain->a, explain->n_a);
	print_group(&b, explain->b, explain->n_b);
	if (explain->is_series) {
		result_add_note(result, "a series: each run is compared with the first, %s",
		                a.data);
	} else {
		result_add_note(result, "a is %s, b is %s; delta = b - a%s", a.data, b.data,
		                explain->n_a + explain->n_b > 2 ? ", of means over the runs" : "");
	}
	strbuf_free(&a);
	strbuf_free(&b);
}

void
explain_note(struct result *result, const struct explain *explain)
{
	size_t n = explain->n_a + explain->n_b;
	struct store **stores = xcalloc(n, sizeof *stores);
	const char **names = xcalloc(n, sizeof *names);
	note_runs(result, explain);
	if (!explain->is_series) {
		note_makespan(result, explain);
	}
	for (size_t i = 0; i < n; i++) {
		const struct explain_run *run = explain_run_at(explain, i);
		note_unfinished(result, run);
		stores[i] = run->store;
		names[i] = run->name;
	}
	query_note_differences(result, stores, names, NULL, n);
	if (n > 2) {
		explain_fold_notes(result, explain, NULL, 0);
	}
	free(stores);
	free(names);
}

static void
note_part(struct result *result, const struct explain *explain, const struct explain_part *part)
{
	if (part->summed == EXPLAIN_SUMMED_LEFT_OUT) {
		explain_note_summed(result, explain, NULL);
		return;
	}
	for (size_t i = 0; part->summed == EXPLAIN_SUMMED_BUSY && i < explain->n_a + explain->n_b;
	     i++) {
		const struct explain_run *run = explain_run_at(explain, i);
		result_note_summed(result, run->store, run->name, SUMMED_BUSY);
	}
}

struct result *
explain_compute_table(struct explain *explain, const struct explain_part *part,
                      const struct query_argument *arguments, size_t n_arguments, struct err *err)
{
	struct result *result = NULL;
	const char **texts = xcalloc(part->n_params, sizeof *texts);
	if (explain_part_check(explain, part, err) == 0 &&
	    take_arguments(part, arguments, n_arguments, texts, err) == 0) {
		bool takes = explain_part_takes_runs(explain, part);
		result = (takes ? explain_part_rows : explain_pool)(explain, part, texts, err);
	}
	free(texts);
	return result;
}

struct result *
explain_compute_rows(struct explain *explain, const struct explain_part *part,
                     const struct query_argument *arguments, size_t n_arguments, struct err *err)
{
	struct result *result = explain_compute_table(explain, part, arguments, n_arguments, err);
	if (result) {
		note_part(result, explain, part);
	}
	return result;
}

struct result *
explain_compute(struct explain *explain, const struct explain_part *part,
                const struct query_argument *arguments, size_t n_arguments, struct err *err)
{
	struct result *result = explain_compute_rows(explain, part, arguments, n_arguments, err);
	if (result) {
		explain_note(result, explain);
	}
	return result;
}
