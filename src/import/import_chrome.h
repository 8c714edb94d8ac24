/*
 * What the parts of the Chrome Trace Event importer share. An event goes through them like this:
 *
 *   import_chrome.c         the containers: array or object, damage
 *   import_chrome_record.c  one event -> struct chrome_record (raw values, nothing decided)
 *   import_chrome_plain.c   the same of events as nearly all are, faster
 *   import_chrome_batch.c   many events at once, on other threads
 *   import_chrome_repeats.c  texts that come again and again
 *   import_chrome_emit.c    record -> span, event, counter by its phase
 *   import_chrome_time.c    decimal microseconds -> nanoseconds
 *   import_chrome_args.c    arguments and members of an event -> struct arg
 *   import_chrome_lane.c    processes and threads, their names from metadata, lanes
 *   import_chrome_nest.c    begins and ends, synchronous and asynchronous -> spans
 *   import_chrome_flow.c    flow events -> dependencies between the spans they point at
 *   import_chrome_order.c   these by thread and time
 *   import_chrome_own.c     what only our own traces have
 *   import_chrome_about.c   what surrounds the events, stack frames, samples; the dialect
 *   import_chrome_sniff.c   recognition
 * Used by its room alone.
 */
#ifndef LANESCOPE_IMPORT_IMPORT_CHROME_H
#define LANESCOPE_IMPORT_IMPORT_CHROME_H

#include "import/shared.h"
#include "input/json.h"
#include "util/intern.h"
#include "util/mem.h"

/* A JSON value of the event at hand: texts decoded, nested values as JSON text. */
enum chrome_type {
	CHROME_ABSENT,
	CHROME_NUMBER,
	CHROME_STRING,
	CHROME_TRUE,
	CHROME_FALSE,
	CHROME_NULL,
	CHROME_NESTED
};
struct chrome_value {
	const char *text; /* see struct chrome_parser */
	uint32_t len;
	uint8_t type;    /* enum chrome_type */
	bool is_integer; /* NUMBER without fraction and exponent */
	uint16_t repeat; /* its number among the repeated texts of the batch; 0: none */
};

/* Members of an event that mean something. Those from CHROME_ID on are kept as arguments, too. */
enum chrome_field {
	CHROME_PH,
	CHROME_NAME,
	CHROME_CAT,
	CHROME_TS,
	CHROME_DUR,
	CHROME_PID,
	CHROME_TID,
	CHROME_ID,
	CHROME_ID2_LOCAL,
	CHROME_ID2_GLOBAL,
	CHROME_SCOPE,
	CHROME_BIND_ID,
	CHROME_FLOW_IN,
	CHROME_FLOW_OUT,
	CHROME_BP,
	CHROME_SF,
	CHROME_FIELDS
};
/* What other members are, for chrome_member_of. */
enum { CHROME_ARGS = CHROME_FIELDS, CHROME_ID2, CHROME_OTHER };

struct chrome_pair { /* an argument, or a member of the event itself that is no field */
	struct chrome_value key, value;
	bool is_member;
	bool is_repeated; /* it comes again: see chrome_mark_repeated */
};

struct chrome_record {
	struct chrome_value fields[CHROME_FIELDS];
	struct chrome_pair *pairs;  /* set by chrome_take, as the parser's may move until then */
	size_t first_pair, n_pairs; /* of the parser's */
	size_t at;                  /* of a batch: where it begins in there */
	int64_t ts_ns, dur_ns;
	bool has_ts, has_dur;        /* they are times */
	bool has_args, has_odd_args; /* odd: no object */
	bool is_cut;                 /* it had more members than are kept, or longer ones */
};

/* Repeated texts of a batch, numbered from 1. */
#define CHROME_REPEATS 1024u
struct chrome_repeats {
	struct chrome_repeat {
		const char *text;
		uint64_t first, last; /* eight bytes of it, zero-padded; all of it up to 16 bytes */
		uint32_t length;
	} texts[CHROME_REPEATS + 1];
	unsigned n;
	uint16_t slots[CHROME_REPEATS * 2];
};
/* What they lead to: TEXT_NONE or INTERN_NONE where nobody asked for it in this batch. */
struct chrome_known {
	text_code codes[CHROME_REPEATS + 1];
	uint32_t keys[CHROME_REPEATS + 1];
	uint8_t kinds[CHROME_REPEATS + 1]; /* of lanes, by category; UINT8_MAX: not asked for */
	struct chrome_known_thread {
		uint32_t pair; /* of process and thread */
		uint32_t thread;
	} threads[256];
};

/* What makes records of bytes, one a thread. Zero-initialise, but for `texts`. */
struct chrome_parser {
	struct json json;
	struct arena *texts; /* of values that do not lie in the bytes as they are */
	/* What chrome_parse_plain alone uses: room for such values, and texts that it numbers. */
	char *room;
	struct chrome_repeats repeats;
	struct strbuf nested;
	struct chrome_pair *pairs; /* of all records that are kept */
	size_t n_pairs, pairs_capacity;
	size_t kept_bytes; /* of the record at hand */
	struct chrome_record *record;
};

struct chrome_process {
	struct ident id;
	uint32_t name, labels;                   /* in reader->words; INTERN_NONE: unknown */
	uint32_t counters, totals;               /* lanes, LANE_NONE: none yet */
	bool has_device_name, has_device_labels; /* they say that it is one */
	bool is_recording;                       /* it stands for the recording itself */
	bool is_used;                            /* it has a lane */
	bool has_events;                         /* not only samples */
	bool is_sorted;                          /* it has a sort index */
	int64_t sort_index;
};
struct chrome_thread { /* there may be millions */
	uint32_t name;
	uint32_t lane;        /* LANE_NONE: none yet */
	uint32_t extras : 30; /* in reader->extras, + 1; 0: none */
	uint32_t has_events : 1;
	uint32_t is_own : 1; /* its lane was told: it has no other */
};
struct chrome_extras {                         /* what few threads have */
	uint32_t device, annotations, summary; /* lanes; LANE_NONE: none yet */
	bool is_sorted;
	int64_t sort_index;
};
struct chrome_lane { /* a lane whose name is told at the end; there may be millions */
	uint32_t of; /* its thread; in reader->threadless where it has none */
	text_code name;
	unsigned char kind : 7, is_threadless : 1;
} __attribute__((packed));
struct chrome_threadless {
	uint32_t process;
	uint32_t category; /* of asynchronous lanes: in words */
};

/* A flow that a span says it belongs to (bind_id). */
struct chrome_binding {
	uint32_t flow; /* INTERN_NONE: none */
	bool in, out;
};

/* Arguments that are kept beyond their event: one block with their texts. NULL: none. */
struct chrome_args {
	size_t n, bytes; /* of the whole block */
	struct arg args[];
};

/* Different phases that are counted, and how long. */
#define CHROME_PHASES 64
#define CHROME_PHASE_BYTES 32

struct chrome_counts {
	uint64_t phases[256], samples;
	uint64_t not_objects, no_duration, odd_durations, negative_durations, unmatched_begins,
	    unmatched_ends, open_async, unmatched_async, given_up, late, no_number, cut, holes,
	    odd_args;
};

struct chrome_nest;
struct chrome_flows;

struct chrome_reader {
	struct input *input;
	struct sink *sink;
	const struct cancel *cancel;
	struct err *err;
	struct chrome_parser parser;
	struct chrome_record own_record; /* of that parser */
	struct batches *batches;         /* NULL: none yet */
	bool are_samples;                /* what these hold */
	struct chrome_known known;
	unsigned n_threads;
	struct chrome_record *record; /* at hand, with its number from 1, and where it begins */
	uint64_t number, offset;

	struct intern *words; /* names of processes and threads, categories */
	struct intern *process_keys, *thread_keys, *async_keys;
	struct chrome_process *processes;
	struct chrome_thread *threads;
	struct chrome_extras *extras;
	struct chrome_lane *lanes;
	struct chrome_threadless *threadless;
	uint32_t *async_lanes; /* by id of async_keys */
	size_t processes_capacity, threads_capacity, lanes_capacity, async_capacity;
	size_t n_extras, extras_capacity, n_lanes, n_threadless, threadless_capacity;

	uint64_t *key_seen; /* by the sink's key: last event that had it */
	uint32_t *key_place;
	size_t key_capacity, place_capacity;
	uint64_t args_number;
	struct arg *args; /* of the event at hand */
	size_t args_capacity, n_args;
	size_t n_own_args; /* the first of these; members of the event stand behind */

	uint64_t n_spans; /* given to the sink */
	struct chrome_nest *nest;
	struct chrome_flows *flows;
	struct chrome_counts chrome_counts;
	struct intern *phase_names; /* those of several bytes, and how many of each */
	uint64_t long_phases[CHROME_PHASES];
	struct source_facts counts;
	uint32_t marks;       /* enum chrome_marks */
	int64_t own_start_ns; /* of our own traces: added to all times */
	bool has_own_clock;
	enum clock_type own_clock;
	struct strbuf own_text;
	struct call_totals own_totals; /* of the span at hand */
	struct json own_json;
	uint32_t passed_over;  /* members beside the events that are not read, by bit */
	bool has_system_names; /* Fuchsia's, which are */
	bool is_object, is_unclosed, is_damaged;
};

enum chrome_marks {
	CHROME_MARK_PYTORCH = 1,
	CHROME_MARK_BAZEL = 2,
	CHROME_MARK_CLANG = 4,
	CHROME_MARK_VIZTRACER = 8,
	CHROME_MARK_UFTRACE = 16,
	CHROME_MARK_TENSORFLOW = 32,
	CHROME_MARK_RAY = 64,
	CHROME_MARK_HERMES = 128,
	CHROME_MARK_DEVTOOLS = 256,
	CHROME_MARK_CHROME = 512,
	CHROME_MARK_LANESCOPE = 1024
};

#define CHROME_JSON_FLAGS                                                                          \
	(JSON_CONTROL_CHARACTERS | JSON_TRAILING_COMMAS | JSON_INVALID_UTF8 | JSON_NOT_FINITE |    \
	 JSON_CONCATENATED)

static inline struct chrome_pair *
chrome_pairs(const struct chrome_parser *parser, const struct chrome_record *record)
{
	return record->n_pairs > 0 ? parser->pairs + record->first_pair : NULL;
}
static inline struct slice
chrome_text(const struct chrome_value *value)
{
	return (struct slice){value->len ? value->text : "", value->len};
}
static inline bool
chrome_is_word(const struct chrome_value *value)
{
	return value->type == CHROME_STRING || value->type == CHROME_NUMBER;
}

/* import_chrome_record.c. Forgets all records that were kept. */
void chrome_parser_clear(struct chrome_parser *parser);
void chrome_parser_fini(struct chrome_parser *parser);
/* An empty record, to which pairs are added. */
void chrome_record_begin(struct chrome_parser *parser, struct chrome_record *record);
bool chrome_add_pair(struct chrome_parser *parser, const struct chrome_pair *pair);
/* Fills in the times, once all its fields are there. */
void chrome_record_end(struct chrome_record *record);
/* What the member of an event is whose key begins with these bytes, as in memory: enum
 * chrome_field, CHROME_ARGS ... */
unsigned chrome_member_of(uint64_t first_bytes, size_t length);
/* The event whose { parser->json reads next, to behind its }. False: malformed (json.error), and
 * the record is none. */
bool chrome_parse_record(struct chrome_parser *parser, struct chrome_record *record);
/* The value that `token` begins; 0, or -1 (json.error). */
int chrome_read_value(struct chrome_parser *parser, enum json_token token, size_t limit,
                      struct chrome_value *value);
/* Marks the arguments that come again: the last one counts. */
void chrome_mark_repeated(struct chrome_record *record);
/* The value of an argument by name; NULL if it has none. */
const struct chrome_value *chrome_argument(const struct chrome_record *record, const char *name);

/* import_chrome_plain.c: the event whose { stands at `at`; INPUT_PADDING zeroes follow `limit`.
 * Returns where it ends, NULL if it is none that is read here. parser->room has as much room as the
 * bytes take. */
const char *chrome_parse_plain(struct chrome_parser *parser, const char *at, const char *limit,
                               struct chrome_record *record);

/* import_chrome_repeats.c. The number of a text behind which eight bytes are readable; 0: none. */
uint16_t chrome_repeat_of(struct chrome_repeats *repeats, const char *text, size_t length);
void chrome_repeats_clear(struct chrome_repeats *repeats);
void chrome_known_clear(struct chrome_known *known);
/* Of a value, and of an argument's name. */
text_code chrome_code(struct chrome_reader *reader, const struct chrome_value *value);
uint32_t chrome_key(struct chrome_reader *reader, const struct chrome_value *name);
/* Where the thread of these two is kept, INTERN_NONE if it is not yet; NULL: nowhere. */
uint32_t *chrome_known_thread(struct chrome_reader *reader, const struct chrome_value *pid,
                              const struct chrome_value *tid);

/* import_chrome_batch.c */
/* Reads what it can of the list of events that the input stands in: the input stands before what is
 * not read then. 0, 1 the sink stopped, -1 err. */
int chrome_read_batches(struct chrome_reader *reader, bool are_samples);

/* import_chrome_emit.c. The next event stands at `offset`, whatever it is: 0, -1 cancelled. */
int chrome_begin_event(struct chrome_reader *reader, uint64_t offset);
/* Gives it to the sink. 0, 1 the sink stopped, -1 err. */
int chrome_take(struct chrome_reader *reader, const struct chrome_parser *parser,
                struct chrome_record *record, uint64_t offset, bool is_sample);

/* Gives a span to the sink and tells the flows. */
void chrome_note_time(struct chrome_reader *reader, int64_t time_ns);
int chrome_give_span(struct chrome_reader *reader, struct span *span, uint32_t thread,
                     const struct chrome_binding *binding);

/* import_chrome_time.c: decimal microseconds to ns, halves to even. */
bool chrome_time(struct slice text, int64_t *ns);

/* import_chrome_args.c: into reader->args all that the event has, or one more. */
void chrome_gather_args(struct chrome_reader *reader);
struct arg *chrome_place_member(struct chrome_reader *reader, struct slice name);
void chrome_fill(struct arg *arg, const struct chrome_value *value);

/* import_chrome_system.c: the members of Fuchsia's recording, whose object was begun. False: it is
 * no JSON. */
bool chrome_system_names(struct chrome_reader *reader);

/* import_chrome_lane.c */
void chrome_lanes_init(struct chrome_reader *reader);
void chrome_lanes_fini(struct chrome_reader *reader);
uint32_t chrome_process_of(struct chrome_reader *reader, const struct chrome_value *pid);
uint32_t chrome_thread_of(struct chrome_reader *reader);
uint32_t chrome_process_of_thread(const struct chrome_reader *reader, uint32_t thread);
/* LANE_THREAD, LANE_DEVICE, LANE_ANNOTATION or LANE_SUMMARY; LANE_COUNTER or LANE_SUMMARY. */
uint32_t chrome_thread_lane(struct chrome_reader *reader, uint32_t thread, enum lane_kind kind);
uint32_t chrome_process_lane(struct chrome_reader *reader, uint32_t process, enum lane_kind kind);
uint32_t chrome_async_lane(struct chrome_reader *reader, uint32_t process, struct slice category);
bool chrome_is_device(const struct chrome_reader *reader, uint32_t thread);
/* Is it of a process that stands for the recording itself? */
bool chrome_is_recording(const struct chrome_reader *reader, uint32_t thread);
int chrome_metadata(struct chrome_reader *reader);
void chrome_name_process(struct chrome_reader *reader, uint32_t process, uint32_t word);
/* 0, or what the sink said. */
int chrome_name_lanes(struct chrome_reader *reader);

/* import_chrome_nest.c */
struct chrome_nest *chrome_nest_new(void);
void chrome_nest_free(struct chrome_nest *nest);
struct chrome_begin { /* a begin or an end */
	int64_t time_ns;
	uint32_t thread;    /* INTERN_NONE: asynchronous */
	struct slice track; /* of asynchronous ones: which operation */
	uint32_t lane;
	bool is_begin, is_named;
	char phase; /* as recorded */
	text_code name, category;
	struct chrome_binding binding;
};
/* Takes the arguments at hand (reader->args). */
int chrome_nest_add(struct chrome_reader *reader, const struct chrome_begin *begin);
int chrome_nest_finish(struct chrome_reader *reader);

/* import_chrome_flow.c */
struct chrome_flows *chrome_flows_new(void);
void chrome_flows_free(struct chrome_flows *flows);
/* The flow of a name; the texts may be empty. */
uint32_t chrome_flow_id(struct chrome_reader *reader, char kind, struct slice category,
                        struct slice name, struct slice id);
struct chrome_exact { /* the span that a point means, beside its start */
	int64_t duration_ns;
	text_code name;
};
/* exact: NULL if not told. */
void chrome_flow_point(struct chrome_reader *reader, uint32_t flow, char phase, uint32_t thread,
                       int64_t time_ns, bool binds_next, const struct chrome_exact *exact);
void chrome_flow_span(struct chrome_reader *reader, const struct span *span, uint32_t thread,
                      const struct chrome_binding *binding);
int chrome_flows_finish(struct chrome_reader *reader);

/* import_chrome_order.c */
typedef int chrome_compare(const void *a, const void *b);
struct chrome_ordering {
	size_t n_groups, bytes;  /* of an element, which begins with its group: a uint32_t */
	size_t time_at;          /* where its time is: an int64_t */
	chrome_compare *compare; /* two elements of one group and time */
};
/* Places of the elements, by group (their thread, their flow) and time; new. */
void **chrome_order(void *elements, size_t n, const struct chrome_ordering *ordering);

/* import_chrome_links.c */
#define CHROME_LINKS_LIMIT (UINT32_C(1) << 23)
struct chrome_link_point {
	uint32_t flow;        /* first, see chrome_order */
	unsigned number : 30; /* in order of the file */
	unsigned phase : 2;   /* 0 begin, 1 step, 2 end */
	int64_t time_ns;
	uint64_t span; /* ordinal */
};
struct chrome_links *chrome_links_new(void);
void chrome_links_free(struct chrome_links *links);
void chrome_links_add(struct chrome_links *links, const struct chrome_link_point *point);
/* To the sink, once all are there. 0, or what it said. */
int chrome_links_give(struct chrome_reader *reader, size_t n_flows,
                      text_code (*name_of)(const struct chrome_reader *reader, uint32_t flow),
                      struct chrome_links *links);

/* import_chrome_own.c */
void chrome_own_about(struct chrome_reader *reader, struct slice key, struct slice value);
/* The lane that the event at hand tells of; LANE_NONE: the trace is not ours. */
uint32_t chrome_own_lane(struct chrome_reader *reader);
bool chrome_is_own_argument(const struct chrome_reader *reader, const struct chrome_pair *pair);
void chrome_own_span(struct chrome_reader *reader, struct span *span); /* path, size, calls */
bool chrome_own_flow(struct chrome_reader *reader, struct chrome_exact *exact);

/* import_chrome_about.c: the value of a member beside the events, whose key was read. 0, 1 the sink
 * stopped or malformed (*malformed), -1 err. */
int chrome_about(struct chrome_reader *reader, struct slice key, bool *malformed);
int chrome_stack_frames(struct chrome_reader *reader, bool *malformed);
text_code chrome_frame_name(struct chrome_reader *reader, struct slice id);
int chrome_tag(struct chrome_reader *reader, const char *scope, struct slice key,
               struct slice value);
void chrome_mark_event(struct chrome_reader *reader);
int chrome_report(struct chrome_reader *reader);

/* import_chrome_sniff.c: as import_format.sniff. */
int chrome_sniff(struct slice head, const char *file_name);
/* Where the trace begins in the head (behind a mark of the byte order), if lines that are no JSON
 * stand above it; else 0. */
#define CHROME_PREAMBLE ((size_t)64 << 10)
size_t chrome_begin(struct slice head);

int chrome_problem(struct chrome_reader *reader, enum problem_kind kind, const char *reason);

#endif
