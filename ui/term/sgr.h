/* Styles as a terminal of 256 colours is sent them.
 * Used by cli, ui/chart. */
#ifndef LANESCOPE_UI_TERM_SGR_H
#define LANESCOPE_UI_TERM_SGR_H

#include "ui/term/term.h"

/* Appends "[0;1;38;5;73m": what follows an escape to change to the style, whatever was before. */
void sgr_add(struct strbuf *out, const struct term_look *look, cell_style style);
/* Appends a row of a canvas without trailing blanks, in colour. */
void sgr_row(struct strbuf *out, const struct term_wishes *wishes, const struct canvas *canvas,
             int y);
/* Does the environment name a terminal that shows them? */
bool sgr_is_known(void);

#endif
