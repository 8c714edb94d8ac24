/*
 * The difference of two results: rows joined on their keys, and for each measure A's value, B's,
 * delta = B - A, ratio = B / A and rel = delta / A, or delta / B for those who think of the second
 * run as the whole. Rows that only one side has stay. Of a measure that adds up the other side has
 * 0, so that calls which only B makes rank among the differences; a mean, a quantile or a rate of
 * nothing is missing.
 *
 * The join is done here rather than in a temporary database: keys compare as in SQL but for NULL,
 * which equals itself, and repeated keys are matched in order, which SQL can't say without
 * numbering the rows first.
 */
#include "config.h"
#include "query/saved/query.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/match.h"

enum { PART_A, PART_B, PART_DELTA, PART_RATIO, PART_REL, PARTS };

static void
fill_parts(struct value *parts, bool absent_is_zero, bool is_rel_to_b)
{
	struct value *a = &parts[PART_A], *b = &parts[PART_B];
	if (absent_is_zero && a->type == VALUE_NULL && value_is_number(b)) {
		*a = value_integer(0);
	}
	if (absent_is_zero && b->type == VALUE_NULL && value_is_number(a)) {
		*b = value_integer(0);
	}
	if (!value_is_number(a) || !value_is_number(b)) {
		return;
	}
	int64_t delta;
	if (a->type == VALUE_INTEGER && b->type == VALUE_INTEGER &&
	    !__builtin_sub_overflow(b->integer, a->integer, &delta)) {
		parts[PART_DELTA] = value_integer(delta);
	} else {
		parts[PART_DELTA] = value_real(value_number(b) - value_number(a));
	}
	parts[PART_RATIO] = value_quotient(b, a);
	parts[PART_REL] = value_quotient(&parts[PART_DELTA], is_rel_to_b ? b : a);
}

/* Columns of the difference; names are made in the arena. */
static struct result_column *
diff_columns(const struct result *a, const struct match_columns *keys,
             const struct match_columns *measures, bool is_rel_to_b, struct arena *arena, size_t *n)
{
	static const char *const parts[PARTS] = {"a", "b", "delta", "ratio", "rel"};
	struct result_column *columns =
	    arena_zalloc(arena, (keys->n + measures->n * PARTS) * sizeof *columns + 1);
	size_t next = 0;
	for (size_t i = 0; i < keys->n; i++) {
		columns[next] = a->columns[keys->column[i]];
		columns[next].is_measure = columns[next].is_lead = false;
		columns[next++].is_key = true;
	}
	for (size_t i = 0; i < measures->n; i++) {
		const struct result_column *measure = &a->columns[measures->column[i]];
		for (unsigned part = 0; part < PARTS; part++) {
			enum column_kind kind = part == PART_RATIO ? KIND_REAL
			                        : part == PART_REL ? KIND_PERCENT
			                                           : measure->kind;
			columns[next++] = (struct result_column){
			    .name = arena_printf(arena, "%s_%s", measure->name, parts[part]),
			    .kind = kind,
			    .is_measure = part == PART_DELTA,
			    .better = measure->better,
			    .unit = kind == measure->kind && part != PART_RATIO
			                ? column_bare_unit(measure)
			                : NULL,
			    .sums = !column_adds_up(measure) ? SUMS_NOT
			            : part == PART_RATIO     ? SUMS_RATIO
			            : part != PART_REL       ? SUMS_UP
			            : is_rel_to_b            ? SUMS_REL_TO_B
			                                     : SUMS_REL,
			};
		}
	}
	*n = next;
	return columns;
}

static void
add_notes(struct result *diff, struct result *const sides[2], const char *const names[2],
          const struct match *match, bool keyed, bool is_rel_to_b)
{
	size_t only_a = 0, only_b = 0;
	for (size_t g = 0; g < match->n_groups; g++) {
		only_a += match->rows[2 * g + 1] == 0;
		only_b += match->rows[2 * g] == 0;
	}
	result_add_note(diff, "a is %s, b is %s; delta = b - a, ratio = b / a, rel = delta / %s",
	                names[0], names[1], is_rel_to_b ? "b" : "a");
	if (only_a || only_b) {
		bool is_same = strcmp(names[0], names[1]) == 0; /* of two groups */
		result_add_note(diff, "%zu of %zu rows only in %s, %zu of %zu only in %s", only_a,
		                sides[0]->n_rows, is_same ? "a" : names[0], only_b,
		                sides[1]->n_rows, is_same ? "b" : names[1]);
	}
	if (keyed && match->repeated) {
		result_add_note(diff, "%zu key%s more than once: matched in order", match->repeated,
		                match->repeated == 1 ? " stands" : "s stand");
	}
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < sides[side]->n_notes; i++) {
			result_add_note(diff, "%s: %s", names[side], sides[side]->notes[i]);
		}
		if (sides[side]->out_of_scope) {
			diff->out_of_scope = arena_strdup(diff->arena, sides[side]->out_of_scope);
		}
	}
}

static void
add_diff_row(struct result *diff, struct result *const *sides, const size_t *rows,
             const struct match_columns *keys, const struct match_columns *measures,
             bool is_rel_to_b)
{
	struct value *row = result_add_row(diff);
	size_t side = rows[0] ? 0 : 1;
	for (size_t k = 0; k < keys[0].n; k++) {
		row[k] = value_copy(
		    diff, result_value(sides[side], rows[side] - 1, keys[side].column[k]));
	}
	for (size_t m = 0; m < measures[0].n; m++) {
		struct value *parts = row + keys[0].n + m * PARTS;
		for (side = 0; side < 2; side++) {
			if (rows[side]) {
				size_t column = measures[side].column[m];
				parts[side] = value_copy(
				    diff, result_value(sides[side], rows[side] - 1, column));
			}
		}
		const struct result_column *column = &sides[0]->columns[measures[0].column[m]];
		fill_parts(parts, column_adds_up(column) || column->absent_is_zero, is_rel_to_b);
	}
}

/* What the query is asked for stands first. */
static void
put_lead_first(const struct result *result, struct match_columns *measures)
{
	for (size_t i = 0; i < measures->n; i++) {
		size_t column = measures->column[i];
		if (result->columns[column].is_lead) {
			memmove(measures->column + 1, measures->column,
			        i * sizeof *measures->column);
			measures->column[0] = column;
			break;
		}
	}
}

struct result *
query_diff(const struct result *a, const struct result *b, const char *name_a, const char *name_b,
           const char *key, bool is_rel_to_b, struct err *err)
{
	struct match_columns keys[2], measures[2];
	struct result *sides[2] = {(struct result *)a, (struct result *)b},
		      *diff = NULL; /* only read */
	if (match_keys(a, key, &keys[0], err) ||
	    match_counterparts(a, b, &keys[0], &keys[1], err)) {
		return NULL;
	}
	match_measures(a, &keys[0], &measures[0]);
	put_lead_first(a, &measures[0]);
	if (match_counterparts(a, b, &measures[0], &measures[1], err)) {
		return NULL;
	}
	if (measures[0].n == 0) {
		err_set(
		    err, ERR_QUERY,
		    "nothing to subtract: the query has no measure and no number beside its key");
		return NULL;
	}
	struct match *match = match_rows(sides, keys, 2);
	bool is_pair = !key && a->n_rows == 1 && b->n_rows == 1 && match->n_groups == 2;
	/* one pool a side, named after its file: what is there to compare but these? */
	if (is_pair) {
		const struct match_columns none[2] = {{.n = 0}, {.n = 0}};
		match_free(match);
		match = match_rows(sides, none, 2);
	}
	struct arena *arena = arena_new();
	size_t n;
	struct result_column *columns =
	    diff_columns(a, &keys[0], &measures[0], is_rel_to_b, arena, &n);
	diff = result_new(a->title, columns, n);
	arena_free(arena);
	signed char *only_in = arena_zalloc(diff->arena, match->n_groups + 1);
	for (size_t g = 0; g < match->n_groups; g++) {
		const size_t *rows = match->rows + 2 * g;
		only_in[g] = rows[0] && rows[1] ? -1 : rows[1] != 0;
		add_diff_row(diff, sides, match->rows + 2 * g, keys, measures, is_rel_to_b);
	}
	diff->only_in = only_in;
	add_notes(diff, sides, (const char *[]){name_a, name_b}, match, keys[0].n > 0, is_rel_to_b);
	if (is_pair) {
		result_add_note(
		    diff,
		    "each side has one row: they are compared, though their keys differ; "
		    "--key %s keeps them apart",
		    a->columns[keys[0].column[0]].name);
	}
	match_free(match);
	return diff;
}
