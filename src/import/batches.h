/*
 * Records of an input, many at once: cut into batches, parsed on any thread, taken in order.
 * Used by its room alone.
 */
#ifndef LANESCOPE_IMPORT_BATCHES_H
#define LANESCOPE_IMPORT_BATCHES_H

#include "input/input.h"

#define BATCH_BYTES ((size_t)1 << 20) /* at most, but for the last of an input that fails */
#define BATCH_RECORDS 8192u           /* at once; the rest is parsed when these are taken */

struct batch {
	char *bytes; /* then INPUT_PADDING zeroes */
	size_t n_bytes;
	uint64_t offset; /* of the first byte in the input */
	size_t end;      /* behind the last record that was parsed, or all */
	bool is_more;    /* there are more records than are kept at once */
	void *parsed;    /* by the format: new, and used again for other batches */
	/* the rest is private */
	size_t capacity;
	int state;
};

struct batch_format {
	/* Where the bytes at hand, of which BATCH_BYTES count at most, are to be cut: behind whole
	 * records, as far as can be told. 0: nowhere yet. */
	size_t (*cut)(struct slice bytes);
	void *(*parsed_new)(const void *user);
	void (*parsed_free)(void *parsed);
	/* From batch->end on, on any thread: sets end and is_more. */
	void (*parse)(struct batch *batch);
	/* Gives what was parsed to the sink: 0, 1 the sink stopped, -1 err. */
	int (*take)(void *user, struct batch *batch);
};

struct batches;
struct batches *batches_new(const struct batch_format *format, unsigned n_threads, void *user);
/* Reads what it can: the input stands before what is not read then. 0, 1 the sink stopped, -1
 * err. */
int batches_read(struct batches *batches, struct input *input, struct err *err);
void batches_free(struct batches *batches); /* takes NULL */

#endif
