/* The training job of the simulation. Private to src/simulate.
 * Used by its room alone. */
#ifndef LANESCOPE_SIMULATE_PREEMPTION_JOB_H
#define LANESCOPE_SIMULATE_PREEMPTION_JOB_H

#include "simulate/preemption.h"

struct training_job {
	const struct preemption_params *params;
	const struct preemption_observer *observer; /* never NULL */
	const struct cancel *cancel;
	struct preemption_result *result;
	enum job_state state;
	int64_t world;         /* active instances */
	int64_t now_ms;        /* everything up to here has happened */
	int64_t iter_ms;       /* of this world size */
	int64_t iter_start_ms; /* training: of the unfinished iteration */
	int64_t since_ms;      /* start of this state */
	int64_t saved_end_ms;  /* end of the last iteration that is saved, or since_ms */
	int64_t until_ms;      /* reconfiguring: its end */
	int64_t done, saved, saving;
	int64_t save_end_ms;   /* of the checkpoint that runs; -1: none */
	int64_t save_start_ms; /* of the last checkpoint, or start of the training */
	uint64_t digest;
	uint64_t n_events;
};

void job_start(struct training_job *job, int64_t world);
/* To time_ms, its events included. -1: cancelled. */
int job_advance(struct training_job *job, int64_t time_ms, struct err *err);
/* After a change of its instances, now: goes back to the last finished checkpoint. */
void job_interrupt(struct training_job *job, int64_t world);
/* At the end: what is under way counts, and the log's digest. */
void job_finish(struct training_job *job);

#endif
