/*
 * Rows are sorted twice: by tags, keys, run and place, which tells the n-th of equal keys in each
 * run; then by tags, keys and that number, which puts together what becomes one row. Memory is that
 * of the rows, not of rows times runs.
 */
#include "config.h"
#include "query/saved/fold_private.h"

#include <math.h>
#include <stdlib.h>

#include "query/saved/tag_columns.h"
#include "util/deviation.h"
#include "util/order.h"

/* ---- rows that become one ---- */

static int
compare_keys(const struct fold_row *x, const struct fold_row *y)
{
	const struct folding *folding = x->folding;
	int order = ORDER(folding->group[x->run], folding->group[y->run]);
	for (size_t i = 0; order == 0 && i < folding->keys[0].n; i++) {
		order = value_compare(
		    result_value(folding->results[x->run], x->row, folding->keys[x->run].column[i]),
		    result_value(folding->results[y->run], y->row,
		                 folding->keys[y->run].column[i]));
	}
	return order;
}

static int
compare_places(const void *a, const void *b)
{
	const struct fold_row *x = a, *y = b;
	int order = compare_keys(x, y);
	order = order ? order : ORDER(x->run, y->run);
	return order ? order : ORDER(x->row, y->row);
}

static int
compare_nth(const void *a, const void *b)
{
	const struct fold_row *x = a, *y = b;
	int order = compare_keys(x, y);
	order = order ? order : ORDER(x->nth, y->nth);
	return order ? order : ORDER(x->run, y->run);
}

/* All rows of all runs, those that become one beside each other. *n_repeated: keys that stand more
 * than once in a run. */
static struct fold_row *
list_rows(const struct folding *folding, size_t *n, size_t *n_repeated)
{
	struct fold_row *rows;
	*n = 0;
	for (size_t i = 0; i < folding->n; i++) {
		*n += folding->results[i]->n_rows;
	}
	rows = xcalloc(*n + 1, sizeof *rows);
	size_t k = 0;
	for (size_t i = 0; i < folding->n; i++) {
		for (size_t r = 0; r < folding->results[i]->n_rows; r++) {
			rows[k++] = (struct fold_row){folding, i, r, 0};
		}
	}
	SORT(rows, *n, compare_places);
	for (size_t i = 1; i < *n; i++) {
		bool is_again =
		    rows[i - 1].run == rows[i].run && compare_keys(&rows[i - 1], &rows[i]) == 0;
		rows[i].nth = is_again ? rows[i - 1].nth + 1 : 0;
		*n_repeated += rows[i].nth == 1;
	}
	SORT(rows, *n, compare_nth);
	return rows;
}

/* By tags, then as the rows stand in the first run that has them. */
static int
compare_parts(const void *a, const void *b)
{
	const struct fold_row *x = ((const struct fold_part *)a)->first,
			      *y = ((const struct fold_part *)b)->first;
	int order = ORDER(x->folding->group[x->run], x->folding->group[y->run]);
	order = order ? order : ORDER(x->run, y->run);
	return order ? order : ORDER(x->row, y->row);
}

/* ---- figures ---- */

static int
compare_values(const void *a, const void *b)
{
	return value_compare(a, b);
}

bool
fold_absent_is_zero(const struct folding *folding, size_t measure)
{
	const struct result_column *column =
	    &folding->results[0]->columns[folding->measures.column[measure]];
	return column_adds_up(column) || column->absent_is_zero;
}

static struct value
sum_of(const struct value *values, size_t n)
{
	struct value sum = {.type = VALUE_NULL};

	for (size_t i = 0; i < n; i++) {
		if (!value_add(&sum, &values[i])) {
			return (struct value){.type = VALUE_NULL};
		}
	}
	return sum;
}

/* Of sorted numbers. */
static struct value
figure(enum fold_stat stat, const struct value *values, size_t n)
{
	struct value none = {.type = VALUE_NULL}, sum = none;
	struct deviations deviations = {0};
	switch (stat) {
	case STAT_N:
		return value_integer((int64_t)n);
	case STAT_MIN:
	case STAT_MAX:
		return n ? values[stat == STAT_MIN ? 0 : n - 1] : none;
	case STAT_MEDIAN:
		return n ? value_real(value_number(&values[(n - 1) / 2]) / 2 +
		                      value_number(&values[n / 2]) / 2)
		         : none;
	case STAT_SUM:
		return sum_of(values, n);
	case STAT_MEAN:
		sum = sum_of(values, n);
		if (sum.type == VALUE_INTEGER) { /* exact */
			return value_real((double)sum.integer / (double)n);
		}
		break;
	default:
		break;
	}
	for (size_t i = 0; i < n; i++) {
		deviations_add(&deviations, value_number(&values[i]));
	}
	return stat == STAT_STD ? value_finite(deviations_get(&deviations))
	       : n              ? value_finite(deviations.mean)
	                        : none;
}

static void
add_figures(const struct folding *folding, const struct fold_part *part, struct value *values,
            struct value *row)
{
	size_t n_alike = folding->n_alike[folding->group[part->first->run]];
	for (size_t m = 0; m < folding->measures.n; m++) {
		size_t column = folding->measures.column[m], n = 0;
		bool absent_is_zero = fold_absent_is_zero(folding, m);
		for (size_t i = 0; i < part->n; i++) {
			const struct fold_row *from = &part->first[i];
			struct value value =
			    *result_value(folding->results[from->run], from->row, column);
			if (value_is_number(&value)) {
				values[n++] = value;
			}
		}
		for (size_t i = part->n; absent_is_zero && i < n_alike; i++) {
			values[n++] = value_integer(0);
		}
		SORT(values, n, compare_values);
		for (size_t s = 0; s < folding->n_stats; s++) {
			*row++ = figure(folding->stats[s], values, n);
		}
	}
}

/* ---- the table ---- */

static enum column_kind
kind_of_stat(enum column_kind kind, enum fold_stat stat)
{
	bool is_whole = kind == KIND_COUNT || kind == KIND_INTEGER;
	if (stat == STAT_N) {
		return KIND_COUNT;
	}
	if (is_whole && stat <= STAT_STD) {
		return KIND_REAL;
	}
	return stat == STAT_STD && (kind == KIND_TIME || kind == KIND_CLOCK) ? KIND_DURATION : kind;
}

struct result_column
fold_figure_column(const struct folding *folding, size_t measure, enum fold_stat like,
                   const char *called)
{
	const struct result_column *of =
	    &folding->results[0]->columns[folding->measures.column[measure]];
	return (struct result_column){
	    .name = arena_printf(folding->arena, "%s_%s", of->name, called),
	    .kind = kind_of_stat(of->kind, like),
	    .is_measure = true,
	    .better = like == STAT_STD || like == STAT_N ? BETTER_NONE : of->better,
	    .sums = like == STAT_SUM && column_adds_up(of) ? SUMS_UP : SUMS_NOT,
	    .about = of->about,
	    .unit = like == STAT_N ? NULL : column_bare_unit(of)};
}

static struct result_column
stat_column(const struct folding *folding, size_t measure, size_t stat)
{
	enum fold_stat which = folding->stats[stat];
	struct result_column column =
	    fold_figure_column(folding, measure, which, fold_stat_names[which]);
	column.is_lead = measure == folding->lead && stat == 0;
	return column;
}

struct result_column
fold_tag_column(const struct folding *folding, const char *tag)
{
	const struct result *first = folding->results[0];
	int taken = column_find(first->columns, first->n_columns, slice_of(tag));
	return (struct result_column){
	    .name = taken < 0 ? tag : arena_printf(folding->arena, "tag.%s", tag),
	    .kind = tag_kind(folding->known, folding->n_known, tag),
	    .is_key = true,
	    .about = "a tag of the runs"};
}

size_t
fold_key_columns(const struct folding *folding, struct result_column *columns)
{
	const struct result *first = folding->results[0];
	size_t n = 0;
	for (size_t i = 0; i < folding->n_by; i++) {
		columns[n++] = fold_tag_column(folding, folding->by[i]);
	}
	for (size_t i = 0; i < folding->keys[0].n; i++) {
		columns[n] = first->columns[folding->keys[0].column[i]];
		columns[n].is_key = true;
		columns[n++].is_measure = false;
	}
	return n;
}

static struct result *
new_table(const struct folding *folding)
{
	size_t n_figures = folding->measures.n * folding->n_stats;
	struct result_column *columns =
	    xcalloc(folding->n_by + 1 + folding->keys[0].n + n_figures, sizeof *columns);
	size_t n = fold_key_columns(folding, columns);
	columns[n++] = (struct result_column){
	    .name = "runs", .kind = KIND_COUNT, .sums = SUMS_NOT, .about = "that are tagged alike"};
	for (size_t i = 0; i < n_figures; i++) {
		columns[n++] = stat_column(folding, i / folding->n_stats, i % folding->n_stats);
	}
	struct result *table = result_new(folding->results[0]->title, columns, n);
	free(columns);
	return table;
}

struct value *
fold_add_keys(const struct folding *folding, const struct fold_part *part, struct result *table,
              struct value *row)
{
	size_t run = part->first->run;
	for (size_t i = 0; i < folding->n_by; i++) {
		struct value value = fold_tag_value(folding, run, i);
		*row++ = value_copy(table, &value);
	}
	for (size_t i = 0; i < folding->keys[0].n; i++) {
		*row++ = value_copy(table, result_value(folding->results[run], part->first->row,
		                                        folding->keys[run].column[i]));
	}
	return row;
}

struct fold_parts
fold_make_parts(const struct folding *folding)
{
	struct fold_parts parts = {0};
	size_t n;
	parts.rows = list_rows(folding, &n, &parts.n_repeated);
	parts.all = xcalloc(n + 1, sizeof *parts.all);
	for (size_t i = 0; i < n; i++) {
		const struct fold_row *row = &parts.rows[i];
		bool is_same = i > 0 && row->nth == row[-1].nth && compare_keys(row - 1, row) == 0;
		if (!is_same) {
			parts.all[parts.n++].first = row;
		}
		parts.all[parts.n - 1].n++;
	}
	SORT(parts.all, parts.n, compare_parts);
	return parts;
}

void
fold_parts_free(struct fold_parts *parts, const struct folding *folding, struct result *table)
{
	if (parts->n_repeated && folding->keys[0].n) {
		result_add_note(table, "%zu key%s more than once in a run: matched in order",
		                parts->n_repeated, parts->n_repeated == 1 ? " stands" : "s stand");
	}
	free(parts->all);
	free(parts->rows);
}

static struct result *
make_table(const struct folding *folding)
{
	struct fold_parts parts = fold_make_parts(folding);
	struct value *values = xcalloc(folding->n + 1, sizeof *values);
	struct result *table = new_table(folding);
	for (size_t i = 0; i < parts.n; i++) {
		const struct fold_part *part = &parts.all[i];
		struct value *row = fold_add_keys(folding, part, table, result_add_row(table));
		*row++ = value_integer((int64_t)folding->n_alike[folding->group[part->first->run]]);
		add_figures(folding, part, values, row);
	}
	fold_parts_free(&parts, folding, table);
	free(values);
	return table;
}

struct result *
fold_runs(struct result *const *results, const struct run_tags *tags, size_t n,
          const struct folding *known, const struct fold *fold, struct err *err)
{
	struct folding folding = {.results = results,
	                          .tags = tags,
	                          .n = n,
	                          .known = known ? known->known : tags,
	                          .n_known = known ? known->n_known : n,
	                          .arena = arena_new()};
	struct result *table = NULL;
	if (fold_read(&folding, fold, err) == 0) {
		fold_find_alike(&folding);
		table = make_table(&folding);
	}
	fold_free(&folding);
	return table;
}
