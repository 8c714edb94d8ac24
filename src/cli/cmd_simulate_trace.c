/*
 * lanescope simulate trace: a made-up trace of spot instances, as the two files that real ones come
 * in: counts at the minutes when they change, and losses.
 */
#include "config.h"
#include "cli/cmd_simulate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "query/saved/target.h"
#include "simulate/preemption_files.h"

static int
open_one(struct output *output, const struct simulate_choice *choice, const char *ending,
         struct err *err)
{
	struct strbuf path = {0};

	strbuf_printf(&path, "%s%s", choice->output.path, ending);
	struct output_choice to = {.path = path.data, .format = "csv", .inputs = &choice->inputs};
	int rc = output_open(output, &to, err);
	strbuf_free(&path);
	return rc;
}

static int
write_trace(struct simulate_choice *choice, const struct preemption_params *params, int64_t start_s,
            struct err *err)
{
	struct output nodes, losses;

	if (open_one(&nodes, choice, "-node-trace.csv", err)) {
		return -1;
	}
	if (open_one(&losses, choice, "-terminate-trace.csv", err)) {
		return output_close(&nodes, -1, err);
	}
	int rc = preemption_write_trace(params, start_s, nodes.file, losses.file,
	                                &choice->cli->cancel, err);
	rc = output_close(&nodes, rc, err);
	return output_close(&losses, rc, err);
}

static int
parse_start(const char *text, int64_t *seconds, struct err *err)
{
	struct tm parts = {0};
	const char *end = text ? strptime(text, "%Y-%m-%dT%H:%M:%S", &parts) : NULL;

	if (!text) {
		*seconds = INT64_C(946684800); /* 2000 */
		return 0;
	}
	if (!end || (*end && !(end[0] == 'Z' && !end[1]))) {
		return err_set(err, ERR_USAGE, "--start %s: not a time like 2021-07-26T18:42:00Z",
		               text);
	}
	*seconds = (int64_t)timegm(&parts);
	return 0;
}

/* Two files are written: a name for one would get both endings behind its own. */
static int
check_prefix(const char *prefix, struct err *err)
{
	static const char *const none[] = {NULL};

	if (!prefix) {
		return err_set(err, ERR_USAGE, "where to? -o PREFIX");
	}
	if (strcmp(prefix, "-") == 0) {
		return err_set(err, ERR_USAGE,
		               "-o -: standard output can't take two files; give a prefix of "
		               "their names");
	}
	return target_check_ending(prefix, none,
	                           "-o is the prefix of two files' names: NAME makes "
	                           "NAME-node-trace.csv and NAME-terminate-trace.csv",
	                           err);
}

static int
make_trace(struct simulate_choice *choice, struct err *err)
{
	struct preemption_trace unused = {0};
	struct preemption_params params;
	int64_t start_s = 0;

	if (check_prefix(choice->output.path, err) || parse_start(choice->start, &start_s, err) ||
	    simulate_prepare(choice, &unused, err)) {
		return -1;
	}
	if (choice->sweep.n_axes || choice->sweep.n_seeds != 1) {
		return err_set(err, ERR_USAGE,
		               "a trace is of one seed, with one value for each "
		               "parameter");
	}
	params = choice->sweep.base;
	params.seed = choice->sweep.seeds[0];
	return preemption_params_check(&params, err) ? -1
	                                             : write_trace(choice, &params, start_s, err);
}

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct simulate_choice *choice = user;

	if (id == OPTION_OUT) {
		choice->output.path = value;
		return 0;
	}
	if (id == OPTION_START) {
		choice->start = value;
		return 0;
	}
	return simulate_take(choice, id, value, err);
}

int
command_simulate_trace(struct cli *cli)
{
	struct simulate_choice choice = {.cli = cli};
	struct err err = ERR_INIT;
	int status = CLI_DONE;

	if (simulate_parse(cli, take, &choice, &err) || make_trace(&choice, &err)) {
		status = cli_usage(cli, &err);
	}
	simulate_choice_free(&choice);
	return status;
}
