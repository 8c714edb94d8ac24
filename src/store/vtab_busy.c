/*
 * span_busy(by, filter, beside, p1 ...): how long spans of each group were going on, and how much
 * of that was hidden by what `beside` describes. The whole scan happens in xFilter, then rows are
 * groups.
 *
 * What hides is only looked for where `hidden` is read. Without `beside`, or where no span matches
 * it, it is NULL.
 */
#include "config.h"
#include "store/vtab.h"

#include "column/ops/busy.h"
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

static void
busy_declare(const struct vtab_type *type, struct strbuf *columns)
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
run_scan(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	const struct arguments *arguments = &cursor->arguments;
	struct busy_request request = {.cancel = vtab_cancel(vtab)};

	if (arguments_by(arguments, &request.by, &request.filter, err) ||
	    arguments_text(arguments, 2, &request.beside, err) ||
	    arguments_parameters(arguments, request.parameters, err)) {
		return -1;
	}
	request.beside = cursor->wants ? request.beside : NULL;
	struct busy *busy = busy_run(cursor->cursor.dataset, &request, err);
	if (!busy) {
		return -1;
	}
	cursor->rows = busy;
	cursor->n = (int64_t)busy_count(busy);
	if (vtab_take_census(vtab, request.filter, request.parameters, false, err)) {
		return -1;
	}
	return request.beside
	           ? vtab_take_census(vtab, request.beside, request.parameters, true, err)
	           : 0;
}

static bool
busy_key_of(const struct listed_cursor *cursor, enum row_column dimension, struct scan_value *value)
{
	bool has = busy_has(cursor->rows, dimension);
	if (has) {
		*value = busy_key(cursor->rows, (size_t)cursor->cursor.at, dimension);
	}
	return has;
}

static void
free_busy(void *busy)
{
	busy_free(busy);
}

static int
busy_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const struct listed_cursor *cursor = (const struct listed_cursor *)base;

	if (column >= FIRST_DIMENSION) {
		return vtab_groups_column(cursor, context, column - FIRST_DIMENSION);
	}
	const struct busy_group *group = busy_group(cursor->rows, (size_t)cursor->cursor.at);
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
	const char *left = column == COLUMN_N && group->n_leaves                     ? "n"
	                   : column == COLUMN_DURATION_SUM && group->duration_leaves ? "dur_sum"
	                   : column == COLUMN_SIZE_SUM && group->size_leaves         ? "size_sum"
	                                                                             : NULL;
	if (left) {
		return vtab_too_large(cursor, "", left, 64);
	}
	if (column != COLUMN_HIDDEN || busy_is_beside(cursor->rows)) {
		sqlite3_result_int64(context, values[column]);
	}
	return SQLITE_OK;
}

const struct vtab_class vtab_busy = {
    .methods = {VTAB_FRAME, .xBestIndex = best_index, .xFilter = vtab_listed_filter,
                .xNext = vtab_listed_next, .xColumn = busy_column},
    .declare = busy_declare,
    .cursor_bytes = sizeof(struct listed_cursor),
    .release = vtab_listed_release,
    .arguments = &arguments_shape,
    .run = run_scan,
    .free_rows = free_busy,
    .key = busy_key_of,
};
