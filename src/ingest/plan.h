/*
 * What the steps of the planning share. They go in this order:
 *
 *   find.c         paths -> files
 *   plan_look.c    what each file's first bytes tell; what can't be read
 *   plan_copies.c  files of the same content, of which one counts, and
 *   plan_begins.c  short files that hold the beginning of others
 *   plan_runs.c    files -> runs: folders, and what goes beside; problems to the runs they concern
 *   plan_jobs.c    the files of one folder -> jobs, by names and times, and by
 *   plan_claims.c  processes and ranks, which a job has once
 *   plan_parts.c   runs that stand one behind the other in the same files
 *   plan_names.c   names that are unique, and places
 *   plan_tags.c    what people say of the runs
 *   plan_file.c    all of it as a file, and back
 * Used by its room alone.
 */
#ifndef LANESCOPE_INGEST_PLAN_H
#define LANESCOPE_INGEST_PLAN_H

#include "import/import.h"
#include "ingest/find.h"
#include "ingest/ingest.h"
#include "util/intern.h"
#include "util/tag_pattern.h"

struct part_about;

#define FILE_NONE SIZE_MAX
#define HEAD_BYTES ((size_t)64 << 10)
/* Beginnings of 64 bytes, 256, ... 16 KiB have hashes, too. */
#define RUNGS 5u
#define RUNG_BYTES(rung) ((size_t)64 << 2 * (rung))

struct plan_file {
	const char *path;
	unsigned given;                     /* index of the path that led to it */
	bool named;                         /* it is that path */
	const struct import_format *format; /* NULL: of no run */
	enum import_grouping grouping;
	struct import_look look;
	uint32_t folder; /* in planning->folders */
	/* What tells copies: */
	uint64_t head_hash;
	size_t head_length; /* of the hash, at most HEAD_BYTES; 0: nothing was read */
	bool is_compressed, is_link;
	uint64_t device, inode, raw_size;
	uint64_t rung_hashes[RUNGS];
	size_t copy_of;           /* FILE_NONE: of none */
	uint64_t beginning_bytes; /* it holds only as many of copy_of; 0: all */
	struct opened_input opened;
};

/* What can't be read: it concerns the runs beside it. */
struct plan_trouble {
	const char *path, *reason;
	uint32_t folder; /* that it lies in */
	bool is_told;    /* as a failure of what was given */
	bool is_stray; /* it is no trace: it concerns only runs with files of names like its own */
};

/* A run on its way. */
struct run_draft {
	const struct import_format *format;
	const char *reason;
	struct slice label; /* of several runs of a folder: what tells this one; may be empty */
	unsigned n_jobs;    /* that the files of its folder make */
	/* of the runs that its files hold one behind the other, from 1; 0: the only one */
	unsigned part;
	const struct plan_part *records; /* of each file, if that */
	int64_t begin_ns;
	size_t *files;
	unsigned n_files, n_beside;
	size_t files_capacity;
	struct plan_problem *problems;
	unsigned n_problems;
	size_t problems_capacity;
	struct tag_list tags;
	bool fits_no_pattern;
};

/* Which drafts have files directly in a folder, and in it or below. */
struct folder_drafts {
	unsigned *direct, *below;
	size_t n_direct, n_below, direct_capacity, below_capacity;
};

struct planning {
	struct ingest_plans plans; /* first: what the caller sees */
	struct arena *arena;
	const struct ingest_options *options;
	struct found_files found;
	struct plan_file *files; /* of found.files */
	size_t n_files;
	struct intern *folders;           /* real paths */
	struct intern *folder_spelling;   /* as they were spelled */
	struct intern *trouble_sentences; /* what stands in troubles, each once */
	uint32_t *folder_of_spelling;
	size_t spelling_capacity;
	struct plan_trouble *troubles;
	size_t n_troubles, troubles_capacity;
	struct run_draft *drafts;
	unsigned n_drafts;
	size_t drafts_capacity;
	struct folder_drafts *in_folder; /* by id of folders */
	size_t in_folder_capacity;
	size_t skipped_capacity, failed_capacity;
	/* by index of a path given: its files were there already, or it has failed */
	bool *is_settled;
	struct part_about *read; /* of each plan, where they come from a file */
};

/* Why files are one run that only people say are one. */
#define GROUPING_ASKED "one run was asked for"

/* Zeroed but for what all steps need; for ingest_plans_free. The options are lent. */
struct planning *plan_new(const struct ingest_options *options);
/* Can a run be called so? */
bool plan_is_name(const char *name);
/* planning.c: "path: reason" for the user. */
void plan_skip(struct planning *planning, const char *path, const char *reason);
void plan_fail(struct planning *planning, const char *path, const char *reason);
/* is_told: as a failure, too. */
void plan_trouble(struct planning *planning, const char *path, const char *reason, bool is_told);
/* What is no trace, which was told already, but may have been meant to be one of a run's. */
void plan_stray(struct planning *planning, const char *path, const char *reason);
/* Bytes of a path's folder, without the last "/"; 0: it has none. */
size_t plan_folder_length(const char *path, size_t length);
/* The id of the folder a path lies in: one, however it is spelled. */
uint32_t plan_folder(struct planning *planning, const char *path);
struct run_draft *plan_draft(struct planning *planning, const struct import_format *format,
                             const char *reason);
void plan_draft_add(struct run_draft *draft, size_t file);
/* Up to a number of them, of which the last says that there are more. */
void plan_problem(struct planning *planning, unsigned draft, enum problem_kind kind,
                  const char *reason);
/* plan_alike.c: is the path named as those of a run's files are? */
bool plan_is_alike(const struct planning *planning, const struct run_draft *draft,
                   const char *path);

/* Is it gone once it was read: standard input, a pipe? */
bool plan_reads_once(const char *path);
int plan_look(struct planning *planning, struct err *err);
int plan_copies(struct planning *planning, struct err *err);
int plan_begins(struct planning *planning, struct err *err);
/* Makes `file` a copy of `whole` if it holds the beginning of it, and lies where that makes it
 * one. */
void plan_settle_beginning(struct planning *planning, size_t file, size_t whole);
void plan_runs(struct planning *planning);
/* Makes drafts of n files of one folder, or of one tree, and one format. where: "folder x". */
void plan_jobs(struct planning *planning, const size_t *files, size_t n, const char *where);
/* Divides drafts whose files hold several runs. */
int plan_parts(struct planning *planning, struct err *err);
/* Names and places of the plans, which are in the order of drafts. */
void plan_names(struct planning *planning);
/* Places alone. */
void plan_place(struct planning *planning);
/* Bytes of the folder that all paths of a plan share as they are spelled, "/" included. */
size_t plan_shared_folder(const struct ingest_plan *plan);
/* What people say of the runs; paths: those given. -1: options that can't be. */
int plan_tags(struct planning *planning, const char *const *paths, struct err *err);

#endif
