/*
 * span_page, event_page and counter_page: rows offset ... offset + n - 1 of all that match, in
 * order.
 *
 * A virtual table can't see LIMIT, and SQLite would sort every row; the scan keeps the first offset
 * + n of them. The hidden column `matching` tells how many rows match in all; where nobody reads
 * it, blocks that hold none of the page's rows are not fetched for that.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "util/order.h"

#define LAST_COLUMN_BIT 63 /* SQLite's, of all columns from there on */

static const struct arguments_shape arguments_shape = {
    {"filter", "order", "offset", "n", PARAMETER_NAMES},
    12,
    4,
    "(filter, order, offset, n [, p1, ... p8])"};

struct page_cursor {
	struct listed_cursor listed;
	int64_t matching;
};

static void
page_declare(const struct vtab_type *type, struct strbuf *columns)
{
	row_declare(type->kind, columns);
	arguments_declare(&arguments_shape, columns);
	strbuf_add_text(columns, ", matching INTEGER HIDDEN");
	row_declare_alias(type->kind, columns);
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	struct vtab *vtab = (struct vtab *)table;
	int matching = vtab->rows.n + arguments_shape.n;
	info->idxNum = (info->colUsed >> LEAST(matching, LAST_COLUMN_BIT) & 1) != 0;
	return arguments_best_index(vtab, &arguments_shape, vtab->rows.n, info);
}

static int
run_scan(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	const struct arguments *arguments = &cursor->arguments;
	struct span_row *rows;
	struct page_request request = {.kind = vtab->type->kind};
	if (arguments_text(arguments, 0, &request.filter, err) ||
	    arguments_text(arguments, 1, &request.order, err) ||
	    arguments_integer(arguments, 2, &request.offset, err) ||
	    arguments_integer(arguments, 3, &request.limit, err) ||
	    arguments_parameters(arguments, request.parameters, err)) {
		return -1;
	}
	if (request.offset < 0 || request.limit < 0) {
		return err_set(err, ERR_QUERY, "offset and n can't be negative");
	}
	request.cancel = vtab_cancel(vtab);
	int64_t *matching = cursor->wants ? &((struct page_cursor *)cursor)->matching : NULL;
	cursor->n = page_run(cursor->cursor.dataset, &request, &rows, matching, err);
	if (cursor->n < 0) {
		return -1;
	}
	cursor->rows = rows;
	return vtab_take_census(vtab, request.filter, request.parameters, false, err);
}

static int
page_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	const struct dataset *dataset = cursor->cursor.dataset;
	const struct vtab *vtab = (const struct vtab *)base->pVtab;
	const struct row_shape *shape = &vtab->rows;
	const struct span_row *row = (const struct span_row *)cursor->rows + cursor->cursor.at;
	int argument = column - shape->n;
	struct err err = ERR_INIT;
	if (argument < 0 && shape->columns[column] == ROW_ARGS) {
		int status =
		    row_arguments(dataset, vtab->type->kind, row->id, &cursor->cursor.json, &err);
		return row_result_arguments(&cursor->cursor, context, status, &err);
	}
	if (argument < 0) {
		row_result(context, dataset, row, shape->columns[column]);
	} else if (argument < arguments_shape.n) {
		arguments_result(&cursor->arguments, argument, context);
	} else if (argument == arguments_shape.n) {
		sqlite3_result_int64(context, ((struct page_cursor *)base)->matching);
	} else {
		row_result(context, dataset, row, row_alias(vtab->type->kind));
	}
	return SQLITE_OK;
}

const struct vtab_class vtab_page = {
    .methods = {VTAB_FRAME, .xBestIndex = best_index, .xFilter = vtab_listed_filter,
                .xNext = vtab_listed_next, .xColumn = page_column},
    .declare = page_declare,
    .cursor_bytes = sizeof(struct page_cursor),
    .release = vtab_listed_release,
    .arguments = &arguments_shape,
    .run = run_scan,
    .free_rows = free,
};
