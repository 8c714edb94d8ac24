/*
 * Streams of a run: an operation on a class of paths that moves bytes, with the time and bytes of
 * its calls while each other class is in flight, and while none is.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_PARTS_IO_STREAMS_H
#define LANESCOPE_EXPLAIN_PARTS_IO_STREAMS_H

#include "explain/parts/io.h"

struct io_state {
	int64_t busy_ns;    /* at least one call in flight */
	int64_t time_ns;    /* summed over calls */
	int64_t size_bytes; /* that part of each call's which its time there has */
};
struct io_stream {
	uint32_t operation; /* text code */
	unsigned class;
	int64_t calls;
	struct io_state all;
	struct io_state *with; /* by class; [n_classes]: alone, no other class in flight */
};
struct io_streams {
	struct io_stream *streams;
	size_t n;
	unsigned n_classes;
};
int io_streams_read(const struct io_run *run, const char *filter,
                    const struct path_classes *classes, struct io_streams *streams,
                    struct err *err);
void io_streams_fini(struct io_streams *streams);

#endif
