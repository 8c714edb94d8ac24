/*
 * Groups of runs: the part is asked of pairs of runs, and each row becomes its mean.
 *
 * Pairs are dealt so that every run of a group counts alike: run i of a covers the i-th of n_a equal
 * pieces of a line, run j of b the j-th of n_b; a pair weighs what their pieces have in common. That
 * takes at most n_a + n_b - 1 pairs, and since a mean over these is the mean over the runs, rows
 * that add up still do: to the mean of the sums, exactly.
 *
 * The range of a mean comes from the spread over pairs. Where both groups have several runs, both
 * vary from pair to pair, else one alone does, and the single run is taken to vary as the others.
 * Rows that a pair lacks are 0 there, where rows add up; else they are left out, and a column says
 * how many pairs have the row.
 */
#include "config.h"
#include "explain/pool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "explain/model/statistics.h"
#include "explain/model/student.h"
#include "util/intern.h"
#include "util/order.h"

#define OUTSIDE 0.1             /* of a range: it holds nine of ten */
#define KEPT_RECORDS (16 << 20) /* in all runs: of more, schedules are read again */
#define UNFOLDED "0%"

/* ---- pairs ---- */

static size_t
common_divisor(size_t a, size_t b)
{
	return b == 0 ? a : common_divisor(b, a % b);
}

static int
visit_pair(struct explain *explain, size_t i, size_t j, int64_t weight, explain_visitor *visit,
           void *user, struct err *err)
{
	struct explain_run a = explain->a[i], b = explain->b[j];
	struct explain pair = {
	    .a = &a, .b = &b, .n_a = 1, .n_b = 1, .is_of_many = true, .cancel = explain->cancel};
	int rc = visit(user, &pair, weight, err);
	explain->a[i] = a;
	explain->b[j].schedule = b.schedule;
	return rc;
}

static void
forget(struct explain_run *run)
{
	schedule_free(run->schedule);
	matching_free(run->matching);
	run->schedule = NULL;
	run->matching = NULL;
}

static bool
can_keep(const struct explain *explain)
{
	int64_t n = 0;
	for (size_t i = 0; i < explain->n_a + explain->n_b; i++) {
		const struct run_info *info = store_run(explain_run_at(explain, i)->store);
		n += info->n_tasks + info->n_spans;
	}
	return n <= KEPT_RECORDS;
}

int
explain_each_pair(struct explain *explain, explain_visitor *visit, void *user, struct err *err)
{
	size_t divisor = common_divisor(explain->n_a, explain->n_b);
	size_t of_a = explain->n_b / divisor, of_b = explain->n_a / divisor; /* a run's piece */
	bool keeps = can_keep(explain);
	for (size_t i = 0, j = 0, at = 0; i < explain->n_a;) {
		size_t end = LEAST((i + 1) * of_a, (j + 1) * of_b);
		if (visit_pair(explain, i, j, (int64_t)(end - at), visit, user, err)) {
			return -1;
		}
		bool ends_a = end == (i + 1) * of_a, ends_b = end == (j + 1) * of_b;
		if (!keeps && ends_a) {
			forget(&explain->a[i]);
		}
		if (!keeps && ends_b) {
			forget(&explain->b[j]);
		}
		at = end;
		i += ends_a;
		j += ends_b;
	}
	return 0;
}

/* ---- rows of each pair ---- */

struct result *
explain_part_rows(struct explain *explain, const struct explain_part *part,
                  const char *const *texts, struct err *err)
{
	return part->query ? explain_query_part(explain, part, texts, err)
	                   : part->compute(explain, texts, err);
}

struct asking {
	const struct explain_part *part;
	const char **texts;
	bool is_series;
	struct result **results; /* of rows of each pair */
	char **names;            /* of pairs */
	size_t n;
	struct pool *pool;
};

static struct result *
ask(struct asking *asking, struct explain *pair, struct err *err)
{
	struct result *result = explain_part_rows(pair, asking->part, asking->texts, err);
	if (!result && err->code != ERR_CANCELLED) {
		err_wrap(err, "%s and %s", pair->a->name, pair->b->name);
	}
	return result;
}

static const char *
name_pair(struct asking *asking, const struct explain *pair)
{
	struct strbuf name = {0};
	if (!asking->is_series) {
		strbuf_printf(&name, "%s -> ", pair->a->name);
	}
	strbuf_add_text(&name, pair->b->name);
	asking->names[asking->n++] = strbuf_take(&name);
	return asking->names[asking->n - 1];
}

static int
keep_rows(void *user, struct explain *pair, int64_t weight, struct err *err)
{
	struct asking *asking = user;
	struct result *result = ask(asking, pair, err);
	(void)weight;
	if (result) {
		asking->results[asking->n] = result;
		name_pair(asking, pair);
	}
	return result ? 0 : -1;
}

static struct result *
stack_rows(struct explain *explain, struct asking *asking, struct err *err)
{
	struct result *stack = NULL;
	MEM_NEW(asking->results, explain->n_a + explain->n_b);
	if (explain_each_pair(explain, keep_rows, asking, err) == 0) {
		stack = query_stack(asking->results, (const char *const *)asking->names, NULL,
		                    asking->n, err);
	}
	if (stack && !asking->is_series) {
		stack->columns[0].name = "pair";
		stack->columns[0].about = "runs of a and b that the row is of";
	}
	for (size_t i = 0; i < asking->n; i++) {
		result_free(asking->results[i]);
	}
	free(asking->results);
	return stack;
}

/* ---- means ---- */

struct figure {
	long double sum; /* of value times weight: integers below 2^64 are exact */
	int64_t weight;
	bool is_real, varies;
	struct value text;
	size_t n; /* pairs that have it; mean and squares about it over these */
	double mean, squares;
};

struct pool {
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
	double degrees;
};

static bool
is_label(const struct result_column *column)
{
	return column->kind == KIND_TEXT && column->is_key;
}

static struct figure *
figures_of(const struct pool *pool, size_t row)
{
	return &pool->figures[row * pool->shape->n_columns];
}

static size_t
find_row(struct pool *pool, const struct result *result, size_t r)
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
		pool->n_rows = (size_t)row + 1;
	}
	pool->pairs[row].last = pool->n_pairs;
	pool->pairs[row].n++;
	return row;
}

static void
add_figure(struct pool *pool, struct figure *figure, const struct value *value, int64_t weight)
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
add_notes(struct pool *pool, const struct result *result, const struct explain *pair,
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

static int
add_pair(struct pool *pool, const struct result *result, int64_t weight, struct err *err)
{
	if (!pool->shape) {
		pool->shape = result_new(result->title, result->columns, result->n_columns);
		pool->delta = column_find(result->columns, result->n_columns, slice_of("delta"));
	}
	if (result->n_columns != pool->shape->n_columns) {
		return err_set(err, ERR_QUERY, "pairs of runs gave different columns");
	}
	pool->n_pairs++;
	pool->weight += weight;
	for (size_t r = 0; r < result->n_rows; r++) {
		struct figure *figures = figures_of(pool, find_row(pool, result, r));
		for (size_t c = 0; c < result->n_columns; c++) {
			add_figure(pool, &figures[c], result_value(result, r, c), weight);
		}
	}
	return 0;
}

static int
pool_pair(void *user, struct explain *pair, int64_t weight, struct err *err)
{
	struct asking *asking = user;
	struct result *result = ask(asking, pair, err);
	int rc = result ? add_pair(asking->pool, result, weight, err) : -1;
	if (rc == 0) {
		add_notes(asking->pool, result, pair, name_pair(asking, pair));
	}
	result_free(result);
	return rc;
}

/* Where rows add up, a pair without the row has amounts of 0. */
static void
add_zeros(const struct pool *pool, size_t row)
{
	for (int c = pool->delta - 2; c <= pool->delta; c++) {
		struct figure *figure = &figures_of(pool, row)[c];
		double n = (double)figure->n, all = (double)pool->n_pairs;
		figure->squares += figure->mean * figure->mean * n * (all - n) / all;
		figure->mean *= n / all;
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
error_of(const struct pool *pool, const struct figure *figure)
{
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

struct place { /* of a row */
	size_t row;
	double size;
	int is_last; /* 1 residual, 2 sum */
};

static int
compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	ORDER_BY(x->is_last, y->is_last);
	ORDER_BY(y->size, x->size);
	return ORDER(x->row, y->row);
}

static struct place *
order_rows(const struct pool *pool)
{
	struct place *places = xcalloc(pool->n_rows + 1, sizeof *places);
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
round_amounts(const struct pool *pool, const struct place *places, int column)
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

static bool
has_range(const struct pool *pool, size_t column)
{
	return pool->delta >= 0 ? (int)column == pool->delta
	                        : pool->shape->columns[column].is_measure;
}

static struct result *
new_table(const struct pool *pool, const struct result *like)
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
fill_range(const struct pool *pool, const struct figure *figure, struct value *to)
{
	double half = student_quantile(OUTSIDE, pool->degrees) * error_of(pool, figure);
	if (isfinite(half)) {
		to[0] = rounded(mean_of(figure) - half, figure->is_real);
		to[1] = rounded(mean_of(figure) + half, figure->is_real);
	}
}

/* Tests of the part are of one pair; of many, the spread of delta over pairs says how often chance
 * alone does it. */
static void
fill_chances(const struct pool *pool, const struct place *places, struct result *table)
{
	const struct result *shape = pool->shape;
	int p = column_find(shape->columns, shape->n_columns, slice_of("p"));
	int q = column_find(shape->columns, shape->n_columns, slice_of("q"));
	double *chances = xcalloc(pool->n_rows + 1, sizeof *chances);
	for (size_t i = 0; i < pool->n_rows; i++) {
		const struct figure *figures = figures_of(pool, places[i].row);
		double error = pool->delta < 0 ? NAN : error_of(pool, &figures[pool->delta]);
		chances[i] =
		    p < 0 || figures[p].n == 0 || !(error > 0)
			? NAN
			: student_chance(mean_of(&figures[pool->delta]) / error, pool->degrees);
		if (p >= 0) {
			*result_value(table, i, (size_t)p) = value_finite(chances[i]);
		}
	}
	statistics_adjust(chances, pool->n_rows);
	for (size_t i = 0; q >= 0 && i < pool->n_rows; i++) {
		*result_value(table, i, (size_t)q) = value_finite(chances[i]);
	}
	free(chances);
}

static struct result *
make_table(const struct pool *pool)
{
	const struct result *shape = pool->shape;
	struct result *table = new_table(pool, shape);
	struct place *places = order_rows(pool);
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
				fill_range(pool, &figures[c], more);
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

static struct result *
finish(const struct explain *explain, const struct explain_part *part, struct pool *pool,
       double fold)
{
	for (size_t r = 0; pool->adds_up && r < pool->n_rows; r++) {
		add_zeros(pool, r);
	}
	bool is_plain = pool->adds_up && (size_t)pool->delta + 2 == pool->shape->n_columns;
	struct result *table = make_table(pool);
	if (is_plain && part->adds_up && fold > 0) {
		struct result *folded = fold_table(explain, table, (size_t)pool->delta - 2, fold);
		result_free(table);
		table = folded;
	}
	for (size_t i = 0; i < pool->shape->n_notes; i++) {
		result_add_note(table, "%s", pool->shape->notes[i]);
	}
	return table;
}

static struct result *
mean_rows(struct explain *explain, struct asking *asking, double fold, struct err *err)
{
	struct pool pool = {.keys = intern_new(), .adds_up = asking->part->adds_up};
	double runs = 1 / (double)explain->n_a + 1 / (double)explain->n_b;
	pool.spread = explain->n_a > 1 && explain->n_b > 1 ? runs / 2 : runs;
	pool.degrees = (double)(explain->n_a + explain->n_b) - 2;
	asking->pool = &pool;
	struct result *table = explain_each_pair(explain, pool_pair, asking, err)
	                           ? NULL
	                           : finish(explain, asking->part, &pool, fold);
	result_free(pool.shape);
	intern_free(pool.keys);
	free(pool.figures);
	free(pool.pairs);
	return table;
}

struct result *
explain_pool(struct explain *explain, const struct explain_part *part, const char *const *texts,
             struct err *err)
{
	struct asking asking = {.part = part, .is_series = explain->is_series};
	double fold = 0;
	MEM_NEW(asking.texts, part->n_params + 1);
	MEM_NEW(asking.names, explain->n_a + explain->n_b);
	for (size_t p = 0; p < part->n_params; p++) {
		asking.texts[p] = texts[p];
		if (!explain->is_series && strcmp(part->params[p].name, "fold") == 0) {
			fold = explain_share(texts[p]);
			asking.texts[p] = UNFOLDED;
		}
	}
	struct result *result = explain->is_series || part->runs == EXPLAIN_RUNS_EACH
	                            ? stack_rows(explain, &asking, err)
	                            : mean_rows(explain, &asking, fold, err);
	if (result) {
		result_fold_notes(result, (const char *const *)asking.names, asking.n,
		                  asking.is_series ? "runs" : "pairs");
		explain_fold_notes(result, explain);
	}
	for (size_t i = 0; i < asking.n; i++) {
		free(asking.names[i]);
	}
	free(asking.names);
	free(asking.texts);
	return result;
}

void
explain_fold_notes(struct result *result, const struct explain *explain)
{
	size_t n = explain->n_a + explain->n_b;
	const char **names = xcalloc(n, sizeof *names);
	for (size_t i = 0; i < n; i++) {
		names[i] = explain_run_at(explain, i)->name;
	}
	result_fold_notes(result, names, n, "runs");
	free(names);
}
