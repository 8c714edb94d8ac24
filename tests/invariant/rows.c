/*
 * rows [--wide] [--query NAME] [--tally FILE] RUN...: for every saved query that applies to the
 * run, row by row: its figures are those of what Enter opens (behind.c), what the timeline marks
 * and what an export holds. Which columns are such figures is what `covers:` in the header says,
 * and checks.c. Asked with the defaults of the parameters and with others, and in scopes: a range,
 * a lane, a condition, two together. A range's parts add up to it. Nor may a figure follow the
 * order in which rows come (order.c).
 *
 * Prints what does not agree, and how much was compared; to FILE a line for each query: query,
 * format, answers with rows, rows, figures. 1: something did not agree. Without a RUN: whether each
 * query says what is compared.
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/spans/span_list.h"
#include "tests/invariant/rows.h"
#include "util/order.h"

/* Rows looked at of an answer, in a scope of fewer: first, last and between. */
#define ROWS_OF_ANSWER 24
#define ROWS_IN_SCOPE 5
/* So many rows of a query later, of others of its answers */
#define ROWS_OF_QUERY 200
#define ROWS_AFTERWARDS 2
#define ROWS_WIDE 300
/* Which runs are asked in scopes. */
#define SPANS_SMALL 60
#define SPANS_LARGE 10000
#define RUNS_IN_SCOPES 3
#define RUNS_PER_SCOPE 12

struct counts counts;

struct work {
	struct query_library *library;
	long *rows_of; /* by query, whatever the run */
	bool is_wide;
	long n_scoped;    /* runs so far, of those that may be asked in scopes */
	const char *only; /* this query; NULL: all */
	FILE *tally;
};

/* ---- telling ---- */

void
fail(const struct asked *asked, const char *what, const char *detail)
{
	counts.failures++;
	printf("# %s: %s", asked->run, asked->query ? asked->query->name : "all spans");
	for (size_t i = 0; asked->query && i < asked->query->n_params; i++) {
		if (asked->texts[i]) {
			printf(" -p '%s=%s'", asked->query->params[i].name, asked->texts[i]);
		}
	}
	if (asked->scope) {
		printf(" --scope \"%s\"", asked->scope);
	}
	printf(" row %zu: %s%s%s\n", asked->row + 1, what, *detail ? ": " : "", detail);
}

static bool
is_same(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

void
compare(const struct asked *asked, struct slice name, double row, double behind, const char *where)
{
	char text[300];

	counts.figures++;
	if (!is_same(row, behind)) {
		snprintf(text, sizeof text, "%.*s %.17g, %s %.17g", (int)name.len, name.ptr, row,
		         where, behind);
		fail(asked, "not the same", text);
	}
}

void
compare_values(const struct asked *asked, const char *name, const struct value *row,
               const struct value *behind, const char *where)
{
	char text[300];
	bool is_text = row->type == VALUE_TEXT && behind->type == VALUE_TEXT;

	if (value_is_number(row) && value_is_number(behind)) {
		compare(asked, slice_of(name), value_number(row), value_number(behind), where);
		return;
	}
	counts.figures++;
	if (row->type != behind->type || (is_text && !slice_equal(row->text, behind->text))) {
		snprintf(text, sizeof text, "%s, %s", name, where);
		fail(asked, "not the same", text);
	}
}

const struct value *
value_named(const struct asked *asked, struct slice name)
{
	int column = column_find(asked->result->columns, asked->result->n_columns, name);

	return column < 0 ? NULL : result_value(asked->result, asked->row, (size_t)column);
}

/* ---- parameters ---- */

/* Other values than the defaults, by the parameter's name. */
static const struct query_argument others[] = {
    {"path", "*a*"},     {"file", "*[a-m]*"}, {"filter", "duration > 1us AND kind <> \"x\""},
    {"by", "process"},   {"least", "5us"},    {"pool", "*1*"},
    {"kind", "*[a-m]*"}, {"lane", "*0*"},     {"worker", "*0*"},
    {"mode", "*o*"},     {"flow", "*a*"},     {"window", "100ms"},
    {"skip", "1"}};
/* Of parameters that must be given. */
static const struct query_argument needed[] = {
    {"file", "*"}, {"of", "duration >= 0"}, {"while", "duration >= 0"}};

static char *
text_for(const struct query_param *param, const struct query_argument *arguments, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (strcmp(arguments[i].name, param->name) == 0 && !param->allowed) {
			return xstrndup(arguments[i].text, strlen(arguments[i].text));
		}
	}
	return NULL;
}

/* False: there are no others. */
static bool
choose_texts(const struct saved_query *query, bool is_others, char **texts)
{
	bool differs = !is_others;

	for (size_t i = 0; i < query->n_params; i++) {
		const struct query_param *param = &query->params[i];

		texts[i] = !param->default_text ? text_for(param, needed, COUNT_OF(needed))
		           : is_others          ? text_for(param, others, COUNT_OF(others))
		                                : NULL;
		differs = differs || (texts[i] && param->default_text);
	}
	return differs;
}

/* ---- answers ---- */

static size_t
rows_to_look_at(const struct work *work, size_t q, bool is_scoped, size_t n)
{
	bool is_early = work->rows_of[q] < ROWS_OF_QUERY;
	size_t most = work->is_wide ? ROWS_WIDE
	              : !is_early   ? ROWS_AFTERWARDS
	              : is_scoped   ? ROWS_IN_SCOPE
	                            : ROWS_OF_ANSWER;

	return LEAST(n, most);
}

static void
check_answer(struct work *work, size_t q, struct asked *asked)
{
	struct query_argument *arguments = xcalloc(asked->query->n_params + 1, sizeof *arguments);
	struct err err = ERR_INIT;
	struct result *result;
	size_t n = 0;

	for (size_t i = 0; i < asked->query->n_params; i++) {
		if (asked->texts[i]) {
			arguments[n++] =
			    (struct query_argument){asked->query->params[i].name, asked->texts[i]};
		}
	}
	asked->row = 0;
	asked->result = result = query_run(asked->store, asked->query, arguments, n, NULL, &err);
	counts.answers++;
	if (!result) {
		fail(asked, "no answer", err.message);
	} else if (result->n_rows > 0) {
		size_t n_looked = rows_to_look_at(work, q, asked->scope != NULL, result->n_rows);

		counts.with_rows++;
		work->rows_of[q] += (long)n_looked;
		for (size_t i = 0; i < n_looked; i++) {
			asked->row = n_looked == 1 ? 0 : i * (result->n_rows - 1) / (n_looked - 1);
			check_row(asked);
		}
	}
	result_free(result);
	free(arguments);
}

static void
check_query_in(struct work *work, size_t q, struct asked *asked, bool is_others)
{
	asked->query = query_library_get(work->library, q);
	if (!query_applies(asked->query, store_run(asked->store)) ||
	    (work->only && strcmp(work->only, asked->query->name) != 0)) {
		return;
	}
	asked->texts = xcalloc(asked->query->n_params + 1, sizeof *asked->texts);
	if (choose_texts(asked->query, is_others, asked->texts)) {
		check_answer(work, q, asked);
	}
	for (size_t i = 0; i < asked->query->n_params; i++) {
		free(asked->texts[i]);
	}
	free(asked->texts);
}

static void
check_queries(struct work *work, struct asked *asked, bool is_others)
{
	for (size_t q = 0; q < query_library_count(work->library); q++) {
		struct counts before = counts;

		check_query_in(work, q, asked, is_others);
		if (work->tally && counts.rows > before.rows) {
			fprintf(work->tally, "%s %s %ld %ld %ld\n", asked->query->name,
			        store_run(asked->store)->format,
			        counts.with_rows - before.with_rows, counts.rows - before.rows,
			        counts.figures - before.figures);
		}
	}
	asked->query = NULL;
	asked->row = 0;
	check_parts(asked);
}

/* ---- scopes ---- */

/* The run's text of most spans, of a dimension; NULL: none. */
static char *
most_frequent(struct store *store, const char *dimension)
{
	struct strbuf sql = {0};
	struct err err = ERR_INIT;
	struct result *result;
	char *text = NULL;

	strbuf_printf(&sql,
	              "SELECT %s FROM span_sums('%s') WHERE %s IS NOT NULL ORDER BY rows DESC, 1",
	              dimension, dimension, dimension);
	result = query_sql(store, sql.data, NULL, &err);
	if (result && result->n_rows > 0 && result_value(result, 0, 0)->type == VALUE_TEXT) {
		text = xstrndup(result_value(result, 0, 0)->text.ptr,
		                result_value(result, 0, 0)->text.len);
	}
	result_free(result);
	strbuf_free(&sql);
	return text;
}

static void
add_lane(struct scope *scope, const char *name)
{
	struct strbuf pattern = {0};

	for (; *name; name++) {
		strbuf_printf(&pattern, strchr("*?[", *name) ? "[%c]" : "%c", *name);
	}
	scope_add(scope, &(struct scope_word){.kind = SCOPE_LANES, .text = pattern.data});
	strbuf_free(&pattern);
}

static void
add_condition(struct scope *scope, const char *name)
{
	struct strbuf condition = {0};

	span_filter_add(&condition, "name", slice_of(name));
	scope_add(scope, &(struct scope_word){.kind = SCOPE_FILTER, .text = condition.data});
	strbuf_free(&condition);
}

static void
check_scope(struct work *work, struct asked *asked, struct scope *scope)
{
	struct strbuf text = {0};
	struct err err = ERR_INIT;
	struct spans_seen *whole = asked->seen;

	scope_write(scope, &text);
	asked->scope = text.data;
	asked->seen = spans_seen_new();
	if (store_set_scope(asked->store, scope, &err)) {
		fail(asked, "no scope", err.message);
	} else {
		check_queries(work, asked, false);
	}
	(void)store_set_scope(asked->store, NULL, &err);
	asked->scope = NULL;
	spans_seen_free(asked->seen);
	asked->seen = whole;
	scope_free(scope);
	strbuf_free(&text);
}

static void
check_scopes(struct work *work, struct asked *asked)
{
	int64_t third = store_run(asked->store)->duration_ns / 3;
	struct scope_word range = {.kind = SCOPE_RANGE, .start_ns = third, .end_ns = 2 * third};
	char *name = most_frequent(asked->store, "name");
	char *lane = most_frequent(asked->store, "lane_name");
	struct scope scope = {0};

	scope_add(&scope, &range);
	check_scope(work, asked, &scope);
	if (lane) {
		add_lane(&scope, lane);
		check_scope(work, asked, &scope);
	}
	if (name) {
		add_condition(&scope, name);
		check_scope(work, asked, &scope);
		scope_add(&scope, &range);
		add_condition(&scope, name);
		check_scope(work, asked, &scope);
	}
	free(name);
	free(lane);
}

/* ---- runs ---- */

/* In scopes all is asked four times more: of small runs, and of the first and some of larger ones.
 */
static bool
is_scoped(struct work *work, const struct store *store)
{
	int64_t n = store_run(store)->n_spans;
	long nth = n > SPANS_SMALL && n <= SPANS_LARGE ? work->n_scoped++ : 0;

	return work->is_wide ||
	       (n <= SPANS_LARGE && (nth < RUNS_IN_SCOPES || nth % RUNS_PER_SCOPE == 0));
}

static void
check_run(struct work *work, const char *path)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(path, &err);
	const char *slash = strrchr(path, '/');
	struct asked asked = {.library = work->library,
	                      .run = slash ? slash + 1 : path,
	                      .store = store,
	                      .is_wide = work->is_wide};

	if (!store) {
		printf("# %s: %s\n", path, err.message);
		counts.failures++;
		return;
	}
	refuse_orders(store);
	asked.seen = spans_seen_new();
	check_queries(work, &asked, false);
	check_queries(work, &asked, true);
	if (is_scoped(work, store)) {
		check_scopes(work, &asked);
	}
	spans_seen_free(asked.seen);
	store_close(store);
}

int
main(int argc, char **argv)
{
	struct work work = {.library = query_library_open(NULL)};
	int i = 1, n_runs;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		if (strcmp(argv[i], "--wide") == 0) {
			work.is_wide = true;
		} else if (strcmp(argv[i], "--query") == 0 && i + 1 < argc) {
			work.only = argv[++i];
		} else if (strcmp(argv[i], "--tally") == 0 && i + 1 < argc) {
			work.tally = fopen(argv[++i], "a");
		}
	}
	n_runs = argc - i;
	work.rows_of = xcalloc(query_library_count(work.library), sizeof *work.rows_of);
	if (n_runs == 0) {
		row_checks_look(work.library);
	}
	for (; i < argc; i++) {
		check_run(&work, argv[i]);
	}
	if (n_runs > 0) {
		printf("# %d runs, %ld answers asked for, %ld with rows: %ld rows, %ld figures "
		       "compared\n",
		       n_runs, counts.answers, counts.with_rows, counts.rows, counts.figures);
	}
	if (work.tally) {
		fclose(work.tally);
	}
	free(work.rows_of);
	query_library_close(work.library);
	return counts.failures > 0;
}
