/*
 * The loop: a ring of slots, each with room for one block's bytes.
 *
 * The calling thread fills free slots in block order and workers take the oldest filled one. When
 * no slot is free the caller scans a block itself, so fetching and scanning keep all threads busy
 * whichever is slower. Slots are given back in block order; that is where `merge` is called, and
 * what makes results that depend on order (sums of reals) the same for any number of threads.
 */
#include "config.h"
#include "column/scan/blockloop.h"

#include <pthread.h>
#include <stdlib.h>

#include "column/scan/block_decoder.h"
#include "column/scan/filter.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define MAX_THREADS 256u

enum slot_state { SLOT_FREE, SLOT_READY, SLOT_RUNNING, SLOT_DONE };

struct slot {
	enum slot_state state;
	struct block_bytes bytes;
};

struct loop_run {
	const struct block_loop *loop;
	pthread_mutex_t lock;
	pthread_cond_t work, done;
	struct slot *slots; /* a ring: issued ... filled - 1 are in use, in block order */
	unsigned n_slots;
	size_t issued, taken, given_back; /* counts since the start */
	size_t end;                       /* of what the loop goes over */
	bool is_closed;
	struct block_decoder sifter;
	int status; /* first nonzero of the callbacks */
	size_t failed_block;
	struct err err;
};

struct worker {
	struct loop_run *run;
	struct block_decoder decoder;
	pthread_t thread;
};

unsigned
block_loop_threads(const struct block_loop *loop)
{
	unsigned n = loop->n_threads ? loop->n_threads : loop->dataset->n_threads;

	n = n ? n : workers_count();
	return LEAST(MAX_THREADS, n);
}

unsigned
block_loop_slots(const struct block_loop *loop)
{
	unsigned n_threads = block_loop_threads(loop);
	return n_threads == 1 ? 1 : n_threads * 2;
}

/* With the lock held. */
static void
note_failure(struct loop_run *run, int status, size_t block, const struct err *err)
{
	if (run->status == 0 || block < run->failed_block) {
		run->status = status;
		run->failed_block = block;
		run->err = *err;
	}
}

static void
scan_slot(struct loop_run *run, struct block_decoder *decoder, unsigned index)
{
	const struct block_loop *loop = run->loop;
	struct slot *slot = &run->slots[index];
	struct err err = ERR_INIT;

	int status = block_decoder_open(decoder, loop->fields, &slot->bytes, loop->fields->n, &err);
	if (status == 0) {
		status = loop->scan(loop->user, &decoder->view, index, &err);
	}
	if (status >= 0 && block_decoder_check(decoder, &err)) {
		status = -1;
	}
	pthread_mutex_lock(&run->lock);
	slot->state = SLOT_DONE;
	if (status != 0) {
		note_failure(run, status, slot->bytes.index, &err);
	}
	pthread_cond_signal(&run->done);
	pthread_mutex_unlock(&run->lock);
}

/* With the lock held: the oldest filled slot, or false. */
static bool
take_ready(struct loop_run *run, unsigned *index)
{
	if (run->taken == run->issued || run->status != 0) {
		return false;
	}
	*index = (unsigned)(run->taken++ % run->n_slots);
	run->slots[*index].state = SLOT_RUNNING;
	return true;
}

static void *
worker_main(void *argument)
{
	struct worker *worker = argument;
	struct loop_run *run = worker->run;
	unsigned index;

	for (;;) {
		pthread_mutex_lock(&run->lock);
		while (!run->is_closed && !take_ready(run, &index)) {
			pthread_cond_wait(&run->work, &run->lock);
		}
		if (run->is_closed) {
			pthread_mutex_unlock(&run->lock);
			return NULL;
		}
		pthread_mutex_unlock(&run->lock);
		scan_slot(run, &worker->decoder, index);
	}
}

/* Gives finished slots back, oldest first. */
static int
give_back(struct loop_run *run, struct err *err)
{
	const struct block_loop *loop = run->loop;
	int status = 0;

	while (run->given_back < run->issued && status == 0) {
		struct slot *slot = &run->slots[run->given_back % run->n_slots];
		pthread_mutex_lock(&run->lock);
		bool is_done = slot->state == SLOT_DONE &&
		               (run->status == 0 || slot->bytes.index < run->failed_block);
		pthread_mutex_unlock(&run->lock);
		if (!is_done) {
			break;
		}
		if (loop->merge) {
			status = loop->merge(loop->user, slot->bytes.info,
			                     (unsigned)(run->given_back % run->n_slots), err);
		}
		slot->state = SLOT_FREE;
		run->given_back++;
	}
	return status;
}

/* Do its filters leave the block? By its description, or if given by its first columns. */
static bool
may_match(const struct block_loop *loop, const struct block_info *info, struct block_view *view)
{
	bool may = loop->n_filters == 0;

	for (unsigned i = 0; i < loop->n_filters; i++) {
		may |= (view ? filter_open(loop->filters[i], view)
		             : filter_prune(loop->filters[i], info)) != FILTER_NONE;
	}
	return may;
}

/* Does the block turn out to be unwanted by the first of its columns? 1, 0, -1. */
static int
sift(struct loop_run *run, const struct block_bytes *bytes, struct err *err)
{
	const struct block_loop *loop = run->loop;

	if (block_decoder_open(&run->sifter, loop->fields, bytes, loop->n_sift, err)) {
		return -1;
	}
	return !may_match(loop, NULL, &run->sifter.view);
}

static int
issue(struct loop_run *run, size_t block, struct err *err)
{
	const struct block_loop *loop = run->loop;
	struct slot *slot = &run->slots[run->issued % run->n_slots];
	const struct block_info *info = &loop->dataset->blocks[loop->kind][block];

	if (block_bytes_begin(&slot->bytes, loop->fields, info, block, err)) {
		return -1;
	}
	if (loop->n_sift > 0) {
		int status =
		    block_bytes_fetch(&slot->bytes, loop->dataset, loop->fields, loop->n_sift, err);
		status = status == 0 ? sift(run, &slot->bytes, err) : status;
		if (status != 0) {
			return status < 0 ? -1 : 0;
		}
	}
	if (block_bytes_fetch(&slot->bytes, loop->dataset, loop->fields, loop->fields->n, err) <
	    0) {
		return -1;
	}
	pthread_mutex_lock(&run->lock);
	slot->state = SLOT_READY;
	run->issued++;
	pthread_cond_signal(&run->work);
	pthread_mutex_unlock(&run->lock);
	return 0;
}

/* Nothing to fetch for now: scans a block, or waits for one to be done. */
static void
help(struct loop_run *run, struct block_decoder *decoder)
{
	unsigned index;
	struct slot *oldest = &run->slots[run->given_back % run->n_slots];

	pthread_mutex_lock(&run->lock);
	bool has_taken = take_ready(run, &index);
	while (!has_taken && oldest->state == SLOT_RUNNING && run->status == 0) {
		pthread_cond_wait(&run->done, &run->lock);
	}
	pthread_mutex_unlock(&run->lock);
	if (has_taken) {
		scan_slot(run, decoder, index);
	}
}

/* Fetches the next block that is wanted, if there is one. */
static int
issue_next(struct loop_run *run, size_t *next, struct err *err)
{
	const struct block_loop *loop = run->loop;

	while (*next < run->end) {
		size_t block = loop->order ? loop->order[*next] : *next;
		++*next;
		const struct block_info *info = &loop->dataset->blocks[loop->kind][block];
		if (may_match(loop, info, NULL) &&
		    (!loop->wanted || loop->wanted(loop->user, info))) {
			return issue(run, block, err);
		}
		if (cancel_requested(loop->cancel)) {
			return 0;
		}
	}
	return 0;
}

static int
run_blocks(struct loop_run *run, struct block_decoder *decoder, struct err *err)
{
	for (size_t next = run->loop->first; next < run->end || run->given_back < run->issued;) {
		if (cancel_check(run->loop->cancel, err)) {
			return -1;
		}
		int status = give_back(run, err);
		if (status != 0) {
			return status;
		}
		pthread_mutex_lock(&run->lock);
		bool has_failed = run->status != 0;
		pthread_mutex_unlock(&run->lock);
		if (has_failed) {
			return 0;
		}
		if (next < run->end && run->issued - run->given_back < run->n_slots) {
			if (issue_next(run, &next, err) < 0) {
				return -1;
			}
		} else if (run->given_back < run->issued) {
			help(run, decoder);
		}
	}
	return 0;
}

static int
run_threads(struct loop_run *run, struct err *err)
{
	const struct block_loop *loop = run->loop;
	unsigned n_threads = block_loop_threads(loop);
	size_t n_blocks = run->end - loop->first;
	n_threads = n_blocks < n_threads ? (unsigned)n_blocks : n_threads;
	struct worker *workers = xcalloc(n_threads, sizeof *workers);
	unsigned n_started = 1; /* thread 0 is the caller */

	for (unsigned i = 0; i < n_threads; i++) {
		workers[i].run = run;
		block_decoder_init(&workers[i].decoder, loop->dataset, loop->fields, i);
	}
	while (n_started < n_threads &&
	       thread_start(&workers[n_started].thread, worker_main, &workers[n_started]) == 0) {
		n_started++; /* with fewer than wished it only takes longer */
	}
	int status = run_blocks(run, &workers[0].decoder, err);
	pthread_mutex_lock(&run->lock);
	run->is_closed = true;
	pthread_cond_broadcast(&run->work);
	pthread_mutex_unlock(&run->lock);
	for (unsigned i = 1; i < n_started; i++) {
		pthread_join(workers[i].thread, NULL);
	}
	for (unsigned i = 0; i < n_threads; i++) {
		block_decoder_fini(&workers[i].decoder);
	}
	free(workers);
	if (status == 0 && run->status != 0) {
		*err = run->err;
		status = run->status;
	}
	return status;
}

void
block_room_free(struct block_room *room)
{
	for (unsigned i = 0; i < room->n; i++) {
		block_bytes_free(&room->slots[i].bytes);
	}
	free(room->slots);
	*room = (struct block_room){0};
}

/* All its slots are free again. */
static void
room_prepare(struct block_room *room, unsigned n)
{
	if (room->n != n) {
		block_room_free(room);
		MEM_NEW(room->slots, n);
		room->n = n;
	}
	for (unsigned i = 0; i < n; i++) {
		room->slots[i].state = SLOT_FREE;
	}
}

int
block_loop_run(const struct block_loop *loop, struct err *err)
{
	struct loop_run run = {.loop = loop, .n_slots = block_loop_slots(loop)};
	struct block_room own = {NULL, 0}, *room = loop->room ? loop->room : &own;
	size_t n_blocks = loop->dataset->n_blocks[loop->kind];

	run.end = LEAST(loop->end, n_blocks);
	if (loop->first >= run.end) {
		return 0;
	}
	pthread_mutex_init(&run.lock, NULL);
	pthread_cond_init(&run.work, NULL);
	pthread_cond_init(&run.done, NULL);
	room_prepare(room, run.n_slots);
	run.slots = room->slots;
	block_decoder_init(&run.sifter, loop->dataset, loop->fields, 0);
	int status = run_threads(&run, err);
	dataset_fetched(loop->dataset);
	block_room_free(&own);
	block_decoder_fini(&run.sifter);
	pthread_cond_destroy(&run.done);
	pthread_cond_destroy(&run.work);
	pthread_mutex_destroy(&run.lock);
	return status;
}
