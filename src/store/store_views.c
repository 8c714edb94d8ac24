/*
 * How a scope reaches SQL. Scans and the virtual tables read it from the dataset. Of each plain
 * table that it leaves something of, and of every view, the connection gets a temporary view of the
 * same name: SQLite looks there first, so no query changes its text. A view's counterpart is its
 * own text once more, since one of the file is bound to the file's tables.
 *
 * Table run always has such a counterpart: a run is called what its file is called. In a scope it
 * tells the range's length and what is in scope; run_whole tells of the run as it is. Its start
 * stays: all times count from it.
 */
#include "config.h"
#include "store/store_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/reader.h"

struct counterparts {
	const struct dataset_scope *scope;
	bool cuts_lanes, has_condition, is_whole;
	int64_t duration_ns; /* of the run */
	struct strbuf *sql;
};

/* --- The views' texts ---------------------------------------------------- */

/* "start < END AND (end > START OR start >= START)" of expressions; a start that is not known
 * passes, an end that is not is never reached. */
static void
add_overlap(const struct counterparts *counterparts, const char *start, const char *end)
{
	const struct dataset_scope *scope = counterparts->scope;

	if (scope->start_ns >= scope->end_ns) {
		strbuf_add_text(counterparts->sql, "0");
		return;
	}
	strbuf_printf(counterparts->sql,
	              "coalesce(%s < %" PRId64 " AND (coalesce(%s, %" PRId64 ") > %" PRId64
	              " OR %s >= %" PRId64 "), 1)",
	              start, scope->end_ns, end, INT64_MAX, scope->start_ns, start,
	              scope->start_ns);
}

/* A table of what has a lane and times. A condition chooses spans: of the table, what its spans are
 * of; `spans` takes them by lane, start and name, ten million at most. */
static void
add_timed(const struct counterparts *counterparts, const char *table, const char *start,
          const char *end, const char *spans)
{
	const struct dataset_scope *scope = counterparts->scope;

	if (!scope->has_range && !counterparts->cuts_lanes && !counterparts->has_condition) {
		return;
	}
	strbuf_printf(counterparts->sql, "CREATE TEMP VIEW %s AS SELECT * FROM main.%s WHERE ",
	              table, table);
	if (scope->has_range) {
		add_overlap(counterparts, start, end);
	}
	if (counterparts->cuts_lanes) {
		strbuf_add_text(counterparts->sql, scope->has_range ? " AND " : "");
		strbuf_add_text(counterparts->sql, "lane_in_scope(lane)");
	}
	if (counterparts->has_condition) {
		strbuf_printf(counterparts->sql, "%s%s",
		              scope->has_range || counterparts->cuts_lanes ? " AND " : "", spans);
	}
	strbuf_add_char(counterparts->sql, ';');
}

/* Counts hold until the next: what a pool had when the range begins was recorded before. */
static void
add_instants(const struct counterparts *counterparts)
{
	const struct dataset_scope *scope = counterparts->scope;

	if (!scope->has_range) {
		return;
	}
	strbuf_printf(
	    counterparts->sql,
	    "CREATE TEMP VIEW capacity AS SELECT id, source, %" PRId64 " AS time, pool, nodes FROM "
	    "(SELECT *, row_number() OVER (PARTITION BY pool ORDER BY time DESC, id DESC) AS nth "
	    "FROM main.capacity WHERE time < %" PRId64 ") AS before WHERE nth = 1 AND NOT EXISTS "
	    "(SELECT 1 FROM main.capacity AS at WHERE at.pool IS before.pool AND at.time = %" PRId64
	    ") UNION ALL SELECT * FROM main.capacity WHERE time >= %" PRId64 " AND time < %" PRId64
	    ";",
	    scope->start_ns, scope->start_ns, scope->start_ns, scope->start_ns, scope->end_ns);
	strbuf_printf(counterparts->sql,
	              "CREATE TEMP VIEW preemption AS SELECT * FROM main.preemption WHERE "
	              "time >= %" PRId64 " AND time < %" PRId64 ";",
	              scope->start_ns, scope->end_ns);
}

static void
add_tables(const struct counterparts *counterparts)
{
	struct strbuf *sql = counterparts->sql;

	if (counterparts->cuts_lanes) {
		strbuf_add_text(sql, "CREATE TEMP VIEW lane AS SELECT * FROM main.lane WHERE "
		                     "lane_in_scope(id);");
	}
	add_timed(counterparts, "task",
	          "coalesce(started, enqueued, planned, loaded, computed, published, finished, "
	          "completed)",
	          "coalesce(published, finished, computed, completed)",
	          "(lane, started) IN (SELECT lane, start FROM span_page("
	          "'category IN (\"task\", \"Compute\")', 'id', 0, 10000000))");
	add_timed(counterparts, "transfer",
	          "coalesce(started, planned, loaded, received, unloaded, finished, completed)",
	          "coalesce(finished, unloaded, received, completed)",
	          "(lane, planned, name) IN (SELECT lane, start, text_code_of(name) FROM span_page("
	          "'category = \"transfer\"', 'id', 0, 10000000))");
	add_instants(counterparts);
	strbuf_add_text(
	    sql,
	    "CREATE TEMP VIEW dependency AS SELECT * FROM main.dependency AS d WHERE CASE type "
	    "WHEN 'task' THEN EXISTS (SELECT 1 FROM task WHERE id = d.from_id) AND EXISTS "
	    "(SELECT 1 FROM task WHERE id = d.to_id) ELSE EXISTS (SELECT 1 FROM span WHERE "
	    "id = d.from_id) AND EXISTS (SELECT 1 FROM span WHERE id = d.to_id) END;"
	    "CREATE TEMP VIEW span_total AS SELECT lane, text_code_of(category) AS category, "
	    "text_code_of(name) AS name, n, rows, start_min, finish_max, dur_sum, dur_min, "
	    "dur_max, dur_sumsq, self_sum, size_n, size_sum, size_min, size_max, size_sumsq, "
	    "summed, unfinished_n, unfinished_sum FROM span_sums('lane,category,name');");
}

/* What a column of table run tells of the scope; NULL: the same as of the run. */
static char *
run_expression(const struct counterparts *counterparts, const struct store *store,
               const char *column)
{
	static const struct {
		const char *column, *expression;
	} counts[] = {{"spans", "(SELECT rows FROM span_sums(''))"},
	              {"events", "(SELECT rows FROM event_sums(''))"},
	              {"counters", "(SELECT rows FROM counter_sums(''))"},
	              {"lanes", "(SELECT count(*) FROM lane WHERE NOT lane_is_beside(kind))"},
	              {"tasks", "(SELECT count(*) FROM task)"},
	              {"transfers", "(SELECT count(*) FROM transfer)"}};
	struct store_view view = store_view(store);

	if (strcmp(column, "name") == 0) {
		return sqlite3_mprintf("%Q", store->name);
	}
	if (!counterparts->is_whole && strcmp(column, "duration_ns") == 0) {
		return sqlite3_mprintf("%lld", (long long)(view.end_ns - view.start_ns));
	}
	for (size_t i = 0; !counterparts->is_whole && i < COUNT_OF(counts); i++) {
		if (strcmp(column, counts[i].column) == 0) {
			return sqlite3_mprintf("%s", counts[i].expression);
		}
	}
	return sqlite3_mprintf("\"%w\"", column);
}

static int
add_run(const struct counterparts *counterparts, const struct store *store, const char *view)
{
	sqlite3_stmt *columns = NULL;
	int result =
	    sqlite3_prepare_v2(store->db, "PRAGMA main.table_info(run)", -1, &columns, NULL);

	strbuf_printf(counterparts->sql, "CREATE TEMP VIEW %s AS SELECT ", view);
	while (result == SQLITE_OK && sqlite3_step(columns) == SQLITE_ROW) {
		const char *column = (const char *)sqlite3_column_text(columns, 1);
		char *expression = run_expression(counterparts, store, column ? column : "");
		strbuf_printf(counterparts->sql, "%s AS \"%s\", ", expression ? expression : "NULL",
		              column ? column : "");
		sqlite3_free(expression);
	}
	sqlite3_finalize(columns);
	strbuf_add_text(counterparts->sql, "name AS imported_as FROM main.run;");
	return result;
}

/* The file's own views; its schema is ours. */
static int
add_views(const struct counterparts *counterparts, sqlite3 *db)
{
	static const char begin[] = "CREATE VIEW ";
	sqlite3_stmt *views = NULL;
	int result = sqlite3_prepare_v2(
	    db, "SELECT sql FROM main.sqlite_master WHERE type = 'view'", -1, &views, NULL);

	while (result == SQLITE_OK && sqlite3_step(views) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(views, 0);
		if (text && strncmp(text, begin, strlen(begin)) == 0) {
			strbuf_printf(counterparts->sql, "CREATE TEMP VIEW %s;",
			              text + strlen(begin));
		}
	}
	sqlite3_finalize(views);
	return result;
}

/* Drops what there was. */
static int
add_drops(sqlite3 *db, struct strbuf *sql)
{
	sqlite3_stmt *views = NULL;
	int result = sqlite3_prepare_v2(
	    db, "SELECT name FROM temp.sqlite_master WHERE type = 'view'", -1, &views, NULL);

	while (result == SQLITE_OK && sqlite3_step(views) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(views, 0);
		strbuf_printf(sql, "DROP VIEW temp.\"%s\";", name ? name : "");
	}
	sqlite3_finalize(views);
	return result;
}

/* --- All of it ----------------------------------------------------------- */

int
store_show(struct store *store, struct err *err)
{
	static const struct dataset_scope all;
	const struct run_reader *reader = store->reader;
	struct strbuf sql = {0};
	bool is_whole = store->scope.n == 0;
	struct counterparts counterparts = {.scope = is_whole ? &all : &reader->dataset.scope,
	                                    .cuts_lanes = reader->cuts_lanes,
	                                    .has_condition = store_scope_condition(store),
	                                    .is_whole = is_whole,
	                                    .sql = &sql},
			    whole = {.scope = &all, .is_whole = true, .sql = &sql};

	strbuf_add_text(&sql, "BEGIN;");
	int result = add_drops(store->db, &sql);
	if (result == SQLITE_OK && !is_whole) {
		add_tables(&counterparts);
		result = add_views(&counterparts, store->db);
	}
	result = result == SQLITE_OK ? add_run(&counterparts, store, "run") : result;
	result = result == SQLITE_OK ? add_run(&whole, store, "run_whole") : result;
	strbuf_add_text(&sql, "COMMIT");
	sqlite3_progress_handler(store->db, 0, NULL, NULL); /* whoever calls sets it again */
	if (result == SQLITE_OK) {
		result = sqlite3_exec(store->db, sql.data, NULL, NULL, NULL);
	}
	int rc = result == SQLITE_OK ? 0 : err_of_file(store->db, result, store->path, err);
	store->is_shown = store->is_shown || rc == 0;
	if (!sqlite3_get_autocommit(store->db)) {
		sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
	}
	strbuf_free(&sql);
	return rc;
}

const struct scope *
store_scope(const struct store *store)
{
	return &store->scope;
}

const char *
store_scope_condition(const struct store *store)
{
	return scope_condition(&store->scope);
}

const bool *
store_lanes(const struct store *store)
{
	return store->reader->cuts_lanes ? store->reader->lanes_in_scope : NULL;
}

struct store_view
store_view(const struct store *store)
{
	struct store_view view = {0, store->info.duration_ns};
	int64_t start_ns, end_ns;

	if (scope_range(&store->scope, &start_ns, &end_ns)) {
		view.end_ns = end_ns < view.end_ns ? end_ns : view.end_ns;
		view.start_ns = start_ns < view.end_ns ? start_ns : view.end_ns;
	}
	return view;
}
