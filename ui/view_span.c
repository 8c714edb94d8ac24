/* One span with all that is known of it; rows that stand for another span lead to it. */
#include "config.h"

#include <stdlib.h>

#include "query/span_list.h"
#include "ui/list.h"
#include "ui/view.h"
#include "util/mem.h"
#include "util/utf8.h"

#define FIELD_COLUMNS 16

struct span_view {
	int64_t id;
	struct result *facts; /* field, value, span, section */
	struct list list;
	struct strbuf search;
};
enum { AT_FIELD, AT_VALUE, AT_SPAN, AT_SECTION };

struct span_job {
	struct job job;
	char *run_path;
	int64_t id;
	struct result *facts;
};

static int
read_span(struct job *job, struct worker *worker, struct err *err)
{
	struct span_job *mine = (struct span_job *)job;
	struct store *store = worker_store(worker, mine->run_path, &job->cancel, err);

	mine->facts = store ? span_facts(store, mine->id, &job->cancel, err) : NULL;
	return mine->facts ? 0 : -1;
}

static void
free_span_job(struct job *job)
{
	struct span_job *mine = (struct span_job *)job;

	result_free(mine->facts);
	free(mine->run_path);
	free(mine);
}

static void
ask(struct view *view)
{
	struct span_view *span = view->state;
	struct span_job *job = xcalloc(1, sizeof(*job));

	job->job.work = read_span;
	job->job.free = free_span_job;
	job->run_path = xstrdup(view->run_path);
	job->id = span->id;
	app_submit(view->app, view, &job->job);
}

static struct slice
text_at(const struct span_view *span, size_t row, size_t column)
{
	const struct value *value = result_value(span->facts, row, column);

	return value->type == VALUE_TEXT ? value->text : (struct slice){"", 0};
}

/* The span that a row stands for; -1: none. */
static int64_t
target(const struct span_view *span, size_t row)
{
	const struct value *value = result_value(span->facts, row, AT_SPAN);

	return value->type == VALUE_INTEGER ? value->integer : -1;
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct span_view *span = view->state;

	for (size_t i = 0; i < span->list.height && span->list.top + i < span->list.n; i++) {
		size_t row = span->list.top + i;
		int y = area.y + (int)i;
		bool begins = row == 0 || !slice_equal(text_at(span, row, AT_SECTION),
		                                       text_at(span, row - 1, AT_SECTION));

		canvas_text_middle(canvas, 2, y, FIELD_COLUMNS - 1,
		                   begins ? STYLE_HEADER : STYLE_MUTED,
		                   text_at(span, row, AT_FIELD));
		canvas_text(canvas, 2 + FIELD_COLUMNS, y, area.width - FIELD_COLUMNS - 4,
		            STYLE_NORMAL, text_at(span, row, AT_VALUE));
		if (target(span, row) > 0) {
			canvas_puts(canvas, area.width - 2, y, STYLE_KEY,
			            canvas->ascii ? ">" : "›");
		}
		if (row == span->list.selected) {
			canvas_puts(canvas, 0, y, STYLE_KEY, ">");
			canvas_attribute(canvas, 0, y, area.width, STYLE_REVERSE);
			canvas->cursor_x = 0;
			canvas->cursor_y = y;
		}
	}
}

static bool
matches(const void *user, size_t row)
{
	const struct span_view *span = user;
	struct slice text = strbuf_slice(&span->search);

	return text.len > 0 && (slice_contains(text_at(span, row, AT_VALUE), text) ||
	                        slice_contains(text_at(span, row, AT_FIELD), text));
}

static void
follow(struct view *view, int64_t id)
{
	app_push(view->app, view_span_new(view->app, view->run_path, view->run_name, id));
}

/* Selects the next input or output, and goes there if it is selected already. */
static void
walk(struct view *view, const char *section)
{
	struct span_view *span = view->state;
	size_t n = span->list.n, at = span->list.selected;

	if (at < n && slice_is(text_at(span, at, AT_SECTION), section) && target(span, at) > 0) {
		follow(view, target(span, at));
		return;
	}
	for (size_t row = 0; row < n; row++) {
		if (slice_is(text_at(span, row, AT_SECTION), section)) {
			span->list.selected = row;
			list_settle(&span->list);
			return;
		}
	}
	app_say(view->app, false, "no %s of this span are known", section);
}

static void
copy(struct view *view, bool is_row)
{
	struct span_view *span = view->state;
	struct strbuf text = {0};

	if (span->list.selected >= span->list.n) {
		return;
	}
	if (is_row) {
		struct slice field = text_at(span, span->list.selected, AT_FIELD);

		strbuf_add(&text, field.ptr, field.len);
		strbuf_add_char(&text, '\t');
	}
	strbuf_add(&text, text_at(span, span->list.selected, AT_VALUE).ptr,
	           text_at(span, span->list.selected, AT_VALUE).len);
	app_copy(view->app, strbuf_slice(&text));
	strbuf_free(&text);
}

static bool
act(struct view *view, enum action action)
{
	struct span_view *span = view->state;
	struct focus focus = FOCUS_NONE;

	if (!span->facts) {
		return false;
	}
	switch (action) {
	case ACTION_OPEN:
		if (span->list.selected < span->list.n && target(span, span->list.selected) > 0) {
			follow(view, target(span, span->list.selected));
		} else {
			app_say(view->app, false,
			        "nothing behind this row (› marks those with something)");
		}
		return true;
	case ACTION_TIMELINE:
		focus.span = span->id;
		app_push(view->app,
		         view_timeline_new(view->app, view->run_path, view->run_name, &focus));
		return true;
	case ACTION_NEXT_FLOW:
	case ACTION_PREVIOUS_FLOW:
		walk(view, action == ACTION_NEXT_FLOW ? "outputs" : "inputs");
		return true;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		if (!list_find(&span->list,
		               action == ACTION_SEARCH_NEXT ? SEARCH_NEXT : SEARCH_PREVIOUS,
		               matches, span)) {
			app_say(view->app, false, "not found");
		}
		return true;
	case ACTION_COPY:
	case ACTION_COPY_ROW:
		copy(view, action == ACTION_COPY_ROW);
		return true;
	default:
		return list_act(&span->list, action);
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct span_view *span = view->state;

	strbuf_printf(out, "span %lld", (long long)span->id);
}

static void
resize(struct view *view, struct area area)
{
	struct span_view *span = view->state;

	span->list.height = area.height > 0 ? (size_t)area.height : 1;
	list_settle(&span->list);
}

static void
done(struct view *view, struct job *job)
{
	struct span_view *span = view->state;
	struct span_job *mine = (struct span_job *)job;

	result_free(span->facts);
	span->facts = mine->facts;
	mine->facts = NULL;
	span->list.n = span->facts->n_rows;
	list_settle(&span->list);
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct span_view *span = view->state;

	if (kind == PROMPT_SEARCH && !final && span->facts) {
		strbuf_clear(&span->search);
		strbuf_add(&span->search, text.ptr, text.len);
		list_find(&span->list, SEARCH_HERE, matches, span);
	}
}

static bool
mouse(struct view *view, const struct mouse_event *event)
{
	struct span_view *span = view->state;
	int row = event->y - view->area.y;

	if (event->type == MOUSE_WHEEL_UP || event->type == MOUSE_WHEEL_DOWN) {
		return list_act(&span->list,
		                event->type == MOUSE_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
	}
	if (row < 0 || span->list.top + (size_t)row >= span->list.n ||
	    (event->type != MOUSE_PRESS && event->type != MOUSE_DOUBLE)) {
		return false;
	}
	span->list.selected = span->list.top + (size_t)row;
	return event->type == MOUSE_DOUBLE ? act(view, ACTION_OPEN) : true;
}

static void
close_span(struct view *view)
{
	struct span_view *span = view->state;

	result_free(span->facts);
	strbuf_free(&span->search);
	free(span);
}

static const struct view_ops ops = {
    .sets = IN_SPAN,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .done = done,
    .prompt = prompt,
    .mouse = mouse,
    .close = close_span,
};

struct view *
view_span_new(struct app *app, const char *run_path, const char *run_name, int64_t id)
{
	struct span_view *span = xcalloc(1, sizeof(*span));
	struct view *view = view_new_in_run(app, &ops, span, run_path, run_name, "Span");

	span->id = id;
	ask(view);
	return view;
}
