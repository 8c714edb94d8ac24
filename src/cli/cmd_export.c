/*
 * lanescope export RUN --to csv: every table and view of a run as a file of a folder, streamed.
 * What only serves the storage (blocks, tiles) is left out, as are tables whose view says the same
 * with its texts. Columns of bytes come out as hexadecimal digits.
 */
#include "config.h"
#include "cli/open.h"
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "query/query.h"
#include "util/format.h"

struct export_call {
	const char *folder, *to;
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct export_call *call = user;
	if (id == OPTION_OUT) {
		call->folder = value;
		return 0;
	}
	const struct export_format *format = export_format_find(value, err);
	if (!format) {
		return -1;
	}
	if (!format->row) {
		return err_set(err, ERR_USAGE,
		               "--to %s: only csv, tsv, json and jsonl can be exported", value);
	}
	call->to = value;
	return 0;
}

/* Views stand for their tables; those have names of their own or none. */
static const char list_sql[] = "SELECT name FROM sqlite_master WHERE type = 'view' UNION SELECT "
			       "'run' UNION SELECT 'span' UNION SELECT 'event' UNION "
			       "SELECT 'counter' ORDER BY 1";

struct table_stream {
	struct exporter exporter;
	const struct output *output;
	struct result_column *columns;
};

static int
take_columns(void *user, const struct result_column *columns, size_t n, struct err *err)
{
	struct table_stream *stream = user;
	(void)err;
	stream->columns = xcalloc(n + 1, sizeof *columns);
	memcpy(stream->columns, columns, n * sizeof *columns);
	exporter_open(&stream->exporter, stream->output->format, &stream->output->options,
	              stream->output->file, stream->columns, n);
	return 0;
}

static int
take_row(void *user, const struct value *values, struct err *err)
{
	struct table_stream *stream = user;
	exporter_row(&stream->exporter, values);
	return ferror(stream->output->file)
	           ? err_set_errno(err, errno ? errno : EIO, "can't write the output")
	           : 0;
}

static int
export_one(struct cli *cli, struct store *store, const char *table, const char *folder,
           const char *to, struct err *err)
{
	struct strbuf sql = {0}, path = {0};
	struct output output;
	const char *tail;
	strbuf_printf(&sql, "SELECT * FROM \"%s\"",
	              table); /* a name of the schema, not of the trace's */
	strbuf_printf(&path, "%s/%s.%s", folder, table, to);
	struct output_choice choice = {.path = path.data, .format = to};
	int rc = output_open(&output, &choice, err);
	if (rc == 0) {
		struct table_stream stream = {.output = &output};
		struct query_receiver receiver = {&stream, take_columns, take_row};
		struct err closing = ERR_INIT;
		rc = query_stream(store, sql.data, &tail, &receiver, &cli->cancel, err);
		if (stream.columns && exporter_close(&stream.exporter, &closing) && rc == 0) {
			*err = closing;
			rc = -1;
		}
		free(stream.columns);
		rc = output_close(&output, rc == 0, err) ? -1 : rc;
	}
	if (rc && err->code != ERR_CANCELLED) {
		err_wrap(err, "%s", table);
	}
	strbuf_free(&sql);
	strbuf_free(&path);
	return rc;
}

static int
export_run(struct cli *cli, struct store *store, const char *folder, const char *to,
           struct err *err)
{
	if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
		return err_set_errno(err, errno, "%s", folder);
	}
	struct result *tables = query_sql(store, list_sql, &cli->cancel, err);
	int rc = tables ? 0 : -1;
	for (size_t i = 0; rc == 0 && i < tables->n_rows; i++) {
		rc = export_one(cli, store, result_value(tables, i, 0)->text.ptr, folder, to, err);
	}
	if (rc == 0) {
		cli_say("%s: %zu files", folder, tables->n_rows);
	}
	result_free(tables);
	return rc;
}

int
command_export(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct export_call call = {0};
	struct run_set runs;
	struct err err = ERR_INIT;
	int first = options_parse(command, argc, argv, take, &call, &err);
	if (first >= 0 && (argc - first != 1 || !call.to)) {
		err_set(&err, ERR_USAGE, "%s",
		        argc - first != 1 ? "it takes one run" : "--to csv, tsv, json or jsonl?");
		first = -1;
	}
	if (first < 0) {
		return first == -1 ? cli_usage(command, &err) : CLI_DONE;
	}
	if (run_set_open(&runs, cli, argv + first, 1, false, &err)) {
		return cli_fail(&err);
	}
	struct strbuf folder = {0};
	strbuf_printf(&folder, "%s-%s", runs.names[0], call.to);
	int rc = runs.n > 1 ? err_set(&err, ERR_USAGE, "it takes one run: %s holds %zu",
	                              argv[first], runs.n)
	                    : export_run(cli, runs.stores[0],
	                                 call.folder ? call.folder : folder.data, call.to, &err);
	strbuf_free(&folder);
	run_set_close(&runs);
	return rc ? cli_fail(&err) : CLI_DONE;
}
