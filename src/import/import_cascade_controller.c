/*
 * What is neither task nor transfer: the controller and the microtraces.
 *
 * The controller's lane holds its reports as events and its phases as spans (category
 * "controller"), each up to the next, and its marks as events. Rows of actions that are not known,
 * and rows with keys that no table has, are kept there as events too. Microtraces are counters of
 * the process that logged them, at the time of their log line.
 */
#include "config.h"
#include "import/import_cascade.h"

#include <stdlib.h>

#include "util/format.h"
#include "util/order.h"

static uint32_t
controller_lane(struct cascade_emitter *emitter)
{
	if (emitter->controller == LANE_NONE) {
		struct lane lane = {.host = TEXT_NONE,
		                    .kind = LANE_CONTROLLER,
		                    .name = cascade_word(emitter, "controller")};
		emitter->controller = sink_lane(emitter->sink, &lane);
	}
	return emitter->controller;
}

/* ---- events ---- */

/* What no field stands for: integers, "None" for what is absent, or text. Returns how many. */
static size_t
extra_args(struct cascade_emitter *emitter, const struct cascade_row *row, struct arg *args)
{
	const struct cascade_trace *trace = emitter->trace;
	size_t n = 0;

	for (uint32_t i = 0; i < row->n_extras; i++) {
		const struct cascade_extra *extra = &trace->extras[row->first_extra + i];
		struct slice value = intern_text(trace->texts, extra->value);
		struct arg *arg = &args[n++];
		arg->key = sink_key(emitter->sink, intern_text(trace->texts, extra->key));
		if (slice_is(value, "None")) {
			arg->type = ARG_NULL;
		} else if (decimal_to_int64(value, &arg->integer)) {
			arg->type = ARG_INTEGER;
		} else {
			arg->type = ARG_TEXT;
			arg->text = value;
		}
	}
	return n;
}

#define FIELD_ARGS 7

static size_t
field_args(struct cascade_emitter *emitter, const struct cascade_row *row, struct arg *args)
{
	const struct {
		const char *key;
		uint32_t value;
	} fields[FIELD_ARGS] = {
	    {"host", row->host},       {"worker", row->worker}, {"task", row->task},
	    {"dataset", row->dataset}, {"mode", row->mode},     {"source", row->source},
	    {"target", row->target},
	};
	size_t n = 0;

	for (size_t i = 0; i < FIELD_ARGS; i++) {
		if (fields[i].value != INTERN_NONE) {
			args[n++] = (struct arg){
			    .key = sink_key(emitter->sink, slice_of(fields[i].key)),
			    .type = ARG_TEXT,
			    .text = intern_text(emitter->trace->texts, fields[i].value)};
		}
	}
	return n;
}

/* Reports and marks of the controller, rows of unknown actions, and those with keys that no table
 * has. */
static int
emit_event(struct cascade_emitter *emitter, const struct cascade_row *row)
{
	bool controllers = row->subject == SUBJECT_REPORT || row->subject == SUBJECT_PHASE;
	struct arg *args = xcalloc((size_t)row->n_extras + FIELD_ARGS, sizeof *args);
	struct event event = {
	    .time_ns = row->at, .name = cascade_code(emitter, row->action), .args = args};

	event.lane = controller_lane(emitter);
	event.category =
	    cascade_word(emitter, row->subject == SUBJECT_REPORT ? "controller" : "mark");
	event.n_args = extra_args(emitter, row, args);
	if (!controllers) {
		event.n_args += field_args(emitter, row, args + event.n_args);
	}
	int stop = sink_event(emitter->sink, &event);
	free(args);
	return stop;
}

static int
report_unknown(struct cascade_emitter *emitter, const struct cascade_row *row)
{
	struct slice action = intern_text(emitter->trace->texts, row->action);
	struct strbuf reason = {0};
	struct problem problem = {
	    .kind = PROBLEM_SUSPICIOUS, .record = row->line, .offset = row->offset};

	strbuf_add_text(&reason, "unknown action ");
	strbuf_add(&reason, action.ptr, LEAST(action.len, 100));
	strbuf_add_text(&reason, ": rows of this kind are kept as events only");
	return import_tell(emitter->sink, &problem, &reason);
}

static int
emit_events(struct cascade_emitter *emitter)
{
	const struct cascade_trace *trace = emitter->trace;
	bool *known = xcalloc(emitter->n_texts + 1, sizeof *known);
	int stop = 0;

	for (size_t i = 0; i < trace->n_rows && stop == 0; i++) {
		const struct cascade_row *row = &trace->rows[i];
		if (row->subject == SUBJECT_OTHER && !known[row->action]) {
			known[row->action] = true;
			stop = report_unknown(emitter, row);
		}
		if (stop == 0 && (row->subject > SUBJECT_TRANSFER || row->n_extras)) {
			stop = emit_event(emitter, row);
		}
	}
	free(known);
	return stop;
}

struct phase {
	int64_t at;
	size_t row;
};

static int
compare_phases(const void *a, const void *b)
{
	const struct phase *x = a, *y = b;

	ORDER_BY(x->at, y->at);

	return ORDER(x->row, y->row);
}

/* Each mark of a phase lasts to the next; the last has no length. */
static int
emit_phases(struct cascade_emitter *emitter)
{
	const struct cascade_trace *trace = emitter->trace;
	struct phase *phases = NULL;
	size_t n = 0, capacity = 0;
	int stop = 0;

	for (size_t i = 0; i < trace->n_rows; i++) {
		if (trace->rows[i].subject == SUBJECT_PHASE) {
			MEM_GROW(phases, capacity, n + 1);
			phases[n++] = (struct phase){trace->rows[i].at, i};
		}
	}
	SORT(phases, n, compare_phases);
	for (size_t i = 0; i < n && stop == 0; i++) {
		struct slice action = intern_text(trace->texts, trace->rows[phases[i].row].action);
		const size_t prefix = sizeof "ctrl_" - 1;
		struct span span = {.start_ns = phases[i].at,
		                    .lane = controller_lane(emitter),
		                    .path = TEXT_NONE,
		                    .size_bytes = SIZE_NONE,
		                    .calls = 1};
		if (i + 1 < n &&
		    __builtin_sub_overflow(phases[i + 1].at, phases[i].at, &span.duration_ns)) {
			span.duration_ns = 0;
		}
		span.category = cascade_word(emitter, "controller");
		span.name = sink_text(emitter->sink, slice_from(action, prefix));
		stop = sink_span(emitter->sink, &span);
	}
	free(phases);
	return stop;
}

/* ---- microtraces ---- */

/* What a logging process is, as its marks tell. */
struct logger {
	int64_t pid;
	uint32_t host, worker; /* INTERN_NONE: unknown, or several */
	uint32_t lane;
	bool several;
};
struct loggers {
	struct intern *keys; /* pid as bytes -> index */
	struct logger *loggers;
	size_t n, capacity;
};

static struct logger *
logger_of(struct loggers *loggers, int64_t pid)
{
	uint32_t id = intern_id(loggers->keys, (struct slice){(const char *)&pid, sizeof pid});

	if (id == loggers->n) {
		MEM_GROW(loggers->loggers, loggers->capacity, loggers->n + 1);
		loggers->loggers[loggers->n++] = (struct logger){
		    .pid = pid, .host = INTERN_NONE, .worker = INTERN_NONE, .lane = LANE_NONE};
	}
	return &loggers->loggers[id];
}

static void
learn_loggers(const struct cascade_trace *trace, struct loggers *loggers)
{
	for (size_t i = 0; i < trace->n_rows; i++) {
		const struct cascade_row *row = &trace->rows[i];
		if (row->pid < 0 || row->host == INTERN_NONE) {
			continue;
		}
		struct logger *logger = logger_of(loggers, row->pid);
		logger->host = row->host;
		if (row->worker == INTERN_NONE) {
			continue;
		}
		logger->several |= logger->worker != INTERN_NONE && logger->worker != row->worker;
		logger->worker = row->worker;
	}
}

static uint32_t
logger_lane(struct cascade_emitter *emitter, struct logger *logger)
{
	const struct cascade_trace *trace = emitter->trace;
	bool controller = logger->host != INTERN_NONE &&
	                  slice_is(intern_text(trace->texts, logger->host), "controller");

	if (logger->lane == LANE_NONE) {
		struct lane lane = {.kind = LANE_COUNTER,
		                    .name = TEXT_NONE,
		                    .host = TEXT_NONE,
		                    .process = {.type = IDENT_INTEGER, .integer = logger->pid}};
		if (controller) {
			lane.name = cascade_word(emitter, "controller");
		} else {
			lane.host = cascade_code(emitter, logger->host);
			lane.name =
			    logger->several ? TEXT_NONE : cascade_code(emitter, logger->worker);
		}
		logger->lane = sink_lane(emitter->sink, &lane);
	}
	return logger->lane;
}

static int
emit_microtraces(struct cascade_emitter *emitter)
{
	const struct cascade_trace *trace = emitter->trace;
	struct loggers loggers = {.keys = intern_new()};
	int stop = 0;

	learn_loggers(trace, &loggers);
	for (size_t i = 0; i < trace->n_microtraces && stop == 0; i++) {
		const struct cascade_microtrace *microtrace = &trace->microtraces[i];
		struct counter counter = {.name = cascade_code(emitter, microtrace->kind),
		                          .value = (double)microtrace->value_ns};
		if (microtrace->time_ns == TIME_NONE ||
		    __builtin_add_overflow(microtrace->time_ns, trace->zone_ns, &counter.time_ns)) {
			continue; /* counted as bad when it was read */
		}
		counter.lane = logger_lane(emitter, logger_of(&loggers, microtrace->pid));
		stop = sink_counter(emitter->sink, &counter);
	}
	intern_free(loggers.keys);
	free(loggers.loggers);
	return stop;
}

int
cascade_emit_controller(struct cascade_emitter *emitter)
{
	int stop = emit_phases(emitter);

	stop = stop ? stop : emit_events(emitter);
	return stop ? stop : emit_microtraces(emitter);
}
