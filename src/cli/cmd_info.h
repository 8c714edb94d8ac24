/* What info says of runs, as tables.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_INFO_H
#define LANESCOPE_CLI_CMD_INFO_H

#include "query/saved/query.h"

/* A row of each that any of the runs has, as people read it, a column a run. NULL on error. */
struct result *info_facts(struct store *const *stores, const char *const *names, size_t n,
                          struct err *err);

enum info_section { INFO_SOURCES, INFO_PROBLEMS /* by kind */, INFO_PROBLEM_LIST };
struct result *info_rows(struct store *store, enum info_section section, struct err *err);

#endif
