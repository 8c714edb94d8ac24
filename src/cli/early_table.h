/* What an import has read so far, as a table.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_EARLY_TABLE_H
#define LANESCOPE_CLI_EARLY_TABLE_H

#include "ingest/early.h"
#include "query/saved/query.h"

/* Names with their spans, the one that took longest first. New; any thread. */
struct result *early_table(struct early_look *early);

#endif
