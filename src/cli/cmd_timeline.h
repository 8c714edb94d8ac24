/* The picture of timeline, for what holds it.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_TIMELINE_H
#define LANESCOPE_CLI_CMD_TIMELINE_H

#include <stdio.h>
#include "cli/open.h"

struct timeline_choice {
	int width, height; /* columns, lines at most */
	bool is_svg;       /* else text */
};
/* Of a run, or of two over each other; *left_out gets how many lines the height leaves out. */
int timeline_picture(const struct run_set *runs, const struct timeline_choice *choice, FILE *file,
                     size_t *left_out, const struct cancel *cancel, struct err *err);

#endif
