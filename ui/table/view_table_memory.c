/* What a table's user chose is kept under the source's name:
 * "table.task-times.sort", ".columns", ".filter1", ".filter2" ... */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/table/view_table.h"

static void
key_of(const struct table_view *table, struct strbuf *key, const char *what, size_t number)
{
	strbuf_clear(key);
	strbuf_printf(key, "table.%s.%s", table->source->memory, what);
	if (number > 0) {
		strbuf_printf(key, "%zu", number);
	}
}

void
table_remember(const struct view *view)
{
	const struct table_view *table = view->state;
	struct strbuf key = {0}, text = {0};

	if (!table->source->memory || !table->model.result) {
		return;
	}
	strbuf_add_text(&text, "");
	table_model_sort_text(&table->model, &text);
	key_of(table, &key, "sort", 0);
	app_remember(view->app, key.data, text.data);
	strbuf_clear(&text);
	strbuf_add_text(&text, "");
	grid_write(&table->grid, &text);
	key_of(table, &key, "columns", 0);
	app_remember(view->app, key.data, text.data);
	for (size_t i = 0; i < table->model.wish.n_filters; i++) {
		key_of(table, &key, "filter", i + 1);
		app_remember(view->app, key.data, table->model.wish.filters[i]);
	}
	key_of(table, &key, "filter", table->model.wish.n_filters + 1);
	app_remember(view->app, key.data, NULL);
	strbuf_free(&text);
	strbuf_free(&key);
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
	struct strbuf key = {0};
	struct err ignored = ERR_INIT;

	if (table->source->memory) {
		key_of(table, &key, "sort", 0);
		text = app_recall(view->app, key.data);
		if (text) {
			free(sort);
			sort = xstrdup(text);
		}
		key_of(table, &key, "columns", 0);
		text = app_recall(view->app, key.data);
		if (text) {
			grid_read(&table->grid, text);
		}
		for (size_t i = 1;; i++) {
			key_of(table, &key, "filter", i);
			text = app_recall(view->app, key.data);
			if (!text) {
				break;
			}
			(void)table_model_filter(&table->model, slice_of(text), &ignored);
		}
	}
	if (sort && table_model_sort_by(&table->model, sort, &ignored) != 0) {
		free(sort); /* by a column that is not shown now */
		sort = first_sort(table);
		(void)table_model_sort_by(&table->model, sort ? sort : "", &ignored);
	}
	free(sort);
	strbuf_free(&key);
}
