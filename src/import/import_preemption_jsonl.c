/*
 * JSON traces of a cluster: lines of [ms, kind, {"nodes": [...], ...}] (jsonl), and intervals with
 * what came and went at their beginning (liveput). A kind that is not known moves no instance; its
 * rows are kept as events, and it is said.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"
#include "util/order.h"

#define NS_PER_MS INT64_C(1000000)
#define ARGS_LIMIT 32u
#define ARG_BYTES ((size_t)64 << 10)
#define LIVEPUT_MOST INT64_C(1000000000000)

/* ---- [ms, kind, {"nodes": [...], ...}] ---- */

/* A record in the making: JSON values are kept in one buffer, as they are lent for a token only. */
struct record {
	struct preemption_reader *reader;
	struct json *json;
	int64_t time_ns, duration_ns; /* duration: TIME_NONE if not given */
	int64_t interval[3];
	uint32_t *nodes;
	size_t n_nodes, nodes_capacity;
	struct arg args[ARGS_LIMIT];
	size_t starts[ARGS_LIMIT], lengths[ARGS_LIMIT];
	size_t n_args;
	struct strbuf text;
	struct strbuf name;    /* of a member */
	struct intern *others; /* kinds that are not known, as far as they were told */
	const char *reject;
	bool has_interval;
};

static void
record_clear(struct record *record)
{
	record->n_nodes = record->n_args = 0;
	record->reject = NULL;
	record->duration_ns = TIME_NONE;
	record->has_interval = false;
	strbuf_clear(&record->text);
}

static void
record_free(struct record *record)
{
	free(record->nodes);
	strbuf_free(&record->text);
	strbuf_free(&record->name);
	intern_free(record->others);
	json_fini(record->json);
}

/* Any other member becomes an argument, numbers as numbers and all else as JSON. */
static bool
take_argument(struct record *record, enum json_token token)
{
	struct sink *sink = record->reader->sink;
	struct json *json = record->json;
	size_t n, start = record->text.len;
	struct arg arg = {.type = ARG_JSON};
	int64_t integer;
	double real;

	if (record->n_args == ARGS_LIMIT) {
		return json_copy_value_within(json, token, 0, &record->text) >= 0;
	}
	if (token == JSON_NUMBER && json->is_integer && slice_int64(json->text, &integer)) {
		arg.type = ARG_INTEGER;
		arg.integer = integer;
	} else if (token == JSON_NUMBER && slice_double(json->text, &real) && isfinite(real)) {
		arg.type = ARG_REAL;
		arg.real = real;
	} else {
		int result = json_copy_value_within(json, token, ARG_BYTES, &record->text);
		if (result != 0) {
			return result > 0;
		}
	}
	arg.key = sink_key(sink, strbuf_slice(&record->name));
	for (n = 0; n < record->n_args && record->args[n].key != arg.key; n++) {
	}
	record->starts[n] = start;
	record->lengths[n] = record->text.len - start;
	record->args[n] = arg; /* the last of a name counts */
	record->n_args += n == record->n_args;
	return true;
}

static bool
take_nodes(struct record *record)
{
	struct json *json = record->json;
	enum json_token token;

	while ((token = json_next(json)) == JSON_STRING) {
		MEM_GROW(record->nodes, record->nodes_capacity, record->n_nodes + 1);
		record->nodes[record->n_nodes++] = preemption_name_id(record->reader, json->text);
	}
	if (token != JSON_ARRAY_END && token != JSON_ERROR) {
		record->reject = "a node that is no text";
		return true;
	}
	return token == JSON_ARRAY_END;
}

static bool
take_interval(struct record *record)
{
	struct json *json = record->json;

	for (size_t i = 0; i < 3; i++) {
		if (json_next(json) != JSON_NUMBER ||
		    !preemption_count(json->text, &record->interval[i]) ||
		    record->interval[i] < 0 || record->interval[i] > LIVEPUT_MOST) {
			record->reject = "the interval is not three counts";
			return true;
		}
	}
	record->has_interval = true;
	return json_next(json) == JSON_ARRAY_END;
}

/* A member of the object; false if the JSON is broken. */
static bool
take_member(struct record *record)
{
	struct json *json = record->json;

	strbuf_clear(&record->name);
	strbuf_add_slice(&record->name, json->text);
	struct slice name = strbuf_slice(&record->name);
	enum json_token token = json_next(json);
	if (token == JSON_ERROR) {
		return false;
	}
	if (token == JSON_ARRAY_BEGIN && slice_is(name, "nodes")) {
		return take_nodes(record);
	}
	if (token == JSON_ARRAY_BEGIN && slice_is(name, "interval")) {
		return take_interval(record);
	}
	if (token == JSON_NUMBER && slice_is(name, "duration")) {
		if (!decimal_to_ns(json->text, NS_PER_MS, &record->duration_ns) ||
		    record->duration_ns < 0 || record->duration_ns > PREEMPTION_TIME_MOST) {
			record->reject = "the duration is none";
		}
		return true;
	}
	return take_argument(record, token);
}

/* Behind the opening brace. */
static bool
take_object(struct record *record)
{
	enum json_token token;

	while ((token = json_next(record->json)) == JSON_KEY) {
		if (!take_member(record)) {
			return false;
		}
		if (record->reject) {
			return true;
		}
	}
	return token == JSON_OBJECT_END;
}

/* Arguments whose text stands in the buffer get it only now that it does not move any more. */
static void
settle_arguments(struct record *record)
{
	for (size_t i = 0; i < record->n_args; i++) {
		if (record->args[i].type == ARG_JSON) {
			record->args[i].text = (struct slice){record->text.data + record->starts[i],
			                                      record->lengths[i]};
		}
	}
}

/* Once for each kind. */
static int
tell_unknown(struct record *record, struct slice kind)
{
	static const char *const passive[] = {"no-op", "migration", NULL};

	record->others = record->others ? record->others : intern_new();
	uint32_t n_before = intern_count(record->others);
	if (import_is_one_of(kind, passive) || intern_id(record->others, kind) < n_before) {
		return 0;
	}
	return preemption_note(record->reader, record->reader->line,
	                       "unknown kind %.*s: rows of this kind move no instance and are "
	                       "kept as events only",
	                       (int)(LEAST(kind.len, 100)), kind.ptr);
}

static int
put_record(struct record *record, struct slice kind)
{
	struct preemption_reader *reader = record->reader;
	struct sink *sink = reader->sink;
	struct event event = {.time_ns = record->time_ns,
	                      .lane = reader->lane,
	                      .args = record->args,
	                      .n_args = record->n_args};
	bool adds = slice_is(kind, "add"), removes = slice_is(kind, "remove");
	bool is_last = slice_is(kind, "DONE");
	int stop = preemption_come_to(reader, record->time_ns);

	if (stop == 0 && !adds && !removes && !is_last) {
		stop = tell_unknown(record, kind);
	}
	settle_arguments(record);
	event.name = sink_text(sink, kind);
	event.category = preemption_text(reader, "trace");
	stop = stop ? stop : sink_event(sink, &event);
	for (size_t i = 0; i < record->n_nodes && stop == 0; i++) {
		stop = adds ? preemption_add_instance(reader, record->nodes[i], record->time_ns)
		       : removes
		           ? preemption_remove_instance(reader, record->nodes[i], record->time_ns)
		           : 0;
	}
	reader->is_done = is_last;
	reader->end_ns =
	    record->time_ns + (record->duration_ns == TIME_NONE ? 0 : record->duration_ns);
	return stop;
}

/* Reads a line into the record and the kind; record->reject if it is none. */
static void
parse_line(struct record *record, struct slice line, struct strbuf *kind)
{
	struct json *json = record->json;

	json_begin(json, line, JSON_STRICT);
	record_clear(record);
	strbuf_clear(kind);
	record->reject = "not [time, kind, {...}]";
	if (json_next(json) != JSON_ARRAY_BEGIN || json_next(json) != JSON_NUMBER ||
	    !decimal_to_ns(json->text, NS_PER_MS, &record->time_ns) || record->time_ns < 0 ||
	    record->time_ns > PREEMPTION_TIME_MOST || json_next(json) != JSON_STRING) {
		return;
	}
	strbuf_add_slice(kind, json->text);
	if (json_next(json) == JSON_OBJECT_BEGIN) {
		record->reject = NULL;
		if (!take_object(record) ||
		    (!record->reject &&
		     (json_next(json) != JSON_ARRAY_END || json_next(json) != JSON_END))) {
			record->reject = json->error ? json->error : "more behind the record";
		}
	}
}

/* Its turn has come: a line that was kept is read once more. */
static int
put_line(struct preemption_reader *reader, int64_t time_ns, int64_t number, struct slice text)
{
	static const char zeros[INPUT_PADDING];
	struct record *record = reader->record;
	struct strbuf padded = {0}, kind = {0};

	(void)time_ns;
	(void)number;
	strbuf_add_slice(&padded, text);
	strbuf_add(&padded, zeros, sizeof zeros);
	parse_line(record, (struct slice){padded.data, text.len}, &kind);
	int stop = record->reject ? 0 : put_record(record, strbuf_slice(&kind));
	strbuf_free(&padded);
	strbuf_free(&kind);
	return stop;
}

static int
take_line(struct preemption_reader *reader, struct record *record, bool is_cut)
{
	bool is_open = input_last_line_open(reader->input);
	struct strbuf kind = {0};
	int stop = 0;

	reader->reject = "the line is longer than is read";
	if (!is_cut) {
		parse_line(record, reader->text, &kind);
		reader->reject = record->reject;
	}
	strbuf_free(&kind);
	if (!reader->reject) {
		stop = preemption_keep(reader, record->time_ns, 0, reader->text);
	}
	if (stop || !reader->reject) {
		reader->counts.records++;
		return stop;
	}
	reader->counts.bad_records++;
	if (is_open && input_truncated(reader->input)) {
		return 0;
	}
	return preemption_problem(reader, is_open ? PROBLEM_TRUNCATED : PROBLEM_MALFORMED,
	                          reader->reject);
}

static int
read_json_lines(struct preemption_reader *reader, struct record *record)
{
	struct slice line;
	bool is_cut;

	for (reader->line = 1;; reader->line++) {
		reader->offset = input_offset(reader->input);
		int more = input_line(reader->input, &line, &is_cut, reader->err);
		if (more <= 0) {
			reader->text.len = 0;
			return more;
		}
		if (reader->line % 256 == 0 && preemption_is_cancelled(reader)) {
			return -1;
		}
		reader->text = slice_trim(line, PREEMPTION_BLANKS);
		if (reader->text.len && reader->text.ptr[0] != '#' &&
		    take_line(reader, record, is_cut) != 0) {
			return 1;
		}
	}
}

int
preemption_read_jsonl(struct preemption_reader *reader)
{
	struct json json = {0};
	struct record record = {.reader = reader, .json = &json};

	reader->record = &record;
	reader->put = put_line;
	int result = read_json_lines(reader, &record);
	result = result ? result : preemption_events_end(reader);
	record_free(&record);
	reader->record = NULL;
	return result;
}

/* ---- [{"interval": [have, added, removed], "duration": ms, ...}, ...] ---- */

static int
put_interval(struct record *record)
{
	struct preemption_reader *reader = record->reader;
	struct sink *sink = reader->sink;
	int64_t have = record->interval[0], added = record->interval[1],
		removed = record->interval[2];
	int64_t time_ns = reader->end_ns == TIME_NONE ? 0 : reader->end_ns;
	struct span span = {.start_ns = time_ns,
	                    .lane = reader->lane,
	                    .path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1,
	                    .args = record->args,
	                    .n_args = record->n_args};
	int stop = 0;

	settle_arguments(record);
	span.duration_ns = record->duration_ns == TIME_NONE ? 0 : record->duration_ns;
	if (time_ns > PREEMPTION_TIME_MOST - span.duration_ns) {
		record->reject = "the intervals are longer than any time";
		return 0;
	}
	if (reader->last_ns != TIME_NONE && have != reader->population) {
		stop = preemption_note(reader, reader->line,
		                       "interval %" PRIu64 " begins with %" PRId64
		                       " instances, where %" PRId64 " were left",
		                       reader->line, have, reader->population);
	}
	if (removed > have + added) {
		record->reject = "removes more instances than there are";
		return stop;
	}
	reader->population = have + added - removed;
	reader->batch_ns = time_ns;
	reader->batch_added = added;
	reader->batch_removed = removed;
	bool is_first = reader->last_ns == TIME_NONE;
	preemption_note_time(reader, time_ns);
	reader->end_ns = time_ns + span.duration_ns;
	stop = stop ? stop : preemption_put_batch(reader);
	if (stop == 0 && is_first && !added && !removed) {
		stop = preemption_put_capacity(reader, time_ns, have, (struct slice){"", 0});
	}
	span.name = preemption_text(reader, "interval");
	span.category = preemption_text(reader, "trace");
	return stop ? stop : sink_span(sink, &span);
}

static int
take_intervals(struct record *record)
{
	struct preemption_reader *reader = record->reader;
	struct json *json = record->json;
	enum json_token token = json_next(json);
	int stop = 0;

	while (stop == 0 && (token = json_next(json)) != JSON_ARRAY_END && token != JSON_ERROR) {
		unsigned depth = json->depth;
		reader->line++;
		reader->offset = json_offset(json);
		if (reader->line % 256 == 0 && preemption_is_cancelled(reader)) {
			return -1;
		}
		record_clear(record);
		if (token != JSON_OBJECT_BEGIN) {
			record->reject = "not an object";
		} else if (!take_object(record) && json->error) {
			break;
		}
		if (!record->reject && !record->has_interval) {
			record->reject = "no interval";
		}
		if (!record->reject) {
			stop = put_interval(record);
		}
		reader->counts.records += record->reject == NULL;
		reader->counts.bad_records += record->reject != NULL;
		if (stop == 0 && record->reject) {
			stop = preemption_problem(reader, PROBLEM_INVALID, record->reject);
		}
		/* A record that was given up is left where it stands. */
		while ((token == JSON_OBJECT_BEGIN || token == JSON_ARRAY_BEGIN) &&
		       json->depth >= depth && json_next(json) != JSON_ERROR) {
		}
	}
	if (stop == 0 && token == JSON_ARRAY_END) {
		(void)json_next(json); /* what stands behind it is an error */
	}
	return stop;
}

int
preemption_read_liveput(struct preemption_reader *reader)
{
	struct json json = {0};
	struct record record = {.reader = reader, .json = &json};

	json_open_input(&json, reader->input, JSON_STRICT, reader->err);
	int result = take_intervals(&record);
	if (result == 0 && reader->err->code != ERR_NONE) {
		result = -1;
	}
	if (result == 0 && json.error && !input_truncated(reader->input)) {
		reader->offset = json.error_offset;
		result = preemption_problem(reader, PROBLEM_MALFORMED, json.error);
	}
	record_free(&record);
	return result ? result : preemption_events_end(reader);
}
