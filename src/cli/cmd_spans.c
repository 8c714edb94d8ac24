/*
 * lanescope spans RUN...: spans as the explorer's list has them, in groups, or turned. A list is
 * read page by page, each beginning where the last one ended: memory does not grow with it where
 * the format streams.
 */
#include "config.h"
#include "cli/classes.h"
#include "cli/open.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/plot.h"
#include "cli/behind.h"

#include <stdlib.h>

#include "query/spans/span_filter.h"
#include "query/spans/span_groups.h"
#include "query/spans/span_list.h"
#include "util/order.h"

#define COLUMNS_LIMIT 10000 /* of a pivot */
#define PLOT_SPANS 1000000  /* of a chart, which has them all in memory, unless --limit says more */

struct spans_call {
	struct output_choice output;
	struct plot_choice plot;
	struct strbuf classes;
	const char *by, *pivot, *measure, *columns;
	char *filter;
	int64_t n_values;
	struct span_by dimensions; /* of by, then of pivot */
};

static int
take(void *user, int id, const char *value, struct err *err)
{
	struct spans_call *call = user;
	int rc = plot_take(&call->plot, id, value, err);

	if (rc) {
		return rc;
	}
	switch (id) {
	case OPTION_CLASS:
		return classes_take(&call->classes, value, err);
	case OPTION_FILTER:
		free(call->filter);
		call->filter = span_filter_write(slice_of(value), err);
		return call->filter ? 0 : err_wrap(err, "--filter");
	case OPTION_BY:
		call->by = value;
		return 0;
	case OPTION_PIVOT:
		call->pivot = value;
		return 0;
	case OPTION_MEASURE:
		call->measure = value;
		return 0;
	case OPTION_COLUMNS:
		call->columns = value;
		return 0;
	default:
		return output_take(&call->output, id, value, err);
	}
}

/* ---- in groups ---- */

/* By what, and what is to be a column of the last of it. */
static int
read_by(struct spans_call *call, struct err *err)
{
	struct strbuf all = {0};
	int64_t number;
	int rc = 0;

	if ((call->measure && !call->pivot) || (call->columns && !call->by)) {
		return err_set(err, ERR_USAGE, "%s",
		               call->measure ? "--measure is of a pivot: --pivot is missing"
		                             : "--columns are of groups: --by is missing");
	}
	if (call->pivot && !call->by) {
		return err_set(err, ERR_USAGE, "--pivot needs --by: what is a row");
	}
	if (!call->by) {
		return 0;
	}
	if (call->pivot && call->columns) {
		if (!slice_int64(slice_of(call->columns), &number) || number < 1 ||
		    number > COLUMNS_LIMIT) {
			return err_set(err, ERR_USAGE,
			               "--columns=%s: of a pivot it is how many, from 1 to %d",
			               call->columns, COLUMNS_LIMIT);
		}
		call->n_values = number;
	}
	strbuf_printf(&all, "%s%s%s", call->by, call->pivot ? ", " : "",
	              call->pivot ? call->pivot : "");
	rc = span_by_read(strbuf_slice(&all), &call->dimensions, err);
	strbuf_free(&all);
	return rc;
}

static struct result *
group(const struct spans_call *call, struct store *store, const struct cancel *cancel,
      struct err *err)
{
	struct span_groups request = {.by = &call->dimensions,
	                              .columns = call->pivot ? NULL : call->columns,
	                              .filter = call->filter,
	                              .cancel = cancel};

	request.dataset = store_dataset(store, err);
	if (!request.dataset) {
		return NULL;
	}
	return call->pivot ? span_pivot(&request, call->measure, (size_t)call->n_values, err)
	                   : span_groups(&request, err);
}

/* Of each run; those of several stand below each other. */
static int
answer_groups(struct spans_call *call, struct run_set *runs, const struct cancel *cancel,
              struct err *err)
{
	struct result **results = xcalloc(runs->n + 1, sizeof *results);
	size_t n = 0;
	int rc = 0;

	if (call->pivot && run_set_is_many(runs)) {
		rc =
		    err_set(err, ERR_USAGE, "a pivot is of one run: its columns are the run's own");
	}
	while (rc == 0 && n < runs->n) {
		results[n] = group(call, runs->stores[n], cancel, err);
		rc = results[n] ? 0 : -1;
		n += results[n] != NULL;
	}
	if (!call->output.sums_are_set) {
		call->output.sums = SUMS_FOR_PEOPLE;
	}
	rc = rc ? rc : plot_or_print_stacked(results, &call->plot, runs, &call->output, err);
	while (n > 0) {
		result_free(results[--n]);
	}
	free(results);
	return rc;
}

/* ---- one by one ---- */

/* Whoever gets the rows: a result, for formats that must see all of it, or the output. */
struct rows_taker {
	struct result *result; /* or NULL */
	struct output_stream *stream;
};

static int
take_row(void *user, const struct value *values, struct err *err)
{
	struct rows_taker *taker = user;
	struct value *row;

	if (!taker->result) {
		return output_stream_row(taker->stream, values, err);
	}
	row = result_add_row(taker->result);
	for (size_t c = 0; c < SPAN_COLUMNS; c++) {
		row[c] = value_copy(taker->result, &values[c]);
	}
	return 0;
}

static int
read_rows(const struct span_list *list, int64_t most, struct rows_taker *taker, struct err *err)
{
	struct span_figures figures;

	return span_list_figures(list, &figures, err)
	           ? -1
	           : span_list_read(list, &figures, most, take_row, taker, err);
}

/* --sort, which the list does itself. */
static int
read_order(struct spans_call *call, struct span_list *list, char **column, struct err *err)
{
	const char *sort = call->output.sort ? call->output.sort : "start";

	list->is_descending = *sort == '-';
	call->output.sort = NULL;
	if (span_list_key_read(slice_of(sort + list->is_descending), &list->key, column, err)) {
		return -1;
	}
	list->column = *column;
	return 0;
}

static int64_t
choose_most(const struct output_choice *choice, int64_t most)
{
	return choice->limited ? (int64_t)LEAST(choice->limit, (size_t)INT64_MAX) : most;
}

/* NULL on error. */
static struct result *
collect(const struct span_list *list, int64_t most, struct err *err)
{
	struct rows_taker taker = {.result = result_new("Spans", span_columns, SPAN_COLUMNS)};

	if (read_rows(list, most, &taker, err)) {
		result_free(taker.result);
		return NULL;
	}
	return taker.result;
}

int
spans_output(const struct span_list *list, const struct output_choice *output_choice,
             struct err *err)
{
	int64_t most = choose_most(output_choice, INT64_MAX);
	const struct export_format *format = output_choose_format(output_choice, err);
	struct output output;
	struct output_stream stream = {.output = &output};
	struct rows_taker taker = {.stream = &stream};

	if (!format) {
		return -1;
	}
	if (!format->row || output_choice->sums == SUMS_ALWAYS) {
		struct result *result = collect(list, most, err);
		int rc = result ? output_result(result, output_choice, err) : -1;

		result_free(result);
		return rc;
	}
	if (output_open(&output, output_choice, err)) {
		return -1;
	}
	int rc = output_stream_columns(&stream, span_columns, SPAN_COLUMNS, err);

	rc = rc ? rc : read_rows(list, most, &taker, err);
	rc = output_stream_end(&stream, rc, err);
	return output_close(&output, rc, err);
}

static int
plot_list(const struct spans_call *call, const struct span_list *list, const struct run_set *runs,
          struct err *err)
{
	int64_t most = choose_most(&call->output, PLOT_SPANS);
	struct result *result = collect(list, most, err);

	if (result && !call->output.limited && result->n_rows == (size_t)most) {
		result_add_note(result,
		                "the first %lld spans alone: --limit takes more, --filter others",
		                (long long)most);
	}
	int rc = result ? plot_or_print(result, NULL, &call->plot, &call->output, runs, err) : -1;
	result_free(result);
	return rc;
}

static int
answer_one(struct spans_call *call, struct run_set *runs, const struct cancel *cancel,
           struct err *err)
{
	struct span_list list = {.filter = call->filter, .cancel = cancel};
	char *column = NULL;

	if (run_set_is_many(runs)) {
		return err_set(err, ERR_USAGE, "the list is of one run (--by: of many)");
	}
	list.dataset = store_dataset(runs->stores[0], err);
	int rc = list.dataset ? read_order(call, &list, &column, err) : -1;

	rc = rc                    ? rc
	     : call->plot.is_asked ? plot_list(call, &list, runs, err)
	                           : spans_output(&list, &call->output, err);
	free(column);
	return rc;
}

int
command_spans(struct cli *cli)
{
	struct spans_call call = {.by = NULL};
	struct run_set runs;
	struct err err = ERR_INIT;
	int rc = options_parse(cli, take, &call, &err), status;

	classes_set(cli, &call.classes);
	if (rc || (cli->n_words == 0 && err_set(&err, ERR_USAGE, "of which run?")) ||
	    plot_settle(&call.plot, &call.output, &err) || read_by(&call, &err)) {
		status = cli_usage(cli, &err);
	} else if (run_set_open(&runs, cli, cli->words, cli->n_words, false, &err)) {
		status = cli_fail(&err);
	} else {
		call.output.inputs = &runs.inputs;
		call.output.scope = &cli->scope;
		rc = output_check(&call.output, &err);
		rc = rc        ? rc
		     : call.by ? answer_groups(&call, &runs, &cli->cancel, &err)
		               : answer_one(&call, &runs, &cli->cancel, &err);
		status = rc == 0                 ? CLI_DONE
		         : err.code == ERR_USAGE ? cli_usage(cli, &err)
		                                 : cli_fail(&err);
		run_set_close(&runs);
	}
	span_by_free(&call.dimensions);
	free(call.filter);
	return status;
}
