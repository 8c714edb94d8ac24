/*
 * Parts of the DASF importer, private to it:
 *
 *   import_dasf.c the file: records by their lengths, what follows a damaged one; recognition
 *   import_dasf_record.c  one record -> struct dasf_record, its arguments
 *   import_dasf_emit.c    records -> spans, tasks, counters, events
 *   import_dasf_facts.c   hosts, workers and their lanes; several runs; what shows over all files
 *   import_dasf_graph.c   what the tasks of a file tell as a whole: circles, runs appended
 *   import_dasf_parts.c   runs that a file holds one behind the other
 *   import_dasf_clock.c   the hosts' clocks against the wall's
 * Used by its room alone.
 */
#ifndef LANESCOPE_IMPORT_IMPORT_DASF_H
#define LANESCOPE_IMPORT_IMPORT_DASF_H

#include "import/shared.h"
#include "input/msgpack.h"
#include "util/intern.h"
#include "util/mem.h"

/* ---- records ---- */

struct dasf_record {
	struct slice name, scope;
	char phase;                 /* X, I, B, E */
	double timestamp, duration; /* seconds; duration 0 if there is none */
	struct msgpack_value process, thread;
	struct slice args; /* the map of arguments, empty if there is none */
};

/* NULL, or why not; *invalid: it is readable, but no event. */
const char *dasf_record_read(struct slice bytes, struct dasf_record *record, bool *invalid);

/* The arguments one by one: */
struct dasf_args {
	struct msgpack reader;
	uint64_t left;
	struct slice key;
	struct slice value; /* encoded */
};
void dasf_args_begin(struct dasf_args *args, const struct dasf_record *record);
bool dasf_args_next(struct dasf_args *args);
/* A value as text or number; false if it is none. */
bool dasf_text(struct slice value, struct slice *text);
bool dasf_number(struct slice value, double *number);

/* ---- a file on its way ---- */

/* What samples say of unix time - timestamp. */
struct dasf_clock {
	double *offsets; /* of each 2^halvings-th sample */
	size_t n, capacity;
	uint64_t n_seen;
	unsigned halvings;
};

struct dasf_host {
	uint32_t name; /* in facts->texts */
	uint64_t first_record, last_record;
	bool has_tasks, has_resources;
	/* unix time - timestamp, of the last sample that tells it; NaN before */
	double wall_offset;
	unsigned run;            /* of several in one file, from 1 */
	bool by_samples;         /* its last run was told by samples: all that follows is of it */
	struct dasf_clock clock; /* of the first run in the file */
};

/* Of one process_id and thread_id. */
struct dasf_worker {
	uint32_t host; /* index in facts->hosts */
	uint32_t lane;
	text_code name; /* thread_id as text; TEXT_NONE */
	double last;    /* timestamp of its last record */
	unsigned run;
};

struct dasf_facts {
	struct intern *texts;
	struct dasf_host *hosts; /* by id of the name in texts */
	size_t n_hosts, hosts_capacity;
};

/* Of one key. */
struct dasf_task {
	/* index in facts->hosts of its first record; INTERN_NONE: not computed here */
	uint32_t host;
	double first, last; /* timestamps of its records on that host */
};

/* A B without its end so far. */
struct dasf_begin {
	int64_t time_ns;
	/* index of the one before it of the same worker and name, + 1; 0: none */
	uint32_t previous;
};

struct dasf_keys {
	uint32_t timestamp, seconds, record, second, phase, scope;
};

#define DASF_ARGS 256

struct dasf_reader {
	struct input *input;
	struct sink *sink;
	struct err *err;
	const struct import_options *options;
	struct dasf_division *division; /* NULL: records go to the sink */
	struct source_facts counts;
	struct dasf_facts *facts;
	uint64_t number, offset; /* of the record at hand */
	uint64_t wasted;         /* bytes that were decoded in vain */
	bool is_tail_lost;       /* the record at hand broke off with the gzip stream */

	struct intern *worker_ids;
	struct dasf_worker *workers;
	size_t n_workers, workers_capacity;

	struct intern *task_keys;
	struct dasf_task *tasks; /* by id in task_keys */
	size_t n_tasks, tasks_capacity;
	struct intern *links; /* pairs of ids in task_keys */
	struct intern *begin_ids;
	uint32_t *last_begin; /* by id: index in begins + 1 */
	struct dasf_begin *begins;
	size_t last_begin_capacity, begins_capacity, n_begins;
	uint64_t n_unended, n_negative;

	struct dasf_keys keys;
	struct arg args[DASF_ARGS];
	size_t json_at[DASF_ARGS]; /* where in scratch the JSON text of an argument stands */
	size_t n_args;
	struct strbuf scratch;
};

int dasf_problem(struct dasf_reader *reader, enum problem_kind kind, const char *reason);

/* import_dasf_emit.c; both give what the sink said. */
int dasf_emit(struct dasf_reader *reader, const struct dasf_record *record);
int dasf_emit_end(struct dasf_reader *reader);

/* import_dasf_graph.c */
uint32_t dasf_task_id(struct dasf_reader *reader, struct slice key);
void dasf_task_computed(struct dasf_reader *reader, uint32_t id, uint32_t host, double timestamp);
int dasf_graph_report(struct dasf_reader *reader);

/* import_dasf_clock.c */
#define DASF_MOVED_S 5.0 /* a wall clock may be set while a program runs, but hardly so far */
void dasf_clock_add(struct dasf_clock *clock, double wall, double timestamp);
double dasf_clock_offset(const struct dasf_clock *clock); /* NaN: no samples */
bool dasf_align(void *const *facts, size_t n_facts, struct sink *sink, int64_t *offsets_ns);

/* import_dasf_parts.c: to be given all records in order. */
struct dasf_division;
struct dasf_division *dasf_division_new(struct import_parts *parts);
void dasf_division_record(struct dasf_division *division, const struct dasf_record *record,
                          uint64_t number);
/* The parts are those that were found, or none where these contradict each other. Frees it. */
void dasf_division_end(struct dasf_division *division);

/* import_dasf_facts.c */
/* An id's bytes, for keys. */
void dasf_add_ident(struct strbuf *key, const struct msgpack_value *id);
/* A host's name, cut where it is too long for a message. */
void dasf_add_name(struct strbuf *out, struct slice name);
struct dasf_facts *dasf_facts_new(void);
void dasf_facts_free(void *facts);
void dasf_facts_pack(struct pack *pack, void **facts); /* import_format.pack_facts */
/* Index of the worker; its lane may change with its run. *stop: what the sink said. wall: unix time
 * of the record, or NaN. */
uint32_t dasf_worker_of(struct dasf_reader *reader, const struct dasf_record *record, double wall,
                        int *stop);
/* Problems about the file as a whole. */
int dasf_facts_report(struct dasf_reader *reader);
void dasf_conclude(void *const *facts, size_t n_facts, struct sink *sink);

#endif
