/* Turned on the worker: the rows may be a million. */
#include "config.h"

#include "ui/table/table_pivot.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/pivot.h"
#include "ui/base/result_copy.h"
#include "ui/table/table_filter.h"
#include "ui/table/view_table.h"

struct table_pivot {
	struct table_source source;
	struct result_hold *hold;
	size_t *rows; /* those shown when it was asked for */
	size_t n_rows;
	struct pivot pivot;
};

/* ---- what is typed ---- */

/* The last " by " outside of quotes; NULL: there is none. */
static const char *
find_by(struct slice text)
{
	const char *found = NULL;
	char quote = '\0';

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (quote ? c == quote : c == '"' || c == '\'') {
			quote = quote ? '\0' : c;
		} else if (!quote && i + 4 <= text.len && i > 0 &&
		           slice_is_anycase((struct slice){text.ptr + i, 4}, " by ")) {
			found = text.ptr + i;
		}
	}
	return found;
}

/* Up to the first blank outside of quotes. */
static size_t
word_length(struct slice text)
{
	char quote = '\0';
	size_t n = 0;

	while (n < text.len && (quote || text.ptr[n] != ' ')) {
		char c = text.ptr[n++];

		if (quote ? c == quote : c == '"' || c == '\'') {
			quote = quote ? '\0' : c;
		}
	}
	return n;
}

int
pivot_text_read(struct slice text, struct pivot_text *parts, struct err *err)
{
	const char *by = find_by(text);
	struct slice rest;
	size_t n;

	if (!by) {
		return err_set(err, ERR_USAGE,
		               "pivot is written ROWS by COLUMN [MEASURE]: name by host total");
	}
	n = (size_t)(by - text.ptr);
	parts->rows = slice_trim((struct slice){text.ptr, n}, " \t");
	rest = slice_trim(slice_from(text, n + 4), " \t");
	n = word_length(rest);
	parts->columns = (struct slice){rest.ptr, n};
	parts->measure = slice_trim(slice_from(rest, n), " \t");
	return parts->rows.len > 0 && n > 0
	           ? 0
	           : err_set(err, ERR_USAGE, "pivot: %s by is missing",
	                     parts->rows.len > 0 ? "the column behind" : "what is a row, before");
}

static int
find_column(const struct result *result, struct slice name, size_t *column, struct err *err)
{
	char *text = text_new(name);
	int found = result_column_find(result, text, err);

	free(text);
	*column = (size_t)found;
	return found < 0 ? -1 : 0;
}

static int
find_rows(const struct result *result, struct slice rest, struct pivot *pivot, struct err *err)
{
	while (rest.len > 0) {
		const char *comma = memchr(rest.ptr, ',', rest.len);
		size_t n = comma ? (size_t)(comma - rest.ptr) : rest.len;

		if (pivot->n_rows_by == PIVOT_ROWS_BY) {
			return err_set(err, ERR_LIMIT, "pivot: rows by more than %d columns",
			               PIVOT_ROWS_BY);
		}
		if (find_column(result, slice_trim((struct slice){rest.ptr, n}, " \t"),
		                &pivot->rows[pivot->n_rows_by++], err)) {
			return -1;
		}
		rest = slice_from(rest, n + 1);
	}
	return 0;
}

static int
read_pivot(const struct result *result, struct slice text, struct pivot *pivot, struct err *err)
{
	struct pivot_text parts;

	*pivot = (struct pivot){.measure = SIZE_MAX};
	if (pivot_text_read(text, &parts, err) || find_rows(result, parts.rows, pivot, err) ||
	    find_column(result, parts.columns, &pivot->columns, err)) {
		return -1;
	}
	if (parts.measure.len > 0 && !slice_is(parts.measure, "rows") &&
	    find_column(result, parts.measure, &pivot->measure, err)) {
		return -1;
	}
	return pivot_check(result, pivot, err);
}

/* ---- the source ---- */

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct table_pivot *mine = (const struct table_pivot *)source;
	struct pivoted pivoted;

	(void)texts;
	(void)worker;
	if (result_pivot(mine->hold->result, mine->rows, mine->n_rows, &mine->pivot, cancel,
	                 &pivoted, err)) {
		return NULL;
	}
	/* What a column is of, said as the filter for its rows. */
	for (size_t i = 0; i < pivoted.n_values; i++) {
		struct strbuf filter = {0};

		table_filter_write(&filter, &mine->hold->result->columns[mine->pivot.columns],
		                   &pivoted.values[i]);
		pivoted.result->columns[pivoted.first_value + i].about =
		    arena_strdup(pivoted.result->arena, filter.data);
		strbuf_free(&filter);
	}
	return pivoted.result;
}

/* The row's values, and the column's where it is of one. */
static bool
open_cell(const struct table_source *source, struct view *view, const struct view_place *in,
          const struct result *result, size_t row)
{
	const struct table_pivot *mine = (const struct table_pivot *)source;
	const struct pivot *pivot = &mine->pivot;
	const struct result *from = mine->hold->result;
	size_t column = grid_selected(&((struct table_view *)view->state)->grid);
	struct view *table = view->below;
	struct strbuf filters[PIVOT_ROWS_BY + 1] = {{0}};
	size_t n = 0;

	(void)in;
	if (column < result->n_columns && column > pivot->n_rows_by &&
	    !result->columns[column].about) {
		view_fail(view, "these are several columns: no filter has just their rows");
		return true;
	}
	for (; n < pivot->n_rows_by; n++) {
		table_filter_write(&filters[n], &from->columns[pivot->rows[n]],
		                   result_value(result, row, n));
	}
	if (column < result->n_columns && column > pivot->n_rows_by) {
		strbuf_add_text(&filters[n++], result->columns[column].about);
	}
	app_pop(view->app); /* frees the view, and its result */
	for (size_t i = 0; i < n; i++) {
		table->ops->filter(table, strbuf_slice(&filters[i]));
		strbuf_free(&filters[i]);
	}
	return true;
}

static void
free_source(struct table_source *source)
{
	struct table_pivot *mine = (struct table_pivot *)source;

	result_hold_release(mine->hold);
	free(mine->rows);
	free(mine);
}

static const struct table_source_ops ops = {.load = load, .open = open_cell, .free = free_source};

struct table_source *
table_source_pivot(const struct table_model *model, struct slice text, struct err *err)
{
	struct strbuf title = {0};
	struct table_pivot *mine;
	struct pivot pivot;

	if (read_pivot(model->result, text, &pivot, err)) {
		return NULL;
	}
	mine = xcalloc(1, sizeof *mine);
	mine->hold = result_hold_retain(model->hold);
	mine->rows = numbers_copy(model->rows, model->n_rows);
	mine->n_rows = model->n_rows;
	mine->pivot = pivot;
	strbuf_printf(&title, "pivot %.*s", (int)text.len, text.ptr);
	mine->source = (struct table_source){
	    .ops = &ops, .references = 1, .title = title.data, .own = title.data};
	return &mine->source;
}
