/* The bytes of a file, of standard input or of memory as they are, through one buffer. Private to
 * src/input.
 * Used by its room alone. */
#ifndef LANESCOPE_INPUT_RAW_H
#define LANESCOPE_INPUT_RAW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include "util/cancel.h"
#include "util/digest.h"
#include "util/err.h"
#include "util/file_facts.h"
#include "util/slice.h"

#define RAW_BUFFER_BYTES ((size_t)1 << 20)  /* at most: a small file has a small buffer */
#define RAW_FIRST_BYTES ((size_t)256 << 10) /* read at first: who only looks needs no more */
#define RAW_AHEAD_BYTES ((size_t)4 << 20)   /* that the system is told of before they are read */
#define RAW_FAR_NS INT64_C(2000000)         /* a read that takes longer waits for storage */

struct raw {
	int fd;              /* -1: memory */
	struct slice memory; /* what is left of it */
	size_t chunk;        /* > 0: no read gives more */
	bool ended;
	int64_t size;            /* -1 unknown */
	bool is_far;             /* a file whose reads wait: they go through the buffer */
	bool is_file;            /* a regular one, which has: */
	struct file_facts facts; /* from before it was read */
	struct digest digest;    /* of all bytes read so far */
	atomic_uint_fast64_t offset;
	atomic_uint_fast64_t waited_ns; /* in reads of a file that is far */
	unsigned char *buffer;
	size_t capacity;
	const unsigned char *next; /* bytes at hand */
	size_t avail;
};

/* path "-": standard input. */
int raw_open(struct raw *raw, const char *path, struct err *err);
void raw_open_memory(struct raw *raw, struct slice bytes, size_t chunk);
void raw_close(struct raw *raw);

/* Up to size bytes, past the buffer if it is empty and the file is near: how many, 0 at the end,
 * -1. */
int64_t raw_read(struct raw *raw, void *out, size_t size, struct err *err);
/* Adds to the bytes at hand: 1, 0 at the end (or no room for more), -1. */
int raw_refill(struct raw *raw, struct err *err);
/* Reads what nobody asked for, so that the digest and the offset are those of the whole file. */
int raw_finish(struct raw *raw, const struct cancel *cancel, struct err *err);

#endif
