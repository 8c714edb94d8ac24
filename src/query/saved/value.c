/* Values of results, and their order. */
#include "config.h"
#include "query/saved/query.h"

#include <math.h>

#include "util/order.h"

struct value
value_integer(int64_t integer)
{
	return (struct value){.type = VALUE_INTEGER, .integer = integer};
}

struct value
value_real(double real)
{
	return (struct value){.type = VALUE_REAL, .real = real};
}

struct value
value_finite(double real)
{
	return isfinite(real) ? value_real(real) : (struct value){.type = VALUE_NULL};
}

struct value
value_text(struct result *result, struct slice text)
{
	return (struct value){.type = VALUE_TEXT, .text = result_keep_text(result, text)};
}

struct value
value_copy(struct result *result, const struct value *value)
{
	struct value copy = *value;
	if (value->type == VALUE_TEXT || value->type == VALUE_BLOB) {
		copy.text = result_keep_text(result, value->text);
	}
	return copy;
}

struct value
value_word(struct result *result, const char *text)
{
	return value_text(result, slice_of(text));
}

bool
value_is_number(const struct value *value)
{
	return value->type == VALUE_INTEGER || value->type == VALUE_REAL;
}

double
value_number(const struct value *value)
{
	return value->type == VALUE_INTEGER ? (double)value->integer
	       : value->type == VALUE_REAL  ? value->real
	                                    : NAN;
}

static int
rank_of(enum value_type type)
{
	return type == VALUE_NULL ? 0 : type == VALUE_TEXT ? 2 : type == VALUE_BLOB ? 3 : 1;
}

int
value_compare(const struct value *a, const struct value *b)
{
	int rank_a = rank_of(a->type), rank_b = rank_of(b->type);
	ORDER_BY(rank_a, rank_b);
	if (rank_a == 0) {
		return 0;
	}
	if (rank_a >= 2) {
		return slice_compare(a->text, b->text);
	}
	if (a->type == VALUE_INTEGER && b->type == VALUE_INTEGER) {
		return ORDER(a->integer, b->integer);
	}
	if (a->type == VALUE_REAL && b->type == VALUE_REAL) {
		return ORDER(a->real, b->real);
	}
	return a->type == VALUE_INTEGER ? order_integer_real(a->integer, b->real)
	                                : -order_integer_real(b->integer, a->real);
}
