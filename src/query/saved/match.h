/*
 * Rows of several results that belong together: those with equal keys, the n-th of each result with
 * the n-th of the others. What diff and wide tables are made from.
 * Used by explain, explain/frame, explain/parts.
 */
#ifndef LANESCOPE_QUERY_SAVED_MATCH_H
#define LANESCOPE_QUERY_SAVED_MATCH_H

#include "query/saved/query.h"

#define MATCH_COLUMNS 128
struct match_columns {
	size_t n;
	size_t column[MATCH_COLUMNS];
};

/* Columns of a result named by a list; NULL: those that the query marked as key (maybe none). */
int match_keys(const struct result *result, const char *list, struct match_columns *keys,
               struct err *err);
/* Its measures that are no key: columns marked as measure, or where there are none all numbers. */
void match_measures(const struct result *result, const struct match_columns *keys,
                    struct match_columns *measures);
/* B's columns by A's names: the order of columns may differ between runs. -1: it lacks one. */
int match_counterparts(const struct result *a, const struct result *b,
                       const struct match_columns *columns, struct match_columns *counterparts,
                       struct err *err);

struct match {
	size_t n_results, n_groups;
	/* rows[group * n_results + i]: row of results[i] plus 1, 0 where it has none */
	size_t *rows;
	size_t repeated;             /* keys that stand more than once in one result */
	struct workspace *workspace; /* private: where rows lie */
};
/* Groups stand in the order of their rows in the first result, then of those that only later ones
 * have. keys[i]: key columns of results[i], equally many. Without key columns rows are matched by
 * their number. */
struct match *match_rows(struct result *const *results, const struct match_columns *keys, size_t n);
void match_free(struct match *match); /* takes NULL */

#endif
