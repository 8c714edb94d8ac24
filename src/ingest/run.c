/* An import as a whole: what it takes, that sources are read again where records stand twice, and
 * the run file. */
#include "config.h"
#include "ingest/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "util/budget.h"
#include "util/clock.h"
#include "util/mem.h"

#define QUEUE_BLOCKS 4
/* Kept before it is spilled, of a budget that has so many shares of it; more gains nothing. */
#define SPILL_BYTES ((size_t)8 << 20)
#define SPILL_SHARES 32
#define FINISH_BYTES ((size_t)48 << 20)
#define FINISH_SHARES 6
#define TEXT_SHARES 8

/* ---- all of it ---- */

static uint64_t
file_bytes(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

/* Bytes of all input files, 0 if one can't tell. held: only of these; NULL: of all. */
static uint64_t
input_bytes(const struct ingest_plan *plan, const bool *held)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < plan->n_paths; i++) {
		if (held && !held[i]) {
			continue;
		}
		uint64_t bytes = file_bytes(plan->paths[i]);
		if (bytes == 0 && strcmp(plan->paths[i], "-") == 0) {
			return 0;
		}
		sum += bytes;
	}
	return sum;
}

static void
tell_place(const struct run_place *place, struct ingest_summary *summary)
{
	summary->is_held = place->is_held;
	snprintf(summary->out_path, sizeof summary->out_path, "%s", place->path);
}

void
run_sum_up(const struct run *run, const char *path, struct ingest_summary *summary)
{
	*summary = (struct ingest_summary){.sources = run->n_sources,
	                                   .records = run->n_records,
	                                   .spans = run->n_rows[BLOCK_SPAN],
	                                   .events = run->n_rows[BLOCK_EVENT],
	                                   .counters = run->n_rows[BLOCK_COUNTER],
	                                   .tasks = run->n_tasks,
	                                   .transfers = run->n_transfers,
	                                   .problems = run->n_problems,
	                                   .bad_records = run->n_bad,
	                                   .raw_bytes = run->raw_bytes,
	                                   .plain_bytes = run->plain_bytes,
	                                   .run_bytes = file_bytes(path)};
	snprintf(summary->out_path, sizeof summary->out_path, "%s", path);
}

static void
init(struct run *run, const struct ingest_plan *plan, const struct ingest_options *options)
{
	char *folder = spill_folder(plan->out_path);

	run->plan = plan;
	run->options = options;
	run->n_sources = plan->n_paths;
	run->sources = xcalloc((size_t)plan->n_paths + 1, sizeof *run->sources);
	run->is_read = xcalloc((size_t)plan->n_paths + 1, sizeof *run->is_read);
	run->failed_source = UINT32_MAX;
	run->n_threads = options->n_threads ? options->n_threads : workers_count();
	run->spill = spill_new(folder, budget_share(SPILL_SHARES, SPILL_BYTES));
	run->texts = spill_new(folder, budget_share(TEXT_SHARES, SIZE_MAX));
	run->finish = finish_new(folder, budget_share(FINISH_SHARES, FINISH_BYTES));
	run->queue = queue_new(QUEUE_BLOCKS);
	run->run_tags.spill = run->run_problems.spill = run->spill;
	run->target = (struct source_target){.user = run,
	                                     .read_ahead = run->n_sources < run->n_threads,
	                                     .spill = run->spill,
	                                     .texts = run->texts,
	                                     .block = run_receive_block,
	                                     .pass = run_pass_block,
	                                     .tick = run_tick};
	pthread_mutex_init(&run->lock, NULL);
	merge_init(&run->merge, run->texts);
	free(folder);
}

/* Frees all that is known of the sources. */
static void
forget(struct run *run)
{
	for (uint32_t i = 0; run->sources && i < run->n_sources; i++) {
		if (!run->held || run->held[i]) { /* many parts hold few each */
			source_forget(&run->sources[i], run_format_of(run, i));
		}
	}
	spool_fini(&run->run_tags);
	spool_fini(&run->run_problems);
	merge_fini(&run->merge);
	finish_free(run->finish);
	spill_free(run->spill);
	spill_free(run->texts);
	free(run->sources);
	free(run->groups);
	free(run->group_hosts);
	free(run->is_flat);
	free(run->is_dense);
	free(run->task_ids);
	run->run_tags = run->run_problems = (struct spool){0};
	run->finish = NULL;
	run->spill = run->texts = NULL;
	run->sources = NULL;
	run->groups = run->group_hosts = run->task_ids = NULL;
	run->is_flat = run->is_dense = NULL;
	mem_give_back();
}

static void
fini(struct run *run)
{
	forget(run);
	place_fini(&run->place);
	pthread_mutex_destroy(&run->lock);
	queue_free(run->queue);
	free(run->is_read);
}

struct run *
run_new_part(const struct ingest_plan *plan, const char *path, const bool *held,
             const struct ingest_options *options, struct ingest_progress *progress)
{
	struct run *run = xcalloc(1, sizeof *run);
	struct ingest_plan beside = *plan; /* temporary files lie beside the part */

	run->format = import_find(plan->format);
	run->repeats = xcalloc(1, sizeof *run->repeats);
	run->progress = progress;
	run->held = held;
	beside.out_path = path;
	init(run, &beside, options);
	run->plan = plan;
	atomic_store(&progress->raw_total, input_bytes(plan, held));
	atomic_store(&progress->phase, INGEST_READING);
	return run;
}

void
run_free_part(struct run *run)
{
	atomic_store(&run->progress->phase, INGEST_DONE);
	free(run->repeats);
	fini(run);
	free(run);
}

/* A run of nothing, as nothing can be read or the user named the wrong format, is none. */
static int
check_sources(const struct run *run, struct err *err)
{
	const struct source *first = &run->sources[0];

	for (uint32_t i = 0; i < run->n_sources; i++) {
		if (!run->sources[i].is_foreign && !run->sources[i].is_lost) {
			return 0;
		}
	}
	if (first->is_lost) {
		*err = first->err;
		return -1;
	}
	return err_set(err, ERR_FORMAT,
	               "%s: no record of format %s in it%s%s%s: is it of another format?",
	               first->path, run->format->name, *first->first_reason ? " (" : "",
	               first->first_reason, *first->first_reason ? ")" : "");
}

/* Looks for records that stand twice, unless that was done, and tells of them. READ_AGAIN: there
 * are some to be passed over. */
#define READ_AGAIN 1

static int
find_repeats(struct run *run, struct err *err)
{
	struct import_options options = {.lenient = run->options->lenient,
	                                 .cancel = run->options->cancel};
	uint32_t n = run->n_sources - run->plan->n_beside;

	if (!run->repeats->any) {
		char *folder = spill_folder(run->plan->out_path);
		int result =
		    repeats_find(run->repeats, run->format, run->sources, n, &options, folder, err);
		free(folder);
		if (result != 0 || run->repeats->any) {
			return result ? result : READ_AGAIN;
		}
	}
	for (uint32_t i = 0; i < n; i++) {
		if (run->plan->must_compare && repeats_are_unread(run->repeats, i)) {
			return err_set(
			    err, ERR_USAGE,
			    "%s: records may stand twice in it and in another (ids of one "
			    "thread come again), and not all files are there as they were "
			    "imported, to compare them: import all together",
			    run->sources[i].path);
		}
		if (repeats_tell(run->repeats, run->sources, &run->sources[i], err)) {
			return -1;
		}
	}
	return 0;
}

/* The run file, of all that was read; the writer is gone then, whatever comes out. */
static int
finish(struct run *run, struct err *err)
{
	const struct mem_task task = {"while putting together the run file", run->plan->out_path,
	                              "import with fewer threads (--threads 1)"};
	struct writer_placing placing = {&run->place, place_instead};

	mem_set_task(&task, false);
	mem_give_back(); /* what the threads that read have freed */
	int result = run_conclude(run, err);
	if (result != 0) {
		writer_abort(run->writer);
	} else {
		forget(run); /* the file's totals take memory as well */
		result = writer_finish(run->writer, &placing, run->options->cancel, err);
	}
	mem_set_task(NULL, false);
	return result;
}

/* One reading of all sources, and the run. READ_AGAIN: it took another one, with what is in repeats
 * now. */
/* What a run is made of, with a format or a maker, and how. */
struct making {
	const struct ingest_plan *plan;
	const struct import_format *format;
	const struct ingest_maker *maker;
	const struct ingest_options *options;
	struct ingest_progress *progress;
	struct ingest_summary *summary; /* may be NULL */
};

static int
read_and_write(const struct making *making, struct repeats *repeats, struct err *err)
{
	const struct ingest_plan *plan = making->plan;
	struct ingest_summary *summary = making->summary;
	struct run run = {.format = making->format,
	                  .maker = making->maker,
	                  .repeats = repeats,
	                  .progress = making->progress};
	int result = -1;

	/* of a source that gave up records to others nothing is known by itself */
	run.keeps =
	    !run.maker && !repeats->any && (!run.format->free_facts || run.format->pack_facts);
	init(&run, plan, making->options);
	place_init(&run.place, plan, making->options, run.maker != NULL);
	atomic_store(&run.progress->raw_total, input_bytes(plan, NULL));
	atomic_store(&run.progress->phase, INGEST_READING);
	if (place_choose(&run.place, err)) {
		goto out;
	}
	if (run.place.is_held) {
		result = 0;
		if (summary) {
			*summary = (struct ingest_summary){.sources = plan->n_paths};
			tell_place(&run.place, summary);
		}
		goto out;
	}
	run.writer = writer_new(run.place.path, err);
	if (!run.writer) {
		goto out;
	}
	if (run_decode(&run, err) == 0 && check_sources(&run, err) == 0) {
		result = find_repeats(&run, err);
	}
	if (result != 0) {
		writer_abort(run.writer);
		goto out;
	}
	atomic_store(&run.progress->phase, INGEST_FINISHING);
	result = finish(&run, err);
	if (result == 0 && summary) {
		run_sum_up(&run, run.place.path, summary);
		tell_place(&run.place, summary);
	}
	atomic_store(&run.progress->phase, INGEST_DONE);
out:
	fini(&run);
	return result;
}

static int
make_run(struct making making, struct err *err)
{
	struct ingest_progress unseen = {0};
	struct repeats repeats = {0};
	int64_t start_ns = clock_ns();

	making.progress = making.progress ? making.progress : &unseen;
	int result = read_and_write(&making, &repeats, err);
	if (result == READ_AGAIN) {
		atomic_store(&making.progress->raw_bytes, 0);
		atomic_store(&making.progress->records, 0);
		atomic_store(&making.progress->problems, 0);
		if (making.progress->early) {
			early_reset(making.progress->early);
		}
		result = read_and_write(&making, &repeats, err);
	}
	repeats_fini(&repeats);
	if (result == 0 && making.summary) {
		making.summary->seconds = (double)(clock_ns() - start_ns) * 1e-9;
	}
	return result;
}

int
run_import(const struct ingest_plan *plan, const struct import_format *format,
           const struct ingest_options *options, struct ingest_progress *progress,
           struct ingest_summary *summary, struct err *err)
{
	return make_run((struct making){plan, format, NULL, options, progress, summary}, err);
}

int
ingest_make(const struct ingest_maker *maker, const struct ingest_options *options,
            struct ingest_summary *summary, struct err *err)
{
	const struct import_format format = {.name = maker->format};
	const char *path = maker->source;
	struct ingest_plan plan = {.format = maker->format,
	                           .name = options->name,
	                           .out_path = options->out,
	                           .paths = &path,
	                           .n_paths = 1};
	return make_run((struct making){&plan, &format, maker, options, NULL, summary}, err);
}

int
ingest_run(const struct ingest_plan *plan, const struct ingest_options *options,
           struct ingest_progress *progress, struct ingest_summary *summary, struct err *err)
{
	const struct import_format *format = import_find(plan->format);

	if (!format) {
		return err_set(err, ERR_USAGE, "%s: no such format", plan->format);
	}
	return run_import(plan, format, options, progress, summary, err);
}

bool
ingest_is_held(const struct ingest_plan *plan, const struct ingest_options *options)
{
	struct run_place place;
	struct err err = ERR_INIT;

	place_init(&place, plan, options, false);
	bool is_held = place_choose(&place, &err) == 0 && place.is_held;
	place_fini(&place);
	return is_held;
}
