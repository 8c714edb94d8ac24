/*
 * Reading a schedule: tasks and what they waited for from the run file's plain tables, or the innermost stretches of spans from its column
 * blocks (schedule_spans.c).
 *
 * Cascade names a data set after the task that makes it (newest traces: task, dot, output), so a transfer is an edge from that task to the
 * first task that starts on the target afterwards: the only one that the transfer can have kept waiting.
 */
#include "config.h"

#include "explain/schedule_private.h"

#include <stdlib.h>
#include <string.h>

#include "explain/matching.h"
#include "util/intervals.h"

static int64_t
time_at(struct stmt *stmt, int column)
{
	return stmt_type(stmt, column) == VALUE_INTEGER ? stmt_integer(stmt, column)
	                                                : SCHEDULE_NO_TIME;
}

static uint32_t
code_at(const struct schedule *schedule, struct stmt *stmt, int column)
{
	int64_t code = stmt_type(stmt, column) == VALUE_INTEGER ? stmt_integer(stmt, column) : -1;

	return code >= 0 && (uint64_t)code < schedule->n_texts ? (uint32_t)code : SCHEDULE_NONE;
}

static uint32_t
kind_of(struct reading *reading, uint32_t kind, uint32_t name)
{
	struct schedule *schedule = reading->schedule;
	struct strbuf stripped = {0};
	uint32_t id;

	if (kind != SCHEDULE_NONE && schedule->texts[kind].len > 0) {
		return intern_id(reading->kinds, schedule->texts[kind]);
	}
	if (name != SCHEDULE_NONE) {
		matching_strip(&stripped, schedule->texts[name]);
	}
	id = intern_id(reading->kinds, strbuf_slice(&stripped));
	strbuf_free(&stripped);
	return id;
}

/* A task as its row says; its item follows if it ran. */
static void
add_task(struct reading *reading, struct stmt *stmt)
{
	struct schedule *schedule = reading->schedule;
	struct schedule_task *task = &schedule->tasks[schedule->n_tasks];
	uint32_t kind = code_at(schedule, stmt, 3);
	int64_t lane = stmt_type(stmt, 4) == VALUE_INTEGER ? stmt_integer(stmt, 4) : -1;

	*task = (struct schedule_task){.id = (uint32_t)stmt_integer(stmt, 0),
	                               .key = code_at(schedule, stmt, 1),
	                               .name = code_at(schedule, stmt, 2),
	                               .item = SCHEDULE_NONE,
	                               .planned_ns = time_at(stmt, 5),
	                               .enqueued_ns = time_at(stmt, 6),
	                               .started_ns = time_at(stmt, 7),
	                               .finished_ns = time_at(stmt, 8)};
	if (task->key == SCHEDULE_NONE || task->name == SCHEDULE_NONE) {
		return; /* damaged: codes that the dictionary does not have */
	}
	if (lane >= 0 && lane < reading->dataset->n_lanes && task->started_ns != SCHEDULE_NO_TIME &&
	    task->finished_ns != SCHEDULE_NO_TIME && task->finished_ns >= task->started_ns) {
		schedule->items[schedule->n_items++] = (struct schedule_item){
		    task->started_ns, task->finished_ns, (uint32_t)lane,
		    kind_of(reading, kind, task->name), (uint32_t)schedule->n_tasks};
	}
	schedule->n_tasks++;
}

static int
read_tasks(struct reading *reading, struct err *err)
{
	static const char sql[] = "SELECT id, key, name, kind, lane, planned, enqueued, started,"
				  " coalesce(published, finished, computed) FROM task ORDER BY id";
	struct schedule *schedule = reading->schedule;
	size_t n = (size_t)store_run(reading->store)->n_tasks;
	struct stmt *stmt = store_prepare(reading->store, sql, err);
	int more = -1;

	if (!stmt) {
		return -1;
	}
	if (n >= SCHEDULE_ITEMS_LIMIT) {
		err_set(err, ERR_LIMIT, "%zu tasks: more than explain can hold (%u)", n,
		        SCHEDULE_ITEMS_LIMIT);
		goto out;
	}
	schedule->tasks = xcalloc(n + 1, sizeof(*schedule->tasks));
	schedule->items = xcalloc(n + 1, sizeof(*schedule->items));
	while ((more = stmt_step(stmt, err)) > 0) {
		if (schedule->n_tasks == n) {
			more = err_set(err, ERR_FORMAT,
			               "run file is damaged: more tasks than it says");
			break;
		}
		add_task(reading, stmt);
	}
out:
	stmt_free(stmt);
	return more;
}

static int
compare_items(const void *a, const void *b)
{
	const struct schedule_item *x = a, *y = b;

	if (x->lane != y->lane) {
		return x->lane < y->lane ? -1 : 1;
	}
	if (x->start_ns != y->start_ns) {
		return x->start_ns < y->start_ns ? -1 : 1;
	}
	if (x->end_ns != y->end_ns) {
		return x->end_ns < y->end_ns ? -1 : 1;
	}
	return x->task < y->task ? -1 : x->task > y->task;
}

void
schedule_settle_lanes(struct reading *reading)
{
	struct schedule *schedule = reading->schedule;
	uint32_t before = SCHEDULE_NONE;

	schedule->lanes = xcalloc((size_t)reading->dataset->n_lanes + 1, sizeof(*schedule->lanes));
	for (size_t i = 0; i < schedule->n_items; i++) {
		struct schedule_item *item = &schedule->items[i];

		if (item->lane != before) {
			before = item->lane;
			schedule->lanes[schedule->n_lanes++] =
			    (struct schedule_lane){.id = before,
			                           .name = reading->dataset->lanes[before].name,
			                           .host = reading->dataset->lanes[before].host,
			                           .first = i};
		}
		schedule->lanes[schedule->n_lanes - 1].n++;
		item->lane = (uint32_t)schedule->n_lanes - 1;
		if (item->task != SCHEDULE_NONE) {
			schedule->tasks[item->task].item = (uint32_t)i;
		}
	}
}

/* ---- edges ---- */

static void
add_edge(struct reading *reading, struct schedule_edge edge)
{
	struct schedule *schedule = reading->schedule;

	if (edge.from == edge.to) {
		return;
	}
	if (schedule->items[edge.from].end_ns > schedule->items[edge.to].start_ns) {
		schedule->n_late_edges++;
		return;
	}
	if (schedule->n_edges == reading->edge_capacity) {
		reading->edge_capacity = reading->edge_capacity ? reading->edge_capacity * 2 : 1024;
		schedule->edges = xrealloc_array(schedule->edges, reading->edge_capacity,
		                                 sizeof(*schedule->edges));
	}
	schedule->edges[schedule->n_edges++] = edge;
}

static int
compare_task_ids(const void *key, const void *element)
{
	int64_t id = *(const int64_t *)key;
	const struct schedule_task *task = element;

	return id < task->id ? -1 : id > task->id;
}

static uint32_t
item_of_task_id(const struct schedule *schedule, int64_t id)
{
	const struct schedule_task *task =
	    bsearch(&id, schedule->tasks, schedule->n_tasks, sizeof(*task), compare_task_ids);

	return task ? task->item : SCHEDULE_NONE;
}

static int
read_dependencies(struct reading *reading, struct err *err)
{
	struct stmt *stmt = store_prepare(
	    reading->store, "SELECT from_id, to_id FROM dependency WHERE type = 'task' ORDER BY id",
	    err);
	int more = stmt ? 1 : -1;

	while (more > 0 && (more = stmt_step(stmt, err)) > 0) {
		uint32_t from = item_of_task_id(reading->schedule, stmt_integer(stmt, 0));
		uint32_t to = item_of_task_id(reading->schedule, stmt_integer(stmt, 1));

		if (from != SCHEDULE_NONE && to != SCHEDULE_NONE) {
			add_edge(reading,
			         (struct schedule_edge){from, to, EDGE_DEPENDENCY, SCHEDULE_NONE});
		}
		if (reading->schedule->n_edges > SCHEDULE_ITEMS_LIMIT) {
			more = err_set(err, ERR_LIMIT, "more than %u dependencies",
			               SCHEDULE_ITEMS_LIMIT);
		}
	}
	stmt_free(stmt);
	return more;
}

/* The last task of a name that had ended by then: a task tried again makes its data set again. */
static uint32_t
maker_of(struct reading *reading, struct slice dataset, int64_t planned_ns)
{
	const struct schedule *schedule = reading->schedule;
	uint32_t name = intern_find(reading->names, dataset), found = SCHEDULE_NONE;

	if (name == INTERN_NONE) { /* without the output's name */
		while (dataset.len > 0 && dataset.ptr[dataset.len - 1] != '.') {
			dataset.len--;
		}
		dataset.len -= dataset.len > 0;
		name = intern_find(reading->names, dataset);
	}
	if (name == INTERN_NONE) {
		return SCHEDULE_NONE;
	}
	for (uint32_t task = reading->first_named[name]; task != SCHEDULE_NONE;
	     task = reading->next_named[task]) {
		uint32_t item = schedule->tasks[task].item;

		if (item != SCHEDULE_NONE &&
		    (found == SCHEDULE_NONE || planned_ns == SCHEDULE_NO_TIME ||
		     schedule->items[item].end_ns <= planned_ns)) {
			found = item;
		}
	}
	return found;
}

/* The first item of a lane that starts at or after a time. */
static uint32_t
first_after(const struct schedule *schedule, uint32_t lane, int64_t time_ns)
{
	size_t low = schedule->lanes[lane].first, end = low + schedule->lanes[lane].n, high = end;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (schedule->items[middle].start_ns < time_ns) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low < end ? (uint32_t)low : SCHEDULE_NONE;
}

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->host != y->host) {
		return x->host < y->host ? -1 : 1;
	}
	if (x->start_ns != y->start_ns) {
		return x->start_ns < y->start_ns ? -1 : 1;
	}
	return x->item < y->item ? -1 : x->item > y->item;
}

/* Lanes by their name, items by their host. */
static void
learn_places(struct reading *reading)
{
	const struct schedule *schedule = reading->schedule;

	reading->lane_named = xcalloc((size_t)schedule->n_texts + 1, sizeof(*reading->lane_named));
	memset(reading->lane_named, 0xff, schedule->n_texts * sizeof(*reading->lane_named));
	for (uint32_t l = 0; l < schedule->n_lanes; l++) {
		if (schedule->lanes[l].name < schedule->n_texts) {
			reading->lane_named[schedule->lanes[l].name] = l;
		}
	}
	reading->places = xcalloc(schedule->n_items + 1, sizeof(*reading->places));
	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];

		reading->places[i] =
		    (struct place){schedule->lanes[item->lane].host, item->start_ns, (uint32_t)i};
	}
	if (schedule->n_items > 1) {
		qsort(reading->places, schedule->n_items, sizeof(*reading->places), compare_places);
	}
}

/* Where the transfer's target is a host, the first on any of its lanes. */
static uint32_t
receiver_of(const struct reading *reading, uint32_t target, int64_t arrived_ns, uint32_t *lane)
{
	const struct schedule *schedule = reading->schedule;
	size_t low = 0, high = schedule->n_items;

	*lane = SCHEDULE_NONE;
	if (target == SCHEDULE_NONE) {
		return SCHEDULE_NONE;
	}
	if (reading->lane_named[target] != SCHEDULE_NONE) {
		*lane = reading->lane_named[target];
		return first_after(schedule, *lane, arrived_ns);
	}
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct place *place = &reading->places[middle];

		if (place->host < target ||
		    (place->host == target && place->start_ns < arrived_ns)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	if (low == schedule->n_items || reading->places[low].host != target) {
		return SCHEDULE_NONE;
	}
	*lane = schedule->items[reading->places[low].item].lane;
	return reading->places[low].item;
}

static void
add_transfer(struct reading *reading, struct stmt *stmt)
{
	struct schedule *schedule = reading->schedule;
	struct schedule_transfer *transfer = &schedule->transfers[schedule->n_transfers];
	int64_t arrived;
	uint32_t to;

	*transfer = (struct schedule_transfer){
	    .id = (uint32_t)stmt_integer(stmt, 0),
	    .name = code_at(schedule, stmt, 1),
	    .mode = code_at(schedule, stmt, 3),
	    .planned_ns = time_at(stmt, 4),
	    .started_ns = time_at(stmt, 5),
	    .loaded_ns = time_at(stmt, 6),
	    .received_ns = time_at(stmt, 7),
	    .finished_ns = time_at(stmt, 8),
	    .size_bytes = stmt_type(stmt, 9) == VALUE_INTEGER ? stmt_integer(stmt, 9) : -1,
	    .lane = SCHEDULE_NONE,
	    .from = SCHEDULE_NONE};
	if (transfer->name == SCHEDULE_NONE) {
		return;
	}
	transfer->from = maker_of(reading, schedule->texts[transfer->name], transfer->planned_ns);
	arrived = transfer->finished_ns != SCHEDULE_NO_TIME ? transfer->finished_ns
	                                                    : transfer->planned_ns;
	to = receiver_of(reading, code_at(schedule, stmt, 2), arrived, &transfer->lane);
	if (transfer->from != SCHEDULE_NONE && to != SCHEDULE_NONE) {
		add_edge(reading, (struct schedule_edge){transfer->from, to, EDGE_TRANSFER,
		                                         (uint32_t)schedule->n_transfers});
	}
	schedule->n_transfers++;
}

static void
learn_names(struct reading *reading)
{
	const struct schedule *schedule = reading->schedule;
	uint32_t *last;

	reading->first_named = xcalloc(schedule->n_tasks + 1, sizeof(*reading->first_named));
	reading->next_named = xcalloc(schedule->n_tasks + 1, sizeof(*reading->next_named));
	last = xcalloc(schedule->n_tasks + 1, sizeof(*last));
	for (uint32_t t = 0; t < schedule->n_tasks; t++) {
		uint32_t known = intern_count(reading->names);
		uint32_t name = intern_id(reading->names, schedule->texts[schedule->tasks[t].name]);

		reading->next_named[t] = SCHEDULE_NONE;
		if (name == known) {
			reading->first_named[name] = t;
		} else {
			reading->next_named[last[name]] = t;
		}
		last[name] = t;
	}
	free(last);
}

static int
read_transfers(struct reading *reading, struct err *err)
{
	static const char sql[] =
	    "SELECT id, name, target, mode, planned, started, loaded, received,"
	    " coalesce(unloaded, received, finished), size FROM transfer ORDER BY id";
	struct schedule *schedule = reading->schedule;
	size_t n = (size_t)store_run(reading->store)->n_transfers;
	struct stmt *stmt;
	int more;

	if (n >= SCHEDULE_ITEMS_LIMIT) {
		return err_set(err, ERR_LIMIT, "%zu transfers: more than explain can hold (%u)", n,
		               SCHEDULE_ITEMS_LIMIT);
	}
	stmt = store_prepare(reading->store, sql, err);
	more = stmt ? 1 : -1;
	schedule->transfers = xcalloc(n + 1, sizeof(*schedule->transfers));
	learn_names(reading);
	learn_places(reading);
	while (more > 0 && (more = stmt_step(stmt, err)) > 0) {
		if (schedule->n_transfers == n) {
			more = err_set(err, ERR_FORMAT,
			               "run file is damaged: more transfers than it says");
			break;
		}
		add_transfer(reading, stmt);
	}
	stmt_free(stmt);
	return more;
}

static int
compare_edges(const void *a, const void *b)
{
	const struct schedule_edge *x = a, *y = b;

	if (x->to != y->to) {
		return x->to < y->to ? -1 : 1;
	}
	if (x->from != y->from) {
		return x->from < y->from ? -1 : 1;
	}
	return x->transfer < y->transfer ? -1 : x->transfer > y->transfer;
}

static void
settle_times(struct schedule *schedule)
{
	bool any = false;

	for (size_t i = 0; i < schedule->n_items; i++) {
		const struct schedule_item *item = &schedule->items[i];

		schedule->start_ns = !any || item->start_ns < schedule->start_ns
		                         ? item->start_ns
		                         : schedule->start_ns;
		schedule->end_ns =
		    !any || item->end_ns > schedule->end_ns ? item->end_ns : schedule->end_ns;
		any = true;
	}
	for (size_t t = 0; t < schedule->n_tasks && any; t++) {
		int64_t planned = schedule->tasks[t].planned_ns;

		if (planned != SCHEDULE_NO_TIME && planned <= schedule->start_ns) {
			schedule->start_ns = planned;
			schedule->starts_planned = true;
		}
	}
}

static void
settle_kinds(struct reading *reading)
{
	struct schedule *schedule = reading->schedule;

	schedule->n_kinds = intern_count(reading->kinds);
	schedule->kinds =
	    arena_alloc(schedule->arena, (schedule->n_kinds + 1) * sizeof(*schedule->kinds));
	for (uint32_t k = 0; k < schedule->n_kinds; k++) {
		struct slice text = intern_text(reading->kinds, k);

		schedule->kinds[k] =
		    (struct slice){arena_strndup(schedule->arena, text.ptr, text.len), text.len};
	}
}

static int
read_all(struct reading *reading, struct err *err)
{
	struct schedule *schedule = reading->schedule;

	schedule->is_tasks = store_run(reading->store)->n_tasks > 0;
	if (!schedule->is_tasks) {
		return schedule_read_spans(reading, err);
	}
	if (read_tasks(reading, err) != 0) {
		return -1;
	}
	if (schedule->n_items > 1) {
		qsort(schedule->items, schedule->n_items, sizeof(*schedule->items), compare_items);
	}
	schedule_settle_lanes(reading);
	if (read_dependencies(reading, err) != 0 || read_transfers(reading, err) != 0) {
		return -1;
	}
	if (schedule->n_edges > 1) {
		qsort(schedule->edges, schedule->n_edges, sizeof(*schedule->edges), compare_edges);
	}
	return 0;
}

struct schedule *
schedule_read(struct store *store, const struct cancel *cancel, struct err *err)
{
	struct schedule *schedule = xcalloc(1, sizeof(*schedule));
	struct reading reading = {.store = store, .schedule = schedule, .cancel = cancel};

	schedule->arena = arena_new();
	reading.dataset = store_dataset(store, err);
	if (!reading.dataset) {
		schedule_free(schedule);
		return NULL;
	}
	/* The dictionary is the store's, which outlives the schedule. */
	schedule->texts = (struct slice *)(uintptr_t)reading.dataset->texts;
	schedule->n_texts = reading.dataset->n_texts;
	reading.kinds = intern_new();
	reading.names = intern_new();
	if (read_all(&reading, err) == 0) {
		settle_times(schedule);
		settle_kinds(&reading);
	} else {
		schedule_free(schedule);
		schedule = NULL;
	}
	intern_free(reading.kinds);
	intern_free(reading.names);
	free(reading.first_named);
	free(reading.next_named);
	free(reading.lane_named);
	free(reading.places);
	return schedule;
}

void
schedule_free(struct schedule *schedule)
{
	if (!schedule) {
		return;
	}
	free(schedule->items);
	free(schedule->tasks);
	free(schedule->edges);
	free(schedule->transfers);
	free(schedule->lanes);
	arena_free(schedule->arena);
	free(schedule);
}
