/*
 * lanescope simulate preemption: a sweep as a table and a run file; a single simulation also as a
 * log.
 */
#include "config.h"
#include "cli/cmd_simulate.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/target.h"

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct simulate_choice *choice = user;
	int taken = simulate_take(choice, id, value, err);

	if (taken) {
		return taken;
	}
	switch (id) {
	case OPTION_LOG:
		choice->log = value;
		return 0;
	case OPTION_SUMMARY:
		choice->summary = true;
		return 0;
	case OPTION_STAT:
		choice->summary = true;
		return sweep_stats_read(slice_of(value), choice->stats, &choice->n_stats, err);
	case OPTION_FORCE:
		choice->force = true;
		return 0;
	case OPTION_WIDE:
		choice->wide = true;
		return 0;
	default:
		return output_take(&choice->output, id, value, err);
	}
}

/* ---- a single simulation, in full ---- */

static void
write_log(void *file, int64_t time_ms, const char *event, int64_t world, int64_t n)
{
	fprintf(file, "%" PRId64 ",%s,%" PRId64 ",%" PRId64 "\n", time_ms, event, world, n);
}

static int
make_log(struct simulate_choice *choice, const struct preemption_params *params, struct err *err)
{
	struct output_choice to = {.path = choice->log, .format = "csv", .inputs = &choice->inputs};
	struct preemption_result result;
	struct output output;

	if (output_open(&output, &to, err)) {
		return -1;
	}
	struct preemption_observer observer = {.user = output.file, .log = write_log};
	fputs("t_ms,event,ws,n\n", output.file);
	int rc = preemption_run(params, choice->sweep.trace, &observer, &choice->cli->cancel,
	                        &result, err);
	return output_close(&output, rc, err);
}

static bool
is_run_file(const char *path)
{
	size_t length = path ? strlen(path) : 0;
	return length > 6 && strcmp(path + length - 6, ".lanes") == 0;
}

/* ---- the table ---- */

static int
print_table(struct simulate_choice *choice, struct err *err)
{
	const struct preemption_sweep *sweep = &choice->sweep;
	const struct export_format *format = output_choose_format(&choice->output, err);

	if (!format) {
		return -1;
	}
	/* One simulation has many figures: a table shows them below each other. */
	bool single = sweep->n_points * sweep->n_seeds == 1;
	bool wide = choice->wide || (single && format->whole && !choice->output.sort);
	struct result *table =
			  simulate_table(sweep, choice->summary, choice->stats, choice->n_stats),
		      *shown = table;
	if (wide) {
		if (table->n_rows > 1000) {
			result_free(table);
			return err_set(err, ERR_LIMIT,
			               "--wide is for at most 1000 simulations: try --summary");
		}
		shown = simulate_wide(table, sweep->n_axes + 1);
	}
	int rc = output_result(shown, &choice->output, err);
	if (wide) {
		result_free(table);
	}
	result_free(shown);
	return rc;
}

static int
answer(struct simulate_choice *choice, struct err *err)
{
	struct preemption_sweep *sweep = &choice->sweep;
	struct preemption_params params;
	static const char *const csv[] = {"csv", NULL};
	const char *run_file = NULL;

	if (choice->log &&
	    target_check_ending(choice->log, csv, "a log is written as CSV, so call it NAME.csv",
	                        err)) {
		return -1;
	}
	if (is_run_file(choice->output.path)) {
		run_file = choice->output.path;
		choice->output.path = NULL;
	}
	if (preemption_sweep_run(sweep, 0, &choice->cli->cancel, err)) {
		return -1;
	}
	if (choice->log && sweep->n_points * sweep->n_seeds != 1) {
		return err_set(err, ERR_USAGE, "a log is of one simulation: these are %zu",
		               sweep->n_points * sweep->n_seeds);
	}
	preemption_sweep_params(sweep, 0, &params);
	params.seed = sweep->seeds[0];
	if ((choice->log && make_log(choice, &params, err)) ||
	    (run_file && simulate_make_file(choice, run_file, err))) {
		return -1;
	}
	return print_table(choice, err);
}

int
command_simulate_preemption(struct cli *cli)
{
	struct simulate_choice choice = {
	    .cli = cli, .stats = {SWEEP_MEAN, SWEEP_STD}, .n_stats = 2};
	struct preemption_trace trace = {0};
	struct err err = ERR_INIT;
	int status = CLI_DONE;

	if (simulate_parse(cli, take, &choice, &err) || simulate_prepare(&choice, &trace, &err) ||
	    answer(&choice, &err)) {
		status = cli_usage(cli, &err);
	}
	simulate_choice_free(&choice);
	preemption_trace_free(&trace);
	return status;
}
