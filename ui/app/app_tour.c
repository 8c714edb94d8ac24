/*
 * The tour: one line above the keys that names a key and what it does, until the user has done it;
 * then the next. Whatever else is pressed works as ever, and the line waits; where its key means
 * nothing in the view on top it says in which it does. Once walked or ended it does not come by
 * itself again (a file says so), but ":tour" begins it anew.
 */
#include "config.h"

#include "ui/app/app_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ui/base/texts.h"
#include "util/mem.h"

#define TOUR_MIN_WIDTH 60 /* on smaller screens the line's place is the view's */
#define TOUR_MIN_HEIGHT 16

static const struct step {
	enum view_action action;
	unsigned views; /* in which it leads on */
	const char *text;
} steps[] = {
    {ACTION_MARK_A, IN_RUNS, "makes this run A of a comparison"},
    {ACTION_DOWN, IN_RUNS, "goes to the next run"},
    {ACTION_MARK_B, IN_RUNS, "makes this one B"},
    {ACTION_EXPLAIN, IN_RUNS, "says why B was faster or slower than A"},
    {ACTION_OPEN, IN_ALL & ~IN_RUNS, "leads on from any row: here to the evidence"},
    {ACTION_TIMELINE, IN_RUN, "shows when: B's lanes over time"},
    {ACTION_ZOOM_IN, IN_LANES, "zooms in around the cursor"},
    {ACTION_NEXT_SPAN, IN_TIMELINE, "walks from span to span of a lane"},
    {ACTION_QUERIES, IN_RUN, "lists the questions that fit this run"},
    {ACTION_OPEN, IN_QUERIES, "asks the one under the cursor"},
    {ACTION_HELP, IN_ALL, "lists all keys; :tour begins the tour again"},
};

void
app_tour_begin(struct app *app)
{
	app->tour_step = 1;
	app_resize(app, app->width, app->height);
}

/* It need not come by itself again. Where that can't be kept, it does. */
static void
remember_end(const struct app *app)
{
	FILE *file;

	if (!app->tour_path) {
		return;
	}
	text_make_folders(app->tour_path);
	file = fopen(app->tour_path, "w");
	if (file) {
		fputs("seen\n", file);
		(void)fclose(file);
	}
}

void
app_tour_end(struct app *app)
{
	if (app->tour_step > 0) {
		app->tour_step = 0;
		remember_end(app);
		app_resize(app, app->width, app->height);
	}
}

void
app_tour_offer(struct app *app, const char *path)
{
	free(app->tour_path);
	app->tour_path = path ? xstrdup(path) : NULL;
	if (!path || access(path, F_OK) != 0) {
		app_tour_begin(app);
	}
}

void
app_tour_note(struct app *app, enum view_action action, unsigned views)
{
	const struct step *step = app->tour_step > 0 ? &steps[app->tour_step - 1] : NULL;

	bool has_failed = app->message[0] && app->message_is_error;

	if (!step || has_failed || step->action != action || !(step->views & views)) {
		return;
	}
	if ((size_t)app->tour_step == COUNT_OF(steps)) {
		app_tour_end(app);
	} else {
		app->tour_step++;
	}
}

bool
app_tour_is_shown(const struct app *app)
{
	return app->tour_step > 0 && app->width >= TOUR_MIN_WIDTH && app->height >= TOUR_MIN_HEIGHT;
}

/* The key that a command has, also one that the settings gave it; none: its name. */
static const char *
key_of(enum view_action action, char out[16])
{
	for (const struct key_binding *binding = key_bindings(); binding->name; binding++) {
		if (binding->action == action) {
			return binding->keys[0] == KEY_NONE ? binding->name
			                                    : key_label(binding->keys[0], out);
		}
	}
	return "";
}

void
app_tour_draw(struct app *app)
{
	const struct step *step = &steps[app->tour_step - 1];
	struct canvas *canvas = app->canvas;
	struct strbuf text = {0}, end = {0};
	char name[16];
	int x = 1, y = canvas->height - 2;

	if (!(step->views & app->top->sets)) { /* first: what is cut is not this */
		strbuf_add_text(&text, "in ");
		views_name(step->views, &text);
		strbuf_add_char(&text, ' ');
	}
	strbuf_add_text(&text, step->text);
	strbuf_printf(&end, "%s ends the tour", key_of(ACTION_TOUR_END, name));
	int right = (int)end.len;
	x += canvas_printf(canvas, x, y, STYLE_A, "Tour %d/%zu", app->tour_step, COUNT_OF(steps)) +
	     2;
	x += canvas_puts(canvas, x, y, STYLE_KEY, key_of(step->action, name)) + 1;
	canvas_text_cut(canvas, x, y, canvas->width - x - right - 3, STYLE_A, strbuf_slice(&text));
	canvas_text(canvas, canvas->width - right - 1, y, right, STYLE_MUTED, strbuf_slice(&end));
	strbuf_free(&text);
	strbuf_free(&end);
}
