/* Opening a run file to be read: through the layer that checks its pages, and untrusted. */
#include "config.h"
#include "store/checked.h"

#include <stdlib.h>

#include "store/internal.h"
#include "store/runfile.h"
#include "util/mem.h"

/* Fits the processor's: columns that are read once gain nothing from more (16 MiB: half as
 * fast). */
#define CACHE_KIB 2048

/* Options that the SQLite in use may not know are no loss. */
static void
harden(sqlite3 *db)
{
	static const int switches[][2] = {
#ifdef SQLITE_DBCONFIG_DEFENSIVE
	    {SQLITE_DBCONFIG_DEFENSIVE, 1},
#endif
#ifdef SQLITE_DBCONFIG_TRUSTED_SCHEMA
	    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
#endif
#ifdef SQLITE_DBCONFIG_DQS_DML /* "text" is a column's name, and a wrong one is told as such */
	    {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0},
#endif
	    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0}, {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
	};
	for (size_t i = 0; i < COUNT_OF(switches); i++) {
		(void)sqlite3_db_config(db, switches[i][0], switches[i][1], (int *)NULL);
	}
	sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
	sqlite3_limit(db, SQLITE_LIMIT_EXPR_DEPTH, 500);
	sqlite3_limit(db, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
	sqlite3_limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
}

static int
set_up(sqlite3 *db, const char *path, struct err *err)
{
	char sql[160];
	harden(db);
	sqlite3_snprintf(
	    sizeof sql, sql,
	    "PRAGMA mmap_size = 0; PRAGMA cache_size = -%d; PRAGMA cell_size_check = 1", CACHE_KIB);
	int result = sqlite3_exec(db, sql, NULL, NULL, NULL);
	return result == SQLITE_OK ? 0 : err_of_file(db, result, path, err);
}

static int
open_with(const char *vfs, const char *path, sqlite3 **db, struct err *err)
{
	*db = NULL;
	if (!sqlite3_threadsafe()) {
		return err_set(
		    err, ERR_SYSTEM,
		    "this SQLite library was built without threads: lanescope can't use it");
	}
	char *uri = runfile_uri(path, "mode=ro&immutable=1");
	int result = sqlite3_open_v2(
	    uri, db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, vfs);
	free(uri);
	if (result != SQLITE_OK) {
		return err_of_file(*db, result, path, err);
	}
	checked_call(*db, path);
	return set_up(*db, path, err);
}

int
checked_open(const char *path, sqlite3 **db, struct err *err)
{
	const char *vfs = checked_vfs(err);
	*db = NULL;
	return vfs ? open_with(vfs, path, db, err) : -1;
}

int
checked_open_unsealed(const char *path, sqlite3 **db, struct err *err)
{
	return open_with(NULL, path, db, err);
}
