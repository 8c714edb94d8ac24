/*
 * From hashes to the numbers of entries that the caller keeps in an array of its own: open
 * addressing with linear probing over slots of 8 bytes. A slot keeps 32 bits of the hash, so that
 * entries are looked at only where these agree and growing needs no entry at all. Tables that are
 * looked up for every row keep their keys in their slots instead and stay on their own: groups,
 * numbers of coders, counts of values (src/column).
 *
 * A large index is divided into parts by the first bits of the hash, and each grows by a quarter:
 * ten to thirteen bytes an entry, while it grows, too.
 *
 * Finding takes no lock: any number of threads, while none adds.
 * Used by column/finish, column/ops, explain/frame, explain/parts, import, ingest, store.
 */
#ifndef LANESCOPE_UTIL_INDEX_H
#define LANESCOPE_UTIL_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX

struct index_part {
	struct index_slot {
		uint32_t hash;
		uint32_t entry_plus_1; /* 0: free */
	} * slots;
	uint32_t n_slots, n;
};

/* Zero-initialise. */
struct index {
	struct index_part *parts;
	unsigned part_bits; /* of the hash, which tell the part */
	size_t n;
};

/* Adds an entry, which no one has added yet. Only the lower 32 bits of a hash count. */
void index_add(struct index *index, uint64_t hash, uint32_t entry);
/* Empties it; takes a zeroed one. */
void index_free(struct index *index);
/* Bytes that it holds. */
size_t index_bytes(const struct index *index);

static inline struct index_part *
index_part_of(const struct index *index, uint32_t hash)
{
	return &index->parts[(uint64_t)hash >> (32 - index->part_bits)];
}

/* Where an entry of the hash is looked for first: the rest of the hash, of the slots of its part.
 */
static inline uint32_t
index_home(const struct index *index, const struct index_part *part, uint32_t hash)
{
	return (uint32_t)((uint64_t)(hash << index->part_bits) * part->n_slots >> 32);
}

/* The next entry of the hash, INDEX_NONE: no more. *n_passed is 0 at first. */
static inline uint32_t
index_next(const struct index *index, uint64_t hash, uint32_t *n_passed)
{
	if (index->n == 0) {
		return INDEX_NONE;
	}
	const struct index_part *part = index_part_of(index, (uint32_t)hash);
	uint64_t at = (uint64_t)index_home(index, part, (uint32_t)hash) + *n_passed;
	for (;; at++, ++*n_passed) {
		const struct index_slot *slot =
		    &part->slots[at < part->n_slots ? at : at - part->n_slots];
		if (slot->entry_plus_1 == 0) {
			return INDEX_NONE;
		}
		if (slot->hash == (uint32_t)hash) {
			++*n_passed;
			return slot->entry_plus_1 - 1;
		}
	}
}

/* Sets the variable `entry` (uint32_t) to the entry of the hash for which `is_it`, which looks at
 * that variable, is true; INDEX_NONE: there is none. */
#define INDEX_FIND(entry, index, hash, is_it)                                                      \
	for (uint32_t passed_ = 0;                                                                 \
	     ((entry) = index_next(index, hash, &passed_)) != INDEX_NONE && !(is_it);) {           \
	}

#endif
