/*
 * From trace files to run files: finds files, recognises formats, groups them into runs, decodes on
 * all cores, feeds one writer through bounded queues, resolves texts over all sources, runs the
 * finishing pass. Peak memory does not grow with the input.
 * Used by cli.
 */
#ifndef LANESCOPE_INGEST_INGEST_H
#define LANESCOPE_INGEST_INGEST_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/model.h"
#include "util/cancel.h"
#include "util/digest.h"
#include "util/err.h"
#include "util/slice.h"
#include "util/tag_list.h"

struct input;
struct held_source;

/* Beside traces: tags of all that lie in its folder and below. */
#define INGEST_TAG_FILE "lanescope.tags"

struct ingest_options {
	const char *out;    /* run file, or folder for run files; NULL: the current folder */
	const char *name;   /* of the run; NULL: from the files */
	const char *format; /* NULL: by content */
	bool each;          /* every file a run of its own */
	bool one;           /* all files of a format one run, whatever they tell */
	bool lenient;
	bool is_part;                /* parts are made: the place does not name the run */
	unsigned n_threads;          /* 0: all cores */
	const struct tag_list *tags; /* of every run; NULL: none */
	const char *const *patterns; /* of paths that tell tags (util/tag_pattern.h) */
	size_t n_patterns;
	enum ingest_clash {
		/* it stays: another name is taken (NAME-2), or refused where `out` names the
		 * file */
		CLASH_KEEP,
		/* the cache: a whole run of the same identity is taken, anything else replaced */
		CLASH_SHARE,
		CLASH_REPLACE, /* a run file is replaced, whatever it holds */
	} clash;               /* when there is a run at the place already */
	const struct cancel *cancel;
};

/* What was found wrong about a run's files before they were read. */
struct plan_problem {
	enum problem_kind kind;
	const char *reason;
};

/* Of a file that holds several runs: the records of one, from the first to before the end; 0: to
 * the file's. */
struct plan_part {
	uint64_t first, end;
};

/* What can be read only once (standard input, a pipe) stays open after it was recognised, and
 * ingest_run takes it. NULL: a file. */
struct opened_input {
	struct input *input;
};

/* Where a part, or a run, holds what was read of a source. */
struct kept_source {
	const char *part;      /* the file; NULL: it is read */
	uint32_t index;        /* the source's there */
	uint64_t first_sample; /* of a run's samples the source's first, from 0 */
};

/* One run to be: what to read, where to write. */
struct ingest_plan {
	const char *format, *name, *out_path;
	const char *grouping; /* why these files are one run, a clause; NULL: nobody asked */
	bool is_folder;       /* as they are all of their format in a folder */
	const char **paths;
	unsigned n_paths;
	size_t folder_bytes; /* of each path: the folder, "/" included, that all share */
	const char *beside;  /* format of the last n_beside paths, if that is another */
	unsigned n_beside;
	struct plan_problem *problems;
	unsigned n_problems;
	const struct plan_part *parts;  /* of each path; NULL: all of them are read whole */
	const struct kept_source *kept; /* of each path; NULL: all are read */
	bool must_compare; /* no run where records may stand twice and can't be compared */
	struct opened_input **opened; /* of each path; NULL: all are opened by ingest_run */
	/* of each path how its file was when the plan was made, which a file holds; NULL: as it is
	 * now */
	const struct held_source *as_planned;
	const struct tag_list *tags; /* that people give it; NULL: none */
	bool fits_no_pattern;        /* of options->patterns, though there are some */
};
struct ingest_plans {
	struct ingest_plan *plans;
	unsigned n_plans;
	const char **skipped; /* found in folders, but of no run, "path: reason" */
	unsigned n_skipped;
	const char **failed; /* paths given that lead to no run, "path: reason" */
	unsigned n_failed;
	const char *folder;  /* of the run files, to be made first; NULL: it is there */
	const char *refusal; /* why options->out can't take these runs; NULL: it can */
};
/* Files, folders (searched, sorted by name with numbers in numeric order; side files and run files
 * passed over) and "-". What is one run is told by folders and by what the files' first bytes say
 * (lanescope-formats(5)); only files that may be copies of others are read further. NULL with err
 * set: nothing at all can be imported. Names are unique. A place that ends in "/" is a folder, and
 * so is, for several runs, one that is not there and has no ending of run files: nothing is made
 * here, but it is said in `folder`. */
struct ingest_plans *ingest_plan(const char *const *paths, unsigned n_paths,
                                 const struct ingest_options *options, struct err *err);
void ingest_plans_free(struct ingest_plans *plans);

/* A plan that is made once, for all who make parts of its runs: as a file. It takes the place of
 * another plan, of nothing else. */
int ingest_plans_write(const struct ingest_plans *plans, const struct ingest_options *options,
                       const char *path, struct err *err);
/* The same plans for ingest_part, which then looks at no other file than the part's, and refuses
 * one that has changed since. Of the options `out` counts; those by which the plan was made become
 * its own. NULL with err set: it is no plan, damaged, or another version's. */
struct ingest_plans *ingest_plans_read(const char *path, struct ingest_options *options,
                                       struct err *err);

/* Counters that ingest_run updates while it works; any thread may read them. */
struct ingest_progress {
	atomic_uint_fast64_t raw_bytes, raw_total; /* of the input files; total 0 if unknown */
	atomic_uint_fast64_t records;
	atomic_int phase; /* enum ingest_phase */
	atomic_uint_fast64_t problems;
	struct early_look *early; /* is told what was read, too; lent. NULL: nobody wants to know */
};
enum ingest_phase { INGEST_READING, INGEST_FINISHING, INGEST_DONE };

struct ingest_summary {
	uint64_t sources, records, spans, events, counters, tasks, transfers, problems, bad_records;
	uint64_t raw_bytes, plain_bytes, run_bytes;
	double seconds;
	bool is_held; /* nothing was written: the file holds these sources, unchanged, already */
	char out_path[512]; /* where the run is; no run file has a longer name */
};
/* Imports one plan. On failure or cancel no file is left. Whether the place holds the same run
 * already is told by the identity, and before anything is imported; sources are read for that only
 * where size, times or inode have changed. progress and summary may be NULL. */
int ingest_run(const struct ingest_plan *plan, const struct ingest_options *options,
               struct ingest_progress *progress, struct ingest_summary *summary, struct err *err);

/* One of several parts of a run, from 1. */
struct part_number {
	uint32_t nth, of;
};
#define INGEST_PART_ENDING ".part"
#define INGEST_PARTS_MAX 65536u
/* Where a plan's part goes if nothing else is said: "runs/f4.3-of-16.part". New text. */
char *ingest_part_path(const struct ingest_plan *plan, struct part_number number);
/* Imports the sources of a plan that are that part's, and keeps them in the file at path. A part
 * that is there already, of the same plan and of unchanged files, is left (summary->is_held). As
 * ingest_run otherwise; but clash: CLASH_REPLACE makes it anew. */
int ingest_part(const struct ingest_plan *plan, const char *path, struct part_number number,
                const struct ingest_options *options, struct ingest_progress *progress,
                struct ingest_summary *summary, struct err *err);

/* What tells the parts of a plan that is divided into so many, and of its files as they are now. */
struct part_mark {
	struct digest_value plan;
	uint32_t of;
};
struct part_mark ingest_part_mark(const struct ingest_plan *plan,
                                  const struct ingest_options *options, uint32_t of);
/* Is the nth part there? It is not read whole. */
bool ingest_part_is_there(const char *path, const struct part_mark *mark, uint32_t nth);
/* Does the run's place hold it already, as ingest_run would find? */
bool ingest_is_held(const struct ingest_plan *plan, const struct ingest_options *options);

/* Parts that are put together: the plan of their run. */
struct ingest_merge;
/* The parts of one run, all of them, each once; or (joins) of several, whose sources become one run
 * then. Run files, each a run of its own that is one with them then, and traces. */
struct ingest_merging {
	const char *const *parts; /* and run files */
	size_t n_parts;
	const char *const *traces;
	unsigned n_traces;
	bool joins;
};
/* NULL with err set where one is missing, twice, damaged or of another version, or is no longer
 * what it was: it says which, and nothing is written. name: of the run; out: the run file. All are
 * lent until the merge is freed. */
struct ingest_merge *ingest_merge_new(const struct ingest_merging *of, const char *name,
                                      const char *out, const struct cancel *cancel,
                                      struct err *err);
/* For ingest_run, with these options; of them lenient and format are the parts'. */
const struct ingest_plan *ingest_merge_plan(const struct ingest_merge *merge,
                                            struct ingest_options *options);
void ingest_merge_free(struct ingest_merge *merge); /* takes NULL */
/* Some parts of one run become one part, to be put together with the others later. As ingest_part
 * otherwise. */
int ingest_merge_part(const char *const *parts, size_t n, const char *path,
                      struct ingest_options *options, struct ingest_progress *progress,
                      struct ingest_summary *summary, struct err *err);

struct sink;
/* A run that no trace holds: make speaks its only source into the sink, on a thread of its own.
 * Returns 0; -1 with err set, or once the sink wants no more. */
struct ingest_maker {
	const char *format, *source; /* of the run; what stands where a file's path would */
	int (*make)(void *user, struct sink *sink, struct err *err);
	void *user;
	/* what tells this run apart from others of the maker's: stands for the source's bytes */
	struct slice told;
};
/* Writes it to options->out (a file) under options->name. */
int ingest_make(const struct ingest_maker *maker, const struct ingest_options *options,
                struct ingest_summary *summary, struct err *err);

#endif
