/*
 * rows RUN...: for every saved query that applies to the run, row by row: its figures are those of
 * what Enter opens, and of what an export of that list holds. Which columns
 * are such figures is what `covers:` in the header says. Asked with the defaults of the parameters,
 * and with others.
 *
 * Prints what does not agree, and how much was compared. 1: something did not.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/row_place.h"
#include "query/spans/span_list.h"
#include "util/order.h"

#define ROWS_OF_ANSWER 16     /* looked at, of all that are there: first, last and between */
#define ROWS_OF_EXPORT 20000  /* longer lists are counted, not written */
#define ROWS_OF_TARGET 100000 /* likewise, of another query's answer */

struct counts {
	long queries, rows, pairs, figures, failures;
};
static struct counts counts;
static struct query_library *library;

/* What a figure of the spans is called, as counted and as exported. */
struct totals {
	double count, rows, duration, self, size;
};

struct asked {
	const struct saved_query *query;
	const char *run;
	struct store *store;
	char **texts; /* of the parameters */
	const struct result *result;
	size_t row;
};

static void
fail(const struct asked *asked, const char *what, const char *detail)
{
	counts.failures++;
	printf("# %s: %s", asked->run, asked->query->name);
	for (size_t i = 0; i < asked->query->n_params; i++) {
		if (asked->texts[i]) {
			printf(" -p '%s=%s'", asked->query->params[i].name, asked->texts[i]);
		}
	}
	printf(" row %zu: %s%s%s\n", asked->row + 1, what, *detail ? ": " : "", detail);
}

static bool
is_same(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b));
}

/* The sum of columns of the row; false: none of them has a value. */
static bool
figure_of_row(const struct asked *asked, struct slice columns, double *sum)
{
	bool is_there = false;

	*sum = 0;
	while (columns.len > 0) {
		const char *plus = memchr(columns.ptr, '+', columns.len);
		struct slice one = {columns.ptr, plus ? (size_t)(plus - columns.ptr) : columns.len};
		int column = column_find(asked->result->columns, asked->result->n_columns, one);
		const struct value *value =
		    column < 0 ? NULL : result_value(asked->result, asked->row, (size_t)column);

		if (value && value_is_number(value)) {
			*sum += value_number(value);
			is_there = true;
		}
		columns = slice_from(columns, one.len + 1);
	}
	return is_there;
}

static void
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

/* ---- spans ---- */

static int
add_row(void *user, const struct value *values, struct err *err)
{
	struct totals *totals = user;

	(void)err;
	int calls = column_find(span_columns, SPAN_COLUMNS, slice_of("calls"));
	bool is_many = value_is_number(&values[calls]);

	totals->rows++;
	for (size_t c = 0; c < SPAN_COLUMNS; c++) {
		const char *name = span_columns[c].name;
		double number = value_is_number(&values[c]) ? value_number(&values[c]) : 0;

		totals->self += strcmp(name, "self") == 0 ? number : 0;
		totals->size += strcmp(name, "size") == 0 ? number : 0;
		totals->count += strcmp(name, "calls") == 0 ? (is_many ? number : 1) : 0;
		totals->duration +=
		    strcmp(name, is_many ? "call_sum" : "duration") == 0 ? number : 0;
	}
	return 0;
}

static double
total_named(const struct totals *totals, struct slice name)
{
	return slice_is(name, "count")      ? totals->count
	       : slice_is(name, "rows")     ? totals->rows
	       : slice_is(name, "duration") ? totals->duration
	       : slice_is(name, "self")     ? totals->self
	                                    : totals->size;
}

static void
compare_spans(const struct asked *asked, const struct totals *totals, const char *where)
{
	struct slice rest = slice_of(asked->query->covers ? asked->query->covers : ""), name,
		     column;
	double row;

	while (drill_target(&asked->query->drill) == DRILL_SPANS &&
	       covers_next(&rest, &name, &column)) {
		if (figure_of_row(asked, column, &row)) {
			compare(asked, name, row, total_named(totals, name), where);
		}
	}
}

static void
check_spans(const struct asked *asked, const struct row_place *place)
{
	struct err err = ERR_INIT;
	struct span_list list = {.filter = place->filter,
	                         .key = SPAN_KEY_START,
	                         .dataset = store_dataset(asked->store, &err)};
	struct span_figures figures;
	struct totals listed, exported = {0};

	if (!list.dataset || span_list_figures(&list, &figures, &err)) {
		fail(asked, place->filter, err.message);
		return;
	}
	listed = (struct totals){.count = (double)figures.n_calls,
	                         .rows = (double)figures.n,
	                         .duration = (double)figures.duration_ns,
	                         .self = (double)figures.self_ns,
	                         .size = (double)figures.size_bytes};
	if (figures.sums_leave) {
		return;
	}
	compare_spans(asked, &listed, place->filter);
	if (figures.n > ROWS_OF_EXPORT) {
		return;
	}
	if (span_list_read(&list, &figures, INT64_MAX, add_row, &exported, &err)) {
		fail(asked, place->filter, err.message);
		return;
	}
	compare(asked, slice_of("count"), listed.count, exported.count, "exported");
	compare(asked, slice_of("rows"), listed.rows, exported.rows, "exported");
	compare(asked, slice_of("duration"), listed.duration, exported.duration, "exported");
	compare(asked, slice_of("size"), listed.size, exported.size, "exported");
}

/* ---- another query's rows ---- */

static void
check_query(const struct asked *asked, const struct drill *drill)
{
	struct err err = ERR_INIT;
	const struct saved_query *target =
	    query_library_find(library, asked->query->drill.view, &err);
	char **texts =
	    drill_texts(drill, target->params, target->n_params, asked->result, asked->row);
	struct query_argument *arguments = xcalloc(target->n_params + 1, sizeof *arguments);
	struct result *behind;
	struct slice rest = slice_of(asked->query->covers ? asked->query->covers : ""), name,
		     column;
	size_t n = 0;
	double row;

	for (size_t i = 0; i < target->n_params; i++) {
		if (texts[i]) {
			arguments[n++] = (struct query_argument){target->params[i].name, texts[i]};
		}
	}
	behind = query_run(asked->store, target, arguments, n, NULL, &err);
	if (!behind) {
		fail(asked, target->name, err.message);
	}
	while (behind && behind->n_rows < ROWS_OF_TARGET && covers_next(&rest, &name, &column)) {
		int c = column_find(behind->columns, behind->n_columns, name);
		double sum = slice_is(name, "rows") ? (double)behind->n_rows : 0;

		for (size_t i = 0; c >= 0 && i < behind->n_rows; i++) {
			const struct value *value = result_value(behind, i, (size_t)c);

			sum += value_is_number(value) ? value_number(value) : 0;
		}
		if (figure_of_row(asked, column, &row)) {
			compare(asked, name, row, sum, target->name);
		}
	}
	result_free(behind);
	free(arguments);
	for (size_t i = 0; i < target->n_params; i++) {
		free(texts[i]);
	}
	free(texts);
}

/* ---- rows ---- */

static void
check_row(const struct asked *asked)
{
	struct drill drill = drill_of_query(asked->query, asked->texts);
	enum drill_target target = drill_target(&asked->query->drill);
	struct row_place place;

	counts.rows++;
	row_place_read(&drill, asked->result, asked->row, &place);
	if (place.filter) {
		check_spans(asked, &place);
	} else if (strncmp(place.why_not, "which spans", 11) == 0) {
		fail(asked, "spans", place.why_not);
	}
	if (target == DRILL_QUERY) {
		check_query(asked, &drill);
	}
	if (target == DRILL_TIMELINE && !place.has_start) {
		fail(asked, "it is no place in the timeline", "");
	}
	row_place_free(&place);
}

/* ---- queries ---- */

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

static void
check_answer(struct asked *asked)
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
	if (!result) {
		fail(asked, "no answer", err.message);
	} else if (result->n_rows > 0) {
		size_t n_looked = LEAST(result->n_rows, (size_t)ROWS_OF_ANSWER);

		counts.pairs++;
		for (size_t i = 0; i < n_looked; i++) {
			asked->row = n_looked == 1 ? 0 : i * (result->n_rows - 1) / (n_looked - 1);
			check_row(asked);
		}
	}
	result_free(result);
	free(arguments);
}

static void
check_run(const char *path)
{
	struct err err = ERR_INIT;
	struct store *store = store_open(path, &err);
	const char *slash = strrchr(path, '/');

	if (!store) {
		printf("# %s: %s\n", path, err.message);
		counts.failures++;
		return;
	}
	for (size_t q = 0; q < query_library_count(library); q++) {
		const struct saved_query *query = query_library_get(library, q);
		struct asked asked = {
		    .query = query, .run = slash ? slash + 1 : path, .store = store};

		if (!query_applies(query, store_run(store))) {
			continue;
		}
		asked.texts = xcalloc(query->n_params + 1, sizeof *asked.texts);
		for (int way = 0; way < 2; way++) {
			bool differs = way == 0;

			for (size_t i = 0; i < query->n_params; i++) {
				const struct query_param *param = &query->params[i];

				free(asked.texts[i]);
				asked.texts[i] =
				    param->default_text
					? way == 1 ? text_for(param, others,
				                              sizeof others / sizeof *others)
				                   : NULL
					: text_for(param, needed, sizeof needed / sizeof *needed);
				differs = differs || (asked.texts[i] && param->default_text);
			}
			if (differs) {
				counts.queries++;
				check_answer(&asked);
			}
		}
		for (size_t i = 0; i < query->n_params; i++) {
			free(asked.texts[i]);
		}
		free(asked.texts);
	}
	store_close(store);
}

int
main(int argc, char **argv)
{
	library = query_library_open(NULL);
	for (int i = 1; i < argc; i++) {
		check_run(argv[i]);
	}
	printf("# %d runs, %ld answers asked for, %ld with rows: %ld rows, %ld figures compared\n",
	       argc - 1, counts.queries, counts.pairs, counts.rows, counts.figures);
	query_library_close(library);
	return counts.failures > 0;
}
