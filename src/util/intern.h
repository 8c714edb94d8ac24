/* Strings <-> dense ids in order of first appearance. Texts stay in place until intern_free.
 * Used by most rooms. */
#ifndef LANESCOPE_UTIL_INTERN_H
#define LANESCOPE_UTIL_INTERN_H

#include <stdint.h>
#include "util/slice.h"

#include "util/index.h"

#define INTERN_NONE INDEX_NONE

struct intern;
struct intern *intern_new(void);
/* For any number of texts: beyond what the spill (lent) leaves in memory they go to its file. */
struct spill;
struct intern *intern_new_spilled(struct spill *spill);
uint32_t intern_id(struct intern *intern, struct slice text);         /* adds it if new */
uint32_t intern_find(const struct intern *intern, struct slice text); /* INTERN_NONE if absent */
/* A new id that no text leads to; its text is empty. */
uint32_t intern_reserve(struct intern *intern);
/* Gives a reserved id its text, if none has it yet; returns the id that has it. */
uint32_t intern_settle(struct intern *intern, uint32_t reserved, struct slice text);
struct slice intern_text(const struct intern *intern, uint32_t id); /* borrowed */
/* Frees what finding takes: from now on texts are only read. */
void intern_end_finding(struct intern *intern);
uint32_t intern_count(const struct intern *intern);
void intern_free(struct intern *intern); /* takes NULL */

/* A seed of this process, so that a hostile trace can't aim for collisions. */
uint64_t hash_secret(void);
/* 64-bit hash of bytes; fast, not for untrusted tables without a compare. */
uint64_t hash_bytes(const void *bytes, size_t length, uint64_t seed);
static inline uint64_t
hash_mix(uint64_t value)
{
	value ^= value >> 32;
	value *= UINT64_C(0xd6e8feb86659fd93);
	value ^= value >> 32;
	value *= UINT64_C(0xd6e8feb86659fd93);
	return value ^ (value >> 32);
}

#endif
