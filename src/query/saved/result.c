/*
 * Results: a table in memory. Everything lies in the result's arena but the values, and the texts
 * of a large one (result_memory.c).
 *
 * Sorting is a merge sort of row numbers (stable, so the query's own order breaks ties), then one
 * permutation.
 */
#include "config.h"
#include "query/saved/query.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "query/saved/result_memory.h"
#include "util/order.h"

struct result *
result_new(const char *title, const struct result_column *columns, size_t n_columns)
{
	struct arena *arena = arena_new();
	struct result *result = arena_zalloc(arena, sizeof *result);
	result->arena = arena;
	result->title = title ? arena_strdup(arena, title) : NULL;
	result->n_columns = n_columns;
	result->columns = arena_copy(arena, columns, n_columns * sizeof *columns);
	for (size_t i = 0; i < n_columns; i++) {
		struct result_column *column = &result->columns[i];
		column->name = arena_strdup(arena, column->name);
		column->unit = column->unit ? arena_strdup(arena, column->unit) : NULL;
		if (column->about) {
			column->about = arena_strdup(arena, column->about);
		}
	}
	return result;
}

void
result_free(struct result *result)
{
	if (result) {
		result_free_memory(result);
		arena_free(result->arena);
	}
}

struct value *
result_add_row(struct result *result)
{
	size_t want = xsize_add(result->n_rows, 1) * result->n_columns * sizeof(struct value);

	if (want > result->values_bytes || !result->values) {
		result_grow_values(result, want);
	}
	struct value *row = result_value(result, result->n_rows++, 0);
	memset(row, 0, result->n_columns * sizeof *row);
	return row;
}

void
result_add(struct result *result, const struct value *values)
{
	memcpy(result_add_row(result), values, result->n_columns * sizeof *values);
}

void
result_add_note(struct result *result, const char *format, ...)
{
	char text[ERR_MESSAGE_BYTES];
	va_list list;
	va_start(list, format);
	(void)vsnprintf(text, sizeof text, format, list);
	va_end(list);
	const char **notes = arena_alloc(result->arena, (result->n_notes + 1) * sizeof *notes);
	if (result->n_notes) {
		memcpy(notes, result->notes, result->n_notes * sizeof *notes);
	}
	notes[result->n_notes] = arena_strdup(result->arena, text);
	result->notes = notes;
	result->n_notes++;
}

static void
set_unknown_column(const struct result *result, const char *name, struct err *err)
{
	struct strbuf list = {0};
	const char **names = xcalloc(result->n_columns + 1, sizeof *names);
	for (size_t i = 0; i < result->n_columns; i++) {
		names[i] = result->columns[i].name;
		strbuf_printf(&list, "%s%s", i ? ", " : "", names[i]);
	}
	const char *near = query_suggest(name, names, result->n_columns);
	err_set(err, ERR_USAGE, "no column \"%s\"%s%s%s; there are: %s", name,
	        near ? "; did you mean \"" : "", near ? near : "", near ? "\"" : "",
	        list.data ? list.data : "none");
	free(names);
	strbuf_free(&list);
}

int
column_find(const struct result_column *columns, size_t n, struct slice name)
{
	size_t i = name_find(name, columns, n, sizeof *columns);
	return i < n ? (int)i : -1;
}

int
result_column_find(const struct result *result, const char *name, struct err *err)
{
	int found = column_find(result->columns, result->n_columns, slice_of(name));
	if (found >= 0) {
		return found;
	}
	const char *own = column_alias(name, 0);
	for (size_t i = 0; own && i < result->n_columns; i++) {
		if (column_alias(result->columns[i].name, 0) == own) {
			return (int)i;
		}
	}
	set_unknown_column(result, name, err);
	return -1;
}

/* What a ratio is of may be gone, or stand elsewhere: no sum of it can be made from now on. */
static void
forget_ratios(struct result *result)
{
	for (size_t i = 0; i < result->n_columns; i++) {
		if (result->columns[i].sums > SUMS_NOT) {
			result->columns[i].sums = SUMS_NOT;
		}
	}
}

void
result_keep_columns(struct result *result, const bool *keeps)
{
	struct value *to = result->values;
	size_t n = 0;
	for (size_t i = 0; i < result->n_rows * result->n_columns; i++) {
		if (keeps[i % result->n_columns]) {
			*to++ = result->values[i];
		}
	}
	for (size_t i = 0; i < result->n_columns; i++) {
		if (keeps[i]) {
			result->columns[n++] = result->columns[i];
		}
	}
	result->n_columns = n;
	forget_ratios(result);
}

/* Row by row in place: the picked ones are fewer than all. */
static void
pick(struct result *result, const size_t *picked, size_t n)
{
	struct result_column *columns = xcalloc(n + 1, sizeof *columns);
	struct value *row = xcalloc(n + 1, sizeof *row), *to = result->values;
	size_t n_apart = 0;
	for (size_t i = 0; i < n; i++) {
		columns[i] = result->columns[picked[i]];
		n_apart += n_apart == i && picked[i] < result->n_apart;
	}
	for (size_t i = 0; i < result->n_rows; i++) {
		for (size_t k = 0; k < n; k++) {
			row[k] = *result_value(result, i, picked[k]);
		}
		memcpy(to, row, n * sizeof *row);
		to += n;
	}
	memcpy(result->columns, columns, n * sizeof *columns);
	result->n_columns = n;
	result->n_apart = n_apart;
	result->differences = NULL;
	forget_ratios(result);
	free(columns);
	free(row);
}

int
result_pick_columns(struct result *result, const char *list, struct err *err)
{
	size_t *picked = xcalloc(result->n_columns + 1, sizeof *picked), n = 0;
	struct slice rest = slice_of(list), item;
	int rc = 0;
	while (rc == 0 && list_next(&rest, &item)) {
		char *name = xstrndup(item.ptr, item.len);
		int column = result_column_find(result, name, err);
		bool is_there = false;
		for (size_t i = 0; column >= 0 && i < n; i++) {
			is_there = is_there || picked[i] == (size_t)column;
		}
		if (column >= 0 && !is_there) {
			picked[n++] = (size_t)column;
		}
		rc = column < 0 ? -1 : 0;
		free(name);
	}
	rc = rc == 0 && n == 0 ? err_set(err, ERR_USAGE, "no column named") : rc;
	if (rc == 0) {
		pick(result, picked, n);
	}
	free(picked);
	return rc;
}

enum column_kind
result_kind(const struct result *result, size_t row, size_t column)
{
	return result->row_kinds && !result->columns[column].is_key ? result->row_kinds[row]
	                                                            : result->columns[column].kind;
}

struct row_order {
	size_t column;
	bool descending;
};

static int
compare_rows(const struct result *result, const struct row_order *keys, size_t n_keys, size_t a,
             size_t b)
{
	for (size_t i = 0; i < n_keys; i++) {
		const struct value *va = result_value(result, a, keys[i].column);
		const struct value *vb = result_value(result, b, keys[i].column);
		bool null_a = va->type == VALUE_NULL, null_b = vb->type == VALUE_NULL;
		if (null_a != null_b) {
			return null_a ? 1 : -1;
		}
		int order = value_compare(va, vb);
		if (order) {
			return keys[i].descending ? -order : order;
		}
	}
	return 0;
}

/* Bottom-up merge sort of row numbers: stable, no recursion. */
static size_t *
sorted_rows(const struct result *result, const struct row_order *keys, size_t n_keys)
{
	size_t n = result->n_rows;
	size_t *from = xcalloc(n + 1, sizeof *from), *to = xcalloc(n + 1, sizeof *to);
	for (size_t i = 0; i < n; i++) {
		from[i] = i;
	}
	for (size_t width = 1; width < n; width *= 2) {
		for (size_t low = 0; low < n; low += 2 * width) {
			size_t middle = LEAST(low + width, n);
			size_t high = LEAST(low + 2 * width, n);
			size_t a = low, b = middle;
			for (size_t i = low; i < high; i++) {
				bool left = a < middle &&
				            (b >= high || compare_rows(result, keys, n_keys,
				                                       from[a], from[b]) <= 0);
				to[i] = left ? from[a++] : from[b++];
			}
		}
		size_t *swap = from;
		from = to;
		to = swap;
	}
	free(to);
	return from;
}

/* Uses the order up. */
static void
permute_rows(struct result *result, size_t *order)
{
	size_t bytes = result->n_columns * sizeof(struct value);
	struct value *first = xmalloc(bytes);
	enum column_kind *kinds =
	    result->row_kinds ? arena_alloc(result->arena, result->n_rows * sizeof *kinds + 1)
			      : NULL;
	for (size_t i = 0; kinds && i < result->n_rows; i++) {
		kinds[i] = result->row_kinds[order[i]];
	}
	for (size_t i = 0; i < result->n_rows; i++) { /* each circle of rows, in place */
		if (order[i] == i) {
			continue;
		}
		size_t at = i;
		memcpy(first, result_value(result, i, 0), bytes);
		while (order[at] != i) {
			size_t next = order[at];
			memcpy(result_value(result, at, 0), result_value(result, next, 0), bytes);
			order[at] = at;
			at = next;
		}
		memcpy(result_value(result, at, 0), first, bytes);
		order[at] = at;
	}
	if (kinds) {
		result->row_kinds = kinds;
	}
	free(first);
}

int
result_sort(struct result *result, const char *order, struct err *err)
{
	struct row_order *keys = NULL;
	size_t n_keys = 0, capacity = 0;
	int rc = -1;
	for (struct slice rest = slice_of(order), item; list_next(&rest, &item);) {
		bool descending = item.len && item.ptr[0] == '-';
		char *name = xstrndup(item.ptr + descending, item.len - descending);
		int column = result_column_find(result, name, err);
		free(name);
		if (column < 0) {
			err_wrap(err, "sort by \"%s\"", order);
			goto out;
		}
		MEM_GROW(keys, capacity, n_keys + 1);
		keys[n_keys++] = (struct row_order){(size_t)column, descending};
	}
	if (n_keys && result->n_rows > 1) {
		size_t *rows = sorted_rows(result, keys, n_keys);
		permute_rows(result, rows);
		free(rows);
	}
	rc = 0;
out:
	free(keys);
	return rc;
}

void
result_limit(struct result *result, size_t n_rows)
{
	if (result->n_rows > n_rows) {
		result->n_rows = n_rows;
	}
}

static bool
stands_apart(const struct result *result, size_t a, size_t b)
{
	size_t c = 0;
	while (c < result->n_apart &&
	       value_compare(result_value(result, a, c), result_value(result, b, c)) == 0) {
		c++;
	}
	return c < result->n_apart;
}

void
result_limit_each(struct result *result, size_t n_rows)
{
	size_t n_kept = 0, n_of_part = 0;
	for (size_t i = 0; i < result->n_rows; i++) {
		/* The last row kept is of the part that the row before belongs to. */
		n_of_part = i > 0 && !stands_apart(result, n_kept - 1, i) ? n_of_part + 1 : 1;
		if (n_of_part <= n_rows) {
			memmove(result_value(result, n_kept++, 0), result_value(result, i, 0),
			        result->n_columns * sizeof(struct value));
		}
	}
	result->n_rows = n_kept;
}
