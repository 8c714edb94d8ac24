/* lanescope queries [RUN]: the saved queries there are, or those that apply to a run. */
#include "config.h"
#include "cli/query_call.h"

#include <stdio.h>
#include <string.h>

#include "util/json_document.h"

struct queries_choice {
	struct output_choice output;
	const char *queries_dir, *sql;
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct queries_choice *choice = user;
	if (id == OPTION_QUERIES) {
		choice->queries_dir = value;
		return 0;
	}
	if (id == OPTION_SQL) {
		choice->sql = value;
		return 0;
	}
	return output_take(&choice->output, id, value, err);
}

static void
add_query(struct result *result, const struct saved_query *query)
{
	struct strbuf params = {0};
	for (size_t p = 0; p < query->n_params; p++) {
		const struct query_param *param = &query->params[p];
		strbuf_printf(&params, "%s%s%s%s", p ? " " : "", param->name,
		              param->default_text ? "=" : "",
		              param->default_text ? param->default_text : "");
	}
	struct value *row = result_add_row(result);
	row[0] = value_text(result, slice_of(query->name));
	row[1] = value_text(result, slice_of(query->formats));
	row[2] = value_text(result, slice_of(query->title));
	row[3] = value_text(result, slice_of(params.data ? params.data : ""));
	row[4] = value_text(result, slice_of(query->origin));
	strbuf_free(&params);
}

static void
add_param(struct json_document *document, const struct query_param *param)
{
	json_document_open(document, NULL, false);
	json_document_text(document, "name", param->name);
	json_document_text(document, "kind", column_kinds[param->kind].name);
	json_document_text(document, "default", param->default_text);
	json_document_text(document, "allowed", param->allowed);
	json_document_text(document, "description", param->about);
	json_document_close(document);
}

static void
add_column(struct json_document *document, const struct result_column *column)
{
	static const char *const better[] = {"none", "lower", "higher"};
	const char *name;

	json_document_open(document, NULL, false);
	json_document_text(document, "name", column->name);
	json_document_text(document, "kind", column_kinds[column->kind].name);
	json_document_text(document, "unit", column_unit(column));
	json_document_text(document, "description", column_about(column));
	json_document_text(document, "better", better[column->better]);
	json_document_open(document, "aliases", true);
	for (size_t i = 0; (name = column_alias(column->name, i)) != NULL; i++) {
		if (strcmp(name, column->name) != 0) {
			json_document_text(document, NULL, name);
		}
	}
	json_document_close(document);
	json_document_close(document);
}

/* A row of the list, and all that the header says. */
static void
add_document(struct json_document *document, const struct result *list, size_t row,
             const struct saved_query *query)
{
	json_document_open(document, NULL, false);
	for (size_t i = 0; i < list->n_columns; i++) {
		json_document_text(document, list->columns[i].name,
		                   result_value(list, row, i)->text.ptr);
	}
	json_document_text(document, "about", query->about);
	if (query->scope) {
		json_document_text(document, "scope", query->scope);
	}
	json_document_open(document, "params", true);
	for (size_t i = 0; i < query->n_params; i++) {
		add_param(document, &query->params[i]);
	}
	json_document_close(document);
	json_document_open(document, "columns", true);
	for (size_t i = 0; i < query->n_columns; i++) {
		add_column(document, &query->columns[i]);
	}
	json_document_close(document);
	json_document_close(document);
}

static int
write_documents(const struct query_library *library, const struct result *list,
                const struct output_choice *choice, struct err *err)
{
	struct json_document *document = json_document_new();
	struct output output;
	int rc = output_open(&output, choice, err);

	for (size_t i = 0; rc == 0 && i < list->n_rows; i++) {
		add_document(document, list, i,
		             query_library_find(library, result_value(list, i, 0)->text.ptr, err));
	}
	if (rc == 0) {
		json_document_write(document, output.is_terminal, output.file);
		rc = output_close(&output, 0, err);
	}
	json_document_free(document);
	return rc;
}

/* Those that fit the run best come first, each kind by name. */
static void
list_queries(const struct query_library *library, const struct run_info *run, struct result *result)
{
	for (enum query_rank rank = 0; rank < QUERY_RANK_EMPTY; rank++) {
		for (size_t i = 0; i < query_library_count(library); i++) {
			const struct saved_query *query = query_library_get(library, i);
			if (run ? query_rank(query, run) == rank : rank == 0) {
				add_query(result, query);
			}
		}
	}
}

static struct result *
query_list(const struct query_library *library, const struct run_info *run)
{
	static const struct result_column columns[] = {{.name = "query"},
	                                               {.name = "format"},
	                                               {.name = "title"},
	                                               {.name = "parameters"},
	                                               {.name = "origin"}};
	struct result *result = result_new("Saved queries", columns, COUNT_OF(columns));
	list_queries(library, run, result);
	return result;
}

/* store NULL: all there are. */
static int
list_all(const struct query_library *library, struct store *store,
         const struct queries_choice *choice, struct err *err)
{
	struct arena *arena = arena_new();
	struct run_info info = store ? *store_run(store) : (struct run_info){.name = ""};
	int rc = -1;

	info.has = store ? query_needs_read(store, library, arena, err) : "";
	if (info.has) {
		struct result *result = query_list(library, store ? &info : NULL);
		const struct export_format *format = output_choose_format(&choice->output, err);
		if (format && strcmp(format->name, "json") != 0) {
			rc = output_result(result, &choice->output, err);
		} else if (format && output_arrange(result, &choice->output, err) == 0) {
			rc = write_documents(library, result, &choice->output, err);
		}
		result_free(result);
	}
	arena_free(arena);
	return rc;
}

static int
answer(struct cli *cli, struct queries_choice *choice, struct err *err)
{
	struct query_library *library = query_library_open(choice->queries_dir);
	struct run_set set = {0};
	int rc = -1;
	query_say_broken(library, choice->sql);
	if (choice->sql) {
		const struct saved_query *query = query_library_take(library, choice->sql, err);
		rc = query ? 0 : -1;
		if (query) {
			fputs(query->sql, stdout);
		}
	} else if (!cli->n_words ||
	           run_set_open(&set, cli, cli->words, cli->n_words, false, err) == 0) {
		choice->output.inputs = &set.inputs;
		rc = list_all(library, cli->n_words ? set.stores[0] : NULL, choice, err);
	}
	run_set_close(&set);
	query_library_close(library);
	return rc;
}

int
command_queries(struct cli *cli)
{
	struct queries_choice choice = {0};
	struct err err = ERR_INIT;
	if (options_parse(cli, take, &choice, &err)) {
		return cli_usage(cli, &err);
	}
	return answer(cli, &choice, &err) ? cli_fail(&err) : CLI_DONE;
}
