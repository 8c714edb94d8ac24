/*
 * One span with all that is known of it; rows that stand for another span lead there. What a look at the run's other spans tells (children,
 * how long others of the name take) comes second, so that the rest need not wait.
 */
#include "config.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/span_about.h"
#include "query/spans.h"
#include "ui/list.h"
#include "ui/view.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/utf8.h"

#define LABEL_COLUMNS 14
#define LABEL_LIMIT 28

enum { JOB_ABOUT, JOB_PEERS };
enum section {
	SECTION_SPAN,
	SECTION_ARGUMENTS,
	SECTION_TASK,
	SECTION_PARENTS,
	SECTION_INPUTS,
	SECTION_OUTPUTS,
	SECTION_CHILDREN
};

struct span_field {
	enum section section;
	struct slice label, value;
	int64_t span; /* that the row stands for; 0: none */
};

struct span_view {
	int64_t id;
	struct span_about *about;
	struct span_peers *peers;
	struct arena *arena; /* of the fields */
	struct span_field *fields;
	size_t capacity;
	struct list list;
	int label_columns;
};

struct span_job {
	struct job job;
	char *run_path; /* own copy: the view may be closed while the job still runs */
	int64_t id;
	struct span_about *about;
	struct span_peers *peers;
};

/* ---- questions ---- */

static int
read_about(struct job *job, struct worker *worker, struct err *err)
{
	struct span_job *mine = (struct span_job *)job;
	struct store *store = worker_store(worker, mine->run_path, &job->cancel, err);

	mine->about = store ? span_about_read(store, mine->id, &job->cancel, err) : NULL;
	return mine->about ? 0 : -1;
}

static int
read_peers(struct job *job, struct worker *worker, struct err *err)
{
	struct span_job *mine = (struct span_job *)job;
	struct store *store = worker_store(worker, mine->run_path, &job->cancel, err);

	mine->peers = store ? span_peers_read(store, mine->id, &job->cancel, err) : NULL;
	return mine->peers ? 0 : -1;
}

static void
free_job(struct job *job)
{
	struct span_job *mine = (struct span_job *)job;

	span_about_free(mine->about);
	span_peers_free(mine->peers);
	free(mine->run_path);
	free(mine);
}

static void
ask(struct view *view, int kind)
{
	struct span_view *span = view->state;
	struct span_job *job = xcalloc(1, sizeof(*job));

	job->job.kind = kind;
	job->job.work = kind == JOB_ABOUT ? read_about : read_peers;
	job->job.free = free_job;
	job->run_path = xstrdup(view->run_path);
	job->id = span->id;
	app_submit(view->app, view, &job->job);
}

/* ---- fields ---- */

static void
add(struct span_view *span, enum section section, struct slice label, struct slice value,
    int64_t id)
{
	int columns = (int)utf8_columns(label) + 2;

	if (value.len == 0) {
		return;
	}
	span->fields =
	    mem_grow(span->fields, &span->capacity, span->list.n + 1, sizeof(*span->fields));
	span->fields[span->list.n++] = (struct span_field){section, label, value, id};
	columns = columns > LABEL_LIMIT ? LABEL_LIMIT : columns;
	span->label_columns = columns > span->label_columns ? columns : span->label_columns;
}

static void __attribute__((format(printf, 4, 5)))
add_printf(struct span_view *span, enum section section, const char *label, const char *format, ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	add(span, section, slice_of(label),
	    slice_of(arena_strndup(span->arena, text, strlen(text))), 0);
}

/* A time of the run in full: "4.867673123 s". */
static void
add_time(struct span_view *span, const char *label, int64_t ns)
{
	char text[FORMAT_BYTES];

	if (ns > -1000 && ns < 1000) { /* "7 ns" says all */
		add_printf(span, SECTION_SPAN, label, "%s", format_duration(text, ns));
		return;
	}
	add_printf(span, SECTION_SPAN, label, "%s  (%lld ns)", format_duration(text, ns),
	           (long long)ns);
}

static void
add_lane(struct span_view *span)
{
	const struct span_about *about = span->about;
	struct strbuf text = {0};
	const struct {
		const char *name;
		struct slice value;
	} parts[] = {{"host", about->host},
	             {"process", about->process},
	             {"thread", about->thread},
	             {"kind", about->kind}};

	strbuf_add(&text, about->lane.ptr, about->lane.len);
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (parts[i].value.len > 0) {
			strbuf_printf(&text, "  %s ", parts[i].name);
			strbuf_add(&text, parts[i].value.ptr, parts[i].value.len);
		}
	}
	add(span, SECTION_SPAN, slice_of("lane"),
	    (struct slice){arena_strndup(span->arena, text.data, text.len), text.len}, 0);
	strbuf_free(&text);
}

/* A record that stands for many calls: what it tells of them, and how much of its interval they took, if they did not overlap. */
static void
add_calls(struct span_view *span, const struct span_row *row)
{
	char n[FORMAT_BYTES], sum[FORMAT_BYTES], text[FORMAT_BYTES];

	add_printf(span, SECTION_SPAN, "calls",
	           "%s in this interval; when and how long each: unknown",
	           format_count(n, row->calls));
	if (row->call_sum_ns != TIME_NONE) {
		add_printf(span, SECTION_SPAN, "time of calls", "%s, mean %s",
		           format_duration(sum, row->call_sum_ns),
		           format_duration(text, row->call_sum_ns / row->calls));
	}
	if (row->call_min_ns != TIME_NONE && row->call_max_ns != TIME_NONE) {
		add_printf(span, SECTION_SPAN, "a call", "min %s, max %s",
		           format_duration(sum, row->call_min_ns),
		           format_duration(text, row->call_max_ns));
	}
	if (row->call_sum_ns != TIME_NONE && row->duration_ns > 0) {
		add_printf(
		    span, SECTION_SPAN, "density", "%s of the interval",
		    format_percent(text, (double)row->call_sum_ns / (double)row->duration_ns));
	}
	if (row->size_bytes != SIZE_NONE) {
		add_printf(span, SECTION_SPAN, "mean size", "%s",
		           format_size(text, row->size_bytes / row->calls));
	}
	if (row->size_min != SIZE_NONE && row->size_max != SIZE_NONE) {
		add_printf(span, SECTION_SPAN, "size of a call", "min %s, max %s",
		           format_size(sum, row->size_min), format_size(text, row->size_max));
	}
}

static void
add_own(struct span_view *span)
{
	const struct span_about *about = span->about;
	const struct span_row *row = &about->span;
	char text[FORMAT_BYTES];

	add(span, SECTION_SPAN, slice_of("name"), about->name, 0);
	add(span, SECTION_SPAN, slice_of("category"), about->category, 0);
	add_lane(span);
	add_time(span, "start", row->start_ns);
	add_time(span, "duration", row->duration_ns);
	if (row->self_ns != row->duration_ns) {
		add_time(span, "self", row->self_ns);
	}
	if (row->size_bytes != SIZE_NONE) {
		add_printf(span, SECTION_SPAN, "size", "%s  (%lld bytes)",
		           format_size(text, row->size_bytes), (long long)row->size_bytes);
		if (row->duration_ns > 0 && row->size_bytes > 0) {
			double rate = (double)row->size_bytes / (double)row->duration_ns * 1e9;

			add_printf(span, SECTION_SPAN, "rate", "%s%s/s",
			           row->calls > 1 ? "at least " : "",
			           format_size(text, rate < 9e18 ? (int64_t)rate : INT64_MAX));
		}
	}
	add(span, SECTION_SPAN, slice_of("path"), about->path, 0);
	if (row->is_unfinished) {
		add(span, SECTION_SPAN, slice_of("unfinished"),
		    slice_of("its end is not in the trace: until its last time"), 0);
	}
	if (row->calls > 1) {
		add_calls(span, row);
	}
	add_printf(span, SECTION_SPAN, "depth", "%lld", (long long)row->depth);
	add_printf(span, SECTION_SPAN, "id", "%lld", (long long)row->id);
	add(span, SECTION_SPAN, slice_of("source"), about->source, 0);
}

static void
add_comparison(struct span_view *span)
{
	const struct span_peers *peers = span->peers;
	double own = (double)span->about->span.duration_ns;
	char a[FORMAT_BYTES], b[FORMAT_BYTES], c[FORMAT_BYTES], d[FORMAT_BYTES], n[FORMAT_BYTES];

	if (!peers || peers->n < 2 || !isfinite(peers->mean_ns)) {
		return;
	}
	if (peers->n_summed > 0) { /* not even whether a call took longer than this one is known */
		add_printf(span, SECTION_SPAN, "of its name",
		           "%s calls: mean %s; %s are only known as sums",
		           format_count(n, peers->n), format_duration(a, (int64_t)peers->mean_ns),
		           format_count(b, peers->n_summed));
		return;
	}
	add_printf(span, SECTION_SPAN, peers->kind.len > 0 ? "of its kind" : "of its name",
	           "%s: min %s, median %s, p95 %s, max %s", format_count(n, peers->n),
	           format_duration(a, peers->min_ns), format_duration(b, (int64_t)peers->median_ns),
	           format_duration(c, (int64_t)peers->p95_ns), format_duration(d, peers->max_ns));
	if (peers->mean_ns > 0 && peers->median_ns > 0) {
		add_printf(span, SECTION_SPAN, "against them",
		           "%.2f x their mean, %.2f x their median; %s took longer",
		           own / peers->mean_ns, own / peers->median_ns,
		           peers->n_longer > 0 ? format_count(n, peers->n_longer) : "none");
	}
}

static void
add_stages(struct span_view *span)
{
	const struct span_about *about = span->about;
	char at[FORMAT_BYTES], since[FORMAT_BYTES];

	for (size_t i = 0; i < about->n_stages; i++) {
		const struct span_stage *stage = &about->stages[i];

		add_printf(span, SECTION_TASK, stage->name, "%-11s%s%s",
		           format_duration(at, stage->at_ns), stage->since_ns < 0 ? "" : "  +",
		           stage->since_ns < 0 ? "" : format_duration(since, stage->since_ns));
	}
}

static void
add_lines(struct span_view *span, enum section section, const char *label,
          const struct span_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++) {
		const struct span_line *line = &lines->lines[i];
		struct strbuf text = {0};
		char number[FORMAT_BYTES];

		strbuf_printf(&text, "%9s  ", format_duration(number, line->duration_ns));
		strbuf_add(&text, line->name.ptr, line->name.len);
		if (!slice_equal(line->lane, span->about->lane)) {
			strbuf_add_text(&text, "  on ");
			strbuf_add(&text, line->lane.ptr, line->lane.len);
		}
		add(span, section, slice_of(label),
		    (struct slice){arena_strndup(span->arena, text.data, text.len), text.len},
		    line->id);
		strbuf_free(&text);
	}
	if (lines->n_all > (int64_t)lines->n) {
		char number[FORMAT_BYTES];

		add_printf(span, section, "", "%9s  in all; the longest are shown",
		           format_count(number, lines->n_all));
	}
}

static void
lay(struct span_view *span)
{
	const struct span_about *about = span->about;

	arena_free(span->arena);
	span->arena = arena_new();
	span->list.n = 0;
	span->label_columns = LABEL_COLUMNS;
	add_own(span);
	add_comparison(span);
	for (size_t i = 0; i < about->n_arguments; i++) {
		add(span, SECTION_ARGUMENTS, about->arguments[i].name, about->arguments[i].value,
		    0);
	}
	add_stages(span);
	add_lines(span, SECTION_PARENTS, "parent", &about->parents);
	add_lines(span, SECTION_INPUTS, "input", &about->inputs);
	add_lines(span, SECTION_OUTPUTS, "output", &about->outputs);
	if (span->peers) {
		add_lines(span, SECTION_CHILDREN, "child", &span->peers->children);
	}
	list_settle(&span->list);
}

static void
done(struct view *view, struct job *job)
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
	lay(span);
}

/* ---- screen ---- */

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct span_view *span = view->state;
	int x = 2 + span->label_columns;

	for (size_t i = 0; i < span->list.height && span->list.top + i < span->list.n; i++) {
		size_t row = span->list.top + i;
		const struct span_field *field = &span->fields[row];
		int y = area.y + (int)i;
		bool begins = row == 0 || field->section != field[-1].section;

		canvas_text_middle(canvas, 2, y, span->label_columns - 1,
		                   begins ? STYLE_HEADER : STYLE_MUTED, field->label);
		canvas_text_middle(canvas, x, y, area.width - x - 3, STYLE_NORMAL, field->value);
		if (field->span > 0) {
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

static void
resize(struct view *view, struct area area)
{
	struct span_view *span = view->state;

	span->list.height = area.height > 0 ? (size_t)area.height : 1;
	list_settle(&span->list);
}

/* ---- keys ---- */

static struct list *
list_of(struct view *view)
{
	struct span_view *span = view->state;

	return &span->list;
}

static bool
row_has(const struct view *view, size_t row, struct slice text)
{
	const struct span_view *span = view->state;

	return slice_contains_anycase(span->fields[row].value, text) ||
	       slice_contains_anycase(span->fields[row].label, text);
}

/* The next input or output, around the end; Enter goes there. */
static void
select_flow(struct view *view, enum section section)
{
	struct span_view *span = view->state;

	for (size_t i = 1; i <= span->list.n; i++) {
		size_t row = (span->list.selected + i) % span->list.n;

		if (span->fields[row].section == section && span->fields[row].span > 0) {
			span->list.selected = row;
			list_settle(&span->list);
			return;
		}
	}
	app_say(view->app, false, "no %s of this span are known",
	        section == SECTION_INPUTS ? "inputs" : "outputs");
}

/* Whether the selected value is longer than its row. */
static bool
is_cut(const struct view *view)
{
	const struct span_view *span = view->state;
	int room = view->area.width - span->label_columns - 5;

	return span->list.selected < span->list.n &&
	       canvas_columns(span->fields[span->list.selected].value, room + 1) > room;
}

/* All of the selected value, in lines as long as the screen is wide. */
static void
open_whole(struct view *view)
{
	const struct span_view *span = view->state;
	const struct span_field *field = &span->fields[span->list.selected];
	struct slice left = field->value;
	struct strbuf text = {0}, title = {0};

	while (left.len > 0) {
		const char *newline = memchr(left.ptr, '\n', left.len);
		struct slice line = {left.ptr, newline ? (size_t)(newline - left.ptr) : left.len};

		line = utf8_clip(line, (size_t)view->area.width - 2);
		strbuf_add(&text, line.ptr, line.len);
		strbuf_add_char(&text, '\n');
		line.len += left.ptr + line.len == newline;
		left.ptr += line.len;
		left.len -= line.len;
	}
	strbuf_printf(&title, "%s > %.*s", view->place, (int)field->label.len, field->label.ptr);
	app_push(view->app, view_text_new(view->app, title.data, strbuf_slice(&text)));
	strbuf_free(&text);
	strbuf_free(&title);
}

static bool
open_selected(struct view *view)
{
	struct span_view *span = view->state;
	int64_t id =
	    span->list.selected < span->list.n ? span->fields[span->list.selected].span : 0;

	if (id > 0) {
		app_push(view->app, view_span_new(view->app, view->run_path, view->run_name, id));
	} else if (is_cut(view)) {
		open_whole(view);
	} else {
		app_say(view->app, false, "no other span stands behind this row");
	}
	return true;
}

static void
copy(struct view *view, bool is_row)
{
	struct span_view *span = view->state;
	const struct span_field *field = &span->fields[span->list.selected];
	struct strbuf text = {0};

	if (is_row) {
		strbuf_add(&text, field->label.ptr, field->label.len);
		strbuf_add_char(&text, '\t');
	}
	strbuf_add(&text, field->value.ptr, field->value.len);
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
	app_push(view->app, view_spans_new(view->app, view->run_path, view->run_name, &focus));
	strbuf_free(&filter);
}

static bool
act(struct view *view, enum action action)
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
		app_push(view->app,
		         view_timeline_new(view->app, view->run_path, view->run_name, &focus));
		return true;
	case ACTION_SPANS:
		open_spans(view);
		return true;
	case ACTION_NEXT_FLOW:
	case ACTION_PREVIOUS_FLOW:
		select_flow(view, action == ACTION_NEXT_FLOW ? SECTION_OUTPUTS : SECTION_INPUTS);
		return true;
	case ACTION_RELOAD:
		ask(view, JOB_ABOUT);
		return true;
	case ACTION_COPY:
	case ACTION_COPY_ROW:
		copy(view, action == ACTION_COPY_ROW);
		return true;
	default:
		return list_act(&span->list, action);
	}
}

static bool
mouse(struct view *view, const struct mouse_event *event)
{
	struct span_view *span = view->state;
	size_t row = span->list.top + (size_t)(event->y - view->area.y);

	if (event->type == MOUSE_WHEEL_UP || event->type == MOUSE_WHEEL_DOWN) {
		return list_act(&span->list,
		                event->type == MOUSE_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
	}
	if (event->y < view->area.y || row >= span->list.n ||
	    row >= span->list.top + span->list.height ||
	    (event->type != MOUSE_PRESS && event->type != MOUSE_DOUBLE)) {
		return false;
	}
	span->list.selected = row;
	return event->type == MOUSE_DOUBLE ? open_selected(view) : true;
}

static void
close_span(struct view *view)
{
	struct span_view *span = view->state;

	span_about_free(span->about);
	span_peers_free(span->peers);
	arena_free(span->arena);
	free(span->fields);
	free(span);
}

static const struct view_ops ops = {
    .sets = IN_SPAN,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .done = done,
    .list = list_of,
    .row_has = row_has,
    .mouse = mouse,
    .close = close_span,
};

struct view *
view_span_new(struct app *app, const char *run_path, const char *run_name, int64_t id)
{
	struct span_view *span = xcalloc(1, sizeof(*span));
	struct view *view = view_new_in_run(app, &ops, span, run_path, run_name, "Span");

	span->id = id;
	ask(view, JOB_ABOUT);
	return view;
}
