/*
 * lanescope sql RUN... [STATEMENT]: one read-only statement. One run in a format that streams is
 * never held in memory; several runs are stacked, each answered by its own connection. Without a
 * statement standard input is read.
 */
#include "config.h"
#include "cli/classes.h"
#include "cli/open.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/plot.h"
#include "cli/query_call.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "query/saved/query.h"

#define SQL_LIMIT (16u << 20)

struct sql_call {
	struct cli *cli;
	struct output_choice choice;
	struct plot_choice plot;
	struct strbuf classes;
	struct argument_list arguments;
	struct run_set runs;
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct sql_call *call = user;
	int rc = plot_take(&call->plot, id, value, err);
	return rc                   ? rc
	       : id == OPTION_CLASS ? classes_take(&call->classes, value, err)
	       : id == OPTION_PARAM ? argument_take(&call->arguments, value, err)
	                            : output_take(&call->choice, id, value, err);
}

/* The last word is a statement unless it is a file: no file's name begins like "SELECT " and
 * exists. */
static bool
is_statement(const char *word)
{
	struct stat status;
	struct strbuf longer = {0};
	strbuf_printf(&longer, "%s.lanes", word);
	bool file =
	    strcmp(word, "-") == 0 || stat(word, &status) == 0 || stat(longer.data, &status) == 0;
	strbuf_free(&longer);
	return !file && (word[0] == 0 || strpbrk(word, " \t\n;(") != NULL);
}

static int
read_statement(struct strbuf *sql, struct err *err)
{
	char chunk[4096];
	size_t n;
	if (isatty(STDIN_FILENO)) {
		return err_set(err, ERR_USAGE,
		               "no statement: give it after the runs, or on standard input");
	}
	while ((n = fread(chunk, 1, sizeof chunk, stdin)) > 0) {
		strbuf_add(sql, chunk, n);
		if (sql->len > SQL_LIMIT) {
			return err_set(err, ERR_LIMIT,
			               "standard input: longer than a statement may be");
		}
	}
	return ferror(stdin) ? err_set_errno(err, errno, "standard input") : 0;
}

struct stream {
	struct output_stream rows; /* first: it is what output_stream_columns gets */
	const struct output_choice *choice;
	bool enough;
};

static int
stream_row(void *user, const struct value *values, struct err *err)
{
	struct stream *stream = user;
	if (stream->choice->limited && stream->rows.exporter.n_rows >= stream->choice->limit) {
		stream->enough = true; /* --limit rows are written */
		return -1;
	}
	return output_stream_row(&stream->rows, values, err);
}

static void
stream_note(void *user, const char *text)
{
	(void)user;
	cli_say("note: %s", text);
}

static int
run_streaming(struct sql_call *call, struct output *output, const char *sql, struct err *err)
{
	struct stream stream = {.choice = &call->choice, .rows.output = output};
	struct query_receiver receiver = {&stream, output_stream_columns, stream_row, stream_note};
	output_say_scope(&call->choice);
	int rc = query_stream(call->runs.stores[0], sql, call->arguments.all, call->arguments.n,
	                      &receiver, &call->cli->cancel, err);
	return output_stream_end(&stream.rows, stream.enough ? 0 : rc, err);
}

static int
run_collected(struct sql_call *call, const char *sql, struct err *err)
{
	struct run_set *runs = &call->runs;
	struct result **results = xcalloc(runs->n + 1, sizeof *results);
	int rc = 0;
	size_t n = 0;
	while (rc == 0 && n < runs->n) {
		results[n] = query_sql_bound(runs->stores[n], sql, call->arguments.all,
		                             call->arguments.n, &call->cli->cancel, err);
		bool is_all =
		    err->code == ERR_QUERY || err->code == ERR_USAGE; /* the statement's fault */
		if (results[n]) {
			n++;
		} else if (runs->n > 1 && !is_all && err->code != ERR_CANCELLED) {
			cli_say("%s", err->message);
			run_set_drop(runs, n);
		} else {
			rc = -1;
		}
	}
	rc = rc ? rc : plot_or_print_stacked(results, &call->plot, runs, &call->choice, err);
	for (size_t i = 0; i < n; i++) {
		result_free(results[i]);
	}
	free(results);
	return rc;
}

static int
answer(struct sql_call *call, const char *sql, struct err *err)
{
	struct output output;
	call->choice.inputs = &call->runs.inputs;
	call->choice.scope = &call->cli->scope;
	const struct export_format *format =
	    output_check(&call->choice, err) ? NULL : output_choose_format(&call->choice, err);
	if (!format) {
		return -1;
	}
	if (run_set_is_many(&call->runs) || call->choice.has_path || !format->row ||
	    call->choice.sort || call->plot.is_asked) {
		return run_collected(call, sql, err);
	}
	if (output_open(&output, &call->choice, err)) {
		return -1;
	}
	int rc = run_streaming(call, &output, sql, err);
	return output_close(&output, rc, err);
}

int
command_sql(struct cli *cli)
{
	struct sql_call call = {.cli = cli};
	struct err err = ERR_INIT;
	struct strbuf typed = {0};
	int status = CLI_DONE, rc = options_parse(cli, take, &call, &err) ||
	                            plot_settle(&call.plot, &call.choice, &err);
	classes_set(cli, &call.classes);
	if (rc) {
		return cli_usage(cli, &err);
	}
	size_t n = cli->n_words;
	const char *sql = n > 0 && is_statement(cli->words[n - 1]) ? cli->words[--n] : NULL;
	if (n == 0) {
		err_set(&err, ERR_USAGE, "on which run?");
		return cli_usage(cli, &err);
	}
	if ((!sql && read_statement(&typed, &err)) ||
	    run_set_open_some(&call.runs, cli, cli->words, n, NULL, &err) ||
	    answer(&call, sql ? sql : strbuf_slice(&typed).ptr, &err)) {
		status = cli_usage(cli, &err);
	}
	status = status == CLI_DONE && call.runs.n_failed ? CLI_FAILED : status;
	run_set_close(&call.runs);
	argument_list_free(&call.arguments);
	strbuf_free(&typed);
	return status;
}
