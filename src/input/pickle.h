/*
 * The pickle inside of an object array of numpy, read without Python: a list of dicts from text to
 * text, integer, real or None, and nothing else. A pickle is a program for a machine that may call
 * anything; this one knows the few opcodes that numpy.save needs, five names that stand for nothing
 * but themselves, and no way to import, call or build. Whatever else it meets ends it.
 *
 * Protocols 2 to 5, as numpy 1 and 2 write them.
 * Used by import.
 */
#ifndef LANESCOPE_INPUT_PICKLE_H
#define LANESCOPE_INPUT_PICKLE_H

#include <stddef.h>
#include <stdint.h>
#include "util/err.h"
#include "util/slice.h"

#define PICKLE_BYTES_LIMIT ((size_t)256 << 20) /* what is worth collecting for pickle_read */
#define PICKLE_DEPTH 32
#define PICKLE_VALUES_LIMIT (UINT64_C(1) << 24)
#define PICKLE_MEMO_LIMIT UINT64_C(1000000)

enum pickle_type { PICKLE_TEXT, PICKLE_INTEGER, PICKLE_REAL, PICKLE_NONE };

struct pickle_entry {
	struct slice key; /* in the bytes that were read */
	enum pickle_type type;
	union {
		struct slice text;
		int64_t integer;
		double real;
	};
};

struct pickle_dict {
	struct pickle_entry *entries; /* no key twice */
	size_t n_entries;
};

/* The array: item i is dicts[items[i]]. A dict that stands in it many times is there once. */
struct pickle_array {
	struct pickle_dict *dicts;
	uint32_t *items;
	size_t n_dicts, n_items;
	size_t n_bytes; /* of the pickle, its STOP included; what follows is not part of it */
};

/*
 * bytes must stay while the array is used. n_items: what the .npy header says. An error
 * (ERR_FORMAT, ERR_LIMIT) names opcode and offset, counted from base_offset.
 */
int pickle_read(struct slice bytes, uint64_t base_offset, uint64_t n_items,
                struct pickle_array *array, struct err *err);
void pickle_free(struct pickle_array *array); /* takes a zeroed one */

#endif
