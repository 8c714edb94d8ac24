/*
 * lanescope info RUN...: what a run is, where it came from, what was wrong with its input. As csv
 * or json the facts alone; as a table (also when it is written to a pipe: this is a page for
 * people) the trace files and the problems follow.
 */
#include "config.h"
#include "cli/cmd_info.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/plot.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/query.h"
#include "query/saved/kind.h"
#include "query/saved/lane_words.h"
#include "query/saved/run_tags.h"
#include "util/format.h"

struct fact {
	const char *name;
	enum column_kind kind;
	const char
	    *sql; /* a row; no row or NULL: not said. NULL: the next column of the row before */
};
static const struct fact facts[] = {
    {"run", KIND_TEXT, "SELECT name FROM run"},
    {"imported as", KIND_TEXT, "SELECT imported_as FROM run WHERE imported_as <> name"},
    {"format", KIND_TEXT, "SELECT format FROM run"},
    {"dialect", KIND_TEXT, "SELECT dialect FROM run"},
    {"clock", KIND_TEXT, "SELECT clock FROM run"},
    {"started", KIND_CLOCK, "SELECT wall_start_ns FROM run"},
    {"times of day", KIND_TEXT,
     "SELECT 'without a zone in a trace: read as UTC' FROM tags WHERE key = 'zone' "
     "AND value = 'not recorded' LIMIT 1"},
    /* other clocks tell no date by themselves */
    {"clock at start", KIND_DURATION, "SELECT nullif(start_ns, 0) FROM run WHERE clock <> 'wall'"},
    {"duration", KIND_DURATION, "SELECT duration_ns FROM run"},
    {"duration is", KIND_TEXT,
     "SELECT 'at most: the last end is that of an interval which a record reports' FROM run WHERE "
     "EXISTS (SELECT 1 FROM span_total WHERE summed > 0 AND finish_max >= duration_ns)"},
    {"makespan", KIND_DURATION,
     "SELECT duration, CASE WHEN start IS NOT recorded_start OR finish IS NOT recorded_finish THEN "
     "'at most: an interval which a record of many calls reports begins or ends it' END FROM "
     "makespan"},
    {"makespan is", KIND_TEXT, NULL},
    {"hosts", KIND_COUNT, "SELECT nullif(count(DISTINCT host), 0) FROM lane"},
    {"processes", KIND_COUNT,
     "SELECT nullif(count(*), 0) FROM (SELECT DISTINCT host, process FROM lane WHERE process IS "
     "NOT NULL)"},
    {"ranks", KIND_COUNT, "SELECT max(value) FROM tags WHERE scope IS NULL AND key = 'ranks'"},
    {"lanes", KIND_COUNT, "SELECT " LANES_COUNTED},
    {"rows beside them", KIND_COUNT, "SELECT nullif(count(*) - " LANES_COUNTED ", 0) FROM lane"},
    {"spans", KIND_COUNT, "SELECT nullif(spans, 0) FROM run"},
    {"events", KIND_COUNT, "SELECT nullif(events, 0) FROM run"},
    {"counters", KIND_COUNT, "SELECT nullif(counters, 0) FROM run"},
    {"tasks", KIND_COUNT, "SELECT nullif(tasks, 0) FROM run"},
    {"transfers", KIND_COUNT, "SELECT nullif(transfers, 0) FROM run"},
    {"grouping", KIND_TEXT, "SELECT \"grouping\" FROM run"},
    {"trace files", KIND_COUNT, "SELECT count(*) FROM source"},
    {"records", KIND_COUNT, "SELECT records FROM run"},
    {"metadata records", KIND_COUNT, "SELECT nullif(sum(metadata), 0) FROM source"},
    {"aggregated records", KIND_COUNT, "SELECT nullif(sum(aggregated), 0) FROM source"},
    {"calls in them", KIND_COUNT, "SELECT sum(summed) FROM span_total WHERE summed > 0"},
    {"busy times are", KIND_TEXT,
     "SELECT 'at most: a record lasts as long as the interval it reports' FROM span_total WHERE "
     "summed > 0 LIMIT 1"},
    {"bad records", KIND_COUNT, "SELECT sum(bad_records) FROM source"},
    {"unfinished spans", KIND_COUNT,
     "SELECT sum(unfinished_n) FROM span_total WHERE unfinished_n > 0"},
    {"unfinished time", KIND_DURATION,
     "SELECT sum(unfinished_sum) FROM span_total WHERE unfinished_n > 0"},
    {"problems", KIND_COUNT, "SELECT problems FROM run"},
    {"input bytes", KIND_SIZE, "SELECT sum(raw_bytes) FROM source"},
    {"decompressed bytes", KIND_SIZE, "SELECT sum(plain_bytes) FROM source"},
    {"written by", KIND_TEXT, "SELECT writer FROM run"},
    {"identity", KIND_TEXT, "SELECT identity FROM run"},
};

/* In a table facts are shown by their kind, elsewhere as they are. */
static struct value
fact_value(struct result *result, const struct value *value, enum column_kind kind, bool shown)
{
	char buffer[FORMAT_BYTES];
	return value->type == VALUE_TEXT || shown
	           ? value_text(result, value_show(value, kind, buffer))
	           : *value;
}

/* has_all: with a row of each, also of those that the run has not. */
static struct result *
list_facts(struct store *store, bool shown, bool has_all, struct err *err)
{
	static const struct result_column columns[] = {{.name = "fact", .is_key = true},
	                                               {.name = "value"}};
	struct result *result = result_new("Run", columns, 2), *answer = NULL;
	size_t column = 0;
	for (size_t i = 0; i < COUNT_OF(facts); i++) {
		column = facts[i].sql ? 0 : column + 1;
		if (column == 0) {
			result_free(answer);
			answer = query_sql(store, facts[i].sql, NULL, err);
		}
		if (!answer) {
			result_free(result);
			return NULL;
		}
		bool has = answer->n_rows && result_value(answer, 0, column)->type != VALUE_NULL;
		if (has || has_all) {
			struct value *row = result_add_row(result);
			row[0] = value_text(result, slice_of(facts[i].name));
			row[1] = has ? fact_value(result, result_value(answer, 0, column),
			                          facts[i].kind, shown)
			             : row[1];
		}
	}
	result_free(answer);
	return result;
}

/* A row of all runs, where one of them has anything. */
static void
add_fact(struct result *result, struct result *const *runs, size_t n, size_t fact)
{
	size_t n_have = 0;
	for (size_t i = 0; i < n; i++) {
		n_have += result_value(runs[i], fact, 1)->type != VALUE_NULL;
	}
	if (n_have > 0) {
		struct value *row = result_add_row(result);
		row[0] = value_word(result, facts[fact].name);
		for (size_t i = 0; i < n; i++) {
			row[i + 1] = value_copy(result, result_value(runs[i], fact, 1));
		}
	}
}

struct result *
info_facts(struct store *const *stores, const char *const *names, size_t n, struct err *err)
{
	struct result_column *columns = xcalloc(n + 1, sizeof *columns);
	struct result **runs = xcalloc(n + 1, sizeof *runs), *result = NULL;
	size_t n_read = 0;
	columns[0] = (struct result_column){.name = "fact", .is_key = true};
	while (n_read < n && (runs[n_read] = list_facts(stores[n_read], true, true, err))) {
		columns[n_read + 1] = (struct result_column){.name = names[n_read]};
		n_read++;
	}
	if (n_read == n) {
		result = result_new("Runs", columns, n + 1);
		for (size_t i = 0; i < COUNT_OF(facts); i++) {
			add_fact(result, runs, n, i);
		}
	}
	for (size_t i = 0; i < n_read; i++) {
		result_free(runs[i]);
	}
	free(runs);
	free(columns);
	return result;
}

/* What follows the facts on a page, by enum info_section: title, rows. */
static const char *const sections[][2] = {
    {"trace files",
     "SELECT path, records, bad_records AS bad, raw_bytes, plain_bytes, CASE WHEN truncated THEN "
     "'cut short' ELSE '' END AS state, digest FROM source ORDER BY id"},
    {"problems by kind", "SELECT kind, count(*) AS n, min(reason) AS example FROM problem GROUP BY "
                         "kind ORDER BY n DESC, kind"},
    {"problems (the first 20; all: lanescope query problems)",
     "SELECT kind, reason, record, coalesce(source, 'the run') AS file, excerpt FROM problems "
     "ORDER BY id LIMIT 20"},
};

struct result *
info_rows(struct store *store, enum info_section section, struct err *err)
{
	return query_sql(store, sections[section][1], NULL, err);
}

static int
print_section(struct output *output, struct store *store, enum info_section section,
              struct err *err)
{
	struct result *result = info_rows(store, section, err);
	int rc = result ? 0 : -1;
	if (result && result->n_rows) {
		fprintf(output->file, "\n%s\n", sections[section][0]);
		rc = export_result(result, output->format, &output->options, output->file, err);
	}
	result_free(result);
	return rc;
}

static int
print_tags(struct output *output, struct store *store, struct err *err)
{
	struct run_tags tags = {0};
	int rc = run_tags_read(store, &tags, err);
	if (tags.trouble) {
		cli_say("%s", tags.trouble);
	}
	if (rc == 0 && tags.n > 0) {
		struct result *result = run_tags_list(&tags);
		fputs("\ntags\n", output->file);
		rc = export_result(result, output->format, &output->options, output->file, err);
		result_free(result);
	}
	run_tags_free(&tags);
	return rc;
}

static int
print_page(struct output *output, struct store *store, struct err *err)
{
	struct result *page = list_facts(store, true, false, err);
	if (!page) {
		return -1;
	}
	struct export_options options = output->options;
	options.header = false;
	int rc = export_result(page, output->format, &options, output->file, err);
	result_free(page);
	rc = rc ? rc : print_tags(output, store, err);
	for (size_t i = 0; rc == 0 && i < COUNT_OF(sections); i++) {
		rc = print_section(output, store, i, err);
	}
	return rc;
}

static int
print_pages(struct run_set *runs, const struct output_choice *choice, struct err *err)
{
	struct output output;
	int rc = 0;
	if (output_open(&output, choice, err)) {
		return -1;
	}
	for (size_t i = 0; rc == 0 && i < runs->n; i++) {
		fputs(i ? "\n" : "", output.file);
		rc = print_page(&output, runs->stores[i], err);
	}
	return output_close(&output, rc, err);
}

static int
print_facts(struct run_set *runs, const struct output_choice *choice, struct err *err)
{
	struct result **results = xcalloc(runs->n, sizeof *results);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < runs->n; i++) {
		results[i] = list_facts(runs->stores[i], false, false, err);
		rc = results[i] ? 0 : -1;
	}
	rc = rc ? rc : plot_or_print_stacked(results, NULL, runs, choice, err);
	for (size_t i = 0; i < runs->n; i++) {
		result_free(results[i]);
	}
	free(results);
	return rc;
}

int
command_info(struct cli *cli)
{
	struct output_choice choice = {0};
	struct run_set runs;
	struct err err = ERR_INIT;
	if (options_parse(cli, output_take, &choice, &err) ||
	    (!cli->n_words && err_set(&err, ERR_USAGE, "which run?"))) {
		return cli_usage(cli, &err);
	}
	if (!choice.format && !choice.path) {
		choice.format = "table";
	}
	if (run_set_open_some(&runs, cli, cli->words, cli->n_words, NULL, &err)) {
		return cli_fail(&err);
	}
	choice.inputs = &runs.inputs;
	const struct export_format *format = output_choose_format(&choice, &err);
	int rc = !format                              ? -1
	         : strcmp(format->name, "table") == 0 ? print_pages(&runs, &choice, &err)
	                                              : print_facts(&runs, &choice, &err);
	int status = runs.n_failed ? CLI_FAILED : CLI_DONE;
	run_set_close(&runs);
	return rc ? cli_fail(&err) : status;
}
