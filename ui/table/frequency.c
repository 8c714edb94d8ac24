/* The column is sorted as the table would sort it; equal neighbours are one
 * value. Counted on the worker: the rows may be a million. */
#include "config.h"

#include "ui/table/frequency.h"

#include <stdlib.h>
#include <string.h>

#include "ui/base/result_copy.h"
#include "ui/table/view_table.h"
#include "ui/table/table_filter.h"
#include "util/order.h"

struct frequency {
	struct table_source source;
	struct result_hold *hold;
	size_t *rows; /* those shown when it was asked for */
	size_t n_rows, column;
};

struct frequency_group {
	size_t first, n; /* of the sorted rows */
};

static int
compare(const void *a, const void *b)
{
	const struct frequency_group *left = a, *right = b;

	ORDER_BY(right->n, left->n);
	return ORDER(left->first, right->first);
}

/* Groups of equal values among the sorted rows, the largest first. */
static size_t
find_groups(const struct result *result, size_t column, const size_t *rows, size_t n_rows,
            struct frequency_group *groups)
{
	size_t n = 0;

	for (size_t i = 0; i < n_rows; i++) {
		if (i == 0 || value_compare(result_value(result, rows[i - 1], column),
		                            result_value(result, rows[i], column)) != 0) {
			groups[n++] = (struct frequency_group){i, 0};
		}
		groups[n - 1].n++;
	}
	if (n > 1) {
		qsort(groups, n, sizeof *groups, compare);
	}
	return n;
}

struct result *
frequency_count(const struct result *from, const size_t *shown, size_t n_rows, size_t column,
                const struct cancel *cancel)
{
	const struct result_column columns[] = {
	    {.name = from->columns[column].name,
	     .kind = from->columns[column].kind,
	     .is_key = true},
	    {.name = "rows", .kind = KIND_COUNT, .is_measure = true},
	    {.name = "share", .kind = KIND_PERCENT, .is_measure = true},
	};
	struct result *result = NULL;
	size_t *rows = numbers_copy(shown, n_rows), n;
	struct frequency_group *groups = xrealloc_array(NULL, n_rows + 1, sizeof *groups);

	if (!table_sort(from, &(struct table_sort_key){.column = column}, 1, rows, n_rows,
	                cancel)) {
		goto out;
	}
	n = find_groups(from, column, rows, n_rows, groups);
	result = result_new(from->columns[column].name, columns, 3);
	for (size_t i = 0; i < n; i++) {
		struct value *row = result_add_row(result);

		row[0] = value_copy(result, result_value(from, rows[groups[i].first], column));
		row[1] = value_integer((int64_t)groups[i].n);
		row[2] = value_real((double)groups[i].n / (double)n_rows);
	}
out:
	free(groups);
	free(rows);
	return result;
}

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct frequency *mine = (const struct frequency *)source;
	struct result *result =
	    frequency_count(mine->hold->result, mine->rows, mine->n_rows, mine->column, cancel);

	(void)texts;
	(void)worker;
	if (!result) {
		err_set(err, ERR_CANCELLED, "stopped");
	}
	return result;
}

static bool
open_value(const struct table_source *source, struct view *view, const struct view_place *in,
           const struct result *result, size_t row)
{
	struct view *table = view->below;
	struct app *app = view->app;
	struct strbuf filter = {0};

	(void)source;
	(void)in;
	table_filter_write(&filter, &result->columns[0], result_value(result, row, 0));
	app_pop(app); /* frees the view, and its result */
	table->ops->filter(table, strbuf_slice(&filter));
	strbuf_free(&filter);
	return true;
}

static void
free_source(struct table_source *source)
{
	struct frequency *mine = (struct frequency *)source;

	result_hold_release(mine->hold);
	free(mine->rows);
	free(mine);
}

static const struct table_source_ops ops = {.load = load, .open = open_value, .free = free_source};

struct table_source *
frequency_source(const struct table_model *model, size_t column)
{
	struct frequency *mine = xcalloc(1, sizeof *mine);
	struct strbuf title = {0};

	mine->hold = result_hold_retain(model->hold);
	mine->rows = numbers_copy(model->rows, model->n_rows);
	mine->n_rows = model->n_rows;
	mine->column = column;
	strbuf_printf(&title, "values of %s", model->result->columns[column].name);
	mine->source = (struct table_source){
	    .ops = &ops, .references = 1, .title = title.data, .own = title.data};
	return &mine->source;
}
