/*
 * A pivot of spans is one of their groups. Each column of values carries the condition for its
 * spans, so that a cell leads to them: also "(other)", which is all that the other columns are not.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/pivot.h"
#include "query/spans/span_groups.h"

static const char *const measures[] = {"inside", "total", "count", "calls", "self", "size"};

int
span_pivot_check(const char *measure, struct err *err)
{
	struct strbuf list = {0};

	for (size_t i = 0; i < COUNT_OF(measures); i++) {
		if (strcmp(measure, measures[i]) == 0) {
			strbuf_free(&list);
			return 0;
		}
		strbuf_printf(&list, "%s%s", i ? ", " : "", measures[i]);
	}
	err_set(err, ERR_USAGE, "pivot: no measure '%s' that adds up; there are %s", measure,
	        list.data);
	strbuf_free(&list);
	return -1;
}

/* All that is no value of a column that is shown, and nothing if that is not shown either. */
static void
add_others(const struct span_by_column *column, const struct pivoted *pivoted,
           const struct result *groups, size_t place, struct strbuf *out)
{
	const struct value missing = {.type = VALUE_NULL};
	bool shows_missing = false;

	strbuf_add_char(out, '(');
	for (size_t i = 0; i < pivoted->n_values; i++) {
		strbuf_add_text(out, i ? " AND NOT (" : "NOT (");
		span_by_condition(column, &pivoted->values[i],
		                  span_by_is_least(groups, place, &pivoted->values[i]), out);
		strbuf_add_char(out, ')');
		shows_missing |= pivoted->values[i].type == VALUE_NULL;
	}
	strbuf_add_char(out, ')');
	if (!shows_missing) {
		strbuf_add_text(out, " OR ");
		span_by_condition(column, &missing, false, out);
	}
}

static void
tell_conditions(const struct span_by *by, const struct result *groups, struct pivoted *pivoted)
{
	size_t place = by->n - 1;
	const struct span_by_column *column = &by->columns[place];
	struct result *result = pivoted->result;
	struct strbuf text = {0};

	for (size_t i = 0; i < pivoted->n_values + pivoted->has_other; i++) {
		strbuf_clear(&text);
		if (i < pivoted->n_values) {
			const struct value *value = &pivoted->values[i];

			span_by_condition(column, value, span_by_is_least(groups, place, value),
			                  &text);
		} else {
			add_others(column, pivoted, groups, place, &text);
		}
		result->columns[pivoted->first_value + i].about =
		    arena_strdup(result->arena, text.data);
	}
	strbuf_free(&text);
}

static struct result *
turn(const struct span_groups *request, const struct result *groups, const char *measure,
     size_t n_values, struct err *err)
{
	const struct span_by *by = request->by;
	struct pivot pivot = {.n_rows_by = by->n - 1,
	                      .columns = by->n - 1,
	                      .measure = by->n, /* the only figure */
	                      .n_values = n_values};
	struct pivoted pivoted;
	struct strbuf title = {0};

	for (size_t i = 0; i < pivot.n_rows_by; i++) {
		pivot.rows[i] = i;
	}
	if (result_pivot(groups, NULL, groups->n_rows, &pivot, request->cancel, &pivoted, err)) {
		return NULL;
	}
	tell_conditions(by, groups, &pivoted);
	strbuf_printf(&title, "Spans: %s of ", measure);
	for (unsigned i = 0; i < by->n; i++) {
		strbuf_printf(&title, "%s%s",
		              i == 0          ? ""
		              : i + 1 < by->n ? ", "
		                              : " by ",
		              by->columns[i].name);
	}
	pivoted.result->title = arena_strdup(pivoted.result->arena, title.data);
	for (size_t i = 0; i < groups->n_notes; i++) {
		result_add_note(pivoted.result, "%s", groups->notes[i]);
	}
	strbuf_free(&title);
	return pivoted.result;
}

struct result *
span_pivot(const struct span_groups *request, const char *measure, size_t n_values, struct err *err)
{
	struct span_groups one = *request;

	one.columns = measure ? measure : "inside";
	if (span_pivot_check(one.columns, err)) {
		return NULL;
	}
	if (one.by->n < 2) {
		err_set(err, ERR_USAGE, "pivot: a column for the rows and another for the columns");
		return NULL;
	}
	struct result *groups = span_groups(&one, err);
	struct result *result = groups ? turn(&one, groups, one.columns, n_values, err) : NULL;

	result_free(groups);
	return result;
}

char *
span_pivot_filter(const struct span_by *by, const char *filter, const struct result *result,
                  size_t row, size_t column)
{
	const char *about = column < result->n_columns ? result->columns[column].about : NULL;
	char *of_row = span_groups_filter(by, by->n - 1, filter, result, row);
	struct strbuf all = {0};

	if (!about || column < by->n) {
		return of_row;
	}
	strbuf_add_text(&all, of_row);
	span_by_and(&all, about);
	free(of_row);
	return strbuf_take(&all);
}
