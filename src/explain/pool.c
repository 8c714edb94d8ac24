/*
 * Groups of runs: the part is asked of pairs of runs, and each row becomes its mean.
 *
 * Since a mean over the pairs is the mean over the runs, rows that add up still do: to the mean of
 * the sums, exactly.
 *
 * The range of a difference comes from the spread of the runs within their groups, taken to be the
 * same in both. Of other figures than amounts it comes from the spread over pairs: where both
 * groups have several runs, both vary from pair to pair, else one alone does, and the single run is
 * taken to vary as the others. Rows that a pair lacks are 0 there, where rows add up; else they are
 * left out, and a column says how many pairs have the row.
 */
#include "config.h"
#include "explain/pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "explain/model/statistics.h"
#include "util/student.h"
#include "util/format.h"
#include "util/intern.h"
#include "util/order.h"

#define OUTSIDE 0.1 /* of a range: it holds nine of ten */
#define UNFOLDED "0%"

struct figure {
	long double sum; /* of value times weight: integers below 2^64 are exact */
	int64_t weight;
	bool is_real, varies;
	struct value text;
	size_t n; /* pairs that have it; mean and squares about it over these */
	double mean, squares;
};

struct means {
	struct result *shape; /* columns, notes; texts lie in its arena */
	struct intern *keys;  /* of rows */
	struct figure *figures;
	size_t n_rows, figures_capacity;
	struct row_pairs { /* that have the row */
		size_t n, last;
	} * pairs;
	size_t pairs_capacity;
	size_t n_pairs;
	int64_t weight;
	int delta; /* column; -1: none */
	bool adds_up;
	double spread; /* a mean's variance over that of pairs */
	/* where rows add up, by row: a of each run of a, b of each of b */
	double *amounts;
	size_t n_a, n_b, amounts_capacity;
	double degrees;
};

static bool
is_label(const struct result_column *column)
{
	return column->kind == KIND_TEXT && column->is_key;
}

static struct figure *
figures_of(const struct means *pool, size_t row)
{
	return &pool->figures[row * pool->shape->n_columns];
}

static size_t
find_row(struct means *pool, const struct result *result, size_t r)
{
	struct strbuf key = {0};
	for (size_t c = 0; c < result->n_columns; c++) {
		const struct value *value = result_value(result, r, c);
		if (is_label(&result->columns[c])) {
			strbuf_add_slice(&key,
			                 value->type == VALUE_TEXT ? value->text : slice_of(""));
			strbuf_add_char(&key, '\n');
		}
	}
	uint32_t row;
	for (;;) { /* the next of rows with the same labels, if this pair has had it */
		row = intern_id(pool->keys, strbuf_slice(&key));
		if (row >= pool->n_rows || pool->pairs[row].last != pool->n_pairs) {
			break;
		}
		strbuf_add_char(&key, '+');
	}
	strbuf_free(&key);
	if (row >= pool->n_rows) {
		size_t n = pool->shape->n_columns, first = row * n;
		MEM_GROW(pool->figures, pool->figures_capacity, first + n);
		memset(pool->figures + first, 0, n * sizeof *pool->figures);
		MEM_GROW(pool->pairs, pool->pairs_capacity, (size_t)row + 1);
		pool->pairs[row].n = 0;
		size_t runs = pool->n_a + pool->n_b;
		MEM_GROW(pool->amounts, pool->amounts_capacity, (row + 1) * runs);
		memset(pool->amounts + row * runs, 0, runs * sizeof *pool->amounts);
		pool->n_rows = (size_t)row + 1;
	}
	pool->pairs[row].last = pool->n_pairs;
	pool->pairs[row].n++;
	return row;
}

static void
add_figure(struct means *pool, struct figure *figure, const struct value *value, int64_t weight)
{
	if (value->type == VALUE_TEXT && figure->text.type == VALUE_NULL) {
		figure->text = value_copy(pool->shape, value);
	} else if (value->type == VALUE_TEXT) {
		figure->varies =
		    figure->varies || slice_compare(figure->text.text, value->text) != 0;
	} else if (value_is_number(value) && !isnan(value_number(value))) {
		double number = value_number(value), from_mean = number - figure->mean;
		figure->is_real = figure->is_real || value->type == VALUE_REAL;
		figure->sum += (value->type == VALUE_INTEGER ? (long double)value->integer
		                                             : (long double)number) *
		               (long double)weight;
		figure->weight += weight;
		figure->n++;
		figure->mean += from_mean / (double)figure->n;
		figure->squares += from_mean * (number - figure->mean);
	}
}

static bool
begins_with(const char *text, const char *name)
{
	size_t n = strlen(name);
	return strncmp(text, name, n) == 0 && text[n] == ':';
}

/* What a note says holds of its pair alone. */
static void
add_notes(struct means *pool, const struct result *result, const struct explain *pair,
          const char *name)
{
	for (size_t i = 0; i < result->n_notes; i++) {
		const char *note = result->notes[i];
		if (begins_with(note, pair->a->name) || begins_with(note, pair->b->name)) {
			result_add_note(pool->shape, "%s", note);
		} else {
			result_add_note(pool->shape, "%s: %s", name, note);
		}
	}
}

static void
add_amounts(struct means *pool, size_t row, const struct value *delta,
            const struct explain_deal *deal)
{
	double *amounts = pool->amounts + row * (pool->n_a + pool->n_b);
	double weight = (double)deal->weight;
	amounts[deal->a] += value_number(&delta[-2]) * weight / (double)deal->weight_a;
	amounts[pool->n_a + deal->b] += value_number(&delta[-1]) * weight / (double)deal->weight_b;
}

static int
add_pair(struct means *pool, const struct result *result, const struct explain_deal *deal,
         struct err *err)
{
	if (!pool->shape) {
		pool->shape = result_new(result->title, result->columns, result->n_columns);
		pool->delta = column_find(result->columns, result->n_columns, slice_of("delta"));
	}
	if (result->n_columns != pool->shape->n_columns) {
		return err_set(err, ERR_QUERY, "pairs of runs gave different columns");
	}
	pool->n_pairs++;
	pool->weight += deal->weight;
	for (size_t r = 0; r < result->n_rows; r++) {
		size_t row = find_row(pool, result, r);
		struct figure *figures = figures_of(pool, row);
		for (size_t c = 0; c < result->n_columns; c++) {
			add_figure(pool, &figures[c], result_value(result, r, c), deal->weight);
		}
		if (pool->adds_up) {
			add_amounts(pool, row, result_value(result, r, (size_t)pool->delta), deal);
		}
	}
	return 0;
}

/* Where rows add up, a pair without the row has amounts of 0. */
static void
add_zeros(const struct means *pool, size_t row)
{
	for (int c = pool->delta - 2; c <= pool->delta; c++) {
		struct figure *figure = &figures_of(pool, row)[c];
		figure->n = pool->n_pairs;
		figure->weight = pool->weight;
	}
}

static double
mean_of(const struct figure *figure)
{
	return (double)(figure->sum / (long double)figure->weight);
}

/* Standard error of a mean; NAN where pairs can't tell. */
static double
error_of(const struct means *pool, size_t row, const struct figure *figure)
{
	if (pool->adds_up) { /* of delta */
		const double *amounts = pool->amounts + row * (pool->n_a + pool->n_b);
		struct student_groups groups =
		    student_groups(amounts, pool->n_a, amounts + pool->n_a, pool->n_b);
		return student_error(&groups, 0, 0);
	}
	return figure->n > 1 ? sqrt(figure->squares / (double)(figure->n - 1) * pool->spread) : NAN;
}

static struct value
rounded(double value, bool is_real)
{
	return is_real || fabs(value) >= 0x1p63 ? value_finite(value)
	                                        : value_integer(llround(value));
}

static struct value
value_of(struct result *result, const struct figure *figure)
{
	if (figure->text.type == VALUE_TEXT) {
		return figure->varies ? value_word(result, "(varies)")
		                      : value_copy(result, &figure->text);
	}
	return figure->n ? rounded(mean_of(figure), figure->is_real)
	                 : (struct value){.type = VALUE_NULL};
}

/* ---- tables of means ---- */

struct ranked { /* of a row */
	size_t row;
	double size;
	int is_last; /* 1 residual, 2 sum */
};

static int
compare_places(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;
	ORDER_BY(x->is_last, y->is_last);
	ORDER_BY(y->size, x->size);
	return ORDER(x->row, y->row);
}

static struct ranked *
order_rows(const struct means *pool)
{
	struct ranked *places = xcalloc(pool->n_rows + 1, sizeof *places);
	for (size_t r = 0; r < pool->n_rows; r++) {
		const struct figure *figures = figures_of(pool, r);
		struct slice name =
		    figures->text.type == VALUE_TEXT ? figures->text.text : slice_of("");
		places[r].row = r;
		if (pool->adds_up) {
			places[r].size = fabs(mean_of(&figures[pool->delta]));
			places[r].is_last = slice_is(name, "residual") ? 1
			                    : slice_is(name, "sum")    ? 2
			                                               : 0;
		}
	}
	SORT(places, pool->n_rows, compare_places);
	return places;
}

/* Amounts of rows in order, rounded such that they add up to the rounded sum. */
static int64_t *
round_amounts(const struct means *pool, const struct ranked *places, int column)
{
	int64_t *amounts = xcalloc(pool->n_rows + 1, sizeof *amounts), before = 0;
	long double sum = 0, all = (long double)pool->weight;
	for (size_t i = 0; i < pool->n_rows; i++) {
		const struct figure *figure = &figures_of(pool, places[i].row)[column];
		if (places[i].is_last == 2) {
			amounts[i] = (int64_t)llroundl(figure->sum / all);
			continue;
		}
		sum += figure->sum;
		int64_t rounded_sum = (int64_t)llroundl(sum / all);
		amounts[i] = rounded_sum - before;
		before = rounded_sum;
	}
	return amounts;
}

/* Of delta, else of what is compared; not of what has a range of its own. */
static bool
has_range(const struct means *pool, size_t column)
{
	const struct result *shape = pool->shape;
	char low[64];
	snprintf(low, sizeof low, "%s_low", shape->columns[column].name);
	return pool->delta >= 0
	           ? (int)column == pool->delta
	           : shape->columns[column].is_measure &&
	                 column_find(shape->columns, shape->n_columns, slice_of(low)) < 0;
}

static struct result *
new_table(const struct means *pool, const struct result *like)
{
	size_t n = like->n_columns;
	struct arena *arena = arena_new();
	struct result_column *columns = arena_zalloc(arena, (3 * n + 1) * sizeof *columns);
	memcpy(columns, like->columns, n * sizeof *columns);
	for (size_t c = 0; c < like->n_columns; c++) {
		const struct result_column *of = &like->columns[c];
		if (!has_range(pool, c)) {
			continue;
		}
		columns[n++] =
		    (struct result_column)COLUMN(arena_printf(arena, "%s_low", of->name), of->kind,
		                                 "lower end of the mean's range, nine of ten");
		columns[n++] = (struct result_column)COLUMN(
		    arena_printf(arena, "%s_high", of->name), of->kind, "upper end");
	}
	if (!pool->adds_up) {
		columns[n++] =
		    (struct result_column)COLUMN("pairs", KIND_COUNT, "of runs that have the row");
	}
	struct result *table = result_new(like->title, columns, n);
	arena_free(arena);
	return table;
}

static void
fill_range(const struct means *pool, size_t row, const struct figure *figure, struct value *to)
{
	double half = student_quantile(OUTSIDE, pool->degrees) * error_of(pool, row, figure);
	if (isfinite(half)) {
		to[0] = rounded(mean_of(figure) - half, figure->is_real);
		to[1] = rounded(mean_of(figure) + half, figure->is_real);
	}
}

#define NAMED_MAX 6
#define Q_MAX 0.05

/* Rows that differ by more than the runs of a group do. */
static void
note_rows(const struct means *pool, const double *chances, struct result *table)
{
	size_t n_named = 0;
	for (size_t r = 0; r < table->n_rows; r++) {
		const struct value *row = result_value(table, r, 0), *delta = &row[pool->delta];
		const struct value *range = &row[pool->shape->n_columns];
		char ns[FORMAT_BYTES], low[FORMAT_BYTES], high[FORMAT_BYTES];
		if (!(chances[r] < Q_MAX) || n_named++ >= NAMED_MAX) {
			continue;
		}
		const struct slice label = row[pool->delta - 3].text;
		bool is_more = delta->integer > 0;
		result_add_note(
		    table, "%.*s takes %s %s (%s to %s; q = %.2g by the spread of the runs)",
		    (int)label.len, label.ptr, format_duration(ns, llabs(delta->integer)),
		    is_more ? "more" : "less", format_duration(low, llabs(range[!is_more].integer)),
		    format_duration(high, llabs(range[is_more].integer)), chances[r]);
	}
	if (n_named == 0) {
		result_add_note(table, "no row differs by more than runs of a group do (q < %g)",
		                Q_MAX);
	}
}

/* Tests of the part are of one pair; of many, the spread of delta over the runs says how often
 * chance alone does it. */
static void
fill_chances(const struct means *pool, const struct ranked *places, struct result *table)
{
	const struct result *shape = pool->shape;
	int p = column_find(shape->columns, shape->n_columns, slice_of("p"));
	int q = column_find(shape->columns, shape->n_columns, slice_of("q"));
	if (p < 0 || q < 0 || !pool->adds_up) {
		return;
	}
	double *chances = xcalloc(pool->n_rows + 1, sizeof *chances);
	for (size_t i = 0; i < pool->n_rows; i++) {
		const struct figure *figures = figures_of(pool, places[i].row);
		double mean = mean_of(&figures[pool->delta]);
		double t = mean / error_of(pool, places[i].row, &figures[pool->delta]);
		chances[i] = figures[p].n ? student_chance(t, pool->degrees) : NAN;
		*result_value(table, i, (size_t)p) = value_finite(chances[i]);
	}
	statistics_adjust(chances, pool->n_rows);
	for (size_t i = 0; i < pool->n_rows; i++) {
		*result_value(table, i, (size_t)q) = value_finite(chances[i]);
	}
	note_rows(pool, chances, table);
	free(chances);
}

static struct result *
make_table(const struct means *pool)
{
	const struct result *shape = pool->shape;
	struct result *table = new_table(pool, shape);
	struct ranked *places = order_rows(pool);
	int64_t *a = NULL, *b = NULL;
	if (pool->adds_up) {
		a = round_amounts(pool, places, pool->delta - 2);
		b = round_amounts(pool, places, pool->delta - 1);
	}
	for (size_t i = 0; i < pool->n_rows; i++) {
		const struct figure *figures = figures_of(pool, places[i].row);
		struct value *row = result_add_row(table), *more = row + shape->n_columns;
		for (size_t c = 0; c < shape->n_columns; c++) {
			row[c] = value_of(table, &figures[c]);
			if (has_range(pool, c)) {
				fill_range(pool, places[i].row, &figures[c], more);
				more += 2;
			}
		}
		if (pool->adds_up) {
			struct value *amounts = &row[pool->delta - 2];
			double whole =
			    (double)(b[pool->n_rows - 1] - a[pool->n_rows - 1]); /* the sum's */
			amounts[0] = value_integer(a[i]);
			amounts[1] = value_integer(b[i]);
			amounts[2] = value_integer(b[i] - a[i]);
			amounts[3] = value_finite((double)(b[i] - a[i]) / whole);
		} else {
			*more = value_integer((int64_t)pool->pairs[places[i].row].n);
		}
	}
	fill_chances(pool, places, table);
	free(places);
	free(a);
	free(b);
	return table;
}

/* ---- folding ---- */

#define LABELS_MAX 8

static struct explain_rows *
rows_of(const struct result *table, size_t n_labels)
{
	const char *labels[LABELS_MAX];
	for (size_t c = 0; c < n_labels; c++) {
		labels[c] = table->columns[c].name;
	}
	struct explain_rows *rows = explain_rows_new(labels, n_labels);
	for (size_t r = 0; r + 2 < table->n_rows; r++) { /* without residual and sum */
		struct arena *arena = arena_new();
		for (size_t c = 0; c < n_labels; c++) {
			labels[c] = arena_slice(arena, result_value(table, r, c)->text).ptr;
		}
		explain_rows_add(rows, labels, result_value(table, r, n_labels)->integer,
		                 result_value(table, r, n_labels + 1)->integer);
		arena_free(arena);
	}
	return rows;
}

static bool
has_labels(const struct result *table, size_t row, const struct value *labels, size_t n)
{
	for (size_t c = 0; c < n; c++) {
		if (value_compare(result_value(table, row, c), &labels[c]) != 0) {
			return false;
		}
	}
	return true;
}

/* Small rows become one, as they do of two runs; it has no range. */
static struct result *
fold_table(const struct explain *explain, const struct result *table, size_t n_labels, double fold)
{
	const struct value *sum = result_value(table, table->n_rows - 1, n_labels);
	struct result *folded = explain_rows_finish(rows_of(table, n_labels), explain, table->title,
	                                            sum[0].integer, sum[1].integer, fold);
	struct result *result = result_new(table->title, table->columns, table->n_columns);
	for (size_t r = 0; r < folded->n_rows; r++) {
		const struct value *from = result_value(folded, r, 0);
		size_t n = folded->n_columns, same = 0;
		while (same < table->n_rows && !has_labels(table, same, from, n_labels)) {
			same++;
		}
		if (same < table->n_rows) {
			from = result_value(table, same, 0);
			n = table->n_columns;
		}
		struct value *row = result_add_row(result);
		for (size_t c = 0; c < n; c++) {
			row[c] = value_copy(result, &from[c]);
		}
	}
	result_free(folded);
	return result;
}

/* ---- the part ---- */

struct pooling {
	const struct explain *explain;
	const struct explain_part *part;
	const char **texts;
	char **names; /* of pairs */
	size_t n;
	struct means pool;
};

static struct result *
ask(void *user, struct explain *pair, struct err *err)
{
	struct pooling *pooling = user;
	struct result *result = explain_part_rows(pair, pooling->part, pooling->texts, err);
	if (!result && err->code != ERR_CANCELLED) {
		err_wrap(err, "%s and %s", pair->a->name, pair->b->name);
	}
	return result;
}

static int
pool_pair(void *user, struct explain *pair, const struct explain_deal *deal, struct err *err)
{
	struct pooling *pooling = user;
	struct result *result = ask(pooling, pair, err);
	int rc = result ? add_pair(&pooling->pool, result, deal, err) : -1;
	if (rc == 0) {
		pooling->names[pooling->n] = explain_pair_name(pooling->explain, pair);
		add_notes(&pooling->pool, result, pair, pooling->names[pooling->n++]);
	}
	result_free(result);
	return rc;
}

/* Labels and amounts alone, and at their end a residual and the sum. */
static bool
can_fold(const struct means *pool, const struct result *table)
{
	if (!pool->adds_up || (size_t)pool->delta + 2 != pool->shape->n_columns ||
	    table->n_rows < 2) {
		return false;
	}
	const struct value *name = result_value(table, table->n_rows - 2, 0);
	return name->type == VALUE_TEXT && slice_is(name->text, "residual");
}

static struct result *
finish(const struct pooling *pooling, double fold)
{
	const struct means *pool = &pooling->pool;
	for (size_t r = 0; pool->adds_up && r < pool->n_rows; r++) {
		add_zeros(pool, r);
	}
	struct result *table = make_table(pool);
	if (fold > 0 && can_fold(pool, table)) {
		struct result *folded =
		    fold_table(pooling->explain, table, (size_t)pool->delta - 2, fold);
		result_free(table);
		table = folded;
	}
	for (size_t i = 0; i < pool->shape->n_notes; i++) {
		result_add_note(table, "%s", pool->shape->notes[i]);
	}
	explain_fold_notes(table, pooling->explain, pooling->names, pooling->n);
	return table;
}

static struct result *
mean_rows(struct explain *explain, struct pooling *pooling, double fold, struct err *err)
{
	struct means *pool = &pooling->pool;
	double runs = 1 / (double)explain->n_a + 1 / (double)explain->n_b;
	pool->keys = intern_new();
	pool->n_a = explain->n_a;
	pool->n_b = explain->n_b;
	pool->adds_up = pooling->part->adds_up;
	pool->spread = explain->n_a > 1 && explain->n_b > 1 ? runs / 2 : runs;
	pool->degrees = (double)(explain->n_a + explain->n_b) - 2;
	MEM_NEW(pooling->names, explain->n_a + explain->n_b);
	struct result *table =
	    explain_each_pair(explain, pool_pair, pooling, err) ? NULL : finish(pooling, fold);
	for (size_t i = 0; i < pooling->n; i++) {
		free(pooling->names[i]);
	}
	free(pooling->names);
	result_free(pool->shape);
	intern_free(pool->keys);
	free(pool->figures);
	free(pool->pairs);
	free(pool->amounts);
	return table;
}

struct result *
explain_pool(struct explain *explain, const struct explain_part *part, const char *const *texts,
             struct err *err)
{
	struct pooling pooling = {.explain = explain, .part = part};
	bool stacks = explain->is_series || part->runs == EXPLAIN_RUNS_EACH;
	double fold = 0;
	MEM_NEW(pooling.texts, part->n_params + 1);
	for (size_t p = 0; p < part->n_params; p++) {
		pooling.texts[p] = texts[p];
		if (!stacks && strcmp(part->params[p].name, "fold") == 0) {
			fold = explain_share(texts[p]);
			pooling.texts[p] = UNFOLDED;
		}
	}
	struct result *result = stacks ? explain_stack(explain, ask, &pooling, err)
	                               : mean_rows(explain, &pooling, fold, err);
	free(pooling.texts);
	return result;
}
