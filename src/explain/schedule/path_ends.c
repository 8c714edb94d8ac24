/* Where a lane does one thing at a time its items stand in order of their ends already, and nothing
 * is kept for it. */
#include "config.h"

#include "explain/schedule/path_ends.h"

#include <stdlib.h>

#include "util/order.h"

struct lane_ends {
	uint32_t **order; /* by lane; NULL: as they stand */
};

/* For qsort: items of one schedule, sorted one sweep at a time by value. */
struct ending {
	int64_t end_ns;
	uint32_t item;
};

static int
compare_endings(const void *a, const void *b)
{
	const struct ending *x = a, *y = b;

	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->item, y->item);
}

uint32_t *
lane_ends_sort(const struct schedule *schedule, const struct schedule_lane *lane)
{
	struct ending *endings;
	uint32_t *ends;
	bool sorted = true;

	for (size_t i = lane->first + 1; i < lane->first + lane->n && sorted; i++) {
		sorted = schedule->items[i - 1].end_ns <= schedule->items[i].end_ns;
	}
	if (sorted) {
		return NULL;
	}
	endings = xcalloc(lane->n, sizeof *endings);
	ends = xcalloc(lane->n, sizeof *ends);
	for (size_t i = 0; i < lane->n; i++) {
		endings[i] = (struct ending){schedule->items[lane->first + i].end_ns,
		                             (uint32_t)(lane->first + i)};
	}
	SORT(endings, lane->n, compare_endings);
	for (size_t i = 0; i < lane->n; i++) {
		ends[i] = endings[i].item;
	}
	free(endings);
	return ends;
}

struct lane_ends *
lane_ends_new(const struct schedule *schedule)
{
	struct lane_ends *ends = xcalloc(1, sizeof *ends);

	ends->order = xcalloc(schedule->n_lanes, sizeof *ends->order);
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		ends->order[l] = lane_ends_sort(schedule, &schedule->lanes[l]);
	}
	return ends;
}

/* Whether an item ended before another began; of those that ended just then, whether it stands
 * before it. */
static bool
has_ended(const struct schedule *schedule, uint32_t other, uint32_t item)
{
	int64_t end = schedule->items[other].end_ns, start = schedule->items[item].start_ns;

	return end < start || (end == start && other < item);
}

uint32_t
lane_ends_before(const struct lane_ends *ends, const struct schedule *schedule, uint32_t item)
{
	uint32_t l = schedule->items[item].lane;
	const struct schedule_lane *lane = &schedule->lanes[l];
	const uint32_t *order = ends->order[l];
	size_t n = 0;

	ORDER_FIND(
	    n, order ? lane->n : item - lane->first, middle,
	    has_ended(schedule, order ? order[middle] : (uint32_t)(lane->first + middle), item));
	if (n == 0) {
		return SCHEDULE_NONE;
	}
	return order ? order[n - 1] : (uint32_t)(lane->first + n - 1);
}

void
lane_ends_free(struct lane_ends *ends, const struct schedule *schedule)
{
	if (!ends) {
		return;
	}
	for (size_t l = 0; l < schedule->n_lanes; l++) {
		free(ends->order[l]);
	}
	free(ends->order);
	free(ends);
}
