/* Where the user's files of lanescope lie (XDG Base Directory Specification).
 * Used by cli, query/saved, ui, ui/table. */
#ifndef LANESCOPE_UTIL_XDG_H
#define LANESCOPE_UTIL_XDG_H

#include <stdbool.h>
#include "util/slice.h"

enum xdg_folder { XDG_CONFIG, XDG_STATE, XDG_CACHE };
/* Adds "$XDG_..._HOME/lanescope/name", or its default below $HOME, to path; relative values of the
 * variables are ignored, as the specification wants. False if neither is set. Makes nothing. */
bool xdg_path(enum xdg_folder folder, const char *name, struct strbuf *path);

#endif
