/*
 * span_pairs(key, spans, partners, p1 ...): the spans that match the filter spans, each with those that match the filter partners and have the
 * same value of key, one dimension of span_sums (arg.KEY, name ...). Ordered by lane and start; before is when what ran earlier on the lane was
 * done.
 */
#include "config.h"
#include "store/vtab.h"

#include "column/ops/pairs.h"
#include "util/intervals.h"

enum {
	COLUMN_ID,
	COLUMN_LANE,
	COLUMN_NAME,
	COLUMN_START,
	COLUMN_FINISH,
	COLUMN_DURATION,
	COLUMN_BEFORE,
	COLUMN_N,
	COLUMN_PARTNER_START,
	COLUMN_PARTNER_FINISH,
	COLUMNS
};

static const struct arguments_shape arguments_shape = {
    {"key", "spans", "partners", PARAMETER_NAMES}, 11, 3, "(key, spans, partners [, p1, ... p8])"};

void
vtab_pairs_declare(enum block_kind kind, struct strbuf *columns)
{
	(void)kind;
	strbuf_add_text(columns,
	                "id INTEGER, lane INTEGER, name TEXT, start INTEGER, finish INTEGER, "
	                "duration INTEGER, before INTEGER, n INTEGER, partner_start "
	                "INTEGER, partner_finish INTEGER");
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
	struct pairs_request request = {.key = NULL};
	const struct dataset *dataset = vtab_dataset(vtab, err);
	struct pair *pairs;
	if (!dataset || arguments_text(arguments, &arguments_shape, 0, &request.key, err) ||
	    arguments_text(arguments, &arguments_shape, 1, &request.spans, err) ||
	    arguments_text(arguments, &arguments_shape, 2, &request.partners, err) ||
	    arguments_parameters(arguments, &arguments_shape, request.parameters, err)) {
		return -1;
	}
	request.cancel = vtab_cancel(vtab);
	int64_t n = pairs_run(dataset, &request, &pairs, err);
	if (n < 0) {
		return -1;
	}
	cursor->dataset = dataset;
	cursor->rows = pairs;
	cursor->n = n;
	return vtab_take_census(vtab, request.spans, request.parameters, false, err) ||
	               vtab_take_census(vtab, request.partners, request.parameters, true, err)
	           ? -1
	           : 0;
}

static int
pairs_filter(sqlite3_vtab_cursor *base, int number, const char *names, int argc,
             sqlite3_value **argv)
{
	(void)number;
	return vtab_listed_filter(base, names, argc, argv, run_scan);
}

static int
pairs_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	struct listed_cursor *cursor = (struct listed_cursor *)base;
	const struct pair *pair = (const struct pair *)cursor->rows + cursor->at;
	const int64_t values[COLUMNS] = {
	    [COLUMN_ID] = pair->id,
	    [COLUMN_LANE] = pair->lane,
	    [COLUMN_START] = pair->start_ns,
	    [COLUMN_FINISH] = time_add(pair->start_ns, pair->duration_ns),
	    [COLUMN_DURATION] = pair->duration_ns,
	    [COLUMN_BEFORE] = pair->before_ns,
	    [COLUMN_N] = pair->n_partners,
	    [COLUMN_PARTNER_START] = pair->partner_start_ns,
	    [COLUMN_PARTNER_FINISH] = pair->partner_end_ns,
	};
	bool is_null = (column == COLUMN_BEFORE && pair->before_ns == INT64_MIN) ||
	               ((column == COLUMN_PARTNER_START || column == COLUMN_PARTNER_FINISH) &&
	                pair->n_partners == 0);
	if (column == COLUMN_NAME) {
		vtab_result_code(context, cursor->dataset, pair->name);
	} else if (column < COLUMNS && !is_null) {
		sqlite3_result_int64(context, values[column]);
	} else if (column >= COLUMNS) {
		arguments_result(&cursor->arguments, column - COLUMNS, context);
	}
	return SQLITE_OK;
}

const sqlite3_module vtab_pairs_module = {
    .xConnect = vtab_connect,
    .xBestIndex = best_index,
    .xDisconnect = vtab_disconnect,
    .xOpen = vtab_listed_open,
    .xClose = vtab_listed_close,
    .xFilter = pairs_filter,
    .xNext = vtab_listed_next,
    .xEof = vtab_listed_eof,
    .xColumn = pairs_column,
    .xRowid = vtab_listed_rowid,
};
