/*
 * Many simulations at once: every combination of the values given for parameters, each with every
 * seed. Results do not depend on the number of threads.
 * Used by cli.
 */
#ifndef LANESCOPE_SIMULATE_PREEMPTION_SWEEP_H
#define LANESCOPE_SIMULATE_PREEMPTION_SWEEP_H

#include "simulate/preemption.h"

#define PREEMPTION_SWEEP_LIMIT 1000000 /* simulations */

struct preemption_axis {
	const struct preemption_param *param;
	struct preemption_params *values; /* only param is used of each */
	size_t n;
};
struct preemption_sweep {
	struct preemption_params base;
	struct preemption_axis axes[PREEMPTION_N_PARAMS]; /* the last varies fastest */
	size_t n_axes;
	uint64_t *seeds;
	size_t n_seeds, seeds_capacity;
	const struct preemption_trace *trace; /* to replay, borrowed; NULL: by chance */
	size_t n_points;                      /* combinations */
	const struct cancel *cancel;          /* while it runs */
	struct preemption_result *results;    /* [point * n_seeds + seed] */
};
/* The next item of a list separated by commas; one behind the last comma is empty. */
bool preemption_next_item(struct slice *rest, struct slice *item);
/* Parameter values "0.02,0.05,0.1", or from one to another: "0.1..0.5:5" are five, "4..8" all whole
 * numbers. One value sets the base, several are an axis. */
int preemption_sweep_values(struct preemption_sweep *sweep, const struct preemption_param *param,
                            struct slice list, struct err *err);
/* "1-1000" or "1,2,5-7". */
int preemption_sweep_seeds(struct preemption_sweep *sweep, struct slice list, struct err *err);
/* Parameters of one point; the value of an axis there is in them. */
void preemption_sweep_params(const struct preemption_sweep *sweep, size_t point,
                             struct preemption_params *params);
/* n_threads 0: all cores. Without seeds: that of base. */
int preemption_sweep_run(struct preemption_sweep *sweep, unsigned n_threads,
                         const struct cancel *cancel, struct err *err);

struct preemption_moments {
	double mean, deviation; /* sample deviation, NaN for a single seed */
};
struct preemption_moments preemption_sweep_moments(const struct preemption_sweep *sweep,
                                                   size_t point,
                                                   const struct preemption_field *field);
void preemption_sweep_free(struct preemption_sweep *sweep); /* what it holds */

#endif
