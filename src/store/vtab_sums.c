/*
 * span_sums, event_sums and counter_sums: the whole scan happens in xFilter, then rows are groups.
 *
 * A column of a dimension that is not in `by` has no value, and NULL would look like one: reading
 * it is an error that names it. So is a missing or NULL `by`; the empty text asks for one group
 * over everything.
 *
 * Of an empty group n, rows, sums and sums of squares are 0; minima, maxima, deviations and
 * quantiles are NULL. A sum that leaves 64 bits (of squares: 128) is an error that names column and
 * group, where it is read: no figure is ever the nearest that fits.
 *
 * Only what the statement reads is computed; quantiles cost passes of their own.
 */
#include "config.h"
#include "store/squares.h"
#include "store/vtab_sums.h"

#include <stdlib.h>

static const struct arguments_shape arguments_shape = {
    {"by", "filter", PARAMETER_NAMES}, 10, 1, "(by [, filter [, p1, ... p8]])"};

static void
declare(const struct vtab_type *type, struct strbuf *columns)
{
	sums_declare(type->kind, columns);
	arguments_declare(&arguments_shape, columns);
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	struct vtab *vtab = (struct vtab *)table;
	info->idxNum = sums_parts_used(vtab->type->kind, info->colUsed);
	int first = sums_first_dimension(vtab->type->kind) + vtab->dimensions.n;
	int result = arguments_best_index(vtab, &arguments_shape, first, info);
	return result == SQLITE_OK ? sums_order_plan(vtab, info) : result;
}

/* --- The scan ------------------------------------------------------------ */

/* The index of the current row in its part. */
static size_t
place_in_part(const struct listed_cursor *listed)
{
	return (size_t)(listed->cursor.at - ((const struct sums_cursor *)listed)->first);
}

static void
forget_order(struct sums_cursor *cursor)
{
	free(cursor->places);
	sqlite3_finalize(cursor->sorted);
	cursor->places = NULL;
	cursor->sorted = NULL;
}

/* The next part that has groups, if there is one, instead of the one that is there. */
static int
next_part(struct sums_cursor *cursor, struct err *err)
{
	struct listed_cursor *listed = &cursor->listed;
	int64_t before = listed->n;

	while (listed->n == before && !sums_parts_end(cursor->parts)) {
		struct sums *sums;
		sums_free(listed->rows);
		listed->rows = NULL;
		if (sums_parts_next(cursor->parts, &sums, err)) {
			return -1;
		}
		listed->rows = sums;
		listed->n += (int64_t)sums_count(sums);
		cursor->first = before;
	}
	return 0;
}

/* Instead of rows: what it makes of them. */
static int
leave_to_sqlite(struct sums_cursor *cursor, struct err *err)
{
	int status = sums_order_prepare(cursor, err);

	sums_free(cursor->listed.rows);
	sums_parts_free(cursor->parts);
	cursor->listed.rows = NULL;
	cursor->parts = NULL;
	cursor->listed.n = 0;
	return status;
}

static int
run_scan(struct vtab *vtab, struct listed_cursor *cursor, struct err *err)
{
	const struct arguments *arguments = &cursor->arguments;
	struct sums_request request = {.kind = vtab->type->kind};
	if (arguments_by(arguments, &request.by, &request.filter, err) ||
	    arguments_parameters(arguments, request.parameters, err)) {
		return -1;
	}
	sums_request_parts(vtab->type->kind, cursor->wants, &request);
	request.cancel = vtab_cancel(vtab);
	struct sums_cursor *sums = (struct sums_cursor *)cursor;
	forget_order(sums);
	sums_parts_free(sums->parts);
	sums->first = 0;
	sums->parts = sums_parts_new(cursor->cursor.dataset, &request);
	if (next_part(sums, err)) {
		return -1;
	}
	if (sums->order[0] && !sums_parts_end(sums->parts)) {
		return leave_to_sqlite(sums, err);
	}
	return vtab_take_census(vtab, request.filter, request.parameters, false, err);
}

static bool
sums_key_of(const struct listed_cursor *cursor, enum row_column dimension, struct scan_value *value)
{
	bool has = sums_has(cursor->rows, dimension);
	if (has) {
		*value = sums_key(cursor->rows, place_in_part(cursor), dimension);
	}
	return has;
}

static int
sums_filter(sqlite3_vtab_cursor *base, int wants, const char *names, int argc, sqlite3_value **argv)
{
	struct sums_cursor *cursor = (struct sums_cursor *)base;

	if (cursor->first > 0) { /* begins again */
		cursor->listed.is_run = false;
	}
	cursor->n_figures = sums_first_dimension(((const struct vtab *)base->pVtab)->type->kind);
	sums_order_read(cursor, names, argc);
	int status = vtab_listed_filter(base, wants, names, argc, argv);
	if (status == SQLITE_OK && cursor->sorted) {
		sqlite3_reset(cursor->sorted);
		return sums_order_step(cursor);
	}
	if (status == SQLITE_OK && cursor->order[0] && cursor->listed.n > 0 && !cursor->places) {
		status = sums_order_rows(cursor);
		cursor->listed.is_run = status == SQLITE_OK;
		cursor->listed.cursor.at = 0;
	}
	return status;
}

static int
sums_next(sqlite3_vtab_cursor *base)
{
	struct sums_cursor *cursor = (struct sums_cursor *)base;
	struct err err = ERR_INIT;

	if (cursor->sorted) {
		return sums_order_step(cursor);
	}
	if (cursor->listed.cursor.at + 1 == cursor->listed.n && next_part(cursor, &err)) {
		return vtab_fail((struct vtab *)base->pVtab, &err);
	}
	return vtab_listed_next(base);
}

static void
sums_release(sqlite3_vtab_cursor *base)
{
	forget_order((struct sums_cursor *)base);
	sums_parts_free(((struct sums_cursor *)base)->parts);
	vtab_listed_release(base);
}

static void
free_sums(void *sums)
{
	sums_free(sums);
}

static int
sums_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const struct sums_cursor *cursor = (const struct sums_cursor *)base;
	const struct listed_cursor *listed = &cursor->listed;
	const struct vtab *vtab = (const struct vtab *)base->pVtab;
	int n_figures = cursor->n_figures;
	unsigned char bytes[SQUARES_BYTES];

	if (cursor->sorted && column < n_figures + vtab->dimensions.n) {
		if (column >= n_figures && !cursor->is_in_by[column - n_figures]) {
			return vtab_not_in_by(listed, vtab->dimensions.columns[column - n_figures]);
		}
		sums_order_column(cursor, context, column);
		return SQLITE_OK;
	}
	if (column >= n_figures) {
		return vtab_groups_column(listed, context, column - n_figures);
	}
	struct sums_figure figure =
	    sums_figure(vtab->type->kind, sums_group(listed->rows, place_in_part(listed)), column);
	switch (figure.type) {
	case FIGURE_NULL:
		break;
	case FIGURE_INTEGER:
		sqlite3_result_int64(context, figure.integer);
		break;
	case FIGURE_REAL:
		sqlite3_result_double(context, figure.real);
		break;
	case FIGURE_SQUARES:
		squares_put(bytes, *figure.squares);
		sqlite3_result_blob(context, bytes, sizeof bytes, SQLITE_TRANSIENT);
		break;
	case FIGURE_LARGE:
		return sums_too_large(listed, column);
	}
	return SQLITE_OK;
}

static int
sums_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	const struct sums_cursor *cursor = (const struct sums_cursor *)base;

	*rowid = cursor->sorted   ? sqlite3_column_int64(cursor->sorted, 0)
	         : cursor->places ? (int64_t)cursor->places[cursor->listed.cursor.at] + 1
	                          : cursor->listed.cursor.at + 1;
	return SQLITE_OK;
}

const struct vtab_class vtab_sums = {
    .methods = {VTAB_FRAME_BUT_ROWID, .xBestIndex = best_index, .xFilter = sums_filter,
                .xNext = sums_next, .xColumn = sums_column, .xRowid = sums_rowid},
    .declare = declare,
    .cursor_bytes = sizeof(struct sums_cursor),
    .release = sums_release,
    .arguments = &arguments_shape,
    .run = run_scan,
    .free_rows = free_sums,
    .key = sums_key_of,
};
