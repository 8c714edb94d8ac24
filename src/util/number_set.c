/*
 * Chunks of 32768 bits, found by a plain array. A chunk is there from its first number on, and
 * gives its bits up for a mark that all are set once they are: what stands densely costs next to
 * nothing.
 */
#include "config.h"
#include "util/number_set.h"

#include <stdlib.h>

#include "util/mem.h"

#define CHUNK_BITS 32768u
#define WORD_BITS 64u

struct set_chunk {
	uint64_t *words; /* NULL: all numbers are in, or none */
	uint32_t n;      /* of them that are in */
};

struct number_set {
	struct set_chunk *chunks;
	size_t n_chunks, capacity;
	uint64_t n;
};

struct number_set *
number_set_new(void)
{
	return xcalloc(1, sizeof(struct number_set));
}

static void
reach(struct number_set *set, size_t chunk)
{
	MEM_GROW(set->chunks, set->capacity, chunk + 1);
	while (set->n_chunks <= chunk) {
		set->chunks[set->n_chunks++] = (struct set_chunk){NULL, 0};
	}
}

bool
number_set_add(struct number_set *set, uint64_t number)
{
	uint32_t bit = (uint32_t)(number % CHUNK_BITS);

	if (number >= NUMBER_SET_LIMIT || number_set_has(set, number)) {
		return false;
	}
	reach(set, (size_t)(number / CHUNK_BITS));
	struct set_chunk *chunk = &set->chunks[number / CHUNK_BITS];
	if (!chunk->words) {
		MEM_NEW(chunk->words, CHUNK_BITS / WORD_BITS);
	}
	chunk->words[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
	set->n++;
	if (++chunk->n == CHUNK_BITS) {
		free(chunk->words);
		chunk->words = NULL;
	}
	return true;
}

bool
number_set_has(const struct number_set *set, uint64_t number)
{
	uint32_t bit = (uint32_t)(number % CHUNK_BITS);

	if (!set || number / CHUNK_BITS >= set->n_chunks) {
		return false;
	}
	const struct set_chunk *chunk = &set->chunks[number / CHUNK_BITS];
	return chunk->words ? chunk->words[bit / WORD_BITS] >> bit % WORD_BITS & 1
	                    : chunk->n == CHUNK_BITS;
}

uint64_t
number_set_count(const struct number_set *set)
{
	return set ? set->n : 0;
}

void
number_set_free(struct number_set *set)
{
	for (size_t i = 0; set && i < set->n_chunks; i++) {
		free(set->chunks[i].words);
	}
	if (set) {
		free(set->chunks);
	}
	free(set);
}
