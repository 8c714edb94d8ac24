/*
 * Many runs of an experiment as few rows: the runs that are tagged alike as one, each measure as
 * its mean, spread, extremes over them; and, turned, the values of a tag as columns.
 * Used by cli, ui/table.
 */
#ifndef LANESCOPE_QUERY_SAVED_FOLD_H
#define LANESCOPE_QUERY_SAVED_FOLD_H

#include "query/saved/run_tags.h"

struct fold {
	const char *by;              /* "nodes,mode": tags; NULL: all runs are alike */
	const char *stats;           /* "mean,std,min,max"; NULL: mean */
	const char *measures;        /* columns; NULL: all that the query measures */
	const char *pivot;           /* a tag, whose values become columns; NULL: none */
	const char *key;             /* what rows are matched by; NULL: the query's */
	const char *trend;           /* FOLD_STARTED, or a tag: what runs are put in order by */
	const struct cancel *cancel; /* looked at between the series of a trend; may be NULL */
};
#define FOLD_STARTED "started"
#define FOLD_STAT_WORDS "mean, median, std, min, max, sum, n"

/* Of n results of one query and the tags of their runs. Columns: the tags, the keys, `runs` (how
 * many are alike), a measure_stat for each; rows by the tags, then as the query has them. A run
 * that lacks a row counts as 0 where that is what it means, else not at all. With pivot a column
 * VALUE for each value, or VALUE measure_stat where there are several. ERR_USAGE names the tags
 * there are. */
struct result *query_fold(struct result *const *results, const struct run_tags *tags, size_t n,
                          const struct fold *fold, struct err *err);
/* The measures over what the runs are put in order by: a row for each of its values and each key,
 * where runs of one value are repetitions. Columns: that, tags, keys, `runs`, and of each measure
 * (NULL: those that the query is asked for) its _mean there, the _level of the stretch without a
 * step that the row is in, _low and _high around it (twice the noise), and, where a step begins,
 * its _step and _p, how often chance makes one (change_points.h). starts: of each run, NULL where
 * nobody knows. Notes say which steps there are. */
struct result *query_trend(struct result *const *results, const struct run_tags *tags,
                           const struct value *starts, size_t n, const struct fold *fold,
                           struct err *err);
/* A number for each run: the same for those that the fold's tags do not tell apart; the caller's to
 * free. NULL on error, as query_fold. */
size_t *fold_groups(const struct run_tags *tags, size_t n, const struct fold *fold,
                    struct err *err);

#endif
