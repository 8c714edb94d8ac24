/*
 * A row of the screen is drawn once for as long as it stays the same: a piece, with its begin and
 * its end. In the SVG a piece is a group that a keyframe rule shows for its time; pieces of one
 * time share the rule. Blocks (bars, levels, shades) are drawn as rectangles, so that they meet
 * whatever font there is; all else is text that is made as wide as its cells.
 *
 * An asciicast holds what a terminal would be sent: the rows that changed.
 */
#include "config.h"
#include "ui/term/cast.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/term/sgr.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/utf8.h"

#define CELL_W 8
#define CELL_H 17
#define BASELINE 13
#define GROUND "#1c1c1c"
#define INK "#d0d0d0"

struct cast_piece {
	int y;
	int64_t from, until;
	char *drawn;
};

struct cast {
	char *path;
	bool is_svg;
	struct term_look looks[STYLES];
	int width, height; /* the largest of the screens */
	int64_t now_ms;
	struct cast_row {
		char *drawn; /* NULL: nothing */
		int64_t since;
	} * rows; /* the last one is the key's */
	struct cast_piece *pieces;
	size_t n_pieces, capacity;
	struct strbuf events; /* of an asciicast */
};

struct cast *
cast_new(const char *path, const struct term_wishes *wishes)
{
	struct cast *cast = xcalloc(1, sizeof *cast);
	size_t length = strlen(path);

	cast->path = xstrdup(path);
	cast->is_svg = length > 4 && strcmp(path + length - 4, ".svg") == 0;
	cast->rows = xcalloc(CANVAS_SIDE_LIMIT + 1, sizeof *cast->rows);
	for (unsigned style = 0; style < STYLES; style++) {
		cast->looks[style] = term_look_of(wishes, style, 256);
	}
	return cast;
}

/* ---- a row as SVG ---- */

static void
add_colour(struct strbuf *out, int colour)
{
	static const unsigned char first[16][3] = {
	    {0, 0, 0},       {205, 0, 0},   {0, 205, 0},   {205, 205, 0},
	    {0, 0, 238},     {205, 0, 205}, {0, 205, 205}, {229, 229, 229},
	    {127, 127, 127}, {255, 0, 0},   {0, 255, 0},   {255, 255, 0},
	    {92, 92, 255},   {255, 0, 255}, {0, 255, 255}, {255, 255, 255}};
	int rgb[3];

	for (int i = 0; i < 3; i++) {
		int level = (colour - 16) / (i == 0 ? 36 : i == 1 ? 6 : 1) % 6;

		rgb[i] = colour < 16    ? first[colour][i]
		         : colour < 232 ? (level ? 55 + level * 40 : 0)
		                        : 8 + (colour - 232) * 10;
	}
	strbuf_printf(out, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

static void
add_ink(const struct cast *cast, struct strbuf *out, cell_style style)
{
	int colour = cast->looks[(style & 0xff) % STYLES].colour;

	if (colour >= 0) {
		add_colour(out, colour);
	} else {
		strbuf_add_text(out, INK);
	}
}

static void
add_fore(const struct cast *cast, struct strbuf *out, cell_style style)
{
	if (style & STYLE_REVERSE) {
		strbuf_add_text(out, GROUND);
	} else {
		add_ink(cast, out, style);
	}
}

/* The part of a cell that a block fills, in eighths, and how densely, in quarters. */
struct cell_block {
	int x, y, width, height, density;
};

static bool
block_of(const struct cell *cell, struct cell_block *block)
{
	size_t length;
	uint32_t c = utf8_next((struct slice){cell->text, cell->length}, &length);

	*block = (struct cell_block){0, 0, 8, 8, 4};
	if (c >= 0x2581 && c <= 0x2588) {
		block->height = (int)(c - 0x2580);
		block->y = 8 - block->height;
	} else if (c >= 0x2589 && c <= 0x258f) {
		block->width = (int)(0x2590 - c);
	} else if (c == 0x2590 || c == 0x2595) {
		block->width = c == 0x2590 ? 4 : 1;
		block->x = 8 - block->width;
	} else if (c >= 0x2591 && c <= 0x2593) {
		block->density = (int)(c - 0x2590);
	} else {
		return false;
	}
	return true;
}

static bool
is_blank(const struct cell *cell)
{
	return cell->length == 1 && cell->text[0] == ' ';
}

static bool
cells_match(const struct cell *a, const struct cell *b)
{
	return a->style == b->style && a->length == b->length &&
	       memcmp(a->text, b->text, a->length) == 0;
}

static void
add_rectangle(struct strbuf *out, int x, int y, int width, int height)
{
	strbuf_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"", x, y,
	              width, height);
}

/* Blocks of one colour from x on, also with blanks between them, as one path; how many cells. */
static int
add_blocks(const struct cast *cast, struct strbuf *out, const struct cell *cells, int n, int x,
           int y)
{
	struct cell_block block, first;
	int i = 0;

	(void)block_of(&cells[0], &first);
	strbuf_add_text(out, "<path fill=\"");
	add_fore(cast, out, cells[0].style);
	if (first.density < 4) {
		strbuf_printf(out, "\" opacity=\".%d", first.density * 25);
	}
	strbuf_add_text(out, "\" d=\"");
	for (int same; i < n; i += same) {
		same = 1;
		if (is_blank(&cells[i])) {
			continue;
		}
		if (cells[i].style != cells[0].style || !block_of(&cells[i], &block) ||
		    block.density != first.density) {
			break;
		}
		while (block.width == 8 && i + same < n &&
		       cells_match(&cells[i], &cells[i + same])) {
			same++;
		}
		int top = block.y * CELL_H / 8, width = (same - 1) * 8 + block.width;
		strbuf_printf(out, "M%d %dh%dv%dh-%dz", (x + i) * CELL_W + block.x * CELL_W / 8,
		              y * CELL_H + top, width * CELL_W / 8,
		              (block.y + block.height) * CELL_H / 8 - top, width * CELL_W / 8);
	}
	strbuf_add_text(out, "\"/>");
	return i;
}

static void
add_escaped(struct strbuf *out, struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c == '<' || c == '>' || c == '&') {
			strbuf_add_text(out, c == '<' ? "&lt;" : c == '>' ? "&gt;" : "&amp;");
		} else {
			strbuf_add_char(out, c);
		}
	}
}

/* Text of one style from x on, without blanks at its end; how many cells, one at least: the first
 * is no block. */
static int
add_words(const struct cast *cast, struct strbuf *out, const struct cell *cells, int n, int x,
          int y)
{
	const struct term_look *look = &cast->looks[(cells[0].style & 0xff) % STYLES];
	cell_style style = cells[0].style;
	struct cell_block block;
	int count = 0, used = 0;

	while (count < n && cells[count].style == style && !block_of(&cells[count], &block)) {
		used = is_blank(&cells[count]) ? used : count + 1;
		count++;
	}
	if (used > 0) {
		strbuf_printf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" fill=\"", x * CELL_W,
		              y * CELL_H + BASELINE, used * CELL_W);
		add_fore(cast, out, style);
		strbuf_printf(out, "\"%s%s%s>",
		              look->is_bold || style & STYLE_BOLD ? " font-weight=\"bold\"" : "",
		              style & STYLE_UNDERLINE ? " text-decoration=\"underline\"" : "",
		              style & STYLE_DIM ? " opacity=\".6\"" : "");
		for (int i = 0; i < used; i++) {
			add_escaped(out, (struct slice){cells[i].text, cells[i].length});
		}
		strbuf_add_text(out, "</text>");
	}
	return count;
}

/* What stands reversed has ground of its own colour. */
static void
add_grounds(const struct cast *cast, struct strbuf *out, const struct cell *cells, int n, int y)
{
	for (int x = 0, count; x < n; x += count) {
		count = 1;
		while (x + count < n && cells[x + count].style == cells[x].style) {
			count++;
		}
		if (cells[x].style & STYLE_REVERSE) {
			add_rectangle(out, x * CELL_W, y * CELL_H, count * CELL_W, CELL_H);
			add_ink(cast, out, cells[x].style);
			strbuf_add_text(out, "\"/>");
		}
	}
}

static char *
row_as_svg(const struct cast *cast, const struct canvas *canvas, int y)
{
	const struct cell *cells = canvas->cells + (size_t)y * (size_t)canvas->width;
	struct strbuf out = {0};
	struct cell_block block;

	add_grounds(cast, &out, cells, canvas->width, y);
	for (int x = 0; x < canvas->width;) {
		const struct cell *cell = &cells[x];
		int left = canvas->width - x;

		x += block_of(cell, &block) ? add_blocks(cast, &out, cell, left, x, y)
		                            : add_words(cast, &out, cell, left, x, y);
	}
	return out.len > 0 ? strbuf_take(&out) : (strbuf_free(&out), NULL);
}

/* ---- a row as a terminal is sent it ---- */

static char *
row_as_sent(const struct cast *cast, const struct canvas *canvas, int y)
{
	const struct cell *cells = canvas->cells + (size_t)y * (size_t)canvas->width;
	struct strbuf out = {0};

	strbuf_printf(&out, "\\u001b[%d;1H\\u001b[0m", y + 1);
	for (int x = 0; x < canvas->width; x++) {
		cell_style style = cells[x].style;
		const struct term_look *look = &cast->looks[(style & 0xff) % STYLES];

		if (x > 0 ? style != cells[x - 1].style : style != STYLE_NORMAL) {
			strbuf_add_text(&out, "\\u001b");
			sgr_add(&out, look, style);
		}
		for (uint8_t i = 0; i < cells[x].length; i++) {
			if (cells[x].text[i] == '"' || cells[x].text[i] == '\\') {
				strbuf_add_char(&out, '\\');
			}
			strbuf_add_char(&out, cells[x].text[i]);
		}
	}
	strbuf_add_text(&out, "\\u001b[0m\\u001b[K");
	return strbuf_take(&out);
}

/* ---- screens ---- */

/* From now on the row is drawn so (taken). True if that is new. */
static bool
set_row(struct cast *cast, int y, char *drawn)
{
	struct cast_row *row = &cast->rows[y];

	if (drawn == row->drawn || (drawn && row->drawn && strcmp(drawn, row->drawn) == 0)) {
		free(drawn);
		return false;
	}
	if (row->drawn && cast->is_svg && row->since < cast->now_ms) {
		MEM_GROW(cast->pieces, cast->capacity, cast->n_pieces + 1);
		cast->pieces[cast->n_pieces++] =
		    (struct cast_piece){y, row->since, cast->now_ms, row->drawn};
	} else {
		free(row->drawn);
	}
	*row = (struct cast_row){drawn, cast->now_ms};
	return true;
}

void
cast_screen(struct cast *cast, const struct canvas *canvas, const char *key)
{
	struct strbuf sent = {0};

	cast->width = MOST(cast->width, canvas->width);
	cast->height = MOST(cast->height, canvas->height);
	for (int y = 0; y < CANVAS_SIDE_LIMIT; y++) {
		char *drawn = y >= canvas->height ? NULL
		              : cast->is_svg      ? row_as_svg(cast, canvas, y)
		                                  : row_as_sent(cast, canvas, y);
		if (set_row(cast, y, drawn) && !cast->is_svg && drawn) {
			strbuf_add_text(&sent, drawn);
		}
	}
	if (cast->is_svg) {
		struct strbuf label = {0};
		add_escaped(&label, slice_of(key));
		(void)set_row(cast, CANVAS_SIDE_LIMIT, *key ? strbuf_take(&label) : NULL);
		strbuf_free(&label);
	} else if (sent.len > 0) {
		strbuf_printf(&cast->events, "[%" PRId64 ".%03d, \"o\", \"%s\"]\n",
		              cast->now_ms / 1000, (int)(cast->now_ms % 1000), sent.data);
	}
	strbuf_free(&sent);
}

void
cast_hold(struct cast *cast, int64_t ms)
{
	cast->now_ms += ms;
}

/* ---- the file ---- */

static void
write_share(FILE *file, int64_t at, int64_t all)
{
	int64_t thousandths = at * 100000 / all;

	fprintf(file, "%" PRId64 ".%03d%%", thousandths / 1000, (int)(thousandths % 1000));
}

/* The rules of pieces that don't stay for ever: one for each begin and end. The rule of the i-th
 * piece is *rule[i], -1: none. */
static void
write_rules(const struct cast *cast, FILE *file, int *rules)
{
	int n_rules = 0;

	for (size_t i = 0; i < cast->n_pieces; i++) {
		const struct cast_piece *piece = &cast->pieces[i];

		rules[i] = -1;
		for (size_t k = 0; k < i && rules[i] < 0; k++) {
			if (cast->pieces[k].from == piece->from &&
			    cast->pieces[k].until == piece->until) {
				rules[i] = rules[k];
			}
		}
		if (rules[i] >= 0 || (piece->from == 0 && piece->until == cast->now_ms)) {
			continue;
		}
		rules[i] = n_rules++;
		fprintf(file, "@keyframes k%d{0%%{visibility:%s}", rules[i],
		        piece->from == 0 ? "visible" : "hidden");
		if (piece->from > 0) {
			write_share(file, piece->from, cast->now_ms);
			fputs("{visibility:visible}", file);
		}
		if (piece->until < cast->now_ms) {
			write_share(file, piece->until, cast->now_ms);
			fputs("{visibility:hidden}", file);
		}
		fprintf(file, "}.k%d{animation:k%d %" PRId64 "ms step-end infinite%s}\n", rules[i],
		        rules[i], cast->now_ms, piece->from > 0 ? ";visibility:hidden" : "");
	}
}

static void
write_piece(const struct cast *cast, FILE *file, const struct cast_piece *piece, int rule)
{
	fputs("<g", file);
	if (rule >= 0) {
		fprintf(file, " class=\"k%d\"", rule);
	}
	if (piece->y == CANVAS_SIDE_LIMIT) {
		fprintf(file,
		        "><text x=\"%d\" y=\"%d\" text-anchor=\"middle\" font-weight=\"bold\" "
		        "fill=\"#ffffff\">%s</text></g>\n",
		        cast->width * CELL_W / 2, cast->height * CELL_H + BASELINE + 3,
		        piece->drawn);
	} else {
		fprintf(file, ">%s</g>\n", piece->drawn);
	}
}

static void
write_svg(const struct cast *cast, FILE *file)
{
	int *rules = xcalloc(cast->n_pieces + 1, sizeof *rules);
	int width = cast->width * CELL_W, height = (cast->height + 1) * CELL_H + 6;

	fprintf(file,
	        "<svg xmlns=\"http://www.w3.org/2000/svg\" xml:space=\"preserve\" width=\"%d\" "
	        "height=\"%d\" "
	        "viewBox=\"-8 -6 %d %d\">\n<style>\n"
	        "text{font:13.3px 'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}\n",
	        width + 16, height + 12, width + 16, height + 12);
	write_rules(cast, file, rules);
	fputs("@media(prefers-reduced-motion:reduce){g{animation:none!important}}\n</style>\n",
	      file);
	fprintf(file,
	        "<rect x=\"-8\" y=\"-6\" width=\"%d\" height=\"%d\" rx=\"6\" fill=\"" GROUND
	        "\"/>\n<rect x=\"-8\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"#303030\"/>\n",
	        width + 16, height + 12, cast->height * CELL_H, width + 16, CELL_H + 4);
	for (size_t i = 0; i < cast->n_pieces; i++) {
		write_piece(cast, file, &cast->pieces[i], rules[i]);
	}
	fputs("</svg>\n", file);
	free(rules);
}

static int
write_file(const struct cast *cast, struct err *err)
{
	FILE *file = fopen(cast->path, "w");
	bool failed;

	if (!file) {
		return err_set_errno(err, errno, "%s", cast->path);
	}
	if (cast->is_svg) {
		write_svg(cast, file);
	} else {
		fprintf(file, "{\"version\": 2, \"width\": %d, \"height\": %d}\n", cast->width,
		        cast->height);
		fwrite(cast->events.data, 1, cast->events.len, file);
		fprintf(file, "[%" PRId64 ".%03d, \"o\", \"\"]\n", cast->now_ms / 1000,
		        (int)(cast->now_ms % 1000)); /* the last screen stays, too */
	}
	failed = ferror(file) != 0;
	return fclose(file) != 0 || failed
	           ? err_set_errno(err, errno, "%s: cannot write", cast->path)
	           : 0;
}

int
cast_close(struct cast *cast, bool is_whole, struct err *err)
{
	int result = 0;

	if (!cast) {
		return 0;
	}
	for (int y = 0; y <= CANVAS_SIDE_LIMIT; y++) {
		(void)set_row(cast, y, NULL);
	}
	if (is_whole) {
		result = write_file(cast, err);
	}
	for (size_t i = 0; i < cast->n_pieces; i++) {
		free(cast->pieces[i].drawn);
	}
	free(cast->pieces);
	free(cast->rows);
	free(cast->path);
	strbuf_free(&cast->events);
	free(cast);
	return result;
}
