/*
 * Records -> what the model has.
 *
 *   Compute         a span on its worker's lane and a task. The record is made when the result is
 *                   there, so the span ends at the timestamp; analyses of DASF begin it there, and
 *                   find timestamp and duration as they were recorded in the task and in args.
 *   Managed Memory  counters managed_memory and managed_tasks of the worker
 *   Resource Usage  a counter for each number in it, on a lane of the host
 *   other X         spans from the timestamp on; I: events; B and E: events, and a span where an E
 *                   ends a B of its name (DASF writes ends as B, unless told otherwise)
 *
 * Every row has its record's number and timestamp, since figures depend on the order of records and
 * on every digit of their times.
 */
#include "config.h"
#include "import/import_dasf.h"

#include <math.h>
#include <stdio.h>

/* ---- arguments ---- */

static void
add_arg(struct dasf_reader *reader, struct arg arg)
{
	for (size_t i = 0; i < reader->n_args; i++) {
		if (reader->args[i].key == arg.key) {
			return; /* ours stand first, and count */
		}
	}
	if (reader->n_args < DASF_ARGS) {
		reader->args[reader->n_args++] = arg;
	}
}

static void
add_integer(struct dasf_reader *reader, uint32_t key, int64_t integer)
{
	add_arg(reader, (struct arg){.key = key, .type = ARG_INTEGER, .integer = integer});
}

static void
add_real(struct dasf_reader *reader, uint32_t key, double real)
{
	add_arg(reader, (struct arg){.key = key, .type = ARG_REAL, .real = real});
}

/* An encoded value as an argument; false if it can't be one. The text of a nested one is appended
 * to scratch, which may move: finish_args says where it is. */
static bool
set_arg(struct dasf_reader *reader, struct slice encoded, struct arg *arg)
{
	struct msgpack nested;
	struct msgpack_value value;
	size_t before = reader->scratch.len;

	msgpack_begin(&nested, encoded);
	if (msgpack_next(&nested, &value)) {
		return false;
	}
	switch (value.type) {
	case MSGPACK_NIL:
		arg->type = ARG_NULL;
		return true;
	case MSGPACK_BOOLEAN:
	case MSGPACK_INTEGER:
	case MSGPACK_UNSIGNED:
		arg->type = value.type == MSGPACK_BOOLEAN   ? ARG_BOOLEAN
		            : value.type == MSGPACK_INTEGER ? ARG_INTEGER
		                                            : ARG_UNSIGNED;
		arg->integer = value.integer;
		return true;
	case MSGPACK_REAL:
		arg->type = isfinite(value.real) ? ARG_REAL : ARG_NULL;
		arg->real = value.real;
		return true;
	case MSGPACK_TEXT:
		arg->type = ARG_TEXT;
		arg->text = value.text;
		return true;
	default:
		msgpack_begin(&nested, encoded);
		if (msgpack_copy_json(&nested, &reader->scratch)) {
			reader->scratch.len = before;
			return false;
		}
		arg->type = ARG_JSON;
		arg->text = (struct slice){NULL, reader->scratch.len - before};
		return true;
	}
}

static void
add_encoded(struct dasf_reader *reader, struct slice key, struct slice encoded)
{
	struct arg arg = {.type = ARG_NULL};
	size_t at = reader->scratch.len;

	if (reader->n_args < DASF_ARGS && set_arg(reader, encoded, &arg)) {
		arg.key = sink_key(reader->sink, key);
		reader->json_at[reader->n_args] = at;
		add_arg(reader, arg);
	}
}

/* How many there are; no more may be added. */
static size_t
finish_args(struct dasf_reader *reader)
{
	for (size_t i = 0; i < reader->n_args; i++) {
		if (reader->args[i].type == ARG_JSON) {
			reader->args[i].text.ptr = reader->scratch.data + reader->json_at[i];
		}
	}
	return reader->n_args;
}

/* The record's own arguments, behind ours, but for those that are kept elsewhere. */
static void
add_args(struct dasf_reader *reader, const struct dasf_record *record, const char *const *but)
{
	struct dasf_args args;

	dasf_args_begin(&args, record);
	while (dasf_args_next(&args)) {
		if (!but || !import_is_one_of(args.key, but)) {
			add_encoded(reader, args.key, args.value);
		}
	}
}

static void
begin_args(struct dasf_reader *reader, const struct dasf_record *record)
{
	strbuf_clear(&reader->scratch);
	reader->n_args = 0;
	add_real(reader, reader->keys.timestamp, record->timestamp);
	add_integer(reader, reader->keys.record, (int64_t)reader->number);
}

static int64_t
to_ns(double seconds)
{
	return (int64_t)llround(seconds * 1e9);
}

static text_code
text_code_of(struct dasf_reader *reader, struct slice text)
{
	return sink_text(reader->sink, text);
}

/* ---- Compute ---- */

struct compute {
	struct slice key, name;
	bool has_key, has_name;
	int64_t size;
	bool has_odd_size; /* that no 64-bit size is */
	struct slice dependencies, dependents;
};

static void
read_size(struct slice encoded, struct compute *compute)
{
	struct msgpack reader;
	struct msgpack_value value;

	msgpack_begin(&reader, encoded);
	if (msgpack_next(&reader, &value) || value.type == MSGPACK_NIL) {
		return;
	}
	if (value.type == MSGPACK_INTEGER && value.integer >= 0) {
		compute->size = value.integer;
	} else if (value.type == MSGPACK_REAL && value.real >= 0 && value.real < 9e18) {
		compute->size = (int64_t)value.real;
	} else {
		compute->has_odd_size = true;
	}
}

static void
read_compute(const struct dasf_record *record, struct compute *compute)
{
	struct dasf_args args;

	*compute = (struct compute){.size = SIZE_NONE};
	dasf_args_begin(&args, record);
	while (dasf_args_next(&args)) {
		if (slice_is(args.key, "key")) {
			compute->has_key = dasf_text(args.value, &compute->key);
		} else if (slice_is(args.key, "name")) {
			compute->has_name = dasf_text(args.value, &compute->name);
		} else if (slice_is(args.key, "size")) {
			read_size(args.value, compute);
		} else if (slice_is(args.key, "dependencies")) {
			compute->dependencies = args.value;
		} else if (slice_is(args.key, "dependents")) {
			compute->dependents = args.value;
		}
	}
}

/* Each edge once, though both of its ends tell of it. */
static int
emit_edge(struct dasf_reader *reader, struct slice from, struct slice to)
{
	uint32_t pair[2] = {dasf_task_id(reader, from), dasf_task_id(reader, to)};
	uint32_t n = intern_count(reader->links);

	if (intern_id(reader->links, (struct slice){(const char *)pair, sizeof pair}) != n) {
		return 0;
	}
	struct dependency dependency = {.type = DEPENDENCY_TASK,
	                                .from_key = text_code_of(reader, from),
	                                .to_key = text_code_of(reader, to),
	                                .name = TEXT_NONE};
	return sink_dependency(reader->sink, &dependency);
}

static int
emit_edges(struct dasf_reader *reader, struct slice keys, struct slice task, bool from_task)
{
	struct msgpack list;
	struct msgpack_value value;
	int stop = 0;

	msgpack_begin(&list, keys);
	if (msgpack_next(&list, &value) || value.type != MSGPACK_ARRAY) {
		return 0;
	}
	for (uint64_t left = value.count; left > 0 && stop == 0; left--) {
		const char *at = list.cursor;
		if (msgpack_skip(&list)) {
			break;
		}
		struct slice element = {at, (size_t)(list.cursor - at)}, key;
		if (dasf_text(element, &key)) {
			stop =
			    from_task ? emit_edge(reader, task, key) : emit_edge(reader, key, task);
		}
	}
	return stop;
}

static int
emit_task(struct dasf_reader *reader, const struct dasf_record *record,
          const struct compute *compute, const struct span *span, text_code worker, uint32_t host)
{
	struct task task = {.name = span->name,
	                    .kind = span->name,
	                    .lane = span->lane,
	                    .worker = worker,
	                    .planned = TIME_NONE,
	                    .enqueued = TIME_NONE,
	                    .started = span->start_ns,
	                    .loaded = TIME_NONE,
	                    .computed = TIME_NONE,
	                    .published = TIME_NONE,
	                    .finished = span->start_ns + span->duration_ns,
	                    .completed = TIME_NONE,
	                    .recorded_start = record->timestamp,
	                    .recorded_duration = record->duration,
	                    .size_bytes = span->size_bytes};

	task.key = text_code_of(reader, compute->key);
	dasf_task_computed(reader, dasf_task_id(reader, compute->key), host, record->timestamp);
	int stop = sink_task(reader->sink, &task);
	stop = stop ? stop : emit_edges(reader, compute->dependencies, compute->key, false);
	return stop ? stop : emit_edges(reader, compute->dependents, compute->key, true);
}

/* ---- spans ---- */

/* A negative duration is no length: a span of none, at the timestamp. */
static void
set_duration(struct dasf_reader *reader, const struct dasf_record *record, struct span *span)
{
	reader->n_negative += record->duration < 0;
	span->start_ns = to_ns(record->timestamp);
	span->duration_ns = record->duration > 0 ? to_ns(record->duration) : 0;
}

static int
emit_complete(struct dasf_reader *reader, const struct dasf_record *record,
              const struct dasf_worker *worker)
{
	static const char *const kept[] = {"name", "dependencies", "dependents", "size", NULL};
	static const char *const kept_but_size[] = {"name", "dependencies", "dependents", NULL};
	bool is_compute = slice_is(record->name, "Compute");
	struct compute compute = {.size = SIZE_NONE};
	struct span span = {
	    .lane = worker->lane, .path = TEXT_NONE, .calls = 1, .args = reader->args};

	begin_args(reader, record);
	add_real(reader, reader->keys.seconds, record->duration);
	set_duration(reader, record, &span);
	if (is_compute) {
		read_compute(record, &compute);
		span.start_ns -= span.duration_ns;
	}
	add_args(reader, record, !is_compute ? NULL : compute.has_odd_size ? kept_but_size : kept);
	span.n_args = finish_args(reader);
	span.size_bytes = compute.size;
	span.category = text_code_of(reader, slice_of(is_compute ? "Compute" : "complete"));
	span.name = text_code_of(reader, compute.has_name ? compute.name : record->name);
	int stop = sink_span(reader->sink, &span);
	if (stop == 0 && compute.has_odd_size) {
		stop = dasf_problem(reader, PROBLEM_SUSPICIOUS,
		                    "a size that is no number of bytes below 2^63: kept as an "
		                    "argument, in no sum");
	}
	if (stop || !is_compute) {
		return stop;
	}
	if (!compute.has_key) {
		return dasf_problem(reader, PROBLEM_SUSPICIOUS,
		                    "Compute without a key: a span, but no task");
	}
	return emit_task(reader, record, &compute, &span, worker->name, worker->host);
}

/* ---- begins and ends ---- */

static uint32_t *
last_begin(struct dasf_reader *reader, text_code name, uint32_t worker)
{
	uint32_t key[2] = {name, worker};
	uint32_t id = intern_id(reader->begin_ids, (struct slice){(const char *)key, sizeof key});
	size_t known = reader->last_begin_capacity;

	MEM_GROW(reader->last_begin, reader->last_begin_capacity, (size_t)id + 1);
	if (reader->last_begin_capacity > known) {
		memset(reader->last_begin + known, 0,
		       (reader->last_begin_capacity - known) * sizeof *reader->last_begin);
	}
	return &reader->last_begin[id];
}

static void
push_begin(struct dasf_reader *reader, uint32_t *last, int64_t time_ns)
{
	if (reader->n_begins >= UINT32_MAX - 1) {
		return;
	}
	MEM_GROW(reader->begins, reader->begins_capacity, reader->n_begins + 1);
	reader->begins[reader->n_begins++] = (struct dasf_begin){time_ns, *last};
	*last = (uint32_t)reader->n_begins;
	reader->n_unended++;
}

/* The span that an E ends, if there is its B. */
static int
emit_ended(struct dasf_reader *reader, uint32_t *last, const struct event *end)
{
	if (*last == 0 || reader->begins[*last - 1].time_ns > end->time_ns) {
		return dasf_problem(reader, PROBLEM_SUSPICIOUS, "an end (E) without its begin");
	}
	const struct dasf_begin *begin = &reader->begins[*last - 1];
	struct span span = {.start_ns = begin->time_ns,
	                    .duration_ns = end->time_ns - begin->time_ns,
	                    .lane = end->lane,
	                    .name = end->name,
	                    .path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1,
	                    .args = end->args,
	                    .n_args = end->n_args};

	*last = begin->previous;
	reader->n_unended--;
	span.category = text_code_of(reader, slice_of("duration"));
	return sink_span(reader->sink, &span);
}

static int
emit_event(struct dasf_reader *reader, const struct dasf_record *record, uint32_t worker)
{
	bool is_instant = record->phase == 'I';
	struct event event = {.time_ns = to_ns(record->timestamp),
	                      .lane = reader->workers[worker].lane,
	                      .args = reader->args};

	begin_args(reader, record);
	if (record->scope.len) {
		add_arg(reader, (struct arg){.key = reader->keys.scope,
		                             .type = ARG_TEXT,
		                             .text = record->scope});
	}
	add_args(reader, record, NULL);
	event.n_args = finish_args(reader);
	event.name = text_code_of(reader, record->name);
	event.category = text_code_of(reader, slice_of(is_instant             ? "instant"
	                                               : record->phase == 'B' ? "begin"
	                                                                      : "end"));
	int stop = sink_event(reader->sink, &event);
	if (stop || is_instant) {
		return stop;
	}
	uint32_t *last = last_begin(reader, event.name, worker);
	if (record->phase == 'E') {
		return emit_ended(reader, last, &event);
	}
	push_begin(reader, last, event.time_ns);
	return 0;
}

/* ---- counters ---- */

static bool
is_counter(struct slice key, struct slice value, double *number)
{
	return !slice_is(key, "time") && dasf_number(value, number) && isfinite(*number);
}

/* A counter for each number; what is none, and the wall clock's time, stay arguments of all. */
static int
emit_resources(struct dasf_reader *reader, const struct dasf_record *record, uint32_t lane)
{
	struct counter counter = {
	    .time_ns = to_ns(record->timestamp), .lane = lane, .args = reader->args};
	struct dasf_args args;
	int stop = 0;

	begin_args(reader, record);
	dasf_args_begin(&args, record);
	while (dasf_args_next(&args)) {
		if (!is_counter(args.key, args.value, &counter.value)) {
			add_encoded(reader, args.key, args.value);
		}
	}
	counter.n_args = finish_args(reader);
	dasf_args_begin(&args, record);
	while (stop == 0 && dasf_args_next(&args)) {
		if (is_counter(args.key, args.value, &counter.value)) {
			counter.name = text_code_of(reader, args.key);
			stop = sink_counter(reader->sink, &counter);
		}
	}
	return stop;
}

static int
emit_managed(struct dasf_reader *reader, const struct dasf_record *record, uint32_t lane)
{
	static const char *const values[] = {"size", "tasks", NULL};
	static const char *const names[] = {"managed_memory", "managed_tasks"};
	struct counter counter = {
	    .time_ns = to_ns(record->timestamp), .lane = lane, .args = reader->args};
	struct dasf_args args;
	int stop = 0;

	begin_args(reader, record);
	add_integer(reader, reader->keys.second, (int64_t)record->timestamp);
	add_args(reader, record, values);
	counter.n_args = finish_args(reader);
	dasf_args_begin(&args, record);
	while (stop == 0 && dasf_args_next(&args)) {
		unsigned which = slice_is(args.key, "size") ? 0 : 1;
		if (import_is_one_of(args.key, values) &&
		    is_counter(args.key, args.value, &counter.value)) {
			counter.name = text_code_of(reader, slice_of(names[which]));
			stop = sink_counter(reader->sink, &counter);
		}
	}
	return stop;
}

/* ---- all of it ---- */

static double
wall_of(const struct dasf_record *record)
{
	struct dasf_args args;
	double wall = NAN;

	dasf_args_begin(&args, record);
	while (dasf_args_next(&args)) {
		if (slice_is(args.key, "time") && !dasf_number(args.value, &wall)) {
			wall = NAN;
		}
	}
	return wall;
}

int
dasf_emit(struct dasf_reader *reader, const struct dasf_record *record)
{
	bool is_instant = record->phase == 'I';
	bool is_usage = is_instant && slice_is(record->name, "Resource Usage");
	int stop;
	uint32_t worker = dasf_worker_of(reader, record, is_usage ? wall_of(record) : NAN, &stop);

	if (stop) {
		return stop;
	}
	if (is_usage) {
		return emit_resources(reader, record, reader->workers[worker].lane);
	}
	if (is_instant && slice_is(record->name, "Managed Memory")) {
		return emit_managed(reader, record, reader->workers[worker].lane);
	}
	return record->phase == 'X' ? emit_complete(reader, record, &reader->workers[worker])
	                            : emit_event(reader, record, worker);
}

int
dasf_emit_end(struct dasf_reader *reader)
{
	char reason[200];
	int stop = 0;

	reader->number = reader->offset = 0; /* what follows is about the whole file */
	if (reader->n_negative) {
		snprintf(
		    reason, sizeof reason,
		    "%llu of the spans have a negative duration: shown without length, at their "
		    "timestamps",
		    (unsigned long long)reader->n_negative);
		stop = dasf_problem(reader, PROBLEM_SUSPICIOUS, reason);
	}
	if (stop == 0 && reader->n_unended) {
		snprintf(reason, sizeof reason,
		         "%llu of the begins (B) have no end (E): events only; they may be ends, "
		         "which DASF "
		         "writes as B by default",
		         (unsigned long long)reader->n_unended);
		stop = dasf_problem(reader, PROBLEM_SUSPICIOUS, reason);
	}
	return stop;
}
