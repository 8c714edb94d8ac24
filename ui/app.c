/*
 * Screen: one line of place, the top view, one line of keys (or the prompt, or a message). Everything the user sees follows from the state
 * here and in the views, so that a scripted run and a terminal show the same.
 */
#include "config.h"

#include "ui/app.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/memory.h"
#include "util/mem.h"
#include "util/utf8.h"

#define PATIENCE_MS 100
#define GRACE_MS 20 /* not felt, but most results come sooner */
#define MIN_WIDTH 40
#define MIN_HEIGHT 8

struct prompt {
	bool is_open;
	enum prompt_kind kind;
	const char *label;
	struct strbuf text;
};

struct app {
	struct view *top;
	struct jobs *jobs;
	struct query_library *library;
	struct canvas *canvas;
	struct prompt prompt;
	struct {
		char *path, *name;
	} marked[2]; /* runs A and B */
	struct memory *memory;
	struct strbuf copied; /* for the terminal's clipboard */
	const struct app_terminal *terminal;
	char message[ERR_MESSAGE_BYTES];
	bool message_is_error, is_running, wants_redraw, wants_suspend;
	int width, height;
};

struct view *
view_new(struct app *app, const struct view_ops *ops, void *state, const char *place)
{
	struct view *view = xcalloc(1, sizeof(*view));

	view->app = app;
	view->ops = ops;
	view->state = state;
	view->sets = ops->sets;
	view->place = xstrdup(place);
	return view;
}

struct view *
view_new_in_run(struct app *app, const struct view_ops *ops, void *state, const char *run_path,
                const char *run_name, const char *title)
{
	struct strbuf place = {0};
	struct view *view;

	strbuf_printf(&place, "%s > %s", run_name, title);
	view = view_new(app, ops, state, place.data);
	strbuf_free(&place);
	view->run_path = xstrdup(run_path);
	view->run_name = xstrdup(run_name);
	return view;
}

static struct area
view_area(const struct app *app)
{
	return (struct area){0, 1, app->width, app->height > 2 ? app->height - 2 : 1};
}

static void
view_lay(struct app *app, struct view *view)
{
	view->area = view_area(app);
	if (view->ops->resize) {
		view->ops->resize(view, view->area);
	}
}

void
app_push(struct app *app, struct view *view)
{
	view->below = app->top;
	app->top = view;
	view_lay(app, view);
}

static void
view_close(struct app *app, struct view *view)
{
	jobs_cancel(app->jobs, view, false);
	view->ops->close(view);
	free(view->place);
	free(view->run_path);
	free(view->run_name);
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
}

void
app_submit(struct app *app, struct view *view, struct job *job)
{
	job->owner = view;
	jobs_submit(app->jobs, job);
}

bool
app_is_busy(const struct app *app, const struct view *view)
{
	return jobs_age_ms(app->jobs, view) >= 0;
}

void
app_say(struct app *app, bool is_error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(app->message, sizeof(app->message), format, arguments);
	va_end(arguments);
	app->message_is_error = is_error;
}

void
app_prompt(struct app *app, enum prompt_kind kind, const char *label, const char *text)
{
	app->prompt.is_open = true;
	app->prompt.kind = kind;
	app->prompt.label = label;
	strbuf_clear(&app->prompt.text);
	strbuf_add_text(&app->prompt.text, text);
}

void
app_mark(struct app *app, int side, const char *run_path, const char *run_name)
{
	free(app->marked[side].path);
	free(app->marked[side].name);
	app->marked[side].path = run_path ? xstrdup(run_path) : NULL;
	app->marked[side].name = run_path ? xstrdup(run_name) : NULL;
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
app_pair(struct app *app, const char *run_path, const char **path_a, const char **path_b)
{
	const char *a = app->marked[0].path, *b = app->marked[1].path;

	if (a && !b && run_path && strcmp(a, run_path) != 0) {
		b = run_path;
	} else if (b && !a && run_path && strcmp(b, run_path) != 0) {
		a = run_path;
	}
	if (!a || !b) {
		app_say(app, true,
		        "two runs are needed: mark them with a and b in the list of runs");
		return false;
	}
	*path_a = a;
	*path_b = b;
	return true;
}

void
app_remember(struct app *app, const char *key, const char *value)
{
	memory_set(app->memory, key, value);
}

const char *
app_recall(const struct app *app, const char *key)
{
	return memory_get(app->memory, key);
}

void
app_copy(struct app *app, struct slice text)
{
	strbuf_clear(&app->copied);
	strbuf_add(&app->copied, text.ptr, text.len);
	app_say(app, false, "copied %zu bytes", text.len);
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
app_new(const char *query_dir, bool ascii, void (*wake)(void *user), void *user)
{
	struct app *app = xcalloc(1, sizeof(*app));

	app->jobs = jobs_new(wake, user);
	app->memory = memory_new();
	app->library = query_library_open(query_dir);
	app->canvas = canvas_new(80, 24);
	app->canvas->ascii = ascii;
	app->width = 80;
	app->height = 24;
	app->is_running = true;
	if (query_library_broken(app->library) > 0) {
		app_say(app, true, "%s", query_library_broken_message(app->library, 0));
	}
	return app;
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
	query_library_close(app->library);
	strbuf_free(&app->prompt.text);
	strbuf_free(&app->copied);
	app_mark(app, 0, NULL, NULL);
	app_mark(app, 1, NULL, NULL);
	memory_free(app->memory);
	canvas_free(app->canvas);
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

static void
prompt_tell(struct app *app, bool final)
{
	if (app->top->ops->prompt) {
		app->top->ops->prompt(app->top, app->prompt.kind, strbuf_slice(&app->prompt.text),
		                      final);
	}
}

static void
prompt_erase(struct strbuf *text)
{
	while (text->len > 0 && ((unsigned char)text->data[text->len - 1] & 0xc0) == 0x80) {
		text->len--;
	}
	text->len -= text->len > 0;
}

static void
prompt_key(struct app *app, int key)
{
	struct strbuf *text = &app->prompt.text;
	char bytes[4];

	if (key == KEY_ESCAPE || key == 3) {
		app->prompt.is_open = false;
		strbuf_clear(text);
		prompt_tell(app, false);
		return;
	}
	if (key == KEY_ENTER || key == '\n') {
		app->prompt.is_open = false;
		prompt_tell(app, true);
		return;
	}
	if (key == KEY_BACKSPACE_ASCII || key == '\b' || key == KEY_DELETE) {
		prompt_erase(text);
	} else if (key == 21) { /* ^U */
		strbuf_clear(text);
	} else if (key >= ' ' && key < 0x110000 && utf8_width((uint32_t)key) >= 0) {
		strbuf_add(text, bytes, utf8_encode((uint32_t)key, bytes));
	}
	prompt_tell(app, false);
}

/* Esc goes from the nearest thing outwards: what runs, then what the view can undo, then the view. */
static void
cancel(struct app *app)
{
	if (app_is_busy(app, app->top)) {
		jobs_cancel(app->jobs, app->top, true);
		app_say(app, false, "stopped");
	} else if (!app->top->ops->act(app->top, ACTION_CANCEL) && app->top->below) {
		app_pop(app);
	}
}

static void
act(struct app *app, enum action action)
{
	switch (action) {
	case ACTION_QUIT:
		app->is_running = false;
		break;
	case ACTION_BACK:
		app_pop(app);
		break;
	case ACTION_CANCEL:
		cancel(app);
		break;
	case ACTION_REDRAW:
		app->wants_redraw = true;
		break;
	case ACTION_GLYPHS:
		app->canvas->ascii = !app->canvas->ascii;
		break;
	case ACTION_HELP:
		if (!(app->top->sets & IN_HELP)) {
			app_push(app, view_help_new(app, app->top->sets));
		}
		break;
	case ACTION_SEARCH:
		app_prompt(app, PROMPT_SEARCH, "/", "");
		break;
	case ACTION_FILTER:
		app_prompt(app, PROMPT_FILTER,
		           "& keep (regular expression, or COLUMN OP VALUE): ", "");
		break;
	default:
		app->top->ops->act(app->top, action);
	}
}

void
app_key(struct app *app, int key)
{
	enum action action;

	app->message[0] = '\0';
	if (app->prompt.is_open) {
		prompt_key(app, key);
		return;
	}
	if (key == 26) { /* ^Z */
		app->wants_suspend = true;
		return;
	}
	action = keys_lookup(key, app->top->sets);
	if (action == ACTION_NONE) {
		char name[16];

		app_say(app, false, "no such key here: %s (? shows the keys)",
		        key_label(key, name));
		return;
	}
	act(app, action);
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

bool
app_collect(struct app *app)
{
	struct job *job;
	bool any = false;

	while ((job = jobs_take(app->jobs)) != NULL) {
		struct view *view = view_of(app, job->owner);

		any = true;
		if (job->err.code != ERR_NONE && job->err.code != ERR_CANCELLED) {
			app_say(app, true, "%s", job->err.message);
		} else if (view && job->err.code == ERR_NONE && view->ops->done) {
			view->ops->done(view, job);
		}
		job->free(job);
	}
	return any;
}

void
app_wait(struct app *app)
{
	while (!jobs_idle(app->jobs)) {
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

static void
draw_place(struct app *app)
{
	struct canvas *canvas = app->canvas;
	struct strbuf status = {0};
	long age = jobs_age_ms(app->jobs, app->top);
	int right;

	if (age >= PATIENCE_MS) {
		strbuf_printf(&status, "running %ld.%ld s, Esc stops   ", age / 1000,
		              age / 100 % 10);
	}
	app->top->ops->status(app->top, &status);
	right = (int)utf8_columns(strbuf_slice(&status));
	if (right > canvas->width / 2) {
		right = canvas->width / 2;
	}
	canvas_text_middle(canvas, 1, 0, canvas->width - right - 3, STYLE_TITLE,
	                   slice_of(app->top->place));
	canvas_text(canvas, canvas->width - right - 1, 0, right, STYLE_HEADER,
	            strbuf_slice(&status));
	strbuf_free(&status);
}

static void
draw_keys(struct app *app)
{
	struct canvas *canvas = app->canvas;
	int x = 1, y = canvas->height - 1;
	size_t n;
	const struct key_binding *table = key_bindings(&n);

	for (size_t i = 0; i < n; i++) {
		char name[16];
		const char *key = key_label(table[i].keys[0], name);

		if (!table[i].label || !(table[i].views & app->top->sets)) {
			continue;
		}
		if (x + (int)strlen(key) + (int)strlen(table[i].label) + 1 >= canvas->width) {
			break;
		}
		x += canvas_puts(canvas, x, y, STYLE_KEY, key) + 1;
		x += canvas_puts(canvas, x, y, STYLE_MUTED, table[i].label) + 2;
	}
}

static void
draw_bottom(struct app *app)
{
	struct canvas *canvas = app->canvas;
	int y = canvas->height - 1;

	if (app->prompt.is_open) {
		int x = canvas_puts(canvas, 0, y, STYLE_KEY, app->prompt.label);

		x += canvas_text(canvas, x, y, canvas->width - x - 1, STYLE_NORMAL,
		                 strbuf_slice(&app->prompt.text));
		canvas->cursor_x = x < canvas->width ? x : canvas->width - 1;
		canvas->cursor_y = y;
	} else if (app->message[0]) {
		canvas_puts(canvas, 1, y, app->message_is_error ? STYLE_ERROR : STYLE_MUTED,
		            app->message);
	} else {
		draw_keys(app);
	}
}

const struct canvas *
app_draw(struct app *app)
{
	struct canvas *canvas = app->canvas;

	canvas_clear(canvas);
	if (canvas->width < MIN_WIDTH || canvas->height < MIN_HEIGHT) {
		canvas_puts(canvas, 0, 0, STYLE_NORMAL, "terminal too small (40x8)");
		return canvas;
	}
	app->top->ops->draw(app->top, canvas, app->top->area);
	draw_place(app);
	draw_bottom(app);
	return canvas;
}
