/*
 * span_busy(by, filter, beside, p1 ...): how long spans of each group were going on, and how much of
 * that was hidden by what `beside` describes. The whole scan happens in xFilter, then rows are groups.
 *
 * What hides is only looked for where `hidden` is read. Without `beside`, or where no span matches it, it is NULL.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "column/ops/busy.h"
#include "util/mem.h"

enum {
	COLUMN_N,
	COLUMN_ROWS,
	COLUMN_SUMMED,
	COLUMN_DURATION_SUM,
	COLUMN_SIZE_N,
	COLUMN_SIZE_SUM,
	COLUMN_BUSY,
	COLUMN_HIDDEN,
	COLUMN_THREADS,
	COLUMN_PROCESSES,
	COLUMN_LEVEL,
	FIRST_DIMENSION
};

static const struct arguments_shape arguments_shape = {{"by", "filter", "beside", PARAMETER_NAMES},
                                                       11,
                                                       1,
                                                       "(by [, filter [, beside [, p1, ... p8]]])"};

struct busy_cursor {
	struct groups_cursor groups;
	struct busy *busy;
	bool has_hidden;
};

void
vtab_busy_declare(const struct vtab_type *type, struct strbuf *columns)
{
	(void)type;
	strbuf_add_text(
	    columns,
	    "n INTEGER, rows INTEGER, summed INTEGER, dur_sum INTEGER, size_n INTEGER, "
	    "size_sum INTEGER, "
	    "busy INTEGER, hidden INTEGER, threads INTEGER, processes INTEGER, level INTEGER");
	vtab_declare_dimensions(columns);
	arguments_declare(&arguments_shape, columns);
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	info->idxNum = (info->colUsed >> COLUMN_HIDDEN & 1) != 0;
	struct vtab *vtab = (struct vtab *)table;
	return arguments_best_index(vtab, &arguments_shape, FIRST_DIMENSION + vtab->dimensions.n,
	                            info);
}

static int
run_scan(struct vtab *vtab, struct busy_cursor *cursor, bool wants_hidden, struct err *err)
{
	const struct arguments *arguments = &cursor->groups.arguments;
	struct busy_request request = {.by = NULL};
	const struct dataset *dataset = vtab_dataset(vtab, err);

	if (!dataset || arguments_text(arguments, &arguments_shape, 0, &request.by, err) ||
	    arguments_text(arguments, &arguments_shape, 1, &request.filter, err) ||
	    arguments_text(arguments, &arguments_shape, 2, &request.beside, err) ||
	    arguments_parameters(arguments, &arguments_shape, request.parameters, err)) {
		return -1;
	}
	if (!request.by) {
		return err_set(err, ERR_QUERY, "'by' is NULL ('' asks for one group over all)");
	}
	request.beside = wants_hidden ? request.beside : NULL;
	request.cancel = vtab_cancel(vtab);
	cursor->busy = busy_run(dataset, &request, err);
	cursor->has_hidden = cursor->busy && busy_is_beside(cursor->busy);
	if (!cursor->busy ||
	    vtab_take_census(vtab, request.filter, request.parameters, false, err)) {
		return -1;
	}
	return request.beside
	           ? vtab_take_census(vtab, request.beside, request.parameters, true, err)
	           : 0;
}

static int
busy_filter(sqlite3_vtab_cursor *base, int wants_hidden, const char *names, int argc,
            sqlite3_value **argv)
{
	struct busy_cursor *cursor = (struct busy_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	struct err err = ERR_INIT;
	bool is_same;

	cursor->groups.group = cursor->groups.n_groups = 0;
	if (arguments_set(&cursor->groups.arguments, names, argc, argv, &is_same)) {
		return SQLITE_NOMEM;
	}
	if (!is_same || !cursor->busy) {
		busy_free(cursor->busy);
		cursor->busy = NULL;
		if (run_scan(vtab, cursor, wants_hidden, &err)) {
			err_wrap(&err, "%s", vtab->type->name);
			return vtab_fail(vtab, &err);
		}
	}
	cursor->groups.n_groups = busy_count(cursor->busy);
	return SQLITE_OK;
}

static int
result_dimension(const struct busy_cursor *cursor, sqlite3_context *context,
                 enum row_column dimension)
{
	if (!busy_has(cursor->busy, dimension)) {
		return vtab_no_dimension((struct vtab *)cursor->groups.base.pVtab, dimension,
		                         cursor->groups.arguments.values[0]);
	}
	struct scan_value value = busy_key(cursor->busy, cursor->groups.group, dimension);
	vtab_result_value(context, &value);
	return SQLITE_OK;
}

static int
fail_too_large(const struct busy_cursor *cursor, const char *column)
{
	struct scan_value keys[ROW_COLUMNS];
	bool has[ROW_COLUMNS];

	for (int i = 0; i < ROW_COLUMNS; i++) {
		has[i] = busy_has(cursor->busy, (enum row_column)i);
		keys[i] = busy_key(cursor->busy, cursor->groups.group, (enum row_column)i);
	}
	return vtab_too_large((struct vtab *)cursor->groups.base.pVtab, has, keys, "", column, 64);
}

static int
busy_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct busy_cursor *cursor = (struct busy_cursor *)base;

	const struct row_shape *dimensions = &((const struct vtab *)base->pVtab)->dimensions;
	int dimension = column - FIRST_DIMENSION;

	if (dimension >= dimensions->n) {
		arguments_result(&cursor->groups.arguments, dimension - dimensions->n, context);
		return SQLITE_OK;
	}
	if (dimension >= 0) {
		return result_dimension(cursor, context, dimensions->columns[dimension]);
	}
	const struct busy_group *group = busy_group(cursor->busy, cursor->groups.group);
	const int64_t values[] = {[COLUMN_N] = group->n,
	                          [COLUMN_ROWS] = group->rows,
	                          [COLUMN_SUMMED] = group->summed,
	                          [COLUMN_DURATION_SUM] = group->duration_sum,
	                          [COLUMN_SIZE_N] = group->size_n,
	                          [COLUMN_SIZE_SUM] = group->size_sum,
	                          [COLUMN_BUSY] = group->busy_ns,
	                          [COLUMN_HIDDEN] = group->hidden_ns,
	                          [COLUMN_THREADS] = group->threads,
	                          [COLUMN_PROCESSES] = group->processes,
	                          [COLUMN_LEVEL] = group->level};
	if ((column == COLUMN_N && group->n_leaves) ||
	    (column == COLUMN_DURATION_SUM && group->duration_leaves) ||
	    (column == COLUMN_SIZE_SUM && group->size_leaves)) {
		return fail_too_large(cursor, column == COLUMN_N              ? "n"
		                              : column == COLUMN_DURATION_SUM ? "dur_sum"
		                                                              : "size_sum");
	}
	if (column != COLUMN_HIDDEN || cursor->has_hidden) {
		sqlite3_result_int64(context, values[column]);
	}
	return SQLITE_OK;
}

static int
busy_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct busy_cursor *made = xcalloc(1, sizeof(*made));
	(void)table;
	*cursor = &made->groups.base;
	return SQLITE_OK;
}

static int
busy_close(sqlite3_vtab_cursor *base)
{
	struct busy_cursor *cursor = (struct busy_cursor *)base;
	busy_free(cursor->busy);
	arguments_free(&cursor->groups.arguments);
	free(cursor);
	return SQLITE_OK;
}

const sqlite3_module vtab_busy_module = {
    .xConnect = vtab_connect,
    .xBestIndex = best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = busy_open,
    .xClose = busy_close,
    .xFilter = busy_filter,
    .xNext = vtab_groups_next,
    .xEof = vtab_groups_eof,
    .xColumn = busy_column,
    .xRowid = vtab_groups_rowid,
};
