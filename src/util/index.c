/*
 * At most four fifths of the slots are taken. Hashes are in the order of their homes, so a part
 * that grows is filled again from its front to its end.
 */
#include "config.h"
#include "util/index.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

#define SLOTS_MIN 64u
#define SLOTS_DOUBLED 4096u /* up to here a part doubles */
#define SLOTS_DIVIDED 65536u
#define PART_BITS 6u

static void
put(const struct index *index, struct index_part *part, struct index_slot slot)
{
	uint32_t at = index_home(index, part, slot.hash);

	while (part->slots[at].entry_plus_1) {
		at = at + 1 < part->n_slots ? at + 1 : 0;
	}
	part->slots[at] = slot;
	part->n++;
}

/* Into the parts that are there by now. */
static void
put_all(struct index *index, struct index_part *old)
{
	for (uint32_t i = 0; i < old->n_slots; i++) {
		if (old->slots[i].entry_plus_1) {
			put(index, index_part_of(index, old->slots[i].hash), old->slots[i]);
		}
	}
	free(old->slots);
}

static void
make_slots(struct index_part *part, uint32_t n_slots)
{
	MEM_NEW(part->slots, n_slots);
	part->n_slots = n_slots;
	part->n = 0;
}

static void
divide(struct index *index)
{
	struct index_part *old = index->parts;
	size_t n = (size_t)1 << PART_BITS;

	MEM_NEW(index->parts, n);
	index->part_bits = PART_BITS;
	for (size_t i = 0; i < n; i++) {
		make_slots(&index->parts[i], SLOTS_DIVIDED / (uint32_t)n * 2);
	}
	put_all(index, old);
	free(old);
}

static void
grow(struct index *index, struct index_part *part)
{
	struct index_part old = *part;

	if (index->part_bits == 0 && old.n_slots >= SLOTS_DIVIDED) {
		divide(index);
		return;
	}
	uint64_t n_slots = old.n_slots < SLOTS_DOUBLED || index->part_bits == 0
	                       ? MOST(SLOTS_MIN, old.n_slots * 2)
	                       : old.n_slots + old.n_slots / 4;
	make_slots(part, (uint32_t)n_slots);
	put_all(index, &old);
}

void
index_add(struct index *index, uint64_t hash, uint32_t entry)
{
	if (!index->parts) {
		MEM_NEW(index->parts, 1);
	}
	struct index_part *part = index_part_of(index, (uint32_t)hash);
	if (part->n >= part->n_slots / 5 * 4) {
		grow(index, part);
		part = index_part_of(index, (uint32_t)hash);
	}
	put(index, part, (struct index_slot){(uint32_t)hash, entry + 1});
	index->n++;
}

static size_t
count_parts(const struct index *index)
{
	return index->parts ? (size_t)1 << index->part_bits : 0;
}

void
index_free(struct index *index)
{
	for (size_t i = 0; i < count_parts(index); i++) {
		free(index->parts[i].slots);
	}
	free(index->parts);
	*index = (struct index){0};
}

size_t
index_bytes(const struct index *index)
{
	size_t bytes = 0;

	for (size_t i = 0; i < count_parts(index); i++) {
		bytes += index->parts[i].n_slots * sizeof *index->parts[i].slots;
	}
	return bytes;
}
