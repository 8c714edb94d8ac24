/* Shared by the files of the timeline.
 * Used by its room alone. */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_PRIVATE_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_PRIVATE_H

#include "query/timeline/timeline.h"

/* A lane in the order of the rows. */
struct lane_order {
	const struct dataset *dataset;
	uint32_t id;
	int64_t process_rank, thread_rank; /* as the trace wishes, else 0 */
};

/* What the spans of a lane do in the run. */
struct lane_use {
	int64_t busy_ns, first_ns, last_ns;
};

/* Rows of hosts, processes and lanes. uses by lane. */
void timeline_lay_rows(struct timeline *timeline, struct store *store,
                       const struct lane_order *order, size_t n, const struct lane_use *uses,
                       unsigned parts);
/* Adds rows of counters and capacity after those there. */
int timeline_add_values(struct timeline *timeline, struct store *store, struct err *err);

static inline struct slice
timeline_keep(struct timeline *timeline, struct slice text)
{
	return arena_slice(timeline->arena, text);
}

/* How many rows that follow go with a row: what is below it, or what stands beside a lane. */
size_t timeline_rows_with(const struct timeline *timeline, size_t row);

/* Fills in what timeline_peak tells. */
int timeline_read_peaks(struct store *store, struct timeline *timeline, struct err *err);

#endif
