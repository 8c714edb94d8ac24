/* Each path is looked at on its own: one that has gone must not hide the others. */
#include "config.h"

#include <stdlib.h>

#include "ui/lists/view_runs.h"
#include "util/mem.h"

static void
add_entry(struct runs_found *found, size_t *capacity, const struct run_entry *entry, size_t import)
{
	size_t room = *capacity;

	MEM_GROW(found->entries, room, found->n + 1);
	found->imports = mem_grow(found->imports, capacity, found->n + 1, sizeof *found->imports);
	found->entries[found->n] = *entry;
	found->imports[found->n++] = import;
}

static void
look(struct runs_found *found, size_t *capacity, const char *path, size_t import)
{
	struct err err = ERR_INIT;
	struct run_list *list = run_list_new(&path, 1, &err);

	found->lists[found->n_lists++] = list;
	for (size_t i = 0; list && i < list->n; i++) {
		add_entry(found, capacity, &list->entries[i], import);
	}
	if (!list) {
		struct run_entry entry = {.path = arena_strdup(found->arena, path),
		                          .error = arena_strdup(found->arena, err.message)};

		add_entry(found, capacity, &entry, import);
	}
}

struct runs_found *
runs_find(char *const *paths, size_t n_paths, char *const *made, size_t n_made)
{
	struct runs_found *found = xcalloc(1, sizeof *found);
	size_t capacity = 0;

	found->arena = arena_new();
	found->lists = xcalloc(n_paths + n_made + 1, sizeof(struct run_list *));
	for (size_t i = 0; i < n_paths; i++) {
		look(found, &capacity, paths[i], NO_IMPORT);
	}
	for (size_t i = 0; i < n_made; i++) {
		if (made[i]) {
			look(found, &capacity, made[i], i);
		}
	}
	return found;
}

void
runs_found_free(struct runs_found *found)
{
	if (!found) {
		return;
	}
	for (size_t i = 0; i < found->n_lists; i++) {
		run_list_free(found->lists[i]);
	}
	free(found->lists);
	free(found->entries);
	free(found->imports);
	arena_free(found->arena);
	free(found);
}
