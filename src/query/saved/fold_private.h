/* What the files of a fold share.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_SAVED_FOLD_PRIVATE_H
#define LANESCOPE_QUERY_SAVED_FOLD_PRIVATE_H

#include "query/saved/fold.h"
#include "query/saved/match.h"

#define FOLD_TAGS 16
#define FOLD_STATS 8

enum fold_stat { STAT_MEAN, STAT_MEDIAN, STAT_STD, STAT_MIN, STAT_MAX, STAT_SUM, STAT_N, STATS };
extern const char *const fold_stat_names[STATS];

struct folding {
	struct result *const *results;
	const struct run_tags *tags;
	size_t n;                     /* runs */
	const struct run_tags *known; /* of all runs, where these are some of them */
	size_t n_known;
	const char *by[FOLD_TAGS];
	size_t n_by;
	enum fold_stat stats[FOLD_STATS];
	size_t n_stats;
	struct match_columns *keys; /* of each run */
	struct match_columns measures;
	size_t
	    lead; /* of the measures, what is asked for: the first of --measure, or as its query */
	size_t *group;   /* of each run: those that are alike, in the order of their tags */
	size_t *n_alike; /* runs of each group */
	struct arena *arena;
};

/* fold_alike.c. Adds a tag, unless it is there; -1: no run has it. */
int fold_add_tag(struct folding *folding, const char *name, struct err *err);
/* Those of a list (NULL: none) but skip (NULL: none). */
int fold_read_tags(struct folding *folding, const char *list, const char *skip, struct err *err);
/* All of it but `group` and `n_alike`. */
int fold_read(struct folding *folding, const struct fold *fold, struct err *err);
/* These two. */
void fold_find_alike(struct folding *folding);
struct value fold_tag_value(const struct folding *folding, size_t run, size_t by);
void fold_free(struct folding *folding);

/* A row of a run. */
struct fold_row {
	const struct folding *folding;
	size_t run, row;
	size_t nth; /* of those with equal keys in its run */
};
/* Those that become one: n of them from `first`, by run. */
struct fold_part {
	const struct fold_row *first;
	size_t n;
};
struct fold_parts {
	struct fold_row *rows;
	struct fold_part *all;
	size_t n;
	size_t n_repeated; /* keys that stand more than once in a run */
};
/* fold.c. Of all rows, in the order in which they are printed. */
struct fold_parts fold_make_parts(const struct folding *folding);
/* The table says which keys repeat. */
void fold_parts_free(struct fold_parts *parts, const struct folding *folding, struct result *table);
struct result_column fold_tag_column(const struct folding *folding, const char *tag);
/* MEASURE_CALLED, of the kind that such a figure of the measure has. */
struct result_column fold_figure_column(const struct folding *folding, size_t measure,
                                        enum fold_stat like, const char *called);
/* Columns of the tags and keys; how many. */
size_t fold_key_columns(const struct folding *folding, struct result_column *columns);
/* Their values of a part; where the next ones stand. */
struct value *fold_add_keys(const struct folding *folding, const struct fold_part *part,
                            struct result *table, struct value *row);
/* Is a run without the row 0, or not there? */
bool fold_absent_is_zero(const struct folding *folding, size_t measure);

/* fold.c. The runs' results as one table; known: all runs there are, in which tags are looked for.
 * */
struct result *fold_runs(struct result *const *results, const struct run_tags *tags, size_t n,
                         const struct folding *known, const struct fold *fold, struct err *err);

#endif
