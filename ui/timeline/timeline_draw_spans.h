/* Spans one by one in a line of cells; part of timeline_draw.c's work.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TIMELINE_TIMELINE_DRAW_SPANS_H
#define LANESCOPE_UI_TIMELINE_TIMELINE_DRAW_SPANS_H

#include "ui/timeline/timeline_draw.h"

void timeline_draw_spans(const struct timeline_drawing *drawing, struct canvas *canvas,
                         const struct timeline_track *track, int y);

#endif
