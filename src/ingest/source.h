/* One source (file) of a run while it is decoded, and what is kept of it until the end. Private to
 * src/ingest.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_SOURCE_H
#define LANESCOPE_INGEST_SOURCE_H

#include "column/encode/block.h"
#include "import/import.h"
#include "ingest/early.h"
#include "ingest/lane_list.h"
#include "ingest/spool.h"

enum record_type {
	RECORD_TASK,
	RECORD_TRANSFER,
	RECORD_DEPENDENCY,
	RECORD_CAPACITY,
	RECORD_PREEMPTION,
	RECORD_TRIAL,
	RECORD_SAMPLE,
	RECORD_TAG,
	RECORD_PROBLEM
};

/* A problem as it stands in a spool; extra holds the reason's text, then the excerpt. */
struct kept_problem {
	enum problem_kind kind;
	uint64_t record, offset;
	size_t reason_bytes;
};
/* Appends one; returns nonzero with err set on failure. */
int problem_keep(struct spool *spool, const struct problem *problem, struct err *err);
struct source;
/* What is found out about a source beside its records: one more problem of it, its reason as printf
 * writes it (within 1 KiB). As problem_keep. */
int source_tell(struct source *source, struct problem problem, struct err *err, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/* Visits it as a struct problem again. reason: memory for the call. */
void problem_restore(const struct kept_problem *kept, struct slice extra, struct strbuf *reason,
                     struct problem *problem);

/* (scope, symbol) by dense id: what it stands for here, and the code that stands for it. */
struct symbol {
	text_code definition; /* TEXT_NONE: not defined in this source */
	text_code code;       /* TEXT_NONE: not used in this source */
};

/* A code that was given out before its text was known, and the one that has that text. */
struct told_text {
	text_code code, text;
};

/* Figures that no record can have, left out of sums. */
struct implausible {
	uint64_t n;
	int64_t first; /* an example; and where it stands, as problems number records: */
	uint64_t first_record, first_offset;
};

/* A block as it is known after it was handed to the writer. */
struct kept_block {
	struct block_info info;
	uint64_t arrival; /* how many blocks of the source came before, of all kinds */
	uint64_t first_ordinal;
	bool has_ordinals; /* n_rows of them at `ordinals` */
	struct spill_place ordinals;
	/* as in struct block: what the finishing pass needs of its spans is at `keys` */
	bool is_open;
	struct spill_place keys;
	/* where the sources become a part: the order of its spans' begins and ends, if it has any
	 * */
	bool has_orders;
	struct spill_place orders;
};

/* What a source has come to since it was told last. */
struct source_tick {
	uint64_t records, problems, raw_bytes;
	uint64_t waited_ns; /* for storage that is far away */
};

/* Where a decoded source goes; the decoder borrows it. */
struct source_target {
	void *user;
	bool read_ahead;             /* there are more cores than sources */
	struct spill *spill, *texts; /* of records, and of texts */
	struct early_look *early;    /* NULL: nobody looks meanwhile */
	/* Takes the block; keys as block_receiver. Nonzero stops (err set). */
	int (*block)(void *user, struct block *block, const struct span_key *keys, struct err *err);
	/* The same of a block that source->blocks has already, whose columns know their places. */
	int (*pass)(void *user, struct block *block, const struct span_key *keys, struct err *err);
	/* Now and then while reading; nonzero stops (err set). */
	int (*tick)(void *user, const struct source_tick *tick, struct err *err);
};

struct source {
	uint32_t index;
	const char *path;
	const struct source_target *target;
	struct input *input;
	const struct sink *sink; /* while it is read */

	/* In the order of first appearance here; freed once they are part of the run's. */
	struct intern *texts, *keys;
	struct intern *scopes;  /* scope and symbol as one key; see symbol_key */
	struct symbol *symbols; /* by id in scopes */
	size_t n_symbols, symbols_capacity;
	size_t n_untold;              /* texts that are to be told later */
	struct told_text *told_texts; /* those that another code stands for, too */
	size_t n_told_texts, told_texts_capacity;
	text_code last_later;   /* which nothing has been called by yet; TEXT_NONE: none */
	struct lane_list lanes; /* until they are part of the run's */

	struct block_builder *builders[BLOCK_KINDS];
	struct kept_block *blocks[BLOCK_KINDS];
	size_t n_blocks[BLOCK_KINDS], blocks_capacity[BLOCK_KINDS];
	struct spool records, dependencies, problems;

	struct source_facts facts;
	void *format_facts;
	int64_t time_min, time_max; /* of everything timed; min > max: nothing is */
	int64_t shift_ns;           /* to be added to all of its times */
	uint64_t n_rows[BLOCK_KINDS], n_tasks, n_transfers, n_trials, n_span_dependencies;
	uint64_t n_problems; /* all, of which the first are in `problems` */
	uint64_t n_untimely; /* records dropped because of impossible times */
	struct implausible implausible_sizes, implausible_durations;
	uint64_t raw_bytes, plain_bytes;
	unsigned members;
	bool truncated, truncation_told;
	struct digest_value digest; /* of the raw bytes */
	char *place;                /* full path; NULL: not known */
	bool is_file;
	struct file_facts file; /* where it is one */
	bool is_forced;         /* set by who reads: the user named the format */
	bool is_foreign;        /* and it does not look like it, nor gave a record */
	bool is_lost;           /* it could not be read at all: err tells why */
	bool is_loaded;         /* from a part: its dialect is its own */
	bool is_unread;         /* the system did not give all of it, and might another time */
	char first_reason[160]; /* of its problems; "": none */

	/* Since the last tick. */
	uint64_t new_records, new_problems;
	uint64_t told_raw, told_waited_ns; /* until then */
	struct early_source early;
	int64_t early_told_ns; /* when it was handed on, by clock_ns */

	bool failed;
	struct err err; /* why, if failed, or could not be read (to its end) */

	/* Maps from codes here to the run's, filled by merge.c. */
	uint32_t *text_map, *key_map, *lane_map;
	uint32_t n_texts, n_keys, n_lanes;
	struct pending_symbol *pending;
	size_t n_pending, pending_capacity;
	uint64_t n_unresolved;
};

void source_init(struct source *source, uint32_t index, const char *path,
                 const struct source_target *target);
/* Tells the target of what is new; is_end: for the last time. Nonzero: it wants no more (err set).
 */
int source_tick(struct source *source, bool is_end, struct err *err);
/* Reads the whole source. opened: an input to go on with (taken), or NULL. 0 or -1. */
int source_read(struct source *source, const struct import_format *format,
                const struct import_options *options, struct input *opened, struct err *err);
/* The same for records that make speaks into the sink: no bytes are read, the digest is that of
 * what is told of them. */
int source_make(struct source *source, struct slice told,
                int (*make)(void *user, struct sink *sink, struct err *err), void *user,
                struct err *err);
/* Frees the dictionaries, which the run has by now. */
void source_forget_texts(struct source *source);
/* Frees all that is known of it, what its format knows among it. */
void source_forget(struct source *source, const struct import_format *format);

/* Sizes of a call (256 TiB) and durations (36 years) beyond these are mistakes of who wrote the
 * trace: a sum with one of them says nothing. */
#define SOURCE_SIZE_LIMIT (INT64_C(1) << 48)
#define SOURCE_DURATION_LIMIT (INT64_C(1) << 60)

/* The sink of a source. */
void source_sink(struct source *source, struct sink *sink);
/* Problems, those beyond PROBLEM_ROWS counted only. */
#define PROBLEM_ROWS 10000u

struct slice symbol_of_key(struct slice key);

#endif
