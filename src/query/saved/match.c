/*
 * Matching sorts (key, result, row) triples once; a run of equal keys then holds the rows of each
 * result in their order, and its n-th group takes the n-th of each. Groups are put back into the
 * order in which a reader of the first result expects them by a second sort on their first member.
 * Memory is that of the items and of the groups times results, which is what a table of results
 * side by side has cells.
 */
#include "config.h"
#include "query/saved/match.h"

#include <stdlib.h>

#include "query/saved/list.h"
#include "util/order.h"

static bool
match_has(const struct match_columns *columns, size_t column)
{
	for (size_t i = 0; i < columns->n; i++) {
		if (columns->column[i] == column) {
			return true;
		}
	}
	return false;
}

int
match_keys(const struct result *result, const char *list, struct match_columns *keys,
           struct err *err)
{
	keys->n = 0;
	if (!list) {
		for (size_t c = 0; c < result->n_columns && keys->n < MATCH_COLUMNS; c++) {
			if (result->columns[c].is_key) {
				keys->column[keys->n++] = c;
			}
		}
		return 0;
	}
	for (struct slice rest = slice_of(list), item; list_next(&rest, &item);) {
		char *name = xstrndup(item.ptr, item.len);
		int column = result_column_find(result, name, err);
		free(name);
		if (column < 0) {
			return err_wrap(err, "key \"%s\"", list);
		}
		if (!match_has(keys, (size_t)column) && keys->n < MATCH_COLUMNS) {
			keys->column[keys->n++] = (size_t)column;
		}
	}
	return 0;
}

void
match_measures(const struct result *result, const struct match_columns *keys,
               struct match_columns *measures)
{
	bool marked = false;
	for (size_t c = 0; c < result->n_columns; c++) {
		marked = marked || result->columns[c].is_measure;
	}
	measures->n = 0;
	for (size_t c = 0; c < result->n_columns && measures->n < MATCH_COLUMNS; c++) {
		const struct result_column *column = &result->columns[c];
		bool wanted = marked ? column->is_measure : column_kind_is_number(column->kind);
		if (wanted && !match_has(keys, c)) {
			measures->column[measures->n++] = c;
		}
	}
}

int
match_counterparts(const struct result *a, const struct result *b,
                   const struct match_columns *columns, struct match_columns *counterparts,
                   struct err *err)
{
	counterparts->n = columns->n;
	for (size_t i = 0; i < columns->n; i++) {
		int column = result_column_find(b, a->columns[columns->column[i]].name, err);
		if (column < 0) {
			return -1;
		}
		counterparts->column[i] = (size_t)column;
	}
	return 0;
}

struct match_item {
	const struct value *values;
	const struct match_columns *keys;
	size_t result, row;
};

static int
compare_keys(const struct match_item *a, const struct match_item *b)
{
	for (size_t i = 0; i < a->keys->n; i++) {
		int order =
		    value_compare(&a->values[a->keys->column[i]], &b->values[b->keys->column[i]]);
		if (order) {
			return order;
		}
	}
	return 0;
}

static int
compare_items(const void *left, const void *right)
{
	const struct match_item *a = left, *b = right;
	int order = compare_keys(a, b);
	if (order) {
		return order;
	}
	ORDER_BY(a->result, b->result);
	return ORDER(a->row, b->row);
}

/* The n-th group's rows, and where it stands first. */
struct match_group {
	size_t result, row, index;
};

static int
compare_groups(const void *left, const void *right)
{
	const struct match_group *a = left, *b = right;
	ORDER_BY(a->result, b->result);
	return ORDER(a->row, b->row);
}

static struct match_item *
list_items(struct result *const *results, const struct match_columns *keys, size_t n,
           size_t *n_items)
{
	size_t total = 0, next = 0;
	for (size_t i = 0; i < n; i++) {
		total += results[i]->n_rows;
	}
	struct match_item *items = xcalloc(total + 1, sizeof *items);
	for (size_t i = 0; i < n; i++) {
		for (size_t r = 0; r < results[i]->n_rows; r++) {
			items[next++] =
			    (struct match_item){result_value(results[i], r, 0), &keys[i], i, r};
		}
	}
	SORT(items, total, compare_items);
	*n_items = total;
	return items;
}

/* The groups of one run of equal keys, counted on from `first`, and of which each item is; returns
 * how many there are. */
static size_t
group_run(const struct match_item *items, size_t n_items, struct match_group *groups, size_t first,
          size_t *group_of)
{
	size_t made = 0;
	for (size_t i = 0, nth = 0; i < n_items; i++) {
		nth = i && items[i].result == items[i - 1].result ? nth + 1 : 0;
		if (nth == made) {
			groups[first + made] =
			    (struct match_group){items[i].result, items[i].row, first + made};
			made++;
		}
		group_of[i] = first + nth;
	}
	return made;
}

/* The rows of all items, once it is known how many groups there are. */
static void
place_rows(struct match *match, const struct match_item *items, size_t n_items,
           const struct match_group *groups, const size_t *group_of)
{
	size_t *place = xcalloc(match->n_groups + 1, sizeof *place);
	for (size_t i = 0; i < match->n_groups; i++) {
		place[groups[i].index] = i;
	}
	MEM_NEW(match->rows, match->n_groups * match->n_results + 1);
	for (size_t i = 0; i < n_items; i++) {
		match->rows[place[group_of[i]] * match->n_results + items[i].result] =
		    items[i].row + 1;
	}
	free(place);
}

struct match *
match_rows(struct result *const *results, const struct match_columns *keys, size_t n)
{
	size_t n_items;
	struct match_item *items = list_items(results, keys, n, &n_items);
	struct match *match = xcalloc(1, sizeof *match);
	struct match_group *groups = xcalloc(n_items + 1, sizeof *groups);
	size_t *group_of = xcalloc(n_items + 1, sizeof *group_of);
	match->n_results = n;
	for (size_t i = 0, end; i < n_items; i = end) {
		for (end = i + 1; end < n_items && compare_keys(&items[i], &items[end]) == 0;) {
			end++;
		}
		size_t made = group_run(items + i, end - i, groups, match->n_groups, group_of + i);
		match->repeated += made > 1;
		match->n_groups += made;
	}
	SORT(groups, match->n_groups, compare_groups);
	place_rows(match, items, n_items, groups, group_of);
	free(group_of);
	free(groups);
	free(items);
	return match;
}

void
match_free(struct match *match)
{
	if (match) {
		free(match->rows);
		free(match);
	}
}
