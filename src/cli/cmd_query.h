/* Parts of the command query.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_QUERY_H
#define LANESCOPE_CLI_CMD_QUERY_H

#include "cli/query_call.h"

/* --all: every question that fits the runs, into a folder. ERR_USAGE for what is of one
 * question. */
int query_all_check(const struct query_call *call, const struct cli *cli, struct err *err);
int query_all(struct query_call *call, struct cli *cli); /* exit status */

#endif
