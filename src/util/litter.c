/*
 * A few slots, as a handler of signals may take no lock. A slot's text stays until another takes
 * its place, so that whoever removes all of them reads no memory that is gone. Running out of
 * memory leads here, so nothing of util/mem is used.
 */
#include "config.h"
#include "util/litter.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SLOTS 64

enum { SLOT_FREE, SLOT_CHANGING, SLOT_TAKEN };

static struct {
	_Atomic int state;
	char *path;
} slots[SLOTS];

void
litter_add(const char *path)
{
	for (size_t i = 0; i < SLOTS; i++) {
		int state = SLOT_FREE;
		if (atomic_compare_exchange_strong(&slots[i].state, &state, SLOT_CHANGING)) {
			free(slots[i].path);
			slots[i].path = strdup(path);
			atomic_store(&slots[i].state, slots[i].path ? SLOT_TAKEN : SLOT_FREE);
			return;
		}
	}
}

void
litter_forget(const char *path)
{
	for (size_t i = 0; i < SLOTS; i++) {
		if (atomic_load(&slots[i].state) == SLOT_TAKEN &&
		    strcmp(slots[i].path, path) == 0) {
			atomic_store(&slots[i].state, SLOT_FREE);
			return;
		}
	}
}

void
litter_remove(const char *path)
{
	(void)unlink(path); /* nothing better can be done */
	litter_forget(path);
}

void
litter_remove_all(void)
{
	for (size_t i = 0; i < SLOTS; i++) {
		if (atomic_load(&slots[i].state) == SLOT_TAKEN) {
			(void)unlink(slots[i].path);
		}
	}
}
