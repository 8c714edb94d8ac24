/* What the simulate commands share: lanescope simulate preemption, trace, checkpoint.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_SIMULATE_H
#define LANESCOPE_CLI_CMD_SIMULATE_H

#include "cli/open.h"
#include "cli/output.h"
#include "ingest/ingest.h"
#include "simulate/preemption_sweep.h"
#include "simulate/sweep_stats.h"

enum {
	OPTION_SEED = 512,
	OPTION_ITER,
	OPTION_LIKE,
	OPTION_PROFILE,
	OPTION_REPLAY,
	OPTION_LOG,
	OPTION_SUMMARY,
	OPTION_START,
	OPTION_POOL,
	OPTION_DATA,
	OPTION_PFS_RATE,
	OPTION_SSD_RATE,
	OPTION_PFS_FACTOR,
	OPTION_SSD_FACTOR,
	OPTION_NODES,
	OPTION_EXPONENT,
	OPTION_MTBF,
	OPTION_NODE_MTBF,
	OPTION_FAILURES,
	OPTION_COST,
	OPTION_PREEMPTION = 1024 /* + enum preemption_param_id */
};

/* The options of each, without the shared ones of outputs; NULL-terminated. All of them, for
 * completions. */
extern const struct cli_option *const simulate_preemption_options[],
    *const simulate_trace_options[], *const simulate_checkpoint_options[];
extern const struct cli_option *const simulate_options[];
int command_simulate_preemption(struct cli *cli);
int command_simulate_trace(struct cli *cli);
int command_simulate_checkpoint(struct cli *cli);

/* What both preemption and trace take: parameters, seeds, runs to learn from. */
struct simulate_choice {
	struct cli *cli;
	struct preemption_sweep sweep; /* base and axes as the options say */
	const char *like, *profile, *replay, *pool;
	struct slice lists[PREEMPTION_N_PARAMS]; /* given values, applied after the runs' */
	const char *iterations, *seeds;
	struct path_list inputs; /* those runs, and what they were imported into */
	/* preemption */
	struct output_choice output;
	const char *log;
	bool summary, wide, force;
	enum sweep_stat stats[SWEEP_STATS]; /* of the summary */
	size_t n_stats;
	/* trace */
	const char *start;
};
/* 1 taken, 0 not one of these, -1. */
int simulate_take(struct simulate_choice *choice, int id, const char *value, struct err *err);
/* options_parse for the two, which take options only. */
int simulate_parse(struct cli *cli, cli_take *take, void *user, struct err *err);
/* Opens what was named and sets the sweep up; *trace is to be freed. */
int simulate_prepare(struct simulate_choice *choice, struct preemption_trace *trace,
                     struct err *err);
void simulate_choice_free(struct simulate_choice *choice);

/* Writes a simulation as a run file to options->out, under options->name; trace NULL: chance. */
int simulate_make_run(const struct preemption_params *params, const struct preemption_trace *trace,
                      const struct ingest_options *options, struct ingest_summary *summary,
                      struct err *err);

/* preemption: the answer. */
struct result *simulate_table(const struct preemption_sweep *sweep, bool summary,
                              const enum sweep_stat *stats, size_t n_stats);
/* Writes what was simulated as a run file. */
int simulate_make_file(struct simulate_choice *choice, const char *path, struct err *err);
/* Columns and rows exchanged: a row a measure. */
struct result *simulate_wide(const struct result *result, size_t n_keys);

#endif
