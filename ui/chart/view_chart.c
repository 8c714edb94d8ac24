/*
 * A result as a chart, over the table that it came from: a row of the table is a row of the result,
 * so what is selected here leads on as the table's row does. The chart is made on the worker, which
 * also reads which colours names have in the run's timeline.
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ui/app/view.h"
#include "ui/base/list.h"
#include "ui/base/result_hold.h"
#include "ui/base/texts.h"
#include "ui/chart/chart_save.h"
#include "util/order.h"

#define PAGE 10
#define NOTES 3

enum chart_part { PART_KIND, PART_X, PART_Y, PART_SERIES, PART_LOG, PARTS };
static const char *const part_names[PARTS] = {"kind", "x", "y", "series", "log"};

struct chart_view {
	struct result_hold *hold;
	char *texts[PARTS];  /* what is asked for; NULL: what the query or its columns suggest */
	char *natural;       /* the query's own line; NULL: none */
	struct chart *chart; /* NULL: none yet */
	struct chart_cursor cursor;
};

struct chart_job {
	struct view_job job;
	struct result_hold *hold;
	char *texts[PARTS], *natural;
	bool goes_on; /* to the next kind where the columns make none of this one */
	struct chart *chart;
};

/* ---- making it ---- */

static int
make_chart(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct chart_job *mine = (struct chart_job *)job;
	struct chart_wish wish = {.x = mine->texts[PART_X],
	                          .y = mine->texts[PART_Y],
	                          .series = mine->texts[PART_SERIES],
	                          .log = mine->texts[PART_LOG],
	                          .most = CHART_VIEW_MOST};
	const char *kind = mine->texts[PART_KIND];
	enum colour_mode mode;

	if (kind && !chart_kind_find(slice_of(kind), &wish.kind)) {
		return err_set(err, ERR_USAGE, "%s is no kind of chart", kind);
	}
	wish.has_kind = kind != NULL;
	struct arena *arena = arena_new();
	for (int i = 0; !mine->chart && i < (mine->goes_on ? CHART_KINDS : 1); i++) {
		struct chart_wish suggested = wish;

		chart_wish_suggest(&suggested, mine->natural, mine->hold->result, arena);
		*err = (struct err)ERR_INIT;
		mine->chart = chart_new(mine->hold->result, &suggested, err);
		wish.kind = (wish.kind + 1) % CHART_KINDS;
	}
	arena_free(arena);
	if (!mine->chart) {
		return -1;
	}
	if (job->run_path && chart_colour_mode(mine->chart, &mode)) {
		struct store *store = job_store(job, worker, err);
		struct colours *colours = store ? colours_new(store, NULL, NULL, mode, err) : NULL;

		if (!colours) {
			return -1;
		}
		chart_set_colours(mine->chart, colours);
		colours_release(colours);
	}
	return 0;
}

static void
free_chart_job(struct view_job *job)
{
	struct chart_job *mine = (struct chart_job *)job;

	result_hold_release(mine->hold);
	for (size_t i = 0; i < PARTS; i++) {
		free(mine->texts[i]);
	}
	free(mine->natural);
	chart_free(mine->chart);
}

static void
ask(struct view *view, bool goes_on)
{
	const struct chart_view *state = view->state;
	struct chart_job *mine =
	    job_new(sizeof *mine, 0, make_chart, free_chart_job, view->run_path);

	mine->hold = result_hold_retain(state->hold);
	for (size_t i = 0; i < PARTS; i++) {
		mine->texts[i] = state->texts[i] ? xstrdup(state->texts[i]) : NULL;
	}
	mine->goes_on = goes_on;
	mine->natural = state->natural ? xstrdup(state->natural) : NULL;
	view_submit(view, &mine->job);
}

/* ---- where the cursor is ---- */

static const struct chart_series *
series_at(const struct chart_view *state, size_t i)
{
	return state->chart && i < state->chart->n_series ? &state->chart->series[i] : NULL;
}

static const struct chart_point *
point_at(const struct chart_view *state)
{
	const struct chart_series *series = series_at(state, state->cursor.series);

	return series && state->cursor.point < series->n ? &series->points[state->cursor.point]
	                                                 : NULL;
}

static int
note_rows(const struct chart_view *state, int height)
{
	size_t n = state->chart ? state->chart->n_notes : 0;

	return height < 8 ? 0 : (int)LEAST(n, NOTES);
}

/* Of the view's area: the chart, a line about what is selected, notes. */
static struct area
chart_area(const struct view *view)
{
	struct area area = view->area;
	int below = note_rows(view->state, area.height) + (area.height > 2);

	area.x += area.width > 4;
	area.width -= area.width > 4 ? 2 : 0;
	area.height = MOST(area.height - below, 1);
	return area;
}

/* The row of the cursor is on the screen. */
static void
settle(struct view *view)
{
	struct chart_view *state = view->state;

	if (point_at(state) && chart_draw_rows(state->chart, 1) > 0) {
		int rows = chart_draw_plot_rows(state->chart, chart_area(view));
		int row =
		    chart_draw_row_of(state->chart, state->cursor.series, state->cursor.point);

		state->cursor.first_row = LEAST(state->cursor.first_row, row);
		state->cursor.first_row = MOST(state->cursor.first_row, row - rows + 1);
	}
}

/* The first point there is. */
static void
put_cursor(struct chart_view *state)
{
	state->cursor = (struct chart_cursor){0};
	while (state->cursor.series + 1 < state->chart->n_series && !point_at(state)) {
		state->cursor.series++;
	}
}

static double
distance(const struct chart *chart, const struct chart_point *a, const struct chart_point *b,
         bool is_map)
{
	return is_map ? fabs(a->x - b->x)
	              : fabs(chart_axis_share(&chart->x, a->x) - chart_axis_share(&chart->x, b->x));
}

/* The nearest point of another series, or of a heat map of another row. */
static void
go_across(struct chart_view *state, int by)
{
	const struct chart *chart = state->chart;
	const struct chart_point *from = point_at(state);
	bool is_map = chart->kind == CHART_HEATMAP;
	struct chart_cursor best = state->cursor;
	double least = INFINITY, row = from->y + by;
	size_t to = state->cursor.series + (size_t)by; /* wraps to what is none */
	const struct chart_series *series = is_map ? &chart->series[0] : series_at(state, to);

	for (size_t i = 0; series && i < series->n; i++) {
		const struct chart_point *point = &series->points[i];
		double far = distance(chart, from, point, is_map);

		if ((!is_map || point->y == row) && far < least) {
			least = far;
			best.point = i;
			best.series = is_map ? 0 : to;
		}
	}
	state->cursor = best;
}

/* Bars below each other, of all series. */
static void
go_down(struct chart_view *state, int by)
{
	int now = chart_draw_row_of(state->chart, state->cursor.series, state->cursor.point);
	int nearest = by > 0 ? INT32_MAX : -1;

	for (size_t i = 0; i < state->chart->n_series; i++) {
		for (size_t k = 0; k < state->chart->series[i].n; k++) {
			int row = chart_draw_row_of(state->chart, i, k);

			if (by > 0 ? row > now && row < nearest : row < now && row > nearest) {
				nearest = row;
				state->cursor.series = i;
				state->cursor.point = k;
			}
		}
	}
}

static void
go_along(struct chart_view *state, long by)
{
	size_t last = series_at(state, state->cursor.series)->n - 1;
	long at = (long)state->cursor.point + by;

	state->cursor.point = at < 0 ? 0 : LEAST((size_t)at, last);
}

static bool
move(struct view *view, enum view_action action)
{
	struct chart_view *state = view->state;
	bool is_bars = state->chart && state->chart->kind == CHART_BARS;
	bool is_back = action == ACTION_UP || action == ACTION_PAGE_UP || action == ACTION_LEFT ||
	               action == ACTION_FIRST;
	bool is_far = action == ACTION_PAGE_UP || action == ACTION_PAGE_DOWN;
	int by = is_back ? -1 : 1;

	if (!point_at(state)) {
		return true;
	}
	switch (action) {
	case ACTION_UP:
	case ACTION_DOWN:
	case ACTION_LEFT:
	case ACTION_RIGHT:
	case ACTION_PAGE_UP:
	case ACTION_PAGE_DOWN:
		for (int i = 0; i < (is_far ? PAGE : 1); i++) {
			if (is_bars) {
				go_down(state, by);
			} else if (action == ACTION_UP || action == ACTION_DOWN) {
				go_across(state, by);
			} else {
				go_along(state, by);
			}
		}
		break;
	case ACTION_FIRST:
	case ACTION_LAST:
		go_along(state, is_back ? -INT32_MAX : INT32_MAX);
		break;
	default:
		return false;
	}
	settle(view);
	return true;
}

/* ---- what is asked for ---- */

static void
set_part(struct view *view, enum chart_part part, struct slice text, bool goes_on)
{
	struct chart_view *state = view->state;

	free(state->texts[part]);
	state->texts[part] = text.len > 0 ? text_new(text) : NULL;
	if (part == PART_KIND && (!state->chart || state->chart->kind == CHART_HISTOGRAM ||
	                          state->chart->kind == CHART_CDF)) {
		for (size_t i = PART_X; i <= PART_SERIES; i++) { /* they mean something else */
			free(state->texts[i]);
			state->texts[i] = NULL;
		}
	}
	ask(view, goes_on);
}

static void
next_kind(struct view *view)
{
	const struct chart_view *state = view->state;
	enum chart_kind kind = state->chart ? state->chart->kind : CHART_BARS;

	set_part(view, PART_KIND, slice_of(chart_kind_names[(kind + 1) % CHART_KINDS]), true);
}

/* The next column of numbers (or for the x of names any) behind the one that stands there. */
static void
next_column(struct view *view, enum chart_part part)
{
	const struct chart_view *state = view->state;
	const struct result *result = state->hold->result;
	const struct chart *chart = state->chart;
	bool of_names = chart && part == PART_X && chart->x.n_names > 0;
	const char *now = !chart ? "" : part == PART_X ? chart->x_columns : chart->y_columns;
	int at =
	    column_find(result->columns, result->n_columns, (struct slice){now, strcspn(now, ",")});

	for (size_t i = 1; i < result->n_columns + (at < 0); i++) {
		size_t column = ((size_t)(at + (int)result->n_columns) + i) % result->n_columns;

		if (column_kind_is_number(result->columns[column].kind) != of_names) {
			set_part(view, part, slice_of(result->columns[column].name), false);
			return;
		}
	}
	view_say(view, "there is no other column for %s", part_names[part]);
}

/* "x=block_size" */
static int
take_part(struct view *view, struct slice text, struct err *err)
{
	for (enum chart_part part = PART_KIND; part < PARTS; part++) {
		size_t n = strlen(part_names[part]);

		if (slice_starts_with(text, part_names[part]) && text.len > n &&
		    text.ptr[n] == '=') {
			set_part(view, part, slice_trim(slice_from(text, n + 1), " "), false);
			return 0;
		}
	}
	return err_set(err, ERR_USAGE, "%.*s: kind=, x=, y=, series= or log=", (int)text.len,
	               text.ptr);
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	const struct chart_view *state = view->state;
	struct err err = ERR_INIT;
	char *copy;

	if (!final || text.len == 0) {
		return;
	}
	copy = text_new(text);
	if (kind == PROMPT_EXPORT) {
		chart_save(view, state->hold, state->chart, slice_of(copy));
	} else if (kind == PROMPT_PARAMETER && take_part(view, slice_of(copy), &err)) {
		view_fail(view, err.message);
		app_prompt_again(view->app);
	}
	free(copy);
}

static void
complete(const struct view *view, enum prompt_kind kind, struct completion *completion)
{
	const struct chart_view *state = view->state;
	const struct result *result = state->hold->result;

	if (kind == PROMPT_EXPORT) {
		save_complete(completion);
		return;
	}
	if (kind != PROMPT_PARAMETER) {
		return;
	}
	completion_begin(completion, "=,");
	if (completion->from == 0) {
		for (size_t i = 0; i < PARTS; i++) {
			completion_add_joined(completion, part_names[i], "=");
		}
	} else if (slice_starts_with(completion->typed, "kind=")) {
		completion_add_texts(completion, chart_kind_names, CHART_KINDS);
	} else {
		for (size_t i = 0; i < result->n_columns; i++) {
			completion_add_text(completion, result->columns[i].name);
		}
	}
	completion_settle(completion);
}

/* ":x COLUMN", ":save FILE.svg" */
static enum command_outcome
command(struct view *view, struct slice name, struct slice arguments, struct err *err)
{
	const struct chart_view *state = view->state;

	arguments = slice_trim(arguments, " \t");
	(void)err;
	if (slice_is(name, "save") || slice_is(name, "export")) {
		chart_save(view, state->hold, state->chart, arguments);
		return COMMAND_DONE;
	}
	for (enum chart_part part = PART_KIND; part < PARTS; part++) {
		if (slice_is(name, part_names[part])) {
			set_part(view, part, arguments, false);
			return COMMAND_DONE;
		}
	}
	return COMMAND_UNKNOWN;
}

/* ---- on from here ---- */

/* As the table's row leads on. Of several rows there is no such thing: back to the first. */
static bool
go_on(struct view *view, enum view_action action)
{
	const struct chart_view *state = view->state;
	const struct chart_point *point = point_at(state);
	struct view *table = view->below;
	size_t n = state->hold->result->n_rows;

	if (!point || point->row >= n) {
		view_say(view, "nothing is selected");
		return true;
	}
	size_t row = point->row, n_rows = point->n_rows;
	if (!table || !table->list || table->list->n != n) {
		view_fail(view, "the table below has other rows now: q, and P draws them");
		return true;
	}
	table->list->selected = row;
	list_settle(table->list);
	if (n_rows == 1) {
		return table->ops->act(table, action);
	}
	view_say(view, "%zu rows stand there: the first of them is selected", n_rows);
	app_pop(view->app);
	return true;
}

static bool
act(struct view *view, enum view_action action)
{
	switch (action) {
	case ACTION_OPEN:
	case ACTION_TIMELINE:
	case ACTION_SPANS:
		return go_on(view, action);
	case ACTION_PLOT:
		next_kind(view);
		return true;
	case ACTION_PLOT_X:
	case ACTION_PLOT_Y:
		next_column(view, action == ACTION_PLOT_X ? PART_X : PART_Y);
		return true;
	case ACTION_PARAMETER:
		app_prompt(view->app, PROMPT_PARAMETER, "kind=, x=, y=, series=, log=: ", "");
		return true;
	case ACTION_EXPORT:
		app_prompt(view->app, PROMPT_EXPORT,
		           "write to (.svg .txt, rows .csv ...): ", "chart.svg");
		return true;
	case ACTION_RELOAD: /* of another scope, or wanted */
		ask(view, false);
		return true;
	case ACTION_COPY: {
		struct strbuf words = {0};
		const struct chart_view *state = view->state;

		if (point_at(state)) {
			chart_draw_words(state->chart, state->cursor.series, state->cursor.point,
			                 &words);
			app_copy(view->app, strbuf_slice(&words));
		}
		strbuf_free(&words);
		return true;
	}
	default:
		return move(view, action);
	}
}

static void
mouse(struct view *view, const struct mouse_event *event)
{
	if (event->type == MOUSE_WHEEL_UP || event->type == MOUSE_WHEEL_DOWN) {
		(void)move(view, event->type == MOUSE_WHEEL_UP ? ACTION_LEFT : ACTION_RIGHT);
	}
}

/* ---- the screen ---- */

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct chart_view *state = view->state;
	struct area plot = chart_area(view);
	struct strbuf words = {0};
	int notes = note_rows(state, area.height);

	if (!state->chart) {
		canvas_text_cut(canvas, area.x + 1, area.y, area.width - 2, STYLE_MUTED,
		                slice_of(view->failure ? view->failure : ""));
		return;
	}
	chart_draw(state->chart, canvas, plot, point_at(state) ? &state->cursor : NULL);
	if (point_at(state) && area.height > 2) {
		chart_draw_words(state->chart, state->cursor.series, state->cursor.point, &words);
		canvas_text_cut(canvas, plot.x, plot.y + plot.height, plot.width, STYLE_TITLE,
		                strbuf_slice(&words));
	}
	strbuf_free(&words);
	for (int i = 0; i < notes; i++) {
		canvas_text_cut(canvas, plot.x, area.y + area.height - notes + i, plot.width,
		                STYLE_MUTED, slice_of(state->chart->notes[i]));
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct chart_view *state = view->state;

	if (state->chart) {
		strbuf_printf(out, "%s  %zu of %zu rows", chart_kind_names[state->chart->kind],
		              state->chart->n_rows, state->hold->result->n_rows);
	}
}

static void
done(struct view *view, struct view_job *job)
{
	struct chart_view *state = view->state;
	struct chart_job *mine = (struct chart_job *)job;

	if (save_done(view, job)) {
		return;
	}
	chart_free(state->chart);
	state->chart = mine->chart;
	mine->chart = NULL;
	put_cursor(state);
	settle(view);
}

static bool
is_waiting(const struct view *view)
{
	return !((const struct chart_view *)view->state)->chart;
}

static void
close_chart(struct view *view)
{
	struct chart_view *state = view->state;

	for (size_t i = 0; i < PARTS; i++) {
		free(state->texts[i]);
	}
	free(state->natural);
	chart_free(state->chart);
	result_hold_release(state->hold);
	free(state);
}

static const struct view_ops ops = {
    .sets = IN_CHART,
    .draw = draw,
    .act = act,
    .is_waiting = is_waiting,
    .status = status,
    .resize = settle,
    .done = done,
    .prompt = prompt,
    .complete = complete,
    .command = command,
    .mouse = mouse,
    .close = close_chart,
};

struct view *
view_chart_new(struct app *app, const struct view_place *place)
{
	struct chart_view *state = xcalloc(1, sizeof *state);
	struct strbuf title = {0};

	state->hold = result_hold_new(place->result);
	state->natural = place->query && place->query->plot ? xstrdup(place->query->plot) : NULL;
	strbuf_printf(&title, "%s > chart", place->title);
	struct view *view = view_new(app, &ops, state, place, title.data);
	strbuf_free(&title);
	ask(view, false);
	return view;
}
