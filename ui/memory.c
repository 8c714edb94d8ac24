/* A sorted array: hundreds of entries at most, written seldom. */
#include "config.h"

#include "ui/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

struct entry {
	char *key, *value;
};

struct memory {
	struct entry *entries; /* by key */
	size_t n, capacity;
};

struct memory *
memory_new(void)
{
	return xcalloc(1, sizeof(struct memory));
}

void
memory_free(struct memory *memory)
{
	if (!memory) {
		return;
	}
	for (size_t i = 0; i < memory->n; i++) {
		free(memory->entries[i].key);
		free(memory->entries[i].value);
	}
	free(memory->entries);
	free(memory);
}

/* Where key stands or would stand. */
static size_t
place_of(const struct memory *memory, const char *key, bool *is_there)
{
	size_t low = 0, high = memory->n;

	*is_there = false;
	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = strcmp(memory->entries[middle].key, key);

		if (order == 0) {
			*is_there = true;
			return middle;
		}
		if (order < 0) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	return low;
}

void
memory_set(struct memory *memory, const char *key, const char *value)
{
	bool is_there;
	size_t i = place_of(memory, key, &is_there);

	if (is_there) {
		free(memory->entries[i].value);
		if (value) {
			memory->entries[i].value = xstrdup(value);
			return;
		}
		free(memory->entries[i].key);
		memory->n--;
		memmove(&memory->entries[i], &memory->entries[i + 1],
		        (memory->n - i) * sizeof(*memory->entries));
		return;
	}
	if (!value) {
		return;
	}
	if (memory->n == memory->capacity) {
		memory->capacity = memory->capacity ? memory->capacity * 2 : 16;
		memory->entries =
		    xrealloc_array(memory->entries, memory->capacity, sizeof(*memory->entries));
	}
	memmove(&memory->entries[i + 1], &memory->entries[i],
	        (memory->n - i) * sizeof(*memory->entries));
	memory->entries[i] = (struct entry){xstrdup(key), xstrdup(value)};
	memory->n++;
}

const char *
memory_get(const struct memory *memory, const char *key)
{
	bool is_there;
	size_t i = place_of(memory, key, &is_there);

	return is_there ? memory->entries[i].value : NULL;
}
