/* An import on its way. Private to src/ingest.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_RUN_H
#define LANESCOPE_INGEST_RUN_H

#include <pthread.h>
#include "column/finish/finish.h"
#include "ingest/ingest.h"
#include "ingest/merge.h"
#include "ingest/place.h"
#include "ingest/repeats.h"
#include "store/writer.h"
#include "util/workers.h"

/* Parts that stay open while sources are loaded from them, at most: opening one costs as much as
 * loading a small source. */
#define OPEN_PARTS 128
struct open_part {
	const char *path;
	struct part_reader *reader;
};

struct run {
	const struct ingest_plan *plan;
	const struct ingest_options *options;
	struct ingest_progress *progress; /* never NULL */
	const struct import_format *format;
	const bool *held; /* of each source: a part is made of those; NULL: a run of all */
	bool keeps;       /* what makes the run one that others can be merged with */
	const struct ingest_maker *maker; /* of the only source; NULL: sources are read */
	struct repeats *repeats; /* records that stand twice; any: found in another reading */
	struct source *sources;
	uint32_t n_sources;
	struct source_target target;
	struct spill *spill, *texts; /* of records, and of the dictionaries' texts */
	struct finish *finish;
	struct writer *writer;
	struct run_place place; /* of the run file */
	struct queue *queue;    /* of struct block */
	unsigned n_threads;

	atomic_uint next_source, n_decoding;
	atomic_bool stop;
	/* guards merge, n_merged, is_read, failed_source, err, open_parts, decoders, waits */
	pthread_mutex_t lock;
	pthread_t *decoders; /* those that were started, n_decoders; room for decoders_most */
	unsigned n_decoders, decoders_most;
	struct waits {
		int64_t since_ns; /* by clock_ns */
		uint64_t ns;      /* that they have waited since, together */
	} waits;
	struct merge merge;
	uint32_t n_merged;
	bool *is_read;
	uint32_t failed_source;                  /* UINT32_MAX: none */
	struct open_part open_parts[OPEN_PARTS]; /* the one used last at the end */
	unsigned n_open_parts;
	struct err err;

	/* At the end. */
	struct spool run_tags, run_problems; /* of conclude(), in the run's codes */
	int64_t origin_ns, duration_ns;
	enum clock_type clock;
	uint32_t *groups, *group_hosts; /* lane -> group, group -> text code of its host */
	uint32_t n_groups;
	bool *is_flat, *is_dense; /* by lane: see struct finish_plan */
	uint32_t n_lanes, n_texts;
	int64_t tile_base_ns;
	unsigned tile_levels;
	/* by run text code of the key; 0: none. NULL if no dependency needs it */
	uint32_t *task_ids;
	uint64_t n_records, n_rows[BLOCK_KINDS], n_tasks, n_transfers, n_problems, n_bad, raw_bytes,
	    plain_bytes;
};

/* ingest_run with a format that need not be in the table (for tests). */
int run_import(const struct ingest_plan *plan, const struct import_format *format,
               const struct ingest_options *options, struct ingest_progress *progress,
               struct ingest_summary *summary, struct err *err);
/* Adds what a source holds to the run's numbers. */
static inline void
run_count(struct run *run, const struct source *source)
{
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		run->n_rows[kind] += source->n_rows[kind];
	}
	run->n_records += source->facts.records;
	run->n_bad += source->facts.bad_records;
	run->n_tasks += source->n_tasks;
	run->n_transfers += source->n_transfers;
	run->n_problems += source->n_problems;
	run->raw_bytes += source->raw_bytes;
	run->plain_bytes += source->plain_bytes;
}
/* Reads all sources on all cores, and writes their blocks. */
int run_decode(struct run *run, struct err *err);
/* For struct source_target. */
int run_receive_block(void *user, struct block *block, const struct span_key *keys,
                      struct err *err);
int run_tick(void *user, const struct source_tick *tick, struct err *err);
int run_pass_block(void *user, struct block *block, const struct span_key *keys, struct err *err);
static inline const struct import_format *
run_format_of(const struct run *run, uint32_t source)
{
	return source < run->n_sources - run->plan->n_beside ? run->format
	                                                     : import_find(run->plan->beside);
}
/* What came of it, but for how long it took. path: of the file that was written. */
void run_sum_up(const struct run *run, const char *path, struct ingest_summary *summary);
/* An import that ends in a part at `path`; all is lent. */
struct run *run_new_part(const struct ingest_plan *plan, const char *path, const bool *held,
                         const struct ingest_options *options, struct ingest_progress *progress);
void run_free_part(struct run *run);
/* Everything after that, but for what the finished file adds of its own (writer_finish). */
int run_conclude(struct run *run, struct err *err);
/* Of the merged lanes what the passes below need; the lanes themselves may go. */
void run_group_lanes(struct run *run);
/* The few records of all sources, and their dependencies. */
int run_write_records(struct run *run, struct err *err);
int run_write_dependencies(struct run *run, struct err *err);
/* Gives spans whose length only the whole run tells their durations. After lanes and clocks are
 * known. */
int run_close_spans(struct run *run, struct err *err);
/* Blocks with what the finishing pass adds to them, tiles. */
int run_write_blocks(struct run *run, struct err *err);

#endif
