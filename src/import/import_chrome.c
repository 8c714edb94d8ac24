/*
 * Chrome Trace Event JSON: what PyTorch, TensorFlow, Bazel, clang, ray, VizTracer, uftrace and
 * browsers write.
 *
 * The list of events stands alone or in an object, anywhere among its members, and often breaks
 * off. So the containers are read here, byte by byte, and every event is a document of its own for
 * the tokenizer: an event that is broken costs itself only, as reading goes on at what looks like
 * the next. Where whole events follow each other they are read many at once, on all cores, to the
 * same records (import_chrome_batch.c). Nothing is kept but what is needed later (names, open
 * begins, points of flows), so a trace may be of any size.
 */
#include "config.h"
#include "import/formats.h"

#include <stdio.h>
#include <stdlib.h>

#include "import/batches.h"
#include "import/import_chrome.h"

#define OBJECTS_NESTED 4

/* Of what reads a part of the file: 0 on with it, 1 the sink stopped, -1 err. */
enum {
	GO_ON = 0,
	STOPPED = 1,
	FAILED = -1,
	BROKEN = 2 /* the file breaks off, or is no JSON from here on */
};

/* The next byte that is not blank (a comma counts as blank if `commas`), not consumed; -1 at the
 * end, -2 err. */
static int
peek(struct chrome_reader *reader, bool commas)
{
	struct slice bytes;
	bool in_hole = false;

	for (;;) {
		int more = input_fill(reader->input, 1, &bytes, reader->err);
		if (more <= 0) {
			return more < 0 ? -2 : -1;
		}
		size_t i = 0;
		for (; i < bytes.len; i++) {
			char c = bytes.ptr[i];
			bool is_nul = c == '\0';
			if (!is_nul && !(c == ' ' || c == '\n' || c == '\r' || c == '\t' ||
			                 (commas && c == ','))) {
				break;
			}
			reader->chrome_counts.holes += is_nul && !in_hole;
			in_hole = is_nul;
		}
		input_consume(reader->input, i);
		if (i < bytes.len) {
			return (unsigned char)bytes.ptr[i];
		}
	}
}

/* ---- damage ---- */

/* Goes on to the next event, which begins behind "}," : 1 it is there, 0 the file ends before, -1
 * err. *closed: whether any } was passed. */
static int
find_event(struct chrome_reader *reader, bool *closed)
{
	struct slice bytes;
	int state = 0; /* 1 behind a brace, 2 behind brace and comma */

	*closed = false;
	for (;;) {
		int more = input_fill(reader->input, 1, &bytes, reader->err);
		if (more <= 0) {
			return more;
		}
		for (size_t i = 0; i < bytes.len; i++) {
			char c = bytes.ptr[i];
			if (c == '}') {
				*closed = true;
				state = 1;
			} else if (c == ',' && state == 1) {
				state = 2;
			} else if (c == '{' && state == 2) {
				input_consume(reader->input, i);
				return 1;
			} else if (c != ' ' && c != '\n' && c != '\r' && c != '\t') {
				state = 0;
			}
		}
		input_consume(reader->input, bytes.len);
	}
}

static int
lose_event(struct chrome_reader *reader)
{
	const char *why = reader->parser.json.error ? reader->parser.json.error : "no event";
	char reason[200];
	bool closed;
	int found = find_event(reader, &closed);

	if (found < 0) {
		return FAILED;
	}
	reader->counts.bad_records++;
	if (found == 0) {
		reader->is_unclosed = true;
		if (!closed) {
			reader->is_damaged = true; /* told with the end of the file */
			return BROKEN;
		}
	}
	snprintf(reason, sizeof reason, "%s at byte %llu", why,
	         (unsigned long long)reader->parser.json.error_offset);
	int result = chrome_problem(reader, PROBLEM_MALFORMED, reason);
	return result ? result : found ? GO_ON : BROKEN;
}

/* ---- events ---- */

/* Of any kind, whole or not, from the input. */
static int
read_event(struct chrome_reader *reader, bool is_sample)
{
	struct chrome_parser *parser = &reader->parser;
	uint64_t offset = input_offset(reader->input);

	chrome_parser_clear(parser);
	json_open_input(&parser->json, reader->input, CHROME_JSON_FLAGS, reader->err);
	if (chrome_parse_record(parser, &reader->own_record)) {
		return chrome_take(reader, parser, &reader->own_record, offset, is_sample);
	}
	return chrome_begin_event(reader, offset) || reader->err->code != ERR_NONE
	           ? FAILED
	           : lose_event(reader);
}

/* A value that is no event: passed over. */
static int
pass_over(struct chrome_reader *reader)
{
	reader->offset = input_offset(reader->input);
	json_open_input(&reader->parser.json, reader->input, CHROME_JSON_FLAGS, reader->err);
	(void)json_next(&reader->parser.json);
	if (json_skip(&reader->parser.json) != JSON_ERROR &&
	    json_next(&reader->parser.json) == JSON_END) {
		return GO_ON;
	}
	return reader->err->code != ERR_NONE ? FAILED : lose_event(reader);
}

/* A list of events (or samples), whose [ is next. */
static int
read_events(struct chrome_reader *reader, bool are_samples)
{
	int result;

	input_consume(reader->input, 1);
	while ((result = chrome_read_batches(reader, are_samples)) == GO_ON) {
		int c = peek(reader, true);
		if (c == ']') {
			input_consume(reader->input, 1);
			return GO_ON;
		}
		if (c < 0) {
			reader->is_unclosed = true;
			return c == -2 ? FAILED : BROKEN;
		}
		if (c == '{') {
			result = read_event(reader, are_samples);
		} else {
			reader->chrome_counts.not_objects++;
			result = pass_over(reader);
		}
		if (result != GO_ON) {
			break;
		}
	}
	return result;
}

/* ---- objects ---- */

/* The key of a member and its colon, into `key`. */
static int
read_key(struct chrome_reader *reader, struct strbuf *key)
{
	struct json *json = &reader->parser.json;

	strbuf_clear(key);
	json_open_input(json, reader->input, CHROME_JSON_FLAGS, reader->err);
	if (json_next(json) != JSON_STRING) {
		return reader->err->code != ERR_NONE ? FAILED : BROKEN;
	}
	strbuf_add_slice(key, json->text);
	if (json_next(json) != JSON_END || peek(reader, false) != ':') {
		return reader->err->code != ERR_NONE ? FAILED : BROKEN;
	}
	input_consume(reader->input, 1);
	return GO_ON;
}

static int read_object(struct chrome_reader *reader, int depth);

static int
read_member(struct chrome_reader *reader, const struct strbuf *key, int depth)
{
	struct slice name = strbuf_slice(key);
	bool is_malformed = false;
	int c = peek(reader, false);

	if (c < 0) {
		return c == -2 ? FAILED : BROKEN;
	}
	if (slice_is(name, "traceEvents") && c == '[') {
		return read_events(reader, false);
	}
	if (slice_is(name, "traceEvents") && c == '{' && depth < OBJECTS_NESTED) {
		return read_object(reader, depth + 1);
	}
	if (slice_is(name, "samples") && c == '[') {
		return read_events(reader, true);
	}
	int result = slice_is(name, "stackFrames") ? chrome_stack_frames(reader, &is_malformed)
	                                           : chrome_about(reader, name, &is_malformed);
	return is_malformed && result == 0 ? BROKEN : result;
}

/* An object whose { is next. */
static int
read_object(struct chrome_reader *reader, int depth)
{
	struct strbuf key = {0};
	int result = GO_ON;

	input_consume(reader->input, 1);
	while (result == GO_ON) {
		int c = peek(reader, true);
		if (c == '}') {
			input_consume(reader->input, 1);
			break;
		}
		reader->offset = input_offset(reader->input);
		if (c != '"') {
			reader->is_damaged |= c >= 0;
			reader->is_unclosed = true;
			result = c == -2 ? FAILED : BROKEN;
			break;
		}
		result = read_key(reader, &key);
		if (result == GO_ON) {
			result = read_member(reader, &key, depth);
		}
	}
	strbuf_free(&key);
	return result;
}

/* ---- the file ---- */

/* Passes over what is left, so that the file's size is known. */
static int
read_rest(struct chrome_reader *reader)
{
	struct slice bytes;
	int more;

	reader->offset = input_offset(reader->input);
	while ((more = input_fill(reader->input, 1, &bytes, reader->err)) > 0) {
		input_consume(reader->input, bytes.len);
	}
	return more < 0 ? FAILED : GO_ON;
}

static int
report_end(struct chrome_reader *reader, bool is_broken)
{
	uint64_t event_offset = reader->offset;

	if (read_rest(reader) != GO_ON) {
		return FAILED;
	}
	if (reader->is_damaged) {
		reader->offset = event_offset;
	}
	if (input_truncated(reader->input)) {
		return chrome_problem(reader, PROBLEM_TRUNCATED, input_truncation(reader->input));
	}
	if (reader->is_damaged) {
		return chrome_problem(reader, PROBLEM_TRUNCATED, "the file ends within an event");
	}
	if (is_broken && !reader->is_unclosed) {
		return chrome_problem(reader, PROBLEM_MALFORMED,
		                      "no JSON from here on: the rest is not read");
	}
	if (is_broken && reader->is_object) {
		return chrome_problem(reader, PROBLEM_TRUNCATED,
		                      "the file ends within its list of events");
	}
	return is_broken
	           ? chrome_problem(
			 reader, PROBLEM_SUSPICIOUS,
			 "the list of events has no end: the recording may have been broken off")
	           : GO_ON;
}

/* Nothing but blanks may stand behind the trace. */
static int
check_rest(struct chrome_reader *reader)
{
	int c = peek(reader, true);

	if (c < 0) {
		return c == -2 ? FAILED : GO_ON;
	}
	reader->offset = input_offset(reader->input);
	return chrome_problem(reader, PROBLEM_MALFORMED,
	                      "there are bytes behind the trace: not read");
}

/* Passes over a mark of the byte order, and over lines above the trace. */
static int
come_to_trace(struct chrome_reader *reader)
{
	struct slice bytes;

	if (input_peek(reader->input, CHROME_PREAMBLE, &bytes, reader->err)) {
		return FAILED;
	}
	struct slice text = slice_behind_mark(bytes);
	size_t begin = chrome_begin(text);
	input_consume(reader->input, bytes.len - text.len);
	if (begin == 0) {
		return GO_ON;
	}
	reader->counts.bad_records++;
	reader->offset = input_offset(reader->input);
	int result = chrome_problem(reader, PROBLEM_MALFORMED,
	                            "lines that are no JSON stand above the trace: passed over");
	input_consume(reader->input, begin);
	return result;
}

static int
read_file(struct chrome_reader *reader)
{
	int result = come_to_trace(reader);

	if (result != GO_ON) {
		return result;
	}
	int c = peek(reader, false);
	if (c == -2) {
		return FAILED;
	}
	if (c == '[') {
		result = read_events(reader, false);
	} else if (c == '{') {
		reader->is_object = true;
		result = read_object(reader, 0);
	} else if (c >= 0) {
		reader->counts.bad_records++;
		result = chrome_problem(reader, PROBLEM_MALFORMED,
		                        "neither a list of events nor an object that holds one");
		return result != GO_ON ? result : read_rest(reader);
	}
	if (result == GO_ON) {
		result = check_rest(reader);
	}
	if (result != GO_ON && result != BROKEN) {
		return result;
	}
	return report_end(reader, result == BROKEN);
}

static int
read_all(struct chrome_reader *reader)
{
	int result = read_file(reader);

	if (result == GO_ON && (chrome_nest_finish(reader) || chrome_flows_finish(reader))) {
		result = STOPPED;
	}
	if (result == GO_ON) {
		result = chrome_name_lanes(reader) || chrome_report(reader) ? STOPPED : GO_ON;
	}
	return result;
}

static int
read_source(struct input *input, struct sink *sink, const struct import_options *options,
            void **facts, struct err *err)
{
	struct chrome_reader *reader = xcalloc(1, sizeof *reader);

	*facts = NULL;
	reader->input = input;
	reader->sink = sink;
	reader->cancel = options ? options->cancel : NULL;
	reader->err = err;
	reader->n_threads = options ? options->n_threads : 1;
	reader->record = &reader->own_record;
	reader->parser.texts = arena_new();
	chrome_record_begin(&reader->parser, reader->record);
	reader->phase_names = intern_new();
	reader->nest = chrome_nest_new();
	reader->flows = chrome_flows_new();
	chrome_lanes_init(reader);
	int result = read_all(reader);
	if (result == GO_ON) {
		sink_facts(sink, &reader->counts);
	}
	chrome_lanes_fini(reader);
	chrome_flows_free(reader->flows);
	chrome_nest_free(reader->nest);
	batches_free(reader->batches);
	chrome_parser_fini(&reader->parser);
	intern_free(reader->phase_names);
	json_fini(&reader->own_json);
	strbuf_free(&reader->own_text);
	free(reader->key_seen);
	free(reader->key_place);
	free(reader->args);
	free(reader);
	return result == GO_ON ? 0 : -1;
}

const struct import_format import_chrome = {
    .name = "chrome",
    .summary =
	"Chrome Trace Event JSON (PyTorch, TensorFlow, Bazel, clang, ray, VizTracer, browsers)",
    .grouping = GROUP_EACH,
    .sniff = chrome_sniff,
    .read = read_source,
};
