/* A timeline as lines of text: for files, for `lanescope timeline`.
 * Used by cli. */
#ifndef LANESCOPE_UI_TIMELINE_TIMELINE_TEXT_H
#define LANESCOPE_UI_TIMELINE_TIMELINE_TEXT_H

#include "ui/term/sgr.h"
#include "ui/timeline/timeline_draw.h"

/* Head, all lines of the drawing, legend; appended. A drawing of the next lines of another has no
 * head (TEXT_GOES_ON), one that others follow no legend (TEXT_HAS_MORE). */
enum { TEXT_GOES_ON = 1, TEXT_HAS_MORE = 2 };
struct timeline_paper {
	int width;
	bool ascii;
	const struct sgr_ink *ink; /* NULL: letters tell what colours would */
};
void timeline_text(const struct timeline_drawing *drawing, unsigned parts,
                   const struct timeline_paper *paper, struct strbuf *out);

#endif
