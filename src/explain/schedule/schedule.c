/*
 * Reading a schedule: tasks and what they waited for (schedule_edges.c) from the run file's plain
 * tables, or the innermost stretches of spans from its column blocks (schedule_spans.c).
 */
#include "config.h"

#include "explain/schedule/schedule_private.h"

#include <stdlib.h>
#include <string.h>

#include "explain/schedule/matching_text.h"
#include "util/order.h"

void
schedule_kind(struct strbuf *out, struct slice kind, struct slice name)
{
	size_t before = out->len;

	if (kind.len == 0) {
		matching_pattern(out, name);
		return;
	}
	matching_strip(out, kind);
	if (out->len - before == kind.len) {
		return;
	}
	while (out->len > before && strchr("-_:. ", out->data[out->len - 1])) {
		out->data[--out->len] = '\0'; /* stood before the hash */
	}
	if (out->len == before) {
		strbuf_add_text(out, "(hash)");
	}
}

static uint32_t
kind_of(struct schedule_reading *reading, uint32_t kind, uint32_t name)
{
	struct schedule *schedule = reading->schedule;
	struct slice text = kind == SCHEDULE_NONE ? slice_of("") : schedule->texts[kind];
	struct strbuf stripped = {0};
	uint32_t id;

	if (text.len > 0 && reading->kind_of_text[kind] != 0) {
		return reading->kind_of_text[kind] - 1;
	}
	schedule_kind(&stripped, text, schedule->texts[name]);
	id = intern_id(reading->kinds, strbuf_slice(&stripped));
	strbuf_free(&stripped);
	if (text.len > 0) {
		reading->kind_of_text[kind] = id + 1;
	}
	return id;
}

/* A task as its row says; its item follows if it ran. */
static void
add_task(void *user, struct stmt *stmt)
{
	struct schedule_reading *reading = user;
	struct schedule *schedule = reading->schedule;
	MEM_GROW(schedule->tasks, reading->task_capacity, schedule->n_tasks + 1);
	MEM_GROW(schedule->items, reading->item_capacity, schedule->n_items + 1);
	struct schedule_task *task = &schedule->tasks[schedule->n_tasks];
	uint32_t kind = schedule_code_at(schedule, stmt, 3);
	int64_t lane = stmt_type(stmt, 4) == VALUE_INTEGER ? stmt_integer(stmt, 4) : -1;

	*task = (struct schedule_task){.id = (uint32_t)stmt_integer(stmt, 0),
	                               .key = schedule_code_at(schedule, stmt, 1),
	                               .name = schedule_code_at(schedule, stmt, 2),
	                               .item = SCHEDULE_NONE,
	                               .planned_ns = schedule_time_at(stmt, 5),
	                               .enqueued_ns = schedule_time_at(stmt, 6),
	                               .started_ns = schedule_time_at(stmt, 7),
	                               .finished_ns = schedule_time_at(stmt, 8)};
	if (task->key == SCHEDULE_NONE || task->name == SCHEDULE_NONE) {
		return; /* damaged: codes that the dictionary does not have */
	}
	if (lane >= 0 && lane < reading->dataset->n_lanes && task->started_ns != SCHEDULE_NO_TIME &&
	    task->finished_ns != SCHEDULE_NO_TIME && task->finished_ns >= task->started_ns) {
		schedule->items[schedule->n_items++] =
		    (struct schedule_item){task->started_ns,
		                           task->finished_ns,
		                           (uint32_t)lane,
		                           kind_of(reading, kind, task->name),
		                           (uint32_t)schedule->n_tasks,
		                           0};
	}
	schedule->n_tasks++;
}

static int
compare_items(const void *a, const void *b)
{
	const struct schedule_item *x = a, *y = b;

	ORDER_BY(x->lane, y->lane);
	ORDER_BY(x->start_ns, y->start_ns);
	ORDER_BY(x->end_ns, y->end_ns);
	return ORDER(x->task, y->task);
}

static int
read_tasks(struct schedule_reading *reading, struct err *err)
{
	struct schedule *schedule = reading->schedule;

	if (schedule_each(reading,
	                  "SELECT id, key, name, kind, lane, planned, enqueued, started, "
	                  "coalesce(published, finished, computed) FROM task ORDER BY id",
	                  SCHEDULE_ITEMS_LIMIT, "tasks: explain holds no more", add_task, reading,
	                  err)) {
		return -1;
	}
	SORT(schedule->items, schedule->n_items, compare_items);
	schedule_settle_lanes(reading);
	return 0;
}

static int
compare_edges(const void *a, const void *b)
{
	const struct schedule_edge *x = a, *y = b;

	ORDER_BY(x->to, y->to);
	ORDER_BY(x->from, y->from);
	return ORDER(x->transfer, y->transfer);
}

/* No row: nothing ran, there is no makespan. */
static int
read_times(struct schedule_reading *reading, struct err *err)
{
	struct schedule *schedule = reading->schedule;
	struct stmt *stmt = store_prepare(reading->store,
	                                  "SELECT recorded_start, recorded_finish, is_planned, "
	                                  "start, finish FROM makespan",
	                                  err);
	int more = stmt ? stmt_step(stmt, err) : -1;

	if (more > 0) {
		schedule->start_ns = stmt_integer(stmt, 0);
		schedule->end_ns = stmt_integer(stmt, 1);
		schedule->starts_planned = stmt_integer(stmt, 2) != 0;
		schedule->summed.start_ns = stmt_integer(stmt, 3);
		schedule->summed.end_ns = stmt_integer(stmt, 4);
	}
	stmt_free(stmt);
	return more < 0 ? -1 : 0;
}

static void
settle_kinds(struct schedule_reading *reading)
{
	struct schedule *schedule = reading->schedule;

	schedule->n_kinds = intern_count(reading->kinds);
	schedule->kinds =
	    arena_alloc(schedule->arena, (schedule->n_kinds + 1) * sizeof *schedule->kinds);
	for (uint32_t k = 0; k < schedule->n_kinds; k++) {
		schedule->kinds[k] = arena_slice(schedule->arena, intern_text(reading->kinds, k));
	}
}

static int
read_all(struct schedule_reading *reading, struct err *err)
{
	struct schedule *schedule = reading->schedule;

	schedule->is_tasks = store_run(reading->store)->n_tasks > 0;
	if (!schedule->is_tasks) {
		if (schedule_read_spans(reading, err)) {
			return -1;
		}
	} else if (read_tasks(reading, err) || schedule_read_dependencies(reading, err) ||
	           schedule_read_transfers(reading, err)) {
		return -1;
	}
	SORT(schedule->edges, schedule->n_edges, compare_edges);
	return read_times(reading, err);
}

struct schedule *
schedule_read(struct store *store, const struct cancel *cancel, struct err *err)
{
	struct schedule *schedule = xcalloc(1, sizeof *schedule);
	struct schedule_reading reading = {.store = store, .schedule = schedule, .cancel = cancel};

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
	MEM_NEW(reading.kind_of_text, schedule->n_texts);
	if (read_all(&reading, err) == 0) {
		settle_kinds(&reading);
	} else {
		schedule_free(schedule);
		schedule = NULL;
	}
	intern_free(reading.kinds);
	intern_free(reading.names);
	free(reading.name_codes);
	free(reading.kind_of_text);
	free(reading.makers);
	free(reading.lane_named);
	free(reading.places);
	return schedule;
}

size_t
schedule_first_edge_to(const struct schedule *schedule, uint32_t item)
{
	size_t first = 0;

	ORDER_FIND(first, schedule->n_edges, middle, schedule->edges[middle].to < item);
	return first;
}

int64_t
schedule_arrival_ns(const struct schedule *schedule, const struct schedule_edge *edge)
{
	int64_t start = schedule->items[edge->to].start_ns;
	int64_t arrival = schedule->items[edge->from].end_ns;

	if (edge->transfer != SCHEDULE_NONE &&
	    schedule->transfers[edge->transfer].finished_ns > arrival) {
		arrival = schedule->transfers[edge->transfer].finished_ns;
	}
	return LEAST(arrival, start);
}

void
schedule_free(struct schedule *schedule)
{
	if (schedule) {
		free(schedule->items);
		free(schedule->calls);
		free(schedule->tasks);
		free(schedule->edges);
		free(schedule->transfers);
		free(schedule->lanes);
		arena_free(schedule->arena);
		free(schedule);
	}
}
