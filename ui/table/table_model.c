/*
 * What is wanted and what is shown are kept apart: filters and keys are texts and columns, from
 * which the rows follow by a table_order. Of few rows it is run at once; of many the owner has it
 * run on the worker, and until it comes the former rows stand.
 */
#include "config.h"

#include "ui/table/table_model.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "query/saved/kind.h"
#include "ui/base/result_copy.h"
#include "ui/base/texts.h"
#include "ui/table/table_filter.h"

/* Whether rows in the order `shown` need but pass further filters. */
static bool
only_narrows(const struct table_wish *shown, const struct table_wish *wish)
{
	bool same = shown->n_keys == wish->n_keys && shown->filters.n <= wish->filters.n;

	for (size_t i = 0; same && i < shown->n_keys; i++) {
		same = shown->keys[i].column == wish->keys[i].column &&
		       shown->keys[i].is_descending == wish->keys[i].is_descending &&
		       shown->keys[i].by == wish->keys[i].by;
	}
	for (size_t i = 0; same && i < shown->filters.n; i++) {
		same = strcmp(shown->filters.filters[i], wish->filters.filters[i]) == 0;
	}
	return same;
}

struct table_order *
table_model_order(const struct table_model *model)
{
	if (only_narrows(&model->shown, &model->wish)) {
		return table_order_narrow(model->hold, &model->wish, model->rows, model->n_rows,
		                          model->shown.filters.n);
	}
	return table_order_new(model->hold, &model->wish);
}

static const struct value nothing = {.type = VALUE_NULL};
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

/* How the values of a column are put together: those that do not add up by the words in its
 * name. */
static enum total
total_of(const struct result *result, size_t column)
{
	static const char *const largests[] = {"max", "longest", "largest", NULL};
	static const char *const leasts[] = {"min", "shortest", "least", NULL};
	const struct result_column *of = &result->columns[column];
	bool is_amount = column_kinds[of->kind].adds_up;

	if (of->is_key || result->row_kinds) {
		return TOTAL_NONE;
	}
	return column_adds_up(of)                          ? TOTAL_SUM
	       : is_amount && name_has(of->name, largests) ? TOTAL_LARGEST
	       : is_amount && name_has(of->name, leasts)   ? TOTAL_LEAST
	                                                   : TOTAL_NONE;
}

/* Of the marked rows or of the shown ones; a sum that leaves 64 bits is none. */
static struct value
column_total(const struct result *result, size_t column, const size_t *rows, size_t n)
{
	enum total total = total_of(result, column);
	struct value sum = nothing;

	for (size_t i = 0; i < n && total != TOTAL_NONE; i++) {
		const struct value *value = result_value(result, rows[i], column);

		if (!value_is_number(value)) {
			continue;
		}
		if (total == TOTAL_SUM) {
			if (!value_add(&sum, value)) {
				return nothing;
			}
		} else if (sum.type == VALUE_NULL ||
		           (value_compare(value, &sum) > 0) == (total == TOTAL_LARGEST)) {
			sum = *value;
		}
	}
	return sum;
}

/* How the sums of two runs differ is not told by how their rows do: A and B stand before. */
static struct value
total_over(const struct result *result, size_t column, const size_t *rows, size_t n)
{
	if (!result->differences || result->columns[column].sums <= SUMS_NOT) {
		return column_total(result, column, rows, n);
	}
	struct value a = column_total(result, column - 2, rows, n),
		     b = column_total(result, column - 1, rows, n);

	return value_sum_of_difference(&result->columns[column], &a, &b);
}

/* What the shown rows are part of. */
static void
settle_sums(struct table_model *model)
{
	const struct result *result = model->result;

	free(model->sums);
	model->sums = NULL;
	if (!model->wants_sums || model->n_rows < 2 || !result_has_sums(result)) {
		return;
	}
	model->sums = xcalloc(result->n_columns, sizeof *model->sums);
	for (size_t c = 0; c < result->n_columns; c++) {
		if (total_of(result, c) == TOTAL_SUM || result->columns[c].sums > SUMS_NOT) {
			model->sums[c] = total_over(result, c, model->rows, model->n_rows);
		}
	}
}

struct value
table_model_total(const struct table_model *model, size_t column)
{
	if (model->n_marked == 0) {
		return model->sums ? model->sums[column] : nothing;
	}
	return total_over(model->result, column, model->marked, model->n_marked);
}

bool
table_model_has_totals(const struct table_model *model)
{
	return model->n_marked > 0 || model->sums;
}

/* Rows that are not shown lose their marks: nobody would see what they add. */
static void
settle_marks(struct table_model *model)
{
	bool *was_marked = model->is_marked;
	size_t n_marked = model->n_marked;

	if (n_marked == 0) {
		return;
	}
	model->is_marked = xcalloc(model->result->n_rows + 1, sizeof *model->is_marked);
	model->n_marked = 0;
	for (size_t i = 0; i < model->n_rows; i++) {
		size_t row = model->rows[i];

		if (was_marked[row]) {
			model->is_marked[row] = true;
			model->marked[model->n_marked++] = row;
		}
	}
	free(was_marked);
}

void
table_model_take(struct table_model *model, struct table_order *order)
{
	if (order->hold == model->hold) {
		free(model->rows);
		model->rows = order->rows;
		model->n_rows = order->n_rows;
		order->rows = NULL;
		table_wish_fini(&model->wish);
		table_wish_fini(&model->shown);
		model->shown = table_wish_copy(&order->wish);
		model->wish = order->wish;
		order->wish = (struct table_wish){0};
		model->is_late = false;
		settle_marks(model);
		settle_sums(model);
	}
	table_order_free(order);
}

bool
table_model_revert(struct table_model *model)
{
	if (!model->is_late) {
		return false;
	}
	table_wish_fini(&model->wish);
	model->wish = table_wish_copy(&model->shown);
	model->is_late = false;
	return true;
}

/* The rows that follow from the wish: at once, or later. */
static void
rebuild(struct table_model *model)
{
	struct table_order *order;
	struct err never = ERR_INIT; /* nobody cancels it */

	if (model->at_once > 0 && model->result->n_rows > model->at_once) {
		model->is_late = true;
		model->n_wishes++;
		return;
	}
	order = table_model_order(model);
	(void)table_order_run(order, NULL, &never);
	table_model_take(model, order);
}

/* How a difference is sorted by its size. */
static enum sort_by
size_of(const struct result *result, size_t column)
{
	enum column_difference difference = result_difference(result, column);

	return difference == DIFFERENCE_NONE    ? SORT_BY_VALUE
	       : difference == DIFFERENCE_RATIO ? SORT_BY_FACTOR
	                                        : SORT_BY_SIZE;
}

/* The difference that stands in the place of another of the same measure ("total_delta",
 * "total_rel"). */
static size_t
sibling(const struct result *to, const struct result *from, size_t column)
{
	const char *name = from->columns[column].name, *end = strrchr(name, '_');
	size_t length = end ? (size_t)(end - name) + 1 : 0, i = 0;

	if (result_difference(from, column) == DIFFERENCE_NONE) {
		return to->n_columns;
	}
	while (i < to->n_columns && (result_difference(to, i) == DIFFERENCE_NONE ||
	                             strncmp(to->columns[i].name, name, length) != 0 ||
	                             strchr(to->columns[i].name + length, '_'))) {
		i++;
	}
	return i;
}

/* The keys that the new result has columns for. */
static void
keep_keys(struct table_wish *wish, const struct result *from, const struct result *to)
{
	size_t kept = 0;

	for (size_t i = 0; i < wish->n_keys; i++) {
		struct table_sort_key key = wish->keys[i];

		key.column = (size_t)column_find(to->columns, to->n_columns,
		                                 slice_of(from->columns[key.column].name));
		if (key.column == SIZE_MAX) {
			key.column = sibling(to, from, wish->keys[i].column);
			key.by = key.column < to->n_columns && key.by != SORT_BY_VALUE
			             ? size_of(to, key.column)
			             : SORT_BY_VALUE;
		}
		if (key.column < to->n_columns) {
			wish->keys[kept++] = key;
		}
	}
	wish->n_keys = kept;
}

void
table_model_set(struct table_model *model, struct result *result)
{
	size_t n = result->n_rows;

	if (model->result) {
		keep_keys(&model->wish, model->result, result);
	}
	result_hold_release(model->hold);
	model->hold = result_hold_new(result);
	model->result = result;
	free(model->is_marked);
	model->is_marked = xcalloc(n + 1, sizeof *model->is_marked);
	model->n_marked = 0;
	table_wish_fini(&model->shown); /* all rows, as they came */
	free(model->rows);
	model->rows = numbers_copy(NULL, n);
	model->n_rows = n;
	model->is_late = false;
	settle_sums(model);
	if (model->wish.n_keys > 0 || model->wish.filters.n > 0) {
		rebuild(model);
	}
}

void
table_model_grow(struct table_model *model, struct result *result)
{
	size_t n_before = model->result ? model->result->n_rows : 0, n_marked = model->n_marked;
	bool *is_marked = model->is_marked;

	model->is_marked = NULL;
	table_model_set(model, result);
	if (n_before <= result->n_rows) { /* else they began again */
		memcpy(model->is_marked, is_marked, n_before * sizeof *is_marked);
		model->n_marked = n_marked;
	}
	free(is_marked);
}

void
table_model_sort(struct table_model *model, size_t column, bool is_descending)
{
	model->wish.n_keys = 0;
	table_model_sort_add(model, column, is_descending);
}

static void
add_key(struct table_model *model, struct table_sort_key key)
{
	size_t at = 0;

	while (at < model->wish.n_keys && model->wish.keys[at].column != key.column) {
		at++;
	}
	if (at == SORT_KEYS) { /* nobody sees what the last of so many keys does */
		at = SORT_KEYS - 1;
	}
	model->wish.keys[at] = key;
	model->wish.n_keys += at == model->wish.n_keys;
	rebuild(model);
}

void
table_model_sort_add(struct table_model *model, size_t column, bool is_descending)
{
	add_key(model, (struct table_sort_key){.column = column, .is_descending = is_descending});
}

bool
table_model_sort_size(struct table_model *model, size_t column, bool adds)
{
	enum sort_by by = size_of(model->result, column);

	if (by == SORT_BY_VALUE) {
		return false;
	}
	model->wish.n_keys = adds ? model->wish.n_keys : 0;
	add_key(model, (struct table_sort_key){column, true, by});
	return true;
}

int
table_model_sort_by(struct table_model *model, const char *order, struct err *err)
{
	struct table_sort_key keys[SORT_KEYS];
	size_t n = 0;

	for (struct slice rest = slice_of(order), item; list_next(&rest, &item);) {
		bool is_descending = item.len > 0 && item.ptr[0] == '-', is_size;
		struct slice name = slice_from(item, is_descending);
		char *text;
		int column;

		if (item.len == 0) {
			continue;
		}
		is_size = name.len > 2 && name.ptr[0] == '|' && name.ptr[name.len - 1] == '|';
		text = xstrndup(name.ptr + is_size, name.len - 2 * is_size);
		column = result_column_find(model->result, text, err);
		free(text);
		if (column < 0) {
			return -1;
		}
		if (n < SORT_KEYS) {
			enum sort_by by = size_of(model->result, (size_t)column);

			by = is_size && by == SORT_BY_VALUE ? SORT_BY_SIZE
			     : is_size                      ? by
			                                    : SORT_BY_VALUE;
			keys[n++] = (struct table_sort_key){(size_t)column, is_descending, by};
		}
	}
	memcpy(model->wish.keys, keys, n * sizeof *keys);
	model->wish.n_keys = n;
	rebuild(model);
	return 0;
}

int
table_model_sort_typed(struct table_model *model, struct slice typed, struct err *err)
{
	struct strbuf order = {0};
	int rc;

	strbuf_add_slice(&order, typed);
	for (size_t i = 0; i < order.len; i++) {
		order.data[i] = order.data[i] == ' ' ? ',' : order.data[i];
	}
	rc = table_model_sort_by(model, order.data ? order.data : "", err);
	strbuf_free(&order);
	return rc;
}

void
table_model_sort_mark(const struct table_model *model, size_t column, bool is_ascii,
                      struct strbuf *out)
{
	for (size_t i = 0; i < model->wish.n_keys; i++) {
		bool is_down = model->wish.keys[i].is_descending;

		if (model->wish.keys[i].column != column) {
			continue;
		}
		strbuf_add_text(out, is_ascii ? (is_down ? "v" : "^") : (is_down ? "▾" : "▴"));
		if (model->wish.n_keys > 1) {
			strbuf_printf(out, "%zu", i + 1);
		}
	}
}

void
table_model_complete(const struct table_model *model, const char *prefix,
                     struct completion *completion)
{
	for (size_t i = 0; model->result && i < model->result->n_columns; i++) {
		completion_add_joined(completion, prefix, model->result->columns[i].name);
	}
}

void
table_model_sort_text(const struct table_model *model, struct strbuf *out)
{
	for (size_t i = 0; i < model->wish.n_keys; i++) {
		const struct table_sort_key *key = &model->wish.keys[i];
		const char *bar = key->by == SORT_BY_VALUE ? "" : "|";

		strbuf_printf(out, "%s%s%s%s%s", i ? "," : "", key->is_descending ? "-" : "", bar,
		              model->result->columns[key->column].name, bar);
	}
}

int
table_model_filter(struct table_model *model, struct slice text, struct err *err)
{
	struct table_filter *filter = table_filter_compile(model->result, text, err);

	if (!filter) {
		return -1;
	}
	table_filter_free(filter);
	filter_stack_take(&model->wish.filters, text_new(text));
	rebuild(model);
	return 0;
}

bool
table_model_unfilter(struct table_model *model)
{
	if (!filter_stack_drop(&model->wish.filters)) {
		return false;
	}
	rebuild(model);
	return true;
}

void
table_model_mark(struct table_model *model, size_t shown_row)
{
	size_t row = model->rows[shown_row], at = 0;

	model->is_marked[row] = !model->is_marked[row];
	if (model->is_marked[row]) {
		MEM_GROW(model->marked, model->marked_capacity, model->n_marked + 1);
		model->marked[model->n_marked++] = row;
		return;
	}
	while (model->marked[at] != row) {
		at++;
	}
	memmove(&model->marked[at], &model->marked[at + 1],
	        (--model->n_marked - at) * sizeof *model->marked);
}

bool
table_model_unmark_all(struct table_model *model)
{
	bool any = model->n_marked > 0;

	while (model->n_marked > 0) {
		model->is_marked[model->marked[--model->n_marked]] = false;
	}
	return any;
}

bool
table_model_is_marked(const struct table_model *model, size_t shown_row)
{
	return model->is_marked[model->rows[shown_row]];
}

bool
table_model_cell_matches(const struct table_model *model, size_t shown_row, size_t column,
                         struct slice text)
{
	size_t row = model->rows[shown_row];
	const struct value *value = result_value(model->result, row, column);
	bool is_number = value_is_number(value);
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
	table_wish_fini(&model->wish);
	table_wish_fini(&model->shown);
	free(model->rows);
	free(model->is_marked);
	free(model->marked);
	free(model->sums);
	result_hold_release(model->hold);
}
