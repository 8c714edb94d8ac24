/* What an import has read so far, as a table.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_EARLY_TABLE_H
#define LANESCOPE_CLI_EARLY_TABLE_H

#include "ingest/early.h"
#include "query/saved/query.h"
#include "ui/ui.h"

/* Names with their calls, in the order of first appearance, and a note that says what they are of:
 * the import's state. New; any thread. */
struct result *early_table(struct early_look *early, const struct ui_import *import);

#endif
