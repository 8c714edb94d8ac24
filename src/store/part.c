/*
 * A part's schema is so small that it stands here. Its file is compared with it like a run's before
 * anything else is read.
 */
#include "config.h"
#include "store/part.h"

#include <stdlib.h>

#include "store/checked.h"
#include "store/internal.h"
#include "store/runfile.h"
#include "store/schema.h"
#include "store/writer_private.h"
#include "util/mem.h"

static const char part_schema[] =
    "CREATE TABLE part (id INTEGER PRIMARY KEY CHECK (id = 1), zero_pages INTEGER NOT NULL, "
    "about BLOB NOT NULL);"
    "CREATE TABLE block_data (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL);";

static const struct writer_kind part_kind = {PART_APPLICATION_ID, PART_VERSION, part_schema,
                                             "part"};

struct writer *
part_writer_new(const char *path, struct err *err)
{
	return writer_new_of(&part_kind, path, err);
}

static int
write_about(struct writer *writer, struct slice about, struct err *err)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(writer->db, "INSERT INTO part VALUES (1, 0, ?)", -1,
	                                &statement, NULL);

	if (result == SQLITE_OK) {
		result = sqlite3_bind_blob64(statement, 1, about.ptr, about.len, SQLITE_STATIC);
	}
	if (result == SQLITE_OK && sqlite3_step(statement) == SQLITE_DONE) {
		result = SQLITE_DONE;
	}
	int last = sqlite3_finalize(statement);
	return result == SQLITE_DONE ? 0 : writer_failed(writer, result ? result : last, err);
}

int
writer_finish_part(struct writer *writer, struct slice about, const struct cancel *cancel,
                   struct err *err)
{
	int status = writer_begin(writer, false, err) || write_about(writer, about, err)
	                 ? -1
	                 : writer_complete(writer, cancel, err);
	writer_abort(writer);
	return status ? -1 : 0;
}

/* ---- reading ---- */

struct part_reader {
	char *path;
	sqlite3 *db;
	sqlite3_stmt *blob;
	struct strbuf about;
};

static int
failed(const struct part_reader *part, int result, struct err *err)
{
	return err_of_file(part->db, result, part->path, err);
}

static int
read_about(struct part_reader *part, struct err *err)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(part->db, "SELECT zero_pages, about FROM part", -1,
	                                &statement, NULL);

	if (result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		const void *bytes = sqlite3_column_blob(statement, 1);
		if (sqlite3_column_int64(statement, 0) == 0) {
			checked_refuse_zero_pages(part->db);
		}
		if (bytes) {
			strbuf_add(&part->about, bytes, (size_t)sqlite3_column_bytes(statement, 1));
		}
		result = SQLITE_OK;
	}
	int last = sqlite3_finalize(statement);
	if (result == SQLITE_DONE) {
		return err_set(err, ERR_FORMAT, "%s: is a part that does not say what it is of",
		               part->path);
	}
	return result || last ? failed(part, result ? result : last, err) : 0;
}

static int
open_database(struct part_reader *part, struct err *err)
{
	if (checked_open(part->path, &part->db, err)) {
		return -1;
	}
	if (schema_check_as(part->db, part_schema, err)) {
		return err_wrap(err, "%s", part->path);
	}
	int result = sqlite3_prepare_v2(part->db, "SELECT bytes FROM block_data WHERE id = ?", -1,
	                                &part->blob, NULL);
	return result == SQLITE_OK ? read_about(part, err) : failed(part, result, err);
}

struct part_reader *
part_open(const char *path, struct err *err)
{
	struct part_reader *part = NULL;

	if (runfile_check_as(path, PART_APPLICATION_ID, PART_VERSION, err)) {
		return NULL;
	}
	part = xcalloc(1, sizeof *part);
	part->path = xstrdup(path);
	if (open_database(part, err)) {
		part_close(part);
		return NULL;
	}
	return part;
}

struct slice
part_about(const struct part_reader *part)
{
	return strbuf_slice(&part->about);
}

int
part_blob(struct part_reader *part, int64_t blob_id, struct strbuf *out, struct err *err)
{
	int result = sqlite3_bind_int64(part->blob, 1, blob_id);
	bool is_there = false;

	if (result == SQLITE_OK && (result = sqlite3_step(part->blob)) == SQLITE_ROW) {
		const void *bytes = sqlite3_column_blob(part->blob, 0);
		size_t n = (size_t)sqlite3_column_bytes(part->blob, 0);
		is_there = bytes || n == 0;
		if (bytes) {
			strbuf_add(out, bytes, n);
		}
		result = is_there ? SQLITE_DONE : sqlite3_errcode(part->db);
	}
	int last = sqlite3_reset(part->blob);
	if (result != SQLITE_DONE || last != SQLITE_OK) {
		return failed(part, last ? last : result, err);
	}
	return is_there ? 0
	                : err_set(err, ERR_FORMAT,
	                          "%s: is damaged, bytes of a source are missing: make it again",
	                          part->path);
}

void
part_forget(struct part_reader *part)
{
	strbuf_free(&part->about);
	(void)sqlite3_db_release_memory(part->db);
}

void
part_close(struct part_reader *part)
{
	if (part) {
		sqlite3_finalize(part->blob);
		sqlite3_close(part->db);
		strbuf_free(&part->about);
		free(part->path);
		free(part);
	}
}
