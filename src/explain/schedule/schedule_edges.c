/*
 * What tasks waited for: recorded dependencies, and transfers.
 *
 * Cascade names a data set after the task that makes it (newest traces: task, dot, output), so a
 * transfer is an edge from that task to the first task that starts on the target afterwards: the
 * only one that the transfer can have kept waiting.
 */
#include "config.h"

#include "explain/schedule/schedule_private.h"

#include <stdlib.h>
#include <string.h>

#include "util/order.h"

void
schedule_add_edge(struct schedule_reading *reading, struct schedule_edge edge)
{
	struct schedule *schedule = reading->schedule;

	if (edge.from == edge.to) {
		return;
	}
	if (schedule->items[edge.from].end_ns > schedule->items[edge.to].start_ns) {
		schedule->n_late_edges++;
		return;
	}
	MEM_GROW(schedule->edges, reading->edge_capacity, schedule->n_edges + 1);
	schedule->edges[schedule->n_edges++] = edge;
}

static int
compare_task_ids(const void *key, const void *element)
{
	int64_t id = *(const int64_t *)key;
	const struct schedule_task *task = element;

	return ORDER(id, task->id);
}

static uint32_t
item_of_task_id(const struct schedule *schedule, int64_t id)
{
	const struct schedule_task *task =
	    schedule->n_tasks == 0
		? NULL
		: bsearch(&id, schedule->tasks, schedule->n_tasks, sizeof *task, compare_task_ids);

	return task ? task->item : SCHEDULE_NONE;
}

static void
add_dependency(void *user, struct stmt *stmt)
{
	struct schedule_reading *reading = user;
	uint32_t from = item_of_task_id(reading->schedule, stmt_integer(stmt, 0));
	uint32_t to = item_of_task_id(reading->schedule, stmt_integer(stmt, 1));

	if (from != SCHEDULE_NONE && to != SCHEDULE_NONE) {
		schedule_add_edge(reading,
		                  (struct schedule_edge){from, to, EDGE_DEPENDENCY, SCHEDULE_NONE});
	}
}

int
schedule_read_dependencies(struct schedule_reading *reading, struct err *err)
{
	return schedule_each(
	    reading, "SELECT from_id, to_id FROM dependency WHERE type = 'task' ORDER BY id",
	    SCHEDULE_ITEMS_LIMIT, "dependencies: explain holds no more", add_dependency, reading,
	    err);
}

static int
compare_makers(const void *a, const void *b)
{
	const struct maker *x = a, *y = b;

	ORDER_BY(x->name, y->name);
	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->item, y->item);
}

static void
learn_makers(struct schedule_reading *reading)
{
	const struct schedule *schedule = reading->schedule;

	MEM_NEW(reading->makers, schedule->n_items);
	for (size_t i = 0; i < schedule->n_items; i++) {
		reading->makers[reading->n_makers++] =
		    (struct maker){schedule->tasks[schedule->items[i].task].name,
		                   schedule->items[i].end_ns, (uint32_t)i};
	}
	SORT(reading->makers, reading->n_makers, compare_makers);
}

/* The place behind the makers of a name that had ended by then. */
static const struct maker *
makers_until(const struct schedule_reading *reading, uint32_t name, int64_t time_ns)
{
	const struct maker *first = reading->makers;

	ORDER_FIND(first, reading->makers + reading->n_makers, maker,
	           maker->name < name || (maker->name == name && maker->end_ns <= time_ns));
	return first;
}

/* The last task of a name that had ended by then, as a task tried again makes its data set again;
 * the first one, if none had. */
static uint32_t
last_maker(const struct schedule_reading *reading, uint32_t name, int64_t time_ns)
{
	const struct maker *after = makers_until(reading, name, time_ns);

	if (after > reading->makers && after[-1].name == name) {
		return after[-1].item;
	}
	return after < reading->makers + reading->n_makers && after->name == name ? after->item
	                                                                          : SCHEDULE_NONE;
}

/* The name of a task that ran: text -> code; SCHEDULE_NONE if none has it. */
static uint32_t
find_name(struct schedule_reading *reading, struct slice text)
{
	uint32_t id;

	if (!reading->names) {
		reading->names = intern_new();
		MEM_NEW(reading->name_codes, reading->n_makers);
		for (size_t m = 0; m < reading->n_makers; m++) {
			uint32_t name = reading->makers[m].name;

			id = intern_id(reading->names, reading->schedule->texts[name]);
			reading->name_codes[id] = name;
		}
	}
	id = intern_find(reading->names, text);
	return id == INTERN_NONE ? SCHEDULE_NONE : reading->name_codes[id];
}

static uint32_t
maker_of(struct schedule_reading *reading, uint32_t dataset, int64_t planned_ns)
{
	int64_t time_ns = planned_ns == SCHEDULE_NO_TIME ? INT64_MAX : planned_ns;
	struct slice text = reading->schedule->texts[dataset];
	uint32_t item = last_maker(reading, dataset, time_ns), name;

	if (item != SCHEDULE_NONE) {
		return item;
	}
	while (text.len > 0 && text.ptr[text.len - 1] != '.') { /* without the output's name */
		text.len--;
	}
	if (text.len < 2) {
		return SCHEDULE_NONE;
	}
	text.len--;
	name = find_name(reading, text);
	return name == SCHEDULE_NONE ? SCHEDULE_NONE : last_maker(reading, name, time_ns);
}

/* The first item of a lane that starts at or after a time. */
static uint32_t
first_after(const struct schedule *schedule, uint32_t lane, int64_t time_ns)
{
	size_t first = schedule->lanes[lane].first, end = first + schedule->lanes[lane].n;

	ORDER_FIND(first, end, middle, schedule->items[middle].start_ns < time_ns);
	return first < end ? (uint32_t)first : SCHEDULE_NONE;
}

static int
compare_places(const void *a, const void *b)
{
	const struct item_place *x = a, *y = b;

	ORDER_BY(x->host, y->host);
	ORDER_BY(x->start_ns, y->start_ns);
	return ORDER(x->item, y->item);
}

/* Lanes by their name, items by their host. */
static void
learn_places(struct schedule_reading *reading)
{
	const struct schedule *schedule = reading->schedule;

	MEM_NEW(reading->lane_named, schedule->n_texts);
	memset(reading->lane_named, 0xff, schedule->n_texts * sizeof *reading->lane_named);
	for (uint32_t l = 0; l < schedule->n_lanes; l++) {
		if (schedule->lanes[l].name < schedule->n_texts) {
			reading->lane_named[schedule->lanes[l].name] = l;
		}
	}
	MEM_NEW(reading->places, schedule->n_items);
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];

		reading->places[i] = (struct item_place){schedule->lanes[item->lane].host,
		                                         item->start_ns, (uint32_t)i};
	}
	SORT(reading->places, schedule->n_items, compare_places);
}

/* Where the transfer's target is a host, the first on any of its lanes. */
static uint32_t
receiver_of(const struct schedule_reading *reading, uint32_t target, int64_t arrived_ns,
            uint32_t *lane)
{
	const struct schedule *schedule = reading->schedule;
	const struct item_place *first = reading->places, *end = first + schedule->n_items;

	*lane = SCHEDULE_NONE;
	if (target == SCHEDULE_NONE) {
		return SCHEDULE_NONE;
	}
	if (reading->lane_named[target] != SCHEDULE_NONE) {
		*lane = reading->lane_named[target];
		return first_after(schedule, *lane, arrived_ns);
	}
	ORDER_FIND(first, end, place,
	           place->host < target || (place->host == target && place->start_ns < arrived_ns));
	if (first == end || first->host != target) {
		return SCHEDULE_NONE;
	}
	*lane = schedule->items[first->item].lane;
	return first->item;
}

static void
add_transfer(void *user, struct stmt *stmt)
{
	struct schedule_reading *reading = user;
	struct schedule *schedule = reading->schedule;
	MEM_GROW(schedule->transfers, reading->transfer_capacity, schedule->n_transfers + 1);
	struct schedule_transfer *transfer = &schedule->transfers[schedule->n_transfers];
	int64_t arrived;
	uint32_t to;

	*transfer = (struct schedule_transfer){
	    .id = (uint32_t)stmt_integer(stmt, 0),
	    .name = schedule_code_at(schedule, stmt, 1),
	    .mode = schedule_code_at(schedule, stmt, 3),
	    .planned_ns = schedule_time_at(stmt, 4),
	    .started_ns = schedule_time_at(stmt, 5),
	    .loaded_ns = schedule_time_at(stmt, 6),
	    .received_ns = schedule_time_at(stmt, 7),
	    .finished_ns = schedule_time_at(stmt, 8),
	    .size_bytes = stmt_type(stmt, 9) == VALUE_INTEGER ? stmt_integer(stmt, 9) : -1,
	    .lane = SCHEDULE_NONE,
	    .from = SCHEDULE_NONE};
	if (transfer->name == SCHEDULE_NONE) {
		return;
	}
	transfer->from = maker_of(reading, transfer->name, transfer->planned_ns);
	arrived = transfer->finished_ns != SCHEDULE_NO_TIME ? transfer->finished_ns
	                                                    : transfer->planned_ns;
	to = receiver_of(reading, schedule_code_at(schedule, stmt, 2), arrived, &transfer->lane);
	if (transfer->from != SCHEDULE_NONE && to != SCHEDULE_NONE) {
		schedule_add_edge(reading, (struct schedule_edge){transfer->from, to, EDGE_TRANSFER,
		                                                  (uint32_t)schedule->n_transfers});
	}
	schedule->n_transfers++;
}

int
schedule_read_transfers(struct schedule_reading *reading, struct err *err)
{
	learn_makers(reading);
	learn_places(reading);
	return schedule_each(
	    reading,
	    "SELECT id, name, target, mode, planned, started, loaded, received, "
	    "coalesce(unloaded, received, finished), size FROM transfer ORDER BY id",
	    SCHEDULE_ITEMS_LIMIT, "transfers: explain holds no more", add_transfer, reading, err);
}
