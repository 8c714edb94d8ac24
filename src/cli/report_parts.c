/* The parts of a report that tell of the runs as wholes. */
#include "config.h"
#include "cli/report.h"

#include <stdlib.h>

#include "cli/called_as.h"
#include "cli/cmd_explain.h"
#include "cli/cmd_info.h"
#include "cli/cmd_timeline.h"
#include "explain/explain.h"
#include "query/saved/run_table.h"
#include "query/saved/run_tags.h"
#include "store/store.h"

#define SIDE_BY_SIDE 4 /* runs whose facts are columns */
#define PICTURES 6     /* of more runs than two, one each */
#define LINES 40
#define WIDTH 100
#define SOURCES 20
#define PROBLEMS 20 /* kinds of them */

/* ---- summary ---- */

static int
list_runs(struct report *report, struct err *err)
{
	const struct run_set *runs = report->runs;
	struct run_list *list =
	    run_list_new((const char *const *)runs->paths.paths, runs->paths.n, err);

	if (!list) {
		return -1;
	}
	size_t n_plain;
	struct result *result = run_table_new(list, &n_plain);
	run_table_keep_plain(result, n_plain);
	run_list_free(list);
	document_table(report->document, result);
	report_command(report, "runs", SIZE_MAX, NULL);
	return 0;
}

/* Where people have tagged a run: what traces alone say stands among the facts of each. */
static int
add_tags(struct report *report, struct err *err)
{
	struct run_set *runs = report->runs;
	const struct run_tags *tags = run_set_tags(runs, err);
	struct result *lists[SIDE_BY_SIDE], *all = NULL;
	bool is_said = false;

	for (size_t i = 0; tags && i < runs->n; i++) {
		is_said =
		    is_said || (tags[i].n > 0 && tags[i].all[tags[i].n - 1].origin != TAG_OF_TRACE);
	}
	if (!is_said) {
		return tags ? 0 : -1;
	}
	for (size_t i = 0; i < runs->n; i++) {
		lists[i] = run_tags_list(&tags[i]);
	}
	all = query_stack(lists, runs->names, NULL, NULL, runs->n, err);
	for (size_t i = 0; i < runs->n; i++) {
		result_free(lists[i]);
	}
	if (!all) {
		return -1;
	}
	document_table(report->document, all);
	for (size_t i = 0; i < runs->n; i++) { /* by their files: traces have no later tags */
		report_command(report, "tag", i, NULL);
	}
	return 0;
}

int
report_summary(struct report *report, struct err *err)
{
	const struct run_set *runs = report->runs;

	if (report->cli->scope.n > 0) {
		struct strbuf scope = {0};
		scope_write(&report->cli->scope, &scope);
		document_text(report->document, "Scope: %s", scope.data);
		strbuf_free(&scope);
	}
	if (runs->n > SIDE_BY_SIDE) {
		return list_runs(report, err);
	}
	struct result *facts = info_facts(runs->stores, runs->names, runs->n, err);
	if (!facts) {
		return -1;
	}
	document_table(report->document, facts);
	if (report->cli->scope.n == 0) { /* info tells of whole runs */
		report_command(report, "info", SIZE_MAX, NULL);
	}
	return add_tags(report, err);
}

/* ---- timeline ---- */

static int
add_picture(struct report *report, const struct run_set *runs, size_t run, struct err *err)
{
	struct timeline_choice choice = {
	    .width = WIDTH, .height = LINES, .is_svg = report->format->has_svg};
	char *bytes = NULL;
	size_t n = 0, left_out, with_lanes = 0;

	for (size_t i = 0; i < runs->n; i++) {
		with_lanes += store_run(runs->stores[i])->n_lanes > 0;
	}
	if (with_lanes == 0) {
		document_text(report->document, "There are no lanes.");
		return 0;
	}
	FILE *file = open_memstream(&bytes, &n);

	if (!file) {
		return err_set(err, ERR_SYSTEM, "no memory for a picture");
	}
	int rc = timeline_picture(runs, &choice, file, &left_out, &report->cli->cancel, err);
	if (fclose(file) != 0 && rc == 0) {
		rc = err_set(err, ERR_SYSTEM, "no memory for a picture");
	}
	if (rc == 0) {
		document_picture(report->document, (struct slice){bytes, n});
		if (left_out > 0 && choice.is_svg) {
			document_text(report->document, "%zu more lines are not shown.", left_out);
		}
		report_command(report, "timeline", run,
		               choice.is_svg ? " --width 100 --height 40 --svg"
		                             : " --width 100 --height 40");
	}
	free(bytes);
	return rc;
}

int
report_timeline(struct report *report, struct err *err)
{
	const struct run_set *runs = report->runs;
	int rc = 0;

	if (runs->n <= 2) {
		return add_picture(report, runs, SIZE_MAX, err);
	}
	for (size_t i = 0; rc == 0 && i < runs->n && i < PICTURES; i++) {
		const struct run_set one = {
		    .n = 1, .stores = &runs->stores[i], .names = &runs->names[i]};
		document_heading(report->document, 2, runs->names[i]);
		rc = add_picture(report, &one, i, err);
	}
	if (rc == 0 && runs->n > PICTURES) {
		document_text(report->document, "The first %d of %zu runs.", PICTURES, runs->n);
	}
	return rc;
}

/* ---- verdict ---- */

int
report_verdict(struct report *report, struct err *err)
{
	const struct run_set *runs = report->runs;
	size_t n_a = 1;
	struct explain *explain =
	    runs->n > 2
		? explain_new_series(runs->stores, runs->names, runs->n, &report->cli->cancel)
		: explain_new(runs->stores, runs->names, n_a, runs->stores + n_a, runs->names + n_a,
	                      n_a, &report->cli->cancel);
	struct result *verdict = explain_for_people(explain, runs->n > 2, err);
	struct err lost = *explain->lost;
	int rc = verdict ? report_table(report, verdict, SIZE_MAX, NULL, err) : -1;

	explain_free(explain);
	if (rc && err->code == ERR_USAGE) { /* these runs have no such difference: no failure */
		document_text(report->document, "%s", err->message);
		return 0;
	}
	if (rc == 0) {
		report_command(report, "explain", SIZE_MAX, "");
	}
	return rc == 0 && lost.code ? report_lacks(report, "a part of explain", &lost, err) : rc;
}

/* ---- problems ---- */

/* The rows of one section of info, of all runs; *n: how many. -1 on error. */
static int
add_section(struct report *report, enum info_section section, size_t n_most, size_t *n,
            struct err *err)
{
	const struct run_set *runs = report->runs;
	struct result **results = xcalloc(runs->n + 1, sizeof *results), *all = NULL;
	size_t n_read = 0;
	int rc = 0;

	*n = 0;
	while (n_read < runs->n &&
	       (results[n_read] = info_rows(runs->stores[n_read], section, err))) {
		*n += results[n_read++]->n_rows;
	}
	if (n_read == runs->n && *n > 0) {
		all = query_stack(results, runs->names, NULL, NULL, runs->n, err);
		rc = all ? report_table(report, all, n_most, NULL, err) : -1;
	}
	rc = n_read < runs->n ? -1 : rc;
	for (size_t i = 0; i < n_read; i++) {
		result_free(results[i]);
	}
	free(results);
	return rc;
}

int
report_problems(struct report *report, struct err *err)
{
	static const struct result_column none[] = {{.name = "note"}};
	const struct run_set *runs = report->runs;
	struct result *notes = result_new("Notes", none, COUNT_OF(none));
	size_t n;

	query_note_differences(notes, runs->stores, runs->names, NULL, runs->n);
	for (size_t i = 0; i < notes->n_notes; i++) {
		document_item(report->document, notes->notes[i]);
	}
	result_free(notes);
	if (add_section(report, INFO_PROBLEMS, PROBLEMS, &n, err)) {
		return -1;
	}
	if (n == 0) {
		document_text(report->document, "All records could be read.");
	} else {
		report_command(report, "query problems", SIZE_MAX, "");
	}
	return 0;
}

/* ---- provenance ---- */

int
report_provenance(struct report *report, struct err *err)
{
	struct strbuf options = {0};
	size_t n;

	if (add_section(report, INFO_SOURCES, SOURCES, &n, err)) {
		return -1;
	}
	document_text(report->document, "Made by lanescope %s:", PACKAGE_VERSION);
	shell_option_add(&options, "--queries", report->queries_dir);
	shell_option_add(&options, "--format", report->format->name);
	report_command(report, "report", SIZE_MAX, options.data);
	strbuf_free(&options);
	return 0;
}
