/*
 * The spans of a run: as many as there are, but only some screens of them are ever here. The list counts all that pass the filters; the page holds the rows around what is
 * seen, and is asked for anew when the view leaves it. What is still coming is drawn as empty rows.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "query/span_list.h"
#include "ui/grid.h"
#include "ui/save.h"
#include "ui/view.h"
#include "util/format.h"
#include "util/mem.h"

#define PAGE_SCREENS 4
#define PAGE_ROWS 200
#define EXPORT_ROWS 1000000

enum { JOB_PAGE, JOB_EXPORT };

struct spans_view {
	char **filters; /* as typed */
	size_t n_filters;
	char *order; /* NULL: as recorded */
	struct list all;
	int64_t total_ns;
	struct table_model model; /* of the page */
	int64_t page_offset;
	struct grid grid;
	struct strbuf search;
	char *export_path; /* waits for its rows; NULL: none */
	bool is_asked;
};

struct spans_job {
	struct job job;
	char *run_path, *filter, *order;
	struct spans_request request;
	struct spans_page *page;
};

static int
read_page(struct job *job, struct worker *worker, struct err *err)
{
	struct spans_job *mine = (struct spans_job *)job;
	struct store *store = worker_store(worker, mine->run_path, &job->cancel, err);

	mine->request.filter = mine->filter;
	mine->request.order = mine->order;
	mine->page = store ? spans_page_read(store, &mine->request, &job->cancel, err) : NULL;
	return mine->page ? 0 : -1;
}

static void
free_spans_job(struct job *job)
{
	struct spans_job *mine = (struct spans_job *)job;

	spans_page_free(mine->page);
	free(mine->run_path);
	free(mine->filter);
	free(mine->order);
	free(mine);
}

/* All filters in the filter language, NULL if there is none. */
static char *
filter_of(const struct spans_view *spans)
{
	struct strbuf text = {0};

	for (size_t i = 0; i < spans->n_filters; i++) {
		strbuf_add_text(&text, i ? " AND (" : "(");
		spans_filter_text(slice_of(spans->filters[i]), &text);
		strbuf_add_char(&text, ')');
	}
	return spans->n_filters ? strbuf_take(&text) : NULL;
}

static void
ask(struct view *view, int kind, int64_t offset, int64_t n, bool anew)
{
	struct spans_view *spans = view->state;
	struct spans_job *job = xcalloc(1, sizeof(*job));

	job->job.kind = kind;
	job->job.work = read_page;
	job->job.free = free_spans_job;
	job->run_path = xstrdup(view->run_path);
	job->filter = filter_of(spans);
	job->order = spans->order ? xstrdup(spans->order) : NULL;
	job->request = (struct spans_request){
	    .offset = offset, .n = n, .matching = anew ? -1 : (int64_t)spans->all.n};
	app_submit(view->app, view, &job->job);
}

/* The page around what is seen. */
static void
ask_page(struct view *view, bool anew)
{
	struct spans_view *spans = view->state;
	int64_t n = (int64_t)spans->all.height * PAGE_SCREENS;
	int64_t offset = (int64_t)spans->all.top - (int64_t)spans->all.height;

	n = n > PAGE_ROWS ? n : PAGE_ROWS;
	ask(view, JOB_PAGE, offset > 0 ? offset : 0, n, anew);
}

static bool
page_covers(const struct spans_view *spans)
{
	size_t last = spans->all.top + spans->all.height;
	int64_t end = spans->page_offset + (int64_t)spans->model.n_rows;

	last = last < spans->all.n ? last : spans->all.n;
	return (int64_t)spans->all.top >= spans->page_offset && (int64_t)last <= end;
}

static void
moved(struct view *view)
{
	struct spans_view *spans = view->state;

	list_settle(&spans->all);
	if (!page_covers(spans)) {
		ask_page(view, false);
	}
}

static void
ask_anew(struct view *view)
{
	struct spans_view *spans = view->state;

	spans->all.selected = spans->all.top = 0;
	ask_page(view, true);
}

/* The page's row that is selected; SIZE_MAX if it is not here. */
static size_t
row_here(const struct spans_view *spans)
{
	int64_t row = (int64_t)spans->all.selected - spans->page_offset;

	return row >= 0 && row < (int64_t)spans->model.n_rows ? (size_t)row : SIZE_MAX;
}

static int64_t
selected_span(const struct spans_view *spans)
{
	size_t row = row_here(spans);

	return row == SIZE_MAX
	           ? -1
	           : result_value(spans->model.result, spans->model.rows[row], 0)->integer;
}

static void
draw_notes(const struct spans_view *spans, struct canvas *canvas, struct area area)
{
	struct strbuf line = {0};

	for (size_t i = 0; i < spans->n_filters; i++) {
		strbuf_printf(&line, "%s%s", i ? "  &  " : "filter  ", spans->filters[i]);
	}
	canvas_text(canvas, 2, area.y + area.height - 1, area.width - 3, STYLE_MUTED,
	            line.len ? strbuf_slice(&line)
	                     : slice_of("no filter (& keeps spans: a part of the "
	                                "name, or duration > 1ms)"));
	strbuf_free(&line);
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct spans_view *spans = view->state;
	struct list here = {.n = spans->model.n_rows, .height = spans->all.height};
	int64_t top = (int64_t)spans->all.top - spans->page_offset;
	struct area rows = {area.x, area.y, area.width, area.height - 1};

	if (spans->model.result && spans->all.n == 0) {
		canvas_puts(canvas, 2, area.y + 2, STYLE_MUTED,
		            spans->n_filters ? "no span passes the filter (\\ drops it)"
		                             : "this run has no spans");
	} else if (spans->model.result && top >= 0 && top < (int64_t)here.n) {
		here.top = (size_t)top;
		here.selected = row_here(spans) == SIZE_MAX ? here.n : row_here(spans);
		grid_draw(&spans->grid, &spans->model, &here, strbuf_slice(&spans->search), canvas,
		          rows);
	}
	draw_notes(spans, canvas, area);
	for (int y = area.y; app_is_busy(view->app, view) && y < area.y + area.height - 1; y++) {
		canvas_attribute(canvas, 0, y, area.width, STYLE_DIM);
	}
}

static bool
matches(const void *user, size_t row)
{
	const struct spans_view *spans = user;

	return spans->search.len > 0 &&
	       grid_row_matches(&spans->grid, &spans->model, row, strbuf_slice(&spans->search));
}

/* Among the rows that are here: the filter is for all of them. */
static void
search(struct view *view, enum list_search where)
{
	struct spans_view *spans = view->state;
	struct list here = {.n = spans->model.n_rows,
	                    .selected = row_here(spans) == SIZE_MAX ? 0 : row_here(spans),
	                    .height = spans->all.height};

	if (list_find(&here, where, matches, spans)) {
		spans->all.selected = (size_t)spans->page_offset + here.selected;
		moved(view);
	} else if (spans->search.len > 0) {
		app_say(view->app, false,
		        "not among the %zu spans around here (& keeps those of all that match)",
		        here.n);
	}
}

static bool
filter_drop(struct view *view)
{
	struct spans_view *spans = view->state;

	if (spans->n_filters == 0) {
		return false;
	}
	free(spans->filters[--spans->n_filters]);
	ask_anew(view);
	return true;
}

static void
filter_add(struct view *view, struct slice text)
{
	struct spans_view *spans = view->state;

	if (text.len > 0) {
		spans->filters =
		    xrealloc_array(spans->filters, spans->n_filters + 1, sizeof(*spans->filters));
		spans->filters[spans->n_filters++] = xstrndup(text.ptr, text.len);
		ask_anew(view);
	}
}

/* By the column that the cursor is in. The lane's name is that of the filter language. */
static void
sort(struct view *view, bool is_descending)
{
	struct spans_view *spans = view->state;
	size_t column = grid_selected(&spans->grid);
	struct strbuf order = {0};

	if (column == SIZE_MAX) {
		return;
	}
	if (strcmp(spans->model.result->columns[column].name, "args") == 0) {
		app_say(view->app, false, "spans can't be sorted by all arguments");
		return;
	}
	strbuf_printf(&order, "%s%s", is_descending ? "-" : "",
	              spans->model.result->columns[column].name);
	free(spans->order);
	spans->order = strbuf_take(&order);
	ask_anew(view);
}

static void
copy(struct view *view, bool is_row)
{
	struct spans_view *spans = view->state;
	size_t row = row_here(spans), column = grid_selected(&spans->grid);
	struct strbuf text = {0};

	for (size_t c = 0; row != SIZE_MAX && c < spans->model.result->n_columns; c++) {
		const struct value *value = result_value(spans->model.result, row, c);

		if (!is_row && c != column) {
			continue;
		}
		if (text.len > 0) {
			strbuf_add_char(&text, '\t');
		}
		if (value->type == VALUE_TEXT) {
			strbuf_add(&text, value->text.ptr, value->text.len);
		} else if (value->type == VALUE_INTEGER) {
			strbuf_printf(&text, "%lld", (long long)value->integer);
		}
	}
	if (text.len > 0) {
		app_copy(view->app, strbuf_slice(&text));
	}
	strbuf_free(&text);
}

static bool
open_selected(struct view *view, bool in_timeline)
{
	struct spans_view *spans = view->state;
	int64_t id = selected_span(spans);
	struct focus focus = FOCUS_NONE;

	if (id < 0) {
		return in_timeline ? false : true;
	}
	focus.span = id;
	app_push(view->app,
	         in_timeline ? view_timeline_new(view->app, view->run_path, view->run_name, &focus)
	                     : view_span_new(view->app, view->run_path, view->run_name, id));
	return true;
}

static bool
act(struct view *view, enum action action)
{
	struct spans_view *spans = view->state;

	if (list_act(&spans->all, action)) {
		moved(view);
		return true;
	}
	if (spans->model.result && grid_act(&spans->grid, &spans->model, action)) {
		grid_lay(&spans->grid, &spans->model, view->area.width);
		return true;
	}
	switch (action) {
	case ACTION_OPEN:
	case ACTION_TIMELINE:
		return open_selected(view, action == ACTION_TIMELINE);
	case ACTION_SORT_UP:
	case ACTION_SORT_DOWN:
		sort(view, action == ACTION_SORT_DOWN);
		return true;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		search(view, action == ACTION_SEARCH_NEXT ? SEARCH_NEXT : SEARCH_PREVIOUS);
		return true;
	case ACTION_FILTER:
		app_prompt(
		    view->app, PROMPT_FILTER,
		    "& keep spans (part of the name, or duration > 1ms AND path LIKE '%x%'): ", "");
		return true;
	case ACTION_UNFILTER:
	case ACTION_CANCEL:
		return filter_drop(view);
	case ACTION_RELOAD:
		ask_page(view, true);
		return true;
	case ACTION_EXPORT:
		save_ask(view, "spans");
		return true;
	case ACTION_COPY:
	case ACTION_COPY_ROW:
		copy(view, action == ACTION_COPY_ROW);
		return true;
	default:
		return false;
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct spans_view *spans = view->state;
	char count[FORMAT_BYTES], total[FORMAT_BYTES];

	if (spans->model.result) {
		strbuf_printf(out, "%s spans, %s   sort %s",
		              format_count(count, (int64_t)spans->all.n),
		              format_duration(total, spans->total_ns),
		              spans->order ? spans->order : "as recorded");
	}
}

static void
resize(struct view *view, struct area area)
{
	struct spans_view *spans = view->state;

	spans->all.height = area.height > 2 ? (size_t)area.height - 2 : 1;
	if (!spans->is_asked) {
		spans->is_asked = true;
		ask_page(view, true);
		return;
	}
	if (spans->model.result) {
		grid_lay(&spans->grid, &spans->model, area.width);
	}
	moved(view);
}

/* Columns that hold nothing here only take room: decided by the first page. */
static void
hide_empty(struct spans_view *spans)
{
	for (size_t c = 0; c < spans->model.result->n_columns; c++) {
		bool any = false;

		for (size_t r = 0; r < spans->model.n_rows && !any; r++) {
			any = result_value(spans->model.result, r, c)->type != VALUE_NULL;
		}
		if (!any && spans->model.n_rows > 0) {
			grid_hide(&spans->grid, slice_of(spans->model.result->columns[c].name),
			          true);
		}
	}
}

static void
done(struct view *view, struct job *job)
{
	struct spans_view *spans = view->state;
	struct spans_job *mine = (struct spans_job *)job;
	bool is_first = !spans->model.result;

	if (save_done(view, job)) {
		return;
	}
	if (job->kind == JOB_EXPORT) {
		save_result(view, mine->page->result, spans->export_path);
		mine->page->result = NULL;
		spans->export_path = NULL;
		return;
	}
	spans->all.n = (size_t)mine->page->matching;
	spans->total_ns = mine->page->total_ns >= 0 ? mine->page->total_ns : spans->total_ns;
	spans->page_offset = mine->page->offset;
	table_model_set(&spans->model, mine->page->result);
	mine->page->result = NULL;
	grid_set(&spans->grid, spans->model.result);
	if (is_first) {
		hide_empty(spans);
	}
	grid_lay(&spans->grid, &spans->model, view->area.width);
	moved(view);
}

/* All that pass, as far as a result may hold them. */
static void
export_to(struct view *view, char *path)
{
	struct spans_view *spans = view->state;

	if (!path) {
		return;
	}
	if (spans->all.n > EXPORT_ROWS) {
		app_say(view->app, true,
		        "%zu spans: more than %d at once; filter them (&), or use lanescope sql",
		        spans->all.n, EXPORT_ROWS);
		free(path);
		return;
	}
	free(spans->export_path);
	spans->export_path = path;
	ask(view, JOB_EXPORT, 0, (int64_t)spans->all.n, false);
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct spans_view *spans = view->state;

	if (kind == PROMPT_SEARCH && !final) {
		strbuf_clear(&spans->search);
		strbuf_add(&spans->search, text.ptr, text.len);
		search(view, SEARCH_HERE);
	} else if (kind == PROMPT_FILTER && final) {
		filter_add(view, text);
	} else if (kind == PROMPT_EXPORT && final) {
		export_to(view, save_path(view, text));
	}
}

static void
complete(const struct view *view, enum prompt_kind kind, struct slice text, size_t cursor,
         struct completion *completion)
{
	static const char *const words[] = {
	    "name",  "category",  "path", "basename", "size",   "duration", "self",  "start", "end",
	    "depth", "lane_name", "host", "process",  "thread", "parent",   "calls", "arg."};

	(void)view;
	if (kind == PROMPT_EXPORT) {
		save_complete(text, cursor, completion);
		return;
	}
	completion->from = cursor;
	while (completion->from > 0 && text.ptr[completion->from - 1] != ' ' &&
	       text.ptr[completion->from - 1] != '(') {
		completion->from--;
	}
	for (size_t i = 0; kind == PROMPT_FILTER && i < sizeof(words) / sizeof(words[0]); i++) {
		completion_add(completion, slice_of(words[i]));
	}
	completion_settle(completion,
	                  (struct slice){text.ptr + completion->from, cursor - completion->from});
}

static bool
mouse(struct view *view, const struct mouse_event *event)
{
	struct spans_view *spans = view->state;
	int row = event->y - view->area.y - 1;

	switch (event->type) {
	case MOUSE_WHEEL_UP:
	case MOUSE_WHEEL_DOWN:
		return act(view, event->type == MOUSE_WHEEL_UP ? ACTION_UP : ACTION_DOWN);
	case MOUSE_PRESS:
	case MOUSE_DOUBLE:
		if (row < 0 || (size_t)row >= spans->all.height ||
		    spans->all.top + (size_t)row >= spans->all.n) {
			return false;
		}
		spans->all.selected = spans->all.top + (size_t)row;
		return event->type == MOUSE_DOUBLE ? open_selected(view, false) : true;
	default:
		return false;
	}
}

static void
close_spans(struct view *view)
{
	struct spans_view *spans = view->state;

	while (spans->n_filters > 0) {
		free(spans->filters[--spans->n_filters]);
	}
	free(spans->filters);
	free(spans->order);
	free(spans->export_path);
	table_model_fini(&spans->model);
	grid_fini(&spans->grid);
	strbuf_free(&spans->search);
	free(spans);
}

static const struct view_ops ops = {
    .sets = IN_SPANS,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .done = done,
    .prompt = prompt,
    .complete = complete,
    .mouse = mouse,
    .close = close_spans,
};

struct view *
view_spans_new(struct app *app, const char *run_path, const char *run_name,
               const struct focus *focus)
{
	struct spans_view *spans = xcalloc(1, sizeof(*spans));

	if (focus && focus->filter && *focus->filter) {
		spans->filters = xcalloc(1, sizeof(*spans->filters));
		spans->filters[spans->n_filters++] = xstrdup(focus->filter);
	}
	return view_new_in_run(app, &ops, spans, run_path, run_name, "Spans");
}
