/* The stack of views, what they may ask for, and the way of the worker's results back to them. */
#include "config.h"

#include "ui/app/app_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/utf8.h"

#define COPY_COLUMNS 50 /* of what was copied, to be seen */

struct view *
view_new(struct app *app, const struct view_ops *ops, void *state, const struct view_place *place,
         const char *title)
{
	struct view *view = xcalloc(1, sizeof *view);
	struct strbuf whole = {0};

	view->app = app;
	view->ops = ops;
	view->state = state;
	view->sets = ops->sets;
	if (place->run_path) {
		strbuf_printf(&whole, "%s > ", place->run_name);
		view->run_path = xstrdup(place->run_path);
		view->run_name = xstrdup(place->run_name);
	}
	strbuf_add_text(&whole, title);
	view->title = strbuf_take(&whole);
	return view;
}

void
view_set_runs(struct view *view, const struct two_runs *runs, const char *title)
{
	char *old[] = {view->title, view->run_path, view->run_name};
	struct strbuf whole = {0};

	strbuf_printf(&whole, "%s | %s > %s", runs->name[0], runs->name[1], title);
	view->title = strbuf_take(&whole);
	view->run_path = xstrdup(runs->path[1]);
	view->run_name = xstrdup(runs->name[1]);
	for (size_t i = 0; i < COUNT_OF(old); i++) { /* may be what was copied */
		free(old[i]);
	}
}

static void
view_lay(struct app *app, struct view *view)
{
	int y = app_scope_is_shown(app, view) ? 2 : 1;
	int height = app->height - y - (app_tour_is_shown(app) ? 2 : 1);

	view->area = (struct area){0, y, app->width, MOST(height, 1)};
	if (view->ops->resize) {
		view->ops->resize(view);
	} else {
		view_list_lay(view);
	}
}

void
app_open(struct app *app, const struct view_place *place)
{
	struct view *view = app->places[place->kind](app, place);

	app->has_opened = app->has_opened || (app->takes_key && view->run_path);
	view->below = app->top;
	view->scope_turn = app->scope_turn;
	app->top = view;
	view_lay(app, view);
}

void
app_open_text(struct app *app, const char *title, struct slice text)
{
	app_open(app, &(struct view_place){.kind = PLACE_TEXT, .title = title, .text = text});
}

void
view_open_place(const struct view *view, struct view_place place)
{
	if (!place.run_path) {
		place.run_path = view->run_path;
		place.run_name = view->run_name;
	}
	app_open(view->app, &place);
}

static void
view_close(struct app *app, struct view *view)
{
	jobs_cancel(app->jobs, view, false);
	view->ops->close(view);
	search_fini(&view->search);
	free(view->title);
	free(view->run_path);
	free(view->run_name);
	free(view->failure);
	free(view);
}

void
app_pop(struct app *app)
{
	struct view *view = app->top;

	if (!view->below) {
		app->is_running = false;
		return;
	}
	app->top = view->below;
	app->prompt.is_open = false;
	view_close(app, view);
	view_lay(app, app->top);
	app_scope_check(app);
}

void
view_submit(struct view *view, struct view_job *job)
{
	job->owner = view;
	jobs_submit(view->app->jobs, job);
}

bool
view_is_busy(const struct view *view)
{
	return jobs_owe(view->app->jobs, view);
}

bool
view_is_late(const struct view *view)
{
	return jobs_age_ms(view->app->jobs, view) >= PATIENCE_MS;
}

void
app_say(struct app *app, bool is_error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(app->message, sizeof app->message, format, arguments);
	va_end(arguments);
	app->message_is_error = is_error;
	if (is_error && !app->failure[0]) {
		memcpy(app->failure, app->message, sizeof app->failure);
	}
	app->question = ASKS_NOTHING; /* it is not seen any more */
	if (app->messages.len + sizeof app->message > MESSAGES_LIMIT) {
		strbuf_clear(&app->messages);
	}
	strbuf_printf(&app->messages, "%s%s\n", is_error ? "error: " : "", app->message);
}

const char *
app_take_failure(struct app *app)
{
	bool any = app->failure[0] != '\0';

	memcpy(app->failure_taken, app->failure, sizeof app->failure);
	app->failure[0] = '\0';
	return any ? app->failure_taken : NULL;
}

void
view_fail(const struct view *view, const char *message)
{
	app_say(view->app, true, "%s", message);
}

void
app_prompt(struct app *app, enum prompt_kind kind, const char *label, const char *text)
{
	prompt_open(&app->prompt, kind, label, text);
}

void
app_prompt_again(struct app *app)
{
	prompt_reopen(&app->prompt);
}

void
app_mark(struct app *app, int side, const char *run_path, const char *run_name)
{
	free(app->marked[side].path);
	free(app->marked[side].name);
	app->marked[side].path = run_path ? xstrdup(run_path) : NULL;
	app->marked[side].name = run_path ? xstrdup(run_name) : NULL;
}

void
app_mark_both(struct app *app, const struct two_runs *runs)
{
	for (int side = 0; side < 2; side++) {
		app_mark(app, side, runs->path[side], runs->name[side]);
	}
}

void
app_swap_marks(struct app *app)
{
	struct app_mark first = app->marked[0];

	app->marked[0] = app->marked[1];
	app->marked[1] = first;
}

const char *
app_marked_path(const struct app *app, int side)
{
	return app->marked[side].path;
}

const char *
app_marked_name(const struct app *app, int side)
{
	return app->marked[side].name;
}

bool
app_pair(const struct view *view, struct two_runs *runs)
{
	const struct app *app = view->app;
	const char *own = view->run_path;
	int n_marked = 0;

	*runs = (struct two_runs){{NULL}, {NULL}};
	for (int side = 0; side < 2; side++) {
		runs->path[side] = app->marked[side].path;
		runs->name[side] = app->marked[side].name;
		n_marked += runs->path[side] != NULL;
	}
	for (int side = 0; side < 2 && n_marked == 1; side++) {
		if (!runs->path[side] && own && strcmp(runs->path[!side], own) != 0) {
			runs->path[side] = own;
			runs->name[side] = view->run_name;
			return true;
		}
	}
	if (n_marked < 2) {
		view_fail(view, "two runs are needed: mark them with A and B in the list of runs");
	}
	return n_marked == 2;
}

void
app_open_partner(struct view *view, int64_t span)
{
	struct focus focus = FOCUS_NONE;
	struct view_place place = {.kind = PLACE_PAIR, .focus = &focus};

	if (app_pair(view, &place.runs)) {
		focus.span = span;
		focus.to_partner = true;
		place.side = strcmp(place.runs.path[1], view->run_path) == 0;
		view_open_place(view, place);
	}
}

/* Once for each file that is passed over. */
static void
say_passed_over(struct app *app, const struct err *err)
{
	if (err->code != ERR_NONE) {
		app_say(app, true, "%s", err->message);
	}
}

void
view_remember(const struct view *view, const char *key, const char *value)
{
	struct err err = ERR_INIT;

	memory_set(view->app->memory, key, value);
	run_memory_set(view->app->run_memory, view->run_path, key, value, &err);
	say_passed_over(view->app, &err);
}

const char *
view_recall(const struct view *view, const char *key)
{
	struct err err = ERR_INIT;
	const char *text = run_memory_get(view->app->run_memory, view->run_path, key, &err);

	say_passed_over(view->app, &err);
	return text ? text : memory_get(view->app->memory, key);
}

void
app_know_run(struct app *app, const char *path, const char *identity)
{
	run_memory_know(app->run_memory, path, identity);
}

void
app_copy(struct app *app, struct slice text)
{
	const char *end = memchr(text.ptr, '\n', text.len);
	struct slice line = {text.ptr, end ? (size_t)(end - text.ptr) : text.len};

	strbuf_clear(&app->copied);
	strbuf_add_slice(&app->copied, text);
	line = utf8_clip(line, COPY_COLUMNS);
	app_say(app, false, "copied %zu byte%s: %.*s%s", text.len, text.len == 1 ? "" : "s",
	        (int)line.len, line.ptr, line.len < text.len ? " ..." : "");
}

bool
app_takes_copy(struct app *app, struct strbuf *text)
{
	bool any = app->copied.len > 0;

	strbuf_clear(text);
	strbuf_add(text, app->copied.data, app->copied.len);
	strbuf_clear(&app->copied);
	return any;
}

void
app_set_terminal(struct app *app, const struct app_terminal *terminal)
{
	app->terminal = terminal;
}

int
app_run_program(struct app *app, const char *const *argv, struct err *err)
{
	if (!app->terminal) {
		return err_set(err, ERR_USAGE, "%s: needs a terminal", argv[0]);
	}
	app->wants_redraw = true;
	return app->terminal->run(app->terminal->user, argv, err);
}

const struct query_library *
app_library(const struct app *app)
{
	return app->library;
}

struct app *
app_new(const struct app_options *options, void (*wake)(void *user), void *user, struct err *err)
{
	struct jobs *jobs = jobs_new(wake, user, err);
	struct app *app = jobs ? xcalloc(1, sizeof *app) : NULL;

	if (!app) {
		return NULL;
	}
	app->jobs = jobs;
	app->memory = memory_new();
	app->run_memory = run_memory_new(options->runs_path);
	app->history = history_new(options->history_path);
	app->query_dir = options->query_dir ? xstrdup(options->query_dir) : NULL;
	app->library = query_library_open(app->query_dir);
	app->canvas = canvas_new(80, 24);
	app->canvas->ascii = options->ascii;
	app->canvas->mono = options->mono;
	app->width = 80;
	app->height = 24;
	app->is_running = true;
	app->places = options->places;
	app->settings = *options->settings;
	app->settings.problems = (struct strbuf){0};
	strbuf_add(&app->settings.problems, options->settings->problems.data,
	           options->settings->problems.len);
	jobs_set_classes(app->jobs, app->settings.classes);
	app->has_mouse = app->settings.mouse;
	for (size_t i = query_library_broken(app->library); i > 0; i--) {
		app_say(app, true, "%s", query_library_broken_message(app->library, i - 1));
	}
	if (app->settings.problems.len > 0) {
		size_t line = strcspn(app->settings.problems.data, "\n");

		app_say(app, true, "%.*s%s", (int)line, app->settings.problems.data,
		        line + 1 < app->settings.problems.len ? " (:config shows all)" : "");
	}
	return app;
}

const struct settings *
app_settings(const struct app *app)
{
	return &app->settings;
}

struct memory *
app_memory(struct app *app)
{
	return app->memory;
}

bool
app_has_mouse(const struct app *app)
{
	return app->has_mouse;
}

void
app_free(struct app *app)
{
	if (!app) {
		return;
	}
	while (app->top) {
		struct view *view = app->top;

		app->top = view->below;
		view_close(app, view);
	}
	jobs_free(app->jobs);
	run_memory_save(app->run_memory);
	run_memory_free(app->run_memory);
	query_library_close(app->library);
	for (size_t i = 0; i < app->n_old_libraries; i++) {
		query_library_close(app->old_libraries[i]);
	}
	free(app->old_libraries);
	free(app->query_dir);
	prompt_fini(&app->prompt);
	completion_free(&app->words);
	free(app->words_run);
	strbuf_free(&app->messages);
	settings_fini(&app->settings);
	scope_history_free(&app->scopes);
	history_save(app->history);
	history_free(app->history);
	strbuf_free(&app->copied);
	app_mark(app, 0, NULL, NULL);
	app_mark(app, 1, NULL, NULL);
	memory_free(app->memory);
	canvas_free(app->canvas);
	free(app->tour_path);
	free(app);
}

void
app_resize(struct app *app, int width, int height)
{
	canvas_resize(app->canvas, width, height);
	app->width = app->canvas->width;
	app->height = app->canvas->height;
	for (struct view *view = app->top; view; view = view->below) {
		view_lay(app, view);
	}
}

void
app_mouse(struct app *app, const struct mouse_event *event)
{
	struct view *view = app->top;

	app->message[0] = '\0';
	app->question = ASKS_NOTHING;
	if (app->prompt.is_open || app_scope_mouse(app, event)) {
		return;
	}
	if (view->ops->mouse) {
		view->ops->mouse(view, event);
	} else if (view->list) {
		view_list_mouse(view, event);
	}
}

static struct view *
view_of(const struct app *app, const void *owner)
{
	struct view *view = app->top;

	while (view && view != owner) {
		view = view->below;
	}
	return view;
}

/* In slices, on this thread. */
static bool
is_searching(const struct app *app)
{
	return app->top->ops->row_has && app->top->search.outcome == SEARCH_GOES_ON;
}

/* Kept for the screen: a view that has nothing to show says why. */
static void
set_failure(struct view *view, const char *message)
{
	if (view) {
		free(view->failure);
		view->failure = message ? xstrdup(message) : NULL;
	}
}

static void
wake_views(struct app *app)
{
	for (struct view *view = app->top; view; view = view->below) {
		if (view->ops->woken) {
			view->ops->woken(view);
		}
	}
}

void
app_reload_library(struct app *app)
{
	MEM_GROW(app->old_libraries, app->old_libraries_capacity, app->n_old_libraries + 1);
	app->old_libraries[app->n_old_libraries++] = app->library;
	app->library = query_library_open(app->query_dir);
	wake_views(app);
}

/* An answer that lacks something is shown, and is not whole. */
static void
tell_lost(struct app *app, const struct view_job *job)
{
	if (job->lost.code != ERR_NONE && job->lost.code != ERR_CANCELLED) {
		app_say(app, true, "%s", job->lost.message);
	}
}

bool
app_collect(struct app *app)
{
	bool any = false, was_waiting = app_is_waiting(app);
	struct view_job *job;

	wake_views(app);
	while ((job = jobs_take(app->jobs)) != NULL) {
		struct view *view = view_of(app, job->owner);

		any = true;
		if (job->owner == app) {
			app_sql_words(app, job);
		} else if (job->err.code != ERR_NONE && job->err.code != ERR_CANCELLED) {
			app_say(app, true, "%s", job->err.message);
			set_failure(view, job->err.message);
		} else if (view && job->err.code == ERR_NONE && view->ops->done) {
			view->has_answer = true;
			set_failure(view, NULL);
			view->ops->done(view, job);
			tell_lost(app, job);
		}
		job_free(job);
	}
	if (was_waiting && !app_is_waiting(app)) {
		app_catch_up(app);
	}
	if (is_searching(app)) {
		app_search_go(app);
		any = true;
	}
	return any;
}

void
app_wait(struct app *app)
{
	while ((!jobs_idle(app->jobs) || is_searching(app)) && !cancel_requested(NULL)) {
		jobs_wait(app->jobs);
		app_collect(app);
	}
}

bool
app_is_running(const struct app *app)
{
	return app->is_running;
}

long
app_patience_ms(const struct app *app)
{
	long age = jobs_age_ms(app->jobs, app->top);

	if (is_searching(app)) {
		return 0;
	}
	if (age < 0) {
		return -1;
	}
	return age < PATIENCE_MS ? PATIENCE_MS - age : 500;
}

long
app_grace_ms(const struct app *app)
{
	long age = jobs_age_ms(app->jobs, app->top);

	return age >= 0 && age < GRACE_MS ? GRACE_MS - age : 0;
}

bool
app_wants_redraw(struct app *app)
{
	bool wanted = app->wants_redraw;

	app->wants_redraw = false;
	return wanted;
}

bool
app_wants_suspend(struct app *app)
{
	bool wanted = app->wants_suspend;

	app->wants_suspend = false;
	return wanted;
}
