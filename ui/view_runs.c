/* The runs in the folders and files given: what is here, how long it ran, what is wrong with it. */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>

#include "query/runs.h"
#include "ui/list.h"
#include "ui/view.h"
#include "util/format.h"
#include "util/mem.h"

struct runs {
	size_t n_paths;
	struct run_list *found;
	struct list list;
	struct strbuf search;
};

struct runs_job {
	struct job job;
	char **paths; /* own copies: the view may be closed while the job still runs */
	size_t n_paths;
	struct run_list *found;
};

static int
find_runs(struct job *job, struct worker *worker, struct err *err)
{
	struct runs_job *mine = (struct runs_job *)job;

	(void)worker;
	mine->found = run_list_new((const char *const *)mine->paths, mine->n_paths, err);
	return mine->found ? 0 : -1;
}

static void
free_runs_job(struct job *job)
{
	struct runs_job *mine = (struct runs_job *)job;

	for (size_t i = 0; i < mine->n_paths; i++) {
		free(mine->paths[i]);
	}
	free(mine->paths);
	run_list_free(mine->found);
	free(mine);
}

/* Columns from the right; the name takes what is left. */
static const struct {
	const char *title;
	int width;
} columns[] = {{"format", 9}, {"started", 16}, {"duration", 8},
               {"lanes", 5},  {"records", 7},  {"problems", 8}};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void
cell_text(const struct run_entry *run, size_t column, char *out)
{
	switch (column) {
	case 0:
		snprintf(out, FORMAT_BYTES, "%s", run->info.format);
		break;
	case 1:
		if (slice_is(slice_of(run->info.clock), "wall")) {
			format_wall_time(out, run->info.start_ns);
			out[16] = '\0'; /* to the minute */
		} else {
			snprintf(out, FORMAT_BYTES, "-");
		}
		break;
	case 2:
		format_duration(out, run->info.duration_ns);
		break;
	case 3:
		format_count(out, run->info.n_lanes);
		break;
	case 4:
		format_count(out, run->info.n_records);
		break;
	default:
		if (run->info.n_problems > 0) {
			format_count(out, run->info.n_problems);
		} else {
			snprintf(out, FORMAT_BYTES, "-");
		}
	}
}

/* How many of the columns fit beside a name of at least 12 columns: the least telling ones go first. */
static bool
column_fits(size_t column, int width)
{
	static const int needed[N_COLUMNS] = {40, 78, 30, 60, 50, 68};

	return width >= needed[column];
}

static int
columns_width(int width)
{
	int sum = 0;

	for (size_t i = 0; i < N_COLUMNS; i++) {
		sum += column_fits(i, width) ? columns[i].width + 2 : 0;
	}
	return sum;
}

static void
draw_row(const struct run_entry *run, struct canvas *canvas, struct area area, int y)
{
	int x = area.width - columns_width(area.width);

	if (run->error) {
		int used =
		    canvas_text_middle(canvas, 2, y, x - 4, STYLE_NORMAL, slice_of(run->path));

		canvas_puts(canvas, used + 4, y, STYLE_ERROR, run->error);
		return;
	}
	canvas_text_middle(canvas, 2, y, x - 3, STYLE_NORMAL, slice_of(run->info.name));
	for (size_t i = 0; i < N_COLUMNS; i++) {
		char text[FORMAT_BYTES];

		if (!column_fits(i, area.width)) {
			continue;
		}
		cell_text(run, i, text);
		if (i < 2) {
			canvas_text(canvas, x, y, columns[i].width, STYLE_NORMAL, slice_of(text));
		} else {
			canvas_text_right(canvas, x, y, columns[i].width, STYLE_NORMAL,
			                  slice_of(text));
		}
		x += columns[i].width + 2;
	}
}

static void
draw_header(struct canvas *canvas, struct area area)
{
	int x = area.width - columns_width(area.width);

	canvas_puts(canvas, 2, area.y, STYLE_HEADER, "run");
	for (size_t i = 0; i < N_COLUMNS; i++) {
		if (!column_fits(i, area.width)) {
			continue;
		}
		if (i < 2) {
			canvas_puts(canvas, x, area.y, STYLE_HEADER, columns[i].title);
		} else {
			canvas_text_right(canvas, x, area.y, columns[i].width, STYLE_HEADER,
			                  slice_of(columns[i].title));
		}
		x += columns[i].width + 2;
	}
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct runs *runs = view->state;

	draw_header(canvas, area);
	if (runs->found && runs->found->n == 0) {
		canvas_puts(canvas, 2, area.y + 2, STYLE_NORMAL,
		            "No run files (*.lanes) here. Make one:  lanescope import TRACE...");
		canvas_puts(canvas, 2, area.y + 3, STYLE_NORMAL,
		            "or look at examples:  lanescope demo");
	}
	for (int row = 1; runs->found && row < area.height; row++) {
		size_t i = runs->list.top + (size_t)row - 1;

		if (i >= runs->found->n) {
			break;
		}
		draw_row(&runs->found->entries[i], canvas, area, area.y + row);
		if (i == runs->list.selected) {
			canvas_puts(canvas, 0, area.y + row, STYLE_KEY, ">");
			canvas_attribute(canvas, 0, area.y + row, area.width, STYLE_REVERSE);
			canvas->cursor_x = 0;
			canvas->cursor_y = area.y + row;
		}
	}
}

static const struct run_entry *
selected_run(const struct runs *runs)
{
	return runs->found && runs->list.selected < runs->found->n
	           ? &runs->found->entries[runs->list.selected]
	           : NULL;
}

static bool
matches(const void *user, size_t row)
{
	const struct runs *runs = user;
	const struct run_entry *run = &runs->found->entries[row];
	struct slice text = strbuf_slice(&runs->search);

	return text.len > 0 && (slice_contains(slice_of(run->path), text) ||
	                        (run->info.name && slice_contains(slice_of(run->info.name), text)));
}

static bool
act(struct view *view, enum action action)
{
	struct runs *runs = view->state;
	const struct run_entry *run = selected_run(runs);

	if (list_act(&runs->list, action)) {
		return true;
	}
	if (action == ACTION_SEARCH_NEXT || action == ACTION_SEARCH_PREVIOUS) {
		list_find(&runs->list, action == ACTION_SEARCH_NEXT ? SEARCH_NEXT : SEARCH_PREVIOUS,
		          matches, runs);
		return true;
	}
	if (!run || (action != ACTION_OPEN && action != ACTION_TIMELINE)) {
		return false;
	}
	if (run->error) {
		app_say(view->app, true, "%s", run->error);
	} else if (action == ACTION_OPEN) {
		app_push(view->app, view_queries_new(view->app, run->path, run->info.name));
	} else {
		app_push(view->app, view_timeline_new(view->app, run->path, run->info.name, NULL));
	}
	return true;
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct runs *runs = view->state;

	if (runs->found) {
		strbuf_printf(out, "%zu run%s", runs->found->n, runs->found->n == 1 ? "" : "s");
	}
}

static void
resize(struct view *view, struct area area)
{
	struct runs *runs = view->state;

	runs->list.height = area.height > 1 ? (size_t)area.height - 1 : 1;
	list_settle(&runs->list);
}

static void
done(struct view *view, struct job *job)
{
	struct runs *runs = view->state;
	struct runs_job *mine = (struct runs_job *)job;

	run_list_free(runs->found);
	runs->found = mine->found;
	mine->found = NULL;
	runs->list.n = runs->found->n;
	list_settle(&runs->list);
	if (runs->found->n == 1 && runs->n_paths == 1 && !runs->found->entries[0].error) {
		(void)act(view, ACTION_OPEN); /* one run given: nobody wants to see a list of one */
	}
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct runs *runs = view->state;

	if (kind == PROMPT_SEARCH && !final) {
		strbuf_clear(&runs->search);
		strbuf_add(&runs->search, text.ptr, text.len);
		list_find(&runs->list, SEARCH_HERE, matches, runs);
	}
}

static void
close_runs(struct view *view)
{
	struct runs *runs = view->state;

	run_list_free(runs->found);
	strbuf_free(&runs->search);
	free(runs);
}

static const struct view_ops ops = {
    .sets = IN_RUNS,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .done = done,
    .prompt = prompt,
    .close = close_runs,
};

struct view *
view_runs_new(struct app *app, const char *const *paths, size_t n_paths)
{
	struct runs *runs = xcalloc(1, sizeof(*runs));
	struct runs_job *job = xcalloc(1, sizeof(*job));
	struct view *view = view_new(app, &ops, runs, n_paths == 1 ? paths[0] : "runs");

	runs->n_paths = job->n_paths = n_paths;
	job->paths = xcalloc(n_paths, sizeof(*job->paths));
	for (size_t i = 0; i < n_paths; i++) {
		job->paths[i] = xstrdup(paths[i]);
	}
	job->job.work = find_runs;
	job->job.free = free_runs_job;
	app_submit(app, view, &job->job);
	return view;
}
