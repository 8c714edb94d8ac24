/* Tables whose rows a scan puts into an array. */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "util/mem.h"

int
vtab_listed_filter(sqlite3_vtab_cursor *base, const char *names, int argc, sqlite3_value **argv,
                   int (*run)(struct vtab *vtab, sqlite3_vtab_cursor *base, struct err *err))
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	struct err err = ERR_INIT;
	bool is_same;
	cursor->at = 0;
	if (arguments_set(&cursor->arguments, names, argc, argv, &is_same)) {
		return SQLITE_NOMEM;
	}
	if (is_same && cursor->is_run) {
		return SQLITE_OK;
	}
	free(cursor->rows);
	cursor->rows = NULL;
	cursor->n = 0;
	cursor->is_run = false;
	if (run(vtab, base, &err)) {
		err_wrap(&err, "%s", vtab->type->name);
		return vtab_fail(vtab, &err);
	}
	cursor->is_run = true;
	return SQLITE_OK;
}

void
vtab_listed_fini(struct listed_cursor *cursor)
{
	free(cursor->rows);
	arguments_free(&cursor->arguments);
}

int
vtab_listed_next(sqlite3_vtab_cursor *base)
{
	((struct listed_cursor *)base)->at++;
	return SQLITE_OK;
}

int
vtab_listed_eof(sqlite3_vtab_cursor *base)
{
	const struct listed_cursor *cursor = (const struct listed_cursor *)base;
	return cursor->at >= cursor->n;
}

int
vtab_listed_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = ((struct listed_cursor *)base)->at + 1;
	return SQLITE_OK;
}

/* --- Tables that are nothing more ----------------------------------------- */

static const struct listed_table *
table_of(const sqlite3_vtab *table)
{
	return ((const struct vtab *)table)->type->listed;
}

void
vtab_listed_declare(const struct vtab_type *type, struct strbuf *columns)
{
	for (int i = 0; i < type->listed->n_columns; i++) {
		strbuf_printf(columns, "%s%s %s", i ? ", " : "", type->listed->columns[i].name,
		              type->listed->columns[i].is_text ? "TEXT" : "INTEGER");
	}
	arguments_declare(&type->listed->arguments, columns);
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	const struct listed_table *listed = table_of(table);

	info->idxNum = (info->colUsed & listed->extra) != 0;
	return arguments_best_index((struct vtab *)table, &listed->arguments, listed->n_columns,
	                            info);
}

static int
run_scan(struct vtab *vtab, sqlite3_vtab_cursor *base, struct err *err)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	const struct listed_table *listed = vtab->type->listed;

	cursor->dataset = vtab_dataset(vtab, err);
	return cursor->dataset ? listed->run(vtab, cursor, err) : -1;
}

static int
listed_filter(sqlite3_vtab_cursor *base, int wants_extra, const char *names, int argc,
              sqlite3_value **argv)
{
	((struct listed_cursor *)base)->wants_extra = wants_extra != 0;
	return vtab_listed_filter(base, names, argc, argv, run_scan);
}

static int
listed_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct listed_cursor *listed = xcalloc(1, sizeof *listed);

	(void)table;
	*cursor = &listed->base;
	return SQLITE_OK;
}

static int
listed_close(sqlite3_vtab_cursor *base)
{
	vtab_listed_fini((struct listed_cursor *)base);
	free(base);
	return SQLITE_OK;
}

static int
listed_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	const struct listed_table *listed = table_of(base->pVtab);
	int64_t values[LISTED_COLUMNS];

	if (column >= listed->n_columns) {
		arguments_result(&cursor->arguments, column - listed->n_columns, context);
		return SQLITE_OK;
	}
	unsigned missing = listed->read(cursor->rows, cursor->at, values);
	if (listed->columns[column].is_text) {
		vtab_result_code(context, cursor->dataset, (uint32_t)values[column]);
	} else if (!(missing >> column & 1)) {
		sqlite3_result_int64(context, values[column]);
	}
	return SQLITE_OK;
}

const sqlite3_module vtab_listed_module = {
    .xConnect = vtab_connect,
    .xBestIndex = best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = listed_open,
    .xClose = listed_close,
    .xFilter = listed_filter,
    .xNext = vtab_listed_next,
    .xEof = vtab_listed_eof,
    .xColumn = listed_column,
    .xRowid = vtab_listed_rowid,
};
