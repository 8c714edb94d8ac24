/*
 * Files of DASF's profiler: records of MessagePack, each behind its length in eight bytes.
 *
 * Several processes append to one file, batch by batch, so a process that is killed may leave half
 * a record in its midst, with whole ones of others behind it. As no record ends in a mark, what
 * follows a damaged one is found by how records begin: a length, a map, the key "name". The search
 * begins within the damaged record, since its length may reach over whole ones; that could make
 * hostile input be decoded again and again, so there is a limit to what may be decoded in vain.
 */
#include "config.h"
#include "import/formats.h"

#include <inttypes.h>
#include <stdlib.h>

#include "import/import_dasf.h"
#include "util/ascii.h"
#include "util/order.h"

#define LENGTH_BYTES 8u
#define RECORD_LIMIT ((uint64_t)64 << 20)
#define HEAD_BYTES 16u /* of a record that tell that it is one, at most */
#define EXCERPT_BYTES 100u
#define CANCEL_EVERY 1024u
#define WASTE_MIN (1u << 20)
#define WASTE_FACTOR 16u

/* What reading comes to: on, stopped by the sink, or failed. */
enum { GO_ON = 0, STOPPED = 1, FAILED = -1 };

static uint64_t
length_at(const char *at)
{
	uint64_t length = 0;

	for (unsigned i = 0; i < LENGTH_BYTES; i++) {
		length = length << 8 | (unsigned char)at[i];
	}
	return length;
}

/* Behind a map's own bytes: the key "name", or what there is room for of it. */
static bool
is_first_key(const char *key, size_t room)
{
	static const struct slice forms[] = {
	    {"\xa4name", 5}, {"\xd9\x04name", 6}, {"\xda\0\x04name", 7}, {"\xdb\0\0\0\x04name", 9}};

	for (size_t i = 0; i < COUNT_OF(forms); i++) {
		size_t length = LEAST(forms[i].len, room);
		if (memcmp(key, forms[i].ptr, length) == 0) {
			return true;
		}
	}
	return false;
}

/* Does a record begin with these bytes? `at` has HEAD_BYTES bytes. */
static bool
is_head(const char *at)
{
	unsigned char map = (unsigned char)at[LENGTH_BYTES];
	uint64_t length = length_at(at);
	size_t key = LENGTH_BYTES + (map == 0xdf ? 5 : map == 0xde ? 3 : 1);

	if (length <= 5 || length > RECORD_LIMIT ||
	    ((map & 0xf0) != 0x80 && map != 0xde && map != 0xdf)) {
		return false;
	}
	bool is_small = map != 0xdf || memcmp(at + LENGTH_BYTES + 1, "\0\0", 2) == 0;
	return is_small && is_first_key(at + key, HEAD_BYTES - key);
}

/* Passes over bytes up to where the next record seems to begin: 1, 0 at the end, -1. */
static int
find_record(struct dasf_reader *reader)
{
	struct slice bytes;

	for (;;) {
		int more = input_fill(reader->input, 2 * HEAD_BYTES, &bytes, reader->err);
		if (more <= 0) {
			return more;
		}
		const char *at = bytes.ptr;
		size_t left = bytes.len;
		while (left >= HEAD_BYTES) {
			if (is_head(at)) {
				input_consume(reader->input, (size_t)(at - bytes.ptr));
				return 1;
			}
			/* nothing begins before the next zero byte */
			const char *zero = memchr(at + 1, '\0', left - 1);
			size_t step = zero ? (size_t)(zero - at) : left;
			at += step;
			left -= step;
		}
		bool is_last = bytes.len < 2 * HEAD_BYTES;
		input_consume(reader->input, is_last ? bytes.len : bytes.len - left);
	}
}

/* The record at hand, of n bytes with its length, is none: tells so and finds the next. */
static int
lose_record(struct dasf_reader *reader, struct slice bytes, size_t n, const char *why, bool is_cut)
{
	char excerpt[EXCERPT_BYTES];
	size_t excerpt_len = LEAST(bytes.len, EXCERPT_BYTES);
	bool is_broken = is_cut && input_truncated(reader->input);
	bool is_wasteful = reader->wasted > WASTE_MIN + WASTE_FACTOR * input_offset(reader->input);

	memcpy(excerpt, bytes.ptr, excerpt_len);
	input_consume(reader->input, is_wasteful ? n : 1);
	int found = find_record(reader);
	if (found < 0) {
		return FAILED;
	}
	if (reader->division || !import_is_wanted(reader->options, reader->number)) {
		return GO_ON;
	}
	reader->counts.bad_records++;
	if (found == 0 && is_broken) {
		reader->is_tail_lost = true;
		return GO_ON; /* told together with the break of the gzip stream */
	}
	struct strbuf reason = {0};
	strbuf_printf(&reason, "%s%s: %" PRIu64 " bytes were passed over",
	              is_cut ? "" : "a damaged record, ", why,
	              input_offset(reader->input) - reader->offset);
	struct problem problem = {.kind = is_cut && !found ? PROBLEM_TRUNCATED : PROBLEM_MALFORMED,
	                          .record = reader->number,
	                          .offset = reader->offset,
	                          .excerpt = {excerpt, excerpt_len}};
	return import_tell(reader->sink, &problem, &reason) ? STOPPED : GO_ON;
}

static int
take_record(struct dasf_reader *reader, struct slice bytes, size_t n)
{
	struct dasf_record record;
	bool invalid;
	const char *why = dasf_record_read(
	    (struct slice){bytes.ptr + LENGTH_BYTES, n - LENGTH_BYTES}, &record, &invalid);

	if (why && !invalid) {
		reader->wasted += n;
		return lose_record(reader, bytes, n, why, false);
	}
	int stop = 0;
	if (reader->division) {
		if (!why) {
			dasf_division_record(reader->division, &record, reader->number);
		}
	} else if (!import_is_wanted(reader->options, reader->number)) {
		stop = 0; /* of another run */
	} else if (invalid) {
		reader->counts.bad_records++;
		stop = dasf_problem(reader, PROBLEM_INVALID, why);
	} else {
		reader->counts.records++;
		stop = dasf_emit(reader, &record);
	}
	input_consume(reader->input, n);
	return stop ? STOPPED : GO_ON;
}

/* One record, or what stands in its place. *ended: there is nothing left. */
static int
read_record(struct dasf_reader *reader, bool *ended)
{
	struct slice bytes;
	int more = input_fill(reader->input, LENGTH_BYTES, &bytes, reader->err);

	*ended = more == 0;
	if (more <= 0) {
		return more;
	}
	reader->number++;
	reader->offset = input_offset(reader->input);
	reader->sink->record = reader->number;
	reader->sink->offset = reader->offset;
	if (bytes.len < LENGTH_BYTES) {
		return lose_record(reader, bytes, bytes.len, "the file ends within a record", true);
	}
	uint64_t length = length_at(bytes.ptr);
	if (length > RECORD_LIMIT) {
		return lose_record(reader, bytes, LENGTH_BYTES, "a record longer than any is read",
		                   false);
	}
	size_t n = LENGTH_BYTES + (size_t)length;
	if (bytes.len < n && input_fill(reader->input, n, &bytes, reader->err) < 0) {
		return FAILED;
	}
	if (bytes.len < n) {
		return lose_record(reader, bytes, bytes.len, "the file ends within a record", true);
	}
	return take_record(reader, bytes, n);
}

static int
read_all(struct dasf_reader *reader)
{
	bool ended = false;

	while (!ended) {
		if (reader->number % CANCEL_EVERY == 0 && reader->options &&
		    cancel_requested(reader->options->cancel)) {
			return err_set(reader->err, ERR_CANCELLED, "cancelled");
		}
		int result = read_record(reader, &ended);
		if (result != GO_ON) {
			return result;
		}
	}
	return GO_ON;
}

static int
read_records(struct dasf_reader *reader)
{
	int result = read_all(reader);

	if (result != GO_ON) {
		return result;
	}
	if (reader->number == 0 && reader->offset == 0 &&
	    dasf_problem(reader, PROBLEM_SUSPICIOUS,
	                 "the file is empty: its process recorded nothing, or was killed before it "
	                 "wrote") != 0) {
		return STOPPED;
	}
	if (!reader->is_tail_lost) {
		reader->offset = input_offset(reader->input);
	}
	if (input_truncated(reader->input) &&
	    dasf_problem(reader, PROBLEM_TRUNCATED, input_truncation(reader->input)) != 0) {
		return STOPPED;
	}
	return dasf_emit_end(reader) || dasf_graph_report(reader) || dasf_facts_report(reader)
	           ? STOPPED
	           : GO_ON;
}

static const char *
dialect_of(const struct dasf_facts *facts)
{
	bool tasks = false, resources = false;

	for (size_t i = 0; i < facts->n_hosts; i++) {
		tasks |= facts->hosts[i].has_tasks;
		resources |= facts->hosts[i].has_resources;
	}
	if (tasks && resources) {
		return "trace and resources";
	}
	return tasks ? "trace" : resources ? "resources" : "events";
}

static void
reader_init(struct dasf_reader *reader, struct input *input, struct sink *sink)
{
	memset(reader, 0, sizeof *reader);
	reader->input = input;
	reader->sink = sink;
	reader->facts = dasf_facts_new();
	reader->worker_ids = intern_new();
	reader->task_keys = intern_new();
	reader->links = intern_new();
	reader->begin_ids = intern_new();
	reader->keys = (struct dasf_keys){.timestamp = sink_key(sink, slice_of("timestamp")),
	                                  .seconds = sink_key(sink, slice_of("seconds")),
	                                  .record = sink_key(sink, slice_of("record")),
	                                  .second = sink_key(sink, slice_of("second")),
	                                  .phase = sink_key(sink, slice_of("phase")),
	                                  .scope = sink_key(sink, slice_of("scope"))};
}

static void
reader_fini(struct dasf_reader *reader)
{
	intern_free(reader->worker_ids);
	intern_free(reader->task_keys);
	free(reader->tasks);
	intern_free(reader->links);
	intern_free(reader->begin_ids);
	free(reader->workers);
	free(reader->last_begin);
	free(reader->begins);
	strbuf_free(&reader->scratch);
	free(reader);
}

static int
read_source(struct input *input, struct sink *sink, const struct import_options *options,
            void **facts, struct err *err)
{
	struct dasf_reader *reader = xmalloc(sizeof *reader);

	reader_init(reader, input, sink);
	reader->err = err;
	reader->options = options;
	int result = read_records(reader);
	if (result == GO_ON) {
		reader->counts.clock = CLOCK_STEADY;
		reader->counts.dialect = dialect_of(reader->facts);
		sink_facts(sink, &reader->counts);
		*facts = reader->facts;
	} else {
		dasf_facts_free(reader->facts);
		*facts = NULL;
	}
	reader_fini(reader);
	return result == GO_ON ? 0 : -1;
}

/* ---- several runs ---- */

static uint32_t
no_key(void *user, struct slice name)
{
	(void)user;
	(void)name;
	return 0;
}

static int
find_parts(struct input *input, const struct cancel *cancel, struct import_parts *parts,
           struct err *err)
{
	struct dasf_reader *reader = xmalloc(sizeof *reader);
	struct sink sink = {.key = no_key};
	struct import_options options = {.cancel = cancel};

	reader_init(reader, input, &sink);
	reader->err = err;
	reader->options = &options;
	reader->division = dasf_division_new(parts);
	int result = read_all(reader);
	dasf_division_end(reader->division);
	dasf_facts_free(reader->facts);
	reader_fini(reader);
	return result == GO_ON ? 0 : -1;
}

/* ---- recognition ---- */

static bool
has_our_name(const char *file_name)
{
	static const char ending[] = ".msgpack";
	size_t length = file_name ? strlen(file_name) : 0;

	return length >= sizeof ending &&
	       strcmp(file_name + length + 1 - sizeof ending, ending) == 0;
}

static int
sniff_head(struct slice head, const char *file_name)
{
	struct dasf_record record;
	bool invalid;

	if (head.len == 0) {
		return has_our_name(file_name) ? 10 : 0; /* a file of no records is valid */
	}
	if (head.len < HEAD_BYTES || !is_head(head.ptr)) {
		return 0;
	}
	uint64_t length = length_at(head.ptr);
	if (length > head.len - LENGTH_BYTES) {
		return 90; /* longer than what we see of it */
	}
	struct slice bytes = {head.ptr + LENGTH_BYTES, (size_t)length};
	const char *why = dasf_record_read(bytes, &record, &invalid);
	return why && !invalid ? 0 : why ? 50 : 100;
}

/* Takes "-<unix seconds>" off a name's end. */
static int64_t
take_seconds(struct slice *name)
{
	size_t digits = 0;
	int64_t seconds;

	while (digits < name->len && is_digit(name->ptr[name->len - 1 - digits])) {
		digits++;
	}
	bool has_time = digits >= 9 && digits < 12 && digits < name->len &&
	                name->ptr[name->len - 1 - digits] == '-';
	if (!has_time ||
	    !slice_int64((struct slice){name->ptr + name->len - digits, digits}, &seconds)) {
		return 0;
	}
	name->len -= digits + 1;
	return seconds;
}

#define LOOK_RECORDS 1000u

/* A file whose name tells nothing: the samples of a host and its tasks may be two files. Their
 * clock is the host's. */
static void
look_inside(struct slice head, struct arena *arena, struct import_look *look)
{
	struct dasf_record record;
	struct slice host = {0};
	bool has_samples = false, has_others = false, invalid;

	for (unsigned n = 0; n < LOOK_RECORDS && head.len >= LENGTH_BYTES; n++) {
		uint64_t length = length_at(head.ptr);
		if (length > head.len - LENGTH_BYTES ||
		    dasf_record_read((struct slice){head.ptr + LENGTH_BYTES, (size_t)length},
		                     &record, &invalid)) {
			break;
		}
		if (n == 0 && record.process.type == MSGPACK_TEXT && record.timestamp >= 0 &&
		    record.timestamp < 1e9) {
			host = record.process.text;
			look->begin_ns = (int64_t)(record.timestamp * 1e9);
		}
		bool is_sample = slice_is(record.name, "Resource Usage");
		has_samples |= is_sample;
		has_others |= !is_sample;
		head.ptr += LENGTH_BYTES + length;
		head.len -= LENGTH_BYTES + (size_t)length;
	}
	if (host.ptr) {
		look->job = slice_of(arena_printf(arena, "on %.*s", (int)host.len, host.ptr));
		look->label = has_others ? "tasks of this host" : "samples of this host";
		look->part = has_others ? 1 : has_samples ? 2 : 0;
		look->apart_ns = 3600 * INT64_C(1000000000);
	}
}

/* "<name>[-<unix seconds>]-<plugin>-<host>.msgpack": files of one name and of about one time are of
 * one experiment, which has a file for each plugin and host. */
static void
look(struct slice head, const char *file_name, struct arena *arena, struct import_look *look)
{
	static const char *const plugins[] = {"-TracePlugin-", "-ResourceMonitor-"};
	const char *part = NULL;
	struct slice name = {path_name(file_name), 0};

	for (size_t i = 0; i < COUNT_OF(plugins) && !part; i++) {
		part = strstr(name.ptr, plugins[i]);
	}
	if (!part) {
		look->job = slice_of(arena_printf(arena, "%s", name.ptr));
		look_inside(head, arena, look);
		return;
	}
	name.len = (size_t)(part - name.ptr);
	int64_t seconds = take_seconds(&name);
	look->begin_ns = seconds ? seconds * 1000000000 : TIME_NONE;
	look->job = arena_slice(arena, name);
	look->label = arena_strndup(arena, part + 1, strcspn(part + 1, "."));
	look->part = hash_bytes(look->label, strlen(look->label), 0);
	look->part += look->part == 0;
}

const struct import_format import_dasf = {
    .name = "dasf",
    .summary = "DASF profiler files (MessagePack): Dask tasks, memory and resources",
    .grouping = GROUP_TREE,
    .look = look,
    .sniff = sniff_head,
    .read = read_source,
    .find_parts = find_parts,
    .align = dasf_align,
    .conclude = dasf_conclude,
    .pack_facts = dasf_facts_pack,
    .free_facts = dasf_facts_free,
};
