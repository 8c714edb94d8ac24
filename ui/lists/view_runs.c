/*
 * The runs in the folders and files given: what is here, how long each ran, what is wrong with it.
 * Traces given instead of run files stand here while they are imported, and become runs in place.
 * The view stands in whatever run is selected, so that every key that leads into a run works from
 * here.
 */
#include "config.h"

#include <stdlib.h>

#include "ui/app/app.h"
#include "ui/lists/import_source.h"
#include "ui/lists/view_runs.h"
#include "ui/base/settings.h"
#include "ui/base/texts.h"
#include "util/mem.h"

#define MANY_RUNS 1000 /* among more, names are not compared with each other */

struct runs_job {
	struct view_job job;
	char **paths, **made; /* own copies: the view may be closed while the job still runs */
	size_t n_paths, n_made;
	struct runs_found *found;
};

static int
work(struct view_job *job, struct job_worker *worker, struct err *err)
{
	struct runs_job *mine = (struct runs_job *)job;

	(void)worker;
	(void)err;
	mine->found = runs_find(mine->paths, mine->n_paths, mine->made, mine->n_made);
	return 0;
}

static void
free_job(struct view_job *job)
{
	struct runs_job *mine = (struct runs_job *)job;

	texts_free(mine->paths, mine->n_paths);
	texts_free(mine->made, mine->n_made);
	runs_found_free(mine->found);
}

static void
look(struct view *view)
{
	struct runs *runs = view->state;
	struct runs_job *job = job_new(sizeof *job, 0, work, free_job, NULL);

	job->n_paths = runs->n_paths;
	job->paths = texts_copy(runs->paths, runs->n_paths);
	job->n_made = runs->imports ? runs->imports->n : 0;
	job->made = xcalloc(job->n_made + 1, sizeof *job->made);
	for (size_t i = 0; i < job->n_made; i++) {
		if (runs->states[i].state == IMPORT_DONE) {
			job->made[i] = xstrdup(runs->states[i].run_path);
		}
	}
	view_submit(view, &job->job);
}

/* ---- rows ---- */

static const struct runs_row *
selected_row(const struct runs *runs)
{
	return runs_row(runs, runs->list.selected);
}

static const struct run_entry *
selected_run(const struct runs *runs)
{
	const struct runs_row *row = selected_row(runs);

	return row && row->run && !row->run->error ? row->run : NULL;
}

/* The view stands in the run that is selected. */
static void
stand_in_selected(struct view *view)
{
	const struct run_entry *run = selected_run(view->state);

	free(view->run_path);
	free(view->run_name);
	view->run_path = run ? xstrdup(run->path) : NULL;
	view->run_name = run ? xstrdup(run->info.name) : NULL;
}

static void
moved(struct view *view, bool by_search)
{
	(void)by_search;
	stand_in_selected(view);
}

static void
tell_names_apart(struct runs *runs)
{
	for (size_t i = 0; i < runs->n_rows && runs->n_rows < MANY_RUNS; i++) {
		const struct run_entry *run = runs->rows[i].run;

		for (size_t k = 0; run && !run->error && k < runs->n_rows; k++) {
			const struct run_entry *other = runs->rows[k].run;

			if (k != i && other && !other->error &&
			    strcmp(run->info.name, other->info.name) == 0) {
				runs->rows[i].shows_path = true;
			}
		}
	}
}

struct runs_place
runs_place_of_selected(const struct runs *runs)
{
	const struct runs_row *row = selected_row(runs);

	return (struct runs_place){row && row->run ? xstrdup(row->run->path) : NULL,
	                           row ? row->import : NO_IMPORT};
}

static bool
is_at(const struct runs_row *row, const struct runs_place *place)
{
	return place->import != NO_IMPORT
	           ? row->import == place->import
	           : place->path && row->run && strcmp(row->run->path, place->path) == 0;
}

void
runs_show(struct view *view, struct runs_place place)
{
	struct runs *runs = view->state;

	runs->list.n = runs->model.n_rows;
	for (size_t i = 0; i < runs->list.n; i++) {
		if (is_at(runs_row(runs, i), &place)) {
			runs->list.selected = i;
		}
	}
	free(place.path);
	runs_lay(view);
	stand_in_selected(view);
}

/* Runs at the paths, then the imports, each of them one run or one row that tells how far it is.
 * The selection stays where it was. */
static void
lay_rows(struct view *view, struct runs_place place)
{
	struct runs *runs = view->state;
	size_t n_imports = runs->imports ? runs->imports->n : 0, n = 0;
	size_t n_found = runs->found ? runs->found->n : 0, next = 0;

	runs->rows = xrealloc_array(runs->rows, n_found + n_imports + 1, sizeof *runs->rows);
	for (; next < n_found && runs->found->imports[next] == NO_IMPORT; next++) {
		runs->rows[n++] = (struct runs_row){&runs->found->entries[next], NO_IMPORT, false};
	}
	for (size_t i = 0; i < n_imports; i++) {
		bool is_run = next < n_found && runs->found->imports[next] == i;

		runs->rows[n++] =
		    (struct runs_row){is_run ? &runs->found->entries[next] : NULL, i, false};
		next += is_run;
	}
	runs->n_rows = n;
	tell_names_apart(runs);
	runs_fill(runs);
	runs_measure(runs);
	runs_show(view, place);
}

/* ---- opening ---- */

static void
open_run(struct view *view, const struct run_entry *run)
{
	static const struct {
		const char *setting;
		enum place_kind place;
	} wishes[] = {
	    {"queries", PLACE_QUERIES}, {"timeline", PLACE_TIMELINE}, {"spans", PLACE_SPANS}};
	struct slice wish = slice_of(app_settings(view->app)->view);
	struct view_place place = {.kind = PLACE_OVERVIEW};

	for (size_t i = 0; i < COUNT_OF(wishes); i++) {
		place.kind = slice_is(wish, wishes[i].setting) ? wishes[i].place : place.kind;
	}
	place.run_path = run->path;
	place.run_name = run->info.name;
	app_open(view->app, &place);
}

static bool
open_selected(struct view *view)
{
	struct runs *runs = view->state;
	const struct runs_row *row = selected_row(runs);

	if (!row) {
		return false;
	}
	if (row->run && !row->run->error) {
		open_run(view, row->run);
	} else if (row->run) {
		view_fail(view, row->run->error);
	} else if (runs->states[row->import].state == IMPORT_FAILED) {
		view_fail(view, runs->states[row->import].err.message);
	} else {
		view_open(view, PLACE_SOURCE,
		          .source = import_source_new(runs->imports, row->import));
	}
	return true;
}

static void
say_marks(struct view *view)
{
	view_say(view, "A %s, B %s: X tells why one took longer, | shows both",
	         app_marked_name(view->app, 0), app_marked_name(view->app, 1));
}

/* Two runs named one by one are there to be compared: A and B, until the user says otherwise. */
static void
mark_two(struct view *view)
{
	struct runs *runs = view->state;
	size_t n_given = runs->n_paths + (runs->imports ? runs->imports->n : 0);
	const struct run_entry *a, *b;

	if (runs->is_marked || n_given != 2 || runs->n_rows != 2) {
		return;
	}
	a = runs->rows[0].run;
	b = runs->rows[1].run;
	if (a && !a->error && b && !b->error) {
		runs->is_marked = true;
		app_mark(view->app, 0, a->path, a->info.name);
		app_mark(view->app, 1, b->path, b->info.name);
		say_marks(view);
	}
}

static void
done(struct view *view, struct view_job *job)
{
	struct runs *runs = view->state;
	struct runs_job *mine = (struct runs_job *)job;
	struct runs_place place = runs_place_of_selected(runs);

	runs_found_free(runs->found);
	runs->found = mine->found;
	mine->found = NULL;
	for (size_t i = 0; i < runs->found->n; i++) {
		const struct run_entry *run = &runs->found->entries[i];

		if (!run->error && run->info.identity) {
			app_know_run(view->app, run->path, run->info.identity);
		}
	}
	lay_rows(view, place);
	mark_two(view);
	if (runs->n_rows == 1 && selected_run(runs) && !runs->is_opened) {
		runs->is_opened = true; /* nobody wants to see a list of one */
		open_run(view, selected_run(runs));
	}
}

/* How far the imports are. What has become a run since is looked at. */
static void
woken(struct view *view)
{
	struct runs *runs = view->state;
	size_t n_done = 0;

	if (!runs->imports) {
		return;
	}
	for (size_t i = 0; i < runs->imports->n; i++) {
		runs->imports->read(runs->imports->user, i, &runs->states[i]);
		n_done += runs->states[i].state == IMPORT_DONE;
	}
	if (n_done != runs->n_done) {
		runs->n_done = n_done;
		look(view);
	}
}

/* ---- keys ---- */

/* Esc: both marks go, if there are any. */
static bool
unmark(struct view *view)
{
	bool any = app_marked_path(view->app, 0) || app_marked_path(view->app, 1);

	if (any) {
		app_mark(view->app, 0, NULL, NULL);
		app_mark(view->app, 1, NULL, NULL);
		view_say(view, "no run is A or B any more");
	}
	return any;
}

/* Marks the selected run; a run is A or B, not both. */
static void
mark(struct view *view, int side)
{
	struct runs *runs = view->state;
	const struct run_entry *run = selected_run(runs);
	const char *own = app_marked_path(view->app, side),
		   *other = app_marked_path(view->app, !side);

	if (!run) {
		view_fail(view, "only a run can be marked");
		return;
	}
	runs->is_marked = true;
	if (own && strcmp(own, run->path) == 0) {
		view_say(view, "%s is %c already (Esc takes the marks away)", run->info.name,
		         side ? 'B' : 'A');
		return;
	}
	if (other && strcmp(other, run->path) == 0) {
		app_mark(view->app, !side, NULL, NULL);
	}
	app_mark(view->app, side, run->path, run->info.name);
	if (app_marked_path(view->app, !side)) {
		say_marks(view);
	}
}

static bool
is_unfinished(const struct ui_import *import)
{
	return import->state < IMPORT_DONE;
}

/* Esc on an import that runs or waits. */
static bool
cancel_import(struct runs *runs)
{
	const struct runs_row *row = selected_row(runs);

	if (!row || row->import == NO_IMPORT || !is_unfinished(&runs->states[row->import])) {
		return false;
	}
	runs->imports->cancel(runs->imports->user, row->import);
	return true;
}

/* The runs that are shown, asked together. */
static void
ask_all(struct view *view)
{
	const struct runs *runs = view->state;
	const struct run_entry *run = selected_run(runs);
	const char **paths = xcalloc(runs->model.n_rows + 1, sizeof *paths);
	size_t n = 0;

	for (size_t i = 0; i < runs->model.n_rows; i++) {
		const struct run_entry *shown = runs_row(runs, i)->run;

		if (shown && !shown->error) {
			paths[n++] = shown->path;
		}
	}
	if (run) {
		view_open(view, PLACE_QUERIES, .paths = paths, .n_paths = n);
	} else {
		view_say(view, "only runs can be asked");
	}
	free(paths);
}

/* R: what came and went, and the selected import once more if it came to nothing. */
static void
reload(struct view *view)
{
	struct runs *runs = view->state;
	const struct runs_row *row = selected_row(runs);

	if (row && row->import != NO_IMPORT && runs->states[row->import].state > IMPORT_DONE) {
		runs->imports->again(runs->imports->user, row->import);
	}
	woken(view);
	look(view);
}

static bool
act(struct view *view, enum view_action action)
{
	struct runs *runs = view->state;
	const struct run_entry *run = selected_run(runs);

	switch (action) {
	case ACTION_OPEN:
		return open_selected(view);
	case ACTION_MARK_A:
	case ACTION_MARK_B:
		mark(view, action == ACTION_MARK_B);
		break;
	case ACTION_SORT_UP:
	case ACTION_SORT_DOWN:
		runs_sort(view, action == ACTION_SORT_DOWN);
		break;
	case ACTION_SWAP:
		app_swap_marks(view->app);
		break;
	case ACTION_RELOAD:
		reload(view);
		break;
	case ACTION_CANCEL:
		return cancel_import(runs) || unmark(view) || runs_unfilter(view);
	case ACTION_UNFILTER:
		return runs_unfilter(view);
	case ACTION_PLOT:
		runs_bar_next(view);
		break;
	case ACTION_TABLE:
		ask_all(view);
		break;
	case ACTION_FREQUENCY:
		app_prompt(view->app, PROMPT_GROUP, "group by: ", "format");
		break;
	case ACTION_COPY:
		if (run) {
			app_copy(view->app, slice_of(run->path));
		}
		break;
	default:
		return false;
	}
	return true;
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct runs *runs = view->state;
	size_t n = 0;

	for (size_t i = 0; i < runs->n_rows; i++) {
		n += runs->rows[i].run != NULL;
	}
	if (runs->model.wish.filters.n > 0) {
		strbuf_printf(out, "%zu of ", runs->model.n_rows);
	}
	if (runs->found) {
		strbuf_printf(out, "%zu run%s", n, n == 1 ? "" : "s");
	}
	if (n < runs->n_rows) {
		strbuf_printf(out, "   %zu to import", runs->n_rows - n);
	}
	if (runs->model.wish.n_keys > 0) {
		strbuf_add_text(out, "   sort ");
		table_model_sort_text(&runs->model, out);
	}
	for (int side = 0; side < 2; side++) {
		if (app_marked_name(view->app, side)) {
			strbuf_printf(out, "   %c %s", side == 0 ? 'A' : 'B',
			              app_marked_name(view->app, side));
		}
	}
}

static bool
is_waiting(const struct view *view)
{
	const struct runs *runs = view->state;

	return !runs->found && runs->n_rows == 0;
}

static void
resize(struct view *view)
{
	struct runs *runs = view->state;

	runs_lay(view);
	if (!runs->is_asked) {
		runs->is_asked = true;
		woken(view);
		lay_rows(view, (struct runs_place){NULL, NO_IMPORT});
		if (runs->n_paths > 0) {
			look(view);
		}
	}
}

static const char *
unfinished(const struct view *view)
{
	const struct runs *runs = view->state;

	for (size_t i = 0; runs->imports && i < runs->imports->n; i++) {
		if (is_unfinished(&runs->states[i])) {
			return "an import is running";
		}
	}
	return NULL;
}

static void
close_runs(struct view *view)
{
	struct runs *runs = view->state;

	texts_free(runs->paths, runs->n_paths);
	runs_found_free(runs->found);
	table_model_fini(&runs->model);
	free(runs->states);
	free(runs->rows);
	free(runs->bar);
	free(runs);
}

static const struct view_ops ops = {
    .sets = IN_RUNS,
    .head = 1,
    .about = 2,
    .draw = runs_draw,
    .row = runs_draw_row,
    .act = act,
    .is_waiting = is_waiting,
    .status = status,
    .resize = resize,
    .done = done,
    .woken = woken,
    .prompt = runs_prompt,
    .complete = runs_complete,
    .command = runs_command,
    .filter = runs_filter,
    .row_has = runs_row_has,
    .moved = moved,
    .unfinished = unfinished,
    .close = close_runs,
};

struct view *
view_runs_new(struct app *app, const struct view_place *place)
{
	struct runs *runs = xcalloc(1, sizeof *runs);
	struct view *view =
	    view_new(app, &ops, runs, place,
	             place->n_paths == 1 && !place->imports ? place->paths[0] : "runs");

	view->list = &runs->list;
	runs->n_paths = place->n_paths;
	runs->paths = texts_copy((char *const *)place->paths, place->n_paths);
	if (place->imports && place->imports->n > 0) {
		runs->imports = place->imports;
		runs->states = xcalloc(runs->imports->n, sizeof *runs->states);
	}
	return view;
}
