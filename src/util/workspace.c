/* Small arrays are the C library's; each large one has pages of its own. */
#include "config.h"
#include "util/workspace.h"

#include <stdlib.h>

#include "util/budget.h"
#include "util/mem.h"
#include "util/spill.h"

#define LARGE_BYTES ((size_t)1 << 20)
#define MEMORY_SHARES 16 /* of the budget: what stays in memory */

struct workspace_piece {
	void *memory;
	size_t bytes;
};

struct workspace {
	struct workspace_piece *pieces;
	size_t n, capacity;
	struct spill *spill; /* NULL: nothing is large */
};

struct workspace *
workspace_new(void)
{
	return xcalloc(1, sizeof(struct workspace));
}

void *
workspace_array(struct workspace *workspace, size_t n, size_t element_size)
{
	size_t bytes;

	MEM_GROW(workspace->pieces, workspace->capacity, workspace->n + 1);
	struct workspace_piece *piece = &workspace->pieces[workspace->n];
	if (__builtin_mul_overflow(n, element_size, &bytes) || bytes < LARGE_BYTES) {
		*piece = (struct workspace_piece){xcalloc(n, element_size), 0};
	} else {
		bytes = (xsize_add(bytes, LARGE_BYTES) - 1) / LARGE_BYTES * LARGE_BYTES;
		if (!workspace->spill) {
			char *folder = spill_folder("/var/tmp/"); /* as SQLite's are */
			workspace->spill = spill_new(folder, budget_share(MEMORY_SHARES, SIZE_MAX));
			free(folder);
		}
		*piece = (struct workspace_piece){spill_map(workspace->spill, bytes), bytes};
	}
	workspace->n++;
	return piece->memory;
}

void
workspace_free(struct workspace *workspace)
{
	if (workspace) {
		for (size_t i = 0; i < workspace->n; i++) {
			if (workspace->pieces[i].bytes > 0) {
				mem_unmap(workspace->pieces[i].memory, workspace->pieces[i].bytes);
			} else {
				free(workspace->pieces[i].memory);
			}
		}
		free(workspace->pieces);
		spill_free(workspace->spill);
		free(workspace);
	}
}
