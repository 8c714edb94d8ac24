/*
 * Two runs as one timeline: their rows stand in pairs, A's over B's, and their windows on one axis,
 * so that whoever draws a timeline or moves in it needs not know of two.
 *
 * Lanes and spans of B are numbered behind those of A. Times are the axis's.
 * Used by cli, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_PAIR_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_PAIR_H

#include "query/timeline/pair_axis.h"
#include "query/timeline/timeline_window.h"

struct timeline_pair {
	struct timeline *sides[2]; /* retained */
	size_t *origins;           /* by row: the row of its side */
	size_t *rows[2];           /* by row of a side: the row that it became */
	int64_t n_spans_a;
};

/* New; retains both. Rows are matched by name among those of one parent, what is left by busy time;
 * what is left then stands alone. n_spans_a: of A, the spans' largest id. */
struct timeline *timeline_of_two(struct timeline *a, struct timeline *b, int64_t n_spans_a);

/* The lines of a minimap, of a timeline of one run as well: of each run its first sum; of one
 * without spans its first counter or capacity. How many there are is returned. */
size_t timeline_strips(const struct timeline *timeline, struct timeline_line lines[2]);

/* The row of the other run that stands for a row; SIZE_MAX: none. Takes SIZE_MAX. */
size_t timeline_counterpart(const struct timeline *timeline, size_t row);

/* Of a lane, of a span: 1: B's. Of a timeline of one run all are 0. */
int timeline_side_of_lane(const struct timeline *timeline, int64_t lane);
int timeline_side_of_span(const struct timeline *timeline, int64_t span);
/* Between the numbers of a side's run and those of the timeline. Numbers below 0 stay. */
int64_t timeline_own_lane(const struct timeline *timeline, int64_t lane);
int64_t timeline_own_span(const struct timeline *timeline, int64_t span);
int64_t timeline_shared_lane(const struct timeline *timeline, int side, int64_t lane);
int64_t timeline_shared_span(const struct timeline *timeline, int side, int64_t span);

/* As timeline_window_read, of both runs: what request says of colours does not count. colours:
 * ranks mean the same in both. */
struct pair_source {
	struct store *stores[2];
	const struct timeline *timeline; /* timeline_of_two */
	const struct colours *colours[2];
	struct pair_axis axis;
};
struct timeline_window *timeline_pair_window_read(const struct pair_source *source,
                                                  const struct timeline_request *request,
                                                  const struct cancel *cancel, struct err *err);

#endif
