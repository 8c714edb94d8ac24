/* Of the tests of results in memory. */
#ifndef TESTS_UNIT_RESULTS_H
#define TESTS_UNIT_RESULTS_H

#include "query/saved/query.h"

static struct result *
make(size_t n_columns, const struct result_column *columns)
{
	return result_new("Example", columns, n_columns);
}

static const struct result_column pair[] = {
    {.name = "key", .kind = KIND_TEXT, .is_key = true},
    {.name = "total", .kind = KIND_DURATION, .is_measure = true}};

static void
add(struct result *result, const char *key, int64_t total)
{
	struct value *row = result_add_row(result);
	row[0] = key ? value_text(result, slice_of(key)) : (struct value){.type = VALUE_NULL};
	row[1] = total == INT64_MIN ? (struct value){.type = VALUE_NULL} : value_integer(total);
}

static const char *
text_at(const struct result *result, size_t row, size_t column)
{
	const struct value *value = result_value(result, row, column);
	return value->type == VALUE_TEXT ? value->text.ptr : "NULL";
}

#endif
