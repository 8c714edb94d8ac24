/* The schema of a run file: schema.sql, built into the program.
 * Used by its room alone. */
#ifndef LANESCOPE_STORE_SCHEMA_H
#define LANESCOPE_STORE_SCHEMA_H

#include "store/sqlite.h"

#include <stdbool.h>
#include "util/err.h"

/* Which statements of schema.sql: tables first, indexes and views when all rows are in. */
enum schema_part { SCHEMA_TABLES, SCHEMA_REST };
int schema_create(sqlite3 *db, enum schema_part part, struct err *err);

/* Compares the tables, views and indexes of the main database with those of schema.sql, but for
 * blanks and comments. is_exact: nothing else may be there. ERR_FORMAT if they differ. */
int schema_check(sqlite3 *db, bool is_exact, struct err *err);
/* The same with those that sql makes, and nothing else. */
extern const char *const schema_newest; /* that of this version, as SQL */
int schema_check_as(sqlite3 *db, const char *sql, struct err *err);

#endif
