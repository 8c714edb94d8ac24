/*
 * Sorting results: row numbers are sorted, stably, so that the query's own order breaks ties, then
 * the rows are moved. Keys that are integers in every row are sorted digit by digit, the last one
 * first; any others by merging. Rows that are in order already, as the query's own mostly are, are
 * only looked at.
 */
#include "config.h"
#include "query/saved/query.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"
#include "query/saved/result_order.h"
#include "util/order.h"
#include "util/radix.h"

int
result_order_values(const struct value *a, const struct value *b, bool descending)
{
	bool null_a = a->type == VALUE_NULL, null_b = b->type == VALUE_NULL;
	if (a->type == VALUE_INTEGER && b->type == VALUE_INTEGER) { /* as most are */
		return descending ? ORDER(b->integer, a->integer) : ORDER(a->integer, b->integer);
	}
	if (null_a != null_b) {
		return null_a ? 1 : -1;
	}
	int order = value_compare(a, b);
	return descending ? -order : order;
}

static inline int
compare_values(const struct value *a, const struct value *b, const struct row_order *keys,
               size_t n_keys)
{
	for (size_t i = 0; i < n_keys; i++) {
		const struct value *of_a = &a[keys[i].column], *of_b = &b[keys[i].column];
		int order = result_order_values(of_a, of_b, keys[i].descending);
		if (order) {
			return order;
		}
	}
	return 0;
}

static int
compare_rows(const struct result *result, const struct row_order *keys, size_t n_keys, size_t a,
             size_t b)
{
	return compare_values(result_value(result, a, 0), result_value(result, b, 0), keys, n_keys);
}

static bool
is_sorted(const struct result *result, const struct row_order *keys, size_t n_keys)
{
	const struct value *row = result->values, *end = row + result->n_rows * result->n_columns;
	const struct value *next = result->n_rows > 0 ? row + result->n_columns : end;

	while (next < end && compare_values(row, next, keys, n_keys) <= 0) {
		row = next;
		next += result->n_columns;
	}
	return next >= end;
}

static bool
are_integers(const struct result *result, size_t column)
{
	size_t i = 0;

	while (i < result->n_rows && result_value(result, i, column)->type == VALUE_INTEGER) {
		i++;
	}
	return i == result->n_rows && i < UINT32_MAX;
}

/* False: a key is not of integers alone. */
static bool
sort_by_digits(const struct result *result, const struct row_order *keys, size_t n_keys,
               size_t *rows, struct workspace *workspace)
{
	size_t n = result->n_rows;

	for (size_t k = 0; k < n_keys; k++) {
		if (!are_integers(result, keys[k].column)) {
			return false;
		}
	}
	struct radix_item *items = workspace_array(workspace, n, 2 * sizeof *items),
			  *sorted = items;
	for (size_t i = 0; i < n; i++) {
		sorted[i].index = (uint32_t)i;
	}
	for (size_t k = n_keys; k-- > 0;) {
		uint64_t turned = keys[k].descending ? UINT64_MAX : 0;
		for (size_t i = 0; i < n; i++) {
			const struct value *value =
			    result_value(result, sorted[i].index, keys[k].column);
			sorted[i].key = radix_key(value->integer) ^ turned;
		}
		sorted = radix_sort(sorted, sorted == items ? items + n : items, n);
	}
	for (size_t i = 0; i < n; i++) {
		rows[i] = sorted[i].index;
	}
	return true;
}

/* Bottom-up merge sort of row numbers: stable, no recursion. */
size_t *
result_order(const struct result *result, const struct row_order *keys, size_t n_keys,
             struct workspace *workspace)
{
	size_t n = result->n_rows;
	size_t *from = workspace_array(workspace, n + 1, sizeof *from);
	for (size_t i = 0; i < n; i++) {
		from[i] = i;
	}
	if (is_sorted(result, keys, n_keys) ||
	    sort_by_digits(result, keys, n_keys, from, workspace)) {
		return from;
	}
	size_t *to = workspace_array(workspace, n + 1, sizeof *to);
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
	if (!is_sorted(result, keys, n_keys)) {
		struct workspace *workspace = workspace_new();
		permute_rows(result, result_order(result, keys, n_keys, workspace));
		workspace_free(workspace);
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
