/* What import and merge share.
 * Used by its room alone. */
#ifndef LANESCOPE_CLI_CMD_IMPORT_H
#define LANESCOPE_CLI_CMD_IMPORT_H

#include <stdbool.h>
#include "cli/path_list.h"
#include "ingest/ingest.h"
#include "util/tag_list.h"

/* What an import says: --quiet, --strict. */
struct import_saying {
	bool is_quiet, is_strict;
};
struct import_call {
	struct ingest_options options;
	struct import_saying say;
	struct tag_list tags;      /* from --tag */
	struct path_list patterns; /* from --tags-from */
	bool dry_run;
	struct part_number part; /* of 0: whole runs are made */
	const char *plan_file;   /* to be written, or to be read by who makes a part; NULL: none */
	unsigned n_jobs;         /* 0: this process reads the traces */
	const char *launcher;    /* of the jobs; NULL: they are started here */
	const char *const *traces;
	size_t n_traces;
};
/* cmd_import_jobs.c: the runs in so many processes; what goes wrong is said. The exit status. */
int import_in_jobs(const struct import_call *call, const struct ingest_plans *plans);

/* imported.c: options that import and merge share; others are none of its. */
int import_take(struct ingest_options *options, struct import_saying *say, int id,
                const char *value, struct err *err);
/* Says what came of a plan's import, or of its parts' being put together. The exit status. */
int say_import(const struct ingest_plan *plan, const struct ingest_summary *summary,
               const struct import_saying *say);
/* The same of a part; plan NULL: one of several parts, each of which has told it. */
int say_part_import(const struct ingest_plan *plan, const struct ingest_summary *summary,
                    const struct import_saying *say);

#endif
