/*
 * The same saved query on two runs. Of the five columns that a difference has for each measure, a
 * screen has room for three: both runs' and one of delta, percent or ratio, which parameter `show`
 * chooses. The measure that the query sorts by leads, and rows begin with its largest difference,
 * whichever way it goes.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/table/drill.h"
#include "ui/table/table_source.h"
#include "util/mem.h"
#include "util/order.h"

enum { SHOW, THRESHOLD, OWN_PARAMS };
static const struct query_param own_params[OWN_PARAMS] = {
    {.name = "show",
     .default_text = "delta",
     .about = "how the two differ",
     .allowed = "delta, percent, ratio"},
    {.name = "threshold",
     .default_text = "0%",
     .about = "only rows whose leading measure differs by at least this share of the larger",
     .kind = KIND_PERCENT},
};

static const char *
text_of(const struct table_source *source, char *const *texts, int own)
{
	const char *text = texts[source->compared->n_params + (size_t)own];

	return text ? text : own_params[own].default_text;
}

/* Ways to differ, and the suffix of the third column in each. */
static const struct {
	const char *show, *suffix;
	enum column_difference difference;
} ways[] = {{"delta", "_delta", DIFFERENCE_DELTA},
            {"percent", "_rel", DIFFERENCE_REL},
            {"ratio", "_ratio", DIFFERENCE_RATIO}};

/* The way that `show` names; COUNT_OF(ways) if it is none of the three. */
static size_t
way_of(const char *show, struct err *err)
{
	size_t way = 0;

	while (way < COUNT_OF(ways) && strcmp(show, ways[way].show) != 0) {
		way++;
	}
	if (way == COUNT_OF(ways)) {
		err_set(err, ERR_USAGE, "show=%s: write delta, percent or ratio", show);
	}
	return way;
}

/* Behind something: "_a" alone is a name. */
static bool
ends_with(const char *name, const char *suffix)
{
	return slice_ends_with(slice_from(slice_of(name), 1), suffix);
}

static double
number(const struct value *value)
{
	return value->type == VALUE_INTEGER ? (double)value->integer
	       : value->type == VALUE_REAL  ? value->real
	                                    : 0;
}

/* A row and how much its leading measure differs. */
struct diff_rank {
	size_t row;
	double delta, share; /* share: of the larger side */
};

static int
compare_ranked(const void *a, const void *b)
{
	const struct diff_rank *x = a, *y = b;

	ORDER_BY(y->delta, x->delta);
	return ORDER(x->row, y->row);
}

static struct diff_rank
rank(const struct result *diff, size_t row, size_t first_a)
{
	double a = number(result_value(diff, row, first_a));
	double b = number(result_value(diff, row, first_a + 1));
	double larger = fmax(fabs(a), fabs(b));

	return (struct diff_rank){row, fabs(b - a), larger > 0 ? fabs(b - a) / larger : 0};
}

/* Of the measure that the query sorts by column _a, since that is what it is asked for; else of the
 * first. SIZE_MAX: there is no measure. */
static size_t
leading_measure(const struct result *diff, const char *sort)
{
	size_t length = strcspn(sort + (*sort == '-'), ", "), first = SIZE_MAX;

	for (size_t c = diff->n_columns; c-- > 0;) {
		const char *name = diff->columns[c].name;

		if (!ends_with(name, "_a")) {
			continue;
		}
		if (strlen(name) == length + 2 &&
		    memcmp(name, sort + (*sort == '-'), length) == 0) {
			return c;
		}
		first = c;
	}
	return first;
}

#define PARTS 5            /* columns of a measure: A, B and three of which one is shown */
#define ONLY_IN (SIZE_MAX) /* as the number of a column: it is not the difference's own */

/* Which columns of the difference are shown, in order. */
struct chosen {
	struct result_column *columns;
	size_t *from, n;
};

static void
add_column(struct chosen *chosen, const struct result *diff, size_t column)
{
	static const struct result_column only_in = {.name = "only_in", .kind = KIND_TEXT};

	chosen->columns[chosen->n] = column == ONLY_IN ? only_in : diff->columns[column];
	chosen->from[chosen->n++] = column;
}

static void
add_measure(struct chosen *chosen, const struct result *diff, size_t first, const char *suffix)
{
	for (size_t c = first; c < first + PARTS && c < diff->n_columns; c++) {
		if (c < first + 2 || ends_with(diff->columns[c].name, suffix)) {
			add_column(chosen, diff, c);
		}
	}
}

/* A key that all of several rows have in common tells none of them apart. */
static bool
is_same_throughout(const struct result *diff, size_t column)
{
	const struct value *first = diff->n_rows > 1 ? result_value(diff, 0, column) : NULL;
	size_t row = 1;

	while (first && row < diff->n_rows &&
	       value_compare(first, result_value(diff, row, column)) == 0) {
		row++;
	}
	return first && row == diff->n_rows;
}

/* The keys, the measure that leads, what only one run has, the other measures, and keys that say
 * nothing: so narrow screens show figures. */
static void
choose_columns(struct chosen *chosen, const struct result *diff, size_t lead, const char *suffix)
{
	size_t n_keys = 0, n_told = 0;
	bool any_alone = false;

	for (size_t r = 0; r < diff->n_rows && !any_alone; r++) {
		any_alone = diff->only_in[r] >= 0;
	}
	while (n_keys < diff->n_columns && !ends_with(diff->columns[n_keys].name, "_a")) {
		n_told += !is_same_throughout(diff, n_keys++);
	}
	for (size_t c = 0; c < n_keys; c++) {
		if (n_told == 0 || !is_same_throughout(diff, c)) {
			add_column(chosen, diff, c);
		}
	}
	if (lead != SIZE_MAX) {
		add_measure(chosen, diff, lead, suffix);
	}
	if (any_alone) {
		add_column(chosen, diff, ONLY_IN);
	}
	for (size_t c = n_keys; c < diff->n_columns; c += PARTS) {
		if (c != lead) {
			add_measure(chosen, diff, c, suffix);
		}
	}
	for (size_t c = 0; c < n_keys && n_told > 0; c++) {
		if (is_same_throughout(diff, c)) {
			add_column(chosen, diff, c);
		}
	}
}

static void
copy_row(const struct chosen *chosen, const struct result *diff, size_t from, struct value *row,
         struct result *result, const char *const names[2])
{
	int alone = diff->only_in[from];

	for (size_t c = 0; c < chosen->n; c++) {
		if (chosen->from[c] != ONLY_IN) {
			row[c] = value_copy(result, result_value(diff, from, chosen->from[c]));
		} else if (alone >= 0) {
			row[c] = value_text(result, slice_of(names[alone]));
		}
	}
}

static const enum column_difference *
differences_of(const struct result *result, size_t way)
{
	enum column_difference *differences =
	    arena_zalloc(result->arena, (result->n_columns + 1) * sizeof *differences);

	for (size_t c = 0; c < result->n_columns; c++) {
		if (!result->columns[c].is_key &&
		    ends_with(result->columns[c].name, ways[way].suffix)) {
			differences[c] = ways[way].difference;
		}
	}
	return differences;
}

static struct result *
choose(const struct result *diff, const char *sort, size_t way, double threshold,
       const char *const names[2])
{
	struct chosen chosen = {xcalloc(diff->n_columns + 2, sizeof *chosen.columns),
	                        xcalloc(diff->n_columns + 2, sizeof *chosen.from), 0};
	struct diff_rank *ranked = xcalloc(diff->n_rows + 1, sizeof *ranked);
	size_t lead = leading_measure(diff, sort ? sort : ""), n_left_out = 0;
	struct result *result;

	choose_columns(&chosen, diff, lead, ways[way].suffix);
	result = result_new(diff->title, chosen.columns, chosen.n);
	result->differences = differences_of(result, way);
	for (size_t r = 0; r < diff->n_rows; r++) {
		ranked[r] = lead == SIZE_MAX ? (struct diff_rank){.row = r} : rank(diff, r, lead);
	}
	qsort(ranked, diff->n_rows, sizeof *ranked, compare_ranked);
	for (size_t r = 0; r < diff->n_rows; r++) {
		if (ranked[r].share < threshold) {
			n_left_out++;
			continue;
		}
		copy_row(&chosen, diff, ranked[r].row, result_add_row(result), result, names);
	}
	for (size_t i = 0; i < diff->n_notes; i++) {
		result_add_note(result, "%s", diff->notes[i]);
	}
	if (diff->out_of_scope) {
		result->out_of_scope = arena_strdup(result->arena, diff->out_of_scope);
	}
	if (n_left_out > 0) {
		result_add_note(result, "%zu rows differ by less than the threshold", n_left_out);
	}
	free(chosen.columns);
	free(chosen.from);
	free(ranked);
	return result;
}

/* "5%" or "0.05"; -1 with an error if it is neither. */
static double
read_threshold(const char *text, struct err *err)
{
	struct slice slice = slice_of(text);
	bool is_percent = slice.len > 0 && slice.ptr[slice.len - 1] == '%';
	double share;

	slice.len -= is_percent;
	if (!slice_double(slice, &share) || !(share >= 0)) {
		err_set(err, ERR_USAGE, "threshold=%s: write a share, as 5%%", text);
		return -1;
	}
	return is_percent ? share / 100 : share;
}

static struct result *
load(const struct table_source *source, char *const *texts, struct job_worker *worker,
     const struct cancel *cancel, struct err *err)
{
	const struct saved_query *query = source->compared;
	size_t way = way_of(text_of(source, texts, SHOW), err);
	double threshold = read_threshold(text_of(source, texts, THRESHOLD), err);
	struct result *results[2] = {NULL, NULL}, *diff = NULL, *chosen = NULL;
	struct store *stores[2];
	const char *const *names = source->runs.name;
	bool ok = way < COUNT_OF(ways) && threshold >= 0;
	size_t n;
	struct query_argument *arguments =
	    table_source_arguments(source->params, query->n_params, texts, &n);

	for (int i = 0; i < 2 && ok; i++) {
		stores[i] = worker_store(worker, source->runs.path[i], cancel, err);
		results[i] =
		    stores[i] ? query_run(stores[i], query, arguments, n, cancel, err) : NULL;
		ok = results[i] != NULL;
	}
	if (ok) {
		diff = query_diff(results[0], results[1], names[0], names[1], NULL, false, err);
	}
	if (diff) {
		query_note_rankings(diff, query, results, names, 2, NULL);
		query_note_differences(diff, stores, names, NULL, 2);
		chosen = choose(diff, query->sort, way, threshold, names);
	}
	free(arguments);
	result_free(diff);
	result_free(results[0]);
	result_free(results[1]);
	return chosen;
}

static struct drill
drill_of(const struct table_source *source)
{
	return drill_of_query(source->compared, NULL); /* both runs were asked with its defaults */
}

static bool
open_row(const struct table_source *source, struct view *view, const struct view_place *in,
         const struct result *result, size_t row)
{
	struct drill drill = drill_of(source);

	return drill_open(view, in, &drill, result, row);
}

static bool
focus_row(const struct table_source *source, const struct result *result, size_t row,
          struct focus *focus)
{
	struct drill drill = drill_of(source);

	return drill_focus(&drill, result, row, focus);
}

static struct table_source *
swap(const struct table_source *source)
{
	struct two_runs swapped = two_runs_swapped(&source->runs);

	return table_source_diff(&swapped, source->compared);
}

static const struct table_source_ops ops = {
    .load = load, .open = open_row, .focus = focus_row, .swap = swap};

struct table_source *
table_source_diff(const struct two_runs *runs, const struct saved_query *query)
{
	struct table_source *source = xcalloc(1, sizeof *source);
	size_t n = query->n_params;
	struct query_param *params = xcalloc(n + OWN_PARAMS, sizeof *params);
	struct strbuf text = {0};

	for (size_t i = 0; i < n; i++) {
		params[i] = query->params[i];
	}
	memcpy(params + n, own_params, sizeof own_params);
	strbuf_printf(&text, "diff.%s", query->name);
	*source = (struct table_source){.ops = &ops,
	                                .references = 1,
	                                .title = query->title,
	                                .memory = text.data,
	                                .own = text.data,
	                                .sql = query->sql,
	                                .compared = query,
	                                .params = params, /* the query's, then ours */
	                                .own_params = params,
	                                .n_params = n + OWN_PARAMS,
	                                .sets = IN_DIFF,
	                                .runs = two_runs_copy(runs)};
	return source;
}
