/*
 * Most of a large trace: whole events, many at once (batches.c).
 *
 * Where an event begins can't be told for sure without reading all before it, so the cut is a
 * guess: a brace behind "},", followed by the first key of the event that the batch begins with.
 */
#include "config.h"
#include "import/import_chrome.h"

#include <stdlib.h>

#include "import/batches.h"
#include "util/ascii.h"
#include "util/order.h"

#define KEY_BYTES 64u /* of the brace, the blanks and the key that an event begins with */
#define LOOKED_BACK ((size_t)64 << 10)

struct chrome_batch {
	struct chrome_parser parser;
	char *room; /* for texts that are decoded: as much as the batch has bytes */
	size_t room_capacity;
	struct chrome_record *records;
	size_t n_records, records_capacity;
};

static void *
parsed_new(const void *user)
{
	struct chrome_batch *parsed = xcalloc(1, sizeof *parsed);

	(void)user;
	parsed->parser.texts = arena_new();
	return parsed;
}

static void
parsed_free(void *user)
{
	struct chrome_batch *parsed = user;

	chrome_parser_fini(&parsed->parser);
	free(parsed->room);
	free(parsed->records);
	free(parsed);
}

/* ---- parsing, on any thread ---- */

/* The event at `at`; NULL: it is none, or not whole. */
static const char *
parse_event(struct chrome_parser *parser, const char *at, const char *limit,
            struct chrome_record *record)
{
	const char *end = chrome_parse_plain(parser, at, limit, record);

	if (!end) {
		json_begin(&parser->json, (struct slice){at, (size_t)(limit - at)},
		           CHROME_JSON_FLAGS);
		if (!chrome_parse_record(parser, record)) {
			return NULL;
		}
		end = at + json_offset(&parser->json);
	}
	return end;
}

static void
make_room(struct chrome_batch *parsed, size_t n)
{
	if (parsed->room_capacity < n) {
		parsed->room_capacity = n + n / 4;
		free(parsed->room);
		parsed->room = xmalloc(parsed->room_capacity + INPUT_PADDING);
	}
	parsed->parser.room = parsed->room;
}

static void
parse(struct batch *batch)
{
	struct chrome_batch *parsed = batch->parsed;
	const char *at = batch->bytes + batch->end, *limit = batch->bytes + batch->n_bytes;

	chrome_parser_clear(&parsed->parser);
	chrome_repeats_clear(&parsed->parser.repeats);
	make_room(parsed, batch->n_bytes);
	parsed->n_records = 0;
	batch->is_more = false;
	while (at && !batch->is_more) {
		while (is_blank(*at) || *at == ',') {
			at++;
		}
		if (at == limit) {
			batch->end = batch->n_bytes;
			return;
		}
		MEM_GROW(parsed->records, parsed->records_capacity, parsed->n_records + 1);
		struct chrome_record *record = &parsed->records[parsed->n_records];
		const char *begin = at;
		at = *at == '{' ? parse_event(&parsed->parser, at, limit, record) : NULL;
		if (at) {
			record->at = (size_t)(begin - batch->bytes);
			parsed->n_records++;
			batch->end = (size_t)(at - batch->bytes);
			batch->is_more = parsed->n_records == BATCH_RECORDS;
		}
	}
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
cut(struct slice bytes)
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

/* ---- taking ---- */

static int
take(void *user, struct batch *batch)
{
	struct chrome_reader *reader = user;
	struct chrome_batch *parsed = batch->parsed;
	int result = 0;

	chrome_known_clear(&reader->known);
	for (size_t i = 0; i < parsed->n_records && result == 0; i++) {
		struct chrome_record *record = &parsed->records[i];
		result = chrome_take(reader, &parsed->parser, record, batch->offset + record->at,
		                     reader->are_samples);
	}
	return result;
}

static const struct batch_format format = {
    .cut = cut,
    .parsed_new = parsed_new,
    .parsed_free = parsed_free,
    .parse = parse,
    .take = take,
};

int
chrome_read_batches(struct chrome_reader *reader, bool are_samples)
{
	if (reader->n_threads == 0) {
		return 0;
	}
	if (!reader->batches) {
		reader->batches = batches_new(&format, reader->n_threads, reader);
	}
	reader->are_samples = are_samples;
	return batches_read(reader->batches, reader->input, reader->err);
}
