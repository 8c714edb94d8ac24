/* What schedule.c and schedule_spans.c share while a schedule is read. */
#ifndef LANESCOPE_EXPLAIN_SCHEDULE_PRIVATE_H
#define LANESCOPE_EXPLAIN_SCHEDULE_PRIVATE_H

#include "column/dataset.h"
#include "explain/schedule.h"
#include "util/cancel.h"
#include "util/intern.h"

/* 64 bytes an item and its neighbours: what a login node can spare for two runs. */
#define SCHEDULE_ITEMS_LIMIT (UINT32_C(64) << 20)

struct place { /* where and when an item starts */
	uint32_t host;
	int64_t start_ns;
	uint32_t item;
};

struct reading {
	struct store *store;
	const struct dataset *dataset;
	struct schedule *schedule;
	const struct cancel *cancel;
	struct intern *kinds;
	struct intern *names; /* of tasks; by it, the tasks of that name in order of id: */
	uint32_t *first_named, *next_named;
	uint32_t *lane_named; /* by text code */
	struct place *places; /* of all items, in order of (host, start) */
	size_t edge_capacity;
};

/* Items in order of (lane, start) with run lane ids -> lanes, and the items' indices of them. */
void schedule_settle_lanes(struct reading *reading);
int schedule_read_spans(struct reading *reading, struct err *err);

#endif
