/*
 * A part's schema is so small that it stands here. Its file is compared with it like a run's before
 * anything else is read. A run file keeps the same in its own tables: there is one row of what it
 * is of, the bytes stand among those of its columns, values of samples and tags in theirs.
 */
#include "config.h"
#include "store/part.h"

#include <stdlib.h>

#include "store/checked.h"
#include "store/internal.h"
#include "store/runfile.h"
#include "store/schema.h"
#include "store/store.h"
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
	bool is_run;
	sqlite3 *db;
	sqlite3_stmt *blob, *sample;
	struct strbuf about;
};

static int
failed(const struct part_reader *part, int result, struct err *err)
{
	return err_of_file(part->db, result, part->path, err);
}

static int
say_nothing_kept(const struct part_reader *part, struct err *err)
{
	return part->is_run
	           ? err_set(err, ERR_FORMAT,
	                     "%s: does not keep what a merge needs: it was no plain import, or "
	                     "upgraded from a version before 6, or records of its traces stand in "
	                     "two of them; import all traces together",
	                     part->path)
	           : err_set(err, ERR_FORMAT, "%s: is a part that does not say what it is of",
	                     part->path);
}

static int
read_about(struct part_reader *part, struct err *err)
{
	sqlite3_stmt *statement;
	int result = sqlite3_prepare_v2(part->db,
	                                part->is_run ? "SELECT zero_pages, about FROM run, kept"
	                                             : "SELECT zero_pages, about FROM part",
	                                -1, &statement, NULL);

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
		return say_nothing_kept(part, err);
	}
	return result || last ? failed(part, result ? result : last, err) : 0;
}

static int
open_database(struct part_reader *part, struct err *err)
{
	if (checked_open(part->path, &part->db, err)) {
		return -1;
	}
	if (part->is_run ? schema_check(part->db, true, err)
	                 : schema_check_as(part->db, part_schema, err)) {
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
	struct file_identity identity;
	bool is_run = runfile_is_run(path);

	if (is_run ? runfile_check(path, &identity, err)
	           : runfile_check_as(path, PART_APPLICATION_ID, PART_VERSION, err)) {
		return NULL;
	}
	part = xcalloc(1, sizeof *part);
	part->path = xstrdup(path);
	part->is_run = is_run;
	if (open_database(part, err)) {
		part_close(part);
		return NULL;
	}
	return part;
}

bool
part_is_run(const struct part_reader *part)
{
	return part->is_run;
}

struct slice
part_about(const struct part_reader *part)
{
	return strbuf_slice(&part->about);
}

/* Appends the only value of a statement's row of that id. */
static int
read_bytes(struct part_reader *part, sqlite3_stmt *statement, int64_t id, struct strbuf *out,
           struct err *err)
{
	int result = sqlite3_bind_int64(statement, 1, id);
	bool is_there = false;

	if (result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
		const void *bytes = sqlite3_column_blob(statement, 0);
		size_t n = (size_t)sqlite3_column_bytes(statement, 0);
		is_there = bytes || n == 0;
		if (bytes) {
			strbuf_add(out, bytes, n);
		}
		result = is_there ? SQLITE_DONE : sqlite3_errcode(part->db);
	}
	int last = sqlite3_reset(statement);
	if (result != SQLITE_DONE || last != SQLITE_OK) {
		return failed(part, last ? last : result, err);
	}
	return is_there ? 0
	                : err_set(err, ERR_FORMAT,
	                          "%s: is damaged, bytes of a source are missing: make it again",
	                          part->path);
}

int
part_blob(struct part_reader *part, int64_t blob_id, struct strbuf *out, struct err *err)
{
	return read_bytes(part, part->blob, blob_id, out, err);
}

int
part_sample(struct part_reader *part, int64_t id, struct strbuf *out, struct err *err)
{
	int result = part->sample
	                 ? SQLITE_OK
	                 : sqlite3_prepare_v2(part->db, "SELECT data FROM sample WHERE id = ?", -1,
	                                      &part->sample, NULL);

	return result == SQLITE_OK ? read_bytes(part, part->sample, id, out, err)
	                           : failed(part, result, err);
}

/* Calls `take` for each row of a statement's. */
static int
each_row(struct part_reader *part, const char *sql, void *user,
         int (*take)(void *user, sqlite3_stmt *row, struct err *err), struct err *err)
{
	sqlite3_stmt *rows;
	int status = 0, result = sqlite3_prepare_v2(part->db, sql, -1, &rows, NULL);

	while (result == SQLITE_OK && status == 0 && (result = sqlite3_step(rows)) == SQLITE_ROW) {
		status = take(user, rows, err);
		result = SQLITE_OK;
	}
	int last = sqlite3_finalize(rows);
	if (status == 0 && result != SQLITE_DONE) {
		status = failed(part, last ? last : result, err);
	}
	return status;
}

static struct slice
text_of(sqlite3_stmt *row, int column)
{
	const char *text = (const char *)sqlite3_column_text(row, column);

	return (struct slice){text ? text : "",
	                      text ? (size_t)sqlite3_column_bytes(row, column) : 0};
}

static int
take_tag(void *tags, sqlite3_stmt *row, struct err *err)
{
	return tag_list_set(tags, text_of(row, 0), text_of(row, 1), err);
}

int
part_tags(struct part_reader *part, struct tag_list *tags, struct err *err)
{
	int status = each_row(
	    part, "SELECT key, value FROM tags WHERE scope = '" TAG_SCOPE_GIVEN "' ORDER BY id",
	    tags, take_tag, err);

	return status && err->code == ERR_USAGE ? err_wrap(err, "%s", part->path) : status;
}

struct places {
	void *user;
	void (*take)(void *user, int64_t source, struct slice place);
};

static int
take_place(void *user, sqlite3_stmt *row, struct err *err)
{
	struct places *places = user;

	(void)err;
	places->take(places->user, sqlite3_column_int64(row, 0), text_of(row, 1));
	return 0;
}

int
part_places(struct part_reader *part, void *user,
            void (*take)(void *user, int64_t source, struct slice place), struct err *err)
{
	struct places places = {user, take};

	return each_row(part, "SELECT id, place FROM source WHERE place IS NOT NULL ORDER BY id",
	                &places, take_place, err);
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
		sqlite3_finalize(part->sample);
		sqlite3_close(part->db);
		strbuf_free(&part->about);
		free(part->path);
		free(part);
	}
}
