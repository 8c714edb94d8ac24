/*
 * Where values and texts of a result lie. Values grow by doubling in a block of their own, so that
 * a large result is not copied into an arena that can't give the old block back; texts lie in the
 * arena until they are many. Beyond a share of the memory budget both lie in a file without a name,
 * mapped; of several large results at once each has half the share of the one before it.
 */
#include "config.h"
#include "query/saved/result_memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "util/budget.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/spill.h"
#include "util/text_heap.h"

#define LARGE_BYTES ((size_t)1 << 20) /* of values, or texts: a power of two */
#define MEMORY_SHARES 8u              /* of the budget: what of a result stays in memory */
#define HALVED_MOST 20                /* times; less than LARGE_BYTES is left of any budget then */

static _Atomic unsigned n_large; /* results that have a spill */

/* Made once the result is large. */
static void
open_spill(struct result *result)
{
	if (!result->spill) {
		unsigned halved = LEAST(atomic_fetch_add(&n_large, 1), HALVED_MOST);
		char *folder = spill_folder("/var/tmp/"); /* as SQLite's are */
		result->spill = spill_new(folder, budget_share(MEMORY_SHARES << halved, SIZE_MAX));
		result->texts = text_heap_new(result->spill);
		free(folder);
	}
}

static void
free_values(struct result *result)
{
	if (result->values_bytes >= LARGE_BYTES) {
		mem_unmap(result->values, result->values_bytes);
	} else if (result->values_bytes > 0) {
		free(result->values);
	}
}

static void
grow_large(struct result *result, size_t bytes)
{
	open_spill(result);
	if (result->values_bytes >= LARGE_BYTES) {
		result->values =
		    spill_grow(result->spill, result->values, result->values_bytes, bytes);
		return;
	}
	struct value *values = spill_map(result->spill, bytes);
	if (result->n_rows > 0) {
		memcpy(values, result->values, result->n_rows * result->n_columns * sizeof *values);
	}
	free_values(result);
	result->values = values;
}

void
result_grow_values(struct result *result, size_t want)
{
	size_t bytes = MOST(result->values_bytes, 1024);

	while (bytes < want) {
		bytes = xsize_add(bytes, bytes);
	}
	if (bytes < LARGE_BYTES) {
		result->values = xrealloc_array(result->values, bytes, 1);
	} else {
		grow_large(result, bytes);
	}
	result->values_bytes = bytes;
}

struct slice
result_keep_text(struct result *result, struct slice text)
{
	if (arena_bytes(result->arena) < LARGE_BYTES) {
		return arena_slice(result->arena, text);
	}
	open_spill(result);
	char *copy = text_heap_alloc(result->texts, text.len + 1);
	memcpy(copy, text.len ? text.ptr : "", text.len);
	copy[text.len] = '\0';
	result->text_bytes += text.len + 1;
	return (struct slice){copy, text.len};
}

void
result_free_memory(struct result *result)
{
	free_values(result);
	if (result->spill) {
		(void)atomic_fetch_sub(&n_large, 1);
	}
	text_heap_free(result->texts);
	spill_free(result->spill);
}

size_t
result_bytes(const struct result *result)
{
	return result->values_bytes + result->text_bytes + arena_bytes(result->arena);
}
