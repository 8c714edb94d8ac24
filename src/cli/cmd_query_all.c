/*
 * lanescope query --all RUN... -o FOLDER: every question that the explorer would offer for one of
 * the runs, each answered for those that it fits, a file each, and a list of them. A question that
 * fails does not keep the others from their answers, but the folder is not whole then.
 */
#include "config.h"
#include "cli/cmd_query.h"

#include <stdlib.h>
#include <string.h>

#include "cli/called_as.h"
#include "cli/classes.h"
#include "cli/folder.h"
#include "query/saved/query_list.h"
#include "query/saved/target.h"

#define INDEX "index" /* what the file of the list is called, before its ending */

struct all {
	struct query_call *call;
	struct cli *cli;
	const struct export_format *format;
	struct arena *arena;
	struct run_info *infos; /* of each run, with what it has of what is needed */
	const struct saved_query **queries;
	size_t n_queries, n_answers;
	struct answer_folder folder;
	struct result *index;
	struct strbuf left_out; /* questions that need a parameter */
};

enum { INDEX_NAME, INDEX_TITLE, INDEX_ROWS, INDEX_FILE, INDEX_ERROR, INDEX_NOTES, INDEX_COMMAND };
static const struct result_column index_columns[] = {{.name = "query", .is_key = true},
                                                     {.name = "title"},
                                                     {.name = "rows", .kind = KIND_COUNT},
                                                     {.name = "file"},
                                                     {.name = "error"},
                                                     {.name = "notes"},
                                                     {.name = "command"}};

int
query_all_check(const struct query_call *call, const struct cli *cli, struct err *err)
{
	static const char *const none[] = {NULL};
	const struct {
		bool is_given;
		const char *name;
	} of_one[] = {{call->output.sort, "--sort"},
	              {call->output.columns, "--columns"},
	              {call->key, "--key"},
	              {call->where, "--where"},
	              {call->measures, "--measure"},
	              {call->wide, "--wide"},
	              {call->behind > 0, "--behind"},
	              {call->answers.n || call->answers.of, "--jobs"},
	              {call->gate.is_set || call->groups[0].n > 0, "a gate"}};

	for (size_t i = 0; i < COUNT_OF(of_one); i++) {
		if (of_one[i].is_given) {
			return err_set(err, ERR_USAGE, "--all: %s is of one question",
			               of_one[i].name);
		}
	}
	if (cli->n_words == 0) {
		return err_set(err, ERR_USAGE, "on which run?");
	}
	if (!call->output.path || strcmp(call->output.path, "-") == 0) {
		return err_set(err, ERR_USAGE, "--all: -o FOLDER is for its files");
	}
	return target_check_ending(call->output.path, none,
	                           "-o is the folder for a file of each answer, so call it NAME or "
	                           "NAME/ and the format with --format",
	                           err);
}

/* ---- which questions ---- */

static bool
is_listed(const struct all *all, const struct saved_query *query)
{
	size_t i = 0;
	while (i < all->n_queries && all->queries[i] != query) {
		i++;
	}
	return i < all->n_queries;
}

static void
list_of_run(struct all *all, const struct run_info *info)
{
	size_t n;
	const struct saved_query **fitting = query_list_fitting(all->call->library, &info, 1, &n);

	for (size_t i = 0; i < n; i++) {
		if (!is_listed(all, fitting[i])) {
			all->queries[all->n_queries++] = fitting[i];
		}
	}
	free(fitting);
}

static int
list_questions(struct all *all, struct err *err)
{
	const struct run_set *runs = &all->call->runs;
	const struct query_library *library = all->call->library;

	all->infos = xcalloc(runs->n + 1, sizeof *all->infos);
	all->queries = xcalloc(query_library_count(library) + 1, sizeof *all->queries);
	for (size_t i = 0; i < runs->n; i++) {
		all->infos[i] = *store_run(runs->stores[i]);
		all->infos[i].has = query_needs_read(runs->stores[i], library, all->arena, err);
		if (!all->infos[i].has) {
			return -1;
		}
		list_of_run(all, &all->infos[i]);
	}
	return 0;
}

static bool
takes(const struct saved_query *query, const char *param)
{
	size_t i = 0;
	while (i < query->n_params && strcmp(query->params[i].name, param) != 0) {
		i++;
	}
	return i < query->n_params;
}

/* An argument is for every question that has such a parameter; one that none has is mistyped. */
static int
check_arguments(const struct all *all, struct err *err)
{
	const struct argument_list *arguments = &all->call->arguments;

	for (size_t i = 0; i < arguments->n; i++) {
		size_t k = 0;
		while (k < all->n_queries && !takes(all->queries[k], arguments->all[i].name)) {
			k++;
		}
		if (k == all->n_queries) {
			return err_set(err, ERR_USAGE,
			               "-p %s: no question that fits has such a parameter",
			               arguments->all[i].name);
		}
	}
	return 0;
}

/* ---- one question ---- */

/* The call of one question: its arguments, and the runs that it fits, which stay the whole call's.
 * To be freed by free_own. */
static struct query_call
call_of(const struct all *all, const struct saved_query *query)
{
	const struct query_call *call = all->call;
	struct query_call own = *call;
	struct run_set *runs = &own.runs;

	own.query = query;
	own.results = xcalloc(call->runs.n + 1, sizeof *own.results);
	own.arguments = (struct argument_list){
	    .all = xcalloc(call->arguments.n + 1, sizeof *own.arguments.all)};
	runs->tags = NULL;
	runs->n = runs->n_failed = 0; /* so that the command in the list makes the same */
	runs->stores = xcalloc(call->runs.n + 1, sizeof *runs->stores);
	runs->names = xcalloc(call->runs.n + 1, sizeof *runs->names);
	runs->paths.paths = xcalloc(call->runs.n + 1, sizeof *runs->paths.paths);
	for (size_t i = 0; i < call->arguments.n; i++) {
		if (takes(query, call->arguments.all[i].name)) {
			own.arguments.all[own.arguments.n++] = call->arguments.all[i];
		}
	}
	for (size_t i = 0; i < call->runs.n; i++) {
		if (query_rank(query, &all->infos[i]) < QUERY_RANK_EMPTY) {
			runs->stores[runs->n] = call->runs.stores[i];
			runs->names[runs->n] = call->runs.names[i];
			runs->paths.paths[runs->n++] = call->runs.paths.paths[i];
		}
	}
	runs->paths.n = runs->n;
	return own;
}

static void
free_own(struct query_call *own)
{
	for (size_t i = 0; i < own->runs.n; i++) {
		result_free(own->results[i]);
	}
	free(own->results);
	free(own->arguments.all);
	run_set_forget_tags(&own->runs);
	free(own->runs.stores);
	free(own->runs.names);
	free(own->runs.paths.paths);
}

static void
add_command(const struct all *all, const struct query_call *own, struct strbuf *out)
{
	const struct cli *cli = all->cli;
	bool has_all = own->runs.n == all->call->runs.n;

	called_as_add(out, cli);
	strbuf_add_text(out, " query ");
	shell_word_add(out, own->query->name);
	for (size_t i = 0; i < (has_all ? cli->n_words : own->runs.n); i++) {
		strbuf_add_char(out, ' ');
		shell_word_add(out, has_all ? cli->words[i] : own->runs.paths.paths[i]);
	}
	for (size_t i = 0; i < own->arguments.n; i++) {
		const struct query_argument *argument = &own->arguments.all[i];
		struct strbuf word = {0};
		strbuf_printf(&word, "%s=%s", argument->name, argument->text);
		shell_option_add(out, "-p", word.data);
		strbuf_free(&word);
	}
	shell_scope_add(out, cli);
	shell_option_add(out, "--queries", own->queries_dir);
	strbuf_add_text(out, own->output.has_path ? " --path" : "");
	if (own->output.limited) {
		strbuf_printf(out, " --limit %zu", own->output.limit);
	}
	shell_option_add(out, "--format", all->format->name);
}

static struct value *
add_row(struct all *all, const struct query_call *own)
{
	struct strbuf command = {0};
	struct value *row = result_add_row(all->index);

	add_command(all, own, &command);
	row[INDEX_NAME] = value_text(all->index, slice_of(own->query->name));
	row[INDEX_TITLE] = value_text(all->index, slice_of(own->query->title));
	row[INDEX_COMMAND] = value_text(all->index, strbuf_slice(&command));
	strbuf_free(&command);
	return row;
}

/* Writes the answer into its file. */
static int
write_answer(struct all *all, struct query_call *own, struct value *row, struct err *err)
{
	struct strbuf path = {0}, notes = {0};
	struct result *table = query_call_table(own, err);
	int rc = -1;

	strbuf_printf(&path, "%s/%s.%s", all->folder.path, own->query->name,
	              all->format->extension);
	own->output.path = path.data;
	own->output.format = all->format->name;
	own->output.notes = &notes;
	if (table && output_result(table, &own->output, err) == 0) {
		row[INDEX_ROWS] = value_integer((int64_t)(table->n_rows - table->n_sums));
		row[INDEX_FILE] = value_text(
		    all->index, slice_from(strbuf_slice(&path), strlen(all->folder.path) + 1));
		if (notes.len > 0) {
			row[INDEX_NOTES] = value_text(all->index, strbuf_slice(&notes));
		}
		all->n_answers++;
		rc = 0;
	}
	query_call_table_free(own, table);
	strbuf_free(&path);
	strbuf_free(&notes);
	return rc;
}

/* Answers for each of its runs; the first that can't be answered fails the question, which is told:
 * an answer without one of its runs would be another answer. */
static int
answer(struct all *all, const struct saved_query *query, struct err *err)
{
	struct query_call own = call_of(all, query);
	struct err why = ERR_INIT;
	int rc = strcmp(query->name, INDEX) == 0
	             ? err_set(&why, ERR_USAGE, "the list of all answers is called so")
	             : 0;

	for (size_t i = 0; rc == 0 && i < own.runs.n; i++) {
		own.results[i] = query_run(own.runs.stores[i], query, own.arguments.all,
		                           own.arguments.n, &all->cli->cancel, &why);
		rc = own.results[i]   ? 0
		     : own.runs.n > 1 ? err_wrap(&why, "%s", own.runs.names[i])
		                      : -1;
	}
	if (rc && why.code == ERR_CANCELLED) {
		*err = why;
	} else if (rc) {
		cli_say("%s: %s", query->name, why.message);
		add_row(all, &own)[INDEX_ERROR] = value_text(all->index, slice_of(why.message));
		rc = 0;
	} else {
		rc = write_answer(all, &own, add_row(all, &own), err);
	}
	free_own(&own);
	return rc;
}

/* ---- all of them ---- */

/* Has it all that it must be given? */
static bool
is_complete(struct all *all, const struct saved_query *query)
{
	const struct argument_list *arguments = &all->call->arguments;

	for (size_t i = 0; i < query->n_params; i++) {
		size_t k = query->params[i].default_text ? arguments->n : 0;
		while (k < arguments->n &&
		       strcmp(arguments->all[k].name, query->params[i].name) != 0) {
			k++;
		}
		if (k == arguments->n && !query->params[i].default_text) {
			strbuf_printf(&all->left_out, "%s%s (-p %s=...)",
			              all->left_out.len ? ", " : "", query->name,
			              query->params[i].name);
			return false;
		}
	}
	return true;
}

static int
write_index(struct all *all, struct err *err)
{
	struct strbuf path = {0};
	struct output_choice choice = {.format = all->format->name,
	                               .inputs = &all->call->runs.inputs,
	                               .safe_csv = all->call->output.safe_csv};

	strbuf_printf(&path, "%s/" INDEX ".%s", all->folder.path, all->format->extension);
	choice.path = path.data;
	int rc = output_result(all->index, &choice, err);
	strbuf_free(&path);
	return rc;
}

static int
answer_all(struct all *all, struct err *err)
{
	int rc = folder_open(&all->folder, all->call->output.path, "lanescope query --all", err);

	for (size_t i = 0; rc == 0 && i < all->n_queries; i++) {
		if (is_complete(all, all->queries[i])) {
			rc = answer(all, all->queries[i], err);
		}
	}
	rc = rc ? rc : write_index(all, err);
	bool is_whole = rc == 0 && all->n_answers == all->index->n_rows;
	rc = folder_close(&all->folder, is_whole, err) ? -1 : rc;
	if (rc == 0) {
		if (all->left_out.len > 0) {
			cli_say("note: left out, as they must be told what: %s",
			        all->left_out.data);
		}
		cli_say("%s: %zu answers, listed in " INDEX ".%s", all->folder.path, all->n_answers,
		        all->format->extension);
	}
	return rc;
}

static int
open_all(struct all *all, struct err *err)
{
	struct query_call *call = all->call;
	struct output_choice file = {.format = call->output.format ? call->output.format : "csv"};

	classes_set(all->cli, &call->classes);
	call->library = query_library_open(call->queries_dir);
	query_say_broken(call->library, NULL);
	all->format = output_choose_format(&file, err);
	if (!all->format || run_set_open_some(&call->runs, all->cli, all->cli->words,
	                                      all->cli->n_words, NULL, err)) {
		return -1;
	}
	call->output.inputs = &call->runs.inputs;
	call->output.scope = &all->cli->scope;
	return list_questions(all, err) ? -1 : check_arguments(all, err);
}

int
query_all(struct query_call *call, struct cli *cli)
{
	struct all all = {.call = call,
	                  .cli = cli,
	                  .arena = arena_new(),
	                  .index = result_new("Answers", index_columns, COUNT_OF(index_columns))};
	struct err err = ERR_INIT;
	int status = open_all(&all, &err) || answer_all(&all, &err)             ? cli_fail(&err)
	             : all.n_answers < all.index->n_rows || call->runs.n_failed ? CLI_FAILED
	                                                                        : CLI_DONE;

	result_free(all.index);
	strbuf_free(&all.left_out);
	free(all.infos);
	free(all.queries);
	arena_free(all.arena);
	return status;
}
