/*
 * The figures are those that the head of the list of spans shows, so that they add up to it: counts
 * of spans, sums of calls. Only what is asked for is computed; quantiles cost passes of their own.
 */
#include "config.h"

#include "query/spans/span_groups.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/intervals.h"
#include "util/mem.h"

#define FIGURES_MOST 24 /* more than there are */

struct group_figure {
	const char *name, *about;
	enum column_kind kind;
	int sums;
	enum measure measure;
	unsigned need; /* of what sums compute: SUMS_NO_... that must not stand */
	unsigned quantile;
	struct value (*value)(const struct group_sums *group, const struct group_figure *figure,
	                      double whole);
	const char *name_beside; /* where the groups are by a column of its name */
};

/* ---- figures ---- */

static const struct measure_sums *
measure_of(const struct group_sums *group, const struct group_figure *figure)
{
	return &group->measure[figure->measure];
}

static const struct value missing = {.type = VALUE_NULL};

static struct value
count_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	(void)figure;
	(void)whole;
	return value_integer(group->rows);
}

static struct value
calls_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	(void)figure;
	(void)whole;
	return group->n_leaves ? missing : value_integer(group->n);
}

static struct value
sum_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	const struct measure_sums *sums = measure_of(group, figure);

	(void)whole;
	return sums->n == 0 || sums->sum_leaves ? missing : value_integer(sums->sum);
}

static double
real_sum(const struct measure_sums *sums)
{
	return sums->sum_leaves ? sums->real_sum : (double)sums->sum;
}

static struct value
share_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	return whole > 0 ? value_real(real_sum(measure_of(group, figure)) / whole) : missing;
}

static struct value
rounded(double ns)
{
	return isfinite(ns) && fabs(ns) < 9e18 ? value_integer(llround(ns)) : missing;
}

/* Whole durations, wherever the scope's range cuts them. */
static struct value
whole_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	const struct measure_sums *sums = measure_of(group, figure);
	int64_t sum;

	(void)whole;
	return sums->n == 0 || sums->sum_leaves ||
	               __builtin_add_overflow(sums->sum, sums->outside, &sum)
	           ? missing
	           : value_integer(sum);
}

static struct value
mean_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	const struct measure_sums *sums = measure_of(group, figure);

	(void)whole;
	return rounded(sums->n > 0 ? (real_sum(sums) + (double)sums->outside) / (double)sums->n
	                           : NAN);
}

static struct value
min_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	const struct measure_sums *sums = measure_of(group, figure);

	(void)whole;
	return sums->n == 0 || sums->has_no_range ? missing : value_integer(sums->min);
}

static struct value
max_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	const struct measure_sums *sums = measure_of(group, figure);

	(void)whole;
	return sums->n == 0 || sums->has_no_range ? missing : value_integer(sums->max);
}

static struct value
std_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	const struct measure_sums *sums = measure_of(group, figure);

	(void)whole;
	return sums->has_no_distribution || sums->squares_leave ? missing
	                                                        : rounded(sums->deviation);
}

static struct value
quantile_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	const struct measure_sums *sums = measure_of(group, figure);
	unsigned place = 0;

	(void)whole;
	while (figure->quantile >> place > 1) {
		place++;
	}
	return sums->has_no_distribution ? missing : rounded(sums->quantile[place]);
}

static struct value
first_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	(void)figure;
	(void)whole;
	return value_integer(group->start_min);
}

static struct value
last_value(const struct group_sums *group, const struct group_figure *figure, double whole)
{
	(void)figure;
	(void)whole;
	return value_integer(group->end_max);
}

#define QUANTILE(percent)                                                                          \
	{                                                                                          \
		.name = "p" #percent, .about = #percent " of 100 durations are not above it",      \
		.kind = KIND_DURATION, .sums = SUMS_NOT, .quantile = QUANTILE_##percent,           \
		.value = quantile_value                                                            \
	}

static const struct group_figure figures[] = {
    {"count", "spans", KIND_COUNT, SUMS_UP, .value = count_value},
    {"calls", "calls: more than spans where records stand for many", KIND_COUNT, SUMS_UP,
     .value = calls_value, .name_beside = "calls_sum"},
    {"inside", "sum of durations, of their parts in the scope's range", KIND_DURATION, SUMS_UP,
     MEASURE_DURATION, SUMS_NO_SUM, .value = sum_value},
    {"total", "sum of durations", KIND_DURATION, SUMS_UP, MEASURE_DURATION, SUMS_NO_SUM,
     .value = whole_value},
    {"self", "sum of durations without what is nested in them", KIND_DURATION, SUMS_UP,
     MEASURE_SELF, SUMS_NO_SUM, .value = sum_value, .name_beside = "self_sum"},
    {"mean", "mean duration of a call", KIND_DURATION, SUMS_NOT, MEASURE_DURATION, SUMS_NO_SUM,
     .value = mean_value},
    {"min", "the shortest", KIND_DURATION, SUMS_NOT, MEASURE_DURATION, SUMS_NO_RANGE,
     .value = min_value},
    QUANTILE(25),
    QUANTILE(50),
    QUANTILE(75),
    QUANTILE(90),
    QUANTILE(95),
    QUANTILE(99),
    {"max", "the longest", KIND_DURATION, SUMS_NOT, MEASURE_DURATION, SUMS_NO_RANGE,
     .value = max_value},
    {"std", "standard deviation of durations (n - 1)", KIND_DURATION, SUMS_NOT, MEASURE_DURATION,
     SUMS_NO_SQUARES | SUMS_NO_SUM, .value = std_value},
    {"share", "of the time of all, in the scope's range", KIND_PERCENT, SUMS_NOT, MEASURE_DURATION,
     SUMS_NO_SUM, .value = share_value},
    {"size", "bytes", KIND_SIZE, SUMS_UP, MEASURE_SIZE, SUMS_NO_SUM, .value = sum_value,
     .name_beside = "size_sum"},
    {"first", "when the first begins", KIND_TIME, SUMS_NOT, .value = first_value},
    {"last", "when the last ends", KIND_TIME, SUMS_NOT, .value = last_value},
};

static int
no_figure(struct slice name, struct err *err)
{
	struct strbuf list = {0};

	for (size_t i = 0; i < COUNT_OF(figures); i++) {
		strbuf_printf(&list, "%s%s", i ? ", " : "", figures[i].name);
	}
	err_set(err, ERR_USAGE, "columns: no '%.*s'; there are %s", (int)name.len, name.ptr,
	        list.data);
	strbuf_free(&list);
	return -1;
}

static int
read_figures(const char *text, const struct group_figure *chosen[FIGURES_MOST], size_t *n,
             struct err *err)
{
	struct slice rest = slice_of(text);

	*n = 0;
	while (rest.len > 0) {
		const char *comma = memchr(rest.ptr, ',', rest.len);
		size_t length = comma ? (size_t)(comma - rest.ptr) : rest.len;
		struct slice name = slice_trim((struct slice){rest.ptr, length}, " \t");
		size_t i = NAME_FIND(name, figures);

		if (i == COUNT_OF(figures)) {
			return no_figure(name, err);
		}
		for (size_t c = 0; c < *n; c++) {
			if (chosen[c] == &figures[i]) {
				return err_set(err, ERR_USAGE, "columns: %s stands there twice",
				               figures[i].name);
			}
		}
		chosen[(*n)++] = &figures[i];
		rest = slice_from(rest, length + 1);
	}
	return *n > 0 ? 0 : no_figure(slice_of(""), err);
}

/* ---- the scan ---- */

static struct sums *
add_up(const struct span_groups *request, const struct group_figure *const *chosen, size_t n,
       struct err *err)
{
	struct strbuf by = {0};
	struct sums_request sums = {.kind = BLOCK_SPAN,
	                            .filter = request->filter,
	                            .unread_times = true,
	                            .unread_unfinished = true,
	                            .group_limit = request->group_limit ? request->group_limit
	                                                                : SPAN_GROUPS_LIMIT,
	                            .cancel = request->cancel};

	span_by_write(request->by, &by);
	sums.by = by.data;
	for (int m = 0; m < MEASURES; m++) {
		sums.unread[m] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES;
	}
	for (size_t i = 0; i < n; i++) {
		sums.unread[chosen[i]->measure] &= ~chosen[i]->need;
		sums.quantiles[chosen[i]->measure] |= chosen[i]->quantile;
		sums.unread_times &=
		    chosen[i]->value != first_value && chosen[i]->value != last_value;
	}
	struct sums *all = sums_run(request->dataset, &sums, err);

	strbuf_free(&by);
	return all;
}

/* ---- the table ---- */

static struct value
key_value(struct result *result, const struct scan_value *key)
{
	switch (key->type) {
	case SCAN_INTEGER:
		return value_integer(key->integer);
	case SCAN_REAL:
		return value_real(key->real);
	case SCAN_TEXT:
		return value_text(result, key->text);
	default:
		return missing;
	}
}

/* Numbers of arguments and of processes stand to the right, as numbers do. */
static void
find_kinds(struct result *result, size_t n_keys)
{
	for (size_t c = 0; c < n_keys; c++) {
		bool is_number = result->n_rows > 0, has_real = false, any = false;

		for (size_t r = 0; is_number && r < result->n_rows; r++) {
			const struct value *value = result_value(result, r, c);

			is_number = value->type != VALUE_TEXT;
			has_real |= value->type == VALUE_REAL;
			any |= value->type != VALUE_NULL;
		}
		if (is_number && any && result->columns[c].kind == KIND_TEXT) {
			result->columns[c].kind = has_real ? KIND_REAL : KIND_INTEGER;
		}
	}
}

static struct result *
new_table(const struct span_by *by, const struct group_figure *const *chosen, size_t n)
{
	struct result_column columns[SCAN_DIMENSIONS + FIGURES_MOST] = {{.name = NULL}};
	struct strbuf title = {0};

	strbuf_add_text(&title, "Spans by ");
	span_by_write(by, &title);
	for (unsigned c = 0; c < by->n; c++) {
		columns[c] = (struct result_column){.name = by->columns[c].name,
		                                    .kind = span_by_kind(&by->columns[c]),
		                                    .is_key = true};
	}
	for (size_t i = 0; i < n; i++) {
		const char *name = chosen[i]->name;
		bool is_taken = column_find(columns, by->n, slice_of(name)) >= 0;

		columns[by->n + i] =
		    (struct result_column){.name = is_taken ? chosen[i]->name_beside : name,
		                           .kind = chosen[i]->kind,
		                           .is_measure = true,
		                           .sums = chosen[i]->sums,
		                           .about = chosen[i]->about};
	}
	struct result *result = result_new(title.data, columns, by->n + n);

	strbuf_free(&title);
	return result;
}

/* What the figures leave out or count else than one may think. */
static void
add_notes(struct result *result, int64_t rows, int64_t calls, bool has_left)
{
	if (calls > rows) {
		result_add_note(result,
		                "records stand for many calls: count is of records, mean of calls "
		                "(the column `calls` counts these)");
	}
	if (has_left) {
		result_add_note(result, "sums that leave 64 bits are left out");
	}
}

/* Nobody asked for bytes: not where no span has any. Nor for a total twice. */
static void
drop_idle(struct result *result, bool has_range)
{
	bool *keeps = xcalloc(result->n_columns + 1, sizeof *keeps);

	for (size_t c = 0; c < result->n_columns; c++) {
		const struct result_column *column = &result->columns[c];

		keeps[c] = column->kind != KIND_SIZE || column->is_key;
		for (size_t r = 0; r < result->n_rows && !keeps[c]; r++) {
			keeps[c] = result_value(result, r, c)->type != VALUE_NULL;
		}
		keeps[c] &= has_range || column->is_key || strcmp(column->name, "inside") != 0;
	}
	result_keep_columns(result, keeps);
	free(keeps);
}

/* The largest first: by the total, or the first figure that is there instead. */
static int
put_in_order(struct result *result, unsigned n_keys, struct err *err)
{
	int column = column_find(result->columns, result->n_columns, slice_of("inside"));
	struct strbuf order = {0};

	if (column < 0) {
		column = column_find(result->columns, result->n_columns, slice_of("total"));
	}
	strbuf_printf(&order, "-%s", result->columns[column < 0 ? (int)n_keys : column].name);
	int rc = result_sort(result, order.data, err);

	strbuf_free(&order);
	return rc;
}

static void
fill(struct result *result, const struct span_by *by, struct sums *sums,
     const struct group_figure *const *chosen, size_t n)
{
	int64_t rows = 0, calls = 0;
	bool has_left = false;
	double whole = 0;

	for (size_t g = 0; g < sums_count(sums); g++) {
		const struct group_sums *group = sums_group(sums, g);

		whole += real_sum(&group->measure[MEASURE_DURATION]);
		rows += group->rows;
		calls = group->n_leaves ? INT64_MAX : time_add(calls, group->n);
		for (int m = 0; m < MEASURES; m++) {
			has_left |= group->measure[m].sum_leaves;
		}
	}
	for (size_t g = 0; g < sums_count(sums); g++) {
		const struct group_sums *group = sums_group(sums, g);
		struct value *row = result_add_row(result);

		for (unsigned c = 0; c < by->n; c++) {
			struct scan_value key = sums_key(sums, g, by->columns[c].dimension);

			row[c] = key_value(result, &key);
		}
		for (size_t i = 0; i < n; i++) {
			row[by->n + i] = chosen[i]->value(group, chosen[i], whole);
		}
	}
	find_kinds(result, by->n);
	add_notes(result, rows, calls, has_left);
}

struct result *
span_groups(const struct span_groups *request, struct err *err)
{
	const struct group_figure *chosen[FIGURES_MOST];
	const struct span_by *by = request->by;
	const char *columns = request->columns ? request->columns : SPAN_GROUPS_COLUMNS;
	size_t n;

	if (read_figures(columns, chosen, &n, err)) {
		return NULL;
	}
	struct sums *sums = add_up(request, chosen, n, err);

	if (!sums) {
		return NULL;
	}
	struct result *result = new_table(by, chosen, n);

	fill(result, by, sums, chosen, n);
	sums_free(sums);
	if (!request->columns) {
		drop_idle(result, request->dataset->scope.has_range);
	}
	if (put_in_order(result, by->n, err)) {
		result_free(result);
		return NULL;
	}
	return result;
}

char *
span_groups_filter(const struct span_by *by, unsigned n, const char *filter,
                   const struct result *result, size_t row)
{
	struct strbuf all = {0}, condition = {0};

	if (filter) {
		span_by_and(&all, filter);
	}
	for (unsigned c = 0; c < n; c++) {
		const struct value *value = result_value(result, row, c);
		bool is_bucket = by->columns[c].dimension == ROW_BUCKET;

		strbuf_clear(&condition);
		span_by_condition(&by->columns[c], value,
		                  is_bucket && span_by_is_least(result, c, value), &condition);
		span_by_and(&all, condition.data);
	}
	strbuf_free(&condition);
	return all.len > 0 ? strbuf_take(&all) : NULL;
}
