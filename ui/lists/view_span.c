/*
 * One span with all that is known of it; rows that stand for another span lead there. What a look
 * at the run's other spans tells (children, how long others of the name take) comes second, so that
 * the rest need not wait.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/spans/span_list.h"
#include "ui/lists/span_fields.h"
#include "ui/app/view.h"
#include "util/mem.h"
#include "util/utf8.h"

#define WHOLE_ROWS 5 /* for a value that its row cuts */

enum { JOB_ABOUT, JOB_PEERS };
struct span_view {
	int64_t id;
	struct span_about *about;
	struct span_peers *peers;
	struct span_fields fields;
	struct list list;
};

struct span_job {
	struct view_job job;
	int64_t id;
	struct span_about *about;
	struct span_peers *peers;
};

/* ---- questions ---- */

static int
work(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct span_job *mine = (struct span_job *)job;
	struct store *store = job_store(job, worker, err);

	if (store && job->kind == JOB_ABOUT) {
		mine->about = span_about_read(store, mine->id, &job->cancel, err);
	} else if (store) {
		mine->peers = span_peers_read(store, mine->id, &job->cancel, err);
	}
	return mine->about || mine->peers ? 0 : -1;
}

static void
free_job(struct view_job *job)
{
	struct span_job *mine = (struct span_job *)job;

	span_about_free(mine->about);
	span_peers_free(mine->peers);
}

static void
ask(struct view *view, int kind)
{
	struct span_view *span = view->state;
	struct span_job *job = job_new(sizeof *job, kind, work, free_job, view->run_path);

	job->id = span->id;
	view_submit(view, &job->job);
}

static void
done(struct view *view, struct view_job *job)
{
	struct span_view *span = view->state;
	struct span_job *mine = (struct span_job *)job;

	if (job->kind == JOB_ABOUT) {
		span_about_free(span->about);
		span->about = mine->about;
		mine->about = NULL;
		ask(view, JOB_PEERS);
	} else {
		span_peers_free(span->peers);
		span->peers = mine->peers;
		mine->peers = NULL;
	}
	span_fields_lay(&span->fields, span->about, span->peers);
	span->list.n = span->fields.n;
	list_settle(&span->list);
}

/* ---- screen ---- */

static void
draw_row(const struct view *view, struct canvas *canvas, size_t i, int y, const void *how)
{
	const struct span_view *span = view->state;
	const struct span_field *field = &span->fields.list[i];
	int x = 2 + span->fields.label_columns, width = view->area.width;
	bool begins = i == 0 || field->section != field[-1].section;

	(void)how;
	canvas_text_middle(canvas, 2, y, span->fields.label_columns - 1,
	                   begins ? STYLE_HEADER : STYLE_MUTED, field->label);
	canvas_text_middle(canvas, x, y, width - x - 3, STYLE_NORMAL, field->value);
	if (field->span > 0) {
		canvas_puts(canvas, width - 2, y, STYLE_KEY, canvas->ascii ? ">" : "›");
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct span_view *span = view->state;

	if (span->about) {
		strbuf_printf(out, "%lld in, %lld out   span %lld",
		              (long long)span->about->inputs.n_all,
		              (long long)span->about->outputs.n_all, (long long)span->id);
	}
}

/* Whether a value is longer than its row. */
static bool
is_cut(const struct view *view, struct slice value)
{
	const struct span_view *span = view->state;
	int room = view->area.width - span->fields.label_columns - 5;

	return canvas_columns(value, room + 1) > room;
}

/* Takes what a line of so many columns holds off the text. */
static struct slice
take_line(struct slice *left, int columns)
{
	const char *newline = memchr(left->ptr, '\n', left->len);
	struct slice line = {left->ptr, newline ? (size_t)(newline - left->ptr) : left->len};

	line = utf8_clip(line, (size_t)columns);
	*left = slice_from(*left, line.len + (left->ptr + line.len == newline));
	return line;
}

/* Of the rows that the list leaves free. */
static int
free_rows(const struct view *view)
{
	const struct span_view *span = view->state;
	size_t height = span->list.height, n = span->list.n;

	return n >= height ? 0 : height - n < WHOLE_ROWS ? (int)(height - n) : WHOLE_ROWS;
}

/* Below the list the selected value, where its row has no room for all of it. */
static void
draw_whole(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct span_view *span = view->state;
	int rows = free_rows(view), y = area.y + area.height - rows;
	struct slice left;

	if (rows < 2 || span->list.n == 0 ||
	    !is_cut(view, span->fields.list[span->list.selected].value)) {
		return;
	}
	left = span->fields.list[span->list.selected].value;
	canvas_text_middle(canvas, 2, y, area.width - 4, STYLE_HEADER,
	                   span->fields.list[span->list.selected].label);
	for (int i = 1; i < rows && left.len > 0; i++) {
		bool is_last = i + 1 == rows; /* the rest, shortened: Enter shows it */

		canvas_text_cut(canvas, 2, y + i, area.width - 3, STYLE_NORMAL,
		                is_last ? left : take_line(&left, area.width - 3));
	}
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	view_list_draw(view, canvas, NULL);
	draw_whole(view, canvas, area);
}

/* ---- keys ---- */

static bool
row_has(const struct view *view, size_t row, struct slice text)
{
	const struct span_view *span = view->state;

	return slice_contains_anycase(span->fields.list[row].value, text) ||
	       slice_contains_anycase(span->fields.list[row].label, text);
}

/* The next input or output, around the end; Enter goes there. */
static void
select_flow(struct view *view, enum span_section section)
{
	struct span_view *span = view->state;

	for (size_t i = 1; i <= span->list.n; i++) {
		size_t row = (span->list.selected + i) % span->list.n;

		if (span->fields.list[row].section == section && span->fields.list[row].span > 0) {
			span->list.selected = row;
			list_settle(&span->list);
			return;
		}
	}
	view_say(view, "no %s of this span are known",
	         section == SECTION_INPUTS ? "inputs" : "outputs");
}

/* All of a value, in lines as long as the screen is wide. */
static void
open_whole(struct view *view, const struct span_field *field)
{
	struct slice left = field->value;
	struct strbuf text = {0}, title = {0};

	while (left.len > 0) {
		strbuf_add_slice(&text, take_line(&left, view->area.width - 2));
		strbuf_add_char(&text, '\n');
	}
	strbuf_printf(&title, "%s > %.*s", view->title, (int)field->label.len, field->label.ptr);
	app_open_text(view->app, title.data, strbuf_slice(&text));
	strbuf_free(&text);
	strbuf_free(&title);
}

static bool
open_selected(struct view *view)
{
	struct span_view *span = view->state;
	const struct span_field *field = &span->fields.list[span->list.selected];

	if (field->span > 0) {
		view_open(view, PLACE_SPAN, .span = field->span);
	} else if (is_cut(view, field->value)) {
		open_whole(view, field);
	} else {
		view_say(view, "no other span stands behind this row");
	}
	return true;
}

static void
copy(struct view *view, bool is_row)
{
	struct span_view *span = view->state;
	const struct span_field *field = &span->fields.list[span->list.selected];
	struct strbuf text = {0};

	if (is_row) {
		strbuf_add_slice(&text, field->label);
		strbuf_add_char(&text, '\t');
	}
	strbuf_add_slice(&text, field->value);
	app_copy(view->app, strbuf_slice(&text));
	strbuf_free(&text);
}

/* All spans of this one's name. */
static void
open_spans(struct view *view)
{
	struct span_view *span = view->state;
	struct focus focus = FOCUS_NONE;
	struct strbuf filter = {0};

	if (span->about->span.name == TEXT_NONE) {
		strbuf_add_text(&filter, "name IS NULL");
	} else {
		span_filter_add(&filter, "name", span->about->name);
	}
	focus.filter = filter.data;
	view_open(view, PLACE_SPANS, .focus = &focus);
	strbuf_free(&filter);
}

static bool
act(struct view *view, enum view_action action)
{
	struct span_view *span = view->state;
	struct focus focus = FOCUS_NONE;

	if (!span->about) {
		return false;
	}
	switch (action) {
	case ACTION_OPEN:
		return open_selected(view);
	case ACTION_TIMELINE:
		focus.span = span->id;
		view_open(view, PLACE_TIMELINE, .focus = &focus);
		break;
	case ACTION_PARTNER:
		app_open_partner(view, span->id);
		break;
	case ACTION_SPANS:
		open_spans(view);
		break;
	case ACTION_NEXT_FLOW:
	case ACTION_PREVIOUS_FLOW:
		select_flow(view, action == ACTION_NEXT_FLOW ? SECTION_OUTPUTS : SECTION_INPUTS);
		break;
	case ACTION_RELOAD:
		ask(view, JOB_ABOUT);
		break;
	case ACTION_COPY:
	case ACTION_COPY_ROW:
		copy(view, action == ACTION_COPY_ROW);
		break;
	default:
		return false;
	}
	return true;
}

static void
close_span(struct view *view)
{
	struct span_view *span = view->state;

	span_about_free(span->about);
	span_peers_free(span->peers);
	span_fields_free(&span->fields);
	free(span);
}

static const struct view_ops ops = {
    .sets = IN_SPAN,
    .draw = draw,
    .row = draw_row,
    .act = act,
    .status = status,
    .done = done,
    .row_has = row_has,
    .close = close_span,
};

struct view *
view_span_new(struct app *app, const struct view_place *place)
{
	struct span_view *span = xcalloc(1, sizeof *span);
	struct view *view = view_new(app, &ops, span, place, "Span");

	span->id = place->span;
	view->list = &span->list;
	ask(view, JOB_ABOUT);
	return view;
}
