/* Two groups of runs on a command line, as one would say them: `--a f1 f4 --b m2 m4`.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_GROUPS_H
#define LANESCOPE_CLI_GROUPS_H

#include "cli/open.h"

/* getopt knows options of one value only: a copy of argv in which every word after --a (--b) has
 * that option before it. To be freed; its words are argv's. */
char **groups_spread(int *argc, char **argv);
/* Run files of both groups, and how many are the first's. */
int groups_find(struct cli *cli, const struct path_list groups[2], struct path_list *files,
                size_t *n_a, struct err *err);

#endif
