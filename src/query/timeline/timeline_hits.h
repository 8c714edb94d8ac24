/*
 * What a filter finds in a run: how many spans, on which lanes.
 * Used by cli, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_HITS_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_HITS_H

#include "query/timeline/timeline.h"

struct timeline_hits {
	int64_t n, n_all;             /* spans that the filter keeps, of how many */
	int64_t n_first, n_all_first; /* of two runs: those of the first */
	uint32_t n_lanes;             /* that hold some of them */
	int64_t *by_lane;             /* of each lane of the run, by id */
	uint32_t n_ids;               /* of those */
};
int timeline_hits_read(struct store *store, const char *filter, struct timeline_hits *hits,
                       const struct cancel *cancel, struct err *err);
/* Another run's, whose lanes are numbered behind those; takes what `more` holds. */
void timeline_hits_append(struct timeline_hits *hits, struct timeline_hits *more);
/* Of two runs, of which the first has so many lanes: the second one becomes the first. */
void timeline_hits_swap(struct timeline_hits *hits, uint32_t n_lanes_first);
/* Appends "8 of 404 spans", of two runs "8 of 404 in A, 3 of 498 in B". */
void timeline_hits_say(const struct timeline_hits *hits, bool is_of_two, struct strbuf *out);
void timeline_hits_fini(struct timeline_hits *hits);

#endif
