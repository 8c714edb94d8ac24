/*
 * An upgrade copies the tables row by row, in their order, from a connection to the old file to a
 * writer of a new one, so the file is what an import by this version would have written of the same
 * rows: pages have checksums, indexes and views are the newest. Nothing is changed in the old file.
 *
 * A version only adds tables and columns to the one before (where the bytes of columns come to mean
 * something else, its files can't be upgraded, and STORE_VERSION_OLDEST is raised): the history
 * says which, and what older rows have there.
 *
 * Old files come from anywhere, so their schema is compared with that of their version before
 * anything else is asked. Whatever their pages hold gets a right checksum here; that is why their
 * structure is looked at first, as thoroughly as SQLite can.
 */
#include "config.h"
#include "store/upgrade.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/model.h"
#include "store/checked.h"
#include "store/internal.h"
#include "store/runfile.h"
#include "store/schema_4_sql.h" /* schema_4_sql[]: made from schema-4.sql by the build */
#include "store/schema_5_sql.h" /* and so on */
#include "store/writer_private.h"

#define LARGE_PAGES 16384 /* bytes: what has such or larger ones was a large run */

static const struct upgrade_version versions[] = {{4, schema_4_sql}, {5, schema_5_sql}, {0, NULL}};
static const struct upgrade_addition additions[] = {
    {5, "run", "zero_pages", "0"}, /* counted anew */
    {6, "kept", NULL, NULL},
    {0, NULL, NULL, NULL},
};
const struct upgrade_history upgrade_history = {versions, additions};

struct copy {
	const struct upgrade_history *history;
	const struct cancel *cancel;
	const char *from;
	int version;
	struct file_identity identity;
	sqlite3 *old;
	struct writer *writer;
	const struct tag_list *tags; /* to be changed; NULL: the version is */
};

static int
poll_cancel(void *cancel)
{
	return cancel_requested(cancel);
}

/* ---- the old file ---- */

/* The code where what was found is a page that could not be read, else 0. */
static int
code_of_check(const char *found)
{
	static const char told[] = "error code=";
	const char *code = found ? strstr(found, told) : NULL;

	return code ? (int)strtol(code + sizeof told - 1, NULL, 10) : 0;
}

/* The disk's failure is none of the file's. */
static int
tell_unread(const struct copy *copy, int result, struct err *err)
{
	const char *path;
	unsigned page;
	bool is_damaged = checked_damage(copy->old, &path, &page);

	return err_of_file(is_damaged ? copy->old : NULL, result, copy->from, err);
}

static int
check_structure(const struct copy *copy, struct err *err)
{
	sqlite3_stmt *check;
	int result = sqlite3_prepare_v2(copy->old, "PRAGMA integrity_check(1)", -1, &check, NULL);
	int status = 0;
	if (result == SQLITE_OK && (result = sqlite3_step(check)) == SQLITE_ROW) {
		const char *found = (const char *)sqlite3_column_text(check, 0);
		result = SQLITE_OK;
		int code = code_of_check(found);
		if ((code & 0xff) == SQLITE_IOERR || (code & 0xff) == SQLITE_NOMEM) {
			status = tell_unread(copy, code, err);
		} else if (!found || strcmp(found, "ok") != 0) {
			status =
			    err_set(err, ERR_FORMAT,
			            "%s: is damaged (%s): copy it again or import its traces again",
			            copy->from, found ? found : "no memory");
		}
	}
	if (status == 0 && result != SQLITE_OK) {
		status = err_of_file(copy->old, result, copy->from, err);
	}
	sqlite3_finalize(check);
	return status;
}

/* The schema of the old file's version; NULL: it can't be upgraded. */
static const char *
find_schema(const struct copy *copy, struct err *err)
{
	const struct upgrade_version *own = copy->history->versions;
	if (copy->tags && copy->version == STORE_VERSION) {
		return schema_newest;
	}
	if (copy->tags) {
		err_set(err, ERR_FORMAT, "%s: has run file version %d: lanescope upgrade it first",
		        copy->from, copy->version);
		return NULL;
	}
	while (own->sql && own->version != copy->version) {
		own++;
	}
	if (copy->version == STORE_VERSION) {
		err_set(err, ERR_USAGE,
		        "%s: has run file version %d already: nothing is left to do", copy->from,
		        copy->version);
		return NULL;
	}
	if (!own->sql) {
		err_set(
		    err, ERR_FORMAT,
		    "%s: has run file version %d, which can't be upgraded: import its traces again",
		    copy->from, copy->version);
	}
	return (const char *)own->sql;
}

static int
open_old(struct copy *copy, struct err *err)
{
	const char *schema;
	if (runfile_check_older(copy->from, &copy->version, &copy->identity, err) ||
	    !(schema = find_schema(copy, err))) {
		return -1;
	}
	if (copy->version < STORE_VERSION_SEALED
	        ? checked_open_unsealed(copy->from, &copy->old, err)
	        : checked_open(copy->from, &copy->old, err)) {
		return -1;
	}
	sqlite3_progress_handler(copy->old, 20000, poll_cancel, (void *)copy->cancel);
	return schema_check_as(copy->old, schema, err) ? err_wrap(err, "%s", copy->from)
	                                               : check_structure(copy, err);
}

/* ---- rows ---- */

/* What was added to the table (column NULL), or as the column, after the old file's version. */
static const struct upgrade_addition *
addition_of(const struct copy *copy, const char *table, const char *column)
{
	for (const struct upgrade_addition *one = copy->history->additions; one->table; one++) {
		bool is_column =
		    column ? one->column && strcmp(one->column, column) == 0 : !one->column;
		if (one->version > copy->version && is_column && strcmp(one->table, table) == 0) {
			return one;
		}
	}
	return NULL;
}

/* The statements that read rows of a table and write them, column for column. */
static int
prepare_table(const struct copy *copy, const char *table, sqlite3_stmt **rows,
              sqlite3_stmt **insert, struct err *err)
{
	struct strbuf select = {0}, values = {0};
	sqlite3_stmt *columns;
	int n = 0, result = sqlite3_prepare_v2(
		       copy->writer->db, "SELECT name FROM pragma_table_info(?1) ORDER BY cid", -1,
		       &columns, NULL);
	*rows = *insert = NULL;
	if (result == SQLITE_OK) {
		sqlite3_bind_text(columns, 1, table, -1, SQLITE_STATIC);
	}
	while (result == SQLITE_OK && (result = sqlite3_step(columns)) == SQLITE_ROW) {
		const char *column = (const char *)sqlite3_column_text(columns, 0);
		const struct upgrade_addition *added = addition_of(copy, table, column);
		strbuf_printf(&select, added ? "%s%s" : "%s\"%s\"", n ? ", " : "SELECT ",
		              added ? added->before : column);
		strbuf_add_text(&values, n ? ", ?" : "?");
		n++;
		result = SQLITE_OK;
	}
	sqlite3_finalize(columns);
	if (result != SQLITE_DONE) {
		writer_failed(copy->writer, result, err);
		goto out;
	}
	strbuf_printf(&select, " FROM main.\"%s\"", table);
	struct strbuf sql = {0};
	strbuf_printf(&sql, "INSERT INTO main.\"%s\" VALUES (%s)", table, values.data);
	if ((result = sqlite3_prepare_v2(copy->writer->db, sql.data, -1, insert, NULL)) !=
	    SQLITE_OK) {
		writer_failed(copy->writer, result, err);
	} else if ((result = sqlite3_prepare_v2(copy->old, select.data, -1, rows, NULL)) !=
	           SQLITE_OK) {
		err_of_file(copy->old, result, copy->from, err);
	}
	strbuf_free(&sql);
out:
	strbuf_free(&select);
	strbuf_free(&values);
	return result == SQLITE_OK ? 0 : -1;
}

static int
copy_rows(const struct copy *copy, sqlite3_stmt *rows, sqlite3_stmt *insert, struct err *err)
{
	int result, n = sqlite3_column_count(rows);
	while ((result = sqlite3_step(rows)) == SQLITE_ROW) {
		for (int i = 0; i < n; i++) {
			sqlite3_bind_value(insert, i + 1, sqlite3_column_value(rows, i));
		}
		(void)sqlite3_step(insert);
		int inserted = sqlite3_reset(insert);
		if (inserted != SQLITE_OK) {
			return writer_failed(copy->writer, inserted, err);
		}
	}
	return result == SQLITE_DONE ? 0 : err_of_file(copy->old, result, copy->from, err);
}

static int
copy_table(const struct copy *copy, const char *table, struct err *err)
{
	sqlite3_stmt *rows, *insert;
	if (addition_of(copy, table, NULL)) {
		return 0; /* older files have none */
	}
	int status =
	    prepare_table(copy, table, &rows, &insert, err) || copy_rows(copy, rows, insert, err);
	sqlite3_finalize(rows);
	sqlite3_finalize(insert);
	return status ? -1 : 0;
}

static int
copy_tables(const struct copy *copy, struct err *err)
{
	sqlite3_stmt *tables;
	int status = 0,
	    result = sqlite3_prepare_v2(
		copy->writer->db,
		"SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY rowid", -1,
		&tables, NULL);
	while (result == SQLITE_OK && status == 0 &&
	       (result = sqlite3_step(tables)) == SQLITE_ROW) {
		status = copy_table(copy, (const char *)sqlite3_column_text(tables, 0), err);
		result = SQLITE_OK;
	}
	sqlite3_finalize(tables);
	return status || result == SQLITE_DONE ? status : writer_failed(copy->writer, result, err);
}

/* ---- other tags ---- */

static int
change_tag(const struct copy *copy, const char *sql, const struct tag_text *tag, struct err *err)
{
	sqlite3_stmt *stmt;
	int result = sqlite3_prepare_v2(copy->writer->db, sql, -1, &stmt, NULL);
	if (result == SQLITE_OK) {
		sqlite3_bind_text(stmt, 1, tag->key, -1, SQLITE_STATIC);
		sqlite3_bind_text(stmt, 2, tag->value, -1, SQLITE_STATIC);
		(void)sqlite3_step(stmt);
	}
	int finished = sqlite3_finalize(stmt);
	result = result == SQLITE_OK ? finished : result;
	return result == SQLITE_OK ? 0 : writer_failed(copy->writer, result, err);
}

/* Texts that the run lacks get the next codes; blocks know nothing of them. */
#define CODE(parameter) "(SELECT min(id) FROM main.string WHERE text = " parameter ")"
#define ADD_TEXT(parameter)                                                                        \
	"INSERT INTO main.string SELECT max(id) + 1, " parameter                                   \
	" FROM main.string HAVING " CODE(parameter) " IS NULL"
#define SCOPE "'" TAG_SCOPE_GIVEN "'"
#define TAKE                                                                                       \
	"DELETE FROM main.tag WHERE key = " CODE("?1") " AND (scope = " CODE(                      \
	    SCOPE) " OR (scope IS NULL AND ?2 = ''))"

static int
change_tags(const struct copy *copy, struct err *err)
{
	static const char *const taking[] = {TAKE, NULL};
	static const char *const giving[] = {
	    TAKE,
	    ADD_TEXT(SCOPE),
	    ADD_TEXT("?1"),
	    ADD_TEXT("?2"),
	    "INSERT INTO main.tag SELECT coalesce(max(id), 0) + 1, " CODE(SCOPE) ", " CODE(
		"?1") ", " CODE("?2") " FROM main.tag",
	    NULL};
	for (size_t i = 0; copy->tags && i < copy->tags->n; i++) {
		const struct tag_text *tag = &copy->tags->all[i];
		for (const char *const *sql = *tag->value ? giving : taking; *sql; sql++) {
			if (change_tag(copy, *sql, tag, err)) {
				return -1;
			}
		}
	}
	return 0;
}

/* ---- the new file ---- */

static int
refuse(const char *path, struct err *err)
{
	return err_set(err, ERR_USAGE, "%s: is there already: give another name", path);
}

/* Something came there meanwhile. */
static char *
nowhere(void *user, const char *path, struct err *err)
{
	(void)user;
	refuse(path, err);
	return NULL;
}

static int
get_page_bytes(const struct copy *copy, int *bytes, struct err *err)
{
	sqlite3_stmt *size;
	int result = sqlite3_prepare_v2(copy->old, "PRAGMA main.page_size", -1, &size, NULL);
	*bytes = result == SQLITE_OK && sqlite3_step(size) == SQLITE_ROW
	             ? sqlite3_column_int(size, 0)
	             : 0;
	result = sqlite3_finalize(size);
	return result == SQLITE_OK ? 0 : err_of_file(copy->old, result, copy->from, err);
}

static int
write_new(struct copy *copy, const char *to, struct err *err)
{
	static const struct writer_placing placing = {NULL, nowhere};
	int bytes;
	if (get_page_bytes(copy, &bytes, err) || !(copy->writer = writer_new(to, err))) {
		return -1;
	}
	if (writer_begin(copy->writer, bytes >= LARGE_PAGES, err) || copy_tables(copy, err) ||
	    change_tags(copy, err) || runfile_is_same(copy->from, &copy->identity, err)) {
		writer_abort(copy->writer);
		return -1;
	}
	return writer_finish_tables(copy->writer, &placing, copy->cancel, err);
}

static int
make_copy(struct copy *copy, const char *to, struct err *err)
{
	if (access(to, F_OK) == 0) {
		return refuse(to, err);
	}
	int status = open_old(copy, err) || write_new(copy, to, err) ? -1 : 0;
	sqlite3_close(copy->old);
	return status;
}

int
upgrade_run(const struct upgrade_history *history, const char *from, const char *to, int *version,
            const struct cancel *cancel, struct err *err)
{
	struct copy copy = {.history = history, .cancel = cancel, .from = from};
	int status = make_copy(&copy, to, err);
	*version = copy.version;
	return status;
}

int
upgrade_tags(const char *from, const char *to, const struct tag_list *tags,
             const struct cancel *cancel, struct err *err)
{
	struct copy copy = {
	    .history = &upgrade_history, .cancel = cancel, .from = from, .tags = tags};
	return make_copy(&copy, to, err);
}
