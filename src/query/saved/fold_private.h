/* What the files of a fold share.
 * Used by cli. */
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

/* fold.c. The runs' results as one table; known: all runs there are, in which tags are looked for.
 * */
struct result *fold_runs(struct result *const *results, const struct run_tags *tags, size_t n,
                         const struct folding *known, const struct fold *fold, struct err *err);

#endif
