/*
 * Parts of a run: what an import made of some of its sources, in files of their own (store/part.h),
 * made on whatever machine, and put together to the run that one import of all sources makes.
 * Private to src/ingest.
 *
 *   part_plan.c   what a part is of, as bytes
 *   part_make.c   the part as a whole: an import without its end
 *   part_keep.c   a source that was read -> the part, or the run file, which is one part of itself
 *   part_load.c   a source out of a part, in place of reading it
 *   part_merge.c  parts -> the plan of their run
 *   part_join.c   parts of several runs, run files, traces -> the plan of one run
 * Used by its room alone.
 */
#ifndef LANESCOPE_INGEST_PART_H
#define LANESCOPE_INGEST_PART_H

#include "ingest/run.h"
#include "store/part.h"
#include "util/pack.h"

/* Where a piece of what is known of a source stands. */
#define PART_PIECES ((enum block_kind)BLOCK_KINDS)
static inline int64_t
part_piece_id(uint32_t source, uint32_t nth)
{
	return writer_blob_id(source, PART_PIECES, nth, 0);
}

/* And its digest and the number of its samples, three numbers of 64 bits. */
static inline int64_t
part_digest_id(uint32_t source)
{
	return writer_blob_id(source, PART_PIECES, 0, 1);
}

/* Parts are read by the version that made them. */
#define PART_MADE_BY (PACKAGE_NAME " " PACKAGE_VERSION)

/* Of a hostile number of sources no table is made: a part has ids for no more (store/writer.h). */
#define PART_SOURCES_MAX (UINT32_C(1) << 22)

/* A source that a part holds, by its place in the plan, and how it was when the plan was made. */
struct held_source {
	uint32_t index;
	const char *path;
	int64_t size_bytes, modified_ns; /* -1: it was not there */
	struct plan_part records;
};

/* What a part is of: of the plan what is common to its sources, and of those that it holds which
 * they are, so that many parts of many sources are no larger than few. Zero-initialise. */
struct part_about {
	const char *made_by;             /* name and version of the program */
	struct ingest_plan plan;         /* read: without paths and parts; problems: in part 1 */
	struct digest_value plan_digest; /* of all of it, sizes and times of its files, too */
	bool lenient, is_forced;         /* as in ingest_options: format */
	bool has_records;                /* its sources are read from a record to another */
	uint32_t of;                     /* into how many parts it was divided */
	uint32_t *numbers;               /* which of them this is, ascending */
	struct held_source *held;        /* ascending */
	struct tag_list tags;
	size_t n_numbers, n_held, numbers_capacity, held_capacity;
	struct arena *arena; /* of what is read; lent */
};
/* Of a plan, whose sources are shared out among the parts by their size. Borrows the plan. */
void part_about_make(struct part_about *about, const struct ingest_plan *plan,
                     const struct ingest_options *options, struct part_number number);
/* Of a run that was read, which is the only part of itself. Borrows its plan. */
void part_about_make_run(struct part_about *about, const struct run *run);
void part_about_write(struct part_about *about, struct strbuf *out);
/* Texts go to the arena. Errors name the path. */
int part_about_read(struct part_about *about, struct slice bytes, const char *path,
                    struct arena *arena, struct err *err);
void part_about_free(struct part_about *about);

/* Are all files of the plan such as can be read by whoever makes a part? */
int part_check_files(const struct ingest_plan *plan, struct err *err);
/* The part itself, of those sources of a plan that about holds. As ingest_part otherwise. */
int part_make(const struct ingest_plan *plan, const char *path, struct part_about *about,
              const struct ingest_options *options, struct ingest_progress *progress,
              struct ingest_summary *summary, struct err *err);
/* Hands what is known of a source that was read over to the run's queue, behind its blocks. */
int part_keep_source(struct run *run, struct source *source, struct err *err);
/* A source as source_read leaves it, and its blocks to the run's queue. */
int part_load_source(struct run *run, struct source *source, const struct kept_source *kept,
                     const struct import_format *format, struct err *err);
/* What that left open, when all sources are read. */
void part_close_all(struct run *run);

#endif
