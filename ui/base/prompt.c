/*
 * A line editor. The text is UTF-8 and the cursor always stands at the begin of a character. While
 * completions or history are walked, what was typed is kept, so that going past the last one, or
 * Down, brings it back.
 */
#include "config.h"

#include "ui/base/prompt.h"

#include "util/utf8.h"

#define TEXT_LIMIT 65536

void
prompt_open(struct prompt *prompt, enum prompt_kind kind, const char *label, const char *text)
{
	prompt->is_open = true;
	prompt->kind = kind;
	prompt->label = label;
	strbuf_add_char(&prompt->text, ' '); /* so that there is memory behind it from now on */
	strbuf_clear(&prompt->text);
	strbuf_add_text(&prompt->text, text);
	prompt->cursor = prompt->text.len;
	prompt->from_newest = 0;
	completion_free(&prompt->offers);
}

void
prompt_reopen(struct prompt *prompt)
{
	prompt->is_open = true;
	prompt->cursor = prompt->text.len;
	prompt->from_newest = 0;
}

void
prompt_fini(struct prompt *prompt)
{
	strbuf_free(&prompt->text);
	strbuf_free(&prompt->typed);
	completion_free(&prompt->offers);
}

static bool
is_inside(const struct prompt *prompt, size_t at)
{
	return at < prompt->text.len && utf8_goes_on(prompt->text.data[at]);
}

static size_t
before(const struct prompt *prompt, size_t at)
{
	while (at > 0 && is_inside(prompt, --at)) {
	}
	return at;
}

static size_t
after(const struct prompt *prompt, size_t at)
{
	at += at < prompt->text.len;
	while (is_inside(prompt, at)) {
		at++;
	}
	return at;
}

/* Begin of the word before the cursor, blanks behind it included. */
static size_t
word_before(const struct prompt *prompt)
{
	size_t at = prompt->cursor;

	while (at > 0 && prompt->text.data[at - 1] == ' ') {
		at--;
	}
	while (at > 0 && prompt->text.data[at - 1] != ' ') {
		at--;
	}
	return at;
}

/* Replaces bytes from .. cursor; the cursor comes to stand behind what was put in. */
static void
replace(struct prompt *prompt, size_t from, const char *bytes, size_t n)
{
	struct strbuf rest = {0};

	if (prompt->text.len - (prompt->cursor - from) + n > TEXT_LIMIT) {
		return;
	}
	strbuf_add(&rest, prompt->text.data + prompt->cursor, prompt->text.len - prompt->cursor);
	prompt->text.len = from;
	strbuf_add(&prompt->text, bytes, n);
	prompt->cursor = prompt->text.len;
	strbuf_add(&prompt->text, rest.data, rest.len);
	strbuf_free(&rest);
}

static void
keep_typed(struct prompt *prompt)
{
	strbuf_clear(&prompt->typed);
	strbuf_add(&prompt->typed, prompt->text.data, prompt->text.len);
	prompt->typed_cursor = prompt->cursor;
}

static void
set_text(struct prompt *prompt, struct slice text, size_t cursor)
{
	strbuf_clear(&prompt->text);
	strbuf_add_slice(&prompt->text, text);
	prompt->cursor = cursor;
}

static enum prompt_outcome
walk_history(struct prompt *prompt, struct history *history, bool older)
{
	size_t wanted = older ? prompt->from_newest + 1 : prompt->from_newest - 1;
	const char *text;

	if (!older && prompt->from_newest == 0) {
		return PROMPT_NOTHING;
	}
	if (wanted == 0) {
		set_text(prompt, strbuf_slice(&prompt->typed), prompt->typed_cursor);
	} else if ((text = history_get(history, prompt->kind, wanted)) != NULL) {
		if (prompt->from_newest == 0) {
			keep_typed(prompt);
		}
		set_text(prompt, slice_of(text), strlen(text));
	} else {
		return PROMPT_NOTHING;
	}
	prompt->from_newest = wanted;
	return PROMPT_EDITED;
}

/* Puts in the chosen offer, or what was typed. */
static void
put_offer(struct prompt *prompt)
{
	set_text(prompt, strbuf_slice(&prompt->typed), prompt->typed_cursor);
	if (prompt->chosen < prompt->offers.n) {
		const char *word = prompt->offers.words[prompt->chosen];

		replace(prompt, prompt->offers.from, word, strlen(word));
	}
}

void
prompt_offer(struct prompt *prompt, struct completion *offers)
{
	size_t common;

	completion_free(&prompt->offers);
	if (offers->n == 0 || offers->from > prompt->cursor) {
		completion_free(offers);
		return;
	}
	prompt->offers = *offers;
	*offers = (struct completion){0};
	common = strlen(prompt->offers.words[0]);
	for (size_t i = 1; i < prompt->offers.n; i++) {
		size_t k = 0;

		while (k < common && prompt->offers.words[i][k] == prompt->offers.words[0][k]) {
			k++;
		}
		common = k;
	}
	while (common > 0 && utf8_goes_on(prompt->offers.words[0][common])) {
		common--;
	}
	if (common > prompt->cursor - prompt->offers.from) {
		replace(prompt, prompt->offers.from, prompt->offers.words[0], common);
	}
	if (prompt->offers.n == 1) {
		completion_free(&prompt->offers);
	}
	prompt->chosen = prompt->offers.n;
	keep_typed(prompt);
}

static enum prompt_outcome
next_offer(struct prompt *prompt, bool forward)
{
	size_t n = prompt->offers.n + 1; /* what was typed is one of them */

	if (prompt->offers.n == 0) {
		return PROMPT_WANTS_OFFERS;
	}
	prompt->chosen = (prompt->chosen + (forward ? 1 : n - 1)) % n;
	put_offer(prompt);
	return PROMPT_EDITED;
}

/* Keys that only move the cursor. */
static bool
move(struct prompt *prompt, int key)
{
	switch (key) {
	case KEY_CURSOR_LEFT:
		prompt->cursor = before(prompt, prompt->cursor);
		return true;
	case KEY_CURSOR_RIGHT:
		prompt->cursor = after(prompt, prompt->cursor);
		return true;
	case KEY_FIRST:
		prompt->cursor = 0;
		return true;
	case KEY_LAST:
	case 5: /* ^E */
		prompt->cursor = prompt->text.len;
		return true;
	default:
		return false;
	}
}

static enum prompt_outcome
edit(struct prompt *prompt, int key)
{
	char bytes[4];

	switch (key) {
	case KEY_BACKSPACE_ASCII:
	case '\b':
		replace(prompt, before(prompt, prompt->cursor), "", 0);
		break;
	case KEY_DELETE:
	case 11: /* ^K */
		if (prompt->cursor < prompt->text.len) {
			size_t from = prompt->cursor;

			prompt->cursor = key == 11 ? prompt->text.len : after(prompt, from);
			replace(prompt, from, "", 0);
		}
		break;
	case 21: /* ^U */
		replace(prompt, 0, "", 0);
		break;
	case 23: /* ^W */
		replace(prompt, word_before(prompt), "", 0);
		break;
	default:
		if (key < ' ' || key >= 0x110000 || utf8_width((uint32_t)key) < 0) {
			return PROMPT_NOTHING;
		}
		replace(prompt, prompt->cursor, bytes, utf8_encode((uint32_t)key, bytes));
	}
	return PROMPT_EDITED;
}

enum prompt_outcome
prompt_key(struct prompt *prompt, int key, struct history *history)
{
	if (key == KEY_TAB || key == KEY_BACK_TAB) {
		return next_offer(prompt, key == KEY_TAB);
	}
	if (key == KEY_ESCAPE && prompt->offers.n > 0) { /* out of the offers first */
		prompt->chosen = prompt->offers.n;
		put_offer(prompt);
		completion_free(&prompt->offers);
		return PROMPT_EDITED;
	}
	completion_free(&prompt->offers);
	if (key == KEY_ESCAPE || key == 3) {
		prompt->is_open = false;
		strbuf_clear(&prompt->text);
		return PROMPT_LEFT;
	}
	if (key == KEY_ENTER || key == '\n') {
		prompt->is_open = false;
		history_add(history, prompt->kind, strbuf_slice(&prompt->text));
		return PROMPT_ACCEPTED;
	}
	if (key == KEY_CURSOR_UP || key == KEY_CURSOR_DOWN) {
		return walk_history(prompt, history, key == KEY_CURSOR_UP);
	}
	return move(prompt, key) ? PROMPT_NOTHING : edit(prompt, key);
}

static void
draw_offers(const struct prompt *prompt, struct canvas *canvas, int y)
{
	const struct completion *offers = &prompt->offers;
	size_t first = 0;
	int x = 1, used = 0;

	/* So far to the right that the chosen one is in sight. */
	for (size_t i = 0; i < offers->n && i <= prompt->chosen; i++) {
		int columns = (int)utf8_columns(slice_of(offers->words[i])) + 2;

		used += columns;
		if (used > canvas->width && prompt->chosen < offers->n) {
			first = i;
			used = columns;
		}
	}
	canvas_fill(canvas, 0, y, canvas->width, 1, STYLE_NORMAL, " ");
	for (size_t i = first; i < offers->n && x < canvas->width; i++) {
		cell_style style = STYLE_MUTED;

		if (i == prompt->chosen) {
			style = STYLE_NORMAL | STYLE_REVERSE;
		}
		x += canvas_text(canvas, x, y, canvas->width - x, style,
		                 slice_of(offers->words[i])) +
		     2;
	}
}

void
prompt_draw(const struct prompt *prompt, const char *note, struct canvas *canvas)
{
	int y = canvas->height - 1, x, room, end = canvas->width;
	struct slice text = {prompt->text.data, prompt->cursor};
	size_t columns;

	if (prompt->offers.n > 0) {
		draw_offers(prompt, canvas, y - 1);
	}
	canvas_fill(canvas, 0, y, canvas->width, 1, STYLE_NORMAL, " ");
	x = canvas_puts(canvas, 0, y, STYLE_KEY, prompt->label);
	room = (int)utf8_columns(slice_of(note));
	if (room > 0 && x + room + 10 < canvas->width) {
		canvas_puts(canvas, canvas->width - room - 1, y, STYLE_MUTED, note);
		end -= room + 2;
	}
	room = end - x - 1;
	room = room > 1 ? room : 1;
	/* A long text is scrolled so that the cursor is in sight. */
	columns = utf8_columns(text);
	for (size_t length; text.len > 0 && columns >= (size_t)room;
	     text.ptr += length, text.len -= length) {
		int width = utf8_width(utf8_next(text, &length));

		columns -= width > 0 ? (size_t)width : 0;
	}
	x += canvas_text(canvas, x, y, room, STYLE_NORMAL, text);
	canvas->cursor_x = x < canvas->width ? x : canvas->width - 1;
	canvas->cursor_y = y;
	canvas_text(canvas, x, y, end - x, STYLE_NORMAL,
	            slice_from(strbuf_slice(&prompt->text), prompt->cursor));
}
