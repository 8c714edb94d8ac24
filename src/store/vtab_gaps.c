/*
 * What lanes did not do.
 *
 * span_gaps(filter, least, n, p1 ...): the n longest gaps between the spans of a lane that match
 * the filter, with the spans around each. span_idle(filter, least, p1 ...): a row a lane, with the
 * sums of its gaps. Gaps shorter than least (in ns, or a text such as '10us'; NULL: none) do not
 * count. Both are one scan; the spans around gaps are looked for only where a column asks for them.
 */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>

#include "column/ops/gaps.h"
#include "util/intervals.h"
#include "util/mem.h"

enum {
	GAP_LANE,
	GAP_START,
	GAP_FINISH,
	GAP_DURATION,
	GAP_BEFORE,
	GAP_BEFORE_NAME,
	GAP_AFTER,
	GAP_AFTER_NAME,
	GAP_COLUMNS
};
enum {
	IDLE_LANE,
	IDLE_START,
	IDLE_FINISH,
	IDLE_N,
	IDLE_BUSY,
	IDLE_IDLE,
	IDLE_GAPS,
	IDLE_LONGEST,
	IDLE_LONGEST_START,
	IDLE_COLUMNS
};

static const struct arguments_shape gaps_shape = {
    {"filter", "least", "n", PARAMETER_NAMES}, 11, 3, "(filter, least, n [, p1, ... p8])"};
static const struct arguments_shape idle_shape = {
    {"filter", "least", PARAMETER_NAMES}, 10, 2, "(filter, least [, p1, ... p8])"};

struct gaps_cursor {
	sqlite3_vtab_cursor base;
	const struct dataset *dataset;
	struct arguments arguments;
	struct gaps gaps;
	size_t row;
	bool is_run;
};

void
vtab_gaps_declare(enum block_kind kind, struct strbuf *columns)
{
	(void)kind;
	strbuf_add_text(columns,
	                "lane INTEGER, start INTEGER, finish INTEGER, duration INTEGER, "
	                "before INTEGER, before_name TEXT, after INTEGER, after_name TEXT");
	arguments_declare(&gaps_shape, columns);
}

void
vtab_idle_declare(enum block_kind kind, struct strbuf *columns)
{
	(void)kind;
	strbuf_add_text(columns, "lane INTEGER, start INTEGER, finish INTEGER, n INTEGER, busy "
	                         "INTEGER, idle INTEGER, gaps INTEGER, longest INTEGER, "
	                         "longest_start INTEGER");
	arguments_declare(&idle_shape, columns);
}

static bool
is_idle(const struct gaps_cursor *cursor)
{
	return ((const struct vtab *)cursor->base.pVtab)->type->methods == &vtab_idle_module;
}

static int
gaps_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	const sqlite3_uint64 around = 15u << GAP_BEFORE;

	info->idxNum = (info->colUsed & around) != 0;
	return arguments_best_index((struct vtab *)table, &gaps_shape, GAP_COLUMNS, info);
}

static int
idle_best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	return arguments_best_index((struct vtab *)table, &idle_shape, IDLE_COLUMNS, info);
}

static int
run_scan(struct vtab *vtab, struct gaps_cursor *cursor, bool neighbours, struct err *err)
{
	const struct arguments *arguments = &cursor->arguments;
	const struct arguments_shape *shape = is_idle(cursor) ? &idle_shape : &gaps_shape;
	struct gaps_request request = {.neighbours = neighbours};

	cursor->dataset = vtab_dataset(vtab, err);
	if (!cursor->dataset || arguments_text(arguments, shape, 0, &request.filter, err) ||
	    arguments_duration(arguments, shape, 1, &request.least_ns, err) ||
	    (!is_idle(cursor) && arguments_integer(arguments, shape, 2, &request.limit, err)) ||
	    arguments_parameters(arguments, shape, request.parameters, err)) {
		return -1;
	}
	if (request.limit < 0) {
		return err_set(err, ERR_QUERY, "n can't be negative");
	}
	request.cancel = vtab_cancel(vtab);
	if (gaps_run(cursor->dataset, &request, &cursor->gaps, err)) {
		return -1;
	}
	cursor->is_run = true;
	return vtab_take_census(vtab, request.filter, request.parameters, false, err);
}

/* Lanes where the filter left nothing have no row. */
static void
skip_empty_lanes(struct gaps_cursor *cursor)
{
	while (is_idle(cursor) && cursor->row < cursor->gaps.n_lanes &&
	       cursor->gaps.lanes[cursor->row].n_spans == 0) {
		cursor->row++;
	}
}

static int
gaps_filter(sqlite3_vtab_cursor *base, int number, const char *names, int argc,
            sqlite3_value **argv)
{
	struct gaps_cursor *cursor = (struct gaps_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	struct err err = ERR_INIT;
	bool is_same;

	cursor->row = 0;
	if (arguments_set(&cursor->arguments, names, argc, argv, &is_same)) {
		return SQLITE_NOMEM;
	}
	if (!is_same || !cursor->is_run) {
		gaps_fini(&cursor->gaps);
		cursor->is_run = false;
		if (run_scan(vtab, cursor, number != 0, &err)) {
			err_wrap(&err, "%s", vtab->type->name);
			return vtab_fail(vtab, &err);
		}
	}
	skip_empty_lanes(cursor);
	return SQLITE_OK;
}

static void
result_neighbour(sqlite3_context *context, const struct gap_neighbour *neighbour)
{
	if (neighbour->id != 0) {
		sqlite3_result_int64(context, neighbour->id);
	}
}

static int
gaps_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct gaps_cursor *cursor = (struct gaps_cursor *)base;
	const struct gap *gap = &cursor->gaps.gaps[cursor->row];

	switch (column) {
	case GAP_LANE:
		sqlite3_result_int64(context, gap->lane);
		break;
	case GAP_START:
		sqlite3_result_int64(context, gap->start_ns);
		break;
	case GAP_FINISH:
		sqlite3_result_int64(context, gap->end_ns);
		break;
	case GAP_DURATION:
		sqlite3_result_int64(context, time_sub(gap->end_ns, gap->start_ns));
		break;
	case GAP_BEFORE:
		result_neighbour(context, &gap->before);
		break;
	case GAP_BEFORE_NAME:
		vtab_result_code(context, cursor->dataset, gap->before.name);
		break;
	case GAP_AFTER:
		result_neighbour(context, &gap->after);
		break;
	case GAP_AFTER_NAME:
		vtab_result_code(context, cursor->dataset, gap->after.name);
		break;
	default:
		arguments_result(&cursor->arguments, column - GAP_COLUMNS, context);
	}
	return SQLITE_OK;
}

static int
idle_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct gaps_cursor *cursor = (struct gaps_cursor *)base;
	const struct lane_gaps *lane = &cursor->gaps.lanes[cursor->row];
	int64_t time_ns = time_sub(lane->end_ns, lane->start_ns);
	const int64_t values[IDLE_COLUMNS] = {
	    [IDLE_LANE] = (int64_t)cursor->row,
	    [IDLE_START] = lane->start_ns,
	    [IDLE_FINISH] = lane->end_ns,
	    [IDLE_N] = lane->n_spans,
	    [IDLE_BUSY] = time_sub(time_ns, lane->uncovered_ns),
	    [IDLE_IDLE] = lane->idle_ns,
	    [IDLE_GAPS] = lane->n_gaps,
	    [IDLE_LONGEST] = lane->longest_ns,
	    [IDLE_LONGEST_START] = lane->longest_start_ns,
	};

	if (column >= IDLE_COLUMNS) {
		arguments_result(&cursor->arguments, column - IDLE_COLUMNS, context);
	} else if (column < IDLE_LONGEST || lane->n_gaps > 0) {
		sqlite3_result_int64(context, values[column]);
	}
	return SQLITE_OK;
}

static int
gaps_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	struct gaps_cursor *gaps = xcalloc(1, sizeof *gaps);

	(void)table;
	*cursor = &gaps->base;
	return SQLITE_OK;
}

static int
gaps_close(sqlite3_vtab_cursor *base)
{
	struct gaps_cursor *cursor = (struct gaps_cursor *)base;

	gaps_fini(&cursor->gaps);
	arguments_free(&cursor->arguments);
	free(cursor);
	return SQLITE_OK;
}

static int
gaps_next(sqlite3_vtab_cursor *base)
{
	struct gaps_cursor *cursor = (struct gaps_cursor *)base;

	cursor->row++;
	skip_empty_lanes(cursor);
	return SQLITE_OK;
}

static int
gaps_eof(sqlite3_vtab_cursor *base)
{
	const struct gaps_cursor *cursor = (struct gaps_cursor *)base;

	return cursor->row >= (is_idle(cursor) ? cursor->gaps.n_lanes : cursor->gaps.n_gaps);
}

static int
gaps_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = (sqlite3_int64)((struct gaps_cursor *)base)->row + 1;
	return SQLITE_OK;
}

const sqlite3_module vtab_gaps_module = {
    .xConnect = vtab_connect,
    .xBestIndex = gaps_best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = gaps_open,
    .xClose = gaps_close,
    .xFilter = gaps_filter,
    .xNext = gaps_next,
    .xEof = gaps_eof,
    .xColumn = gaps_column,
    .xRowid = gaps_rowid,
};
const sqlite3_module vtab_idle_module = {
    .xConnect = vtab_connect,
    .xBestIndex = idle_best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = gaps_open,
    .xClose = gaps_close,
    .xFilter = gaps_filter,
    .xNext = gaps_next,
    .xEof = gaps_eof,
    .xColumn = idle_column,
    .xRowid = gaps_rowid,
};
