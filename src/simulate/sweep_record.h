/*
 * A sweep as a run: a trial for each combination of parameters, with the values of these as tags
 * and a sample for each figure, one value a seed.
 * Used by cli.
 */
#ifndef LANESCOPE_SIMULATE_SWEEP_RECORD_H
#define LANESCOPE_SIMULATE_SWEEP_RECORD_H

#include "model/sink.h"
#include "simulate/preemption_sweep.h"

/* The sweep has been run. -1 once the sink wants no more. */
int sweep_record(const struct preemption_sweep *sweep, struct sink *sink, struct err *err);
/* Appends all that decides what is recorded. */
void sweep_describe(const struct preemption_sweep *sweep, struct strbuf *out);
/* Appends "p_preempt", as columns and tags have it; times end in _ms. */
void sweep_axis_name(const struct preemption_param *param, struct strbuf *out);

#endif
