/*
 * Rows in groups. A table whose source knows the spans behind it has these grouped anew; of any
 * other table the rows that are shown are counted (frequency.c) or turned (table_pivot.c).
 */
#include "config.h"

#include <stdlib.h>

#include "ui/table/frequency.h"
#include "ui/table/table_pivot.h"
#include "ui/table/view_table.h"

void
table_open_frequency(struct view *view, size_t column)
{
	const struct table_view *table = view->state;

	view_open(view, PLACE_SOURCE, .source = frequency_source(&table->model, column));
}

void
table_prompt_group(struct view *view, enum prompt_kind kind)
{
	const struct table_view *table = view->state;
	size_t column = grid_selected(&table->grid);
	struct strbuf text = {0};

	if (table->list.n == 0 || column == SIZE_MAX) {
		return;
	}
	if (!table->source->ops->regroup && kind == PROMPT_GROUP) {
		table_open_frequency(view, column);
		return;
	}
	if (kind == PROMPT_GROUP) {
		strbuf_printf(&text, "%s, ", table->source->by);
		app_prompt(view->app, kind, "group by: ", text.data);
	} else {
		strbuf_printf(&text, "%s by ",
		              table->source->by ? table->source->by
		                                : table->model.result->columns[column].name);
		app_prompt(view->app, kind, "pivot ROWS by COLUMN [MEASURE]: ", text.data);
	}
	strbuf_free(&text);
}

int
table_group(struct view *view, enum prompt_kind kind, struct slice text, struct err *err)
{
	struct table_view *table = view->state;
	const struct table_source *source = table->source;
	struct table_source *pivot;

	if (source->ops->regroup) {
		return source->ops->regroup(source, view, kind, text, err);
	}
	if (!table->model.result) {
		return err_set(err, ERR_USAGE, "there are no rows yet");
	}
	if (kind == PROMPT_GROUP) {
		char *name = text_new(text);
		int column = result_column_find(table->model.result, name, err);

		free(name);
		if (column >= 0) {
			table_open_frequency(view, (size_t)column);
		}
		return column < 0 ? -1 : 0;
	}
	pivot = table_source_pivot(&table->model, text, err);
	if (pivot) {
		view_open(view, PLACE_SOURCE, .source = pivot);
	}
	return pivot ? 0 : -1;
}

void
table_complete_group(const struct view *view, struct completion *completion)
{
	const struct table_view *table = view->state;

	if (table->source->ops->words) {
		table->source->ops->words(table->source, completion);
		return;
	}
	table_model_complete(&table->model, "", completion);
	completion_add_text(completion, "by");
}
