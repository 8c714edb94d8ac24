/*
 * lanescope query NAME RUN...: a saved query on one run, or on several, stacked or side by side.
 * `lanescope query NAME --help` is about the saved query, not the command.
 */
#include "config.h"
#include "cli/behind.h"
#include "cli/cmd_query.h"
#include "cli/help.h"
#include "cli/query_call.h"

#include <stdio.h>
#include <string.h>

static int
show_query_help(const char *name)
{
	struct err err = ERR_INIT;
	struct query_library *library = query_library_open(NULL);
	const struct saved_query *query = query_library_take(library, name, &err);
	int rc = query ? help_query(query, &err) : -1;
	query_library_close(library);
	return rc ? cli_fail(&err) : CLI_DONE;
}

/* The saved query whose help is asked for, or NULL: `query NAME ... --help`. */
static const char *
wants_query_help(int argc, char **argv)
{
	bool help = false;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		help = help || strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0;
	}
	return help && argc > 2 && argv[1][0] != '-' ? argv[1] : NULL;
}

/* judged: the call with its baseline; NULL: no gate. */
static int
answer(struct query_call *call, struct query_call *judged, struct err *err)
{
	struct result *result = query_call_table(call, err);
	int rc = !result ? -1 : judged ? query_call_gate(judged, result, err) : 0;
	if (rc == 0 && !call->gate.is_quiet) {
		rc = plot_or_print(result, call->query->plot, &call->plot, &call->output,
		                   &call->runs, err);
	}
	query_call_table_free(call, result);
	return rc;
}

static int
check_plot(struct query_call *call, struct err *err)
{
	return call->plot.is_asked && (call->is_all || call->behind > 0)
	           ? err_set(err, ERR_USAGE, "--plot is of one query's whole answer")
	           : plot_settle(&call->plot, &call->output, err);
}

static int
check_words(const struct query_call *call, const struct cli *cli, struct err *err)
{
	bool has_baseline = call->groups[0].n > 0;
	if (cli->n_words < 2) {
		return err_set(err, ERR_USAGE, "%s",
		               cli->n_words ? "on which run?" : "which query, on which run?");
	}
	if (answers_check(&call->answers, err)) {
		return -1;
	}
	if ((call->answers.n || call->answers.of) && (call->gate.is_set || call->behind > 0)) {
		return err_set(err, ERR_USAGE, "--%s can't be with --%s",
		               call->answers.n ? "jobs" : "part",
		               call->gate.is_set ? "fail-over" : "behind");
	}
	if (call->behind > 0 && call->gate.is_set) {
		return err_set(err, ERR_USAGE,
		               "--behind is of a row, --fail-over of a whole answer");
	}
	if (call->where && (call->behind > 0 || call->gate.is_set || call->wide)) {
		return err_set(err, ERR_USAGE, "--where is of the rows that are printed, %s",
		               call->behind > 0    ? "--behind of one of all"
		               : call->gate.is_set ? "--fail-over of a whole answer"
		                                   : "which --wide turns: leave one out");
	}
	if (call->is_folded && (call->wide || call->behind > 0)) {
		return err_set(err, ERR_USAGE, "--by, --stat, --pivot and --trend fold runs, %s",
		               call->wide ? "--wide makes columns of them"
		                          : "--behind is of a row of one");
	}
	if (call->fold.trend && (call->fold.stats || call->fold.pivot)) {
		return err_set(err, ERR_USAGE,
		               "--trend has figures of its own: leave --stat and --pivot out");
	}
	if (has_baseline != call->gate.is_set) {
		return err_set(err, ERR_USAGE, "--baseline and --fail-over belong together");
	}
	return call->measures && !has_baseline && !call->is_folded
	           ? err_set(err, ERR_USAGE,
	                     "--measure is of a gate or of folded runs: --fail-over or --by is "
	                     "missing")
	           : gate_check(&call->gate, err);
}

/* The same call as if the runs after the baseline were all; it owns nothing. */
static struct query_call
without_baseline(const struct query_call *call)
{
	struct query_call own = *call;
	own.results += call->n_a;
	own.runs.n -= call->n_a;
	own.runs.stores += call->n_a;
	own.runs.tags += call->n_a;
	own.runs.names += call->n_a;
	own.runs.paths.paths += call->n_a;
	own.runs.paths.n -= call->n_a;
	return own;
}

/* Answers for the runs, judges them by the baseline, of which nothing is printed. */
static int
answer_gated(struct query_call *call, struct cli *cli, struct err *err)
{
	struct path_list files = {0};
	struct path_list *baseline = &call->groups[0];
	const char *name = cli->words[0];
	int rc = find_run_files(cli, baseline->paths, baseline->n, true, &files, NULL, err);
	call->n_a = files.n;
	rc = rc ? rc
	        : find_run_files(cli, cli->words + 1, cli->n_words - 1, false, &files, NULL, err);
	cli->words = files.paths;
	cli->n_words = files.n;
	rc = rc ? rc : query_call_run(call, cli, name, true, err);
	path_list_free(&files);
	if (rc == 0 && (call->n_a == 0 || call->n_a == call->runs.n)) {
		return err_set(err, ERR_USAGE, "no run and no trace there");
	}
	if (rc == 0 && run_set_tags(&call->runs, err)) {
		struct query_call own = without_baseline(call);
		return answer(&own, call, err);
	}
	return -1;
}

int
command_query(struct cli *cli)
{
	struct query_call call = {0};
	struct err err = ERR_INIT;
	const char *name = wants_query_help(cli->argc, cli->argv);
	if (name) {
		return show_query_help(name);
	}
	int status = CLI_DONE;
	if (options_parse(cli, query_call_take, &call, &err) || check_plot(&call, &err) ||
	    (call.is_all ? query_all_check(&call, cli, &err) : check_words(&call, cli, &err))) {
		status = cli_usage(cli, &err);
	} else if (call.is_all) {
		status = query_all(&call, cli);
	} else if (call.gate.is_set
	               ? answer_gated(&call, cli, &err)
	               : query_call_run(&call, cli, NULL, false, &err) ||
	                     (call.answers.left_in ? answers_end(&call.answers, cli, &err)
	                      : call.behind > 0    ? behind_output(&call, &cli->cancel, &err)
	                                           : answer(&call, NULL, &err))) {
		status = gate_tells_why(&call.gate, &call.runs, &err) ? CLI_GATE : cli_fail(&err);
	} else {
		status = gate_status(&call.gate);
	}
	status = status == CLI_DONE && call.runs.n_failed ? CLI_FAILED : status;
	query_call_free(&call);
	return status;
}
