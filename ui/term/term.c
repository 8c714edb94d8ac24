/*
 * ncurses finds the smallest update itself, so term_show only writes the cells that differ from the
 * last canvas shown.
 *
 * Signals are ours while the terminal is (term_signals.c). An abort for lack of memory puts the
 * terminal back through mem_on_exhausted.
 */
#include "config.h"

#include "ui/term/term.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* curses and we have different names for keys. */
#undef KEY_ENTER
#undef KEY_F1
#include "ui/term/canvas_shift.h"
#include "ui/term/key.h"
#include "ui/term/mouse.h"
#include "ui/term/term_keys.h"
#include "ui/term/term_shift.h"
#include "ui/term/term_signals.h"
#include "ui/term/term_type.h"
#include "util/budget.h"
#include "util/clock.h"
#include "util/library.h"
#include "util/mem.h"

struct terminal {
	SCREEN *screen;
	struct canvas *shown;
	bool is_open, unicode, full, colours, has_mouse;
	int wake_read, wake_write;
	attr_t attributes[STYLES];
};

/* The out-of-memory hook has no other way to reach the open terminal. */
static struct terminal *the_term;

static void
exhausted(void)
{
	if (the_term && the_term->is_open) {
		endwin();
		term_signals_release();
	}
}

/* What each style looks like: with 256 colours, with 8, and without. */
struct style_look {
	short colour256, colour8;
	attr_t extra, without_colour;
};

static const struct style_look looks[STYLE_PALETTE] = {
    [STYLE_NORMAL] = {-1, -1, A_NORMAL, A_NORMAL},
    [STYLE_TITLE] = {-1, -1, A_BOLD, A_BOLD},
    [STYLE_HEADER] = {110, COLOR_CYAN, A_NORMAL, A_UNDERLINE},
    [STYLE_MUTED] = {245, -1, A_NORMAL, A_DIM},
    [STYLE_KEY] = {-1, -1, A_BOLD, A_BOLD},
    [STYLE_ERROR] = {203, COLOR_RED, A_BOLD, A_BOLD},
    [STYLE_BAR] = {73, COLOR_CYAN, A_NORMAL, A_NORMAL},
    [STYLE_WAIT] = {167, COLOR_RED, A_NORMAL, A_DIM},
    [STYLE_A] = {75, COLOR_CYAN, A_NORMAL, A_NORMAL},
    [STYLE_B] = {215, COLOR_YELLOW, A_NORMAL, A_NORMAL},
    [STYLE_MATCH] = {220, COLOR_YELLOW, A_BOLD, A_UNDERLINE},
    [STYLE_GROUP] = {250, COLOR_WHITE, A_NORMAL, A_NORMAL},
};
static const short palette256[STYLE_PALETTE_SIZE] = {73,  179, 107, 140, 174, 67,
                                                     136, 173, 117, 187, 133, 65};
/* The second half is bold: brighter, on most terminals. */
static const short palette8[STYLE_PALETTE_SIZE] = {
    COLOR_CYAN, COLOR_YELLOW, COLOR_GREEN, COLOR_MAGENTA, COLOR_BLUE, COLOR_RED,
    COLOR_CYAN, COLOR_YELLOW, COLOR_GREEN, COLOR_MAGENTA, COLOR_BLUE, COLOR_RED};

bool
term_wants_colours(const struct term_wishes *wishes)
{
	const char *no_colour = getenv("NO_COLOR");

	return wishes->colours == COLOURS_AUTO ? !(no_colour && *no_colour)
	                                       : wishes->colours != COLOURS_NONE;
}

struct term_look
term_look_of(const struct term_wishes *wishes, unsigned style, int n_colours)
{
	bool is_palette = style >= STYLE_PALETTE, is_wide = n_colours >= 256;
	const struct style_look *look = &looks[is_palette ? STYLE_BAR : style];
	short wide = is_palette ? palette256[style - STYLE_PALETTE] : look->colour256;
	short narrow = is_palette ? palette8[style - STYLE_PALETTE] : look->colour8;
	bool is_second = !is_wide && is_palette && style >= STYLE_PALETTE + STYLE_PALETTE_SIZE / 2;
	short wish = wishes->colour[style];

	return (struct term_look){wish != COLOUR_UNSET && wish < n_colours ? wish
	                          : is_wide                                ? wide
	                                                                   : narrow,
	                          look->extra == A_BOLD || is_second};
}

static void
styles_init(struct terminal *term, const struct term_wishes *wishes)
{
	term->colours = term_wants_colours(wishes) && has_colors() && start_color() == OK;
	if (term->colours) {
		use_default_colors();
	}
	for (unsigned i = 0; i < STYLES; i++) {
		struct term_look look =
		    term_look_of(wishes, i, wishes->colours == COLOURS_8 ? 8 : COLORS);

		term->attributes[i] = looks[i >= STYLE_PALETTE ? STYLE_BAR : i].without_colour;
		if (term->colours && COLOR_PAIRS > (int)i + 1) {
			init_pair((short)(i + 1), look.colour, -1);
			term->attributes[i] = (look.is_bold ? A_BOLD : A_NORMAL) |
			                      (attr_t)(look.colour >= 0 ? COLOR_PAIR(i + 1) : 0);
		}
	}
}

struct terminal *
term_open(const struct term_wishes *wishes, struct err *err)
{
	const char *type = getenv("TERM");
	struct termios before;
	struct terminal *term;
	int ends[2];

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		err_set(err, ERR_USAGE,
		        "explorer: standard input and output are not a terminal: use 'lanescope "
		        "query', "
		        "'info' or 'runs' in scripts");
		return NULL;
	}
	if (!type || !*type || strcmp(type, "dumb") == 0) {
		err_set(err, ERR_USAGE,
		        "explorer: TERM is '%s', which can't place a cursor: set TERM "
		        "(xterm-256color, screen), or use "
		        "'lanescope query' for text",
		        type ? type : "");
		return NULL;
	}
	tcgetattr(STDIN_FILENO, &before);
	term = xcalloc(1, sizeof *term);
	term->wake_read = term->wake_write = -1;
	if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) {
		err_set_errno(err, errno, "terminal: can't make a pipe");
		goto fail;
	}
	term->wake_read = ends[0];
	term->wake_write = ends[1];
	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C");
	term->unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	set_escdelay(wishes->escape_delay_ms);
	term_signals_take(term->wake_write);
	if (term_type_is_known(type)) {
		term->screen = newterm(NULL, stdout, stdin);
	}
	if (!term->screen) {
		err_set(err, ERR_USAGE,
		        "explorer: the terminal type '%s' is not known here: set TERM to one that "
		        "is, such as xterm-256color, screen or vt100",
		        type);
		goto fail;
	}
	set_term(term->screen);
	raw();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	term_keys_define();
	nodelay(stdscr, TRUE);
	styles_init(term, wishes);
	term->is_open = term->full = true;
	the_term = term;
	mem_on_exhausted(exhausted);
	term_signals_guard(&before);
	return term;
fail:
	term_close(term);
	return NULL;
}

void
term_close(struct terminal *term)
{
	if (!term) {
		return;
	}
	if (term->is_open) {
		term_take_mouse(term, false);
		endwin();
		mem_on_exhausted(NULL);
		the_term = NULL;
	}
	term_signals_release();
	if (term->screen) {
		delscreen(term->screen);
	}
	if (term->wake_read >= 0) {
		close(term->wake_read);
		close(term->wake_write);
	}
	canvas_free(term->shown);
	free(term);
}

void
term_size(const struct terminal *term, int *width, int *height)
{
	struct winsize size;

	(void)term;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0) {
		*width = size.ws_col;
		*height = size.ws_row;
	} else {
		*width = COLS;
		*height = LINES;
	}
}

bool
term_unicode(const struct terminal *term)
{
	return term->unicode;
}

bool
term_colours(const struct terminal *term)
{
	return term->colours;
}

void
term_redraw(struct terminal *term)
{
	term->full = true;
}

static attr_t
attributes_of(const struct terminal *term, cell_style style)
{
	unsigned named = style & 0xff;
	attr_t attributes = term->attributes[named < STYLES ? named : STYLE_NORMAL];

	attributes |= style & STYLE_REVERSE ? A_REVERSE : 0;
	attributes |= style & STYLE_BOLD ? A_BOLD : 0;
	attributes |= style & STYLE_DIM ? A_DIM : 0;
	attributes |= style & STYLE_UNDERLINE ? A_UNDERLINE : 0;
	return attributes;
}

void
term_show(struct terminal *term, const struct canvas *canvas)
{
	bool all = term->full || !term->shown || term->shown->width != canvas->width ||
	           term->shown->height != canvas->height;
	size_t n = (size_t)canvas->width * (size_t)canvas->height;
	attr_t attributes;

	if (all) {
		if (COLS != canvas->width || LINES != canvas->height) {
			resizeterm(canvas->height, canvas->width);
		}
		clearok(curscr, TRUE);
		erase();
	} else {
		term_shift(term->shown, canvas);
	}
	for (size_t i = 0; i < n; i++) {
		const struct cell *cell = &canvas->cells[i];

		if (cell->columns == 0 || (!all && cell_same(cell, &term->shown->cells[i]))) {
			continue;
		}
		attributes = attributes_of(term, cell->style);
		attr_set(attributes, (short)PAIR_NUMBER(attributes), NULL);
		mvaddnstr((int)(i / (size_t)canvas->width), (int)(i % (size_t)canvas->width),
		          cell->text, cell->length);
	}
	if (!term->shown) {
		term->shown = canvas_new(canvas->width, canvas->height);
	} else if (all) {
		canvas_resize(term->shown, canvas->width, canvas->height);
	}
	memcpy(term->shown->cells, canvas->cells, n * sizeof *canvas->cells);
	term->full = false;
	if (canvas->cursor_x >= 0 && canvas->cursor_y >= 0) {
		curs_set(1);
		move(canvas->cursor_y, canvas->cursor_x);
	} else {
		curs_set(0);
		move(canvas->height - 1, 0);
	}
	refresh();
}

static struct mouse_queue mouse_queue;

static bool
mouse_event_of(const MEVENT *seen, struct mouse_event *event)
{
	event->x = seen->x;
	event->y = seen->y;
	if (seen->bstate & BUTTON4_PRESSED) {
		event->type = MOUSE_WHEEL_UP;
#ifdef BUTTON5_PRESSED
	} else if (seen->bstate & BUTTON5_PRESSED) {
		event->type = MOUSE_WHEEL_DOWN;
#endif
	} else if (seen->bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) {
		event->type = MOUSE_PRESS;
	} else if (seen->bstate & BUTTON1_DOUBLE_CLICKED) {
		event->type = MOUSE_DOUBLE;
	} else if (seen->bstate & BUTTON1_RELEASED) {
		event->type = MOUSE_RELEASE;
	} else if (seen->bstate & REPORT_MOUSE_POSITION) {
		event->type = MOUSE_DRAG;
	} else {
		return false;
	}
	return true;
}

static void
mouse_drain(void)
{
	struct mouse_event event;
	MEVENT seen;

	for (int i = 0; i < MOUSE_PENDING && getmouse(&seen) == OK; i++) {
		if (mouse_event_of(&seen, &event)) {
			mouse_queue_push(&mouse_queue, &event);
		}
	}
}

static bool
mouse_read(struct term_event *event)
{
	if (!mouse_queue_pop(&mouse_queue, clock_ns() / 1000000, &event->mouse)) {
		return false;
	}
	event->type = TERM_MOUSE;
	return true;
}

static bool
key_read(struct term_event *event)
{
	wint_t character;
	int kind = get_wch(&character);

	if (kind == ERR) {
		return false;
	}
	event->key = kind == KEY_CODE_YES ? term_key_of((int)character) : (int)character;
	event->type = event->key == KEY_NONE ? TERM_NOTHING : TERM_KEY;
	if (kind == KEY_CODE_YES && character == KEY_MOUSE) {
		mouse_drain();
		(void)mouse_read(event);
	}
	if (kind == KEY_CODE_YES && character == KEY_RESIZE) {
		event->type = TERM_RESIZE;
	}
	return true;
}

static void
terminal_says(const char *sequence)
{
	ssize_t ignored = write(STDOUT_FILENO, sequence, strlen(sequence));

	(void)ignored; /* the next refresh meets the same failure */
}

void
term_take_mouse(struct terminal *term, bool take)
{
	if (take == term->has_mouse) {
		return;
	}
	term->has_mouse = take;
	mousemask(take ? BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED |
	                     BUTTON1_DOUBLE_CLICKED | BUTTON4_PRESSED |
#ifdef BUTTON5_PRESSED
	                     BUTTON5_PRESSED |
#endif
	                     REPORT_MOUSE_POSITION
	               : 0,
	          NULL);
	mouseinterval(0); /* presses come at once; what is a double click, we say */
	/* Motion while a button is down: terminfo's mouse string asks for clicks alone. */
	if (key_defined("\033[M") > 0 || key_defined("\033[<") > 0) {
		terminal_says(take ? "\033[?1002h" : "\033[?1002l");
	}
}

void
term_suspend(struct terminal *term)
{
	endwin();
	term_signals_stop();
	refresh();
	term->full = true;
	term_signals_came_back();
}

static bool
signal_read(struct terminal *term, struct term_event *event)
{
	switch (term_signals_next()) {
	case TERM_SIGNAL_NONE:
		return false;
	case TERM_SIGNAL_QUIT:
		event->type = TERM_QUIT;
		return true;
	case TERM_SIGNAL_STOP:
		term_suspend(term);
		break;
	case TERM_SIGNAL_CONTINUED: /* it was stopped without being asked */
		endwin();
		refresh();
		break;
	case TERM_SIGNAL_RESIZE:
		break;
	}
	event->type = TERM_RESIZE;
	return true;
}

void
term_wait(struct terminal *term, int timeout_ms, struct term_event *event)
{
	struct pollfd files[2] = {{STDIN_FILENO, POLLIN, 0}, {term->wake_read, POLLIN, 0}};
	char drain[64];

	event->type = TERM_NOTHING;
	event->key = KEY_NONE;
	if (signal_read(term, event) || mouse_read(event) || key_read(event)) {
		return;
	}
	if (poll(files, 2, timeout_ms) <= 0) {
		(void)signal_read(term, event);
		return;
	}
	if (files[1].revents) {
		while (read(term->wake_read, drain, sizeof drain) > 0) {
		}
		event->type = TERM_WAKE;
		(void)signal_read(term, event);
	} else if (!key_read(event) && files[0].revents & (POLLHUP | POLLERR | POLLNVAL)) {
		event->type = TERM_QUIT; /* the terminal is gone */
	}
}

void
term_wake(struct terminal *term)
{
	ssize_t ignored = write(term->wake_write, "w", 1);

	(void)ignored; /* a full pipe wakes the loop as well */
}

int
term_run(struct terminal *term, const char *const *argv, struct err *err)
{
	int status, result = -1;
	pid_t child;

	def_prog_mode();
	endwin();
	term_signals_lend();
	child = fork();
	if (child == 0) {
		budget_lift();
		execvp(argv[0], (char *const *)(uintptr_t)argv);
		_exit(127);
	}
	if (child < 0) {
		err_set_errno(err, errno, "%s", argv[0]);
	} else {
		pid_t done;

		while ((done = waitpid(child, &status, 0)) < 0 && errno == EINTR) {
		}
		if (done < 0) {
			err_set_errno(err, errno, "%s", argv[0]);
		} else if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
			err_set(err, ERR_SYSTEM, "%s: can't be run", argv[0]);
		} else {
			result = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
		}
	}
	term_signals_take_back();
	reset_prog_mode();
	refresh();
	term->full = true;
	term_signals_came_back();
	return result;
}

#define COPY_LIMIT 74994

void
term_copy(struct terminal *term, struct slice text)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct strbuf out = {0};

	(void)term;
	text.len = text.len > COPY_LIMIT ? COPY_LIMIT : text.len;
	strbuf_add_text(&out, "\033]52;c;");
	for (size_t i = 0; i < text.len; i += 3) {
		size_t left = text.len - i;
		uint32_t group = (uint32_t)(unsigned char)text.ptr[i] << 16;

		group |= left > 1 ? (uint32_t)(unsigned char)text.ptr[i + 1] << 8 : 0;
		group |= left > 2 ? (uint32_t)(unsigned char)text.ptr[i + 2] : 0;
		for (unsigned k = 0; k < 4; k++) {
			strbuf_add_char(&out, k <= left ? digits[group >> (18 - 6 * k) & 63] : '=');
		}
	}
	strbuf_add_text(&out, "\a");
	for (size_t done = 0; done < out.len;) {
		ssize_t n = write(STDOUT_FILENO, out.data + done, out.len - done);

		if (n < 0 && errno != EINTR) {
			break;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	strbuf_free(&out);
}

void
term_library(struct strbuf *out)
{
	struct slice version = slice_of(curses_version()); /* "ncurses 6.4.20221231" */

	(void)slice_take_word(&version);
	library_add(out, "ncurses", NCURSES_VERSION, version.ptr);
}
