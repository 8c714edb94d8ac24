/* The way into the explorer.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_BROWSE_H
#define LANESCOPE_CLI_BROWSE_H

#include "cli/cli.h"
#include "ui/ui.h"

/* Opens the explorer on run files and folders. Exit status. */
int browse_open(const struct ui_options *options);

#endif
