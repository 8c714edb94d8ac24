/* Styles as a terminal is sent them.
 * Used by cli, ui/chart, ui/timeline. */
#ifndef LANESCOPE_UI_TERM_SGR_H
#define LANESCOPE_UI_TERM_SGR_H

#include "ui/term/term.h"

/* Appends "[0;1;38;5;73m": what follows an escape to change to the style, whatever was before. */
void sgr_add(struct strbuf *out, const struct term_look *look, cell_style style);
/* What text is drawn with that goes to a terminal, or is to look so. */
struct sgr_ink {
	const struct term_wishes *wishes;
	int n_colours; /* 256, or few */
};
/* Appends a row of a canvas without trailing blanks, in colour; ink NULL: without. */
void sgr_row(struct strbuf *out, const struct sgr_ink *ink, const struct canvas *canvas, int y);
/* How many colours the terminal has that the environment names; 0: none is named, or it has
 * none. */
int sgr_colours(void);

#endif
