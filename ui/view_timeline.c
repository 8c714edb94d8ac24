/*
 * The timeline: a row a lane, grouped by host; a cell shows by its height how busy the lane was in it, by its colour (and, without colours, in
 * the status line) which category took most of that. Cells come from tiles, so busy is exact at every zoom.
 *
 * The worker reads one window at a time; until it comes, the last one stays on the screen, moved to where its times now are.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "query/timeline.h"
#include "ui/list.h"
#include "ui/timescale.h"
#include "ui/view.h"
#include "util/format.h"
#include "util/mem.h"

#define LABEL_LIMIT 20
#define SHARE_COLUMNS 6
#define HEAD_ROWS 3 /* minimap, ruler numbers, ruler marks */
#define FOOT_ROWS 2 /* legend, facts */

enum { JOB_LANES, JOB_WINDOW };

struct lanes_view {
	char *run_path;
	struct timeline *timeline;
	struct timeline_window *window; /* may be of an older scale */
	struct timescale scale;
	struct list list;
	struct strbuf search;
	bool fits; /* the whole run is shown: follow resizes */
};

struct lanes_job {
	struct job job;
	char *run_path; /* own copy: the view may be closed while the job still runs */
	struct timeline *new_timeline;
};

struct window_job {
	struct job job;
	char *run_path;
	struct timeline *timeline; /* retained: the view may be closed while the job still runs */
	struct timescale scale;
	size_t first_row, n_rows;
	struct timeline_window *window;
};

static int
read_lanes(struct job *job, struct worker *worker, struct err *err)
{
	struct lanes_job *mine = (struct lanes_job *)job;
	struct store *store = worker_store(worker, mine->run_path, &job->cancel, err);

	mine->new_timeline = store ? timeline_new(store, err) : NULL;
	return mine->new_timeline ? 0 : -1;
}

static void
free_lanes_job(struct job *job)
{
	struct lanes_job *mine = (struct lanes_job *)job;

	timeline_release(mine->new_timeline);
	free(mine->run_path);
	free(mine);
}

static int
read_window(struct job *job, struct worker *worker, struct err *err)
{
	struct window_job *mine = (struct window_job *)job;
	struct store *store = worker_store(worker, mine->run_path, &job->cancel, err);

	if (!store) {
		return -1;
	}
	mine->window = timeline_read(store, mine->timeline, mine->first_row, mine->n_rows,
	                             mine->scale.start_ns, mine->scale.cell_ns,
	                             (uint32_t)mine->scale.columns, &job->cancel, err);
	return mine->window ? 0 : -1;
}

static void
free_window_job(struct job *job)
{
	struct window_job *mine = (struct window_job *)job;

	timeline_window_free(mine->window);
	timeline_release(mine->timeline);
	free(mine->run_path);
	free(mine);
}

static int
label_columns(const struct view *view)
{
	return view->area.width < 60 ? 10 : LABEL_LIMIT;
}

static int
cell_columns(const struct view *view)
{
	int columns = view->area.width - label_columns(view) - SHARE_COLUMNS - 1;

	return columns > 1 ? columns : 1;
}

/* Asks for the cells of what is to be seen. */
static void
ask_window(struct view *view)
{
	struct lanes_view *lanes = view->state;
	struct window_job *job;

	if (!lanes->timeline) {
		return;
	}
	job = xcalloc(1, sizeof(*job));
	job->job.kind = JOB_WINDOW;
	job->job.work = read_window;
	job->job.free = free_window_job;
	job->run_path = xstrdup(lanes->run_path);
	job->timeline = timeline_retain(lanes->timeline);
	job->scale = lanes->scale;
	job->first_row = lanes->list.top;
	job->n_rows = lanes->list.height;
	app_submit(view->app, view, &job->job);
}

/* Takes cells of about wished_ns, at once: only their contents have to be waited for. */
static void
set_cell(struct view *view, int64_t wished_ns)
{
	struct lanes_view *lanes = view->state;

	timescale_set_cell(&lanes->scale, timeline_snap(lanes->timeline, wished_ns));
	ask_window(view);
}

/* The cell of a row at a screen column, found by time, so that an older window still shows in place. NULL if it has none. */
static const struct tile_cell *
cell_at(const struct lanes_view *lanes, size_t row, int column)
{
	const struct timeline_window *window = lanes->window;
	int64_t at = timescale_time(&lanes->scale, column) - (window ? window->start_ns : 0);

	if (!window || row < window->first_row || row >= window->first_row + window->n_rows ||
	    at < 0 || at / window->cell_ns >= window->n_cells) {
		return NULL;
	}
	return &window->cells[(row - window->first_row) * window->n_cells +
	                      (size_t)(at / window->cell_ns)];
}

static double
cell_share(const struct lanes_view *lanes, const struct timeline_row *row,
           const struct tile_cell *cell)
{
	double lanes_in_row = row->is_host && row->n_members ? row->n_members : 1;

	return (double)cell->busy_ns / ((double)lanes->window->cell_ns * lanes_in_row);
}

static cell_style
category_style(const struct lanes_view *lanes, uint32_t category)
{
	return style_palette((unsigned)timeline_category_rank(lanes->timeline, category));
}

static void
draw_minimap(const struct lanes_view *lanes, struct canvas *canvas, int x, int y, int columns)
{
	const struct timescale *scale = &lanes->scale;
	double duration = scale->duration_ns > 0 ? (double)scale->duration_ns : 1;
	int from = (int)((double)scale->start_ns / duration * columns);
	int to = (int)(((double)scale->start_ns + (double)scale->cell_ns * scale->columns) /
	               duration * columns);

	to = to > columns ? columns : to <= from ? from + 1 : to;
	canvas_fill(canvas, x, y, columns, 1, STYLE_MUTED, canvas->ascii ? "." : "·");
	canvas_fill(canvas, x + from, y, to - from, 1, STYLE_BAR, canvas->ascii ? "=" : "━");
	canvas_puts(canvas, x + from, y, STYLE_KEY, "[");
	canvas_text(canvas, x + to - 1, y, 1, STYLE_KEY, slice_of("]"));
}

static void
draw_ruler(const struct lanes_view *lanes, struct canvas *canvas, int x, int y, int columns)
{
	const struct timescale *scale = &lanes->scale;
	int64_t step = timescale_ruler_ns(scale, 12), end = timescale_time(scale, columns);
	int64_t mark = (scale->start_ns + step - 1) / step * step;

	for (; mark < end && mark <= scale->duration_ns; mark += step) {
		int column = (int)((mark - scale->start_ns) / scale->cell_ns);
		char text[FORMAT_BYTES];

		canvas_text(canvas, x + column, y, columns - column, STYLE_HEADER,
		            slice_of(format_duration(text, mark)));
		canvas_puts(canvas, x + column, y + 1, STYLE_MUTED, canvas->ascii ? "|" : "╷");
	}
}

static void
draw_lane(const struct lanes_view *lanes, struct canvas *canvas, size_t row_index, int x, int y,
          int label)
{
	const struct timeline_row *row = &lanes->timeline->rows[row_index];
	int64_t busy = 0, span = 0;

	canvas_text_middle(canvas, row->is_host ? 1 : 2, y, label - 2,
	                   row->is_host ? STYLE_TITLE : STYLE_NORMAL, row->name);
	for (int column = 0; column < lanes->scale.columns; column++) {
		const struct tile_cell *cell = cell_at(lanes, row_index, column);
		cell_style style = STYLE_BAR;

		if (!cell || timescale_time(&lanes->scale, column) >= lanes->scale.duration_ns) {
			continue;
		}
		busy += cell->busy_ns;
		span +=
		    lanes->window->cell_ns * (row->is_host && row->n_members ? row->n_members : 1);
		if (cell->n_categories > 0 && !row->is_host) {
			style = category_style(lanes, cell->categories[0].category);
		}
		canvas_text(canvas, x + column, y, 1, style,
		            slice_of(canvas_level(canvas, cell_share(lanes, row, cell))));
	}
	if (span > 0) {
		char text[FORMAT_BYTES];

		if (row->is_host) {
			snprintf(text, sizeof(text), "%.1f/%u",
			         (double)busy / ((double)span / row->n_members), row->n_members);
		} else {
			format_percent(text, (double)busy / (double)span);
		}
		canvas_text_right(canvas, x + lanes->scale.columns, y, SHARE_COLUMNS + 1,
		                  STYLE_MUTED, slice_of(text));
	}
}

static void
draw_legend(const struct lanes_view *lanes, struct canvas *canvas, int y)
{
	int x = 1;

	for (size_t i = 0; i < lanes->timeline->n_categories && x < canvas->width - 4; i++) {
		struct slice name = lanes->timeline->texts[i];

		x += canvas_text(canvas, x, y, 1, style_palette((unsigned)i),
		                 slice_of(canvas->ascii ? "#" : "█")) +
		     1;
		x += canvas_text(canvas, x, y, canvas->width - x - 1, STYLE_MUTED, name) + 2;
	}
}

static void
draw_facts(const struct lanes_view *lanes, struct canvas *canvas, int y)
{
	size_t selected = lanes->list.selected;
	const struct tile_cell *cell;
	struct strbuf line = {0};
	char from[FORMAT_BYTES], width[FORMAT_BYTES], count[FORMAT_BYTES], share[FORMAT_BYTES];

	if (selected >= lanes->timeline->n_rows) {
		return;
	}
	cell = cell_at(lanes, selected, lanes->scale.cursor);
	strbuf_add(&line, lanes->timeline->rows[selected].name.ptr,
	           lanes->timeline->rows[selected].name.len);
	strbuf_printf(&line, "  at %s, %s a cell",
	              format_duration(from, timescale_time(&lanes->scale, lanes->scale.cursor)),
	              format_duration(width, lanes->scale.cell_ns));
	if (cell) {
		strbuf_printf(&line, "  busy %s  starts %s",
		              format_percent(
				  share, cell_share(lanes, &lanes->timeline->rows[selected], cell)),
		              format_count(count, cell->count));
		for (uint32_t i = 0; i < cell->n_categories && i < 3; i++) {
			struct slice name =
			    timeline_category(lanes->timeline, cell->categories[i].category);
			char ns[FORMAT_BYTES];

			strbuf_printf(&line, "  %.*s %s", (int)name.len, name.ptr,
			              format_duration(ns, cell->categories[i].ns));
		}
	}
	canvas_text(canvas, 1, y, canvas->width - 2, STYLE_NORMAL, strbuf_slice(&line));
	strbuf_free(&line);
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct lanes_view *lanes = view->state;
	int label = label_columns(view), y = area.y;

	if (!lanes->timeline) {
		return;
	}
	if (lanes->timeline->n_rows == 0) {
		canvas_puts(canvas, 2, y + 1, STYLE_MUTED, "this run has no spans to draw");
		return;
	}
	draw_minimap(lanes, canvas, label, y, lanes->scale.columns);
	draw_ruler(lanes, canvas, label, y + 1, lanes->scale.columns);
	for (size_t i = 0; i < lanes->list.height && lanes->list.top + i < lanes->timeline->n_rows;
	     i++) {
		size_t row = lanes->list.top + i;
		int line = y + HEAD_ROWS + (int)i;

		draw_lane(lanes, canvas, row, label, line, label);
		if (row == lanes->list.selected) {
			canvas_puts(canvas, 0, line, STYLE_KEY, ">");
			canvas_attribute(canvas, 0, line, label, STYLE_REVERSE);
			canvas_attribute(canvas, label + lanes->scale.cursor, line, 1,
			                 STYLE_REVERSE);
			canvas->cursor_x = label + lanes->scale.cursor;
			canvas->cursor_y = line;
		}
	}
	draw_legend(lanes, canvas, area.y + area.height - 2);
	draw_facts(lanes, canvas, area.y + area.height - 1);
}

static void
zoom(struct view *view, bool in)
{
	struct lanes_view *lanes = view->state;
	int64_t cell = lanes->scale.cell_ns, fit = timescale_fit_ns(&lanes->scale);
	int64_t wished = in ? cell / 2 : cell > INT64_MAX / 4 ? cell : cell * 2;

	if (wished > fit) {
		wished = fit;
	}
	lanes->fits = wished >= fit;
	set_cell(view, wished > 0 ? wished : 1);
}

static bool
act_time(struct view *view, enum action action)
{
	struct lanes_view *lanes = view->state;
	int quarter = lanes->scale.columns / 4 > 0 ? lanes->scale.columns / 4 : 1;

	switch (action) {
	case ACTION_PAN_LEFT:
		timescale_pan(&lanes->scale, -quarter);
		break;
	case ACTION_PAN_RIGHT:
		timescale_pan(&lanes->scale, quarter);
		break;
	case ACTION_NEXT_CELL:
		timescale_move(&lanes->scale, 1);
		break;
	case ACTION_PREVIOUS_CELL:
		timescale_move(&lanes->scale, -1);
		break;
	case ACTION_FIRST:
		timescale_pan(&lanes->scale, INT64_MIN / 2);
		lanes->scale.cursor = 0;
		break;
	case ACTION_LAST:
		timescale_pan(&lanes->scale, INT64_MAX / 2);
		lanes->scale.cursor = lanes->scale.columns - 1;
		break;
	default:
		return false;
	}
	if (!lanes->window || lanes->window->start_ns != lanes->scale.start_ns) {
		ask_window(view);
	}
	return true;
}

static bool
matches(const void *user, size_t row)
{
	const struct lanes_view *lanes = user;

	return slice_contains(lanes->timeline->rows[row].name, strbuf_slice(&lanes->search));
}

static void
find_lane(struct view *view, enum list_search where)
{
	struct lanes_view *lanes = view->state;
	size_t top = lanes->list.top;

	if (lanes->search.len > 0 && list_find(&lanes->list, where, matches, lanes) &&
	    lanes->list.top != top) {
		ask_window(view);
	}
}

static bool
act(struct view *view, enum action action)
{
	struct lanes_view *lanes = view->state;
	size_t top = lanes->list.top;

	if (!lanes->timeline || lanes->timeline->n_rows == 0) {
		return false;
	}
	if (act_time(view, action)) {
		return true;
	}
	if (list_act(&lanes->list, action)) {
		if (lanes->list.top != top) {
			ask_window(view);
		}
		return true;
	}
	switch (action) {
	case ACTION_ZOOM_IN:
	case ACTION_OPEN:
		zoom(view, true);
		return true;
	case ACTION_ZOOM_OUT:
		zoom(view, false);
		return true;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		find_lane(view, action == ACTION_SEARCH_NEXT ? SEARCH_NEXT : SEARCH_PREVIOUS);
		return true;
	case ACTION_FIT:
		lanes->fits = true;
		set_cell(view, timescale_fit_ns(&lanes->scale));
		return true;
	default:
		return false;
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct lanes_view *lanes = view->state;
	char from[FORMAT_BYTES], to[FORMAT_BYTES], all[FORMAT_BYTES];
	int64_t end;

	if (!lanes->timeline) {
		return;
	}
	end = timescale_time(&lanes->scale, lanes->scale.columns);
	strbuf_printf(
	    out, "%s .. %s of %s   colour category", format_duration(from, lanes->scale.start_ns),
	    format_duration(to, end < lanes->scale.duration_ns ? end : lanes->scale.duration_ns),
	    format_duration(all, lanes->scale.duration_ns));
}

static void
resize(struct view *view, struct area area)
{
	struct lanes_view *lanes = view->state;

	lanes->list.height =
	    area.height > HEAD_ROWS + FOOT_ROWS ? (size_t)(area.height - HEAD_ROWS - FOOT_ROWS) : 1;
	list_settle(&lanes->list);
	timescale_resize(&lanes->scale, cell_columns(view));
	if (lanes->timeline) {
		set_cell(view,
		         lanes->fits ? timescale_fit_ns(&lanes->scale) : lanes->scale.cell_ns);
	}
}

static void
done(struct view *view, struct job *job)
{
	struct lanes_view *lanes = view->state;

	if (job->kind == JOB_LANES) {
		struct lanes_job *mine = (struct lanes_job *)job;

		lanes->timeline = mine->new_timeline;
		mine->new_timeline = NULL;
		lanes->list.n = lanes->timeline->n_rows;
		lanes->scale.duration_ns = lanes->timeline->duration_ns;
		list_settle(&lanes->list);
		set_cell(view, timescale_fit_ns(&lanes->scale));
	} else {
		struct window_job *mine = (struct window_job *)job;

		timeline_window_free(lanes->window);
		lanes->window = mine->window;
		mine->window = NULL;
	}
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct lanes_view *lanes = view->state;

	if (kind != PROMPT_SEARCH || final || !lanes->timeline) {
		return;
	}
	strbuf_clear(&lanes->search);
	strbuf_add(&lanes->search, text.ptr, text.len);
	find_lane(view, SEARCH_HERE);
}

static void
close_timeline(struct view *view)
{
	struct lanes_view *lanes = view->state;

	timeline_window_free(lanes->window);
	timeline_release(lanes->timeline);
	strbuf_free(&lanes->search);
	free(lanes->run_path);
	free(lanes);
}

static const struct view_ops ops = {
    .sets = IN_TIMELINE,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .done = done,
    .prompt = prompt,
    .close = close_timeline,
};

struct view *
view_timeline_new(struct app *app, const char *run_path, const char *run_name,
                  const struct focus *focus)
{
	struct lanes_view *lanes = xcalloc(1, sizeof(*lanes));
	struct lanes_job *job = xcalloc(1, sizeof(*job));
	struct view *view = view_new_in_run(app, &ops, lanes, run_path, run_name, "Timeline");

	(void)focus;
	lanes->run_path = xstrdup(run_path);
	lanes->fits = true;
	lanes->scale = (struct timescale){1, 0, 1, 1, 0};
	job->job.kind = JOB_LANES;
	job->job.work = read_lanes;
	job->job.free = free_lanes_job;
	job->run_path = xstrdup(run_path);
	app_submit(app, view, &job->job);
	return view;
}
