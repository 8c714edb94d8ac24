/*
 * A data- and pipeline-parallel training job on spot instances, simulated: how much of the time is
 * useful, lost by going back to a checkpoint, reconfiguring or idle, as instances come and go. All
 * times are integer milliseconds and all chance comes from one splitmix64 stream, so the same
 * parameters give the same answer, and the same digest, on every machine.
 * Used by cli.
 */
#ifndef LANESCOPE_SIMULATE_PREEMPTION_H
#define LANESCOPE_SIMULATE_PREEMPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "util/cancel.h"
#include "util/err.h"
#include "util/slice.h"

#define PREEMPTION_WORLDS 64
#define PREEMPTION_INSTANCES_LIMIT 1000000
#define PREEMPTION_MS_LIMIT (INT64_C(1) << 40) /* 34 years */

/* Time of an iteration by world size, sorted by it; between two sizes it is linear. */
struct preemption_iteration {
	int64_t world, ms;
};

struct preemption_params {
	uint64_t seed;
	double minutes;
	int64_t tick_ms; /* membership changes only at multiples of this */
	int64_t depth;   /* instances of a pipeline */
	int64_t prep_ms; /* boot time */
	int64_t initial, inst_max, inst_min;
	double p_preempt, preempt_mean, preempt_std; /* chance a minute; size */
	double p_add, add_mean, add_std;
	double p_big; /* share of additions whose size is uniform in big_lo ... big_hi */
	int64_t big_lo, big_hi;
	int64_t reconfig_ms, checkpoint_ms;
	int64_t checkpoint_every_ms; /* least time between starts of checkpoints; 0: one after
	                                another */
	int64_t samples_per_iter;
	struct preemption_iteration iterations[PREEMPTION_WORLDS];
	size_t n_iterations;
};
extern const struct preemption_params preemption_defaults;

/* Each parameter by its name, for options and tables (without seed and iterations): member, name,
 * type, form of its text, what it is. */
enum preemption_type { PREEMPTION_INTEGER, PREEMPTION_MS, PREEMPTION_REAL };
#define PREEMPTION_PARAMS(X)                                                                       \
	X(minutes, "minutes", PREEMPTION_REAL, "N", "length in minutes (355)")                     \
	X(tick_ms, "tick", PREEMPTION_MS, "TIME", "membership changes at multiples of it (5s)")    \
	X(depth, "depth", PREEMPTION_INTEGER, "N", "instances of a pipeline (16)")                 \
	X(prep_ms, "prep", PREEMPTION_MS, "TIME", "boot time of an instance (3m)")                 \
	X(initial, "initial", PREEMPTION_INTEGER, "N", "instances at the start (32)")              \
	X(inst_max, "inst-max", PREEMPTION_INTEGER, "N", "most instances (64)")                    \
	X(inst_min, "inst-min", PREEMPTION_INTEGER, "N", "instances that preemption leaves (0)")   \
	X(p_preempt, "p-preempt", PREEMPTION_REAL, "P", "chance of a preemption a minute (0.163)") \
	X(preempt_mean, "preempt-mean", PREEMPTION_REAL, "N", "its mean size (2.41)")              \
	X(preempt_std, "preempt-std", PREEMPTION_REAL, "N", "deviation of its size (2.09)")        \
	X(p_add, "p-add", PREEMPTION_REAL, "P", "chance of an addition a minute (0.144)")          \
	X(add_mean, "add-mean", PREEMPTION_REAL, "N", "mean size of a regular one (2.54)")         \
	X(add_std, "add-std", PREEMPTION_REAL, "N", "deviation of its size (1.95)")                \
	X(p_big, "p-big", PREEMPTION_REAL, "P", "share of additions that are big (0.059)")         \
	X(big_lo, "big-lo", PREEMPTION_INTEGER, "N", "smallest big addition (11)")                 \
	X(big_hi, "big-hi", PREEMPTION_INTEGER, "N", "largest big addition (31)")                  \
	X(reconfig_ms, "reconfig", PREEMPTION_MS, "TIME", "time of a reconfiguration (88s)")       \
	X(checkpoint_ms, "checkpoint", PREEMPTION_MS, "TIME", "time to write a checkpoint (89s)")  \
	X(checkpoint_every_ms, "checkpoint-every", PREEMPTION_MS, "TIME",                          \
	  "least time between starts of checkpoints (0: one after another)")                       \
	X(samples_per_iter, "samples", PREEMPTION_INTEGER, "N", "samples of an iteration (288)")
enum preemption_param_id {
#define X(member, name, type, form, about) PARAM_##member,
	PREEMPTION_PARAMS(X)
#undef X
	    PREEMPTION_N_PARAMS
};
struct preemption_param {
	const char *name; /* "p-preempt" */
	enum preemption_type type;
	size_t offset;
};
extern const struct preemption_param preemption_params[]; /* by id; the last has no name */
/* From text: integers, durations ("5s"), decimals. */
int preemption_param_set(struct preemption_params *params, const struct preemption_param *param,
                         struct slice text, struct err *err);
/* Appends all that decides the outcome as text; trace NULL: chance. */
struct strbuf;
struct preemption_trace;
void preemption_describe(const struct preemption_params *params,
                         const struct preemption_trace *trace, struct strbuf *out);
/* "16:18s 32:11s": world size and time of an iteration. */
int preemption_iterations_set(struct preemption_params *params, struct slice text, struct err *err);
/* Whether they make sense together; ERR_USAGE says which does not. */
int preemption_params_check(const struct preemption_params *params, struct err *err);
int64_t preemption_duration_ms(const struct preemption_params *params);
/* Of a world size. */
int64_t preemption_iteration_ms(const struct preemption_params *params, int64_t world);

/* A recorded trace to replay instead of chance: changes in order of time. */
struct preemption_change {
	int64_t time_ms; /* from the trace's start */
	int64_t delta;   /* instances added (removed if negative) ... */
	int64_t node; /* ... or the one named instance that came or went, below n_nodes; -1: none */
};
struct preemption_trace {
	int64_t initial, end_ms;
	struct preemption_change *changes;
	size_t n_changes, capacity;
	size_t n_nodes; /* different names */
};
void preemption_trace_add(struct preemption_trace *trace, struct preemption_change change);
void preemption_trace_free(struct preemption_trace *trace); /* what it holds; takes NULL */

enum job_state { JOB_TRAINING, JOB_RECONFIGURING, JOB_IDLE };
const char *job_state_name(enum job_state state);

struct preemption_result {
	int64_t duration_ms, useful_ms, lost_ms, reconfig_ms, idle_ms, pending_ms;
	int64_t iterations, last_saved, iterations_executed, iterations_lost;
	int64_t reconfigs, reconfig_restarts, rollbacks, checkpoints_saved, checkpoints_aborted;
	int64_t preempt_events, preempted, preempted_active, add_events, added, add_clamped;
	int64_t case_1a, case_1b, case_grow, case_both, case_exact;
	int64_t inst_ms_active, inst_ms_standby, inst_ms_prep;
	int64_t final_active, final_standby, final_prep;
	double useful_fraction, wasted_fraction, rollback_fraction, mean_instances, mean_active,
	    instance_idle_fraction, iterations_per_hour, samples_per_second, efficiency_vs_full;
	enum job_state final_state;
	uint64_t rng_state, digest;
};
/* Its numbers by name. */
enum preemption_field_type { FIELD_COUNT, FIELD_MS, FIELD_SHARE, FIELD_REAL };
struct preemption_field {
	const char *name;
	enum preemption_field_type type; /* count and ms: int64_t, else double */
	size_t offset;
	bool is_main; /* belongs in a summary */
};
extern const struct preemption_field preemption_fields[]; /* the last has no name */

/* A member of parameters or results. */
static inline int64_t
preemption_integer_at(const void *of, size_t offset)
{
	return *(const int64_t *)(const void *)((const char *)of + offset);
}
static inline double
preemption_real_at(const void *of, size_t offset)
{
	return *(const double *)(const void *)((const char *)of + offset);
}

int64_t preemption_field_integer(const struct preemption_field *field,
                                 const struct preemption_result *result);
double preemption_field_real(const struct preemption_field *field,
                             const struct preemption_result *result);

enum instance_state { INSTANCE_BOOTING, INSTANCE_STANDBY, INSTANCE_ACTIVE, INSTANCE_GONE };
const char *instance_state_name(enum instance_state state);

/* Whoever wants to see what happens; any of these may be NULL. Times in ms never go back. */
struct preemption_observer {
	void *user;
	/* Line of the log: start, step, checkpoint, reconfig, resume, idle. */
	void (*log)(void *user, int64_t time_ms, const char *event, int64_t world, int64_t n);
	/* The job was doing this from start to end. */
	void (*job)(void *user, const char *state, int64_t start_ms, int64_t end_ms, int64_t world);
	void (*instance)(void *user, int64_t time_ms, int64_t id, enum instance_state state);
	/* "preempt" or "add" with the n instances, "clamp" (n instances were not added), or a new
	 * world size n: "promote", "demote" with the instances that this takes, "keep" without;
	 * name is then the case: both, grow, exact, 1a, 1b. */
	void (*decision)(void *user, int64_t time_ms, const char *what, const char *name, int64_t n,
	                 const int64_t *ids, size_t n_ids);
};

/* trace NULL: by chance. observer and cancel may be NULL. */
int preemption_run(const struct preemption_params *params, const struct preemption_trace *trace,
                   const struct preemption_observer *observer, const struct cancel *cancel,
                   struct preemption_result *result, struct err *err);

/* Counts of instances made up minute by minute with the same chances: what a node trace and a
 * terminate trace would hold. row is called for each minute with a change, and first for minute 0
 * with the initial count; nonzero stops. Returns what it returned last. */
int preemption_generate(const struct preemption_params *params,
                        int (*row)(void *user, int64_t minute, int64_t count, int64_t lost,
                                   int64_t added),
                        void *user);

#endif
