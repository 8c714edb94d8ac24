/*
 * Many runs of an experiment as few rows: the runs that are tagged alike as one, each measure as
 * its mean, spread, extremes over them; and, turned, the values of a tag as columns.
 * Used by cli.
 */
#ifndef LANESCOPE_QUERY_SAVED_FOLD_H
#define LANESCOPE_QUERY_SAVED_FOLD_H

#include "query/saved/run_tags.h"

struct fold {
	const char *by;       /* "nodes,mode": tags; NULL: all runs are alike */
	const char *stats;    /* "mean,std,min,max"; NULL: mean */
	const char *measures; /* columns; NULL: all that the query measures */
	const char *pivot;    /* a tag, whose values become columns; NULL: none */
	const char *key;      /* what rows are matched by; NULL: the query's */
};
#define FOLD_STAT_WORDS "mean, median, std, min, max, sum, n"

/* Of n results of one query and the tags of their runs. Columns: the tags, the keys, `runs` (how
 * many are alike), a measure_stat for each; rows by the tags, then as the query has them. A run
 * that lacks a row counts as 0 where that is what it means, else not at all. With pivot a column
 * VALUE for each value, or VALUE measure_stat where there are several. ERR_USAGE names the tags
 * there are. */
struct result *query_fold(struct result *const *results, const struct run_tags *tags, size_t n,
                          const struct fold *fold, struct err *err);

#endif
