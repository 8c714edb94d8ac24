/*
 * The rows of a run file: one prepared INSERT a table, bound value by value in the order of the
 * table's columns. Whatever is missing (TIME_NONE, TEXT_NONE ...) becomes NULL. Almost all of a run
 * file are the bytes of columns, which are bound without a copy.
 */
#include "config.h"
#include "store/writer_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "store/checked.h"
#include "store/internal.h"
#include "store/page.h"
#include "store/runfile.h"
#include "util/tempfile.h"
#include "util/mem.h"

#define PAGE_BYTES 32768
#define PAGE_BYTES_SMALL 4096
#define CACHE_KIB 2048 /* more only delays the writing */

#define EARLY_BYTES_MAX (16u << 20) /* kept while it isn't known whether the run is small */

/* Bits of an id: 22 of the source, 2 of the kind, 26 of the sequence, 13 of the column. */
#define SOURCES_MAX (1u << 22)
#define SEQUENCES_MAX (1u << 26)
#define COLUMNS_MAX ((1u << 13) - 1)

/* Why writing failed: SQLite keeps errno for some failures only (not for those of COMMIT). */
static int
errno_of_failure(sqlite3 *db, int result, int last_errno)
{
	int errnum = db ? sqlite3_system_errno(db) : 0;
	switch (result & 0xff) {
	case SQLITE_FULL:
		return ENOSPC;
	case SQLITE_IOERR:
		return errnum ? errnum : last_errno;
	default:
		return 0;
	}
}

int
writer_failed(struct writer *writer, int result, struct err *err)
{
	int errnum = errno_of_failure(writer->db, result, errno);
	if (errnum == ENOSPC || errnum == EDQUOT || errnum == EFBIG) {
		return err_set_errno(err, errnum,
		                     "%s: can't write: make room or give another place (-o)",
		                     writer->path);
	}
	err_of_result(writer->db, result, NULL, err);
	if (err->code == ERR_QUERY) { /* a constraint or a statement of ours is wrong */
		err->code = ERR_INTERNAL;
	}
	return err_wrap(err, "%s: can't write", writer->path);
}

int
writer_execute(struct writer *writer, const char *sql, struct err *err)
{
	int result = sqlite3_exec(writer->db, sql, NULL, NULL, NULL);
	return result == SQLITE_OK ? 0 : writer_failed(writer, result, err);
}

int
writer_make_schema(struct writer *writer, enum schema_part part, struct err *err)
{
	return schema_create(writer->db, part, err)
	           ? writer_failed(writer, sqlite3_errcode(writer->db), err)
	           : 0;
}

static const char *const insert_sql[INSERTS] = {
    [INSERT_BLOB] = "INSERT INTO block_data VALUES (?, ?)",
    [INSERT_RUN] = "INSERT INTO run VALUES (1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		   "?, ?, ?, ?, 0)",
    [INSERT_SOURCE] = ("INSERT INTO source VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                       "?, ?, ?, ?, ?, ?, "
                       "?)"),
    [INSERT_TEXT] = "INSERT INTO string VALUES (?, ?)",
    [INSERT_KEY] = "INSERT INTO argument VALUES (?, ?)",
    [INSERT_LANE] =
	("INSERT INTO lane VALUES (?, ?, coalesce(?, (SELECT text FROM string WHERE id = ?)), "
         "coalesce(?, (SELECT text FROM string WHERE id = ?)), ?, ?)"),
    [INSERT_BLOCK] = "INSERT INTO block VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [INSERT_COLUMN] = "INSERT INTO block_column VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [INSERT_TILE] = "INSERT INTO tile VALUES (?, ?, ?, ?, ?)",
    [INSERT_TASK] =
	"INSERT INTO task VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [INSERT_TRANSFER] = "INSERT INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    [INSERT_DEPENDENCY] = "INSERT INTO dependency VALUES (?, ?, ?, ?, ?)",
    [INSERT_CAPACITY] = "INSERT INTO capacity VALUES (?, ?, ?, ?, ?)",
    [INSERT_PREEMPTION] = "INSERT INTO preemption VALUES (?, ?, ?, ?, ?)",
    [INSERT_TRIAL] = "INSERT INTO trial VALUES (?, ?, ?, ?)",
    [INSERT_SAMPLE] = "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?)",
    [INSERT_TAG] = "INSERT INTO tag VALUES (?, ?, ?, ?)",
    [INSERT_PROBLEM] = "INSERT INTO problem VALUES (?, ?, ?, ?, ?, ?, ?)",
    [INSERT_TOTAL] = "INSERT INTO span_total VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
		     "?, ?, ?, ?, ?)",
    [INSERT_KEPT] = "INSERT INTO kept VALUES (1, ?)",
};

/* --- one row --- */

struct insert_row
insert_begin(struct writer *writer, enum insert insert, struct err *err)
{
	struct insert_row row = {.writer = writer, .insert = insert, .result = SQLITE_OK};
	sqlite3_stmt **statement = &writer->inserts[insert];
	if (writer_begin(writer, false, err)) {
		return row;
	}
	if (!*statement) {
		int result = sqlite3_prepare_v3(writer->db, insert_sql[insert], -1,
		                                SQLITE_PREPARE_PERSISTENT, statement, NULL);
		if (result != SQLITE_OK) {
			writer_failed(writer, result, err);
		}
	}
	row.statement = *statement;
	return row;
}

static void
note(struct insert_row *row, int result)
{
	if (row->result == SQLITE_OK) {
		row->result = result;
	}
}

void
insert_integer(struct insert_row *row, int64_t value)
{
	note(row, sqlite3_bind_int64(row->statement, ++row->n, value));
}

void
insert_null(struct insert_row *row)
{
	note(row, sqlite3_bind_null(row->statement, ++row->n));
}

void
insert_unless(struct insert_row *row, int64_t value, int64_t none)
{
	if (value == none) {
		insert_null(row);
	} else {
		insert_integer(row, value);
	}
}

void
insert_real(struct insert_row *row, double value)
{
	if (isnan(value)) {
		insert_null(row);
	} else {
		note(row, sqlite3_bind_double(row->statement, ++row->n, value));
	}
}

void
insert_text(struct insert_row *row, struct slice text)
{
	note(row, sqlite3_bind_text64(row->statement, ++row->n, text.ptr ? text.ptr : "", text.len,
	                              SQLITE_STATIC, SQLITE_UTF8));
}

void
insert_string(struct insert_row *row, const char *text)
{
	if (text) {
		insert_text(row, slice_of(text));
	} else {
		insert_null(row);
	}
}

void
insert_blob(struct insert_row *row, struct slice bytes)
{
	note(row, sqlite3_bind_blob64(row->statement, ++row->n, bytes.ptr ? bytes.ptr : "",
	                              bytes.len, SQLITE_STATIC));
}

void
insert_integers(struct insert_row *row, const int64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		insert_integer(row, values[i]);
	}
}

void
insert_all_unless(struct insert_row *row, int64_t none, const int64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		insert_unless(row, values[i], none);
	}
}

void
insert_strings(struct insert_row *row, const char *const *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		insert_string(row, texts[i]);
	}
}

int
insert_end(struct insert_row *row, struct err *err)
{
	struct writer *writer = row->writer;
	int result = row->result;
	if (!row->statement) {
		return -1;
	}
	if (result == SQLITE_OK) {
		result = sqlite3_step(row->statement);
		sqlite3_reset(row->statement);
	}
	if (result != SQLITE_DONE) {
		return writer_failed(writer, result, err);
	}
	writer->n_rows[row->insert]++;
	return 0;
}

/* --- blocks --- */

int64_t
writer_blob_id(uint32_t source, enum block_kind kind, uint32_t sequence, uint32_t nth)
{
	if (source >= SOURCES_MAX || sequence >= SEQUENCES_MAX || nth >= COLUMNS_MAX) {
		return 0;
	}
	uint64_t block = ((uint64_t)source << 2 | (uint64_t)kind) << 26 | sequence;
	return (int64_t)(block << 13 | (nth + 1));
}

static int
write_blob(struct writer *writer, int64_t blob_id, struct slice bytes, struct err *err)
{
	struct insert_row row = insert_begin(writer, INSERT_BLOB, err);
	insert_integer(&row, blob_id);
	insert_blob(&row, bytes);
	return insert_end(&row, err);
}

static void
keep_blob(struct writer *writer, int64_t blob_id, struct slice bytes)
{
	MEM_GROW(writer->early, writer->early_capacity, writer->n_early + 1);
	writer->early[writer->n_early++] = (struct early_blob){blob_id, bytes.len};
	strbuf_add_slice(&writer->early_bytes, bytes);
}

/* Writes the columns that came before. */
static int
flush_blobs(struct writer *writer, struct err *err)
{
	const char *bytes = writer->early_bytes.data;
	for (size_t i = 0; i < writer->n_early; i++) {
		const struct early_blob *early = &writer->early[i];
		if (write_blob(writer, early->id, (struct slice){bytes, early->bytes}, err)) {
			return -1;
		}
		bytes += early->bytes;
	}
	writer->n_early = 0;
	strbuf_free(&writer->early_bytes);
	return 0;
}

int
writer_blob(struct writer *writer, int64_t blob_id, struct slice bytes, struct err *err)
{
	if (blob_id <= 0) {
		return err_set(err, ERR_LIMIT,
		               "%s: too many sources, or too many columns in one of them",
		               writer->path);
	}
	if (!writer->db && writer->early_bytes.len + bytes.len <= EARLY_BYTES_MAX) {
		keep_blob(writer, blob_id, bytes);
		return 0;
	}
	return writer_begin(writer, true, err) || write_blob(writer, blob_id, bytes, err) ? -1 : 0;
}

int
writer_kept(struct writer *writer, struct slice about, struct err *err)
{
	struct insert_row row = insert_begin(writer, INSERT_KEPT, err);
	insert_blob(&row, about);
	return insert_end(&row, err);
}

static int
write_column(struct writer *writer, int64_t block_id, const struct column_info *column,
             struct err *err)
{
	struct insert_row row = insert_begin(writer, INSERT_COLUMN, err);
	INSERT_INTEGERS(&row, block_id, column->field, column->type, column->flags, column->width,
	                column->n_present, column->same_as, column->base, column->scale,
	                column->first, column->min, column->max, column->blob_id,
	                column->blob_bytes);
	return insert_end(&row, err);
}

int
writer_block(struct writer *writer, const struct block_info *block, struct err *err)
{
	int64_t id = writer->n_rows[INSERT_BLOCK] + 1;
	struct insert_row row = insert_begin(writer, INSERT_BLOCK, err);
	INSERT_INTEGERS(&row, id, block->kind, block->source, block->sequence, block->first_id,
	                block->n_rows, block->start_min, block->start_max, block->end_max);
	if (insert_end(&row, err)) {
		return -1;
	}
	writer->n_block_rows[block->kind] += block->n_rows;
	for (uint32_t i = 0; i < block->n_columns; i++) {
		if (write_column(writer, id, &block->columns[i], err)) {
			return -1;
		}
	}
	return 0;
}

int
writer_tile(struct writer *writer, const struct tile_chunk *chunk, struct err *err)
{
	struct insert_row row = insert_begin(writer, INSERT_TILE, err);
	INSERT_INTEGERS(&row, chunk->subject, chunk->id, chunk->level, (int64_t)chunk->chunk);
	insert_blob(&row, chunk->bytes);
	return insert_end(&row, err);
}

/* --- sources, dictionaries, lanes --- */

static void
insert_file(struct insert_row *row, const struct file_facts *file)
{
	if (file) {
		INSERT_INTEGERS(row, file->device, file->inode, file->modified_ns,
		                file->changed_ns);
		return;
	}
	for (int i = 0; i < 4; i++) {
		insert_null(row);
	}
}

int
writer_source(struct writer *writer, const struct writer_source *source, struct err *err)
{
	const struct source_facts *facts = &source->facts;
	struct insert_row row = insert_begin(writer, INSERT_SOURCE, err);
	insert_integer(&row, writer->n_rows[INSERT_SOURCE]);
	INSERT_STRINGS(&row, source->path, source->dialect);
	INSERT_UNLESS(&row, -1, source->raw_bytes, source->plain_bytes);
	INSERT_INTEGERS(&row, (int64_t)facts->records, (int64_t)facts->metadata,
	                (int64_t)facts->aggregated, (int64_t)facts->bad_records, source->n_spans,
	                source->n_events, source->n_counters, source->n_problems, source->members,
	                source->truncated);
	INSERT_STRINGS(&row, source->digest, source->place);
	insert_file(&row, source->file);
	insert_blob(&row, (struct slice){(const char *)source->texts,
	                                 source->n_texts * sizeof *source->texts});
	insert_blob(&row, (struct slice){(const char *)source->lanes,
	                                 source->n_lanes * sizeof *source->lanes});
	if (insert_end(&row, err)) {
		return -1;
	}
	writer->n_source_rows[BLOCK_SPAN] += source->n_spans;
	writer->n_source_rows[BLOCK_EVENT] += source->n_events;
	writer->n_source_rows[BLOCK_COUNTER] += source->n_counters;
	writer->n_records += (int64_t)facts->records;
	return 0;
}

static int
write_text(struct writer *writer, enum insert insert, struct slice text, struct err *err)
{
	struct insert_row row = insert_begin(writer, insert, err);
	insert_integer(&row, writer->n_rows[insert]);
	insert_text(&row, text);
	return insert_end(&row, err);
}

int
writer_text(struct writer *writer, struct slice text, struct err *err)
{
	return write_text(writer, INSERT_TEXT, text, err);
}

int
writer_key(struct writer *writer, struct slice name, struct err *err)
{
	return write_text(writer, INSERT_KEY, name, err);
}

/* Two values: the integer or NULL, and the code of the text or NULL. */
static void
insert_ident(struct insert_row *row, struct ident ident)
{
	if (ident.type == IDENT_INTEGER) {
		insert_integer(row, ident.integer);
	} else {
		insert_null(row);
	}
	insert_unless(row, ident.type == IDENT_TEXT ? ident.text : TEXT_NONE, TEXT_NONE);
}

int
writer_lane(struct writer *writer, const struct lane *lane, struct err *err)
{
	struct insert_row row = insert_begin(writer, INSERT_LANE, err);
	insert_integer(&row, writer->n_rows[INSERT_LANE]);
	insert_unless(&row, lane->host, TEXT_NONE);
	insert_ident(&row, lane->process);
	insert_ident(&row, lane->thread);
	insert_unless(&row, lane->name, TEXT_NONE);
	insert_string(&row, lane_kind_name(lane->kind));
	writer->n_beside += lane_kind_is_beside(lane->kind);
	return insert_end(&row, err);
}

/* The first page of the file, which decides how long pages are and what is kept at their ends. */
static int
write_first_page(struct writer *writer, size_t page_bytes, struct err *err)
{
	unsigned char *page = xmalloc(page_bytes);
	page_first(page, page_bytes);
	int status = tempfile_write(writer->temporary, page, page_bytes, err);
	free(page);
	return status;
}

static int
open_database(struct writer *writer, size_t page_bytes, struct err *err)
{
	char sql[300];
	const char *vfs = checked_vfs(err);
	if (!vfs || write_first_page(writer, page_bytes, err)) {
		return -1;
	}
	char *uri = runfile_uri(writer->temporary, "nolock=1");
	int result = sqlite3_open_v2(
	    uri, &writer->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, vfs);
	free(uri);
	if (result != SQLITE_OK) {
		return writer_failed(writer, result, err);
	}
	sqlite3_snprintf(sizeof sql, sql,
	                 "PRAGMA mmap_size = 0; PRAGMA locking_mode = exclusive; "
	                 "PRAGMA journal_mode = off; PRAGMA synchronous = off; "
	                 "PRAGMA cache_size = -%d; PRAGMA application_id = %d; "
	                 "PRAGMA user_version = %d; BEGIN",
	                 CACHE_KIB, writer->kind->application_id, writer->kind->version);
	if (writer_execute(writer, sql, err)) {
		return -1;
	}
	return writer->kind->schema ? writer_execute(writer, writer->kind->schema, err)
	                            : writer_make_schema(writer, SCHEMA_TABLES, err);
}

int
writer_begin(struct writer *writer, bool is_large, struct err *err)
{
	if (writer->db) {
		return 0;
	}
	return open_database(writer, is_large ? PAGE_BYTES : PAGE_BYTES_SMALL, err) ||
	               flush_blobs(writer, err)
	           ? -1
	           : 0;
}
