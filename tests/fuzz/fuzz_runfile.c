/*
 * Run files that an attacker has made: pages changed in bytes, rows changed by SQL, and every
 * checksum right again, so that what reads the pages is reached. Then a command reads the file: an
 * answer or an error, nothing else.
 *
 * Bytes 0 and 1: which run, which command; then changes of 8 bytes each: what to do, a value, where
 * (4 bytes, modulo the file's size or the number of columns), a small number.
 */
#include "config.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"
#include "fuzz/commands.h"
#include "fuzz/fuzz.h"
#include "fuzz/pages.h"
#include "util/budget.h"
#include "util/mem.h"
#include "util/order.h"

#define CHANGE_BYTES 8
#define CHANGES_MOST 32
#define RUN "RUN" /* stands for the file */
#define OTHER "OTHER"
#define KEYS "KEYS"

static const char *const traces[] = {"golden/four.jsonl", "dftracer/new.pfw", "chrome/gpu.json",
                                     NULL /* a sweep of simulations */};
static const char *const calls[][8] = {
    {"info", RUN, NULL},
    {"verify", RUN, NULL},
    {"queries", RUN, NULL},
    {"timeline", RUN, "--width", "60", NULL},
    {"timeline", RUN, "--depth", "--counters", "--format", "csv", NULL},
    {"timeline", RUN, OTHER, "--from", "1ms", "--to", "9ms", NULL},
    {"explain", RUN, OTHER, NULL},
    {"explain", OTHER, RUN, "--part", "all", NULL},
    {"spans", RUN, "--sort", "-duration", "--limit", "20", NULL},
    {"spans", RUN, "--by", "name,host", NULL},
    {"spans", RUN, "--filter", "duration > 1us AND name LIKE '%e%'", NULL},
    {"query", "span-totals", RUN, NULL},
    {"query", "task-times", RUN, "--wide", NULL},
    {"query", "io-summary", RUN, NULL},
    {"query", "gpu-busy", RUN, NULL},
    {"query", "counters", RUN, NULL},
    {"query", "critical-path", RUN, NULL},
    {"query", "efficiency", RUN, NULL},
    {"diff", "task-by-kind", RUN, OTHER, NULL},
    {"diff", "call-counts", RUN, OTHER, NULL},
    {"export", RUN, "--to", "chrome", NULL},
    {"sql", RUN, "SELECT * FROM span, event LIMIT 1000", NULL},
    {"sql", RUN, "SELECT * FROM counter", NULL},
    {"sql", RUN, "SELECT * FROM tasks, transfers LIMIT 1000", NULL},
    {"sql", RUN, "SELECT * FROM tags, problems, sources, lanes LIMIT 1000", NULL},
    {"spans", RUN, "--scope", "range 1ms..5ms;lanes *1*", NULL},
    {"--keys", KEYS, RUN, OTHER, NULL},
    {"report", RUN, NULL},
    {"report", RUN, OTHER, "--format", "html", NULL},
    {"tag", RUN, NULL},
    {"runs", RUN, OTHER, "--where", "lanes > 0", NULL},
    {"query", "span-by-category", RUN, OTHER, "--by", "generation", NULL},
    {"query", "span-over-time", RUN, "--plot", NULL},
    {"query", "sweep-measures", RUN, "--format", "frame", NULL},
    {"query", "preemption-accounting", RUN, NULL},
    {"merge", "--quiet", "--force", RUN, "-o", "merged.lanes", NULL},
    {"merge", "--quiet", "--force", RUN, OTHER, "-o", "merged.lanes", NULL},
};
/* Overview, queries, a table, its row; the timeline, zoomed; spans, a span, the list again. */
static const char keys[] = "Enter j Enter Enter Esc Esc T + + Right d Esc s Enter Esc q ? Esc q\n";

static struct {
	const char *other;
	struct strbuf bytes;
} runs[COUNT_OF(traces)];
static char target[80], keys_path[80];

static const char *
simulated_runs(const char *name)
{
	static char path[80];

	snprintf(path, sizeof path, "%s/%s.lanes", fuzz_folder(), name);
	FUZZ_CHECK(FUZZ_COMMAND("simulate", "preemption", "--seed", "1-3", "--p-preempt",
	                        "0.1..0.3:3", "-o", path) == CLI_DONE);
	return path;
}

static void
make_runs(void)
{
	for (size_t i = 0; i < COUNT_OF(traces); i++) {
		char name[16];
		snprintf(name, sizeof name, "other-%zu", i);
		runs[i].other = traces[i] ? fuzz_run(traces[i], name) : simulated_runs(name);
		fuzz_read_file(runs[i].other, &runs[i].bytes);
	}
	snprintf(target, sizeof target, "%s/run.lanes", fuzz_folder());
	snprintf(keys_path, sizeof keys_path, "%s/keys", fuzz_folder());
	FILE *file = fopen(keys_path, "w");
	FUZZ_CHECK(file && fputs(keys, file) >= 0 && fclose(file) == 0);
}

/* One column of one row of one table, the nth of all, gets another value. */
static void
change_row(uint32_t nth, uint8_t value, uint8_t row)
{
	static const char *const values[] = {"NULL",
	                                     "-1",
	                                     "0",
	                                     "1",
	                                     "9223372036854775807",
	                                     "-9223372036854775808",
	                                     "65537",
	                                     "1e300",
	                                     "''",
	                                     "'\xff\xfe'",
	                                     "zeroblob(20)",
	                                     "randomblob(9)",
	                                     "zeroblob(70000)",
	                                     "c + 1",
	                                     "c * 2",
	                                     "-c",
	                                     "substr(c, 2)",
	                                     "c || c",
	                                     "(SELECT max(rowid) FROM t)",
	                                     "4294967295"};
	sqlite3 *db;
	sqlite3_stmt *stmt = NULL;
	char *sql = NULL;

	if (sqlite3_open(target, &db) == SQLITE_OK &&
	    sqlite3_prepare_v2(db,
	                       "SELECT m.name, c.name, count(*) OVER () FROM sqlite_master m, "
	                       "pragma_table_info(m.name) c WHERE m.type = 'table' LIMIT 1 OFFSET "
	                       "?1 % (SELECT count(*) FROM sqlite_master m, "
	                       "pragma_table_info(m.name) WHERE m.type = 'table')",
	                       -1, &stmt, NULL) == SQLITE_OK &&
	    sqlite3_bind_int64(stmt, 1, nth) == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
		sql = sqlite3_mprintf(
		    "WITH t AS (SELECT rowid, \"%w\" AS c FROM \"%w\" LIMIT 1 OFFSET %d %% max(1, "
		    "(SELECT count(*) FROM \"%w\"))) UPDATE OR REPLACE \"%w\" SET \"%w\" = (SELECT "
		    "%s FROM t) WHERE rowid = (SELECT rowid FROM t)",
		    sqlite3_column_text(stmt, 1), sqlite3_column_text(stmt, 0), row,
		    sqlite3_column_text(stmt, 0), sqlite3_column_text(stmt, 0),
		    sqlite3_column_text(stmt, 1), values[value % COUNT_OF(values)]);
	}
	sqlite3_finalize(stmt);
	if (sql) {
		(void)sqlite3_exec(db, sql, NULL, NULL, NULL); /* what it can't change, it leaves */
	}
	sqlite3_free(sql);
	sqlite3_close(db);
}

/* The run's file with these changes: rows first, while it is whole. */
static void
write_changed(size_t run, const uint8_t *changes, const uint8_t *end)
{
	struct strbuf bytes = {0};

	fuzz_write_file(target, &runs[run].bytes);
	for (const uint8_t *at = changes; end - at >= CHANGE_BYTES; at += CHANGE_BYTES) {
		if (at[0] % 8 > 4) {
			change_row(fuzz_number(at + 2), at[1], at[6]);
		}
	}
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

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool is_ready;

	if (!is_ready) {
		struct err err = ERR_INIT;

		FUZZ_CHECK(budget_set("fuzz_runfile", "256M", &err) == 0);
		make_runs();
		is_ready = true;
	}
	if (size < 2) {
		return 0;
	}
	size_t run = data[0] % COUNT_OF(runs);
	write_changed(run, data + 2, data + LEAST(size, 2 + (size_t)CHANGES_MOST * CHANGE_BYTES));
	const char *const *call = calls[data[1] % COUNT_OF(calls)];
	const char *words[8] = {NULL};
	for (size_t i = 0; call[i]; i++) {
		words[i] = strcmp(call[i], RUN) == 0     ? target
		           : strcmp(call[i], OTHER) == 0 ? runs[run].other
		           : strcmp(call[i], KEYS) == 0  ? keys_path
		                                         : call[i];
	}
	int status = fuzz_command(words);
	FUZZ_CHECK(status == CLI_DONE || status == CLI_FAILED);
	return 0;
}
