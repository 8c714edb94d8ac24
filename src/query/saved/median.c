/* Answers of several runs of one set-up as one: rows matched by key, measures by their median. A
 * run without a row counts as 0 where that is what it means, else not at all. */
#include "config.h"
#include "query/saved/query.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/match.h"
#include "util/order.h"

static int
compare_values(const void *a, const void *b)
{
	return value_compare(a, b);
}

/* Of two integers an integer. */
static struct value
middle_of(struct value *values, size_t n)
{
	if (n == 0) {
		return (struct value){.type = VALUE_NULL};
	}
	SORT(values, n, compare_values);
	const struct value *low = &values[(n - 1) / 2], *high = &values[n / 2];
	if (low->type == VALUE_INTEGER && high->type == VALUE_INTEGER) {
		return value_integer(
		    low->integer +
		    (int64_t)(((uint64_t)high->integer - (uint64_t)low->integer) / 2));
	}
	return value_real(value_number(low) / 2 + value_number(high) / 2);
}

static struct value
median_cell(struct result *const *results, size_t n, const size_t *rows, size_t column,
            struct value *values)
{
	const struct result_column *measure = &results[0]->columns[column];
	bool absent_is_zero = column_adds_up(measure) || measure->absent_is_zero;
	size_t known = 0;
	for (size_t i = 0; i < n; i++) {
		struct value value =
		    rows[i] ? *result_value(results[i], rows[i] - 1, column) : value_integer(0);
		if (value_is_number(&value) && (rows[i] || absent_is_zero)) {
			values[known++] = value;
		}
	}
	return middle_of(values, known);
}

/* Each run's notes; what several say, once. */
static void
copy_notes(struct result *median, struct result *const *results, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < results[i]->n_notes; j++) {
			size_t k = 0;
			while (k < median->n_notes &&
			       strcmp(median->notes[k], results[i]->notes[j]) != 0) {
				k++;
			}
			if (k == median->n_notes) {
				result_add_note(median, "%s", results[i]->notes[j]);
			}
		}
	}
}

struct result *
query_median(struct result *const *results, size_t n, const char *key, struct err *err)
{
	struct match_columns measures, *keys = xcalloc(n + 1, sizeof *keys);
	struct result *median = NULL;
	for (size_t i = 0; i < n; i++) {
		if (match_keys(results[i], key, &keys[i], err)) {
			free(keys);
			return NULL;
		}
	}
	match_measures(results[0], &keys[0], &measures);
	struct match *match = match_rows(results, keys, n);
	struct value *values = xcalloc(n + 1, sizeof *values);
	median = result_new(results[0]->title, results[0]->columns, results[0]->n_columns);
	for (size_t g = 0; g < match->n_groups; g++) {
		const size_t *rows = match->rows + g * n;
		struct value *row = result_add_row(median);
		size_t first = 0;
		while (rows[first] == 0) {
			first++;
		}
		for (size_t c = 0; c < median->n_columns; c++) {
			row[c] =
			    value_copy(median, result_value(results[first], rows[first] - 1, c));
		}
		for (size_t m = 0; m < measures.n; m++) {
			row[measures.column[m]] =
			    median_cell(results, n, rows, measures.column[m], values);
		}
	}
	copy_notes(median, results, n);
	match_free(match);
	free(values);
	free(keys);
	return median;
}
