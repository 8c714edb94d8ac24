/*
 * From hashes to the numbers of entries that the caller keeps in an array of its own: open
 * addressing with linear probing over slots of 8 bytes, at most three quarters of them taken. A
 * slot keeps 32 bits of the hash, so that entries are looked at only where these agree and growing
 * needs no entry at all. Tables that are looked up for every row keep their keys in their slots
 * instead and stay on their own: groups, numbers of coders, counts of values (src/column).
 *
 * Finding takes no lock: any number of threads, while none adds.
 * Used by column/finish, column/ops, explain/frame, explain/parts, ingest, store.
 */
#ifndef LANESCOPE_UTIL_INDEX_H
#define LANESCOPE_UTIL_INDEX_H

#include <stddef.h>
#include <stdint.h>

#define INDEX_NONE UINT32_MAX

/* Zero-initialise. */
struct index {
	struct index_slot {
		uint32_t hash;
		uint32_t entry_plus_1; /* 0: free */
	} * slots;
	size_t mask, n;
};

/* Adds an entry, which no one has added yet. Only the lower 32 bits of a hash count. */
void index_add(struct index *index, uint64_t hash, uint32_t entry);
/* Empties it; takes a zeroed one. */
void index_free(struct index *index);
/* Bytes that it holds. */
size_t index_bytes(const struct index *index);

/* The next entry of the hash, INDEX_NONE: no more. *at is the hash at first. */
static inline uint32_t
index_next(const struct index *index, uint64_t hash, size_t *at)
{
	for (; index->n;) {
		const struct index_slot *slot = &index->slots[(*at)++ & index->mask];
		if (slot->entry_plus_1 == 0) {
			break;
		}
		if (slot->hash == (uint32_t)hash) {
			return slot->entry_plus_1 - 1;
		}
	}
	return INDEX_NONE;
}

/* Sets the variable `entry` (uint32_t) to the entry of the hash for which `is_it`, which looks at
 * that variable, is true; INDEX_NONE: there is none. */
#define INDEX_FIND(entry, index, hash, is_it)                                                      \
	for (size_t at_ = (hash);                                                                  \
	     ((entry) = index_next(index, hash, &at_)) != INDEX_NONE && !(is_it);) {               \
	}

#endif
