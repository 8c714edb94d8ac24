/*
 * plan (which columns) -> gather (a row, a value) -> fold (few series) -> reduce (few points).
 * Each step notes what it leaves out.
 */
#include "config.h"
#include "chart/chart_private.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/order.h"
#include "util/utf8.h"

/* What a row is called by these columns. */
static void
add_label(const struct result *result, size_t row, const struct chart_columns *columns,
          struct strbuf *out)
{
	char number[FORMAT_BYTES];

	for (size_t i = 0; i < columns->n; i++) {
		size_t column = columns->at[i];
		const struct value *value = result_value(result, row, column);

		if (i > 0) {
			strbuf_add_char(out, ' ');
		}
		if (value->type == VALUE_NULL) {
			strbuf_add_char(out, '-');
		} else if (value->type == VALUE_BLOB) {
			strbuf_add_text(out, "(blob)");
		} else {
			utf8_escape(out,
			            value_show(value, result_kind(result, row, column), number));
		}
	}
}

static struct slice
column_titles(struct chart *chart, const struct result *result, const struct chart_columns *columns)
{
	struct strbuf title = {0}, shown = {0};

	for (size_t i = 0; i < columns->n; i++) {
		if (i > 0) {
			strbuf_add_text(&title, ", ");
		}
		column_title(&result->columns[columns->at[i]], &title);
	}
	utf8_escape(&shown, strbuf_slice(&title));
	struct slice kept = arena_slice(chart->arena, strbuf_slice(&shown));
	strbuf_free(&title);
	strbuf_free(&shown);
	return kept;
}

static const char *
column_names(struct chart *chart, const struct result *result, const struct chart_columns *columns)
{
	struct strbuf names = {0};

	for (size_t i = 0; i < columns->n; i++) {
		strbuf_printf(&names, "%s%s", i > 0 ? "," : "",
		              result->columns[columns->at[i]].name);
	}
	const char *kept = arena_strndup(chart->arena, names.data ? names.data : "", names.len);
	strbuf_free(&names);
	return kept;
}

static double
number_at(const struct result *result, size_t row, size_t column)
{
	return column == SIZE_MAX ? NAN : value_number(result_value(result, row, column));
}

/* Is a value to be drawn? Else it is counted. */
static bool
is_drawn(struct chart_data *data, const struct value *value, bool is_log)
{
	double number = value_number(value);
	bool is_finite = fabs(number) <= CHART_LIMIT;

	data->n_missing += !value_is_number(value);
	data->n_infinite += value_is_number(value) && !is_finite;
	data->n_not_positive += is_finite && is_log && number <= 0;
	return is_finite && !(is_log && number <= 0);
}

static void
set_spread(const struct result *result, const struct chart_spread *spread, struct chart_raw *raw)
{
	double deviation = number_at(result, raw->row, spread->deviation);
	bool has_pair = spread->low != SIZE_MAX;

	raw->low = has_pair ? number_at(result, raw->row, spread->low) : raw->y - deviation;
	raw->high = has_pair ? number_at(result, raw->row, spread->high) : raw->y + deviation;
	if (!(fabs(raw->low) <= CHART_LIMIT && fabs(raw->high) <= CHART_LIMIT &&
	      raw->low <= raw->high)) {
		raw->low = raw->high = NAN;
	}
}

/* A value of a row: y_index is that of the column, of several. */
static void
add_raw(struct chart_data *data, size_t row, size_t y_index, const struct value *x,
        const struct value *y, struct strbuf *scratch)
{
	const struct chart_plan *plan = data->plan;
	struct chart_raw raw = {.row = (uint32_t)row, .y = y ? value_number(y) : 1};

	if ((x && !is_drawn(data, x, plan->log_x)) || (y && !is_drawn(data, y, plan->log_y))) {
		return;
	}
	if (x) {
		raw.x = value_number(x);
	} else if (plan->x.n > 0) {
		strbuf_clear(scratch);
		add_label(data->result, row, &plan->x, scratch);
		raw.x = intern_id(data->names, strbuf_slice(scratch));
	} else {
		strbuf_clear(scratch);
		strbuf_printf(scratch, "row %zu", row + 1);
		raw.x = intern_id(data->names, strbuf_slice(scratch));
	}
	strbuf_clear(scratch);
	add_label(data->result, row, &plan->series, scratch);
	if (plan->y.n > 1) {
		strbuf_add_text(scratch, scratch->len > 0 ? " " : "");
		utf8_escape(scratch, slice_of(data->result->columns[plan->y.at[y_index]].name));
	}
	raw.series = intern_id(data->labels, strbuf_slice(scratch));
	set_spread(data->result, &plan->spread[y_index], &raw);
	MEM_GROW(data->raw, data->capacity, data->n_raw + 1);
	data->raw[data->n_raw++] = raw;
}

static void
gather(struct chart_data *data)
{
	const struct chart_plan *plan = data->plan;
	const struct result *result = data->result;
	bool of_names = plan->kind == CHART_BARS || plan->kind == CHART_HEATMAP;
	struct strbuf scratch = {0};
	size_t n = LEAST(chart_rows(result), UINT32_MAX), n_y = MOST(plan->y.n, 1);
	size_t drawn = 0;

	for (size_t row = 0; row < n; row++) {
		size_t before = data->n_raw;

		for (size_t i = 0; i < n_y; i++) {
			add_raw(data, row, i,
			        of_names ? NULL : result_value(result, row, plan->x.at[0]),
			        plan->y.n > 0 ? result_value(result, row, plan->y.at[i]) : NULL,
			        &scratch);
		}
		drawn += data->n_raw > before;
	}
	data->chart->n_rows = drawn;
	strbuf_free(&scratch);
}

static void
note_left_out(struct chart_data *data)
{
	struct chart *chart = data->chart;
	size_t n = chart_rows(data->result);

	if (n == 0) {
		chart_note(chart, "there are no rows");
	}
	if (data->n_missing > 0) {
		chart_note(chart, "%zu of %zu values are missing", data->n_missing,
		           n * MOST(data->plan->y.n, 1));
	}
	if (data->n_infinite > 0) {
		chart_note(chart, "%zu values are no finite numbers (or beyond 1e300): left out",
		           data->n_infinite);
	}
	if (data->n_not_positive > 0) {
		chart_note(chart,
		           "%zu values are not above 0: they have no place on a "
		           "logarithmic scale",
		           data->n_not_positive);
	}
}

/* ---- series ---- */

struct series_size {
	double size;
	uint32_t
	    nth; /* of its run: of series alike in size each run has its first, then its second */
	uint32_t id;
};

static int
size_compare(const void *left, const void *right)
{
	const struct series_size *a = left, *b = right;

	ORDER_BY(b->size, a->size);
	ORDER_BY(a->nth, b->nth);
	return ORDER(a->id, b->id);
}

static bool
has_other(const struct chart_data *data)
{
	enum chart_kind kind = data->plan->kind;

	return kind == CHART_SCATTER || kind == CHART_HISTOGRAM || kind == CHART_CDF;
}

/* Which of its run's series each is, in the result's order. */
static void
count_by_run(const struct chart_data *data, struct series_size *sizes, uint32_t n)
{
	struct intern *runs = intern_new();
	bool *is_seen = xcalloc(n + 1, sizeof *is_seen);
	uint32_t *counts = xcalloc(n + 1, sizeof *counts);

	for (size_t i = 0; i < data->n_raw; i++) {
		const struct chart_raw *raw = &data->raw[i];
		const struct value *run = result_value(data->result, raw->row, 0);

		if (!is_seen[raw->series] && run->type == VALUE_TEXT) {
			uint32_t id = intern_id(runs, run->text);

			is_seen[raw->series] = true;
			sizes[raw->series].nth = id < n ? counts[id]++ : 0;
		}
	}
	intern_free(runs);
	free(is_seen);
	free(counts);
}

/* Series that do not fit: points and counts can stand together, lines and bars can't, as a mean of
 * means is none. new_of: by label, UINT32_MAX: left out. */
static size_t
choose_series(struct chart_data *data, uint32_t *new_of)
{
	uint32_t n = intern_count(data->labels);
	struct series_size *sizes = xcalloc(n + 1, sizeof *sizes);
	size_t kept = LEAST(n, CHART_SERIES);

	for (uint32_t i = 0; i < n; i++) {
		sizes[i].id = i;
	}
	for (size_t i = 0; i < data->n_raw; i++) {
		sizes[data->raw[i].series].size += has_other(data) ? 1 : fabs(data->raw[i].y);
	}
	if (n > kept) {
		if (data->result->n_apart > 0) {
			count_by_run(data, sizes, n);
		}
		SORT(sizes, n, size_compare);
		kept -= has_other(data);
	}
	for (uint32_t i = 0; i < n; i++) {
		new_of[i] = has_other(data) ? (uint32_t)kept : UINT32_MAX;
	}
	/* in the result's order */
	for (size_t i = 0; i < kept; i++) {
		new_of[sizes[i].id] = 0;
	}
	uint32_t next = 0;
	for (uint32_t i = 0; i < n; i++) {
		new_of[i] = new_of[i] == 0 && next < kept ? next++ : new_of[i];
	}
	free(sizes);
	return kept;
}

static void
fold_series(struct chart_data *data)
{
	struct chart *chart = data->chart;
	uint32_t n = intern_count(data->labels);
	uint32_t *new_of = xcalloc(n + 1, sizeof *new_of);
	size_t kept = choose_series(data, new_of), to = 0;
	bool folds = n > kept && has_other(data);

	chart->n_series = kept + folds;
	chart->series = arena_zalloc(chart->arena, (chart->n_series + 1) * sizeof *chart->series);
	for (uint32_t i = 0; i < n; i++) {
		if (new_of[i] < kept) {
			chart->series[new_of[i]].name =
			    arena_slice(chart->arena, intern_text(data->labels, i));
		}
	}
	if (folds) {
		chart->series[kept].name =
		    slice_of(arena_printf(chart->arena, "other (%" PRIu32 ")", n - (uint32_t)kept));
		chart->series[kept].is_other = true;
		chart_note(
		    chart,
		    "%zu of %" PRIu32
		    " series are shown, those of most rows; the others stand together as \"other\"",
		    kept, n);
	} else if (n > kept) {
		chart_note(chart,
		           "%zu of %" PRIu32
		           " series are shown, the largest; --series or a filter chooses others",
		           kept, n);
	}
	for (size_t i = 0; i < data->n_raw; i++) {
		uint32_t series = new_of[data->raw[i].series];

		if (series != UINT32_MAX) {
			data->raw[to] = data->raw[i];
			data->raw[to++].series = series;
		}
	}
	data->n_raw = to;
	free(new_of);
}

/* A guess at series that finds hardly two rows for each has found none. */
static void
join_series(struct chart_data *data)
{
	uint32_t n = intern_count(data->labels);

	if (n <= CHART_SERIES || n <= data->n_raw / 2) {
		return;
	}
	intern_free(data->labels);
	data->labels = intern_new();
	for (size_t i = 0; i < data->n_raw; i++) {
		data->raw[i].series = intern_id(data->labels, slice_of(""));
	}
	data->chart->series_title = NULL;
	data->chart->series_columns = "";
}

/* ---- colours ---- */

bool
chart_colour_mode(const struct chart *chart, enum colour_mode *mode)
{
	static const struct {
		const char *column;
		enum colour_mode mode;
	} columns[] = {{"name", COLOUR_NAME},
	               {"kind", COLOUR_NAME},
	               {"category", COLOUR_CATEGORY},
	               {"class", COLOUR_CLASS}};
	struct slice title = chart->series_title         ? slice_of(chart->series_title)
	                     : chart->kind == CHART_BARS ? chart->x.title
	                                                 : slice_of("");
	size_t i = NAME_FIND(title, columns);

	if (i < COUNT_OF(columns)) {
		*mode = columns[i].mode;
	}
	return i < COUNT_OF(columns);
}

static uint8_t
slot_of(const struct colours *colours, struct slice name)
{
	if (!colours || !colours->slots) {
		return COLOUR_SLOT_NONE;
	}
	uint32_t rank = colours_rank_of_text(colours, name);
	/* a kind of tasks is a label, but the name of none */
	for (uint32_t i = 0; rank == COLOUR_NONE && i < LEAST(colours->n, COLOUR_SLOTS); i++) {
		rank = slice_equal(colours->labels[i], name) ? i : rank;
	}
	return rank >= colours->n ? COLOUR_SLOT_NONE : colours->slots[rank];
}

static void
give_marks(struct chart *chart)
{
	bool is_taken[256] = {false};

	for (size_t i = 0; i < chart->n_series; i++) {
		struct chart_series *series = &chart->series[i];

		series->mark = series->is_other       ? '.'
		               : chart->n_series == 1 ? '*'
		                                      : colour_mark(series->name, is_taken);
		is_taken[(unsigned char)series->mark] = true;
	}
}

/* Names that have colours in timelines have them here, or one of their own; all else, as runs, the
 * one after the other those that differ most, in lightness, too. */
static void
give_slots(struct chart *chart, const struct colours *colours)
{
	static const uint8_t apart[] = {5, 7, 10, 11, 8, 6, 4, 0};
	bool is_taken[COLOUR_SLOTS] = {false};
	enum colour_mode mode;
	bool has_names = chart_colour_mode(chart, &mode);

	for (size_t i = 0; i < chart->n_series; i++) {
		struct chart_series *series = &chart->series[i];

		series->slot = has_names ? slot_of(colours, series->name) : COLOUR_SLOT_NONE;
		if (series->slot != COLOUR_SLOT_NONE) {
			is_taken[series->slot] = true;
		}
	}
	for (size_t i = 0; i < chart->n_series; i++) {
		struct chart_series *series = &chart->series[i];

		if (series->slot == COLOUR_SLOT_NONE && !series->is_other && chart->series_title) {
			series->slot = has_names ? colour_slot(series->name, is_taken)
			                         : apart[i % COUNT_OF(apart)];
		}
	}
}

void
chart_set_colours(struct chart *chart, const struct colours *colours)
{
	give_slots(chart, colours);
	if (colours && chart->kind == CHART_BARS && !chart->series_title) {
		uint8_t *slots = arena_alloc(chart->arena, chart->x.n_names + 1);

		for (size_t i = 0; i < chart->x.n_names; i++) {
			slots[i] = slot_of(colours, chart->x.names[i]);
			chart->name_slots =
			    slots[i] != COLOUR_SLOT_NONE ? slots : chart->name_slots;
		}
	}
}

/* ---- the chart ---- */

static void
make_axes(struct chart *chart, const struct result *result, const struct chart_plan *plan)
{
	struct slice x = plan->x.n > 0 ? column_titles(chart, result, &plan->x) : slice_of("row");
	bool of_names = plan->kind == CHART_BARS || plan->kind == CHART_HEATMAP;

	chart->title = arena_slice(chart->arena, slice_of(result->title ? result->title : ""));
	chart->x = (struct chart_axis){
	    .title = x,
	    .kind = of_names || plan->x.n == 0 ? KIND_TEXT : result->columns[plan->x.at[0]].kind,
	    .is_log = plan->log_x && !of_names,
	};
	chart->y = (struct chart_axis){
	    .kind = KIND_COUNT, .title = slice_of("rows"), .is_log = plan->log_y};
	if (plan->y.n > 0) {
		chart->y.title = column_titles(chart, result, &plan->y);
		chart->y.kind = result->columns[plan->y.at[0]].kind;
	}
	if (plan->series.n > 0 && (plan->kind != CHART_HEATMAP)) {
		struct slice titles = column_titles(chart, result, &plan->series);

		chart->series_title = arena_strndup(chart->arena, titles.ptr, titles.len);
	} else if (plan->y.n > 1) {
		chart->series_title = "measure";
	}
	chart->x_columns = column_names(chart, result, &plan->x);
	chart->y_columns = column_names(chart, result, &plan->y);
	chart->series_columns = column_names(chart, result, &plan->series);
}

static void
note_spread(struct chart_data *data)
{
	const struct chart_plan *plan = data->plan;
	const struct chart_spread *spread = &plan->spread[0];
	const struct result_column *columns = data->result->columns;
	const char *form = plan->kind == CHART_BARS ? "whiskers" : "the band";

	if (plan->kind != CHART_BARS && !chart_is_line(plan->kind)) {
		return;
	}
	if (spread->low != SIZE_MAX) {
		chart_note(data->chart, "%s: %s to %s", form, columns[spread->low].name,
		           columns[spread->high].name);
	} else if (spread->deviation != SIZE_MAX) {
		chart_note(data->chart, "%s: %s on either side", form,
		           columns[spread->deviation].name);
	}
}

static bool
is_shown(const struct chart_plan *plan, size_t column)
{
	const struct chart_columns *all[] = {&plan->x, &plan->y, &plan->series};

	for (size_t i = 0; i < COUNT_OF(all); i++) {
		for (size_t k = 0; k < all[i]->n; k++) {
			if (all[i]->at[k] == column) {
				return true;
			}
		}
	}
	return false;
}

/* Keys that all rows share tell nothing apart, but what the picture is of. */
static void
note_shared(struct chart_data *data)
{
	const struct result *result = data->result;
	struct strbuf text = {0};

	for (size_t i = 0; i < result->n_columns && chart_rows(result) > 1; i++) {
		const struct chart_columns one = {{i}, 1};

		if (result->columns[i].is_key && !is_shown(data->plan, i) &&
		    !chart_varies(result, i) && result_value(result, 0, i)->type != VALUE_NULL) {
			strbuf_add_text(&text, text.len > 0 ? ", " : "all of ");
			strbuf_add_text(&text, result->columns[i].name);
			strbuf_add_char(&text, ' ');
			add_label(result, 0, &one, &text);
		}
	}
	if (text.len > 0) {
		chart_note(data->chart, "%s", text.data);
	}
	strbuf_free(&text);
}

struct chart *
chart_new(const struct result *result, const struct chart_wish *wish, struct err *err)
{
	struct chart_plan plan;
	struct chart *chart;

	if (chart_plan_make(result, wish, &plan, err)) {
		return NULL;
	}
	struct arena *arena = arena_new();
	chart = arena_zalloc(arena, sizeof *chart);
	chart->arena = arena;
	chart->kind = plan.kind;
	make_axes(chart, result, &plan);
	struct chart_data data = {.chart = chart,
	                          .result = result,
	                          .plan = &plan,
	                          .names = intern_new(),
	                          .labels = intern_new()};
	gather(&data);
	note_left_out(&data);
	if (plan.series_is_guess) {
		join_series(&data);
	}
	if (plan.kind == CHART_HEATMAP) {
		chart_reduce_cells(&data);
	} else {
		fold_series(&data);
		if (plan.kind == CHART_HISTOGRAM || plan.kind == CHART_CDF) {
			chart_reduce_values(&data);
		} else {
			chart_reduce(&data);
		}
	}
	note_spread(&data);
	note_shared(&data);
	for (size_t i = 0; i < result->n_notes; i++) {
		chart_note(chart, "%s", result->notes[i]);
	}
	give_marks(chart);
	chart_set_colours(chart, NULL);
	intern_free(data.names);
	intern_free(data.labels);
	free(data.raw);
	return chart;
}

void
chart_free(struct chart *chart)
{
	if (chart) {
		arena_free(chart->arena);
	}
}
