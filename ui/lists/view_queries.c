/* The saved queries that fit a run: what can be asked of it, those that tell most first, with what
 * the selected one answers below. */
#include "config.h"

#include <stdlib.h>

#include "query/saved/query_list.h"
#include "query/saved/run_list.h"
#include "query/timeline/timeline.h"
#include "ui/base/facts.h"
#include "ui/app/view.h"
#include "ui/base/texts.h"
#include "ui/table/edit.h"
#include "util/format.h"
#include "util/mem.h"
#include "util/utf8.h"

struct queries {
	const struct query_library *library; /* that `fitting` is of */
	const struct saved_query **fitting;
	char *draft;  /* of edit_query, for the selected query */
	char **paths; /* of the runs that are asked together; NULL: the one alone */
	size_t n_paths;
	struct list list;
	bool is_known;
	/* of the run; texts copied into arena */
	struct arena *arena;
	struct run_info info;
	struct lane_words lanes_are;
	bool is_at_most; /* its length */
};

struct info_job {
	struct view_job job;
	const struct query_library *library;
	struct arena *arena;
	struct run_info info;
	struct lane_words lanes_are;
	bool is_at_most;
};

static int
read_info(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct info_job *mine = (struct info_job *)job;
	struct run_info *info = &mine->info;
	struct store *store = job_store(job, worker, err);

	if (!store) {
		return -1;
	}
	mine->arena = arena_new();
	*info = *store_run(store);
	run_info_keep(info, mine->arena);
	info->has = query_needs_read(store, mine->library, mine->arena, err);
	return !info->has || lane_words_read(store, &mine->lanes_are, err)
	           ? -1
	           : timeline_read_at_most(store, &mine->is_at_most, err);
}

static void
free_info_job(struct view_job *job)
{
	arena_free(((struct info_job *)job)->arena);
}

#define NAME_COLUMNS 24

static void
draw_facts(const struct queries *queries, struct canvas *canvas, struct area area)
{
	const struct run_info *info = &queries->info;
	struct strbuf facts = {0};
	char duration[FORMAT_BYTES];

	if (info->duration_ns > 0) {
		strbuf_printf(&facts, ", %s%s", queries->is_at_most ? "at most " : "",
		              format_duration(duration, info->duration_ns));
	}
	lane_words_add(&queries->lanes_are, &facts);
	facts_add_count(&facts, info->n_records, "record", "records");
	facts_draw(canvas, area.y, area.width, info, strbuf_slice(&facts));
	strbuf_free(&facts);
}

/* What the selected query answers, and its parameters. */
static void
draw_about(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct queries *queries = view->state;
	const struct saved_query *query;
	struct strbuf line = {0};
	int y = area.y + area.height - view_about_rows(view) + 1;

	if (queries->list.selected >= queries->list.n || view_about_rows(view) == 0) {
		return;
	}
	query = queries->fitting[queries->list.selected];
	for (size_t i = 0; i < query->n_params; i++) {
		const char *value = query->params[i].default_text;

		strbuf_printf(&line, "%s%s=%s", i ? "  " : "parameters  ", query->params[i].name,
		              value ? value : "?");
	}
	if (line.len > 0) {
		canvas_text_cut(canvas, 2, area.y + area.height - 1, area.width - 3, STYLE_MUTED,
		                strbuf_slice(&line));
		area.height--;
	}
	strbuf_free(&line);
	if (query->about) {
		canvas_wrapped(canvas, 2, y, area.width - 4, area.y + area.height - y, STYLE_MUTED,
		               slice_of(query->about));
	}
}

static void
draw_row(const struct view *view, struct canvas *canvas, size_t i, int y, const void *how)
{
	const struct saved_query *query = ((const struct queries *)view->state)->fitting[i];

	(void)how;
	canvas_text_middle(canvas, 2, y, NAME_COLUMNS - 1,
	                   query_list_is_special(query) ? STYLE_KEY : STYLE_NORMAL,
	                   slice_of(query->name));
	canvas_text_cut(canvas, 2 + NAME_COLUMNS, y, view->area.width - NAME_COLUMNS - 3,
	                STYLE_NORMAL, slice_of(query->title));
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct queries *queries = view->state;

	if (queries->is_known) {
		draw_facts(queries, canvas, area);
		view_list_draw(view, canvas, NULL);
		draw_about(view, canvas, area);
	}
}

static bool
row_has(const struct view *view, size_t row, struct slice text)
{
	const struct queries *queries = view->state;

	return slice_contains_anycase(slice_of(queries->fitting[row]->name), text) ||
	       slice_contains_anycase(slice_of(queries->fitting[row]->title), text);
}

static bool
act_on_query(struct view *view, enum view_action action)
{
	struct queries *queries = view->state;
	const struct saved_query *query;
	struct table_source *source;

	if (queries->list.selected >= queries->list.n) {
		return false;
	}
	query = queries->fitting[queries->list.selected];
	if (action == ACTION_OPEN && queries->n_paths > 0) {
		app_open(view->app, /* in no run: the rows are of all */
		         &(struct view_place){.kind = PLACE_QUERY,
		                              .query = query,
		                              .paths = (const char *const *)queries->paths,
		                              .n_paths = queries->n_paths});
		return true;
	}
	if (action == ACTION_OPEN) {
		view_open(view, PLACE_QUERY, .query = query);
		return true;
	}
	if (action == ACTION_COPY) {
		app_copy(view->app, slice_of(query->name));
		return true;
	}
	source = table_source_query(view->run_path, query, NULL);
	if (action == ACTION_SHOW_SQL) {
		view_open(view, PLACE_SOURCE_SQL, .source = source);
	} else {
		edit_query(view, source, NULL, &queries->draft);
		table_source_release(source);
	}
	return true;
}

static bool
act(struct view *view, enum view_action action)
{
	switch (action) {
	case ACTION_OPEN:
	case ACTION_SHOW_SQL:
	case ACTION_EDIT_SQL:
	case ACTION_COPY:
		return act_on_query(view, action);
	default:
		return false;
	}
}

/* The draft is of another query. */
static void
moved(struct view *view, bool by_search)
{
	struct queries *queries = view->state;

	(void)by_search;
	free(queries->draft);
	queries->draft = NULL;
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct queries *queries = view->state;

	if (queries->is_known) {
		strbuf_printf(out, "%zu saved queries", queries->list.n);
		if (queries->n_paths > 0) {
			strbuf_printf(out, "   asked of %zu runs", queries->n_paths);
		}
	}
}

static bool
is_waiting(const struct view *view)
{
	return !((const struct queries *)view->state)->is_known;
}

static void
list_fitting(struct view *view)
{
	struct queries *queries = view->state;
	const struct run_info *info = &queries->info;

	free(queries->fitting);
	queries->library = app_library(view->app);
	queries->fitting = query_list_fitting(queries->library, &info, 1, &queries->list.n);
	list_settle(&queries->list);
}

/* A query was saved. */
static void
woken(struct view *view)
{
	const struct queries *queries = view->state;

	if (queries->is_known && queries->library != app_library(view->app)) {
		list_fitting(view);
	}
}

static void
done(struct view *view, struct view_job *job)
{
	struct queries *queries = view->state;
	struct info_job *mine = (struct info_job *)job;
	queries->arena = mine->arena;
	queries->info = mine->info;
	queries->lanes_are = mine->lanes_are;
	queries->is_at_most = mine->is_at_most;
	mine->arena = NULL;
	queries->is_known = true;
	list_fitting(view);
}

static void
close_queries(struct view *view)
{
	struct queries *queries = view->state;

	free(queries->fitting);
	free(queries->draft);
	texts_free(queries->paths, queries->n_paths);
	arena_free(queries->arena);
	free(queries);
}

static const struct view_ops ops = {
    .sets = IN_QUERIES,
    .head = 2, /* facts */
    .about = 6,
    .draw = draw,
    .row = draw_row,
    .act = act,
    .is_waiting = is_waiting,
    .status = status,
    .done = done,
    .woken = woken,
    .row_has = row_has,
    .moved = moved,
    .close = close_queries,
};

struct view *
view_queries_new(struct app *app, const struct view_place *place)
{
	struct queries *queries = xcalloc(1, sizeof *queries);
	struct info_job *job = job_new(sizeof *job, 0, read_info, free_info_job, place->run_path);
	struct view *view = view_new(app, &ops, queries, place, "Queries");

	view->list = &queries->list;
	queries->n_paths = place->n_paths;
	queries->paths =
	    place->n_paths ? texts_copy((char *const *)place->paths, place->n_paths) : NULL;
	job->library = app_library(app);
	view_submit(view, &job->job);
	return view;
}
