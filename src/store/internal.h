/*
 * Between the files of src/store. A run reader is all that our virtual tables need: given a
 * connection whose main database is a run file, it loads the run's metadata when they are first
 * asked for, once, and fetches columns through that connection. The store owns one for each run
 * that it opens, the writer one for its last step, the loadable extension one for each connection.
 *
 * Everything read from the file is checked here (counts, codes, ids, sizes), once: users of the
 * dataset may index with codes of the maps, lanes and blocks freely. What stands inside column
 * bytes is checked by those who decode them.
 *
 * Belongs to the connection's thread, as the connection does.
 * Used by its room alone.
 */
#ifndef LANESCOPE_STORE_INTERNAL_H
#define LANESCOPE_STORE_INTERNAL_H

#include "store/sqlite.h"

#include "column/scan/dataset.h"
#include "column/finish/tile.h"
#include "store/store.h"
#include "util/cancel.h"
#include "util/err.h"

struct run_reader;
struct scan_value;

/* Borrows db. Runs no statement yet. is_ours: we made or checked the file's schema already;
 * otherwise its tables are compared with ours before anything is read (a "table" of a foreign file
 * may be a view that does what it likes). */
struct run_reader *run_reader_new(sqlite3 *db, bool is_ours);
/* The extension's: reads the run file that is the main database of db through a connection of its
 * own, which checks every page (checked.h) and is opened at first use; through db itself where that
 * is no file, as in memory. Borrows db. */
struct run_reader *run_reader_new_beside(sqlite3 *db);
/* The connection that it reads through; NULL: none is open yet. */
sqlite3 *run_reader_connection(const struct run_reader *reader);
/* Finalises its statements and frees everything that it gave out. Takes NULL. */
void run_reader_free(struct run_reader *reader);

/* Each loads on first use, keeps the answer, and gives NULL on error (then tries again next time).
 */
const struct run_info *run_reader_info(struct run_reader *reader, struct err *err);
const struct dataset *run_reader_dataset(struct run_reader *reader, struct err *err);
/* Frees the dataset, unless what was set as its scope needs it; nothing may read it just now. */
void run_reader_rest(struct run_reader *reader);
/* Fills *tiles: its fetch belongs to this reader. 0 or -1. */
int run_reader_tiles(struct run_reader *reader, struct tile_reader *tiles, struct err *err);

/* What scans shall poll; NULL: nothing. The dataset's fetch polls it too, and runs a statement for
 * each column (no statement stays open between two), so that interrupting the connection ends a
 * scan with ERR_CANCELLED even without it. */
void run_reader_set_cancel(struct run_reader *reader, const struct cancel *cancel);
const struct cancel *run_reader_cancel(const struct run_reader *reader);
/* What was set, all of the run at first. */
const struct dataset_scope *run_reader_scope(const struct run_reader *reader);
/* Keeps a census of the spans that a scan takes (is_beside: only looks for beside others, so that
 * no sum is of them), until it is forgotten.
 */
int run_reader_take_census(struct run_reader *reader, const struct dataset *dataset,
                           const char *filter, const struct scan_value *parameters, bool is_beside,
                           struct err *err);
size_t run_reader_censuses(const struct run_reader *reader, const struct store_census **censuses);
void run_reader_forget_censuses(struct run_reader *reader);
/* The dataset's classes of paths from now on; borrowed. NULL: those that are guessed. */
void run_reader_set_classes(struct run_reader *reader, const struct path_classes *classes);

/* What the dataset's scans see from now on; it is loaded. On error it stays what it was. */
int run_reader_set_scope(struct run_reader *reader, const struct scope *scope, struct err *err);

/*
 * Errors cross SQLite as a result code and a message. A virtual table that failed with *err puts a
 * copy of err->message (sqlite3_mprintf) into its zErrMsg and returns result_of_err(err); an SQL
 * function calls sqlite3_result_error and _error_code alike. The store turns both back into the
 * same err.
 */
int result_of_err(const struct err *err);
/* From the code and the connection's message: "what: message" (what may be NULL). Of a damaged page
 * the message names file and page itself, so what is left out. Always returns
 * -1. */
int err_of_result(sqlite3 *db, int result, const char *what, struct err *err);
/* The same for SQL of our own: where that doesn't work, the file is to blame (ERR_FORMAT). */
int err_of_file(sqlite3 *db, int result, const char *what, struct err *err);

/*
 * Written by the virtual tables' side: registers the SQL functions (always) and the virtual tables
 * (reader not NULL; borrowed, and must outlive the connection's last statement). The loadable
 * extension makes the reader itself and frees it with the connection.
 */
int lanescope_register(sqlite3 *db, struct run_reader *reader, struct err *err);

#endif
