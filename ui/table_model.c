/* Filters are kept as texts and evaluated again for each new result, so that they survive a changed query or a new sort. */
#include "config.h"

#include "ui/table_model.h"

#include <stdlib.h>
#include <string.h>

#include "query/query_file.h"
#include "query/show.h"
#include "util/regex.h"

enum relation {
	RELATION_EQUAL,
	RELATION_NOT_EQUAL,
	RELATION_LESS,
	RELATION_LESS_EQUAL,
	RELATION_GREATER,
	RELATION_GREATER_EQUAL,
	RELATION_MATCHES
};

/* A filter ready to be evaluated: a pattern over all cells (column SIZE_MAX), or a relation on one column. */
struct condition {
	size_t column;
	enum relation relation;
	struct value value;
	struct regex *pattern;
};

static const struct {
	const char *text;
	enum relation relation;
} relations[] = {
    {"<>", RELATION_NOT_EQUAL},     {"!=", RELATION_NOT_EQUAL}, {"<=", RELATION_LESS_EQUAL},
    {">=", RELATION_GREATER_EQUAL}, {"==", RELATION_EQUAL},     {"=", RELATION_EQUAL},
    {"<", RELATION_LESS},           {">", RELATION_GREATER},    {"~", RELATION_MATCHES}};

static struct slice
trim(struct slice text)
{
	while (text.len && text.ptr[0] == ' ') {
		text.ptr++;
		text.len--;
	}
	while (text.len && text.ptr[text.len - 1] == ' ') {
		text.len--;
	}
	return text;
}

static size_t
column_named(const struct result *result, struct slice name)
{
	size_t i = 0;

	while (i < result->n_columns && !slice_is(name, result->columns[i].name)) {
		i++;
	}
	return i;
}

/* Splits "total > 40ms"; false if it is no such thing, and then it is a pattern. */
static bool
split_relation(const struct result *result, struct slice text, struct condition *condition,
               struct slice *value)
{
	for (size_t at = 1; at < text.len; at++) {
		for (size_t i = 0; i < sizeof(relations) / sizeof(relations[0]); i++) {
			size_t length = strlen(relations[i].text);

			if (at + length > text.len ||
			    memcmp(text.ptr + at, relations[i].text, length) != 0) {
				continue;
			}
			condition->column =
			    column_named(result, trim((struct slice){text.ptr, at}));
			condition->relation = relations[i].relation;
			*value =
			    trim((struct slice){text.ptr + at + length, text.len - at - length});
			return condition->column < result->n_columns;
		}
	}
	return false;
}

static int
condition_init(struct condition *condition, const struct result *result, struct slice text,
               struct err *err)
{
	struct slice value;
	const struct result_column *column;

	memset(condition, 0, sizeof(*condition));
	if (!split_relation(result, trim(text), condition, &value)) {
		condition->column = SIZE_MAX;
		condition->relation = RELATION_MATCHES;
		value = trim(text);
	}
	if (condition->relation == RELATION_MATCHES) {
		condition->pattern = regex_compile(value, err);
		return condition->pattern ? 0 : -1;
	}
	column = &result->columns[condition->column];
	if (!query_parse_value(column->kind, value, &condition->value)) {
		return err_set(
		    err, ERR_USAGE, "filter: '%.*s' is no value for column %s: write it %s",
		    (int)value.len, value.ptr, column->name, query_value_examples(column->kind));
	}
	return 0;
}

static bool
relation_holds(enum relation relation, int order)
{
	switch (relation) {
	case RELATION_EQUAL:
		return order == 0;
	case RELATION_NOT_EQUAL:
		return order != 0;
	case RELATION_LESS:
		return order < 0;
	case RELATION_LESS_EQUAL:
		return order <= 0;
	case RELATION_GREATER:
		return order > 0;
	default:
		return order >= 0;
	}
}

static bool
cell_matches(const struct condition *condition, const struct result *result, size_t row,
             size_t column)
{
	char buffer[FORMAT_BYTES];

	return regex_matches(condition->pattern,
	                     value_show(result_value(result, row, column),
	                                result_kind(result, row, column), buffer));
}

static bool
condition_holds(const struct condition *condition, const struct result *result, size_t row)
{
	if (condition->column == SIZE_MAX) {
		size_t i = 0;

		while (i < result->n_columns && !cell_matches(condition, result, row, i)) {
			i++;
		}
		return i < result->n_columns;
	}
	if (condition->relation == RELATION_MATCHES) {
		return cell_matches(condition, result, row, condition->column);
	}
	const struct value *value = result_value(result, row, condition->column);
	return value->type != VALUE_NULL &&
	       relation_holds(condition->relation, value_compare(value, &condition->value));
}

/* Keeps those of the shown rows for which the filter holds. */
static int
narrow(struct table_model *model, struct slice text, struct err *err)
{
	struct condition condition;
	size_t kept = 0;

	if (condition_init(&condition, model->result, text, err) != 0) {
		return -1;
	}
	for (size_t i = 0; i < model->n_rows; i++) {
		if (condition_holds(&condition, model->result, model->rows[i])) {
			model->rows[kept++] = model->rows[i];
		}
	}
	model->n_rows = kept;
	regex_free(condition.pattern);
	return 0;
}

/* Merge sort of row indices: stable, and the comparison needs the model. */
static void
merge_sort(const struct table_model *model, size_t *rows, size_t *scratch, size_t n)
{
	size_t half = n / 2, a = 0, b = half;

	if (n < 2) {
		return;
	}
	merge_sort(model, rows, scratch, half);
	merge_sort(model, rows + half, scratch, n - half);
	for (size_t i = 0; i < n; i++) {
		bool take_b = a == half;

		if (!take_b && b < n) {
			const struct value *left =
			    result_value(model->result, rows[a], model->sort_column);
			const struct value *right =
			    result_value(model->result, rows[b], model->sort_column);
			int order = value_compare(left, right);

			/* Missing values stay last whichever way. */
			if (left->type == VALUE_NULL || right->type == VALUE_NULL) {
				order = (left->type == VALUE_NULL) - (right->type == VALUE_NULL);
			} else if (model->is_descending) {
				order = -order;
			}
			take_b = order > 0;
		}
		scratch[i] = take_b ? rows[b++] : rows[a++];
	}
	memcpy(rows, scratch, n * sizeof(*rows));
}

static void
rebuild(struct table_model *model)
{
	size_t n = model->result->n_rows;
	size_t *scratch;

	model->rows = xrealloc_array(model->rows, n + 1, sizeof(*model->rows));
	for (size_t i = 0; i < n; i++) {
		model->rows[i] = i;
	}
	model->n_rows = n;
	for (size_t i = 0; i < model->n_filters; i++) {
		struct err ignored =
		    ERR_INIT; /* a filter that the new columns can't take keeps everything */

		(void)narrow(model, slice_of(model->filters[i]), &ignored);
	}
	if (model->sort_column < model->result->n_columns) {
		scratch = xcalloc(model->n_rows + 1, sizeof(*scratch));
		merge_sort(model, model->rows, scratch, model->n_rows);
		free(scratch);
	}
}

void
table_model_set(struct table_model *model, struct result *result)
{
	bool had_sort = model->result && model->sort_column < model->result->n_columns;

	if (had_sort) {
		model->sort_column =
		    column_named(result, slice_of(model->result->columns[model->sort_column].name));
	} else {
		model->sort_column = result->n_columns;
	}
	result_free(model->result);
	model->result = result;
	rebuild(model);
}

void
table_model_sort(struct table_model *model, size_t column, bool is_descending)
{
	model->sort_column = column;
	model->is_descending = is_descending;
	rebuild(model);
}

int
table_model_filter(struct table_model *model, struct slice text, struct err *err)
{
	if (narrow(model, text, err) != 0) {
		return -1;
	}
	model->filters = mem_grow(model->filters, &model->filter_capacity, model->n_filters + 1,
	                          sizeof(*model->filters));
	model->filters[model->n_filters++] = xstrndup(text.ptr, text.len);
	return 0;
}

bool
table_model_unfilter(struct table_model *model)
{
	if (model->n_filters == 0) {
		return false;
	}
	free(model->filters[--model->n_filters]);
	rebuild(model);
	return true;
}

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool
contains_ignoring_case(struct slice text, struct slice part)
{
	for (size_t i = 0; i + part.len <= text.len; i++) {
		size_t k = 0;

		while (k < part.len && lower(text.ptr[i + k]) == lower(part.ptr[k])) {
			k++;
		}
		if (k == part.len) {
			return true;
		}
	}
	return false;
}

bool
table_model_matches(const struct table_model *model, size_t shown_row, struct slice text)
{
	size_t row = model->rows[shown_row];

	for (size_t i = 0; i < model->result->n_columns; i++) {
		char buffer[FORMAT_BYTES];
		const struct value *value = result_value(model->result, row, i);

		if (contains_ignoring_case(
			value_show(value, result_kind(model->result, row, i), buffer), text)) {
			return true;
		}
	}
	return false;
}

void
table_model_fini(struct table_model *model)
{
	while (model->n_filters > 0) {
		free(model->filters[--model->n_filters]);
	}
	free(model->filters);
	free(model->rows);
	result_free(model->result);
}
