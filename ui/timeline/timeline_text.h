/* A picture of lanes as lines of text: for files, for `lanescope timeline`. */
#ifndef LANESCOPE_UI_TIMELINE_TIMELINE_TEXT_H
#define LANESCOPE_UI_TIMELINE_TIMELINE_TEXT_H

#include "ui/timeline/timeline_draw.h"

/* Head, all lines of the scene, legend; appended. */
void lanes_text(const struct lanes_scene *scene, int width, bool ascii, struct strbuf *out);

#endif
