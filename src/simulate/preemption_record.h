/* A simulation as records of a run: what its timeline is drawn from.
 * Used by cli. */
#ifndef LANESCOPE_SIMULATE_PREEMPTION_RECORD_H
#define LANESCOPE_SIMULATE_PREEMPTION_RECORD_H

#include "model/sink.h"
#include "simulate/preemption.h"

/*
 * Runs the simulation and speaks it into the sink: a lane "job" with spans useful, lost,
 * reconfiguring, idle and pending; a lane for each instance with spans booting, standby and active;
 * an event on the job's lane for each decision (preempt, add, clamp, regroup with its case) with
 * the ids of the instances, and for each checkpoint, reconfiguration and resumption; capacity and
 * preemptions; parameters and results as tags. -1: err is set, or the sink wants no more.
 */
int preemption_record(const struct preemption_params *params, const struct preemption_trace *trace,
                      const struct cancel *cancel, struct sink *sink,
                      struct preemption_result *result, struct err *err);
/* The parameters alone, as tags of the scope "parameters". -1: the sink wants no more. */
int preemption_record_params(const struct preemption_params *params, struct sink *sink);

#endif
