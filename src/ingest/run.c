/*
 * Decoding threads take the sources in order; encoded blocks go through a short queue to the
 * calling thread, the only one that writes, source by source (in_order.c). What has to wait for the
 * last source (times from the run's start, codes of texts and lanes, ids) is small, or spilled, and
 * is done afterwards by the same thread.
 */
#include "config.h"
#include "ingest/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "ingest/in_order.h"
#include "util/budget.h"
#include "util/mem.h"
#include "util/order.h"

#define QUEUE_BLOCKS 4
/* Kept before it is spilled, of a budget that has so many shares of it; more gains nothing. */
#define SPILL_BYTES ((size_t)8 << 20)
#define SPILL_SHARES 32
#define FINISH_BYTES ((size_t)48 << 20)
#define FINISH_SHARES 6
#define TEXT_SHARES 8

/* Keeps the error of the earliest source; being stopped because of another one is none. */
static void
fail(struct run *run, uint32_t source, const struct err *err)
{
	pthread_mutex_lock(&run->lock);
	bool stopped = atomic_load(&run->stop) && err->code == ERR_CANCELLED;
	if (source < run->failed_source && !(stopped && run->failed_source != UINT32_MAX)) {
		run->failed_source = source;
		run->err = *err;
	}
	pthread_mutex_unlock(&run->lock);
	atomic_store(&run->stop, true);
	queue_close(run->queue);
}

/* ---- on decoding threads ---- */

static int
stopped(struct err *err)
{
	return err_set(err, ERR_CANCELLED, "cancelled");
}

static int
tick(void *user, uint64_t new_records, uint64_t new_problems, uint64_t new_raw_bytes,
     struct err *err)
{
	struct run *run = user;

	atomic_fetch_add_explicit(&run->progress->records, new_records, memory_order_relaxed);
	atomic_fetch_add_explicit(&run->progress->problems, new_problems, memory_order_relaxed);
	atomic_fetch_add_explicit(&run->progress->raw_bytes, new_raw_bytes, memory_order_relaxed);
	if (atomic_load_explicit(&run->stop, memory_order_relaxed) ||
	    cancel_requested(run->options->cancel)) {
		return stopped(err);
	}
	return 0;
}

/* Gives the columns their places in the file, and keeps what the end needs to know of the block. */
static int
keep_block(struct run *run, struct block *block, const struct span_key *keys, struct err *err)
{
	struct block_info *info = &block->info;
	struct source *source = &run->sources[info->source];
	struct kept_block kept = {.info = *info,
	                          .first_ordinal = block->first_ordinal,
	                          .has_ordinals = block->ordinals != NULL};

	for (uint32_t i = 0; i < info->n_columns; i++) {
		struct column_info *column = &info->columns[i];
		column->blob_id = column->blob_bytes
		                      ? writer_blob_id(info->source, info->kind, info->sequence, i)
		                      : 0;
		if (column->blob_bytes && column->blob_id == 0) {
			return err_set(err, ERR_LIMIT, "%s: too many sources or blocks in one run",
			               source->path);
		}
	}
	if (kept.has_ordinals &&
	    spill_add(run->spill, block->ordinals, info->n_rows * sizeof *block->ordinals,
	              &kept.ordinals, err)) {
		return -1;
	}
	kept.is_open = block->is_open;
	if (kept.is_open &&
	    spill_add(run->spill, keys, info->n_rows * sizeof *keys, &kept.keys, err)) {
		return -1;
	}
	kept.info.columns = xrealloc_array(NULL, info->n_columns, sizeof *info->columns);
	memcpy(kept.info.columns, info->columns, info->n_columns * sizeof *info->columns);
	source->blocks[info->kind] =
	    mem_grow(source->blocks[info->kind], &source->blocks_capacity[info->kind],
	             source->n_blocks[info->kind] + 1, sizeof kept);
	source->blocks[info->kind][source->n_blocks[info->kind]++] = kept;
	return 0;
}

static int
receive_block(void *user, struct block *block, const struct span_key *keys, struct err *err)
{
	struct run *run = user;
	const struct block_info *info = &block->info;

	if (keep_block(run, block, keys, err) ||
	    (keys && !block->is_open &&
	     finish_add(run->finish, info->source, info->sequence, keys, block->orders,
	                info->n_rows, err))) {
		block_free(block);
		return -1;
	}
	if (queue_put(run->queue, block)) {
		block_free(block);
		return stopped(err);
	}
	return 0;
}

/* Through the queue, behind its blocks, as one without rows. */
static void
end_source(struct run *run, uint32_t index)
{
	struct block *end = xcalloc(1, sizeof *end);

	end->info.source = index;
	if (queue_put(run->queue, end)) {
		block_free(end);
	}
}

/* Marks a source as read, and merges all that are next in order. */
static void
merge_what_is_read(struct run *run, uint32_t index)
{
	pthread_mutex_lock(&run->lock);
	run->is_read[index] = true;
	while (run->n_merged < run->n_sources && run->is_read[run->n_merged]) {
		merge_source(&run->merge, &run->sources[run->n_merged++]);
	}
	pthread_mutex_unlock(&run->lock);
}

/* The input that the planning opened; NULL: none. */
static struct input *
opened_input(const struct run *run, uint32_t index)
{
	struct opened_input *opened = run->plan->opened ? run->plan->opened[index] : NULL;
	struct input *input = opened ? opened->input : NULL;

	if (input) {
		opened->input = NULL;
	}
	return input;
}

static int
decode_source(struct run *run, uint32_t index, struct err *err)
{
	struct import_options options = {.lenient = run->options->lenient,
	                                 .cancel = run->options->cancel,
	                                 .folder_bytes = run->plan->folder_bytes};
	struct source *source = &run->sources[index];

	source_init(source, index, run->plan->paths[index], &run->target);
	if (index < run->repeats->n_sources) {
		options.omitted = run->repeats->sources[index].omitted;
	}
	if (run->plan->parts) {
		options.first_record = run->plan->parts[index].first;
		options.end_record = run->plan->parts[index].end;
	}
	if (run->maker) {
		return source_make(source, run->maker->told, run->maker->make, run->maker->user,
		                   err);
	}
	const struct import_format *format = index < run->n_sources - run->plan->n_beside
	                                         ? run->format
	                                         : import_find(run->plan->beside);
	source->is_forced = run->options->format && format == run->format;
	return source_read(source, format, &options, opened_input(run, index), err);
}

static int
decode(struct run *run, uint32_t index, struct err *err)
{
	const struct mem_task task = {"while reading", run->plan->paths[index],
	                              "import with fewer threads (--threads 1)"};

	if (cancel_requested(run->options->cancel)) {
		return stopped(err);
	}
	mem_set_task(&task, false);
	int result = decode_source(run, index, err);
	mem_set_task(NULL, false);
	return result;
}

static void *
decoder_main(void *user)
{
	struct run *run = user;

	while (!atomic_load(&run->stop)) {
		struct err err = ERR_INIT;
		uint32_t index = atomic_fetch_add(&run->next_source, 1);
		if (index >= run->n_sources) {
			break;
		}
		if (decode(run, index, &err)) {
			fail(run, index, &err);
			break;
		}
		end_source(run, index);
		merge_what_is_read(run, index);
	}
	if (atomic_fetch_sub(&run->n_decoding, 1) == 1) {
		queue_close(run->queue);
	}
	return NULL;
}

/* ---- on the calling thread ---- */

static int
write_block_bytes(void *user, const struct block *block, struct err *err)
{
	struct run *run = user;

	for (uint32_t i = 0; i < block->info.n_columns; i++) {
		const struct column_info *column = &block->info.columns[i];
		struct slice bytes = {block->bytes.data + block->offsets[i], column->blob_bytes};
		if (column->blob_id && writer_blob(run->writer, column->blob_id, bytes, err)) {
			return -1;
		}
	}
	return 0;
}

static int
take_block(struct in_order *order, struct block *block, struct err *err)
{
	uint32_t source = block->info.source;

	if (block->info.n_rows) {
		return in_order_add(order, block, err);
	}
	block_free(block);
	return in_order_end(order, source, err);
}

static void
write_queue(struct run *run, struct in_order *order)
{
	for (struct block *block; (block = queue_get(run->queue));) {
		struct err err = ERR_INIT;
		if (atomic_load(&run->stop)) {
			block_free(block);
		} else if (take_block(order, block, &err)) {
			fail(run, 0, &err);
		}
	}
}

static int
run_decode(struct run *run, struct err *err)
{
	unsigned n = LEAST(run->n_threads, run->n_sources);
	pthread_t *threads = xcalloc(n, sizeof *threads);
	unsigned n_started = 0;
	int failure = 0;
	struct in_order order = {.spill = run->spill,
	                         .n_sources = run->n_sources,
	                         .user = run,
	                         .write = write_block_bytes};

	atomic_store(&run->n_decoding, n);
	while (n_started < n) {
		failure = thread_start(&threads[n_started], decoder_main, run);
		if (failure) {
			break;
		}
		n_started++;
	}
	if (n_started == 0) {
		free(threads);
		return err_set_errno(err, failure, "can't start a thread");
	}
	/* Those that could not be started have nothing more to do. */
	if (n_started < n && atomic_fetch_sub(&run->n_decoding, n - n_started) == n - n_started) {
		queue_close(run->queue);
	}
	write_queue(run, &order);
	for (unsigned i = 0; i < n_started; i++) {
		pthread_join(threads[i], NULL);
	}
	write_queue(run, &order); /* what came in while a failure closed it */
	in_order_fini(&order);
	free(threads);
	if (atomic_load(&run->stop)) {
		*err = run->err;
		return -1;
	}
	return 0;
}

/* ---- all of it ---- */

static uint64_t
file_bytes(const char *path)
{
	struct stat status;
	return stat(path, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

/* Bytes of all input files, 0 if one can't tell. */
static uint64_t
input_bytes(const struct ingest_plan *plan)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < plan->n_paths; i++) {
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

static void
sum_up(const struct run *run, struct ingest_summary *summary)
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
	                                   .run_bytes = file_bytes(run->place.path)};
	tell_place(&run->place, summary);
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
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
	                                     .block = receive_block,
	                                     .tick = tick};
	pthread_mutex_init(&run->lock, NULL);
	merge_init(&run->merge, run->texts);
	free(folder);
}

/* Frees all that is known of the sources. */
static void
forget(struct run *run)
{
	for (uint32_t i = 0; run->sources && i < run->n_sources; i++) {
		if (run->sources[i].format_facts && run->format->free_facts) {
			run->format->free_facts(run->sources[i].format_facts);
		}
		source_fini(&run->sources[i]);
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
	free(run->task_ids);
	run->merge = (struct merge){0};
	run->run_tags = run->run_problems = (struct spool){0};
	run->finish = NULL;
	run->spill = run->texts = NULL;
	run->sources = NULL;
	run->groups = run->group_hosts = run->task_ids = NULL;
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

	init(&run, plan, making->options);
	place_init(&run.place, plan, making->options, run.maker != NULL);
	atomic_store(&run.progress->raw_total, input_bytes(plan));
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
		sum_up(&run, summary);
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
	double start = now();

	making.progress = making.progress ? making.progress : &unseen;
	int result = read_and_write(&making, &repeats, err);
	if (result == READ_AGAIN) {
		atomic_store(&making.progress->raw_bytes, 0);
		atomic_store(&making.progress->records, 0);
		atomic_store(&making.progress->problems, 0);
		result = read_and_write(&making, &repeats, err);
	}
	repeats_fini(&repeats);
	if (result == 0 && making.summary) {
		making.summary->seconds = now() - start;
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
