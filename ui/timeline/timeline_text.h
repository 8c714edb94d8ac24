/* A timeline as lines of text: for files, for `lanescope timeline`.
 * Used by cli. */
#ifndef LANESCOPE_UI_TIMELINE_TIMELINE_TEXT_H
#define LANESCOPE_UI_TIMELINE_TIMELINE_TEXT_H

#include "ui/timeline/timeline_draw.h"

/* Head, all lines of the drawing, legend; appended. */
void timeline_text(const struct timeline_drawing *drawing, int width, bool ascii,
                   struct strbuf *out);

#endif
