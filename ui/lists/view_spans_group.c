/* The spans of the list in groups: by the selected column, or by what is typed. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/lists/span_groups_source.h"
#include "ui/lists/view_spans.h"

int
spans_group(struct view *view, enum prompt_kind kind, struct slice text, struct err *err)
{
	struct spans_view *spans = view->state;
	char *filter = filter_stack_all(&spans->filters);
	int rc = span_groups_open(view, filter, kind, text, spans->keys, err);

	free(filter);
	return rc;
}

/* What stands for a column of the list among those that can be grouped by; "": it tells every span
 * apart. */
static const char *
by_of(const char *column)
{
	static const char *const others[][2] = {
	    {"start", "start("}, {"arguments", "arg."}, {"id", ""}};

	for (size_t i = 0; i < COUNT_OF(others); i++) {
		if (strcmp(column, others[i][0]) == 0) {
			return others[i][1];
		}
	}
	return column;
}

void
spans_prompt_group(struct view *view, enum prompt_kind kind)
{
	struct spans_view *spans = view->state;
	size_t column = grid_selected(&spans->grid);
	const char *by = column == SIZE_MAX ? "" : by_of(span_columns[column].name);
	bool is_whole = *by && !strchr("(.", by[strlen(by) - 1]);
	struct err err = ERR_INIT;
	struct strbuf text = {0};

	if (kind == PROMPT_GROUP && is_whole) {
		if (spans_group(view, kind, slice_of(by), &err)) {
			view_fail(view, err.message);
		}
		return;
	}
	strbuf_printf(&text, "%s%s", by, kind == PROMPT_PIVOT && is_whole ? " by " : "");
	app_prompt(view->app, kind,
	           kind == PROMPT_GROUP ? "group by: " : "pivot ROWS by COLUMN [MEASURE]: ",
	           text.data ? text.data : "");
	strbuf_free(&text);
}
