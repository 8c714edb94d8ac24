/* What a table's user chose is kept under the source's name:
 * "table.task-times.sort", ".columns", ".filter1", ".filter2" ... */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/table/view_table.h"

/* New. */
static char *
key_of(const struct view *view, const char *what, size_t number)
{
	const struct table_view *table = view->state;
	struct strbuf key = {0};

	strbuf_printf(&key, "table.%s.%s", table->source->memory, what);
	if (number > 0) {
		strbuf_printf(&key, "%zu", number);
	}
	return strbuf_take(&key);
}

static void
remember(const struct view *view, const char *what, size_t number, const char *text)
{
	char *key = key_of(view, what, number);

	view_remember(view, key, text);
	free(key);
}

static const char *
recall(const struct view *view, const char *what, size_t number)
{
	char *key = key_of(view, what, number);
	const char *text = view_recall(view, key);

	free(key);
	return text;
}

void
table_remember(const struct view *view)
{
	const struct table_view *table = view->state;
	const struct table_wish *wish = &table->model.wish;
	struct strbuf text = {0};

	if (!table->source->memory || !table->model.result) {
		return;
	}
	strbuf_add_text(&text, "");
	table_model_sort_text(&table->model, &text);
	remember(view, "sort", 0, text.data);
	strbuf_clear(&text);
	strbuf_add_text(&text, "");
	grid_write(&table->grid, &text);
	remember(view, "columns", 0, text.data);
	for (size_t i = 0; i <= wish->filters.n; i++) {
		remember(view, "filter", i + 1,
		         i < wish->filters.n ? wish->filters.filters[i] : NULL);
	}
	strbuf_free(&text);
}

/* As the answer came: by the query's first column, or by the size of the leading difference. NULL:
 * neither. */
static char *
first_sort(const struct table_view *table)
{
	const struct saved_query *query = table->source->query;
	const struct result *result = table->model.result;
	struct strbuf sort = {0};

	if (query && query->sort) {
		return xstrndup(query->sort, strcspn(query->sort, ","));
	}
	if (table->source->sort) {
		return xstrdup(table->source->sort);
	}
	for (size_t i = 0; i < result->n_columns; i++) {
		if (result_difference(result, i) != DIFFERENCE_NONE) {
			strbuf_printf(&sort, "-|%s|", result->columns[i].name);
			return strbuf_take(&sort);
		}
	}
	return NULL;
}

/* What no longer fits (a changed query) is passed over. Of the query's own order the first column
 * is enough: sorting is stable, and the answer came in that order. */
void
table_recall(struct view *view)
{
	struct table_view *table = view->state;
	char *sort = first_sort(table);
	const char *text;
	struct err ignored = ERR_INIT;

	if (table->source->memory) {
		text = recall(view, "sort", 0);
		if (text) {
			free(sort);
			sort = xstrdup(text);
		}
		text = recall(view, "columns", 0);
		if (text) {
			grid_read(&table->grid, text);
		}
		for (size_t i = 1; (text = recall(view, "filter", i)) != NULL; i++) {
			(void)table_model_filter(&table->model, slice_of(text), &ignored);
		}
	}
	if (sort && table_model_sort_by(&table->model, sort, &ignored) != 0) {
		free(sort); /* by a column that is not shown now */
		sort = first_sort(table);
		(void)table_model_sort_by(&table->model, sort ? sort : "", &ignored);
	}
	free(sort);
}
