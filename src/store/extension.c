/*
 * The loadable extension: our functions and virtual tables for any program that uses SQLite (the
 * sqlite3 shell, Python, Datasette):
 *
 *     $ sqlite3 run.lanes
 *     sqlite> .load lanescope_sqlite
 *     sqlite> SELECT name, n, dur_sum FROM span_sums('name') ORDER BY dur_sum DESC;
 *
 * The virtual tables read the run through a connection of their own, which checks every page that
 * it reads (checked.h); what the program reads of the file by itself isn't checked. The layer that
 * checks stays registered with SQLite, so the shared object stays loaded.
 *
 * It may be loaded on any connection. Only when a virtual table is first read does it look whether
 * the main database is a run file, and says so if it is not; the functions work everywhere.
 *
 * The shared object is lanescope_sqlite.so: SQLite looks for sqlite3_extension_init, then for a
 * name made of the file's letters. Everything else in it is hidden: SQLite loads extensions with
 * their symbols visible to all others, and each has a sqlite3_api of its own.
 */
#include "config.h"
#include "store/internal.h"

#include "store/functions.h"
#include "store/vtab.h"

#ifndef LANESCOPE_EXTENSION
#error "compile src/store for the extension with -DLANESCOPE_EXTENSION -fPIC -fvisibility=hidden"
#endif
SQLITE_EXTENSION_INIT1

int sqlite3_extension_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);
int sqlite3_lanescopesqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api);

__attribute__((visibility("default"))) int
sqlite3_extension_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
	struct err err = ERR_INIT;
	SQLITE_EXTENSION_INIT2(api);
	if (functions_register(db, &err)) {
		*message = sqlite3_mprintf("%s", err.message);
		return SQLITE_ERROR;
	}
	struct vtab_source source = vtab_reader_source(run_reader_new_beside(db), true);
	if (vtab_register(db, &source, &err)) {
		*message = sqlite3_mprintf("%s", err.message);
		return SQLITE_ERROR;
	}
	return SQLITE_OK_LOAD_PERMANENTLY;
}

__attribute__((visibility("default"))) int
sqlite3_lanescopesqlite_init(sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
	return sqlite3_extension_init(db, message, api);
}
