/*
 * Most of a large trace that has more than one thread: whole lines, many at once (batches.c). Each
 * batch has a parser with keys of its own, which becomes the reader's while its lines are taken.
 */
#include "config.h"
#include "import/import_dftracer.h"

#include <stdlib.h>

#include "import/batches.h"
#include "util/order.h"

/* A line that may hold a record, as it was parsed; its record's arguments stand in the batch. */
struct parsed_line {
	struct dftracer_line line; /* its number counts within the batch */
	struct dftracer_value top[DFTRACER_TOPS];
	size_t first_pair, n_pairs;
};

struct dftracer_batch {
	struct dftracer_parser *parser;
	struct parsed_line *lines;
	struct dftracer_pair *pairs;
	size_t n_lines, lines_capacity, n_pairs, pairs_capacity;
	uint64_t n_read; /* lines of the batch, whatever they hold */
	bool is_closed;  /* brackets were seen */
};

static void *
parsed_new(const void *user)
{
	const struct dftracer_reader *reader = user;
	struct dftracer_batch *parsed = xcalloc(1, sizeof *parsed);

	parsed->parser = dftracer_parser_new(reader->own->lenient);
	parsed->parser->keeps_texts = true;
	return parsed;
}

static void
parsed_free(void *user)
{
	struct dftracer_batch *parsed = user;

	dftracer_parser_free(parsed->parser);
	free(parsed->lines);
	free(parsed->pairs);
	free(parsed);
}

/* Behind the last line that is whole. */
static size_t
cut(struct slice bytes)
{
	size_t n = LEAST(bytes.len, BATCH_BYTES);

	while (n > 0 && bytes.ptr[n - 1] != '\n') {
		n--;
	}
	return n;
}

/* ---- parsing, on any thread ---- */

static void
add_line(struct dftracer_batch *parsed, const struct dftracer_line *line)
{
	const struct dftracer_record *record = &parsed->parser->record;

	MEM_GROW(parsed->lines, parsed->lines_capacity, parsed->n_lines + 1);
	struct parsed_line *added = &parsed->lines[parsed->n_lines++];
	added->line = *line;
	added->line.reason = dftracer_parse(parsed->parser, line->record, &added->line.column);
	memcpy(added->top, record->top, sizeof added->top);
	added->first_pair = parsed->n_pairs;
	added->n_pairs = record->n_pairs;
	if (record->n_pairs > 0) {
		MEM_GROW(parsed->pairs, parsed->pairs_capacity, parsed->n_pairs + record->n_pairs);
		memcpy(parsed->pairs + parsed->n_pairs, record->pairs,
		       record->n_pairs * sizeof *record->pairs);
		parsed->n_pairs += record->n_pairs;
	}
}

static void
parse(struct batch *batch)
{
	struct dftracer_batch *parsed = batch->parsed;

	dftracer_parser_clear(parsed->parser);
	parsed->n_lines = parsed->n_pairs = 0;
	parsed->n_read = 0;
	parsed->is_closed = batch->is_more = false;
	while (batch->end < batch->n_bytes && !batch->is_more) {
		const char *at = batch->bytes + batch->end;
		const char *newline = memchr(at, '\n', batch->n_bytes - batch->end);
		if (!newline) {
			return; /* the input failed within a line */
		}
		struct dftracer_line line = {.number = ++parsed->n_read,
		                             .offset = batch->offset + batch->end,
		                             .text = {at, (size_t)(newline - at)}};
		line.record = dftracer_strip(line.text, &parsed->is_closed);
		if (line.record.len > 0) {
			add_line(parsed, &line);
		}
		batch->end += line.text.len + 1;
		batch->is_more = batch->end < batch->n_bytes && parsed->n_lines == BATCH_RECORDS;
	}
}

/* ---- taking ---- */

/* The record becomes the one at hand of the parser that parsed it. */
static void
recall(struct dftracer_batch *parsed, const struct parsed_line *line)
{
	struct dftracer_parser *parser = parsed->parser;
	struct dftracer_record *record = &parser->record;

	record->number++;
	memcpy(record->top, line->top, sizeof record->top);
	record->pairs = line->n_pairs > 0 ? parsed->pairs + line->first_pair : NULL;
	record->n_pairs = line->n_pairs;
	for (size_t i = 0; i < record->n_pairs; i++) {
		struct dftracer_key *key = &parser->keys[record->pairs[i].key];
		key->seen[record->pairs[i].level] = record->number;
		key->pair[record->pairs[i].level] = (uint32_t)i;
	}
}

static int
take(void *user, struct batch *batch)
{
	struct dftracer_reader *reader = user;
	struct dftracer_batch *parsed = batch->parsed;
	uint64_t before = reader->at.number;
	int result = 0;

	reader->parser = parsed->parser;
	reader->facts->closed |= parsed->is_closed;
	for (size_t i = 0; i < parsed->n_lines && result == 0; i++) {
		const struct parsed_line *line = &parsed->lines[i];
		reader->at = line->line;
		reader->at.number += before;
		if (i % DFTRACER_CANCEL_EVERY == 0 && dftracer_check_cancel(reader, reader->err)) {
			result = -1;
		} else if (!dftracer_is_omitted(reader)) {
			recall(parsed, line);
			result = dftracer_take_line(reader) ? 1 : 0;
		}
	}
	reader->at.number = before + parsed->n_read;
	reader->parser = reader->own;
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
dftracer_read_batches(struct dftracer_reader *reader, struct err *err)
{
	reader->err = err;
	if (!reader->batches) {
		reader->batches = batches_new(&format, reader->options->n_threads, reader);
	}
	return batches_read(reader->batches, reader->input, err);
}
