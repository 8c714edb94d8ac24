/* The saved queries that fit a run: what can be asked of it. */
#include "config.h"

#include <stdlib.h>

#include "ui/list.h"
#include "ui/table_source.h"
#include "ui/view.h"
#include "util/format.h"
#include "util/mem.h"

struct queries {
	char *run_path, *run_name;
	const struct saved_query **fitting;
	struct list list;
	struct strbuf search;
	bool is_known;
	/* of the run; texts copied into arena */
	struct arena *arena;
	struct run_info info;
};

struct info_job {
	struct job job;
	char *path; /* own copy: the view may be closed while the job still runs */
	struct arena *arena;
	struct run_info info;
};

static const char *
keep(struct arena *arena, const char *text)
{
	return text ? arena_strndup(arena, text, strlen(text)) : "";
}

static int
read_info(struct job *job, struct worker *worker, struct err *err)
{
	struct info_job *mine = (struct info_job *)job;
	struct store *store = worker_store(worker, mine->path, &job->cancel, err);

	if (!store) {
		return -1;
	}
	mine->arena = arena_new();
	mine->info = *store_run(store);
	mine->info.name = keep(mine->arena, mine->info.name);
	mine->info.format = keep(mine->arena, mine->info.format);
	mine->info.dialect = keep(mine->arena, mine->info.dialect);
	mine->info.clock = keep(mine->arena, mine->info.clock);
	return 0;
}

static void
free_info_job(struct job *job)
{
	struct info_job *mine = (struct info_job *)job;

	arena_free(mine->arena);
	free(mine->path);
	free(mine);
}

#define NAME_COLUMNS 24

static void
draw_facts(const struct queries *queries, struct canvas *canvas, struct area area)
{
	const struct run_info *info = &queries->info;
	char duration[FORMAT_BYTES], records[FORMAT_BYTES], lanes[FORMAT_BYTES],
	    problems[FORMAT_BYTES];

	canvas_printf(
	    canvas, 2, area.y, STYLE_HEADER, "%s%s%s, %s, %s lanes, %s records, %s", info->format,
	    *info->dialect ? " " : "", info->dialect, format_duration(duration, info->duration_ns),
	    format_count(lanes, info->n_lanes), format_count(records, info->n_records),
	    info->n_problems == 0 ? "no problems" : format_count(problems, info->n_problems));
	if (info->n_problems > 0) {
		struct strbuf line = {0};

		canvas_row(canvas, area.y, &line);
		canvas_puts(canvas, (int)line.len + 1, area.y, STYLE_ERROR,
		            info->n_problems == 1 ? "problem" : "problems");
		strbuf_free(&line);
	}
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct queries *queries = view->state;

	if (!queries->is_known) {
		return;
	}
	draw_facts(queries, canvas, area);
	for (int row = 2; row < area.height; row++) {
		size_t i = queries->list.top + (size_t)row - 2;
		const struct saved_query *query;

		if (i >= queries->list.n) {
			break;
		}
		query = queries->fitting[i];
		canvas_text_middle(canvas, 2, area.y + row, NAME_COLUMNS - 1, STYLE_KEY,
		                   slice_of(query->name));
		canvas_text(canvas, 2 + NAME_COLUMNS, area.y + row, area.width - NAME_COLUMNS - 3,
		            STYLE_NORMAL, slice_of(query->title));
		if (i == queries->list.selected) {
			canvas_puts(canvas, 0, area.y + row, STYLE_KEY, ">");
			canvas_attribute(canvas, 0, area.y + row, area.width, STYLE_REVERSE);
			canvas->cursor_x = 0;
			canvas->cursor_y = area.y + row;
		}
	}
}

static bool
matches(const void *user, size_t row)
{
	const struct queries *queries = user;
	struct slice text = strbuf_slice(&queries->search);

	return text.len > 0 && (slice_contains(slice_of(queries->fitting[row]->name), text) ||
	                        slice_contains(slice_of(queries->fitting[row]->title), text));
}

static bool
act(struct view *view, enum action action)
{
	struct queries *queries = view->state;

	if (list_act(&queries->list, action)) {
		return true;
	}
	switch (action) {
	case ACTION_SEARCH_NEXT:
		list_find(&queries->list, SEARCH_NEXT, matches, queries);
		return true;
	case ACTION_SEARCH_PREVIOUS:
		list_find(&queries->list, SEARCH_PREVIOUS, matches, queries);
		return true;
	case ACTION_OPEN:
		if (queries->list.selected < queries->list.n) {
			app_push(view->app,
			         view_table_new(
				     view->app, queries->run_path, queries->run_name,
				     table_source_query(queries->run_path, queries->run_name,
			                                queries->fitting[queries->list.selected],
			                                NULL)));
		}
		return true;
	case ACTION_TIMELINE:
		app_push(view->app,
		         view_timeline_new(view->app, queries->run_path, queries->run_name, NULL));
		return true;
	default:
		return false;
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct queries *queries = view->state;

	if (queries->is_known) {
		strbuf_printf(out, "%zu saved queries", queries->list.n);
	}
}

static void
resize(struct view *view, struct area area)
{
	struct queries *queries = view->state;

	queries->list.height = area.height > 2 ? (size_t)area.height - 2 : 1;
	list_settle(&queries->list);
}

static void
done(struct view *view, struct job *job)
{
	struct queries *queries = view->state;
	struct info_job *mine = (struct info_job *)job;
	const struct query_library *library = app_library(view->app);
	size_t n = query_library_count(library);

	queries->arena = mine->arena;
	queries->info = mine->info;
	mine->arena = NULL;
	queries->is_known = true;
	queries->fitting = xcalloc(n + 1, sizeof(*queries->fitting));
	for (size_t i = 0; i < n; i++) {
		const struct saved_query *query = query_library_get(library, i);

		if (query_applies(query, &queries->info)) {
			queries->fitting[queries->list.n++] = query;
		}
	}
	list_settle(&queries->list);
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct queries *queries = view->state;

	if (kind == PROMPT_SEARCH && !final) {
		strbuf_clear(&queries->search);
		strbuf_add(&queries->search, text.ptr, text.len);
		list_find(&queries->list, SEARCH_HERE, matches, queries);
	}
}

static void
close_queries(struct view *view)
{
	struct queries *queries = view->state;

	free(queries->run_path);
	free(queries->run_name);
	free(queries->fitting);
	arena_free(queries->arena);
	strbuf_free(&queries->search);
	free(queries);
}

static const struct view_ops ops = {
    .sets = IN_QUERIES,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .done = done,
    .prompt = prompt,
    .close = close_queries,
};

struct view *
view_queries_new(struct app *app, const char *run_path, const char *run_name)
{
	struct queries *queries = xcalloc(1, sizeof(*queries));
	struct info_job *job = xcalloc(1, sizeof(*job));
	struct view *view = view_new(app, &ops, queries, run_name);

	queries->run_path = xstrdup(run_path);
	queries->run_name = xstrdup(run_name);
	job->job.work = read_info;
	job->job.free = free_info_job;
	job->path = xstrdup(run_path);
	app_submit(app, view, &job->job);
	return view;
}
