/*
 * Run files opened so that SQLite reads no damaged byte of them: a layer between SQLite and the
 * file (a "VFS") that seals each page that is written (page.h) and checks it whenever any part of
 * it is read.
 * Used by its room alone.
 */
#ifndef LANESCOPE_STORE_CHECKED_H
#define LANESCOPE_STORE_CHECKED_H

#include "store/sqlite.h"

#include <stdbool.h>
#include <stdint.h>
#include "util/cancel.h"
#include "util/err.h"

/* The name to open files with; registers the layer at first use. NULL, with err, on failure. */
const char *checked_vfs(struct err *err);
/* Opens a run file to be read, never written, with SQLite's defences on. *db is set on failure,
 * too: sqlite3_close. */
int checked_open(const char *path, sqlite3 **db, struct err *err);
/* The same for a file of a version whose pages have no checksums: nothing is checked. */
int checked_open_unsealed(const char *path, sqlite3 **db, struct err *err);

/* What messages call db's main database. */
void checked_call(sqlite3 *db, const char *path);
/* Was a page of db's main database read that is not what was written? Which came first, and of what
 * file (NULL: it is not known; else lent until db is closed). */
bool checked_damage(sqlite3 *db, const char **path, unsigned *page);
/* ERR_FORMAT: that page of that file is damaged, and what to do. Always -1. */
int checked_set_damage(const char *path, unsigned page, struct err *err);
/* The same for the first page that was seen to be damaged, or could not be read, since the program
 * began, in any file that has a name by checked_call; 0 if there is none. */
int checked_first_failure(struct err *err);
/* A new file is at path: what was seen there is no more. */
void checked_forget_failure(const char *path);
/* What statements of this thread put aside (to sort it) ends with SQLITE_INTERRUPT when that is
 * requested; they look at nothing else while they merge it. NULL: no longer. */
void checked_watch(const struct cancel *cancel);
/* How many pages of nothing but zeros were written: of these a lost page can't be told. */
int64_t checked_zero_pages(sqlite3 *db);
/* None were, says the file: from now on such a page is damage. */
void checked_refuse_zero_pages(sqlite3 *db);

#endif
