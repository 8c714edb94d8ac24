/*
 * Which stretch of time to show: around a span or an instant as much as tells where it stands, of a
 * run where things happen.
 * Used by ui/timeline.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_NEAR_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_NEAR_H

#include "column/scan/scan.h"
#include "query/timeline/timeline.h"

/* What is shown and what is around it. end < start: there is none, or it is not known. */
struct surroundings {
	int64_t start_ns, end_ns;
	int64_t parent_start_ns, parent_end_ns;
	int64_t before_ns, after_ns; /* start of what is before it, end of what follows; -1: none */
	int64_t duration_ns;         /* of the run */
};
/* Its parent, where that is at most a hundred times as long; else up to its neighbours, nine times
 * its length at least and a hundred times at most. An instant: up to its neighbours. */
void timeline_surround(const struct surroundings *around, int64_t *from_ns, int64_t *to_ns);
/* Looks for them: the span's parent and neighbours on its lane. */
int timeline_near_span(struct store *store, const struct span_row *span,
                       struct surroundings *around, const struct cancel *cancel, struct err *err);
/* Of an instant or a stretch without a span: neighbours on a lane, -1: on any. */
int timeline_near_time(struct store *store, int64_t lane, int64_t start_ns, int64_t end_ns,
                       struct surroundings *around, const struct cancel *cancel, struct err *err);

/* Where things happen: the scope's range; without one all of the run, but for a few spans that are
 * so far from the rest that it would be a speck beside the gap. */
struct timeline_core {
	int64_t start_ns, end_ns;
	bool is_range;               /* the scope's */
	int64_t n_before, n_after;   /* spans outside */
	int64_t before_ns, after_ns; /* how far the nearest of them is */
};
int timeline_core_read(struct store *store, const struct timeline *timeline,
                       struct timeline_core *core, const struct cancel *cancel, struct err *err);
bool timeline_core_is_whole(const struct timeline_core *core);

#endif
