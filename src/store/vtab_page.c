/*
 * span_page, event_page and counter_page: rows offset ... offset + n - 1 of all that match, in
 * order.
 *
 * A virtual table can't see LIMIT, and SQLite would sort every row; the scan keeps the first offset
 * + n of them. The hidden column `matching` tells how many rows match in all.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "util/mem.h"

static const struct arguments_shape arguments_shape = {
    {"filter", "order", "offset", "n", PARAMETER_NAMES},
    12,
    4,
    "(filter, order, offset, n [, p1, ... p8])"};

struct page_cursor {
	struct listed_cursor listed;
	int64_t matching;
	struct strbuf json;
};

void
vtab_page_declare(const struct vtab_type *type, struct strbuf *columns)
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
	return arguments_best_index(vtab, &arguments_shape, vtab->rows.n, info);
}

static int
run_scan(struct vtab *vtab, sqlite3_vtab_cursor *base, struct err *err)
{
	struct page_cursor *cursor = (struct page_cursor *)base;
	const struct arguments *arguments = &cursor->listed.arguments;
	struct span_row *rows;
	struct page_request request = {.kind = vtab->type->kind};
	cursor->listed.dataset = vtab_dataset(vtab, err);
	if (!cursor->listed.dataset ||
	    arguments_text(arguments, &arguments_shape, 0, &request.filter, err) ||
	    arguments_text(arguments, &arguments_shape, 1, &request.order, err) ||
	    arguments_integer(arguments, &arguments_shape, 2, &request.offset, err) ||
	    arguments_integer(arguments, &arguments_shape, 3, &request.limit, err) ||
	    arguments_parameters(arguments, &arguments_shape, request.parameters, err)) {
		return -1;
	}
	if (request.offset < 0 || request.limit < 0) {
		return err_set(err, ERR_QUERY, "offset and n can't be negative");
	}
	request.cancel = vtab_cancel(vtab);
	int64_t n = page_run(cursor->listed.dataset, &request, &rows, &cursor->matching, err);
	if (n < 0) {
		return -1;
	}
	cursor->listed.rows = rows;
	cursor->listed.n = n;
	return vtab_take_census(vtab, request.filter, request.parameters, false, err);
}

static int
page_filter(sqlite3_vtab_cursor *base, int number, const char *names, int argc,
            sqlite3_value **argv)
{
	(void)number;
	return vtab_listed_filter(base, names, argc, argv, run_scan);
}

static int
result_arguments(struct page_cursor *cursor, sqlite3_context *context, int64_t id)
{
	struct vtab *vtab = (struct vtab *)cursor->listed.base.pVtab;
	struct err err = ERR_INIT;
	strbuf_clear(&cursor->json);
	if (row_arguments(cursor->listed.dataset, vtab->type->kind, id, &cursor->json, &err)) {
		return vtab_fail(vtab, &err);
	}
	sqlite3_result_text64(context, cursor->json.data, cursor->json.len, SQLITE_TRANSIENT,
	                      SQLITE_UTF8);
	return SQLITE_OK;
}

static int
page_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct page_cursor *cursor = (struct page_cursor *)base;
	const struct row_shape *shape = &((struct vtab *)base->pVtab)->rows;
	const struct span_row *row =
	    (const struct span_row *)cursor->listed.rows + cursor->listed.at;
	int argument = column - shape->n;
	if (argument < 0 && shape->columns[column] == ROW_ARGS) {
		return result_arguments(cursor, context, row->id);
	}
	if (argument < 0) {
		row_result(context, cursor->listed.dataset, row, shape->columns[column]);
	} else if (argument < arguments_shape.n) {
		if (cursor->listed.arguments.values[argument]) {
			sqlite3_result_value(context, cursor->listed.arguments.values[argument]);
		}
	} else if (argument == arguments_shape.n) {
		sqlite3_result_int64(context, cursor->matching);
	} else {
		row_result(context, cursor->listed.dataset, row, ROW_START);
	}
	return SQLITE_OK;
}

static int
page_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct page_cursor *page = xcalloc(1, sizeof(*page));
	(void)table;
	*cursor = &page->listed.base;
	return SQLITE_OK;
}

static int
page_close(sqlite3_vtab_cursor *base)
{
	struct page_cursor *cursor = (struct page_cursor *)base;
	vtab_listed_fini(&cursor->listed);
	strbuf_free(&cursor->json);
	free(cursor);
	return SQLITE_OK;
}

const sqlite3_module vtab_page_module = {
    .xConnect = vtab_connect,
    .xBestIndex = best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = page_open,
    .xClose = page_close,
    .xFilter = page_filter,
    .xNext = vtab_listed_next,
    .xEof = vtab_listed_eof,
    .xColumn = page_column,
    .xRowid = vtab_listed_rowid,
};
