/*
 * What a chart of a result is made of, unless it is said: keys that tell rows apart are the x axis
 * (one of numbers: a line; texts: bars), the measure that the query is asked for is y. Keys of one
 * value tell nothing apart and are left out. A y with columns of its spread beside it (min and max,
 * quantiles, std) has them as whiskers or as a band.
 */
#include "config.h"
#include "chart/chart_private.h"

#include <stdlib.h>
#include <string.h>

#include "query/saved/list.h"

const char *const chart_kind_names[CHART_KINDS + 1] = {"bars",      "line", "steps",   "scatter",
                                                       "histogram", "cdf",  "heatmap", NULL};

bool
chart_kind_find(struct slice name, enum chart_kind *kind)
{
	for (size_t i = 0; i < CHART_KINDS; i++) {
		if (slice_equal(name, slice_of(chart_kind_names[i]))) {
			*kind = (enum chart_kind)i;
			return true;
		}
	}
	return false;
}

static bool
is_number(const struct result *result, size_t column)
{
	return column_kind_is_number(result->columns[column].kind);
}

static bool
is_moment(enum column_kind kind)
{
	return kind == KIND_TIME || kind == KIND_CLOCK;
}

bool
chart_varies(const struct result *result, size_t column)
{
	for (size_t row = 1; row < chart_rows(result); row++) {
		if (value_compare(result_value(result, row, column),
		                  result_value(result, 0, column)) != 0) {
			return true;
		}
	}
	return false;
}

static bool
has_numbers(const struct result *result, size_t column)
{
	for (size_t row = 0; row < chart_rows(result); row++) {
		if (value_is_number(result_value(result, row, column))) {
			return true;
		}
	}
	return false;
}

static bool
has_column(const struct chart_columns *columns, size_t column)
{
	for (size_t i = 0; i < columns->n; i++) {
		if (columns->at[i] == column) {
			return true;
		}
	}
	return false;
}

static void
add_column(struct chart_columns *columns, size_t column)
{
	if (columns->n < CHART_COLUMNS && !has_column(columns, column)) {
		columns->at[columns->n++] = column;
	}
}

/* "total,mean" */
static int
read_columns(const struct result *result, const char *text, const char *option,
             struct chart_columns *columns, struct err *err)
{
	for (const char *at = text; at && *at;
	     at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
		struct slice word = slice_trim((struct slice){at, strcspn(at, ",")}, " ");
		char *name = xstrndup(word.ptr, word.len);
		int found = result_column_find(result, name, err);

		free(name);
		if (found < 0) {
			return err_wrap(err, "%s", option);
		}
		if (columns->n == CHART_COLUMNS) {
			return err_set(err, ERR_USAGE, "%s=%s: at most %u columns", option, text,
			               CHART_COLUMNS);
		}
		add_column(columns, (size_t)found);
	}
	return 0;
}

/* All keys that vary; where a result has none but the run, its texts. The run says what its tags
 * do, which stand behind it. */
static struct chart_columns
varying_keys(const struct result *result)
{
	struct chart_columns keys = {{0}, 0};
	bool has_own = false, has_run = result->n_apart > 0 && chart_varies(result, 0);

	for (int texts = 0; texts < 2 && !has_own; texts++) {
		for (size_t i = 0; i < result->n_columns; i++) {
			bool is_tag = has_run && i > 0 && i < result->n_apart;
			if ((texts ? !is_number(result, i) : result->columns[i].is_key) &&
			    !is_tag && chart_varies(result, i)) {
				add_column(&keys, i);
				has_own = has_own || i >= result->n_apart;
			}
		}
	}
	return keys;
}

/* The first text, for rows that no key tells apart. */
static void
add_first_text(const struct result *result, struct chart_columns *columns)
{
	for (size_t i = 0; i < result->n_columns && columns->n == 0; i++) {
		if (!is_number(result, i)) {
			add_column(columns, i);
		}
	}
}

/* What a query is asked for, else its first measure, those with a figure first: where none has one,
 * nothing else is drawn instead. Without measures any number that is no moment. SIZE_MAX: none. */
static size_t
natural_measure(const struct result *result, const struct chart_columns *without)
{
	enum { LEAD, MEASURE, LEAD_WITHOUT, MEASURE_WITHOUT, AMOUNT, NUMBER, ANY, ROUNDS };

	for (int round = 0; round < ROUNDS; round++) {
		for (size_t i = 0; i < result->n_columns; i++) {
			const struct result_column *column = &result->columns[i];
			bool is_lead = round == LEAD || round == LEAD_WITHOUT;
			bool is_measure = round == MEASURE || round == MEASURE_WITHOUT;
			bool fits = is_lead      ? column->is_lead
			            : is_measure ? column->is_measure
			                         : round != AMOUNT || (!column->is_key &&
			                                               !is_moment(column->kind));
			bool needs_number =
			    round == LEAD || round == MEASURE || round == AMOUNT || round == NUMBER;

			if (fits && is_number(result, i) && !has_column(without, i) &&
			    (!needs_number || has_numbers(result, i))) {
				return i;
			}
		}
	}
	return SIZE_MAX;
}

/* Of a pivot the measure that the query is asked for stands in a column for each value: all of
 * them, a series each. */
static void
choose_y(const struct result *result, const struct chart_columns *without, struct chart_plan *plan)
{
	size_t y = natural_measure(result, without);

	if (y == SIZE_MAX) {
		return;
	}
	add_column(&plan->y, y);
	for (size_t i = 0; result->columns[y].is_lead && i < result->n_columns; i++) {
		if (result->columns[i].is_lead && !has_column(without, i)) {
			add_column(&plan->y, i);
		}
	}
	plan->series_is_guess &= plan->y.n < 2;
}

/* A moment first. */
static size_t
first_number(const struct result *result, const struct chart_columns *of)
{
	size_t found = SIZE_MAX;

	for (size_t i = of->n; i-- > 0;) {
		size_t at = of->at[i];

		if (is_number(result, at) &&
		    (found == SIZE_MAX || is_moment(result->columns[at].kind) ||
		     !is_moment(result->columns[found].kind))) {
			found = at;
		}
	}
	return found;
}

/* Where no key varies: a moment, else a key of numbers. */
static size_t
first_place(const struct result *result)
{
	size_t found = SIZE_MAX;

	for (size_t i = result->n_columns; i-- > 0;) {
		if (is_moment(result->columns[i].kind) ||
		    (result->columns[i].is_key && is_number(result, i) &&
		     (found == SIZE_MAX || !is_moment(result->columns[found].kind)))) {
			found = i;
		}
	}
	return found;
}

static enum chart_kind
natural_kind(const struct result *result, const struct chart_plan *plan,
             const struct chart_columns *keys)
{
	if (plan->x.n > 0) {
		size_t x = plan->x.at[0];

		return plan->x.n > 1 || !is_number(result, x) ? CHART_BARS
		       : result->columns[x].is_key || is_moment(result->columns[x].kind)
		           ? CHART_LINE
		           : CHART_SCATTER;
	}
	if (first_number(result, keys) != SIZE_MAX) {
		return CHART_LINE;
	}
	return keys->n == 0 && chart_rows(result) > CHART_BARS_MOST ? CHART_HISTOGRAM : CHART_BARS;
}

/* All of keys but those that are x already. */
static void
add_rest(struct chart_columns *columns, const struct chart_columns *keys,
         const struct chart_plan *plan)
{
	for (size_t i = 0; i < keys->n; i++) {
		if (!has_column(&plan->x, keys->at[i]) && !has_column(&plan->y, keys->at[i])) {
			add_column(columns, keys->at[i]);
		}
	}
}

/* Of several runs below each other the run tells series apart, where more than it varies. */
static void
choose_bars(const struct result *result, const struct chart_columns *keys, bool has_series,
            struct chart_plan *plan)
{
	if (plan->x.n > 0) {
		return;
	}
	for (size_t i = 0; i < keys->n; i++) {
		if (!has_column(&plan->series, keys->at[i]) && !has_column(&plan->y, keys->at[i])) {
			bool is_run = keys->at[i] < result->n_apart && keys->n > 1 && !has_series;

			add_column(is_run ? &plan->series : &plan->x, keys->at[i]);
		}
	}
	if (plan->x.n == 0) {
		add_first_text(result, &plan->x);
	}
}

static void
choose_points(const struct result *result, const struct chart_columns *keys, bool has_series,
              struct chart_plan *plan)
{
	if (plan->x.n == 0) {
		size_t x = first_number(result, keys);

		x = x == SIZE_MAX ? first_place(result) : x;
		if (x == SIZE_MAX && plan->kind == CHART_SCATTER) {
			x = natural_measure(result, &plan->y);
		}
		if (x != SIZE_MAX) {
			add_column(&plan->x, x);
		}
	}
	if (!has_series) {
		struct chart_columns rest = {{0}, 0};

		add_rest(&rest, keys, plan);
		for (size_t i = 0; i < rest.n && chart_is_line(plan->kind); i++) {
			add_column(&plan->series, rest.at[i]);
		}
	}
}

/* The values are x; a y counts how often each occurs. */
static void
choose_values(const struct result *result, struct chart_plan *plan)
{
	static const struct chart_columns none = {{0}, 0};

	if (plan->x.n == 0 && plan->y.n > 0) {
		plan->x = plan->y;
		plan->y.n = 0;
	}
	if (plan->x.n == 0) {
		size_t x = natural_measure(result, &none);

		if (x != SIZE_MAX) {
			add_column(&plan->x, x);
		}
	}
}

/* Rows of the map are the series. */
static void
choose_cells(const struct result *result, const struct chart_columns *keys, bool has_series,
             struct chart_plan *plan)
{
	if (plan->x.n == 0) {
		size_t x = first_number(result, keys);

		for (size_t i = keys->n; i-- > 0 && x == SIZE_MAX;) {
			x = has_column(&plan->series, keys->at[i]) ? x : keys->at[i];
		}
		if (x != SIZE_MAX) {
			add_column(&plan->x, x);
		}
	}
	if (!has_series) {
		add_rest(&plan->series, keys, plan);
	}
}

static int
check_numbers(const struct result *result, const struct chart_columns *columns, const char *option,
              struct err *err)
{
	for (size_t i = 0; i < columns->n; i++) {
		if (!is_number(result, columns->at[i])) {
			return err_set(err, ERR_USAGE, "%s: %s is not a column of numbers", option,
			               result->columns[columns->at[i]].name);
		}
	}
	return 0;
}

/* Columns that are drawn on one axis must be of one kind and unit. */
static int
check_units(const struct result *result, const struct chart_columns *columns, struct err *err)
{
	const struct result_column *first = &result->columns[columns->at[0]];
	const char *unit = column_unit(first);

	for (size_t i = 1; i < columns->n; i++) {
		const struct result_column *other = &result->columns[columns->at[i]];
		const char *others = column_unit(other);

		if (other->kind != first->kind || !unit != !others ||
		    (unit && strcmp(unit, others) != 0)) {
			return err_set(err, ERR_USAGE,
			               "y: %s and %s have different units: ask for one of them",
			               first->name, other->name);
		}
	}
	return 0;
}

static int
check(const struct result *result, const struct chart_plan *plan, struct err *err)
{
	static const char *const needs[CHART_KINDS] = {
	    "bars need a column of numbers",
	    "a line needs a column of numbers for x",
	    "steps need a column of numbers for x",
	    "a scatter needs two columns of numbers",
	    "a histogram needs a column of numbers",
	    "a CDF needs a column of numbers",
	    "a heat map needs two keys and a number: x, series, y"};
	bool of_values = plan->kind == CHART_HISTOGRAM || plan->kind == CHART_CDF;
	bool of_names = plan->kind == CHART_BARS || plan->kind == CHART_HEATMAP;

	if ((plan->y.n == 0 && !of_values) || (plan->x.n == 0 && plan->kind != CHART_BARS) ||
	    (plan->kind == CHART_HEATMAP && plan->series.n == 0)) {
		return err_set(err, ERR_USAGE, "%s",
		               chart_rows(result) > 0 ? needs[plan->kind]
		                                      : "there are no rows to draw");
	}
	if (result->row_kinds && result->n_rows > 0) {
		return err_set(err, ERR_USAGE,
		               "runs as columns have rows of several units: leave --wide out");
	}
	if (!of_names && plan->x.n > 1) {
		return err_set(err, ERR_USAGE, "x: one column, as this is no chart of names");
	}
	if (plan->y.n > 1 && (of_values || plan->kind == CHART_HEATMAP)) {
		return err_set(err, ERR_USAGE, "y: one column, as it is what is counted or shown");
	}
	if ((!of_names && check_numbers(result, &plan->x, "x", err)) ||
	    check_numbers(result, &plan->y, "y", err)) {
		return -1;
	}
	return plan->y.n > 1 ? check_units(result, &plan->y, err) : 0;
}

/* The column called PREFIX WORD SUFFIX of the same kind; SIZE_MAX: none. */
static size_t
find_beside(const struct result *result, size_t column, struct slice prefix, const char *word,
            struct slice suffix)
{
	struct strbuf name = {0};

	strbuf_printf(&name, "%.*s%s%.*s", (int)prefix.len, prefix.ptr, word, (int)suffix.len,
	              suffix.ptr);
	int found = column_find(result->columns, result->n_columns, strbuf_slice(&name));
	strbuf_free(&name);
	return found >= 0 && result->columns[found].kind == result->columns[column].kind
	           ? (size_t)found
	           : SIZE_MAX;
}

/* "memory_mean" has memory_min and memory_max, "mean" min and max. */
static struct chart_spread
find_spread(const struct result *result, size_t column)
{
	static const char *const middles[] = {"mean", "median", "p50"};
	static const char *const pairs[][2] = {
	    {"p5", "p95"}, {"p10", "p90"}, {"p25", "p75"}, {"low", "high"}, {"min", "max"}};
	static const char *const deviations[] = {"std", "deviation"};
	const char *name = result->columns[column].name;
	struct chart_spread spread = {SIZE_MAX, SIZE_MAX, SIZE_MAX};

	for (size_t m = 0; m < COUNT_OF(middles); m++) {
		const char *at = strstr(name, middles[m]);
		struct slice prefix = {name, at ? (size_t)(at - name) : 0};
		struct slice suffix = slice_of(at ? at + strlen(middles[m]) : "");

		for (size_t i = 0; at && i < COUNT_OF(pairs); i++) {
			spread.low = find_beside(result, column, prefix, pairs[i][0], suffix);
			spread.high = find_beside(result, column, prefix, pairs[i][1], suffix);
			if (spread.low != SIZE_MAX && spread.high != SIZE_MAX) {
				return spread;
			}
		}
		for (size_t i = 0; at && i < COUNT_OF(deviations); i++) {
			spread.deviation =
			    find_beside(result, column, prefix, deviations[i], suffix);
			if (spread.deviation != SIZE_MAX) {
				break;
			}
		}
		if (at) {
			break;
		}
	}
	spread.low = spread.high = SIZE_MAX;
	return spread;
}

static int
read_log(const char *text, struct chart_plan *plan, struct err *err)
{
	for (const char *at = text; at && *at; at++) {
		plan->log_x = plan->log_x || *at == 'x';
		plan->log_y = plan->log_y || *at == 'y';
		if (!strchr("xy, ", *at)) {
			return err_set(err, ERR_USAGE, "log %s: x, y or x,y", text);
		}
	}
	return 0;
}

int
chart_plan_make(const struct result *result, const struct chart_wish *wish, struct chart_plan *plan,
                struct err *err)
{
	static const struct chart_columns none = {{0}, 0};
	struct chart_columns keys = varying_keys(result);

	*plan = (struct chart_plan){.most = wish->most ? wish->most : CHART_BARS_MOST};
	if (read_columns(result, wish->x, "x", &plan->x, err) ||
	    read_columns(result, wish->y, "y", &plan->y, err) ||
	    read_columns(result, wish->series, "series", &plan->series, err) ||
	    read_log(wish->log, plan, err)) {
		return -1;
	}
	plan->says_log = wish->log != NULL;
	plan->kind = wish->has_kind ? wish->kind : natural_kind(result, plan, &keys);
	bool has_series = wish->series != NULL;
	plan->series_is_guess = !has_series && chart_is_line(plan->kind) && plan->y.n < 2;
	bool of_values = plan->kind == CHART_HISTOGRAM || plan->kind == CHART_CDF;
	if (plan->y.n == 0 && !of_values) {
		choose_y(result, plan->x.n > 0 ? &plan->x : &none, plan);
	}
	if (of_values) {
		choose_values(result, plan);
	} else if (plan->kind == CHART_BARS) {
		choose_bars(result, &keys, has_series, plan);
	} else if (plan->kind == CHART_HEATMAP) {
		choose_cells(result, &keys, has_series, plan);
	} else {
		choose_points(result, &keys, has_series, plan);
	}
	for (size_t i = 0; i < plan->y.n; i++) {
		plan->spread[i] = find_spread(result, plan->y.at[i]);
	}
	return check(result, plan, err);
}

static bool
is_of_values(enum chart_kind kind)
{
	return kind == CHART_HISTOGRAM || kind == CHART_CDF;
}

static bool
has_columns(const struct result *result, struct slice list)
{
	struct slice name;

	while (list_next(&list, &name)) {
		if (column_find(result->columns, result->n_columns, name) < 0) {
			return false;
		}
	}
	return true;
}

/* Those of the columns that tell rows apart, else the first. Of several runs below each other the
 * run does so, too. */
static const char *
series_text(const struct result *result, struct slice names, struct arena *arena)
{
	struct strbuf text = {0};
	struct slice first = {0}, name;

	strbuf_add_text(&text, result->n_apart > 0 ? result->columns[0].name : "");
	while (list_next(&names, &name)) {
		int column = column_find(result->columns, result->n_columns, name);

		first = first.ptr ? first : name;
		if (chart_varies(result, (size_t)column)) {
			strbuf_printf(&text, "%s%.*s", text.len > 0 ? "," : "", (int)name.len,
			              name.ptr);
		}
	}
	strbuf_add_slice(&text, text.len > 0 ? slice_of("") : first);
	const char *kept = arena_strndup(arena, text.data ? text.data : "", text.len);
	strbuf_free(&text);
	return kept;
}

void
chart_wish_suggest(struct chart_wish *wish, const char *plot, const struct result *result,
                   struct arena *arena)
{
	struct chart_wish own = {0};
	struct slice name, value;

	for (struct slice rest = slice_of(plot ? plot : "");
	     query_plot_next(&rest, &name, &value);) {
		if (value.len == 0) {
			own.has_kind = chart_kind_find(name, &own.kind);
			continue;
		}
		if (slice_is(name, "log")) {
			own.log = arena_strndup(arena, value.ptr, value.len);
		} else if (!has_columns(result, value)) {
			return;
		} else if (slice_is(name, "series")) {
			own.series = series_text(result, value, arena);
		} else {
			*(slice_is(name, "x") ? &own.x : &own.y) =
			    arena_strndup(arena, value.ptr, value.len);
		}
	}
	if (own.kind == CHART_BARS && own.x && !own.series && result->n_apart > 0) {
		own.series = arena_strdup(arena, result->columns[0].name);
	}
	if (!own.has_kind ||
	    (wish->has_kind && is_of_values(wish->kind) != is_of_values(own.kind))) {
		return;
	}
	wish->log = wish->log || wish->x || wish->y ? wish->log : own.log;
	wish->x = wish->x ? wish->x : own.x;
	wish->y = wish->y ? wish->y : own.y;
	wish->series = wish->series ? wish->series : own.series;
	wish->kind = wish->has_kind ? wish->kind : own.kind;
	wish->has_kind = true;
}
