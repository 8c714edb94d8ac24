/* Putting one record of a made-up DFTracer trace together. Private to demo_dftracer*.c.
 * Used by its room alone. */
#ifndef LANESCOPE_SIMULATE_DEMO_RECORD_H
#define LANESCOPE_SIMULATE_DEMO_RECORD_H

#include <stddef.h>

#include "input/gzip_writer.h"
#include "simulate/demo_traces.h"
#include "util/prng.h"

#define DEMO_BUFFER_BYTES ((size_t)128 << 10)
#define DEMO_DATA_FILES 64u

struct demo_file {
	char path[256];
	uint64_t hash;
	bool defined;
};

struct demo_rank {
	const struct demo_dftracer *options;
	unsigned rank;
	struct prng prng;
	struct gzip_writer *out; /* NULL: only count */
	char *buffer;
	size_t len;
	uint64_t records, bad_lines, last_id;
	int64_t pid, tid; /* thread n has tid + n */
	char host[32];
	uint64_t host_hash;
	int64_t parent;
	struct demo_file data[DEMO_DATA_FILES];
};

struct demo_field {
	const char *key;
	int64_t value;
	bool wide; /* 64 bits: quoted in the old dialect */
};

struct demo_call {
	const char *name, *category;
	unsigned thread;
	int64_t start_us, duration_us;
	struct demo_file *file; /* NULL: none */
	uint64_t id;            /* 0: the next */
};

bool demo_is_old(const struct demo_rank *rank);
uint64_t demo_hash(const char *text);
/* Text goes to the rank's buffer, which has room for one record after demo_flush_full. */
void demo_put(struct demo_rank *rank, const char *text);
void demo_put_bytes(struct demo_rank *rank, const char *bytes, size_t length);
/* Start of a record up to its thread; id 0: none. */
void demo_put_head(struct demo_rank *rank, uint64_t id, const char *name, const char *category,
                   unsigned type, int64_t tid);
void demo_flush_full(struct demo_rank *rank);
/* HH, FH, SH, PR: value is a hash, or text if hash is 0. */
void demo_metadata(struct demo_rank *rank, const char *kind, const char *name, uint64_t hash,
                   const char *value);
void demo_define_file(struct demo_rank *rank, struct demo_file *file);
/* All of them only count when the rank has no output. */
void demo_event(struct demo_rank *rank, const struct demo_call *call,
                const struct demo_field *fields, size_t n);

#endif
