/*
 * Trace formats: a table of {sniff, read}. An importer knows its format, `struct input` and `struct
 * sink`, and nothing of SQLite. To add a format: one file import_<format>.c, one row in formats.c.
 */
#ifndef LANESCOPE_IMPORT_IMPORT_H
#define LANESCOPE_IMPORT_IMPORT_H

#include "input/input.h"
#include "model/sink.h"
#include "util/cancel.h"
#include "util/err.h"

enum import_grouping {
	GROUP_TOGETHER, /* files given together are one run */
	GROUP_EACH,     /* every file is a run of its own */
	GROUP_FOLDER,   /* so are files named together; of those found in folders only the ones of a
	                   folder, with what lies below it, are one run */
	GROUP_BESIDE /* files belong to each run of other formats given with them; alone they are one run */
};

struct number_set;

struct import_options {
	bool lenient; /* keep records that a strict reader drops (per format, see manual) */
	const struct cancel *cancel; /* may be NULL */
	size_t
	    folder_bytes; /* of the input's path: the folder, "/" included, that all files of the run share */
	/* Records that stand twice, by the numbers that problems have of them: they are passed over as if
	 * they were not there. NULL: none. */
	const struct number_set *omitted;
};

/* What tells a record apart from others, in few bytes: process and content are hashes. */
struct import_key {
	uint64_t process, id, content;
	uint64_t record, offset; /* as in problems */
	/* It has no id or no time, so others may be like it by chance: id and content are hashes of all of it. It is taken for a copy only
	 * where its source has copies of others, or what these are copies of. */
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
	/* May be NULL: what a file's name tells of the run that the file is of, an empty slice if nothing.
	 * *seconds: when it began (unix time), 0 if that is not told. Files that would be together are
	 * apart where these differ, the time by more than a minute. */
	struct slice (*run_of)(const char *file_name, int64_t *seconds);
	/* How sure this format is about the first bytes (decompressed): 0 not mine, 100 certain. Reads no
	 * more than head, which is empty for an empty file. file_name may help break ties only, and
	 * tell that an empty file is one of the format's.
	 * Negative: head ends before it can be told. It is asked again with more bytes, if there are;
	 * else SNIFF_UNDECIDED claims nothing, and -n as much as n, but behind all other formats. */
	int (*sniff)(struct slice head, const char *file_name);
	/* Reads one source into the sink. Bad records become problems; -1 only when the source can't be
	 * read at all (err set) or the sink or cancel stopped it. *facts: what conclude wants to know of
	 * this source (new, or NULL), freed by free_facts. */
	int (*read)(struct input *input, struct sink *sink, const struct import_options *options,
	            void **facts, struct err *err);
	/* May be NULL, for formats of CLOCK_STEADY. Called once for each run after all sources, in order:
	 * what makes the times of source i wall-clock times is offsets_ns[i], to be added. False: nothing
	 * tells, the times stay as they are. The sink takes problems. */
	bool (*align)(void *const *facts, size_t n_facts, struct sink *sink, int64_t *offsets_ns);
	/* May be NULL. Called once for each run after align, with all sources in order: finds what only shows over all
	 * of them (missing ranks, processes without an end), into a sink that takes problems and tags. */
	void (*conclude)(void *const *facts, size_t n_facts, struct sink *sink);
	/* May be NULL, for formats whose records have no ids. Called once all sources are read: can records stand twice, in one source
	 * or two, as far as the facts tell? Marks the sources that may hold such, and in their facts the processes. */
	bool (*repeats)(void *const *facts, size_t n_facts, bool *is_suspect);
	/* Reads a source again that repeats has marked, for the keys of its marked processes' records. */
	int (*read_keys)(struct input *input, const void *facts,
	                 const struct import_options *options,
	                 const struct import_key_receiver *receiver, struct err *err);
	void (*free_facts)(void *facts);
};

extern const struct import_format *const import_formats[]; /* NULL-terminated */
const struct import_format *import_find(const char *name); /* NULL if unknown */
/* Do their names tell that two files of a format are of different runs? */
bool import_other_run(const struct import_format *format, const char *one, const char *other);
/* The format of these bytes, NULL if none. */
const struct import_format *import_sniff(struct slice head, const char *file_name);
/* The format of what input holds, NULL if none; `only`: that one or none (NULL: any). Looks at as many bytes as it takes, within bounds, and
 * consumes none: *head, lent until the next call. -1: it can't be read. */
int import_recognise(struct input *input, const struct import_format *only,
                     const struct import_format **format, struct slice *head, struct err *err);

#endif
