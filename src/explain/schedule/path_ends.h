/* Items of each lane in order of their ends: what a lane had done before an item began.
 * Used by explain/parts. */
#ifndef LANESCOPE_EXPLAIN_SCHEDULE_PATH_ENDS_H
#define LANESCOPE_EXPLAIN_SCHEDULE_PATH_ENDS_H

#include "explain/schedule/schedule.h"

struct lane_ends;
struct lane_ends *lane_ends_new(const struct schedule *schedule);
/* The item of the same lane, standing before it, that ended last by the item's start; SCHEDULE_NONE
 * if none had. */
uint32_t lane_ends_before(const struct lane_ends *ends, const struct schedule *schedule,
                          uint32_t item);
void lane_ends_free(struct lane_ends *ends, const struct schedule *schedule); /* takes NULL */
/* One lane's items in order of (end, place); NULL: they stand so. Free it. */
uint32_t *lane_ends_sort(const struct schedule *schedule, const struct schedule_lane *lane);

#endif
