/*
 * Statements. Each looks at the run file once more before its first row, so that a run which was
 * imported again meanwhile is noticed rather than mixed with what was read before.
 */
#include "config.h"
#include "store/checked.h"
#include "store/store_private.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct stmt {
	struct store *store;
	sqlite3_stmt *handle;
	bool is_running; /* stepped since prepared or reset */
};

/* Since SQLite 3.38; weak, so that a program built with a newer library still starts with an older
 * one. */
extern int sqlite3_error_offset(sqlite3 *db) __attribute__((weak));

/* A text of statements, and where it stands; file NULL: nowhere. */
struct sql_text {
	const char *sql, *file;
	unsigned line;
};

/* Puts before the message where in the text it is about. */
static int
wrap_position(const struct sql_text *text, const char *at, struct err *err)
{
	unsigned line = text->file ? text->line : 1, column = 1;
	for (const char *p = text->sql; p < at; p++) {
		column = *p == '\n' ? 1 : column + 1;
		line += *p == '\n';
	}
	return text->file ? err_wrap(err, "%s:%u:%u", text->file, line, column)
	                  : err_wrap(err, "SQL, line %u, column %u", line, column);
}

/* The connection's error, with line and column where SQLite tells; start: of the statement within
 * the text. */
static void
set_sql_error(struct store *store, int result, const struct sql_text *text, const char *start,
              struct err *err)
{
	err_of_result(store->db, result, NULL, err);
	if (result == SQLITE_AUTH) {
		err_set(err, ERR_QUERY,
		        "not allowed here: runs are only read, one at a time (no writing, "
		        "ATTACH or settings)");
	}
	int offset = err->code == ERR_QUERY && result != SQLITE_AUTH && sqlite3_error_offset
	                 ? sqlite3_error_offset(store->db)
	                 : -1;
	if (offset >= 0 && (size_t)offset <= strlen(start)) {
		(void)wrap_position(text, start + offset, err);
	} else if (text->file) {
		(void)wrap_position(text, start + strspn(start, " \t\r\n"), err);
	} else {
		err_wrap(err, "SQL");
	}
}

/* The first statement at *tail, within the text, which moves to what follows. When only blanks are
 * left: NULL, and err->code is ERR_NONE. */
static struct stmt *
prepare_next(struct store *store, const struct sql_text *text, const char **tail, struct err *err)
{
	sqlite3_stmt *handle = NULL;
	const char *rest = *tail;
	if (strlen(rest) > INT_MAX) {
		err_set(err, ERR_LIMIT, "SQL: text is too long");
		return NULL;
	}
	err->code = ERR_NONE;
	while (!handle && *rest) { /* blanks, comments and stray semicolons give no statement */
		const char *start = rest;
		int result = sqlite3_prepare_v2(store->db, start, -1, &handle, &rest);
		/* VACUUM would be refused only when it runs */
		if (handle && sqlite3_column_count(handle) == 0) {
			sqlite3_finalize(handle);
			result = SQLITE_AUTH;
		}
		if (result != SQLITE_OK) {
			set_sql_error(store, result, text, start, err);
			(void)store_failed(store, err);
			return NULL;
		}
	}
	*tail = rest;
	if (!handle) {
		return NULL;
	}
	struct stmt *stmt = xcalloc(1, sizeof *stmt);
	stmt->store = store;
	stmt->handle = handle;
	return stmt;
}

static struct stmt *
prepare_only(struct store *store, const struct sql_text *text, struct err *err)
{
	const char *tail = text->sql, *after;
	struct stmt *stmt = prepare_next(store, text, &tail, err);
	if (!stmt) {
		if (err->code == ERR_NONE) {
			err_set(err, ERR_QUERY, "SQL: there is no statement");
		}
		return NULL;
	}
	after = tail;
	struct stmt *second = prepare_next(store, text, &tail, err);
	if (second || err->code != ERR_NONE) {
		err_set(err, ERR_QUERY, "a second statement: one at a time is run");
		(void)wrap_position(text, after + strspn(after, " \t\r\n;"), err);
		stmt_free(second);
		stmt_free(stmt);
		return NULL;
	}
	return stmt;
}

struct stmt *
store_prepare(struct store *store, const char *sql, struct err *err)
{
	return store_prepare_file(store, sql, NULL, 1, err);
}

struct stmt *
store_prepare_plain(struct store *store, const char *sql, struct err *err)
{
	return prepare_only(store, &(struct sql_text){sql, NULL, 1}, err);
}

struct stmt *
store_prepare_file(struct store *store, const char *sql, const char *file, unsigned line,
                   struct err *err)
{
	return store_show_once(store, err)
	           ? NULL
	           : prepare_only(store, &(struct sql_text){sql, file, line}, err);
}

int
stmt_parameters(const struct stmt *stmt)
{
	return sqlite3_bind_parameter_count(stmt->handle);
}

const char *
stmt_parameter_name(struct stmt *stmt, int i)
{
	return sqlite3_bind_parameter_name(stmt->handle, i);
}

static void
stmt_reset(struct stmt *stmt)
{
	sqlite3_reset(stmt->handle);
	stmt->is_running = false;
}

/* Binding to a running statement does nothing in SQLite: a mistake of ours, so it is reset first.
 */
static sqlite3_stmt *
bindable(struct stmt *stmt)
{
	if (stmt && stmt->is_running) {
		stmt_reset(stmt);
	}
	return stmt ? stmt->handle : NULL;
}

void
stmt_bind_null(struct stmt *stmt, int i)
{
	sqlite3_bind_null(bindable(stmt), i);
}

void
stmt_bind_integer(struct stmt *stmt, int i, int64_t value)
{
	sqlite3_bind_int64(bindable(stmt), i, value);
}

void
stmt_bind_real(struct stmt *stmt, int i, double value)
{
	sqlite3_bind_double(bindable(stmt), i, value);
}

void
stmt_bind_text(struct stmt *stmt, int i, struct slice text)
{
	sqlite3_bind_text64(bindable(stmt), i, text.ptr ? text.ptr : "", text.len, SQLITE_TRANSIENT,
	                    SQLITE_UTF8);
}

int
stmt_step(struct stmt *stmt, struct err *err)
{
	if (!stmt) { /* store_prepare said why */
		return -1;
	}
	struct store *store = stmt->store;
	if (!stmt->is_running) {
		if (store_is_same(store, err)) {
			return -1;
		}
		if (cancel_requested(
			store->cancel)) { /* a short statement would end before the first poll */
			return err_set(err, ERR_CANCELLED, "interrupted");
		}
		stmt->is_running = true;
	}
	checked_watch(store->cancel);
	int result = sqlite3_step(stmt->handle);
	checked_watch(NULL);
	if (result == SQLITE_ROW) {
		return 1;
	}
	if (result == SQLITE_DONE) {
		stmt_reset(stmt);
		return 0;
	}
	err_of_result(store->db, result, NULL, err);
	stmt_reset(stmt);
	return store_failed(store, err);
}

int
stmt_columns(const struct stmt *stmt)
{
	return sqlite3_column_count(stmt->handle);
}

const char *
stmt_column_name(struct stmt *stmt, int column)
{
	const char *name = sqlite3_column_name(stmt->handle, column);
	return name ? name : "";
}

static enum value_type
type_of(int type)
{
	switch (type) {
	case SQLITE_INTEGER:
		return VALUE_INTEGER;
	case SQLITE_FLOAT:
		return VALUE_REAL;
	case SQLITE_TEXT:
		return VALUE_TEXT;
	case SQLITE_BLOB:
		return VALUE_BLOB;
	default:
		return VALUE_NULL;
	}
}

/* Each sqlite3_column_... finds the column anew and looks for errors: done once here. The value is
 * good for sqlite3_value_... as no other thread uses the connection. */
void
stmt_value(struct stmt *stmt, int column, struct value *value)
{
	sqlite3_value *given = sqlite3_column_value(stmt->handle, column);
	const char *bytes;

	value->type = type_of(sqlite3_value_type(given));
	switch (value->type) {
	case VALUE_NULL:
		break;
	case VALUE_INTEGER:
		value->integer = sqlite3_value_int64(given);
		break;
	case VALUE_REAL:
		value->real = sqlite3_value_double(given);
		break;
	case VALUE_TEXT:
	case VALUE_BLOB:
		bytes = value->type == VALUE_BLOB ? sqlite3_value_blob(given)
		                                  : (const char *)sqlite3_value_text(given);
		value->text = (struct slice){bytes ? bytes : "", 0};
		value->text.len = bytes ? (size_t)sqlite3_value_bytes(given) : 0;
		break;
	}
}

enum value_type
stmt_type(struct stmt *stmt, int column)
{
	return type_of(sqlite3_column_type(stmt->handle, column));
}

int64_t
stmt_integer(struct stmt *stmt, int column)
{
	return sqlite3_column_int64(stmt->handle, column);
}

double
stmt_real(struct stmt *stmt, int column)
{
	return sqlite3_column_double(stmt->handle, column);
}

struct slice
stmt_text(struct stmt *stmt, int column)
{
	const void *bytes = sqlite3_column_type(stmt->handle, column) == SQLITE_BLOB
	                        ? sqlite3_column_blob(stmt->handle, column)
	                        : sqlite3_column_text(stmt->handle, column);
	return (struct slice){bytes ? bytes : "",
	                      bytes ? (size_t)sqlite3_column_bytes(stmt->handle, column) : 0};
}

void
stmt_free(struct stmt *stmt)
{
	if (!stmt) {
		return;
	}
	sqlite3_finalize(stmt->handle);
	free(stmt);
}
