/*
 * Results: a table in memory. Everything lies in the result's arena but the values, and the texts
 * of a large one (result_memory.c).
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
