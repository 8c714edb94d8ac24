#include "config.h"

#include "tests/unit/old_run.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/runfile.h"
#include "store/store.h"

static void
fail(sqlite3 *db, const char *sql)
{
	fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(db));
	exit(2);
}

static void
execute(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK) {
		fail(db, sql);
	}
}

/* SQL made by SQL, one statement a row. */
static void
execute_each(sqlite3 *db, const char *list)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db, list, -1, &stmt, NULL) != SQLITE_OK) {
		fail(db, list);
	}
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		execute(db, (const char *)sqlite3_column_text(stmt, 0));
	}
	sqlite3_finalize(stmt);
}

void
old_run_write(const char *run_path, const char *old_path, int version, const char *sql,
              int page_bytes)
{
	sqlite3 *db;
	char text[5000];

	unlink(old_path);
	if (sqlite3_open(old_path, &db) != SQLITE_OK) {
		fail(db, old_path);
	}
	snprintf(text, sizeof text,
	         "PRAGMA page_size = %d; PRAGMA application_id = %d; PRAGMA user_version = %d",
	         page_bytes, STORE_APPLICATION_ID, version);
	execute(db, text);
	execute(db, sql);
	snprintf(text, sizeof text, "ATTACH '%s' AS r", run_path);
	execute(db, text);
	execute_each(db,
	             "SELECT 'INSERT INTO main.' || m.name || ' SELECT ' || group_concat('\"' || "
	             "t.name || '\"') || ' FROM r.' || m.name FROM main.sqlite_master m JOIN "
	             "pragma_table_info(m.name) t WHERE m.type = 'table' GROUP BY m.name");
	sqlite3_close(db);
}
