/*
 * lanescope export RUN --to csv: every table and view of a run as a file of a folder, streamed.
 * What only serves the storage (blocks, tiles) is left out, as are tables whose view says the same
 * with its texts. Columns of bytes come out as hexadecimal digits.
 *
 * lanescope export RUN --to chrome: one file (export/chrome.h). --to stands for the end of a
 * window, too: no format is called as a time is written.
 */
#include "config.h"
#include "cli/classes.h"
#include "cli/folder.h"
#include "cli/open.h"
#include "cli/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/window.h"
#include "export/chrome.h"
#include "query/saved/query.h"
#include "query/saved/target.h"
#include "util/ascii.h"
#include "util/format.h"

#define GZIP_LEVEL 3 /* more takes longer than all the rest */

struct export_call {
	const char *out, *to, *lanes;
	struct strbuf classes;
	bool is_chrome, has_window, safe_csv;
	int64_t from_ns, to_ns;
};

static int
take_to(struct export_call *call, const char *value, struct err *err)
{
	if (is_digit(value[0])) {
		call->has_window = true;
		return window_take_time("to", value, &call->to_ns, err);
	}
	call->is_chrome = strcmp(value, "chrome") == 0;
	const struct export_format *format =
	    call->is_chrome ? NULL : export_format_find(value, err);
	if (!call->is_chrome && !format) {
		return -1;
	}
	if (!call->is_chrome && !format->row) {
		return err_set(err, ERR_USAGE,
		               "--to %s: only chrome, csv, tsv, json and jsonl can be exported",
		               value);
	}
	call->to = value;
	return 0;
}

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct export_call *call = user;
	switch (id) {
	case OPTION_OUT:
		call->out = value;
		return 0;
	case OPTION_FROM:
		call->has_window = true;
		return window_take_time("from", value, &call->from_ns, err);
	case OPTION_CLASS:
		return classes_take(&call->classes, value, err);
	case OPTION_LANES:
		call->lanes = value;
		return 0;
	case OPTION_SAFE_CSV:
		call->safe_csv = true;
		return 0;
	default:
		return take_to(call, value, err);
	}
}

/* A Chrome trace is a file, tables are a folder of them. */
static int
check_out(const struct export_call *call, struct err *err)
{
	static const char *const chrome[] = {"json", "gz", NULL}, *const none[] = {NULL};

	if (!call->is_chrome && strcmp(call->out, "-") == 0) {
		return err_set(err, ERR_USAGE,
		               "-o -: tables are files of a folder; lanescope sql writes one to "
		               "standard output");
	}
	return call->is_chrome
	           ? target_check_ending(call->out, chrome,
	                                 "a Chrome trace is written, so call it NAME.json or "
	                                 "NAME.json.gz",
	                                 err)
	           : target_check_ending(call->out, none,
	                                 "-o is the folder for a file of each table, so call it "
	                                 "NAME or NAME/; lanescope sql writes one table",
	                                 err);
}

static int
check(const struct export_call *call, struct err *err)
{
	if (!call->to) {
		return err_set(err, ERR_USAGE, "--to chrome, csv, tsv, json or jsonl?");
	}
	if (!call->is_chrome && (call->has_window || call->lanes)) {
		return err_set(err, ERR_USAGE,
		               "--from, --to TIME and --lanes are for --to chrome; tables are "
		               "written whole (lanescope sql takes conditions)");
	}
	if (window_check(call->from_ns, call->to_ns, err)) {
		return -1;
	}
	return call->out ? check_out(call, err) : 0;
}

/* ---- tables ---- */

/* Views stand for their tables; those have names of their own or none. work_total is a part of
 * span_totals, in codes. */
static const char list_sql[] =
    "SELECT name FROM sqlite_master WHERE type = 'view' AND name <> "
    "'work_total' UNION SELECT 'run' UNION SELECT 'span' UNION SELECT 'event' UNION "
    "SELECT 'counter' ORDER BY 1";

static int
export_one(struct cli *cli, const struct run_set *runs, const char *table, const char *folder,
           const struct export_call *call, struct strbuf *report, struct err *err)
{
	struct strbuf sql = {0}, path = {0};
	struct output output;
	int64_t start_ns, end_ns;
	bool is_cut = strcmp(table, "span") == 0 && scope_range(&cli->scope, &start_ns, &end_ns);
	strbuf_printf(&sql, "SELECT *%s FROM \"%s\"", is_cut ? ", inside" : "",
	              table); /* a name of the schema, not of the trace's */
	strbuf_printf(&path, "%s/%s.%s", folder, table, call->to);
	struct output_choice choice = {.path = path.data,
	                               .format = call->to,
	                               .inputs = &runs->inputs,
	                               .safe_csv = call->safe_csv};
	int rc = output_open(&output, &choice, err);
	if (rc == 0) {
		struct output_stream stream = {.output = &output};
		struct query_receiver receiver = {&stream, output_stream_columns, output_stream_row,
		                                  NULL};
		rc = query_stream(runs->stores[0], sql.data, NULL, 0, &receiver, &cli->cancel, err);
		rc = output_close(&output, output_stream_end(&stream, rc, err), err);
		if (stream.exporter.n_rows > 0) {
			strbuf_printf(report, ", %s %zu", table, stream.exporter.n_rows);
		}
	}
	if (rc && err->code != ERR_CANCELLED) {
		err_wrap(err, "%s", table);
	}
	strbuf_free(&sql);
	strbuf_free(&path);
	return rc;
}

static int
export_tables(struct cli *cli, const struct run_set *runs, const struct export_call *call,
              struct err *err)
{
	struct strbuf name = {0}, report = {0};
	struct answer_folder folder;
	strbuf_printf(&name, "%s-%s", runs->names[0], call->to);
	struct result *tables = query_sql(runs->stores[0], list_sql, &cli->cancel, err);
	if (!tables) {
		strbuf_free(&name);
		return -1;
	}
	int rc = folder_open(&folder, call->out ? call->out : name.data, "lanescope export", err);
	for (size_t i = 0; rc == 0 && i < tables->n_rows; i++) {
		rc = export_one(cli, runs, result_value(tables, i, 0)->text.ptr, folder.path, call,
		                &report, err);
	}
	rc = folder_close(&folder, rc == 0, err) ? -1 : rc;
	if (rc == 0) {
		cli_say("%s: %zu files; rows: %s", folder.path, tables->n_rows,
		        report.len > 2 ? report.data + 2 : "none");
	}
	result_free(tables);
	strbuf_free(&name);
	strbuf_free(&report);
	return rc;
}

/* ---- chrome ---- */

static bool
wants_lane(void *user, struct slice name)
{
	return window_matches_lane(user, name);
}

static void
say_written(const char *path, const struct chrome_written *written)
{
	cli_say("%s: %" PRId64 " spans, %" PRId64 " events, %" PRId64 " samples, %" PRId64
	        " flows on %" PRId64 " lanes",
	        path, written->n_spans, written->n_events, written->n_samples, written->n_flows,
	        written->n_lanes);
	if (written->n_no_number > 0) {
		cli_say("note: %" PRId64
		        " samples are no numbers (NaN, infinity): left out, as JSON has none",
		        written->n_no_number);
	}
}

static int
export_chrome(struct cli *cli, const struct run_set *runs, const struct export_call *call,
              struct err *err)
{
	struct output_choice choice = {
	    .path = call->out, .format = "json", .inputs = &runs->inputs};
	struct chrome_options options = {.from_ns = call->has_window ? call->from_ns : INT64_MIN,
	                                 .to_ns = call->to_ns,
	                                 .wants_lane = call->lanes ? wants_lane : NULL,
	                                 .user = (void *)call->lanes,
	                                 .cancel = &cli->cancel};
	size_t length = call->out ? strlen(call->out) : 0;
	bool is_gzip = length > 3 && strcmp(call->out + length - 3, ".gz") == 0;
	bool is_file = call->out && strcmp(call->out, "-") != 0;
	struct chrome_written written;
	struct err closing = ERR_INIT;
	struct output output;
	int rc = -1;

	if (output_open(&output, &choice, err)) {
		return -1;
	}
	struct gzip_writer *out =
	    gzip_writer_over(fileno(output.file), is_file ? call->out : "standard output",
	                     is_gzip ? GZIP_LEVEL : 0, err);
	if (out) {
		rc = chrome_export(runs->stores[0], &options, out, &written, err);
		if (gzip_writer_close(out, &closing) != 0 && rc == 0) {
			*err = closing;
			rc = -1;
		}
	}
	rc = output_close(&output, rc, err);
	if (rc == 0 && is_file) {
		say_written(call->out, &written);
	}
	return rc;
}

int
command_export(struct cli *cli)
{
	struct export_call call = {.to_ns = INT64_MAX};
	struct run_set runs;
	struct err err = ERR_INIT;
	int rc = options_parse(cli, take, &call, &err);
	classes_set(cli, &call.classes);
	if (rc || (cli->n_words != 1 && err_set(&err, ERR_USAGE, "it takes one run")) ||
	    check(&call, &err)) {
		return cli_usage(cli, &err);
	}
	if (run_set_open(&runs, cli, cli->words, 1, false, &err)) {
		return cli_fail(&err);
	}
	rc = runs.n > 1
	         ? err_set(&err, ERR_USAGE, "it takes one run: %s holds %zu", cli->words[0], runs.n)
	     : call.is_chrome ? export_chrome(cli, &runs, &call, &err)
	                      : export_tables(cli, &runs, &call, &err);
	run_set_close(&runs);
	return rc ? cli_fail(&err) : CLI_DONE;
}
