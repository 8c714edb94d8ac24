/* Plain text: a query's SQL, messages. */
#include "config.h"

#include <stdlib.h>

#include "ui/list.h"
#include "ui/view.h"
#include "util/mem.h"

struct text_view {
	char *text;
	struct slice *lines; /* of text */
	struct list list;
	struct strbuf search;
	size_t first_column;
};

static void
draw(const struct view *view, struct canvas *canvas, struct area area)
{
	const struct text_view *text = view->state;

	for (size_t i = 0; i < text->list.height && text->list.top + i < text->list.n; i++) {
		struct slice line = text->lines[text->list.top + i];
		size_t skip = text->first_column < line.len ? text->first_column : line.len;
		int y = area.y + (int)i;

		while (skip > 0 && skip < line.len &&
		       ((unsigned char)line.ptr[skip] & 0xc0) == 0x80) {
			skip++;
		}
		canvas_text(canvas, 1, y, area.width - 2, STYLE_NORMAL,
		            (struct slice){line.ptr + skip, line.len - skip});
		if (text->list.top + i == text->list.selected) {
			canvas_attribute(canvas, 0, y, area.width, STYLE_REVERSE);
			canvas->cursor_x = 0;
			canvas->cursor_y = y;
		}
	}
}

static bool
matches(const void *user, size_t row)
{
	const struct text_view *text = user;

	return text->search.len > 0 &&
	       slice_contains(text->lines[row], strbuf_slice(&text->search));
}

static bool
act(struct view *view, enum action action)
{
	struct text_view *text = view->state;

	switch (action) {
	case ACTION_LEFT:
		text->first_column -= text->first_column < 8 ? text->first_column : 8;
		return true;
	case ACTION_RIGHT:
		text->first_column += 8;
		return true;
	case ACTION_SEARCH_NEXT:
	case ACTION_SEARCH_PREVIOUS:
		if (!list_find(&text->list,
		               action == ACTION_SEARCH_NEXT ? SEARCH_NEXT : SEARCH_PREVIOUS,
		               matches, text)) {
			app_say(view->app, false, "not found");
		}
		return true;
	case ACTION_COPY:
		if (text->list.selected < text->list.n) {
			app_copy(view->app, text->lines[text->list.selected]);
		}
		return true;
	default:
		return list_act(&text->list, action);
	}
}

static void
status(const struct view *view, struct strbuf *out)
{
	const struct text_view *text = view->state;

	strbuf_printf(out, "%zu line%s", text->list.n, text->list.n == 1 ? "" : "s");
}

static void
resize(struct view *view, struct area area)
{
	struct text_view *text = view->state;

	text->list.height = area.height > 0 ? (size_t)area.height : 1;
	list_settle(&text->list);
}

static void
prompt(struct view *view, enum prompt_kind kind, struct slice typed, bool final)
{
	struct text_view *text = view->state;

	if (kind == PROMPT_SEARCH && !final) {
		strbuf_clear(&text->search);
		strbuf_add(&text->search, typed.ptr, typed.len);
		list_find(&text->list, SEARCH_HERE, matches, text);
	}
}

static void
close_text(struct view *view)
{
	struct text_view *text = view->state;

	strbuf_free(&text->search);
	free(text->lines);
	free(text->text);
	free(text);
}

static const struct view_ops ops = {
    .sets = IN_TEXT,
    .draw = draw,
    .act = act,
    .status = status,
    .resize = resize,
    .prompt = prompt,
    .close = close_text,
};

struct view *
view_text_new(struct app *app, const char *title, struct slice text)
{
	struct text_view *mine = xcalloc(1, sizeof(*mine));
	size_t n = 1;

	mine->text = xstrndup(text.ptr ? text.ptr : "", text.len);
	for (size_t i = 0; i < text.len; i++) {
		n += mine->text[i] == '\n';
	}
	mine->lines = xcalloc(n, sizeof(*mine->lines));
	for (const char *line = mine->text, *end = mine->text + text.len; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		const char *stop = newline ? newline : end;

		mine->lines[mine->list.n++] = (struct slice){line, (size_t)(stop - line)};
		line = stop + 1;
	}
	return view_new(app, &ops, mine, title);
}
