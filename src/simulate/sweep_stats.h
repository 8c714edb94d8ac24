/*
 * What a sweep's seeds give at one point: mean and deviation, the interval in which the mean lies,
 * quantiles.
 * Used by cli.
 */
#ifndef LANESCOPE_SIMULATE_SWEEP_STATS_H
#define LANESCOPE_SIMULATE_SWEEP_STATS_H

#include "simulate/preemption_sweep.h"

/* low and high: 95 of 100 such intervals hold the true mean, if seeds give normal figures
 * (Student's t with n - 1 degrees); std: n - 1. Quantiles are interpolated linearly, as numpy's. */
enum sweep_stat {
	SWEEP_MEAN,
	SWEEP_STD,
	SWEEP_LOW,
	SWEEP_HIGH,
	SWEEP_MIN,
	SWEEP_P5,
	SWEEP_P25,
	SWEEP_P50,
	SWEEP_P75,
	SWEEP_P95,
	SWEEP_MAX,
	SWEEP_STATS
};
extern const char *const sweep_stat_names[SWEEP_STATS]; /* "mean", "std", ... */

/* "mean,p5,p95", each once; -1: one is none of them. */
int sweep_stats_read(struct slice list, enum sweep_stat stats[SWEEP_STATS], size_t *n,
                     struct err *err);
/* Of a field over the seeds of a point, each stat that is asked for; NAN: of one seed there is
 * none. */
void sweep_stats_at(const struct preemption_sweep *sweep, size_t point,
                    const struct preemption_field *field, double values[SWEEP_STATS]);

#endif
