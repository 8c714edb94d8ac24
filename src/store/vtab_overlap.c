/*
 * span_overlap(window, a, b, p1 ...): how much of the time of spans that match filter a is covered
 * by those that match b, in windows by the spans' start. The window is in ns, or a text such as
 * '10ms'; NULL or 0: one over everything.
 */
#include "config.h"
#include "store/vtab.h"

enum { COLUMN_START, COLUMN_A, COLUMN_B, COLUMN_BOTH, COLUMN_N_A, COLUMN_N_B, COLUMNS };

static const struct arguments_shape arguments_shape = {
    {"window", "a", "b", PARAMETER_NAMES}, 11, 3, "(window, a, b [, p1, ... p8])"};

void
vtab_overlap_declare(enum block_kind kind, struct strbuf *columns)
{
	(void)kind;
	strbuf_add_text(columns, "start INTEGER, a_ns INTEGER, b_ns INTEGER, both_ns INTEGER, "
	                         "n_a INTEGER, n_b INTEGER");
	arguments_declare(&arguments_shape, columns);
}

static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	return arguments_best_index((struct vtab *)table, &arguments_shape, COLUMNS, info);
}

static int
run_scan(struct vtab *vtab, sqlite3_vtab_cursor *base, struct err *err)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	const struct arguments *arguments = &cursor->arguments;
	struct overlap_window *windows;
	struct overlap_request request = {.a = NULL};
	const struct dataset *dataset = vtab_dataset(vtab, err);
	if (!dataset ||
	    arguments_duration(arguments, &arguments_shape, 0, &request.window_ns, err) ||
	    arguments_text(arguments, &arguments_shape, 1, &request.a, err) ||
	    arguments_text(arguments, &arguments_shape, 2, &request.b, err) ||
	    arguments_parameters(arguments, &arguments_shape, request.parameters, err)) {
		return -1;
	}
	request.cancel = vtab_cancel(vtab);
	int64_t n = overlap_run(dataset, &request, &windows, err);
	if (n < 0) {
		return -1;
	}
	cursor->rows = windows;
	cursor->n = n;
	return vtab_take_census(vtab, request.a, request.parameters, false, err) ||
	               vtab_take_census(vtab, request.b, request.parameters, false, err)
	           ? -1
	           : 0;
}

static int
overlap_filter(sqlite3_vtab_cursor *base, int number, const char *names, int argc,
               sqlite3_value **argv)
{
	(void)number;
	return vtab_listed_filter(base, names, argc, argv, run_scan);
}

static int
overlap_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	const struct overlap_window *window =
	    (const struct overlap_window *)cursor->rows + cursor->at;
	const int64_t values[COLUMNS] = {
	    [COLUMN_START] = window->start_ns, [COLUMN_A] = window->a_ns,
	    [COLUMN_B] = window->b_ns,         [COLUMN_BOTH] = window->both_ns,
	    [COLUMN_N_A] = window->n_a,        [COLUMN_N_B] = window->n_b,
	};
	if (column < COLUMNS) {
		sqlite3_result_int64(context, values[column]);
	} else {
		arguments_result(&cursor->arguments, column - COLUMNS, context);
	}
	return SQLITE_OK;
}

const sqlite3_module vtab_overlap_module = {
    .xConnect = vtab_connect,
    .xBestIndex = best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = vtab_listed_open,
    .xClose = vtab_listed_close,
    .xFilter = overlap_filter,
    .xNext = vtab_listed_next,
    .xEof = vtab_listed_eof,
    .xColumn = overlap_column,
    .xRowid = vtab_listed_rowid,
};
