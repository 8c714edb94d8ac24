#include "config.h"
#include "util/index.h"

#include <stdlib.h>

#include "util/mem.h"

#define SLOTS_MIN 64

static void
put(struct index *index, struct index_slot slot)
{
	size_t at = slot.hash;

	while (index->slots[at & index->mask].entry_plus_1) {
		at++;
	}
	index->slots[at & index->mask] = slot;
}

static void
grow(struct index *index)
{
	struct index old = *index;
	size_t n_slots = old.slots ? (old.mask + 1) * 2 : SLOTS_MIN;

	MEM_NEW(index->slots, n_slots);
	index->mask = n_slots - 1;
	for (size_t i = 0; old.slots && i <= old.mask; i++) {
		if (old.slots[i].entry_plus_1) {
			put(index, old.slots[i]);
		}
	}
	free(old.slots);
}

void
index_add(struct index *index, uint64_t hash, uint32_t entry)
{
	if (index->n >= index->mask / 4 * 3) {
		grow(index);
	}
	put(index, (struct index_slot){(uint32_t)hash, entry + 1});
	index->n++;
}

void
index_free(struct index *index)
{
	free(index->slots);
	*index = (struct index){0};
}

size_t
index_bytes(const struct index *index)
{
	return index->slots ? (index->mask + 1) * sizeof *index->slots : 0;
}
