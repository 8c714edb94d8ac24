/*
 * Replay: two runs as one model in which each factor can be taken from either, and the makespan
 * that would have been.
 * Used by explain/verdict.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_REPLAY_H
#define LANESCOPE_EXPLAIN_PARTS_REPLAY_H

#include "explain/schedule/matching.h"
#include "explain/schedule/schedule.h"

/* A set bit takes the factor from B. */
enum replay_factor {
	REPLAY_TASKS,     /* which tasks there are, and when they are released */
	REPLAY_DURATIONS, /* how long each runs */
	REPLAY_TRANSFERS, /* how long transfers take, where the placement makes them needed */
	REPLAY_DISPATCH,  /* from all inputs being there to the start */
	REPLAY_PLACEMENT, /* lanes, and the order on each */
	REPLAY_FACTORS
};
#define REPLAY_SETS (1u << REPLAY_FACTORS)
const char *replay_factor_name(enum replay_factor factor);

/* How a run's planned times and transfers were understood. */
struct replay_rules {
	/* planned times follow the end of a task: they move with it; else fixed */
	bool is_reacting;
	/* transfers begin before their task could run: they hide behind others */
	bool is_prefetching;
	int64_t reaction_ns; /* usual time from a task's end to a planned time */
	size_t n_edges;      /* inputs that start after what they wait for */
	size_t n_transfers;  /* of them moved to where they were needed */
	size_t n_triggered;  /* items bound to the end after which they were planned */
	size_t n_released;   /* items bound to a planned time as it is */
};

struct replay;
/* Borrows the schedules. NULL: too many items, cancelled. a and b may be the same. */
struct replay *replay_new(const struct schedule *a, const struct schedule *b,
                          const struct matching *matching, const struct cancel *cancel,
                          struct err *err);
void replay_free(struct replay *replay); /* takes NULL */
const struct replay_rules *replay_rules(const struct replay *replay, unsigned run);

/* Makespans of n sets of factors, on all cores. */
int replay_run(struct replay *replay, const unsigned *sets, size_t n, int64_t *makespans_ns,
               const struct cancel *cancel, struct err *err);
/* Average of what each factor adds over all orders of taking them; sums to value[all] - value[0]
 * exactly. low, high: least and most in any order. value has 1 << n entries, n at most
 * REPLAY_FACTORS. */
struct replay_effect {
	int64_t mean, low, high;
};
void replay_shapley(const int64_t *value, unsigned n, struct replay_effect *effects);

#endif
