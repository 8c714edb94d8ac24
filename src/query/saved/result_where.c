/* Which rows of a result meet a condition of the filter language. */
#include "config.h"
#include "query/saved/query.h"

#include <stdlib.h>

#include "column/scan/condition.h"
#include "util/date.h"

/* A date where one is asked for, else whatever the column's kind understands. */
static bool
read_value(void *user, size_t column, struct slice text, struct scan_value *value)
{
	const struct result *result = user;
	enum column_kind kind = result->columns[column].kind;
	struct value read;
	int64_t ns;
	if (kind == KIND_CLOCK && (date_time_ns(text, &ns) || date_day_ns(text, &ns))) {
		*value = (struct scan_value){.type = SCAN_INTEGER, .integer = ns};
		return true;
	}
	if (!query_parse_value(kind, text, &read) || !value_is_number(&read)) {
		return false;
	}
	*value = read.type == VALUE_REAL
	             ? (struct scan_value){.type = SCAN_REAL, .real = read.real}
	             : (struct scan_value){.type = SCAN_INTEGER, .integer = read.integer};
	return true;
}

static struct row_value
row_value_of(const struct value *value)
{
	struct row_value row = {.type = VALUE_IS_NULL};
	if (value->type == VALUE_INTEGER) {
		row = (struct row_value){.type = VALUE_IS_INTEGER, .integer = value->integer};
	} else if (value->type == VALUE_REAL) {
		row = (struct row_value){.type = VALUE_IS_REAL, .real = value->real};
	} else if (value->type == VALUE_TEXT) {
		char digits[FORMAT_BYTES];
		row = (struct row_value){.type = VALUE_IS_TEXT, .text = value->text};
		if (slice_int64(row.text, &row.integer) &&
		    slice_is(row.text, column_kinds[KIND_INTEGER].show(digits, row.integer))) {
			row.type = VALUE_IS_INTEGER_TEXT;
		}
	}
	return row;
}

static struct condition_name *
name_columns(const struct result *result)
{
	struct condition_name *names = xcalloc(result->n_columns + 1, sizeof *names);
	for (size_t i = 0; i < result->n_columns; i++) {
		enum column_kind kind = result->columns[i].kind;
		bool is_time = kind == KIND_DURATION || kind == KIND_TIME || kind == KIND_CLOCK;
		bool is_size = kind == KIND_SIZE || kind == KIND_RATE;
		names[i] = (struct condition_name){.name = result->columns[i].name,
		                                   .is_number = column_kind_is_number(kind),
		                                   .unit = is_time   ? UNIT_DURATION
		                                           : is_size ? UNIT_SIZE
		                                                     : UNIT_NONE};
	}
	return names;
}

int
result_where(struct result *result, const char *text, struct err *err)
{
	struct condition_names names = {name_columns(result), result->n_columns, read_value,
	                                result};
	struct condition *condition = condition_compile(&names, text, err);
	struct row_value *row = xcalloc(result->n_columns + 1, sizeof *row);
	size_t n = 0;
	for (size_t i = 0; condition && i < result->n_rows; i++) {
		for (size_t c = 0; c < result->n_columns; c++) {
			row[c] = row_value_of(result_value(result, i, c));
		}
		if (condition_holds(condition, row)) {
			memmove(result_value(result, n++, 0), result_value(result, i, 0),
			        result->n_columns * sizeof *result->values);
		}
	}
	result->n_rows = condition ? n : result->n_rows;
	free(row);
	free((void *)(uintptr_t)names.all);
	condition_free(condition);
	return condition ? 0 : -1;
}
