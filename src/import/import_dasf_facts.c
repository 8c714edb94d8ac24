/*
 * Hosts, their workers and the lanes of these; whether a file holds more than one run.
 *
 * An existing file is appended to, so one may hold several runs, and nothing marks where the next
 * begins. Two things tell: the clock (since boot) of one worker going back, or that of a host's
 * samples being moved against the wall; and hosts that come one after the other, where those of one
 * run would be mixed. From there on a host's workers get lanes of their own, "NAME (run 2)". Times
 * follow one clock all the same: they are all that ties a run's samples, in another file, to its
 * tasks.
 */
#include "config.h"
#include "import/import_dasf.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/order.h"
#include "util/pack.h"

#define BACK_S 1.0 /* records of one worker may be a little out of order */

struct dasf_facts *
dasf_facts_new(void)
{
	struct dasf_facts *facts = xcalloc(1, sizeof *facts);

	facts->texts = intern_new();
	return facts;
}

static void
pack_host(struct pack *pack, struct dasf_host *host)
{
	PACK(pack, host->name);
	PACK(pack, host->first_record);
	PACK(pack, host->last_record);
	PACK(pack, host->has_tasks);
	PACK(pack, host->has_resources);
	PACK(pack, host->wall_offset);
	PACK(pack, host->run);
	PACK(pack, host->by_samples);
	PACK_ARRAY(pack, host->clock.offsets, host->clock.n, host->clock.capacity, pack_real);
	PACK(pack, host->clock.n_seen);
	PACK(pack, host->clock.halvings);
}

void
dasf_facts_pack(struct pack *pack, void **all)
{
	struct dasf_facts *facts = *all = *all ? *all : dasf_facts_new();

	pack_intern(pack, facts->texts);
	PACK_ARRAY(pack, facts->hosts, facts->n_hosts, facts->hosts_capacity, pack_host);
	for (size_t i = 0; i < facts->n_hosts; i++) {
		pack->failed |= facts->hosts[i].name >= intern_count(facts->texts) ||
		                facts->hosts[i].clock.halvings > 63;
	}
}

void
dasf_facts_free(void *user)
{
	struct dasf_facts *facts = user;

	if (facts) {
		intern_free(facts->texts);
		for (size_t i = 0; i < facts->n_hosts; i++) {
			free(facts->hosts[i].clock.offsets);
		}
		free(facts->hosts);
		free(facts);
	}
}

/* Ids that are neither text nor integer are taken for none. */
static struct ident
ident_of(struct dasf_reader *reader, const struct msgpack_value *value)
{
	struct ident ident = {.type = IDENT_NONE};

	if (value->type == MSGPACK_TEXT) {
		ident.type = IDENT_TEXT;
		ident.text = sink_text(reader->sink, value->text);
	} else if (value->type == MSGPACK_INTEGER) {
		ident.type = IDENT_INTEGER;
		ident.integer = value->integer;
	}
	return ident;
}

static uint32_t
host_of(struct dasf_reader *reader, const struct dasf_record *record)
{
	struct dasf_facts *facts = reader->facts;
	struct strbuf name = {0};
	struct slice text = record->process.text;

	if (record->process.type != MSGPACK_TEXT) {
		strbuf_printf(&name, "process %" PRId64, record->process.integer);
		text = strbuf_slice(&name);
	}
	uint32_t id = intern_id(facts->texts, text);
	strbuf_free(&name);
	if (id == facts->n_hosts) {
		MEM_GROW(facts->hosts, facts->hosts_capacity, facts->n_hosts + 1);
		facts->hosts[facts->n_hosts++] = (struct dasf_host){
		    .name = id, .first_record = reader->number, .wall_offset = NAN, .run = 1};
	}
	return id;
}

static void
set_lane(struct dasf_reader *reader, const struct dasf_record *record, struct dasf_worker *worker)
{
	struct lane lane = {.host = TEXT_NONE, .name = TEXT_NONE, .kind = LANE_THREAD};
	struct ident process = ident_of(reader, &record->process);
	struct strbuf name = {0};

	lane.thread = ident_of(reader, &record->thread);
	if (process.type == IDENT_TEXT) {
		lane.host = process.text;
	} else {
		lane.process = process;
	}
	if (lane.thread.type == IDENT_TEXT) {
		struct slice text = record->thread.text;
		bool is_worker = slice_starts_with(text, "worker-");
		lane.kind = is_worker ? LANE_WORKER : LANE_THREAD;
		strbuf_add_slice(&name, text);
	} else if (lane.thread.type == IDENT_NONE && slice_is(record->name, "Resource Usage")) {
		lane.kind = LANE_COUNTER;
		strbuf_add_text(&name, "resources");
	} else if (lane.thread.type == IDENT_INTEGER) {
		strbuf_printf(&name, "thread %" PRId64, lane.thread.integer);
	}
	worker->name = lane.thread.type == IDENT_TEXT ? lane.thread.text : TEXT_NONE;
	if (worker->run > 1) {
		strbuf_printf(&name, "%s(run %u)", name.len ? " " : "", worker->run);
	}
	if (name.len) {
		lane.name = sink_text(reader->sink, strbuf_slice(&name));
	}
	strbuf_free(&name);
	worker->lane = sink_lane(reader->sink, &lane);
}

/* Does the host's next run begin with this record? */
static bool
is_new_run(const struct dasf_host *host, const struct dasf_worker *worker,
           const struct dasf_record *record, double wall)
{
	if (worker->run < host->run) {
		return false; /* it follows the others */
	}
	return record->thread.type == MSGPACK_NIL
	           ? fabs(wall - record->timestamp - host->wall_offset) > DASF_MOVED_S
	           : record->timestamp < worker->last - BACK_S;
}

static int
begin_run(struct dasf_reader *reader, struct dasf_host *host)
{
	struct slice name = intern_text(reader->facts->texts, host->name);
	struct strbuf reason = {0};

	host->run++;
	dasf_add_name(&reason, name);
	strbuf_printf(&reason,
	              ": its clock is another one from here on, so run %u of this file begins; its "
	              "lanes are apart, its times follow the clock of the first run",
	              host->run);
	if (host->by_samples) {
		strbuf_add_text(&reason, "; tasks right before this sample may be of it too");
	}
	int stop = dasf_problem(reader, PROBLEM_SUSPICIOUS, reason.data);
	strbuf_free(&reason);
	return stop;
}

void
dasf_add_ident(struct strbuf *key, const struct msgpack_value *id)
{
	bool is_text = id->type == MSGPACK_TEXT, is_integer = id->type == MSGPACK_INTEGER;
	uint64_t number = is_text ? id->text.len : is_integer ? (uint64_t)id->integer : 0;

	strbuf_add_char(key, is_text ? 't' : is_integer ? 'i' : 'n');
	strbuf_add(key, &number, sizeof number);
	strbuf_add(key, id->text.ptr, is_text ? id->text.len : 0);
}

static uint32_t
find_worker(struct dasf_reader *reader, const struct dasf_record *record, bool *is_new)
{
	struct strbuf key = {0};

	dasf_add_ident(&key, &record->process);
	dasf_add_ident(&key, &record->thread);
	uint32_t id = intern_id(reader->worker_ids, strbuf_slice(&key));
	strbuf_free(&key);
	*is_new = id == reader->n_workers;
	if (*is_new) {
		MEM_GROW(reader->workers, reader->workers_capacity, reader->n_workers + 1);
		reader->workers[reader->n_workers++] =
		    (struct dasf_worker){.host = host_of(reader, record), .run = 0};
	}
	return id;
}

uint32_t
dasf_worker_of(struct dasf_reader *reader, const struct dasf_record *record, double wall, int *stop)
{
	bool is_new;
	uint32_t id = find_worker(reader, record, &is_new);
	struct dasf_worker *worker = &reader->workers[id];
	struct dasf_host *host = &reader->facts->hosts[worker->host];

	*stop = 0;
	host->last_record = reader->number;
	host->has_tasks |= record->phase == 'X' && slice_is(record->name, "Compute");
	host->has_resources |= slice_is(record->name, "Resource Usage");
	if (!is_new && is_new_run(host, worker, record, wall)) {
		host->by_samples = record->thread.type == MSGPACK_NIL;
		*stop = begin_run(reader, host);
	}
	bool goes_back = record->timestamp < worker->last - BACK_S;
	if (is_new || (worker->run < host->run &&
	               (goes_back || host->by_samples || record->thread.type == MSGPACK_NIL))) {
		worker->run = host->run;
		set_lane(reader, record, worker);
	}
	worker->last = record->timestamp;
	if (!isnan(wall)) {
		host->wall_offset = wall - record->timestamp;
		if (worker->run == 1) {
			dasf_clock_add(&host->clock, wall, record->timestamp);
		}
	}
	return id;
}

/* ---- at the end ---- */

static int
report(struct sink *sink, uint64_t record, const char *reason)
{
	struct problem problem = {
	    .kind = PROBLEM_SUSPICIOUS, .record = record, .reason = reason, .excerpt = {"", 0}};

	return sink_problem(sink, &problem);
}

static int
tag_clocks(struct dasf_reader *reader)
{
	struct sink *sink = reader->sink;
	int stop = 0;

	for (size_t i = 0; i < reader->facts->n_hosts && stop == 0; i++) {
		const struct dasf_host *host = &reader->facts->hosts[i];
		struct slice name = intern_text(reader->facts->texts, host->name);
		struct strbuf text = {0};
		double offset = dasf_clock_offset(&host->clock);
		if (isnan(offset)) {
			continue;
		}
		strbuf_add_text(&text, "host ");
		strbuf_add_slice(&text, name);
		text_code scope = sink_text(sink, strbuf_slice(&text));
		strbuf_clear(&text);
		strbuf_printf(&text, "%.3f", offset);
		stop = sink_tag_texts(sink, scope, slice_of("clock began (unix time)"),
		                      strbuf_slice(&text));
		strbuf_free(&text);
	}
	return stop;
}

/* Hosts in the order of their first records: does one begin behind the last record of all
 * before? */
int
dasf_facts_report(struct dasf_reader *reader)
{
	const struct dasf_facts *facts = reader->facts;
	uint64_t last = 0;
	int stop = 0;

	for (size_t i = 0; i < facts->n_hosts && stop == 0; i++) {
		const struct dasf_host *host = &facts->hosts[i];
		struct slice name = intern_text(facts->texts, host->name);
		if (i > 0 && host->first_record > last) {
			struct strbuf reason = {0};
			dasf_add_name(&reason, name);
			strbuf_add_text(&reason, " begins where all hosts before it have ended: "
			                         "several runs in one file? Their lanes are apart");
			stop = report(reader->sink, host->first_record, reason.data);
			strbuf_free(&reason);
		}
		last = MOST(host->last_record, last);
	}
	return stop ? stop : tag_clocks(reader);
}

struct known {
	struct intern *names;
	bool *has_tasks; /* by id */
	size_t n, capacity;
};

static int
know_host(struct known *known, struct slice name, const struct dasf_host *host, struct sink *sink)
{
	uint32_t id = intern_id(known->names, name);
	int stop = 0;

	if (id == known->n) {
		MEM_GROW(known->has_tasks, known->capacity, known->n + 1);
		known->has_tasks[known->n++] = false;
	}
	if (known->has_tasks[id] && host->has_tasks) {
		struct strbuf reason = {0};
		strbuf_add_text(&reason, "tasks of ");
		dasf_add_name(&reason, name);
		strbuf_add_text(&reason,
		                " are in several files, all read as one run: where these are "
		                "of several, import without --one");
		stop = report(sink, 0, reason.data);
		strbuf_free(&reason);
	}
	known->has_tasks[id] |= host->has_tasks;
	return stop;
}

void
dasf_conclude(void *const *all_facts, size_t n_facts, struct sink *sink)
{
	struct known known = {.names = intern_new()};
	int stop = 0;

	for (size_t i = 0; i < n_facts && stop == 0; i++) {
		const struct dasf_facts *facts = all_facts[i];
		for (size_t j = 0; facts && j < facts->n_hosts && stop == 0; j++) {
			struct slice name = intern_text(facts->texts, facts->hosts[j].name);
			stop = know_host(&known, name, &facts->hosts[j], sink);
		}
	}
	intern_free(known.names);
	free(known.has_tasks);
}
