/* lanescope explain A B: why B took longer, part by part. */
#include "config.h"
#include "cli/cmd_explain.h"

#include <stdlib.h>
#include <string.h>

#include "cli/classes.h"
#include "cli/gate_call.h"
#include "cli/groups.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/query_call.h"
#include "explain/explain.h"
#include "query/saved/query_file.h"
#include "util/format.h"
#include "util/order.h"

enum { OPTION_PART = 512, OPTION_PARTS };

const struct cli_option *const explain_options[] = {
    OPTION(OPTION_PART, "part", "NAME",
           "this part instead of the causes (repeatable; --parts lists them), or all", WORDS_PART),
    OPTION(OPTION_PARAM, "param", "NAME=VALUE", "a parameter of the part (repeatable)",
           WORDS_PARAM),
    &option_a,
    &option_b,
    OPTION(OPTION_PARTS, "parts", NULL, "list the parts, or those that apply to A and B",
           WORDS_NONE),
    OPTIONS_OF_GATES,
    &option_class,
    &option_scope,
    &option_memory,
    &option_runs_where,
    OPTIONS_OF_TABLES,
    NULL};

const char *const explain_examples[] = {"lanescope explain f1.lanes f4.lanes",
                                        "what makes the difference, the largest cause first",
                                        "lanescope explain f1 f4 --part all",
                                        "every part that adds up, its largest rows",
                                        "lanescope explain f1 f4 --part stages -p by=stage",
                                        "one part",
                                        "lanescope explain --a old* --b new*",
                                        "two groups of runs: smaller causes, and what noise is",
                                        "lanescope explain night-*.lanes",
                                        "a series: a row each, and whether there is a trend",
                                        "lanescope explain old new --fail-over 5%",
                                        "a gate for scripts",
                                        NULL};

#define PART_ALL "all"
#define PART_DEFAULT "causes"
#define PART_OF_SERIES "series"
#define PART_OF_FIGURES "indicators"
/* Rows of a part in the summary that people read, and causes. */
#define SUMMARY_ROWS 6
#define CAUSES_ROWS 7

struct explain_call {
	struct output_choice output;
	struct strbuf classes;
	struct path_list words[2]; /* runs given by --a, --b */
	const char **parts;
	size_t n_parts, parts_capacity;
	struct argument_list arguments;
	bool lists_parts, wants_all;
	struct gate_choice gate;

	struct run_set runs;
	size_t n_a;
	bool is_series;
	struct explain *explain;
	struct result **results;
	size_t n_results;
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct explain_call *call = user;
	int rc;
	switch (id) {
	case OPTION_PART:
		if (strcmp(value, PART_ALL) == 0) {
			call->wants_all = true;
			return 0;
		}
		MEM_GROW(call->parts, call->parts_capacity, call->n_parts + 1);
		call->parts[call->n_parts++] = value;
		return explain_part_find(value, err) ? 0 : -1;
	case OPTION_PARTS:
		call->lists_parts = true;
		return 0;
	case OPTION_A:
	case OPTION_B:
		path_list_add(&call->words[id == OPTION_B], value);
		return 0;
	case OPTION_CLASS:
		return classes_take(&call->classes, value, err);
	case OPTION_PARAM:
		return argument_take(&call->arguments, value, err);
	default:
		rc = gate_take(&call->gate, id, value, err);
		return rc ? rc : output_take(&call->output, id, value, err);
	}
}

static struct result *
list_parts(const struct explain *explain)
{
	static const struct result_column columns[] = {{.name = "part"},       {.name = "title"},
	                                               {.name = "adds_up"},    {.name = "needs"},
	                                               {.name = "parameters"}, {.name = "about"}};
	struct result *result = result_new("Parts", columns, COUNT_OF(columns));
	for (size_t i = 0; explain_parts[i] && explain_parts[i]->name; i++) {
		const struct explain_part *part = explain_parts[i];
		if (explain && !explain_part_is_listed(explain, part)) {
			continue;
		}
		struct strbuf params = {0};
		for (size_t p = 0; p < part->n_params; p++) {
			const struct query_param *param = &part->params[p];
			strbuf_printf(&params, "%s%s=%s", p ? " " : "", param->name,
			              param->default_text ? param->default_text : "");
		}
		struct value *row = result_add_row(result);
		const char *texts[] = {part->name,
		                       part->title,
		                       part->adds_up ? "yes" : "no",
		                       part->needs,
		                       strbuf_slice(&params).ptr,
		                       part->about};
		for (size_t c = 0; c < COUNT_OF(texts); c++) {
			row[c] = value_text(result, slice_of(texts[c]));
		}
		strbuf_free(&params);
	}
	return result;
}

/* The run files of both groups, and how many are the first's. */
static int
find_groups(struct explain_call *call, struct cli *cli, char *const *words, size_t n,
            struct path_list *files, struct err *err)
{
	bool grouped = call->words[0].n || call->words[1].n;
	if (grouped && n) {
		return err_set(err, ERR_USAGE,
		               "runs are given by --a and --b or without, not both: \"%s\"",
		               words[0]);
	}
	if (!grouped) {
		if (find_run_files(cli, words, n, true, files, NULL, err)) {
			return -1;
		}
		call->n_a = 1;
		call->is_series = files->n > 2;
		if (call->is_series && call->gate.is_set) {
			return err_set(err, ERR_USAGE,
			               "--fail-over compares two runs, or groups of them by --a "
			               "and --b: these are %zu",
			               files->n);
		}
		return files->n >= 2
		           ? 0
		           : err_set(err, ERR_USAGE,
		                     "explain needs two runs, a series of more, or groups of them "
		                     "by --a and --b: these are %zu",
		                     files->n);
	}
	return groups_find(cli, call->words, files, &call->n_a, err);
}

static int
open_runs(struct explain_call *call, struct cli *cli, char *const *words, size_t n, struct err *err)
{
	struct path_list files = {0};
	classes_set(cli, &call->classes);
	int rc = find_groups(call, cli, words, n, &files, err) ||
	                 run_set_open(&call->runs, cli, files.paths, files.n, true, err)
	             ? -1
	             : 0;
	path_list_free(&files);
	call->output.inputs = &call->runs.inputs;
	call->output.scope = &cli->scope;
	if (rc == 0 &&
	    (output_check(&call->output, err) || !output_choose_format(&call->output, err))) {
		rc = -1;
	}
	if (rc == 0) {
		size_t a = call->n_a;
		call->explain =
		    call->is_series
			? explain_new_series(call->runs.stores, call->runs.names, call->runs.n,
		                             &cli->cancel)
			: explain_new(call->runs.stores, call->runs.names, a, call->runs.stores + a,
		                      call->runs.names + a, call->runs.n - a, &cli->cancel);
	}
	return rc;
}

static int
check_gate(struct explain_call *call, struct result *answer, struct err *err)
{
	const struct explain *explain = call->explain;
	struct gate *gate = gate_new(call->gate.limit, call->runs.stores, call->runs.names,
	                             explain->n_a, explain->n_b);
	int rc = gate_add_makespans(gate, call->explain, err);
	if (rc == 0) {
		gate_tell(&call->gate, gate, answer);
	}
	gate_free(gate);
	return rc;
}

struct asked {
	const struct explain_call *call;
	const struct explain_part *part;
	size_t limit; /* of a summary */
};

/* With as many rows as are wanted. */
static struct result *
compute_rows(void *user, struct explain *explain, struct err *err)
{
	const struct asked *asked = user;
	const struct explain_call *call = asked->call;
	struct result *result =
	    explain_compute_rows(explain, asked->part, call->arguments.all, call->arguments.n, err);
	if (result && call->output.limited && !call->output.sort) {
		(asked->part->adds_up ? explain_rows_limit : result_limit)(result,
		                                                           call->output.limit);
	}
	return result;
}

/* A part's table; among several, with the part's name in front of every row. */
static int
compute_part(struct explain_call *call, const char *name, struct err *err)
{
	const struct explain_part *part = explain_part_find(name, err);
	struct asked asked = {call, part, 0};
	bool stacks = part && call->is_series && !explain_part_takes_runs(call->explain, part);
	struct result *result = !part    ? NULL
	                        : stacks ? explain_stack(call->explain, compute_rows, &asked, err)
	                                 : compute_rows(&asked, call->explain, err);
	if (!result) {
		return -1;
	}
	if (call->n_parts > 1) {
		struct result *stack = query_stack(&result, &name, NULL, NULL, 1, err);
		if (stack) {
			stack->columns[0].name = "part";
			stack->columns[0].about = "the part's name";
		}
		result_free(result);
		result = stack;
	}
	call->results[call->n_results] = result;
	call->n_results += result != NULL;
	return result ? 0 : -1;
}

/* Which arguments a part takes it checks itself; with several parts each would refuse the
 * others'. */
static int
check_arguments(const struct explain_call *call, struct err *err)
{
	return call->arguments.n && call->n_parts != 1
	           ? err_set(err, ERR_USAGE, "-p %s: parameters belong to one --part",
	                     call->arguments.all[0].name)
	           : 0;
}

static struct result *
summarise(void *user, struct explain *explain, struct err *err)
{
	const struct asked *asked = user;
	return explain_summary(explain, asked->limit, err);
}

static int
compute_summary(struct explain_call *call, bool is_exact, struct err *err)
{
	size_t limit = call->output.limited ? call->output.limit : is_exact ? 0 : SUMMARY_ROWS;
	struct asked asked = {call, NULL, limit};
	struct result *summary = call->is_series
	                             ? explain_stack(call->explain, summarise, &asked, err)
	                             : summarise(&asked, call->explain, err);
	call->results[call->n_results] = summary;
	call->n_results += summary != NULL;
	return summary ? 0 : -1;
}

/* What people read of the causes: the words, their size and range, and where to look on. */
static struct result *
causes_for_people(const struct result *causes)
{
	static const char *const names[] = {"sentence",      "makespan",  "makespan_low",
	                                    "makespan_high", "lane_time", "look"};
	struct result_column chosen[COUNT_OF(names)];
	int at[COUNT_OF(names)];
	for (size_t c = 0; c < COUNT_OF(names); c++) {
		at[c] = column_find(causes->columns, causes->n_columns, slice_of(names[c]));
		chosen[c] = causes->columns[at[c]];
	}
	struct result *result = result_new(causes->title, chosen, COUNT_OF(names));
	for (size_t r = 0; r < causes->n_rows && r < CAUSES_ROWS; r++) {
		struct value *row = result_add_row(result);
		for (size_t c = 0; c < COUNT_OF(names); c++) {
			row[c] = value_copy(result, result_value(causes, r, (size_t)at[c]));
		}
	}
	for (size_t i = 0; i < causes->n_notes; i++) {
		result_add_note(result, "%s", causes->notes[i]);
	}
	int against = column_find(causes->columns, causes->n_columns, slice_of("against"));
	for (size_t r = 0; r < result->n_rows; r++) {
		const struct value *text = result_value(causes, r, (size_t)against);
		const struct value *cause = result_value(result, r, 0);
		if (text->type == VALUE_TEXT) {
			result_add_note(result, "%.*s: %.*s", (int)cause->text.len, cause->text.ptr,
			                (int)text->text.len, text->text.ptr);
		}
	}
	if (causes->n_rows > CAUSES_ROWS) {
		result_add_note(result, "%zu smaller causes are not listed: --format csv does",
		                causes->n_rows - CAUSES_ROWS);
	}
	result_add_note(result, "evidence: --part all, or those that the rows name");
	return result;
}

/* Which figure tells a series' slow runs from its fast ones, as far as quick queries say it. */
static void
add_indicator(struct explain_call *call, struct result *series)
{
	static const struct query_argument quick = {"budget", "200ms"};
	struct err why = ERR_INIT;
	const struct explain_part *part = explain_part_find(PART_OF_FIGURES, &why);
	struct result *figures = explain_compute(call->explain, part, &quick, 1, &why);
	if (!figures) {
		explain_lose(call->explain, &why);
	}
	result_add_note(series, "%s (--part " PART_OF_FIGURES ")",
	                figures && figures->n_notes ? figures->notes[0] : why.message);
	result_free(figures);
}

/* Runs that can't be searched for causes are divided into parts all the same. */
static int
compute_causes(struct explain_call *call, bool is_exact, struct err *err)
{
	struct err why = ERR_INIT;
	if (compute_part(call, call->is_series ? PART_OF_SERIES : PART_DEFAULT, &why)) {
		if (why.code != ERR_USAGE && why.code != ERR_LIMIT) {
			*err = why;
			return -1;
		}
		int rc = compute_summary(call, is_exact, err);
		if (rc == 0) {
			result_add_note(call->results[0], "no causes: %s", why.message);
		}
		return rc;
	}
	if (call->is_series) {
		add_indicator(call, call->results[0]);
	} else if (!is_exact) {
		struct result *causes = call->results[0];
		call->results[0] = causes_for_people(causes);
		result_free(causes);
	}
	explain_note(call->results[0], call->explain);
	return 0;
}

struct result *
explain_for_people(struct explain *explain, bool is_series, struct err *err)
{
	struct result *result = NULL;
	struct explain_call call = {.explain = explain, .is_series = is_series, .results = &result};
	if (compute_causes(&call, false, err)) {
		result_free(result);
		result = NULL;
	}
	return result;
}

static int
compute(struct explain_call *call, struct err *err)
{
	const struct export_format *format = output_choose_format(&call->output, err);
	bool is_exact = format && format->row; /* for programs */
	int rc = format ? check_arguments(call, err) : -1;
	call->results = xcalloc(call->n_parts + 1, sizeof *call->results);
	if (rc == 0 && call->wants_all) {
		rc = call->n_parts
		         ? err_set(err, ERR_USAGE, "--part all is all of them: give it alone")
		         : compute_summary(call, is_exact, err);
	} else if (rc == 0 && call->n_parts == 0) {
		rc = compute_causes(call, is_exact, err);
	}
	for (size_t i = 0; rc == 0 && i < call->n_parts; i++) {
		rc = compute_part(call, call->parts[i], err);
	}
	if (rc == 0 && call->n_parts) {
		explain_note(call->results[0], call->explain);
	}
	return rc == 0 && call->gate.is_set ? check_gate(call, call->results[0], err) : rc;
}

static int
answer(struct explain_call *call, struct cli *cli, char *const *words, size_t n, struct err *err)
{
	if ((!call->lists_parts || n || call->words[0].n) && open_runs(call, cli, words, n, err)) {
		return -1;
	}
	if (call->lists_parts) {
		struct result *parts = list_parts(call->explain);
		int rc = output_result(parts, &call->output, err);
		result_free(parts);
		return rc;
	}
	if (call->gate.is_quiet) {
		return check_gate(call, NULL, err);
	}
	if (compute(call, err)) {
		return -1;
	}
	call->output.limited = call->output.limited && call->output.sort; /* else done by part */
	call->output.tells_notes = true;
	if (output_results(call->results, call->n_results, &call->output, err)) {
		return -1;
	}
	*err = *call->explain->lost;
	return err->code ? -1 : 0;
}

static void
free_call(struct explain_call *call)
{
	for (size_t i = 0; i < call->n_results; i++) {
		result_free(call->results[i]);
	}
	free(call->results);
	explain_free(call->explain);
	run_set_close(&call->runs);
	strbuf_free(&call->classes);
	path_list_free(&call->words[0]);
	path_list_free(&call->words[1]);
	free(call->parts);
	argument_list_free(&call->arguments);
}

int
command_explain(struct cli *cli)
{
	struct explain_call call = {0};
	struct err err = ERR_INIT;
	char **spread = groups_spread(&cli->argc, cli->argv);
	int status = CLI_DONE;
	cli->argv = spread;
	if (options_parse(cli, take, &call, &err) || gate_check(&call.gate, &err)) {
		status = cli_usage(cli, &err);
	} else if (answer(&call, cli, cli->words, cli->n_words, &err) == 0 ||
	           gate_tells_why(&call.gate, &call.runs, &err)) {
		status = gate_status(&call.gate);
	} else {
		status = cli_fail(&err);
	}
	free_call(&call);
	free(spread);
	return status;
}
