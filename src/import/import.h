/*
 * Trace formats: a table of {sniff, read}. An importer knows its format, `struct input` and `struct
 * sink`, and nothing of SQLite. To add a format: one file import_<format>.c, one name in formats.h.
 * Used by cli, ingest.
 */
#ifndef LANESCOPE_IMPORT_IMPORT_H
#define LANESCOPE_IMPORT_IMPORT_H

#include "input/input.h"
#include "model/sink.h"
#include "util/cancel.h"
#include "util/err.h"
#include "util/mem.h"

/* Which files may be one run at all; what their heads tell (import_look) divides them further. */
enum import_grouping {
	GROUP_EACH,   /* every file by itself, but parts that know of each other (look->part) */
	GROUP_FOLDER, /* those of one folder, without what lies below it */
	GROUP_HOME,   /* those whose folders have one home (home_of), however files are asked for */
	GROUP_TREE,   /* those of the uppermost folder that holds one, with what lies below it */
	GROUP_BESIDE /* they belong to the runs of other formats in their folder, or in the next above it that holds some; alone they
	                are one run */
};

/* Where two files of the same content are the same data. */
enum import_copies {
	COPIES_ANYWHERE,
	COPIES_FOLDER, /* in one folder: the same may be given to several runs */
	/* In one folder, under one name but for the endings: names and folders tell what the
	 * content is. */
	COPIES_NAME
};

/* A process that a file's head speaks of. Texts are hashed. */
struct look_process {
	uint64_t host;       /* 0: not told */
	int64_t pid, parent; /* -1: not told */
	uint64_t start;      /* of all that its start record says; 0: none seen */
};
/* A record by what it may be only once in a job (its process and id; without ids, all it says), and
 * by all it says. */
struct look_record {
	uint64_t identity, content;
};
/* What the first bytes of a file, and its name, tell of the job it is of. */
struct import_look {
	struct slice job;  /* that must be the same for all files of a run; empty: nothing tells */
	uint64_t part;     /* of the job, which has it once; 0: nothing tells */
	const char *label; /* of that part, for messages */
	int64_t begin_ns;  /* since 1970; TIME_NONE: not told */
	int64_t apart_ns;  /* how far begins of one job may be apart; 0: a minute */
	int64_t rank, ranks; /* of how many; -1: not told */
	bool pids_may_be_ranks, records_lack_ids;
	uint64_t command,
	    kinds; /* what was called, hashed, 0: not told; a set of the kinds of records */
	struct look_process *processes;
	struct look_record *records; /* sorted by identity */
	unsigned n_processes, n_records;
};

struct number_set;
struct pack;

struct import_options {
	bool lenient; /* keep records that a strict reader drops (per format, see manual) */
	/* That this source may use, the calling one included. 0: as 1, and record by record even
	 * where many are read at once otherwise, which must come to the same. */
	unsigned n_threads;
	const struct cancel *cancel; /* may be NULL */
	/* of the input's path: the folder, "/" included, that all files of the run share */
	size_t folder_bytes;
	/* Records that stand twice, by the numbers that problems have of them: they are passed over
	 * as if they were not there. NULL: none. */
	const struct number_set *omitted;
	/* Only the records from this one to before that one, by their places: what the format's
	 * find_parts gave; 0: to the end. */
	uint64_t first_record, end_record;
};
static inline bool
import_is_wanted(const struct import_options *options, uint64_t place)
{
	return !options || (place >= options->first_record &&
	                    (options->end_record == 0 || place < options->end_record));
}

/* Where the second run of a source begins, the third ...; or might begin. */
struct import_part {
	uint64_t first;     /* place of its first record, as import_is_wanted takes it */
	uint64_t record;    /* the same, as problems number records */
	const char *reason; /* what is so there, static text */
	bool is_certain;
	double before,
	    /* between which nothing is recorded, by the clock of the source's host; else 0 */
	    after;
};
struct import_parts {
	struct import_part *parts;
	size_t n, capacity;
};
void import_parts_add(struct import_parts *parts, const struct import_part *part);
void import_parts_clear(struct import_parts *parts);
void import_parts_free(struct import_parts *parts);

/* What tells a record apart from others, in few bytes: process and content are hashes. */
struct import_key {
	uint64_t process, id, content;
	uint64_t record, offset; /* as in problems */
	/* It has no id or no time, so others may be like it by chance: id and content are hashes of
	 * all of it. It is taken for a copy only where its source has copies of others, or what
	 * these are copies of. */
	bool is_weak;
};
struct import_key_receiver {
	void *user;
	int (*key)(void *user, const struct import_key *key, struct err *err); /* nonzero stops */
};

#define SNIFF_UNDECIDED (-1)

struct import_format {
	const char *name;    /* "dftracer" */
	const char *summary; /* one line for --help */
	enum import_grouping grouping;
	/* May be NULL: the grouping of this file, where the files of a format differ in it. */
	enum import_grouping (*group_of)(struct slice head, const char *file_name);
	/* For GROUP_HOME: how many bytes of a file's folder (a real path) are the folder that its
	 * run is of. */
	size_t (*home_of)(const char *folder);
	/* May be NULL: fills *look, which begins as if nothing were told, from the first bytes
	 * (decompressed) and the name. What it points to is from the arena, or static. */
	void (*look)(struct slice head, const char *file_name, struct arena *arena,
	             struct import_look *look);
	enum import_copies copies;
	/* How sure this format is about the first bytes (decompressed): 0 not mine, 100 certain.
	 * Reads no more than head, which is empty for an empty file. file_name may help break ties
	 * only, and tell that an empty file is one of the format's. Negative: head ends before it
	 * can be told. It is asked again with more bytes, if there are; else SNIFF_UNDECIDED claims
	 * nothing, and -n as much as n, but behind all other formats. */
	int (*sniff)(struct slice head, const char *file_name);
	/* Reads one source into the sink. Bad records become problems; -1 only when the source
	 * can't be read at all (err set) or the sink or cancel stopped it. *facts: what conclude
	 * wants to know of this source (new, or NULL), freed by free_facts. */
	int (*read)(struct input *input, struct sink *sink, const struct import_options *options,
	            void **facts, struct err *err);
	/* May be NULL, for formats whose sources may hold several runs one behind the other: finds
	 * where each but the first begins, and where one might. -1: it can't be read, or was
	 * cancelled. */
	int (*find_parts)(struct input *input, const struct cancel *cancel,
	                  struct import_parts *parts, struct err *err);
	/* May be NULL, for formats of CLOCK_STEADY. Called once for each run after all sources, in
	 * order: what makes the times of source i wall-clock times is offsets_ns[i], to be added.
	 * False: nothing tells, the times stay as they are. The sink takes problems. */
	bool (*align)(void *const *facts, size_t n_facts, struct sink *sink, int64_t *offsets_ns);
	/* May be NULL. Called once for each run after align, with all sources in order: finds what
	 * only shows over all of them (missing ranks, processes without an end), into a sink that
	 * takes problems and tags. */
	void (*conclude)(void *const *facts, size_t n_facts, struct sink *sink);
	/* May be NULL, for formats whose records have no ids. Called once all sources are read: can
	 * records stand twice, in one source or two, as far as the facts tell? Marks the sources
	 * that may hold such, and in their facts the processes. */
	bool (*repeats)(void *const *facts, size_t n_facts, bool *is_suspect);
	/* Reads a source again that repeats has marked, for the keys of its marked processes'
	 * records. */
	int (*read_keys)(struct input *input, const void *facts,
	                 const struct import_options *options,
	                 const struct import_key_receiver *receiver, struct err *err);
	/* Of formats that have facts: to bytes, or (where *facts is NULL) back, as far as align,
	 * conclude, repeats and read_keys ask for them. */
	void (*pack_facts)(struct pack *pack, void **facts);
	void (*free_facts)(void *facts);
};

extern const struct import_format *const import_formats[]; /* NULL-terminated */
const struct import_format *import_find(const char *name); /* NULL if unknown */
/* The format of these bytes, NULL if none. */
const struct import_format *import_sniff(struct slice head, const char *file_name);
/* The format of what input holds, NULL if none; `only`: that one or none (NULL: any). Looks at as
 * many bytes as it takes, within bounds, and consumes none: *head, lent until the next call. -1: it
 * can't be read. */
int import_recognise(struct input *input, const struct import_format *only,
                     const struct import_format **format, struct slice *head, struct err *err);

#endif
