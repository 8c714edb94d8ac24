/*
 * The items of a lane are in order of start; where they do not overlap their ends are, too, and a
 * lane gives its events one after the other. So a heap of lanes merges all of them without a list
 * of events: 20 million of them would take half a gigabyte. A lane on which items overlap gets a
 * sorted list of its ends.
 */
#include "config.h"

#include "explain/schedule/sweep_items.h"

#include <stdlib.h>

#include "util/heap.h"
#include "explain/schedule/path_ends.h"

struct lane_cursor {
	size_t next_start, next_end; /* of the lane's items; next_end in order of ends */
	uint32_t *ends;              /* items in order of (end, index); NULL: as they stand */
	struct item_event event;     /* next of the lane */
};

/* When a lane's next event is. */
struct due {
	int64_t time_ns;
	uint32_t lane;
};

static inline bool
is_before(const struct due *a, const struct due *b)
{
	return a->time_ns != b->time_ns ? a->time_ns < b->time_ns : a->lane < b->lane;
}
HEAP(dues, struct due, is_before)

struct item_sweep {
	const struct schedule *schedule;
	struct lane_cursor *lanes;
	struct due *heap; /* lanes that have events left, earliest first */
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

struct item_sweep *
item_sweep_new(const struct schedule *schedule)
{
	struct item_sweep *sweep = xcalloc(1, sizeof *sweep);

	sweep->schedule = schedule;
	MEM_NEW(sweep->lanes, schedule->n_lanes);
	MEM_NEW(sweep->heap, schedule->n_lanes);
	for (uint32_t l = 0; l < schedule->n_lanes; l++) {
		sweep->lanes[l].ends = lane_ends_sort(schedule, &schedule->lanes[l]);
		if (advance(sweep, l)) {
			sweep->heap[sweep->n] = (struct due){sweep->lanes[l].event.time_ns, l};
			dues_rise(sweep->heap, sweep->n++);
		}
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
	lane = sweep->heap[0].lane;
	*event = sweep->lanes[lane].event;
	if (advance(sweep, lane)) {
		sweep->heap[0].time_ns = sweep->lanes[lane].event.time_ns;
		dues_sink(sweep->heap, sweep->n, 0);
	} else {
		dues_pop(sweep->heap, sweep->n--);
	}
	return true;
}

void
item_sweep_free(struct item_sweep *sweep)
{
	if (sweep) {
		for (size_t l = 0; l < sweep->schedule->n_lanes; l++) {
			free(sweep->lanes[l].ends);
		}
		free(sweep->lanes);
		free(sweep->heap);
		free(sweep);
	}
}
