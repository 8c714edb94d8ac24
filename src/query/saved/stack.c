/*
 * Many runs in one table. Stacked: the rows of each under a leading `run` column. Wide: a row for
 * each key and measure, a column for each run; keys stand in the order in which they first appear,
 * over the runs in turn.
 */
#include "config.h"
#include "query/saved/query.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/match.h"
#include "query/saved/tag_columns.h"

#define RUNS_NOTED 4 /* one by one */

static int
check_alike(struct result *const *results, const char *const *names, size_t n, struct err *err)
{
	for (size_t i = 1; i < n; i++) {
		bool same = results[i]->n_columns == results[0]->n_columns;
		for (size_t c = 0; same && c < results[0]->n_columns; c++) {
			same =
			    strcmp(results[i]->columns[c].name, results[0]->columns[c].name) == 0;
		}
		if (!same) {
			return err_set(
			    err, ERR_QUERY,
			    "%s and %s gave different columns: the results can't be put together",
			    names[0], names[i]);
		}
	}
	return 0;
}

static void
copy_notes(struct result *result, struct result *const *results, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < results[i]->n_notes; j++) {
			result_add_note(result, "%s: %s", names[i], results[i]->notes[j]);
		}
	}
	if (n > RUNS_NOTED) {
		result_fold_notes(result, names, n, "runs");
	}
}

struct result *
query_stack(struct result *const *results, const char *const *names, const char *const *paths,
            const struct run_tags *tags, size_t n, struct err *err)
{
	if (check_alike(results, names, n, err)) {
		return NULL;
	}
	size_t n_columns = results[0]->n_columns, named = paths ? 2 : 1;
	struct tag_columns tagged = {0};
	if (tags) {
		tag_columns_add(&tagged, tags, n, false, results[0]->columns, n_columns);
	}
	size_t before = named + tagged.n;
	struct result_column *columns = xcalloc(n_columns + before, sizeof *columns);
	columns[named - 1] =
	    (struct result_column){.name = "path", .kind = KIND_TEXT, .about = "of the run file"};
	columns[0] = (struct result_column){
	    .name = "run", .kind = KIND_TEXT, .is_key = true, .about = "name of the run"};
	if (tagged.n) {
		memcpy(columns + named, tagged.columns, tagged.n * sizeof *columns);
	}
	memcpy(columns + before, results[0]->columns, n_columns * sizeof *columns);
	for (size_t c = 0; c < n_columns;
	     c++) { /* a column may be empty in one run and have values in another */
		for (size_t i = 1; i < n && columns[c + before].kind == KIND_TEXT; i++) {
			columns[c + before].kind = results[i]->columns[c].kind;
		}
	}
	struct result *stack = result_new(results[0]->title, columns, n_columns + before);
	stack->n_apart = before;
	free(columns);
	struct value *own = xcalloc(tagged.n + 1, sizeof *own);
	for (size_t i = 0; i < n; i++) {
		struct value run = value_text(stack, slice_of(names[i]));
		struct value path = value_text(stack, slice_of(paths ? paths[i] : ""));
		if (tags) {
			tag_columns_values(&tagged, 0, tagged.n, &tags[i], stack, own);
		}
		for (size_t r = 0; r < results[i]->n_rows; r++) {
			struct value *row = result_add_row(stack);
			row[named - 1] = path;
			row[0] = run;
			memcpy(row + named, own, tagged.n * sizeof *row);
			for (size_t c = 0; c < n_columns; c++) {
				row[c + before] = value_copy(stack, result_value(results[i], r, c));
			}
		}
	}
	free(own);
	tag_columns_free(&tagged);
	copy_notes(stack, results, names, n);
	return stack;
}

/* Key columns, "measure", one column a run. */
static struct result *
new_wide(struct result *const *results, const char *const *names, size_t n,
         const struct match_columns *keys)
{
	struct result_column *columns = xcalloc(keys->n + 1 + n, sizeof *columns);
	for (size_t i = 0; i < keys->n; i++) {
		columns[i] = results[0]->columns[keys->column[i]];
		columns[i].is_key = true;
	}
	columns[keys->n] =
	    (struct result_column){.name = "measure", .kind = KIND_TEXT, .is_key = true};
	for (size_t i = 0; i < n; i++) {
		columns[keys->n + 1 + i] =
		    (struct result_column){.name = names[i], .kind = KIND_REAL, .is_measure = true};
	}
	struct result *wide = result_new(results[0]->title, columns, keys->n + 1 + n);
	free(columns);
	return wide;
}

/* The rows of one group: one for each measure. */
static void
add_wide_rows(struct result *wide, struct result *const *results, size_t n, const size_t *rows,
              const struct match_columns *keys, const struct match_columns *measures)
{
	size_t first = 0;
	while (rows[first] == 0) {
		first++;
	}
	for (size_t m = 0; m < measures->n; m++) {
		struct value *row = result_add_row(wide);
		for (size_t k = 0; k < keys->n; k++) {
			row[k] = value_copy(wide, result_value(results[first], rows[first] - 1,
			                                       keys[first].column[k]));
		}
		row[keys->n] =
		    value_text(wide, slice_of(results[0]->columns[measures->column[m]].name));
		for (size_t i = 0; i < n; i++) {
			if (rows[i]) {
				const struct value *value =
				    result_value(results[i], rows[i] - 1, measures->column[m]);
				row[keys->n + 1 + i] = value_copy(wide, value);
			}
		}
	}
}

struct result *
query_wide(struct result *const *results, const char *const *names, size_t n, const char *key,
           struct err *err)
{
	struct result *wide = NULL;
	struct match_columns measures, *keys = xcalloc(n, sizeof *keys);
	if (check_alike(results, names, n, err)) {
		goto out;
	}
	for (size_t i = 0; i < n; i++) {
		if (match_keys(results[i], key, &keys[i], err)) {
			goto out;
		}
	}
	match_measures(results[0], &keys[0], &measures);
	struct match *match = match_rows(results, keys, n);
	wide = new_wide(results, names, n, &keys[0]);
	for (size_t g = 0; g < match->n_groups; g++) {
		add_wide_rows(wide, results, n, match->rows + g * n, keys, &measures);
	}
	enum column_kind *kinds = arena_alloc(wide->arena, (wide->n_rows + 1) * sizeof *kinds);
	for (size_t i = 0; i < wide->n_rows; i++) {
		kinds[i] = results[0]->columns[measures.column[i % measures.n]].kind;
	}
	wide->row_kinds = kinds;
	struct result_column *of_rows =
	    arena_zalloc(wide->arena, (measures.n + 1) * sizeof *of_rows);
	for (size_t i = 0; i < measures.n; i++) {
		of_rows[i] = results[0]->columns[measures.column[i]];
		of_rows[i].name = arena_strdup(wide->arena, of_rows[i].name);
	}
	wide->n_wide = measures.n;
	wide->wide = of_rows;
	copy_notes(wide, results, names, n);
	if (match->repeated && keys[0].n) {
		result_add_note(wide, "%zu key%s more than once in a run: matched in order",
		                match->repeated, match->repeated == 1 ? " stands" : "s stand");
	}
	match_free(match);
out:
	free(keys);
	return wide;
}
