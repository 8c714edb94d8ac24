/* What schedule.c, schedule_edges.c, schedule_spans.c and schedule_flows.c share while a schedule
 * is read.
 * Used by its room alone. */
#ifndef LANESCOPE_EXPLAIN_SCHEDULE_SCHEDULE_PRIVATE_H
#define LANESCOPE_EXPLAIN_SCHEDULE_SCHEDULE_PRIVATE_H

#include "column/scan/dataset.h"
#include "explain/schedule/schedule.h"
#include "util/cancel.h"
#include "util/intern.h"

/* 64 bytes an item and its neighbours: what a login node can spare for two runs. */
#define SCHEDULE_ITEMS_LIMIT (UINT32_C(64) << 20)

struct item_place { /* where and when an item starts */
	uint32_t host;
	int64_t start_ns;
	uint32_t item;
};

struct maker {         /* when a task of a name ended */
	uint32_t name; /* text code */
	int64_t end_ns;
	uint32_t item;
};

struct schedule_reading {
	struct store *store;
	const struct dataset *dataset;
	struct schedule *schedule;
	const struct cancel *cancel;
	struct intern *kinds;
	uint32_t *kind_of_text; /* by text code: kind + 1; 0: not met yet */
	struct maker *makers;   /* of tasks that ran, in order of (name, end) */
	size_t n_makers;
	struct intern *names;      /* the makers' names; NULL: nobody asked */
	uint32_t *name_codes;      /* by id in names */
	uint32_t *lane_named;      /* by text code */
	struct item_place *places; /* of all items, in order of (host, start) */
	size_t task_capacity, item_capacity, edge_capacity, transfer_capacity;
};

/* Calls `row` for each row of a statement; more than `limit` are an error that says so of
 * `what`. */
int schedule_each(const struct schedule_reading *reading, const char *sql, size_t limit,
                  const char *what, void (*row)(void *user, struct stmt *stmt), void *user,
                  struct err *err);
/* -1 where work was cancelled; asks now and then as count goes up. */
int schedule_poll(const struct schedule_reading *reading, size_t count, struct err *err);
/* Leaves out an edge from an item to itself, and one whose input ended after the start. */
void schedule_add_edge(struct schedule_reading *reading, struct schedule_edge edge);
/* Items in order of (lane, start) with run lane ids -> lanes, and the items' indices of them. */
void schedule_settle_lanes(struct schedule_reading *reading);
int schedule_read_spans(struct schedule_reading *reading, struct err *err);
/* After the items. */
int schedule_read_dependencies(struct schedule_reading *reading, struct err *err);
int schedule_read_transfers(struct schedule_reading *reading, struct err *err);
/* SCHEDULE_NO_TIME, SCHEDULE_NONE: NULL or not in the dictionary. */
int64_t schedule_time_at(struct stmt *stmt, int column);
uint32_t schedule_code_at(const struct schedule *schedule, struct stmt *stmt, int column);

/* Dependencies between spans. */
struct schedule_flows;
struct schedule_flows *schedule_flows_read(struct schedule_reading *reading, struct err *err);
/* Every span in order of id, on lanes of the run. */
void schedule_flows_meet(struct schedule_flows *flows, int64_t id, uint32_t lane, int64_t start_ns,
                         int64_t end_ns);
/* Once the items are settled. */
void schedule_flows_settle(struct schedule_reading *reading, const struct schedule_flows *flows);
void schedule_flows_free(struct schedule_flows *flows); /* takes NULL */

#endif
