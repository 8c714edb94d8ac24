/* Whether text is written in colours: --color.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_COLOURS_H
#define LANESCOPE_CLI_COLOURS_H

#include "cli/output.h"
#include "ui/term/term.h"

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };
/* "auto", "always", "never". */
bool colour_when_find(struct slice name, enum colour_when *when);
/* How many colours what goes to the output may have: 0 none, 8, 256. By default as many as the
 * terminal has, if it goes to one and neither NO_COLOR nor the settings are against it. */
int colours_of(enum colour_when when, const struct output *output,
               const struct term_wishes *wishes);

#endif
