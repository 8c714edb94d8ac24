/*
 * The receiving side of an importer: every callback of struct sink for one source. A callback that
 * fails keeps the reason in the source, since importers pass only the fact on.
 */
#include "config.h"
#include "ingest/source.h"

#include <stdio.h>
#include <stdlib.h>

#include "util/clock.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define TICK_RECORDS 4096
#define EARLY_NS INT64_C(250000000)

static int
failed(struct source *source)
{
	source->failed = true;
	return 1;
}

/* Not at each tick: it may be thousands of names. */
static void
tell_early(struct source *source, bool is_end)
{
	int64_t now_ns = clock_ns();

	if (is_end || now_ns - source->early_told_ns > EARLY_NS) {
		early_tell(&source->early, source->target->early, source->texts, is_end);
		source->early_told_ns = now_ns;
	}
}

int
source_tick(struct source *source, bool is_end, struct err *err)
{
	uint64_t raw = input_raw_offset(source->input);
	uint64_t waited_ns = input_waited_ns(source->input);
	struct source_tick tick = {source->new_records, source->new_problems,
	                           raw - source->told_raw, waited_ns - source->told_waited_ns};

	source->told_raw = raw;
	source->told_waited_ns = waited_ns;
	source->new_records = source->new_problems = 0;
	if (source->target->early) {
		tell_early(source, is_end);
	}
	return source->target->tick(source->target->user, &tick, err);
}

/* Counts a record; now and then tells how far we are. */
static int
count_record(struct source *source)
{
	if (++source->new_records < TICK_RECORDS) {
		return 0;
	}
	return source_tick(source, false, &source->err) ? failed(source) : 0;
}

/* ---- names ---- */

static text_code
take_text(void *user, struct slice text)
{
	struct source *source = user;
	return intern_id(source->texts, text);
}

/* Scope and symbol as the bytes of one key. */
static struct slice
symbol_key(struct strbuf *buffer, struct slice scope, struct slice symbol)
{
	uint64_t length = scope.len;

	strbuf_clear(buffer);
	strbuf_add(buffer, &length, sizeof length);
	strbuf_add_slice(buffer, scope);
	strbuf_add_slice(buffer, symbol);
	return strbuf_slice(buffer);
}

struct slice
symbol_of_key(struct slice key)
{
	uint64_t length;

	memcpy(&length, key.ptr, sizeof length);
	size_t before = sizeof length + (size_t)length;
	return slice_from(key, before);
}

static struct symbol *
find_symbol(struct source *source, struct slice scope, struct slice name)
{
	struct strbuf key = {0};
	uint32_t id = intern_id(source->scopes, symbol_key(&key, scope, name));

	strbuf_free(&key);
	if (id == source->n_symbols) {
		MEM_GROW(source->symbols, source->symbols_capacity, source->n_symbols + 1);
		source->symbols[source->n_symbols++] = (struct symbol){TEXT_NONE, TEXT_NONE};
	}
	return &source->symbols[id];
}

static text_code
take_symbol(void *user, struct slice scope, struct slice name)
{
	struct source *source = user;
	struct symbol *symbol = find_symbol(source, scope, name);

	if (symbol->code == TEXT_NONE) {
		symbol->code = intern_reserve(source->texts);
	}
	return symbol->code;
}

static void
take_define(void *user, struct slice scope, struct slice name, struct slice text)
{
	struct source *source = user;
	struct symbol *symbol = find_symbol(source, scope, name);

	if (symbol->definition == TEXT_NONE) {
		symbol->definition = intern_id(source->texts, text);
	}
}

static text_code
take_later(void *user)
{
	struct source *source = user;

	source->n_untold++;
	source->last_later = intern_reserve(source->texts);
	return source->last_later;
}

static void
take_told(void *user, text_code later, struct slice text)
{
	struct source *source = user;
	text_code code = intern_settle(source->texts, later, text);

	source->n_untold--;
	if (code != later) {
		MEM_GROW(source->told_texts, source->told_texts_capacity, source->n_told_texts + 1);
		source->told_texts[source->n_told_texts++] = (struct told_text){later, code};
	}
}

static uint32_t
take_key(void *user, struct slice name)
{
	struct source *source = user;
	return intern_id(source->keys, name);
}

static uint32_t
take_lane(void *user, const struct lane *lane)
{
	struct source *source = user;
	bool is_new = lane->name != TEXT_NONE && lane->name == source->last_later;

	source->last_later = TEXT_NONE;
	return is_new ? lane_list_add(&source->lanes, lane) : lane_list_id(&source->lanes, lane);
}

/* ---- the many ---- */

static bool
is_timely(int64_t start_ns, int64_t end_ns)
{
	return start_ns > -TIME_LIMIT && end_ns < TIME_LIMIT && end_ns >= start_ns;
}

static void
note_time(struct source *source, int64_t start_ns, int64_t end_ns)
{
	source->time_min = LEAST(start_ns, source->time_min);
	source->time_max = MOST(end_ns, source->time_max);
}

static int
receive_block(void *user, struct block *block, const struct span_key *keys)
{
	struct source *source = user;
	int result = source->target->block(source->target->user, block, keys, &source->err);
	return result ? failed(source) : 0;
}

static struct block_builder *
builder_of(struct source *source, enum block_kind kind)
{
	struct block_receiver receiver = {source, receive_block};

	if (!source->builders[kind]) {
		source->builders[kind] =
		    block_builder_new(kind, source->index, source->texts, BLOCK_ROWS, &receiver);
	}
	return source->builders[kind];
}

/* ---- figures that can't be ---- */

#define IMPLAUSIBLE_ARGS 2 /* size and duration */

static bool
is_implausible_size(int64_t bytes, int64_t calls)
{
	return bytes == SIZE_TOO_LARGE || (calls > 1 ? bytes / calls : bytes) > SOURCE_SIZE_LIMIT;
}

static void
note_implausible(struct source *source, struct implausible *implausible, int64_t value)
{
	if (implausible->n++ == 0) {
		implausible->first = value;
		implausible->first_record = source->sink->record;
		implausible->first_offset = source->sink->offset;
	}
}

/* Adds an argument, unless the record has one of this name. */
static void
keep_argument(struct source *source, struct span *span, struct arg *args, const char *name,
              int64_t value)
{
	uint32_t key = take_key(source, slice_of(name));

	for (size_t i = 0; i < span->n_args; i++) {
		if (args[i].key == key) {
			return;
		}
	}
	args[span->n_args++] = (struct arg){.key = key, .type = ARG_INTEGER, .integer = value};
}

/* A span with an implausible figure: without it, and with an argument that has it. A span that has
 * lost its duration stays where it starts. *args is new (free()). */
static struct span
without_implausible(struct source *source, const struct span *span, struct arg **args)
{
	struct span kept = *span;

	*args = xcalloc(span->n_args + IMPLAUSIBLE_ARGS, sizeof **args);
	if (span->n_args > 0) {
		memcpy(*args, span->args, span->n_args * sizeof **args);
	}
	kept.args = *args;
	if (is_implausible_size(span->size_bytes, span->calls)) {
		note_implausible(source, &source->implausible_sizes, span->size_bytes);
		if (span->size_bytes != SIZE_TOO_LARGE) {
			keep_argument(source, &kept, *args, "size", span->size_bytes);
		}
		kept.size_bytes = SIZE_NONE;
	}
	if (span->duration_ns > SOURCE_DURATION_LIMIT) {
		note_implausible(source, &source->implausible_durations, span->duration_ns);
		keep_argument(source, &kept, *args, "duration", span->duration_ns);
		kept.duration_ns = 0;
	}
	return kept;
}

/* The builder of a row that is from start to end; NULL where these can't be. */
static struct block_builder *
place_row(struct source *source, enum block_kind kind, int64_t start_ns, int64_t end_ns)
{
	if (!is_timely(start_ns, end_ns)) {
		source->n_untimely++;
		return NULL;
	}
	note_time(source, start_ns, end_ns);
	source->n_rows[kind]++;
	return builder_of(source, kind);
}

static int
put_span(struct source *source, const struct span *span)
{
	struct block_builder *builder = place_row(source, BLOCK_SPAN, span->start_ns,
	                                          time_add(span->start_ns, span->duration_ns));
	int result = builder ? block_builder_span(builder, span) : 0;

	if (builder && source->target->early) {
		early_count(&source->early, span);
	}
	return result ? result : count_record(source);
}

static int
take_span(void *user, const struct span *span)
{
	struct source *source = user;

	bool is_plausible = !is_implausible_size(span->size_bytes, span->calls) &&
	                    span->duration_ns <= SOURCE_DURATION_LIMIT;

	if (is_plausible || !is_timely(span->start_ns, span->start_ns)) {
		return put_span(source, span);
	}
	struct arg *args;
	struct span kept = without_implausible(source, span, &args);
	int result = put_span(source, &kept);
	free(args);
	return result;
}

/* The size of a task or a transfer, which have no arguments. */
static int64_t
plausible_size(struct source *source, int64_t bytes)
{
	if (!is_implausible_size(bytes, 1)) {
		return bytes;
	}
	note_implausible(source, &source->implausible_sizes, bytes);
	return SIZE_NONE;
}

static int
take_event(void *user, const struct event *event)
{
	struct block_builder *builder =
	    place_row(user, BLOCK_EVENT, event->time_ns, event->time_ns);
	int result = builder ? block_builder_event(builder, event) : 0;
	return result ? result : count_record(user);
}

static int
take_counter(void *user, const struct counter *counter)
{
	struct block_builder *builder =
	    place_row(user, BLOCK_COUNTER, counter->time_ns, counter->time_ns);
	int result = builder ? block_builder_counter(builder, counter) : 0;
	return result ? result : count_record(user);
}

/* ---- the few ---- */

static int
keep(struct source *source, struct spool *spool, unsigned type, const void *record, size_t size,
     struct slice extra)
{
	if (spool_put(spool, type, record, size, extra, &source->err)) {
		return failed(source);
	}
	return count_record(source);
}

#define KEEP(source, spool, type, record)                                                          \
	keep(source, &(source)->spool, type, &(record), sizeof(record), (struct slice){0})

/* Times of a record, TIME_NONE passed over. False if one can't be. */
static bool
note_times(struct source *source, const int64_t *times, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (times[i] != TIME_NONE && !is_timely(times[i], times[i])) {
			source->n_untimely++;
			return false;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (times[i] != TIME_NONE) {
			note_time(source, times[i], times[i]);
		}
	}
	return true;
}

/* A text where the tables need one. */
static text_code
some_text(struct source *source, text_code code)
{
	return code == TEXT_NONE ? intern_id(source->texts, slice_of("")) : code;
}

static int
take_task(void *user, const struct task *task)
{
	struct source *source = user;
	struct task kept = *task;
	const int64_t times[] = {task->planned,  task->enqueued,  task->started,  task->loaded,
	                         task->computed, task->published, task->finished, task->completed};

	if (!note_times(source, times, COUNT_OF(times))) {
		return count_record(source);
	}
	kept.key = some_text(source, kept.key);
	kept.name = some_text(source, kept.name);
	kept.size_bytes = plausible_size(source, kept.size_bytes);
	source->n_tasks++;
	return KEEP(source, records, RECORD_TASK, kept);
}

static int
take_transfer(void *user, const struct transfer *transfer)
{
	struct source *source = user;
	struct transfer kept = *transfer;
	const int64_t times[] = {transfer->planned,  transfer->started,  transfer->loaded,
	                         transfer->received, transfer->unloaded, transfer->finished,
	                         transfer->completed};

	if (!note_times(source, times, COUNT_OF(times))) {
		return count_record(source);
	}
	kept.name = some_text(source, kept.name);
	kept.size_bytes = plausible_size(source, kept.size_bytes);
	source->n_transfers++;
	return KEEP(source, records, RECORD_TRANSFER, kept);
}

static int
take_dependency(void *user, const struct dependency *dependency)
{
	struct source *source = user;

	source->n_span_dependencies += dependency->type == DEPENDENCY_SPAN;
	return KEEP(source, dependencies, RECORD_DEPENDENCY, *dependency);
}

static int
take_capacity(void *user, const struct capacity *capacity)
{
	struct source *source = user;

	return note_times(source, &capacity->time_ns, 1)
	           ? KEEP(source, records, RECORD_CAPACITY, *capacity)
	           : count_record(source);
}

static int
take_preemption(void *user, const struct preemption *preemption)
{
	struct source *source = user;

	return note_times(source, &preemption->time_ns, 1)
	           ? KEEP(source, records, RECORD_PREEMPTION, *preemption)
	           : count_record(source);
}

static uint32_t
take_trial(void *user, const struct trial *trial)
{
	struct source *source = user;
	struct trial kept = *trial;

	kept.name = some_text(source, kept.name);
	/* a failure is seen by the next callback */
	(void)KEEP(source, records, RECORD_TRIAL, kept);
	return (uint32_t)source->n_trials++;
}

static int
take_sample(void *user, const struct sample *sample)
{
	struct source *source = user;
	struct sample kept = *sample;
	struct slice values = {(const char *)sample->values, sample->n_values * sizeof(double)};

	kept.name = some_text(source, kept.name);
	kept.type = some_text(source, kept.type);
	if (source->failed) {
		return 1;
	}
	if (sample->trial >= source->n_trials) {
		err_set(&source->err, ERR_INTERNAL, "%s: a sample of no trial", source->path);
		return failed(source);
	}
	return keep(source, &source->records, RECORD_SAMPLE, &kept, sizeof kept, values);
}

static int
take_tag(void *user, const struct tag *tag)
{
	struct source *source = user;
	struct tag kept = *tag;

	kept.key = some_text(source, kept.key);
	kept.value = some_text(source, kept.value);
	return KEEP(source, records, RECORD_TAG, kept);
}

int
problem_keep(struct spool *spool, const struct problem *problem, struct err *err)
{
	const char *reason = problem->reason ? problem->reason : "";
	struct strbuf extra = {0};
	struct kept_problem kept = {problem->kind, problem->record, problem->offset,
	                            strlen(reason)};

	strbuf_add(&extra, reason, kept.reason_bytes);
	strbuf_add(&extra, problem->excerpt.ptr, LEAST(problem->excerpt.len, 4096));
	int result =
	    spool_put(spool, RECORD_PROBLEM, &kept, sizeof kept, strbuf_slice(&extra), err);
	strbuf_free(&extra);
	return result;
}

static int
take_problem(void *user, const struct problem *problem)
{
	struct source *source = user;

	if (source->n_problems++ == 0 && problem->reason) {
		snprintf(source->first_reason, sizeof source->first_reason, "%s", problem->reason);
	}
	source->new_problems++;
	source->truncation_told |= problem->kind == PROBLEM_TRUNCATED;
	if (source->problems.n_records >= PROBLEM_ROWS) {
		return 0;
	}
	return problem_keep(&source->problems, problem, &source->err) ? failed(source) : 0;
}

static void
take_facts(void *user, const struct source_facts *facts)
{
	struct source *source = user;
	source->facts = *facts;
	if (facts->is_timed && is_timely(facts->first_ns, facts->last_ns)) {
		note_time(source, facts->first_ns, facts->last_ns);
	}
}

void
source_sink(struct source *source, struct sink *sink)
{
	source->sink = sink;
	*sink = (struct sink){
	    .user = source,
	    .text = take_text,
	    .symbol = take_symbol,
	    .define = take_define,
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
	    .facts = take_facts,
	};
}
