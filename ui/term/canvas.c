/*
 * The grid keeps one invariant: a cell with columns 2 is followed in its row by one with columns 0,
 * and such a cell is preceded by one with columns 2. cell_set repairs the neighbours of whatever it
 * overwrites, so no half of a wide character is ever left standing.
 */
#include "config.h"

#include "ui/term/canvas.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/mem.h"
#include "util/utf8.h"

static int
side_clamp(int side)
{
	return side < 1 ? 1 : side > CANVAS_SIDE_LIMIT ? CANVAS_SIDE_LIMIT : side;
}

/* More than any text takes. */
#define ANY_COLUMNS (1 << 20)

static const struct cell blank_cell = {" ", 1, 1, STYLE_NORMAL};

void
canvas_clear(struct canvas *canvas)
{
	size_t n = (size_t)canvas->width * (size_t)canvas->height;

	for (size_t i = 0; i < n; i++) {
		canvas->cells[i] = blank_cell;
	}
	canvas->cursor_x = canvas->cursor_y = -1;
}

struct canvas *
canvas_new(int width, int height)
{
	struct canvas *canvas = xcalloc(1, sizeof *canvas);

	canvas_resize(canvas, width, height);
	return canvas;
}

void
canvas_free(struct canvas *canvas)
{
	if (canvas) {
		free(canvas->cells);
		free(canvas);
	}
}

void
canvas_resize(struct canvas *canvas, int width, int height)
{
	canvas->width = side_clamp(width);
	canvas->height = side_clamp(height);
	canvas->cells = xrealloc_array(
	    canvas->cells, (size_t)canvas->width * (size_t)canvas->height, sizeof *canvas->cells);
	canvas_clear(canvas);
}

static struct cell *
cell_at(const struct canvas *canvas, int x, int y)
{
	if (x < 0 || y < 0 || x >= canvas->width || y >= canvas->height) {
		return NULL;
	}
	return &canvas->cells[(size_t)y * (size_t)canvas->width + (size_t)x];
}

const struct cell *
canvas_cell(const struct canvas *canvas, int x, int y)
{
	return cell_at(canvas, x, y);
}

static void
cell_blank(struct cell *cell)
{
	cell_style style = cell->style;

	*cell = blank_cell;
	cell->style = style;
}

/* Writes one character of 1 or 2 columns; the caller has checked that it fits into the row. */
static void
cell_set(struct canvas *canvas, int x, int y, cell_style style, const char *text, size_t length,
         int columns)
{
	struct cell *cell = cell_at(canvas, x, y);

	if (cell->columns == 0) {
		cell_blank(cell - 1);
	}
	for (int i = 0; i < columns; i++) {
		struct cell *old = cell + i;

		if (old->columns == 2 && x + i + 1 < canvas->width) {
			cell_blank(old + 1);
		}
		old->columns = 1;
	}
	if (length > CELL_BYTES) {
		length = CELL_BYTES;
	}
	memcpy(cell->text, text, length);
	cell->length = (uint8_t)length;
	cell->columns = (uint8_t)columns;
	cell->style = style;
	if (columns == 2) {
		cell[1].length = 0;
		cell[1].columns = 0;
		cell[1].style = style;
	}
}

static int
cell_characters(const struct cell *cell)
{
	int n = 0;

	for (int i = 0; i < cell->length; i++) {
		n += !utf8_goes_on(cell->text[i]);
	}
	return n;
}

static void
cell_append(struct cell *cell, const char *text, size_t length)
{
	if (cell->length > 0 && cell->length + length <= CELL_BYTES &&
	    cell_characters(cell) <= CELL_MARKS) {
		memcpy(cell->text + cell->length, text, length);
		cell->length = (uint8_t)(cell->length + length);
	}
}

/* State of drawing one text: clipped by its own columns and by the canvas. */
struct pen {
	struct canvas *canvas;
	int x, y, start, end; /* end: first column that may not be drawn */
	int last;             /* x of the last base character, -1 none */
	cell_style style;
};

/* False when there is no room left. */
static bool
pen_put(struct pen *pen, const char *text, size_t length, int columns)
{
	if (pen->x + columns > pen->end) {
		return false;
	}
	if (pen->x >= 0 && pen->y >= 0 && pen->y < pen->canvas->height) {
		if (pen->x + columns <= pen->canvas->width) {
			cell_set(pen->canvas, pen->x, pen->y, pen->style, text, length, columns);
			pen->last = pen->x;
		} else if (pen->x < pen->canvas->width) {
			cell_set(pen->canvas, pen->x, pen->y, pen->style, " ", 1, 1);
		}
	}
	pen->x += columns;
	return true;
}

static bool
pen_escape(struct pen *pen, struct slice bytes)
{
	struct strbuf escaped = {0};
	bool room = true;

	utf8_escape(&escaped, bytes);
	for (size_t i = 0; i < escaped.len && room;) {
		size_t length;
		struct slice rest = slice_from(strbuf_slice(&escaped), i);

		utf8_next(rest, &length);
		room = pen_put(pen, rest.ptr, length, 1);
		i += length;
	}
	strbuf_free(&escaped);
	return room;
}

int
canvas_text(struct canvas *canvas, int x, int y, int columns, cell_style style, struct slice text)
{
	if (columns <= 0 || x >= canvas->width) {
		return 0;
	}
	struct pen pen = {canvas, x, y, x, x + columns, -1, style};
	bool room = true;

	for (size_t i = 0; i < text.len && room;) {
		struct slice rest = slice_from(text, i);
		size_t length;
		uint32_t code = utf8_next(rest, &length);
		int width = utf8_width(code);
		bool invalid = length == 1 && (unsigned char)rest.ptr[0] >= 0x80;

		if (invalid || width < 0) {
			room = pen_escape(&pen, (struct slice){rest.ptr, length});
		} else if (width == 0) {
			struct cell *base = pen.last >= 0 ? cell_at(canvas, pen.last, y) : NULL;

			/* A mark on a blank is not the same cell on every terminal. */
			if (base && !canvas->ascii && base->text[0] != ' ') {
				cell_append(base, rest.ptr, length);
			}
		} else if (canvas->ascii && code >= 0x80) {
			for (int k = 0; k < width && room; k++) {
				room = pen_put(&pen, "?", 1, 1);
			}
		} else {
			room = pen_put(&pen, rest.ptr, length, width);
		}
		i += length;
	}
	return pen.x - pen.start;
}

int
canvas_puts(struct canvas *canvas, int x, int y, cell_style style, const char *text)
{
	return canvas_text(canvas, x, y, canvas->width - x, style, slice_of(text));
}

int
canvas_printf(struct canvas *canvas, int x, int y, cell_style style, const char *format, ...)
{
	char line[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	return canvas_puts(canvas, x, y, style, line);
}

int
canvas_columns(struct slice text, int most)
{
	struct canvas nowhere = {.width = 1}; /* above it, where every cell is clipped */

	return canvas_text(&nowhere, 0, -1, most, STYLE_NORMAL, text);
}

void
canvas_text_right(struct canvas *canvas, int x, int y, int columns, cell_style style,
                  struct slice text)
{
	int used = canvas_columns(text, ANY_COLUMNS);

	if (used < columns) {
		x += columns - used;
		columns = used;
	}
	canvas_text(canvas, x, y, columns, style, text);
}

/* Shortest suffix start such that the rest takes at most `columns`. */
static size_t
suffix_start(struct slice text, int columns)
{
	size_t start = text.len;

	while (start > 0) {
		size_t before = start - 1;

		while (before > 0 && utf8_goes_on(text.ptr[before])) {
			before--;
		}
		text.len = start;
		columns -= canvas_columns(slice_from(text, before), ANY_COLUMNS);
		if (columns < 0) {
			break;
		}
		start = before;
	}
	return start;
}

int
canvas_text_middle(struct canvas *canvas, int x, int y, int columns, cell_style style,
                   struct slice text)
{
	int tail = columns / 3, used;

	if (columns < 6 || canvas_columns(text, ANY_COLUMNS) <= columns) {
		return canvas_text(canvas, x, y, columns, style, text);
	}
	used = canvas_text(canvas, x, y, columns - tail - 1, style, text);
	used += canvas_puts(canvas, x + used, y, style, canvas->ascii ? "~" : "…");
	return used + canvas_text(canvas, x + used, y, tail, style,
	                          slice_from(text, suffix_start(text, tail)));
}

int
canvas_text_cut(struct canvas *canvas, int x, int y, int columns, cell_style style,
                struct slice text)
{
	int used;

	if (columns < 2 || canvas_columns(text, ANY_COLUMNS) <= columns) {
		return canvas_text(canvas, x, y, columns, style, text);
	}
	used = canvas_text(canvas, x, y, columns - 1, style, text);
	return used + canvas_puts(canvas, x + used, y, style, canvas->ascii ? "~" : "…");
}

int
canvas_wrapped(struct canvas *canvas, int x, int y, int columns, int rows, cell_style style,
               struct slice text)
{
	int used = 0;

	for (; text.len > 0 && used < rows && columns > 0; used++) {
		struct slice line = utf8_clip(text, (size_t)columns);
		size_t n = line.len;

		if (n < text.len && used == rows - 1) {
			canvas_text_cut(canvas, x, y + used, columns, style, text);
			return rows;
		}
		if (n < text.len) { /* back to a blank, if there is one */
			while (n > 0 && text.ptr[n] != ' ') {
				n--;
			}
			n = n > 0 ? n : line.len > 0 ? line.len : 1;
		}
		canvas_text(canvas, x, y + used, columns, style, (struct slice){text.ptr, n});
		while (n < text.len && text.ptr[n] == ' ') {
			n++;
		}
		text = slice_from(text, n);
	}
	return used;
}

void
canvas_fill(struct canvas *canvas, int x, int y, int width, int height, cell_style style,
            const char *glyph)
{
	size_t length = strlen(glyph);

	for (int row = y < 0 ? 0 : y; row < y + height && row < canvas->height; row++) {
		for (int column = x < 0 ? 0 : x; column < x + width && column < canvas->width;
		     column++) {
			cell_set(canvas, column, row, style, glyph, length, 1);
		}
	}
}

/* Keeps these bits of the cells' styles and sets those of style. */
static void
set_styles(struct canvas *canvas, int x, int y, int width, cell_style kept, cell_style style)
{
	for (int column = x; column < x + width; column++) {
		struct cell *cell = cell_at(canvas, column, y);

		if (cell) {
			cell->style = (cell->style & kept) | style;
		}
	}
}

void
canvas_attribute(struct canvas *canvas, int x, int y, int width, cell_style attributes)
{
	set_styles(canvas, x, y, width, UINT16_MAX, attributes);
}

void
canvas_restyle(struct canvas *canvas, int x, int y, int width, cell_style style)
{
	set_styles(canvas, x, y, width, 0, style);
}

void
canvas_dim(struct canvas *canvas, struct area area)
{
	for (int y = area.y; y < area.y + area.height; y++) {
		canvas_attribute(canvas, area.x, y, area.width, STYLE_DIM);
	}
}

void
canvas_select(struct canvas *canvas, int x, int y, int width, const char *mark)
{
	canvas_puts(canvas, x, y, STYLE_KEY, mark);
	canvas_attribute(canvas, x, y, width, STYLE_REVERSE);
	canvas->cursor_x = x;
	canvas->cursor_y = y;
}

void
canvas_bar(struct canvas *canvas, int x, int y, int columns, int64_t eighths, cell_style style)
{
	static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	int64_t limit = (int64_t)columns * 8;

	if (eighths > limit) {
		eighths = limit;
	}
	if (eighths <= 0) {
		return;
	}
	if (canvas->ascii) {
		int whole = (int)((eighths + 4) / 8);

		canvas_fill(canvas, x, y, whole > 0 ? whole : 1, 1, style, "#");
		return;
	}
	canvas_fill(canvas, x, y, (int)(eighths / 8), 1, style, "█");
	if (eighths % 8) {
		canvas_fill(canvas, x + (int)(eighths / 8), y, 1, 1, style, parts[eighths % 8]);
	}
}

const char *
canvas_level(const struct canvas *canvas, double share)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const letters[] = {" ", ".", ":", "-", "=", "+", "*", "#", "@"};
	int level = share >= 1 ? 8 : share > 0 ? (int)(share * 8 + 0.5) : 0;

	if (share > 0 && level == 0) {
		level = 1;
	}
	return canvas->ascii ? letters[level] : blocks[level];
}

const char *
canvas_shade(const struct canvas *canvas, double share)
{
	static const char *const shades[] = {"░", "▒", "▓"};
	static const char *const letters[] = {",", "o", "8"};
	int level = share * 3 > 2 ? 2 : share * 3 > 1 ? 1 : 0;

	return canvas->ascii ? letters[level] : shades[level];
}

void
canvas_row(const struct canvas *canvas, int y, struct strbuf *out)
{
	int last = canvas->width - 1;

	while (last >= 0) {
		const struct cell *cell = canvas_cell(canvas, last, y);

		if (cell && (cell->length == 0 || cell->text[0] != ' ')) {
			break;
		}
		last--;
	}
	for (int x = 0; x <= last; x++) {
		const struct cell *cell = canvas_cell(canvas, x, y);

		strbuf_add(out, cell->text, cell->length);
	}
}
