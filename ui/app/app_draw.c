/*
 * Screen: one line of place, the top view, one line of keys (or the prompt, or a message).
 * Everything the user sees follows from the state of the application and of the views, so that a
 * scripted run and a terminal show the same.
 */
#include "config.h"

#include "ui/app/app_private.h"

#include "util/order.h"
#include "util/utf8.h"

#define MIN_WIDTH 40
#define MIN_HEIGHT 8

int
view_status_columns(const struct view *view)
{
	int title = (int)utf8_columns(slice_of(view->title)), width = view->app->canvas->width;

	return width - 3 - LEAST(title, width / 2); /* the title may need no more */
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
	if (app->top->ops->status) {
		app->top->ops->status(app->top, &status);
	}
	right = LEAST((int)utf8_columns(strbuf_slice(&status)), view_status_columns(app->top));
	canvas_text_middle(canvas, 1, 0, canvas->width - right - 3, STYLE_TITLE,
	                   slice_of(app->top->title));
	canvas_text(canvas, canvas->width - right - 1, 0, right, STYLE_HEADER,
	            strbuf_slice(&status));
	strbuf_free(&status);
}

static void
draw_keys(struct app *app)
{
	struct canvas *canvas = app->canvas;
	int x = 1, y = canvas->height - 1;

	for (const struct key_binding *binding = key_bindings(); binding->name; binding++) {
		char name[16];
		const char *key = key_label(binding->keys[0], name);

		if (!binding->label || binding->keys[0] == KEY_NONE ||
		    !(binding->views & app->top->sets)) {
			continue;
		}
		if (x + (int)strlen(key) + (int)strlen(binding->label) + 1 >= canvas->width) {
			break;
		}
		x += canvas_puts(canvas, x, y, STYLE_KEY, key) + 1;
		x += canvas_puts(canvas, x, y, STYLE_MUTED, binding->label) + 2;
	}
}

/* What does not fit into the rows is cut out before the end, which says what to do. */
static void
draw_cut(struct canvas *canvas, int y, int rows, int columns, cell_style style, struct slice left)
{
	for (; rows > 0; rows--, y++) {
		struct slice line = rows == 1 ? left : utf8_clip(left, (size_t)columns);

		canvas_text_middle(canvas, 1, y, columns, style, line);
		left = slice_from(left, line.len);
	}
}

/* A message longer than the row takes as many rows above `end` as it needs, half the screen at
 * most. */
static void
draw_message(struct app *app, int end)
{
	struct canvas *canvas = app->canvas;
	cell_style style = app->message_is_error ? STYLE_ERROR : STYLE_MUTED;
	struct slice text = slice_of(app->message);
	int columns = canvas->width - 2, most = canvas->height / 2;
	int rows = canvas_wrapped(canvas, 1, -ERR_MESSAGE_BYTES - 1, columns, ERR_MESSAGE_BYTES,
	                          style, text); /* off the screen: how many */
	bool fits = rows <= most;

	rows = fits ? rows : most;
	canvas_fill(canvas, 0, end - rows, canvas->width, rows, STYLE_NORMAL, " ");
	if (fits) {
		(void)canvas_wrapped(canvas, 1, end - rows, columns, rows, style, text);
	} else {
		draw_cut(canvas, end - rows, rows, columns, style, text);
	}
}

static void
draw_bottom(struct app *app)
{
	int height = app->canvas->height;

	if (app->prompt.is_open) {
		char note[32];

		if (app->message[0]) { /* what is wrong with the text */
			draw_message(app, height - 1);
		}
		prompt_draw(&app->prompt, app_search_note(app, note), app->canvas);
	} else if (app->message[0]) {
		draw_message(app, height);
	} else {
		draw_keys(app);
	}
}

const struct canvas *
app_draw(struct app *app)
{
	struct canvas *canvas = app->canvas;
	const struct view *view = app->top;

	canvas_clear(canvas);
	if (canvas->width < MIN_WIDTH || canvas->height < MIN_HEIGHT) {
		canvas_puts(canvas, 0, 0, STYLE_NORMAL, "terminal too small (40x8)");
		return canvas;
	}
	if (view->ops->draw) {
		view->ops->draw(view, canvas, view->area);
	} else {
		view_list_draw(view, canvas, NULL);
	}
	if (view->failure && !view->has_answer) {
		canvas_wrapped(canvas, 2, view->area.y + 1, canvas->width - 3,
		               view->area.height - 2, STYLE_ERROR, slice_of(view->failure));
	}
	draw_place(app);
	if (app_scope_is_shown(app, view)) {
		app_scope_draw(app);
	}
	if (app_tour_is_shown(app)) {
		app_tour_draw(app);
	}
	draw_bottom(app);
	return canvas;
}
