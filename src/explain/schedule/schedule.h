/*
 * A run as a schedule: what ran on which lane when, what it waited for. Made of the run's tasks
 * where it has some, else of its innermost spans, one at a time on a lane. All times ns from the
 * run's start.
 * Used by explain, explain/frame, explain/parts, explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_SCHEDULE_SCHEDULE_H
#define LANESCOPE_EXPLAIN_SCHEDULE_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "store/store.h"
#include "util/mem.h"

#define SCHEDULE_NONE UINT32_MAX
#define SCHEDULE_NO_TIME INT64_MIN

struct schedule_item { /* a task, or an innermost stretch of a span */
	int64_t start_ns, end_ns;
	uint32_t lane; /* index into lanes */
	uint32_t kind; /* index into kinds */
	uint32_t task; /* index into tasks; SCHEDULE_NONE for spans */
	uint32_t call; /* index into calls, where there are some */
};

struct schedule_call {   /* a span that is the innermost one for a while, or holds such a span */
	uint32_t caller; /* the call that it lies in as a whole, a smaller index; SCHEDULE_NONE */
	uint32_t kind;   /* index into kinds */
	uint32_t lane;   /* index into lanes */
	uint32_t head;   /* its first item; SCHEDULE_NONE: those it calls take all of its time */
};

struct schedule_task {
	uint32_t id;        /* task.id of the run file */
	uint32_t key, name; /* codes into texts */
	uint32_t item;      /* where it ran; SCHEDULE_NONE if it never started or ended */
	int64_t planned_ns, enqueued_ns, started_ns, finished_ns; /* SCHEDULE_NO_TIME: missing */
};

enum schedule_edge_type {
	EDGE_DEPENDENCY, /* recorded */
	EDGE_TRANSFER, /* a data set named after the task that makes it moved to the task's lane */
	EDGE_FLOW
};
struct schedule_edge {     /* `to` could not start before `from` had ended */
	uint32_t from, to; /* items */
	enum schedule_edge_type type;
	uint32_t transfer; /* index into transfers; SCHEDULE_NONE */
};

struct schedule_transfer {
	uint32_t id;   /* transfer.id of the run file */
	uint32_t name; /* code into texts */
	uint32_t lane; /* target's index into lanes; SCHEDULE_NONE */
	uint32_t from; /* item that made the data set; SCHEDULE_NONE if unknown */
	uint32_t mode; /* code into texts; SCHEDULE_NONE */
	int64_t planned_ns, started_ns, loaded_ns, received_ns, finished_ns; /* SCHEDULE_NO_TIME */
	int64_t size_bytes;                                                  /* -1: unknown */
};

struct schedule_lane {
	uint32_t id;                  /* lane.id of the run file */
	uint32_t name, host, process; /* codes into texts */
	size_t first, n;              /* its items, in order of (start, end) */
};

/* Records that stand for many calls, on lanes of their own: no items are made of them, as it is not
 * known when each call ran. */
struct schedule_summed {
	int64_t records, calls, calls_ns; /* the calls' durations; all 0: there are none */
	int64_t start_ns, end_ns;         /* of what ran, with the intervals that they report */
};

struct schedule {
	struct arena *arena;
	bool is_tasks; /* else made of spans */
	/* Of what ran, from the first planned time on; items may begin later and end earlier, where
	 * spans without length, or of lanes that do not work, are the first or the last. */
	int64_t start_ns, end_ns;
	struct schedule_summed summed;
	int64_t unfinished,
	    unfinished_ns;           /* spans that lack their end, and how long items are theirs */
	bool starts_planned;         /* start is a planned time, not a start */
	struct schedule_item *items; /* lane by lane, each in order of (start, end) */
	size_t n_items;
	struct schedule_call *calls; /* lane by lane, each in order of start */
	size_t n_calls;              /* 0: of tasks, and of too many spans to match them */
	struct schedule_task *tasks; /* in order of id */
	size_t n_tasks;
	struct schedule_edge *edges; /* in order of (to, from) */
	size_t n_edges;
	struct schedule_transfer *transfers;
	size_t n_transfers;
	struct schedule_lane *lanes; /* those that hold items */
	size_t n_lanes;
	struct slice *texts;
	size_t n_texts;
	struct slice *kinds; /* distinct */
	size_t n_kinds;
	/* Inputs that had not ended at the start (clocks are skewed, or a launching call went on):
	 * left out of edges. */
	size_t n_late_edges;
};

/* By its code; empty where there is none, or the dictionary does not have it. */
static inline struct slice
schedule_text(const struct schedule *schedule, uint32_t code)
{
	return code < schedule->n_texts ? schedule->texts[code] : slice_of("");
}
static inline struct slice
schedule_lane_name(const struct schedule *schedule, size_t lane)
{
	return schedule_text(schedule, schedule->lanes[lane].name);
}
/* The first stretch of the span that an item is a stretch of, which stands for all of the span;
 * the item itself where it is a task, or calls are not kept. */
static inline uint32_t
schedule_head(const struct schedule *schedule, size_t item)
{
	return schedule->n_calls > 0 ? schedule->calls[schedule->items[item].call].head
	                             : (uint32_t)item;
}
/* Index of the first edge to an item, or to one behind it. */
size_t schedule_first_edge_to(const struct schedule *schedule, uint32_t item);
/* When what an edge brings was there: the end of `from`, or that of the transfer; never after the
 * start of `to`. */
int64_t schedule_arrival_ns(const struct schedule *schedule, const struct schedule_edge *edge);

/* Appends the kind of a task: its kind without UUIDs and hashes, which differ from run to run;
 * where it has none, its name without these and numbers. */
void schedule_kind(struct strbuf *out, struct slice kind, struct slice name);
/* The kind of a span is its name, or its category where names are too many. The schedule borrows
 * texts of the store. */
struct schedule *schedule_read(struct store *store, const struct cancel *cancel, struct err *err);
void schedule_free(struct schedule *schedule); /* takes NULL */

#endif
