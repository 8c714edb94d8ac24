/*
 * Decoding threads take the sources in order; encoded blocks go through a short queue to the
 * calling thread, the only one that writes, source by source (in_order.c). What has to wait for the
 * last source (times from the run's start, codes of texts and lanes, ids) is small, or spilled, and
 * is done afterwards by the same thread.
 */
#include "config.h"
#include "ingest/run.h"

#include <stdlib.h>

#include "ingest/in_order.h"
#include "ingest/part.h"
#include "util/budget.h"
#include "util/clock.h"
#include "util/mem.h"
#include "util/order.h"

/* Decoders there may be where storage is far away, how much memory each takes, and how often is
 * looked whether they wait. */
#define WAITING_DECODERS 8
#define WAITING_DECODER_BYTES (INT64_C(32) << 20)
#define WAITS_LOOK_NS INT64_C(100000000)

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

static void *decoder_main(void *user);

/* One more decoder, if there is a thread for it: 0 or an errno. Under the lock, or while there are
 * none. */
static int
start_decoder(struct run *run)
{
	atomic_fetch_add(&run->n_decoding, 1);
	int failure = thread_start(&run->decoders[run->n_decoders], decoder_main, run);
	if (failure) {
		if (atomic_fetch_sub(&run->n_decoding, 1) ==
		    1) { /* the others have left meanwhile */
			queue_close(run->queue);
		}
	} else {
		run->n_decoders++;
	}
	return failure;
}

/* ---- on decoding threads ---- */

/* Who waits for storage that is far away needs no core: where decoders do so most of the time,
 * another one begins with the next source. */
static void
note_waiting(struct run *run, uint64_t waited_ns)
{
	pthread_mutex_lock(&run->lock);
	int64_t now_ns = clock_ns(), elapsed_ns = now_ns - run->waits.since_ns;
	run->waits.ns += waited_ns;
	if (elapsed_ns > WAITS_LOOK_NS) {
		double waiting = (double)run->waits.ns / (double)elapsed_ns; /* on average */
		if (waiting > atomic_load(&run->n_decoding) / 2.0 &&
		    run->n_decoders < run->decoders_most &&
		    atomic_load(&run->next_source) < run->n_sources) {
			(void)start_decoder(run);
		}
		run->waits = (struct waits){.since_ns = now_ns};
	}
	pthread_mutex_unlock(&run->lock);
}

static int
stopped(struct err *err)
{
	return err_set(err, ERR_CANCELLED, "cancelled");
}

int
run_tick(void *user, const struct source_tick *tick, struct err *err)
{
	struct run *run = user;
	struct ingest_progress *progress = run->progress;

	atomic_fetch_add_explicit(&progress->records, tick->records, memory_order_relaxed);
	atomic_fetch_add_explicit(&progress->problems, tick->problems, memory_order_relaxed);
	atomic_fetch_add_explicit(&progress->raw_bytes, tick->raw_bytes, memory_order_relaxed);
	if (tick->waited_ns) {
		note_waiting(run, tick->waited_ns);
	}
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
	                          .arrival = source->n_blocks[BLOCK_SPAN] +
	                                     source->n_blocks[BLOCK_EVENT] +
	                                     source->n_blocks[BLOCK_COUNTER],
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
	kept.has_orders = (run->held || run->keeps) && block->orders;
	if (kept.has_orders && spill_add(run->spill, block->orders,
	                                 info->n_rows * sizeof *block->orders, &kept.orders, err)) {
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

int
run_pass_block(void *user, struct block *block, const struct span_key *keys, struct err *err)
{
	struct run *run = user;
	const struct block_info *info = &block->info;

	if (keys && !block->is_open &&
	    finish_add(run->finish, info->source, info->sequence, keys, block->orders, info->n_rows,
	               err)) {
		block_free(block);
		return -1;
	}
	if (queue_put(run->queue, block)) {
		block_free(block);
		return stopped(err);
	}
	return 0;
}

int
run_receive_block(void *user, struct block *block, const struct span_key *keys, struct err *err)
{
	struct run *run = user;

	if (keep_block(run, block, keys, err)) {
		block_free(block);
		return -1;
	}
	/* a part has no finishing pass: the run that it becomes one of does */
	return run_pass_block(run, block, run->held ? NULL : keys, err);
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
	                                 .n_threads = MOST(run->n_threads / run->n_sources, 1),
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
	const struct import_format *format = run_format_of(run, index);
	if (run->plan->kept && run->plan->kept[index].part && !options.omitted) {
		return part_load_source(run, source, &run->plan->kept[index], format, err);
	}
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

static int
keep(struct run *run, uint32_t index, struct err *err)
{
	struct source *source = &run->sources[index];
	int status = decode(run, index, err) || part_keep_source(run, source, err);
	if (status == 0) { /* what is told of the part, as sources are gone then */
		pthread_mutex_lock(&run->lock);
		run_count(run, source);
		pthread_mutex_unlock(&run->lock);
	}
	source_forget(source, run_format_of(run, index));
	return status ? -1 : 0;
}

/* One of a run; before it is merged, what it has numbered is its own. */
static int
decode_and_keep(struct run *run, uint32_t index, struct err *err)
{
	return decode(run, index, err) ||
	               (run->keeps && part_keep_source(run, &run->sources[index], err))
	           ? -1
	           : 0;
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
		if (run->held && !run->held[index]) {
			continue;
		}
		if (run->held ? keep(run, index, &err) : decode_and_keep(run, index, &err)) {
			fail(run, index, &err);
			break;
		}
		end_source(run, index);
		if (!run->held) {
			merge_what_is_read(run, index);
		}
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

/* Where the user did not say how many threads, some more than cores may wait for storage: as many
 * as there is memory for. */
static unsigned
most_decoders(const struct run *run, unsigned n)
{
	if (run->options->n_threads || workers_are_told()) {
		return n;
	}
	unsigned room = (unsigned)LEAST(budget_bytes() / WAITING_DECODER_BYTES, WAITING_DECODERS);
	return MOST(n, LEAST(room, run->n_sources));
}

/* Also those that others start meanwhile. */
static void
join_decoders(struct run *run)
{
	pthread_mutex_lock(&run->lock);
	for (unsigned i = 0; i < run->n_decoders; i++) {
		pthread_mutex_unlock(&run->lock);
		pthread_join(run->decoders[i], NULL);
		pthread_mutex_lock(&run->lock);
	}
	pthread_mutex_unlock(&run->lock);
	free(run->decoders);
}

int
run_decode(struct run *run, struct err *err)
{
	unsigned n = LEAST(run->n_threads, run->n_sources);
	int failure = 0;
	struct in_order order = {.spill = run->spill,
	                         .n_sources = run->n_sources,
	                         .held = run->held,
	                         .user = run,
	                         .write = write_block_bytes};

	run->target.early = run->progress->early;
	run->decoders_most = most_decoders(run, n);
	MEM_NEW(run->decoders, run->decoders_most);
	pthread_mutex_lock(&run->lock);
	run->waits.since_ns = clock_ns();
	while (run->n_decoders < n && !failure) { /* fewer than wanted do, too */
		failure = start_decoder(run);
	}
	bool has_any = run->n_decoders > 0;
	pthread_mutex_unlock(&run->lock);
	if (!has_any) {
		free(run->decoders);
		return err_set_errno(err, failure, "can't start a thread");
	}
	write_queue(run, &order);
	join_decoders(run);
	write_queue(run, &order); /* what came in while a failure closed it */
	in_order_fini(&order);
	part_close_all(run);
	if (atomic_load(&run->stop)) {
		*err = run->err;
		return -1;
	}
	return 0;
}
