/*
 * A row of sums: what the rows of an answer are part of. Only where the sum of a column is a figure as well: counts, bytes and
 * times of which each was counted once, never means, extremes, quantiles, shares or rates, nor what several rows share. A header
 * says it (`sums:`); where it does not, kind and name of a column do.
 */
#include "config.h"
#include "query/query.h"

static bool
is_number(const struct value *value)
{
	return value->type == VALUE_INTEGER || value->type == VALUE_REAL;
}

static double
as_real(const struct value *value)
{
	return value->type == VALUE_INTEGER ? (double)value->integer : value->real;
}

bool
value_add(struct value *sum, const struct value *value)
{
	if (!is_number(value)) {
		return true;
	}
	if (sum->type == VALUE_NULL) {
		*sum = *value;
	} else if (sum->type == VALUE_INTEGER && value->type == VALUE_INTEGER) {
		return !__builtin_add_overflow(sum->integer, value->integer, &sum->integer);
	} else {
		*sum = value_real(as_real(sum) + as_real(value));
	}
	return true;
}

static bool
is_summed(const struct result *result, size_t column)
{
	return !result->row_kinds && !result->columns[column].is_key &&
	       column_adds_up(&result->columns[column]);
}

bool
result_has_sums(const struct result *result)
{
	for (size_t i = 0; i < result->n_columns; i++) {
		if (is_summed(result, i)) {
			return true;
		}
	}
	return false;
}

static struct value
sum_column(struct result *result, size_t column, size_t n_rows)
{
	struct value sum = {.type = VALUE_NULL};

	for (size_t row = 0; row < n_rows; row++) {
		if (!value_add(&sum, result_value(result, row, column))) {
			result_add_note(result, "no sum of %s: it is more than 64 bits hold",
			                result->columns[column].name);
			return (struct value){.type = VALUE_NULL};
		}
	}
	return sum;
}

struct value *
result_sums(struct result *result)
{
	struct value *sums = xcalloc(result->n_columns + 1, sizeof *sums);
	bool is_named = false;

	for (size_t i = 0; i < result->n_columns; i++) {
		if (is_summed(result, i)) {
			sums[i] = sum_column(result, i, result->n_rows);
		} else if (!is_named && result->columns[i].kind == KIND_TEXT) {
			sums[i] = value_text(result, slice_of("sum"));
			is_named = true;
		}
	}
	return sums;
}
