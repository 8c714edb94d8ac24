/*
 * Lanes -> processes and threads. A process is what has one host and process of its own; both get
 * the numbers that the trace gave them where these are numbers and free, since people know them.
 *
 * Lanes are often called by their process ("train/stream 7"), which the viewer shows anyway.
 */
#include "config.h"
#include "export/chrome_private.h"

#include <inttypes.h>
#include <stdlib.h>

#include "query/timeline/timeline.h"
#include "util/intern.h"
#include "util/json_text.h"
#include "util/order.h"

#define NUMBER_LIMIT (1u << 30) /* of the trace's own; ours come after them */
#define UNNUMBERED UINT32_MAX

struct trace_process {
	uint32_t lane;            /* the first */
	uint32_t pid, free_tid;   /* no tid is used from there on */
	uint32_t n_counters;      /* lanes that hold counters only */
	size_t rank;              /* of its first lane */
	struct slice name, ident; /* name: "" if the trace gave none; in the arena */
	bool is_wanted;
};

struct trace_naming {
	struct trace_writer *trace;
	struct intern *keys; /* of processes */
	struct trace_process *processes;
	uint32_t *process_of; /* by lane */
	size_t *ranks;        /* by lane: place on the timeline */
	struct intern *used;  /* numbers */
};

static struct slice
ident_text(const struct trace_naming *naming, const struct ident *ident)
{
	if (ident->type == IDENT_INTEGER) {
		return slice_of(arena_printf(naming->trace->arena, "%" PRId64, ident->integer));
	}
	return ident->type == IDENT_TEXT ? dataset_text(naming->trace->dataset, ident->text)
	                                 : (struct slice){"", 0};
}

/* ---- which processes there are ---- */

static void
find_processes(struct trace_naming *naming)
{
	const struct dataset *dataset = naming->trace->dataset;

	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		const struct lane *lane = &dataset->lanes[i];
		int64_t key[3] = {lane->host, lane->process.type,
		                  lane->process.type == IDENT_INTEGER ? lane->process.integer
		                  : lane->process.type == IDENT_TEXT  ? lane->process.text
		                                                      : 0};
		uint32_t n = intern_count(naming->keys);
		uint32_t id =
		    intern_id(naming->keys, (struct slice){(const char *)key, sizeof key});
		struct trace_process *process = &naming->processes[id];

		if (id == n) {
			process->lane = i;
			process->rank = naming->ranks[i];
			process->ident = ident_text(naming, &lane->process);
		}
		naming->process_of[i] = id;
		process->rank = LEAST(naming->ranks[i], process->rank);
		process->n_counters += lane->kind == LANE_COUNTER;
		process->is_wanted |= naming->trace->lanes[i].is_wanted;
	}
}

/* What a Chrome trace called its processes is kept in tags. */
static int
read_names(struct trace_naming *naming, struct err *err)
{
	struct stmt *stmt =
	    store_prepare(naming->trace->store,
	                  "SELECT substr(scope, 9), value FROM tags WHERE key = "
	                  "'process_name' AND scope LIKE 'process %' AND value <> ''",
	                  err);
	uint32_t n = intern_count(naming->keys);
	struct intern *scopes = intern_new();
	struct slice *names = NULL;
	size_t capacity = 0;
	int row = -1;

	while (stmt && (row = stmt_step(stmt, err)) > 0) {
		uint32_t id = intern_id(scopes, stmt_text(stmt, 0));
		struct slice text = stmt_text(stmt, 1);

		MEM_GROW(names, capacity, (size_t)id + 1);
		names[id] = slice_of(arena_strndup(naming->trace->arena, text.ptr,
		                                   text.len)); /* the last one counts */
	}
	for (uint32_t i = 0; i < n && row == 0; i++) {
		struct trace_process *process = &naming->processes[i];
		uint32_t id = naming->trace->dataset->lanes[process->lane].host == TEXT_NONE
		                  ? intern_find(scopes, process->ident)
		                  : INTERN_NONE;
		process->name = id == INTERN_NONE ? (struct slice){"", 0} : names[id];
	}
	free(names);
	intern_free(scopes);
	stmt_free(stmt);
	return row;
}

/* ---- numbers ---- */

/* The number that the trace gave, if none else has it. scope: 0 processes, pid + 1 its threads. */
static uint32_t
claim(struct trace_naming *naming, uint32_t scope, const struct ident *ident)
{
	uint32_t n = intern_count(naming->used);
	uint32_t key[2] = {scope, (uint32_t)ident->integer};

	if (ident->type != IDENT_INTEGER || ident->integer < 0 || ident->integer >= NUMBER_LIMIT ||
	    intern_id(naming->used, (struct slice){(const char *)key, sizeof key}) != n) {
		return UNNUMBERED;
	}
	return (uint32_t)ident->integer;
}

static void
number_processes(struct trace_naming *naming)
{
	uint32_t n = intern_count(naming->keys), next = 1;

	for (uint32_t i = 0; i < n; i++) {
		struct trace_process *process = &naming->processes[i];

		process->pid =
		    claim(naming, 0, &naming->trace->dataset->lanes[process->lane].process);
		next = process->pid != UNNUMBERED && process->pid >= next ? process->pid + 1 : next;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct trace_process *process = &naming->processes[i];

		process->pid = process->pid == UNNUMBERED ? next++ : process->pid;
		process->free_tid = 1;
	}
	naming->trace->free_pid = next;
}

static void
number_threads(struct trace_naming *naming, const uint32_t *n_rows)
{
	const struct dataset *dataset = naming->trace->dataset;

	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		struct trace_lane *lane = &naming->trace->lanes[i];
		struct trace_process *process = &naming->processes[naming->process_of[i]];

		lane->pid = process->pid;
		lane->n_rows = n_rows[i];
		lane->has_id = dataset->lanes[i].kind != LANE_COUNTER || process->n_counters > 1;
		lane->tid = claim(naming, process->pid + 1, &dataset->lanes[i].thread);
		if (lane->tid != UNNUMBERED && lane->tid >= process->free_tid) {
			process->free_tid = lane->tid + 1;
		}
	}
	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		struct trace_lane *lane = &naming->trace->lanes[i];
		struct trace_process *process = &naming->processes[naming->process_of[i]];

		lane->tid = lane->tid == UNNUMBERED ? process->free_tid++ : lane->tid;
		lane->extra_tid = process->free_tid;
		process->free_tid += lane->n_rows - 1;
	}
}

/* ---- names ---- */

static struct slice
without_prefix(struct slice name, struct slice prefix)
{
	if (prefix.len > 0 && name.len > prefix.len + 1 && name.ptr[prefix.len] == '/' &&
	    memcmp(name.ptr, prefix.ptr, prefix.len) == 0) {
		name = slice_from(name, prefix.len + 1);
	}
	return name;
}

static void
name_threads(struct trace_naming *naming)
{
	const struct dataset *dataset = naming->trace->dataset;

	for (uint32_t i = 0; i < dataset->n_lanes; i++) {
		const struct trace_process *process = &naming->processes[naming->process_of[i]];
		struct slice name = dataset_text(naming->trace->dataset, dataset->lanes[i].name);

		naming->trace->lanes[i].name =
		    without_prefix(name, process->name.len > 0 ? process->name : process->ident);
	}
}

static void
add_process_name(const struct trace_naming *naming, const struct trace_process *process,
                 struct strbuf *out)
{
	const struct lane *lane = &naming->trace->dataset->lanes[process->lane];
	struct slice host = dataset_text(naming->trace->dataset, lane->host);
	struct strbuf name = {0};

	strbuf_add_slice(&name, host);
	if (process->name.len > 0) {
		strbuf_add_slice(&name, process->name);
	} else if (process->ident.len > 0) {
		strbuf_add_text(&name, host.len > 0 ? " " : "process ");
		strbuf_add_slice(&name, process->ident);
	}
	if (name.len == 0) {
		strbuf_add_text(&name, store_run(naming->trace->store)->name);
	}
	json_add_text(out, strbuf_slice(&name));
	strbuf_free(&name);
}

/* ---- metadata ---- */

static void
begin_metadata(struct strbuf *out, const char *name, uint32_t pid, uint32_t tid)
{
	strbuf_printf(out,
	              ",\n{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32
	              ",\"args\":{",
	              name, pid, tid);
}

static void
add_ident(const struct trace_writer *trace, const char *name, const struct ident *ident,
          struct strbuf *out)
{
	if (ident->type == IDENT_INTEGER) {
		strbuf_printf(out, ",\"%s\":%" PRId64, name, ident->integer);
	} else if (ident->type == IDENT_TEXT) {
		strbuf_printf(out, ",\"%s\":", name);
		json_add_text(out, dataset_text(trace->dataset, ident->text));
	}
}

/* Whose lane a thread is. */
static void
add_lane(const struct trace_writer *trace, const struct lane *lane, struct strbuf *out)
{
	strbuf_printf(out, "\"kind\":\"%s\",\"name\":", lane_kind_name(lane->kind));
	json_add_text(out, dataset_text(trace->dataset, lane->name));
	if (lane->host != TEXT_NONE) {
		strbuf_add_text(out, ",\"host\":");
		json_add_text(out, dataset_text(trace->dataset, lane->host));
	}
	add_ident(trace, "process", &lane->process, out);
	add_ident(trace, "thread", &lane->thread, out);
	strbuf_add_text(out, "}}");
}

static void
write_threads(struct trace_naming *naming, uint32_t id)
{
	struct trace_writer *trace = naming->trace;
	const struct trace_lane *lane = &trace->lanes[id];
	struct strbuf out = {0}, name = {0};

	for (uint32_t row = 0; row < lane->n_rows; row++) {
		uint32_t tid = trace_tid(lane, row);

		strbuf_clear(&out);
		strbuf_clear(&name);
		strbuf_add_slice(&name, lane->name);
		if (row > 0) {
			strbuf_printf(&name, " +%" PRIu32, row);
		}
		begin_metadata(&out, "thread_name", lane->pid, tid);
		strbuf_add_text(&out, "\"name\":");
		json_add_text(&out, strbuf_slice(&name));
		strbuf_add_text(&out, "}}");
		begin_metadata(&out, "thread_sort_index", lane->pid, tid);
		strbuf_printf(&out, "\"sort_index\":%zu}}", naming->ranks[id]);
		begin_metadata(&out, TRACE_OWN ".lane", lane->pid, tid);
		add_lane(trace, &trace->dataset->lanes[id], &out);
		trace_put(trace, &out);
	}
	strbuf_free(&out);
	strbuf_free(&name);
}

static void
write_metadata(struct trace_naming *naming)
{
	struct trace_writer *trace = naming->trace;
	struct strbuf out = {0};

	for (uint32_t i = 0; i < intern_count(naming->keys); i++) {
		const struct trace_process *process = &naming->processes[i];

		if (!process->is_wanted) {
			continue;
		}
		strbuf_clear(&out);
		begin_metadata(&out, "process_name", process->pid, 0);
		strbuf_add_text(&out, "\"name\":");
		add_process_name(naming, process, &out);
		strbuf_add_text(&out, "}}");
		begin_metadata(&out, "process_sort_index", process->pid, 0);
		strbuf_printf(&out, "\"sort_index\":%zu}}", process->rank);
		trace_put(trace, &out);
	}
	strbuf_free(&out);
	for (uint32_t i = 0; i < trace->dataset->n_lanes; i++) {
		if (trace->lanes[i].is_wanted) {
			write_threads(naming, i);
			trace->written->n_lanes++;
		}
	}
}

/* ---- all ---- */

/* Lanes without spans come after those on the timeline. */
static int
rank_lanes(struct trace_naming *naming, struct err *err)
{
	struct timeline *timeline = timeline_new(naming->trace->store, err);
	uint32_t n_lanes = naming->trace->dataset->n_lanes;
	size_t n = 0;

	if (!timeline) {
		return -1;
	}
	for (uint32_t i = 0; i < n_lanes; i++) {
		naming->ranks[i] = timeline->n_rows + i;
	}
	for (size_t i = 0; i < timeline->n_rows; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		if (row->type == TIMELINE_LANE && row->id < n_lanes) {
			naming->ranks[row->id] = n++;
		}
	}
	timeline_release(timeline);
	return 0;
}

int
trace_choose_lanes(struct trace_writer *trace, struct err *err)
{
	const struct chrome_options *options = trace->options;
	uint32_t n_lanes = trace->dataset->n_lanes;
	const bool *in_scope = store_lanes(trace->store);
	bool any = n_lanes == 0 || in_scope;

	trace->lanes = arena_zalloc(trace->arena, ((size_t)n_lanes + 1) * sizeof *trace->lanes);
	for (uint32_t i = 0; i < n_lanes; i++) {
		struct slice name = dataset_text(trace->dataset, trace->dataset->lanes[i].name);

		trace->lanes[i].is_wanted =
		    (!options->wants_lane || options->wants_lane(options->user, name)) &&
		    (!in_scope || in_scope[i]);
		any |= trace->lanes[i].is_wanted;
	}
	return any ? 0
	           : err_set(err, ERR_USAGE,
	                     "none of the %u lanes of %s has such a name (table lanes lists them)",
	                     (unsigned)n_lanes, store_run(trace->store)->name);
}

int
trace_write_lanes(struct trace_writer *trace, const uint32_t *n_rows, struct err *err)
{
	size_t n_lanes = trace->dataset->n_lanes;
	struct trace_naming naming = {.trace = trace, .keys = intern_new(), .used = intern_new()};
	int rc = -1;

	naming.processes = xcalloc(n_lanes + 1, sizeof *naming.processes);
	naming.process_of = xcalloc(n_lanes + 1, sizeof *naming.process_of);
	naming.ranks = xcalloc(n_lanes + 1, sizeof *naming.ranks);
	if (rank_lanes(&naming, err) == 0) {
		find_processes(&naming);
		rc = read_names(&naming, err);
	}
	if (rc == 0) {
		number_processes(&naming);
		number_threads(&naming, n_rows);
		name_threads(&naming);
		write_metadata(&naming);
	}
	free(naming.processes);
	free(naming.process_of);
	free(naming.ranks);
	intern_free(naming.keys);
	intern_free(naming.used);
	return rc;
}
