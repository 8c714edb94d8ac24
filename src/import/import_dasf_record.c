/*
 * A record of a DASF file: a map of known members, taken by name. The whole record is checked
 * before any of it is used, so that arguments can be walked without failing.
 */
#include "config.h"
#include "import/import_dasf.h"

#include <math.h>

#define TIME_LIMIT_S 4e9 /* as int64 ns there is room to add and subtract */

static bool
value_of(struct slice encoded, struct msgpack_value *value)
{
	struct msgpack reader;

	msgpack_begin(&reader, encoded);
	return msgpack_next(&reader, value) == 0;
}

bool
dasf_text(struct slice value, struct slice *text)
{
	struct msgpack_value found;

	if (!value_of(value, &found) || found.type != MSGPACK_TEXT) {
		return false;
	}
	*text = found.text;
	return true;
}

bool
dasf_number(struct slice value, double *number)
{
	struct msgpack_value found;

	if (!value_of(value, &found)) {
		return false;
	}
	switch (found.type) {
	case MSGPACK_INTEGER:
		*number = (double)found.integer;
		return true;
	case MSGPACK_UNSIGNED:
		*number = (double)found.count;
		return true;
	case MSGPACK_REAL:
		*number = found.real;
		return true;
	default:
		return false;
	}
}

/* The next key and its value, encoded. */
static int
next_member(struct msgpack *reader, struct msgpack_value *key, struct slice *value)
{
	if (msgpack_next(reader, key)) {
		return -1;
	}
	if (key->type != MSGPACK_TEXT) {
		reader->error = "a key that is no text";
		return -1;
	}
	const char *start = reader->cursor;
	if (msgpack_skip(reader)) {
		return -1;
	}
	*value = (struct slice){start, (size_t)(reader->cursor - start)};
	return 0;
}

/* All keys of the arguments must be texts. */
static int
check_args(struct msgpack *reader, struct slice encoded)
{
	struct msgpack args;
	struct msgpack_value map, key;
	struct slice value;

	msgpack_begin(&args, encoded);
	if (msgpack_next(&args, &map) || map.type != MSGPACK_MAP) {
		return 0; /* none, or no map: there are no arguments then */
	}
	for (uint64_t i = 0; i < map.count; i++) {
		if (next_member(&args, &key, &value)) {
			reader->error = args.error;
			return -1;
		}
	}
	return 0;
}

struct members {
	bool has_name, has_timestamp, has_duration, has_phase;
};

static void
set_member(struct dasf_record *record, struct members *members, struct slice key,
           struct slice value)
{
	struct slice text;

	if (slice_is(key, "name")) {
		members->has_name = dasf_text(value, &record->name);
	} else if (slice_is(key, "timestamp")) {
		members->has_timestamp = dasf_number(value, &record->timestamp);
	} else if (slice_is(key, "duration")) {
		members->has_duration = dasf_number(value, &record->duration);
	} else if (slice_is(key, "phase")) {
		members->has_phase = dasf_text(value, &text) && text.len == 1;
		record->phase = members->has_phase ? text.ptr[0] : '\0';
	} else if (slice_is(key, "scope")) {
		(void)dasf_text(value, &record->scope);
	} else if (slice_is(key, "process_id")) {
		(void)value_of(value, &record->process);
	} else if (slice_is(key, "thread_id")) {
		(void)value_of(value, &record->thread);
	} else if (slice_is(key, "args")) {
		record->args = value;
	}
}

static bool
is_time(double seconds)
{
	return fabs(seconds) <= TIME_LIMIT_S; /* false for NaN */
}

/* Is what was read an event? */
static const char *
judge(const struct dasf_record *record, const struct members *members)
{
	if (!members->has_name) {
		return "no name";
	}
	if (!members->has_timestamp || !is_time(record->timestamp)) {
		return "a timestamp that is none";
	}
	if (!members->has_phase || !strchr("XIBE", record->phase)) {
		return "a phase other than X, I, B and E";
	}
	if (record->phase == 'X' && (!members->has_duration || !is_time(record->duration))) {
		return "a duration that is none";
	}
	return NULL;
}

const char *
dasf_record_read(struct slice bytes, struct dasf_record *record, bool *invalid)
{
	struct msgpack reader;
	struct msgpack_value map, key;
	struct members members = {false, false, false, false};
	struct slice value;

	*invalid = false;
	*record = (struct dasf_record){.name = {"", 0}, .scope = {"", 0}, .args = {"", 0}};
	msgpack_begin(&reader, bytes);
	if (msgpack_next(&reader, &map)) {
		return reader.error;
	}
	if (map.type != MSGPACK_MAP) {
		return "not a map";
	}
	for (uint64_t i = 0; i < map.count; i++) {
		if (next_member(&reader, &key, &value)) {
			return reader.error;
		}
		set_member(record, &members, key.text, value);
	}
	if (msgpack_left(&reader) > 0) {
		return "bytes behind the record's end";
	}
	if (check_args(&reader, record->args)) {
		return reader.error;
	}
	const char *why = judge(record, &members);
	*invalid = why != NULL;
	return why;
}

void
dasf_args_begin(struct dasf_args *args, const struct dasf_record *record)
{
	struct msgpack_value map;

	*args = (struct dasf_args){.left = 0};
	msgpack_begin(&args->reader, record->args);
	if (msgpack_next(&args->reader, &map) == 0 && map.type == MSGPACK_MAP) {
		args->left = map.count;
	}
}

bool
dasf_args_next(struct dasf_args *args)
{
	struct msgpack_value key;

	if (args->left == 0) {
		return false;
	}
	args->left--;
	if (next_member(&args->reader, &key, &args->value)) {
		return false;
	}
	args->key = key.text;
	return true;
}
