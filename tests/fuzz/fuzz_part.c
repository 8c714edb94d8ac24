/*
 * Parts of runs that an attacker has made, and run files, which merge takes as well: what a source
 * holds is changed in bytes, or whole pages, and every checksum is right again, so that what reads
 * the part is reached; what is squeezed is changed as it was before. Then parts are put together:
 * a run or an error that names the part, nothing else. What became a run is asked.
 *
 * Bytes 0 and 1: which part or run, which command; then changes of 8 bytes each: what to do, a
 * value, where (4 bytes, modulo the length), a small number, in which bytes of the part.
 */
#include "config.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "fuzz/commands.h"
#include "fuzz/fuzz.h"
#include "fuzz/pages.h"
#include "input/squeeze.h"
#include "util/mem.h"
#include "util/order.h"

#define CHANGE_BYTES 8
#define CHANGES_MOST 32
#define PART "PART"   /* stands for the file */
#define OTHER "OTHER" /* a part of another run, or that */
#define TRACE "TRACE" /* the other of two */
#define RUN "out.lanes"
#define JOINED "out.part"

/* Of each two, one is joined to the other. */
static const char *const traces[] = {"dftracer/new.pfw",      "dftracer/aggregated.pfw",
                                     "golden/four.jsonl",     "golden/one.jsonl",
                                     "chrome/gpu.json",       "chrome/phases.json",
                                     "dasf/trace.msgpack",    "dasf/phases.msgpack",
                                     "preemption/events.csv", "preemption/small-8-node-trace.csv"};
static const char *const calls[][9] = {
    {"merge", "--quiet", "--force", PART, "-o", RUN, NULL},
    {"merge", "--quiet", "--force", "--threads", "1", PART, "-o", RUN, NULL},
    {"merge", "--quiet", "--force", "--part", PART, "-o", JOINED, NULL},
    {"merge", "--quiet", "--force", PART, OTHER, "-o", RUN, NULL},
    {"merge", "--quiet", "--force", PART, TRACE, "-o", RUN, NULL},
};

/* Of each trace a part, then of each a run. */
static struct {
	const char *whole, *trace;
	struct strbuf bytes;
	int64_t *ids; /* of its rows of bytes */
	size_t n, capacity;
} parts[2 * COUNT_OF(traces)];
static char target[80];

static bool
is_run(size_t part)
{
	return part >= COUNT_OF(traces);
}

static void
list_rows(size_t part)
{
	sqlite3 *db;
	sqlite3_stmt *rows = NULL;

	fuzz_write_file(target, &parts[part].bytes);
	FUZZ_CHECK(sqlite3_open(target, &db) == SQLITE_OK &&
	           sqlite3_prepare_v2(db, "SELECT id FROM block_data", -1, &rows, NULL) ==
	               SQLITE_OK);
	while (sqlite3_step(rows) == SQLITE_ROW) {
		MEM_GROW(parts[part].ids, parts[part].capacity, parts[part].n + 1);
		parts[part].ids[parts[part].n++] = sqlite3_column_int64(rows, 0);
	}
	sqlite3_finalize(rows);
	sqlite3_close(db);
	FUZZ_CHECK(parts[part].n > 0);
}

static void
make_parts(void)
{
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		const char *trace = traces[i % COUNT_OF(traces)];
		char name[24];
		snprintf(name, sizeof name, "part-%zu", i);
		parts[i].whole = is_run(i) ? fuzz_run(trace, name) : fuzz_part(trace, name);
		parts[i].trace = fuzz_trace(trace);
	}
	snprintf(target, sizeof target, "%s/a.part", fuzz_folder());
	for (size_t i = 0; i < COUNT_OF(parts); i++) {
		fuzz_read_file(parts[i].whole, &parts[i].bytes);
		list_rows(i);
	}
}

/* A number becomes another of as many bytes, or bytes are put in, or taken out. */
static void
change_blob(struct strbuf *bytes, const uint8_t *change)
{
	struct strbuf changed = {0};
	size_t at = fuzz_number(change + 2) % (bytes->len + 1), left = bytes->len - at;

	if (change[0] % 8 == 5 && left > 0) {
		bytes->data[at] = (char)((bytes->data[at] & 0x80) | (change[1] & 0x7f));
		return;
	}
	strbuf_add(&changed, bytes->data, at);
	for (size_t i = 0; i < change[6] % 4u; i++) {
		strbuf_add_char(&changed, (char)(change[1] | 0x80));
	}
	strbuf_add_char(&changed, (char)change[1]);
	at += change[0] % 8 == 6 ? 0 : LEAST(change[6] / 4 % 16 + 1u, left);
	strbuf_add(&changed, bytes->data + at, bytes->len - at);
	strbuf_free(bytes);
	*bytes = changed;
}

/* As it was before it was squeezed, and so it stays; false: it is as it was written. */
static bool
unsqueezed(struct strbuf *bytes)
{
	struct strbuf plain = {0};
	struct err err = ERR_INIT;
	bool is_squeezed = unsqueeze(strbuf_slice(bytes), &plain, &err) == 0;

	if (is_squeezed) {
		strbuf_free(bytes);
		*bytes = plain;
	} else {
		strbuf_free(&plain);
	}
	return is_squeezed;
}

/* Of the part's bytes: what it is of, or what it holds of a source, or those of a column. */
static void
change_row(sqlite3 *db, size_t part, const uint8_t *change)
{
	static const char *const reads[] = {"SELECT about FROM part WHERE 0 < ?",
	                                    "SELECT about FROM kept WHERE 0 < ?",
	                                    "SELECT bytes FROM block_data WHERE id = ?"};
	static const char *const writes[] = {"UPDATE part SET about = ?2 WHERE 0 < ?1",
	                                     "UPDATE kept SET about = ?2 WHERE 0 < ?1",
	                                     "UPDATE block_data SET bytes = ?2 WHERE id = ?1"};
	bool is_blob = change[7] % 16 > 0;
	int which = is_blob ? 2 : is_run(part);
	size_t nth = change[7] % 2 ? 1 : change[7] / 16u; /* the last but one is of a source */
	int64_t id = parts[part].ids[parts[part].n - 1 - nth % parts[part].n];
	sqlite3_stmt *read = NULL, *write = NULL;
	struct strbuf bytes = {0};

	if (sqlite3_prepare_v2(db, reads[which], -1, &read, NULL) == SQLITE_OK &&
	    sqlite3_bind_int64(read, 1, is_blob ? id : 1) == SQLITE_OK &&
	    sqlite3_step(read) == SQLITE_ROW) {
		strbuf_add(&bytes, sqlite3_column_blob(read, 0),
		           (size_t)sqlite3_column_bytes(read, 0));
		bool is_squeezed = is_run(part) && unsqueezed(&bytes);
		change_blob(&bytes, change);
		if (is_squeezed) {
			struct strbuf changed = {0};
			struct err err = ERR_INIT;
			FUZZ_CHECK(squeeze(strbuf_slice(&bytes), &changed, &err) == 0);
			strbuf_free(&bytes);
			bytes = changed;
		}
	}
	sqlite3_finalize(read);
	FUZZ_CHECK(sqlite3_prepare_v2(db, writes[which], -1, &write, NULL) == SQLITE_OK &&
	           sqlite3_bind_int64(write, 1, is_blob ? id : 1) == SQLITE_OK &&
	           sqlite3_bind_blob64(write, 2, bytes.data, bytes.len, SQLITE_STATIC) ==
	               SQLITE_OK &&
	           sqlite3_step(write) == SQLITE_DONE);
	sqlite3_finalize(write);
	strbuf_free(&bytes);
}

/* The part with these changes: rows first, while it is whole. */
static void
write_changed(size_t part, const uint8_t *changes, const uint8_t *end)
{
	struct strbuf bytes = {0};
	sqlite3 *db;

	fuzz_write_file(target, &parts[part].bytes);
	FUZZ_CHECK(sqlite3_open(target, &db) == SQLITE_OK &&
	           sqlite3_exec(db, "PRAGMA synchronous = OFF; BEGIN", NULL, NULL, NULL) ==
	               SQLITE_OK);
	for (const uint8_t *at = changes; end - at >= CHANGE_BYTES; at += CHANGE_BYTES) {
		if (at[0] % 8 > 4) {
			change_row(db, part, at);
		}
	}
	FUZZ_CHECK(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK);
	sqlite3_close(db);
	fuzz_read_file(target, &bytes);
	for (const uint8_t *at = changes; end - at >= CHANGE_BYTES; at += CHANGE_BYTES) {
		if (at[0] % 8 <= 4) {
			fuzz_change_bytes(&bytes, at);
		}
	}
	fuzz_seal(&bytes);
	fuzz_write_file(target, &bytes);
	strbuf_free(&bytes);
}

static int
put_together(size_t part, const char *const *call)
{
	const char *words[9] = {NULL};

	for (size_t i = 0; call[i]; i++) {
		words[i] = strcmp(call[i], PART) == 0    ? target
		           : strcmp(call[i], OTHER) == 0 ? parts[part ^ 1].whole
		           : strcmp(call[i], TRACE) == 0 ? parts[part ^ 1].trace
		                                         : call[i];
	}
	return fuzz_command(words);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_ready;

	if (!is_ready) {
		make_parts();
		is_ready = true;
	}
	if (size < 2) {
		return 0;
	}
	size_t part = data[0] % COUNT_OF(parts), nth = data[1] % COUNT_OF(calls);
	write_changed(part, data + 2, data + LEAST(size, 2 + (size_t)CHANGES_MOST * CHANGE_BYTES));
	int status = put_together(part, calls[nth]);
	FUZZ_CHECK(status == CLI_DONE || status == CLI_FAILED);
	if (status == CLI_DONE && strcmp(calls[nth][3], "--part") != 0) {
		status = FUZZ_COMMAND("query", "span-totals", RUN);
		FUZZ_CHECK(status == CLI_DONE || status == CLI_FAILED);
	}
	return 0;
}
