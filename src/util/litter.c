/*
 * A few slots, as a handler of signals may take no lock. A slot's text stays until another takes
 * its place, so that whoever removes all of them reads no memory that is gone. Running out of
 * memory leads here, so nothing of util/mem is used.
 */
#include "config.h"
#include "util/litter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLOTS 64
#define DEPTH_MOST 8 /* of folders in folders: each takes some of the stack */
/* Where an entry of the kernel's has its length and its name. */
#define ENTRY_BYTES_AT 16
#define ENTRY_NAME_AT 19

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

static void remove_entry(int parent, const char *name, int depth);

/* The entries of a folder are asked for at the system itself: opendir() takes memory. */
static void
empty_folder(int folder, int depth)
{
	char entries[4096];
	long n;

	while ((n = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0) {
		uint16_t bytes;
		for (long at = 0; at < n; at += bytes) {
			const char *name = entries + at + ENTRY_NAME_AT;
			memcpy(&bytes, entries + at + ENTRY_BYTES_AT, sizeof bytes);
			if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
				remove_entry(folder, name, depth + 1);
			}
		}
	}
}

/* Nothing better can be done where it fails. */
static void
remove_entry(int parent, const char *name, int depth)
{
	if (unlinkat(parent, name, 0) == 0 || (errno != EISDIR && errno != EPERM)) {
		return;
	}
	int folder = depth < DEPTH_MOST
	                 ? openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
	                 : -1;
	if (folder >= 0) {
		empty_folder(folder, depth);
		close(folder);
	}
	(void)unlinkat(parent, name, AT_REMOVEDIR);
}

void
litter_remove(const char *path)
{
	remove_entry(AT_FDCWD, path, 0);
	litter_forget(path);
}

void
litter_remove_all(void)
{
	for (size_t i = 0; i < SLOTS; i++) {
		if (atomic_load(&slots[i].state) == SLOT_TAKEN) {
			remove_entry(AT_FDCWD, slots[i].path, 0);
		}
	}
}
