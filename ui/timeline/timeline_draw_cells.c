/*
 * Cells as heights and shades, a column each. Where colours can't be seen the letter of what a cell
 * was busy with most stands in its place, a large one if that was most of the cell; heights tell
 * what has no colour anyway.
 *
 * Where a condition marks hits, cells that hold some keep their colour, in that of the hits, and
 * are underlined; the others turn grey, so that hits stand out without colours as well.
 */
#include "config.h"

#include "ui/timeline/timeline_draw_parts.h"
#include "util/ascii.h"
#include "util/intervals.h"

#define MOSTLY 0.5   /* from this share on a letter is large */
#define HARDLY 0.125 /* below it is a dot */

double
timeline_density(const struct tile_cell *cell, int64_t cell_ns)
{
	return cell->density_ns < cell_ns ? (double)cell->density_ns / (double)cell_ns : 1;
}

static bool
is_empty(const struct tile_cell *cell)
{
	return !cell || (cell->busy_ns <= 0 && cell->count == 0 && cell->density_ns <= 0);
}

/* What a cell is drawn with. */
struct cell_look {
	cell_style style;
	char mark; /* 0: none */
};

static struct cell_look
look_of(const struct timeline_drawing *drawing, const struct tile_cell *cell)
{
	const struct colours *colours = drawing->colours;
	uint32_t rank = cell->n_categories > 0 ? cell->categories[0].category : COLOUR_NONE;
	struct cell_look look = {STYLE_GROUP, 0};

	if (cell->n_categories > 0) {
		look.style = timeline_style(colours, rank);
		look.mark = rank < colours->n ? colours->marks[rank] : '#';
	}
	return look;
}

/* The same where there are hits; the cell's own is that of all spans. */
static struct cell_look
look_among_hits(const struct timeline_drawing *drawing, size_t hit_line, int64_t at,
                const struct tile_cell *cell)
{
	const struct tile_cell *hit =
	    drawing->hits ? timeline_window_cell(drawing->hits, hit_line, at) : NULL;
	struct cell_look look =
	    look_of(drawing, is_empty(hit) || hit->n_categories == 0 ? cell : hit);

	if (!drawing->hits) {
		return look;
	}
	if (is_empty(hit)) {
		return (struct cell_look){STYLE_MUTED, look.mark ? '.' : 0};
	}
	look.style |= STYLE_UNDERLINE;
	return look;
}

/* A share of a row's height; ascii: where a letter is kept. */
static const char *
glyph_of(const struct canvas *canvas, const struct cell_look *look, double share, char letter[2])
{
	if (!timeline_uses_letters(canvas) || !look->mark) {
		return canvas_level(canvas, share);
	}
	letter[0] = share >= MOSTLY ? to_upper(look->mark) : share >= HARDLY ? look->mark : '.';
	letter[1] = '\0';
	return letter;
}

/* A column of a line, filled from below. */
static void
draw_column(const struct timeline_drawing *drawing, struct canvas *canvas, int column, int y,
            const struct cell_look *look, double share)
{
	int rows = timeline_rows_of(drawing);
	char letter[2];

	for (int i = 0; i < rows; i++) { /* from below */
		double here = share * rows - i;

		if (here > 0) {
			canvas_puts(canvas, drawing->label + column, y + rows - 1 - i, look->style,
			            glyph_of(canvas, look, here, letter));
		}
	}
}

void
timeline_draw_values(const struct timeline_drawing *drawing, struct canvas *canvas,
                     const struct timeline_track *track, int y)
{
	const struct timeline_window *window = drawing->window;
	const struct timescale *scale = drawing->scale;
	const struct cell_look look = {STYLE_GROUP, 0};
	double range = track->high - track->low;

	for (int column = 0; column < scale->columns; column++) {
		int64_t at = time_sub(timescale_time(scale, column), window->start_ns);
		const struct timeline_value *value;

		if (at < 0 || at / window->cell_ns >= window->n_cells ||
		    timescale_time(scale, column) >= scale->duration_ns) {
			continue;
		}
		value = &track->values[at / window->cell_ns];
		if (value->is_known) {
			double share = range > 0 ? (value->high - track->low) / range : 0;

			if (share > 0) {
				draw_column(drawing, canvas, column, y, &look, share);
			} else {
				canvas_puts(canvas, drawing->label + column,
				            y + timeline_rows_of(drawing) - 1, STYLE_GROUP,
				            canvas->ascii ? "_" : "▁");
			}
		}
	}
}

void
timeline_draw_busy(const struct timeline_drawing *drawing, struct canvas *canvas, size_t in_window,
                   int y)
{
	const struct timescale *scale = drawing->scale;
	struct timeline_line line = drawing->window->lines[in_window];
	const struct timeline_row *row = &drawing->timeline->rows[line.row];
	int height =
	    timeline_row_is_group(row) && drawing->group_height > 0 ? drawing->group_height : 1;
	size_t hit_line = drawing->hits ? timeline_window_line(drawing->hits, line) : 0;

	for (int column = 0; column < scale->columns; column++) {
		int64_t at = timescale_time(scale, column);
		const struct tile_cell *cell = timeline_window_cell(drawing->window, in_window, at);
		struct cell_look look = {STYLE_GROUP, 0};

		if (!cell || at >= scale->duration_ns || (cell->busy_ns <= 0 && cell->count == 0)) {
			continue;
		}
		if (row->type == TIMELINE_LANE) {
			look = look_among_hits(drawing, hit_line, at, cell);
		}
		if (cell->busy_ns > 0) {
			draw_column(drawing, canvas, column, y, &look,
			            timeline_share(&drawing->window->tracks[in_window], cell,
			                           drawing->window->cell_ns) *
			                height);
		} else {
			canvas_puts(canvas, drawing->label + column,
			            y + timeline_rows_of(drawing) - 1, look.style,
			            canvas->ascii ? "." : "▏");
		}
	}
}

void
timeline_draw_density(const struct timeline_drawing *drawing, struct canvas *canvas,
                      size_t in_window, int y)
{
	const struct timescale *scale = drawing->scale;
	int64_t width = drawing->window->cell_ns;
	size_t hit_line =
	    drawing->hits ? timeline_window_line(drawing->hits, drawing->window->lines[in_window])
			  : 0;

	for (int column = 0; column < scale->columns; column++) {
		int64_t at = timescale_time(scale, column);
		int64_t left = time_sub(scale->duration_ns, at); /* the run may end in the cell */
		const struct tile_cell *cell = timeline_window_cell(drawing->window, in_window, at);

		if (cell && at < scale->duration_ns && cell->density_ns + cell->busy_ns > 0) {
			struct cell_look look = look_among_hits(drawing, hit_line, at, cell);
			double share = timeline_density(cell, left < width ? left : width);
			char letter[2];

			for (int i = 0; i < timeline_rows_of(drawing); i++) {
				canvas_puts(canvas, drawing->label + column, y + i, look.style,
				            timeline_uses_letters(canvas) && look.mark
				                ? glyph_of(canvas, &look, share, letter)
				                : canvas_shade(canvas, share));
			}
		}
	}
}
