/* A page of the manual, or what it has on a word: laid out for the width of the screen. */
#include "config.h"

#include <stdlib.h>

#include "manual/manual.h"
#include "ui/app/view.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/utf8.h"

#define STEP 8 /* columns that left and right move by */

struct manual_view {
	struct manual *manual;
	char *words;
	struct strbuf text;  /* with marks */
	struct slice *lines; /* of it */
	struct list list;
	int width; /* that it is laid for */
	size_t first_column, widest;
};

static bool
is_mark(char c)
{
	return c == MANUAL_BOLD || c == MANUAL_UNDERLINED || c == MANUAL_PLAIN;
}

/* The next piece of a line and what it is; false at the end. */
static bool
next_piece(struct slice *line, enum manual_mark *mark, struct slice *piece)
{
	size_t n = 0;

	while (line->len > 0 && is_mark(*line->ptr)) {
		*mark = (enum manual_mark) * line->ptr;
		*line = slice_from(*line, 1);
	}
	while (n < line->len && !is_mark(line->ptr[n])) {
		n++;
	}
	*piece = (struct slice){line->ptr, n};
	*line = slice_from(*line, n);
	return n > 0;
}

static void
add_plain(struct slice line, struct strbuf *out)
{
	enum manual_mark mark = MANUAL_PLAIN;
	struct slice piece;

	while (next_piece(&line, &mark, &piece)) {
		strbuf_add_slice(out, piece);
	}
}

static void
draw_row(const struct view *view, struct canvas *canvas, size_t i, int y, const void *how)
{
	const struct manual_view *mine = view->state;
	struct slice line = mine->lines[i], piece;
	enum manual_mark mark = MANUAL_PLAIN;
	size_t skip = mine->first_column;
	int x = 1;

	(void)how;
	while (next_piece(&line, &mark, &piece)) {
		struct slice hidden = utf8_clip(piece, skip);
		cell_style style = mark == MANUAL_BOLD         ? STYLE_NORMAL | STYLE_BOLD
		                   : mark == MANUAL_UNDERLINED ? STYLE_NORMAL | STYLE_UNDERLINE
		                                               : STYLE_NORMAL;

		skip -= utf8_columns(hidden);
		piece = slice_from(piece, hidden.len);
		if (piece.len > 0 && x < view->area.width - 1) {
			x += canvas_text_cut(canvas, x, y, view->area.width - 1 - x, style, piece);
		}
	}
}

static bool
row_has(const struct view *view, size_t row, struct slice text)
{
	const struct manual_view *mine = view->state;
	struct strbuf plain = {0};

	add_plain(mine->lines[row], &plain);
	bool has = slice_contains_anycase(strbuf_slice(&plain), text);
	strbuf_free(&plain);
	return has;
}

static void
split_lines(struct manual_view *mine)
{
	const char *end = mine->text.data + mine->text.len;
	size_t n = 0;

	for (size_t i = 0; i < mine->text.len; i++) {
		n += mine->text.data[i] == '\n';
	}
	free(mine->lines);
	MEM_NEW(mine->lines, n + 1);
	mine->list.n = 0;
	mine->widest = 0;
	for (const char *line = mine->text.data; line < end;) {
		const char *newline = memchr(line, '\n', (size_t)(end - line));
		struct slice whole = {line, (size_t)((newline ? newline : end) - line)};
		struct strbuf plain = {0};

		add_plain(whole, &plain);
		mine->widest = MOST(mine->widest, utf8_columns(strbuf_slice(&plain)));
		strbuf_free(&plain);
		mine->lines[mine->list.n++] = whole;
		line += whole.len + 1;
	}
}

static size_t
count_letters(struct slice line)
{
	size_t n = 0;

	for (size_t i = 0; i < line.len; i++) {
		n += line.ptr[i] != ' ' && !is_mark(line.ptr[i]);
	}
	return n;
}

/* Whatever the width, the letters before a place of the text are the same. */
static size_t
letters_before(const struct manual_view *mine, size_t line)
{
	size_t n = 0;

	for (size_t i = 0; i < line && i < mine->list.n; i++) {
		n += count_letters(mine->lines[i]);
	}
	return n;
}

static size_t
line_of_letter(const struct manual_view *mine, size_t letter)
{
	size_t line = 0;

	for (size_t n = 0; line < mine->list.n; line++) {
		n += count_letters(mine->lines[line]);
		if (n > letter) {
			break;
		}
	}
	return line;
}

/* The line that was selected stays, as far from the screen's first one as it was. */
static void
resize(struct view *view)
{
	struct manual_view *mine = view->state;
	struct list *list = &mine->list;
	size_t letter = letters_before(mine, list->selected), above = list->selected - list->top;
	struct err err = ERR_INIT;

	if (view->area.width != mine->width) {
		mine->width = view->area.width;
		strbuf_clear(&mine->text);
		/* It has an answer: whoever opened this has asked. */
		(void)manual_answer(mine->manual, slice_of(mine->words),
		                    (size_t)MOST(mine->width - 2, 1), &mine->text, &err);
		split_lines(mine);
		list->selected = letter ? line_of_letter(mine, letter) : 0;
		list->top = list->selected - LEAST(list->selected, above);
		mine->first_column = 0;
	}
	view_list_lay(view);
}

static bool
act(struct view *view, enum view_action action)
{
	struct manual_view *mine = view->state;
	struct strbuf plain = {0};

	switch (action) {
	case ACTION_LEFT:
		mine->first_column -= LEAST(mine->first_column, STEP);
		break;
	case ACTION_RIGHT:
		mine->first_column += mine->first_column + STEP < mine->widest ? STEP : 0;
		break;
	case ACTION_COPY:
		if (mine->list.selected < mine->list.n) {
			add_plain(mine->lines[mine->list.selected], &plain);
			app_copy(view->app, strbuf_slice(&plain));
			strbuf_free(&plain);
		}
		break;
	case ACTION_EDIT_SQL:
		view_say(view, "this is no SQL");
		break;
	default:
		return false;
	}
	return true;
}

static void
status(const struct view *view, struct strbuf *out)
{
	list_say_more(view->list, out);
	strbuf_add_text(out, "/ search");
}

static void
close_manual(struct view *view)
{
	struct manual_view *mine = view->state;

	manual_close(mine->manual);
	strbuf_free(&mine->text);
	free(mine->lines);
	free(mine->words);
	free(mine);
}

static const struct view_ops ops = {
    .sets = IN_TEXT,
    .row = draw_row,
    .is_text = true,
    .act = act,
    .status = status,
    .resize = resize,
    .row_has = row_has,
    .close = close_manual,
};

struct view *
view_manual_new(struct app *app, const struct view_place *place)
{
	struct manual_view *mine = xcalloc(1, sizeof *mine);
	struct strbuf title = {0};
	struct view *view;

	mine->manual = manual_open(app_library(app));
	mine->words = xstrndup(place->text.ptr, place->text.len);
	strbuf_printf(&title, "help %s", mine->words);
	view = view_new(app, &ops, mine, place, title.data);
	view->list = &mine->list;
	strbuf_free(&title);
	return view;
}
