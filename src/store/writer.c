/*
 * Writing a run file. SQLite is used as a file format here: no journal, no locks (nolock=1: some
 * network file systems have none), no flushes until the end, one transaction, and a failure throws
 * the whole file away.
 *
 * Pages have 32 KiB. Measured with 4000 columns of 273 MB in all, written and a third of them read:
 * at 4 KiB 0.37 s and 24 ms, at 16 KiB 0.14 s and 14 ms, at 32 KiB 0.12 s and 11 ms, at 64 KiB
 * 0.12 s and 10 ms; but the file grows by what doesn't fit the last page of a leaf: 1 %, 4 %, 5 %
 * and 11 %. A small run gets pages of 4 KiB: with a page at least for each table and index it would
 * have 0.8 MB otherwise, mostly of nothing. So that it can be told what is small, the first columns
 * are kept in memory until they are too many, or rows of other tables begin to come.
 */
#include "config.h"
#include "store/writer_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/checked.h"
#include "store/internal.h"
#include "store/runfile.h"
#include "store/schema.h"
#include "store/store.h"
#include "util/tempfile.h"
#include "util/litter.h"
#include "util/mem.h"

static const struct writer_kind run_kind = {STORE_APPLICATION_ID, STORE_VERSION, NULL, "run file"};

static int
may_replace(const struct writer_kind *kind, const char *path, struct err *err)
{
	return runfile_may_replace_as(path, kind->application_id, kind->word, err);
}

struct writer *
writer_new_of(const struct writer_kind *kind, const char *path, struct err *err)
{
	if (runfile_check_name(path, err) || may_replace(kind, path, err)) {
		return NULL;
	}
	struct writer *writer = xcalloc(1, sizeof *writer);
	writer->kind = kind;
	writer->path = xstrdup(path);
	writer->temporary = tempfile_new(path, err);
	if (!writer->temporary || runfile_check_name(writer->temporary, err)) {
		writer_abort(writer);
		return NULL;
	}
	return writer;
}

struct writer *
writer_new(const char *path, struct err *err)
{
	return writer_new_of(&run_kind, path, err);
}

static char *
copy_string(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static void
free_run(struct writer_run *run)
{
	free((char *)run->name);
	free((char *)run->format);
	free((char *)run->dialect);
	free((char *)run->grouping);
	free((char *)run->identity);
}

int
writer_set_run(struct writer *writer, const struct writer_run *run, struct err *err)
{
	if (run->duration_ns < 0 || run->tile_levels > 31) {
		return err_set(err, ERR_INTERNAL, "%s: impossible facts of the run", writer->path);
	}
	free_run(&writer->run);
	writer->run = *run;
	writer->run.name = copy_string(run->name);
	writer->run.format = copy_string(run->format);
	writer->run.dialect = copy_string(run->dialect);
	writer->run.grouping = copy_string(run->grouping);
	writer->run.identity = copy_string(run->identity);
	writer->has_run = true;
	return 0;
}

static const char *
clock_name(enum clock_type clock)
{
	static const char *const names[] = {
	    [CLOCK_WALL] = "wall", [CLOCK_STEADY] = "monotonic", [CLOCK_RELATIVE] = "relative"};
	return names[clock];
}

static int
write_run(struct writer *writer, struct err *err)
{
	const struct writer_run *run = &writer->run;
	if (!writer->has_run) {
		return err_set(err, ERR_INTERNAL, "%s: the facts of the run are missing",
		               writer->path);
	}
	struct insert_row row = insert_begin(writer, INSERT_RUN, err);
	INSERT_STRINGS(&row, run->name, run->format, run->dialect, clock_name(run->clock));
	insert_integer(&row, run->start_ns);
	insert_unless(&row, run->wall_start_ns, TIME_NONE);
	INSERT_INTEGERS(
	    &row, run->duration_ns, run->tile_base_ns, run->tile_levels,
	    writer->n_rows[INSERT_SOURCE], writer->n_rows[INSERT_LANE] - writer->n_beside,
	    writer->n_block_rows[BLOCK_SPAN], writer->n_block_rows[BLOCK_EVENT],
	    writer->n_block_rows[BLOCK_COUNTER], writer->n_rows[INSERT_TASK],
	    writer->n_rows[INSERT_TRANSFER], writer->n_records, writer->n_rows[INSERT_PROBLEM]);
	INSERT_STRINGS(&row, PACKAGE_NAME " " PACKAGE_VERSION, run->grouping,
	               run->identity ? run->identity : "");
	return insert_end(&row, err);
}

/* What the sources counted must be what came, and every column's bytes must be there. */
static int
check_counts(struct writer *writer, struct err *err)
{
	static const char missing[] =
	    "SELECT count(*) FROM block_column c LEFT JOIN block_data d ON d.id = c.data "
	    "WHERE c.data <> 0 AND (d.id IS NULL OR length(d.bytes) <> c.bytes)";
	sqlite3_stmt *statement;
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		if (writer->n_block_rows[kind] != writer->n_source_rows[kind]) {
			return err_set(err, ERR_INTERNAL,
			               "%s: %lld rows of kind %d came, %lld were counted",
			               writer->path, (long long)writer->n_block_rows[kind], kind,
			               (long long)writer->n_source_rows[kind]);
		}
	}
	int result = sqlite3_prepare_v2(writer->db, missing, -1, &statement, NULL);
	if (result != SQLITE_OK) {
		return writer_failed(writer, result, err);
	}
	int64_t n_missing =
	    sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
	result = sqlite3_finalize(statement);
	if (result != SQLITE_OK) {
		return writer_failed(writer, result, err);
	}
	return n_missing == 0
	           ? 0
	           : err_set(err, ERR_INTERNAL, "%s: the bytes of %lld columns are missing",
	                     writer->path, (long long)n_missing);
}

static int
poll_cancel(void *cancel)
{
	return cancel_requested(cancel);
}

static void
finalize_inserts(struct writer *writer)
{
	for (int i = 0; i < INSERTS; i++) {
		sqlite3_finalize(writer->inserts[i]);
		writer->inserts[i] = NULL;
	}
}

/* How many pages were zeros: readers take such a page for a lost one where there was none. Those
 * that are still to be written have rows of totals, and these are made by such a reader. */
static int
write_zero_pages(struct writer *writer, struct err *err)
{
	char sql[80];
	sqlite3_snprintf(sizeof sql, sql, "UPDATE %s SET zero_pages = %lld",
	                 writer->kind->schema ? writer->kind->word : "run",
	                 (long long)checked_zero_pages(writer->db));
	return writer_execute(writer, sql, err);
}

/* Everything is flushed before it is read for the totals: a full disk shows while writing. */
static int
complete(struct writer *writer, const struct cancel *cancel, struct err *err)
{
	if (writer_make_schema(writer, SCHEMA_REST, err) || write_run(writer, err) ||
	    writer_execute(writer, "COMMIT; BEGIN", err) || write_zero_pages(writer, err)) {
		return -1;
	}
	return check_counts(writer, err) || writer_totals(writer, cancel, err) ||
	               write_zero_pages(writer, err)
	           ? -1
	           : writer_execute(writer, "COMMIT", err);
}

static int
close_database(struct writer *writer, struct err *err)
{
	finalize_inserts(writer);
	int result = sqlite3_close(writer->db);
	if (result != SQLITE_OK) {
		return writer_failed(writer, result, err);
	}
	writer->db = NULL;
	return 0;
}

/* The finished file to its place, or to where whoever decides wants it. */
static int
put_in_place(struct writer *writer, const struct writer_placing *placing, struct err *err)
{
	char *path = xstrdup(writer->path);
	bool replaces = !placing;
	int status;
	for (;;) {
		status = replaces && may_replace(writer->kind, path, err)
		             ? -1
		             : tempfile_place(writer->temporary, path, replaces, err);
		if (status <= 0) {
			break;
		}
		char *other = placing->instead(placing->user, path, err);
		replaces = other && strcmp(other, path) == 0;
		free(path);
		path = other;
		if (!path) { /* nowhere: the temporary file goes with the writer */
			return err->code == ERR_NONE ? 0 : -1;
		}
	}
	if (status == 0) {
		checked_forget_failure(path);
		litter_forget(writer->temporary);
		free(writer->temporary); /* no longer there to be removed */
		writer->temporary = NULL;
	}
	free(path);
	return status;
}

/* What is left to do when all rows are in. */
static int
finish_file(struct writer *writer, const struct writer_placing *placing,
            const struct cancel *cancel, struct err *err)
{
	if (close_database(writer, err) || tempfile_flush(writer->temporary, err)) {
		return -1;
	}
	return cancel_requested(cancel) ? err_set(err, ERR_CANCELLED, "interrupted")
	                                : put_in_place(writer, placing, err);
}

int
writer_complete(struct writer *writer, const struct cancel *cancel, struct err *err)
{
	return writer_execute(writer, "COMMIT; BEGIN", err) || write_zero_pages(writer, err) ||
	               writer_execute(writer, "COMMIT", err) ||
	               finish_file(writer, NULL, cancel, err)
	           ? -1
	           : 0;
}

int
writer_finish(struct writer *writer, const struct writer_placing *placing,
              const struct cancel *cancel, struct err *err)
{
	int status = writer_begin(writer, false, err);
	if (status == 0) {
		sqlite3_progress_handler(writer->db, 20000, poll_cancel, (void *)cancel);
		status = complete(writer, cancel, err) || finish_file(writer, placing, cancel, err);
	}
	writer_abort(writer);
	return status ? -1 : 0;
}

int
writer_finish_tables(struct writer *writer, const struct writer_placing *placing,
                     const struct cancel *cancel, struct err *err)
{
	sqlite3_progress_handler(writer->db, 20000, poll_cancel, (void *)cancel);
	int status = writer_make_schema(writer, SCHEMA_REST, err) ||
	             writer_execute(writer, "COMMIT; BEGIN", err) ||
	             write_zero_pages(writer, err) || writer_execute(writer, "COMMIT", err) ||
	             finish_file(writer, placing, cancel, err);
	writer_abort(writer);
	return status ? -1 : 0;
}

void
writer_abort(struct writer *writer)
{
	if (!writer) {
		return;
	}
	finalize_inserts(writer);
	sqlite3_close(writer->db);
	if (writer->temporary) {
		litter_remove(writer->temporary);
	}
	strbuf_free(&writer->early_bytes);
	free(writer->early);
	free_run(&writer->run);
	free(writer->temporary);
	free(writer->path);
	free(writer);
}
