/*
 * The profile of a real job: what its processes measured, a file for each kind of measurement, most
 * of them also for each rank.
 *
 * Rows with a start and an end are spans, the loss is a counter, and every measured column is an
 * array of samples besides, so that figures come from the numbers as they were written. The copies
 * that the notebook made of two files (dt_tlt, dt_reconfig) have lanes of their own: read together
 * with the originals they must not count twice.
 */
#include "config.h"
#include "import/import_preemption.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/ascii.h"
#include "util/format.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define NS_PER_S INT64_C(1000000000)
#define SAMPLES_LIMIT ((size_t)16 << 20)
#define TAGS_LIMIT 10000u
#define NAME_BYTES ((size_t)1024)
#define NO_FIELD 255

struct measured {
	const char *name;
	uint8_t field;
	bool is_integer;
};

struct profile {
	enum preemption_form form;
	const char *lane; /* NULL: that of the rank */
	const char *span; /* NULL: no spans; "": named by the first field */
	const char *category;
	uint8_t start, end; /* fields; NO_FIELD */
	uint8_t n_measured;
	struct measured measured[PREEMPTION_MEASURED];
};

static const struct profile profiles[] = {
    {FORM_RECONFIG,
     "job",
     "reconfiguration",
     "reconfig",
     1,
     2,
     2,
     {{"world_size", 0, true}, {"elapsed_s", 3, false}}},
    {FORM_DT_RECONFIG,
     "job (dt_reconfig)",
     "reconfiguration",
     "reconfig",
     2,
     3,
     2,
     {{"world_size", 1, true}, {"elapsed_s", 4, false}}},
    {FORM_LOOP_TIMES,
     NULL,
     "iteration",
     "loop",
     2,
     3,
     5,
     {{"world_size", 0, true},
      {"step", 1, true},
      {"train_s", 4, false},
      {"checkpoint_start_s", 5, false},
      {"total_s", 6, false}}},
    {FORM_CHECKPOINT, NULL, NULL, NULL, NO_FIELD, NO_FIELD, 1, {{"elapsed_s", 0, false}}},
    {FORM_LOAD_TIMES,
     NULL,
     NULL,
     NULL,
     NO_FIELD,
     NO_FIELD,
     3,
     {{"world_size", 0, true}, {"step", 1, true}, {"elapsed_s", 2, false}}},
    {FORM_ENGINE, NULL, "", "engine", 1, 2, 1, {{"elapsed_s", 3, false}}},
    {FORM_LOSS, "loss", NULL, NULL, 0, NO_FIELD, 2, {{"step", 1, true}, {"loss", 2, false}}},
    {FORM_DT_LOSS,
     "loss (dt_tlt)",
     NULL,
     NULL,
     1,
     NO_FIELD,
     2,
     {{"step", 2, true}, {"loss", 3, false}}},
    {FORM_CRASH, "job", NULL, NULL, 0, NO_FIELD, 0, {{NULL, 0, false}}},
};

static const struct profile *
profile_of(enum preemption_form form)
{
	for (size_t i = 0; i < COUNT_OF(profiles); i++) {
		if (profiles[i].form == form) {
			return &profiles[i];
		}
	}
	return NULL;
}

/* ---- ranks and lanes ---- */

/* "loop_times_17.csv": 17. */
static int64_t
rank_of(const char *path)
{
	struct slice name = preemption_pool_name(path, FORM_LOOP_TIMES);
	size_t digits = 0;
	int64_t rank;

	while (digits < name.len && is_digit(name.ptr[name.len - digits - 1])) {
		digits++;
	}
	if (digits == 0 || digits == name.len || name.ptr[name.len - digits - 1] != '_' ||
	    !slice_int64((struct slice){name.ptr + name.len - digits, digits}, &rank)) {
		return -1;
	}
	return rank;
}

/* "rank 17", or "rank" if the file's name does not say which. */
static void
name_rank(const struct preemption_reader *reader, char *out, size_t size)
{
	if (reader->rank < 0) {
		snprintf(out, size, "rank");
	} else {
		snprintf(out, size, "rank %" PRId64, reader->rank);
	}
}

static uint32_t
lane_of(struct preemption_reader *reader, const struct profile *profile)
{
	struct sink *sink = reader->sink;
	struct lane lane = {.host = TEXT_NONE, .kind = LANE_CONTROLLER};
	char name[64];

	if (profile->lane) {
		bool is_loss = profile->form == FORM_LOSS || profile->form == FORM_DT_LOSS;
		lane.kind = is_loss ? LANE_COUNTER : LANE_CONTROLLER;
		lane.name = preemption_text(reader, profile->lane);
		return sink_lane(sink, &lane);
	}
	name_rank(reader, name, sizeof name);
	if (profile->form == FORM_ENGINE) { /* runs beside the loop */
		strcat(name, " engine");
		lane.thread =
		    (struct ident){.type = IDENT_TEXT, .text = preemption_text(reader, "engine")};
	}
	lane.kind = LANE_THREAD;
	if (reader->rank >= 0) {
		lane.process = (struct ident){.type = IDENT_INTEGER, .integer = reader->rank};
	}
	lane.name = preemption_text(reader, name);
	return sink_lane(sink, &lane);
}

/* ---- rows ---- */

struct values {
	double reals[PREEMPTION_MEASURED];
	int64_t integers[PREEMPTION_MEASURED];
	struct arg args[PREEMPTION_MEASURED + PREEMPTION_MORE];
	size_t n_more; /* behind what is measured: fields that are no column */
};

static const char *
read_values(struct preemption_reader *reader, const struct profile *profile, struct values *values)
{
	const struct slice *fields = reader->fields;

	for (size_t i = 0; i < profile->n_measured; i++) {
		const struct measured *measured = &profile->measured[i];
		struct arg *arg = &values->args[i];
		if (measured->is_integer) {
			if (!preemption_count(fields[measured->field], &values->integers[i])) {
				return "a column that is not a whole number";
			}
			*arg = (struct arg){.type = ARG_INTEGER, .integer = values->integers[i]};
			values->reals[i] = (double)values->integers[i];
		} else {
			if (!slice_double(fields[measured->field], &values->reals[i]) ||
			    !isfinite(values->reals[i])) {
				return "a column that is no number";
			}
			*arg = (struct arg){.type = ARG_REAL, .real = values->reals[i]};
		}
		arg->key = sink_key(reader->sink, slice_of(measured->name));
	}
	values->n_more = preemption_more_args(reader, strbuf_slice(&reader->more),
	                                      values->args + profile->n_measured);
	return NULL;
}

static bool
read_time(struct preemption_reader *reader, uint8_t field, int64_t *time_ns)
{
	return decimal_to_ns(reader->fields[field], NS_PER_S, time_ns) && *time_ns >= 0 &&
	       *time_ns < INT64_MAX / 2;
}

static void
keep_samples(struct preemption_reader *reader, const struct profile *profile,
             const struct values *values)
{
	for (size_t i = 0; i < profile->n_measured; i++) {
		struct preemption_column *column = &reader->columns[i];
		if (column->n == SAMPLES_LIMIT) {
			continue; /* told at the end */
		}
		MEM_GROW(column->values, column->capacity, column->n + 1);
		column->values[column->n++] = values->reals[i];
	}
}

static int
put_span(struct preemption_reader *reader, const struct profile *profile,
         const struct values *values)
{
	struct sink *sink = reader->sink;
	struct span span = {.path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1,
	                    .args = values->args,
	                    .n_args = profile->n_measured + values->n_more};
	int64_t end_ns;

	if (!read_time(reader, profile->start, &span.start_ns) ||
	    !read_time(reader, profile->end, &end_ns)) {
		return preemption_reject(reader, "the start or the end is no time");
	}
	if (end_ns < span.start_ns) {
		return preemption_reject(reader, "ends before it starts");
	}
	preemption_note_order(reader, end_ns); /* a row is written when it ends */
	span.duration_ns = end_ns - span.start_ns;
	span.lane = lane_of(reader, profile);
	span.name = profile->span[0] ? preemption_text(reader, profile->span)
	                             : sink_text(sink, reader->fields[0]);
	span.category = preemption_text(reader, profile->category);
	return sink_span(sink, &span);
}

/* A time alone: the loss of a step, or the crash. */
static int
put_instant(struct preemption_reader *reader, const struct profile *profile, struct values *values)
{
	struct sink *sink = reader->sink;
	int64_t time_ns;

	if (!read_time(reader, profile->start, &time_ns)) {
		return preemption_reject(reader, "the time is none");
	}
	preemption_note_order(reader, time_ns);
	if (profile->form == FORM_CRASH) {
		struct event event = {.time_ns = time_ns,
		                      .lane = lane_of(reader, profile),
		                      .args = values->args,
		                      .n_args = values->n_more};
		event.name = preemption_text(reader, "crash");
		event.category = preemption_text(reader, "job");
		return sink_event(sink, &event);
	}
	struct counter counter = {.time_ns = time_ns,
	                          .lane = lane_of(reader, profile),
	                          .value = values->reals[1],
	                          .args = values->args,
	                          .n_args = 1 + values->n_more};
	/* Its arguments are the step and what is no column; the loss is its value. */
	memmove(values->args + 1, values->args + 2, values->n_more * sizeof *values->args);
	counter.name = preemption_text(reader, "loss");
	return sink_counter(sink, &counter);
}

int
preemption_profile_row(struct preemption_reader *reader)
{
	const struct profile *profile = profile_of(reader->form);
	struct values values;
	int stop = 0;

	reader->rank = rank_of(input_path(reader->input));
	const char *reason = read_values(reader, profile, &values);
	if (reason) {
		return preemption_reject(reader, reason);
	}
	if (profile->span) {
		stop = put_span(reader, profile, &values);
	} else if (profile->start != NO_FIELD) {
		stop = put_instant(reader, profile, &values);
	}
	if (stop == 0 && !reader->reject) {
		keep_samples(reader, profile, &values);
	}
	return stop;
}

/* ---- samples ---- */

/* Only the first rank of a stage writes checkpoints; the others measure next to nothing. */
static int
note_checkpoints(struct preemption_reader *reader)
{
	const struct preemption_column *column = &reader->columns[0];

	for (size_t i = 0; i < column->n; i++) {
		if (column->values[i] >= 1e-3) {
			return 0;
		}
	}
	return column->n == 0 ? 0
	                      : preemption_note(
				    reader, 0,
				    "no checkpoint takes a millisecond: this rank writes none, its "
				    "times mean nothing");
}

static text_code
folder_of(struct preemption_reader *reader)
{
	const char *path = input_path(reader->input), *slash = strrchr(path, '/');
	struct slice folder = {path, slash ? (size_t)(slash - path) : 0};

	return sink_text(reader->sink, slash ? folder : slice_of("."));
}

int
preemption_profile_end(struct preemption_reader *reader)
{
	const struct profile *profile = profile_of(reader->form);
	struct sink *sink = reader->sink;
	char name[64] = "job";
	struct trial trial;
	int stop = 0;

	if (!profile->lane) {
		reader->rank = rank_of(input_path(reader->input));
		name_rank(reader, name, sizeof name);
	}
	trial.name = preemption_text(reader, name);
	trial.path = folder_of(reader); /* the files of one rank are one trial */
	uint32_t id = profile->n_measured ? sink_trial(sink, &trial) : 0;
	for (size_t i = 0; i < profile->n_measured && stop == 0; i++) {
		const struct preemption_column *column = &reader->columns[i];
		struct sample sample = {
		    .trial = id, .values = column->values, .n_values = column->n};
		char text[96];
		snprintf(text, sizeof text, "%s.%s", preemption_shapes[reader->form].name,
		         profile->measured[i].name);
		sample.name = preemption_text(reader, text);
		sample.type =
		    preemption_text(reader, profile->measured[i].is_integer ? "int64" : "float64");
		stop = sink_sample(sink, &sample);
		if (stop == 0 && i == 0 && column->n == SAMPLES_LIMIT) {
			stop = preemption_problem(reader, PROBLEM_TRUNCATED,
			                          "more rows than samples are kept of");
		}
	}
	if (stop == 0 && reader->form == FORM_CHECKPOINT) {
		stop = note_checkpoints(reader);
	}
	return stop ? stop : preemption_tell_order(reader);
}

/* ---- exp-info.json ---- */

static int
put_setting(struct preemption_reader *reader, struct json *json, enum json_token token,
            struct slice name)
{
	struct strbuf value = {0};
	int stop = 0;

	if (token == JSON_STRING) {
		strbuf_add_slice(&value, json->text);
	} else if (json_copy_value_within(json, token, NAME_BYTES, &value)) {
		strbuf_free(&value); /* broken, or too long for a setting */
		return 0;
	}
	if (reader->counts.records < TAGS_LIMIT) {
		stop = preemption_put_tag(reader, TEXT_NONE, name, strbuf_slice(&value));
	}
	reader->counts.records++;
	reader->counts.metadata++;
	strbuf_free(&value);
	return stop;
}

/* Members of nested objects are settings named by their path: "deepspeed-config.fp16.enabled". */
static int
put_settings(struct preemption_reader *reader, struct json *json)
{
	size_t ends[JSON_DEPTH_LIMIT + 1] = {0}; /* where the name of each open object ends */
	struct strbuf name = {0};
	enum json_token token = json_next(json);
	int stop = 0;

	while (stop == 0 && (token = json_next(json)) != JSON_END && token != JSON_ERROR) {
		if (token != JSON_KEY) {
			continue; /* the end of an object */
		}
		name.len = ends[json->depth];
		if (name.len && name.len < NAME_BYTES) {
			strbuf_add_char(&name, '.');
		}
		if (name.len < NAME_BYTES) {
			strbuf_add(&name, json->text.ptr, LEAST(json->text.len, NAME_BYTES));
		}
		token = json_next(json);
		if (token == JSON_OBJECT_BEGIN) {
			ends[json->depth] = name.len;
		} else if (token != JSON_ERROR) {
			stop = put_setting(reader, json, token, strbuf_slice(&name));
		}
	}
	strbuf_free(&name);
	return stop;
}

int
preemption_read_experiment(struct preemption_reader *reader)
{
	struct json json = {0};

	json_open_input(&json, reader->input, JSON_STRICT, reader->err);
	int result = put_settings(reader, &json);
	if (result == 0 && reader->err->code != ERR_NONE) {
		result = -1;
	}
	if (result == 0 && json.error && !input_truncated(reader->input)) {
		reader->offset = json.error_offset;
		reader->counts.bad_records++;
		result = preemption_problem(reader, PROBLEM_MALFORMED, json.error);
	}
	json_fini(&json);
	return result;
}
