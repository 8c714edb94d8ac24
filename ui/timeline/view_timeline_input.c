/* What is typed and pointed at: search, filter, ":" commands, the mouse. */
#include "config.h"

#include <stdlib.h>

#include "query/saved/list.h"
#include "ui/timeline/view_timeline.h"
#include "util/format.h"
#include "util/mem.h"

static const char *const columns[] = {"name",   "category",  "path",     "basename", "dirname",
                                      "class",  "size",      "duration", "dur",      "self",
                                      "start",  "end",       "finish",   "depth",    "calls",
                                      "lane",   "host",      "process",  "thread",   "kind",
                                      "parent", "lane_name", "id",       "not",      "unfinished"};
#define COLUMNS_KNOWN (sizeof(columns) / sizeof(columns[0]))

static int
add_filter(struct view *view, struct slice text, struct err *err)
{
	struct lanes_view *lanes = view->state;

	if (filter_stack_type(&lanes->filters, text, err) != 0) {
		return -1;
	}
	lanes_filters_changed(view);
	return 0;
}

void
lanes_prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct lanes_view *lanes = view->state;

	if (!lanes->timeline) {
		return;
	}
	if (kind == PROMPT_SEARCH) {
		if (text.len > 0 || !final) {
			strbuf_clear(&lanes->search);
			strbuf_add(&lanes->search, text.ptr, text.len);
			lanes->number.n = 0;
		}
		if (final && lanes->search.len > 0) {
			lanes_search(view, false);
		}
	} else if (kind == PROMPT_FILTER && final) {
		struct err err = ERR_INIT;

		if (list_trim(text).len > 0 && add_filter(view, text, &err) != 0) {
			app_say(view->app, true, "%s", err.message);
			app_prompt_again(view->app);
		}
	} else if (kind == PROMPT_EXPORT && final && text.len > 0) {
		lanes_export(view, text);
	}
}

/* ---- commands ---- */

static struct slice
word_take(struct slice *rest)
{
	struct slice word;

	while (rest->len > 0 && rest->ptr[0] == ' ') {
		*rest = slice_from(*rest, 1);
	}
	word = (struct slice){rest->ptr, 0};
	while (word.len < rest->len && word.ptr[word.len] != ' ') {
		word.len++;
	}
	*rest = slice_from(*rest, word.len);
	return word;
}

static int
take_time(struct slice *rest, int64_t *ns, struct err *err)
{
	struct slice word = word_take(rest);

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
	int64_t from, to;

	if (take_time(&rest, &from, err) != 0 || take_time(&rest, &to, err) != 0) {
		return -1;
	}
	if (to <= from) {
		return err_set(err, ERR_USAGE, "range: it ends before it begins");
	}
	lanes_show_window(view, from, to);
	lanes_cursor_moved(view);
	return 0;
}

static int
command_goto(struct view *view, struct slice rest, struct err *err)
{
	struct lanes_view *lanes = view->state;
	int64_t at;

	if (take_time(&rest, &at, err) != 0) {
		return -1;
	}
	timescale_show(&lanes->scale, at, lanes->scale.columns / 2);
	lanes_cursor_moved(view);
	return 0;
}

static int
command_lane(struct view *view, struct slice name, struct err *err)
{
	struct lanes_view *lanes = view->state;

	while (name.len > 0 && name.ptr[0] == ' ') {
		name = slice_from(name, 1);
	}
	for (int exact = 1; exact >= 0 && name.len > 0; exact--) {
		for (size_t i = 0; i < lanes->timeline->n_rows; i++) {
			const struct timeline_row *row = &lanes->timeline->rows[i];

			if (row->type == TIMELINE_LANE &&
			    (exact ? slice_equal(row->name, name)
			           : slice_contains(row->name, name))) {
				lanes_select_lane(view, row->id, 0);
				lanes_ask_picture(view);
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
	struct lanes_view *lanes = view->state;
	struct slice word = word_take(&rest);

	if (!colour_mode_find(word, &lanes->mode)) {
		return err_set(err, ERR_USAGE,
		               "colour: by category, name, status or slowdown, not '%.*s'",
		               (int)word.len, word.ptr ? word.ptr : "");
	}
	lanes_ask_colours(view);
	return 0;
}

static int
command_filter(struct view *view, struct slice text, struct err *err)
{
	if (list_trim(text).len == 0) {
		return err_set(err, ERR_USAGE, "filter: write what spans to keep (duration > 1ms)");
	}
	return add_filter(view, text, err);
}

static const struct {
	const char *name;
	int (*run)(struct view *view, struct slice arguments, struct err *err);
} commands[] = {{"range", command_range},
                {"goto", command_goto},
                {"lane", command_lane},
                {"filter", command_filter},
                {"colour", command_colour}};
#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

enum command_outcome
lanes_command(struct view *view, struct slice name, struct slice arguments, struct err *err)
{
	struct lanes_view *lanes = view->state;

	for (size_t i = 0; i < COMMANDS && lanes->timeline && lanes->colours; i++) {
		if (slice_is(name, commands[i].name)) {
			return commands[i].run(view, arguments, err) == 0 ? COMMAND_DONE
			                                                  : COMMAND_FAILED;
		}
	}
	return COMMAND_UNKNOWN;
}

static void
complete_command(const struct lanes_view *lanes, struct slice text, size_t cursor,
                 struct completion *completion)
{
	struct slice typed = {text.ptr, cursor < text.len ? cursor : text.len}, rest = typed;
	struct slice command = word_take(&rest);

	if (rest.len == 0) {
		completion->from = (size_t)(command.ptr - text.ptr);
		for (size_t i = 0; i < COMMANDS; i++) {
			completion_add(completion, slice_of(commands[i].name));
		}
		return;
	}
	completion->from = (size_t)(rest.ptr + 1 - text.ptr);
	if (slice_is(command, "colour")) {
		for (int i = 0; i < COLOUR_MODES; i++) {
			completion_add(completion, slice_of(colour_mode_name((enum colour_mode)i)));
		}
	} else if (slice_is(command, "lane")) {
		for (size_t i = 0; i < lanes->timeline->n_rows && i < 10000; i++) {
			if (lanes->timeline->rows[i].type == TIMELINE_LANE) {
				completion_add(completion, lanes->timeline->rows[i].name);
			}
		}
	}
}

void
lanes_complete(const struct view *view, enum prompt_kind kind, struct slice text, size_t cursor,
               struct completion *completion)
{
	const struct lanes_view *lanes = view->state;
	size_t from = cursor < text.len ? cursor : text.len;

	if (!lanes->timeline || !lanes->colours) {
		return;
	}
	if (kind == PROMPT_COMMAND) {
		complete_command(lanes, text, cursor, completion);
	} else if (kind == PROMPT_FILTER || kind == PROMPT_SEARCH) {
		while (from > 0 && text.ptr[from - 1] != ' ' && text.ptr[from - 1] != '(') {
			from--;
		}
		completion->from = kind == PROMPT_SEARCH ? 0 : from;
		for (size_t i = 0; kind == PROMPT_FILTER && i < COLUMNS_KNOWN; i++) {
			completion_add(completion, slice_of(columns[i]));
		}
		for (size_t i = 0; kind == PROMPT_SEARCH && i < lanes->colours->n && i < 1000;
		     i++) {
			completion_add(completion, lanes->colours->labels[i]);
		}
	}
}

/* ---- mouse ---- */

static void
point_at(struct view *view, int column, int line)
{
	struct lanes_view *lanes = view->state;

	if (line >= 0 && (size_t)line + lanes->list.top < lanes->list.n &&
	    (size_t)line < lanes->list.height) {
		lanes->list.selected = lanes->list.top + (size_t)line;
	}
	if (column >= 0 && column < lanes->scale.columns) {
		lanes->scale.cursor = column;
	}
	lanes_cursor_moved(view);
}

static void
drag(struct view *view, int column)
{
	struct lanes_view *lanes = view->state;
	int from = lanes->drag_from < column ? lanes->drag_from : column;
	int to = lanes->drag_from < column ? column : lanes->drag_from;

	if (lanes->drag_from < 0 || column < 0 || column >= lanes->scale.columns) {
		return;
	}
	lanes->range = RANGE_OPEN;
	lanes->has_facts = false;
	lanes->range_start = timescale_time(&lanes->scale, from);
	lanes->range_end = timescale_time(&lanes->scale, to + 1);
	lanes->scale.cursor = column;
}

void
lanes_mouse(struct view *view, const struct mouse_event *event)
{
	struct lanes_view *lanes = view->state;
	int column = event->x - lanes_label_columns(view->area.width);
	int line = event->y - view->area.y - LANES_HEAD_ROWS;

	if (!lanes->timeline || lanes->list.n == 0 || !lanes->colours) {
		return;
	}
	switch (event->type) {
	case MOUSE_PRESS:
		lanes->drag_from = line >= 0 ? column : -1;
		point_at(view, column, line);
		break;
	case MOUSE_DOUBLE:
		point_at(view, column, line);
		(void)lanes_act(view, column < 0 ? ACTION_FOLD : ACTION_OPEN);
		break;
	case MOUSE_DRAG:
		drag(view, column);
		break;
	case MOUSE_RELEASE:
		lanes->drag_from = -1;
		if (lanes->range == RANGE_OPEN) {
			(void)lanes_act(view, ACTION_MARK_RANGE);
		}
		break;
	default:
		if (column >= 0 && column < lanes->scale.columns) {
			lanes->scale.cursor = column;
		}
		(void)lanes_act(view,
		                event->type == MOUSE_WHEEL_UP ? ACTION_ZOOM_IN : ACTION_ZOOM_OUT);
	}
}
