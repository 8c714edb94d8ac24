/*
 * Rows that add up. Amounts are summed in 128 bits, so that no order of adding and no hostile time
 * can make a sum saturate or wrap; only what leaves is rounded to a real, if it does not fit.
 *
 * Folding goes from the last label to the first: the small kinds of a stage become "(9 more)" of
 * that stage, and only if a part has three labels or more may such rows fold again one label up.
 * The first label is never folded away (unless it is the only one), since a reader expects every
 * stage, cause or class to be there. What was folded is added, so the sums stay.
 */
#include "config.h"
#include "explain/frame/frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/index.h"
#include "util/intern.h"
#include "util/order.h"

__extension__ typedef __int128 wide_int;

#define LABELS_MAX 10

struct row {
	uint32_t labels[LABELS_MAX]; /* INTERN_NONE: empty, of a folded row */
	wide_int a, b;
	size_t n_folded; /* rows that it stands for; 0: itself */
	bool is_all;     /* of its group */
};

struct explain_rows {
	size_t n_labels;
	char *names[LABELS_MAX];
	struct intern *texts;
	struct row *rows;
	size_t n, capacity;
	struct index by_labels;
};

struct explain_rows *
explain_rows_new(const char *const *label_names, size_t n_labels)
{
	struct explain_rows *rows = xcalloc(1, sizeof *rows);
	rows->n_labels = LEAST(n_labels, LABELS_MAX);
	for (size_t i = 0; i < rows->n_labels; i++) {
		rows->names[i] = xstrdup(label_names[i]);
	}
	rows->texts = intern_new();
	return rows;
}

void
explain_rows_free(struct explain_rows *rows)
{
	if (rows) {
		for (size_t i = 0; i < rows->n_labels; i++) {
			free(rows->names[i]);
		}
		intern_free(rows->texts);
		free(rows->rows);
		index_free(&rows->by_labels);
		free(rows);
	}
}

void
explain_rows_add(struct explain_rows *rows, const char *const *labels, int64_t a_ns, int64_t b_ns)
{
	uint32_t codes[LABELS_MAX];
	for (size_t i = 0; i < rows->n_labels; i++) {
		codes[i] = intern_id(rows->texts, slice_of(labels[i]));
	}
	size_t bytes = rows->n_labels * sizeof *codes;
	uint64_t hash = hash_bytes(codes, bytes, 0);
	uint32_t found;
	INDEX_FIND(found, &rows->by_labels, hash, !memcmp(rows->rows[found].labels, codes, bytes));
	if (found == INDEX_NONE) {
		MEM_GROW(rows->rows, rows->capacity, rows->n + 1);
		found = (uint32_t)rows->n++;
		rows->rows[found] = (struct row){.a = 0};
		memcpy(rows->rows[found].labels, codes, bytes);
		index_add(&rows->by_labels, hash, found);
	}
	rows->rows[found].a += a_ns;
	rows->rows[found].b += b_ns;
}

static wide_int
size_of_delta(const struct row *row)
{
	wide_int delta = row->b - row->a;
	return delta < 0 ? -delta : delta;
}

static int
compare_labels(const struct explain_rows *rows, const struct row *a, const struct row *b)
{
	for (size_t i = 0; i < rows->n_labels; i++) {
		if (a->labels[i] != b->labels[i]) {
			struct slice x = {"", 0}, y = {"", 0};
			x = a->labels[i] == INTERN_NONE ? x
			                                : intern_text(rows->texts, a->labels[i]);
			y = b->labels[i] == INTERN_NONE ? y
			                                : intern_text(rows->texts, b->labels[i]);
			return slice_compare(x, y);
		}
	}
	return 0;
}

/* qsort has no argument for its comparison: rows are sorted through pointers that carry it. */
struct sortable {
	const struct explain_rows *rows;
	struct row row;
};

/* Largest difference first, then largest amount, then by labels. */
static int
compare_deltas(const void *left, const void *right)
{
	const struct sortable *a = left, *b = right;
	wide_int x = size_of_delta(&a->row), y = size_of_delta(&b->row);
	if (x == y) {
		x = MOST(a->row.a, a->row.b);
		y = MOST(b->row.a, b->row.b);
	}
	return x == y ? compare_labels(a->rows, &a->row, &b->row) : x > y ? -1 : 1;
}

static int
compare_sortables(const void *left, const void *right)
{
	const struct sortable *a = left, *b = right;
	return compare_labels(a->rows, &a->row, &b->row);
}

static void
sort_rows(struct explain_rows *rows, int (*compare)(const void *, const void *))
{
	struct sortable *list = xcalloc(rows->n, sizeof *list);
	for (size_t i = 0; i < rows->n; i++) {
		list[i] = (struct sortable){rows, rows->rows[i]};
	}
	SORT(list, rows->n, compare);
	for (size_t i = 0; i < rows->n; i++) {
		rows->rows[i] = list[i].row;
	}
	free(list);
}

static bool
is_small(const struct row *row, double threshold)
{
	return (double)size_of_delta(row) < threshold;
}

/* Rows [first, end) agree in their first n_kept labels: the small ones become one, put in *folded.
 * Returns whether there were at least two. */
static bool
fold_group(const struct explain_rows *rows, size_t first, size_t end, size_t n_kept,
           double threshold, struct row *folded)
{
	size_t n_small = 0;
	*folded = rows->rows[first];
	folded->a = folded->b = 0;
	folded->n_folded = 0;
	for (size_t i = n_kept; i < rows->n_labels; i++) {
		folded->labels[i] = INTERN_NONE;
	}
	for (size_t i = first; i < end; i++) {
		const struct row *row = &rows->rows[i];
		if (is_small(row, threshold)) {
			folded->a += row->a;
			folded->b += row->b;
			folded->n_folded += row->n_folded ? row->n_folded : 1;
			n_small++;
		}
	}
	folded->is_all = n_kept > 0 && n_small == end - first;
	return n_small > 1;
}

/* Needs the rows in order of their labels, and leaves them so. */
static void
fold_level(struct explain_rows *rows, size_t n_kept, double threshold)
{
	size_t n = 0;
	for (size_t first = 0, end; first < rows->n; first = end) {
		struct row folded;
		size_t bytes = n_kept * sizeof *folded.labels;
		for (end = first + 1;
		     end < rows->n &&
		     memcmp(rows->rows[end].labels, rows->rows[first].labels, bytes) == 0;) {
			end++;
		}
		bool folds = fold_group(rows, first, end, n_kept, threshold, &folded);
		for (size_t i = first; i < end; i++) {
			if (!folds || !is_small(&rows->rows[i], threshold)) {
				rows->rows[n++] = rows->rows[i];
			}
		}
		if (folds) {
			rows->rows[n++] = folded;
		}
	}
	rows->n = n;
}

static void
fold_rows(struct explain_rows *rows, double fold)
{
	wide_int largest = 0;
	for (size_t i = 0; i < rows->n; i++) {
		wide_int size = size_of_delta(&rows->rows[i]);
		largest = MOST(size, largest);
	}
	/* Rows of no difference fold too, once any are to. */
	double threshold = fold > 0 ? (double)largest * fold + 0.5 : 0;
	size_t least = rows->n_labels > 1 ? 1 : 0;
	for (size_t n_kept = rows->n_labels; threshold > 0 && n_kept-- > least;) {
		sort_rows(rows, compare_sortables);
		fold_level(rows, n_kept, threshold);
	}
}

static struct value
amount(wide_int amount)
{
	bool fits = amount >= INT64_MIN && amount <= INT64_MAX;
	return fits ? value_integer((int64_t)amount) : value_real((double)amount);
}

/* a, b, delta and share of a row, from column `first` on. */
static void
fill_amounts(struct value *row, size_t first, wide_int a, wide_int b, wide_int whole)
{
	row[first] = amount(a);
	row[first + 1] = amount(b);
	row[first + 2] = amount(b - a);
	if (whole != 0) {
		row[first + 3] = value_real((double)(b - a) / (double)whole);
	}
}

static void
add_row(struct result *result, const struct explain_rows *rows, const struct row *from,
        wide_int whole)
{
	struct value *row = result_add_row(result);
	bool said = false;
	for (size_t i = 0; i < rows->n_labels; i++) {
		struct slice text = {"", 0};
		char more[40];
		if (from->labels[i] != INTERN_NONE) {
			text = intern_text(rows->texts, from->labels[i]);
		} else if (!said) {
			snprintf(more, sizeof more, from->is_all ? "(all %zu)" : "(%zu more)",
			         from->n_folded);
			text = slice_of(more);
			said = true;
		}
		row[i] = value_text(result, text);
	}
	fill_amounts(row, rows->n_labels, from->a, from->b, whole);
}

static void
add_named_row(struct result *result, const struct explain_rows *rows, const char *name, wide_int a,
              wide_int b, wide_int whole)
{
	struct value *row = result_add_row(result);
	for (size_t i = 0; i < rows->n_labels; i++) {
		row[i] = value_word(result, i ? "" : name);
	}
	fill_amounts(row, rows->n_labels, a, b, whole);
}

static const char *
run_column(const struct result_column *labels, size_t n, struct arena *arena, const char *run,
           const char *side)
{
	static const char *const taken[] = {"part", "row", "delta", "share"};
	for (size_t i = 0; i < n + COUNT_OF(taken); i++) {
		if (strcmp(run, i < n ? labels[i].name : taken[i - n]) == 0) {
			return arena_printf(arena, "%s (%s)", run, side);
		}
	}
	return run;
}

void
explain_amounts(struct result_column *columns, size_t n, struct arena *arena,
                const struct explain *explain, enum column_kind kind)
{
	const struct result_column amounts[] = {
	    COLUMN(run_column(columns, n, arena, explain_head(explain, 0), "a"), kind, NULL),
	    COLUMN(run_column(columns, n, arena, explain_head(explain, 1), "b"), kind, NULL),
	    COLUMN_MEASURE("delta", kind, "b - a"),
	};
	memcpy(columns + n, amounts, sizeof amounts);
}

static struct result *
new_result(const struct explain_rows *rows, const struct explain *explain, const char *title)
{
	struct result_column columns[LABELS_MAX + 4];
	struct arena *arena = arena_new();
	size_t n = rows->n_labels;
	for (size_t i = 0; i < n; i++) {
		columns[i] = (struct result_column)COLUMN_KEY(rows->names[i], NULL);
	}
	explain_amounts(columns, n, arena, explain, KIND_DURATION);
	columns[n + 3] = (struct result_column)COLUMN("share", KIND_PERCENT, "of the sum's delta");
	struct result *result = result_new(title, columns, n + 4);
	arena_free(arena);
	return result;
}

struct result *
explain_rows_finish(struct explain_rows *rows, const struct explain *explain, const char *title,
                    int64_t total_a_ns, int64_t total_b_ns, double fold)
{
	struct result *result = new_result(rows, explain, title);
	wide_int a = total_a_ns, b = total_b_ns, whole = b - a;
	for (size_t i = 0; i < rows->n; i++) {
		a -= rows->rows[i].a;
		b -= rows->rows[i].b;
	}
	fold_rows(rows, fold);
	sort_rows(rows, compare_deltas);
	for (size_t i = 0; i < rows->n; i++) {
		add_row(result, rows, &rows->rows[i], whole);
	}
	add_named_row(result, rows, "residual", a, b, whole);
	add_named_row(result, rows, "sum", total_a_ns, total_b_ns, whole);
	explain_rows_free(rows);
	return result;
}

struct result *
explain_rows_makespan(struct explain_rows *rows, const struct explain *explain, const char *title,
                      double fold)
{
	return explain_rows_finish(rows, explain, title, explain_makespan_ns(explain->a->schedule),
	                           explain_makespan_ns(explain->b->schedule), fold);
}

static bool
is_named(const struct result *result, size_t row, const char *name)
{
	const struct value *value = result_value(result, row, 0);
	return value->type == VALUE_TEXT && slice_is(value->text, name);
}

static struct value
added(const struct value *a, const struct value *b)
{
	if (a->type == VALUE_NULL || b->type == VALUE_NULL) {
		return a->type == VALUE_NULL ? *b : *a;
	}
	if (a->type == VALUE_INTEGER && b->type == VALUE_INTEGER) {
		return amount((wide_int)a->integer + b->integer);
	}
	return value_real((a->type == VALUE_REAL ? a->real : (double)a->integer) +
	                  (b->type == VALUE_REAL ? b->real : (double)b->integer));
}

/* Row `from` is added to row `to`. Only times, counts and shares add; a mean of means means
 * nothing. */
static void
add_to_row(struct result *result, size_t to, size_t from)
{
	for (size_t c = 0; c < result->n_columns; c++) {
		enum column_kind kind = result->columns[c].kind;
		struct value *value = result_value(result, to, c);
		if (kind == KIND_DURATION || kind == KIND_COUNT || kind == KIND_PERCENT) {
			*value = added(value, result_value(result, from, c));
		} else if (kind != KIND_TEXT) {
			*value = (struct value){.type = VALUE_NULL};
		}
	}
}

void
explain_rows_limit(struct result *result, size_t n)
{
	size_t n_last = 0;
	while (n_last < 2 && n_last < result->n_rows &&
	       is_named(result, result->n_rows - 1 - n_last, n_last ? "residual" : "sum")) {
		n_last++;
	}
	size_t n_rows = result->n_rows - n_last, n_columns = result->n_columns;
	if (n >= n_rows || n_rows - n < 2) {
		return;
	}
	for (size_t i = n + 1; i < n_rows; i++) {
		add_to_row(result, n, i);
	}
	char more[40];
	bool said = false;
	snprintf(more, sizeof more, "(%zu more)", n_rows - n);
	for (size_t c = 0; c < n_columns; c++) {
		if (result->columns[c].kind == KIND_TEXT) {
			*result_value(result, n, c) = value_word(result, said ? "" : more);
			said = true;
		}
	}
	memmove(result_value(result, n + 1, 0), result_value(result, n_rows, 0),
	        n_last * n_columns * sizeof(struct value));
	result->n_rows = n + 1 + n_last;
}
