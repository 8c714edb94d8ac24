/*
 * Reading run files. The only user of sqlite3.h is src/store; this header shows none of it.
 *
 * A run file is opened read-only with immutable=1, untrusted (defensive, trusted_schema off), with
 * our SQL functions and virtual tables. Its device, inode, size and mtime are kept and checked for
 * each statement: ERR_CHANGED says "the run has changed: reopen". A store belongs to one thread at
 * a time, but store_interrupt may be called from any.
 * Used by cli, explain, explain/frame, explain/parts, explain/schedule, export, ingest, query,
 * query/saved, query/spans, query/timeline, simulate, ui/base, ui/lists, ui/timeline.
 */
#ifndef LANESCOPE_STORE_STORE_H
#define LANESCOPE_STORE_STORE_H

#include "column/scan/census.h"
#include "column/scan/dataset.h"
#include "column/scan/scope.h"
#include "column/finish/tile.h"
#include "util/cancel.h"
#include "util/err.h"

#define STORE_APPLICATION_ID 0x4c414e45 /* "LANE" */
/*
 * The version of run files, to be raised when schema.sql changes in more than comments, when the
 * bytes of a column mean something else, or when a program that does not know a new field
 * (column/encode/registry.h) would misread the rows that have it, as one would that took a record
 * of many calls for one. A field that only adds to a row needs no new version: a program that does
 * not know it passes it over, and in a file that lacks it rows have no value there (NULL), or the
 * column's default. Numbers of fields are never used again.
 */
#define STORE_VERSION 6
/* The oldest that upgrade_run knows: with a new version, the schema before becomes schema-N.sql,
 * and upgrade.c says what older files lack. */
#define STORE_VERSION_OLDEST 4
#define STORE_VERSION_SEALED 5 /* the first whose pages have checksums */

struct store;
/* NULL on error: not there, not SQLite, not a run file (foreign application_id or tables), newer
 * version, cut or damaged; each says what to do. ERR_SYSTEM if the file can't be read, ERR_FORMAT
 * if it isn't a run file of this version. */
struct store *store_open(const char *path, struct err *err);
void store_close(struct store *store); /* takes NULL */
/* -1, with err, if any run file that this program read turned out to be damaged, or it lacked what
 * the system gives, though what asked for it may have gone on without: then no answer is sure. */
int store_failure(struct err *err);
/* Classes of the run's paths from now on; borrowed, so they must outlive the store. NULL: those
 * that are guessed. */
void store_set_classes(struct store *store, const struct path_classes *classes);
/* What statements and scans see of the run from now on; copied. NULL: all. No statement may be
 * open. On error the scope stays what it was. */
int store_set_scope(struct store *store, const struct scope *scope, struct err *err);
const struct scope *store_scope(const struct store *store); /* never NULL */
/* The scope's range within the run, all of it where there is none; from the run's start. */
struct store_view {
	int64_t start_ns, end_ns;
};
struct store_view store_view(const struct store *store);
/* The scope's first condition that chooses among the spans of a lane; NULL: there is none. */
const char *store_scope_condition(const struct store *store);
/* By lane, whether the scope leaves it; NULL: all. Lent until the scope changes. */
const bool *store_lanes(const struct store *store);
const char *store_path(const struct store *store);

/* Facts of table run, read once at open; texts borrowed. SQL sees the same: table `run` shows the
 * file's name, and imported_as. */
struct run_info {
	const char *name;                     /* of its file, without ".lanes" */
	const char *imported_as;              /* what it was called then */
	const char *format, *dialect, *clock; /* clock: "wall", "monotonic", "relative" */
	const char *identity;                 /* 32 hexadecimal digits; "": none */
	int64_t start_ns;                     /* absolute, on that clock */
	bool has_date;                        /* its start on the wall clock is known: */
	int64_t date_ns;
	int64_t duration_ns;
	int64_t n_sources, n_lanes, n_spans, n_events, n_counters, n_tasks, n_transfers, n_records,
	    n_problems;
	/* what else of queries' needs it has: query_needs_read; NULL: nobody looked */
	const char *has;
};
const struct run_info *store_run(const struct store *store);

/* The run as scans see it; loaded on first use. NULL on error. Its fetch steps a statement of this
 * store. */
const struct dataset *store_dataset(struct store *store, struct err *err);
/* What the scans of the statements since the last store_forget_censuses took, one for each filter
 * (and its parameters). Lent until the next statement's step. */
struct store_census {
	char *filter;
	char *key; /* with the parameters */
	size_t key_len;
	struct scan_census census;
};
size_t store_censuses(const struct store *store, const struct store_census **censuses);
void store_forget_censuses(struct store *store);

/* Gives back the pages that the connection keeps, and, where no scope was set, the dataset, which
 * is loaded again when it is asked for: of many runs that are open, most wait. */
void store_rest(struct store *store);
/* Tiles of the run. */
int store_tiles(struct store *store, struct tile_reader *reader, struct err *err);

/* Statements. A NULL one, which could not be prepared, may be bound, stepped (-1: err stays as it
 * is) and freed. SQL text from users is allowed here: the file is read-only and ATTACH, PRAGMA
 * writes, load_extension are refused. */
struct stmt;
struct stmt *
store_prepare(struct store *store, const char *sql,
              struct err *err); /* exactly one statement; a message with the position */
/* The same of a statement of ours that does not read table run: small runs are listed in half the
 * time. */
struct stmt *store_prepare_plain(struct store *store, const char *sql, struct err *err);
/* The same of a text that stands in a file, from this line on: "FILE:LINE:COLUMN: ...". */
struct stmt *store_prepare_file(struct store *store, const char *sql, const char *file,
                                unsigned line, struct err *err);
int stmt_parameters(const struct stmt *stmt); /* how many */
const char *stmt_parameter_name(struct stmt *stmt,
                                int i); /* 1-based; with its ":"; NULL for anonymous */
void stmt_bind_null(struct stmt *stmt, int i);
void stmt_bind_integer(struct stmt *stmt, int i, int64_t value);
void stmt_bind_real(struct stmt *stmt, int i, double value);
void stmt_bind_text(struct stmt *stmt, int i, struct slice text); /* copied */
int stmt_step(struct stmt *stmt,
              struct err *err); /* 1 a row, 0 done, -1; after the last two it starts anew */
int stmt_columns(const struct stmt *stmt);
const char *stmt_column_name(struct stmt *stmt, int column);
enum value_type { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB };
struct value {
	enum value_type type;
	union {
		int64_t integer;
		double real;
		struct slice text; /* or a blob; of the row (until the next step) or of a result */
	};
};
/* A column of the row; for all columns of many rows faster than the functions below. */
void stmt_value(struct stmt *stmt, int column, struct value *value);
enum value_type stmt_type(struct stmt *stmt, int column);
int64_t stmt_integer(struct stmt *stmt, int column);
double stmt_real(struct stmt *stmt, int column);
struct slice stmt_text(struct stmt *stmt, int column); /* text or blob; lent until the next step */
void stmt_free(struct stmt *stmt);                     /* takes NULL */

/* cancel is polled while statements run (may be NULL). */
void store_set_cancel(struct store *store, const struct cancel *cancel);

/* Appends its library and the version of that. */
void store_library(struct strbuf *out);

#endif
