/*
 * Bytes put aside: in memory as long as a budget lasts, then in one temporary file that has no name
 * (so that nothing is left behind however the program ends, and no one else can cut it). Written
 * once, read at random, all freed together.
 * Used by cli, column/finish, ingest, query/saved, store.
 */
#ifndef LANESCOPE_UTIL_SPILL_H
#define LANESCOPE_UTIL_SPILL_H

#include <stdbool.h>
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

/* Where temporary files go: $TMPDIR, else beside a file. New (free()). */
char *spill_folder(const char *beside);
/* directory (copied): where the file is made once memory_bytes are used up. */
struct spill *spill_new(const char *directory, size_t memory_bytes);
/* Keeps a copy of n bytes. Thread-safe. ERR_SYSTEM names the folder and what to do. */
int spill_add(struct spill *spill, const void *bytes, size_t n, struct spill_place *place,
              struct err *err);
/* Copies n bytes from `offset` of a piece. Thread-safe. */
int spill_read(const struct spill *spill, const struct spill_place *place, size_t offset,
               void *buffer, size_t n, struct err *err);
/* For what is read where it is: n bytes at `at`, whole pages of mem_map, stay there, in memory or,
 * once that is used up, moved into the file and mapped from it, to be read only. Where they can't
 * be moved they stay in memory. True: they were moved. Thread-safe. */
bool spill_move(struct spill *spill, void *at, size_t n);
/* Room for what is written where it is: n bytes, whole pages, zeroed, in memory or, once that is
 * used up, in the file and mapped from it. mem_unmap() gives back the pages, but no room. Never
 * NULL. Thread-safe. */
void *spill_map(struct spill *spill, size_t n);
/* What spill_map gave, n bytes, made larger, to twice as many or more: what it holds stays, the old
 * place is gone. */
void *spill_grow(struct spill *spill, void *at, size_t n, size_t want);
/* What spill_move left in memory is freed. */
void spill_forget(struct spill *spill, size_t n);
/* What was read back can't be what was kept: ERR_SYSTEM; -1. */
int spill_damaged(struct err *err);
size_t spill_memory_bytes(const struct spill *spill); /* held in memory */
uint64_t spill_file_bytes(const struct spill *spill); /* written to the file */
void spill_free(struct spill *spill);                 /* takes NULL */

#endif
