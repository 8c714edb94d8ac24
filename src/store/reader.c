/*
 * The run reader: from a connection to a dataset. Nothing is read before it is asked for, so that
 * opening a run costs the same whatever its size; the metadata of ten million spans (5000 rows)
 * loads in a few milliseconds.
 *
 * A column's bytes are read by sqlite3_blob_open rather than by a SELECT: one copy less, from the
 * page cache straight into the scan's buffer. One blob is opened a scan and moved from column to
 * column; it is closed when the scan is over, for as long as it is open it keeps the connection
 * from closing and an interrupt from being over. Opening and moving run a little statement, which
 * is where an interrupt of the connection is noticed (reading doesn't).
 */
#include "config.h"
#include "store/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/checked.h"
#include "store/runfile.h"
#include "store/schema.h"
#include "util/budget.h"
#include "util/spill.h"

#define TEXT_SHARES 8 /* of the budget */

struct run_reader *
run_reader_new(sqlite3 *db, bool is_ours)
{
	struct run_reader *reader = xcalloc(1, sizeof *reader);
	reader->db = db;
	reader->is_checked = is_ours;
	return reader;
}

struct run_reader *
run_reader_new_beside(sqlite3 *db)
{
	struct run_reader *reader = run_reader_new(NULL, false);
	reader->guest = db;
	return reader;
}

sqlite3 *
run_reader_connection(const struct run_reader *reader)
{
	return reader->db;
}

void
run_reader_free(struct run_reader *reader)
{
	if (!reader) {
		return;
	}
	sqlite3_blob_close(reader->blob);
	sqlite3_finalize(reader->tile);
	strbuf_free(&reader->tile_bytes);
	arena_free(reader->info_arena);
	arena_free(reader->dataset_arena);
	text_heap_free(reader->texts);
	spill_free(reader->texts_spill);
	run_reader_forget_scope(reader);
	free(reader->totals);
	run_reader_forget_censuses(reader);
	free(reader->censuses);
	path_classes_free(reader->guessed);
	if (reader->guest && reader->db != reader->guest) {
		sqlite3_close(reader->db);
	}
	free(reader);
}

void
run_reader_set_cancel(struct run_reader *reader, const struct cancel *cancel)
{
	reader->cancel = cancel;
}

const struct cancel *
run_reader_cancel(const struct run_reader *reader)
{
	return reader->cancel;
}

void
run_reader_set_classes(struct run_reader *reader, const struct path_classes *classes)
{
	reader->classes = classes;
	reader->dataset.classes = classes ? classes : reader->guessed;
}

static int
take_integer(void *value, sqlite3_stmt *row, struct err *err)
{
	(void)err;
	*(int64_t *)value = sqlite3_column_int64(row, 0);
	return 0;
}

/* Integer of a pragma's one row. */
static int
single_integer(sqlite3 *db, const char *sql, int64_t *value, struct err *err)
{
	return reader_each(db, sql, take_integer, value, err);
}

/* Of a database that may be anything. */
static int
check_header(sqlite3 *db, struct err *err)
{
	int64_t id = 0, version = 0;
	if (single_integer(db, "PRAGMA main.application_id", &id, err) ||
	    single_integer(db, "PRAGMA main.user_version", &version, err)) {
		return -1;
	}
	if (id != STORE_APPLICATION_ID) {
		return err_set(err, ERR_FORMAT,
		               "the main database is not one of lanescope's run files");
	}
	return version == STORE_VERSION
	           ? 0
	           : err_set(err, ERR_FORMAT, "run file version %lld is not read here, only %d",
	                     (long long)version, STORE_VERSION);
}

/* The reader's own connection to the guest's file. */
static int
open_beside(struct run_reader *reader, struct err *err)
{
	struct file_identity identity;
	const char *path = sqlite3_db_filename(reader->guest, "main");
	int has_moved = 0;
	if (!path || !*path) {
		reader->db = reader->guest;
		return 0;
	}
	(void)sqlite3_file_control(reader->guest, "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
	if (has_moved) { /* what is there now is another run, or none */
		return err_set(err, ERR_CHANGED, "%s: the run has changed: reopen", path);
	}
	if (runfile_check(path, &identity, err)) {
		return -1;
	}
	if (checked_open(path, &reader->db, err)) {
		sqlite3_close(reader->db);
		reader->db = NULL;
		return -1;
	}
	return 0;
}

/* What the store knows from the file's header before it opens it, the extension has to ask. */
static int
check_schema(struct run_reader *reader, struct err *err)
{
	if (reader->is_checked) {
		return 0;
	}
	if (check_header(reader->guest ? reader->guest : reader->db, err) ||
	    (!reader->db && open_beside(reader, err)) || schema_check(reader->db, false, err)) {
		return -1;
	}
	reader->is_checked = true;
	return 0;
}

/* --- table run --- */

static const char *
column_string(sqlite3_stmt *row, int column, struct arena *arena)
{
	const char *text = (const char *)sqlite3_column_text(row, column);
	return text ? arena_strndup(arena, text, (size_t)sqlite3_column_bytes(row, column)) : NULL;
}

static int
take_info(struct run_reader *reader, sqlite3_stmt *row, struct arena *arena, struct err *err)
{
	struct run_info info = {
	    .name = column_string(row, 0, arena),
	    .format = column_string(row, 1, arena),
	    .dialect = column_string(row, 2, arena),
	    .clock = column_string(row, 3, arena),
	    .start_ns = sqlite3_column_int64(row, 4),
	    .duration_ns = sqlite3_column_int64(row, 5),
	};
	int64_t *const counts[] = {&info.n_sources,   &info.n_lanes,    &info.n_spans,
	                           &info.n_events,    &info.n_counters, &info.n_tasks,
	                           &info.n_transfers, &info.n_records,  &info.n_problems};
	for (int i = 0; i < (int)COUNT_OF(counts); i++) {
		*counts[i] = sqlite3_column_int64(row, 8 + i);
		if (*counts[i] < 0) {
			return reader_damaged(err, "a negative count");
		}
	}
	info.identity = column_string(row, 18, arena);
	info.has_date = sqlite3_column_type(row, 17) != SQLITE_NULL;
	info.date_ns = sqlite3_column_int64(row, 17);
	int64_t base_ns = sqlite3_column_int64(row, 6), levels = sqlite3_column_int64(row, 7);
	if (!info.name || !info.format || !info.clock || !info.identity || info.duration_ns < 0) {
		return reader_damaged(err, "table run");
	}
	if (levels < 0 || levels > 31 ||
	    (levels > 0 && (base_ns <= 0 || base_ns > INT64_MAX >> (2 * (levels - 1))))) {
		return reader_damaged(err, "width of tiles");
	}
	info.imported_as = info.name;
	if (sqlite3_column_int64(row, 19) == 0) {
		checked_refuse_zero_pages(reader->db);
	}
	reader->info = info;
	reader->tile_base_ns = base_ns;
	reader->tile_levels = (unsigned)levels;
	return 0;
}

const struct run_info *
run_reader_info(struct run_reader *reader, struct err *err)
{
	if (reader->info_arena) {
		return &reader->info;
	}
	if (check_schema(reader, err)) {
		return NULL;
	}
	sqlite3_stmt *statement = reader_prepare(
	    reader->db,
	    "SELECT name, format, dialect, clock, start_ns, duration_ns, "
	    "tile_base_ns, tile_levels, sources, lanes, spans, "
	    "events, counters, tasks, transfers, records, problems, wall_start_ns, identity, "
	    "zero_pages FROM main.run",
	    err);
	if (!statement) {
		return NULL;
	}
	struct arena *arena = arena_new();
	int status = reader_step(statement, err);
	if (status == 0) {
		status = reader_damaged(err, "table run is empty");
	} else if (status == 1) {
		status = take_info(reader, statement, arena, err);
	}
	sqlite3_finalize(statement);
	if (status) {
		arena_free(arena);
		return NULL;
	}
	reader->info_arena = arena;
	return &reader->info;
}

/* --- the dataset --- */

static void
close_blob(void *user)
{
	struct run_reader *reader = user;
	sqlite3_blob_close(reader->blob);
	reader->blob = NULL;
}

/* An interrupt of the guest's connection is noticed by its own statements only. */
static int
look_for_interrupt(struct run_reader *reader, struct err *err)
{
	if (!reader->guest || reader->guest == reader->db) {
		return 0;
	}
	int result = sqlite3_exec(reader->guest, "SELECT 1", NULL, NULL, NULL);
	return result == SQLITE_OK ? 0 : err_of_result(reader->guest, result, NULL, err);
}

/* reader->blob becomes that of the column data. */
static int
open_blob(struct run_reader *reader, int64_t blob_id, struct err *err)
{
	int result = reader->blob ? sqlite3_blob_reopen(reader->blob, blob_id)
	                          : sqlite3_blob_open(reader->db, "main", "block_data", "bytes",
	                                              blob_id, 0, &reader->blob);
	if (result == SQLITE_OK) {
		return 0;
	}
	if (result == SQLITE_ERROR) { /* no such row */
		reader_damaged(err, "column data %lld is missing", (long long)blob_id);
	} else {
		err_of_file(reader->db, result, "run file", err);
	}
	close_blob(reader); /* it is of no use any more */
	return -1;
}

static int
fetch_column(void *user, int64_t blob_id, void *buffer, size_t bytes, struct err *err)
{
	struct run_reader *reader = user;
	if (cancel_requested(reader->cancel)) {
		return err_set(err, ERR_CANCELLED, "interrupted");
	}
	if (look_for_interrupt(reader, err) || open_blob(reader, blob_id, err)) {
		return -1;
	}
	if ((size_t)sqlite3_blob_bytes(reader->blob) != bytes) {
		return reader_damaged(err, "column data %lld has %d bytes instead of %zu",
		                      (long long)blob_id, sqlite3_blob_bytes(reader->blob), bytes);
	}
	int result = sqlite3_blob_read(reader->blob, buffer, (int)bytes, 0);
	return result == SQLITE_OK ? 0 : err_of_file(reader->db, result, "run file", err);
}

static int
load_dataset(struct run_reader *reader, struct loading *loading, struct err *err)
{
	int64_t page_bytes = 0, pages = 0;
	if (single_integer(reader->db, "PRAGMA main.page_size", &page_bytes, err) ||
	    single_integer(reader->db, "PRAGMA main.page_count", &pages, err)) {
		return -1;
	}
	loading->file_bytes = page_bytes * pages; /* at most 2^16 * 2^32 */
	return load_texts(loading, err) || load_sources(loading, err) || load_blocks(loading, err)
	           ? -1
	           : 0;
}

/* For the dictionary, which goes to a temporary file where it has more than its share of memory. */
static struct text_heap *
new_text_heap(struct run_reader *reader)
{
	if (!reader->texts_spill) {
		char *folder = spill_folder(sqlite3_db_filename(reader->db, "main"));
		reader->texts_spill = spill_new(folder, budget_share(TEXT_SHARES, SIZE_MAX));
		free(folder);
	}
	return text_heap_new(reader->texts_spill);
}

const struct dataset *
run_reader_dataset(struct run_reader *reader, struct err *err)
{
	if (reader->dataset_arena) {
		return &reader->dataset;
	}
	const struct run_info *info = run_reader_info(reader, err);
	if (!info) {
		return NULL;
	}
	if (!reader->guessed) {
		reader->guessed = path_classes_new(NULL, err);
		if (!reader->guessed) {
			return NULL;
		}
	}
	struct dataset dataset = {.duration_ns = info->duration_ns,
	                          .classes = reader->classes ? reader->classes : reader->guessed,
	                          .fetch = fetch_column,
	                          .fetched = close_blob,
	                          .totals = reader_totals,
	                          .each_total = reader_each_total,
	                          .user = reader};
	struct arena *arena = arena_new();
	struct text_heap *texts = new_text_heap(reader);
	struct loading loading = {
	    .db = reader->db, .arena = arena, .texts = texts, .dataset = &dataset};
	if (load_dataset(reader, &loading, err)) {
		arena_free(arena);
		text_heap_free(texts);
		return NULL;
	}
	reader->texts = texts;
	reader->dataset = dataset;
	reader->dataset_arena = arena;
	return &reader->dataset;
}

void
run_reader_rest(struct run_reader *reader)
{
	if (!reader->dataset_arena || reader->lanes_in_scope) {
		return;
	}
	arena_free(reader->dataset_arena);
	text_heap_free(reader->texts);
	spill_free(reader->texts_spill);
	run_reader_forget_scope(reader);
	reader->dataset_arena = NULL;
	reader->texts = NULL;
	reader->texts_spill = NULL;
}

/* --- tiles --- */

static int
fetch_tile(void *user, enum tile_subject subject, uint32_t id, unsigned level, uint64_t chunk,
           struct slice *bytes, struct err *err)
{
	struct run_reader *reader = user;
	*bytes = slice_of("");
	if (cancel_requested(reader->cancel)) {
		return err_set(err, ERR_CANCELLED, "interrupted");
	}
	if (chunk > INT64_MAX) {
		return 0;
	}
	if (!reader->tile) {
		reader->tile = reader_prepare(reader->db,
		                              "SELECT cells FROM main.tile WHERE subject = ?1 AND "
		                              "id = ?2 AND level = ?3 AND chunk = ?4",
		                              err);
		if (!reader->tile) {
			return -1;
		}
	}
	sqlite3_bind_int64(reader->tile, 1, subject);
	sqlite3_bind_int64(reader->tile, 2, id);
	sqlite3_bind_int64(reader->tile, 3, level);
	sqlite3_bind_int64(reader->tile, 4, (int64_t)chunk);
	int status = reader_step(reader->tile, err);
	if (status == 1) {
		const void *cells = sqlite3_column_blob(reader->tile, 0);
		strbuf_clear(&reader->tile_bytes);
		strbuf_add(&reader->tile_bytes, cells,
		           cells ? (size_t)sqlite3_column_bytes(reader->tile, 0) : 0);
		*bytes = strbuf_slice(&reader->tile_bytes);
		status = 0;
	}
	/* A statement left at a row would count as running, and an interrupt lasts until nothing
	 * runs. */
	sqlite3_reset(reader->tile);
	return status;
}

int
run_reader_tiles(struct run_reader *reader, struct tile_reader *tiles, struct err *err)
{
	const struct dataset *dataset = run_reader_dataset(reader, err);
	if (!dataset) {
		return -1;
	}
	*tiles = (struct tile_reader){
	    .dataset = dataset,
	    .base_ns = reader->tile_base_ns,
	    .n_levels = reader->tile_levels,
	    .fetch = fetch_tile,
	    .user = reader,
	    .cancel = reader->cancel,
	};
	return 0;
}
