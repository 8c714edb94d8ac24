/*
 * An observer that turns what it sees into spans and events. An instance's span is known when its
 * state ends, so what is open is kept by id, and closed at the end. A sink that has had enough is
 * not spoken to again; the simulation itself goes on to its end, which takes no time worth saving.
 */
#include "config.h"
#include "simulate/preemption_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/mem.h"

#define MS INT64_C(1000000) /* ns */

struct open_state {
	int64_t since_ms;
	uint32_t lane;
	enum instance_state state;
};

struct recorder {
	struct sink *sink;
	bool stopped;
	uint64_t records;
	uint32_t job_lane, key_world, key_case, key_n, key_instances, key_promoted, key_demoted;
	text_code group, job_category, instance_category, decision_category;
	struct open_state *instances; /* by id */
	size_t n_instances, capacity;
	int64_t count, told_count, count_ms; /* instances that exist */
	struct strbuf ids;
};

static text_code
text(struct recorder *recorder, const char *words)
{
	return sink_text(recorder->sink, slice_of(words));
}

static void
took(struct recorder *recorder, int result)
{
	recorder->stopped |= result != 0;
	recorder->records++;
}

static void
put_span(struct recorder *recorder, uint32_t lane, const char *name, text_code category,
         int64_t start_ms, int64_t end_ms, const struct arg *arg)
{
	struct span span = {.start_ns = start_ms * MS,
	                    .duration_ns = (end_ms - start_ms) * MS,
	                    .lane = lane,
	                    .name = text(recorder, name),
	                    .category = category,
	                    .path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1,
	                    .args = arg,
	                    .n_args = arg != NULL};
	if (!recorder->stopped) {
		took(recorder, sink_span(recorder->sink, &span));
	}
}

static void
put_event(struct recorder *recorder, const char *name, text_code category, int64_t time_ms,
          const struct arg *args, size_t n_args)
{
	struct event event = {.time_ns = time_ms * MS,
	                      .lane = recorder->job_lane,
	                      .name = text(recorder, name),
	                      .category = category,
	                      .args = args,
	                      .n_args = n_args};
	if (!recorder->stopped) {
		took(recorder, sink_event(recorder->sink, &event));
	}
}

static struct arg
integer_arg(uint32_t key, int64_t value)
{
	return (struct arg){.key = key, .type = ARG_INTEGER, .integer = value};
}

/* ---- capacity: told when the time goes on, so that one tick is one row ---- */

static void
tell_capacity(struct recorder *recorder)
{
	struct capacity capacity = {recorder->count_ms * MS, recorder->group, recorder->count};

	if (recorder->count != recorder->told_count && !recorder->stopped) {
		took(recorder, sink_capacity(recorder->sink, &capacity));
	}
	recorder->told_count = recorder->count;
}

static void
count_instances(struct recorder *recorder, int64_t time_ms, int64_t change)
{
	if (time_ms != recorder->count_ms) {
		tell_capacity(recorder);
	}
	recorder->count_ms = time_ms;
	recorder->count += change;
}

/* ---- what is observed ---- */

static void
see_job(void *user, const char *state, int64_t start_ms, int64_t end_ms, int64_t world)
{
	struct recorder *recorder = user;
	struct arg arg = integer_arg(recorder->key_world, world);

	put_span(recorder, recorder->job_lane, state, recorder->job_category, start_ms, end_ms,
	         &arg);
}

static void
see_log(void *user, int64_t time_ms, const char *event, int64_t world, int64_t n)
{
	struct recorder *recorder = user;
	struct arg args[] = {integer_arg(recorder->key_world, world),
	                     integer_arg(recorder->key_n, n)};

	if (strcmp(event, "step") != 0) {
		put_event(recorder, event, recorder->job_category, time_ms, args, 2);
	}
}

static struct open_state *
open_instance(struct recorder *recorder, int64_t time_ms, int64_t id)
{
	char name[40];
	struct lane lane = {.host = TEXT_NONE,
	                    .thread = {.type = IDENT_INTEGER, .integer = id},
	                    .kind = LANE_INSTANCE};

	snprintf(name, sizeof name, "instance %" PRId64, id);
	lane.name = text(recorder, name);
	MEM_GROW(recorder->instances, recorder->capacity, recorder->n_instances + 1);
	struct open_state *open = &recorder->instances[recorder->n_instances++];
	*open = (struct open_state){.since_ms = time_ms, .lane = sink_lane(recorder->sink, &lane)};
	count_instances(recorder, time_ms, 1);
	return open;
}

static void
close_state(struct recorder *recorder, const struct open_state *open, int64_t time_ms)
{
	if (open->state != INSTANCE_GONE && time_ms > open->since_ms) {
		put_span(recorder, open->lane, instance_state_name(open->state),
		         recorder->instance_category, open->since_ms, time_ms, NULL);
	}
}

/* Ids come in order: a new one is the next. */
static void
see_instance(void *user, int64_t time_ms, int64_t id, enum instance_state state)
{
	struct recorder *recorder = user;
	struct open_state *open = (size_t)id < recorder->n_instances
	                              ? &recorder->instances[id]
	                              : open_instance(recorder, time_ms, id);

	close_state(recorder, open, time_ms);
	open->since_ms = time_ms;
	open->state = state;
	if (state == INSTANCE_GONE) {
		count_instances(recorder, time_ms, -1);
	}
}

static void
see_decision(void *user, int64_t time_ms, const char *what, const char *name, int64_t n,
             const int64_t *ids, size_t n_ids)
{
	struct recorder *recorder = user;
	struct arg args[3] = {integer_arg(name ? recorder->key_world : recorder->key_n, n)};
	struct preemption preemption = {time_ms * MS, recorder->group, n};
	size_t n_args = 1;

	if (name) {
		args[n_args++] = (struct arg){
		    .key = recorder->key_case, .type = ARG_TEXT, .text = slice_of(name)};
	}
	if (n_ids > 0) {
		strbuf_clear(&recorder->ids);
		for (size_t i = 0; i < n_ids; i++) {
			strbuf_printf(&recorder->ids, "%s%" PRId64, i ? "," : "[", ids[i]);
		}
		strbuf_add_char(&recorder->ids, ']');
		args[n_args++] = (struct arg){.key = !name          ? recorder->key_instances
		                                     : *what == 'p' ? recorder->key_promoted
		                                                    : recorder->key_demoted,
		                              .type = ARG_JSON,
		                              .text = strbuf_slice(&recorder->ids)};
	}
	put_event(recorder, name ? "regroup" : what, recorder->decision_category, time_ms, args,
	          n_args);
	if (strcmp(what, "preempt") == 0 && !recorder->stopped) {
		took(recorder, sink_preemption(recorder->sink, &preemption));
	}
}

/* ---- parameters and results ---- */

static void
put_tag(struct recorder *recorder, const char *scope, const char *key, const char *value)
{
	struct tag tag = {text(recorder, scope), text(recorder, key), text(recorder, value)};

	if (!recorder->stopped) {
		recorder->stopped |= sink_tag(recorder->sink, &tag) != 0;
	}
}

static void
put_integer_tag(struct recorder *recorder, const char *scope, const char *key, int64_t value)
{
	char out[FORMAT_BYTES];

	snprintf(out, sizeof out, "%" PRId64, value);
	put_tag(recorder, scope, key, out);
}

static void
put_real_tag(struct recorder *recorder, const char *scope, const char *key, double value)
{
	char out[FORMAT_BYTES];

	put_tag(recorder, scope, key, format_real(out, value));
}

static void
put_params(struct recorder *recorder, const struct preemption_params *params)
{
	char out[64];

	snprintf(out, sizeof out, "%" PRIu64, params->seed);
	put_tag(recorder, "parameters", "seed", out);
	for (const struct preemption_param *param = preemption_params; param->name; param++) {
		if (param->type == PREEMPTION_REAL) {
			put_real_tag(recorder, "parameters", param->name,
			             preemption_real_at(params, param->offset));
		} else if (param->type == PREEMPTION_MS) {
			snprintf(out, sizeof out, "%" PRId64 "ms",
			         preemption_integer_at(params, param->offset));
			put_tag(recorder, "parameters", param->name, out);
		} else {
			put_integer_tag(recorder, "parameters", param->name,
			                preemption_integer_at(params, param->offset));
		}
	}
	for (size_t i = 0; i < params->n_iterations; i++) {
		snprintf(out, sizeof out, "iter %" PRId64, params->iterations[i].world);
		char value[FORMAT_BYTES];
		snprintf(value, sizeof value, "%" PRId64 "ms", params->iterations[i].ms);
		put_tag(recorder, "parameters", out, value);
	}
}

int
preemption_record_params(const struct preemption_params *params, struct sink *sink)
{
	struct recorder recorder = {.sink = sink};

	put_params(&recorder, params);
	return recorder.stopped ? -1 : 0;
}

static void
put_results(struct recorder *recorder, const struct preemption_result *result)
{
	char digest[24];

	for (const struct preemption_field *field = preemption_fields; field->name; field++) {
		if (field->type == FIELD_COUNT || field->type == FIELD_MS) {
			put_integer_tag(recorder, "results", field->name,
			                preemption_field_integer(field, result));
		} else {
			put_real_tag(recorder, "results", field->name,
			             preemption_field_real(field, result));
		}
	}
	put_tag(recorder, "results", "final_state", job_state_name(result->final_state));
	snprintf(digest, sizeof digest, "%016" PRIx64, result->digest);
	put_tag(recorder, "results", "digest", digest);
}

/* ---- all of it ---- */

static void
start_recording(struct recorder *recorder, struct sink *sink)
{
	*recorder = (struct recorder){.sink = sink, .told_count = -1};
	recorder->group = text(recorder, "simulated");
	recorder->job_category = text(recorder, "job");
	recorder->instance_category = text(recorder, "instance");
	recorder->decision_category = text(recorder, "decision");
	recorder->key_world = sink_key(sink, slice_of("world"));
	recorder->key_case = sink_key(sink, slice_of("case"));
	recorder->key_n = sink_key(sink, slice_of("n"));
	recorder->key_instances = sink_key(sink, slice_of("instances"));
	recorder->key_promoted = sink_key(sink, slice_of("promoted"));
	recorder->key_demoted = sink_key(sink, slice_of("demoted"));
	struct lane lane = {
	    .host = TEXT_NONE, .name = recorder->job_category, .kind = LANE_CONTROLLER};
	recorder->job_lane = sink_lane(sink, &lane);
}

static void
finish_recording(struct recorder *recorder, const struct preemption_params *params,
                 const struct preemption_trace *trace, const struct preemption_result *result)
{
	int64_t end_ms = result->duration_ms;

	for (size_t i = 0; i < recorder->n_instances; i++) {
		close_state(recorder, &recorder->instances[i], end_ms);
	}
	tell_capacity(recorder);
	if (recorder->count_ms < end_ms) {
		recorder->count_ms = end_ms;
		recorder->told_count = -1; /* the end is part of the trace */
		tell_capacity(recorder);
	}
	put_tag(recorder, "parameters", "trace", trace ? "replayed" : "by chance");
	put_params(recorder, params);
	put_results(recorder, result);
	struct source_facts facts = {
	    .clock = CLOCK_RELATIVE, .dialect = "simulated", .records = recorder->records};
	sink_facts(recorder->sink, &facts);
}

int
preemption_record(const struct preemption_params *params, const struct preemption_trace *trace,
                  const struct cancel *cancel, struct sink *sink, struct preemption_result *result,
                  struct err *err)
{
	struct recorder recorder;
	struct preemption_observer observer = {.user = &recorder,
	                                       .log = see_log,
	                                       .job = see_job,
	                                       .instance = see_instance,
	                                       .decision = see_decision};

	start_recording(&recorder, sink);
	int rc = preemption_run(params, trace, &observer, cancel, result, err);
	if (rc == 0) {
		finish_recording(&recorder, params, trace, result);
		rc = recorder.stopped ? -1 : 0;
	}
	free(recorder.instances);
	strbuf_free(&recorder.ids);
	return rc;
}
