/*
 * Writing a run file: a temporary file beside its place (.NAME.lanes.HOST-PID-RANDOM.tmp), no
 * journal, no locks, fsync, rename, fsync of the folder. Texts and lanes are the run's codes; times
 * are from the run's start.
 *
 * Column bytes go in first, in any order (their ids follow from source, kind, sequence and field,
 * not from the order of arrival); everything else comes at the end, in order.
 * Used by ingest.
 */
#ifndef LANESCOPE_STORE_WRITER_H
#define LANESCOPE_STORE_WRITER_H

#include "column/encode/block.h"
#include "column/finish/tile.h"
#include "model/sink.h"
#include "util/err.h"
#include "util/file_facts.h"

struct writer;
/* Removes litter of this file's earlier imports first: temporary files of this host's dead
 * processes, or older than a day. NULL if the folder isn't there or can't be written (ERR_SYSTEM),
 * or if something other than a run file or an empty file is at path (ERR_USAGE). */
struct writer *writer_new(const char *path, struct err *err);

/* Id that the bytes of a column will have: deterministic. `nth`: index of the column in its block
 * as first written (finishing columns: BLOCK_COLUMNS + field). 0: more sources (4 M), blocks (64 M)
 * or columns (8190) than there are ids for; writer_blob refuses it. */
int64_t writer_blob_id(uint32_t source, enum block_kind kind, uint32_t sequence, uint32_t nth);
int writer_blob(struct writer *writer, int64_t blob_id, struct slice bytes, struct err *err);

struct writer_run {
	const char *name, *format, *dialect;
	const char *grouping; /* why the sources are one run; NULL: nobody asked */
	enum clock_type clock;
	int64_t start_ns, duration_ns;
	int64_t wall_start_ns; /* since 1970; TIME_NONE: not told */
	int64_t tile_base_ns;
	unsigned tile_levels;
	const char *identity; /* 32 hexadecimal digits; NULL: none */
};
struct writer_source {
	const char *path, *dialect;
	int64_t raw_bytes, plain_bytes;
	struct source_facts facts;
	int64_t n_spans, n_events, n_counters, n_problems;
	unsigned members;
	bool truncated;
	const char *digest, *place;    /* may be NULL */
	const struct file_facts *file; /* NULL: it was none */
	const uint32_t *texts, *lanes; /* maps: source's codes -> run's codes */
	uint32_t n_texts, n_lanes;
};
int writer_set_run(struct writer *writer, const struct writer_run *run, struct err *err);
/* Ids are given by the order of calls: sources, texts, lanes, keys from 0; the rest from 1. Texts
 * go before the lanes that name them. */
int writer_source(struct writer *writer, const struct writer_source *source, struct err *err);
int writer_text(struct writer *writer, struct slice text, struct err *err);
int writer_key(struct writer *writer, struct slice name, struct err *err);
int writer_lane(struct writer *writer, const struct lane *lane, struct err *err);
int writer_block(
    struct writer *writer, const struct block_info *block,
    struct err *
	/* in the order of first_id within a kind; all columns known, fields in run keys, times from
	 * the run's start */
	err);
int writer_tile(struct writer *writer, const struct tile_chunk *chunk, struct err *err);
int writer_task(struct writer *writer, uint32_t source, const struct task *task, struct err *err);
int writer_transfer(struct writer *writer, uint32_t source, const struct transfer *transfer,
                    struct err *err);
/* from and to: ids of tasks or spans. */
int writer_dependency(struct writer *writer, bool is_span, int64_t from, int64_t to, uint32_t name,
                      struct err *err);
int writer_capacity(struct writer *writer, uint32_t source, const struct capacity *capacity,
                    struct err *err);
int writer_preemption(struct writer *writer, uint32_t source, const struct preemption *preemption,
                      struct err *err);
int writer_trial(struct writer *writer, uint32_t source, const struct trial *trial,
                 struct err *err);
int writer_sample(struct writer *writer, const struct sample *sample,
                  struct err *err); /* trial: run-wide id from 1 */
int writer_tag(struct writer *writer, const struct tag *tag, struct err *err);
int writer_problem(struct writer *writer, int64_t source /* -1: the run */,
                   const struct problem *problem, struct err *err);
/* What the run is of, for who merges it with others; once, or never: then nobody can. Bytes that
 * are kept of its sources go the way of columns. */
int writer_kept(struct writer *writer, struct slice about, struct err *err);

/* Who decides when something is at the run's place, which may have come there while it was
 * written. */
struct writer_placing {
	void *user;
	/* Where to put the run instead (new text, in the same folder); the same path: in the place
	 * of what is there. NULL: nowhere, which is an error if err says so. Asked again if
	 * something is there, too. */
	char *(*instead)(void *user, const char *path, struct err *err);
};
/* Creates indexes and views, checks counts, fills span_total by a scan of what was written, fsync,
 * gives the file its name. placing NULL: a run file or an empty file that is there is replaced.
 * Frees the writer in any case; on failure nothing is left but what was there before. */
int writer_finish(struct writer *writer, const struct writer_placing *placing,
                  const struct cancel *cancel, struct err *err);
void
writer_abort(struct writer *writer); /* instead: removes the temporary file, frees; takes NULL */

#endif
