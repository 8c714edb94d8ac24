/*
 * One run of a replay's model again, with some of what it did changed: what makespan it would have
 * had. Either every item stays on its lane and in its order there, or a scheduler reacts: what is
 * ready is started on the first lane that is free, in the order of the run (list scheduling).
 * Used by explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_RERUN_H
#define LANESCOPE_EXPLAIN_PARTS_RERUN_H

#include "explain/parts/replay.h"

struct rerun_change {
	/* By unit; NULL: as they were. Dispatch is what lies between all that is known to hold a
	 * unit back and its start; below 0 it makes planning faster, never starts before inputs. */
	const int64_t *duration_ns, *dispatch_ns;
	/* Times this: how long transfers take; what else lies between all that is known to hold a
	 * unit back and its start. */
	double transfers, delays;
	/* What is moved and how long, as in this run; NULL: in its own. */
	const struct rerun *moves;
	/* A scheduler that reacts plans one unit after another. That takes it as long, and leaves
	 * as much after it, as in this run, the other or its own; NULL: dispatch holds it all. */
	const struct rerun *waits;
	const double *speed; /* by slot: durations there times this; NULL: 1 */
	size_t n_slots;      /* that run one item at a time; 0: as many as there were */
	bool reacts;         /* else placement and order stay */
	double jitter;       /* standard deviation of the log of factors on durations; 0: none */
	uint64_t seed;       /* of these: equal seeds give a unit equal factors */
};

/* What a change is made of that changes nothing. */
#define RERUN_AS_WAS .transfers = 1, .delays = 1

struct rerun;
/* Of run 0 or 1 of a replay, which it borrows. */
struct rerun *rerun_new(const struct replay *replay, unsigned run);
/* The same for another thread: borrows what the first one observed. */
struct rerun *rerun_beside(const struct rerun *first);
void rerun_free(struct rerun *rerun); /* takes NULL */
int64_t rerun_makespan_ns(struct rerun *rerun, const struct rerun_change *change);

size_t rerun_units(const struct rerun *rerun);
size_t rerun_slots(const struct rerun *rerun);
/* The lane that a slot is part of, by the schedule's lanes; one that runs several items at once has
 * several. */
uint32_t rerun_lane_of(const struct rerun *rerun, size_t slot);
uint32_t rerun_unit_of(const struct rerun *rerun, uint32_t item);
/* As observed, by unit; of those that only the other run has, as observed there. */
void rerun_observed(const struct rerun *rerun, int64_t *duration_ns, int64_t *dispatch_ns);

/* What no schedule of the run falls below: its longest chain of inputs, if only durations took
 * time, and its work over its slots. */
struct rerun_least {
	int64_t chain_ns, work_ns;
};
struct rerun_least rerun_least(struct rerun *rerun);

#endif
