/* Text of the manual on standard output.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_HELP_H
#define LANESCOPE_CLI_HELP_H

#include "query/saved/query.h"
#include "util/err.h"

/* What a saved query answers, its parameters and columns: through a pager on a terminal. */
int help_query(const struct saved_query *query, struct err *err);

#endif
