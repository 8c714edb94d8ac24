/* Help: the key table, for the view it was called from. */
#include "config.h"

#include <stdlib.h>

#include "ui/list.h"
#include "ui/view.h"
#include "util/mem.h"

#define KEY_COLUMNS 18

struct help {
	unsigned sets;
	struct list list;
	struct strbuf search;
};

/* The i-th binding that holds in the set; NULL beyond the last. */
static const struct key_binding *
binding_at(unsigned sets, size_t i)
{
	size_t n;
	const struct key_binding *table = key_bindings(&n);

	for (size_t k = 0; k < n; k++) {
		if ((table[k].views & sets) && i-- == 0) {
			return &table[k];
		}
	}
	return NULL;
}

static void
keys_text(const struct key_binding *binding, struct strbuf *out)
{
	for (size_t k = 0; k < 4 && binding->keys[k] != KEY_NONE; k++) {
		char name[16];

		strbuf_printf(out, "%s%s", k ? " " : "", key_label(binding->keys[k], name));
	}
}

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct help *help = view->state;

	for (int row = 0; row < area.height; row++) {
		size_t i = help->list.top + (size_t)row;
		const struct key_binding *binding = binding_at(help->sets, i);
		struct strbuf keys = {0};

		if (!binding) {
			break;
		}
		keys_text(binding, &keys);
		canvas_text(canvas, 2, area.y + row, KEY_COLUMNS - 1, STYLE_KEY,
		            strbuf_slice(&keys));
		canvas_puts(canvas, 2 + KEY_COLUMNS, area.y + row, STYLE_NORMAL, binding->help);
		if (i == help->list.selected) {
			canvas_attribute(canvas, 0, area.y + row, area.width, STYLE_REVERSE);
			canvas->cursor_x = 0;
			canvas->cursor_y = area.y + row;
		}
		strbuf_free(&keys);
	}
}

static bool
matches(const void *user, size_t row)
{
	const struct help *help = user;

	return help->search.len > 0 && slice_contains(slice_of(binding_at(help->sets, row)->help),
	                                              strbuf_slice(&help->search));
}

static bool
act(struct view *view, enum action action)
{
	struct help *help = view->state;

	if (action == ACTION_SEARCH_NEXT || action == ACTION_SEARCH_PREVIOUS) {
		list_find(&help->list, action == ACTION_SEARCH_NEXT ? SEARCH_NEXT : SEARCH_PREVIOUS,
		          matches, help);
		return true;
	}
	return list_act(&help->list, action);
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct help *help = view->state;

	strbuf_printf(out, "%zu keys", help->list.n);
}

static void
resize(struct view *view, struct area area)
{
	struct help *help = view->state;

	help->list.height = (size_t)area.height;
	list_settle(&help->list);
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice text, bool final)
{
	struct help *help = view->state;

	if (kind == PROMPT_SEARCH && !final) {
		strbuf_clear(&help->search);
		strbuf_add(&help->search, text.ptr, text.len);
		list_find(&help->list, SEARCH_HERE, matches, help);
	}
}

static void
close_help(struct view *view)
{
	struct help *help = view->state;

	strbuf_free(&help->search);
	free(help);
}

static const struct view_ops ops = {
    .sets = IN_HELP,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .prompt = prompt,
    .close = close_help,
};

struct view *
view_help_new(struct app *app, unsigned sets)
{
	struct help *help = xcalloc(1, sizeof(*help));

	help->sets = sets;
	while (binding_at(sets, help->list.n)) {
		help->list.n++;
	}
	return view_new(app, &ops, help, "help");
}
