/*
 * The terminal: the only part that knows curses. Shows canvases (sends what changed), reads keys,
 * wakes up for other threads, and puts the terminal back on every way out.
 * Used by cli, ui, ui/base.
 */
#ifndef LANESCOPE_UI_TERM_TERM_H
#define LANESCOPE_UI_TERM_TERM_H

#include <stdbool.h>
#include "ui/term/canvas.h"
#include "ui/term/mouse.h"
#include "util/err.h"

struct terminal;

/* What the user may choose of it. */
enum term_colours { COLOURS_AUTO, COLOURS_NONE, COLOURS_8, COLOURS_256 };
#define COLOUR_UNSET (-2)
#define COLOUR_DEFAULT (-1) /* the terminal's own */
struct term_wishes {
	enum term_colours colours;
	int escape_delay_ms;  /* how long an Esc waits for the rest of a key's sequence */
	short colour[STYLES]; /* 0 .. 255, COLOUR_DEFAULT, COLOUR_UNSET */
};

/* What a style looks like on a terminal of so many colours: 256, or few. */
struct term_look {
	short colour; /* COLOUR_DEFAULT: the terminal's own */
	bool is_bold;
};
struct term_look term_look_of(const struct term_wishes *wishes, unsigned style, int n_colours);

/* Whether the settings and the environment (NO_COLOR) leave colours to a terminal that has them. */
bool term_wants_colours(const struct term_wishes *wishes);
/* Takes over the terminal on stdin and stdout. Fails (ERR_SYSTEM, ERR_USAGE) if there is none, or
 * TERM can't place a cursor. */
struct terminal *term_open(const struct term_wishes *wishes, struct err *err);
void term_close(struct terminal *term); /* idempotent, takes NULL: terminal as it was */

void term_size(const struct terminal *term, int *width, int *height);
bool term_unicode(const struct terminal *term); /* the locale's character set is UTF-8 */
bool term_colours(const struct terminal *term); /* styles differ in colour */
/* Whether mouse events are ours; else the terminal keeps them for its own selection of text. */
void term_take_mouse(struct terminal *term, bool take);
void term_show(struct terminal *term, const struct canvas *canvas);
void term_redraw(struct terminal *term); /* the next term_show sends everything */

enum term_event_type {
	TERM_NOTHING,
	TERM_KEY,
	TERM_MOUSE,
	TERM_RESIZE,
	TERM_WAKE,
	TERM_QUIT /* a signal asks to end */
};
struct term_event {
	enum term_event_type type;
	int key;
	struct mouse_event mouse;
};
/* Waits at most timeout_ms (-1: for ever) for the next event. */
void term_wait(struct terminal *term, int timeout_ms, struct term_event *event);
/* Makes term_wait return TERM_WAKE; callable from any thread. */
void term_wake(struct terminal *term);
/* ^Z: gives the terminal back, stops the process, takes the terminal again when it goes on. */
void term_suspend(struct terminal *term);
/* Gives the terminal to a program, waits, takes it again. Its exit status (128 + signal if killed),
 * or -1. */
int term_run(struct terminal *term, const char *const *argv, struct err *err);
/* Text into the terminal's clipboard by OSC 52; terminals that don't know it ignore it. At most 74
 * 994 bytes: more is refused by xterm. */
void term_copy(struct terminal *term, struct slice text);

/* Appends its library and the version of that. */
void term_library(struct strbuf *out);

#endif
