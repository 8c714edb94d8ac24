/*
 * A table: the answer of a source, and what its user makes of it. The work is
 * shared out: view_table_ask.c asks and takes the answer, table_model.c says
 * which rows in which order, grid.c which columns how wide, view_table_draw.c
 * draws, view_table_prompt.c takes what is typed, view_table_row.c goes on from
 * a row. Here the keys and the mouse come in.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "ui/table/edit.h"
#include "ui/app/save.h"
#include "ui/table/view_table.h"

#define ROWS_AT_ONCE 5000 /* more would be felt: the worker filters and sorts them */

void
table_lay(struct view *view)
{
	struct table_view *table = view->state;
	size_t other;

	if (table->model.result) {
		grid_lay(&table->grid, &table->model, view->area.width);
	}
	other = 2 + table_model_has_totals(&table->model) + /* header, notes, totals */
	        (size_t)grid_folded_rows(&table->grid);
	table->list.n = table->model.result ? table->model.n_rows : 0;
	table->list.height = view->area.height > (int)other ? (size_t)view->area.height - other : 1;
	list_settle(&table->list);
	if (table->model.result) {
		table_order_rows(view);
	}
}

void
table_changed(struct view *view)
{
	table_lay(view);
	table_remember(view);
}

static bool
row_has(const struct view *view, size_t row, struct slice text)
{
	const struct table_view *table = view->state;

	return grid_row_matches(&table->grid, &table->model, row, text);
}

static bool
act_sort(struct view *view, enum view_action action)
{
	struct table_view *table = view->state;
	size_t column = grid_selected(&table->grid);
	bool adds = action == ACTION_SORT_ADD_UP || action == ACTION_SORT_ADD_DOWN;
	bool is_descending = action == ACTION_SORT_DOWN || action == ACTION_SORT_ADD_DOWN;

	if (column == SIZE_MAX || !(adds || is_descending || action == ACTION_SORT_UP)) {
		return false;
	}
	/* The largest difference first, whichever way it goes. */
	if (!is_descending || !table_model_sort_size(&table->model, column, adds)) {
		(adds ? table_model_sort_add : table_model_sort)(&table->model, column,
		                                                 is_descending);
	}
	table_changed(view);
	return true;
}

/* The nearest marked row in a direction, around the end. */
static void
go_to_marked(struct view *view, bool forward)
{
	struct table_view *table = view->state;
	size_t n = table->list.n;

	for (size_t i = 1; i <= n; i++) {
		size_t row = (table->list.selected + (forward ? i : n - i % n)) % n;

		if (table_model_is_marked(&table->model, row)) {
			table->list.selected = row;
			list_settle(&table->list);
			return;
		}
	}
	view_say(view, "no row is marked (m marks one)");
}

static bool
act_marks(struct view *view, enum view_action action)
{
	struct table_view *table = view->state;

	switch (action) {
	case ACTION_MARK:
		if (table->list.n > 0) {
			table_model_mark(&table->model, table->list.selected);
			table->list.selected++;
			table_lay(view);
		}
		break;
	case ACTION_NEXT_MARKED:
	case ACTION_PREVIOUS_MARKED:
		go_to_marked(view, action == ACTION_NEXT_MARKED);
		break;
	case ACTION_UNFILTER:
		if (!table_model_unfilter(&table->model)) {
			view_say(view, "no filter stands (& adds one)");
		}
		table_changed(view);
		break;
	case ACTION_CANCEL:
		if (view->search.text.len > 0) {
			strbuf_clear(&view->search.text);
		} else if (!table_model_unmark_all(&table->model) &&
		           !table_model_unfilter(&table->model)) {
			return false;
		}
		table_changed(view);
		break;
	default:
		return false;
	}
	return true;
}

/* Actions on the rows that are there. */
static bool
act_on_result(struct view *view, enum view_action action)
{
	struct table_view *table = view->state;

	if (grid_is_upright(&table->grid, &table->model) &&
	    grid_act_upright(&table->grid, &table->model, action)) {
		return true;
	}
	if (act_sort(view, action) || act_marks(view, action)) {
		return true;
	}
	if (grid_act(&table->grid, &table->model, action)) {
		table_changed(view);
		return true;
	}
	switch (action) {
	case ACTION_FREQUENCY:
	case ACTION_PIVOT:
		table_prompt_group(view, action == ACTION_PIVOT ? PROMPT_PIVOT : PROMPT_GROUP);
		return true;
	case ACTION_OPEN:
	case ACTION_PARTNER:
	case ACTION_TIMELINE:
	case ACTION_SPANS:
		return table_go_on(view, action);
	case ACTION_PLOT:
		table_plot(view);
		return true;
	case ACTION_EXPORT:
		save_ask(view,
		         table->source->memory ? table->source->memory : table->source->title);
		return true;
	case ACTION_COPY:
	case ACTION_COPY_ROW:
		table_copy(view, action == ACTION_COPY_ROW);
		return true;
	default:
		return false;
	}
}

/* ---- tables of two runs ---- */

static bool
swap(struct view *view)
{
	struct table_view *table = view->state;
	struct table_source *source = table->source, *swapped;

	if (!source->ops->swap) {
		return false;
	}
	swapped = source->ops->swap(source);
	table_source_release(source);
	table->source = swapped;
	view_set_runs(view, &swapped->runs, swapped->title);
	app_mark_both(view->app, &swapped->runs);
	table_ask(view);
	return true;
}

/* Both timelines, at the row if it says where. */
static bool
open_pair(struct view *view)
{
	struct view_place place = {.kind = PLACE_PAIR};
	struct table_view *table = view->state;
	struct focus focus;

	place.runs = table->source->runs;
	if (!place.runs.path[0]) {
		return false;
	}
	place.side = table_side_of_row(table);
	place.focus = table_focus(table, &focus) ? &focus : NULL;
	place.paint = table_paint(table, &focus);
	if (place.paint) { /* it shows where, in place of the row's spans */
		free((char *)focus.filter);
		focus.filter = NULL;
	}
	view_open_place(view, place);
	drill_focus_free(&focus);
	return true;
}

/* The table's own question asked of runs A and B; of a table of two runs, or one with nothing to
 * subtract, the application asks which. */
static bool
open_diff(struct view *view)
{
	struct view_place place = {.kind = PLACE_DIFFERENCE};
	struct table_view *table = view->state;

	place.query = table->source->query;
	if (!place.query || !place.query->measures || !view->run_path || (view->sets & IN_DIFF)) {
		return false;
	}
	if (app_pair(view, &place.runs)) { /* else it said what to mark */
		view_open_place(view, place);
	}
	return true;
}

/* The parameter "show" of differences: delta, percent, ratio, and round again. */
static bool
next_delta(struct view *view)
{
	static const char *const shows[] = {"delta", "percent", "ratio"};
	struct table_view *table = view->state;
	struct err err = ERR_INIT;
	struct strbuf text = {0};
	size_t at = 0;

	for (size_t i = 0; i < table->source->n_params; i++) {
		const char *now = table->asked[i];

		if (strcmp(table->source->params[i].name, "show") != 0) {
			continue;
		}
		while (now && at < 2 && strcmp(now, shows[at]) != 0) {
			at++;
		}
		strbuf_printf(&text, "show=%s", shows[(at + 1) % 3]);
		(void)table_set_parameter(view, strbuf_slice(&text), &err);
		strbuf_free(&text);
		return true;
	}
	return false;
}

static bool
act(struct view *view, enum view_action action)
{
	struct table_view *table = view->state;

	switch (action) {
	case ACTION_RELOAD:
		table_ask(view);
		return true;
	case ACTION_SCOPE_ADD:
	case ACTION_SCOPE_CELL:
		table_scope(view, action == ACTION_SCOPE_CELL);
		return true;
	case ACTION_PARAMETER:
		table_prompt_parameter(view);
		return true;
	case ACTION_SWAP:
		return swap(view);
	case ACTION_PAIR:
		return open_pair(view);
	case ACTION_DELTA:
		return next_delta(view);
	case ACTION_DIFF:
		return open_diff(view);
	case ACTION_SHOW_SQL:
		if (table->source->sql) {
			view_open(view, PLACE_SOURCE_SQL,
			          .source = table_source_retain(table->source));
		} else {
			view_say(view, "no SQL stands behind this table");
		}
		return true;
	case ACTION_SAVE_QUERY:
		app_prompt(view->app, PROMPT_COMMAND, ":", "save ");
		return true;
	case ACTION_EDIT_SQL:
		edit_query(view, table->source, table->asked, &table->draft);
		return true;
	default:
		return table->model.result && act_on_result(view, action);
	}
}

static void
click_header(struct view *view, size_t i)
{
	struct table_view *table = view->state;
	const struct table_model *model = &table->model;
	bool is_up;

	table->grid.selected = i;
	is_up = model->wish.n_keys > 0 &&
	        model->wish.keys[0].column == grid_selected(&table->grid) &&
	        model->wish.keys[0].is_descending;
	(void)act_sort(view, is_up ? ACTION_SORT_UP : ACTION_SORT_DOWN);
}

static void
mouse_upright(struct view *view, const struct mouse_event *event)
{
	struct table_view *table = view->state;
	bool is_press = event->type == MOUSE_PRESS || event->type == MOUSE_DOUBLE;
	size_t column =
	    grid_upright_at(&table->grid, event->y - view->area.y, view->area.height - 1);

	if (event->type == MOUSE_WHEEL_UP || event->type == MOUSE_WHEEL_DOWN) {
		(void)grid_act_upright(&table->grid, &table->model,
		                       event->type == MOUSE_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
	} else if (is_press && column != SIZE_MAX) {
		table->grid.selected = column;
		if (event->type == MOUSE_DOUBLE) {
			(void)table_go_on(view, ACTION_OPEN);
		}
	}
}

static void
mouse(struct view *view, const struct mouse_event *event)
{
	struct table_view *table = view->state;
	bool is_press = event->type == MOUSE_PRESS || event->type == MOUSE_DOUBLE;
	size_t column = is_press ? grid_at(&table->grid, event->x, view->area.width) : SIZE_MAX;
	int folded = grid_folded_rows(&table->grid), header = view->area.y + folded;
	size_t row = (size_t)(event->y - header - 1);
	struct mouse_event below = *event;

	if (!table->model.result) {
		return;
	}
	if (grid_is_upright(&table->grid, &table->model)) {
		mouse_upright(view, event);
		return;
	}
	if (is_press && event->y == header) {
		if (column != SIZE_MAX) { /* the second click of a double one turns it round */
			click_header(view, column);
		}
		return;
	}
	if (column != SIZE_MAX && event->y > header && row < table->list.height &&
	    table->list.top + row < table->list.n) {
		table->grid.selected = column;
		table_lay(view);
	}
	below.y -= folded; /* the list begins lower than the view's rows of heading say */
	view_list_mouse(view, &below);
}

static bool
is_waiting(const struct view *view)
{
	return !((const struct table_view *)view->state)->model.result;
}

static void
resize(struct view *view)
{
	struct table_view *table = view->state;

	if (!table->is_asked) { /* the view stands: its first question */
		table->is_asked = true;
		table_ask(view);
	}
	table_lay(view);
}

static void
close_table(struct view *view)
{
	struct table_view *table = view->state;

	table_model_fini(&table->model);
	grid_fini(&table->grid);
	texts_free(table->asked, table->source->n_params);
	texts_free(table->answered, table->source->n_params);
	table_source_release(table->source);
	free(table->draft);
	free(table);
}

bool
table_add_filter(struct view *view, struct slice text)
{
	struct table_view *table = view->state;
	struct err err = ERR_INIT;

	if (!table->model.result) {
		return true;
	}
	if (table_model_filter(&table->model, text, &err)) {
		view_fail(view, err.message);
		return false;
	}
	table_changed(view);
	return true;
}

static void
filter(struct view *view, struct slice text)
{
	(void)table_add_filter(view, text);
}

/* Of rows that grow, and once more when they no longer do. */
static void
woken(struct view *view)
{
	struct table_view *table = view->state;
	const struct table_source *source = table->source;

	if (source->ops->is_growing && !table->is_settled && !view_is_busy(view)) {
		table->is_settled = !source->ops->is_growing(source);
		table_ask(view);
	}
}

static const struct view_ops ops = {
    .sets = IN_TABLE,
    .head = 1,
    .wheel_rows = 3,
    .draw = table_draw,
    .act = act,
    .is_waiting = is_waiting,
    .status = table_status,
    .resize = resize,
    .done = table_done,
    .cancelled = table_cancelled,
    .woken = woken,
    .row_has = row_has,
    .prompt = table_prompt,
    .complete = table_complete,
    .command = table_command,
    .filter = filter,
    .mouse = mouse,
    .close = close_table,
};

struct view *
view_table_new(struct app *app, const struct view_place *place)
{
	struct table_view *table = xcalloc(1, sizeof *table);
	struct table_source *source = table_source_at(place);
	struct view *view = view_new(app, &ops, table, place, source->title);

	if (source->runs.name[0]) {
		view_set_runs(view, &source->runs, source->title);
	}
	view->list = &table->list;
	view->sets |= source->sets;
	table->model.at_once = ROWS_AT_ONCE;
	table->model.wants_sums =
	    !source->part || !source->part->adds_up; /* else its last row is */
	table->grid.folds = true;
	table->source = source;
	table->row_wished = place->row;
	table->asked =
	    texts_copy(place->kind == PLACE_SOURCE && place->texts ? place->texts : source->texts,
	               source->n_params);
	table->answered = texts_copy(NULL, source->n_params);
	return view;
}
