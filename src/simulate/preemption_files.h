/* A made-up trace of spot instances, as the two files that real ones come in.
 * Used by cli. */
#ifndef LANESCOPE_SIMULATE_PREEMPTION_FILES_H
#define LANESCOPE_SIMULATE_PREEMPTION_FILES_H

#include <stdio.h>
#include "simulate/preemption.h"

/* Writes preemption_generate's counts to `nodes`, its losses to `losses`, as CSV that begins at
 * start_s (seconds since 1970). Errors of the files stay theirs; -1: cancelled. */
int preemption_write_trace(const struct preemption_params *params, int64_t start_s, FILE *nodes,
                           FILE *losses, const struct cancel *cancel, struct err *err);

#endif
