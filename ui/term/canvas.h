/*
 * A grid of cells that views draw into. Knows no terminal. Everything outside is clipped silently;
 * a wide character takes two cells, and is replaced by a blank where only one of them fits.
 *
 * Text is data: what must not reach a terminal (controls, bidi overrides, invalid UTF-8) is drawn
 * as a visible escape.
 * Used by cli, ui, ui/app, ui/base, ui/chart, ui/lists, ui/table, ui/timeline.
 */
#ifndef LANESCOPE_UI_TERM_CANVAS_H
#define LANESCOPE_UI_TERM_CANVAS_H

#include <stdbool.h>
#include "ui/term/style.h"
#include "util/slice.h"

#define CELL_BYTES 12 /* a base character and its combining marks; more are dropped */
#define CELL_MARKS 4  /* and more than curses has room for: a terminal shows what a canvas holds */
#define CANVAS_SIDE_LIMIT 1000

struct cell {
	char text[CELL_BYTES];
	uint8_t length;  /* bytes; 0: the right half of a wide character */
	uint8_t columns; /* 1 or 2; 0: right half */
	cell_style style;
};

struct canvas {
	int width, height;
	struct cell *cells;     /* row-major */
	int cursor_x, cursor_y; /* where the terminal's cursor goes; -1: hidden in the corner */
	bool ascii;             /* only ASCII glyphs may be used */
	bool mono;              /* nobody sees colours: letters tell what they would */
};

/* Whether a byte of UTF-8 goes on with the character that one before it begins. */
static inline bool
utf8_goes_on(char byte)
{
	return ((unsigned char)byte & 0xc0) == 0x80;
}

/* A part of a canvas. */
struct area {
	int x, y, width, height;
};

/* Sides are cut to 1 .. CANVAS_SIDE_LIMIT. Blank, style normal. */
struct canvas *canvas_new(int width, int height);
void canvas_free(struct canvas *canvas);                          /* takes NULL */
void canvas_resize(struct canvas *canvas, int width, int height); /* blank afterwards */
void canvas_clear(struct canvas *canvas);

/* Draws at most `columns` columns of text at (x, y); returns the columns used. */
int canvas_text(struct canvas *canvas, int x, int y, int columns, cell_style style,
                struct slice text);
/* Columns that a text takes, escapes of what can't be shown included; no more are counted than
 * `most`. */
int canvas_columns(struct slice text, int most);
int canvas_puts(struct canvas *canvas, int x, int y, cell_style style, const char *text);
int canvas_printf(struct canvas *canvas, int x, int y, cell_style style, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* As canvas_text, right-aligned in `columns`; text that does not fit is cut at its end. */
void canvas_text_right(struct canvas *canvas, int x, int y, int columns, cell_style style,
                       struct slice text);
/* As canvas_text, but text that does not fit loses its middle ("retrieve(0…9c28"). Returns the
 * columns used. */
int canvas_text_middle(struct canvas *canvas, int x, int y, int columns, cell_style style,
                       struct slice text);
/* As canvas_text, but text that does not fit ends in a mark ("Why streams w…"). Returns the columns
 * used. */
int canvas_text_cut(struct canvas *canvas, int x, int y, int columns, cell_style style,
                    struct slice text);
/* Breaks text at blanks into at most `rows` rows; returns the rows used. */
int canvas_wrapped(struct canvas *canvas, int x, int y, int columns, int rows, cell_style style,
                   struct slice text);
void canvas_fill(struct canvas *canvas, int x, int y, int width, int height, cell_style style,
                 const char *glyph);
/* Changes the style of cells and keeps their text: sets attributes (STYLE_REVERSE ...) or, with
 * replace, all of it. */
void canvas_attribute(struct canvas *canvas, int x, int y, int width, cell_style attributes);
void canvas_restyle(struct canvas *canvas, int x, int y, int width, cell_style style);
void canvas_dim(struct canvas *canvas, struct area area);
/* Shows that a row is selected: the mark (may be empty) at its begin, all of it reversed, the
 * cursor there. */
void canvas_select(struct canvas *canvas, int x, int y, int width, const char *mark);

/* A horizontal bar of `eighths` eighths of a column ("#" in ASCII), at most `columns` columns. */
void canvas_bar(struct canvas *canvas, int x, int y, int columns, int64_t eighths,
                cell_style style);
/* A vertical level glyph for share 0..1: " ▁▂▃▄▅▆▇█", in ASCII " .:-=+*#@"; a share above 0 is
 * never blank. */
const char *canvas_level(const struct canvas *canvas, double share);
/* A cell that is filled evenly to a share above 0: up to a third, two thirds, more. */
const char *canvas_shade(const struct canvas *canvas, double share);

/* The text of a row without trailing blanks, appended. For tests and scripted screens. */
void canvas_row(const struct canvas *canvas, int y, struct strbuf *out);
const struct cell *canvas_cell(const struct canvas *canvas, int x, int y); /* NULL outside */

#endif
