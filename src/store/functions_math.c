/*
 * Mathematics where SQLite has none (before 3.35, or built without), with SQLite's own rules: NULL
 * for what is not a number or has no result, and floor and ceil of an integer are that integer.
 */
#include "config.h"
#include "store/functions.h"

#include <math.h>
#include <stddef.h>

/* As SQLite's own: what is not a number gives NULL, not an error. */
static bool
get_real(sqlite3_value *value, double *real)
{
	int type = sqlite3_value_numeric_type(value);
	*real = sqlite3_value_double(value);
	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static void
result_of(sqlite3_context *context, sqlite3_value *value, double (*function)(double))
{
	double x;
	if (get_real(value, &x)) {
		sqlite3_result_double(context, function(x)); /* NaN becomes NULL */
	}
}

static void
call_sqrt(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	result_of(context, argv[0], sqrt);
}

static void
call_exp(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	result_of(context, argv[0], exp);
}

static void
call_ln(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	double x;
	(void)argc;
	if (get_real(argv[0], &x) && x > 0) {
		sqlite3_result_double(context, log(x));
	}
}

static void
call_pow(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	double x, y;
	(void)argc;
	if (get_real(argv[0], &x) && get_real(argv[1], &y)) {
		sqlite3_result_double(context, pow(x, y));
	}
}

static void
result_rounded(sqlite3_context *context, sqlite3_value *value, double (*function)(double))
{
	if (sqlite3_value_numeric_type(value) == SQLITE_INTEGER) {
		sqlite3_result_int64(context, sqlite3_value_int64(value));
	} else {
		result_of(context, value, function);
	}
}

static void
call_floor(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	result_rounded(context, argv[0], floor);
}

static void
call_ceil(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	(void)argc;
	result_rounded(context, argv[0], ceil);
}

const struct sql_function functions_math[] = {
    {"sqrt", 1, call_sqrt, NULL, NULL, "SELECT sqrt(1)"},
    {"exp", 1, call_exp, NULL, NULL, "SELECT exp(1)"},
    {"ln", 1, call_ln, NULL, NULL, "SELECT ln(1)"},
    {"pow", 2, call_pow, NULL, NULL, "SELECT pow(1, 1)"},
    {"floor", 1, call_floor, NULL, NULL, "SELECT floor(1)"},
    {"ceil", 1, call_ceil, NULL, NULL, "SELECT ceil(1)"},
    {NULL, 0, NULL, NULL, NULL, NULL},
};
