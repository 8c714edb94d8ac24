/*
 * Asking all fitting saved queries of all runs.
 *
 * A query that one run can't answer (in time, or at all) is left out for all of them, with a note:
 * a figure that only some runs have would compare different sets of runs. Figures are matched over
 * the runs by the query's own key, as diff does.
 */
#include "config.h"
#include "explain/parts/indicators.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "column/scan/rowvalue.h"
#include "explain/frame/watchdog.h"
#include "query/saved/match.h"
#include "query/saved/kind.h"

/* All runs, a's then b's. */
struct indicators_asking {
	struct explain *explain;
	const struct indicators_request *request;
	struct indicators *indicators;
	struct watchdog *watchdog;
	size_t n_runs;
	struct result **results; /* of the query at hand */
};

static struct indicator *
add_indicator(struct indicators_asking *asking, const char *query, const char *key,
              const char *measure, enum column_kind kind)
{
	struct indicators *indicators = asking->indicators;
	struct arena *arena = indicators->arena;
	MEM_GROW(indicators->list, indicators->capacity, indicators->n + 1);
	struct indicator *indicator = &indicators->list[indicators->n++];
	*indicator = (struct indicator){
	    .query = arena_strndup(arena, query, strlen(query)),
	    .key = arena_strndup(arena, key, strlen(key)),
	    .measure = arena_strndup(arena, measure, strlen(measure)),
	    .kind = kind,
	    .values = arena_alloc(arena, (asking->n_runs + 1) * sizeof(double)),
	};
	for (size_t i = 0; i < asking->n_runs; i++) {
		indicator->values[i] = NAN;
	}
	return indicator;
}

static void
leave_out(struct indicators_asking *asking, const char *query, const char *run, const char *why)
{
	struct indicators *indicators = asking->indicators;
	MEM_GROW(indicators->left_out, indicators->left_out_capacity, indicators->n_left_out + 1);
	indicators->left_out[indicators->n_left_out++] =
	    arena_printf(indicators->arena, "query %s is left out: %s (%s)", query, why, run);
}

static bool
fits(const struct indicators_asking *asking, const struct saved_query *query)
{
	if (!text_glob(slice_of(query->name), slice_of(asking->request->query))) {
		return false;
	}
	for (size_t p = 0; p < query->n_params; p++) {
		if (!query->params[p].default_text) {
			return false;
		}
	}
	for (size_t i = 0; i < asking->n_runs; i++) {
		if (!query_applies(query, store_run(explain_run_at(asking->explain, i)->store))) {
			return false;
		}
	}
	return true;
}

/* 1: all runs answered; 0: the query is left out; -1: cancelled. */
static int
ask_runs(struct indicators_asking *asking, const struct saved_query *query, struct err *err)
{
	for (size_t i = 0; i < asking->n_runs; i++) {
		const struct explain_run *run = explain_run_at(asking->explain, i);
		struct err why = ERR_INIT;
		const struct cancel *cancel =
		    watchdog_arm(asking->watchdog, asking->request->budget_ns);
		asking->results[i] = query_run(run->store, query, NULL, 0, cancel, &why);
		bool is_over = watchdog_disarm(asking->watchdog);
		if (cancel_check(asking->explain->cancel, err)) {
			return -1;
		}
		if (!asking->results[i]) {
			if (!is_over && why.code != ERR_QUERY) { /* a user's query may be wrong */
				explain_lose(asking->explain, &why);
			}
			leave_out(asking, query->name, run->name,
			          is_over ? "it took longer than its budget" : why.message);
			return 0;
		}
		if ((int64_t)asking->results[i]->n_rows > asking->request->rows_limit) {
			return 0; /* a list of things, not figures of the run */
		}
	}
	return 1;
}

/* "stage=run, kind=efi" of a row. Lent until the next call. */
static const char *
key_of(const struct result *result, const struct match_columns *keys, size_t row,
       struct strbuf *out)
{
	char number[FORMAT_BYTES];
	strbuf_clear(out);
	strbuf_add_text(out, "");
	for (size_t k = 0; k < keys->n; k++) {
		const struct result_column *column = &result->columns[keys->column[k]];
		const struct value *value = result_value(result, row, keys->column[k]);
		struct slice text = value_show(value, column->kind, number);
		strbuf_printf(out, "%s%s=%.*s", k ? ", " : "", column->name, (int)text.len,
		              text.ptr);
	}
	return out->data ? out->data : "";
}

static bool
is_alike(struct result *const *results, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (results[i]->n_columns != results[0]->n_columns) {
			return false;
		}
		for (size_t c = 0; c < results[0]->n_columns; c++) {
			if (strcmp(results[i]->columns[c].name, results[0]->columns[c].name) != 0) {
				return false;
			}
		}
	}
	return true;
}

static void
add_group(struct indicators_asking *asking, const struct saved_query *query, const size_t *rows,
          const struct match_columns *keys, const struct match_columns *measures)
{
	struct strbuf key = {0};
	size_t first = 0;
	while (rows[first] == 0) {
		first++;
	}
	for (size_t m = 0; m < measures->n; m++) {
		const struct result *result = asking->results[first];
		const struct result_column *column = &result->columns[measures->column[m]];
		struct indicator *indicator =
		    add_indicator(asking, query->name, key_of(result, keys, rows[first] - 1, &key),
		                  column->name, column->kind);
		for (size_t i = 0; i < asking->n_runs; i++) {
			if (rows[i]) {
				indicator->values[i] = value_number(result_value(
				    asking->results[i], rows[i] - 1, measures->column[m]));
			}
		}
	}
	strbuf_free(&key);
}

/* Rows without a key are figures only if there is one of them. */
static void
add_figures(struct indicators_asking *asking, const struct saved_query *query)
{
	struct err ignored = ERR_INIT;
	struct match_columns measures, *keys = xcalloc(asking->n_runs, sizeof *keys);
	bool is_keyed = false, is_single = true, ok = is_alike(asking->results, asking->n_runs);
	for (size_t i = 0; ok && i < asking->n_runs; i++) {
		ok = match_keys(asking->results[i], query->key, &keys[i], &ignored) == 0;
		is_keyed = keys[i].n > 0;
		is_single = is_single && asking->results[i]->n_rows <= 1;
	}
	if (ok && (is_keyed || is_single)) {
		match_measures(asking->results[0], &keys[0], &measures);
		struct match *match = match_rows(asking->results, keys, asking->n_runs);
		for (size_t g = 0; g < match->n_groups; g++) {
			add_group(asking, query, match->rows + g * asking->n_runs, &keys[0],
			          &measures);
		}
		asking->indicators->n_queries++;
		match_free(match);
	}
	free(keys);
}

static void
drop_results(struct indicators_asking *asking)
{
	for (size_t i = 0; i < asking->n_runs; i++) {
		result_free(asking->results[i]);
		asking->results[i] = NULL;
	}
}

/* How long the runs took stands in no query. */
static void
add_durations(struct indicators_asking *asking)
{
	if (text_glob(slice_of("run"), slice_of(asking->request->query))) {
		struct indicator *indicator =
		    add_indicator(asking, "run", "", "duration", KIND_DURATION);
		for (size_t i = 0; i < asking->n_runs; i++) {
			indicator->values[i] =
			    (double)store_run(explain_run_at(asking->explain, i)->store)
				->duration_ns;
		}
	}
}

struct indicators *
indicators_collect(struct explain *explain, const struct indicators_request *request,
                   struct err *err)
{
	struct indicators_asking asking = {
	    .explain = explain, .request = request, .n_runs = explain->n_a + explain->n_b};
	asking.watchdog = watchdog_new(explain->cancel, err);
	if (!asking.watchdog) {
		return NULL;
	}
	struct query_library *library = query_library_open(NULL);
	int rc = 0;
	MEM_NEW(asking.results, asking.n_runs);
	MEM_NEW(asking.indicators, 1);
	asking.indicators->arena = arena_new();
	add_durations(&asking);
	for (size_t i = 0; rc >= 0 && i < query_library_count(library); i++) {
		const struct saved_query *query = query_library_get(library, i);
		if (!fits(&asking, query)) {
			continue;
		}
		rc = ask_runs(&asking, query, err);
		if (rc > 0) {
			add_figures(&asking, query);
		}
		drop_results(&asking);
	}
	query_library_close(library);
	watchdog_free(asking.watchdog);
	free(asking.results);
	if (rc < 0) {
		indicators_free(asking.indicators);
		return NULL;
	}
	return asking.indicators;
}

void
indicators_free(struct indicators *indicators)
{
	if (indicators) {
		free(indicators->list);
		free(indicators->left_out);
		arena_free(indicators->arena);
		free(indicators);
	}
}
