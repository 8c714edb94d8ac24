/* Help: the key table, for the view it was called from; its own keys first, then those that hold
 * everywhere, then the commands. */
#include "config.h"

#include <stdlib.h>

#include "ui/app/app.h"
#include "util/mem.h"

#define KEY_COLUMNS 17

struct help_row {
	char *keys; /* NULL: a heading */
	const char *text;
};

struct help {
	struct help_row *rows;
	struct list list; /* of rows */
};

static void
add_row(struct help *help, char *keys, const char *text)
{
	help->rows = xrealloc_array(help->rows, help->list.n + 1, sizeof *help->rows);
	help->rows[help->list.n++] = (struct help_row){keys, text};
}

static void
keys_text(const struct key_binding *binding, struct strbuf *out)
{
	for (size_t k = 0; k < KEYS_A_COMMAND && binding->keys[k] != KEY_NONE; k++) {
		char name[16];

		strbuf_printf(out, "%s%s", k ? " " : "", key_label(binding->keys[k], name));
	}
	if (out->len == 0) {
		strbuf_printf(out, ":%s", binding->name);
	}
}

static void
add_bindings(struct help *help, unsigned sets, bool everywhere)
{
	add_row(help, NULL, everywhere ? "Everywhere" : "In this view");
	for (const struct key_binding *binding = key_bindings(); binding->name; binding++) {
		struct strbuf keys = {0};

		if (binding->views & sets && (binding->views == IN_ALL) == everywhere) {
			keys_text(binding, &keys);
			add_row(help, strbuf_take(&keys), binding->help);
		}
	}
}

static void
add_commands(struct help *help)
{
	const char *name, *arguments, *text;

	add_row(help, NULL, "Commands (with : and the name of any key's command)");
	for (size_t i = 0; (name = app_command_name(i, &arguments, &text)) != NULL; i++) {
		struct strbuf usage = {0};

		strbuf_printf(&usage, ":%s %s", name, arguments);
		add_row(help, strbuf_take(&usage), text);
	}
}

static void
draw_row(const struct view *view, struct canvas *canvas, size_t i, int y, const void *how)
{
	const struct help_row *row = &((const struct help *)view->state)->rows[i];

	(void)how;
	if (row->keys) {
		canvas_text(canvas, 2, y, KEY_COLUMNS - 1, STYLE_KEY, slice_of(row->keys));
		canvas_text_cut(canvas, 2 + KEY_COLUMNS, y, view->area.width - KEY_COLUMNS - 3,
		                STYLE_NORMAL, slice_of(row->text));
	} else {
		canvas_puts(canvas, 1, y, STYLE_HEADER, row->text);
	}
}

static bool
row_has(const struct view *view, size_t row, struct slice text)
{
	const struct help *help = view->state;

	return slice_contains_anycase(slice_of(help->rows[row].text), text) ||
	       (help->rows[row].keys &&
	        slice_contains_anycase(slice_of(help->rows[row].keys), text));
}

static void
status(const struct view *view, struct strbuf *out)
{
	list_say_more(view->list, out);
	strbuf_add_text(out, "/ search   :help WORD manual");
}

static void
close_help(struct view *view)
{
	struct help *help = view->state;

	for (size_t i = 0; i < help->list.n; i++) {
		free(help->rows[i].keys);
	}
	free(help->rows);
	free(help);
}

static const struct view_ops ops = {
    .sets = IN_HELP,
    .row = draw_row,
    .is_text = true,
    .status = status,
    .row_has = row_has,
    .close = close_help,
};

struct view *
view_help_new(struct app *app, const struct view_place *place)
{
	struct help *help = xcalloc(1, sizeof *help);
	struct view *view;

	add_bindings(help, place->sets, false);
	add_bindings(help, place->sets, true);
	add_commands(help);
	view = view_new(app, &ops, help, place, "help");
	view->list = &help->list;
	return view;
}
