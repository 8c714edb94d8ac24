/*
 * Twelve made-up runs. A scheduler's graph of tasks on workers of one host and of several, where
 * tasks of one host slow each other down; a training job that writes checkpoints, to the parallel
 * file system and by SCR to node-local storage; a training loop whose device waits for data; a
 * pipeline of Dask; a study of data loading; the nodes of a spot cluster, and training replayed on
 * them.
 *
 * Each trace is written aside and then put in its place, each run file is an import's: what has its
 * name is whole. FOLDER/traces/made-by says who made them, and that only once all are there.
 */
#include "config.h"
#include "cli/demo_runs.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cache.h"
#include "cli/cmd_simulate.h"
#include "cli/resolve.h"
#include "simulate/demo_files.h"
#include "simulate/demo_traces.h"
#include "simulate/preemption_files.h"
#include "simulate/preemption_source.h"
#include "store/store.h"
#include "util/mem.h"
#include "util/tempfile.h"

#define DEMO_VERSION "4" /* goes up when a trace changes */
#define SPOT_START_S INT64_C(1719817200)
/* Of the training job, beside its checkpoints: the same with SCR and without. */
#define TRAINING_RECORDS 95152u

/* ---- traces ---- */

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
write_one_host(const char *path, struct err *err)
{
	return demo_write_cascade(path, 1, 4, 1, 1.0, err);
}

static int
write_two_hosts(const char *path, struct err *err)
{
	return demo_write_cascade(path, 2, 2, 1, 1.0, err);
}

static int
write_four_hosts(const char *path, struct err *err)
{
	return demo_write_cascade(path, 4, 1, 1, 1.0, err);
}

static int
write_training(const char *path, struct err *err)
{
	struct demo_dftracer options = DEMO_DFTRACER_DEFAULTS;

	options.training = TRAINING_RECORDS;
	return demo_write_dftracer(path, &options, NULL, err);
}

static int
write_training_scr(const char *path, struct err *err)
{
	struct demo_dftracer options = DEMO_DFTRACER_DEFAULTS;

	options.training = TRAINING_RECORDS;
	options.scr = true;
	return demo_write_dftracer(path, &options, NULL, err);
}

static int
write_pytorch(const char *path, struct err *err)
{
	return demo_write_pytorch(path, 1, err);
}

static int
write_pipeline(const char *path, struct err *err)
{
	return demo_write_dasf(path, 1, err);
}

static int
write_loading(const char *path, struct err *err)
{
	return demo_write_dataload(path, 1, err);
}

static int
write_spot(const char *path, struct err *err)
{
	struct preemption_params params = preemption_defaults;

	params.seed = 3;
	FILE *nodes = demo_open(err, "%s/spot-node-trace.csv", path);
	FILE *losses = nodes ? demo_open(err, "%s/spot-terminate-trace.csv", path) : NULL;
	int rc =
	    losses ? preemption_write_trace(&params, SPOT_START_S, nodes, losses, NULL, err) : -1;
	rc = (nodes && demo_close(nodes, path, rc ? &(struct err)ERR_INIT : err)) ? -1 : rc;
	return (losses && demo_close(losses, path, rc ? &(struct err)ERR_INIT : err)) ? -1 : rc;
}

/* ---- runs ---- */

static const struct demo_run {
	const char *name, *trace;                        /* in the folder of traces */
	int (*write)(const char *path, struct err *err); /* into what is there, and empty */
	bool is_folder;
	const char *replays; /* has no trace: a simulation on the capacity of this run */
} demo_runs[] = {
    {"one-worker", "one-worker.jsonl", write_one_worker, false, NULL},
    {"four-workers", "four-workers.jsonl", write_four_workers, false, NULL},
    {"one-host", "one-host.jsonl", write_one_host, false, NULL},
    {"two-hosts", "two-hosts.jsonl", write_two_hosts, false, NULL},
    {"four-hosts", "four-hosts.jsonl", write_four_hosts, false, NULL},
    {"training", "training", write_training, true, NULL},
    {"training-scr", "training-scr", write_training_scr, true, NULL},
    {"pytorch", "pytorch.json.gz", write_pytorch, false, NULL},
    {"pipeline", "pipeline", write_pipeline, true, NULL},
    {"loading", "loading", write_loading, true, NULL},
    {"spot-capacity", "spot", write_spot, true, NULL},
    {"spot-training", NULL, NULL, false, "spot-capacity"},
};

struct demo_making {
	struct cli *cli;
	const char *folder;
	bool is_current; /* what lies there was made by this version */
};

static int
remove_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

static void
remove_tree(const char *path)
{
	(void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static int
make_trace(const struct demo_run *run, const char *path, struct err *err)
{
	char *aside = run->is_folder ? tempfile_folder(path, err) : tempfile_new(path, err);
	bool is_made = aside && run->write(aside, err) == 0;

	if (!is_made) {
		if (aside) {
			(void)tempfile_end(aside, path, false);
		}
		return -1;
	}
	remove_tree(path);
	if (tempfile_end(aside, path, true)) {
		int failure = errno;
		/* Another demo may have put the same there in between. */
		return access(path, R_OK) ? err_set_errno(err, failure, "%s", path) : 0;
	}
	return 0;
}

static int
import_trace(const struct demo_making *making, const struct demo_run *run,
             const struct ingest_options *options, struct err *err)
{
	struct strbuf trace = {0};

	strbuf_printf(&trace, "%s/traces/%s", making->folder, run->trace);
	const char *const path = trace.data;
	struct ingest_plans *plans = NULL;
	if ((making->is_current && access(path, R_OK) == 0) || make_trace(run, path, err) == 0) {
		plans = ingest_plan(&path, 1, options, err);
	}
	int rc = plans ? progress_import(&plans->plans[0], options, NULL, err) : -1;
	ingest_plans_free(plans);
	strbuf_free(&trace);
	return rc;
}

/* What `lanescope simulate preemption --replay` makes of that run. */
static int
replay(const struct demo_making *making, const struct demo_run *run,
       const struct ingest_options *options, struct err *err)
{
	struct preemption_trace trace = {0};
	struct ingest_summary summary;
	struct strbuf path = {0};

	strbuf_printf(&path, "%s/%s.lanes", making->folder, run->replays);
	struct store *store = store_open(path.data, err);
	int rc = store ? preemption_replay(store, NULL, &trace, err) : -1;
	rc = rc ? rc : simulate_make_run(&preemption_defaults, &trace, options, &summary, err);
	store_close(store);
	preemption_trace_free(&trace);
	strbuf_free(&path);
	return rc;
}

/* Over the last line of progress; 0: takes it away. */
static void
show_progress(const struct demo_run *run, size_t number)
{
	if (isatty(STDERR_FILENO)) {
		fputs("\r\033[K", stderr);
		if (number > 0) {
			fprintf(stderr, "%s: run %zu of %zu", run->name, number,
			        COUNT_OF(demo_runs));
		}
		(void)fflush(stderr);
	}
}

static int
make_run(const struct demo_making *making, size_t place, struct path_list *made, struct err *err)
{
	const struct demo_run *run = &demo_runs[place];
	struct strbuf file = {0};
	int rc = 0;

	strbuf_printf(&file, "%s/%s.lanes", making->folder, run->name);
	if (!making->is_current || !cache_has(file.data)) {
		show_progress(run, place + 1);
		struct ingest_options options = {.out = file.data,
		                                 .name = run->name,
		                                 .clash = CLASH_SHARE,
		                                 .cancel = &making->cli->cancel};
		rc = run->replays ? replay(making, run, &options, err)
		                  : import_trace(making, run, &options, err);
		show_progress(run, 0);
	}
	if (rc == 0) {
		path_list_add(made, file.data);
	}
	strbuf_free(&file);
	return rc;
}

/* ---- whose folder it is ---- */

static const char made_by[] = "lanescope " PACKAGE_VERSION ", demo " DEMO_VERSION "\n";

/* Whether that file is there, and says that all was made by this version. */
static bool
read_made_by(const char *path, bool *is_current)
{
	char text[sizeof made_by + 1];
	FILE *file = fopen(path, "r");

	if (!file) {
		return false;
	}
	size_t n = fread(text, 1, sizeof text, file);
	*is_current = n == sizeof made_by - 1 && memcmp(text, made_by, n) == 0;
	(void)fclose(file);
	return true;
}

static int
write_made_by(const char *folder, const char *text, struct err *err)
{
	FILE *file = demo_open(err, "%s/traces/made-by", folder);

	if (file) {
		fputs(text, file);
	}
	return demo_close(file, folder, err);
}

static int
take_folder(const char *folder, bool is_own, bool *is_current, struct err *err)
{
	struct strbuf path = {0};
	struct stat status;
	int rc = 0;

	strbuf_printf(&path, "%s/traces/made-by", folder);
	bool is_known = read_made_by(path.data, is_current);
	if (!is_known && !is_own && stat(folder, &status) == 0 &&
	    !resolve_is_empty_folder(folder)) {
		rc = err_set(err, ERR_USAGE,
		             "%s: is there already and holds something else than the demo: give "
		             "the name of a new folder",
		             folder);
	}
	strbuf_clear(&path);
	strbuf_printf(&path, "%s/traces", folder);
	rc = rc ? rc : make_folders(path.data, is_own ? 0700 : 0777, err);
	strbuf_free(&path);
	return rc;
}

int
demo_make(struct cli *cli, const char *folder, bool is_own, struct path_list *made, struct err *err)
{
	struct demo_making making = {cli, folder, false};

	if (take_folder(folder, is_own, &making.is_current, err) ||
	    (!making.is_current && write_made_by(folder, "not all is made yet\n", err))) {
		return -1;
	}
	for (size_t i = 0; i < COUNT_OF(demo_runs); i++) {
		if (make_run(&making, i, made, err)) {
			return -1;
		}
	}
	return making.is_current ? 0 : write_made_by(folder, made_by, err);
}
