/* Rows are numbered as they are printed without a limit: by the query's own order, or --sort. */
#include "config.h"
#include "cli/behind.h"

#include <stdlib.h>

#include "query/saved/row_place.h"

static int
output_query(struct query_call *call, const struct drill *drill, const struct result *rows,
             size_t row, const struct cancel *cancel, struct err *err)
{
	const struct saved_query *target =
	    query_library_find(call->library, call->query->drill.view, err);

	if (!target) {
		return -1;
	}
	char **texts = drill_texts(drill, target->params, target->n_params, rows, row);
	struct query_argument *arguments = xcalloc(target->n_params + 1, sizeof *arguments);
	struct strbuf said = {0};
	size_t n = 0;

	for (size_t i = 0; i < target->n_params; i++) {
		if (texts[i]) {
			arguments[n++] = (struct query_argument){target->params[i].name, texts[i]};
			strbuf_printf(&said, " -p '%s=%s'", target->params[i].name, texts[i]);
		}
	}
	struct result *behind = query_run(call->runs.stores[0], target, arguments, n, cancel, err);
	int rc = behind ? 0 : -1;

	if (behind) {
		result_add_note(behind, "row %zu: query %s%s", row + 1, target->name,
		                said.data ? said.data : "");
		rc = output_result(behind, &call->output, err);
	}
	result_free(behind);
	for (size_t i = 0; i < target->n_params; i++) {
		free(texts[i]);
	}
	free(texts);
	free(arguments);
	strbuf_free(&said);
	return rc;
}

static int
output_spans(struct query_call *call, const struct row_place *place, const struct cancel *cancel,
             struct err *err)
{
	struct span_list list = {.filter = place->filter, .key = SPAN_KEY_START, .cancel = cancel};

	if (!place->filter) {
		return err_set(err, ERR_USAGE, "query %s: %s", call->query->name, place->why_not);
	}
	list.dataset = store_dataset(call->runs.stores[0], err);
	if (!list.dataset) {
		return -1;
	}
	cli_say("note: row %lld: spans of %s", (long long)call->behind, place->filter);
	return spans_output(&list, &call->output, err);
}

int
behind_output(struct query_call *call, const struct cancel *cancel, struct err *err)
{
	struct output_choice order = {.sort = call->output.sort};
	struct result *rows = call->results[0];
	struct row_place place = {0};
	int rc;

	if (run_set_is_many(&call->runs) || call->wide) {
		return err_set(err, ERR_USAGE, "--behind is of a row of one run");
	}
	if (output_arrange(rows, &order, err)) {
		return -1;
	}
	call->output.sort = NULL;
	if (call->behind < 1 || (size_t)call->behind > rows->n_rows) {
		return err_set(err, ERR_USAGE, "--behind %lld: the answer has %zu row%s",
		               (long long)call->behind, rows->n_rows, rows->n_rows == 1 ? "" : "s");
	}
	size_t row = (size_t)call->behind - 1;
	char **texts = xcalloc(call->query->n_params + 1, sizeof *texts);

	for (size_t i = 0; i < call->arguments.n; i++) {
		size_t at = name_find(slice_of(call->arguments.all[i].name), call->query->params,
		                      call->query->n_params, sizeof *call->query->params);

		if (at < call->query->n_params) {
			texts[at] = (char *)call->arguments.all[i].text;
		}
	}
	struct drill drill = drill_of_query(call->query, texts);

	if (drill_target(&call->query->drill) == DRILL_QUERY) {
		rc = output_query(call, &drill, rows, row, cancel, err);
	} else {
		row_place_read(&drill, rows, row, &place);
		rc = output_spans(call, &place, cancel, err);
		row_place_free(&place);
	}
	free(texts);
	return rc;
}
