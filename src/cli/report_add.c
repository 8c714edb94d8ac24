#include "config.h"
#include "cli/report.h"

#include "cli/called_as.h"
#include "cli/cmd_diff.h"
#include "cli/output.h"
#include "util/order.h"

int
report_lacks(struct report *report, const char *what, const struct err *why, struct err *err)
{
	if (why->code == ERR_CANCELLED) {
		*err = *why;
		return -1;
	}
	cli_say("%s: %s", what, why->message);
	document_text(report->document, "%s: not here, as it failed: %s", what, why->message);
	report->has_failed = true;
	return 0;
}

int
report_table(struct report *report, struct result *result, size_t n_most, const char *columns,
             struct err *err)
{
	bool is_stack = result->n_apart > 0;
	size_t share = is_stack ? MOST(n_most / report->runs->n, 1) : n_most;
	struct output_choice choice = {.format = "table",
	                               .limited = true,
	                               .limit = share,
	                               .limits_each = is_stack,
	                               .sums = SUMS_FOR_PEOPLE};
	size_t n = result->n_rows;

	/* Sums of ratios are made of columns that may go. */
	if (output_arrange(result, &choice, err) ||
	    (columns && diff_choose_columns(result, columns, err))) {
		result_free(result);
		return -1;
	}
	bool is_cut = result->n_rows - result->n_sums < n;
	document_table(report->document, result);
	if (is_cut && is_stack && share == 1) {
		document_text(report->document, "The first row of each run, of %zu in all.", n);
	} else if (is_cut) {
		document_text(report->document, "The first %zu %s%zu %s.", share,
		              is_stack ? "rows of each run, of " : "of ", n,
		              is_stack ? "in all" : "rows");
	}
	for (size_t i = 0; i < result->n_notes; i++) {
		document_item(report->document, result->notes[i]);
	}
	return 0;
}

void
report_command(struct report *report, const char *words, size_t run, const char *options)
{
	const struct cli *cli = report->cli;
	bool is_all = run == SIZE_MAX;
	struct strbuf command = {0};

	called_as_add(&command, cli);
	strbuf_printf(&command, " %s", words);
	for (size_t i = 0; i < (is_all ? cli->n_words : 1); i++) {
		strbuf_add_char(&command, ' ');
		shell_word_add(&command, is_all ? cli->words[i] : report->runs->paths.paths[run]);
	}
	if (options) {
		shell_scope_add(&command, cli);
		strbuf_add_text(&command, options);
	}
	document_command(report->document, command.data);
	strbuf_free(&command);
}
