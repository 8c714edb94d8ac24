/*
 * Bytes put aside: in memory as long as a budget lasts, then in one temporary file that has no name
 * (so that nothing is left behind however the program ends). Written once, read at random, all
 * freed together.
 * Used by column/finish, ingest.
 */
#ifndef LANESCOPE_COLUMN_ENCODE_SPILL_H
#define LANESCOPE_COLUMN_ENCODE_SPILL_H

#include <stddef.h>
#include <stdint.h>
#include "util/err.h"

/* Bytes after the end of a piece in memory that may be read (their contents mean nothing). */
#define SPILL_PADDING 64u

struct spill;

/* Where a piece lies: memory, or NULL and its offset in the file. */
struct spill_place {
	const unsigned char *memory;
	uint64_t offset;
};

/* directory (copied): where the file is made once memory_bytes are used up. */
struct spill *spill_new(const char *directory, size_t memory_bytes);
/* Keeps a copy of n bytes. Thread-safe. ERR_SYSTEM names the folder and what to do. */
int spill_add(struct spill *spill, const void *bytes, size_t n, struct spill_place *place,
              struct err *err);
/* Copies n bytes from `offset` of a piece. Thread-safe. */
int spill_read(const struct spill *spill, const struct spill_place *place, size_t offset,
               void *buffer, size_t n, struct err *err);
/* What was read back can't be what was kept: ERR_SYSTEM; -1. */
int spill_damaged(struct err *err);
size_t spill_memory_bytes(const struct spill *spill); /* held in memory */
uint64_t spill_file_bytes(const struct spill *spill); /* written to the file */
void spill_free(struct spill *spill);                 /* takes NULL */

#endif
