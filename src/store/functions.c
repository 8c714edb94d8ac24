/*
 * SQL functions of our own.
 *
 * SQLite before 3.35 has no mathematics, and no version has quantiles or regular expressions; our
 * saved queries need them on every system, with the same results. All are deterministic and
 * innocuous (usable in views of an untrusted file). Aggregates ignore rows with NULL, as SQL's own
 * do. A value of the wrong type is an error rather than a zero: the queries are our users'
 * measurements.
 *
 * What grows with the data is allocated by SQLite's allocator, so that running out is an SQL error.
 */
#include "config.h"
#include "store/functions.h"

#include <stdatomic.h>
#include <stddef.h>

#include "util/mem.h"

#define VERSION_LEAST 3026000 /* of SQLite */

/* --- Aggregates ---------------------------------------------------------- */

/* What SQLite keeps for a group: whether a row has failed, then the function's own state. */
struct aggregate {
	sqlite3_int64 has_failed;
	char state[];
};

/* NULL: out of memory, the error is set. */
static struct aggregate *
get_aggregate(sqlite3_context *context, const struct sql_function *function)
{
	struct aggregate *aggregate =
	    sqlite3_aggregate_context(context, (int)(sizeof *aggregate + function->state_bytes));
	if (!aggregate) {
		sqlite3_result_error_nomem(context);
	}
	return aggregate;
}

static void
step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct sql_function *function = sqlite3_user_data(context);
	struct aggregate *aggregate = get_aggregate(context, function);
	(void)argc;
	if (aggregate && !aggregate->has_failed) {
		aggregate->has_failed = !function->add(context, aggregate->state, argv);
	}
}

static void
finish(sqlite3_context *context)
{
	const struct sql_function *function = sqlite3_user_data(context);
	struct aggregate *aggregate = get_aggregate(context, function);
	if (aggregate) {
		function->finish(context, aggregate->state, aggregate->has_failed);
	}
}

/* --- Registration --------------------------------------------------------- */

static int
prepare(sqlite3 *db, const char *probe)
{
	sqlite3_stmt *stmt = NULL;
	int result = sqlite3_prepare_v2(db, probe, -1, &stmt, NULL);
	sqlite3_finalize(stmt);
	return result & 0xff;
}

static int
register_family(sqlite3 *db, const struct sql_function *function, struct err *err)
{
	for (; function->name; function++) {
		if (function->probe && prepare(db, function->probe) == SQLITE_OK) {
			continue; /* SQLite has it already */
		}
		int result = sqlite3_create_function_v2(
		    db, function->name, function->n_args,
		    SQLITE_UTF8 | SQLITE_DETERMINISTIC | FLAG_INNOCUOUS, (void *)function,
		    function->call, function->add ? step : NULL, function->add ? finish : NULL,
		    NULL);
		/* Busy: a function of this name is in use, since SELECT load_extension(...) runs
		 * us. It stays (the sqlite3 shell has a regexp much like ours). */
		if (result != SQLITE_OK && result != SQLITE_BUSY) {
			return err_set(err, ERR_INTERNAL, "SQL function %s: %s", function->name,
			               sqlite3_errmsg(db));
		}
	}
	return 0;
}

int
functions_check_library(sqlite3 *db, struct err *err)
{
	static const char *const needed[][2] = {
	    {"SELECT row_number() OVER ()", "window functions"},
	    {"SELECT json_extract('[1]', '$[0]')", "JSON functions"},
	};
	if (sqlite3_libversion_number() < VERSION_LEAST) {
		return err_set(err, ERR_INTERNAL,
		               "this is SQLite %s: lanescope needs 3.26 or newer",
		               sqlite3_libversion());
	}
	for (size_t i = 0; i < COUNT_OF(needed); i++) {
		int result = prepare(db, needed[i][0]);
		if (result == SQLITE_NOMEM) {
			return err_set(err, ERR_SYSTEM, "%s", sqlite3_errstr(result));
		}
		if (result != SQLITE_OK) {
			return err_set(err, ERR_INTERNAL,
			               "this SQLite (%s) was built without %s: lanescope needs one "
			               "that has them",
			               sqlite3_libversion(), needed[i][1]);
		}
	}
	return 0;
}

int
functions_register(sqlite3 *db, struct err *err)
{
	static const struct sql_function *const families[] = {
	    functions_text,    functions_math,  functions_quantile, functions_moments,
	    functions_ordered, functions_graph, functions_covering,
	};
	static atomic_bool is_checked; /* for all connections: the library is one */

	if (!atomic_load(&is_checked) && functions_check_library(db, err)) {
		return -1;
	}
	atomic_store(&is_checked, true);
	for (size_t i = 0; i < COUNT_OF(families); i++) {
		if (register_family(db, families[i], err)) {
			return -1;
		}
	}
	return 0;
}
