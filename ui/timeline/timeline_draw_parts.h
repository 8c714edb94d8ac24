/* What a line shows of each kind of track; parts of timeline_draw.c's work.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TIMELINE_TIMELINE_DRAW_PARTS_H
#define LANESCOPE_UI_TIMELINE_TIMELINE_DRAW_PARTS_H

#include "ui/timeline/timeline_draw.h"

static inline int
timeline_rows_of(const struct timeline_drawing *drawing)
{
	return drawing->line_rows > 1 ? drawing->line_rows : 1;
}

/* Do letters have to tell what colours would? */
static inline bool
timeline_uses_letters(const struct canvas *canvas)
{
	return canvas->ascii || canvas->mono;
}

/* Tracks of the window, by their line there: spans one by one, shares as heights, densities as
 * shades; and values. */
void timeline_draw_spans(const struct timeline_drawing *drawing, struct canvas *canvas,
                         size_t in_window, int y);
void timeline_draw_busy(const struct timeline_drawing *drawing, struct canvas *canvas,
                        size_t in_window, int y);
void timeline_draw_density(const struct timeline_drawing *drawing, struct canvas *canvas,
                           size_t in_window, int y);
void timeline_draw_values(const struct timeline_drawing *drawing, struct canvas *canvas,
                          const struct timeline_track *track, int y);
/* Of a cell of one lane, at most 1. */
double timeline_density(const struct tile_cell *cell, int64_t cell_ns);

#endif
