/*
 * Mathematics where SQLite has none (before 3.35, or built without), with SQLite's own rules: NULL
 * for what is not a number or has no result, and floor and ceil of an integer are that integer.
 */
#include "config.h"
#include "store/functions.h"

#include <math.h>
#include <stddef.h>

#include "util/order.h"
#include "util/student.h"

/* As SQLite's own: what is not a number gives NULL, not an error. */
static bool
get_real(sqlite3_value *value, double *real)
{
	int type = sqlite3_value_numeric_type(value);
	*real = sqlite3_value_double(value);
	return type == SQLITE_INTEGER || type == SQLITE_FLOAT;
}

static double
natural_logarithm(double x)
{
	return x > 0 ? log(x) : NAN;
}

/* The functions of one number, by what they are called. */
static void
call_real(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	const struct sql_function *function = sqlite3_user_data(context);
	double x;
	(void)argc;
	if (get_real(argv[0], &x)) {
		sqlite3_result_double(context, function->real(x)); /* NaN becomes NULL */
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

/* Whoever has a few figures has as many degrees of freedom, less one. */
static void
call_student(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	double share, degrees;
	(void)argc;
	if (get_real(argv[0], &share) && get_real(argv[1], &degrees) && share > 0 && share < 1) {
		double t = student_quantile(2 * LEAST(share, 1 - share), degrees);
		sqlite3_result_double(context, share < 0.5 ? -t : t);
	}
}

/* The least of 1, 2 and 5 times a power of ten that is no less, for lengths of windows. */
static void
call_round_step(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	int64_t least = sqlite3_value_int64(argv[0]), step = 1;
	(void)argc;
	if (sqlite3_value_numeric_type(argv[0]) != SQLITE_INTEGER) {
		return;
	}
	for (int i = 1; step < least; i++) { /* 1 2 5 10 ... */
		if (step > INT64_MAX / 3) {
			return;
		}
		step = i % 3 == 2 ? step / 2 * 5 : step * 2;
	}
	sqlite3_result_int64(context, step);
}

static void
call_rounded(sqlite3_context *context, int argc, sqlite3_value **argv)
{
	if (sqlite3_value_numeric_type(argv[0]) == SQLITE_INTEGER) {
		sqlite3_result_int64(context, sqlite3_value_int64(argv[0]));
	} else {
		call_real(context, argc, argv);
	}
}

const struct sql_function functions_math[] = {
    {"sqrt", 1, .call = call_real, .real = sqrt, .probe = "SELECT sqrt(1)"},
    {"exp", 1, .call = call_real, .real = exp, .probe = "SELECT exp(1)"},
    {"ln", 1, .call = call_real, .real = natural_logarithm, .probe = "SELECT ln(1)"},
    {"pow", 2, .call = call_pow, .probe = "SELECT pow(1, 1)"},
    {"round_step", 1, .call = call_round_step},
    {"student_t", 2, .call = call_student},
    {"floor", 1, .call = call_rounded, .real = floor, .probe = "SELECT floor(1)"},
    {"ceil", 1, .call = call_rounded, .real = ceil, .probe = "SELECT ceil(1)"},
    {0},
};
