/* The options of lanescope explain, for the table of commands.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_EXPLAIN_H
#define LANESCOPE_CLI_CMD_EXPLAIN_H

#include "cli/cli.h"

extern const struct cli_option *const explain_options[];
extern const char *const explain_examples[];

#endif
