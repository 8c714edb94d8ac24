/*
 * The values of a tag as columns: the runs of each value are folded by themselves, and the results
 * joined on their tags and keys, as runs are side by side (match.h).
 */
#include "config.h"
#include "query/saved/fold_private.h"

#include <stdlib.h>

#include "util/order.h"

/* The runs of one value of the tag that is turned. */
struct fold_side {
	struct result **results;
	struct run_tags *tags;
	size_t n;
	struct value value;
	struct result *table;
	struct match_columns keys; /* of the table: all but runs and figures */
};

static void
sides_free(struct fold_side *sides, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(sides[i].results);
		free(sides[i].tags);
		result_free(sides[i].table);
	}
	free(sides);
}

static struct fold_side *
divide(const struct folding *folding, size_t *n_sides)
{
	struct fold_side *sides = xcalloc(folding->n + 1, sizeof *sides);
	*n_sides = 0;
	for (size_t i = 0; i < folding->n; i++) {
		struct fold_side *side = &sides[folding->group[i]];
		*n_sides = MOST(*n_sides, folding->group[i] + 1);
		if (!side->results) {
			MEM_NEW(side->results, folding->n_alike[folding->group[i]]);
			MEM_NEW(side->tags, folding->n_alike[folding->group[i]]);
			side->value = fold_tag_value(folding, i, 0);
		}
		side->results[side->n] = folding->results[i];
		side->tags[side->n++] = folding->tags[i];
	}
	return sides;
}

static const char *
heading(struct arena *arena, const struct fold_side *side, const struct result_column *figure,
        bool is_only, const struct result_column *before, size_t n_before)
{
	char buffer[FORMAT_BYTES];
	struct slice shown = side->value.type == VALUE_NULL
	                         ? slice_of("(none)")
	                         : value_show(&side->value, KIND_TEXT, buffer);
	const char *name = arena_printf(arena, "%.*s%s%s", (int)shown.len, shown.ptr,
	                                is_only ? "" : " ", is_only ? "" : figure->name);
	const char *unique = name;
	for (int i = 2; column_find(before, n_before, slice_of(unique)) >= 0; i++) {
		unique = arena_printf(arena, "%s (%d)", name, i);
	}
	return unique;
}

/* Tags and keys as each side has them, runs, then every side's figures. */
static struct result *
new_joined(const struct fold_side *sides, size_t n_sides, size_t n_figures)
{
	const struct result *first = sides[0].table;
	size_t n_keys = sides[0].keys.n, n = 0;
	struct arena *arena = arena_new();
	struct result_column *columns = xcalloc(n_keys + 1 + n_sides * n_figures, sizeof *columns);
	for (; n < n_keys; n++) {
		columns[n] = first->columns[sides[0].keys.column[n]];
	}
	columns[n++] = (struct result_column){
	    .name = "runs", .kind = KIND_COUNT, .sums = SUMS_NOT, .about = "of the row"};
	for (size_t i = 0; i < n_sides * n_figures; i++, n++) {
		const struct result_column *figure =
		    &first->columns[first->n_columns - n_figures + i % n_figures];
		columns[n] = *figure;
		columns[n].name =
		    heading(arena, &sides[i / n_figures], figure, n_figures == 1, columns, n);
	}
	struct result *joined = result_new(first->title, columns, n);
	free(columns);
	arena_free(arena);
	return joined;
}

static void
add_joined(struct result *joined, const struct fold_side *sides, size_t n_sides, const size_t *rows,
           size_t n_figures)
{
	struct value *row = result_add_row(joined);
	size_t n_keys = sides[0].keys.n;
	int64_t n_runs = 0;
	bool has_keys = false;
	for (size_t i = 0; i < n_sides; i++) {
		struct result *table = sides[i].table;
		size_t from = rows[i] - 1;
		for (size_t k = 0; rows[i] && !has_keys && k < n_keys; k++) {
			row[k] =
			    value_copy(joined, result_value(table, from, sides[i].keys.column[k]));
		}
		has_keys |= rows[i] > 0;
		for (size_t k = 0; rows[i] && k < n_figures; k++) {
			row[n_keys + 1 + i * n_figures + k] =
			    *result_value(table, from, table->n_columns - n_figures + k);
		}
		if (rows[i]) {
			int runs = column_find(table->columns, table->n_columns, slice_of("runs"));
			n_runs += result_value(table, from, (size_t)runs)->integer;
		}
	}
	row[n_keys] = value_integer(n_runs);
}

static struct result *
join(struct fold_side *sides, size_t n_sides, size_t n_by, struct err *err)
{
	struct result **tables = xcalloc(n_sides + 1, sizeof *tables);
	struct match_columns *keys = xcalloc(n_sides + 1, sizeof *keys);
	struct strbuf order = {0};
	size_t n_figures = 0;
	for (size_t i = 0; i < n_sides; i++) {
		(void)match_keys(sides[i].table, NULL, &sides[i].keys, err);
		tables[i] = sides[i].table;
		keys[i] = sides[i].keys;
	}
	n_figures = sides[0].table->n_columns - sides[0].keys.n - 1;
	struct match *match = match_rows(tables, keys, n_sides);
	struct result *joined = new_joined(sides, n_sides, n_figures);
	for (size_t i = 0; i < match->n_groups; i++) {
		add_joined(joined, sides, n_sides, match->rows + i * n_sides, n_figures);
	}
	for (size_t i = 0; i < n_by; i++) {
		strbuf_printf(&order, "%s%s", i ? "," : "", joined->columns[i].name);
	}
	if (n_by && result_sort(joined, order.data, err)) {
		result_free(joined);
		joined = NULL;
	}
	strbuf_free(&order);
	match_free(match);
	free(tables);
	free(keys);
	return joined;
}

static struct result *
pivot_runs(const struct folding *folding, const struct fold *fold, struct err *err)
{
	size_t n_sides, n_done = 0;
	struct folding by = *folding;
	by.n_by = 0;
	if (fold_read_tags(&by, fold->by, fold->pivot, err)) {
		return NULL;
	}
	struct fold_side *sides = divide(folding, &n_sides);
	while (n_done < n_sides) {
		struct fold_side *side = &sides[n_done];
		side->table = fold_runs(side->results, side->tags, side->n, folding, fold, err);
		if (!side->table) {
			break;
		}
		n_done++;
	}
	struct result *joined = n_done == n_sides ? join(sides, n_sides, by.n_by, err) : NULL;
	sides_free(sides, n_sides);
	return joined;
}

struct result *
query_fold(struct result *const *results, const struct run_tags *tags, size_t n,
           const struct fold *fold, struct err *err)
{
	if (!fold->pivot) {
		return fold_runs(results, tags, n, NULL, fold, err);
	}
	struct folding folding = {.results = results,
	                          .tags = tags,
	                          .n = n,
	                          .known = tags,
	                          .n_known = n,
	                          .arena = arena_new()};
	struct result *joined = NULL;
	if (fold_add_tag(&folding, fold->pivot, err) == 0) {
		fold_find_alike(&folding);
		joined = pivot_runs(&folding, fold, err);
	}
	fold_free(&folding);
	return joined;
}
