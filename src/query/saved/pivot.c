/*
 * Rows are sorted twice: by the column that is turned, which tells the values and how much each is
 * of the whole, then by what stays, which makes the rows. Largest first both ways, so that what is
 * folded into "(other)" and what is below the screen's end is the least.
 */
#include "config.h"

#include "query/saved/pivot.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/order.h"

struct pivot_entry {
	const struct result *from;
	const struct pivot *pivot;
	size_t row, group; /* group: place of its value, by size */
};

struct column_group {
	const struct value *value;
	struct value sum;
	size_t first, n; /* of the sorted entries */
};

static const struct value *
column_value(const struct pivot_entry *entry)
{
	return result_value(entry->from, entry->row, entry->pivot->columns);
}

static struct value
measure_value(const struct pivot_entry *entry)
{
	return entry->pivot->measure == SIZE_MAX
	           ? value_integer(1)
	           : *result_value(entry->from, entry->row, entry->pivot->measure);
}

static int
compare_columns(const void *a, const void *b)
{
	const struct pivot_entry *x = a, *y = b;
	int order = value_compare(column_value(x), column_value(y));

	return order ? order : ORDER(x->row, y->row);
}

static int
compare_keys(const struct pivot_entry *x, const struct pivot_entry *y)
{
	int order = 0;

	for (size_t i = 0; i < x->pivot->n_rows_by && order == 0; i++) {
		size_t column = x->pivot->rows[i];

		order = value_compare(result_value(x->from, x->row, column),
		                      result_value(y->from, y->row, column));
	}
	return order;
}

static int
compare_rows(const void *a, const void *b)
{
	const struct pivot_entry *x = a, *y = b;
	int order = compare_keys(x, y);

	return order ? order : ORDER(x->row, y->row);
}

static int
compare_groups(const void *a, const void *b)
{
	const struct column_group *x = a, *y = b;
	int order = value_compare(&y->sum, &x->sum);

	return order ? order : ORDER(x->first, y->first);
}

/* The values of the turned column, the largest first; each entry gets its place. */
static struct column_group *
find_groups(struct pivot_entry *entries, size_t n, size_t *n_groups)
{
	struct column_group *groups = xcalloc(n + 1, sizeof *groups);

	*n_groups = 0;
	SORT(entries, n, compare_columns);
	for (size_t i = 0; i < n; i++) {
		struct value value = measure_value(&entries[i]);

		if (i == 0 ||
		    value_compare(column_value(&entries[i - 1]), column_value(&entries[i])) != 0) {
			groups[(*n_groups)++] =
			    (struct column_group){.value = column_value(&entries[i]), .first = i};
		}
		struct column_group *group = &groups[*n_groups - 1];

		group->n++;
		(void)value_add(&group->sum, &value); /* for the order alone */
	}
	SORT(groups, *n_groups, compare_groups);
	for (size_t g = 0; g < *n_groups; g++) {
		for (size_t i = 0; i < groups[g].n; i++) {
			entries[groups[g].first + i].group = g;
		}
	}
	return groups;
}

/* A heading that no column before has. */
static const char *
heading(struct arena *arena, struct slice text, const struct result_column *before, size_t n)
{
	struct strbuf name = {0};
	size_t length;

	for (size_t i = 0; i < text.len; i++) {
		strbuf_add_char(&name, text.ptr[i] ? text.ptr[i] : '?');
	}
	strbuf_add_text(&name, name.len == 0 ? "''" : "");
	length = name.len;
	for (int i = 2; column_find(before, n, strbuf_slice(&name)) >= 0; i++) {
		name.len = length;
		strbuf_printf(&name, " (%d)", i);
	}
	const char *kept = arena_strdup(arena, name.data);

	strbuf_free(&name);
	return kept;
}

/* Names lie in the arena. */
static struct result_column *
make_columns(const struct result *from, const struct pivot *pivot,
             const struct column_group *groups, size_t n_groups, const struct pivoted *pivoted,
             struct arena *arena)
{
	size_t n = pivot->n_rows_by;
	struct result_column *columns = xcalloc(n + pivoted->n_values + 2, sizeof *columns);
	bool is_count = pivot->measure == SIZE_MAX;
	enum column_kind kind = from->columns[pivot->columns].kind;
	char text[FORMAT_BYTES];

	for (size_t i = 0; i < n; i++) {
		columns[i] = from->columns[pivot->rows[i]];
		columns[i].is_key = true;
		columns[i].is_measure = false;
	}
	for (size_t i = 0; i < pivoted->n_values + 2; i++, n++) {
		const struct value *value =
		    i > 0 && i <= pivoted->n_values ? groups[i - 1].value : NULL;
		struct slice shown = slice_of("sum");

		if (value) {
			shown = value->type == VALUE_NULL ? slice_of("(none)")
			                                  : value_show(value, kind, text);
		} else if (i > 0) {
			snprintf(text, sizeof text, "(other %zu)", n_groups - pivoted->n_values);
			shown = slice_of(text);
		}
		columns[n] = (struct result_column){
		    .name = heading(arena, shown, columns, n),
		    .kind = is_count ? KIND_COUNT : from->columns[pivot->measure].kind,
		    .is_measure = true,
		    .unit = is_count ? NULL : column_bare_unit(&from->columns[pivot->measure]),
		    .sums = SUMS_UP};
	}
	return columns;
}

static void
add_rows(struct pivot_entry *entries, size_t n, const struct pivot *pivot, struct pivoted *pivoted,
         bool *leaves)
{
	struct result *result = pivoted->result;
	struct value *row = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct pivot_entry *entry = &entries[i];
		struct value value = measure_value(entry);

		if (i == 0 || compare_keys(&entries[i - 1], entry) != 0) {
			row = result_add_row(result);
			for (size_t c = 0; c < pivot->n_rows_by; c++) {
				row[c] = value_copy(
				    result, result_value(entry->from, entry->row, pivot->rows[c]));
			}
		}
		size_t cell = pivoted->first_value + LEAST(entry->group, pivoted->n_values);

		*leaves |= !value_add(&row[pivot->n_rows_by], &value);
		*leaves |= !value_add(&row[cell], &value);
	}
}

int
pivot_check(const struct result *from, const struct pivot *pivot, struct err *err)
{
	const struct result_column *measure =
	    pivot->measure == SIZE_MAX ? NULL : &from->columns[pivot->measure];

	return !measure || column_adds_up(measure)
	           ? 0
	           : err_set(
			 err, ERR_USAGE,
			 "pivot: %s does not add up: sums of it over rows and columns say nothing",
			 measure->name);
}

/* The table without its rows. */
static void
make_table(const struct result *from, const struct pivot *pivot, const struct column_group *groups,
           size_t n_groups, struct pivoted *pivoted)
{
	size_t most = pivot->n_values ? pivot->n_values : PIVOT_COLUMNS;
	struct arena *arena = arena_new();

	pivoted->n_values = LEAST(n_groups, most);
	pivoted->has_other = n_groups > most;
	pivoted->first_value = pivot->n_rows_by + 1;
	struct result_column *columns = make_columns(from, pivot, groups, n_groups, pivoted, arena);

	pivoted->result = result_new("Pivot", columns,
	                             pivoted->first_value + pivoted->n_values + pivoted->has_other);
	pivoted->values =
	    arena_zalloc(pivoted->result->arena, (n_groups + 1) * sizeof *pivoted->values);
	for (size_t g = 0; g < pivoted->n_values; g++) {
		pivoted->values[g] = value_copy(pivoted->result, groups[g].value);
	}
	free(columns);
	arena_free(arena);
}

/* Its rows, the largest first. */
static int
fill_table(struct pivot_entry *entries, size_t n, const struct pivot *pivot,
           struct pivoted *pivoted, struct err *err)
{
	struct result *result = pivoted->result;
	struct strbuf order = {0};
	bool leaves = false;

	SORT(entries, n, compare_rows);
	add_rows(entries, n, pivot, pivoted, &leaves);
	strbuf_printf(&order, "-%s", result->columns[pivot->n_rows_by].name);
	int rc = leaves ? err_set(err, ERR_LIMIT, "pivot: a sum leaves 64 bits")
	                : result_sort(result, order.data, err);

	strbuf_free(&order);
	return rc;
}

int
result_pivot(const struct result *from, const size_t *rows, size_t n_rows,
             const struct pivot *pivot, const struct cancel *cancel, struct pivoted *pivoted,
             struct err *err)
{
	struct pivot_entry *entries;
	struct column_group *groups;
	size_t n_groups;
	int rc = pivot_check(from, pivot, err);

	*pivoted = (struct pivoted){.result = NULL};
	if (rc) {
		return rc;
	}
	entries = xcalloc(n_rows + 1, sizeof *entries);
	for (size_t i = 0; i < n_rows; i++) {
		entries[i] = (struct pivot_entry){from, pivot, rows ? rows[i] : i, 0};
	}
	groups = find_groups(entries, n_rows, &n_groups);
	rc = cancel_check(cancel, err);
	if (rc == 0) {
		make_table(from, pivot, groups, n_groups, pivoted);
		rc = fill_table(entries, n_rows, pivot, pivoted, err);
	}
	if (rc) {
		result_free(pivoted->result);
		pivoted->result = NULL;
	}
	free(groups);
	free(entries);
	return rc;
}
