/* Figures of runs: every measure of every row of the saved queries that fit, of each run.
 * Used by its room alone. */
#ifndef LANESCOPE_EXPLAIN_PARTS_INDICATORS_H
#define LANESCOPE_EXPLAIN_PARTS_INDICATORS_H

#include "explain/frame/frame.h"

struct indicator {
	const char *query, *key, *measure; /* key: "stage=run", "" for a query of one row */
	enum column_kind kind;
	double *values; /* of the runs of group a, then b; NAN: missing */
};
struct indicators_request {
	const char *query; /* GLOB */
	int64_t budget_ns, rows_limit;
};
struct indicators {
	struct arena *arena;
	struct indicator *list;
	size_t n, capacity, n_queries;
	const char **left_out; /* queries and why, for notes */
	size_t n_left_out, left_out_capacity;
};
/* NULL: cancelled, or no thread. */
struct indicators *indicators_collect(struct explain *explain,
                                      const struct indicators_request *request, struct err *err);
void indicators_free(struct indicators *indicators); /* takes NULL */

/* Of a series: figures by their correlation with the runs' times. of: what is slow, "tasks",
 * "makespan" or "auto". alpha: what is significant. NULL on error. */
struct result *indicators_series(struct explain *explain, const struct indicators *indicators,
                                 const char *of, double alpha, struct err *err);

#endif
