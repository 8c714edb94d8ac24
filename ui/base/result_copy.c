#include "config.h"

#include "ui/base/result_copy.h"

#include <stdlib.h>

size_t *
numbers_copy(const size_t *numbers, size_t n)
{
	size_t *copy = xrealloc_array(NULL, n + 1, sizeof *copy);

	for (size_t i = 0; i < n; i++) {
		copy[i] = numbers ? numbers[i] : i;
	}
	return copy;
}

struct result *
result_select(const struct result *result, const size_t *rows, size_t n_rows, const size_t *columns,
              size_t n_columns)
{
	struct result_column *described = xcalloc(n_columns + 1, sizeof *described);
	enum column_kind *kinds = NULL;
	struct result *copy;

	for (size_t c = 0; c < n_columns; c++) {
		described[c] = result->columns[columns[c]];
	}
	copy = result_new(result->title, described, n_columns);
	free(described);
	if (result->row_kinds) {
		kinds = arena_alloc(copy->arena, (n_rows + 1) * sizeof *kinds);
		copy->row_kinds = kinds;
	}
	for (size_t r = 0; r < n_rows; r++) {
		struct value *row = result_add_row(copy);

		for (size_t c = 0; c < n_columns; c++) {
			row[c] = value_copy(copy, result_value(result, rows[r], columns[c]));
		}
		if (kinds) {
			kinds[r] = result->row_kinds[rows[r]];
		}
	}
	return copy;
}

struct result *
result_copy(const struct result *result)
{
	size_t n = result->n_rows > result->n_columns ? result->n_rows : result->n_columns;
	size_t *all = numbers_copy(NULL, n);
	struct result *copy;

	copy = result_select(result, all, result->n_rows, all, result->n_columns);
	for (size_t i = 0; i < result->n_notes; i++) {
		result_add_note(copy, "%s", result->notes[i]);
	}
	free(all);
	return copy;
}
