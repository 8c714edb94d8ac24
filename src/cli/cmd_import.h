/* What import and merge share.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_IMPORT_H
#define LANESCOPE_CLI_CMD_IMPORT_H

#include <stdbool.h>
#include "cli/path_list.h"
#include "ingest/ingest.h"
#include "util/tag_list.h"

struct import_call {
	struct ingest_options options;
	struct tag_list tags;      /* from --tag */
	struct path_list patterns; /* from --tags-from */
	bool strict, quiet, dry_run;
	struct part_number part; /* of 0: whole runs are made */
	unsigned n_jobs;         /* 0: this process reads the traces */
	const char *launcher;    /* of the jobs; NULL: they are started here */
	const char *const *traces;
	size_t n_traces;
};
/* cmd_import_jobs.c: the runs in so many processes; what goes wrong is said. The exit status. */
int import_in_jobs(const struct import_call *call, const struct ingest_plans *plans);

/* imported.c */
/* The value of --threads. */
int take_threads(const char *value, unsigned *n_threads, struct err *err);
/* The line about a run that was made, or (plan NULL) about a part. */
void say_imported(const struct ingest_plan *plan, const struct ingest_summary *summary);
/* Were records skipped? Counted by the importer; what a file lost because it is cut short has no
 * count, but a problem. */
bool import_has_skipped(const char *run_path, const struct ingest_summary *summary);

#endif
