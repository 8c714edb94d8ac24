/*
 * Most of a large trace: whole events, many at once.
 *
 * What is at hand of the list is cut where an event begins, copied, and taken apart by whichever
 * thread is free, while this one gives the records of the batch before to the sink, in the order of
 * the file:
 *
 *     input -> cut -> [batch] [batch] [batch] -> take, in order -> sink
 *                      parse   parse   (this thread parses, too, where the next one is not taken)
 *
 * Where an event begins can't be told for sure without reading all before it, so the cut is a
 * guess: a brace behind "},", followed by the first key of the event that the batch begins with. It
 * is proved by the batch itself, whose last event must end before it. Where that is not so, or
 * where a batch holds what is no whole event (damage, the end of the list), the rest of the batch
 * and all batches behind it are put back, and the list is read on event by event, for at least as
 * many bytes as were parsed in vain: a file that is odd everywhere costs twice its time at most.
 *
 * So the records, the places of problems and all that follows from them depend neither on the
 * threads nor on the cuts. Batches are of what the input has at hand, some hundred KiB; of very
 * small events not all are kept at once.
 *
 * What limits: parsing is a quarter of the work, so more than two threads gain little. The one that
 * gives records to the sink has half of it (rows are gathered and encoded there), since codes and
 * ids follow the order of the file; the rest is reading, and what follows the last event.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdlib.h>

#include "util/ascii.h"
#include "util/order.h"
#include "util/workers.h"

#define BATCH_BYTES ((size_t)1 << 20) /* at most, but for the last of an input that fails */
#define BATCH_RECORDS 8192u           /* at once; the rest is parsed when these are taken */
#define HELPERS 3u                    /* more threads parse faster than one takes */
#define BATCHES (2 * (HELPERS + 1))
#define BATCHES_ALONE 4u /* before others are asked to help: small files need none */
#define KEY_BYTES 64u    /* of the brace, the blanks and the key that an event begins with */
#define LOOKED_BACK ((size_t)64 << 10)
#define READ_SINGLY ((size_t)16 << 10) /* after a cut was not found */

enum batch_state { CUT, BEGUN, PARSED };

struct batch {
	struct chrome_parser parser;
	char *bytes; /* then INPUT_PADDING zeroes; and as much room again */
	size_t n_bytes, capacity;
	uint64_t offset; /* of the first byte */
	struct chrome_record *records;
	size_t n_records, records_capacity;
	size_t end;   /* behind the last record, or all */
	bool is_more; /* more records than are kept at once */
	enum batch_state state;
};

struct chrome_batches {
	struct batch ring[BATCHES];
	unsigned n_used;   /* of them: 1 until others help */
	unsigned first, n; /* of those, which are cut */
	unsigned n_cut;    /* in all */
	bool is_failed;    /* the input is, with `failure` */
	struct err failure;

	pthread_mutex_t lock; /* of the states, and what is below */
	pthread_cond_t changed;
	bool is_closed;
	pthread_t helpers[HELPERS];
	unsigned n_helpers;
};

static struct batch *
batch_at(struct chrome_batches *batches, unsigned i)
{
	return &batches->ring[(batches->first + i) % batches->n_used];
}

/* ---- parsing, on any thread ---- */

/* The event at `at`; NULL: it is none, or not whole. */
static const char *
parse_event(struct batch *batch, const char *at, const char *limit, struct chrome_record *record)
{
	struct chrome_parser *parser = &batch->parser;
	const char *end = chrome_parse_plain(parser, at, limit, record);

	if (!end) {
		json_begin(&parser->json, (struct slice){at, (size_t)(limit - at)},
		           CHROME_JSON_FLAGS);
		if (!chrome_parse_record(parser, record)) {
			return NULL;
		}
		end = at + json_offset(&parser->json);
	}
	record->at = (size_t)(at - batch->bytes);
	return end;
}

/* From batch->end on. */
static void
parse(struct batch *batch)
{
	const char *at = batch->bytes + batch->end, *limit = batch->bytes + batch->n_bytes;

	chrome_parser_clear(&batch->parser);
	chrome_repeats_clear(&batch->parser.repeats);
	batch->parser.room = batch->bytes + batch->capacity + INPUT_PADDING;
	batch->n_records = 0;
	batch->is_more = false;
	while (at && !batch->is_more) {
		while (is_blank(*at) || *at == ',') {
			at++;
		}
		if (at == limit) {
			batch->end = batch->n_bytes;
			return;
		}
		MEM_GROW(batch->records, batch->records_capacity, batch->n_records + 1);
		at = *at == '{' ? parse_event(batch, at, limit, &batch->records[batch->n_records])
		                : NULL;
		if (at) {
			batch->n_records++;
			batch->end = (size_t)(at - batch->bytes);
			batch->is_more = batch->n_records == BATCH_RECORDS;
		}
	}
}

/* The first batch that nobody has begun with; NULL: there is none. */
static struct batch *
next_cut(struct chrome_batches *batches)
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
parse_unlocked(struct chrome_batches *batches, struct batch *batch)
{
	batch->state = BEGUN;
	pthread_mutex_unlock(&batches->lock);
	parse(batch);
	pthread_mutex_lock(&batches->lock);
	batch->state = PARSED;
	pthread_cond_broadcast(&batches->changed);
}

/* With the lock held. */
static void
work_or_wait(struct chrome_batches *batches)
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
	struct chrome_batches *batches = user;

	pthread_mutex_lock(&batches->lock);
	while (!batches->is_closed) {
		work_or_wait(batches);
	}
	pthread_mutex_unlock(&batches->lock);
	return NULL;
}

/* ---- cutting ---- */

/* What the event that begins at the next brace begins with, to behind its first key; empty: it is
 * no event, or begins in another way than they do. *at: where. */
static struct slice
first_key(struct slice bytes, size_t *at)
{
	size_t i = 0;

	while (i < bytes.len && (is_blank(bytes.ptr[i]) || bytes.ptr[i] == ',')) {
		i++;
	}
	*at = i;
	struct slice rest = slice_from(bytes, i);
	rest.len = LEAST(rest.len, KEY_BYTES);
	const char *quote = rest.len && *rest.ptr == '{' ? memchr(rest.ptr, '"', rest.len) : NULL;
	size_t before = quote ? (size_t)(quote + 1 - rest.ptr) : rest.len;
	const char *end = memchr(rest.ptr + before, '"', rest.len - before);
	return (struct slice){rest.ptr, end ? (size_t)(end + 1 - rest.ptr) : 0};
}

/* Does "},", blanks apart, stand before `at`? */
static bool
is_behind_event(struct slice bytes, size_t at)
{
	static const char signs[] = ",}";

	for (size_t i = 0; i < sizeof signs - 1; i++) {
		while (at > 0 && is_blank(bytes.ptr[at - 1])) {
			at--;
		}
		if (at == 0 || bytes.ptr[--at] != signs[i]) {
			return false;
		}
	}
	return true;
}

/* Where the last event begins that begins as the first one does; 0: there is none but that. */
static size_t
find_cut(struct slice bytes)
{
	size_t first;
	struct slice key = first_key(bytes, &first);

	if (key.len == 0 || bytes.len < key.len) {
		return 0;
	}
	size_t last = LEAST(bytes.len, BATCH_BYTES) - key.len;
	size_t down_to = MOST(first, last > LOOKED_BACK ? last - LOOKED_BACK : 0);
	for (size_t at = last; at > down_to; at--) {
		if (bytes.ptr[at] == '{' && memcmp(bytes.ptr + at, key.ptr, key.len) == 0 &&
		    is_behind_event(bytes, at)) {
			return at;
		}
	}
	return 0;
}

/* The first n of the bytes at hand as a batch. */
static void
cut(struct chrome_reader *reader, struct slice bytes, size_t n)
{
	struct chrome_batches *batches = reader->batches;
	struct batch *batch = batch_at(batches, batches->n);

	if (batch->capacity < n) {
		batch->capacity = n + n / 4;
		free(batch->bytes);
		batch->bytes = xmalloc(2 * (batch->capacity + INPUT_PADDING));
	}
	if (!batch->parser.texts) {
		batch->parser.texts = arena_new();
	}
	memcpy(batch->bytes, bytes.ptr, n);
	memset(batch->bytes + n, 0, INPUT_PADDING);
	batch->n_bytes = n;
	batch->end = 0;
	batch->offset = input_offset(reader->input);
	input_consume(reader->input, n);
	pthread_mutex_lock(&batches->lock);
	batch->state = CUT;
	batches->n++;
	pthread_cond_broadcast(&batches->changed);
	pthread_mutex_unlock(&batches->lock);
	batches->n_cut++;
}

/* The next batch, if there is one: false if not. */
static bool
cut_next(struct chrome_reader *reader)
{
	struct chrome_batches *batches = reader->batches;
	size_t n = 0;
	struct slice bytes = {"", 0};

	while (!batches->is_failed && n == 0 && bytes.len < BATCH_BYTES) {
		size_t before = bytes.len;
		int more = input_fill(reader->input, before + 1, &bytes, &batches->failure);
		batches->is_failed = more < 0;
		if (more <= 0 || bytes.len == before) {
			break;
		}
		n = find_cut(bytes);
	}
	n = batches->is_failed ? bytes.len : n; /* what stands before the failure is not lost */
	if (n > 0) {
		cut(reader, bytes, n);
	}
	return n > 0;
}

/* ---- taking ---- */

static void
ask_for_help(struct chrome_batches *batches, unsigned n_threads)
{
	pthread_mutex_lock(&batches->lock); /* the first of one batch stays the first */
	while (batches->n_helpers < HELPERS && batches->n_helpers + 1 < n_threads &&
	       thread_start(&batches->helpers[batches->n_helpers], helper_main, batches) == 0) {
		batches->n_helpers++;
	}
	batches->n_used = batches->n_helpers ? 2 * (batches->n_helpers + 1) : 1;
	pthread_mutex_unlock(&batches->lock);
}

/* Waits for the first batch; meanwhile parses what there is. */
static struct batch *
wait_for_first(struct chrome_batches *batches)
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
drop_first(struct chrome_batches *batches)
{
	pthread_mutex_lock(&batches->lock);
	batches->first = (batches->first + 1) % batches->n_used;
	batches->n--;
	pthread_mutex_unlock(&batches->lock);
}

static int
take_records(struct chrome_reader *reader, struct batch *batch, bool are_samples)
{
	int result = 0;

	chrome_known_clear(&reader->known);
	for (size_t i = 0; i < batch->n_records && result == 0; i++) {
		struct chrome_record *record = &batch->records[i];
		result = chrome_take(reader, &batch->parser, record, batch->offset + record->at,
		                     are_samples);
	}
	return result;
}

static int
take_batch(struct chrome_reader *reader, struct batch *batch, bool are_samples)
{
	int result = take_records(reader, batch, are_samples);

	while (result == 0 && batch->is_more) {
		parse(batch);
		result = take_records(reader, batch, are_samples);
	}
	return result;
}

/* The rest of the first batch, and all others, whether they are parsed or not. */
static void
put_back(struct chrome_reader *reader)
{
	struct chrome_batches *batches = reader->batches;
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
		input_put_back(reader->input, strbuf_slice(&rest));
	}
	reader->batches_from = input_offset(reader->input) + MOST(rest.len, READ_SINGLY);
	strbuf_free(&rest);
}

static struct chrome_batches *
batches_new(void)
{
	struct chrome_batches *batches = xcalloc(1, sizeof *batches);

	batches->failure = (struct err)ERR_INIT;
	batches->n_used = 1;
	pthread_mutex_init(&batches->lock, NULL);
	pthread_cond_init(&batches->changed, NULL);
	return batches;
}

int
chrome_read_batches(struct chrome_reader *reader, bool are_samples)
{
	int result = 0;

	if (reader->n_threads == 0 || input_offset(reader->input) < reader->batches_from) {
		return 0;
	}
	reader->batches = reader->batches ? reader->batches : batches_new();
	struct chrome_batches *batches = reader->batches;
	bool is_whole = true;
	while (is_whole && result == 0) {
		while (batches->n < batches->n_used && cut_next(reader)) {
		}
		if (batches->n == 0) {
			break;
		}
		if (batches->n_cut == BATCHES_ALONE) {
			ask_for_help(batches, reader->n_threads);
		}
		struct batch *batch = wait_for_first(batches);
		result = take_batch(reader, batch, are_samples);
		is_whole = batch->end == batch->n_bytes;
		if (is_whole) {
			drop_first(batches);
		}
	}
	if (result == 0) {
		put_back(reader);
	}
	if (result == 0 && batches->is_failed) {
		*reader->err = batches->failure;
		return -1;
	}
	return result;
}

void
chrome_batches_free(struct chrome_batches *batches)
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
		chrome_parser_fini(&batches->ring[i].parser);
		free(batches->ring[i].bytes);
		free(batches->ring[i].records);
	}
	pthread_mutex_destroy(&batches->lock);
	pthread_cond_destroy(&batches->changed);
	free(batches);
}
