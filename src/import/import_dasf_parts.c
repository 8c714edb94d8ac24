/*
 * A file that holds more than one run: a profiler appends to a file that exists. Two things tell.
 *
 * Timestamps are of the host's clock, which goes on until it is started anew; where it is set back,
 * or jumps by months, for every worker that goes on in the file, everything behind is of another
 * run. A worker that goes on without that contradicts it.
 *
 * Where the host was not started anew, there is a pause in which no worker of it records anything,
 * and which parts all records before from all behind. A pause alone may be somebody who thinks. But
 * the samples of a worker's resources come ten times a second while it lives, so a pause of theirs
 * is the end of one and the begin of another; and where just the same tasks are computed behind as
 * before, the program was started again. Of other pauses it is only told where they are; what
 * another file of the host says may make them certain.
 *
 * In a file of several hosts one clock says nothing of the others: then nothing is certain, and the
 * file stays one run (import_dasf_facts.c tells).
 */
#include "config.h"
#include "import/import_dasf.h"

#include <stdlib.h>

#define BACK_S 1.0 /* records of one worker may be a little out of order */
#define JUMP_S (30 * 86400.0)
#define PAUSE_S 60.0
#define TASKS_MIN 2u

struct parted_worker {
	double last; /* when its last record was made */
	size_t part;
};

struct border {
	uint64_t number; /* of the first record behind */
	bool is_reset;   /* of the clock, not a pause */
	double before, after;
};

/* What lies between two borders. */
struct stretch {
	uint64_t n_samples, n_tasks;
	uint64_t tasks; /* hashes of their keys, added up */
};

struct dasf_division {
	struct import_parts *parts;
	struct intern *keys, *hosts;
	struct parted_worker *workers; /* by id in keys */
	size_t n_workers, capacity;
	struct border *borders;
	struct stretch *stretches; /* one more than borders */
	size_t n_borders, borders_capacity, stretches_capacity;
	double latest; /* of all since the clock was set */
	size_t part;
	bool is_begun, is_contradicted;
};

struct dasf_division *
dasf_division_new(struct import_parts *parts)
{
	struct dasf_division *division = xcalloc(1, sizeof *division);

	division->parts = parts;
	division->keys = intern_new();
	division->hosts = intern_new();
	division->stretches =
	    mem_grow(NULL, &division->stretches_capacity, 1, sizeof *division->stretches);
	division->stretches[0] = (struct stretch){0, 0, 0};
	return division;
}

static bool
is_task(const struct dasf_record *record)
{
	return record->phase == 'X' && slice_is(record->name, "Compute");
}

/* What others than tasks are told of is told at their end, by the time of their begin. */
static double
time_of(const struct dasf_record *record)
{
	bool is_begin = record->phase == 'X' && !is_task(record);

	return record->timestamp + (is_begin && record->duration > 0 ? record->duration : 0);
}

static double
begin_of(const struct dasf_record *record)
{
	return record->timestamp - (is_task(record) && record->duration > 0 ? record->duration : 0);
}

/* ---- borders ---- */

static void
add_border(struct dasf_division *division, const struct border *border)
{
	MEM_GROW(division->borders, division->borders_capacity, division->n_borders + 1);
	division->borders[division->n_borders++] = *border;
	MEM_GROW(division->stretches, division->stretches_capacity, division->n_borders + 1);
	division->stretches[division->n_borders] = (struct stretch){0, 0, 0};
}

/* A record within pauses: these are shorter, or none. */
static void
narrow_pauses(struct dasf_division *division, double begin)
{
	while (division->n_borders > 0) {
		struct border *border = &division->borders[division->n_borders - 1];
		if (border->is_reset || begin >= border->after) {
			return;
		}
		border->after = begin;
		if (border->after > border->before + PAUSE_S) {
			return;
		}
		struct stretch *last = &division->stretches[division->n_borders--];
		struct stretch *before = last - 1;
		before->n_samples += last->n_samples;
		before->n_tasks += last->n_tasks;
		before->tasks += last->tasks;
	}
}

static void
note_time(struct dasf_division *division, const struct dasf_record *record, uint64_t number)
{
	double begin = begin_of(record), time = time_of(record);

	narrow_pauses(division, begin);
	if (division->is_begun && begin > division->latest + PAUSE_S) {
		add_border(division, &(struct border){number, false, division->latest, begin});
	}
	division->latest = division->is_begun && time < division->latest ? division->latest : time;
	division->is_begun = true;
}

static void
note_content(struct dasf_division *division, const struct dasf_record *record)
{
	struct stretch *stretch = &division->stretches[division->n_borders];
	struct dasf_args args;
	struct slice key;

	stretch->n_samples += slice_is(record->name, "Resource Usage");
	if (!is_task(record)) {
		return;
	}
	stretch->n_tasks++;
	dasf_args_begin(&args, record);
	while (dasf_args_next(&args)) {
		if (slice_is(args.key, "key") && dasf_text(args.value, &key)) {
			stretch->tasks += hash_mix(hash_bytes(key.ptr, key.len, 0));
		}
	}
}

/* Is the clock another one from this record on? */
static bool
is_set_anew(struct dasf_division *division, const struct dasf_record *record)
{
	struct strbuf key = {0};
	double time = time_of(record);
	bool is_first = false;

	dasf_add_ident(&key, &record->process);
	intern_id(division->hosts, strbuf_slice(&key));
	dasf_add_ident(&key, &record->thread);
	uint32_t id = intern_id(division->keys, strbuf_slice(&key));
	strbuf_free(&key);
	if (id == division->n_workers) {
		MEM_GROW(division->workers, division->capacity, division->n_workers + 1);
		division->workers[division->n_workers++] =
		    (struct parted_worker){time, division->part};
		return false;
	}
	struct parted_worker *worker = &division->workers[id];
	bool is_anew = time < worker->last - BACK_S || time > worker->last + JUMP_S;
	if (worker->part == division->part && is_anew) {
		is_first = true;
		division->part++;
	} else if (worker->part < division->part) {
		division->is_contradicted |= !is_anew;
	}
	*worker = (struct parted_worker){time, division->part};
	return is_first;
}

void
dasf_division_record(struct dasf_division *division, const struct dasf_record *record,
                     uint64_t number)
{
	if (is_set_anew(division, record)) {
		add_border(division, &(struct border){.number = number, .is_reset = true});
		division->is_begun = false;
	}
	note_time(division, record, number);
	note_content(division, record);
}

/* ---- at the end ---- */

static struct import_part
judge(const struct border *border, const struct stretch *before, const struct stretch *behind)
{
	bool is_sampled = before->n_samples > 0 && behind->n_samples > 0;
	bool is_again = before->n_tasks >= TASKS_MIN && before->n_tasks == behind->n_tasks &&
	                before->tasks == behind->tasks;

	return (struct import_part){
	    .first = border->number,
	    .record = border->number,
	    .is_certain = border->is_reset || is_sampled || is_again,
	    .before = border->before,
	    .after = border->after,
	    .reason =
		border->is_reset ? "the host's clock is another from there on"
		: is_sampled     ? "samples begin again after a pause of more than a minute"
		: is_again
		    ? "the same tasks begin again after a pause of more than a minute"
		    : "records begin again after a pause of more than a minute, of all files"};
}

void
dasf_division_end(struct dasf_division *division)
{
	bool is_usable = !division->is_contradicted && intern_count(division->hosts) < 2;

	for (size_t i = 0; is_usable && i < division->n_borders; i++) {
		struct import_part part = judge(&division->borders[i], &division->stretches[i],
		                                &division->stretches[i + 1]);
		import_parts_add(division->parts, &part);
	}
	intern_free(division->keys);
	intern_free(division->hosts);
	free(division->workers);
	free(division->borders);
	free(division->stretches);
	free(division);
}
