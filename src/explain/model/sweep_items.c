/*
 * The items of a lane are in order of start; where they do not overlap their ends are, too, and a lane gives its events one after the other. So a heap of lanes
 * merges all of them without a list of events: 20 million of them would take half a gigabyte. A lane on which items overlap gets a sorted list of its ends.
 */
#include "config.h"

#include "explain/model/sweep_items.h"

#include <stdlib.h>

#include "explain/model/path_ends.h"

struct lane_cursor {
	size_t next_start, next_end; /* of the lane's items; next_end in order of ends */
	uint32_t *ends;              /* items in order of (end, index); NULL: as they stand */
	struct item_event event;     /* next of the lane */
};

struct item_sweep {
	const struct schedule *schedule;
	struct lane_cursor *lanes;
	uint32_t *heap; /* lanes that have events left, earliest first */
	size_t n;
};

/* The lane's next event; false if it has no more. */
static bool
advance(struct item_sweep *sweep, uint32_t l)
{
	const struct schedule *schedule = sweep->schedule;
	const struct schedule_lane *lane = &schedule->lanes[l];
	struct lane_cursor *cursor = &sweep->lanes[l];
	uint32_t ending;

	if (cursor->next_end == lane->n) {
		return false;
	}
	ending = cursor->ends ? cursor->ends[cursor->next_end]
	                      : (uint32_t)(lane->first + cursor->next_end);
	if (cursor->next_start < lane->n &&
	    schedule->items[lane->first + cursor->next_start].start_ns <=
	        schedule->items[ending].end_ns) {
		uint32_t starting = (uint32_t)(lane->first + cursor->next_start++);

		cursor->event =
		    (struct item_event){schedule->items[starting].start_ns, starting, true};
	} else {
		cursor->event = (struct item_event){schedule->items[ending].end_ns, ending, false};
		cursor->next_end++;
	}
	return true;
}

static bool
is_before(const struct item_sweep *sweep, uint32_t a, uint32_t b)
{
	const struct item_event *x = &sweep->lanes[a].event, *y = &sweep->lanes[b].event;

	return x->time_ns != y->time_ns ? x->time_ns < y->time_ns : a < b;
}

static void
sink(struct item_sweep *sweep, size_t at)
{
	uint32_t lane = sweep->heap[at];

	for (;;) {
		size_t child = 2 * at + 1;

		if (child >= sweep->n) {
			break;
		}
		child += child + 1 < sweep->n &&
		         is_before(sweep, sweep->heap[child + 1], sweep->heap[child]);
		if (!is_before(sweep, sweep->heap[child], lane)) {
			break;
		}
		sweep->heap[at] = sweep->heap[child];
		at = child;
	}
	sweep->heap[at] = lane;
}

struct item_sweep *
item_sweep_new(const struct schedule *schedule)
{
	struct item_sweep *sweep = xcalloc(1, sizeof(*sweep));

	sweep->schedule = schedule;
	sweep->lanes = xcalloc(schedule->n_lanes + 1, sizeof(*sweep->lanes));
	sweep->heap = xcalloc(schedule->n_lanes + 1, sizeof(*sweep->heap));
	for (uint32_t l = 0; l < schedule->n_lanes; l++) {
		sweep->lanes[l].ends = lane_ends_sort(schedule, &schedule->lanes[l]);
		if (advance(sweep, l)) {
			sweep->heap[sweep->n++] = l;
		}
	}
	for (size_t i = sweep->n / 2; i-- > 0;) {
		sink(sweep, i);
	}
	return sweep;
}

bool
item_sweep_next(struct item_sweep *sweep, struct item_event *event)
{
	uint32_t lane;

	if (sweep->n == 0) {
		return false;
	}
	lane = sweep->heap[0];
	*event = sweep->lanes[lane].event;
	if (!advance(sweep, lane)) {
		sweep->heap[0] = sweep->heap[--sweep->n];
	}
	if (sweep->n > 0) {
		sink(sweep, 0);
	}
	return true;
}

void
item_sweep_free(struct item_sweep *sweep)
{
	if (!sweep) {
		return;
	}
	for (size_t l = 0; l < sweep->schedule->n_lanes; l++) {
		free(sweep->lanes[l].ends);
	}
	free(sweep->lanes);
	free(sweep->heap);
	free(sweep);
}
