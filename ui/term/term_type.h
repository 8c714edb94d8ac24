/* Types of terminals.
 * Used by its room alone. */
#ifndef LANESCOPE_UI_TERM_TERM_TYPE_H
#define LANESCOPE_UI_TERM_TERM_TYPE_H

#include <stdbool.h>

/* Whether curses finds a description of that type, and of a screen. Before newterm, which leaks a
 * screen if it finds none. */
bool term_type_is_known(const char *type);
/* How many colours it has; 0: none, or it is not known. */
int term_type_colours(const char *type);

#endif
