/* Two runs on one axis: which lane stands with which, and which time of each run stands in which
 * column. No cells, no curses.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TIMELINE_PAIR_AXIS_H
#define LANESCOPE_UI_TIMELINE_PAIR_AXIS_H

#include "query/timeline/timeline_window.h"
#include "ui/base/timescale.h"

#define PAIR_NONE ((size_t)-1)

/* A row of each run, or of one. */
struct pair_rows {
	size_t row[2]; /* of the run's timeline; PAIR_NONE: it has no such row */
};
/* The whole run, hosts, and (lanes) the lanes: matched by name, the others by rank of busy time;
 * what is left stands alone. New (free()). */
struct pair_rows *pair_match(const struct timeline *a, const struct timeline *b, bool lanes,
                             size_t *n);

enum pair_alignment { ALIGN_START, ALIGN_SCALED, ALIGN_ANCHOR };
#define PAIR_ALIGNMENTS 3

struct pair_axis {
	enum pair_alignment alignment;
	int64_t duration_ns[2];
	int64_t anchor_ns[2]; /* times that stand over each other */
};
/* Length of the axis. */
int64_t pair_axis_length(const struct pair_axis *axis);
/* Time of a run at a point of the axis; may lie outside of the run. */
double pair_axis_time(const struct pair_axis *axis, int side, double at);

/* Is what a track shows a density, of records that stand for many calls? */
bool pair_is_dense(const struct timeline_window *window, const struct timeline *timeline,
                   size_t line);
/* What a track shows between two times: busy share (density, if it is one) and, if not NULL, the
 * rank of most time. Cells that only partly lie there count in proportion. False: nothing is known
 * there. */
bool pair_share(const struct timeline_window *window, const struct timeline *timeline, size_t line,
                double from_ns, double to_ns, double *share, uint32_t *rank);

#endif
