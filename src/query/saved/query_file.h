/*
 * Parser of saved-query files: a header of comment lines (lanescope-query(5)), then one SQL
 * statement.
 * Used by explain, manual, ui/table.
 */
#ifndef LANESCOPE_QUERY_SAVED_QUERY_FILE_H
#define LANESCOPE_QUERY_SAVED_QUERY_FILE_H

#include "query/saved/query.h"

/* The query and all its texts live in the arena. NULL on error, the message begins with
 * "origin:line: ". */
const struct saved_query *query_file_parse(struct arena *arena, const char *name,
                                           const char *origin, struct slice text, struct err *err);

/* Name of a parameter `:name` in SQL after *position, outside of strings, quoted names and
 * comments; the empty slice at the end. *line is counted on. For checking that header and statement
 * agree. */
struct slice query_next_parameter(struct slice sql, size_t *position, unsigned *line);

/* The value of a text for a parameter, of those that it allows (counts and sizes: none below 0).
 * Else -1, "skip=-1: not 0 or more". */
int query_param_value(const struct query_param *param, struct slice text, struct value *value,
                      struct err *err);
/* 1 if the statement gives a row, 0 if not, -1 on error. */
int query_has_rows(struct store *store, const struct saved_query *query,
                   const struct query_argument *arguments, size_t n_arguments,
                   const struct cancel *cancel, struct err *err);
/* As query_run, without any note. */
struct result *query_run_plain(struct store *store, const struct saved_query *query,
                               const struct query_argument *arguments, size_t n_arguments,
                               const struct cancel *cancel, struct err *err);

/* What `{...}` in a parameter's line means for its kind: false if nothing. */
bool query_allowed_is_valid(enum column_kind kind, const char *allowed);
/* "mean or median", "0 or more", "from 0 to 100%"; nothing where all is allowed. */
void query_allowed_print(const struct query_param *param, struct strbuf *out);

/* Are these words that may follow `needs:`? Else the first that is none. */
bool query_needs_are_known(const char *needs, struct slice *unknown);
/* Does the line `plot:` hold a kind and x=, y=, series= of such columns, log=? Else the first word
 * that is wrong. */
bool query_plot_is_known(const char *plot, const struct result_column *columns, size_t n,
                         struct slice *unknown);
/* NULL: nothing is needed. What nobody looked for is taken to be there. */
bool query_needs_are_met(const char *needs, const struct run_info *run);
/* What the run has of them, for run_info.has; in the arena. NULL on error. */
const char *query_needs_ask(struct store *store, const char *needs, struct arena *arena,
                            struct err *err);

#endif
