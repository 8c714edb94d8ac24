/* The options of lanescope explain, for the table of commands, and its answer, for what holds it.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_EXPLAIN_H
#define LANESCOPE_CLI_CMD_EXPLAIN_H

#include "cli/cli.h"

struct explain;
struct result;

extern const struct cli_option *const explain_options[];
extern const char *const explain_examples[];
/* The causes, or of a series its table, as people read them, with their notes. NULL on error. */
struct result *explain_for_people(struct explain *explain, bool is_series, struct err *err);

#endif
