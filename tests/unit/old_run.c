#include "config.h"

#include "tests/unit/old_run.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/runfile.h"
#include "store/store.h"
#include "store/writer_private.h"

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

static void
copy_rows(sqlite3 *db, const char *run_path)
{
	char text[5000];

	snprintf(text, sizeof text, "ATTACH '%s' AS r", run_path);
	execute(db, text);
	execute_each(db,
	             "SELECT 'INSERT INTO main.' || m.name || ' SELECT ' || group_concat('\"' || "
	             "t.name || '\"') || ' FROM r.' || m.name FROM main.sqlite_master m JOIN "
	             "pragma_table_info(m.name) t WHERE m.type = 'table' GROUP BY m.name");
}

/* In pages that have checksums, by the writer of run files. */
static void
write_sealed(const char *run_path, const struct writer_kind *kind, const char *old_path,
             bool is_large)
{
	struct err err = ERR_INIT;
	struct writer *writer = writer_new_of(kind, old_path, &err);

	if (!writer || writer_begin(writer, is_large, &err)) {
		fprintf(stderr, "%s\n", err.message);
		exit(2);
	}
	execute(writer->db, "COMMIT"); /* or nothing can be attached */
	copy_rows(writer->db, run_path);
	execute(writer->db, "DETACH r; BEGIN");
	if (writer_complete(writer, NULL, &err)) {
		fprintf(stderr, "%s\n", err.message);
		exit(2);
	}
	writer_abort(writer);
}

void
old_run_write(const char *run_path, const char *old_path, int version, const char *sql,
              int page_bytes)
{
	const struct writer_kind kind = {STORE_APPLICATION_ID, version, sql, "run"};
	sqlite3 *db;
	char text[200];

	unlink(old_path);
	if (version >= STORE_VERSION_SEALED) {
		write_sealed(run_path, &kind, old_path, page_bytes > 4096);
		return;
	}
	if (sqlite3_open(old_path, &db) != SQLITE_OK) {
		fail(db, old_path);
	}
	snprintf(text, sizeof text,
	         "PRAGMA page_size = %d; PRAGMA application_id = %d; PRAGMA user_version = %d",
	         page_bytes, STORE_APPLICATION_ID, version);
	execute(db, text);
	execute(db, sql);
	copy_rows(db, run_path);
	sqlite3_close(db);
}
