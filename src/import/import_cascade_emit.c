/*
 * Life cycles -> tasks, transfers and their spans.
 *
 * Each worker has up to three lanes, so that a lane's busy time means one thing:
 *
 *   WORKER            what ran: spans of category "task" from start to finish, named as the task;
 *                     where the trace tells, "load", "compute" and "publish" nested in them,
 *                     category "stage"
 *   WORKER queue what waited: spans "comm" (planned to enqueued), "queue" (enqueued to started)
 *                     and "report" (published to completed), category "wait", the task as an
 *                     argument
 *   WORKER transfers data on its way here: spans of category "transfer" named as the data set, with
 *                     "comm", "load", "transmit", "unload", "report" nested in them, category
 *                     "stage"
 *
 * In generation 3 transfers go to hosts: their lane is "HOST transfers". The last two kinds of
 * lanes are LANE_WAITING: they do not count as their host's work.
 */
#include "config.h"
#include "import/import_cascade.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/order.h"

/* ---- workers and lanes ---- */

/* Where no row from the worker itself says it: the host in "h0:worker0" or "h0.w0". */
static uint32_t
host_in_name(struct cascade_emitter *emitter, uint32_t place)
{
	struct slice text = intern_text(emitter->trace->texts, place);

	for (size_t i = 0; i < text.len; i++) {
		if (text.ptr[i] == ':' || text.ptr[i] == '.') {
			return intern_find(emitter->trace->texts, (struct slice){text.ptr, i});
		}
	}
	return INTERN_NONE;
}

static void
learn_hosts(struct cascade_emitter *emitter, const struct cascade_lives *lives, bool runs_tasks)
{
	for (size_t i = 0; i < lives->n; i++) {
		const struct cascade_life *life = &lives->lives[i];
		if (life->place == INTERN_NONE) {
			continue;
		}
		struct cascade_worker *worker = &emitter->workers[life->place];
		worker->runs_tasks |= runs_tasks || life->generation < 3;
		worker->host = life->host != INTERN_NONE ? life->host : worker->host;
	}
}

static void
settle_hosts(struct cascade_emitter *emitter, const struct cascade_lives *lives)
{
	for (size_t i = 0; i < lives->n; i++) {
		uint32_t place = lives->lives[i].place;
		if (place == INTERN_NONE) {
			continue;
		}
		struct cascade_worker *worker = &emitter->workers[place];
		if (worker->host == INTERN_NONE) {
			worker->host = worker->runs_tasks ? host_in_name(emitter, place) : place;
		}
		if (worker->host != INTERN_NONE) {
			emitter->is_host[worker->host] = true;
		}
	}
}

static uint32_t
lane_of(struct cascade_emitter *emitter, uint32_t place, enum cascade_role role)
{
	static const char *const suffixes[ROLES] = {"", " queue", " transfers"};
	struct cascade_worker *worker;

	if (place == INTERN_NONE) {
		return LANE_NONE;
	}
	worker = &emitter->workers[place];
	if (worker->lanes[role] == LANE_NONE) {
		struct strbuf name = {0};
		struct slice text = intern_text(emitter->trace->texts, place);
		struct lane lane = {.kind = role == ROLE_RUN ? LANE_WORKER : LANE_WAITING};

		strbuf_add_slice(&name, text);
		strbuf_add_text(&name, suffixes[role]);
		lane.host = cascade_code(emitter, worker->host);
		if (worker->runs_tasks) {
			lane.thread = (struct ident){.type = IDENT_TEXT,
			                             .text = cascade_code(emitter, place)};
		}
		lane.name = sink_text(emitter->sink, strbuf_slice(&name));
		strbuf_free(&name);
		worker->lanes[role] = sink_lane(emitter->sink, &lane);
	}
	return worker->lanes[role];
}

/* ---- tasks and transfers ---- */

static int
report_backwards(struct cascade_emitter *emitter, const struct cascade_life *life, unsigned from,
                 unsigned to)
{
	static const char *const stages[STAGES] = {"planned",  "enqueued",  "started",  "loaded",
	                                           "computed", "published", "received", "unloaded",
	                                           "finished", "completed"};
	struct slice name = intern_text(emitter->trace->texts, life->name);
	struct problem problem = {
	    .kind = PROBLEM_SUSPICIOUS, .record = life->lines[to], .offset = life->offsets[to]};
	struct strbuf reason = {0};

	strbuf_add(&reason, name.ptr, LEAST(name.len, 200));
	strbuf_printf(&reason, " was %s (line %" PRIu64 ") before it was %s (line %" PRIu64 ")",
	              stages[to], life->lines[to], stages[from], life->lines[from]);
	return import_tell(emitter->sink, &problem, &reason);
}

/* A span from one stage to another, if both are known; none when they stand the wrong way round. */
static int
emit_stage(struct cascade_emitter *emitter, const struct cascade_life *life, struct span *span,
           unsigned from, unsigned to)
{
	int64_t start = life->times[from], end = life->times[to];

	if (start == TIME_NONE || end == TIME_NONE) {
		return 0;
	}
	if (end < start || __builtin_sub_overflow(end, start, &span->duration_ns)) {
		return report_backwards(emitter, life, from, to);
	}
	span->start_ns = start;
	return sink_span(emitter->sink, span);
}

struct stage {
	const char *name;
	unsigned from, to;
};

/* Parts of a longer span, in order; those without length are left out. */
static int
emit_stages(struct cascade_emitter *emitter, const struct cascade_life *life, struct span *span,
            const struct stage *stages, size_t n)
{
	int stop = 0;

	for (size_t i = 0; i < n && stop == 0; i++) {
		if (life->times[stages[i].from] != life->times[stages[i].to]) {
			span->name = cascade_word(emitter, stages[i].name);
			stop = emit_stage(emitter, life, span, stages[i].from, stages[i].to);
		}
	}
	return stop;
}

static bool
is_hex(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (!strchr("0123456789abcdef", text.ptr[i]) || !text.ptr[i]) {
			return false;
		}
	}
	return true;
}

/* "retrieve(0, 11):<64 hex digits>" -> "retrieve" */
static struct slice
kind_of(struct slice name)
{
	const char *cut;

	if (name.len > 65 && name.ptr[name.len - 65] == ':' &&
	    is_hex((struct slice){name.ptr + name.len - 64, 64})) {
		name.len -= 65;
	}
	cut = memchr(name.ptr, '(', name.len);
	cut = cut ? cut : memchr(name.ptr, '#', name.len);
	if (cut && cut > name.ptr) {
		name.len = (size_t)(cut - name.ptr);
	}
	while (name.len > 1 && name.ptr[name.len - 1] == ' ') {
		name.len--;
	}
	return name;
}

static int
emit_task_spans(struct cascade_emitter *emitter, const struct cascade_life *life,
                const struct task *task)
{
	static const struct stage waits[] = {{"comm", STAGE_PLANNED, STAGE_ENQUEUED},
	                                     {"queue", STAGE_ENQUEUED, STAGE_STARTED},
	                                     {"report", STAGE_PUBLISHED, STAGE_COMPLETED}};
	static const struct stage parts_2[] = {{"load", STAGE_STARTED, STAGE_LOADED},
	                                       {"compute", STAGE_LOADED, STAGE_FINISHED}};
	static const struct stage parts_3[] = {{"load", STAGE_STARTED, STAGE_LOADED},
	                                       {"compute", STAGE_LOADED, STAGE_COMPUTED},
	                                       {"publish", STAGE_COMPUTED, STAGE_PUBLISHED}};
	struct slice kind = kind_of(intern_text(emitter->trace->texts, life->name));
	struct arg args[2] = {{.key = emitter->keys.kind, .type = ARG_TEXT, .text = kind},
	                      {.key = emitter->keys.task,
	                       .type = ARG_TEXT,
	                       .text = intern_text(emitter->trace->texts, life->name)}};
	struct span span = {.name = task->name,
	                    .path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1,
	                    .args = args,
	                    .n_args = 1};

	span.lane = lane_of(emitter, life->place, ROLE_RUN);
	if (span.lane == LANE_NONE) {
		return 0;
	}
	span.category = cascade_word(emitter, "task");
	int stop = emit_stage(emitter, life, &span, STAGE_STARTED,
	                      life->generation == 3 ? STAGE_PUBLISHED : STAGE_FINISHED);
	span.n_args = 2;
	span.category = cascade_word(emitter, "stage");
	if (stop == 0) {
		stop = life->generation == 3 ? emit_stages(emitter, life, &span, parts_3, 3)
		                             : emit_stages(emitter, life, &span, parts_2, 2);
	}
	span.category = cascade_word(emitter, "wait");
	span.lane = lane_of(emitter, life->place, ROLE_QUEUE);
	return stop ? stop : emit_stages(emitter, life, &span, waits, 3);
}

static int
emit_task(struct cascade_emitter *emitter, const struct cascade_life *life)
{
	struct slice name = intern_text(emitter->trace->texts, life->name);
	struct task task = {.key = cascade_code(emitter, life->name),
	                    .name = cascade_code(emitter, life->name),
	                    .worker = cascade_code(emitter, life->place),
	                    .planned = life->times[STAGE_PLANNED],
	                    .enqueued = life->times[STAGE_ENQUEUED],
	                    .started = life->times[STAGE_STARTED],
	                    .loaded = life->times[STAGE_LOADED],
	                    .computed = life->times[STAGE_COMPUTED],
	                    .published = life->times[STAGE_PUBLISHED],
	                    .finished = life->times[STAGE_FINISHED],
	                    .completed = life->times[STAGE_COMPLETED],
	                    .recorded_start = NAN,
	                    .recorded_duration = NAN,
	                    .size_bytes = SIZE_NONE};

	task.kind = sink_text(emitter->sink, kind_of(name));
	task.lane = lane_of(emitter, life->place, ROLE_RUN);
	int stop = sink_task(emitter->sink, &task);
	return stop ? stop : emit_task_spans(emitter, life, &task);
}

/* The last stage that is known: redundant transfers end early, local ones have few stages. */
static unsigned
last_stage(const struct cascade_life *life)
{
	static const unsigned ends[] = {STAGE_COMPLETED, STAGE_FINISHED, STAGE_UNLOADED};

	for (size_t i = 0; i < COUNT_OF(ends); i++) {
		if (life->times[ends[i]] != TIME_NONE) {
			return ends[i];
		}
	}
	return STAGE_FINISHED;
}

static int
emit_transfer_spans(struct cascade_emitter *emitter, const struct cascade_life *life,
                    const struct transfer *transfer)
{
	static const struct stage parts_1[] = {{"comm", STAGE_PLANNED, STAGE_STARTED},
	                                       {"load", STAGE_STARTED, STAGE_LOADED},
	                                       {"transmit", STAGE_LOADED, STAGE_FINISHED}};
	static const struct stage parts_3[] = {{"comm", STAGE_PLANNED, STAGE_STARTED},
	                                       {"load", STAGE_STARTED, STAGE_LOADED},
	                                       {"transmit", STAGE_LOADED, STAGE_RECEIVED},
	                                       {"unload", STAGE_RECEIVED, STAGE_UNLOADED},
	                                       {"report", STAGE_UNLOADED, STAGE_COMPLETED}};
	struct arg args[2];
	struct span span = {.lane = transfer->lane,
	                    .name = transfer->name,
	                    .path = TEXT_NONE,
	                    .size_bytes = SIZE_NONE,
	                    .calls = 1,
	                    .args = args};
	bool local = life->generation < 3 && life->times[STAGE_STARTED] != TIME_NONE &&
	             life->times[STAGE_STARTED] == life->times[STAGE_FINISHED];

	if (life->mode != INTERN_NONE) {
		args[span.n_args++] =
		    (struct arg){.key = emitter->keys.mode,
		                 .type = ARG_TEXT,
		                 .text = intern_text(emitter->trace->texts, life->mode)};
	}
	if (life->source != INTERN_NONE) {
		args[span.n_args++] =
		    (struct arg){.key = emitter->keys.source,
		                 .type = ARG_TEXT,
		                 .text = intern_text(emitter->trace->texts, life->source)};
	}
	span.category = cascade_word(emitter, "transfer");
	int stop = emit_stage(emitter, life, &span, STAGE_PLANNED, last_stage(life));
	if (stop || local) {
		return stop;
	}
	span.category = cascade_word(emitter, "stage");
	return life->generation == 3 ? emit_stages(emitter, life, &span, parts_3, 5)
	                             : emit_stages(emitter, life, &span, parts_1, 3);
}

static int
emit_transfer(struct cascade_emitter *emitter, const struct cascade_life *life)
{
	struct transfer transfer = {.name = cascade_code(emitter, life->name),
	                            .source = cascade_code(emitter, life->source),
	                            .target = cascade_code(emitter, life->place),
	                            .mode = cascade_code(emitter, life->mode),
	                            .planned = life->times[STAGE_PLANNED],
	                            .started = life->times[STAGE_STARTED],
	                            .loaded = life->times[STAGE_LOADED],
	                            .received = life->times[STAGE_RECEIVED],
	                            .unloaded = life->times[STAGE_UNLOADED],
	                            .finished = life->times[STAGE_FINISHED],
	                            .completed = life->times[STAGE_COMPLETED],
	                            .size_bytes = SIZE_NONE};

	transfer.lane = lane_of(emitter, life->place, ROLE_TRANSFERS);
	int stop = sink_transfer(emitter->sink, &transfer);
	return stop || transfer.lane == LANE_NONE ? stop
	                                          : emit_transfer_spans(emitter, life, &transfer);
}

/* ---- all of it ---- */

/* What the run's tags are made of, once all of its files are read. */
static void
fill_facts(const struct cascade_emitter *emitter, struct cascade_facts *facts)
{
	const struct cascade_trace *trace = emitter->trace;

	facts->generation = trace->generation;
	facts->multi_host = trace->multi_host;
	for (size_t i = 0; i < emitter->n_texts; i++) {
		struct slice name = intern_text(trace->texts, (uint32_t)i);
		if (emitter->is_host[i]) {
			intern_id(facts->hosts, name);
		}
		if (emitter->workers[i].runs_tasks) {
			intern_id(facts->workers, name);
		}
	}
}

static void
emitter_init(struct cascade_emitter *emitter, struct cascade_trace *trace)
{
	struct sink *sink = trace->sink;

	*emitter = (struct cascade_emitter){.trace = trace,
	                                    .sink = sink,
	                                    .controller = LANE_NONE,
	                                    .n_texts = intern_count(trace->texts)};
	emitter->codes = xcalloc(emitter->n_texts, sizeof *emitter->codes);
	emitter->workers = xcalloc(emitter->n_texts, sizeof *emitter->workers);
	emitter->is_host = xcalloc(emitter->n_texts, sizeof *emitter->is_host);
	for (size_t i = 0; i < emitter->n_texts; i++) {
		emitter->codes[i] = TEXT_NONE;
		emitter->workers[i].host = INTERN_NONE;
		for (unsigned role = 0; role < ROLES; role++) {
			emitter->workers[i].lanes[role] = LANE_NONE;
		}
	}
	emitter->keys.task = sink_key(sink, slice_of("task"));
	emitter->keys.kind = sink_key(sink, slice_of("kind"));
	emitter->keys.mode = sink_key(sink, slice_of("mode"));
	emitter->keys.source = sink_key(sink, slice_of("source"));
	learn_hosts(emitter, &trace->tasks, true);
	learn_hosts(emitter, &trace->transfers, false);
	settle_hosts(emitter, &trace->tasks);
	settle_hosts(emitter, &trace->transfers);
}

int
cascade_emit(struct cascade_trace *trace, struct cascade_facts *facts)
{
	struct cascade_emitter emitter;
	int stop = 0;

	emitter_init(&emitter, trace);
	for (size_t i = 0; i < trace->tasks.n && stop == 0; i++) {
		stop = emit_task(&emitter, &trace->tasks.lives[i]);
	}
	for (size_t i = 0; i < trace->transfers.n && stop == 0; i++) {
		stop = emit_transfer(&emitter, &trace->transfers.lives[i]);
	}
	stop = stop ? stop : cascade_emit_controller(&emitter);
	fill_facts(&emitter, facts);
	free(emitter.codes);
	free(emitter.workers);
	free(emitter.is_host);
	return stop;
}
