/* A timeline, of one run or of two, as a window that any browser shows: self-contained, text
 * escaped, a title (tool tip) for each span and cell.
 * Used by cli, ui/timeline. */
#ifndef LANESCOPE_EXPORT_SVG_H
#define LANESCOPE_EXPORT_SVG_H

#include <stdio.h>
#include "query/timeline/timeline_window.h"

/* All borrowed. */
struct svg_picture {
	const struct timeline_window *window;
	const struct timeline_window *hits; /* the same under a condition: all else is dimmed; NULL:
	                                     * nothing is marked */
	const char *marked;                 /* what is: "8 of 404 spans: ..." */
	const struct timeline *timeline;
	const struct colours *colours;
	const char *const *run_names;
};
int export_svg(const struct svg_picture *picture, FILE *file, struct err *err);

#endif
