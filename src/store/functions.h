/* Our SQL functions, inside of src/store.
 * Used by its room alone. */
#ifndef LANESCOPE_STORE_FUNCTIONS_H
#define LANESCOPE_STORE_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "store/sqlite.h"

#include "util/err.h"

/* A function: scalar (call) or aggregate (add and finish). */
struct sql_function {
	const char *name;
	int n_args;
	void (*call)(sqlite3_context *context, int argc, sqlite3_value **argv);
	double (*real)(double); /* what call asks, where functions share it */
	/* Of an aggregate: the bytes of its state, which is zeroed before the first row; add takes
	 * a row, false: the error is set and no more rows come; finish gives the result, unless
	 * that has_failed, and frees what the state holds. SQLite aligns it to 8 bytes. */
	size_t state_bytes;
	bool (*add)(sqlite3_context *context, void *state, sqlite3_value **argv);
	void (*finish)(sqlite3_context *context, void *state, bool has_failed);
	const char *probe; /* an expression that works where SQLite has the function itself: then it
	                      keeps its own */
};

/* Ended by a row without a name. */
extern const struct sql_function functions_text[], functions_math[], functions_quantile[],
    functions_moments[], functions_ordered[], functions_graph[], functions_covering[];

/* All of them; an error if SQLite itself is not what saved queries need. */
int functions_register(sqlite3 *db, struct err *err);
/* Saved queries are written for SQLite 3.26 with windows and JSON: of a library that lacks one,
 * only some would fail. */
int functions_check_library(sqlite3 *db, struct err *err);

/* Errors of the running function begin with its name. Always false. */
bool function_fail(sqlite3_context *context, const char *reason);
/* The text becomes the result, and is freed. */
void function_result(sqlite3_context *context, sqlite3_str *text);
/* The argument as a number (text that looks like one is one). 1: it is, 0: it is NULL, -1:
 * it is neither; the error is set. */
struct number {
	bool is_real;
	sqlite3_int64 integer;
	double real; /* set in both cases */
};
int function_number(sqlite3_context *context, sqlite3_value *value, struct number *number);

/* Makes room for one more element of `size` bytes in memory of SQLite's. False: out of memory, the
 * error is set. */
bool function_grow(sqlite3_context *context, void *array, sqlite3_uint64 *capacity,
                   sqlite3_uint64 n, sqlite3_uint64 size);

/* Numbers as unsigned integers of the same order. */
static inline sqlite3_uint64
order_of_integer(sqlite3_int64 value)
{
	return (sqlite3_uint64)value ^ (sqlite3_uint64)1 << 63;
}
sqlite3_uint64 order_of_real(double value);
double real_of_order(sqlite3_uint64 order);

#endif
