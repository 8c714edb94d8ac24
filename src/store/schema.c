/*
 * A run file comes from anywhere, and its schema is a program: a "table" may be a view over
 * anything, a view may join for ever. So nothing is read from a file before its sqlite_master was
 * compared with that of an empty database made from our own schema.sql. Comments and blanks do not
 * count: they may be improved without a new version.
 */
#include "config.h"
#include "store/schema.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "store/internal.h"
#include "store/schema_sql.h" /* schema_sql[]: made from schema.sql by the build */
#include "util/mem.h"
#include "util/slice.h"

const char *const schema_newest = (const char *)schema_sql;

/* schema.sql has the tables first, then indexes, then views. */
int
schema_create(sqlite3 *db, enum schema_part part, struct err *err)
{
	const char *sql = schema_newest;
	const char *rest = strstr(sql, "\nCREATE INDEX");
	assert(rest);
	char *text = part == SCHEMA_TABLES ? xstrndup(sql, (size_t)(rest - sql)) : xstrdup(rest);
	int result = sqlite3_exec(db, text, NULL, NULL, NULL);
	free(text);
	return result == SQLITE_OK ? 0 : err_of_file(db, result, "schema", err);
}

/* Past blanks and comments. */
static const char *
skip_blanks(const char *sql)
{
	for (;;) {
		sql += strspn(sql, " \t\r\n");
		if (strncmp(sql, "--", 2) != 0) {
			return sql;
		}
		sql += strcspn(sql, "\n");
	}
}

/* Appends sql without comments, with single blanks. A "--" inside a quoted name would be cut as
 * well, but not to anything of ours, as ours has no quotes with "--". */
static void
add_normal(struct strbuf *out, const char *sql)
{
	bool is_blank = false;
	while (*sql) {
		const char *next = skip_blanks(sql);
		if (next != sql) {
			is_blank = true;
			sql = next;
			continue;
		}
		if (is_blank) {
			strbuf_add_char(out, ' ');
			is_blank = false;
		}
		strbuf_add_char(out, *sql++);
	}
}

static const char list_sql[] =
    "SELECT type, name, tbl_name, sql FROM main.sqlite_master ORDER BY name, type";

/* Next object as one text; 1, 0 at the end, -1. */
static int
next_object(sqlite3_stmt *list, struct strbuf *object, struct err *err)
{
	strbuf_clear(object);
	int result = sqlite3_step(list);
	if (result != SQLITE_ROW) {
		return result == SQLITE_DONE
		           ? 0
		           : err_of_file(sqlite3_db_handle(list), result, "schema", err);
	}
	for (int i = 0; i < 4; i++) {
		const char *text = (const char *)sqlite3_column_text(list, i);
		if (i < 3) { /* SQLite looks that names are those of the SQL */
			strbuf_add_text(object, text ? text : "");
		} else {
			add_normal(object, text ? text : "");
		}
	}
	return 1;
}

/* Every object of ours must be in theirs; both lists are in the same order. */
static int
compare(sqlite3_stmt *ours, sqlite3_stmt *theirs, bool is_exact, struct err *err)
{
	struct strbuf our = {0}, their = {0};
	int status = -1, has_ours, has_theirs;
	bool is_same = true;
	while ((has_ours = next_object(ours, &our, err)) == 1) {
		do {
			has_theirs = next_object(theirs, &their, err);
			if (has_theirs < 0) {
				goto out;
			}
			is_same = has_theirs == 1 &&
			          slice_equal(strbuf_slice(&our), strbuf_slice(&their));
		} while (!is_same && has_theirs == 1 && !is_exact);
		if (!is_same) {
			break;
		}
	}
	if (has_ours < 0) {
		goto out;
	}
	if (is_same && is_exact) {
		has_theirs = next_object(theirs, &their, err);
		if (has_theirs < 0) {
			goto out;
		}
		is_same = has_theirs == 0;
	}
	status = is_same ? 0
	                 : err_set(err, ERR_FORMAT,
	                           "its tables are not those of a run file: it was changed or made "
	                           "by something else; import it again");
out:
	strbuf_free(&our);
	strbuf_free(&their);
	return status;
}

static int
check_as(sqlite3 *db, const char *sql, bool is_exact, struct err *err)
{
	sqlite3 *model = NULL;
	sqlite3_stmt *ours = NULL, *theirs = NULL;
	int status = -1;
	int result =
	    sqlite3_open_v2(":memory:", &model,
	                    SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL);
	if (result != SQLITE_OK ||
	    (result = sqlite3_exec(model, sql, NULL, NULL, NULL)) != SQLITE_OK) {
		err_of_file(model, result, "schema", err);
		goto out;
	}
	result = sqlite3_prepare_v2(model, list_sql, -1, &ours, NULL);
	if (result != SQLITE_OK) {
		err_of_file(model, result, "schema", err);
		goto out;
	}
	result = sqlite3_prepare_v2(db, list_sql, -1, &theirs, NULL);
	if (result != SQLITE_OK) {
		err_of_file(db, result, "schema", err);
		goto out;
	}
	status = compare(ours, theirs, is_exact, err);
out:
	sqlite3_finalize(ours);
	sqlite3_finalize(theirs);
	sqlite3_close(model);
	return status;
}

int
schema_check(sqlite3 *db, bool is_exact, struct err *err)
{
	return check_as(db, schema_newest, is_exact, err);
}

int
schema_check_as(sqlite3 *db, const char *sql, struct err *err)
{
	return check_as(db, sql, true, err);
}
