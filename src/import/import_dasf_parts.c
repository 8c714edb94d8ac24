/*
 * A file that holds more than one run: a profiler appends to a file that exists. Timestamps are of the host's clock, which goes on until it is
 * started anew; where it is set back, or jumps by months, for every worker that goes on in the file, everything
 * behind is of another run. A worker that goes on without that contradicts it, and in a file of several hosts one clock says nothing of
 * the others: then nothing is certain, and the file stays one run (import_dasf_facts.c tells).
 */
#include "config.h"
#include "import/import_dasf.h"

#include <stdlib.h>

#define BACK_S 1.0 /* records of one worker may be a little out of order */
#define JUMP_S (30 * 86400.0)

struct parted_worker {
	double last; /* when its last record was made */
	size_t part;
};

struct dasf_division {
	struct import_parts *parts;
	struct intern *keys, *hosts;
	struct parted_worker *workers; /* by id in keys */
	size_t n_workers, capacity;
	size_t part;
	bool is_contradicted;
};

struct dasf_division *
dasf_division_new(struct import_parts *parts)
{
	struct dasf_division *division = xcalloc(1, sizeof *division);

	division->parts = parts;
	division->keys = intern_new();
	division->hosts = intern_new();
	return division;
}

/* What others than tasks are told of is told at their end, by the time of their begin. */
static double
time_of(const struct dasf_record *record)
{
	bool is_begin = record->phase == 'X' && !slice_is(record->name, "Compute");

	return record->timestamp + (is_begin && record->duration > 0 ? record->duration : 0);
}

void
dasf_division_record(struct dasf_division *division, const struct dasf_record *record,
                     uint64_t number)
{
	struct strbuf key = {NULL, 0, 0};
	double time = time_of(record);

	dasf_add_ident(&key, &record->process);
	intern_id(division->hosts, strbuf_slice(&key));
	dasf_add_ident(&key, &record->thread);
	uint32_t id = intern_id(division->keys, strbuf_slice(&key));
	strbuf_free(&key);
	if (id == division->n_workers) {
		division->workers = mem_grow(division->workers, &division->capacity,
		                             division->n_workers + 1, sizeof *division->workers);
		division->workers[division->n_workers++] =
		    (struct parted_worker){time, division->part};
		return;
	}
	struct parted_worker *worker = &division->workers[id];
	bool is_anew = time < worker->last - BACK_S || time > worker->last + JUMP_S;
	if (worker->part == division->part && is_anew) {
		import_parts_add(division->parts, number, number,
		                 "the host's clock is another from there on");
		division->part++;
	} else if (worker->part < division->part) {
		division->is_contradicted |= !is_anew;
	}
	*worker = (struct parted_worker){time, division->part};
}

void
dasf_division_end(struct dasf_division *division)
{
	if (division->is_contradicted || intern_count(division->hosts) > 1) {
		import_parts_clear(division->parts);
	}
	intern_free(division->keys);
	intern_free(division->hosts);
	free(division->workers);
	free(division);
}
