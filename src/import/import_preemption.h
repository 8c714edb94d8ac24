/*
 * What the parts of the importer of spot instance traces share:
 *
 *   import_preemption.c          reading one file, conclusions over all of them
 *   import_preemption_form.c     the forms; which one a file has
 *   import_preemption_lines.c    which form most of its lines have, and where its columns stand
 *   import_preemption_sort.c     rows are put in order of time before anything is made of them
 *   import_preemption_count.c    traces of counts, and of numbers lost or added
 *   import_preemption_sky.c      counts at equal distances, as JSON
 *   import_preemption_events.c   traces of named instances that come and go
 *   import_preemption_profile.c  files of a job's profile
 * Used by its room alone.
 */
#ifndef LANESCOPE_IMPORT_IMPORT_PREEMPTION_H
#define LANESCOPE_IMPORT_IMPORT_PREEMPTION_H

#include "import/shared.h"
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
	/* Of rises and drops of the count, with the last time of the old count and the first of the
	 * new. */
	uint64_t rises_early, rises_late, drops_early, drops_late;
};

/* ---- import_preemption_form.c, import_preemption_lines.c ---- */

#define PREEMPTION_COLUMNS 8
#define PREEMPTION_MEASURED 5

struct preemption_shape {
	const char *name;   /* dialect */
	const char *header; /* what stands above the rows, or NULL: nothing need to */
	/* of the columns, in their order, alternatives between bars; NULL: it never has a header */
	const char *names;
	/* one letter each: i integer, r number, m milliseconds, u seconds since 1970, w word, a add
	 * or remove, t date and time, d date, c time of day; NULL: not CSV */
	const char *columns;
	int score;    /* how sure its shape makes one */
	bool is_wall; /* clock */
	bool is_profile;
	bool is_alone; /* a trace complete in one file: a run of its own */
};
extern const struct preemption_shape preemption_shapes[PREEMPTION_FORMS];

/* How a file is written. */
struct preemption_layout {
	enum preemption_form form; /* that most lines have which have any; FORM_NONE: none has */
	int score;                 /* how sure; 0: most lines are of no form */
	bool is_unsure;            /* that may change behind the head */
	char delimiter;
	bool is_named; /* a header names the columns */
	/* of the columns among the fields; PLACE_NONE: not there */
	uint8_t places[PREEMPTION_COLUMNS];
	struct strbuf header; /* that line, empty if there is none */
};
#define PLACE_NONE 255
/* The layout of what begins with head: to be freed, whatever comes out. */
void preemption_recognise(struct slice head, const char *file_name,
                          struct preemption_layout *layout);
void preemption_layout_free(struct preemption_layout *layout);
void preemption_recognise_lines(struct slice head, const char *file_name,
                                struct preemption_layout *layout);
bool preemption_allows_more(enum preemption_form form); /* fields behind its columns */
/* The next line of the text that is not blank, trimmed. */
bool preemption_next_line(struct slice *text, struct slice *line);
#define PREEMPTION_BLANKS " \t\r"
bool preemption_count(struct slice text, int64_t *count); /* 32 or 32.0 */
/* File name without folder and endings; of files of one trace without what tells them apart. */
struct slice preemption_pool_name(const char *path, enum preemption_form form);

/* ---- the reader ---- */

/* A column of a profile file, kept as an array of samples. */
struct preemption_column {
	const char *name;
	bool is_integer;
	double *values;
	size_t n, capacity;
};

struct preemption_instance {
	int64_t since_ns; /* TIME_NONE: not there */
};

#define PREEMPTION_TIME_MOST (INT64_MAX / 4)
#define PREEMPTION_NODES_MOST INT64_C(1000000000000)

struct preemption_reader {
	struct input *input;
	struct sink *sink;
	const struct cancel *cancel;
	struct err *err;
	enum preemption_form form;
	struct source_facts counts;
	struct preemption_facts *facts;
	struct csv csv;
	struct preemption_layout layout;
	struct slice fields
	    /* of the row at hand, in the order of the form's columns; empty where there is none */
	    [PREEMPTION_COLUMNS];
	/* of fields that are no column, by place; PREEMPTION_NO_KEY: of one that is */
	uint32_t *more_keys;
	size_t n_more_keys;
	struct strbuf more;    /* what stands in them, as preemption_more_args reads it */
	const char *reject;    /* why the row at hand is none, static text */
	uint64_t line, offset; /* of the row at hand */
	struct slice text;

	text_code pool, instances;
	uint32_t lane;
	uint32_t nodes_key;
	/* count traces */
	int64_t first_ns, last_ns, end_ns;          /* end: TIME_NONE if the last row is */
	int64_t before_ns, before_nodes;            /* of the row before; TIME_NONE: none */
	bool has_local_times;                       /* without a zone */
	int64_t shift_ns;                           /* what was added for dates that stood still */
	int64_t max_nodes, largest_drop, last_drop; /* last: if the count fell to 0 there */
	int64_t file_ns; /* of the row before in the file; TIME_NONE: none */
	uint64_t n_backward, first_backward, n_equal, first_equal, n_prices;
	struct preemption_rows *kept; /* that are being sorted */
	struct record *record;        /* of JSON lines, while they are read */
	/* What is made of a row when its turn comes; text: what was kept with it. */
	int (*put)(struct preemption_reader *reader, int64_t time_ns, int64_t number,
	           struct slice text);
	/* traces of named instances */
	struct intern *names;
	struct preemption_instance *instance;
	size_t n_instances, instance_capacity;
	int64_t batch_ns, population, batch_added, batch_removed;
	bool is_done; /* seen the row that ends the trace */
	/* profiles */
	int64_t rank; /* -1: the file's name has none */
	struct preemption_column columns[PREEMPTION_MEASURED];
};

/* ---- import_preemption.c ---- */

/* All of these: 0, or what the sink said. */
int preemption_problem(struct preemption_reader *reader, enum problem_kind kind,
                       const char *reason);
int preemption_note(struct preemption_reader *reader, uint64_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4))); /* a suspicion; line 0: the whole file */
int preemption_reject(struct preemption_reader *reader, const char *reason); /* the row at hand */
/* more: what preemption_more_args reads, kept as arguments; may be empty. */
int preemption_put_capacity(struct preemption_reader *reader, int64_t time_ns, int64_t nodes,
                            struct slice more);
int preemption_put_change(struct preemption_reader *reader, int64_t time_ns, int64_t nodes,
                          struct slice more);
/* Fields that are no column of the form, as arguments: how many (at most PREEMPTION_MORE); lent as
 * long as the text is. */
#define PREEMPTION_MORE 32
#define PREEMPTION_NO_KEY UINT32_MAX
size_t preemption_more_args(const struct preemption_reader *reader, struct slice more,
                            struct arg *args);
int preemption_put_tag(struct preemption_reader *reader, text_code scope, struct slice key,
                       struct slice value);
text_code preemption_text(struct preemption_reader *reader, const char *text);
void preemption_note_time(struct preemption_reader *reader, int64_t time_ns);
uint64_t preemption_digest(uint64_t digest, int64_t time_ns, int64_t number);

/* ---- the forms: 0, 1 the sink stopped, -1 with err ---- */

int preemption_count_row(
    struct preemption_reader *reader); /* of FORM_NODE to FORM_STEPS but FORM_EVENTS */
int preemption_count_end(struct preemption_reader *reader);
int preemption_put_count(struct preemption_reader *reader, int64_t time_ns, int64_t nodes,
                         struct slice more);
int preemption_read_sky(struct preemption_reader *reader);

/* Rows in order of time (stable). Of each a number and a text are kept, and given to reader->put;
 * what comes so late that it can't be sorted in any more is rejected. */
int preemption_keep(struct preemption_reader *reader, int64_t time_ns, int64_t number,
                    struct slice text);
void preemption_note_order(struct preemption_reader *reader,
                           int64_t time_ns);                 /* of the next row of the file */
int preemption_tell_order(struct preemption_reader *reader); /* where it was not that of time */
int preemption_put_kept(struct preemption_reader *reader);
void preemption_rows_free(struct preemption_reader *reader);

int preemption_event_row(struct preemption_reader *reader);
int preemption_events_end(struct preemption_reader *reader);
/* The cluster of named instances: every row begins by coming to its time; changes of one time are
 * one batch. */
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

bool preemption_is_cancelled(struct preemption_reader *reader); /* sets err */

#endif
