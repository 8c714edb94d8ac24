/*
 * A line of a cascade trace -> a row.
 *
 * JSON objects are of strings with an integer `at`; a number that went through a table of floats
 * (27.0, 1.6e13) is the integer that it was, read from its digits. Log lines read
 * `asctime:LEVEL:logger:pid:message`; a line counts only if its logger is one of the tracing ones,
 * as other loggers write to the same stream. The message is `key=value;...;at=INT`, since late 2024
 * with a # in front; nothing is escaped, so everything after the # is data, split at `;` and each
 * part at its first `=`.
 */
#include "config.h"
#include "import/import_cascade.h"

#include <stdlib.h>

#include "util/date.h"
#include "util/format.h"

#define NS_PER_S INT64_C(1000000000)
#define EXTRAS_LIMIT 100u    /* keys of one row beside the known ones */
#define MESSAGE_LIMIT 10000u /* the logger cuts there */

struct action {
	const char *name;
	uint8_t subject, stage, generation;
};

static const struct action actions[] = {
    {"taskPlanned", SUBJECT_TASK, STAGE_PLANNED, 1},
    {"taskEnqueued", SUBJECT_TASK, STAGE_ENQUEUED, 1},
    {"taskStarted", SUBJECT_TASK, STAGE_STARTED, 1},
    {"taskLoaded", SUBJECT_TASK, STAGE_LOADED, 2},
    {"taskFinished", SUBJECT_TASK, STAGE_FINISHED, 1},
    {"transmitPlanned", SUBJECT_TRANSFER, STAGE_PLANNED, 1},
    {"transmitStarted", SUBJECT_TRANSFER, STAGE_STARTED, 1},
    {"transmitLoaded", SUBJECT_TRANSFER, STAGE_LOADED, 1},
    {"transmitFinished", SUBJECT_TRANSFER, STAGE_FINISHED, 1},
    {"controllerReport", SUBJECT_REPORT, 0, 2},
    {"task_planned", SUBJECT_TASK, STAGE_PLANNED, 3},
    {"task_enqueued", SUBJECT_TASK, STAGE_ENQUEUED, 3},
    {"task_started", SUBJECT_TASK, STAGE_STARTED, 3},
    {"task_loaded", SUBJECT_TASK, STAGE_LOADED, 3},
    {"task_computed", SUBJECT_TASK, STAGE_COMPUTED, 3},
    {"task_published", SUBJECT_TASK, STAGE_PUBLISHED, 3},
    {"task_completed", SUBJECT_TASK, STAGE_COMPLETED, 3},
    {"transmit_planned", SUBJECT_TRANSFER, STAGE_PLANNED, 3},
    {"transmit_started", SUBJECT_TRANSFER, STAGE_STARTED, 3},
    {"transmit_loaded", SUBJECT_TRANSFER, STAGE_LOADED, 3},
    {"transmit_received", SUBJECT_TRANSFER, STAGE_RECEIVED, 3},
    {"transmit_unloaded", SUBJECT_TRANSFER, STAGE_UNLOADED, 3},
    {"transmit_completed", SUBJECT_TRANSFER, STAGE_COMPLETED, 3},
};

/* A row in the making. */
struct draft {
	struct cascade_trace *trace;
	struct cascade_row row;
	bool has_at, at_is_integer, has_too_many;
};

static void
draft_begin(struct draft *draft, struct cascade_trace *trace)
{
	memset(draft, 0, sizeof *draft);
	draft->trace = trace;
	draft->row = (struct cascade_row){.line = trace->line,
	                                  .offset = trace->offset,
	                                  .pid = -1,
	                                  .action = INTERN_NONE,
	                                  .host = INTERN_NONE,
	                                  .worker = INTERN_NONE,
	                                  .task = INTERN_NONE,
	                                  .dataset = INTERN_NONE,
	                                  .mode = INTERN_NONE,
	                                  .source = INTERN_NONE,
	                                  .target = INTERN_NONE,
	                                  .first_extra = (uint32_t)trace->n_extras};
}

static void
add_extra(struct draft *draft, struct slice key, struct slice value)
{
	struct cascade_trace *trace = draft->trace;
	struct cascade_row *row = &draft->row;
	struct cascade_extra extra = {intern_id(trace->texts, key), intern_id(trace->texts, value)};

	for (uint32_t i = 0; i < row->n_extras; i++) {
		if (trace->extras[row->first_extra + i].key == extra.key) {
			trace->extras[row->first_extra + i] =
			    extra; /* the last counts, as in JSON */
			return;
		}
	}
	if (row->n_extras == EXTRAS_LIMIT) {
		draft->has_too_many = true;
		return;
	}
	MEM_GROW(trace->extras, trace->extras_capacity, trace->n_extras + 1);
	trace->extras[trace->n_extras++] = extra;
	row->n_extras++;
}

/* What Python, pandas and JSON write for what is missing. */
static bool
is_missing(struct slice value)
{
	static const char *const words[] = {"None", "null", "NaN", "nan", "", NULL};

	return import_is_one_of(value, words);
}

static void
draft_set(struct draft *draft, struct slice key, struct slice value)
{
	struct cascade_row *row = &draft->row;
	struct cascade_trace *trace = draft->trace;
	const struct {
		const char *name;
		uint32_t *field;
	} fields[] = {
	    {"action", &row->action}, {"host", &row->host},       {"worker", &row->worker},
	    {"task", &row->task},     {"dataset", &row->dataset}, {"mode", &row->mode},
	    {"source", &row->source}, {"target", &row->target},
	};

	if (slice_is(key, "at")) {
		draft->has_at = true;
		draft->at_is_integer = decimal_to_int64(value, &row->at);
		return;
	}
	for (size_t i = 0; i < COUNT_OF(fields); i++) {
		if (slice_is(key, fields[i].name)) {
			*fields[i].field =
			    is_missing(value) ? INTERN_NONE : intern_id(trace->texts, value);
			return;
		}
	}
	add_extra(draft, key, value);
}

static void
draft_drop(struct draft *draft)
{
	draft->trace->n_extras = draft->row.first_extra;
}

static void
classify(struct cascade_row *row, struct slice action)
{
	row->subject = SUBJECT_OTHER;
	row->generation = 1;
	for (size_t i = 0; i < COUNT_OF(actions); i++) {
		if (slice_is(action, actions[i].name)) {
			row->subject = actions[i].subject;
			row->stage = actions[i].stage;
			row->generation = actions[i].generation;
			return;
		}
	}
	if (slice_starts_with(action, "ctrl_")) {
		row->subject = SUBJECT_PHASE;
		row->generation = 3;
	}
}

static enum cascade_line
draft_finish(struct draft *draft, const char **reason, bool *invalid)
{
	struct cascade_trace *trace = draft->trace;
	struct cascade_row *row = &draft->row;

	*reason = NULL;
	if (!draft->has_at) {
		*reason = trace->text.len >= MESSAGE_LIMIT ? "no at: the logger cut the message"
		                                           : "no at";
	} else if (!draft->at_is_integer || row->at == TIME_NONE) {
		*reason = "at is not an integer";
	} else if (draft->has_too_many) {
		*reason = "more keys than are read";
	} else if (row->action == INTERN_NONE) {
		*reason = "no action";
		*invalid = true;
	} else {
		classify(row, intern_text(trace->texts, row->action));
		if (row->subject == SUBJECT_TASK && row->task == INTERN_NONE) {
			*reason = "a task's row without task";
			*invalid = true;
		} else if (row->subject == SUBJECT_TRANSFER && row->dataset == INTERN_NONE) {
			*reason = "a transmit's row without dataset";
			*invalid = true;
		}
	}
	if (*reason) {
		draft_drop(draft);
		return CASCADE_BAD;
	}
	MEM_GROW(trace->rows, trace->rows_capacity, trace->n_rows + 1);
	trace->rows[trace->n_rows++] = *row;
	return CASCADE_ROW;
}

/* ---- JSON lines ---- */

/* NULL, or why the value cannot be read. Nested values are kept as JSON text. */
static const char *
set_json_member(struct draft *draft, struct slice key)
{
	struct json *json = &draft->trace->json;
	struct strbuf nested = {0};
	const char *why = NULL;
	enum json_token token = json_next(json);

	switch (token) {
	case JSON_NUMBER: /* NaN among them, which pandas writes in rows that lack a column */
		if (is_missing(json->text)) {
			break;
		}
		draft_set(draft, key, json->text);
		break;
	case JSON_STRING:
		draft_set(draft, key, json->text);
		break;
	case JSON_TRUE:
	case JSON_FALSE:
		draft_set(draft, key, slice_of(token == JSON_TRUE ? "true" : "false"));
		break;
	case JSON_NULL:
		break; /* as if the key were not there */
	case JSON_OBJECT_BEGIN:
	case JSON_ARRAY_BEGIN:
		if (json_copy_value(json, token, &nested) == 0) {
			draft_set(draft, key, strbuf_slice(&nested));
		} else {
			why = json->error;
		}
		break;
	default:
		why = json->error;
	}
	strbuf_free(&nested);
	return why;
}

static enum cascade_line
read_json(struct cascade_trace *trace, struct slice line, const char **reason, bool *invalid)
{
	struct json *json = &trace->json;
	struct strbuf key = {0};
	struct draft draft;
	const char *why = NULL;

	draft_begin(&draft, trace);
	json_begin(json, line, JSON_NOT_FINITE);
	if (json_next(json) != JSON_OBJECT_BEGIN) {
		why = json->error ? json->error : "not an object";
	}
	while (!why) {
		int more = json_member(json);
		if (more <= 0) {
			why = more == 0 && json_next(json) == JSON_END ? NULL : json->error;
			break;
		}
		strbuf_clear(&key);
		strbuf_add_slice(&key, json->text);
		why = set_json_member(&draft, strbuf_slice(&key));
	}
	strbuf_free(&key);
	if (why) {
		draft_drop(&draft);
		*reason = why;
		return CASCADE_BAD;
	}
	return draft_finish(&draft, reason, invalid);
}

/* ---- log lines ---- */

/* "2025-04-11 12:00:00,000" at the start of the line, as if in UTC. */
static bool
parse_asctime(struct slice line, int64_t *ns)
{
	static const char shape[] = "dddd-dd-dd dd:dd:dd,ddd:";
	int64_t parts[7] = {0};
	unsigned part = 0;

	if (line.len < sizeof shape - 1) {
		return false;
	}
	for (size_t i = 0; i < sizeof shape - 1; i++) {
		unsigned digit = (unsigned char)(line.ptr[i] - '0');
		if (shape[i] != 'd') {
			if (line.ptr[i] != shape[i]) {
				return false;
			}
			part++;
		} else if (digit > 9) {
			return false;
		} else {
			parts[part] = parts[part] * 10 + digit;
		}
	}
	if (parts[1] < 1 || parts[1] > 12 || parts[2] < 1 || parts[2] > 31 || parts[0] > 2261) {
		return false;
	}
	int64_t seconds = date_days(parts[0], parts[1], parts[2]) * 86400 + parts[3] * 3600 +
	                  parts[4] * 60 + parts[5];
	return !__builtin_mul_overflow(seconds, NS_PER_S, ns) &&
	       !__builtin_add_overflow(*ns, parts[6] * 1000000, ns);
}

static bool
take_field(struct slice *rest, struct slice *field)
{
	const char *colon = memchr(rest->ptr, ':', rest->len);

	if (!colon) {
		return false;
	}
	*field = (struct slice){rest->ptr, (size_t)(colon - rest->ptr)};
	rest->len -= field->len + 1;
	rest->ptr = colon + 1;
	return true;
}

struct log_line {
	int64_t time_ns; /* TIME_NONE */
	int64_t pid;
	bool is_tracer, has_mark;
	struct slice message;
};

static bool
split_log(struct slice line, struct log_line *log)
{
	struct slice level, logger, pid;

	log->time_ns = TIME_NONE;
	if (parse_asctime(line, &log->time_ns)) {
		line = slice_from(line, 24);
	}
	if (!take_field(&line, &level) || !take_field(&line, &logger) || !take_field(&line, &pid) ||
	    !slice_int64(pid, &log->pid)) {
		return false;
	}
	log->is_tracer = slice_ends_with(logger, "tracing.tracer");
	if (!log->is_tracer && !slice_ends_with(logger, "tracing.marker") &&
	    !slice_ends_with(logger, "tracing")) {
		return false;
	}
	log->has_mark = line.len && line.ptr[0] == '#';
	log->message = slice_from(line, log->has_mark);
	return true;
}

/* The next key=value of the message. False when there is none left or it has no `=`. */
static bool
take_pair(struct slice *rest, struct slice *key, struct slice *value)
{
	const char *end = memchr(rest->ptr, ';', rest->len);
	size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
	const char *equals = memchr(rest->ptr, '=', len);

	if (!equals) {
		return false;
	}
	*key = (struct slice){rest->ptr, (size_t)(equals - rest->ptr)};
	*value = (struct slice){equals + 1, len - key->len - 1};
	len += end != NULL;
	*rest = slice_from(*rest, len);
	return true;
}

static enum cascade_line
read_microtrace(struct cascade_trace *trace, const struct log_line *log, const char **reason)
{
	struct slice rest = log->message, key, value;
	struct cascade_microtrace microtrace = {.time_ns = log->time_ns, .pid = log->pid};

	if (!take_pair(&rest, &key, &value) || rest.len ||
	    !decimal_to_int64(value, &microtrace.value_ns)) {
		*reason = "a microtrace that is not kind=INTEGER";
		return CASCADE_BAD;
	}
	microtrace.kind = intern_id(trace->texts, key);
	MEM_GROW(trace->microtraces, trace->microtraces_capacity, trace->n_microtraces + 1);
	trace->microtraces[trace->n_microtraces++] = microtrace;
	return CASCADE_MICROTRACE;
}

/* The log prints local time; marks carry wall time, which gives the zone in quarters of an hour. */
static void
learn_zone(struct cascade_trace *trace, const struct log_line *log, int64_t at)
{
	const int64_t quarter_ns = 900 * NS_PER_S;
	int64_t difference;

	if (trace->zone_known || log->time_ns == TIME_NONE ||
	    __builtin_sub_overflow(at, log->time_ns, &difference) ||
	    difference > 24 * 4 * quarter_ns || difference < -24 * 4 * quarter_ns) {
		return;
	}
	int64_t half = difference < 0 ? -quarter_ns / 2 : quarter_ns / 2;
	trace->zone_ns = (difference + half) / quarter_ns * quarter_ns;
	trace->zone_known = true;
}

static enum cascade_line
read_log(struct cascade_trace *trace, struct slice line, const char **reason, bool *invalid)
{
	struct log_line log;
	struct draft draft;
	struct slice key, value;

	if (!split_log(line, &log)) {
		return CASCADE_FOREIGN;
	}
	if (log.is_tracer) {
		return read_microtrace(trace, &log, reason);
	}
	draft_begin(&draft, trace);
	draft.row.pid = log.pid;
	while (log.message.len) {
		if (!take_pair(&log.message, &key, &value)) {
			draft_drop(&draft);
			*reason = "a part without = (a ; in a value?)";
			return CASCADE_BAD;
		}
		draft_set(&draft, key, value);
	}
	enum cascade_line kind = draft_finish(&draft, reason, invalid);
	if (kind == CASCADE_ROW) {
		learn_zone(trace, &log, draft.row.at);
	}
	return kind;
}

enum cascade_line
cascade_read_line(struct cascade_trace *trace, struct slice line, const char **reason,
                  bool *invalid)
{
	*reason = NULL;
	*invalid = false;
	return line.ptr[0] == '{' ? read_json(trace, line, reason, invalid)
	                          : read_log(trace, line, reason, invalid);
}

void
cascade_rows_free(struct cascade_trace *trace)
{
	intern_free(trace->texts);
	free(trace->rows);
	free(trace->extras);
	free(trace->microtraces);
	json_fini(&trace->json);
}
