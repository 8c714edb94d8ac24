/*
 * Dependencies between spans (flows) -> edges between their stretches. A flow leaves the last
 * stretch that had ended within its source, on the source's lane, when the target began; it arrives
 * at the stretch with which the target began. A source that had no such stretch yet still ran, so
 * it can't be what the target waited for.
 *
 * Sources and targets are found as the spans are read, in order of id, in a list of what is wanted
 * in the same order.
 */
#include "config.h"

#include "explain/schedule/schedule_private.h"

#include <stdlib.h>

#include "util/order.h"

struct flow_end {
	int64_t id;
	uint32_t flow;
	bool is_target;
};

struct flow_place {
	int64_t start_ns, end_ns;
	uint32_t lane; /* of the run; SCHEDULE_NONE: no such span */
};

struct schedule_flows {
	struct flow_end *ends;          /* in order of id */
	struct flow_place (*places)[2]; /* by flow: source, target */
	size_t n_ends, n_met, n, capacity;
};

static int
compare_ends(const void *a, const void *b)
{
	const struct flow_end *x = a, *y = b;

	ORDER_BY(x->id, y->id);
	ORDER_BY(x->flow, y->flow);
	return x->is_target - y->is_target;
}

static void
add_ends(void *user, struct stmt *stmt)
{
	struct schedule_flows *flows = user;

	MEM_GROW(flows->ends, flows->capacity, flows->n_ends + 2);
	for (int k = 0; k < 2; k++) {
		flows->ends[flows->n_ends++] =
		    (struct flow_end){stmt_integer(stmt, k), (uint32_t)flows->n, k == 1};
	}
	flows->n++;
}

struct schedule_flows *
schedule_flows_read(struct schedule_reading *reading, struct err *err)
{
	struct schedule_flows *flows = xcalloc(1, sizeof *flows);

	if (schedule_each(
		reading, "SELECT from_id, to_id FROM dependency WHERE type = 'span' ORDER BY id",
		SCHEDULE_ITEMS_LIMIT / 8, "dependencies between spans: more than explain can hold",
		add_ends, flows, err)) {
		schedule_flows_free(flows);
		return NULL;
	}
	SORT(flows->ends, flows->n_ends, compare_ends);
	MEM_NEW(flows->places, flows->n);
	for (size_t f = 0; f < flows->n; f++) {
		flows->places[f][0].lane = flows->places[f][1].lane = SCHEDULE_NONE;
	}
	return flows;
}

void
schedule_flows_meet(struct schedule_flows *flows, int64_t id, uint32_t lane, int64_t start_ns,
                    int64_t end_ns)
{
	while (flows->n_met < flows->n_ends && flows->ends[flows->n_met].id <= id) {
		const struct flow_end *end = &flows->ends[flows->n_met++];

		if (end->id == id) {
			flows->places[end->flow][end->is_target] =
			    (struct flow_place){start_ns, end_ns, lane};
		}
	}
}

/* How many of a lane's items start before a time and end by another one. They do not overlap. */
static size_t
count_until(const struct schedule *schedule, const struct schedule_lane *lane, int64_t start_ns,
            int64_t end_ns)
{
	const struct schedule_item *first = schedule->items + lane->first, *after = first;

	ORDER_FIND(after, first + lane->n, item,
	           item->start_ns < start_ns && item->end_ns <= end_ns);
	return (size_t)(after - first);
}

static void
add_flow(struct schedule_reading *reading, const struct schedule_lane *const lanes[2],
         const struct flow_place places[2])
{
	const struct schedule *schedule = reading->schedule;
	size_t to = count_until(schedule, lanes[1], places[1].start_ns, INT64_MAX);
	size_t from = count_until(schedule, lanes[0], places[0].end_ns, places[1].start_ns);
	const struct schedule_item *items = schedule->items;

	if (to == lanes[1]->n || items[lanes[1]->first + to].start_ns >= places[1].end_ns) {
		return; /* takes no time */
	}
	if (from == 0 || items[lanes[0]->first + from - 1].start_ns < places[0].start_ns) {
		reading->schedule->n_late_edges++;
		return;
	}
	schedule_add_edge(reading, (struct schedule_edge){(uint32_t)(lanes[0]->first + from - 1),
	                                                  (uint32_t)(lanes[1]->first + to),
	                                                  EDGE_FLOW, SCHEDULE_NONE});
}

void
schedule_flows_settle(struct schedule_reading *reading, const struct schedule_flows *flows)
{
	const struct schedule *schedule = reading->schedule;
	const struct schedule_lane **lanes =
	    xcalloc(reading->dataset->n_lanes, sizeof *lanes); /* by run lane */

	for (size_t l = 0; l < schedule->n_lanes; l++) {
		lanes[schedule->lanes[l].id] = &schedule->lanes[l];
	}
	for (size_t f = 0; f < flows->n; f++) {
		const struct flow_place *places = flows->places[f];

		if (places[0].lane != SCHEDULE_NONE && places[1].lane != SCHEDULE_NONE &&
		    lanes[places[0].lane] && lanes[places[1].lane]) {
			add_flow(reading,
			         (const struct schedule_lane *const[]){lanes[places[0].lane],
			                                               lanes[places[1].lane]},
			         places);
		}
	}
	free(lanes);
}

void
schedule_flows_free(struct schedule_flows *flows)
{
	if (flows) {
		free(flows->ends);
		free(flows->places);
		free(flows);
	}
}
