/*
 * A measure over the start of the runs, or over a tag. A series is what would become one row if all
 * its runs were alike (fold.c): a point for each value that the runs are put in order by, and each
 * run's figure there. Noise is what the figures are off the level of their stretch: 1.4826 times
 * the median of that is a standard deviation where noise is normal, and an outlier does not matter.
 */
#include "config.h"
#include "query/saved/fold_private.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/change_points.h"
#include "util/order.h"
#include "util/quantile.h"

#define DEVIATION_OF_MEDIAN 1.4826
#define BAND 2          /* deviations to either side: 19 of 20 where noise is normal */
#define BAND_FIGURES 5u /* fewer tell nothing of noise */
#define STEPS_NAMED 5u  /* in notes, of each measure */
#define SERIES_WITH_STEP                                                                           \
	"1 in 50" /* that chance makes, at most: there are two tests, 1 in 100 each */

enum { FIGURE_MEAN, FIGURE_LEVEL, FIGURE_LOW, FIGURE_HIGH, FIGURE_STEP, FIGURE_P, FIGURES };
static const struct {
	const char *name;
	enum fold_stat like; /* of which kind it is */
	const char *about;
} figures[FIGURES] = {
    {"mean", STAT_MEAN, NULL},
    {"level", STAT_MEDIAN, "median of the stretch without a step that this is in"},
    {"low", STAT_MEAN, "level minus twice the noise"},
    {"high", STAT_MEAN, "level plus twice the noise"},
    {"step", STAT_STD, "level minus the one before, where a step begins"},
    {"p", STAT_STD, "how often chance gives as great a step"},
};

struct trend_run {
	size_t run, group;
	struct value at;
	size_t point; /* of its group, from 0 */
};

struct trend {
	struct folding folding;
	struct trend_run *runs; /* by group, then in order */
	size_t n;
	size_t *first;       /* of each group, in runs; one more at the end */
	size_t *row;         /* of each run: the series' row, plus 1; 0: none */
	double *sums;        /* of each point */
	size_t *n_at, *lead; /* of each point: how many figures, and its row of the table */
	double *values, *off;
	bool *begins;
	size_t *point; /* of each figure */
	struct change_point *changes;
	struct result *table;
	size_t first_figure; /* column */
};

/* ---- runs in order ---- */

static int
compare_runs(const void *a, const void *b)
{
	const struct trend_run *x = a, *y = b;
	ORDER_BY(x->group, y->group);
	int order = value_compare(&x->at, &y->at);
	return order ? order : ORDER(x->run, y->run);
}

/* Those that have no place in the order are left out. */
static int
order_runs(struct trend *trend, const struct value *starts, const char *over, struct err *err)
{
	const struct folding *folding = &trend->folding;
	struct folding tag = *folding; /* what the runs are put in order by, as its only tag */
	size_t n_groups = 0;

	tag.n_by = 0;
	if (!starts && fold_add_tag(&tag, over, err)) {
		return -1;
	}
	for (size_t i = 0; i < folding->n; i++) {
		struct value at = starts ? starts[i] : fold_tag_value(&tag, i, 0);
		n_groups = MOST(n_groups, folding->group[i] + 1);
		if (at.type != VALUE_NULL) {
			trend->runs[trend->n++] = (struct trend_run){i, folding->group[i], at, 0};
		}
	}
	SORT(trend->runs, trend->n, compare_runs);
	for (size_t i = 1; i < trend->n; i++) {
		struct trend_run *run = &trend->runs[i];
		bool is_same = value_compare(&run->at, &run[-1].at) == 0;
		run->point = run->group == run[-1].group ? run[-1].point + !is_same : 0;
	}
	MEM_NEW(trend->first, n_groups + 1);
	for (size_t i = 0; i < trend->n; i++) {
		trend->first[trend->runs[i].group + 1] = i + 1;
	}
	for (size_t i = 1; i <= n_groups; i++) { /* a group may be left without runs */
		trend->first[i] = MOST(trend->first[i], trend->first[i - 1]);
	}
	return trend->n ? 0
	                : err_set(err, ERR_USAGE,
	                          "no run says when it started: --trend TAG puts them in order");
}

/* ---- one series ---- */

static double
median_of(double *values, size_t n)
{
	quantile_sort(values, n);
	return quantile_sorted(values, n, 0.5);
}

/* The figures of a measure in the order of the runs; how many. */
static size_t
take_figures(struct trend *trend, size_t from, size_t end, size_t measure)
{
	const struct folding *folding = &trend->folding;
	bool absent_is_zero = fold_absent_is_zero(folding, measure);
	size_t n = 0;

	for (size_t i = from; i < end; i++) {
		const struct trend_run *run = &trend->runs[i];
		size_t row = trend->row[run->run];
		double value = row ? value_number(result_value(folding->results[run->run], row - 1,
		                                               folding->measures.column[measure]))
		               : absent_is_zero ? 0
		                                : NAN;
		if (isfinite(value)) {
			trend->values[n] = value;
			trend->point[n] = run->point;
			trend->begins[n] = n == 0 || trend->point[n - 1] != run->point;
			trend->sums[run->point] += value;
			trend->n_at[run->point]++;
			n++;
		}
	}
	return n;
}

static struct value *
cell(const struct trend *trend, size_t point, size_t measure, size_t figure)
{
	return result_value(trend->table, trend->lead[point],
	                    trend->first_figure + measure * FIGURES + figure);
}

/* Levels of the stretches between n_changes steps; what figures are off them goes to `off`. */
static void
set_levels(struct trend *trend, size_t n, size_t measure, size_t n_changes)
{
	double before = NAN, *sorted = xcalloc(n + 1, sizeof *sorted);

	for (size_t s = 0; s <= n_changes; s++) {
		size_t from = s ? trend->changes[s - 1].at : 0;
		size_t end = s < n_changes ? trend->changes[s].at : n;
		memcpy(sorted, trend->values + from, (end - from) * sizeof *sorted);
		double level = median_of(sorted, end - from);
		for (size_t i = from; i < end; i++) {
			trend->off[i] = fabs(trend->values[i] - level);
			*cell(trend, trend->point[i], measure, FIGURE_LEVEL) = value_finite(level);
		}
		if (s) {
			size_t point = trend->point[from];
			*cell(trend, point, measure, FIGURE_STEP) = value_finite(level - before);
			*cell(trend, point, measure, FIGURE_P) =
			    value_real(trend->changes[s - 1].chance);
		}
		before = level;
	}
	free(sorted);
}

static void
set_band(const struct trend *trend, size_t n, size_t measure)
{
	if (n < BAND_FIGURES) {
		return;
	}
	double width = BAND * DEVIATION_OF_MEDIAN * median_of(trend->off, n);
	for (size_t i = 0; i < n; i++) {
		double level = value_number(cell(trend, trend->point[i], measure, FIGURE_LEVEL));
		*cell(trend, trend->point[i], measure, FIGURE_LOW) = value_finite(level - width);
		*cell(trend, trend->point[i], measure, FIGURE_HIGH) = value_finite(level + width);
	}
}

/* What is known of the series of one measure: counted for the notes. */
struct trend_tally {
	size_t n_series, n_untold, n_steps, n_with_step;
	size_t least; /* figures of those that are told */
};

static void
add_measure(struct trend *trend, size_t from, size_t end, size_t measure, struct trend_tally *tally)
{
	size_t n_points = trend->runs[end - 1].point + 1, n_changes = 0;

	memset(trend->sums, 0, n_points * sizeof *trend->sums);
	memset(trend->n_at, 0, n_points * sizeof *trend->n_at);
	size_t n = take_figures(trend, from, end, measure);
	bool is_told = n >= CHANGE_FIGURES_LEAST && trend->point[n - 1] != trend->point[0];
	if (is_told) {
		n_changes = change_points_find(trend->values, trend->begins, n, trend->changes);
		tally->least = tally->least ? LEAST(tally->least, n) : n;
	}
	for (size_t i = 0; i < n_points; i++) {
		if (trend->n_at[i]) {
			*cell(trend, i, measure, FIGURE_MEAN) =
			    value_finite(trend->sums[i] / (double)trend->n_at[i]);
		}
	}
	set_levels(trend, n, measure, n_changes);
	set_band(trend, n, measure);
	tally->n_series++;
	tally->n_untold += !is_told;
	tally->n_steps += n_changes;
	tally->n_with_step += n_changes > 0;
}

/* The rows of a series, a point each. */
static void
add_points(struct trend *trend, const struct fold_part *part, size_t from, size_t end)
{
	for (size_t i = from, next; i < end; i = next) {
		for (next = i + 1; next < end && trend->runs[next].point == trend->runs[i].point;) {
			next++;
		}
		struct value *row = result_add_row(trend->table);
		*row++ = value_copy(trend->table, &trend->runs[i].at);
		row = fold_add_keys(&trend->folding, part, trend->table, row);
		*row = value_integer((int64_t)(next - i));
		trend->lead[trend->runs[i].point] = trend->table->n_rows - 1;
	}
}

static void
add_series(struct trend *trend, const struct fold_part *part, struct trend_tally *tallies)
{
	size_t group = trend->folding.group[part->first->run];
	size_t from = trend->first[group], end = trend->first[group + 1];

	if (from == end) {
		return;
	}
	for (size_t i = 0; i < part->n; i++) {
		trend->row[part->first[i].run] = part->first[i].row + 1;
	}
	add_points(trend, part, from, end);
	for (size_t m = 0; m < trend->folding.measures.n; m++) {
		add_measure(trend, from, end, m, &tallies[m]);
	}
	for (size_t i = 0; i < part->n; i++) {
		trend->row[part->first[i].run] = 0;
	}
}

/* ---- notes ---- */

/* "mode scr, kind load: " of a row; nothing where there are no keys. */
static void
add_keys(const struct trend *trend, size_t row, struct strbuf *out)
{
	const struct result *table = trend->table;
	size_t n_keys = trend->folding.n_by + trend->folding.keys[0].n;
	char buffer[FORMAT_BYTES];

	for (size_t i = 1; i <= n_keys; i++) {
		struct slice text =
		    value_show(result_value(table, row, i), result_kind(table, row, i), buffer);
		text = text.len ? text : slice_of("(none)");
		strbuf_printf(out, "%s%s %.*s", i > 1 ? ", " : "", table->columns[i].name,
		              (int)text.len, text.ptr);
	}
	strbuf_printf(out, "%s", n_keys ? ": " : "");
}

/* "kind load: 12.30 ms to 15.10 ms (+23 %) from started 2026-11-03 12:00 on, p 0.0005" */
static void
note_step(struct trend *trend, size_t row, size_t measure)
{
	struct result *table = trend->table;
	size_t column = trend->first_figure + measure * FIGURES;
	enum column_kind kind = table->columns[column + FIGURE_LEVEL].kind;
	const struct value *level = result_value(table, row, column + FIGURE_LEVEL);
	double step = value_number(result_value(table, row, column + FIGURE_STEP));
	struct value before = value_real(value_number(level) - step);
	char texts[3][FORMAT_BYTES], rel[FORMAT_BYTES] = "";
	struct slice shown[] = {
	    value_show(&before, kind, texts[0]), value_show(level, kind, texts[1]),
	    value_show(result_value(table, row, 0), table->columns[0].kind, texts[2])};
	struct strbuf line = {0};

	add_keys(trend, row, &line);
	if (before.real > 0) {
		(void)snprintf(rel, sizeof rel, " (%+.3g %%)", 100 * step / before.real);
	}
	strbuf_printf(&line, "%.*s to %.*s%s from %s %.*s on, p %.2g", (int)shown[0].len,
	              shown[0].ptr, (int)shown[1].len, shown[1].ptr, rel, table->columns[0].name,
	              (int)shown[2].len, shown[2].ptr,
	              value_number(result_value(table, row, column + FIGURE_P)));
	result_add_note(table, "%s", line.data);
	strbuf_free(&line);
}

static void
note_steps(struct trend *trend, size_t measure, const struct trend_tally *tally)
{
	struct result *table = trend->table;
	size_t column = trend->first_figure + measure * FIGURES + FIGURE_STEP, n_named = 0;

	for (size_t row = 0; row < table->n_rows && n_named < STEPS_NAMED; row++) {
		if (result_value(table, row, column)->type != VALUE_NULL) {
			note_step(trend, row, measure);
			n_named++;
		}
	}
	if (tally->n_steps > n_named) {
		result_add_note(table, "and %zu more", tally->n_steps - n_named);
	}
}

static void
note_measure(struct trend *trend, size_t measure, const struct trend_tally *tally)
{
	struct result *table = trend->table;
	size_t told = tally->n_series - tally->n_untold;
	const char *name =
	    trend->folding.results[0]->columns[trend->folding.measures.column[measure]].name;

	if (tally->n_untold) {
		result_add_note(
		    table,
		    "%s: whether it steps can't be told of %zu of %zu series, which have "
		    "fewer than %u figures, or all at one %s",
		    name, tally->n_untold, tally->n_series, CHANGE_FIGURES_LEAST,
		    table->columns[0].name);
	}
	if (told && tally->n_steps) {
		result_add_note(table,
		                "%s: %zu step%s in %zu of %zu series; where nothing changes, at "
		                "most " SERIES_WITH_STEP " shows one",
		                name, tally->n_steps, tally->n_steps == 1 ? "" : "s",
		                tally->n_with_step, told);
		note_steps(trend, measure, tally);
	} else if (told) {
		result_add_note(
		    table,
		    "%s: no step beyond the noise in %zu series, the shortest of %zu figures", name,
		    told, tally->least);
	}
}

/* ---- the table ---- */

/* Those that the query is asked for, where it says so and nobody says otherwise. */
static void
choose_measures(struct folding *folding, const struct fold *fold)
{
	const struct result_column *columns = folding->results[0]->columns;
	struct match_columns leads = {0};

	for (size_t i = 0; i < folding->measures.n; i++) {
		if (columns[folding->measures.column[i]].is_lead) {
			leads.column[leads.n++] = folding->measures.column[i];
		}
	}
	if (!fold->measures && leads.n) {
		folding->measures = leads;
	}
}

static void
new_table(struct trend *trend, bool over_start, const char *over)
{
	const struct folding *folding = &trend->folding;
	size_t n_measures = folding->measures.n, n = 0;
	struct result_column *columns =
	    xcalloc(2 + folding->n_by + folding->keys[0].n + n_measures * FIGURES, sizeof *columns);

	columns[n++] =
	    over_start
		? (struct result_column)COLUMN_KEY(FOLD_STARTED, "when the runs of the row started")
		: fold_tag_column(folding, over);
	columns[0].kind = over_start ? KIND_CLOCK : columns[0].kind;
	n += fold_key_columns(folding, columns + n);
	columns[n++] = (struct result_column){
	    .name = "runs", .kind = KIND_COUNT, .sums = SUMS_NOT, .about = "of the row"};
	trend->first_figure = n;
	for (size_t i = 0; i < n_measures * FIGURES; i++) {
		size_t figure = i % FIGURES;
		columns[n] = fold_figure_column(folding, i / FIGURES, figures[figure].like,
		                                figures[figure].name);
		columns[n].is_lead = i == FIGURE_MEAN;
		columns[n].about = figures[figure].about ? figures[figure].about : columns[n].about;
		if (figure == FIGURE_P) {
			columns[n].kind = KIND_REAL;
			columns[n].unit = NULL;
		}
		n++;
	}
	trend->table = result_new(folding->results[0]->title, columns, n);
	free(columns);
}

static int
make_table(struct trend *trend, const struct value *starts, const struct fold *fold,
           struct err *err)
{
	int rc = 0;
	size_t n = trend->folding.n + 1;
	struct trend_tally *tallies = xcalloc(trend->folding.measures.n + 1, sizeof *tallies);
	struct fold_parts parts = fold_make_parts(&trend->folding);

	MEM_NEW(trend->row, n);
	MEM_NEW(trend->sums, n);
	MEM_NEW(trend->n_at, n);
	MEM_NEW(trend->lead, n);
	MEM_NEW(trend->values, n);
	MEM_NEW(trend->off, n);
	MEM_NEW(trend->begins, n);
	MEM_NEW(trend->point, n);
	MEM_NEW(trend->changes, n);
	new_table(trend, starts != NULL, fold->trend);
	for (size_t i = 0; rc == 0 && i < parts.n; i++) {
		add_series(trend, &parts.all[i], tallies);
		rc = cancel_check(fold->cancel, err);
	}
	fold_parts_free(&parts, &trend->folding, trend->table);
	for (size_t i = 0; i < trend->folding.measures.n; i++) {
		note_measure(trend, i, &tallies[i]);
	}
	if (trend->n < trend->folding.n) {
		result_add_note(trend->table, "%zu of %zu runs are left out: they have no %s",
		                trend->folding.n - trend->n, trend->folding.n,
		                starts ? "date of their start" : fold->trend);
	}
	free(tallies);
	return rc;
}

static void
trend_free(struct trend *trend)
{
	free(trend->runs);
	free(trend->first);
	free(trend->row);
	free(trend->sums);
	free(trend->n_at);
	free(trend->lead);
	free(trend->values);
	free(trend->off);
	free(trend->begins);
	free(trend->point);
	free(trend->changes);
	fold_free(&trend->folding);
}

struct result *
query_trend(struct result *const *results, const struct run_tags *tags, const struct value *starts,
            size_t n, const struct fold *fold, struct err *err)
{
	struct trend trend = {.folding = {.results = results,
	                                  .tags = tags,
	                                  .n = n,
	                                  .known = tags,
	                                  .n_known = n,
	                                  .arena = arena_new()}};
	const struct value *at = strcmp(fold->trend, FOLD_STARTED) == 0 ? starts : NULL;

	MEM_NEW(trend.runs, n + 1);
	if (fold_read(&trend.folding, fold, err) == 0) {
		choose_measures(&trend.folding, fold);
		fold_find_alike(&trend.folding);
		if (order_runs(&trend, at, fold->trend, err) == 0 &&
		    make_table(&trend, at, fold, err)) {
			result_free(trend.table);
			trend.table = NULL;
		}
	}
	trend_free(&trend);
	return trend.table;
}
