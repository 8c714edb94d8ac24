/*
 * Opening run files. Two things are not trusted: the file, which may have come from anywhere (its
 * header is read first, its schema compared with ours, SQLite's defences are on), and the user's
 * SQL, which may read all it likes but change and attach nothing (the authorizer's business; that
 * the file is opened read-only would not stop VACUUM INTO another).
 *
 * The file is opened with immutable=1: no locks, which network file systems may lack, and no look
 * for a journal. In return SQLite notices no change, so the file's identity is compared before each
 * statement and after each failure to read.
 */
#include "config.h"
#include "store/store_private.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "store/checked.h"
#include "store/schema.h"
#include "util/library.h"

static bool
is_listed(const char *name, const char *const *list)
{
	for (; *list; list++) {
		if (sqlite3_stricmp(name, *list) == 0) {
			return true;
		}
	}
	return false;
}

/* Pragmas that only look, and what a look may be told. */
static int
authorize_pragma(const char *name, const char *argument)
{
	static const char *const facts[] = {"application_id",
	                                    "collation_list",
	                                    "compile_options",
	                                    "database_list",
	                                    "encoding",
	                                    "function_list",
	                                    "module_list",
	                                    "page_count",
	                                    "page_size",
	                                    "pragma_list",
	                                    "schema_version",
	                                    "user_version",
	                                    NULL};
	static const char *const looks[] = {
	    "foreign_key_list", "index_info", "index_list", "index_xinfo", "integrity_check",
	    "quick_check",      "table_info", "table_list", "table_xinfo", NULL};
	bool is_allowed =
	    argument ? is_listed(name, looks) : is_listed(name, facts) || is_listed(name, looks);
	return is_allowed ? SQLITE_OK : SQLITE_DENY;
}

/* Any that computes; none that reaches beyond the run, to files, code and memory. Most of these are
 * not in SQLite's library, but a build of it may bring them along. */
static int
authorize_function(const char *name)
{
	static const char *const reach[] = {"edit",
	                                    "fts3_tokenizer",
	                                    "icu_load_collation",
	                                    "load_extension",
	                                    "readfile",
	                                    "writefile",
	                                    "zipfile",
	                                    NULL};

	return name && is_listed(name, reach) ? SQLITE_DENY : SQLITE_OK;
}

static int
authorize(void *user, int action, const char *first, const char *second, const char *database,
          const char *trigger)
{
	(void)user;
	(void)database;
	(void)trigger;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
		return SQLITE_OK;
	case SQLITE_FUNCTION:
		return authorize_function(second);
	case SQLITE_PRAGMA:
		return first ? authorize_pragma(first, second) : SQLITE_DENY;
	case SQLITE_UPDATE: /* SQLite asks this of itself when a virtual table is first used; users
	                       it refuses */
		return first && strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_ATTACH: /* VACUUM, too */
	case SQLITE_DETACH:
		return SQLITE_DENY;
	default:
		return SQLITE_DENY;
	}
}

static int
progress(void *user)
{
	const struct store *store = user;
	return cancel_requested(store->cancel);
}

/* Statements look at the store's cancel from now on. */
static void
watch(struct store *store)
{
	sqlite3_progress_handler(store->db, 20000, progress, store);
}

int
store_show_once(struct store *store, struct err *err)
{
	if (store->is_shown) {
		return 0;
	}
	sqlite3_set_authorizer(store->db, NULL, NULL);
	int status = store_show(store, err);
	watch(store);
	store_guard(store);
	return status;
}

/* Names the file where err doesn't yet. Always -1. */
static int
name_file(const struct store *store, struct err *err)
{
	size_t bytes = strlen(store->path);
	bool is_named =
	    strncmp(err->message, store->path, bytes) == 0 && err->message[bytes] == ':';
	return is_named ? -1 : err_wrap(err, "%s", store->path);
}

/* Before SQLite is first used, else it does nothing. That it counts what memory it holds takes a
 * lock each time, and nobody asks. And twenty pages for each open file, as it has them in advance,
 * are most of what a small run takes: of hundreds that are open they would be it all. */
static void
configure_sqlite(void)
{
	(void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	(void)sqlite3_config(SQLITE_CONFIG_PAGECACHE, NULL, 0, 0);
}

static int
open_run(struct store *store, struct err *err)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, configure_sqlite);
	if (runfile_check_name(store->path, err) ||
	    runfile_check(store->path, &store->identity, err)) {
		return -1;
	}
	/* Compared once more: SQLite opened the file by its name, after us. */
	if (checked_open(store->path, &store->db, err) ||
	    runfile_is_same(store->path, &store->identity, err)) {
		return -1;
	}
	watch(store);
	if (schema_check(store->db, true, err)) {
		return name_file(store, err);
	}
	store->reader = run_reader_new(store->db, true);
	const struct run_info *info = run_reader_info(store->reader, err);
	if (!info) {
		return name_file(store, err);
	}
	store->info = *info;
	store->info.name = store->name = runfile_name(store->path);
	return lanescope_register(store->db, store->reader, err);
}

struct store *
store_open(const char *path, struct err *err)
{
	struct store *store = xcalloc(1, sizeof *store);
	store->path = xstrdup(path);
	if (open_run(store, err)) {
		store_close(store);
		return NULL;
	}
	store_guard(store);
	return store;
}

void
store_guard(struct store *store)
{
	sqlite3_set_authorizer(store->db, authorize, store);
}

void
store_close(struct store *store)
{
	if (!store) {
		return;
	}
	/* The virtual tables let go of the reader when the connection begins to close; it ends with
	 * the reader's last statement. */
	sqlite3_close_v2(store->db);
	run_reader_free(store->reader);
	scope_free(&store->scope);
	free(store->name);
	free(store->path);
	free(store);
}

/* What a statement first failed by for want of the system, of all stores. */
static struct {
	pthread_mutex_t lock;
	struct err err;
} first_failure = {.lock = PTHREAD_MUTEX_INITIALIZER};

int
store_failure(struct err *err)
{
	int status = checked_first_failure(err);
	pthread_mutex_lock(&first_failure.lock);
	if (status == 0 && first_failure.err.code != ERR_NONE) {
		*err = first_failure.err;
		status = -1;
	}
	pthread_mutex_unlock(&first_failure.lock);
	return status;
}

void
store_rest(struct store *store)
{
	(void)sqlite3_db_release_memory(store->db);
	run_reader_rest(store->reader);
}

const char *
store_path(const struct store *store)
{
	return store->path;
}

const struct run_info *
store_run(const struct store *store)
{
	return &store->info;
}

int
store_is_same(struct store *store, struct err *err)
{
	return runfile_is_same(store->path, &store->identity, err);
}

int
store_failed(struct store *store, struct err *err)
{
	struct err changed = ERR_INIT;
	if ((err->code == ERR_SYSTEM || err->code == ERR_FORMAT) &&
	    store_is_same(store, &changed)) {
		*err = changed;
	}
	pthread_mutex_lock(&first_failure.lock);
	if (err->code == ERR_SYSTEM && first_failure.err.code == ERR_NONE) {
		first_failure.err = *err;
	}
	pthread_mutex_unlock(&first_failure.lock);
	return -1;
}

const struct dataset *
store_dataset(struct store *store, struct err *err)
{
	if (store_is_same(store, err)) {
		return NULL;
	}
	const struct dataset *dataset = run_reader_dataset(store->reader, err);
	if (!dataset) {
		name_file(store, err);
		(void)store_failed(store, err);
	}
	return dataset;
}

int
store_tiles(struct store *store, struct tile_reader *reader, struct err *err)
{
	return !store_dataset(store, err) ? -1 : run_reader_tiles(store->reader, reader, err);
}

size_t
store_censuses(const struct store *store, const struct store_census **censuses)
{
	*censuses = NULL;
	return store->reader ? run_reader_censuses(store->reader, censuses) : 0;
}

void
store_forget_censuses(struct store *store)
{
	if (store->reader) {
		run_reader_forget_censuses(store->reader);
	}
}

void
store_set_classes(struct store *store, const struct path_classes *classes)
{
	if (store->reader) {
		run_reader_set_classes(store->reader, classes);
	}
}

void
store_set_cancel(struct store *store, const struct cancel *cancel)
{
	store->cancel = cancel;
	if (store->reader) {
		run_reader_set_cancel(store->reader, cancel);
	}
	watch(store);
}

void
store_library(struct strbuf *out)
{
	library_add(out, "SQLite", SQLITE_VERSION, sqlite3_libversion());
}
