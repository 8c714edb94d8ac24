/*
 * Values to bytes and back, described once: the same calls in the same order write a thing or read
 * it, so what is written can't differ from what is read. Numbers take as many bytes as they need
 * (seven bits a byte, the lowest first; signed ones as 2n, or -2n - 1 below 0), reals their IEEE
 * bits, texts their length and bytes: the same on every machine.
 *
 * Bytes come in pieces, so that neither side holds all of them: a piece ends only at a pack_break.
 * What is read may be hostile: what can't have been written sets `failed`, and from then on all
 * numbers are 0, all texts empty and all counts used up. Whoever reads checks what numbers mean.
 * Used by cli, import, ingest, query/saved.
 */
#ifndef LANESCOPE_UTIL_PACK_H
#define LANESCOPE_UTIL_PACK_H

#include <stdbool.h>
#include <stdint.h>
#include "util/err.h"
#include "util/intern.h"
#include "util/mem.h"
#include "util/slice.h"

struct pack {
	bool is_reading, failed;
	struct strbuf bytes; /* written since the last piece, or the piece that is read */
	size_t at;           /* how far it is read */
	void *user;
	/* Written: takes pack->bytes, and clears them. Read: puts the next piece there, nothing if
	 * there is none. Nonzero with err set on failure. */
	int (*piece)(void *user, struct pack *pack, struct err *err);
	struct err err; /* why piece failed */
};
#define PACK_PIECE_BYTES ((size_t)1 << 20)

/* Between two things that are read one by one. */
void pack_break(struct pack *pack);
/* The last piece is handed over, or nothing may be left to be read; frees what pack holds. 0, or -1
 * with err set: pack->err, or (ERR_FORMAT, without a place) that this can't have been written. */
int pack_end(struct pack *pack, struct err *err);

void pack_unsigned(struct pack *pack, uint64_t *value);
void pack_signed(struct pack *pack, int64_t *value);
void pack_small(struct pack *pack, uint32_t *value);
void pack_byte(struct pack *pack, uint8_t *value);
void pack_flag(struct pack *pack, bool *value);
void pack_real(struct pack *pack, double *value);
/* By the type of a variable; enums are uint32_t. */
#define PACK(pack, value)                                                                          \
	_Generic((value), uint64_t                                                                 \
	         : pack_unsigned, int64_t                                                          \
	         : pack_signed, uint32_t                                                           \
	         : pack_small, uint8_t                                                             \
	         : pack_byte, bool                                                                 \
	         : pack_flag, double                                                               \
	         : pack_real)((pack), &(value))

/* Read: lent until the next pack_break. */
void pack_slice(struct pack *pack, struct slice *text);
/* NULL stays NULL; read: new text (free()). */
void pack_string(struct pack *pack, char **text);
/* The same with text in an arena. */
void pack_kept_string(struct pack *pack, struct arena *arena, const char **text);
/* A text of at most size - 1 bytes in a field of that size. */
void pack_field(struct pack *pack, char *text, size_t size);
/* All texts, those that are only reserved, too; read: into an empty one. */
void pack_intern(struct pack *pack, struct intern *intern);

/* A number of things in an array that grows as they are read. `each` takes `with` and a pointer to
 * one, zeroed where it is read. */
#define PACK_EACH(pack, with, array, n, capacity, each)                                            \
	do {                                                                                       \
		uint64_t n_packed = (n);                                                           \
		pack_unsigned((pack), &n_packed);                                                  \
		for (uint64_t i = 0; i < n_packed && !(pack)->failed; i++) {                       \
			pack_break(pack);                                                          \
			if ((pack)->is_reading) {                                                  \
				MEM_GROW(array, capacity, (size_t)i + 1);                          \
				memset(&(array)[i], 0, sizeof *(array));                           \
				(n) = i + 1;                                                       \
			}                                                                          \
			each((with), &(array)[i]);                                                 \
		}                                                                                  \
	} while (0)
/* The same where each takes the pack. */
#define PACK_ARRAY(pack, array, n, capacity, each) PACK_EACH(pack, pack, array, n, capacity, each)

#endif
