/* Reading ahead: a thread fills buffers before they are asked for. Private to src/input.
 * Used by its room alone. */
#ifndef LANESCOPE_INPUT_AHEAD_H
#define LANESCOPE_INPUT_AHEAD_H

#include "input/input.h"

#define AHEAD_BYTES ((size_t)256 << 10) /* read at once */
#define AHEAD_HEADROOM ((size_t)64 << 10)
#define AHEAD_CAPACITY (AHEAD_HEADROOM + AHEAD_BYTES)

/* AHEAD_CAPACITY + INPUT_PADDING bytes of memory; what was read stands at AHEAD_HEADROOM. */
struct ahead_piece {
	char *memory;
	int64_t n; /* 0: the end, -1: failed */
	struct err err;
};

struct ahead;
/* Calls produce(user, ...) on a thread of its own until it gives 0 or -1. NULL if no thread can be
 * had. */
struct ahead *ahead_new(int64_t (*produce)(void *user, void *out, size_t size, struct err *err),
                        void *user);
/* The next piece; after one without bytes there are none. */
struct ahead_piece *ahead_take(struct ahead *ahead);
/* Gives a piece back to be filled again. memory: the caller may have exchanged it. */
void ahead_give(struct ahead *ahead, struct ahead_piece *piece);
/* Stops the thread; pieces are freed. Takes NULL. */
void ahead_free(struct ahead *ahead);

#endif
