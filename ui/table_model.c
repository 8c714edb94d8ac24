/* Filters are kept as texts and evaluated again for each new result, so that
 * they survive a changed query or a new sort. */
#include "config.h"

#include "ui/table_model.h"

#include <stdlib.h>
#include <string.h>

#include "query/list.h"
#include "query/show.h"
#include "ui/table_filter.h"

/* Keeps those of the shown rows for which the filter holds; the others lose their marks. */
static int
narrow(struct table_model *model, struct slice text, struct err *err)
{
	struct table_filter *filter = table_filter_compile(model->result, text, err);
	size_t kept = 0;

	if (!filter) {
		return -1;
	}
	for (size_t i = 0; i < model->n_rows; i++) {
		size_t row = model->rows[i];

		if (table_filter_holds(filter, row)) {
			model->rows[kept++] = row;
		} else if (model->is_marked[row]) { /* nobody would see what it adds */
			model->is_marked[row] = false;
			model->n_marked--;
		}
	}
	model->n_rows = kept;
	table_filter_free(filter);
	return 0;
}

static void
rebuild(struct table_model *model)
{
	size_t n = model->result->n_rows;

	model->rows = xrealloc_array(model->rows, n + 1, sizeof(*model->rows));
	for (size_t i = 0; i < n; i++) {
		model->rows[i] = i;
	}
	model->n_rows = n;
	for (size_t i = 0; i < model->n_filters; i++) {
		struct err ignored = ERR_INIT; /* a filter that the new columns can't take
                                      keeps everything */

		(void)narrow(model, slice_of(model->filters[i]), &ignored);
	}
	table_sort(model->result, model->keys, model->n_keys, model->rows, model->n_rows);
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

void
table_model_set(struct table_model *model, struct result *result)
{
	size_t kept = 0;

	for (size_t i = 0; i < model->n_keys; i++) {
		struct sort_key key = model->keys[i];

		key.column =
		    column_named(result, slice_of(model->result->columns[key.column].name));
		if (key.column < result->n_columns) {
			model->keys[kept++] = key;
		}
	}
	model->n_keys = kept;
	result_free(model->result);
	model->result = result;
	free(model->is_marked);
	model->is_marked = xcalloc(result->n_rows + 1, sizeof(*model->is_marked));
	model->n_marked = 0;
	rebuild(model);
}

void
table_model_sort(struct table_model *model, size_t column, bool is_descending)
{
	model->n_keys = 0;
	table_model_sort_add(model, column, is_descending);
}

void
table_model_sort_add(struct table_model *model, size_t column, bool is_descending)
{
	size_t at = 0;

	while (at < model->n_keys && model->keys[at].column != column) {
		at++;
	}
	if (at == SORT_KEYS) { /* nobody sees what the last of so many keys does */
		at = SORT_KEYS - 1;
	}
	model->keys[at] = (struct sort_key){column, is_descending};
	model->n_keys += at == model->n_keys;
	rebuild(model);
}

int
table_model_sort_by(struct table_model *model, const char *order, struct err *err)
{
	struct sort_key keys[SORT_KEYS];
	size_t n = 0;

	for (struct slice rest = slice_of(order), item; list_next(&rest, &item);) {
		bool is_descending = item.len > 0 && item.ptr[0] == '-';
		char *name;
		int column;

		if (item.len == 0) {
			continue;
		}
		name = xstrndup(item.ptr + is_descending, item.len - is_descending);
		column = result_column_find(model->result, name, err);
		free(name);
		if (column < 0) {
			return -1;
		}
		if (n < SORT_KEYS) {
			keys[n++] = (struct sort_key){(size_t)column, is_descending};
		}
	}
	memcpy(model->keys, keys, n * sizeof(*keys));
	model->n_keys = n;
	rebuild(model);
	return 0;
}

void
table_model_sort_text(const struct table_model *model, struct strbuf *out)
{
	for (size_t i = 0; i < model->n_keys; i++) {
		strbuf_printf(out, "%s%s%s", i ? "," : "", model->keys[i].is_descending ? "-" : "",
		              model->result->columns[model->keys[i].column].name);
	}
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

void
table_model_mark(struct table_model *model, size_t shown_row)
{
	bool *is_marked = &model->is_marked[model->rows[shown_row]];

	*is_marked = !*is_marked;
	model->n_marked += *is_marked ? 1 : (size_t)-1;
}

bool
table_model_unmark_all(struct table_model *model)
{
	if (model->n_marked == 0) {
		return false;
	}
	memset(model->is_marked, 0, model->result->n_rows * sizeof(*model->is_marked));
	model->n_marked = 0;
	return true;
}

bool
table_model_is_marked(const struct table_model *model, size_t shown_row)
{
	return model->is_marked[model->rows[shown_row]];
}

enum total { TOTAL_NONE, TOTAL_SUM, TOTAL_LEAST, TOTAL_LARGEST };

static bool
name_has(const char *name, const char *const *words)
{
	for (size_t i = 0; words[i]; i++) {
		if (slice_contains(slice_of(name), slice_of(words[i]))) {
			return true;
		}
	}
	return false;
}

/* How the values of a column add up, by its kind and by the words in its name.
 */
static enum total
total_of(const struct result *result, size_t column)
{
	static const char *const middles[] = {"mean", "median", "avg",   "std", "p25",
	                                      "p50",  "p75",    "p90",   "p95", "p99",
	                                      "rate", "ratio",  "share", "rel", NULL};
	static const char *const largests[] = {"max", "longest", "largest", NULL};
	static const char *const leasts[] = {"min", "shortest", "least", NULL};
	const struct result_column *of = &result->columns[column];
	bool adds_up = of->kind == KIND_DURATION || of->kind == KIND_SIZE ||
	               of->kind == KIND_COUNT || of->is_measure;

	if (!adds_up || of->is_key || of->kind == KIND_TEXT || of->kind == KIND_PERCENT ||
	    of->kind == KIND_TIME || of->kind == KIND_CLOCK || result->row_kinds ||
	    name_has(of->name, middles)) {
		return TOTAL_NONE;
	}
	return name_has(of->name, largests) ? TOTAL_LARGEST
	       : name_has(of->name, leasts) ? TOTAL_LEAST
	                                    : TOTAL_SUM;
}

/* Integers stay integers as long as the sum fits. */
static void
add(struct value *sum, const struct value *value)
{
	int64_t integer;

	if (sum->type == VALUE_NULL) {
		*sum = *value;
	} else if (sum->type == VALUE_INTEGER && value->type == VALUE_INTEGER &&
	           !__builtin_add_overflow(sum->integer, value->integer, &integer)) {
		sum->integer = integer;
	} else {
		double left = sum->type == VALUE_INTEGER ? (double)sum->integer : sum->real;

		*sum = value_real(
		    left + (value->type == VALUE_INTEGER ? (double)value->integer : value->real));
	}
}

struct value
table_model_total(const struct table_model *model, size_t column)
{
	enum total total = total_of(model->result, column);
	struct value sum = {.type = VALUE_NULL};

	for (size_t i = 0; i < model->n_rows && total != TOTAL_NONE; i++) {
		const struct value *value = result_value(model->result, model->rows[i], column);
		bool is_number = value->type == VALUE_INTEGER || value->type == VALUE_REAL;

		if (!is_number || !table_model_is_marked(model, i)) {
			continue;
		}
		if (total == TOTAL_SUM) {
			add(&sum, value);
		} else if (sum.type == VALUE_NULL ||
		           (value_compare(value, &sum) > 0) == (total == TOTAL_LARGEST)) {
			sum = *value;
		}
	}
	return sum;
}

bool
table_model_cell_matches(const struct table_model *model, size_t shown_row, size_t column,
                         struct slice text)
{
	size_t row = model->rows[shown_row];
	const struct value *value = result_value(model->result, row, column);
	bool is_number = value->type == VALUE_INTEGER || value->type == VALUE_REAL;
	char buffer[FORMAT_BYTES];

	for (size_t k = 0; k < text.len && is_number; k++) {
		if (!value_shows_in_numbers(text.ptr[k])) {
			return false;
		}
	}
	return text.len > 0 &&
	       slice_contains_anycase(
		   value_show(value, result_kind(model->result, row, column), buffer), text);
}

void
table_model_fini(struct table_model *model)
{
	while (model->n_filters > 0) {
		free(model->filters[--model->n_filters]);
	}
	free(model->filters);
	free(model->rows);
	free(model->is_marked);
	result_free(model->result);
}
