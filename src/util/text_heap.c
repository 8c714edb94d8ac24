/*
 * A page is filled from the front; full, it is given to the spill, which decides whether it stays
 * in memory. What is moved to the file is mapped from there, to be read only. The file has no name,
 * so that no one else can cut it.
 *
 * The first texts lie in an arena, since most heaps are small.
 */
#include "config.h"
#include "util/text_heap.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/spill.h"

#define ARENA_BYTES ((size_t)256 << 10)
#define PAGE_BYTES ((size_t)1 << 20)

struct text_page {
	char *bytes;
	size_t size;
	bool is_moved;
};

struct text_heap {
	struct spill *spill;
	struct arena *arena;
	struct text_page *pages; /* the last is being filled */
	size_t n_pages, capacity;
	char *at, *end; /* room in that */
};

struct text_heap *
text_heap_new(struct spill *spill)
{
	struct text_heap *heap = xcalloc(1, sizeof *heap);

	heap->spill = spill;
	heap->arena = arena_new();
	return heap;
}

static void
add_page(struct text_heap *heap, size_t n)
{
	size_t size = (n + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;

	if (heap->n_pages > 0) {
		struct text_page *full = &heap->pages[heap->n_pages - 1];
		full->is_moved = spill_move(heap->spill, full->bytes, full->size);
	}
	MEM_GROW(heap->pages, heap->capacity, heap->n_pages + 1);
	heap->at = mem_map(size);
	heap->end = heap->at + size;
	heap->pages[heap->n_pages++] = (struct text_page){heap->at, size, false};
}

char *
text_heap_alloc(struct text_heap *heap, size_t n)
{
	if (!heap->spill || arena_bytes(heap->arena) < ARENA_BYTES) {
		return arena_bytes_alloc(heap->arena, n);
	}
	if (n > (size_t)(heap->end - heap->at)) {
		add_page(heap, n);
	}
	char *bytes = heap->at;
	heap->at += n;
	return bytes;
}

void
text_heap_free(struct text_heap *heap)
{
	if (heap) {
		for (size_t i = 0; i < heap->n_pages; i++) {
			const struct text_page *page = &heap->pages[i];
			mem_unmap(page->bytes, page->size);
			if (i + 1 < heap->n_pages && !page->is_moved) {
				spill_forget(heap->spill, page->size);
			}
		}
		free(heap->pages);
		arena_free(heap->arena);
		free(heap);
	}
}
