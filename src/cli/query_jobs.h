/*
 * query --jobs: each run is answered in one of several processes, which leaves the answers in a
 * folder; here they are read back, and all else is as if they had been asked here.
 * Used by its room alone.
 */
#ifndef LANESCOPE_CLI_QUERY_JOBS_H
#define LANESCOPE_CLI_QUERY_JOBS_H

#include "cli/cli.h"
#include "query/saved/query.h"

struct query_jobs {
	unsigned n;           /* 0: there are none, runs are answered here */
	const char *launcher; /* NULL: they are started here */
	/* of such a process: which it is, and where its answers go; of 0, NULL: it is none */
	unsigned nth, of;
	const char *answers;
	char *folder; /* of the one that started them */
};

/* Starts them with the words of this call, and waits until all runs are answered. */
int query_jobs_run(struct query_jobs *jobs, const struct cli *cli, struct err *err);
/* An answer for the run of that file, or (result NULL) why there is none: kept for the process that
 * waits. */
int query_jobs_keep(const struct query_jobs *jobs, const char *run_path, struct result *result,
                    const struct err *why, struct err *err);
/* The process's own answers are all there. */
int query_jobs_end(const struct query_jobs *jobs, struct err *err);
/* An answer that was kept; NULL: err says why there is none. */
struct result *query_jobs_load(const struct query_jobs *jobs, const char *run_path,
                               struct err *err);
/* Removes the answers. */
void query_jobs_fini(struct query_jobs *jobs);

#endif
