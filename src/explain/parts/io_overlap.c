/*
 * Part io-overlap: input and output that is not hidden behind computing, and the reverse, of both
 * runs: the saved query io-summary on each, side by side. Both ways to compute it are shown, as
 * figures of one must not be held against figures of the other: the exact union of intervals, and
 * what DFAnalyzer prints (sums by thread and window, the largest thread of each).
 */
#include "config.h"
#include "explain/parts/parts.h"

#include <string.h>

#include "util/intervals.h"

enum { PARAM_WINDOW, PARAM_COMPUTE, PARAM_IO, PARAM_APP_IO, PARAMS };

static const struct query_param params[PARAMS] = {
    {.name = "window", .default_text = "30s", .about = "length of a window", .kind = KIND_DURATION},
    {.name = "compute",
     .default_text = "name GLOB \"*compute*\"",
     .about = "what computing is, in the filter language",
     .kind = KIND_TEXT},
    {.name = "io",
     .default_text = "category = \"POSIX\"",
     .about = "what input and output is",
     .kind = KIND_TEXT},
    {.name = "app_io",
     .default_text = "category GLOB \"*reader*\" OR category GLOB \"*checkpoint*\"",
     .about = "what application-level input and output is",
     .kind = KIND_TEXT},
};

static struct result *
summarise(const struct explain *explain, const struct explain_run *run,
          const struct saved_query *query, const char *const *arguments, struct err *err)
{
	struct query_argument given[PARAMS + 1];
	for (size_t i = 0; i < PARAMS; i++) {
		given[i] = (struct query_argument){params[i].name, arguments[i]};
	}
	given[PARAMS] = (struct query_argument){"method", "both"};
	return query_run(run->store, query, given, PARAMS + 1, explain->cancel, err);
}

static size_t
find_column(const struct result *result, const char *name)
{
	size_t c = 0;
	while (c < result->n_columns && strcmp(result->columns[c].name, name) != 0) {
		c++;
	}
	return c;
}

static void
add_row(struct result *result, const struct value *method, const char *measure,
        const struct value *a, const struct value *b)
{
	struct value *row = result_add_row(result);
	row[0] = value_text(result, method->text);
	row[1] = value_text(result, slice_of(measure));
	if (a->type == VALUE_INTEGER && b->type == VALUE_INTEGER) {
		row[2] = *a;
		row[3] = *b;
		row[4] = value_integer(time_sub(b->integer, a->integer));
	}
}

/* Measures as rows, so that the two ways stand one under the other. */
static struct result *
put_side_by_side(const struct explain *explain, const struct result *a, const struct result *b)
{
	static const char *const measures[] = {"total",
	                                       "io",
	                                       "compute",
	                                       "app_io",
	                                       "unoverlapped_io",
	                                       "unoverlapped_compute",
	                                       "unoverlapped_app_io",
	                                       "unoverlapped_app_compute"};
	struct arena *arena = arena_new();
	const struct result_column columns[] = {
	    {.name = "method", .is_key = true},
	    {.name = "measure", .is_key = true},
	    {.name = explain_column_name(arena, explain->a[0].name, "a"), .kind = KIND_DURATION},
	    {.name = explain_column_name(arena, explain->b[0].name, "b"), .kind = KIND_DURATION},
	    {.name = "delta", .kind = KIND_DURATION, .is_measure = true, .about = "b - a"},
	};
	struct result *result =
	    result_new("Overlap of I/O with computing", columns, sizeof columns / sizeof *columns);
	arena_free(arena);
	size_t method_a = find_column(a, "method");
	for (size_t r = 0; r < a->n_rows && r < b->n_rows && method_a < a->n_columns; r++) {
		for (size_t m = 0; m < sizeof measures / sizeof *measures; m++) {
			size_t in_a = find_column(a, measures[m]);
			size_t in_b = find_column(b, measures[m]);
			if (in_a < a->n_columns && in_b < b->n_columns) {
				add_row(result, result_value(a, r, method_a), measures[m],
				        result_value(a, r, in_a), result_value(b, r, in_b));
			}
		}
	}
	return result;
}

static struct result *
compute(struct explain *explain, const char *const *arguments, struct err *err)
{
	struct query_library *library = query_library_open(NULL);
	const struct saved_query *query = query_library_find(library, "io-summary", err);
	struct result *a = NULL, *b = NULL, *result = NULL;
	a = query ? summarise(explain, &explain->a[0], query, arguments, err) : NULL;
	b = a ? summarise(explain, &explain->b[0], query, arguments, err) : NULL;
	if (b) {
		result = put_side_by_side(explain, a, b);
	}
	result_free(a);
	result_free(b);
	query_library_close(library);
	return result;
}

const struct explain_part explain_io_overlap = {
    .name = "io-overlap",
    .title = "Overlap of I/O with computing",
    .summed = EXPLAIN_SUMMED_BUSY,
    .about =
	"How long each run did I/O, application-level I/O and computed, and how much of each was "
	"not hidden behind the other: "
	"exactly, as unions of intervals in windows by the calls' start, and as DFAnalyzer "
	"approximates it (in each window the "
	"sums of each thread, the largest thread for each of the three). The approximation may "
	"exceed the window, and a wider "
	"window lowers what it calls unoverlapped. The figures are those of the saved query "
	"io-summary.",
    .needs = "dftracer",
    .params = params,
    .n_params = PARAMS,
    .drill = {"io-summary", ""},
    .compute = compute,
};
