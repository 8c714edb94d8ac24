/*
 * Matching takes each result's rows in the order of their keys and merges the results; of rows of
 * equal keys, which come result by result, the n-th group takes the n-th of each. Groups are then
 * numbered in the order in which a reader of the first result expects them, by their first member.
 * Memory is three numbers a row, and a table of groups times results, which is what a table of
 * results side by side has cells; beyond a share of the budget all of it lies in a file.
 */
#include "config.h"
#include "query/saved/match.h"

#include <stdlib.h>

#include "query/saved/list.h"
#include "query/saved/result_order.h"
#include "util/heap.h"
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

/* A result whose rows are taken in the order of their keys. */
struct match_side {
	const struct result *result;
	const struct match_columns *keys;
	const size_t *order;
	size_t number, at; /* of results; of order */
	size_t *group_of;  /* by row */
};

static int
compare_keys(const struct match_side *a, const struct match_side *b)
{
	size_t row_a = a->order[a->at], row_b = b->order[b->at];
	for (size_t i = 0; i < a->keys->n; i++) {
		int order =
		    result_order_values(result_value(a->result, row_a, a->keys->column[i]),
		                        result_value(b->result, row_b, b->keys->column[i]), false);
		if (order) {
			return order;
		}
	}
	return 0;
}

static inline bool
is_before(const struct match_side *a, const struct match_side *b)
{
	int order = compare_keys(a, b);
	return order < 0 || (order == 0 && a->number < b->number);
}

HEAP(side, struct match_side, is_before)

/* As a heap; those without rows are left out. Returns how many there are. */
static size_t
open_sides(struct match_side *sides, struct result *const *results,
           const struct match_columns *keys, size_t n, struct workspace *workspace)
{
	size_t n_sides = 0;
	for (size_t i = 0; i < n; i++) {
		struct row_order by[MATCH_COLUMNS];
		for (size_t k = 0; k < keys[i].n; k++) {
			by[k] = (struct row_order){keys[i].column[k], false};
		}
		if (results[i]->n_rows > 0) {
			sides[n_sides] = (struct match_side){
			    .result = results[i],
			    .keys = &keys[i],
			    .order = result_order(results[i], by, keys[i].n, workspace),
			    .number = i,
			    .group_of =
				workspace_array(workspace, results[i]->n_rows, sizeof(size_t)),
			};
			side_rise(sides, n_sides++);
		}
	}
	return n_sides;
}

/* All rows of the least key there is are taken out; their groups are counted on from `first`.
 * Returns how many these are. */
static size_t
take_key(struct match_side *sides, size_t *n_sides, size_t first)
{
	struct match_side least = sides[0];
	size_t made = 0, nth = 0;
	for (size_t of = least.number; *n_sides > 0 && compare_keys(&least, &sides[0]) == 0;) {
		struct match_side *side = &sides[0];
		nth = side->number == of ? nth : 0;
		of = side->number;
		side->group_of[side->order[side->at++]] = first + nth++;
		made = MOST(made, nth);
		if (side->at < side->result->n_rows) {
			side_sink(sides, *n_sides, 0);
		} else {
			side_pop(sides, (*n_sides)--);
		}
	}
	return made;
}

/* The rows of all groups, which get their numbers where they come first. */
static void
place_rows(struct match *match, const struct match_side *sides, size_t n_sides,
           struct workspace *workspace)
{
	size_t *place = workspace_array(workspace, match->n_groups, sizeof *place), placed = 0;
	match->rows = workspace_array(match->workspace, match->n_groups * match->n_results + 1,
	                              sizeof(size_t));
	for (size_t number = 0; number < match->n_results; number++) {
		size_t at = 0;
		while (at < n_sides && sides[at].number != number) {
			at++;
		}
		for (size_t r = 0; at < n_sides && r < sides[at].result->n_rows; r++) {
			size_t *group = &place[sides[at].group_of[r]];
			*group = *group ? *group : ++placed;
			match->rows[(*group - 1) * match->n_results + number] = r + 1;
		}
	}
}

struct match *
match_rows(struct result *const *results, const struct match_columns *keys, size_t n)
{
	struct match *match = xcalloc(1, sizeof *match);
	struct workspace *workspace = workspace_new();
	struct match_side *sides = xcalloc(n + 1, sizeof *sides);
	size_t n_sides = open_sides(sides, results, keys, n, workspace), n_left = n_sides;
	match->workspace = workspace_new();
	match->n_results = n;
	while (n_left > 0) {
		size_t made = take_key(sides, &n_left, match->n_groups);
		match->repeated += made > 1;
		match->n_groups += made;
	}
	place_rows(match, sides, n_sides, workspace);
	free(sides);
	workspace_free(workspace);
	return match;
}

void
match_free(struct match *match)
{
	if (match) {
		workspace_free(match->workspace);
		free(match);
	}
}
