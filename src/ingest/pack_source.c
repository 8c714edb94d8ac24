/*
 * A source that was read, as bytes: what a part of a run keeps of it, beside the bytes of its
 * columns. Everything is in the source's own numbers, so it does not matter which other sources
 * the run will have; what crosses files (names by their hash, dependencies by their place, what
 * the format knows of processes and ids) is kept as it was told.
 */
#include "config.h"
#include "ingest/pack_private.h"

#include "util/mem.h"

/* ---- codes ---- */

/* A code of a text, which a missing one has no need of. */
static void
pack_text(struct source_pack *sp, uint32_t *code)
{
	PACK(&sp->pack, *code);
	refuse_unless(sp, *code == TEXT_NONE || *code < sp->n_texts);
}

static void
pack_some_text(struct source_pack *sp, uint32_t *code)
{
	pack_text(sp, code);
	refuse_unless(sp, *code != TEXT_NONE);
}

static void
pack_lane_code(struct source_pack *sp, uint32_t *lane)
{
	PACK(&sp->pack, *lane);
	refuse_unless(sp, *lane == LANE_NONE || *lane < sp->n_lanes);
}

static void
pack_times(struct source_pack *sp, int64_t *const *times, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int64_t *time_ns = times[i];
		PACK(&sp->pack, *time_ns);
		refuse_unless(sp, *time_ns == TIME_NONE ||
		                      (*time_ns > -TIME_LIMIT && *time_ns < TIME_LIMIT));
	}
}

/* ---- names ---- */

static void
pack_symbol(struct source_pack *sp, struct symbol *symbol)
{
	pack_text(sp, &symbol->definition);
	pack_text(sp, &symbol->code);
}

static void
pack_told(struct source_pack *sp, struct told_text *told)
{
	pack_some_text(sp, &told->code);
	pack_some_text(sp, &told->text);
}

static void
pack_ident(struct source_pack *sp, struct ident *ident)
{
	uint32_t type = ident->type;

	PACK(&sp->pack, type);
	ident->type = type;
	if (type == IDENT_INTEGER) {
		PACK(&sp->pack, ident->integer);
	} else if (type == IDENT_TEXT) {
		pack_some_text(sp, &ident->text);
	} else {
		refuse_unless(sp, type == IDENT_NONE);
	}
}

static void
pack_lane(struct source_pack *sp, struct lane *lane)
{
	uint32_t kind = lane->kind;

	pack_text(sp, &lane->host);
	pack_ident(sp, &lane->process);
	pack_ident(sp, &lane->thread);
	pack_text(sp, &lane->name);
	PACK(&sp->pack, kind);
	lane->kind = kind;
	refuse_unless(sp, kind < LANE_KINDS);
}

static void
pack_lanes(struct source_pack *sp, struct lane_list *lanes)
{
	uint64_t n = lanes->n;

	PACK(&sp->pack, n);
	refuse_unless(sp, n < LANE_NONE);
	for (uint64_t i = 0; i < n && !sp->pack.failed; i++) {
		struct lane lane = {.host = 0};
		pack_break(&sp->pack);
		if (!reads(sp)) {
			lane = lane_list_at(lanes, (size_t)i);
		}
		pack_lane(sp, &lane);
		if (reads(sp)) {
			(void)lane_list_add(lanes, &lane);
		}
	}
}

static void
pack_names(struct source_pack *sp)
{
	struct source *source = sp->source;
	uint64_t n_untold = source->n_untold;

	pack_intern(&sp->pack, source->texts);
	sp->n_texts = intern_count(source->texts);
	pack_intern(&sp->pack, source->keys);
	sp->n_keys = intern_count(source->keys);
	pack_intern(&sp->pack, source->scopes);
	PACK_EACH(&sp->pack, sp, source->symbols, source->n_symbols, source->symbols_capacity,
	          pack_symbol);
	refuse_unless(sp, source->n_symbols == intern_count(source->scopes));
	PACK(&sp->pack, n_untold);
	source->n_untold = (size_t)n_untold;
	PACK_EACH(&sp->pack, sp, source->told_texts, source->n_told_texts,
	          source->told_texts_capacity, pack_told);
	pack_lanes(sp, &source->lanes);
	sp->n_lanes = (uint32_t)source->lanes.n;
}

/* A key of scopes is a length of eight bytes, as long a scope, and a symbol. */
static void
check_scopes(struct source_pack *sp)
{
	const struct intern *scopes = sp->source->scopes;

	for (uint32_t i = 0; reads(sp) && i < intern_count(scopes); i++) {
		struct slice key = intern_text(scopes, i);
		uint64_t length = 0;
		refuse_unless(sp, key.len >= sizeof length);
		if (key.len >= sizeof length) {
			memcpy(&length, key.ptr, sizeof length);
			refuse_unless(sp, length <= key.len - sizeof length);
		}
	}
}

/* ---- the few ---- */

union kept_record {
	struct task task;
	struct transfer transfer;
	struct dependency dependency;
	struct capacity capacity;
	struct preemption preemption;
	struct trial trial;
	struct sample sample;
	struct tag tag;
	struct kept_problem problem;
};

static const size_t record_bytes[] = {[RECORD_TASK] = sizeof(struct task),
                                      [RECORD_TRANSFER] = sizeof(struct transfer),
                                      [RECORD_DEPENDENCY] = sizeof(struct dependency),
                                      [RECORD_CAPACITY] = sizeof(struct capacity),
                                      [RECORD_PREEMPTION] = sizeof(struct preemption),
                                      [RECORD_TRIAL] = sizeof(struct trial),
                                      [RECORD_SAMPLE] = sizeof(struct sample),
                                      [RECORD_TAG] = sizeof(struct tag),
                                      [RECORD_PROBLEM] = sizeof(struct kept_problem)};

static void
pack_task(struct source_pack *sp, struct task *task)
{
	int64_t *const times[] = {&task->planned,  &task->enqueued, &task->started,
	                          &task->loaded,   &task->computed, &task->published,
	                          &task->finished, &task->completed};

	pack_some_text(sp, &task->key);
	pack_some_text(sp, &task->name);
	pack_text(sp, &task->kind);
	pack_lane_code(sp, &task->lane);
	pack_text(sp, &task->worker);
	pack_times(sp, times, COUNT_OF(times));
	PACK(&sp->pack, task->recorded_start);
	PACK(&sp->pack, task->recorded_duration);
	PACK(&sp->pack, task->size_bytes);
}

static void
pack_transfer(struct source_pack *sp, struct transfer *transfer)
{
	int64_t *const times[] = {&transfer->planned,  &transfer->started,  &transfer->loaded,
	                          &transfer->received, &transfer->unloaded, &transfer->finished,
	                          &transfer->completed};

	pack_some_text(sp, &transfer->name);
	pack_lane_code(sp, &transfer->lane);
	pack_text(sp, &transfer->source);
	pack_text(sp, &transfer->target);
	pack_text(sp, &transfer->mode);
	pack_times(sp, times, COUNT_OF(times));
	PACK(&sp->pack, transfer->size_bytes);
}

static void
pack_dependency(struct source_pack *sp, struct dependency *dependency)
{
	uint32_t type = dependency->type;

	PACK(&sp->pack, type);
	dependency->type = type;
	if (type == DEPENDENCY_TASK) {
		pack_some_text(sp, &dependency->from_key);
		pack_some_text(sp, &dependency->to_key);
	} else {
		refuse_unless(sp, type == DEPENDENCY_SPAN);
		PACK(&sp->pack, dependency->from_span);
		PACK(&sp->pack, dependency->to_span);
	}
	pack_text(sp, &dependency->name);
}

static void
pack_capacity(struct source_pack *sp, int64_t *time_ns, text_code *group, int64_t *nodes)
{
	pack_times(sp, &time_ns, 1);
	refuse_unless(sp, *time_ns != TIME_NONE);
	pack_text(sp, group);
	PACK(&sp->pack, *nodes);
}

static void
pack_sample(struct source_pack *sp, struct sample *sample)
{
	uint64_t n = sample->n_values;

	PACK(&sp->pack, sample->trial);
	refuse_unless(sp, sample->trial < sp->n_trials);
	pack_some_text(sp, &sample->name);
	PACK(&sp->pack, n);
	sample->n_values = (size_t)n;
	pack_some_text(sp, &sample->type);
}

static void
pack_values(struct source_pack *sp, const struct sample *sample, struct slice *values)
{
	uint64_t nth = sp->n_samples++;

	if (!sp->values_apart) {
		pack_slice(&sp->pack, values);
	} else if (reads(sp) && !sp->pack.failed) {
		sp->pack.failed = sp->values(sp->pack.user, nth, values, &sp->pack.err) != 0;
	}
	refuse_unless(sp, values->len / sizeof(double) == sample->n_values &&
	                      values->len % sizeof(double) == 0);
}

static void
pack_problem(struct source_pack *sp, struct kept_problem *problem)
{
	uint32_t kind = problem->kind;
	uint64_t n = problem->reason_bytes;

	PACK(&sp->pack, kind);
	problem->kind = kind;
	refuse_unless(sp, kind < PROBLEM_KINDS);
	PACK(&sp->pack, problem->record);
	PACK(&sp->pack, problem->offset);
	PACK(&sp->pack, n);
	problem->reason_bytes = (size_t)n;
}

/* What the record is of, and what follows it of variable length: of samples their values, of
 * problems their texts. */
static void
pack_record(struct source_pack *sp, uint32_t type, union kept_record *record, struct slice *extra)
{
	switch ((enum record_type)type) {
	case RECORD_TASK:
		pack_task(sp, &record->task);
		break;
	case RECORD_TRANSFER:
		pack_transfer(sp, &record->transfer);
		break;
	case RECORD_DEPENDENCY:
		pack_dependency(sp, &record->dependency);
		break;
	case RECORD_CAPACITY:
		pack_capacity(sp, &record->capacity.time_ns, &record->capacity.group,
		              &record->capacity.nodes);
		break;
	case RECORD_PREEMPTION:
		pack_capacity(sp, &record->preemption.time_ns, &record->preemption.group,
		              &record->preemption.nodes);
		break;
	case RECORD_TRIAL:
		pack_some_text(sp, &record->trial.name);
		pack_text(sp, &record->trial.path);
		sp->n_trials++;
		break;
	case RECORD_SAMPLE:
		pack_sample(sp, &record->sample);
		pack_values(sp, &record->sample, extra);
		break;
	case RECORD_TAG:
		pack_text(sp, &record->tag.scope);
		pack_some_text(sp, &record->tag.key);
		pack_some_text(sp, &record->tag.value);
		break;
	case RECORD_PROBLEM:
		pack_problem(sp, &record->problem);
		pack_slice(&sp->pack, extra);
		refuse_unless(sp, record->problem.reason_bytes <= extra->len);
		break;
	default:
		sp->pack.failed = true;
	}
}

static int
write_record(void *user, unsigned type, const void *fixed, struct slice extra, struct err *err)
{
	struct source_pack *sp = user;
	union kept_record record = {0};
	uint32_t packed_type = type;

	pack_break(&sp->pack);
	memcpy(&record, fixed, record_bytes[type]);
	PACK(&sp->pack, packed_type);
	pack_record(sp, packed_type, &record, &extra);
	*err = sp->pack.err;
	return sp->pack.failed;
}

static void
read_record(struct source_pack *sp, struct spool *spool)
{
	union kept_record record = {0};
	struct slice extra = {"", 0};
	uint32_t type = 0;

	pack_break(&sp->pack);
	PACK(&sp->pack, type);
	pack_record(sp, type, &record, &extra);
	if (sp->pack.failed) {
		return;
	}
	sp->pack.failed =
	    spool_put(spool, type, &record, record_bytes[type], extra, &sp->pack.err) != 0;
}

/* types: a set of those that may stand there. */
static void
pack_spool(struct source_pack *sp, struct spool *spool)
{
	uint64_t n = spool->n_records;
	const struct spool_visitor visitor = {sp, write_record};

	PACK(&sp->pack, n);
	for (uint64_t i = 0; i < n && reads(sp) && !sp->pack.failed; i++) {
		read_record(sp, spool);
	}
	if (!reads(sp) && !sp->pack.failed && spool_each(spool, &visitor, &sp->pack.err)) {
		sp->pack.failed = true;
	}
}

/* ---- all of it ---- */

static void
pack_facts(struct source_pack *sp)
{
	struct source *source = sp->source;
	struct pack *pack = &sp->pack;
	struct source_facts *facts = &source->facts;
	uint32_t clock = facts->clock;
	char *dialect = (char *)facts->dialect;

	PACK(pack, clock);
	facts->clock = clock;
	refuse_unless(sp, clock <= CLOCK_RELATIVE);
	pack_string(pack, &dialect);
	facts->dialect = dialect;
	source->is_loaded |= reads(sp);
	PACK(pack, facts->records);
	PACK(pack, facts->metadata);
	PACK(pack, facts->aggregated);
	PACK(pack, facts->bad_records);
	PACK(pack, facts->is_timed);
	PACK(pack, facts->first_ns);
	PACK(pack, facts->last_ns);
	PACK(pack, facts->has_wall_offset);
	PACK(pack, facts->wall_offset_ns);
}

static void
pack_file(struct source_pack *sp)
{
	struct source *source = sp->source;
	struct pack *pack = &sp->pack;

	PACK(pack, source->raw_bytes);
	PACK(pack, source->plain_bytes);
	PACK(pack, source->members);
	PACK(pack, source->truncated);
	PACK(pack, source->digest.high);
	PACK(pack, source->digest.low);
	pack_string(pack, &source->place);
	PACK(pack, source->is_file);
	PACK(pack, source->file.device);
	PACK(pack, source->file.inode);
	PACK(pack, source->file.size_bytes);
	PACK(pack, source->file.modified_ns);
	PACK(pack, source->file.changed_ns);
	PACK(pack, source->is_foreign);
	PACK(pack, source->is_lost);
	PACK(pack, source->is_unread);
	pack_field(pack, source->first_reason, sizeof source->first_reason);
	pack_field(pack, source->err.message, sizeof source->err.message);
	source->err.code = source->is_lost ? ERR_FORMAT : ERR_NONE;
}

static void
pack_format(struct source_pack *sp, const struct import_format *format)
{
	struct source *source = sp->source;
	bool has_facts = source->format_facts != NULL;

	PACK(&sp->pack, has_facts);
	refuse_unless(sp, !has_facts || format->pack_facts);
	if (has_facts && !sp->pack.failed) {
		format->pack_facts(&sp->pack, &source->format_facts);
	}
}

void
source_pack(struct source_pack *sp, const struct import_format *format)
{
	struct source *source = sp->source;
	struct pack *pack = &sp->pack;

	pack_break(pack);
	pack_names(sp);
	check_scopes(sp);
	pack_facts(sp);
	pack_file(sp);
	PACK(pack, source->time_min);
	PACK(pack, source->time_max);
	refuse_unless(sp, source->time_min > source->time_max ||
	                      (source->time_min > -TIME_LIMIT && source->time_max < TIME_LIMIT));
	PACK(pack, source->n_tasks);
	PACK(pack, source->n_transfers);
	PACK(pack, source->n_trials);
	PACK(pack, source->n_span_dependencies);
	PACK(pack, source->n_problems);
	source_pack_blocks(sp);
	pack_spool(sp, &source->records);
	pack_spool(sp, &source->dependencies);
	pack_spool(sp, &source->problems);
	pack_format(sp, format);
}
