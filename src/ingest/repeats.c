/*
 * Formats whose records have ids say, once all sources are read, where some may stand twice: where
 * the ids of a process in one source meet those in another, or go back. Nearly always nowhere, and
 * then nothing is done.
 *
 * Else these sources are read once more, for keys: process, id, a hash of times and name, and where
 * the record stands. Keys are thrown into buckets by process and id, which are spilled, so that
 * each can be sorted in memory whatever there is of them. Of equal keys the first (by source, then
 * record) is the record; the others are copies. Equal ids with other contents are no copies: these
 * records are kept, and told of.
 *
 * Blocks of rows are encoded while sources are read, and can't give up rows. So copies are passed
 * over in another reading of all sources, which is given their numbers; the first one's outcome is
 * thrown away.
 *
 * Records without ids or times (metadata and counters of some dialects) can't be told apart from
 * ones that merely look alike: their keys are weak. They count as copies only where all of their
 * bytes are alike and their source holds records with ids that are copies or were copied.
 */
#include "config.h"
#include "ingest/repeats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/file_facts.h"
#include "util/mem.h"
#include "util/order.h"

#define SPILL_BYTES ((size_t)16 << 20)
#define BUCKET_KEYS ((uint64_t)256 << 10) /* aimed at, in each */
#define BUCKETS_MAX 512u
#define CHUNK_KEYS 1024u
#define CANCEL_EVERY 65536u

struct key {
	struct import_key key;
	uint32_t source;
};

struct bucket {
	struct key *keys; /* not spilled yet */
	size_t n;
	struct spill_place *places; /* of CHUNK_KEYS each */
	size_t n_places, places_capacity;
};

struct repeat_search {
	struct repeats *repeats;
	struct spill *spill;
	struct bucket *buckets; /* n_buckets, and as many for weak keys */
	uint32_t n_buckets;
	bool *takes_part; /* of each source: its records with ids are copies, or have some */
	uint32_t source;  /* being read */
	const struct cancel *cancel;
};

/* ---- buckets ---- */

static int
put(struct repeat_search *search, struct bucket *bucket, const struct key *key, struct err *err)
{
	struct spill_place place;

	if (!bucket->keys) {
		bucket->keys = xrealloc_array(NULL, CHUNK_KEYS, sizeof *bucket->keys);
	}
	bucket->keys[bucket->n++] = *key;
	if (bucket->n < CHUNK_KEYS) {
		return 0;
	}
	if (spill_add(search->spill, bucket->keys, CHUNK_KEYS * sizeof *key, &place, err)) {
		return -1;
	}
	MEM_GROW(bucket->places, bucket->places_capacity, bucket->n_places + 1);
	bucket->places[bucket->n_places++] = place;
	bucket->n = 0;
	return 0;
}

/* All keys of a bucket (free()), NULL if there are none or on failure. */
static struct key *
load(const struct repeat_search *search, const struct bucket *bucket, size_t *n, struct err *err)
{
	*n = bucket->n_places * CHUNK_KEYS + bucket->n;
	struct key *keys = *n ? xrealloc_array(NULL, *n, sizeof *keys) : NULL;

	for (size_t i = 0; i < bucket->n_places; i++) {
		if (spill_read(search->spill, &bucket->places[i], 0, keys + i * CHUNK_KEYS,
		               CHUNK_KEYS * sizeof *keys, err)) {
			free(keys);
			return NULL;
		}
	}
	if (bucket->n) {
		memcpy(keys + bucket->n_places * CHUNK_KEYS, bucket->keys,
		       bucket->n * sizeof *keys);
	}
	return keys;
}

static int
take_key(void *user, const struct import_key *key, struct err *err)
{
	struct repeat_search *search = user;
	uint64_t which = hash_mix(key->process ^ hash_mix(key->id)) % search->n_buckets;
	struct key kept = {*key, search->source};

	which += key->is_weak ? search->n_buckets : 0;
	return put(search, &search->buckets[which], &kept, err);
}

/* ---- comparing ---- */

static int
compare_numbers(uint64_t a, uint64_t b)
{
	return ORDER(a, b);
}

static int
compare_places(const struct key *x, const struct key *y)
{
	int order = compare_numbers(x->source, y->source);
	return order ? order : compare_numbers(x->key.record, y->key.record);
}

static int
compare_ids(const struct key *x, const struct key *y)
{
	int order = compare_numbers(x->key.process, y->key.process);
	return order ? order : compare_numbers(x->key.id, y->key.id);
}

static int
compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = compare_ids(x, y);

	order = order ? order : compare_numbers(x->key.content, y->key.content);
	return order ? order : compare_places(x, y);
}

static void
omit(struct repeat_search *search, const struct key *copy, const struct key *original)
{
	struct repeated *repeated = &search->repeats->sources[copy->source];

	search->repeats->any = true;
	search->takes_part[copy->source] = search->takes_part[original->source] = true;
	if (!repeated->omitted) {
		repeated->omitted = number_set_new();
		repeated->record = UINT64_MAX;
	}
	if (copy->key.record < repeated->record) {
		repeated->record = copy->key.record;
		repeated->offset = copy->key.offset;
		repeated->original = original->key.record;
		repeated->original_source = original->source;
	}
	number_set_add(repeated->omitted, copy->key.record);
}

static void
note_other(struct repeats *repeats, const struct key *key, const struct key *original)
{
	struct repeated *repeated = &repeats->sources[key->source];

	if (repeated->n_others++ == 0 || key->key.record < repeated->other_record) {
		repeated->other_record = key->key.record;
		repeated->other_offset = key->key.offset;
		repeated->other_original = original->key.record;
		repeated->other_source = original->source;
	}
}

/* Keys of one process and id, sorted by content. */
static void
compare_contents(struct repeat_search *search, const struct key *keys, size_t n)
{
	const struct key *first = &keys[0];

	for (size_t i = 1; i < n; i++) {
		first = compare_places(&keys[i], first) < 0 ? &keys[i] : first;
	}
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && keys[end].key.content == keys[i].key.content; end++) {
			omit(search, &keys[end], &keys[i]);
		}
		if (keys[i].key.content != first->key.content) {
			note_other(search->repeats, &keys[i], first);
		}
	}
}

/* Weak keys of one process and id, sorted by content and place. */
static void
compare_bytes(struct repeat_search *search, const struct key *keys, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (keys[i].key.content == keys[0].key.content &&
		    search->takes_part[keys[i].source]) {
			omit(search, &keys[i], &keys[0]);
		}
	}
}

static int
compare_bucket(struct repeat_search *search, uint32_t which, struct err *err)
{
	size_t n;
	struct key *keys = load(search, &search->buckets[which], &n, err);

	if (cancel_requested(search->cancel)) {
		free(keys);
		return err_set(err, ERR_CANCELLED, "cancelled");
	}
	if (!keys) {
		return n ? -1 : 0;
	}
	SORT(keys, n, compare_keys);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && compare_ids(&keys[i], &keys[end]) == 0;) {
			end++;
		}
		if (which < search->n_buckets) {
			compare_contents(search, keys + i, end - i);
		} else {
			compare_bytes(search, keys + i, end - i);
		}
	}
	free(keys);
	return 0;
}

/* ---- reading ---- */

/* What came out of a part must be where it was read, and as it was. */
static bool
can_be_read_again(const struct source *source)
{
	struct file_facts facts;

	return strcmp(source->path, "-") != 0 && file_facts_read(source->path, &facts) &&
	       (!source->is_loaded || (facts.size_bytes == source->file.size_bytes &&
	                               facts.modified_ns == source->file.modified_ns));
}

static int
read_again(struct repeat_search *search, const struct import_format *format,
           const struct source *source, const struct import_options *options, struct err *err)
{
	struct import_key_receiver receiver = {search, take_key};
	struct input *input = input_open(source->path, err);

	if (!input) {
		return -1;
	}
	search->source = source->index;
	input_read_ahead(input);
	int result = format->read_keys(input, source->format_facts, options, &receiver, err);
	input_close(input);
	return result && err->code != ERR_CANCELLED ? err_wrap(err, "%s", source->path) : result;
}

static void
search_init(struct repeat_search *search, struct repeats *repeats, const bool *is_suspect,
            const struct source *sources, const char *folder)
{
	uint64_t n_records = 0;

	for (uint32_t i = 0; i < repeats->n_sources; i++) {
		n_records += is_suspect[i] ? sources[i].facts.records : 0;
	}
	uint64_t wanted = n_records / BUCKET_KEYS + 1;
	search->repeats = repeats;
	search->n_buckets = wanted < BUCKETS_MAX ? (uint32_t)wanted : BUCKETS_MAX;
	search->buckets = xcalloc((size_t)search->n_buckets * 2, sizeof *search->buckets);
	search->takes_part = xcalloc(repeats->n_sources, sizeof *search->takes_part);
	search->spill = spill_new(folder, SPILL_BYTES);
}

static void
search_fini(struct repeat_search *search)
{
	for (uint32_t i = 0; i < 2 * search->n_buckets; i++) {
		free(search->buckets[i].keys);
		free(search->buckets[i].places);
	}
	free(search->buckets);
	free(search->takes_part);
	spill_free(search->spill);
}

static int
search_all(struct repeats *repeats, const struct import_format *format,
           const struct source *sources, const bool *is_suspect,
           const struct import_options *options, const char *folder, struct err *err)
{
	struct repeat_search search = {.cancel = options->cancel};
	int result = 0;

	search_init(&search, repeats, is_suspect, sources, folder);
	for (uint32_t i = 0; i < repeats->n_sources && result == 0; i++) {
		if (is_suspect[i]) {
			result = read_again(&search, format, &sources[i], options, err);
		}
	}
	for (uint32_t i = 0; i < search.n_buckets && result == 0; i++) {
		result = compare_bucket(&search, i, err);
	}
	for (uint32_t i = 0; i < search.n_buckets && result == 0; i++) {
		result = compare_bucket(&search, search.n_buckets + i, err);
	}
	search_fini(&search);
	return result;
}

int
repeats_find(struct repeats *repeats, const struct import_format *format,
             const struct source *sources, uint32_t n_sources, const struct import_options *options,
             const char *folder, struct err *err)
{
	void **facts = xcalloc((size_t)n_sources + 1, sizeof *facts);
	bool *is_suspect = xcalloc((size_t)n_sources + 1, sizeof *is_suspect);
	bool is_readable = true;
	int result = 0;

	for (uint32_t i = 0; i < n_sources; i++) {
		facts[i] = sources[i].format_facts;
		is_readable &= sources[i].is_lost || can_be_read_again(&sources[i]);
	}
	if (format->repeats && format->repeats(facts, n_sources, is_suspect)) {
		repeats->n_sources = n_sources;
		repeats->sources = xcalloc(n_sources, sizeof *repeats->sources);
		for (uint32_t i = 0; i < n_sources && !is_readable; i++) {
			repeats->sources[i].is_unread = is_suspect[i];
		}
		if (is_readable) {
			result =
			    search_all(repeats, format, sources, is_suspect, options, folder, err);
		}
	}
	free(facts);
	free(is_suspect);
	return result;
}

/* ---- telling ---- */

#define PLACE_BYTES 400

/* Where another record stands, as seen from a source. */
static const char *
name_place(char place[PLACE_BYTES], const struct source *sources, const struct source *source,
           uint32_t where, uint64_t record)
{
	bool is_here = where == source->index;

	snprintf(place, PLACE_BYTES, "record %" PRIu64 "%s%.300s", record, is_here ? "" : " of ",
	         is_here ? "" : sources[where].path);
	return place;
}

static int
tell_copies(const struct repeated *repeated, const struct source *sources, struct source *source,
            struct err *err)
{
	char place[PLACE_BYTES];
	uint64_t n = number_set_count(repeated->omitted);

	return source_tell(
	    source,
	    (struct problem){
		.kind = PROBLEM_DUPLICATE, .record = repeated->record, .offset = repeated->offset},
	    err,
	    "%" PRIu64 " record%s here stand%s elsewhere too, with the same "
	    "process, id, times and name (the first is %s): counted once, there",
	    n, n == 1 ? "" : "s", n == 1 ? "s" : "",
	    name_place(place, sources, source, repeated->original_source, repeated->original));
}

static int
tell_others(const struct repeated *repeated, const struct source *sources, struct source *source,
            struct err *err)
{
	char place[PLACE_BYTES];
	uint64_t n = repeated->n_others;

	return source_tell(
	    source,
	    (struct problem){.kind = PROBLEM_SUSPICIOUS,
	                     .record = repeated->other_record,
	                     .offset = repeated->other_offset},
	    err,
	    "%" PRIu64 " record%s here %s an id that another record of the "
	    "thread has, with other times or another name (the first: %s): another start of the "
	    "process, or a second tracer in it; all are kept",
	    n, n == 1 ? "" : "s", n == 1 ? "has" : "have",
	    name_place(place, sources, source, repeated->other_source, repeated->other_original));
}

static int
tell_unread(struct source *source, struct err *err)
{
	return source_tell(source, (struct problem){.kind = PROBLEM_SUSPICIOUS}, err,
	                   "records may stand twice in this run (ids of one thread come again), "
	                   "and count twice: %s",
	                   source->is_loaded
	                       ? "to compare them its files must be where the parts were made of "
	                         "them, unchanged"
	                       : "what is no plain file can't be read again to compare them; save "
	                         "it to a file first");
}

bool
repeats_are_unread(const struct repeats *repeats, uint32_t source)
{
	return source < repeats->n_sources && repeats->sources[source].is_unread;
}

int
repeats_tell(const struct repeats *repeats, const struct source *sources, struct source *source,
             struct err *err)
{
	int result = 0;

	if (source->index >= repeats->n_sources) {
		return 0;
	}
	const struct repeated *repeated = &repeats->sources[source->index];
	if (repeated->omitted) {
		result = tell_copies(repeated, sources, source, err);
	}
	if (result == 0 && repeated->n_others) {
		result = tell_others(repeated, sources, source, err);
	}
	return result == 0 && repeated->is_unread ? tell_unread(source, err) : result;
}

void
repeats_fini(struct repeats *repeats)
{
	for (uint32_t i = 0; i < repeats->n_sources; i++) {
		number_set_free(repeats->sources[i].omitted);
	}
	free(repeats->sources);
	*repeats = (struct repeats){0};
}
