/*
 * What the parts of the importer of spot instance traces share:
 *
 *   import_preemption.c          reading one file, conclusions over all of them
 *   import_preemption_form.c     which form a file has, by its first bytes; its times
 *   import_preemption_count.c    traces of counts, and of numbers lost or added
 *   import_preemption_events.c   traces of named instances that come and go
 *   import_preemption_profile.c  files of a job's profile
 */
#ifndef LANESCOPE_IMPORT_IMPORT_PREEMPTION_H
#define LANESCOPE_IMPORT_IMPORT_PREEMPTION_H

#include "import/import.h"
#include "input/csv.h"
#include "input/json.h"
#include "util/intern.h"

enum preemption_form {
	FORM_NODE,      /* absolute counts, a row for each change */
	FORM_TERMINATE, /* instances lost */
	FORM_ADDITIONS, /* instances that came */
	FORM_FOUND,     /* drops of the counts */
	FORM_ASG,       /* counts of an auto scaling group, a row a minute */
	FORM_EVENTS,    /* a row for each instance that comes or goes */
	FORM_P3COUNTS,  /* absolute counts, a row for each instance */
	FORM_GCLOUD,    /* log of probes */
	FORM_STEPS,     /* corners of a step plot */
	FORM_JSONL,     /* a JSON array a line */
	FORM_SKY,       /* counts at equal distances */
	FORM_LIVEPUT,   /* intervals */
	FORM_RECONFIG,
	FORM_LOOP_TIMES,
	FORM_CHECKPOINT,
	FORM_LOAD_TIMES,
	FORM_ENGINE,
	FORM_LOSS,
	FORM_DT_LOSS,
	FORM_DT_RECONFIG,
	FORM_EXPERIMENT,
	FORM_CRASH,
	PREEMPTION_FORMS,
	FORM_NONE = PREEMPTION_FORMS
};

/* What conclude compares. Digests are over (time, number) of every row. */
struct preemption_facts {
	enum preemption_form form;
	char *pool;
	uint64_t rows;
	int64_t lost, added; /* sums: of the rows, or of drops and rises of the count */
	uint64_t digest;     /* of the rows */
	/* Of rises and drops of the count, with the last time of the old count and the first of the new. */
	uint64_t rises_early, rises_late, drops_early, drops_late;
};

/* A column of a profile file, kept as an array of samples. */
struct preemption_column {
	const char *name;
	bool is_integer;
	double *values;
	size_t n, capacity;
};
#define PREEMPTION_COLUMNS 5

struct preemption_instance {
	int64_t since_ns; /* TIME_NONE: not there */
};

#define PREEMPTION_TIME_MOST (INT64_MAX / 4)

struct preemption_reader {
	struct input *input;
	struct sink *sink;
	const struct cancel *cancel;
	struct err *err;
	enum preemption_form form;
	struct source_facts counts;
	struct preemption_facts *facts;
	struct csv csv;
	const char *reject;    /* why the row at hand is none, static text */
	uint64_t line, offset; /* of the row at hand */
	struct slice text;

	text_code pool, instances;
	uint32_t lane;
	uint32_t nodes_key;
	/* count traces */
	int64_t first_ns, last_ns, end_ns;          /* end: TIME_NONE if the last row is */
	int64_t before_ns, before_nodes;            /* of the row before; TIME_NONE: none */
	int64_t shift_ns;                           /* what was added for dates that stood still */
	int64_t max_nodes, largest_drop, last_drop; /* last: if the count fell to 0 there */
	uint64_t n_backward, first_backward, n_equal, first_equal, n_prices;
	void *kept; /* rows to be sorted */
	/* traces of named instances */
	struct intern *names;
	struct preemption_instance *instance;
	size_t n_instances, instance_capacity;
	int64_t batch_ns, population, batch_added, batch_removed;
	bool is_done; /* seen the row that ends the trace */
	/* profiles */
	int64_t rank; /* -1: the file's name has none */
	struct preemption_column columns[PREEMPTION_COLUMNS];
};

/* ---- import_preemption_form.c ---- */

struct preemption_shape {
	const char *name;   /* dialect */
	const char *header; /* first line, or NULL */
	const char *
	    columns; /* one letter each: i integer, r number, u seconds since 1970, w word, a add or remove, t date and time,
	                         d date, c time of day; NULL: not CSV */
	int score;   /* how sure its shape makes one */
	bool is_wall; /* clock */
	bool is_profile;
	bool is_alone; /* a trace complete in one file: a run of its own */
};
extern const struct preemption_shape preemption_shapes[PREEMPTION_FORMS];
/* FORM_NONE if it is none of them; *score (may be NULL) how sure. */
enum preemption_form preemption_recognise(struct slice head, const char *file_name, int *score);
struct slice preemption_trim(struct slice text);
/* "2021-07-26T18:42:00Z", "2021-07-26 18:42:00": ns since 1970. */
bool preemption_date_time(struct slice text, int64_t *ns);
bool preemption_date(struct slice text, int64_t *ns);     /* of its midnight */
bool preemption_clock(struct slice text, int64_t *ns);    /* since midnight */
bool preemption_count(struct slice text, int64_t *count); /* 32 or 32.0 */
/* File name without folder and endings; of files of one trace without what tells them apart. */
struct slice preemption_pool_name(const char *path, enum preemption_form form);

/* ---- import_preemption.c ---- */

/* All of these: 0, or what the sink said. */
int preemption_problem(struct preemption_reader *reader, enum problem_kind kind,
                       const char *reason);
int preemption_note(struct preemption_reader *reader, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* a suspicion; line 0: the whole file */
int preemption_reject(struct preemption_reader *reader, const char *reason); /* the row at hand */
int preemption_put_capacity(struct preemption_reader *reader, int64_t time_ns, int64_t nodes);
int preemption_put_change(struct preemption_reader *reader, int64_t time_ns, int64_t nodes);
int preemption_put_tag(struct preemption_reader *reader, text_code scope, struct slice key,
                       struct slice value);
text_code preemption_text(struct preemption_reader *reader, const char *text);
void preemption_note_time(struct preemption_reader *reader, int64_t time_ns);
uint64_t preemption_digest(uint64_t digest, int64_t time_ns, int64_t number);

/* ---- the forms: 0, 1 the sink stopped, -1 with err ---- */

int preemption_count_row(
    struct preemption_reader *reader); /* of FORM_NODE to FORM_STEPS but FORM_EVENTS */
int preemption_count_end(struct preemption_reader *reader);
int preemption_read_sky(struct preemption_reader *reader);
int preemption_read_gcloud(struct preemption_reader *reader);

int preemption_event_row(struct preemption_reader *reader);
int preemption_events_end(struct preemption_reader *reader);
/* The cluster of named instances: every row begins by coming to its time; changes of one time are one batch. */
int preemption_come_to(struct preemption_reader *reader, int64_t time_ns);
int preemption_put_batch(struct preemption_reader *reader);
uint32_t preemption_name_id(struct preemption_reader *reader, struct slice name);
int preemption_add_instance(struct preemption_reader *reader, uint32_t id, int64_t time_ns);
int preemption_remove_instance(struct preemption_reader *reader, uint32_t id, int64_t time_ns);

int preemption_read_jsonl(struct preemption_reader *reader);
int preemption_read_liveput(struct preemption_reader *reader);

int preemption_profile_row(struct preemption_reader *reader);
int preemption_profile_end(struct preemption_reader *reader);
int preemption_read_experiment(struct preemption_reader *reader);

/* Reads CSV rows but the header, gives each to row. */
int preemption_each_row(struct preemption_reader *reader, int (*row)(struct preemption_reader *));
bool preemption_is_cancelled(struct preemption_reader *reader); /* sets err */

#endif
