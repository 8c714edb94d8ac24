/* A run at a glance, from what its import has summed up: totals and tiles, never the spans
 * themselves.
 * Used by ui/lists. */
#ifndef LANESCOPE_QUERY_OVERVIEW_H
#define LANESCOPE_QUERY_OVERVIEW_H

#include "query/saved/lane_words.h"
#include "query/saved/query.h"

#define OVERVIEW_CELLS 240 /* at least half of them are used, if the run has any length */
#define OVERVIEW_LANES 256
#define OVERVIEW_NAMES 64
#define OVERVIEW_PROBLEMS 8

struct overview_lane {
	struct slice name;
	bool is_host;
	int64_t lane;    /* -1: a host */
	int64_t busy_ns; /* a union; of a host the sum over its lanes */
	double share;    /* of the time in scope, and of a host's lanes */
	int64_t count, n_lanes;
	const char *lanes_are; /* lane_word() of them; "lane": of several kinds */
};
struct overview_name {
	struct slice name;
	int64_t count;
	double value; /* what it is ranked by */
	/* of value: a duration of spans (self time), a count, a mean number of nodes */
	enum column_kind kind;
	const char *filter; /* its spans; NULL: there are none */
};
struct overview_tag {
	struct slice key, value;
};

struct overview {
	struct arena *arena;
	struct run_info info;   /* texts in the arena */
	struct run_info inside; /* the same, but its counts and length are those of the scope */
	struct lane_words lanes_are; /* of those in scope */
	int64_t n_hosts, n_trials, n_samples, n_preempted;
	bool is_at_most;           /* its length: the last end is that of a reporting interval */
	int64_t unfinished_ns;     /* durations of spans whose end is not in the trace */
	const char *minimap_title; /* "busy", "nodes"; NULL: there is nothing over time */
	size_t n_cells;
	double *cells;     /* share of busy lanes, or of the largest number of nodes */
	double mean_share; /* over the time in scope */
	double high;       /* nodes: the largest number */
	double mean;       /* nodes: the mean over the run */
	size_t n_lanes;
	int64_t n_all_lanes;
	struct overview_lane *lanes; /* hosts if there are several, else lanes, in natural order */
	const char *names_title, *names_figure; /* "where the time goes", "total" */
	const char *names_brief;                /* a title for small screens, or NULL */
	size_t n_names;
	struct overview_name *names; /* most first */
	size_t n_tags;
	struct overview_tag *tags; /* of the run as a whole */
	size_t n_problems;
	struct slice problems[OVERVIEW_PROBLEMS]; /* reasons, the most frequent first */
};
struct overview *overview_read(struct store *store, const struct cancel *cancel, struct err *err);
void overview_free(struct overview *overview); /* takes NULL */

#endif
