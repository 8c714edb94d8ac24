/* What the families of SQL functions share: errors, numbers, growing arrays. */
#include "config.h"
#include "store/functions.h"

#include <string.h>

bool
function_fail(sqlite3_context *context, const char *reason)
{
	const struct sql_function *function = sqlite3_user_data(context);
	char *message = sqlite3_mprintf("%s: %s", function->name, reason);
	if (message) {
		sqlite3_result_error(context, message, -1);
	} else {
		sqlite3_result_error_nomem(context);
	}
	sqlite3_free(message);
	return false;
}

void
function_result(sqlite3_context *context, sqlite3_str *text)
{
	int code = sqlite3_str_errcode(text);
	char *result = sqlite3_str_finish(text);
	if (code == SQLITE_OK && result) {
		sqlite3_result_text(context, result, -1, sqlite3_free);
	} else {
		sqlite3_free(result);
		sqlite3_result_error_code(context, code == SQLITE_OK ? SQLITE_NOMEM : code);
	}
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
	memcpy(&old, array, sizeof old);
	sqlite3_uint64 wanted = *capacity ? *capacity * 2 : 64;
	void *grown = sqlite3_realloc64(old, wanted * size);
	if (!grown) {
		sqlite3_result_error_nomem(context);
		return false;
	}
	memcpy(array, &grown, sizeof grown);
	*capacity = wanted;
	return true;
}

sqlite3_uint64
order_of_real(double value)
{
	sqlite3_uint64 bits, sign = (sqlite3_uint64)1 << 63;
	memcpy(&bits, &value, sizeof bits);
	return bits & sign ? ~bits : bits | sign;
}

double
real_of_order(sqlite3_uint64 order)
{
	sqlite3_uint64 sign = (sqlite3_uint64)1 << 63, bits = order & sign ? order & ~sign : ~order;
	double value;
	memcpy(&value, &bits, sizeof value);
	return value;
}
