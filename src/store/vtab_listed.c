/* Tables whose rows a scan puts into an array. */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "util/mem.h"

static void
forget(struct listed_cursor *cursor)
{
	const struct vtab_type *type = ((struct vtab *)cursor->cursor.base.pVtab)->type;

	(type->listed && type->listed->free_rows ? type->listed->free_rows
	                                         : type->class->free_rows)(cursor->rows);
	cursor->rows = NULL;
	cursor->n = 0;
	cursor->is_run = false;
}

int
vtab_listed_filter(sqlite3_vtab_cursor *base, int wants, const char *names, int argc,
                   sqlite3_value **argv)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	const struct vtab_type *type = vtab->type;
	struct err err = ERR_INIT;
	bool is_same;
	cursor->arguments.shape = type->listed ? &type->listed->arguments : type->class->arguments;
	if (arguments_set(&cursor->arguments, names, argc, argv, &is_same)) {
		return SQLITE_NOMEM;
	}
	if (!is_same || !cursor->is_run || wants != cursor->wants) {
		forget(cursor);
		cursor->wants = wants;
		bool is_plain = type->listed && type->listed->is_plain;
		cursor->cursor.dataset = is_plain ? NULL : vtab_dataset(vtab, &err);
		if ((is_plain ? !vtab_scope(vtab, &err) : !cursor->cursor.dataset) ||
		    type->class->run(vtab, cursor, &err)) {
			return vtab_fail(vtab, &err);
		}
		cursor->is_run = true;
	}
	cursor->cursor.at = 0;
	cursor->cursor.is_end = cursor->n == 0;
	return SQLITE_OK;
}

void
vtab_listed_release(sqlite3_vtab_cursor *base)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	forget(cursor);
	arguments_free(&cursor->arguments);
}

int
vtab_listed_next(sqlite3_vtab_cursor *base)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	cursor->cursor.is_end = ++cursor->cursor.at >= cursor->n;
	return SQLITE_OK;
}

/* --- Tables that are nothing more ----------------------------------------- */

static const struct listed_table *
table_of(const sqlite3_vtab *table)
{
	return ((const struct vtab *)table)->type->listed;
}

static void
listed_declare(const struct vtab_type *type, struct strbuf *columns)
{
	for (int i = 0; i < type->listed->n_columns; i++) {
		static const char *const types[] = {"INTEGER", "TEXT", "REAL"};
		strbuf_printf(columns, "%s%s %s", i ? ", " : "", type->listed->columns[i].name,
		              types[type->listed->columns[i].type]);
	}
	arguments_declare(&type->listed->arguments, columns);
}

static bool
is_in_order(const struct listed_table *listed, const sqlite3_index_info *info)
{
	bool is_same = info->nOrderBy <= listed->n_order;

	for (int i = 0; i < info->nOrderBy && is_same; i++) {
		is_same = info->aOrderBy[i].iColumn == listed->order[i].column &&
		          (info->aOrderBy[i].desc != 0) == listed->order[i].is_descending;
	}
	return is_same;
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	const struct listed_table *listed = table_of(table);

	info->idxNum = (int)(info->colUsed & listed->extra);
	info->orderByConsumed = info->nOrderBy > 0 && is_in_order(listed, info);
	return arguments_best_index((struct vtab *)table, &listed->arguments, listed->n_columns,
	                            info);
}

static int
run_scan(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	return vtab->type->listed->run(vtab, cursor, err);
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
	unsigned missing = listed->read(cursor->rows, cursor->cursor.at, values);
	if (missing >> column & 1) {
		return SQLITE_OK;
	}
	if (listed->columns[column].type == LISTED_TEXT) {
		vtab_result_code(context, cursor->cursor.dataset, (uint32_t)values[column]);
	} else if (listed->columns[column].type == LISTED_REAL) {
		double real;
		memcpy(&real, &values[column], sizeof real);
		sqlite3_result_double(context, real);
	} else {
		sqlite3_result_int64(context, values[column]);
	}
	return SQLITE_OK;
}

const struct vtab_class vtab_listed = {
    .methods = {VTAB_FRAME, .xBestIndex = best_index, .xFilter = vtab_listed_filter,
                .xNext = vtab_listed_next, .xColumn = listed_column},
    .declare = listed_declare,
    .cursor_bytes = sizeof(struct listed_cursor),
    .release = vtab_listed_release,
    .run = run_scan,
    .free_rows = free,
};
