/*
 * Options come from each command's table, so that parsing, --help and the shells' completions can't
 * disagree. getopt_long's own messages are switched off: ours name the command, suggest what was
 * meant, and say where help is.
 */
#include "config.h"
#include "cli/options.h"
#include "chart/chart.h"
#include "cli/version.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"
#include "query/saved/query.h"
#include "util/budget.h"

const struct cli_option option_out = {
    OPTION_OUT, "out", "FILE", "write to FILE (whole or not at all); its ending names the format",
    WORDS_FILE};
const struct cli_option option_param = {OPTION_PARAM, "param", "NAME=VALUE",
                                        "a parameter of the query (repeatable)", WORDS_PARAM};
const struct cli_option option_window = {
    OPTION_WINDOW, "window", "TIME", "of a query over time: length of a window, as -p window=1s",
    WORDS_ANY};
const struct cli_option option_format = {
    OPTION_FORMAT, "format", "FORMAT",
    "table, csv, tsv, json, jsonl, frame or md (default: table on a terminal, else csv)",
    WORDS_EXPORT};
const struct cli_option option_no_header = {OPTION_NO_HEADER, "no-header", NULL,
                                            "no line of column names", WORDS_NONE};
const struct cli_option option_safe_csv = {
    OPTION_SAFE_CSV, "safe-csv", NULL,
    "csv, tsv: an apostrophe before texts that spreadsheets take for formulas", WORDS_NONE};
const struct cli_option option_sort = {OPTION_SORT, "sort", "COLUMNS",
                                       "sort by these, \"-\" before a name: descending",
                                       WORDS_COLUMNS};
const struct cli_option option_columns = {OPTION_COLUMNS, "columns", "COLUMNS",
                                          "only these, in this order", WORDS_COLUMNS};
const struct cli_option option_limit = {OPTION_LIMIT, "limit", "N", "at most N rows", WORDS_ANY};
const struct cli_option option_sum = {
    OPTION_SUM, "sum", NULL, "end with the sums of what adds up (default: in tables)", WORDS_NONE};
const struct cli_option option_no_sum = {OPTION_NO_SUM, "no-sum", NULL, "no row of sums",
                                         WORDS_NONE};
const struct cli_option option_rel_to = {OPTION_REL_TO, "rel-to", "SIDE",
                                         "what rel is a part of: a (default) or b", WORDS_ANY};
const struct cli_option option_wide = {OPTION_WIDE, "wide", NULL,
                                       "runs as columns, measures as rows", WORDS_NONE};
const struct cli_option option_key = {
    OPTION_KEY, "key", "COLUMNS", "match rows by these instead of the query's key", WORDS_COLUMNS};
const struct cli_option option_measure = {OPTION_MEASURE, "measure", "COLUMNS",
                                          "compare only these", WORDS_COLUMNS};
const struct cli_option option_queries = {OPTION_QUERIES, "queries", "FOLDER",
                                          "more saved queries (*.sql)", WORDS_FOLDER};
const struct cli_option option_no_pager = {OPTION_NO_PAGER, "no-pager", NULL, "do not use a pager",
                                           WORDS_NONE};
const struct cli_option option_plot = {
    OPTION_PLOT, "plot", "[KIND]",
    "as a chart: bars, line, steps, scatter, histogram, cdf or heatmap (default: what the "
    "columns suggest); as SVG with -o NAME.svg or --format svg",
    WORDS_PLOT};
const struct cli_option option_x = {OPTION_X, "x", "COLUMNS", "of a chart: what runs along x",
                                    WORDS_COLUMNS};
const struct cli_option option_y = {OPTION_Y, "y", "COLUMNS", "of a chart: what is drawn",
                                    WORDS_COLUMNS};
const struct cli_option option_series = {
    OPTION_SERIES, "series", "COLUMNS",
    "of a chart: what tells lines and colours apart; rows of a heat map", WORDS_COLUMNS};
const struct cli_option option_log_axes = {OPTION_LOG_AXES, "log", "AXES",
                                           "of a chart: a logarithmic x, y or x,y", WORDS_ANY};
const struct cli_option option_chart_size = {OPTION_SIZE, "size", "WxH",
                                             "of a chart: its columns and lines", WORDS_ANY};
const struct cli_option option_path = {OPTION_PATH, "path", NULL,
                                       "a column with the run files' paths", WORDS_NONE};
const struct cli_option option_force = {OPTION_FORCE, "force", NULL,
                                        "replace the run file that is there", WORDS_NONE};
const struct cli_option option_class = {
    OPTION_CLASS, "class", "CLASSES",
    "classes of paths, pfs=/p/lustre*|/gpfs*:ssd=/l/ssd/* (repeatable)", WORDS_ANY};
const struct cli_option option_scope = {
    OPTION_SCOPE, "scope", "WORDS",
    "only what is in scope, range 1s..2s;lanes gpu*;name = x (repeatable)", WORDS_ANY};
const struct cli_option option_runs_where = {
    OPTION_RUNS_WHERE, "runs-where", "CONDITION",
    "only runs that meet it, nodes >= 4 AND mode = 'scr' (columns of lanescope runs)",
    WORDS_CONDITION};
const struct cli_option option_memory = {OPTION_MEMORY, "memory", "SIZE",
                                         "use at most so much memory, 500M, 2G", WORDS_ANY};
const struct cli_option option_ascii = {OPTION_ASCII, "ascii", NULL,
                                        "draw with ASCII characters only", WORDS_NONE};
const struct cli_option option_help = {OPTION_HELP, "help", NULL, "this text", WORDS_NONE};
const struct cli_option option_version = {OPTION_VERSION, "version", NULL,
                                          "the version, and what the program was built with",
                                          WORDS_NONE};

#define OPTIONS_MAX 64

static size_t
list_options(const struct cli_command *command, const struct cli_option **list)
{
	size_t n = 0;
	for (; command->options && command->options[n] && n < OPTIONS_MAX - 2; n++) {
		list[n] = command->options[n];
	}
	list[n++] = &option_help;
	list[n++] = &option_version;
	return n;
}

static int
set_unknown(const struct cli_option *const *list, size_t n, const char *given, int letter,
            struct err *err)
{
	const char *names[OPTIONS_MAX];
	if (letter) {
		return err_set(err, ERR_USAGE, "no option -%c", letter);
	}
	for (size_t i = 0; i < n; i++) {
		names[i] = list[i]->name;
	}
	char *typed = xstrndup(given + 2, strcspn(given + 2, "="));
	const char *near = query_suggest(typed, names, n);
	err_set(err, ERR_USAGE, "no option --%s%s%s%s", typed, near ? ": did you mean --" : "",
	        near ? near : "", near ? "?" : "");
	free(typed);
	return -1;
}

/* The words of all --scope are one scope. */
static int
scope_take(struct cli *cli, const char *value, struct err *err)
{
	struct scope scope;

	if (scope_read(slice_of(value), &scope, err)) {
		return -1;
	}
	for (size_t i = 0; i < scope.n; i++) {
		scope_add(&cli->scope, &scope.words[i]);
	}
	scope_free(&scope);
	return 0;
}

/* The formats, where a command takes one. */
static void
print_formats(const struct cli_command *command)
{
	size_t i = 0;
	while (command->options && command->options[i] &&
	       command->options[i]->words != WORDS_IMPORT) {
		i++;
	}
	if (!command->options || !command->options[i]) {
		return;
	}
	printf("\nformats\n");
	for (i = 0; import_formats[i]; i++) {
		printf("  %-12s %s%s\n", import_formats[i]->name, import_formats[i]->summary,
		       import_formats[i]->grouping == GROUP_EACH ? "; each file is a run" : "");
	}
}

static void
print_option(const struct cli_option *option)
{
	char left[64];
	snprintf(left, sizeof left, "  %s%c%s --%s%s%s", option->id < 256 ? "-" : " ",
	         option->id < 256 ? option->id : ' ', option->id < 256 ? "," : " ", option->name,
	         option->argument ? " " : "", option->argument ? option->argument : "");
	printf("%-26s %s", left, option->about);
	if (option == &option_memory) {
		char budget[BUDGET_TEXT_BYTES];
		printf(" (default here: %s)", budget_print(budget));
	}
	printf("\n");
}

int
take_size(const char *value, int *width, int *height, struct err *err)
{
	int end = 0;

	return sscanf(value, "%4dx%4d%n", width, height, &end) != 2 || value[end] || *width < 1 ||
	               *height < 1
	           ? err_set(err, ERR_USAGE, "--size %s: not WIDTHxHEIGHT", value)
	           : 0;
}

static bool
is_optional(const struct cli_option *option)
{
	return option->argument && option->argument[0] == '[';
}

/* "--plot bars" becomes "--plot=bars": getopt takes a value that may be left out in no other way.
 * Only a word that may stand there is one. */
static void
join_optional(struct cli *cli, const struct cli_option *const *list, size_t n)
{
	enum chart_kind kind;

	for (int i = 1; i + 1 < cli->argc && strcmp(cli->argv[i], "--") != 0; i++) {
		for (size_t k = 0; k < n; k++) {
			char *word = cli->argv[i + 1];

			if (!is_optional(list[k]) || strncmp(cli->argv[i], "--", 2) != 0 ||
			    strcmp(cli->argv[i] + 2, list[k]->name) != 0 ||
			    !chart_kind_find(slice_of(word), &kind)) {
				continue;
			}
			struct strbuf joined = {0};
			strbuf_printf(&joined, "%s=%s", cli->argv[i], word);
			cli->joined = strbuf_take(&joined);
			cli->argv[i] = cli->joined;
			memmove(&cli->argv[i + 1], &cli->argv[i + 2],
			        (size_t)(cli->argc - i - 1) * sizeof *cli->argv);
			cli->argc--;
			return;
		}
	}
}

/* Examples first: most who ask for help want a line to copy. */
static void
options_help(const struct cli_command *command)
{
	const struct cli_option *list[OPTIONS_MAX];
	size_t n = list_options(command, list);
	bool named = command->name[0] != 0;
	for (size_t i = 0; command->examples && command->examples[i] && command->examples[i + 1];
	     i += 2) {
		printf("  %-50s  %s\n", command->examples[i], command->examples[i + 1]);
	}
	printf("\nusage: lanescope%s%s [OPTION]... %s\n%s\n", named ? " " : "",
	       named ? command->name : "", command->arguments, command->summary);
	if (command->about) {
		printf("\n%s\n", command->about);
	}
	print_formats(command);
	printf("\noptions\n");
	for (size_t i = 0; i < n; i++) {
		print_option(list[i]);
	}
	if (named) {
		return; /* the explorer is the first of all */
	}
	printf("\ncommands (lanescope COMMAND --help tells more)\n");
	for (const struct cli_command *other = command + 1; other->name; other++) {
		printf("  %-11s %s\n", other->name, other->summary);
	}
	printf("\nManual: lanescope help\n");
}

/* What takes less memory, of what the command can do. */
static const char *
memory_help(const struct cli_command *command)
{
	static const struct {
		int id;
		const char *help;
	} ways[] = {{OPTION_THREADS, "take fewer threads (--threads 1)"},
	            {OPTION_HEIGHT, "ask for fewer lines (--height, --lanes)"},
	            {OPTION_SCOPE, "for a part of the run (--scope)"}};

	for (size_t i = 0; i < COUNT_OF(ways); i++) {
		for (size_t k = 0; command->options && command->options[k]; k++) {
			if (command->options[k]->id == ways[i].id) {
				return ways[i].help;
			}
		}
	}
	return NULL;
}

static void
keep_given(struct cli *cli, const struct cli_option *const *list, int id, const char *value)
{
	while ((*list)->id != id) {
		list++;
	}
	MEM_GROW(cli->given, cli->given_capacity, cli->n_given + 1);
	cli->given[cli->n_given++] = (struct cli_given){*list, value};
}

/* From here on memory has its limit, and what is said beyond it. */
static void
set_task(struct cli *cli)
{
	/* A query's name comes first, but with --all. */
	size_t first = cli->n_words > 1 && cli->command->words[0] == WORDS_QUERY;
	const char *file = cli->n_words > 0 ? cli->words[first] : NULL;
	snprintf(cli->doing, sizeof cli->doing, "in lanescope%s%s%s",
	         *cli->command->name ? " " : "", cli->command->name, file ? " with" : "");
	cli->task =
	    (struct mem_task){.doing = cli->doing, .file = file, .help = memory_help(cli->command)};
	mem_set_task(&cli->task, true);
	budget_enforce();
}

int
options_parse(struct cli *cli, cli_take *take, void *user, struct err *err)
{
	char **argv = cli->argv;
	const struct cli_option *list[OPTIONS_MAX];
	struct option longs[OPTIONS_MAX + 1];
	char shorts[2 * OPTIONS_MAX + 2] = ":";
	size_t n = list_options(cli->command, list), letters = 1;
	join_optional(cli, list, n);
	const char *memory = getenv("LANESCOPE_MEMORY");
	if (memory && *memory && budget_set("LANESCOPE_MEMORY", memory, err)) {
		return -1;
	}
	for (size_t i = 0; i < n; i++) {
		longs[i] = (struct option){list[i]->name,
		                           is_optional(list[i]) ? optional_argument
		                           : list[i]->argument  ? required_argument
		                                                : no_argument,
		                           NULL, list[i]->id};
		if (list[i]->id < 256) {
			shorts[letters++] = (char)list[i]->id;
			shorts[letters] = ':';
			letters += list[i]->argument != NULL;
		}
	}
	longs[n] = (struct option){NULL, 0, NULL, 0};
	shorts[letters++] = 'h';
	shorts[letters] = 0;
	opterr = 0;
	optind = 0; /* both libraries start over, whatever was parsed before */
	for (int id; (id = getopt_long(cli->argc, argv, shorts, longs, NULL)) != -1;) {
		if (id == OPTION_VERSION) {
			version_print();
			return -1;
		}
		if (id == OPTION_HELP || id == 'h') {
			options_help(cli->command);
			return -1;
		}
		if (id == ':') {
			return err_set(err, ERR_USAGE, "%s needs a value", argv[optind - 1]);
		}
		if (id == '?') {
			int letter = optopt > 0 && optopt < 256 ? optopt : 0;
			if (optopt >= 256) {
				return err_set(err, ERR_USAGE, "%s takes no value",
				               argv[optind - 1]);
			}
			return set_unknown(list, n, argv[optind - 1], letter, err);
		}
		keep_given(cli, list, id, optarg);
		if (id == OPTION_RUNS_WHERE) {
			cli->runs_where = optarg;
			continue;
		}
		if (id == OPTION_SCOPE    ? scope_take(cli, optarg, err) < 0
		    : id == OPTION_MEMORY ? budget_set("--memory", optarg, err) < 0
		                          : take(user, id, optarg, err) < 0) {
			return -1;
		}
	}
	cli->first_word = optind;
	cli->words = argv + optind;
	cli->n_words = (size_t)(cli->argc - optind);
	set_task(cli);
	return 0;
}
