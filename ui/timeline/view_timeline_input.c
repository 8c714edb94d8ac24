/* What is typed and pointed at: search, filter, ":" commands, the mouse. */
#include "config.h"

#include <stdlib.h>

#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/mem.h"

static int
add_filter(struct view *view, struct slice text, struct err *err)
{
	struct timeline_view *state = view->state;

	if (filter_stack_type(&state->filters, text, err)) {
		return -1;
	}
	timeline_filters_changed(view);
	return 0;
}

/* Spans with what was typed in their names. */
static void
mark_search(struct view *view)
{
	struct timeline_view *state = view->state;
	char *typed;

	if (state->search.len == 0) {
		timeline_mark(view, NULL);
		return;
	}
	typed = xstrdup(state->search.data);
	timeline_mark_names(view, typed);
	free(typed);
}

void
timeline_prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct timeline_view *state = view->state;

	if (!state->timeline) {
		return;
	}
	if (kind == PROMPT_SEARCH) {
		if (text.len > 0 || !final) {
			strbuf_clear(&state->search);
			strbuf_add_slice(&state->search, text);
			mark_search(view);
		}
		if (final && state->search.len > 0) {
			timeline_search(view, false);
		}
	} else if (kind == PROMPT_FILTER && final) {
		struct err err = ERR_INIT;

		if (slice_trim(text, " \t").len > 0 && add_filter(view, text, &err)) {
			view_fail(view, err.message);
			app_prompt_again(view->app);
		}
	} else if (kind == PROMPT_EXPORT && final && text.len > 0) {
		timeline_export(view, text);
	}
}

/* ---- commands ---- */

static int
take_time(struct slice *rest, int64_t *ns, struct err *err)
{
	struct slice word = slice_take_word(rest);

	if (!parse_duration(word, ns) || *ns < 0) {
		return err_set(err, ERR_USAGE,
		               "'%.*s' is no time: give ns, or a number with a unit (3.2s, 10ms)",
		               (int)word.len, word.ptr ? word.ptr : "");
	}
	return 0;
}

static int
command_range(struct view *view, struct slice rest, struct err *err)
{
	struct timeline_view *state = view->state;
	struct timescale before = state->scale;
	int64_t from, to;

	if (take_time(&rest, &from, err) || take_time(&rest, &to, err)) {
		return -1;
	}
	if (to <= from) {
		return err_set(err, ERR_USAGE, "range: it ends before it begins");
	}
	timeline_show_window(view, from, to);
	timeline_keep_window(state, &before);
	timeline_cursor_moved(view);
	return 0;
}

static int
command_goto(struct view *view, struct slice rest, struct err *err)
{
	struct timeline_view *state = view->state;
	struct timescale before = state->scale;
	int64_t at;

	if (take_time(&rest, &at, err)) {
		return -1;
	}
	timescale_show(&state->scale, at, state->scale.columns / 2);
	timeline_keep_window(state, &before);
	timeline_cursor_moved(view);
	return 0;
}

static int
command_lane(struct view *view, struct slice name, struct err *err)
{
	struct timeline_view *state = view->state;

	for (int exact = 1; exact >= 0 && name.len > 0; exact--) {
		for (size_t i = 0; i < state->timeline->n_rows; i++) {
			const struct timeline_row *row = &state->timeline->rows[i];

			if (row->type == TIMELINE_LANE &&
			    (exact ? slice_equal(row->name, name)
			           : slice_contains(row->name, name))) {
				timeline_select_lane(view, row->id, 0);
				timeline_ask_window(view);
				return 0;
			}
		}
	}
	return err_set(err, ERR_USAGE, "lane: no lane has '%.*s' in its name", (int)name.len,
	               name.ptr ? name.ptr : "");
}

static int
command_colour(struct view *view, struct slice rest, struct err *err)
{
	struct timeline_view *state = view->state;
	struct slice word = slice_take_word(&rest);

	if (!colour_mode_find(word, &state->mode)) {
		return err_set(err, ERR_USAGE,
		               "colour: by category, name, status or slowdown, not '%.*s'",
		               (int)word.len, word.ptr ? word.ptr : "");
	}
	timeline_ask_colours(view);
	return 0;
}

static int
command_by(struct view *view, struct slice rest, struct err *err)
{
	struct slice by = slice_trim(rest, " \t");

	if (by.len == 0) {
		return err_set(err, ERR_USAGE, "by: write a column or an argument (by arg.size)");
	}
	timeline_group_by(view, by);
	return 0;
}

static int
command_lanes(struct view *view, struct slice rest, struct err *err)
{
	struct slice word = slice_take_word(&rest);
	enum lane_sort sort;

	if (!lane_order_find(word, &sort)) {
		return err_set(err, ERR_USAGE,
		               "lanes: by order, name, busy, first or last, not '%.*s'",
		               (int)word.len, word.ptr ? word.ptr : "");
	}
	timeline_sort_lanes(view, sort);
	return 0;
}

static int
command_filter(struct view *view, struct slice text, struct err *err)
{
	if (slice_trim(text, " \t").len == 0) {
		return err_set(err, ERR_USAGE, "filter: write what spans to keep (duration > 1ms)");
	}
	return add_filter(view, text, err);
}

static const struct {
	const char *name;
	int (*run)(struct view *view, struct slice arguments, struct err *err);
} commands[] = {{"range", command_range},  {"goto", command_goto},   {"lane", command_lane},
                {"by", command_by},        {"lanes", command_lanes}, {"filter", command_filter},
                {"colour", command_colour}};
#define COMMANDS COUNT_OF(commands)

enum command_outcome
timeline_command(struct view *view, struct slice name, struct slice arguments, struct err *err)
{
	struct timeline_view *state = view->state;

	for (size_t i = 0; i < COMMANDS && state->timeline; i++) {
		if (slice_is(name, commands[i].name)) {
			return commands[i].run(view, arguments, err) == 0 ? COMMAND_DONE
			                                                  : COMMAND_FAILED;
		}
	}
	return COMMAND_UNKNOWN;
}

static void
complete_command(const struct timeline_view *state, struct completion *completion)
{
	const char *begin = completion->typed.ptr, *end = begin + completion->typed.len;
	struct slice rest = completion->typed, command = slice_take_word(&rest);

	if (command.ptr + command.len == end) {
		completion->from = (size_t)(command.ptr - begin);
		for (size_t i = 0; i < COMMANDS; i++) {
			completion_add_text(completion, commands[i].name);
		}
		return;
	}
	completion->from = (size_t)(rest.ptr - begin);
	if (slice_is(command, "colour")) {
		for (int i = 0; i < COLOUR_MODES; i++) {
			completion_add_text(completion, colour_mode_name((enum colour_mode)i));
		}
	} else if (slice_is(command, "lanes")) {
		for (int i = 0; i < LANE_ORDERS; i++) {
			completion_add_text(completion, lane_order_name((enum lane_sort)i));
		}
	} else if (slice_is(command, "lane")) {
		for (size_t i = 0; i < state->timeline->n_rows && i < 10000; i++) {
			if (state->timeline->rows[i].type == TIMELINE_LANE) {
				completion_add(completion, state->timeline->rows[i].name);
			}
		}
	}
}

void
timeline_complete(const struct view *view, enum prompt_kind kind, struct completion *completion)
{
	const struct timeline_view *state = view->state;

	if (!state->timeline) {
		return;
	}
	if (kind == PROMPT_COMMAND) {
		complete_command(state, completion);
	} else if (kind == PROMPT_FILTER) {
		completion_begin(completion, " (");
		completion_add_columns(completion);
	}
	for (size_t i = 0; kind == PROMPT_SEARCH && i < state->colours->n && i < 1000; i++) {
		completion_add(completion, state->colours->labels[i]);
	}
	completion_settle(completion);
}

/* ---- mouse ---- */

static void
point_at(struct view *view, int column, int line)
{
	struct timeline_view *state = view->state;
	size_t before = state->list.selected;

	line = line < 0 ? line : line / state->line_rows;
	if (line >= 0 && (size_t)line + state->list.top < state->list.n &&
	    (size_t)line < state->list.height) {
		state->list.selected = state->list.top + (size_t)line;
	}
	if (column >= 0 && column < state->scale.columns) {
		state->scale.cursor = column;
	}
	timeline_cursor_moved(view);
	if (state->pane.is_of_row && state->list.selected != before) {
		timeline_ask_area(view);
	}
}

static void
drag(struct view *view, int column)
{
	struct timeline_view *state = view->state;
	int from = state->drag_from < column ? state->drag_from : column;
	int to = state->drag_from < column ? column : state->drag_from;

	if (state->drag_from < 0 || column < 0 || column >= state->scale.columns) {
		return;
	}
	state->range = RANGE_OPEN;
	state->has_facts = false;
	state->range_start = timescale_time(&state->scale, from);
	state->range_end = timescale_time(&state->scale, to + 1);
	state->scale.cursor = column;
}

void
timeline_mouse(struct view *view, const struct mouse_event *event)
{
	struct timeline_view *state = view->state;
	int column = event->x - timeline_label_columns(view->area.width);
	int line = event->y - view->area.y - timeline_head_rows(state->timeline);

	if (!state->timeline || state->list.n == 0 || timeline_mouse_pane(view, event)) {
		return;
	}
	switch (event->type) {
	case MOUSE_PRESS:
		state->drag_from = line >= 0 ? column : -1;
		point_at(view, column, line);
		break;
	case MOUSE_DOUBLE:
		point_at(view, column, line);
		(void)timeline_act(view, column < 0 ? ACTION_FOLD : ACTION_OPEN);
		break;
	case MOUSE_DRAG:
		drag(view, column);
		break;
	case MOUSE_RELEASE:
		state->drag_from = -1;
		if (state->range == RANGE_OPEN) {
			(void)timeline_act(view, ACTION_MARK);
		}
		break;
	default:
		if (column >= 0 && column < state->scale.columns) {
			state->scale.cursor = column;
		}
		(void)timeline_act(view, event->type == MOUSE_WHEEL_UP ? ACTION_ZOOM_IN
		                                                       : ACTION_ZOOM_OUT);
	}
}
