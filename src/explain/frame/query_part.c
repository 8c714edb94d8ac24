/*
 * A part that is a saved query, asked of both runs. Its rows are joined on their keys as diff does
 * it, and its measures stand one under the other: a part compares two runs, and figures of one
 * method must not be held against those of another.
 */
#include "config.h"
#include "explain/frame/frame.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/match.h"
#include "util/intervals.h"

static struct result *
ask(const struct explain *explain, const struct explain_run *run, const struct explain_part *part,
    const struct saved_query *query, const char *const *arguments, struct err *err)
{
	struct query_argument *given = xcalloc(part->n_params + 1, sizeof *given);
	for (size_t i = 0; i < part->n_params; i++) {
		given[i] = (struct query_argument){part->params[i].name, arguments[i]};
	}
	given[part->n_params] = part->also;
	struct result *result =
	    query_run(run->store, query, given, part->n_params + (part->also.name != NULL),
	              explain->cancel, err);
	free(given);
	return result;
}

static struct result *
new_result(const struct explain *explain, const struct explain_part *part, const struct result *a,
           const struct match_columns *keys, enum column_kind kind)
{
	struct arena *arena = arena_new();
	struct result_column *columns = arena_zalloc(arena, (keys->n + 4) * sizeof *columns);
	size_t n = 0;
	for (; n < keys->n; n++) {
		columns[n] = a->columns[keys->column[n]];
	}
	columns[n++] = (struct result_column)COLUMN_KEY("measure", NULL);
	explain_amounts(columns + n, 0, arena, explain, kind);
	struct result *result = result_new(part->title, columns, n + 3);
	arena_free(arena);
	return result;
}

static void
add_row(struct result *result, const struct result *from, size_t row,
        const struct match_columns *keys, const char *measure, const struct value *const figures[2])
{
	struct value *to = result_add_row(result);
	for (size_t k = 0; k < keys->n; k++) {
		*to++ = value_copy(result, result_value(from, row, keys->column[k]));
	}
	*to++ = value_word(result, measure);
	if (figures[0]->type == VALUE_INTEGER && figures[1]->type == VALUE_INTEGER) {
		to[0] = *figures[0];
		to[1] = *figures[1];
		to[2] = value_integer(time_sub(to[1].integer, to[0].integer));
	}
}

static struct result *
join(const struct explain *explain, const struct explain_part *part, struct result *sides[2],
     struct err *err)
{
	struct match_columns keys[2], measures[2];
	if (match_keys(sides[0], NULL, &keys[0], err) ||
	    match_counterparts(sides[0], sides[1], &keys[0], &keys[1], err)) {
		return NULL;
	}
	match_measures(sides[0], &keys[0], &measures[0]);
	if (match_counterparts(sides[0], sides[1], &measures[0], &measures[1], err)) {
		return NULL;
	}
	const struct result_column *columns = sides[0]->columns;
	struct match *match = match_rows(sides, keys, 2);
	struct result *result =
	    new_result(explain, part, sides[0], &keys[0],
	               measures[0].n ? columns[measures[0].column[0]].kind : KIND_REAL);
	for (size_t g = 0; g < match->n_groups; g++) {
		const size_t *rows = &match->rows[2 * g];
		for (size_t m = 0; rows[0] && rows[1] && m < measures[0].n; m++) {
			const struct value *const figures[2] = {
			    result_value(sides[0], rows[0] - 1, measures[0].column[m]),
			    result_value(sides[1], rows[1] - 1, measures[1].column[m])};
			add_row(result, sides[0], rows[0] - 1, &keys[0],
			        columns[measures[0].column[m]].name, figures);
		}
	}
	match_free(match);
	return result;
}

struct result *
explain_query_part(struct explain *explain, const struct explain_part *part,
                   const char *const *arguments, struct err *err)
{
	struct query_library *library = query_library_open(NULL);
	const struct saved_query *query = query_library_find(library, part->query, err);
	struct result *sides[2] = {NULL, NULL}, *result = NULL;
	sides[0] = query ? ask(explain, &explain->a[0], part, query, arguments, err) : NULL;
	sides[1] = sides[0] ? ask(explain, &explain->b[0], part, query, arguments, err) : NULL;
	if (sides[1]) {
		result = join(explain, part, sides, err);
	}
	result_free(sides[0]);
	result_free(sides[1]);
	query_library_close(library);
	return result;
}
