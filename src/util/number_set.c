/*
 * Chunks of 32768 bits, found by a plain array from the first to the last that is there. A chunk
 * has words from the first to the last with a bit, so that many sets of few numbers take little,
 * and gives them up for a mark that all are set once they are: what stands densely costs next to
 * nothing.
 */
#include "config.h"
#include "util/number_set.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/order.h"

#define CHUNK_BITS 32768u
#define WORD_BITS 64u
#define CHUNK_WORDS (CHUNK_BITS / WORD_BITS)

struct set_chunk {
	uint64_t *words; /* NULL: all numbers are in, or none */
	uint16_t first_word, n_words;
	uint32_t n; /* of them that are in */
};

struct number_set {
	struct set_chunk *chunks;
	uint64_t first_chunk;
	size_t n_chunks, capacity;
	uint64_t n;
};

struct number_set *
number_set_new(void)
{
	return xcalloc(1, sizeof(struct number_set));
}

static void
reach(struct number_set *set, uint64_t chunk)
{
	if (set->n_chunks == 0) {
		set->first_chunk = chunk;
	}
	size_t before = (size_t)(set->first_chunk - LEAST(chunk, set->first_chunk));
	size_t n = MOST(set->n_chunks, (size_t)(chunk - LEAST(chunk, set->first_chunk)) + 1);
	if (before + n == set->n_chunks) {
		return;
	}
	MEM_GROW(set->chunks, set->capacity, before + n);
	if (before > 0) {
		memmove(set->chunks + before, set->chunks, set->n_chunks * sizeof *set->chunks);
		memset(set->chunks, 0, before * sizeof *set->chunks);
	}
	memset(set->chunks + before + set->n_chunks, 0, (n - set->n_chunks) * sizeof *set->chunks);
	set->first_chunk -= before;
	set->n_chunks = before + n;
}

/* Gives the chunk words from its first to its last, and the one asked for: at least twice as many,
 * so that what comes in order is moved seldom. */
static void
reach_word(struct set_chunk *chunk, uint32_t word)
{
	uint32_t first = chunk->words ? chunk->first_word : word, end = first + chunk->n_words;
	uint32_t more = chunk->n_words;

	if (word >= first && word < end) {
		return;
	}
	uint32_t new_first = word < first ? word - LEAST(more, word) : first;
	uint32_t new_end = word < first ? end : LEAST(CHUNK_WORDS, word + 1 + more);
	uint64_t *words = xcalloc(new_end - new_first, sizeof *words);
	if (chunk->n_words > 0) {
		memcpy(words + (first - new_first), chunk->words, chunk->n_words * sizeof *words);
	}
	free(chunk->words);
	chunk->words = words;
	chunk->first_word = (uint16_t)new_first;
	chunk->n_words = (uint16_t)(new_end - new_first);
}

bool
number_set_add(struct number_set *set, uint64_t number)
{
	uint32_t bit = (uint32_t)(number % CHUNK_BITS), word = bit / WORD_BITS;

	if (number >= NUMBER_SET_LIMIT || number_set_has(set, number)) {
		return false;
	}
	reach(set, number / CHUNK_BITS);
	struct set_chunk *chunk = &set->chunks[number / CHUNK_BITS - set->first_chunk];
	reach_word(chunk, word);
	chunk->words[word - chunk->first_word] |= UINT64_C(1) << bit % WORD_BITS;
	set->n++;
	if (++chunk->n == CHUNK_BITS) {
		free(chunk->words);
		chunk->words = NULL;
		chunk->first_word = chunk->n_words = 0;
	}
	return true;
}

bool
number_set_has(const struct number_set *set, uint64_t number)
{
	uint32_t bit = (uint32_t)(number % CHUNK_BITS), word = bit / WORD_BITS;

	if (!set || number / CHUNK_BITS < set->first_chunk ||
	    number / CHUNK_BITS - set->first_chunk >= set->n_chunks) {
		return false;
	}
	const struct set_chunk *chunk = &set->chunks[number / CHUNK_BITS - set->first_chunk];
	if (!chunk->words) {
		return chunk->n == CHUNK_BITS;
	}
	return word >= chunk->first_word && word < chunk->first_word + chunk->n_words &&
	       (chunk->words[word - chunk->first_word] >> bit % WORD_BITS & 1);
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
