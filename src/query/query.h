/*
 * Saved queries and results. A result is a table in memory: typed columns, rows of values, all in one arena.
 */
#ifndef LANESCOPE_QUERY_QUERY_H
#define LANESCOPE_QUERY_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/store.h"
#include "util/cancel.h"
#include "util/err.h"
#include "util/mem.h"

/* How a column is shown; the values stay what SQL gave. */
enum column_kind { KIND_TEXT, KIND_INTEGER, KIND_REAL, KIND_DURATION /* ns */, KIND_TIME /* ns from the run's start */, KIND_SIZE /* bytes */,
	KIND_PERCENT /* 0.5 = 50 % */, KIND_COUNT };

struct value {
	enum value_type type;
	union {
		int64_t integer;
		double real;
		struct slice text; /* in the result's arena */
	};
};

struct result_column {
	const char *name;
	enum column_kind kind;
	bool is_measure, higher_is_better, is_key;
};

struct result {
	struct arena *arena;
	const char *title;
	size_t n_columns, n_rows;
	struct result_column *columns;
	struct value *values;        /* row-major: values[row * n_columns + column] */
	size_t n_notes;
	const char **notes;          /* "runs differ: 16 and 8 sources", printed to stderr or above the table */
};
void result_free(struct result *result); /* takes NULL */
static inline struct value *
result_value(const struct result *result, size_t row, size_t column)
{
	return &result->values[row * result->n_columns + column];
}
/* "-total,kind": stable; NULLs last. ERR_USAGE names the columns there are. */
int result_sort(struct result *result, const char *order, struct err *err);
void result_limit(struct result *result, size_t n_rows);

struct query_param {
	const char *name, *default_text, *about; /* default_text NULL: required */
	enum column_kind kind;
};
struct query_drill {
	const char *view;            /* "span", "task", "timeline", another query's name */
	const char *bindings;        /* "name=task category=kind" */
};
struct saved_query {
	const char *name, *title, *about;
	const char *formats;         /* "cascade dftracer" or "any" */
	const char *sql;
	const char *origin;          /* "built in" or the file's path */
	size_t n_params;
	const struct query_param *params;
	size_t n_columns;
	const struct result_column *columns;
	const char *key, *measures, *sort, *per_run_order; /* column lists as in the header; NULL if absent */
	struct query_drill drill;
};

/* Built-in queries overlaid by XDG_CONFIG_HOME/lanescope/queries/ and extra_dir (may be NULL). Broken files are left out and listed. */
struct query_library;
struct query_library *query_library_open(const char *extra_dir);
size_t query_library_count(const struct query_library *library);
const struct saved_query *query_library_get(const struct query_library *library, size_t i); /* by name order */
const struct saved_query *query_library_find(const struct query_library *library, const char *name, struct err *err); /* error suggests near names */
bool query_applies(const struct saved_query *query, const struct run_info *run);
size_t query_library_broken(const struct query_library *library);
const char *query_library_broken_message(const struct query_library *library, size_t i); /* file:line: reason */
void query_library_close(struct query_library *library);

struct query_argument {
	const char *name, *text;
};
/* Runs a query on one run. Arguments are parsed by the parameter's kind and bound. */
struct result *query_run(struct store *store, const struct saved_query *query, const struct query_argument *arguments, size_t n_arguments,
			 const struct cancel *cancel, struct err *err);
/* Any read-only SQL, kinds guessed from column names (…_ns: duration, …_bytes: size). */
struct result *query_sql(struct store *store, const char *sql, const struct cancel *cancel, struct err *err);

/* N results of the same query under a leading "run" column; or (wide) runs as columns, key + measure as rows. */
struct result *query_stack(struct result *const *results, const char *const *names, size_t n, struct err *err);
struct result *query_wide(struct result *const *results, const char *const *names, size_t n, const char *key, struct err *err);

/* Two results joined on key columns (NULL: the query's): A's measure, B's, delta = B - A, ratio = B / A, rel = delta / B; only-in rows
 * kept with the other side missing; equal keys more than once are matched in order, with a note. */
struct result *query_diff(const struct result *a, const struct result *b, const char *name_a, const char *name_b, const char *key, struct err *err);

/* Notes on what differs between runs (sources, hosts, lanes, records, problems), appended to the result's. */
void query_note_differences(struct result *result, struct store *const *stores, size_t n);

#endif
