/*
 * The spans of a run, as many as there are. The list counts all that pass the filters; of them only
 * the rows around what is seen are here, and others are asked for when the view leaves them
 * (view_spans_ask.c). What is still coming is drawn as empty rows. The columns are a table's
 * (grid.c).
 */
#include "config.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/saved/kind.h"
#include "ui/base/facts.h"
#include "ui/app/save.h"
#include "ui/lists/span_groups_source.h"
#include "ui/lists/view_spans.h"
#include "util/mem.h"
#include "util/utf8.h"

/* ---- screen ---- */

static void
add_totals(const struct spans_view *spans, struct strbuf *out)
{
	const struct span_figures *figures = &spans->figures;
	char text[FORMAT_BYTES], mean[FORMAT_BYTES];

	if (!spans->is_known || figures->n == 0) {
		return;
	}
	if (figures->sums_leave) {
		strbuf_add_text(out, "no totals, as they leave 64 bits");
		return;
	}
	if (figures->has_range) {
		strbuf_printf(out, "inside %s, ", format_duration(text, figures->inside_ns));
	}
	strbuf_printf(out, "total %s, mean %s", format_duration(text, figures->duration_ns),
	              format_duration(
			  mean, llround((double)figures->duration_ns / (double)figures->n_calls)));
	if (figures->self_ns != figures->duration_ns) {
		strbuf_printf(out, ", self %s", format_duration(text, figures->self_ns));
	}
	if (figures->n_sized > 0) {
		strbuf_printf(out, ", %s", format_size(text, figures->size_bytes));
	}
}

static void
draw_foot(const struct spans_view *spans, struct canvas *canvas, struct area area)
{
	struct strbuf line = {0}, totals = {0};
	int y = area.y + area.height - 1, x = 2;

	filter_stack_show(&spans->filters, &line);
	add_totals(spans, &totals);
	canvas_text_right(canvas, x, y, area.width - x - 1, STYLE_MUTED, strbuf_slice(&totals));
	x = area.width - 2 - (int)utf8_columns(strbuf_slice(&totals)) - 3;
	if (line.len > 0 && x > 0) {
		canvas_text_cut(canvas, 2, y, x, STYLE_NORMAL, strbuf_slice(&line));
	}
	strbuf_free(&line);
	strbuf_free(&totals);
}

/* Why there are no rows, and what to do. */
static void
draw_none(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct spans_view *spans = view->state;
	bool is_scoped = app_scope(view->app)->n > 0;
	struct strbuf why = {0};

	if (spans->filters.n > 0) {
		filter_stack_miss(&spans->filters, is_scoped, &why);
	} else {
		strbuf_add_text(&why, is_scoped ? "no span is in scope (- drops its last word)"
		                                : "this run has no spans");
	}
	canvas_wrapped(canvas, 2, area.y + 2, area.width - 3, area.height - 3, STYLE_MUTED,
	               strbuf_slice(&why));
	strbuf_free(&why);
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct spans_view *spans = view->state;
	int64_t top = spans->page ? (int64_t)spans->all.top - spans->page->first : -1;
	struct list here = {.n = spans->model.n_rows, .height = spans->all.height};
	struct area rows = {area.x, area.y, area.width, area.height - 1};

	if (spans->is_known && spans->all.n == 0) {
		draw_none(view, canvas, area);
	} else if (spans->page && top >= 0 && top < spans->page->n) {
		here.top = (size_t)top;
		here.selected = spans_row(spans) < 0 ? here.n : (size_t)spans_row(spans);
		grid_draw(&spans->grid, &spans->model, &here, strbuf_slice(&view->search.text),
		          canvas, rows);
	}
	draw_foot(spans, canvas, area);
	if (view_is_late(view)) {
		canvas_dim(canvas, rows);
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct spans_view *spans = view->state;

	if (!spans->is_known) {
		return;
	}
	facts_add_exact(out, (int64_t)(spans->all.selected + (spans->all.n > 0)));
	strbuf_add_text(out, " of ");
	facts_add_exact(out, (int64_t)spans->all.n);
	strbuf_add_text(out, spans->all.n == 1 ? " span" : " spans");
	if (spans->key != SPAN_KEY_ID) {
		strbuf_printf(out, "   sort %s%s", spans->is_descending ? "-" : "",
		              spans_key_name(spans));
	}
}

/* ---- what can be done ---- */

static void
find(struct view *view, enum search_where where)
{
	struct spans_view *spans = view->state;
	static const enum span_find finds[] = {
	    [SEARCH_HERE] = SPAN_FIND_HERE,
	    [SEARCH_NEXT] = SPAN_FIND_NEXT,
	    [SEARCH_PREVIOUS] = SPAN_FIND_PREVIOUS,
	};

	if (spans->column) { /* a row does not tell where it stands in such an order */
		spans->key = SPAN_KEY_START;
		spans->is_descending = false;
		free(spans->column);
		spans->column = NULL;
		spans->is_known = false;
	}
	spans_ask(view, GOAL_FIND, .where = finds[where], .text = strbuf_slice(&view->search.text));
}

/* A search that is left goes back to where it began, which may be far from the rows that are here;
 * what was looked for before comes no more. */
static void
moved(struct view *view, bool by_search)
{
	struct spans_view *spans = view->state;

	if (by_search) {
		spans_ask(view, GOAL_PLACE, .place = (int64_t)spans->all.selected);
	} else {
		spans_moved(view);
	}
}

static int
filter_add(struct view *view, struct slice text, struct err *err)
{
	struct spans_view *spans = view->state;

	if (slice_trim(text, " \t").len == 0) {
		return 0;
	}
	if (filter_stack_type(&spans->filters, text, err)) {
		return -1;
	}
	spans_ask_anew(view);
	return 0;
}

static int
sort_by(struct view *view, struct slice column, bool is_descending, struct err *err)
{
	struct spans_view *spans = view->state;
	enum span_list_key key;
	char *other;

	if (slice_is(column, "arguments")) {
		return err_set(err, ERR_USAGE, "sort by one of the arguments: \":sort arg.KEY\"");
	}
	if (span_list_key_read(column, &key, &other, err)) {
		return -1;
	}
	free(spans->column);
	spans->column = other;
	spans->key = key;
	spans->is_descending = is_descending;
	if (spans->page) {
		spans_remember(view);
	}
	spans_ask_anew(view);
	return 0;
}

static void
sort(struct view *view, bool is_descending)
{
	struct spans_view *spans = view->state;
	size_t column = grid_selected(&spans->grid);
	struct err err = ERR_INIT;

	if (column != SIZE_MAX &&
	    sort_by(view, slice_of(span_columns[column].name), is_descending, &err)) {
		view_fail(view, err.message);
	}
}

static bool
open_selected(struct view *view, bool in_timeline)
{
	struct spans_view *spans = view->state;
	int64_t row = spans_row(spans);
	struct focus focus = FOCUS_NONE;

	if (row < 0) { /* it is on its way */
		bool is_coming = !spans->is_known || spans->all.n > 0;

		spans->opens = !is_coming ? OPEN_NOTHING : in_timeline ? OPEN_TIMELINE : OPEN_SPAN;
		return is_coming || !in_timeline;
	}
	spans->opens = OPEN_NOTHING;
	focus.span = spans->page->rows[row].id;
	view_open(view, in_timeline ? PLACE_TIMELINE : PLACE_SPAN, .focus = &focus,
	          .span = focus.span);
	return true;
}

/* The time of the selected span, or what its cell says. */
static void
add_to_scope(struct view *view, bool is_cell)
{
	const struct spans_view *spans = view->state;
	int64_t row = spans_row(spans);
	size_t column = grid_selected(&spans->grid);
	const struct result *result = spans->model.result;

	if (row < 0 || !spans->page) {
		view_say(view, "no span is selected");
	} else if (is_cell) {
		(void)app_scope_add_cell(view->app, result->columns[column].name,
		                         result_value(result, (size_t)row, column));
	} else {
		const struct span_row *span = &spans->page->rows[row];
		int64_t length = span->duration_ns > 0 ? span->duration_ns : 1;

		app_scope_add_range(view->app, span->start_ns, span->start_ns + length);
	}
}

static bool
act(struct view *view, enum view_action action)
{
	struct spans_view *spans = view->state;

	spans->opens = OPEN_NOTHING; /* another key came after */
	if (spans->page && grid_act(&spans->grid, &spans->model, action)) {
		spans_remember(view);
		grid_lay(&spans->grid, &spans->model, view->area.width);
		return true;
	}
	switch (action) {
	case ACTION_OPEN:
	case ACTION_TIMELINE:
		return open_selected(view, action == ACTION_TIMELINE);
	case ACTION_PARTNER:
		if (spans_row(spans) >= 0) {
			app_open_partner(view, spans->page->rows[spans_row(spans)].id);
		}
		break;
	case ACTION_SORT_UP:
	case ACTION_SORT_DOWN:
		sort(view, action == ACTION_SORT_DOWN);
		break;
	case ACTION_FILTER:
		app_prompt(view->app, PROMPT_FILTER,
		           "& keep spans (regular expression for names, or duration > 1ms): ", "");
		break;
	case ACTION_UNFILTER:
	case ACTION_CANCEL:
		return spans_unfilter(view);
	case ACTION_RELOAD:
		spans->is_known = false;
		spans_ask(view, GOAL_PLACE, .place = (int64_t)spans->all.selected);
		break;
	case ACTION_FREQUENCY:
	case ACTION_PIVOT:
		spans_prompt_group(view, action == ACTION_PIVOT ? PROMPT_PIVOT : PROMPT_GROUP);
		break;
	case ACTION_SCOPE_ADD:
	case ACTION_SCOPE_CELL:
		add_to_scope(view, action == ACTION_SCOPE_CELL);
		break;
	case ACTION_EXPORT:
		save_ask(view, "spans");
		break;
	case ACTION_COPY:
	case ACTION_COPY_ROW:
		grid_copy(view, &spans->grid, spans->model.result, (size_t)spans_row(spans),
		          action == ACTION_COPY_ROW);
		break;
	default:
		return false;
	}
	return true;
}

/* "5000", "50%" or, in the order of start, duration or self, "12.5s". */
static int
jump(struct view *view, struct slice text, struct err *err)
{
	struct spans_view *spans = view->state;
	struct spans_wish wish = {.goal = GOAL_PLACE};
	struct slice number = {text.ptr, text.len > 0 ? text.len - 1 : 0};
	bool is_time = spans->key == SPAN_KEY_START || spans->key == SPAN_KEY_DURATION ||
	               spans->key == SPAN_KEY_SELF;
	double percent;

	if (slice_int64(text, &wish.place) && wish.place > 0) {
		wish.place--;
	} else if (text.len > 0 && text.ptr[text.len - 1] == '%' &&
	           slice_double(number, &percent) && percent >= 0 && percent <= 100) {
		wish.place = (int64_t)((double)spans->all.n * percent / 100);
	} else if (parse_duration(text, &wish.value) && is_time) {
		wish.goal = GOAL_VALUE;
	} else {
		return err_set(err, ERR_USAGE,
		               "jump %.*s: write a row (5000), a share (50%%), or, once sorted by "
		               "start or duration, a time (12.5s)",
		               (int)text.len, text.ptr);
	}
	spans_ask_for(view, &wish);
	return 0;
}

static enum command_outcome
command(struct view *view, struct slice name, struct slice arguments, struct err *err)
{
	int rc = 0;

	arguments = slice_trim(arguments, " \t");
	if (slice_is(name, "jump")) {
		rc = jump(view, arguments, err);
	} else if (slice_is(name, "sort")) {
		bool is_descending = arguments.len > 0 && arguments.ptr[0] == '-';

		rc = sort_by(view, slice_from(arguments, is_descending), is_descending, err);
	} else if (slice_is(name, "filter")) {
		rc = filter_add(view, arguments, err);
	} else if (slice_is(name, "group")) {
		rc = spans_group(view, PROMPT_GROUP, arguments, err);
	} else if (slice_is(name, "pivot")) {
		rc = spans_group(view, PROMPT_PIVOT, arguments, err);
	} else if (slice_is(name, "export")) {
		spans_export(view, save_path(view, arguments));
	} else {
		return COMMAND_UNKNOWN;
	}
	return rc == 0 ? COMMAND_DONE : COMMAND_FAILED;
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct err err = ERR_INIT;

	bool is_group = kind == PROMPT_GROUP || kind == PROMPT_PIVOT;

	if (final && ((kind == PROMPT_FILTER && filter_add(view, text, &err)) ||
	              (is_group && text.len > 0 && spans_group(view, kind, text, &err)))) {
		view_fail(view, err.message);
		app_prompt_again(view->app);
	} else if (kind == PROMPT_EXPORT && final) {
		spans_export(view, save_path(view, text));
	}
}

/* Of ":", the view's commands, and behind "sort" the columns that can be sorted by. */
static void
complete_command(const struct spans_view *spans, struct completion *completion)
{
	static const char *const commands[] = {"jump",  "sort",  "filter",
	                                       "group", "pivot", "export"};
	bool sorts = slice_starts_with(completion->typed, "sort ");

	if (slice_starts_with(completion->typed, "export ")) {
		save_complete(completion);
	} else if (slice_starts_with(completion->typed, "group ") ||
	           slice_starts_with(completion->typed, "pivot ")) {
		completion_begin(completion, " ,");
		span_groups_complete(completion, spans->keys);
	} else if (!memchr(completion->typed.ptr, ' ', completion->typed.len)) {
		completion_add_texts(completion, commands, COUNT_OF(commands));
	}
	for (int key = 0; sorts && key < SPAN_KEYS; key++) {
		const char *name = span_list_key_name((enum span_list_key)key);

		completion_add_text(completion, name);
		completion_add_joined(completion, "-", name);
	}
	for (size_t i = 0; sorts && spans->keys && spans->keys[i]; i++) {
		completion_add_text(completion, spans->keys[i]);
		completion_add_joined(completion, "-", spans->keys[i]);
	}
}

static void
complete(const struct view *view, enum prompt_kind kind, struct completion *completion)
{
	const struct spans_view *spans = view->state;

	if (kind == PROMPT_COMMAND) {
		complete_command(spans, completion);
		return;
	}
	if (kind == PROMPT_EXPORT) {
		save_complete(completion);
		return;
	}
	completion_begin(completion, kind == PROMPT_FILTER ? " (" : " ,");
	if (kind == PROMPT_FILTER) {
		completion_add_columns(completion);
		for (size_t i = 0; spans->keys && spans->keys[i]; i++) {
			completion_add_text(completion, spans->keys[i]);
		}
	} else if (kind == PROMPT_GROUP || kind == PROMPT_PIVOT) {
		span_groups_complete(completion, spans->keys);
	}
	completion_settle(completion);
}

static void
mouse(struct view *view, const struct mouse_event *event)
{
	struct spans_view *spans = view->state;
	bool is_press = event->type == MOUSE_PRESS || event->type == MOUSE_DOUBLE;
	size_t column;

	if (is_press && (!spans->page || event->y < view->area.y)) {
		return;
	}
	column = is_press ? grid_at(&spans->grid, event->x, view->area.width) : SIZE_MAX;
	if (column != SIZE_MAX) {
		spans->grid.selected = column;
	}
	if (is_press && event->y == view->area.y) {
		sort(view, spans->model.wish.n_keys == 0 || !spans->is_descending);
	} else {
		view_list_mouse(view, event);
	}
}

static void
resize(struct view *view)
{
	struct spans_view *spans = view->state;

	view_list_lay(view);
	if (!spans->is_asked) {
		spans->is_asked = true;
		spans_ask(view, GOAL_PLACE);
		return;
	}
	if (spans->page) {
		grid_lay(&spans->grid, &spans->model, view->area.width);
	}
	spans_moved(view);
}

static void
done(struct view *view, struct view_job *job)
{
	struct spans_view *spans = view->state;

	if (save_done(view, job)) {
		return;
	}
	spans_done(view, job);
	if (spans->opens != OPEN_NOTHING && spans_row(spans) >= 0) {
		(void)open_selected(view, spans->opens == OPEN_TIMELINE);
	}
}

static void
close_spans(struct view *view)
{
	struct spans_view *spans = view->state;

	filter_stack_fini(&spans->filters);
	span_page_free(spans->page);
	table_model_fini(&spans->model);
	grid_fini(&spans->grid);
	span_keys_free(spans->keys);
	free(spans->column);
	free(spans);
}

static const struct view_ops ops = {
    .sets = IN_SPANS,
    .head = 1,
    .foot = 1,
    .wheel_rows = 3,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .done = done,
    .find = find,
    .moved = moved,
    .prompt = prompt,
    .complete = complete,
    .command = command,
    .mouse = mouse,
    .close = close_spans,
};

/* Instants at the window's start are in it, as in scopes. */
static void
push_focus(struct filter_stack *filters, const struct focus *focus)
{
	char window[120];

	if (focus->only_window && focus->end_ns > focus->start_ns) {
		snprintf(window, sizeof window,
		         "start < %" PRId64 " AND (end > %" PRId64 " OR start >= %" PRId64 ")",
		         focus->end_ns, focus->start_ns, focus->start_ns);
		filter_stack_push(filters, window);
	}
	filter_stack_push(filters, focus->filter);
}

struct view *
view_spans_new(struct app *app, const struct view_place *place)
{
	struct spans_view *spans = xcalloc(1, sizeof *spans);
	struct view *view;

	spans->may_hide = true;
	spans->key = SPAN_KEY_START;
	if (place->focus) {
		push_focus(&spans->filters, place->focus);
	}
	view = view_new(app, &ops, spans, place, "Spans");
	view->list = &spans->all;
	spans_recall(view);
	return view;
}
