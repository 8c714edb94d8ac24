/* A timeline, of one run or of two, as a window that any browser shows: self-contained, text escaped, a title (tool tip)
 * for each span and cell.
 * Used by cli, ui/timeline. */
#ifndef LANESCOPE_EXPORT_SVG_H
#define LANESCOPE_EXPORT_SVG_H

#include <stdio.h>
#include "query/timeline/timeline_window.h"

int export_svg(const struct timeline_window *window, const struct timeline *timeline,
               const struct colours *colours, const char *const *run_names, FILE *file,
               struct err *err);

#endif
