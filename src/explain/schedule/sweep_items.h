/* The starts and ends of a schedule's items in order of time.
 * Used by explain/parts, explain/verdict. */
#ifndef LANESCOPE_EXPLAIN_SCHEDULE_SWEEP_ITEMS_H
#define LANESCOPE_EXPLAIN_SCHEDULE_SWEEP_ITEMS_H

#include "explain/schedule/schedule.h"

struct item_event {
	int64_t time_ns;
	uint32_t item;
	bool is_start;
};
struct item_sweep;
struct item_sweep *item_sweep_new(const struct schedule *schedule);
/* False at the end. An item starts before it ends, also if both are at one time. */
bool item_sweep_next(struct item_sweep *sweep, struct item_event *event);
void item_sweep_free(struct item_sweep *sweep); /* takes NULL */

#endif
