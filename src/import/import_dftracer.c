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

#include "import/import_dftracer.h"
#include "util/number_set.h"
#include "util/order.h"

#define CANCEL_EVERY 1024u
/* Times below are counted from the start of a process, above since 1970 (this is 1973, in ns). */
#define WALL_CLOCK_MIN_NS INT64_C(100000000000000000)

/* ---- problems ---- */

static int
drop_malformed(struct dftracer_reader *reader, const char *why, uint64_t column, bool cut_off)
{
	char reason[256];

	reader->counts.bad_records++;
	if (cut_off && input_truncated(reader->input)) {
		reader->tail_offset = reader->offset;
		reader->tail_len = LEAST(reader->text.len, DFTRACER_EXCERPT);
		memcpy(reader->tail, reader->text.ptr, reader->tail_len);
		return 0; /* told together with the break of the gzip stream */
	}
	if (memchr(reader->text.ptr, '\0', reader->text.len)) {
		snprintf(reason, sizeof reason, "NUL bytes: a hole in the file");
	} else {
		snprintf(reason, sizeof reason, "%s at column %llu%s", why,
		         (unsigned long long)column,
		         cut_off ? ": the file ends within a record" : "");
	}
	return dftracer_problem(reader, cut_off ? PROBLEM_TRUNCATED : PROBLEM_MALFORMED, reason);
}

static int
report_truncation(struct dftracer_reader *reader)
{
	char reason[512];
	bool lost = reader->tail_len > 0;

	snprintf(reason, sizeof reason, "%s%s", input_truncation(reader->input),
	         lost ? "; the last line is incomplete" : "");
	reader->line -= reader->line > 1; /* the last line read */
	reader->offset = lost ? reader->tail_offset : reader->offset;
	reader->text = (struct slice){reader->tail, reader->tail_len};
	return dftracer_problem(reader, PROBLEM_TRUNCATED, reason);
}

/* ---- reading ---- */

/* One line without what surrounds it. 0, or what the sink said. */
static int
read_record(struct dftracer_reader *reader, struct slice record, bool cut)
{
	bool open = input_last_line_open(reader->input);
	const char *reason = "the line is longer than is read";
	uint64_t column = 1;

	if (!cut) {
		reason = dftracer_parse(reader, record, &column);
	}
	if (reason) {
		column += (uint64_t)(record.ptr - reader->text.ptr);
		return drop_malformed(reader, reason, column, open);
	}
	int stop = dftracer_emit(reader, &reason);
	if (reason) {
		reader->counts.bad_records++;
		return dftracer_problem(reader, PROBLEM_INVALID, reason);
	}
	reader->counts.records++;
	reader->facts->any_record = true;
	return stop;
}

/* The next line that may hold a record, without what surrounds it: 1, 0 at the end, -1. *cut: it is
 * longer than is read. */
static int
next_line(struct dftracer_reader *reader, const struct import_options *options,
          struct slice *record, bool *cut, struct err *err)
{
	struct slice line;

	do {
		if (++reader->line % CANCEL_EVERY == 0 && options &&
		    cancel_requested(options->cancel)) {
			return err_set(err, ERR_CANCELLED, "cancelled");
		}
		reader->offset = input_offset(reader->input);
		int more = input_line(reader->input, &line, cut, err);
		if (more <= 0) {
			return more;
		}
		reader->text = line;
		if (reader->line == 1) {
			line = slice_behind_mark(line);
		}
		*record = dftracer_strip(line, &reader->facts->closed);
	} while (record->len == 0 ||
	         (options && options->omitted && number_set_has(options->omitted, reader->line)));
	return 1;
}

/* 0 at the end, 1 the sink stopped, -1 with err. */
static int
read_lines(struct dftracer_reader *reader, const struct import_options *options, struct err *err)
{
	struct slice record;
	bool cut;
	int more;

	while ((more = next_line(reader, options, &record, &cut, err)) > 0) {
		reader->sink->record = reader->line;
		reader->sink->offset = reader->offset;
		if (read_record(reader, record, cut)) {
			return 1;
		}
	}
	if (more < 0) {
		return -1;
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
	reader->lenient = options && options->lenient;
	reader->arena = arena_new();
	reader->strings = intern_new();
	reader->facts = dftracer_facts_new(input_path(input));
	reader->time_max = INT64_MIN;
	reader->sums_lane = LANE_NONE;
	dftracer_cache_init(reader);
	return reader;
}

static void
reader_free(struct dftracer_reader *reader)
{
	dftracer_cache_fini(reader);
	json_fini(&reader->json);
	arena_free(reader->arena);
	intern_free(reader->strings);
	free(reader->string_texts);
	free(reader->record.pairs);
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
	int result = read_lines(reader, options, err);

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

static int
give_key(const struct dftracer_reader *reader, const void *facts, struct slice record,
         const struct import_key_receiver *receiver, struct err *err)
{
	struct import_key key;

	return dftracer_key_of(reader, facts, record, &key)
	           ? receiver->key(receiver->user, &key, err)
	           : 0;
}

/* Only what can be parsed has a key. */
static int
read_keys(struct input *input, const void *facts, const struct import_options *options,
          const struct import_key_receiver *receiver, struct err *err)
{
	struct dftracer_reader *reader = reader_new(input, NULL, options);
	struct slice record;
	uint64_t column;
	bool cut;
	int more, result = 0;

	while (result == 0 && (more = next_line(reader, options, &record, &cut, err)) != 0) {
		if (more < 0) {
			result = -1;
		} else if (!cut && !dftracer_parse(reader, record, &column)) {
			result = give_key(reader, facts, record, receiver, err);
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
