/* lanescope report RUN...: what the runs tell, as one file for people who have no lanescope. */
#include "config.h"
#include "cli/report.h"

#include <string.h>

#include "cli/classes.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/query_call.h"
#include "query/saved/target.h"

struct report_call {
	const char *path, *queries_dir;
	const struct document_format *format;
	struct strbuf classes;
};

static const struct document_format *
find_format(struct slice name)
{
	const struct document_format *format = document_formats;

	while (format->name && !slice_is(name, format->name)) {
		format++;
	}
	return format->name ? format : NULL;
}

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct report_call *call = user;

	switch (id) {
	case OPTION_OUT:
		call->path = value;
		return 0;
	case OPTION_QUERIES:
		call->queries_dir = value;
		return 0;
	case OPTION_CLASS:
		return classes_take(&call->classes, value, err);
	default:
		call->format = find_format(slice_of(value));
		return call->format ? 0 : err_set(err, ERR_USAGE, "--format %s: md or html", value);
	}
}

/* By the file's ending, unless it was given. */
static int
choose_format(struct report_call *call, struct err *err)
{
	static const char *const written[] = {"md", "html", NULL};
	const char *dot = call->path ? strrchr(call->path, '.') : NULL;

	if (call->format) {
		return 0;
	}
	call->format = dot ? find_format(slice_of(dot + 1)) : NULL;
	call->format = call->format ? call->format : document_formats;
	return call->path ? target_check_ending(call->path, written,
	                                        "a report is written as NAME.md or NAME.html", err)
	                  : 0;
}

static void
add_title(const struct run_set *runs, struct strbuf *out)
{
	if (runs->n == 1) {
		strbuf_printf(out, "Run %s", runs->names[0]);
	} else if (runs->n == 2) {
		strbuf_printf(out, "Runs %s (A) and %s (B)", runs->names[0], runs->names[1]);
	} else {
		strbuf_printf(out, "%zu runs, %s to %s", runs->n, runs->names[0],
		              runs->names[runs->n - 1]);
	}
}

static int
write(const struct report *report, const struct report_call *call, struct err *err)
{
	struct output_choice choice = {.path = call->path,
	                               .format = "csv", /* not used: no pager, no look at the end */
	                               .inputs = &report->runs->inputs};
	struct output output;

	return output_open(&output, &choice, err)
	           ? -1
	           : output_close(
			 &output,
			 document_write(report->document, report->format, output.file, err), err);
}

static int
make(struct report *report, const struct report_call *call, struct err *err)
{
	struct output_choice choice = {.path = call->path, .inputs = &report->runs->inputs};
	struct query_library *library = query_library_open(call->queries_dir);
	struct strbuf title = {0};

	query_say_broken(library, NULL);
	add_title(report->runs, &title);
	report->library = library;
	report->document = document_new(title.data);
	int rc = output_check(&choice, err);
	rc = rc || report_write_parts(report, err) ? -1 : write(report, call, err);
	document_free(report->document);
	query_library_close(library);
	strbuf_free(&title);
	return rc;
}

int
command_report(struct cli *cli)
{
	struct report_call call = {0};
	struct err err = ERR_INIT;
	struct run_set runs;
	int rc = options_parse(cli, take, &call, &err);

	classes_set(cli, &call.classes);
	if (rc || (cli->n_words == 0 && err_set(&err, ERR_USAGE, "on which run?")) ||
	    choose_format(&call, &err)) {
		return cli_usage(cli, &err);
	}
	if (run_set_open(&runs, cli, cli->words, cli->n_words, true, &err)) {
		return cli_fail(&err);
	}
	struct report report = {
	    .cli = cli, .runs = &runs, .queries_dir = call.queries_dir, .format = call.format};
	rc = make(&report, &call, &err);
	run_set_close(&runs);
	return rc ? cli_fail(&err) : report.has_failed ? CLI_FAILED : CLI_DONE;
}
