#include "config.h"
#include "record_sink.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/format.h"
#include "util/intern.h"
#include "util/mem.h"

#define MUST(condition)                                                                            \
	((condition)                                                                               \
	     ? (void)0                                                                             \
	     : (fprintf(stderr, "%s:%d: importer broke: %s\n", __FILE__, __LINE__, #condition),    \
	        abort()))

/* Appends *value to the array `list`, whose count is `count`; `slot` tells its capacity. */
#define APPEND(recorded, slot, list, count, value)                                                 \
	do {                                                                                       \
		(recorded)->list = mem_grow((recorded)->list, &(recorded)->capacities_of[slot],    \
		                            (recorded)->count + 1, sizeof *(recorded)->list);      \
		(recorded)->list[(recorded)->count++] = (value);                                   \
	} while (0)

static int
stop(struct record_sink *recorded)
{
	if (recorded->stop_after < 0) {
		return 0;
	}
	recorded->stopped = recorded->stop_after-- == 0;
	return recorded->stopped;
}

static struct slice
keep(struct record_sink *recorded, struct slice text)
{
	return (struct slice){arena_strndup(recorded->arena, text.ptr, text.len), text.len};
}

static void
check_code(const struct record_sink *recorded, text_code code)
{
	MUST(code == TEXT_NONE || code < recorded->n_texts);
}

static void
check_known(const struct record_sink *recorded, text_code code)
{
	MUST(code < recorded->n_texts);
}

static text_code
add_text(struct record_sink *recorded, const char *kind, struct slice scope, struct slice text)
{
	struct strbuf key = {NULL, 0, 0};

	strbuf_add_text(&key, kind);
	strbuf_add(&key, scope.ptr, scope.len);
	strbuf_add_char(&key, '\0');
	strbuf_add(&key, text.ptr, text.len);
	uint32_t id = intern_id(recorded->text_ids, strbuf_slice(&key));
	if (id == recorded->n_texts) {
		bool is_symbol = kind[0] == 's';
		struct slice kept = is_symbol ? (struct slice){key.data + 1, key.len - 1} : text;
		kept = keep(recorded, kept);
		struct recorded_text entry = {(char *)kept.ptr, kept.len, is_symbol, scope.len};
		APPEND(recorded, 0, texts, n_texts, entry);
	}
	strbuf_free(&key);
	return id;
}

static text_code
take_text(void *user, struct slice text)
{
	return add_text(user, "t", (struct slice){"", 0}, text);
}

static text_code
take_symbol(void *user, struct slice scope, struct slice symbol)
{
	return add_text(user, "s", scope, symbol);
}

static void
take_definition(void *user, struct slice scope, struct slice symbol, struct slice text)
{
	struct record_sink *recorded = user;
	struct recorded_definition definition = {(char *)keep(recorded, scope).ptr,
	                                         (char *)keep(recorded, symbol).ptr,
	                                         (char *)keep(recorded, text).ptr};

	APPEND(recorded, 1, definitions, n_definitions, definition);
}

static text_code
take_later(void *user)
{
	struct record_sink *recorded = user;
	struct recorded_text entry = {(char *)keep(recorded, slice_of("")).ptr, 0, false, 0};

	APPEND(recorded, 0, texts, n_texts, entry);
	return intern_reserve(recorded->text_ids);
}

static void
take_told(void *user, text_code later, struct slice text)
{
	struct record_sink *recorded = user;

	check_known(recorded, later);
	struct recorded_text *entry = &recorded->texts[later];
	MUST(entry->len == 0 && !entry->is_symbol);
	entry->text = (char *)keep(recorded, text).ptr;
	entry->len = text.len;
}

static uint32_t
take_key(void *user, struct slice name)
{
	struct record_sink *recorded = user;
	uint32_t id = intern_id(recorded->key_ids, name);

	if (id == recorded->n_keys) {
		char *kept = (char *)keep(recorded, name).ptr;
		APPEND(recorded, 2, keys, n_keys, kept);
	}
	return id;
}

static uint32_t
take_lane(void *user, const struct lane *lane)
{
	struct record_sink *recorded = user;
	struct strbuf key = {NULL, 0, 0};

	MUST((unsigned)lane->kind < LANE_KINDS);
	check_code(recorded, lane->host);
	check_code(recorded, lane->name);
	const struct ident *idents[] = {&lane->process, &lane->thread};
	for (size_t i = 0; i < 2; i++) {
		MUST(idents[i]->type == IDENT_NONE || idents[i]->type == IDENT_INTEGER ||
		     idents[i]->type == IDENT_TEXT);
		if (idents[i]->type == IDENT_TEXT) {
			check_known(recorded, idents[i]->text);
		}
		strbuf_printf(&key, "%d/%" PRId64 "/%u|", idents[i]->type,
		              idents[i]->type == IDENT_INTEGER ? idents[i]->integer : 0,
		              idents[i]->type == IDENT_TEXT ? idents[i]->text : 0);
	}
	strbuf_printf(&key, "%u|%u|%d", lane->host, lane->name, lane->kind);
	uint32_t id = intern_id(recorded->lane_ids, strbuf_slice(&key));
	strbuf_free(&key);
	if (id == recorded->n_lanes) {
		APPEND(recorded, 3, lanes, n_lanes, *lane);
	}
	return id;
}

static const struct arg *
keep_args(struct record_sink *recorded, const struct arg *args, size_t n)
{
	struct arg *kept = arena_alloc(recorded->arena, n * sizeof *kept);

	for (size_t i = 0; i < n; i++) {
		kept[i] = args[i];
		MUST(args[i].key < recorded->n_keys);
		MUST((unsigned)args[i].type < ARG_TYPES);
		for (size_t k = 0; k < i && n < 200; k++) {
			MUST(args[k].key != args[i].key);
		}
		switch (args[i].type) {
		case ARG_TEXT:
		case ARG_JSON:
			kept[i].text = keep(recorded, args[i].text);
			break;
		case ARG_UNSIGNED:
			MUST(args[i].integer < 0);
			break;
		case ARG_REAL:
			MUST(isfinite(args[i].real));
			break;
		case ARG_BOOLEAN:
			MUST(args[i].integer == 0 || args[i].integer == 1);
			break;
		case ARG_INTEGER:
		case ARG_INTEGER_TEXT:
		case ARG_NULL:
			break;
		}
	}
	return kept;
}

static int
take_span(void *user, const struct span *span)
{
	struct record_sink *recorded = user;
	struct span kept = *span;
	int64_t end;

	MUST(!recorded->has_facts);
	MUST(span->duration_ns >= 0 && span->start_ns != TIME_NONE);
	MUST(!__builtin_add_overflow(span->start_ns, span->duration_ns, &end));
	MUST(span->lane < recorded->n_lanes);
	MUST(span->size_bytes >= 0 || span->size_bytes == SIZE_NONE ||
	     span->size_bytes == SIZE_TOO_LARGE);
	MUST(span->calls >= 1);
	check_code(recorded, span->name);
	check_code(recorded, span->category);
	check_code(recorded, span->path);
	kept.args = keep_args(recorded, span->args, span->n_args);
	if (span->totals) {
		kept.totals = arena_copy(recorded->arena, span->totals, sizeof *span->totals);
	}
	APPEND(recorded, 4, spans, n_spans, kept);
	return stop(recorded);
}

static int
take_event(void *user, const struct event *event)
{
	struct record_sink *recorded = user;
	struct event kept = *event;

	MUST(!recorded->has_facts && event->time_ns != TIME_NONE);
	MUST(event->lane < recorded->n_lanes);
	check_code(recorded, event->name);
	check_code(recorded, event->category);
	kept.args = keep_args(recorded, event->args, event->n_args);
	APPEND(recorded, 5, events, n_events, kept);
	return stop(recorded);
}

static int
take_counter(void *user, const struct counter *counter)
{
	struct record_sink *recorded = user;
	struct counter kept = *counter;

	MUST(!recorded->has_facts && counter->time_ns != TIME_NONE);
	MUST(counter->lane < recorded->n_lanes);
	check_known(recorded, counter->name);
	kept.args = keep_args(recorded, counter->args, counter->n_args);
	APPEND(recorded, 6, counters, n_counters, kept);
	return stop(recorded);
}

static int
take_task(void *user, const struct task *task)
{
	struct record_sink *recorded = user;

	check_known(recorded, task->key);
	check_known(recorded, task->name);
	check_code(recorded, task->kind);
	check_code(recorded, task->worker);
	MUST(task->lane == LANE_NONE || task->lane < recorded->n_lanes);
	APPEND(recorded, 7, tasks, n_tasks, *task);
	return stop(recorded);
}

static int
take_transfer(void *user, const struct transfer *transfer)
{
	struct record_sink *recorded = user;

	check_known(recorded, transfer->name);
	check_code(recorded, transfer->source);
	check_code(recorded, transfer->target);
	check_code(recorded, transfer->mode);
	MUST(transfer->lane == LANE_NONE || transfer->lane < recorded->n_lanes);
	APPEND(recorded, 8, transfers, n_transfers, *transfer);
	return stop(recorded);
}

static int
take_dependency(void *user, const struct dependency *dependency)
{
	struct record_sink *recorded = user;

	check_code(recorded, dependency->name);
	if (dependency->type == DEPENDENCY_TASK) {
		check_known(recorded, dependency->from_key);
		check_known(recorded, dependency->to_key);
	}
	APPEND(recorded, 9, dependencies, n_dependencies, *dependency);
	return stop(recorded);
}

static int
take_capacity(void *user, const struct capacity *capacity)
{
	struct record_sink *recorded = user;

	check_code(recorded, capacity->group);
	APPEND(recorded, 10, capacities, n_capacities, *capacity);
	return stop(recorded);
}

static int
take_preemption(void *user, const struct preemption *preemption)
{
	struct record_sink *recorded = user;

	check_code(recorded, preemption->group);
	APPEND(recorded, 11, preemptions, n_preemptions, *preemption);
	return stop(recorded);
}

static uint32_t
take_trial(void *user, const struct trial *trial)
{
	struct record_sink *recorded = user;

	check_known(recorded, trial->name);
	check_code(recorded, trial->path);
	APPEND(recorded, 12, trials, n_trials, *trial);
	return (uint32_t)(recorded->n_trials - 1);
}

static int
take_sample(void *user, const struct sample *sample)
{
	struct record_sink *recorded = user;
	struct sample kept = *sample;

	MUST(sample->trial < recorded->n_trials);
	check_known(recorded, sample->name);
	kept.values =
	    arena_copy(recorded->arena, sample->values, sample->n_values * sizeof *kept.values);
	check_code(recorded, sample->type);
	APPEND(recorded, 13, samples, n_samples, kept);
	return stop(recorded);
}

static int
take_tag(void *user, const struct tag *tag)
{
	struct record_sink *recorded = user;

	check_code(recorded, tag->scope);
	check_known(recorded, tag->key);
	check_known(recorded, tag->value);
	APPEND(recorded, 14, tags, n_tags, *tag);
	return stop(recorded);
}

static int
take_problem(void *user, const struct problem *problem)
{
	struct record_sink *recorded = user;
	struct problem kept = *problem;

	MUST((unsigned)problem->kind < PROBLEM_KINDS);
	MUST(problem->reason && problem->reason[0]);
	kept.reason = keep(recorded, slice_of(problem->reason)).ptr;
	kept.excerpt = keep(recorded, problem->excerpt);
	APPEND(recorded, 15, problems, n_problems, kept);
	return stop(recorded);
}

static void
take_facts(void *user, const struct source_facts *facts)
{
	struct record_sink *recorded = user;

	MUST(!recorded->has_facts);
	recorded->has_facts = true;
	recorded->facts = *facts;
}

struct record_sink *
record_sink_new(void)
{
	struct record_sink *recorded = xcalloc(1, sizeof *recorded);

	recorded->n_threads = 1;
	recorded->sink = (struct sink){.user = recorded,
	                               .text = take_text,
	                               .symbol = take_symbol,
	                               .define = take_definition,
	                               .later = take_later,
	                               .tell = take_told,
	                               .key = take_key,
	                               .lane = take_lane,
	                               .span = take_span,
	                               .event = take_event,
	                               .counter = take_counter,
	                               .task = take_task,
	                               .transfer = take_transfer,
	                               .dependency = take_dependency,
	                               .capacity = take_capacity,
	                               .preemption = take_preemption,
	                               .trial = take_trial,
	                               .sample = take_sample,
	                               .tag = take_tag,
	                               .problem = take_problem,
	                               .facts = take_facts};
	recorded->stop_after = -1;
	recorded->arena = arena_new();
	recorded->text_ids = intern_new();
	recorded->lane_ids = intern_new();
	recorded->key_ids = intern_new();
	return recorded;
}

void
record_sink_free(struct record_sink *recorded)
{
	if (!recorded) {
		return;
	}
	void *lists[] = {recorded->texts,        recorded->keys,       recorded->lanes,
	                 recorded->definitions,  recorded->spans,      recorded->events,
	                 recorded->counters,     recorded->tasks,      recorded->transfers,
	                 recorded->dependencies, recorded->capacities, recorded->preemptions,
	                 recorded->trials,       recorded->samples,    recorded->tags,
	                 recorded->problems};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		free(lists[i]);
	}
	arena_free(recorded->arena);
	intern_free(recorded->text_ids);
	intern_free(recorded->lane_ids);
	intern_free(recorded->key_ids);
	free(recorded);
}

/* ---- reading what was recorded ---- */

const char *
record_text(const struct record_sink *recorded, text_code code)
{
	if (code == TEXT_NONE) {
		return "-";
	}
	const struct recorded_text *entry = &recorded->texts[code];
	if (!entry->is_symbol) {
		return entry->text;
	}
	const char *scope = entry->text, *symbol = entry->text + entry->scope_len + 1;
	for (int any_scope = 0; any_scope < 2; any_scope++) {
		for (size_t i = 0; i < recorded->n_definitions; i++) {
			const struct recorded_definition *definition = &recorded->definitions[i];
			if (strcmp(definition->symbol, symbol) == 0 &&
			    (any_scope || strcmp(definition->scope, scope) == 0)) {
				return definition->text;
			}
		}
	}
	return symbol;
}

const char *
record_ident(const struct record_sink *recorded, const struct ident *ident)
{
	if (ident->type == IDENT_INTEGER) {
		return arena_printf(recorded->arena, "%" PRId64, ident->integer);
	}
	return ident->type == IDENT_TEXT ? record_text(recorded, ident->text) : "-";
}

const char *
record_lane(const struct record_sink *recorded, uint32_t id)
{
	if (id == LANE_NONE) {
		return "-";
	}
	const struct lane *lane = &recorded->lanes[id];
	return arena_printf(
	    recorded->arena, "%s %s/%s/%s %s", lane_kind_name(lane->kind),
	    record_text(recorded, lane->host), record_ident(recorded, &lane->process),
	    record_ident(recorded, &lane->thread), record_text(recorded, lane->name));
}

const char *
record_args(const struct record_sink *recorded, const struct arg *args, size_t n_args)
{
	struct strbuf out = {NULL, 0, 0};
	char number[FORMAT_BYTES];

	for (size_t i = 0; i < n_args; i++) {
		const struct arg *arg = &args[i];
		strbuf_printf(&out, "%s%s=", i ? " " : "", recorded->keys[arg->key]);
		switch (arg->type) {
		case ARG_INTEGER:
			strbuf_printf(&out, "%" PRId64, arg->integer);
			break;
		case ARG_UNSIGNED:
			strbuf_printf(&out, "%" PRIu64, (uint64_t)arg->integer);
			break;
		case ARG_REAL:
			strbuf_add_text(&out, format_real(number, arg->real));
			break;
		case ARG_TEXT:
			strbuf_printf(&out, "'%.*s'", (int)arg->text.len, arg->text.ptr);
			break;
		case ARG_INTEGER_TEXT:
			strbuf_printf(&out, "\"%" PRId64 "\"", arg->integer);
			break;
		case ARG_BOOLEAN:
			strbuf_add_text(&out, arg->integer ? "true" : "false");
			break;
		case ARG_NULL:
			strbuf_add_text(&out, "null");
			break;
		case ARG_JSON:
			strbuf_add(&out, arg->text.ptr, arg->text.len);
			break;
		}
	}
	const char *text = arena_strndup(recorded->arena, out.data ? out.data : "", out.len);
	strbuf_free(&out);
	return text;
}

const char *
record_tag(const struct record_sink *recorded, const char *scope, const char *key)
{
	for (size_t i = 0; i < recorded->n_tags; i++) {
		const struct tag *tag = &recorded->tags[i];
		if (strcmp(record_text(recorded, tag->scope), scope) == 0 &&
		    strcmp(record_text(recorded, tag->key), key) == 0) {
			return record_text(recorded, tag->value);
		}
	}
	return NULL;
}

size_t
record_problems(const struct record_sink *recorded, enum problem_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < recorded->n_problems; i++) {
		n += recorded->problems[i].kind == kind;
	}
	return n;
}

/* ---- running an importer ---- */

static int
record_input(struct record_sink *recorded, const struct import_format *format, struct input *input,
             bool lenient, void **facts)
{
	struct import_options options = {
	    .lenient = lenient, .n_threads = recorded->n_threads, .omitted = recorded->omitted};
	struct err err = ERR_INIT;
	void *own = NULL;
	int result = format->read(input, &recorded->sink, &options, &own, &err);

	MUST(result == 0 || recorded->stopped || err.code != ERR_NONE);
	MUST(result != 0 || recorded->has_facts);
	input_close(input);
	if (facts) {
		*facts = own;
	} else if (own) {
		format->free_facts(own);
	}
	return result;
}

int
record_bytes(struct record_sink *recorded, const struct import_format *format, const void *bytes,
             size_t length, size_t chunk, bool lenient, void **facts)
{
	struct input *input = input_from_memory((struct slice){bytes, length}, chunk);

	return record_input(recorded, format, input, lenient, facts);
}

int
record_file(struct record_sink *recorded, const struct import_format *format, const char *path,
            bool lenient, void **facts)
{
	struct err err = ERR_INIT;
	struct input *input = input_open(path, &err);

	if (!input) {
		fprintf(stderr, "%s\n", err.message);
		return -1;
	}
	return record_input(recorded, format, input, lenient, facts);
}
