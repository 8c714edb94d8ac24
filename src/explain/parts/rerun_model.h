/* Inside of struct rerun, shared by the files that make and run it. Times are ns from the start of
 * a makespan.
 * Used by its room alone. */
#ifndef LANESCOPE_EXPLAIN_PARTS_RERUN_MODEL_H
#define LANESCOPE_EXPLAIN_PARTS_RERUN_MODEL_H

#include "explain/parts/replay_model.h"
#include "explain/parts/rerun.h"

struct waiting;
struct rerun {
	const struct replay *replay;
	unsigned run;
	bool borrows; /* what was observed is another's */
	struct replay_order order;
	uint32_t *rank;                /* by unit: place in the order of starts */
	uint32_t *n_inputs;            /* by unit */
	uint32_t *hidden, *hidden_out; /* by unit: input that no edge tells of; of what it is one */
	int64_t *queued_ns;            /* by edge: how much of its delay was for want of a slot */
	int64_t *moved_ns;             /* by unit: how long late transfers took, from their begin */
	int64_t *ends, *free_at;       /* by unit, by slot */
	uint32_t *lane;                /* by slot */
	/* By unit: planning it, and from then, all that it needs being there, to its start. */
	int64_t *service_ns, *rest_ns;
	bool *is_planned;   /* by unit: planned when it was ready, after the one before */
	int64_t planner_ns; /* when the planner is free */
	/* Of a scheduler that reacts, while it does. */
	uint32_t *missing; /* by unit: inputs */
	struct waiting *ready, *future;
	struct waiting *slots;
};

/* Fills hidden and what it adds to n_inputs, queued, moved, service, rest and is_planned. */
void rerun_observe(struct rerun *rerun);

static inline uint32_t
rerun_slot_of(const struct rerun *rerun, uint32_t unit)
{
	return rerun->replay->run[rerun->run].slot[rerun->replay->units[unit].item[rerun->run]];
}

/* An end that only freed the slot. */
static inline bool
rerun_is_slot_trigger(const struct rerun *rerun, const struct replay_edge *edge)
{
	return edge->kind[rerun->run] == REPLAY_TRIGGER &&
	       rerun_slot_of(rerun, edge->to) == rerun_slot_of(rerun, edge->from);
}

/* Whether an edge holds a unit of the run back, beyond its slot being free. */
static inline bool
rerun_binds(const struct rerun *rerun, const struct replay_edge *edge)
{
	const struct replay_unit *units = rerun->replay->units;
	return edge->kind[rerun->run] != REPLAY_ABSENT && !rerun_is_slot_trigger(rerun, edge) &&
	       units[edge->from].item[rerun->run] != SCHEDULE_NONE &&
	       units[edge->to].item[rerun->run] != SCHEDULE_NONE;
}

#endif
