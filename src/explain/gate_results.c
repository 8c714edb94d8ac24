/* Figures of the gate from answers of a saved query: a figure for each measure and row, or for each
 * measure's sum. */
#include "config.h"
#include "explain/gate_figures.h"

#include <math.h>
#include <stdlib.h>

#include "query/saved/list.h"
#include "query/saved/match.h"
#include "util/mem.h"

struct answers {
	struct result *const *results;
	size_t n;
	struct match_columns *keys, *measures; /* by result */
	struct match *match;
};

/* What the query is asked for: its first measure, unless another leads. */
static int
choose_lead(const struct result *result, const struct match_columns *keys,
            struct match_columns *measures, struct err *err)
{
	match_measures(result, keys, measures);
	for (size_t i = 0; i < measures->n; i++) {
		if (result->columns[measures->column[i]].is_lead) {
			measures->column[0] = measures->column[i];
		}
	}
	if (measures->n == 0) {
		return err_set(err, ERR_USAGE,
		               "nothing to compare: the query has no measure and no number beside "
		               "its key");
	}
	measures->n = 1;
	return 0;
}

static int
choose_listed(const struct result *result, const char *list, struct match_columns *measures,
              struct err *err)
{
	measures->n = 0;
	for (struct slice rest = slice_of(list), item; list_next(&rest, &item);) {
		char *name = xstrndup(item.ptr, item.len);
		int column = result_column_find(result, name, err);
		free(name);
		if (column < 0) {
			return err_wrap(err, "measure \"%s\"", list);
		}
		if (measures->n < MATCH_COLUMNS) {
			measures->column[measures->n++] = (size_t)column;
		}
	}
	return 0;
}

static int
check_measures(const struct result *result, const struct match_columns *measures, bool is_total,
               struct err *err)
{
	for (size_t i = 0; i < measures->n; i++) {
		const struct result_column *column = &result->columns[measures->column[i]];
		if (!column_kind_is_number(column->kind)) {
			return err_set(err, ERR_USAGE, "%s is no number", column->name);
		}
		if (column->better == BETTER_NONE) {
			return err_set(err, ERR_USAGE,
			               "neither more nor less of %s is worse: --measure names one "
			               "of which it is",
			               column->name);
		}
		if (is_total && !column_adds_up(column)) {
			return err_set(err, ERR_USAGE, "%s does not add up: it has no total",
			               column->name);
		}
	}
	return 0;
}

static int
choose_columns(struct answers *answers, const char *key, const char *list, bool is_total,
               struct err *err)
{
	const struct result *first = answers->results[0];
	struct match_columns *keys = &answers->keys[0], *measures = &answers->measures[0];
	if (match_keys(first, key, keys, err) ||
	    (list ? choose_listed(first, list, measures, err)
	          : choose_lead(first, keys, measures, err)) ||
	    check_measures(first, measures, is_total, err)) {
		return -1;
	}
	for (size_t i = 1; i < answers->n; i++) {
		const struct result *result = answers->results[i];
		if (match_counterparts(first, result, keys, &answers->keys[i], err) ||
		    match_counterparts(first, result, measures, &answers->measures[i], err)) {
			return -1;
		}
	}
	return 0;
}

/* One row each, named after a file, maybe: what is there to compare but these? */
static void
match_answers(struct answers *answers, bool is_keyed)
{
	bool is_single = !is_keyed;
	for (size_t i = 0; i < answers->n; i++) {
		is_single = is_single && answers->results[i]->n_rows == 1;
	}
	for (size_t i = 0; is_single && i < answers->n; i++) {
		answers->keys[i].n = 0;
	}
	answers->match = match_rows(answers->results, answers->keys, answers->n);
}

/* "total of efi, host1", "total" where there is but one row */
static void
name_figure(struct strbuf *name, const struct answers *answers, const char *measure, size_t group)
{
	const size_t *rows = answers->match->rows + group * answers->n;
	size_t i = 0;
	char text[FORMAT_BYTES];
	while (rows[i] == 0) {
		i++;
	}
	strbuf_clear(name);
	strbuf_add_text(name, measure);
	for (size_t k = 0; k < answers->keys[i].n; k++) {
		size_t column = answers->keys[i].column[k];
		struct slice shown =
		    value_show(result_value(answers->results[i], rows[i] - 1, column),
		               answers->results[i]->columns[column].kind, text);
		strbuf_printf(name, "%s%.*s", k ? ", " : " of ", (int)shown.len, shown.ptr);
	}
	if (answers->keys[i].n == 0 && answers->match->n_groups > 1) {
		strbuf_printf(name, " of row %zu", group + 1);
	}
}

/* A figure that a side lacks can't be compared. */
static void
finish_figure(struct gate *gate, const struct gate_figure *figure)
{
	if (figure->n[0] == 0 || figure->n[1] == 0) {
		gate->n--;
		gate->n_one_sided += figure->n[0] != figure->n[1];
	}
}

static void
add_row(struct gate *gate, const struct answers *answers, size_t measure, size_t group,
        struct strbuf *name)
{
	const struct result_column *column =
	    &answers->results[0]->columns[answers->measures[0].column[measure]];
	name_figure(name, answers, column->name, group);
	struct gate_figure *figure =
	    gate_figure_add(gate, name->data, column->kind, column->better == BETTER_HIGHER);
	double absent = column_adds_up(column) || column->absent_is_zero ? 0 : NAN;
	for (size_t i = 0; i < answers->n; i++) {
		size_t row = answers->match->rows[group * answers->n + i];
		gate_figure_take(
		    gate, figure, i,
		    row ? value_number(result_value(answers->results[i], row - 1,
		                                    answers->measures[i].column[measure]))
			: absent);
	}
	finish_figure(gate, figure);
}

static void
add_total(struct gate *gate, const struct answers *answers, size_t measure, struct strbuf *name)
{
	const struct result_column *column =
	    &answers->results[0]->columns[answers->measures[0].column[measure]];
	strbuf_clear(name);
	strbuf_printf(name, "%s in sum", column->name);
	struct gate_figure *figure =
	    gate_figure_add(gate, name->data, column->kind, column->better == BETTER_HIGHER);
	for (size_t i = 0; i < answers->n; i++) {
		const struct result *result = answers->results[i];
		double sum = 0;
		for (size_t row = 0; row < result->n_rows; row++) {
			const struct value *value =
			    result_value(result, row, answers->measures[i].column[measure]);
			sum += value_is_number(value) ? value_number(value) : 0;
		}
		gate_figure_take(gate, figure, i, sum);
	}
	finish_figure(gate, figure);
}

int
gate_add_results(struct gate *gate, struct result *const *results, const char *key,
                 const char *measures, bool is_total, struct err *err)
{
	size_t n = gate->n_a + gate->n_b;
	struct answers answers = {.results = results,
	                          .n = n,
	                          .keys = xcalloc(n, sizeof *answers.keys),
	                          .measures = xcalloc(n, sizeof *answers.measures)};
	struct strbuf name = {0};
	int rc = choose_columns(&answers, key, measures, is_total, err);
	if (rc == 0) {
		match_answers(&answers, key != NULL);
	}
	for (size_t m = 0; rc == 0 && m < answers.measures[0].n; m++) {
		if (is_total) {
			add_total(gate, &answers, m, &name);
		}
		for (size_t group = 0; !is_total && group < answers.match->n_groups; group++) {
			add_row(gate, &answers, m, group, &name);
		}
	}
	match_free(answers.match);
	strbuf_free(&name);
	free(answers.keys);
	free(answers.measures);
	return rc;
}
