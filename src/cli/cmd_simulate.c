/* lanescope simulate preemption | trace | checkpoint: a table of commands of its own. */
#include "config.h"
#include "cli/cmd_simulate.h"

#include <string.h>

static const char *const preemption_examples[] = {
    "lanescope simulate preemption",
    "one simulation with the defaults",
    "lanescope simulate preemption --p-preempt 0.05,0.1,0.5 --seed 1-1000 --summary",
    "levels of preemption, mean and deviation of 1000 seeds",
    "lanescope simulate preemption --replay node-trace.csv -o replay.lanes",
    "a recorded trace, as a run to look at",
    "lanescope simulate preemption --checkpoint-every 0,5m,15m --seed 1-100 --summary",
    "how often to write checkpoints",
    NULL};
static const char *const trace_examples[] = {
    "lanescope simulate trace --like full-64.lanes --minutes 600 --seed 2 -o made",
    "made-node-trace.csv and made-terminate-trace.csv", "lanescope import made-*-trace.csv",
    "read them back", NULL};
static const char *const checkpoint_examples[] = {
    "lanescope simulate checkpoint --nodes 1,2,4,8,16",
    "the model, by number of nodes",
    "lanescope simulate checkpoint --mtbf 6h --cost 90s",
    "Young's and Daly's best interval",
    "lanescope simulate checkpoint scr-*.lanes",
    "measured times beside the model",
    NULL};

static const struct cli_command simulations[] = {
    {"simulate preemption",
     "",
     "Simulate a training job on spot instances that come and go.",
     "A parameter with several values (--depth 8,16) makes a simulation of each, and of each\n"
     "combination. TIME is written 5s, 3m or 90ms; a bare number is milliseconds.",
     preemption_examples,
     simulate_preemption_options,
     {WORDS_NONE, WORDS_NONE},
     command_simulate_preemption},
    {"simulate trace",
     "",
     "Make up a trace of spot instances with the same chances.",
     "One look a minute; import reads both files back.",
     trace_examples,
     simulate_trace_options,
     {WORDS_NONE, WORDS_NONE},
     command_simulate_trace},
    {"simulate checkpoint",
     "[RUN]...",
     "How long checkpoints take by theory, and how often to write them.",
     "RUN: its checkpoint times by process (saved query scr-cases, with -p its parameters) stand "
     "beside the\nmodel of as many nodes as the run has hosts. TIME needs its unit: 90s, 90ms, "
     "6h. SIZE is written\n277GB or 258GiB; a bare number is bytes.",
     checkpoint_examples,
     simulate_checkpoint_options,
     {WORDS_TRACE, WORDS_TRACE},
     command_simulate_checkpoint},
    {NULL, NULL, NULL, NULL, NULL, NULL, {WORDS_NONE, WORDS_NONE}, NULL},
};

static const struct cli_command *
find_simulation(const char *name)
{
	for (const struct cli_command *command = simulations; command->name; command++) {
		if (strcmp(strchr(command->name, ' ') + 1, name) == 0) {
			return command;
		}
	}
	return NULL;
}

int
command_simulate(struct cli *cli)
{
	struct err err = ERR_INIT;
	const char *word = cli->argc > 1 ? cli->argv[1] : "";
	const struct cli_command *simulation = find_simulation(word);

	if (simulation) {
		cli->command = simulation;
		cli->argc--;
		cli->argv++;
		return simulation->run(cli);
	}
	if (word[0] == '-') {
		struct cli_command brief = *cli->command;
		struct cli asked = {.command = &brief, .argc = cli->argc, .argv = cli->argv};
		static const struct cli_option *const none[] = {NULL};
		brief.options = none;
		if (options_parse(&asked, NULL, NULL, &err) && !err.code) {
			return CLI_DONE;
		}
	}
	err_set(&err, ERR_USAGE, "what? preemption, trace or checkpoint");
	return cli_usage(cli, &err);
}
