/*
 * Made-up traces that resemble real ones, for `lanescope demo`, tests and measurements. The same
 * options give the same records on every machine; nothing in them was measured.
 * Used by cli.
 */
#ifndef LANESCOPE_SIMULATE_DEMO_TRACES_H
#define LANESCOPE_SIMULATE_DEMO_TRACES_H

#include <stdbool.h>
#include <stdint.h>
#include "util/err.h"

/*
 * One run of cascade, generation 1, JSON lines: a graph of 135 tasks on `hosts` hosts of `workers`
 * workers each; hosts 0 is the single-host form. Task names are the same in all runs. Tasks that
 * run on one host at a time slow each other down; slow_factor (1.0) multiplies what they take
 * alone.
 */
int demo_write_cascade(const char *path, unsigned hosts, unsigned workers, uint64_t seed,
                       double slow_factor, struct err *err);

enum demo_dialect {
	DEMO_OLD, /* quoted numbers, file and host names in full */
	DEMO_NEW, /* 64-bit hashes, metadata records, start and end */
	DEMO_V2   /* numeric ph, hex hashes, counters and aggregated records */
};

struct demo_dftracer {
	uint64_t events;       /* valid records in all files; raised to what the checkpoints need */
	uint64_t training;     /* instead: records besides checkpoints; 0: as `events` says */
	unsigned ranks, nodes; /* 16 on 2 */
	unsigned steps;        /* checkpoints: 6 */
	unsigned layers;       /* files of a checkpoint: 44 over all ranks */
	enum demo_dialect dialect;
	bool scr; /* checkpoints go to node-local storage and are flushed by threads */
	uint64_t seed;
	unsigned bad_lines; /* malformed lines in all files, of four kinds */
	int level;          /* of gzip; 0 plain */
};
#define DEMO_DFTRACER_DEFAULTS                                                                     \
	{                                                                                          \
		.events = 100000, .ranks = 16, .nodes = 2, .steps = 6, .layers = 44, .seed = 1,    \
		.level = 1                                                                         \
	}

struct demo_count {
	uint64_t records, bad_lines;
};

/* A training job that checkpoints, one file a rank: FOLDER/trace-RANK-of-RANKS.pfw[.gz]; the folder
 * is created. count may be NULL. */
int demo_write_dftracer(const char *folder, const struct demo_dftracer *options,
                        struct demo_count *count, struct err *err);
/* One rank's file of the same: ranks can be written in parallel. */
int demo_write_dftracer_rank(const char *folder, const struct demo_dftracer *options, unsigned rank,
                             struct demo_count *count, struct err *err);

/* A training loop under PyTorch's profiler (Chrome's format, gzip): one process, one device, which
 * waits for data in most steps. */
int demo_write_pytorch(const char *path, uint64_t seed, struct err *err);

/* A pipeline of Dask under DASF's profiler, two files for each of two hosts, into a folder that is
 * there: one worker has the larger chunks. */
int demo_write_dasf(const char *folder, uint64_t seed, struct err *err);

/* A study of data loading, as arrays of numpy in a folder for each trial, into a folder that is
 * there: samples are read one by one, or in blocks. */
int demo_write_dataload(const char *folder, uint64_t seed, struct err *err);

#endif
