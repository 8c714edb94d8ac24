/*
 * SQL functions of our own: registration, and what the families share.
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

#include <string.h>

#define FLAG_INNOCUOUS 0x000200000 /* SQLITE_INNOCUOUS; versions before 3.31 ignore it */

void
function_fail(sqlite3_context *context, const char *reason)
{
	char *message = sqlite3_mprintf("%s: %s", (const char *)sqlite3_user_data(context), reason);
	if (message) {
		sqlite3_result_error(context, message, -1);
	} else {
		sqlite3_result_error_nomem(context);
	}
	sqlite3_free(message);
}

int
function_number(sqlite3_context *context, sqlite3_value *value, struct number *number)
{
	switch (sqlite3_value_numeric_type(value)) {
	case SQLITE_NULL:
		return 0;
	case SQLITE_INTEGER:
		number->is_real = false;
		number->integer = sqlite3_value_int64(value);
		number->real = (double)number->integer;
		return 1;
	case SQLITE_FLOAT:
		number->is_real = true;
		number->integer = 0;
		number->real = sqlite3_value_double(value);
		return 1;
	default:
		function_fail(context, "an argument is not a number");
		return -1;
	}
}

bool
function_grow(sqlite3_context *context, void *array, sqlite3_uint64 *capacity, sqlite3_uint64 n,
              sqlite3_uint64 size)
{
	if (n < *capacity) {
		return true;
	}
	void *old;
	memcpy(&old, array, sizeof(old));
	sqlite3_uint64 wanted = *capacity ? *capacity * 2 : 64;
	void *grown = sqlite3_realloc64(old, wanted * size);
	if (!grown) {
		sqlite3_result_error_nomem(context);
		return false;
	}
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	return true;
}

sqlite3_uint64
order_of_real(double value)
{
	sqlite3_uint64 bits, sign = (sqlite3_uint64)1 << 63;
	memcpy(&bits, &value, sizeof(bits));
	return bits & sign ? ~bits : bits | sign;
}

double
real_of_order(sqlite3_uint64 order)
{
	sqlite3_uint64 sign = (sqlite3_uint64)1 << 63, bits = order & sign ? order & ~sign : ~order;
	double value;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* Does SQLite have the function of this expression already? */
static bool
is_built_in(sqlite3 *db, const char *probe)
{
	sqlite3_stmt *stmt = NULL;
	int result = sqlite3_prepare_v2(db, probe, -1, &stmt, NULL);
	sqlite3_finalize(stmt);
	return result == SQLITE_OK;
}

static int
register_family(sqlite3 *db, const struct sql_function *function, struct err *err)
{
	for (; function->name; function++) {
		if (function->probe && is_built_in(db, function->probe)) {
			continue;
		}
		int result = sqlite3_create_function_v2(
		    db, function->name, function->n_args,
		    SQLITE_UTF8 | SQLITE_DETERMINISTIC | FLAG_INNOCUOUS, (void *)function->name,
		    function->call, function->step, function->finish, NULL);
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
functions_register(sqlite3 *db, struct err *err)
{
	static const struct sql_function *const families[] = {
	    functions_text,    functions_math,  functions_quantile, functions_moments,
	    functions_ordered, functions_graph, functions_covering,
	};
	for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
		if (register_family(db, families[i], err)) {
			return -1;
		}
	}
	return 0;
}
