/* What our virtual tables share; which they are stands in vtab_tables.c. */
#include "config.h"
#include "store/vtab.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

#define CONFIG_INNOCUOUS 2 /* SQLITE_VTAB_INNOCUOUS, known from 3.31 on */

void
vtab_run_release(struct vtab_run *run)
{
	if (--run->references == 0) {
		if (run->source.release) {
			run->source.release(run->source.user);
		}
		free(run);
	}
}

int
vtab_connect(sqlite3 *db, void *data, int argc, const char *const *argv, sqlite3_vtab **table,
             char **message)
{
	const struct vtab_module *module = data;
	struct strbuf sql = {0};
	(void)argc;
	(void)argv;
	(void)message;
	strbuf_add_text(&sql, "CREATE TABLE x(");
	module->type->class->declare(module->type, &sql);
	strbuf_add_text(&sql, ")");
	int result = sqlite3_declare_vtab(db, sql.data);
	strbuf_free(&sql);
	if (result != SQLITE_OK) {
		return result;
	}
	if (sqlite3_libversion_number() >= 3031000) {
		sqlite3_vtab_config(db, CONFIG_INNOCUOUS);
	}
	struct vtab *vtab = xcalloc(1, sizeof *vtab);
	vtab->type = module->type;
	vtab->db = db;
	vtab->rows = row_shape(vtab->type->kind);
	vtab->dimensions = dimension_shape();
	vtab->run = module->run;
	vtab->run->references++;
	*table = &vtab->base;
	return SQLITE_OK;
}

int
vtab_disconnect(sqlite3_vtab *table)
{
	struct vtab *vtab = (struct vtab *)table;
	vtab_run_release(vtab->run);
	free(vtab);
	return SQLITE_OK;
}

int
vtab_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor)
{
	*cursor = xcalloc(1, ((struct vtab *)table)->type->class->cursor_bytes);
	return SQLITE_OK;
}

int
vtab_close(sqlite3_vtab_cursor *base)
{
	struct vtab_cursor *cursor = (struct vtab_cursor *)base;
	((struct vtab *)base->pVtab)->type->class->release(base);
	strbuf_free(&cursor->json);
	free(cursor);
	return SQLITE_OK;
}

int
vtab_eof(sqlite3_vtab_cursor *base)
{
	return ((struct vtab_cursor *)base)->is_end;
}

int
vtab_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *rowid)
{
	*rowid = ((struct vtab_cursor *)base)->at + 1;
	return SQLITE_OK;
}

int
vtab_stmt_begin(struct stmt_cursor *cursor)
{
	struct vtab *vtab = (struct vtab *)cursor->cursor.base.pVtab;
	struct err err = ERR_INIT;
	vtab_stmt_release(&cursor->cursor.base);
	cursor->cursor.at = 0;
	cursor->cursor.is_end = false;
	cursor->cursor.dataset = vtab_dataset(vtab, &err);
	return cursor->cursor.dataset ? SQLITE_OK : vtab_fail(vtab, &err);
}

void
vtab_stmt_release(sqlite3_vtab_cursor *base)
{
	struct stmt_cursor *cursor = (struct stmt_cursor *)base;
	sqlite3_finalize(cursor->stmt);
	cursor->stmt = NULL;
}

int
vtab_fail(struct vtab *vtab, struct err *err)
{
	err_wrap(err, "%s", vtab->type->name);
	sqlite3_free(vtab->base.zErrMsg);
	vtab->base.zErrMsg = sqlite3_mprintf("%s", err->message);
	return result_of_err(err);
}

const struct dataset *
vtab_dataset(struct vtab *vtab, struct err *err)
{
	return vtab->run->source.dataset(vtab->run->source.user, err);
}

const struct cancel *
vtab_cancel(struct vtab *vtab)
{
	return vtab->run->source.cancel(vtab->run->source.user);
}

int
vtab_tiles(struct vtab *vtab, struct tile_reader *tiles, struct err *err)
{
	const struct vtab_source *source = &vtab->run->source;

	*tiles = (struct tile_reader){0};
	return source->tiles ? source->tiles(source->user, tiles, err) : 0;
}

int
vtab_take_census(struct vtab *vtab, const char *filter,
                 const struct scan_value parameters[SCAN_PARAMETERS], bool is_beside,
                 struct err *err)
{
	const struct vtab_source *source = &vtab->run->source;
	return source->take_census && vtab->type->kind == BLOCK_SPAN
	           ? source->take_census(source->user, filter, parameters, is_beside, err)
	           : 0;
}

sqlite3 *
vtab_connection(struct vtab *vtab)
{
	const struct vtab_source *source = &vtab->run->source;
	return source->connection ? source->connection(source->user) : vtab->db;
}

const struct dataset_scope *
vtab_scope(struct vtab *vtab, struct err *err)
{
	const struct vtab_source *source = &vtab->run->source;
	if (source->scope) {
		return source->scope(source->user, err);
	}
	const struct dataset *dataset = vtab_dataset(vtab, err);
	return dataset ? &dataset->scope : NULL;
}

int
vtab_prepare(struct vtab *vtab, const char *sql, sqlite3_stmt **stmt)
{
	static const char whole[] = "main.";
	struct strbuf text = {0};
	struct err err = ERR_INIT;
	const struct dataset_scope *scope = vtab_scope(vtab, &err);

	*stmt = NULL;
	if (!scope) {
		return vtab_fail(vtab, &err);
	}
	for (const char *at; (at = strstr(sql, whole)) && scope_is_set(scope);) {
		strbuf_add(&text, sql, (size_t)(at - sql));
		sql = at + strlen(whole);
	}
	strbuf_add_text(&text, sql);
	int result = sqlite3_prepare_v2(vtab_connection(vtab), text.data, -1, stmt, NULL);
	strbuf_free(&text);
	return result;
}

int
vtab_take_rows(struct vtab *vtab, const char *sql, sqlite3_value *parameter, vtab_take_row *take,
               void *user, struct err *err)
{
	sqlite3_stmt *stmt;
	int status = 0, result = vtab_prepare(vtab, sql, &stmt);

	if (result == SQLITE_OK && parameter) {
		result = sqlite3_bind_value(stmt, 1, parameter);
	}
	while (status == 0 && result == SQLITE_OK) {
		result = sqlite3_step(stmt);
		if (result == SQLITE_ROW) {
			status = take(user, stmt, err);
			result = SQLITE_OK;
		}
	}
	if (result != SQLITE_OK && result != SQLITE_DONE) {
		status = err_of_file(vtab_connection(vtab), result, "run file", err);
	}
	sqlite3_finalize(stmt);
	return status;
}

int
vtab_fail_read(struct vtab *vtab, int result)
{
	struct err err = ERR_INIT;
	if (result == SQLITE_OK || result == SQLITE_ROW || result == SQLITE_DONE) {
		return SQLITE_OK;
	}
	err_of_file(vtab_connection(vtab), result, "run file", &err);
	return vtab_fail(vtab, &err);
}

void
vtab_result_text(sqlite3_context *context, struct slice text)
{
	sqlite3_result_text64(context, text.ptr ? text.ptr : "", text.len, SQLITE_STATIC,
	                      SQLITE_UTF8);
}

void
vtab_result_value(sqlite3_context *context, const struct scan_value *value)
{
	switch (value->type) {
	case SCAN_NULL:
		break;
	case SCAN_INTEGER:
		sqlite3_result_int64(context, value->integer);
		break;
	case SCAN_REAL:
		sqlite3_result_double(context, value->real);
		break;
	case SCAN_TEXT: /* may belong to the groups, which go before the statement does */
		sqlite3_result_text64(context, value->text.len ? value->text.ptr : "",
		                      value->text.len, SQLITE_TRANSIENT, SQLITE_UTF8);
		break;
	}
}

void
vtab_result_code(sqlite3_context *context, const struct dataset *dataset, uint32_t code)
{
	if (code < dataset->n_texts) { /* TEXT_NONE is not: NULL */
		vtab_result_text(context, dataset->texts[code]);
	}
}
