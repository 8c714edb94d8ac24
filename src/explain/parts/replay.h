/*
 * Two runs as one model, for reruns: items that are matched are one unit, with what either run
 * shows of its times, its inputs and what held it back.
 * Used by explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_REPLAY_H
#define LANESCOPE_EXPLAIN_PARTS_REPLAY_H

#include "explain/schedule/matching.h"
#include "explain/schedule/schedule.h"

/* How a run's planned times and transfers were understood. */
struct replay_rules {
	/* planned times follow the end of a task: they move with it; else fixed */
	bool is_reacting;
	/* transfers begin before their task could run: they hide behind others */
	bool is_prefetching;
	int64_t reaction_ns; /* usual time from a task's end to a planned time */
	size_t n_transfers;  /* of them moved to where they were needed */
	size_t n_triggered;  /* items bound to the end after which they were planned */
};

struct replay;
/* Borrows the schedules. NULL: cancelled. a and b may be the same. */
struct replay *replay_new(const struct schedule *a, const struct schedule *b,
                          const struct matching *matching, const struct cancel *cancel,
                          struct err *err);
void replay_free(struct replay *replay); /* takes NULL */
const struct replay_rules *replay_rules(const struct replay *replay, unsigned run);
size_t replay_slots(const struct replay *replay, unsigned run); /* lanes, as reruns have them */

#endif
