/*
 * Single spans: finding them, walking along them (span_walk.c), what they are tied to and what is
 * known of one at a glance (span_detail.c).
 * Used by query/timeline, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_SPANS_SPAN_WALK_H
#define LANESCOPE_QUERY_SPANS_SPAN_WALK_H

#include "column/scan/scan.h"
#include "store/store.h"

/* Where walking and searching go on from, and where. */
struct span_walk {
	int64_t lane; /* -1: any */
	int depth;    /* -1: any */
	int64_t start_ns,
	    id; /* beyond the span of this start and id (id 0: before all of that start) */
	bool is_backward;
	const char *filter; /* NULL: none */
};
/* All give 1 and a span, 0 if there is none, -1 on error. */
int span_walk_next(struct store *store, const struct span_walk *walk, struct span_row *span,
                   const struct cancel *cancel, struct err *err);
/* As before; around the run's end if need be. number: of the span that the walk stands on, among
 * all that match (n 0: it is none of them, or that is not known); gets that of the span found. */
struct span_number {
	int64_t nth, n;
};
/* To the next one, or the one before; from the last to the first. */
void span_number_step(struct span_number *number, bool is_backward);
int span_search(struct store *store, const struct span_walk *walk, struct span_row *span,
                struct span_number *number, const struct cancel *cancel, struct err *err);
/* Of the spans that a walk's lane, depth and filter keep: n, and how many of them are not beyond
 * its start and id. */
int span_count_until(struct store *store, const struct span_walk *walk, struct span_number *number,
                     const struct cancel *cancel, struct err *err);
/* The innermost span of the walk's lane (or of a depth of it) at its start_ns, of its filter. */
int span_at(struct store *store, const struct span_walk *at, struct span_row *span,
            const struct cancel *cancel, struct err *err);

/* Ids of the spans that a span leads to (forward), or that lead to it: dependencies of spans and
 * tasks, transfers of a task's data. */
#define FLOWS_LIMIT 256
int64_t span_flows(struct store *store, int64_t id, bool forward, int64_t ids[FLOWS_LIMIT],
                   const struct cancel *cancel, struct err *err);

struct span_detail {
	struct arena *arena;
	struct span_row span;
	struct slice name, category, path, lane, host;
	struct slice arguments; /* "arg.fd 3  arg.offset 4096", or empty */
	struct slice task;      /* "queue 1.2 ms, comm 3 us", or empty */
	int64_t n_inputs, n_outputs;
};
struct span_detail *span_detail_read(struct store *store, int64_t id, const struct cancel *cancel,
                                     struct err *err);
void span_detail_free(struct span_detail *detail); /* takes NULL */

#endif
