/* What timelines and charts as SVG share: colours, and text that may hold anything.
 * Used by its room alone. */
#ifndef LANESCOPE_EXPORT_SVG_PARTS_H
#define LANESCOPE_EXPORT_SVG_PARTS_H

#include <stdio.h>
#include "util/slice.h"

#define SVG_OTHER "#9a9a9a"
#define SVG_LETTER_WIDTH 6.2 /* of a text at 11 pixels, about */

const char *svg_colour(unsigned slot); /* of what has none of its own SVG_OTHER */
/* A name of at most so many letters; what does not fit is left out of its middle. */
size_t svg_name_columns(struct slice name, size_t most);
void svg_put_name(FILE *file, struct slice name, size_t most);
/* Takes a line of at most so many letters from the rest of a text, ending at a blank if it can. */
struct slice svg_take_line(struct slice *rest, size_t most);
/* Text of the trace: XML allows no control characters and no invalid UTF-8. */
void svg_put_foreign(FILE *file, struct slice text);

#endif
