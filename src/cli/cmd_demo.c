/*
 * lanescope demo: made-up runs to look around in. Two runs of a task scheduler, the same graph on
 * one worker and on four of one host, and a training job that writes checkpoints. Traces and runs
 * lie in the cache and are made anew only when they are not there.
 */
#include "config.h"
#include "cli/browse.h"
#include "cli/cache.h"
#include "cli/open.h"
#include "cli/output.h"
#include "cli/runs.h"

#include <stdio.h>
#include <unistd.h>

#include "simulate/demo_traces.h"
#include "util/mem.h"

struct demo_run {
	const char *name, *trace; /* in the demo's folder */
	int (*write)(const char *path, struct err *err);
};

static int
write_one_worker(const char *path, struct err *err)
{
	return demo_write_cascade(path, 0, 1, 1, 1.0, err);
}

static int
write_four_workers(const char *path, struct err *err)
{
	return demo_write_cascade(path, 0, 4, 1, 1.0, err);
}

static int
write_training(const char *path, struct err *err)
{
	struct demo_dftracer options = DEMO_DFTRACER_DEFAULTS;
	return demo_write_dftracer(path, &options, NULL, err);
}

static const struct demo_run demo_runs[] = {
    {"one-worker", "one-worker.jsonl", write_one_worker},
    {"four-workers", "four-workers.jsonl", write_four_workers},
    {"training", "training", write_training},
};

static int
make_run(struct cli *cli, const struct demo_run *run, const char *folder, struct path_list *made,
         struct err *err)
{
	struct strbuf trace = {0}, file = {0};
	struct ingest_plans *plans = NULL;
	int rc = 0;
	strbuf_printf(&trace, "%s/traces/%s", folder, run->trace);
	strbuf_printf(&file, "%s/%s.lanes", folder, run->name);
	const char *const path = trace.data;
	struct err ignored = ERR_INIT;
	struct store *store = access(file.data, R_OK) == 0 ? store_open(file.data, &ignored) : NULL;
	if (!store) {
		struct ingest_options options = {.out = file.data,
		                                 .name = run->name,
		                                 .clash = CLASH_SHARE,
		                                 .cancel = &cli->cancel};
		rc = run->write(path, err);
		plans = rc == 0 ? ingest_plan(&path, 1, &options, err) : NULL;
		rc = plans ? progress_import(&plans->plans[0], &options, NULL, err) : -1;
	}
	if (rc == 0) {
		path_list_add(made, file.data);
	}
	store_close(store);
	ingest_plans_free(plans);
	strbuf_free(&trace);
	strbuf_free(&file);
	return rc;
}

/* Without a terminal: what was made, and what to do with it. */
static int
print_made(const struct path_list *made, struct err *err)
{
	struct output_choice choice = {.format = "table", .no_pager = true};
	if (runs_print((const char *const *)made->paths, made->n, false, &choice, err)) {
		return -1;
	}
	printf("\nTry these:\n");
	printf("  lanescope diff task-by-kind %s %s\n", made->paths[0], made->paths[1]);
	printf("  lanescope query io-summary %s\n", made->paths[2]);
	printf("  lanescope queries %s\n", made->paths[2]);
	return 0;
}

int
command_demo(struct cli *cli)
{
	struct strbuf folder = {0}, traces = {0};
	struct path_list made = {0};
	struct err err = ERR_INIT;
	if (options_parse(cli, NULL, NULL, &err)) {
		return cli_usage(cli, &err);
	}
	int status,
	    rc = cache_folder("demo", &folder, &err) || cache_folder("demo/traces", &traces, &err);
	for (size_t i = 0; rc == 0 && i < COUNT_OF(demo_runs); i++) {
		rc = make_run(cli, &demo_runs[i], folder.data, &made, &err);
	}
	if (rc) {
		status = cli_fail(&err);
	} else if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO)) {
		struct ui_options options = {.paths = (const char *const *)made.paths,
		                             .n_paths = made.n};
		status = browse_open(&options);
	} else {
		status = print_made(&made, &err) ? cli_fail(&err) : CLI_DONE;
	}
	path_list_free(&made);
	strbuf_free(&folder);
	strbuf_free(&traces);
	return status;
}
