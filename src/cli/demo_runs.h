/* The runs of `lanescope demo`.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_DEMO_RUNS_H
#define LANESCOPE_CLI_DEMO_RUNS_H

#include "cli/path_list.h"
#include "cli/cli.h"

/* Makes in the folder what is not there yet, or was made by another version: FOLDER/NAME.lanes of
 * each run, its trace in FOLDER/traces. *made gets the run files in their order. A folder with
 * something else in it is refused, unless is_own says that nobody else's files lie there. */
int demo_make(struct cli *cli, const char *folder, bool is_own, struct path_list *made,
              struct err *err);

#endif
