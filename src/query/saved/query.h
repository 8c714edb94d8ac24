/*
 * Saved queries and results. A result is a table in memory: typed columns, rows of values, all in
 * one arena.
 * Used by most rooms.
 */
#ifndef LANESCOPE_QUERY_SAVED_QUERY_H
#define LANESCOPE_QUERY_SAVED_QUERY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "query/saved/kind.h"
#include "store/store.h"
#include "util/cancel.h"
#include "util/err.h"
#include "util/mem.h"

/* From dur_sum, start, size_bytes, n, ...; false: no idea. */
bool column_kind_guess(const char *column_name, enum column_kind *kind);

/* A row of queries/columns: what a name means in every saved query. */
enum better { BETTER_NONE, BETTER_LOWER, BETTER_HIGHER };
struct column_meaning {
	const char *name;
	unsigned kinds;   /* a bit for each enum column_kind that it comes in */
	const char *unit; /* "s", "MiB"; NULL where the kind tells it, or there is none */
	enum better better;
	const char *about; /* one line */
};
const struct column_meaning *column_meaning_at(size_t i); /* NULL behind the last row */
/* The i-th name of what is called so, its own first, then aliases; NULL at the end, and where there
 * is no row. */
const char *column_alias(const char *name, size_t i);

/* How far two runs are apart: from 0; the same as a part of A; from 1, either way. */
enum column_difference { DIFFERENCE_NONE, DIFFERENCE_DELTA, DIFFERENCE_REL, DIFFERENCE_RATIO };

struct result_column {
	const char *name;
	enum column_kind kind;
	bool is_measure, is_key;
	enum better better;
	bool is_lead;        /* the measure that its query is asked for: differences go by it */
	bool absent_is_zero; /* in a difference, also where it does not add up */
	/* See column_adds_up; the others are of a difference: its columns A, B, delta, ratio, rel
	 * follow each other, and the last two of the sums are computed from the sums. */
	enum { SUMS_BY_NAME, SUMS_UP, SUMS_NOT, SUMS_RATIO, SUMS_REL, SUMS_REL_TO_B } sums;
	const char *about; /* one line, or NULL */
	const char *unit;  /* of a column that is made of another one; NULL: column_unit tells */
};
/* As most are declared: what tells rows apart, a figure, a figure that is compared. */
#define COLUMN_KEY(of, ...)                                                                        \
	{                                                                                          \
		.name = (of), .kind = KIND_TEXT, .is_key = true, .about = __VA_ARGS__              \
	}
#define COLUMN(of, as, ...)                                                                        \
	{                                                                                          \
		.name = (of), .kind = (as), .about = __VA_ARGS__                                   \
	}
#define COLUMN_MEASURE(of, as, ...)                                                                \
	{                                                                                          \
		.name = (of), .kind = (as), .is_measure = true, .about = __VA_ARGS__               \
	}
const struct column_meaning *
column_meaning(const struct result_column *column); /* NULL: no row has its name and kind */
const char *
column_unit(const struct result_column *column); /* "ns", "bytes", "s" ...; NULL: none */
/* The unit of values that are shown without one: of a load_time in seconds "s", of a duration NULL,
 * as each stands with its own. */
const char *column_bare_unit(const struct result_column *column);
/* What stands above a column for people: "load_time [s]", where the name does not say it already as
 * "duration_s" does. CSV and JSON have the name alone. */
void column_title(const struct result_column *column, struct strbuf *out);
const char *column_about(const struct result_column *column); /* its own or its row's; NULL: none */
/* Is the sum of its values over rows a figure as well? Then a row that is not there counts as 0. */
bool column_adds_up(const struct result_column *column);

struct result {
	struct arena *arena;
	const char *title;
	size_t n_columns, n_rows;
	struct result_column *columns;
	struct value *values; /* row-major: values[row * n_columns + column] */
	size_t n_notes;
	/* "the runs differ: trace files base 16, scr 8", printed to stderr or above the table */
	const char **notes;
	const char *out_of_scope; /* that note that says what a scope does not choose; else NULL */
	/* of wide results: how many measures rows stand for in turn, until they are sorted; 0
	 * else */
	size_t n_wide;
	const struct result_column *wide; /* those measures */
	/* of wide results, where a row is a measure: kind of its numbers; NULL else */
	const enum column_kind *row_kinds;
	/* of two runs: how each column tells them apart; NULL: none does */
	const enum column_difference *differences;
	const signed char *
	    /* of a difference, before it is sorted: the run that alone has the row, 0 A or 1 B, -1
	     * both; else NULL */
	    only_in;
	/* first columns whose values part the rows for sums: the run, where several runs stand
	 * below each other */
	size_t n_apart;
	size_t n_sums;          /* last rows that are sums of others, see result_add_sums */
	const char *sums_label; /* of what they are sums */
	/* private: room of values, 0 if they lie in the arena; of texts that do not */
	size_t values_bytes, text_bytes;
	struct spill *spill; /* where these go beyond a share of the memory budget; NULL: small */
	struct text_heap *texts;
};
/* Most values and text that a result may hold; beyond it ERR_LIMIT says how to ask for less. */
#define RESULT_BYTES_LIMIT ((size_t)2 << 30)
/* An empty result; columns and title are copied. */
struct result *result_new(const char *title, const struct result_column *columns, size_t n_columns);
/* A copy of a text that stays as long as the result. */
struct slice result_keep_text(struct result *result, struct slice text);
size_t result_bytes(const struct result *result); /* of values and texts */
/* A new last row, all NULL; valid until the next one is added. */
struct value *result_add_row(struct result *result);
/* A new last row of these values, one for each column. */
void result_add(struct result *result, const struct value *values);
#define RESULT_ADD(result, ...) result_add(result, (const struct value[]){__VA_ARGS__})
struct value value_integer(int64_t integer);
struct value value_real(double real);
struct value value_finite(double real);                            /* NULL for what is none */
struct value value_word(struct result *result, const char *text);  /* likewise copied */
struct value value_text(struct result *result, struct slice text); /* copied into the arena */
struct value value_copy(struct result *result, const struct value *value); /* the same for any */
bool value_is_number(const struct value *value);
double value_number(const struct value *value); /* NAN for what is no number */
/* NULL, then numbers (compared exactly), then text by bytes. */
int value_compare(const struct value *a, const struct value *b);
void result_add_note(struct result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Notes that say the same of several runs become one, where the first of them stood: "of 500 runs
 * (f1, f2, f3, ...): ...", or the first one's where only their figures differ. what: "runs". */
void result_fold_notes(struct result *result, const char *const *names, size_t n_names,
                       const char *what);
/* A row of sums, or one for each of the runs that stand below each other: of columns that add up
 * (but keys); of a difference also its ratios. All others are NULL, in keys as well: a row of sums
 * is told by its place, not by a word that a key might be. */
struct sum_rows;
struct sum_rows *result_sums(struct result *result); /* new; a sum that leaves 64 bits is a note */
size_t sum_rows_most(const struct sum_rows *sums);   /* of how many rows the largest of them is */
void sum_rows_free(struct sum_rows *sums);           /* takes NULL */
/* The last rows from now on: after sorting and limiting. Takes sums, which may be NULL. */
void result_add_sums(struct result *result, struct sum_rows *sums);
/* For formats that have nothing but rows: a copy with a last column is_sum (0, 1). It borrows texts
 * and notes. */
struct result *result_mark_sums(const struct result *result);
/* For formats that have nothing but rows: a copy with a last column `notes`, all notes in the first
 * row, a line each, NULL in the others. It borrows texts and notes. */
struct result *result_with_notes(const struct result *result);
bool result_has_sums(const struct result *result); /* does any column add up? */
/* What a column of a difference (SUMS_RATIO ...) is of the sums of A and B. NULL for other
 * columns. */
struct value value_sum_of_difference(const struct result_column *column, const struct value *a,
                                     const struct value *b);
/* Of two numbers; NULL where there is none. */
struct value value_quotient(const struct value *a, const struct value *b);
/* Adds a number (others are passed over). False: the sum leaves 64 bits. */
bool value_add(struct value *sum, const struct value *value);
/* -1: none is called so. */
int column_find(const struct result_column *columns, size_t n, struct slice name);
/* By its name, else by an alias of it. -1: error with near names. */
int result_column_find(const struct result *result, const char *name, struct err *err);
/* Keeps the rows that meet a condition of the filter language on the columns, "nodes >= 4 AND mode
 * = 'scr'"; what is a date or has a unit is understood by the column's kind. Before sums are added.
 * -1: err says where the condition is wrong. */
int result_where(struct result *result, const char *condition, struct err *err);
/* Drops all columns but those of which keeps[column] is true. Nothing is added to it afterwards
 * but notes: sums of a difference's ratios are made before. Not for results with `differences` or
 * `wide`. */
void result_keep_columns(struct result *result, const bool *keeps);
/* The columns of a list, in its order, each once: "kind, total". ERR_USAGE names those there
 * are. */
int result_pick_columns(struct result *result, const char *list, struct err *err);
enum column_kind result_kind(const struct result *result, size_t row, size_t column);
struct pack;
/* To bytes or back (result NULL, new): an answer as query_run gives it. */
struct result *result_pack(struct pack *pack, struct result *result);
void result_free(struct result *result); /* takes NULL */
static inline enum column_difference
result_difference(const struct result *result, size_t column)
{
	return result->differences ? result->differences[column] : DIFFERENCE_NONE;
}
static inline struct value *
result_value(const struct result *result, size_t row, size_t column)
{
	return &result->values[row * result->n_columns + column];
}
/* "-total,kind": stable; NULLs last. ERR_USAGE names the columns there are. */
int result_sort(struct result *result, const char *order, struct err *err);
void result_limit(struct result *result, size_t n_rows);
/* The first n_rows (not 0) of each part, of rows as query_stack puts them. */
void result_limit_each(struct result *result, size_t n_rows);

struct query_param {
	const char *name, *default_text, *about; /* default_text NULL: required */
	enum column_kind kind;
	const char *allowed; /* "mean, median" or, where it is no text, "0..100%"; NULL: all */
};
struct query_drill {
	const char *view;     /* "span", "timeline", "row", another query's name */
	const char *bindings; /* "name=task category=kind" */
};
struct saved_query {
	const char *name, *title, *about;
	const char *formats; /* "cascade dftracer", "chrome/bazel" or "any" */
	const char *header;  /* its lines, as they stand in the file */
	const char *sql;
	const char *origin; /* "built in" or the file's path */
	unsigned sql_line;  /* of the file, where sql begins */
	size_t n_params;
	const struct query_param *params;
	size_t n_columns;
	const struct result_column *columns;
	const char *key, *measures,
	    *sort; /* column lists as in the header; NULL if absent. query_run sorts */
	/* sets of columns that measure one thing in different ways: "a, b; c, d"; or NULL */
	const char *alternatives;
	const char *scans; /* why this query reads raw spans; NULL: it does not */
	/* "none WHY": a scope is not for it; NULL: it obeys */
	const char *scope;
	/* "spans category=kernel|devices": what a run must have for rows to come; or NULL */
	const char *needs;
	struct query_drill drill;
	/* "name=name [path~:path]": the spans that a row stands for (row_filter.h); or NULL. A
	 * drill to spans may say it itself */
	const char *spans;
	/* "count=calls duration=time": which columns are figures of what the row leads to; or
	 * NULL */
	const char *covers;
	/* "line x=block_size y=total log=x": how it is drawn (query_plot_next); or NULL */
	const char *plot;
};

/* Built-in queries overlaid by XDG_CONFIG_HOME/lanescope/queries/ and extra_dir (may be NULL).
 * Broken files are left out and listed. */
struct query_library;
/* Why a query is not scoped; NULL: it is. */
const char *query_unscoped(const struct saved_query *query);
struct query_library *query_library_open(const char *extra_dir);
/* As query_library_find; a name with a "/" or that ends in ".sql" is a file's path, which becomes
 * one of the library's under the file's name. */
const struct saved_query *query_library_take(struct query_library *library, const char *name,
                                             struct err *err);
size_t query_library_count(const struct query_library *library);
const struct saved_query *query_library_get(const struct query_library *library,
                                            size_t i); /* by name order */
const struct saved_query *query_library_find(const struct query_library *library, const char *name,
                                             struct err *err); /* error suggests near names */
/* How well a query fits a run, best first; the words are those of its header's `format:`. */
enum query_rank {
	QUERY_RANK_DIALECT, /* FORMAT/DIALECT, as the run's */
	QUERY_RANK_FORMAT,  /* the run's format, named first */
	QUERY_RANK_ANY,
	QUERY_RANK_SHARED, /* the run's format, named after others */
	QUERY_RANK_OTHER,  /* FORMAT/DIALECT, but another dialect: may well be empty */
	QUERY_RANK_EMPTY,  /* applies, but the run has none of what it needs: not offered */
	QUERY_RANK_NONE    /* does not apply */
};
enum query_rank query_rank(const struct saved_query *query, const struct run_info *run);
/* What the run has of all that the library's queries need, for run_info.has; in the arena. NULL on
 * error. */
const char *query_needs_read(struct store *store, const struct query_library *library,
                             struct arena *arena, struct err *err);
bool query_applies(const struct saved_query *query, const struct run_info *run);
/* Of many runs that are asked those that a query is not for. Zero-initialise. */
struct left_out {
	size_t n;
	struct strbuf names; /* of the first few: "a, b" (strbuf_free) */
};
void query_leave_out(struct left_out *left, const char *run);
/* Appends "left out, as NAME is for runs of format FORMATS: a, b, ..."; nothing where none is. */
void query_tell_left_out(const struct left_out *left, const struct saved_query *query,
                         struct strbuf *out);
size_t query_library_broken(const struct query_library *library);
const char *query_library_broken_message(const struct query_library *library,
                                         size_t i); /* file:line: reason */
void query_library_close(struct query_library *library);

struct query_argument {
	const char *name, *text;
};
/* Runs a query on one run. Arguments are parsed by the parameter's kind and bound. */
struct result *query_run(struct store *store, const struct saved_query *query,
                         const struct query_argument *arguments, size_t n_arguments,
                         const struct cancel *cancel, struct err *err);
/* Any one read-only SQL statement, kinds guessed from column names (…_ns: duration, …_bytes:
 * size). */
struct result *query_sql(struct store *store, const char *sql, const struct cancel *cancel,
                         struct err *err);
/* The same of a statement with parameters (:name, @name, $name). An argument's text is a number if
 * it reads as one, else a text; in quotes it is a text whatever it holds. Each parameter needs an
 * argument, and each argument a parameter. */
struct result *query_sql_bound(struct store *store, const char *sql,
                               const struct query_argument *arguments, size_t n_arguments,
                               const struct cancel *cancel, struct err *err);
/* The same row by row, for outputs that need not hold them: columns is called once, then row for
 * each; nonzero from either stops with -1 (the callback has set err). Texts are lent for the
 * call. */
struct query_receiver {
	void *user;
	int (*columns)(void *user, const struct result_column *columns, size_t n_columns,
	               struct err *err);
	int (*row)(void *user, const struct value *values, struct err *err);
	void (*note)(void *user, const char *text); /* after the rows; may be NULL */
};
int query_stream(struct store *store, const char *sql, const struct query_argument *arguments,
                 size_t n_arguments, const struct query_receiver *receiver,
                 const struct cancel *cancel, struct err *err);

/* N results of the same query under a leading "run" column, then the runs' paths and what people
 * say of them (paths, tags: NULL: without); or (wide) runs as columns, key +
 * measure as rows. */
struct run_tags;
struct result *query_stack(struct result *const *results, const char *const *names,
                           const char *const *paths, const struct run_tags *tags, size_t n,
                           struct err *err);
struct result *query_wide(struct result *const *results, const char *const *names, size_t n,
                          const char *key, struct err *err);

/* The name nearest to a mistyped one, NULL if none is near. */
const char *query_suggest(const char *typed, const char *const *names, size_t n_names);

/* N results of the same query on runs of one set-up as one: rows matched by key (NULL: the query's
 * own), each measure the median over the runs, all else as in the first that has the row. */
struct result *query_median(struct result *const *results, size_t n, const char *key,
                            struct err *err);

/* Two results joined on key columns (NULL: the query's): A's measure, B's, delta = B - A, ratio = B
 * / A, rel = delta / A (is_rel_to_b: / B). Rows that only one has are kept: what adds up is 0 on
 * the other side, all else missing. Equal keys more than once are matched in order, with a note. */
struct result *query_diff(const struct result *a, const struct result *b, const char *name_a,
                          const char *name_b, const char *key, bool is_rel_to_b, struct err *err);

/* Notes where the runs rank differently by columns that are alternatives. key: as for the table
 * that the results were put into; NULL: the query's. */
void query_note_rankings(struct result *result, const struct saved_query *query,
                         struct result *const *results, const char *const *names, size_t n,
                         const char *key);
/* Takes the next word off a line of `plot`: name and value of "x=total", a name without a value of
 * the kind of chart; false at the end. */
bool query_plot_next(struct slice *rest, struct slice *name, struct slice *value);
/* Takes the next set off the list of alternatives; false at the end. */
bool query_alternatives_next(struct slice *rest, struct slice *set);
/* Notes on what differs between runs (sources, hosts, lanes, records, problems), appended to the
 * result's. groups: of each run, those of one should be alike (fold_groups), NULL: all should. */
void query_note_differences(struct result *result, struct store *const *stores,
                            const char *const *names, const size_t *groups, size_t n);
/* Appends why figures of runs can't be compared, "trace files base 16, scr 8": other formats, other
 * numbers of ranks, more than one in ten of the trace files missing. Nothing where they can. */
void query_clashes(struct strbuf *out, struct store *const *stores, const char *const *names,
                   size_t n);
/* Notes that runs have problems, unless they differ in that (query_note_differences). argument:
 * what names the run on the command line, if it is one. */
void query_note_problems(struct result *result, struct store *const *stores,
                         const char *const *names, size_t n, const char *argument);

#endif
