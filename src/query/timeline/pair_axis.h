/* One axis for two runs: which time of each stands at which point of it. Whole nanoseconds only.
 * Used by cli, ui/timeline. */
#ifndef LANESCOPE_QUERY_TIMELINE_PAIR_AXIS_H
#define LANESCOPE_QUERY_TIMELINE_PAIR_AXIS_H

#include <stdint.h>

enum pair_alignment { ALIGN_START, ALIGN_SCALED, ALIGN_ANCHOR };
#define PAIR_ALIGNMENTS 3

struct pair_axis {
	enum pair_alignment alignment;
	int64_t duration_ns[2]; /* of the runs */
	int64_t anchor_ns[2];   /* times that stand over each other */
};
int64_t pair_axis_length(const struct pair_axis *axis);
/* The time of a run that stands at a point of the axis; may lie outside of the run. */
int64_t pair_axis_time(const struct pair_axis *axis, int side, int64_t at_ns);
/* The first point of the axis at which a time of a run stands; its inverse: the time there is the
 * time given. */
int64_t pair_axis_point(const struct pair_axis *axis, int side, int64_t time_ns);

#endif
