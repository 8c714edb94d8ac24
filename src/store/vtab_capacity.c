/*
 * capacity_state: what the counts of table capacity say, pool by pool and in order of time, each
 * with what came before it and what comes next.
 *
 * SQL's window functions tell the same, but keep and sort every row several times. Here a cursor is
 * a statement over the table, read one row ahead; where the records already stand in order (as one
 * trace's do) nothing is sorted. Of several records of one pool and time the last is the state.
 */
#include "config.h"
#include "store/vtab.h"

enum {
	STATE_POOL,
	STATE_TIME,
	STATE_NODES,
	STATE_ROWS,
	STATE_SOURCE,
	STATE_BEFORE,
	STATE_SINCE,
	STATE_UNTIL,
	STATE_CHANGED,
	STATE_DROPPED
};

struct instant {
	bool is_known;
	sqlite3_int64 time;
};

struct state {
	sqlite3_int64 pool; /* if has_pool */
	bool has_pool;
	sqlite3_int64 time, nodes, source, rows;
	struct instant since; /* the state before; before: its count */
	sqlite3_int64 before;
	struct instant until, changed, dropped;
};

struct capacity_cursor {
	/* its statement is on the row after those of the state, if has_row */
	struct stmt_cursor of;
	bool has_row;
	struct state state;
};

static void
capacity_declare(const struct vtab_type *type, struct strbuf *columns)
{
	(void)type;
	strbuf_add_text(columns,
	                "pool INTEGER, time INTEGER, nodes INTEGER, \"rows\" INTEGER, source "
	                "INTEGER, \"before\" INTEGER, since INTEGER, until INTEGER, changed "
	                "INTEGER, dropped INTEGER");
}

/* Rows come by pool, then time. */
static int
best_index(sqlite3_vtab *table, sqlite3_index_info *info)
{
	bool is_ordered = info->nOrderBy >= 1 && info->nOrderBy <= 2;

	(void)table;
	for (int i = 0; i < info->nOrderBy; i++) {
		is_ordered = is_ordered && !info->aOrderBy[i].desc &&
		             info->aOrderBy[i].iColumn == (i == 0 ? STATE_POOL : STATE_TIME);
	}
	info->orderByConsumed = is_ordered;
	info->estimatedCost = 1e7;
	info->estimatedRows = 1000000;
	return SQLITE_OK;
}

static bool
is_of_pool(const struct capacity_cursor *cursor)
{
	bool has_pool = sqlite3_column_type(cursor->of.stmt, 0) != SQLITE_NULL;

	return has_pool == cursor->state.has_pool &&
	       (!has_pool || sqlite3_column_int64(cursor->of.stmt, 0) == cursor->state.pool);
}

static int
read_row(struct capacity_cursor *cursor)
{
	int result = sqlite3_step(cursor->of.stmt);

	cursor->has_row = result == SQLITE_ROW;
	return vtab_fail_read((struct vtab *)cursor->of.cursor.base.pVtab, result);
}

/* The state that begins with the row at hand, as far as the one before tells. */
static struct state
follow(const struct capacity_cursor *cursor)
{
	const struct state *last = &cursor->state;
	struct state state = {.has_pool = sqlite3_column_type(cursor->of.stmt, 0) != SQLITE_NULL,
	                      .pool = sqlite3_column_int64(cursor->of.stmt, 0),
	                      .time = sqlite3_column_int64(cursor->of.stmt, 1)};

	if (last->rows > 0 && is_of_pool(cursor)) {
		struct instant then = {true, last->time};
		state.since = then;
		state.before = last->nodes;
		state.changed =
		    !last->since.is_known || last->nodes != last->before ? then : last->changed;
		state.dropped =
		    last->since.is_known && last->nodes < last->before ? then : last->dropped;
	}
	return state;
}

static int
next_state(struct capacity_cursor *cursor)
{
	int result = SQLITE_OK;

	cursor->of.cursor.is_end = !cursor->has_row;
	if (cursor->of.cursor.is_end) {
		return SQLITE_OK;
	}
	cursor->state = follow(cursor);
	while (result == SQLITE_OK && cursor->has_row && is_of_pool(cursor) &&
	       sqlite3_column_int64(cursor->of.stmt, 1) == cursor->state.time) {
		cursor->state.nodes = sqlite3_column_int64(cursor->of.stmt, 2);
		cursor->state.source = sqlite3_column_int64(cursor->of.stmt, 3);
		cursor->state.rows++;
		result = read_row(cursor);
	}
	if (cursor->has_row && is_of_pool(cursor)) {
		cursor->state.until =
		    (struct instant){true, sqlite3_column_int64(cursor->of.stmt, 1)};
	}
	return result;
}

/* Do the records stand in order of pool and time? 1, 0, or -1 and the code. */
static int
is_in_order(struct vtab *vtab, int *result)
{
	sqlite3_stmt *list;
	sqlite3_int64 pool = INT64_MIN, time = INT64_MIN;
	bool is_ordered = true;

	*result = vtab_prepare(vtab, "SELECT pool, time FROM main.capacity ORDER BY id", &list);
	while (*result == SQLITE_OK && is_ordered && (*result = sqlite3_step(list)) == SQLITE_ROW) {
		bool has_pool = sqlite3_column_type(list, 0) != SQLITE_NULL;
		sqlite3_int64 next_pool = has_pool ? sqlite3_column_int64(list, 0) : INT64_MIN;
		sqlite3_int64 next_time = sqlite3_column_int64(list, 1);
		is_ordered = next_pool > pool || (next_pool == pool && next_time >= time);
		pool = next_pool;
		time = next_time;
		*result = SQLITE_OK;
	}
	*result = vtab_fail_read(vtab, *result);
	sqlite3_finalize(list);
	return *result == SQLITE_OK ? is_ordered : -1;
}

static int
capacity_filter(sqlite3_vtab_cursor *base, int number, const char *names, int argc,
                sqlite3_value **argv)
{
	static const char *const statements[] = {
	    "SELECT pool, time, nodes, source FROM main.capacity ORDER BY pool, time, id",
	    "SELECT pool, time, nodes, source FROM main.capacity ORDER BY id"};
	struct capacity_cursor *cursor = (struct capacity_cursor *)base;
	struct vtab *vtab = (struct vtab *)base->pVtab;
	int result = vtab_stmt_begin(&cursor->of);

	(void)number;
	(void)names;
	(void)argc;
	(void)argv;
	cursor->state = (struct state){0};
	int is_ordered = result == SQLITE_OK ? is_in_order(vtab, &result) : -1;
	if (is_ordered < 0) {
		return result;
	}
	result = vtab_prepare(vtab, statements[is_ordered], &cursor->of.stmt);
	result = result == SQLITE_OK ? read_row(cursor) : vtab_fail_read(vtab, result);
	return result == SQLITE_OK ? next_state(cursor) : result;
}

static int
capacity_next(sqlite3_vtab_cursor *base)
{
	struct capacity_cursor *cursor = (struct capacity_cursor *)base;

	cursor->of.cursor.at++;
	return next_state(cursor);
}

static int
capacity_column(sqlite3_vtab_cursor *base, sqlite3_context *context, int column)
{
	const struct state *state = &((struct capacity_cursor *)base)->state;
	const struct {
		bool is_known;
		sqlite3_int64 value;
	} values[] = {
	    [STATE_POOL] = {state->has_pool, state->pool},
	    [STATE_TIME] = {true, state->time},
	    [STATE_NODES] = {true, state->nodes},
	    [STATE_ROWS] = {true, state->rows},
	    [STATE_SOURCE] = {true, state->source},
	    [STATE_BEFORE] = {state->since.is_known, state->before},
	    [STATE_SINCE] = {state->since.is_known, state->since.time},
	    [STATE_UNTIL] = {state->until.is_known, state->until.time},
	    [STATE_CHANGED] = {state->changed.is_known, state->changed.time},
	    [STATE_DROPPED] = {state->dropped.is_known, state->dropped.time},
	};

	if (values[column].is_known) {
		sqlite3_result_int64(context, values[column].value);
	}
	return SQLITE_OK;
}

const struct vtab_class vtab_capacity = {
    .methods = {VTAB_FRAME, .xBestIndex = best_index, .xFilter = capacity_filter,
                .xNext = capacity_next, .xColumn = capacity_column},
    .declare = capacity_declare,
    .cursor_bytes = sizeof(struct capacity_cursor),
    .release = vtab_stmt_release,
};
