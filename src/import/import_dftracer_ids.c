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

#define TIES_LIMIT 4095u /* beside the first */
#define RESTART_RECORDS 3u
/* Ids are remembered while there are this many numbers for each, at most. */
#define MORE_MASK ((1u << 30) - 1)
#define SPREAD 64u
#define SPREAD_FREE 65536u

/* Calls, and what stands for an interval or an instant: the latter is written when it is over, too,
 * but has no length. */
static char
class_of(const struct dftracer_reader *reader)
{
	const struct dftracer_value *ph = &reader->parser->record.top[KEY_PH];
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

/* Of millions of threads the texts would take most of what an import holds. Where two had one hash,
 * sources would be read again for nothing. */
uint64_t
dftracer_ids_key(const struct dftracer_reader *reader)
{
	const struct dftracer_value *host = dftracer_argument(reader->parser, KEY_HOSTNAME);
	bool is_name = host && host->type == DFTRACER_STRING;
	struct strbuf key = {0};

	host = is_name ? host : dftracer_argument(reader->parser, KEY_HHASH);
	strbuf_add_char(&key, class_of(reader));
	strbuf_add_char(&key, is_name ? 'n' : 'h');
	add_part(&key, &reader->parser->record.top[KEY_PID]);
	add_part(&key, &reader->parser->record.top[KEY_TID]);
	add_part(&key, host);
	uint64_t hash = hash_bytes(key.data, key.len, 0);
	strbuf_free(&key);
	return hash;
}

bool
dftracer_id(const struct dftracer_reader *reader, int64_t *id)
{
	const struct dftracer_key *key = &reader->parser->keys[KEY_ID];

	return key->seen[0] == reader->parser->record.number &&
	       dftracer_integer(&reader->parser->record.pairs[key->pair[0]].value, id);
}

/* ---- what ids a process has had, whatever its threads and hosts ---- */

static uint32_t
process_of(struct dftracer_reader *reader)
{
	const struct dftracer_value *pid = &reader->parser->record.top[KEY_PID];
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
	index_free(&reader->laneless);
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
add_ids(struct dftracer_reader *reader, uint64_t key)
{
	struct dftracer_facts *facts = reader->facts;

	MEM_GROW(facts->ids, facts->ids_capacity, facts->n_ids + 1);
	facts->ids[facts->n_ids] = (struct dftracer_ids){.key = key,
	                                                 .process = process_of(reader),
	                                                 .first = INT64_MAX,
	                                                 .last = INT64_MIN,
	                                                 .start_first = INT64_MAX,
	                                                 .start_last = INT64_MIN,
	                                                 .end_last = INT64_MIN};
	return (uint32_t)facts->n_ids++;
}

/* What a thread has, made if it is not there; until the next call. */
static struct dftracer_ids_more *
more_of(struct dftracer_facts *facts, struct dftracer_ids *ids)
{
	if (ids->more == 0) {
		MEM_GROW(facts->more, facts->more_capacity, facts->n_more + 1);
		facts->more[facts->n_more++] = (struct dftracer_ids_more){0};
		ids->more = (uint32_t)facts->n_more & MORE_MASK;
	}
	return &facts->more[ids->more - 1];
}

static bool
is_tie(const struct dftracer_facts *facts, const struct dftracer_ids *ids, int64_t id)
{
	const struct dftracer_ids_more *more = ids->more ? &facts->more[ids->more - 1] : NULL;

	for (size_t i = 0; more && i < more->n_ties; i++) {
		if (more->ties[i] == id) {
			return true;
		}
	}
	return ids->tie == id || (more && more->n_ties == TIES_LIMIT);
}

static void
note_end(struct dftracer_facts *facts, struct dftracer_ids *ids, int64_t id, int64_t end_ns)
{
	if (end_ns > ids->end_last) {
		ids->end_last = end_ns;
		ids->tie = id;
		if (ids->more) {
			facts->more[ids->more - 1].n_ties = 0;
		}
	} else if (end_ns == ids->end_last) {
		struct dftracer_ids_more *more = more_of(facts, ids);
		if (more->n_ties < TIES_LIMIT) {
			MEM_GROW(more->ties, more->ties_capacity, more->n_ties + 1);
			more->ties[more->n_ties++] = id;
		}
	}
}

/* A call may be given its id well before its time is taken, if the thread has to wait in between:
 * one record tells nothing. */
static void
note_going_back(struct dftracer_reader *reader, struct dftracer_ids *ids)
{
	struct dftracer_facts *facts = reader->facts;
	struct dftracer_ids_more *more = more_of(facts, ids);

	if (more->n_back++ == 0) {
		more->back_line = reader->at.number;
		more->back_offset = reader->at.offset;
	}
	if (more->n_back != RESTART_RECORDS || ids->is_restart) {
		return;
	}
	ids->is_restart = true;
	if (facts->n_restarts++ == 0) {
		facts->restart_line = more->back_line;
		facts->restart_offset = more->back_offset;
	}
}

static struct dftracer_ids *
ids_of_none(struct dftracer_reader *reader)
{
	const struct dftracer_facts *facts = reader->facts;
	uint64_t key = dftracer_ids_key(reader);
	uint32_t id;

	INDEX_FIND(id, &reader->laneless, key, facts->ids[id].key == key);
	if (id == INDEX_NONE) {
		id = add_ids(reader, key);
		index_add(&reader->laneless, key, id);
	}
	return &facts->ids[id];
}

static struct dftracer_ids *
ids_of_lane(struct dftracer_reader *reader, uint32_t lane)
{
	size_t known = reader->lane_ids_capacity;

	if (lane >= known) {
		MEM_GROW(reader->lane_ids, reader->lane_ids_capacity, (size_t)lane + 1);
		memset(reader->lane_ids + known, 0,
		       (reader->lane_ids_capacity - known) * sizeof *reader->lane_ids);
	}
	if (reader->lane_ids[lane] == 0) {
		reader->lane_ids[lane] = add_ids(reader, dftracer_ids_key(reader)) + 1;
	}
	return &reader->facts->ids[reader->lane_ids[lane] - 1];
}

static void
widen(struct dftracer_facts *facts, struct dftracer_ids *ids, int64_t id, int64_t start_ns,
      int64_t end_ns)
{
	ids->first = LEAST(id, ids->first);
	ids->last = MOST(id, ids->last);
	ids->start_first = LEAST(start_ns, ids->start_first);
	ids->start_last = MOST(start_ns, ids->start_last);
	note_end(facts, ids, id, end_ns);
}

void
dftracer_note_id(struct dftracer_reader *reader, uint32_t lane, int64_t start_ns, int64_t end_ns)
{
	int64_t id;

	if (!dftracer_id(reader, &id)) {
		return;
	}
	struct dftracer_facts *facts = reader->facts;
	struct dftracer_ids *ids =
	    lane == LANE_NONE ? ids_of_none(reader) : ids_of_lane(reader, lane);
	bool was_before = was_had(reader, ids->process, id);
	if (id <= ids->last) {
		bool is_behind = start_ns <= ids->start_last && end_ns <= ids->end_last;
		ids->is_suspect |=
		    was_before && is_behind && (end_ns < ids->end_last || is_tie(facts, ids, id));
		if (lane != LANE_NONE && start_ns > ids->start_last) {
			note_going_back(reader, ids);
		}
	} else if (ids->more) {
		facts->more[ids->more - 1].n_back = 0;
	}
	widen(facts, ids, id, start_ns, end_ns);
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
	struct dftracer_ids *ids;
	uint32_t source;
};

static int
compare_by_id(const void *a, const void *b)
{
	const struct id_stretch *x = a, *y = b;

	ORDER_BY(x->ids->key, y->ids->key);
	ORDER_BY(x->ids->first, y->ids->first);
	return ORDER(x->source, y->source);
}

static int
compare_by_time(const void *a, const void *b)
{
	const struct id_stretch *x = a, *y = b;

	ORDER_BY(x->ids->start_first, y->ids->start_first);
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
			MEM_GROW(stretches, capacity, *n + 1);
			stretches[(*n)++] = (struct id_stretch){&facts->ids[k], (uint32_t)i};
		}
	}
	return stretches;
}

/* Compares each source's ids with the others'. */
static void
compare_sources(void *const *all_facts, size_t n_facts)
{
	size_t n;
	struct id_stretch *stretches = collect_stretches(all_facts, n_facts, &n);

	SORT(stretches, n, compare_by_id);
	for (size_t i = 0, end; i < n; i = end) {
		int64_t last = stretches[i].ids->last;
		for (end = i + 1; end < n && stretches[end].ids->key == stretches[i].ids->key &&
		                  stretches[end].ids->first <= last;
		     end++) {
			last = MOST(stretches[end].ids->last, last);
		}
		if (end > i + 1) {
			compare_times(stretches + i, end - i);
		}
	}
	free(stretches);
}

static int
compare_keys(const void *a, const void *b)
{
	const struct dftracer_ids *x = a, *y = b;

	return ORDER(x->key, y->key);
}

bool
dftracer_is_suspect(const struct dftracer_facts *facts, uint64_t key)
{
	size_t from = 0, to = facts->n_ids;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (facts->ids[middle].key < key) {
			from = middle + 1;
		} else {
			to = middle;
		}
	}
	bool is_suspect = false;
	for (; from < facts->n_ids && facts->ids[from].key == key; from++) {
		is_suspect |= facts->ids[from].is_suspect;
	}
	return is_suspect;
}

/* Counts what is told of the ids; they stay only where the source is to be read again. */
static bool
conclude_ids(struct dftracer_facts *facts)
{
	bool is_suspect = false;

	for (size_t k = 0; k < facts->n_ids; k++) {
		is_suspect |= facts->ids[k].is_suspect;
		facts->n_begun_again += facts->ids[k].is_restart;
	}
	if (is_suspect) {
		SORT(facts->ids, facts->n_ids, compare_keys);
	} else {
		dftracer_forget_ids(facts);
	}
	return is_suspect;
}

void
dftracer_forget_ids(struct dftracer_facts *facts)
{
	for (size_t i = 0; i < facts->n_more; i++) {
		free(facts->more[i].ties);
	}
	free(facts->more);
	free(facts->ids);
	facts->more = NULL;
	facts->ids = NULL;
	facts->n_more = facts->more_capacity = facts->n_ids = facts->ids_capacity = 0;
}

bool
dftracer_repeats(void *const *all_facts, size_t n_facts, bool *is_suspect)
{
	bool any = false;

	for (size_t i = 0; i < n_facts; i++) {
		struct dftracer_facts *facts = all_facts[i];
		for (size_t k = 0; facts && k < facts->n_ids; k++) {
			facts->ids[k].is_restart = false; /* those within a source are told */
		}
	}
	if (n_facts > 1) {
		compare_sources(all_facts, n_facts);
	}
	for (size_t i = 0; i < n_facts; i++) {
		is_suspect[i] = all_facts[i] && conclude_ids(all_facts[i]);
		any |= is_suspect[i];
	}
	return any;
}

int
dftracer_report_restarts(void *const *all_facts, size_t n_facts, struct sink *sink)
{
	size_t n_threads = 0, n_sources = 0;

	for (size_t i = 0; i < n_facts; i++) {
		const struct dftracer_facts *facts = all_facts[i];
		size_t n = facts ? facts->n_begun_again : 0;
		n_threads += n;
		n_sources += n > 0;
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
