/* Inside of struct replay, shared by the files that make and run it. Times are ns from the start
 * of a makespan.
 * Used by its room alone. */
#ifndef LANESCOPE_EXPLAIN_PARTS_REPLAY_MODEL_H
#define LANESCOPE_EXPLAIN_PARTS_REPLAY_MODEL_H

#include "explain/parts/replay.h"

#define REPLAY_REACTION_TOLERANCE 10 /* times the usual reaction still are a reaction */

enum replay_edge_kind {
	REPLAY_ABSENT, /* does not hold in this run */
	REPLAY_PLAIN,  /* holds; nothing moved, or it took no time */
	/* a transfer that began before its task could run: takes delay from the end of its
	 * source */
	REPLAY_EARLY,
	/* a transfer that began once all inputs were there: counted in the unit's transfer_ns */
	REPLAY_LATE,
	REPLAY_TRIGGER /* `to` was planned delay after the end of `from` */
};

struct replay_edge { /* between units; in order of (to, from) */
	uint32_t from, to;
	uint8_t kind[2];                    /* enum replay_edge_kind, by run */
	int64_t begun_ns[2], arrived_ns[2]; /* of a transfer, as observed */
	int64_t delay_ns[2];
};

#define REPLAY_NO_TRANSFER (-1)
struct replay_unit {      /* an item of A with what it is matched with, or an item of B alone */
	uint32_t item[2]; /* SCHEDULE_NONE: not in that run */
	int64_t duration_ns[2], dispatch_ns[2]; /* of the other run, where it is in one only */
	int64_t transfer_ns[2]; /* waited for late transfers, or REPLAY_NO_TRANSFER */
	int64_t release_ns[2];  /* SCHEDULE_NO_TIME: any time */
};

struct replay_run { /* as observed */
	const struct schedule *schedule;
	uint32_t *unit;     /* by item */
	uint32_t *slot;     /* by item: lanes that run several items at once are split into slots */
	uint32_t *previous; /* by item: the one before it in its slot, or SCHEDULE_NONE */
	size_t n_slots;
	struct replay_rules rules;
};

struct replay {
	struct replay_run run[2];
	int64_t floor_ns; /* nothing starts before it: 0, or less where clocks are skewed */
	struct replay_unit *units;
	size_t n_units;
	struct replay_edge *edges;
	size_t n_edges;
	size_t *first_edge; /* by unit, n_units + 1: its inputs */
	size_t *first_out;  /* by unit, n_units + 1, into out: edges that leave it */
	uint32_t *out;
};

/* Which units of a run stand in which order. */
struct replay_order {
	uint32_t *units;    /* so that what a unit waits for stands before it */
	uint32_t *previous; /* by unit: before it in its slot, or SCHEDULE_NONE */
	size_t n;
};
void replay_order_make(const struct replay *replay, unsigned run, struct replay_order *order);
void replay_order_fini(struct replay_order *order);

/* Fills slot, previous and n_slots of a run. */
void replay_split_lanes(struct replay_run *run);
/* Makes out of what was observed in both runs what the model needs: early or late edges and their
 * delays, triggers, and transfer, release and dispatch of units, each for the runs that they are
 * in. Edges come with transfers marked late. */
void replay_observe(struct replay *replay);
/* Sorts edges and indexes them by unit. */
void replay_index_edges(struct replay *replay);

static inline const struct schedule_item *
replay_item(const struct replay *replay, unsigned run, uint32_t unit)
{
	uint32_t item = replay->units[unit].item[run];
	return item == SCHEDULE_NONE ? NULL : &replay->run[run].schedule->items[item];
}
static inline int64_t
replay_start(const struct replay *replay, unsigned run, uint32_t unit)
{
	return replay_item(replay, run, unit)->start_ns - replay->run[run].schedule->start_ns;
}
static inline int64_t
replay_end(const struct replay *replay, unsigned run, uint32_t unit)
{
	return replay_item(replay, run, unit)->end_ns - replay->run[run].schedule->start_ns;
}

/* Whether an item had ended when another started. Of items that take no time at one instant the
 * first in its lane's order counts as before, so that what was observed never goes in a circle. */
static inline bool
replay_runs_before(const struct schedule *schedule, uint32_t from, uint32_t to)
{
	const struct schedule_item *x = &schedule->items[from], *y = &schedule->items[to];
	if (x->end_ns > y->start_ns) {
		return false;
	}
	return x->start_ns < y->start_ns || x->end_ns < y->end_ns ||
	       (x->end_ns == y->end_ns && from < to);
}

#endif
