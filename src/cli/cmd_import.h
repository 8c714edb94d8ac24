/* What import and merge share.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_IMPORT_H
#define LANESCOPE_CLI_CMD_IMPORT_H

#include <stdbool.h>
#include "ingest/ingest.h"

/* The value of --threads. */
int take_threads(const char *value, unsigned *n_threads, struct err *err);
/* The line about a run that was made, or (plan NULL) about a part. */
void say_imported(const struct ingest_plan *plan, const struct ingest_summary *summary);
/* Were records skipped? Counted by the importer; what a file lost because it is cut short has no
 * count, but a problem. */
bool import_has_skipped(const char *run_path, const struct ingest_summary *summary);

#endif
