/*
 * Ids of records, and what they tell of records that stand twice.
 *
 * A process numbers its calls as they begin, so on one thread ids ascend with the times of begins,
 * while records stand in the order of ends (or of begins, where somebody sorted them). A record
 * that was read before is therefore behind in everything: its id, its begin and its end are at most
 * the greatest of the thread so far, and where its end is that greatest one its id is among those
 * that ended there. No record that is read for the first time is so, but where clocks or tracers
 * are broken; and those have ids that the process has not had. So a source that passes this test
 * needs no further look, and the test costs next to nothing. (Copies within a file are common: a
 * process that forks before it has written its buffer leaves that to every child.)
 *
 * Between sources the intervals of ids and of times are compared. Where both of a thread's meet,
 * its records may stand twice, and are read again (import_dftracer_keys.c). Where its ids meet and
 * its times do not, ids began again: another start of the process, or another process that was
 * given its number.
 *
 * The thread counts, not the process: where ranks stand for process ids, the processes that a rank
 * forks share its number, but no thread.
 */
#include "config.h"
#include "import/import_dftracer.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/number_set.h"
#include "util/order.h"

#define TIES_LIMIT 4096u
#define RESTART_RECORDS 3u
/* Ids are remembered while there are this many numbers for each, at most. */
#define SPREAD 64u
#define SPREAD_FREE 65536u

/* Calls, and what stands for an interval or an instant: the latter is written when it is over, too,
 * but has no length. */
static char
class_of(const struct dftracer_reader *reader)
{
	const struct dftracer_value *ph = &reader->record.top[KEY_PH];
	bool is_call = !dftracer_is_text(ph) || ph->len != 1 || !strchr("CA23", ph->ptr[0]);

	return is_call ? 'x' : 'c';
}

static void
add_part(struct strbuf *key, const struct dftracer_value *value)
{
	uint32_t length = dftracer_is_text(value) ? value->len : 0;

	strbuf_add(key, &length, sizeof length);
	strbuf_add(key, length ? value->ptr : "", length);
}

/* Host, process and thread of the record at hand, as written. */
uint32_t
dftracer_ids_key(const struct dftracer_reader *reader, struct intern *keys, bool is_new)
{
	const struct dftracer_value *host = dftracer_argument(reader, KEY_HOSTNAME);
	bool is_name = host && host->type == DFTRACER_STRING;
	struct strbuf key = {0};

	host = is_name ? host : dftracer_argument(reader, KEY_HHASH);
	strbuf_add_char(&key, class_of(reader));
	strbuf_add_char(&key, is_name ? 'n' : 'h');
	add_part(&key, &reader->record.top[KEY_PID]);
	add_part(&key, &reader->record.top[KEY_TID]);
	add_part(&key, host);
	uint32_t id =
	    is_new ? intern_id(keys, strbuf_slice(&key)) : intern_find(keys, strbuf_slice(&key));
	strbuf_free(&key);
	return id;
}

bool
dftracer_id(const struct dftracer_reader *reader, int64_t *id)
{
	const struct dftracer_key *key = &reader->keys[KEY_ID];

	return key->seen[0] == reader->record.number &&
	       dftracer_integer(&reader->record.pairs[key->pair[0]].value, id);
}

/* ---- what ids a process has had, whatever its threads and hosts ---- */

static uint32_t
process_of(struct dftracer_reader *reader)
{
	const struct dftracer_value *pid = &reader->record.top[KEY_PID];
	struct slice name = dftracer_is_text(pid) ? dftracer_slice(pid) : (struct slice){"", 0};

	if (!reader->process_names) {
		reader->process_names = intern_new();
	}
	uint32_t process = intern_id(reader->process_names, name);
	if (process == reader->n_processes) {
		MEM_GROW(reader->process_ids, reader->processes_capacity, reader->n_processes + 1);
		reader->process_ids[reader->n_processes++] = number_set_new();
	}
	return process;
}

void
dftracer_ids_fini(struct dftracer_reader *reader)
{
	for (size_t i = 0; i < reader->n_processes; i++) {
		number_set_free(reader->process_ids[i]);
	}
	free(reader->process_ids);
	free(reader->lane_ids);
	intern_free(reader->process_names);
}

/* May it have had this one before? Ids that lie too far apart to be remembered may. */
static bool
was_had(struct dftracer_reader *reader, uint32_t process, int64_t id)
{
	bool is_near = id >= 0 && (uint64_t)id < SPREAD_FREE + SPREAD * ++reader->n_ids;

	return !is_near || !number_set_add(reader->process_ids[process], (uint64_t)id);
}

void
dftracer_note_metadata_id(struct dftracer_reader *reader)
{
	int64_t id;

	if (dftracer_id(reader, &id)) {
		(void)was_had(reader, process_of(reader), id);
	}
}

/* ---- threads ---- */

static uint32_t
ids_of(struct dftracer_reader *reader)
{
	struct dftracer_facts *facts = reader->facts;
	uint32_t id = dftracer_ids_key(reader, facts->id_keys, true);

	if (id == facts->n_ids) {
		MEM_GROW(facts->ids, facts->ids_capacity, facts->n_ids + 1);
		uint32_t process = process_of(reader);
		facts->ids[facts->n_ids++] = (struct dftracer_ids){.key = id,
		                                                   .process = process,
		                                                   .first = INT64_MAX,
		                                                   .last = INT64_MIN,
		                                                   .start_first = INT64_MAX,
		                                                   .start_last = INT64_MIN,
		                                                   .end_last = INT64_MIN};
	}
	return id;
}

static bool
is_tie(const struct dftracer_ids *ids, int64_t id)
{
	for (size_t i = 0; i < ids->n_ties; i++) {
		if (ids->ties[i] == id) {
			return true;
		}
	}
	return ids->n_ties == TIES_LIMIT;
}

static void
note_end(struct dftracer_ids *ids, int64_t id, int64_t end_ns)
{
	if (end_ns < ids->end_last) {
		return;
	}
	if (end_ns > ids->end_last) {
		ids->end_last = end_ns;
		ids->n_ties = 0;
	}
	if (ids->n_ties == ids->ties_capacity && ids->n_ties < TIES_LIMIT) {
		MEM_GROW(ids->ties, ids->ties_capacity, ids->n_ties + 1);
	}
	if (ids->n_ties < TIES_LIMIT) {
		ids->ties[ids->n_ties++] = id;
	}
}

/* A call may be given its id well before its time is taken, if the thread has to wait in between:
 * one record tells nothing. */
static void
note_going_back(struct dftracer_reader *reader, struct dftracer_ids *ids)
{
	struct dftracer_facts *facts = reader->facts;

	if (ids->n_back++ == 0) {
		ids->back_line = reader->line;
		ids->back_offset = reader->offset;
	}
	if (ids->n_back != RESTART_RECORDS || ids->is_restart) {
		return;
	}
	ids->is_restart = true;
	if (facts->n_restarts++ == 0) {
		facts->restart_line = ids->back_line;
		facts->restart_offset = ids->back_offset;
	}
}

static struct dftracer_ids *
ids_of_lane(struct dftracer_reader *reader, uint32_t lane)
{
	size_t known = reader->lane_ids_capacity;

	if (lane == LANE_NONE) {
		uint32_t id = ids_of(reader); /* which may move them */
		return &reader->facts->ids[id];
	}
	if (lane >= known) {
		MEM_GROW(reader->lane_ids, reader->lane_ids_capacity, (size_t)lane + 1);
		memset(reader->lane_ids + known, 0,
		       (reader->lane_ids_capacity - known) * sizeof *reader->lane_ids);
	}
	if (reader->lane_ids[lane] == 0) {
		reader->lane_ids[lane] = ids_of(reader) + 1;
	}
	return &reader->facts->ids[reader->lane_ids[lane] - 1];
}

static void
widen(struct dftracer_ids *ids, int64_t id, int64_t start_ns, int64_t end_ns)
{
	ids->first = LEAST(id, ids->first);
	ids->last = MOST(id, ids->last);
	ids->start_first = LEAST(start_ns, ids->start_first);
	ids->start_last = MOST(start_ns, ids->start_last);
	note_end(ids, id, end_ns);
}

void
dftracer_note_id(struct dftracer_reader *reader, uint32_t lane, int64_t start_ns, int64_t end_ns)
{
	int64_t id;

	if (!dftracer_id(reader, &id)) {
		return;
	}
	struct dftracer_ids *ids = ids_of_lane(reader, lane);
	bool was_before = was_had(reader, ids->process, id);
	if (id <= ids->last) {
		bool is_behind = start_ns <= ids->start_last && end_ns <= ids->end_last;
		ids->is_suspect |=
		    was_before && is_behind && (end_ns < ids->end_last || is_tie(ids, id));
		if (lane != LANE_NONE && start_ns > ids->start_last) {
			note_going_back(reader, ids);
		}
	} else {
		ids->n_back = 0;
	}
	widen(ids, id, start_ns, end_ns);
}

int
dftracer_report_ids(struct dftracer_reader *reader)
{
	const struct dftracer_facts *facts = reader->facts;
	struct strbuf reason = {0};
	struct problem problem = {.kind = PROBLEM_SUSPICIOUS,
	                          .record = facts->restart_line,
	                          .offset = facts->restart_offset};

	if (facts->n_restarts == 0) {
		return 0;
	}
	strbuf_printf(&reason,
	              "ids begin again here (%" PRIu64 " thread%s of this file): another start of "
	              "the process, or another one of its number; all records are kept",
	              facts->n_restarts, facts->n_restarts == 1 ? "" : "s");
	return import_tell(reader->sink, &problem, &reason);
}

/* ---- over all sources ---- */

/* The ids of one thread in one source. */
struct id_stretch {
	struct slice key;
	size_t source;
	struct dftracer_ids *ids;
};

static int
compare_by_id(const void *a, const void *b)
{
	const struct id_stretch *x = a, *y = b;
	int order = slice_compare(x->key, y->key);

	order = order ? order : ORDER(x->ids->first, y->ids->first);
	return order ? order : ORDER(x->source, y->source);
}

static int
compare_by_time(const void *a, const void *b)
{
	const struct id_stretch *x = a, *y = b;
	int64_t left = x->ids->start_first, right = y->ids->start_first;

	ORDER_BY(left, right);

	return ORDER(x->source, y->source);
}

/* Stretches of one thread whose ids meet: those whose times meet too may hold the same records. */
static void
compare_times(struct id_stretch *stretches, size_t n)
{
	size_t last = 0; /* that ends latest of those before */

	SORT(stretches, n, compare_by_time);
	for (size_t i = 1; i < n; i++) {
		struct dftracer_ids *ids = stretches[i].ids, *before = stretches[last].ids;
		if (ids->start_first <= before->end_last) {
			ids->is_suspect = before->is_suspect = true;
		} else if (ids->first <= before->first ||
		           ids->first <= before->last - (int64_t)RESTART_RECORDS) {
			ids->is_restart = true;
		}
		last = ids->end_last > before->end_last ? i : last;
	}
}

static struct id_stretch *
collect_stretches(void *const *all_facts, size_t n_facts, size_t *n)
{
	struct id_stretch *stretches = NULL;
	size_t capacity = 0;

	*n = 0;
	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *facts = all_facts[i];
		for (size_t k = 0; facts && k < facts->n_ids; k++) {
			struct dftracer_ids *ids = &facts->ids[k];
			MEM_GROW(stretches, capacity, *n + 1);
			stretches[(*n)++] =
			    (struct id_stretch){intern_text(facts->id_keys, ids->key), i, ids};
			ids->is_restart = false; /* those within a source are told */
		}
	}
	return stretches;
}

bool
dftracer_repeats(void *const *all_facts, size_t n_facts, bool *is_suspect)
{
	size_t n;
	struct id_stretch *stretches = collect_stretches(all_facts, n_facts, &n);
	bool any = false;

	SORT(stretches, n, compare_by_id);
	for (size_t i = 0, end; i < n; i = end) {
		int64_t last = stretches[i].ids->last;
		for (end = i + 1;
		     end < n && slice_compare(stretches[i].key, stretches[end].key) == 0 &&
		     stretches[end].ids->first <= last;
		     end++) {
			last = MOST(stretches[end].ids->last, last);
		}
		if (end > i + 1) {
			compare_times(stretches + i, end - i);
		}
	}
	for (size_t i = 0; i < n; i++) {
		is_suspect[stretches[i].source] |= stretches[i].ids->is_suspect;
		any |= stretches[i].ids->is_suspect;
	}
	free(stretches);
	return any;
}

int
dftracer_report_restarts(void *const *all_facts, size_t n_facts, struct sink *sink)
{
	size_t n_threads = 0, n_sources = 0;

	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *facts = all_facts[i];
		size_t before = n_threads;
		for (size_t k = 0; facts && k < facts->n_ids; k++) {
			n_threads += facts->ids[k].is_restart;
		}
		n_sources += n_threads > before;
	}
	if (n_threads == 0) {
		return 0;
	}
	struct strbuf reason = {0};
	strbuf_printf(&reason,
	              "in %zu of the files ids begin again where those of the same threads have "
	              "ended in another file (%zu of them): other starts of these processes, maybe "
	              "of another job; all records are kept",
	              n_sources, n_threads);
	return import_tell(sink, &(struct problem){.kind = PROBLEM_SUSPICIOUS}, &reason);
}
