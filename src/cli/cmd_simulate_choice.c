/*
 * The options of lanescope simulate, and what preemption and trace make of theirs. Options for the
 * simulation's parameters are made from the list that the simulation has of them.
 */
#include "config.h"
#include "cli/cmd_simulate.h"

#include "simulate/preemption_source.h"

static const struct cli_option parameter_options[] = {
#define X(member, name, type, form, about)                                                         \
	{OPTION_PREEMPTION + PARAM_##member, name, form, about, WORDS_ANY},
    PREEMPTION_PARAMS(X)
#undef X
};
static const struct cli_option option_seed = {OPTION_SEED, "seed", "LIST",
                                              "seeds: 7 or 1-1000 or 1,2,5-9 (1)", WORDS_ANY};
static const struct cli_option option_iter = {
    OPTION_ITER, "iter", "LIST", "time of an iteration by world size (16:18s 32:11s 48:9s 64:8s)",
    WORDS_ANY};
static const struct cli_option option_like = {
    OPTION_LIKE, "like", "RUN", "chances and sizes from the capacity of this run", WORDS_TRACE};
static const struct cli_option option_profile = {
    OPTION_PROFILE, "profile", "RUN", "times of the job from its profile in this run", WORDS_TRACE};
static const struct cli_option option_replay = {
    OPTION_REPLAY, "replay", "RUN", "the changes of this run's capacity instead of chance",
    WORDS_TRACE};
static const struct cli_option option_pool = {OPTION_POOL, "pool", "NAME",
                                              "which of the pools that those runs have", WORDS_ANY};
static const struct cli_option option_log = {
    OPTION_LOG, "log", "FILE", "write the log of the job's events as CSV", WORDS_FILE};
static const struct cli_option option_summary = {OPTION_SUMMARY, "summary", NULL,
                                                 "mean and deviation over the seeds", WORDS_NONE};
static const struct cli_option option_stat = {
    OPTION_STAT, "stat", "LIST",
    "of the summary: mean, std, low, high (of the mean's 95 % interval), min, p5, p25, p50, p75, "
    "p95, max",
    WORDS_ANY};
static const struct cli_option option_simulate_wide = {OPTION_WIDE, "wide", NULL,
                                                       "measures as rows", WORDS_NONE};
static const struct cli_option option_start = {OPTION_START, "start", "TIME",
                                               "its first time, 2000-01-01T00:00:00Z", WORDS_ANY};

/* Of checkpoint, in the order that they have in --help. */
static const struct cli_option model_options[] = {
    {OPTION_DATA, "data", "SIZE", "data of each node (277GB)", WORDS_ANY},
    {OPTION_PFS_RATE, "pfs-rate", "SIZE", "a second, one node, to the parallel file system (4.8GB)",
     WORDS_ANY},
    {OPTION_SSD_RATE, "ssd-rate", "SIZE", "a second, one node, to its local disk (2.5GB)",
     WORDS_ANY},
    {OPTION_PFS_FACTOR, "pfs-factor", "N", "growth of the former by nodes (1.6)", WORDS_ANY},
    {OPTION_SSD_FACTOR, "ssd-factor", "N", "growth of the latter by nodes (2)", WORDS_ANY},
    {OPTION_NODES, "nodes", "LIST", "numbers of nodes (1,2,4,8)", WORDS_ANY},
    {OPTION_EXPONENT, "exponent", "RULE",
     "of the factors: node (n-1), doubling (log2 n) or both (both)", WORDS_ANY},
    {OPTION_COST, "cost", "TIME", "time of a checkpoint instead of the model's", WORDS_ANY},
    {OPTION_MTBF, "mtbf", "TIME", "mean time between failures of the job", WORDS_ANY},
    {OPTION_NODE_MTBF, "node-mtbf", "TIME", "of one node: divided by the number of nodes",
     WORDS_ANY},
    {OPTION_FAILURES, "failures", "RUN", "measure it: preemptions of this run", WORDS_TRACE},
};

/* Options are listed in the order that they have in --help. */
#define X(member, name, type, form, about) , &parameter_options[PARAM_##member]
#define OUTPUTS                                                                                    \
	&option_format, &option_sort, &option_limit, &option_no_header, &option_safe_csv,          \
	    &option_no_pager
#define MODEL                                                                                      \
	&model_options[0], &model_options[1], &model_options[2], &model_options[3],                \
	    &model_options[4], &model_options[5], &model_options[6], &model_options[7],            \
	    &model_options[8], &model_options[9], &model_options[10], &option_param
const struct cli_option *const simulate_preemption_options[] = {
    &option_seed,
    &option_replay,
    &option_like,
    &option_pool,
    &option_profile,
    &option_iter PREEMPTION_PARAMS(X),
    &option_summary,
    &option_stat,
    &option_simulate_wide,
    &option_log,
    OPTION(OPTION_OUT, "out", "FILE",
           "NAME.lanes: make a run file of the simulation, or of the sweep; else write the table "
           "there",
           WORDS_FILE),
    &option_force,
    OUTPUTS,
    NULL};
/* Those that chance is of: a replay takes none of them, a made-up trace no others. */
#define CHANCE(X)                                                                                  \
	X(minutes)                                                                                 \
	X(initial)                                                                                 \
	X(inst_max)                                                                                \
	X(inst_min)                                                                                \
	X(p_preempt)                                                                               \
	X(preempt_mean)                                                                            \
	X(preempt_std)                                                                             \
	X(p_add)                                                                                   \
	X(add_mean)                                                                                \
	X(add_std)                                                                                 \
	X(p_big)                                                                                   \
	X(big_lo)                                                                                  \
	X(big_hi)
#define ID(member) PARAM_##member,
static const enum preemption_param_id of_chance[] = {CHANCE(ID)};
#undef ID
#define PARAMETER(member) &parameter_options[PARAM_##member],
const struct cli_option *const simulate_trace_options[] = {
    OPTION(OPTION_OUT, "out", "PREFIX",
           "write PREFIX-node-trace.csv and PREFIX-terminate-trace.csv", WORDS_FILE),
    &option_like,
    &option_pool,
    &option_seed,
    &option_start,
    CHANCE(PARAMETER) NULL};
#undef PARAMETER
#undef CHANCE
const struct cli_option *const simulate_checkpoint_options[] = {MODEL, &option_out, OUTPUTS, NULL};
const struct cli_option *const simulate_options[] = {
    &option_seed,    &option_replay,  &option_like,
    &option_pool,    &option_profile, &option_iter PREEMPTION_PARAMS(X),
    &option_summary, &option_stat,    &option_simulate_wide,
    &option_log,     &option_start,   MODEL,
    &option_out,     OUTPUTS,         NULL};
#undef MODEL
#undef OUTPUTS
#undef X

int
simulate_take(struct simulate_choice *choice, int id, const char *value, struct err *err)
{
	if (id >= OPTION_PREEMPTION) {
		struct preemption_sweep unused = {.base = preemption_defaults};
		const struct preemption_param *param = &preemption_params[id - OPTION_PREEMPTION];
		int rc = preemption_sweep_values(&unused, param, slice_of(value), err);
		preemption_sweep_free(&unused);
		choice->lists[id - OPTION_PREEMPTION] = slice_of(value);
		return rc ? -1 : 1;
	}
	switch (id) {
	case OPTION_SEED:
		choice->seeds = value;
		return 1;
	case OPTION_ITER:
		choice->iterations = value;
		return 1;
	case OPTION_LIKE:
		choice->like = value;
		return 1;
	case OPTION_PROFILE:
		choice->profile = value;
		return 1;
	case OPTION_REPLAY:
		choice->replay = value;
		return 1;
	case OPTION_POOL:
		choice->pool = value;
		return 1;
	default:
		return 0;
	}
}

int
simulate_parse(struct cli *cli, cli_take *take, void *user, struct err *err)
{
	if (options_parse(cli, take, user, err)) {
		return -1;
	}
	return cli->n_words == 0
	           ? 0
	           : err_set(err, ERR_USAGE, "\"%s\": only options are taken", cli->words[0]);
}

enum lesson { LEARN_LIKE, LEARN_PROFILE, LEARN_REPLAY };

/* Learns from the one run that an argument names. */
static int
learn(struct simulate_choice *choice, enum lesson lesson, const char *name,
      struct preemption_trace *trace, struct err *err)
{
	struct preemption_params *base = &choice->sweep.base;
	struct run_set runs;
	char *arguments[1] = {(char *)name};

	if (!name) {
		return 0;
	}
	if (run_set_open(&runs, choice->cli, arguments, 1, false, err)) {
		return -1;
	}
	struct store *store = runs.stores[0];
	int rc = runs.n != 1 ? err_set(err, ERR_USAGE, "%s: these are %zu runs", name, runs.n)
	         : lesson == LEARN_LIKE    ? preemption_like(store, choice->pool, base, err)
	         : lesson == LEARN_PROFILE ? preemption_profile(store, base, err)
	                                   : preemption_replay(store, choice->pool, trace, err);
	for (size_t i = 0; i < runs.inputs.n; i++) {
		path_list_add(&choice->inputs, runs.inputs.paths[i]);
	}
	run_set_close(&runs);
	return rc;
}

/* What one option says and another takes elsewhere is refused: it would not be seen in the
 * answer. */
static int
check_choice(const struct simulate_choice *choice, struct err *err)
{
	if (choice->pool && !choice->replay && !choice->like) {
		return err_set(err, ERR_USAGE, "--pool %s: of which run? --like or --replay",
		               choice->pool);
	}
	if (!choice->replay) {
		return 0;
	}
	if (choice->like) {
		return err_set(err, ERR_USAGE,
		               "--replay and --like: a replay leaves nothing to chance, so give "
		               "one of them");
	}
	for (size_t i = 0; i < COUNT_OF(of_chance); i++) {
		if (choice->lists[of_chance[i]].ptr) {
			return err_set(err, ERR_USAGE,
			               "--replay and --%s: a replay takes its instances and its "
			               "length from the trace, so give one of them",
			               preemption_params[of_chance[i]].name);
		}
	}
	return 0;
}

int
simulate_prepare(struct simulate_choice *choice, struct preemption_trace *trace, struct err *err)
{
	struct preemption_sweep *sweep = &choice->sweep;

	sweep->base = preemption_defaults;
	choice->output.inputs = &choice->inputs;
	if (check_choice(choice, err) || learn(choice, LEARN_LIKE, choice->like, trace, err) ||
	    learn(choice, LEARN_PROFILE, choice->profile, trace, err) ||
	    learn(choice, LEARN_REPLAY, choice->replay, trace, err)) {
		return -1;
	}
	sweep->trace = choice->replay ? trace : NULL;
	for (size_t i = 0; i < PREEMPTION_N_PARAMS; i++) {
		if (choice->lists[i].ptr &&
		    preemption_sweep_values(sweep, &preemption_params[i], choice->lists[i], err)) {
			return -1;
		}
	}
	if ((choice->iterations &&
	     preemption_iterations_set(&sweep->base, slice_of(choice->iterations), err)) ||
	    preemption_sweep_seeds(sweep, slice_of(choice->seeds ? choice->seeds : "1"), err)) {
		return -1;
	}
	return 0;
}

void
simulate_choice_free(struct simulate_choice *choice)
{
	preemption_sweep_free(&choice->sweep);
	path_list_free(&choice->inputs);
}
