/* lanescope diff NAME A B: the same query on two runs, or groups of them, joined on its key,
 * subtracted. */
#include "config.h"
#include "cli/cmd_diff.h"
#include "cli/groups.h"
#include "cli/query_call.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"

int
diff_choose_measures(struct result *result, const char *list, struct err *err)
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

int
diff_sort(struct result *diff, struct err *err)
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

/* Is it the column named, or the `name` of a measure ("delta")? */
static bool
is_called(const struct result_column *column, struct slice name)
{
	const char *end = strrchr(column->name, '_');
	return slice_is(name, column->name) || (!column->is_key && end && slice_is(name, end + 1));
}

int
diff_choose_columns(struct result *diff, const char *list, struct err *err)
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
	if (call->plot.is_asked) { /* of any column of the difference */
		return plot_or_print(diff, NULL, &call->plot, &call->output, &call->runs, err);
	}
	const struct export_format *format = output_choose_format(&call->output, err);
	const char *columns = call->output.columns    ? call->output.columns
	                      : format && format->row ? COLUMNS_ALL
	                                              : DIFF_COLUMNS_FOR_PEOPLE;
	call->output.columns = NULL;
	if (!format || output_arrange(diff, &call->output, err) ||
	    (strcmp(columns, COLUMNS_ALL) != 0 && diff_choose_columns(diff, columns, err))) {
		return -1;
	}
	struct output_choice arranged = call->output;
	arranged.sort = NULL;
	arranged.limited = false;
	arranged.sums = SUMS_NEVER;
	return output_result(diff, &arranged, err);
}

/* What the answers of a side's runs come to: the one, or their median; *made: to be freed. */
static const struct result *
take_side(const struct query_call *call, unsigned side, struct result **made, char **name,
          struct err *err)
{
	size_t first = side ? call->n_a : 0, n = side ? call->runs.n - call->n_a : call->n_a;
	struct strbuf text = {0};
	if (n == 1) {
		*name = xstrdup(call->runs.names[first]);
		return call->results[first];
	}
	strbuf_printf(&text, "the median of %zu runs", n);
	*name = strbuf_take(&text);
	return *made = query_median(call->results + first, n, call->key, err);
}

static int
answer(struct query_call *call, struct err *err)
{
	struct result *medians[2] = {NULL, NULL}, *diff = NULL;
	char *names[2] = {NULL, NULL};
	int rc = 0;
	for (size_t i = 0; rc == 0 && call->measures && i < call->runs.n; i++) {
		rc = diff_choose_measures(call->results[i], call->measures, err);
	}
	const struct result *a = rc ? NULL : take_side(call, 0, &medians[0], &names[0], err);
	const struct result *b = a ? take_side(call, 1, &medians[1], &names[1], err) : NULL;
	diff = b ? query_diff(a, b, names[0], names[1], call->key, call->is_rel_to_b, err) : NULL;
	if (diff && !call->gate.is_quiet) {
		struct result *const sides[2] = {(struct result *)a, (struct result *)b};
		query_note_rankings(diff, call->query, sides, (const char *const *)names, 2,
		                    call->key);
		query_note_differences(diff, call->runs.stores, call->runs.names, NULL,
		                       call->runs.n);
		query_call_note_problems(call, diff);
		query_call_sums(call);
	}
	if (diff && call->plot.is_asked) {
		diff->title =
		    arena_printf(diff->arena, "%s, %s - %s", diff->title, names[1], names[0]);
	}
	rc = diff ? query_call_gate(call, diff, err) : -1;
	if (rc == 0 && !call->gate.is_quiet) {
		rc = !call->output.sort && diff_sort(diff, err) ? -1 : print(diff, call, err);
	}
	result_free(diff);
	for (unsigned side = 0; side < 2; side++) {
		result_free(medians[side]);
		free(names[side]);
	}
	return rc;
}

static bool
is_grouped(const struct query_call *call)
{
	return call->groups[0].n || call->groups[1].n;
}

static int
check_words(const struct query_call *call, const struct cli *cli, struct err *err)
{
	if (is_grouped(call) && cli->n_words != 1) {
		return err_set(err, ERR_USAGE,
		               "it takes a query, and runs by --a and --b or without, not both");
	}
	return is_grouped(call) || cli->n_words == 3
	           ? gate_check(&call->gate, err)
	           : err_set(err, ERR_USAGE, "it takes a query and two runs");
}

static int
run(struct query_call *call, struct cli *cli, struct err *err)
{
	struct path_list files = {0};
	const char *name = cli->words[0];
	bool grouped = is_grouped(call);
	cli->words++;
	cli->n_words--;
	call->n_a = 1;
	int rc = grouped ? groups_find(cli, call->groups, &files, &call->n_a, err) : 0;
	if (rc == 0 && grouped) {
		cli->words = files.paths;
		cli->n_words = files.n;
	}
	rc = rc ? rc : query_call_run(call, cli, name, true, err);
	path_list_free(&files);
	if (rc == 0 && !grouped && call->runs.n != 2) {
		return err_set(err, ERR_USAGE, "diff needs two runs: these are %zu", call->runs.n);
	}
	return rc ? rc : answer(call, err);
}

int
command_diff(struct cli *cli)
{
	struct query_call call = {0};
	struct err err = ERR_INIT;
	int status = CLI_DONE;
	char **spread = groups_spread(&cli->argc, cli->argv);
	cli->argv = spread;
	if (options_parse(cli, query_call_take, &call, &err) ||
	    plot_settle(&call.plot, &call.output, &err) || check_words(&call, cli, &err)) {
		status = cli_usage(cli, &err);
	} else if (run(&call, cli, &err) == 0 || gate_tells_why(&call.gate, &call.runs, &err)) {
		status = gate_status(&call.gate);
	} else {
		status = cli_fail(&err);
	}
	query_call_free(&call);
	free(spread);
	return status;
}
