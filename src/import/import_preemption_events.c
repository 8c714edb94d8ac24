/*
 * Traces of instances that come and go by name: the cluster that they make up, for JSON forms too,
 * and rows of ms,add|remove,name.
 *
 * Rows of one time are one change of the cluster: what came and what went is summed up and given on
 * with the count that results. A named instance is a lane, with a span for each of its lives; one
 * that never leaves lives to the end of the trace.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <stdlib.h>

#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"

#define NS_PER_MS INT64_C(1000000)

/* ---- the cluster ---- */

int
preemption_put_batch(struct preemption_reader *reader)
{
	const struct slice none = {"", 0};
	int stop = 0;

	if (reader->batch_ns == TIME_NONE) {
		return 0;
	}
	reader->facts->lost += reader->batch_removed;
	reader->facts->added += reader->batch_added;
	if (reader->batch_removed) {
		stop = preemption_put_change(reader, reader->batch_ns, reader->batch_removed, none);
	}
	if (stop == 0 && reader->batch_added) {
		stop = preemption_put_change(reader, reader->batch_ns, -reader->batch_added, none);
	}
	if (stop == 0 && (reader->batch_removed || reader->batch_added)) {
		stop = preemption_put_capacity(reader, reader->batch_ns, reader->population, none);
	}
	reader->batch_removed = reader->batch_added = 0;
	reader->batch_ns = TIME_NONE;
	return stop;
}

/* Every row begins with this. */
int
preemption_come_to(struct preemption_reader *reader, int64_t time_ns)
{
	int stop = time_ns == reader->batch_ns ? 0 : preemption_put_batch(reader);

	if (reader->is_done) {
		stop = stop ? stop
		            : preemption_note(reader, reader->line,
		                              "stands behind the row that ends the trace");
		reader->is_done = false; /* once is enough */
	}
	reader->batch_ns = time_ns;
	preemption_note_time(reader, time_ns);
	return stop;
}

static struct preemption_instance *
instance_of(struct preemption_reader *reader, uint32_t id)
{
	size_t before = reader->n_instances;

	if (id >= before) {
		MEM_GROW(reader->instance, reader->instance_capacity, (size_t)id + 1);
		for (size_t i = before; i <= id; i++) {
			reader->instance[i].since_ns = TIME_NONE;
		}
		reader->n_instances = (size_t)id + 1;
	}
	return &reader->instance[id];
}

uint32_t
preemption_name_id(struct preemption_reader *reader, struct slice name)
{
	reader->names = reader->names ? reader->names : intern_new();
	return intern_id(reader->names, name);
}

/* Asked for when an instance comes: lanes stand in the order of coming, which a replay needs. */
static uint32_t
instance_lane(struct preemption_reader *reader, uint32_t id)
{
	struct sink *sink = reader->sink;
	struct lane lane = {.host = reader->pool, .kind = LANE_INSTANCE};

	lane.name = sink_text(sink, intern_text(reader->names, id));
	lane.thread = (struct ident){.type = IDENT_TEXT, .text = lane.name};
	return sink_lane(sink, &lane);
}

static int
put_life(struct preemption_reader *reader, uint32_t id, int64_t end_ns, bool is_unfinished)
{
	struct sink *sink = reader->sink;
	struct preemption_instance *instance = instance_of(reader, id);
	struct span span = {.start_ns = instance->since_ns,
	                    .duration_ns = time_sub(end_ns, instance->since_ns),
	                    .path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1,
	                    .is_unfinished = is_unfinished};

	instance->since_ns = TIME_NONE;
	span.lane = instance_lane(reader, id);
	span.name = preemption_text(reader, "active");
	span.category = preemption_text(reader, "instance");
	return sink_span(sink, &span);
}

int
preemption_add_instance(struct preemption_reader *reader, uint32_t id, int64_t time_ns)
{
	struct preemption_instance *instance = instance_of(reader, id);

	if (instance->since_ns != TIME_NONE) {
		return preemption_problem(reader, PROBLEM_DUPLICATE,
		                          "adds an instance that is there already");
	}
	instance->since_ns = time_ns;
	(void)instance_lane(reader, id);
	reader->population++;
	reader->batch_added++;
	return 0;
}

int
preemption_remove_instance(struct preemption_reader *reader, uint32_t id, int64_t time_ns)
{
	struct preemption_instance *instance = instance_of(reader, id);

	if (instance->since_ns == TIME_NONE) {
		return preemption_problem(reader, PROBLEM_SUSPICIOUS,
		                          "removes an instance that is not there");
	}
	reader->population--;
	reader->batch_removed++;
	return put_life(reader, id, time_ns, false);
}

int
preemption_events_end(struct preemption_reader *reader)
{
	int stop = preemption_put_kept(reader);
	int64_t end_ns = reader->end_ns == TIME_NONE ? reader->last_ns : reader->end_ns;

	stop = stop ? stop : preemption_put_batch(reader);
	for (uint32_t id = 0; id < reader->n_instances && stop == 0; id++) {
		if (reader->instance[id].since_ns != TIME_NONE) {
			stop = put_life(reader, id, end_ns, true);
		}
	}
	return stop ? stop : preemption_count_end(reader);
}

/* ---- ms,add|remove,name ---- */

/* number: the instance, 2 * id, and 1 more where it comes. */
static int
put_event(struct preemption_reader *reader, int64_t time_ns, int64_t number, struct slice more)
{
	struct sink *sink = reader->sink;
	uint32_t id = (uint32_t)(number / 2);
	bool adds = number % 2 == 1;
	struct arg args[1 + PREEMPTION_MORE];
	struct event event = {.time_ns = time_ns, .lane = reader->lane, .args = args};

	reader->text = intern_text(reader->names, id);
	args[0] = (struct arg){
	    .key = sink_key(sink, slice_of("node")), .type = ARG_TEXT, .text = reader->text};
	event.n_args = 1 + preemption_more_args(reader, more, args + 1);
	event.name = preemption_text(reader, adds ? "add" : "remove");
	event.category = preemption_text(reader, "trace");
	int stop = preemption_come_to(reader, time_ns);
	stop = stop ? stop : sink_event(sink, &event);
	return stop   ? stop
	       : adds ? preemption_add_instance(reader, id, time_ns)
	              : preemption_remove_instance(reader, id, time_ns);
}

int
preemption_event_row(struct preemption_reader *reader)
{
	const struct slice *fields = reader->fields;
	int64_t time_ns;

	if (!decimal_to_ns(fields[0], NS_PER_MS, &time_ns) || time_ns < 0 ||
	    time_ns > PREEMPTION_TIME_MOST) {
		return preemption_reject(reader, "the time is none");
	}
	bool adds = slice_is(fields[1], "add");
	if (!adds && !slice_is(fields[1], "remove")) {
		return preemption_reject(reader, "neither add nor remove");
	}
	if (fields[2].len == 0) {
		return preemption_reject(reader, "the instance has no name");
	}
	reader->put = put_event;
	return preemption_keep(reader, time_ns,
	                       2 * (int64_t)preemption_name_id(reader, fields[2]) + adds,
	                       strbuf_slice(&reader->more));
}
