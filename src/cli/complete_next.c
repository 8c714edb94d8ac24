/*
 * The words before the last are read as the command itself would read them, so far as that tells
 * what may follow: the command, the option whose value is being typed, the query or the part that
 * was named. What may follow comes from the tables of commands, saved queries and parts.
 */
#include "config.h"
#include "cli/complete_next.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chart/chart.h"
#include "cli/complete_tags.h"
#include "cli/options.h"
#include "cli/resolve.h"
#include "explain/explain.h"
#include "export/document.h"
#include "export/export.h"
#include "import/import.h"
#include "manual/manual.h"
#include "query/saved/list.h"
#include "query/saved/run_list.h"

struct next {
	const struct cli *cli;
	const struct cli_command *command; /* NULL: it is being typed */
	const struct cli_option *option;   /* whose value is asked for; NULL: an argument is */
	const struct cli_option *optional; /* whose value may as well stand there */
	size_t nth;                        /* of the arguments */
	const char **arguments;            /* nth of them, but for what --all stands for */
	size_t n_arguments;
	const char *first, *part;  /* the first argument; --part's value; or NULL */
	const char *const *params; /* values of -p before this one */
	size_t n_params;
	struct query_library *library;
	struct strbuf before; /* what of the word stands and stays */
	const char *typed;    /* the rest of it */
};

static void
offer(const struct next *next, struct slice word, const char *about)
{
	if (slice_starts_with(word, next->typed)) {
		printf("%s%.*s\t%.*s\n", next->before.data ? next->before.data : "", (int)word.len,
		       word.ptr, (int)strcspn(about ? about : "", "\n"), about ? about : "");
	}
}

/* Names without characters that shells or this list read as something else. */
static bool
is_plain(const char *word)
{
	return !strpbrk(word, " \t\n'\"\\$`&;|<>()[]{}*?!#~");
}

/* ---- lists ---- */

static void
offer_commands(const struct next *next)
{
	for (const struct cli_command *command = next->cli->commands + 1; command->name;
	     command++) {
		offer(next, slice_of(command->name), command->summary);
	}
}

static void
offer_options(const struct next *next)
{
	static const struct cli_option *const common[] = {&option_help, &option_version};

	for (size_t i = 0; next->command->options[i]; i++) {
		const struct cli_option *option = next->command->options[i];
		struct strbuf name = {0};

		strbuf_printf(&name, "--%s", option->name);
		offer(next, strbuf_slice(&name), option->about);
		strbuf_free(&name);
	}
	for (size_t i = 0; i < COUNT_OF(common); i++) {
		struct strbuf name = {0};

		strbuf_printf(&name, "--%s", common[i]->name);
		offer(next, strbuf_slice(&name), common[i]->about);
		strbuf_free(&name);
	}
}

static void
offer_formats(const struct next *next, enum cli_words words)
{
	if (words == WORDS_TO) {
		offer(next, slice_of("chrome"), "a Chrome trace");
	}
	for (const struct export_format *format = export_formats; format->name; format++) {
		if (words == WORDS_EXPORT || format->row) {
			offer(next, slice_of(format->name), format->summary);
		}
	}
}

static void
offer_topics(const struct next *next)
{
	struct manual *manual = manual_open(next->library);
	const char *word;

	for (size_t i = 0; (word = manual_word(manual, i)) != NULL; i++) {
		if (is_plain(word)) {
			offer(next, slice_of(word), NULL);
		}
	}
	manual_close(manual);
}

static void
offer_run(void *user, const char *name)
{
	if (is_plain(name)) {
		offer(user, slice_of(name), "a run");
	}
}

/* ---- of tags ---- */

/* With what follows its name. */
static void
offer_tag_with(struct next *next, struct slice name, const char *end)
{
	struct strbuf word = {0};

	strbuf_printf(&word, "%.*s%s", (int)name.len, name.ptr, end);
	if (is_plain(word.data)) {
		offer(next, strbuf_slice(&word), "a tag");
	}
	strbuf_free(&word);
}

static void
offer_tag(void *user, struct slice name)
{
	offer_tag_with(user, name, "");
}

static void
offer_tag_open(void *user, struct slice name)
{
	offer_tag_with(user, name, "=");
}

static void
offer_tag_value(struct next *next)
{
	const char *equals = strchr(next->typed, '=');

	if (!equals) {
		complete_tag_names(next->arguments, next->n_arguments, offer_tag_open, next);
		return;
	}
	struct slice name = {next->typed, (size_t)(equals - next->typed)};
	strbuf_printf(&next->before, "%.*s=", (int)name.len, name.ptr);
	next->typed = equals + 1;
	complete_tag_values(next->arguments, next->n_arguments, name, offer_tag, next);
}

/* The next of a list: what stands before it stays. */
static void
begin_item(struct next *next)
{
	const char *comma = strrchr(next->typed, ',');
	const char *item = comma ? comma + 1 : next->typed;

	item += next->option->id == OPTION_SORT && *item == '-';
	strbuf_add(&next->before, next->typed, (size_t)(item - next->typed));
	next->typed = item;
}

static void
offer_columns_of_runs(struct next *next)
{
	for (size_t i = 0; i < RUN_COLUMNS; i++) {
		offer(next, slice_of(run_columns[i].name), column_about(&run_columns[i]));
	}
	complete_tag_names(next->arguments, next->n_arguments, offer_tag, next);
}

/* ---- of a query ---- */

static const struct saved_query *
query_of(const struct next *next)
{
	struct err ignored = ERR_INIT;

	return next->first && next->command->words[0] == WORDS_QUERY
	           ? query_library_find(next->library, next->first, &ignored)
	           : NULL;
}

static bool
is_given(const struct next *next, const char *name)
{
	size_t i = 0, n = strlen(name);

	while (i < next->n_params &&
	       !(strncmp(next->params[i], name, n) == 0 && next->params[i][n] == '=')) {
		i++;
	}
	return i < next->n_params;
}

/* NAME=, then its values, as far as they can be listed. */
static void
offer_params(struct next *next, const struct query_param *params, size_t n)
{
	const char *equals = strchr(next->typed, '=');
	struct slice typed = {next->typed, equals ? (size_t)(equals - next->typed) : 0}, item;

	for (size_t i = 0; i < n; i++) {
		if (!equals && !is_given(next, params[i].name)) {
			struct strbuf name = {0};

			strbuf_printf(&name, "%s=", params[i].name);
			offer(next, strbuf_slice(&name), params[i].about);
			strbuf_free(&name);
		}
		if (!equals || !slice_is(typed, params[i].name)) {
			continue;
		}
		strbuf_printf(&next->before, "%s=", params[i].name);
		next->typed = equals + 1;
		struct slice rest = slice_of(params[i].allowed ? params[i].allowed : "");
		bool is_range = params[i].allowed && strstr(params[i].allowed, "..");
		while (!is_range && list_next(&rest, &item)) {
			offer(next, item, NULL);
		}
		if (params[i].default_text && (is_range || !params[i].allowed)) {
			offer(next, slice_of(params[i].default_text), "the default");
		}
		return;
	}
}

static void
offer_param(struct next *next)
{
	const struct saved_query *query = query_of(next);
	struct err ignored = ERR_INIT;
	const struct explain_part *part =
	    next->part ? explain_part_find(next->part, &ignored) : NULL;

	if (query) {
		offer_params(next, query->params, query->n_params);
	} else if (part) {
		offer_params(next, part->params, part->n_params);
	}
}

/* A difference has a measure's name with these ends. */
static void
offer_differences(const struct next *next, const struct result_column *column)
{
	static const char *const ends[] = {"_a", "_b", "_delta", "_ratio", "_rel"};

	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		struct strbuf name = {0};

		strbuf_printf(&name, "%s%s", column->name, ends[i]);
		offer(next, strbuf_slice(&name), column_about(column));
		strbuf_free(&name);
	}
}

static void
offer_column(const struct next *next, const struct result_column *column, bool is_diff)
{
	int id = next->option->id;

	if ((id == OPTION_MEASURE && !column->is_measure) ||
	    (id == OPTION_KEY && column->is_measure)) {
		return;
	}
	if (is_diff && column->is_measure && id != OPTION_MEASURE) {
		offer_differences(next, column);
	} else {
		offer(next, slice_of(column->name), column_about(column));
	}
}

static void
offer_of_difference(const struct next *next)
{
	static const char *const kinds[][2] = {
	    {"all", "every column"},   {"a", "the first run's values"},
	    {"b", "the second run's"}, {"delta", "b - a"},
	    {"ratio", "b / a"},        {"rel", "delta / a"}};

	for (size_t i = 0; i < COUNT_OF(kinds); i++) {
		offer(next, slice_of(kinds[i][0]), kinds[i][1]);
	}
}

static void
offer_columns(struct next *next)
{
	const struct saved_query *query = query_of(next);
	bool is_diff = strcmp(next->command->name, "diff") == 0;

	begin_item(next);
	for (size_t i = 0; query && i < query->n_columns; i++) {
		offer_column(next, &query->columns[i], is_diff);
	}
	if (is_diff && next->option->id == OPTION_COLUMNS) {
		offer_of_difference(next);
	}
	if (strcmp(next->command->name, "runs") == 0) {
		offer_columns_of_runs(next);
	}
}

/* ---- what stands there ---- */

static void
offer_words(struct next *next, enum cli_words words)
{
	static const char *const shells[] = {"bash", "zsh", "fish"};
	static const char *const simulations[] = {"preemption", "trace", "checkpoint"};

	switch (words) {
	case WORDS_NONE:
	case WORDS_ANY:
		break;
	case WORDS_TAGS:
		begin_item(next);
		if (next->option->id == OPTION_TREND) {
			offer(next, slice_of("started"), "the runs' start");
		}
		complete_tag_names(next->arguments, next->n_arguments, offer_tag, next);
		break;
	case WORDS_CONDITION:
		offer_columns_of_runs(next);
		break;
	case WORDS_TAG_VALUE: /* of the command, whose arguments are runs as well */
		if (!next->option && !strchr(next->typed, '=')) {
			offer_words(next, WORDS_RUN);
		}
		offer_tag_value(next);
		break;
	case WORDS_RUN:
	case WORDS_TRACE:
		puts(":files");
		if (!strchr(next->typed, '/')) {
			resolve_each(offer_run, next);
		}
		break;
	case WORDS_FILE:
	case WORDS_FOLDER:
		puts(words == WORDS_FILE ? ":files" : ":folders");
		break;
	case WORDS_EXPORT:
	case WORDS_TO:
		offer_formats(next, words);
		break;
	case WORDS_REPORT:
		for (size_t i = 0; document_formats[i].name; i++) {
			offer(next, slice_of(document_formats[i].name), NULL);
		}
		break;
	case WORDS_IMPORT:
		for (size_t i = 0; import_formats[i]; i++) {
			offer(next, slice_of(import_formats[i]->name), import_formats[i]->summary);
		}
		break;
	case WORDS_QUERY:
		for (size_t i = 0; i < query_library_count(next->library); i++) {
			const struct saved_query *query = query_library_get(next->library, i);
			offer(next, slice_of(query->name), query->title);
		}
		break;
	case WORDS_PART:
		for (size_t i = 0; explain_parts[i] && explain_parts[i]->name; i++) {
			offer(next, slice_of(explain_parts[i]->name), explain_parts[i]->title);
		}
		break;
	case WORDS_PLOT:
		for (size_t i = 0; chart_kind_names[i]; i++) {
			offer(next, slice_of(chart_kind_names[i]), NULL);
		}
		break;
	case WORDS_PARAM:
		offer_param(next);
		break;
	case WORDS_COLUMNS:
		offer_columns(next);
		break;
	case WORDS_TOPIC:
		offer_topics(next);
		break;
	case WORDS_SHELL:
		for (size_t i = 0; i < COUNT_OF(shells); i++) {
			offer(next, slice_of(shells[i]), NULL);
		}
		break;
	case WORDS_SIMULATE:
		for (size_t i = 0; i < COUNT_OF(simulations); i++) {
			offer(next, slice_of(simulations[i]), NULL);
		}
		break;
	}
}

/* The option that a word is; *value gets what stands in the same word. */
static const struct cli_option *
option_of(const struct cli_command *command, const char *word, const char **value)
{
	const char *equals = strchr(word, '=');
	struct slice name = {word + 2, strlen(word) < 2 ? 0
	                               : equals         ? (size_t)(equals - word) - 2
	                                                : strlen(word) - 2};

	*value = NULL;
	for (size_t i = 0; word[0] == '-' && command->options[i]; i++) {
		const struct cli_option *option = command->options[i];

		if (word[1] == '-' ? slice_is(name, option->name)
		                   : option->id < 256 && word[1] == option->id) {
			*value = word[1] == '-' ? (equals ? equals + 1 : NULL)
			         : word[2]      ? word + 2
			                        : NULL;
			return option;
		}
	}
	return NULL;
}

/* What the value of an option tells about what may follow. */
static void
take_value(struct next *next, const struct cli_option *option, const char *value,
           const char **params, const char **queries)
{
	if (option->words == WORDS_PARAM) {
		params[next->n_params++] = value;
	} else if (option->words == WORDS_PART) {
		next->part = value;
	} else if (option->id == OPTION_QUERIES) {
		*queries = value;
	}
}

/* The words before the last. params has room for all of them. */
static void
read_words(struct next *next, char *const *words, size_t n, const char **params,
           const char **queries)
{
	enum chart_kind kind;
	const char *value;
	bool has_ended = false;

	for (size_t i = strcmp(next->command->name, "") != 0; i < n; i++) {
		const struct cli_option *option =
		    has_ended ? NULL : option_of(next->command, words[i], &value);

		if (option && option->argument && option->argument[0] == '[') {
			next->optional = i + 1 == n && !value ? option : NULL;
			i += !value && i + 1 < n && chart_kind_find(slice_of(words[i + 1]), &kind);
		} else if (option && option->argument && !value && i + 1 == n) {
			next->option = option;
		} else if (option && option->argument) {
			take_value(next, option, value ? value : words[++i], params, queries);
		} else if (option) {
			next->nth += option->id == OPTION_ALL; /* without the first argument */
		} else if (!has_ended && strcmp(words[i], "--") == 0) {
			has_ended = true;
		} else if ((has_ended || words[i][0] != '-' || !words[i][1])) {
			next->first = next->nth++ == 0 ? words[i] : next->first;
			next->arguments[next->n_arguments++] = words[i];
		}
	}
}

/* The option whose value is in the last word itself: --name=VALUE, -pVALUE. */
static void
read_last(struct next *next, const char *word)
{
	const char *value = NULL;
	const struct cli_option *option =
	    next->option ? NULL : option_of(next->command, word, &value);

	if (option && option->argument && value) {
		next->option = option;
		strbuf_add(&next->before, word, (size_t)(value - word));
		next->typed = value;
	}
}

void
complete_next(const struct cli *cli, char *const *words, size_t n)
{
	static char nothing[] = "";
	static char *const none[] = {nothing};
	struct next next = {.cli = cli, .command = cli->commands};
	const char **params = xcalloc(n + 1, sizeof *params), *queries = NULL;

	words = n > 0 ? words : none;
	n = n > 0 ? n - 1 : 0;
	for (const struct cli_command *command = cli->commands + 1; n > 0 && command->name;
	     command++) {
		next.command = strcmp(command->name, words[0]) == 0 ? command : next.command;
	}
	next.typed = words[n];
	next.params = params;
	next.arguments = xcalloc(n + 1, sizeof *next.arguments);
	read_words(&next, words, n, params, &queries);
	read_last(&next, words[n]);
	next.library = query_library_open(queries);
	if (next.option) {
		offer_words(&next, next.option->words);
	} else if (next.typed[0] == '-') {
		offer_options(&next);
	} else {
		offer_words(&next, next.command->words[next.nth > 0]);
		if (next.optional) {
			offer_words(&next, next.optional->words);
		}
		if (n == 0) {
			offer_commands(&next);
		}
	}
	query_library_close(next.library);
	strbuf_free(&next.before);
	free(next.arguments);
	free(params);
}
