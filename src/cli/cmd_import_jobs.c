/*
 * import --jobs N: the traces are read by N processes, each making a part of every run
 * (lanescope(1), Parts of a run), here or where a launcher starts them, and the parts are put
 * together here. They lie in a folder beside the runs until they are, and with them the plan by
 * which they are made: whatever ends this process, the next call uses those that are there.
 */
#include "config.h"
#include "cli/cache.h"
#include "cli/cmd_import.h"
#include "cli/jobs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "util/budget.h"
#include "util/order.h"
#include "util/workers.h"

struct import_jobs {
	const struct import_call *call;
	char *folder;               /* of the parts; ends in "/" */
	char *plan_path;            /* of the file by which they are made */
	struct ingest_plans *plans; /* the same runs, their places in that folder */
	struct path_list words;     /* of the jobs' command */
	size_t part_word;           /* which of them tells the part */
	struct timespec started;
	struct part_mark *marks; /* of these plans */
	char **paths;            /* of the parts, plan by plan */
};

static size_t
index_of(const struct import_jobs *jobs, unsigned plan, unsigned nth)
{
	return (size_t)plan * jobs->call->n_jobs + nth - 1;
}

/* "runs/f4.parts/" for runs/f4.lanes, "runs/lanescope.parts/" for the folder runs. */
static char *
parts_folder(const struct import_call *call, const struct ingest_plans *plans)
{
	const char *out = call->options.out ? call->options.out : "";
	size_t length = strlen(out);
	bool is_file = plans->n_plans == 1 && strcmp(plans->plans[0].out_path, out) == 0;
	struct strbuf path = {0};

	if (is_file) {
		length -= slice_ends_with(slice_of(out), ".lanes") ? 6 : 0;
		strbuf_printf(&path, "%.*s.parts/", (int)length, out);
	} else {
		strbuf_printf(&path, "%s%slanescope.parts/", out,
		              length && out[length - 1] != '/' ? "/" : "");
	}
	return strbuf_take(&path);
}

/* "runs/f4.parts/plan" */
static char *
plan_path(const char *folder)
{
	struct strbuf path = {0};

	strbuf_printf(&path, "%splan", folder);
	return strbuf_take(&path);
}

static void
add_option(struct path_list *words, const char *name, const char *value)
{
	path_list_add(words, name);
	path_list_add(words, value);
}

/* The jobs' command. Of processes on this machine each gets its share of it. */
static void
make_words(struct import_jobs *jobs)
{
	const struct import_call *call = jobs->call;
	struct path_list *words = &jobs->words;
	char number[32];
	unsigned n_here = call->launcher ? 0 : jobs_at_once(call->n_jobs);

	path_list_add(words, "import");
	path_list_add(words, "--quiet");
	add_option(words, "--out", jobs->folder);
	add_option(words, "--plan", jobs->plan_path);
	if (call->options.n_threads || n_here) {
		unsigned share = n_here ? MOST(workers_count() / n_here, 1u) : 0;
		snprintf(number, sizeof number, "%u",
		         call->options.n_threads ? call->options.n_threads : share);
		add_option(words, "--threads", number);
	}
	if (n_here) {
		snprintf(number, sizeof number, "%" PRId64,
		         MOST(budget_bytes() / n_here, BUDGET_LEAST));
		add_option(words, "--memory", number);
	}
	path_list_add(words, "--part");
	jobs->part_word = words->n;
	path_list_add(words, "");
}

static bool
is_done(void *user, unsigned nth)
{
	const struct import_jobs *jobs = user;

	for (unsigned i = 0; i < jobs->plans->n_plans; i++) {
		if (!ingest_part_is_there(jobs->paths[index_of(jobs, i, nth)], &jobs->marks[i],
		                          nth)) {
			return false;
		}
	}
	return true;
}

static int
run_all(struct import_jobs *jobs, struct err *err)
{
	const struct jobs_call all = {.n = jobs->call->n_jobs,
	                              .launcher = jobs->call->launcher,
	                              .words = jobs->words.paths,
	                              .n_words = jobs->words.n,
	                              .part_word = jobs->part_word,
	                              .is_done = is_done,
	                              .user = jobs,
	                              .cancel = jobs->call->options.cancel};

	return jobs_run(&all, err);
}

/* ---- putting together ---- */

static int
merge_one(const struct import_jobs *jobs, unsigned i, const struct ingest_plan *plan)
{
	struct err err = ERR_INIT;
	struct ingest_summary summary = {0};
	struct ingest_options options = jobs->call->options;
	const struct ingest_merging parts = {.parts = (const char *const *)jobs->paths +
	                                              index_of(jobs, i, 1),
	                                     .n_parts = jobs->call->n_jobs};
	struct ingest_merge *merge =
	    ingest_merge_new(&parts, plan->name, plan->out_path, options.cancel, &err);
	const struct ingest_plan *merged = merge ? ingest_merge_plan(merge, &options) : NULL;
	int status = merged ? progress_import(merged, &options, &summary, &err) : -1;

	summary.seconds = progress_seconds(&jobs->started);
	status = status ? cli_fail(&err) : say_import(plan, &summary, &jobs->call->say);
	ingest_merge_free(merge);
	return status;
}

static void
remove_parts(const struct import_jobs *jobs)
{
	for (size_t i = 0; i < (size_t)jobs->plans->n_plans * jobs->call->n_jobs; i++) {
		(void)unlink(jobs->paths[i]);
	}
}

static int
merge_all(const struct import_jobs *jobs, const struct ingest_plans *plans)
{
	int status = CLI_DONE;

	for (unsigned i = 0; i < plans->n_plans; i++) {
		status = cli_worse(status, merge_one(jobs, i, &plans->plans[i]));
	}
	if (status == CLI_DONE || status == CLI_SKIPPED) {
		remove_parts(jobs);
	}
	return status;
}

/* ---- all of it ---- */

/* The plans as the jobs have them. */
static int
hand_over(struct import_jobs *jobs, const struct ingest_plans *plans, struct err *err)
{
	const struct import_call *call = jobs->call;
	struct ingest_options options = call->options;

	options.out = jobs->folder;
	if (ingest_plans_write(plans, &call->options, jobs->plan_path, err)) {
		return -1;
	}
	jobs->plans = ingest_plans_read(jobs->plan_path, &options, err);
	if (!jobs->plans) {
		return -1;
	}
	jobs->paths = xcalloc((size_t)plans->n_plans * call->n_jobs + 1, sizeof *jobs->paths);
	MEM_NEW(jobs->marks, (size_t)plans->n_plans + 1);
	for (unsigned i = 0; i < plans->n_plans; i++) {
		jobs->marks[i] = ingest_part_mark(&jobs->plans->plans[i], &options, call->n_jobs);
		for (unsigned nth = 1; nth <= call->n_jobs; nth++) {
			struct part_number number = {nth, call->n_jobs};
			jobs->paths[index_of(jobs, i, nth)] =
			    ingest_part_path(&jobs->plans->plans[i], number);
		}
	}
	return 0;
}

/* Are all runs where they go already? */
static bool
are_held(const struct import_call *call, const struct ingest_plans *plans)
{
	for (unsigned i = 0; i < plans->n_plans; i++) {
		if (!ingest_is_held(&plans->plans[i], &call->options)) {
			return false;
		}
	}
	return true;
}

static int
tell_held(const struct import_call *call, const struct ingest_plans *plans)
{
	int status = CLI_DONE;

	for (unsigned i = 0; i < plans->n_plans; i++) {
		const struct ingest_plan *plan = &plans->plans[i];
		struct ingest_summary summary = {.is_held = true};
		snprintf(summary.out_path, sizeof summary.out_path, "%s", plan->out_path);
		status = cli_worse(status, say_import(plan, &summary, &call->say));
	}
	return status;
}

int
import_in_jobs(const struct import_call *call, const struct ingest_plans *plans)
{
	struct import_jobs jobs = {.call = call, .folder = parts_folder(call, plans)};
	struct err err = ERR_INIT;
	int status;

	if (are_held(call, plans)) {
		free(jobs.folder);
		return tell_held(call, plans);
	}
	clock_gettime(CLOCK_MONOTONIC, &jobs.started);
	jobs.plan_path = plan_path(jobs.folder);
	make_words(&jobs);
	if (make_folders(jobs.folder, 0777, &err) || hand_over(&jobs, plans, &err) ||
	    run_all(&jobs, &err)) {
		status = cli_fail(&err);
	} else {
		status = merge_all(&jobs, plans);
	}
	(void)unlink(jobs.plan_path);
	(void)rmdir(jobs.folder); /* unless there is something in it */
	for (size_t i = 0; jobs.paths && jobs.paths[i]; i++) {
		free(jobs.paths[i]);
	}
	free(jobs.paths);
	free(jobs.marks);
	path_list_free(&jobs.words);
	ingest_plans_free(jobs.plans);
	free(jobs.plan_path);
	free(jobs.folder);
	return status;
}
