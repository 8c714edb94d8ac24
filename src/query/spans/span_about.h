/* One span with all that is known of it and around it.
 * Used by ui/lists. */
#ifndef LANESCOPE_QUERY_SPANS_SPAN_ABOUT_H
#define LANESCOPE_QUERY_SPANS_SPAN_ABOUT_H

#include "column/scan/scan.h"
#include "store/store.h"

/* Another span, as a line. */
struct span_line {
	int64_t id, start_ns, duration_ns;
	struct slice name, lane;
};
struct span_lines {
	size_t n;
	struct span_line *lines;
	int64_t n_all; /* there may be more than lines */
};
struct span_fact {
	struct slice name, value;
};

#define ABOUT_PARENTS 64
#define ABOUT_CHILDREN 10

struct span_about {
	struct arena *arena;
	struct span_row span;
	struct slice name, category, path, lane, host, process, thread, kind, source;
	struct scan_value plain[ROW_COLUMNS]; /* of the columns that the registry calls so */
	size_t n_arguments;
	struct span_fact *arguments;
	struct span_lines parents; /* the nearest first */
	struct span_lines inputs, outputs;
	/* of its task: "planned" etc., times from the run's start, and what passed since */
	size_t n_stages;
	struct span_stage {
		const char *name;
		int64_t at_ns, since_ns; /* since_ns: -1 for the first */
	} stages[8];
};
/* NULL on error, also if there is no such span. */
struct span_about *span_about_read(struct store *store, int64_t id, const struct cancel *cancel,
                                   struct err *err);
void span_about_free(struct span_about *about); /* takes NULL */

/* What takes a look at all spans: those within it, and those of its name. */
struct span_peers {
	struct arena *arena;
	struct span_lines children; /* the longest first */
	/* of its task: then its peers are those of the kind; empty: those of its name */
	struct slice kind;
	int64_t n, n_longer; /* peers of its category, itself among them; longer than it */
	/* calls that records sum up: > 0: n are calls, and extremes and quantiles mean nothing */
	int64_t n_summed;
	int64_t min_ns, max_ns;
	double mean_ns, median_ns, p95_ns;
};
struct span_peers *span_peers_read(struct store *store, int64_t id, const struct cancel *cancel,
                                   struct err *err);
void span_peers_free(struct span_peers *peers); /* takes NULL */

#endif
