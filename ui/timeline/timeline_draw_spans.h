/* Spans one by one in a line of cells; part of lanes_draw.c's work. */
#ifndef LANESCOPE_UI_TIMELINE_TIMELINE_DRAW_SPANS_H
#define LANESCOPE_UI_TIMELINE_TIMELINE_DRAW_SPANS_H

#include "ui/timeline/timeline_draw.h"

void lanes_draw_spans(const struct lanes_scene *scene, struct canvas *canvas,
                      const struct timeline_track *track, int y);

#endif
