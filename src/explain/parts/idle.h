/* Where lanes had nothing to do, by cause.
 * Used by explain/verdict. */
#ifndef LANESCOPE_EXPLAIN_PARTS_IDLE_H
#define LANESCOPE_EXPLAIN_PARTS_IDLE_H

#include "explain/parts/division.h"
#include "util/cancel.h"
#include "util/err.h"

/* The first that holds at an instant is the cause of a lane's idleness then. */
enum idle_cause {
	IDLE_RAMP, /* before the lane's first item */
	IDLE_TAIL, /* after its last */
	/* a task of this lane is planned and a transfer that it needs is under way; or any to the
	 * lane, before the task is enqueued */
	IDLE_TRANSFER,
	IDLE_DISPATCH,  /* a task of this lane is ready and has not started */
	IDLE_IMBALANCE, /* a task of another lane is ready and has not started */
	IDLE_STARVED,   /* no task is ready anywhere */
	IDLE_UNKNOWN,   /* the run does not say when tasks are ready */
	IDLE_CAUSES
};
const char *idle_cause_name(enum idle_cause cause);

/* Time without anything to do, of a lane for a cause, none twice: it adds up to lanes x makespan
 * less the time in which lanes were busy (unions). A task is ready when it has been planned and all
 * inputs that are known have ended and arrived; where neither is known, when it was enqueued. -1:
 * cancelled. */
struct idle_taker {
	void *user;
	/* ns within the window; division NULL: within the makespan */
	void (*take)(void *user, uint32_t lane, enum idle_cause cause, int64_t window, wide_int ns);
	const struct part_division *division;
	/* or instead the stretches, in no order */
	void (*piece)(void *user, uint32_t lane, enum idle_cause cause, int64_t start, int64_t end);
};
int idle_take(const struct schedule *schedule, const struct cancel *cancel,
              const struct idle_taker *taker, struct err *err);
/* ns[cause] of all lanes. */
int idle_measure(const struct schedule *schedule, const struct cancel *cancel,
                 wide_int ns[IDLE_CAUSES], struct err *err);

#endif
