/*
 * The records of a run as plain structs (see lanescope-schema(5) for what users see).
 *
 * Times are int64 nanoseconds. Importers hand over times as recorded, on the clock of their source
 * (wall clock: since 1970; monotonic: since boot); the store subtracts the run's start. TIME_NONE
 * stands for a missing time, SIZE_NONE for a missing size, TEXT_NONE for a missing text.
 * Used by column/encode, column/finish, column/ops, column/scan, explain/schedule, export, import,
 * ingest, query, query/saved, query/spans, query/timeline, simulate, store, ui/timeline.
 */
#ifndef LANESCOPE_MODEL_MODEL_H
#define LANESCOPE_MODEL_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include "util/slice.h"

#define TIME_NONE INT64_MIN
/* Times that far from zero (146 years) are refused, by importers and by what takes their records
 * alike, so that no difference of two times overflows: an importer that would let more through
 * loses its record, and one that cuts spans at it keeps them. */
#define TIME_LIMIT (INT64_C(1) << 62)
#define SIZE_NONE INT64_MIN
#define SIZE_TOO_LARGE                                                                             \
	(INT64_MIN + 1) /* more than 64 bits hold: an argument of the record says how much */
#define TEXT_NONE UINT32_MAX
#define LANE_NONE UINT32_MAX

/* A code of the source's own dictionary: what sink->text or sink->symbol returned. */
typedef uint32_t text_code;

/* Integer, text or nothing: process and thread ids are either. */
struct ident {
	enum { IDENT_NONE, IDENT_INTEGER, IDENT_TEXT } type;
	union {
		int64_t integer;
		text_code text;
	};
};

enum lane_kind {
	LANE_THREAD,     /* a thread of a process */
	LANE_WORKER,     /* a worker of a task scheduler */
	LANE_DEVICE,     /* a GPU stream or other device queue */
	LANE_CONTROLLER, /* a scheduler's own activity */
	LANE_AGGREGATE,  /* records that stand for many calls; not drawn as nested spans */
	LANE_INSTANCE,   /* a cloud instance */
	LANE_COUNTER,    /* holds counters only */
	LANE_ASYNC,      /* asynchronous operations that belong to no thread */
	LANE_WAITING,    /* what a worker waits for or is sent, beside its work */
	/* what the program calls a device's work, and what that waits for, beside it */
	LANE_ANNOTATION,
	LANE_SUMMARY /* what wraps a whole recording, or repeats the sums of others */
};
const char *lane_kind_name(enum lane_kind kind); /* "thread", "worker", ... */
/* What lanes of a kind are counted as: "thread", "worker", "instance", any other "lane". */
const char *lane_word(enum lane_kind kind);
#define LANE_KINDS 11
/* The kind of that name; LANE_KINDS: there is none. */
enum lane_kind lane_kind_named(struct slice name);
/* Whether a lane's busy time counts as its host's: something can only do one thing at a time
 * there. */
bool lane_kind_is_work(enum lane_kind kind);
/* Whether it is a row of the lane beside it, its queue or what a program calls its work, and so
 * none of the lanes that one counts: "4 workers" are four. */
bool lane_kind_is_beside(enum lane_kind kind);
/* Whether its spans lie on the time line as they were; else they hold sums: they are not nested,
 * nor drawn one by one. */
bool lane_kind_is_timed(enum lane_kind kind);
/* Whether it is drawn at all, out of tiles: also records that stand for many calls, by their
 * density. */
bool lane_kind_has_tiles(enum lane_kind kind);

/* Two lanes are the same if host, process, thread, name and kind are. */
struct lane {
	text_code host; /* TEXT_NONE if unknown */
	struct ident process;
	struct ident thread;
	text_code name; /* what people call it; TEXT_NONE: made from process and thread */
	enum lane_kind kind;
};

/* An argument of a record; the JSON type is kept. */
enum arg_type {
	ARG_INTEGER,  /* fits int64 */
	ARG_UNSIGNED, /* above INT64_MAX, bit-cast in integer */
	ARG_REAL,
	ARG_TEXT,         /* a JSON string */
	ARG_INTEGER_TEXT, /* a JSON string that holds a canonical int64 ("12", not "012" or "+1") */
	ARG_BOOLEAN,      /* integer 0 or 1 */
	ARG_NULL,
	ARG_JSON /* nested or otherwise unusual: raw JSON text */
};
#define ARG_TYPES 8

struct arg {
	uint32_t key; /* from sink->key */
	enum arg_type type;
	union {
		int64_t integer;
		double real;
		/* decoded (ARG_TEXT) or raw JSON (ARG_JSON); lent for the call */
		struct slice text;
	};
};

/* Where the records of a span's begin and end stand in its source, for what times alone do not
 * tell: who contains whom where they are equal. */
struct span_order {
	uint64_t begin; /* from 1; 0: not told, the order in which spans are given to the sink */
	uint64_t end;   /* 0: the span is one record, and is over when its time is */
};

/* What a record that stands for many calls tells of them beside their number and the sum of their
 * sizes. */
struct call_totals {
	int64_t sum_ns;             /* of their durations */
	int64_t min_ns, max_ns;     /* TIME_NONE: not known */
	int64_t size_min, size_max; /* of one call; SIZE_NONE: not known */
	/* The record tells where its interval begins, not how long it is: the span's duration is
	 * the least that it can be, and grows to the spacing of such records of its process. */
	bool is_open;
};

struct span {
	int64_t start_ns, duration_ns; /* duration >= 0 */
	uint32_t lane;                 /* from sink->lane */
	text_code name, category, path;
	int64_t size_bytes;
	int64_t calls; /* 1; more for a record that stands for many calls */
	struct span_order order;
	/* of such a record; NULL: the calls took the duration, no more is known */
	const struct call_totals *totals;
	bool is_unfinished; /* its end was not recorded: it lasts until the trace's last time */
	const struct arg *args;
	size_t n_args;
};

/* clang-format off */
/* Members of a span that are gathered into columns alike (column/encode/block.c) and read back alike from the Chrome traces that lanescope
 * writes (import/import_chrome_own.c): FIELD_x of the registry (column/encode/registry.h), the column's name, the member, what it is where
 * the span has none. */
#define SPAN_NUMBERS(NUMBER) \
	NUMBER(SIZE, "size", size_bytes, SIZE_NONE) \
	NUMBER(CALLS, "calls", calls, 1) \
	NUMBER(UNFINISHED, "unfinished", is_unfinished, 0)
/* clang-format on */

struct event {
	int64_t time_ns;
	uint32_t lane;
	text_code name, category;
	const struct arg *args;
	size_t n_args;
};

struct counter {
	int64_t time_ns;
	uint32_t lane;
	text_code name; /* "cpu.user_pct" */
	double value;
	const struct arg *args;
	size_t n_args;
};

/* A unit of work. Missing times are TIME_NONE. The key is its identity across runs. */
struct task {
	text_code key, name, kind; /* kind: the name without indices and hashes ("retrieve") */
	uint32_t lane;             /* LANE_NONE if it never reached one */
	text_code worker;          /* as spelt in the trace */
	int64_t planned, enqueued, started, loaded, computed, published, finished, completed;
	/* Times recorded as floating point: kept as they were (else NaN), as analyses need every
	 * digit. */
	double recorded_start, recorded_duration;
	int64_t size_bytes; /* of its result, SIZE_NONE if not known */
};

struct transfer {
	text_code name;           /* of the data set */
	uint32_t lane;            /* target lane or LANE_NONE */
	text_code source, target; /* hosts or workers as spelt */
	text_code mode;           /* local, remote, redundant or TEXT_NONE */
	int64_t planned, started, loaded, received, unloaded, finished, completed;
	int64_t size_bytes;
};

struct dependency { /* between tasks by key, or between spans by ordinal */
	enum { DEPENDENCY_TASK, DEPENDENCY_SPAN } type;
	text_code from_key, to_key; /* tasks */
	uint64_t from_span,
	    to_span; /* ordinals as counted by the importer: n-th span given to the sink */
	text_code name;
};

struct capacity {
	int64_t time_ns;
	text_code group; /* zone or cluster */
	int64_t nodes;
};

struct preemption {
	int64_t time_ns;
	text_code group;
	int64_t nodes; /* taken away (negative: added) */
};

struct trial {
	text_code name, path;
};

struct sample {
	uint32_t trial; /* from sink->trial */
	text_code name;
	const double *values; /* lent */
	size_t n_values;
	text_code type; /* "float64", "int64", ... as stored in the input */
};

/* An experiment parameter or a fact about the run, a host, a process. */
struct tag {
	text_code scope; /* TEXT_NONE: the run; else "host x", "process 12", ... */
	text_code key, value;
};
/* The scope of what people say of the run, as opposed to its traces. */
#define TAG_SCOPE_GIVEN "given"

/* Something in the input that was skipped or looks wrong. */
enum problem_kind {
	PROBLEM_MALFORMED, /* not parseable: the record is lost */
	PROBLEM_INVALID,   /* parseable, but its values make no sense: the record is lost */
	PROBLEM_DUPLICATE, /* stands twice where it may stand once */
	PROBLEM_TRUNCATED, /* the file ends early */
	PROBLEM_MISSING,   /* something expected is not there: a rank, a process's end, a file */
	PROBLEM_SUSPICIOUS /* kept, but the reader should know */
};
#define PROBLEM_KINDS 6
const char *problem_kind_name(enum problem_kind kind); /* "malformed", ... */

struct problem {
	enum problem_kind kind;
	uint64_t record;      /* line or record number, from 1; 0: the whole source */
	uint64_t offset;      /* byte offset in the decompressed input */
	const char *reason;   /* one sentence, lent */
	struct slice excerpt; /* raw bytes, the store escapes and cuts; may be empty */
};
#endif
