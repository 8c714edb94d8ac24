/* What a recorded run gives a simulation: chances and sizes, a job's times, a trace to replay.
 * Used by cli. */
#ifndef LANESCOPE_SIMULATE_PREEMPTION_SOURCE_H
#define LANESCOPE_SIMULATE_PREEMPTION_SOURCE_H

#include "simulate/preemption.h"
#include "store/store.h"

/* Chances and sizes of preemptions and additions from a run's capacity over time and its
 * preemptions. ERR_USAGE if it has none. pool: of several; NULL: the only one. */
int preemption_like(struct store *store, const char *pool, struct preemption_params *params,
                    struct err *err);
/* Times of reconfiguration, checkpoint and iterations from a run that holds a job's profile, in
 * whole seconds. */
int preemption_profile(struct store *store, struct preemption_params *params, struct err *err);
/* All changes of a run's capacity, by name where it names instances. *trace is to be freed. */
int preemption_replay(struct store *store, const char *pool, struct preemption_trace *trace,
                      struct err *err);

#endif
