/*
 * What is at hand of the input is cut where a record ends, copied, and taken apart by whichever
 * thread is free, while this one gives the records of the batch before to the sink, in the order of
 * the file:
 *
 *     input -> cut -> [batch] [batch] [batch] -> take, in order -> sink
 *                      parse   parse   (this thread parses, too, where the next one is not taken)
 *
 * The cut may be a guess. It is proved by the batch itself, whose last record must end with it.
 * Where that is not so, or where a batch holds what is no whole record (damage, the end of a list),
 * the rest of the batch and all batches behind it are put back, and the input is read on record by
 * record, for at least as many bytes as were parsed in vain: a file that is odd everywhere costs
 * twice its time at most.
 *
 * So the records, the places of problems and all that follows from them depend neither on the
 * threads nor on the cuts. Batches are of what the input has at hand, some hundred KiB; of very
 * small records not all are kept at once.
 *
 * What limits: parsing is a quarter to a third of the work, so more than two threads gain little.
 * The one that gives records to the sink has half of it (rows are gathered and encoded there),
 * since codes and ids follow the order of the file; the rest is reading, and what follows the last
 * record.
 */
#include "config.h"
#include "import/batches.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"
#include "util/workers.h"

#define HELPERS 3u /* more threads parse faster than one takes */
#define BATCHES (2 * (HELPERS + 1))
#define BATCHES_ALONE 4u               /* before others are asked to help: small files need none */
#define READ_SINGLY ((size_t)16 << 10) /* after a cut was not found */

enum batch_state { CUT, BEGUN, PARSED };

struct batches {
	const struct batch_format *format;
	void *user;
	unsigned n_threads;
	struct batch ring[BATCHES];
	unsigned n_used;   /* of them: 1 until others help */
	unsigned first, n; /* of those, which are cut */
	unsigned n_cut;    /* in all */
	uint64_t from;     /* offset from which on they may be tried */
	bool is_failed;    /* the input is, with `failure` */
	struct err failure;

	pthread_mutex_t lock; /* of the states, and what is below */
	pthread_cond_t changed;
	bool is_closed;
	pthread_t helpers[HELPERS];
	unsigned n_helpers;
};

static struct batch *
batch_at(struct batches *batches, unsigned i)
{
	return &batches->ring[(batches->first + i) % batches->n_used];
}

/* ---- parsing, on any thread ---- */

/* The first batch that nobody has begun with; NULL: there is none. */
static struct batch *
next_cut(struct batches *batches)
{
	for (unsigned i = 0; i < batches->n; i++) {
		if (batch_at(batches, i)->state == CUT) {
			return batch_at(batches, i);
		}
	}
	return NULL;
}

/* Parses a batch, with the lock held before and afterwards. */
static void
parse_unlocked(struct batches *batches, struct batch *batch)
{
	batch->state = BEGUN;
	pthread_mutex_unlock(&batches->lock);
	batches->format->parse(batch);
	pthread_mutex_lock(&batches->lock);
	batch->state = PARSED;
	pthread_cond_broadcast(&batches->changed);
}

/* With the lock held. */
static void
work_or_wait(struct batches *batches)
{
	struct batch *batch = next_cut(batches);

	if (batch) {
		parse_unlocked(batches, batch);
	} else {
		pthread_cond_wait(&batches->changed, &batches->lock);
	}
}

static void *
helper_main(void *user)
{
	struct batches *batches = user;

	pthread_mutex_lock(&batches->lock);
	while (!batches->is_closed) {
		work_or_wait(batches);
	}
	pthread_mutex_unlock(&batches->lock);
	return NULL;
}

/* ---- cutting ---- */

/* The first n of the bytes at hand as a batch. */
static void
cut(struct batches *batches, struct input *input, struct slice bytes, size_t n)
{
	struct batch *batch = batch_at(batches, batches->n);

	if (batch->capacity < n) {
		batch->capacity = n + n / 4;
		free(batch->bytes);
		batch->bytes = xmalloc(batch->capacity + INPUT_PADDING);
	}
	if (!batch->parsed) {
		batch->parsed = batches->format->parsed_new(batches->user);
	}
	memcpy(batch->bytes, bytes.ptr, n);
	memset(batch->bytes + n, 0, INPUT_PADDING);
	batch->n_bytes = n;
	batch->end = 0;
	batch->offset = input_offset(input);
	input_consume(input, n);
	pthread_mutex_lock(&batches->lock);
	batch->state = CUT;
	batches->n++;
	pthread_cond_broadcast(&batches->changed);
	pthread_mutex_unlock(&batches->lock);
	batches->n_cut++;
}

/* What is left at hand, which may stand elsewhere than before the input failed. */
static struct slice
at_hand(struct input *input)
{
	struct slice bytes = {"", 0};
	struct err ignored = ERR_INIT;

	(void)input_fill(input, 1, &bytes, &ignored);
	return bytes;
}

/* The next batch, if there is one: false if not. */
static bool
cut_next(struct batches *batches, struct input *input)
{
	size_t n = 0;
	struct slice bytes = {"", 0};

	while (!batches->is_failed && n == 0 && bytes.len < BATCH_BYTES) {
		size_t before = bytes.len;
		int more = input_fill(input, before + 1, &bytes, &batches->failure);
		batches->is_failed = more < 0;
		if (more <= 0 || bytes.len == before) {
			break;
		}
		n = batches->format->cut(bytes);
	}
	if (batches->is_failed && bytes.len > 0) { /* what stands before that is not lost */
		bytes = at_hand(input);
		n = bytes.len;
	}
	if (n > 0) {
		cut(batches, input, bytes, n);
	}
	return n > 0;
}

/* ---- taking ---- */

static void
ask_for_help(struct batches *batches)
{
	pthread_mutex_lock(&batches->lock); /* the first of one batch stays the first */
	while (batches->n_helpers < HELPERS && batches->n_helpers + 1 < batches->n_threads &&
	       thread_start(&batches->helpers[batches->n_helpers], helper_main, batches) == 0) {
		batches->n_helpers++;
	}
	batches->n_used = batches->n_helpers ? 2 * (batches->n_helpers + 1) : 1;
	pthread_mutex_unlock(&batches->lock);
}

/* Waits for the first batch; meanwhile parses what there is. */
static struct batch *
wait_for_first(struct batches *batches)
{
	struct batch *first = batch_at(batches, 0);

	pthread_mutex_lock(&batches->lock);
	while (first->state != PARSED) {
		work_or_wait(batches);
	}
	pthread_mutex_unlock(&batches->lock);
	return first;
}

static void
drop_first(struct batches *batches)
{
	pthread_mutex_lock(&batches->lock);
	batches->first = (batches->first + 1) % batches->n_used;
	batches->n--;
	pthread_mutex_unlock(&batches->lock);
}

static int
take_batch(struct batches *batches, struct batch *batch)
{
	int result = batches->format->take(batches->user, batch);

	while (result == 0 && batch->is_more) {
		batches->format->parse(batch);
		result = batches->format->take(batches->user, batch);
	}
	return result;
}

/* The rest of the first batch, and all others, whether they are parsed or not. */
static void
put_back(struct batches *batches, struct input *input)
{
	struct strbuf rest = {0};
	size_t from = batch_at(batches, 0)->end;

	pthread_mutex_lock(&batches->lock);
	for (struct batch *batch; (batch = next_cut(batches));) {
		batch->state = PARSED; /* is not needed */
	}
	pthread_mutex_unlock(&batches->lock);
	while (batches->n > 0) {
		const struct batch *batch = wait_for_first(batches);
		strbuf_add(&rest, batch->bytes + from, batch->n_bytes - from);
		from = 0;
		drop_first(batches);
	}
	if (rest.len > 0) {
		input_put_back(input, strbuf_slice(&rest));
	}
	batches->from = input_offset(input) + MOST(rest.len, READ_SINGLY);
	strbuf_free(&rest);
}

struct batches *
batches_new(const struct batch_format *format, unsigned n_threads, void *user)
{
	struct batches *batches = xcalloc(1, sizeof *batches);

	batches->format = format;
	batches->n_threads = n_threads;
	batches->user = user;
	batches->failure = (struct err)ERR_INIT;
	batches->n_used = 1;
	pthread_mutex_init(&batches->lock, NULL);
	pthread_cond_init(&batches->changed, NULL);
	return batches;
}

int
batches_read(struct batches *batches, struct input *input, struct err *err)
{
	int result = 0;
	bool is_whole = input_offset(input) >= batches->from;

	if (!is_whole) {
		return 0;
	}
	while (is_whole && result == 0) {
		while (batches->n < batches->n_used && cut_next(batches, input)) {
		}
		if (batches->n == 0) {
			break;
		}
		if (batches->n_cut == BATCHES_ALONE) {
			ask_for_help(batches);
		}
		struct batch *batch = wait_for_first(batches);
		result = take_batch(batches, batch);
		is_whole = batch->end == batch->n_bytes;
		if (is_whole) {
			drop_first(batches);
		}
	}
	if (result == 0) {
		put_back(batches, input);
	}
	if (result == 0 && batches->is_failed) {
		*err = batches->failure;
		return -1;
	}
	return result;
}

void
batches_free(struct batches *batches)
{
	if (!batches) {
		return;
	}
	pthread_mutex_lock(&batches->lock);
	batches->is_closed = true;
	pthread_cond_broadcast(&batches->changed);
	pthread_mutex_unlock(&batches->lock);
	for (unsigned i = 0; i < batches->n_helpers; i++) {
		pthread_join(batches->helpers[i], NULL);
	}
	for (unsigned i = 0; i < BATCHES; i++) {
		if (batches->ring[i].parsed) {
			batches->format->parsed_free(batches->ring[i].parsed);
		}
		free(batches->ring[i].bytes);
	}
	pthread_mutex_destroy(&batches->lock);
	pthread_cond_destroy(&batches->changed);
	free(batches);
}
