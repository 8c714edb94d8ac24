/* The questions that tell most of a run, of all runs below each other, or of two their
 * differences. */
#include "config.h"
#include "cli/report.h"

#include <stdlib.h>
#include <string.h>

#include "cli/called_as.h"
#include "cli/cmd_diff.h"
#include "cli/output.h"
#include "cli/plot.h"
#include "query/saved/query_list.h"

#define QUESTIONS 8
#define CHARTS 4 /* of further questions, without their tables */
#define ROWS 8
#define MEASURES 2

static const struct output_choice as_asked; /* as the commands do without options */

struct question {
	struct report *report;
	const struct saved_query *query;
	struct result **results; /* by run */
	bool of_chart;           /* its chart alone is wanted */
};

/* What the query is asked for, and one more: a page is not wide. */
static void
list_measures(const struct result *result, struct strbuf *out)
{
	size_t n = 0;

	for (int is_lead = 1; is_lead >= 0; is_lead--) {
		for (size_t c = 0; c < result->n_columns && n < MEASURES; c++) {
			const struct result_column *column = &result->columns[c];
			if (column->is_measure && column->is_lead == is_lead) {
				strbuf_printf(out, "%s%s", n++ > 0 ? "," : "", column->name);
			}
		}
	}
}

/* NULL: the answers have no difference, or failed. */
static struct result *
subtract(const struct question *asked, const char *measures)
{
	const struct run_set *runs = asked->report->runs;
	struct result *diff = NULL;
	struct err why = ERR_INIT;

	if (diff_choose_measures(asked->results[0], measures, &why) == 0 &&
	    diff_choose_measures(asked->results[1], measures, &why) == 0) {
		diff = query_diff(asked->results[0], asked->results[1], runs->names[0],
		                  runs->names[1], NULL, false, &why);
	}
	if (diff && diff_sort(diff, &why) == 0) {
		return diff;
	}
	result_free(diff);
	return NULL;
}

/* Without a difference both answers are one table, as those of more runs are. measures gets what a
 * difference is of. */
static struct result *
put_together(const struct question *asked, struct strbuf *measures, struct err *err)
{
	const struct run_set *runs = asked->report->runs;

	if (runs->n == 2) {
		list_measures(asked->results[0], measures);
	}
	struct result *diff = measures->len > 0 ? subtract(asked, measures->data) : NULL;
	if (diff) {
		return diff;
	}
	strbuf_clear(measures);
	return output_stack(asked->results, asked->report->runs, &as_asked, err);
}

static void
add_about(struct document *document, const char *about)
{
	struct strbuf sentence = {0};

	for (; *about && !(about[0] == '.' && strchr(" \n", about[1])); about++) {
		strbuf_add_char(&sentence, *about == '\n' ? ' ' : *about);
	}
	if (sentence.len > 0) {
		document_text(document, "%s.", sentence.data);
	}
	strbuf_free(&sentence);
}

static void
add_command(const struct question *asked, const char *word, const char *own_options)
{
	struct strbuf words = {0}, options = {0};

	strbuf_printf(&words, "%s ", word);
	shell_word_add(&words, asked->query->name);
	strbuf_add_text(&options, own_options);
	shell_option_add(&options, "--queries", asked->report->queries_dir);
	report_command(asked->report, words.data, SIZE_MAX, options.data ? options.data : "");
	strbuf_free(&words);
	strbuf_free(&options);
}

/* Of several runs each is a series, or rows, of one chart. */
static int
draw(const struct question *asked, struct strbuf *picture, struct err *err)
{
	const struct run_set *runs = asked->report->runs;
	bool is_one = runs->n == 1;
	struct result *table =
	    is_one ? asked->results[0]
		   : output_stack(asked->results, asked->report->runs, &as_asked, err);
	int rc = table ? plot_picture(table, asked->query->plot, asked->report->format->has_svg,
	                              runs, picture, err)
	               : -1;

	if (!is_one) {
		result_free(table);
	}
	return rc;
}

static void
add_chart(const struct question *asked, struct slice picture)
{
	struct strbuf options = {0};

	document_picture(asked->report->document, picture);
	if (asked->report->format->has_svg) {
		strbuf_add_text(&options, " --plot -o ");
		shell_word_add(&options, asked->query->name);
		strbuf_add_text(&options, ".svg");
	} else {
		strbuf_printf(&options, " --plot --size %dx%d", PLOT_TEXT_WIDTH, PLOT_TEXT_HEIGHT);
	}
	add_command(asked, "query", options.data);
	strbuf_free(&options);
}

static int
add_table(const struct question *asked, struct err *err)
{
	struct report *report = asked->report;
	struct strbuf options = {0}, measures = {0};
	struct result *table = asked->results[0];

	if (report->runs->n > 1) {
		table = put_together(asked, &measures, err);
	} else {
		asked->results[0] = NULL; /* the document's from here on */
	}
	bool is_diff = measures.len > 0;
	int rc =
	    table ? report_table(report, table, ROWS, is_diff ? DIFF_COLUMNS_FOR_PEOPLE : NULL, err)
		  : -1;
	shell_option_add(&options, "--measure", is_diff ? measures.data : NULL);
	if (rc == 0) {
		add_command(asked, is_diff ? "diff" : "query", options.data ? options.data : "");
	}
	strbuf_free(&options);
	strbuf_free(&measures);
	return rc;
}

/* Rows are times: their picture tells more than the first of them. */
static bool
is_over_time(const struct result *result)
{
	for (size_t i = 0; i < result->n_columns; i++) {
		if (result->columns[i].is_key && result->columns[i].kind == KIND_TIME) {
			return true;
		}
	}
	return false;
}

/* 1: something was added, 0: there is nothing to show. */
static int
add_answer(const struct question *asked, struct err *err)
{
	struct report *report = asked->report;
	const struct saved_query *query = asked->query;
	struct strbuf picture = {0};
	struct err why = ERR_INIT;
	int rc = query->plot ? draw(asked, &picture, &why) : 0, has_failed = rc;

	if (rc == 0 && asked->of_chart && picture.len == 0) {
		return 0;
	}
	bool is_told = picture.len > 0 && is_over_time(asked->results[0]);
	document_heading(report->document, 2, query->title);
	add_about(report->document, query->about ? query->about : "");
	rc = has_failed ? report_lacks(report, "its chart", &why, err) : 0;
	if (picture.len > 0) {
		add_chart(asked, strbuf_slice(&picture));
	}
	strbuf_free(&picture);
	rc = rc || asked->of_chart || is_told ? rc : add_table(asked, err);
	return rc ? -1 : 1;
}

/* 1: there is an answer, 0: none of the runs has rows. */
static int
ask(const struct question *asked, struct err *err)
{
	const struct run_set *runs = asked->report->runs;
	size_t n_rows = 0;

	for (size_t i = 0; i < runs->n; i++) {
		asked->results[i] = query_run(runs->stores[i], asked->query, NULL, 0,
		                              &asked->report->cli->cancel, err);
		if (!asked->results[i]) {
			return -1;
		}
		n_rows += asked->results[i]->n_rows;
	}
	return n_rows > 0 ? add_answer(asked, err) : 0;
}

static bool
needs_an_argument(const struct saved_query *query)
{
	size_t i = 0;
	while (i < query->n_params && query->params[i].default_text) {
		i++;
	}
	return i < query->n_params;
}

/* 1: asked, and there is an answer, 0: there is none, -1: stopped. */
static int
ask_one(struct report *report, const struct saved_query *query, bool of_chart, struct err *err)
{
	struct question asked = {report, query, xcalloc(report->runs->n + 1, sizeof *asked.results),
	                         of_chart};
	struct err why = ERR_INIT;
	int rc = ask(&asked, &why);

	for (size_t i = 0; i < report->runs->n; i++) {
		result_free(asked.results[i]);
	}
	free(asked.results);
	return rc < 0 ? report_lacks(report, query->title, &why, err) : rc;
}

int
report_questions(struct report *report, struct err *err)
{
	const struct run_set *runs = report->runs;
	struct arena *arena = arena_new();
	struct run_info *infos = xcalloc(runs->n + 1, sizeof *infos);
	const struct run_info **each = xcalloc(runs->n + 1, sizeof *each);
	const struct saved_query **fitting = NULL;
	size_t n = 0, n_answers = 0, n_charts = 0;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < runs->n; i++) {
		infos[i] = *store_run(runs->stores[i]);
		infos[i].has = query_needs_read(runs->stores[i], report->library, arena, err);
		each[i] = &infos[i];
		rc = infos[i].has ? 0 : -1;
	}
	fitting = rc ? NULL : query_list_fitting(report->library, each, runs->n, &n);
	for (size_t i = 0; rc >= 0 && i < n; i++) {
		bool of_chart = n_answers >= QUESTIONS;

		if (!needs_an_argument(fitting[i]) &&
		    (!of_chart || (fitting[i]->plot && n_charts < CHARTS))) {
			rc = ask_one(report, fitting[i], of_chart, err);
			n_answers += rc > 0 && !of_chart;
			n_charts += rc > 0 && of_chart;
		}
	}
	if (rc >= 0) {
		document_text(report->document,
		              "These are %zu of %zu questions that fit; all others:",
		              n_answers + n_charts, n);
		struct strbuf options = {0};
		shell_option_add(&options, "--queries", report->queries_dir);
		strbuf_add_text(&options, " -o answers");
		report_command(report, "query --all", SIZE_MAX, options.data);
		strbuf_free(&options);
	}
	free(fitting);
	free(each);
	free(infos);
	arena_free(arena);
	return rc < 0 ? -1 : 0;
}
