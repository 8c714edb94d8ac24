/*
 * Texts that stay where they are until all are freed. Where there are many, they are moved to a
 * file, at the addresses that they have: then they are read from there, as far as the kernel does
 * not keep them, and take none of this process's memory.
 * Used by query/saved, store.
 */
#ifndef LANESCOPE_UTIL_TEXT_HEAP_H
#define LANESCOPE_UTIL_TEXT_HEAP_H

#include <stddef.h>

struct spill;
struct text_heap;
/* spill: where texts go (lent; it stays longer); NULL: they stay in memory. */
struct text_heap *text_heap_new(struct spill *spill);
/* Room for n bytes, of no alignment, to be filled before the next call. Never NULL. */
char *text_heap_alloc(struct text_heap *heap, size_t n);
void text_heap_free(struct text_heap *heap); /* takes NULL */

#endif
