/*
 * A row of sums: what the rows of an answer are part of. Only where the sum of a column is a figure
 * as well: counts, bytes and times of which each was counted once, never means, extremes,
 * quantiles, shares or rates, nor what several rows share. A header says it (`sums:`); where it
 * does not, kind and name of a column do.
 */
#include "config.h"
#include "query/saved/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "util/order.h"

struct value
value_quotient(const struct value *a, const struct value *b)
{
	double of = value_is_number(b) ? value_number(b) : 0,
	       q = of != 0 && value_is_number(a) ? value_number(a) / of : NAN;

	return isfinite(q) ? value_real(q) : (struct value){.type = VALUE_NULL};
}

bool
value_add(struct value *sum, const struct value *value)
{
	if (!value_is_number(value)) {
		return true;
	}
	if (sum->type == VALUE_NULL) {
		*sum = *value;
	} else if (sum->type == VALUE_INTEGER && value->type == VALUE_INTEGER) {
		return !__builtin_add_overflow(sum->integer, value->integer, &sum->integer);
	} else {
		*sum = value_real(value_number(sum) + value_number(value));
	}
	return true;
}

static bool
is_summed(const struct result *result, size_t column)
{
	return !result->row_kinds && !result->columns[column].is_key &&
	       column_adds_up(&result->columns[column]);
}

bool
result_has_sums(const struct result *result)
{
	for (size_t i = 0; i < result->n_columns; i++) {
		if (is_summed(result, i)) {
			return true;
		}
	}
	for (size_t i = 0; i < result->n_wide; i++) {
		if (column_adds_up(&result->wide[i])) {
			return true;
		}
	}
	return false;
}

struct sum_rows {
	size_t n, n_of; /* rows of sums; of how many rows */
	size_t most;    /* rows that one of them sums */
	struct value *values;
	enum column_kind *kinds; /* of wide results; NULL else */
};

/* Of each step-th row. */
static struct value
sum_column(struct result *result, size_t column, size_t first, size_t end, size_t step)
{
	struct value sum = {.type = VALUE_NULL};

	for (size_t row = first; row < end; row += step) {
		if (!value_add(&sum, result_value(result, row, column))) {
			result_add_note(result, "no sum of %s: it is more than 64 bits hold",
			                step > 1 ? result->wide[first].name
			                         : result->columns[column].name);
			return (struct value){.type = VALUE_NULL};
		}
	}
	return sum;
}

struct value
value_sum_of_difference(const struct result_column *column, const struct value *a,
                        const struct value *b)
{
	struct value delta = value_real(
	    value_is_number(a) && value_is_number(b) ? value_number(b) - value_number(a) : NAN);
	int64_t exact;

	if (a->type == VALUE_INTEGER && b->type == VALUE_INTEGER &&
	    !__builtin_sub_overflow(b->integer, a->integer, &exact)) {
		delta = value_integer(exact);
	}
	switch (column->sums) {
	case SUMS_RATIO:
		return value_quotient(b, a);
	case SUMS_REL:
		return value_quotient(&delta, a);
	case SUMS_REL_TO_B:
		return value_quotient(&delta, b);
	default:
		return (struct value){.type = VALUE_NULL};
	}
}

/* Column i of a difference: A and B are the first of its five. */
static struct value
sum_of_parts(const struct result *result, size_t i, const struct value *sums)
{
	const struct result_column *column = &result->columns[i];
	size_t before = column->sums == SUMS_RATIO ? 3 : 4; /* delta, B, A; then ratio, too */

	return column->sums <= SUMS_NOT
	           ? (struct value){.type = VALUE_NULL}
	           : value_sum_of_difference(column, &sums[i - before], &sums[i - before + 1]);
}

static void
sum_rows_of(struct result *result, size_t first, size_t end, struct value *sums)
{
	for (size_t i = 0; i < result->n_columns; i++) {
		sums[i] = i < result->n_apart    ? *result_value(result, first, i)
		          : is_summed(result, i) ? sum_column(result, i, first, end, 1)
		                                 : sum_of_parts(result, i, sums);
	}
}

/* Do both rows belong to one run? */
static bool
is_with(const struct result *result, size_t a, size_t b)
{
	for (size_t i = 0; i < result->n_apart; i++) {
		if (value_compare(result_value(result, a, i), result_value(result, b, i)) != 0) {
			return false;
		}
	}
	return true;
}

/* A row for each measure that adds up: its name in the last key, which is not one of the query's,
 * and the sum of each run. */
static struct sum_rows *
wide_sums(struct result *result, struct sum_rows *sums)
{
	size_t width = result->n_columns, named = 0;

	while (named + 1 < width && result->columns[named + 1].is_key) {
		named++;
	}
	sums->n_of = sums->most = result->n_rows / result->n_wide;
	MEM_NEW(sums->values, result->n_wide * width + 1);
	MEM_NEW(sums->kinds, result->n_wide + 1);
	for (size_t m = 0; m < result->n_wide; m++) {
		struct value *row = sums->values + sums->n * width;

		if (!column_adds_up(&result->wide[m])) {
			continue;
		}
		row[named] = value_text(result, slice_of(result->wide[m].name));
		for (size_t i = named + 1; i < width; i++) {
			row[i] = sum_column(result, i, m, result->n_rows, result->n_wide);
		}
		sums->kinds[sums->n++] = result->wide[m].kind;
	}
	return sums;
}

struct sum_rows *
result_sums(struct result *result)
{
	struct sum_rows *sums = xcalloc(1, sizeof *sums);
	size_t capacity = 0, width = result->n_columns;

	if (result->n_wide > 0) {
		return wide_sums(result, sums);
	}
	sums->n_of = result->n_rows;
	for (size_t first = 0, end; first < result->n_rows || sums->n == 0; first = end) {
		end = first;
		while (end < result->n_rows && is_with(result, first, end)) {
			end++;
		}
		sums->most = MOST(end - first, sums->most);
		if (end == 0 && result->n_apart > 0) {
			break; /* no run, no sums of it */
		}
		MEM_GROW(sums->values, capacity, (sums->n + 1) * width);
		sum_rows_of(result, first, end, sums->values + sums->n++ * width);
	}
	return sums;
}

size_t
sum_rows_most(const struct sum_rows *sums)
{
	return sums->most;
}

void
sum_rows_free(struct sum_rows *sums)
{
	if (sums) {
		free(sums->values);
		free(sums->kinds);
		free(sums);
	}
}

void
result_add_sums(struct result *result, struct sum_rows *sums)
{
	if (!sums) {
		return;
	}
	if (sums->kinds) {
		enum column_kind *kinds =
		    arena_alloc(result->arena, (result->n_rows + sums->n + 1) * sizeof *kinds);
		memcpy(kinds, result->row_kinds, result->n_rows * sizeof *kinds);
		memcpy(kinds + result->n_rows, sums->kinds, sums->n * sizeof *kinds);
		result->row_kinds = kinds;
	}
	for (size_t i = 0; i < sums->n; i++) {
		memcpy(result_add_row(result), sums->values + i * result->n_columns,
		       result->n_columns * sizeof *sums->values);
	}
	result->n_sums = sums->n;
	result->sums_label = result->n_apart > 0
	                         ? "sums of each run"
	                         : arena_printf(result->arena, "sum of %zu row%s", sums->n_of,
	                                        sums->n_of == 1 ? "" : "s");
	sum_rows_free(sums);
}

/* A copy with one column more, in which all is NULL. */
static struct result *
copy_wider(const struct result *result, const struct result_column *column)
{
	size_t n = result->n_columns;
	struct result_column *columns = xcalloc(n + 1, sizeof *columns);

	memcpy(columns, result->columns, n * sizeof *columns);
	columns[n] = *column;
	struct result *wider = result_new(result->title, columns, n + 1);
	free(columns);
	for (size_t i = 0; i < result->n_rows; i++) {
		memcpy(result_add_row(wider), result_value(result, i, 0), n * sizeof(struct value));
	}
	wider->notes = result->notes;
	wider->n_notes = result->n_notes;
	wider->n_sums = result->n_sums;
	return wider;
}

struct result *
result_mark_sums(const struct result *result)
{
	static const struct result_column column = {
	    .name = "is_sum", .kind = KIND_INTEGER, .about = "1: the sum of other rows"};
	struct result *marked = copy_wider(result, &column);
	for (size_t i = 0; i < marked->n_rows; i++) {
		*result_value(marked, i, result->n_columns) =
		    value_integer(i >= result->n_rows - result->n_sums);
	}
	return marked;
}

struct result *
result_with_notes(const struct result *result)
{
	static const struct result_column column = {
	    .name = "notes", .kind = KIND_TEXT, .about = "what is to be said of all rows"};
	struct result *told = copy_wider(result, &column);
	struct strbuf text = {0};
	for (size_t i = 0; i < result->n_notes; i++) {
		strbuf_printf(&text, "%s%s", i ? "\n" : "", result->notes[i]);
	}
	if (told->n_rows > 0 && text.len > 0) {
		*result_value(told, 0, result->n_columns) = value_text(told, strbuf_slice(&text));
	}
	strbuf_free(&text);
	return told;
}
