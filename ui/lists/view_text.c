/* Plain text: a query's SQL, messages. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "ui/app/view.h"
#include "ui/table/edit.h"
#include "util/mem.h"

struct text_view {
	char *text;
	struct slice *lines; /* of text */
	struct list list;
	size_t first_column, widest; /* in bytes */
	struct table_source *source; /* whose SQL it is; NULL: no SQL */
	char *draft;                 /* of edit_query */
};

static void
draw_row(const struct view *view, struct canvas *canvas, size_t i, int y, const void *how)
{
	const struct text_view *text = view->state;
	struct slice line = text->lines[i];
	size_t skip = text->first_column < line.len ? text->first_column : line.len;

	(void)how;
	while (skip > 0 && skip < line.len && utf8_goes_on(line.ptr[skip])) {
		skip++;
	}
	canvas_text_cut(canvas, 1, y, view->area.width - 2, STYLE_NORMAL, slice_from(line, skip));
}

static bool
row_has(const struct view *view, size_t row, struct slice part)
{
	const struct text_view *text = view->state;

	return slice_contains_anycase(text->lines[row], part);
}

static bool
act(struct view *view, enum view_action action)
{
	struct text_view *text = view->state;

	switch (action) {
	case ACTION_LEFT:
		text->first_column -= text->first_column < 8 ? text->first_column : 8;
		break;
	case ACTION_RIGHT:
		text->first_column += text->first_column < text->widest ? 8 : 0;
		break;
	case ACTION_COPY: /* SQL is of use only as a whole */
		if (text->source) {
			app_copy(view->app, slice_of(text->text));
		} else if (text->list.selected < text->list.n) {
			app_copy(view->app, text->lines[text->list.selected]);
		}
		break;
	case ACTION_EDIT_SQL:
		if (text->source) {
			edit_query(view, text->source, text->source->texts, &text->draft);
		} else {
			view_say(view, "this is no SQL");
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
	const struct text_view *text = view->state;

	strbuf_printf(out, "%zu line%s", text->list.n, text->list.n == 1 ? "" : "s");
}

static void
close_text(struct view *view)
{
	struct text_view *text = view->state;

	table_source_release(text->source);
	free(text->draft);
	free(text->lines);
	free(text->text);
	free(text);
}

static const struct view_ops ops = {
    .sets = IN_TEXT,
    .row = draw_row,
    .is_text = true,
    .act = act,
    .status = status,
    .row_has = row_has,
    .close = close_text,
};

/* Tabs become blanks up to the next eighth column, which the canvas would show
 * as escapes. */
static void
expand_tabs(struct slice text, struct strbuf *out)
{
	size_t column = 0;

	strbuf_add_text(out, "");
	for (size_t i = 0; i < text.len; i++) {
		bool is_tab = text.ptr[i] == '\t';

		do {
			strbuf_add_char(out, is_tab ? ' ' : text.ptr[i]);
			column = text.ptr[i] == '\n' ? 0 : column + 1;
		} while (is_tab && column % 8 != 0);
	}
}

/* Takes text. */
static void
lay_lines(struct text_view *mine, struct strbuf *text)
{
	size_t n = 1, length = text->len;

	mine->text = strbuf_take(text);
	for (size_t i = 0; i < length; i++) {
		n += mine->text[i] == '\n';
	}
	mine->lines = xcalloc(n, sizeof *mine->lines);
	for (const char *line = mine->text, *end = mine->text + length; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		size_t columns = (size_t)((newline ? newline : end) - line);

		mine->lines[mine->list.n++] = (struct slice){line, columns};
		mine->widest = columns > mine->widest ? columns : mine->widest;
		line += columns + 1;
	}
}

struct view *
view_text_new(struct app *app, const struct view_place *place)
{
	struct text_view *mine = xcalloc(1, sizeof *mine);
	struct strbuf text = {0}, title = {0}, expanded = {0};
	struct view *view;

	if (place->kind == PLACE_SOURCE_SQL) {
		mine->source = place->source;
		edit_text(mine->source, &text);
		strbuf_printf(&title, "%s > SQL", mine->source->title);
	} else {
		strbuf_add_slice(&text, place->text);
		strbuf_add_text(&title, place->title);
	}
	expand_tabs(strbuf_slice(&text), &expanded);
	lay_lines(mine, &expanded);
	view = view_new(app, &ops, mine, place, title.data);
	view->list = &mine->list;
	strbuf_free(&text);
	strbuf_free(&title);
	return view;
}
