/* lanescope diff NAME A B: the same query on two runs, joined on its key, subtracted. */
#include "config.h"
#include "cli/query_call.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"

/* --measure: only these columns are compared, first the first. */
static int
choose_measures(struct result *result, const char *list, struct err *err)
{
	for (size_t i = 0; i < result->n_columns; i++) {
		result->columns[i].is_measure = result->columns[i].is_lead = false;
	}
	bool is_first = true;
	for (struct slice rest = slice_of(list), item; list_next(&rest, &item); is_first = false) {
		char *name = xstrndup(item.ptr, item.len);
		int column = result_column_find(result, name, err);
		free(name);
		if (column < 0) {
			return err_wrap(err, "measure \"%s\"", list);
		}
		result->columns[column].is_measure = true;
		result->columns[column].is_lead = is_first;
	}
	return 0;
}

/* Worst first: by the first measure's delta. */
static int
sort_by_first_delta(struct result *diff, struct err *err)
{
	for (size_t i = 0; i < diff->n_columns; i++) {
		if (diff->columns[i].is_measure) {
			struct strbuf order = {0};
			strbuf_printf(&order, "%s%s",
			              diff->columns[i].better == BETTER_HIGHER ? "" : "-",
			              diff->columns[i].name);
			int rc = result_sort(diff, order.data, err);
			strbuf_free(&order);
			return rc;
		}
	}
	return 0;
}

#define COLUMNS_ALL "all"
#define COLUMNS_FOR_PEOPLE "a, b, delta, rel"

/* Is it the column named, or the `name` of a measure ("delta")? */
static bool
is_called(const struct result_column *column, struct slice name)
{
	const char *end = strrchr(column->name, '_');
	return slice_is(name, column->name) || (!column->is_key && end && slice_is(name, end + 1));
}

/* Which columns a list of names keeps: these and the keys. */
static int
choose_columns(struct result *diff, const char *list, struct err *err)
{
	bool *keeps = xcalloc(diff->n_columns + 1, sizeof *keeps);
	int rc = 0;
	for (size_t i = 0; i < diff->n_columns; i++) {
		keeps[i] = diff->columns[i].is_key;
	}
	for (struct slice rest = slice_of(list), item; rc == 0 && list_next(&rest, &item);) {
		size_t n = 0;
		for (size_t i = 0; i < diff->n_columns; i++) {
			bool is_meant = is_called(&diff->columns[i], item);
			keeps[i] = keeps[i] || is_meant;
			n += is_meant;
		}
		if (n == 0) {
			char *name = xstrndup(item.ptr, item.len);
			(void)result_column_find(diff, name, err);
			free(name);
			rc = err_wrap(err, "--columns %s: not all, nor of a, b, delta, ratio, rel",
			              list);
		}
	}
	if (rc == 0) {
		result_keep_columns(diff, keeps);
	}
	free(keeps);
	return rc;
}

/* Rows may be ordered by a column that is not shown: they are before any goes. */
static int
print(struct result *diff, struct query_call *call, struct err *err)
{
	const struct export_format *format = output_choose_format(&call->output, err);
	const char *columns = call->columns           ? call->columns
	                      : format && format->row ? COLUMNS_ALL
	                                              : COLUMNS_FOR_PEOPLE;
	if (!format || output_arrange(diff, &call->output, err) ||
	    (strcmp(columns, COLUMNS_ALL) != 0 && choose_columns(diff, columns, err))) {
		return -1;
	}
	struct output_choice arranged = call->output;
	arranged.sort = NULL;
	arranged.limited = false;
	arranged.sums = SUMS_NEVER;
	return output_result(diff, &arranged, err);
}

static int
answer(struct query_call *call, struct err *err)
{
	if (call->runs.n != 2) {
		return err_set(err, ERR_USAGE, "diff needs two runs: these are %zu", call->runs.n);
	}
	for (size_t i = 0; call->measures && i < 2; i++) {
		if (choose_measures(call->results[i], call->measures, err)) {
			return -1;
		}
	}
	struct result *diff = query_diff(call->results[0], call->results[1], call->runs.names[0],
	                                 call->runs.names[1], call->key, call->is_rel_to_b, err);
	if (!diff) {
		return -1;
	}
	query_note_rankings(diff, call->query, call->results, call->runs.names, 2, call->key);
	query_note_differences(diff, call->runs.stores, call->runs.names, 2);
	query_call_note_problems(call, diff);
	query_call_sums(call);
	int rc = !call->output.sort && sort_by_first_delta(diff, err) ? -1 : print(diff, call, err);
	result_free(diff);
	return rc;
}

int
command_diff(struct cli *cli)
{
	struct query_call call = {0};
	struct err err = ERR_INIT;
	int status = CLI_DONE;
	if (options_parse(cli, query_call_take, &call, &err) ||
	    (cli->n_words != 3 && err_set(&err, ERR_USAGE, "it takes a query and two runs"))) {
		status = cli_usage(cli, &err);
	} else if (query_call_run(&call, cli, NULL, true, &err) || answer(&call, &err)) {
		status = cli_fail(&err);
	}
	query_call_free(&call);
	return status;
}
