/*
 * DFTracer and DLIO-Profiler traces (.pfw): one JSON object a line, seven dialects.
 *
 * The dialect is decided record by record, since files are merged and post-processed: numbers are
 * read bare and quoted, names in full and as hashes, `ph` as letter and as number. Brackets around
 * the file, commas after records, blanks before the first one and a byte order mark are passed
 * over.
 *
 * What is malformed is dropped and kept as a problem. Lenient reading keeps three kinds of damage
 * that leave the record's meaning intact: raw control characters in a name, bytes that are not
 * UTF-8, and trailing commas within a record.
 */
#include "config.h"
#include "import/formats.h"

#include <stdio.h>
#include <stdlib.h>

#include "import/batches.h"
#include "import/import_dftracer.h"

/* Times below are counted from the start of a process, above since 1970 (this is 1973, in ns). */
#define WALL_CLOCK_MIN_NS INT64_C(100000000000000000)

static int
report_truncation(struct dftracer_reader *reader)
{
	char reason[512];
	bool lost = reader->tail_len > 0;

	snprintf(reason, sizeof reason, "%s%s", input_truncation(reader->input),
	         lost ? "; the last line is incomplete" : "");
	reader->at.number -= reader->at.number > 1; /* the last line read */
	reader->at.offset = lost ? reader->tail_offset : reader->at.offset;
	reader->at.text = (struct slice){reader->tail, reader->tail_len};
	return dftracer_problem(reader, PROBLEM_TRUNCATED, reason);
}

/* ---- reading ---- */

/* The next line that may hold a record, parsed: 1, 0 at the end, -1. *cut: it is longer than is
 * read. */
static int
next_line(struct dftracer_reader *reader, bool *cut, struct err *err)
{
	struct dftracer_line *line = &reader->at;

	do {
		if (++line->number % DFTRACER_CANCEL_EVERY == 0 &&
		    dftracer_check_cancel(reader, err)) {
			return -1;
		}
		line->offset = input_offset(reader->input);
		int more = input_line(reader->input, &line->text, cut, err);
		if (more <= 0) {
			return more;
		}
		bool is_first = line->number == 1;
		line->record = dftracer_strip(is_first ? slice_behind_mark(line->text) : line->text,
		                              &reader->facts->closed);
	} while (line->record.len == 0 || dftracer_is_omitted(reader));
	line->column = 1;
	line->reason = *cut ? "the line is longer than is read"
	                    : dftracer_parse(reader->parser, line->record, &line->column);
	return 1;
}

/* What may follow the line at hand in batches; of one that was cut the rest comes first. */
static int
read_batches(struct dftracer_reader *reader, bool cut, struct err *err)
{
	unsigned n_threads = reader->options ? reader->options->n_threads : 1;

	return n_threads > 1 && !cut ? dftracer_read_batches(reader, err) : 0;
}

/* 0 at the end, 1 the sink stopped, -1 with err. */
static int
read_lines(struct dftracer_reader *reader, struct err *err)
{
	bool cut;
	int more, result = 0;

	while (result == 0 && (more = next_line(reader, &cut, err)) != 0) {
		if (more < 0) {
			return -1;
		}
		result = dftracer_take_line(reader) ? 1 : read_batches(reader, cut, err);
	}
	if (result) {
		return result;
	}
	if (input_truncated(reader->input) && report_truncation(reader)) {
		return 1;
	}
	return dftracer_report_ids(reader) || dftracer_report_sums(reader) ? 1 : 0;
}

static struct dftracer_reader *
reader_new(struct input *input, struct sink *sink, const struct import_options *options)
{
	struct dftracer_reader *reader = xcalloc(1, sizeof *reader);

	reader->input = input;
	reader->sink = sink;
	reader->options = options;
	reader->own = dftracer_parser_new(options && options->lenient);
	reader->parser = reader->own;
	reader->strings = intern_new();
	reader->facts = dftracer_facts_new(input_path(input));
	reader->time_max = INT64_MIN;
	reader->sums_lane = LANE_NONE;
	return reader;
}

static void
reader_free(struct dftracer_reader *reader)
{
	batches_free(reader->batches);
	dftracer_parser_free(reader->own);
	dftracer_cache_fini(reader);
	intern_free(reader->strings);
	free(reader->string_texts);
	free(reader->args);
	dftracer_ids_fini(reader);
	dftracer_facts_free(reader->facts);
	free(reader);
}

static int
read_source(struct input *input, struct sink *sink, const struct import_options *options,
            void **facts, struct err *err)
{
	struct dftracer_reader *reader = reader_new(input, sink, options);
	int result = read_lines(reader, err);

	*facts = NULL;
	if (result == 0) {
		bool relative =
		    reader->time_max != INT64_MIN && reader->time_max < WALL_CLOCK_MIN_NS;
		reader->counts.clock = relative ? CLOCK_RELATIVE : CLOCK_WALL;
		reader->counts.dialect = dftracer_facts_dialect(reader->facts);
		sink_facts(sink, &reader->counts);
		*facts = reader->facts;
		reader->facts = NULL;
	}
	reader_free(reader);
	return result ? -1 : 0;
}

/* Only what can be parsed has a key. */
static int
read_keys(struct input *input, const void *facts, const struct import_options *options,
          const struct import_key_receiver *receiver, struct err *err)
{
	struct dftracer_reader *reader = reader_new(input, NULL, options);
	struct import_key key;
	bool cut;
	int more, result = 0;

	while (result == 0 && (more = next_line(reader, &cut, err)) != 0) {
		if (more < 0) {
			result = -1;
		} else if (!reader->at.reason && dftracer_key_of(reader, facts, &key)) {
			result = receiver->key(receiver->user, &key, err);
		}
	}
	reader_free(reader);
	return result;
}

const struct import_format import_dftracer = {
    .name = "dftracer",
    .summary = "DFTracer and DLIO-Profiler traces (.pfw, .pfw.gz)",
    .grouping = GROUP_FOLDER,
    .look = dftracer_look,
    .sniff = dftracer_sniff,
    .read = read_source,
    .conclude = dftracer_conclude,
    .repeats = dftracer_repeats,
    .read_keys = read_keys,
    .pack_facts = dftracer_facts_pack,
    .free_facts = dftracer_facts_free,
};
