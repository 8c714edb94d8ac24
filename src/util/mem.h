/*
 * Memory. Running out aborts the program with a message (after mem_on_exhausted has put the
 * terminal back); sizes that come from a file go through mem_try instead.
 * Used by most rooms.
 */
#ifndef LANESCOPE_UTIL_MEM_H
#define LANESCOPE_UTIL_MEM_H

#include <stdbool.h>
#include <stddef.h>

#include "util/slice.h"

void *xmalloc(size_t size);                             /* never NULL; size 0 gives 1 byte */
void *xcalloc(size_t n, size_t size);                   /* zeroed, overflow-checked */
void *xrealloc_array(void *old, size_t n, size_t size); /* overflow-checked */
size_t xsize_add(size_t a, size_t b);                   /* overflow counts as running out */
char *xstrdup(const char *text);
char *xstrndup(const char *bytes, size_t length); /* copies length bytes and adds a NUL */
char *xrealpath(const char *path);                /* NULL, with errno: there is none */
/* Grows `*array` so that it holds at least `want` elements: doubles `*capacity`. */
void *mem_grow(void *array, size_t *capacity, size_t want, size_t element_size);
/* The same for an array that its pointer's type tells about. All are evaluated more than once. */
#define MEM_GROW(array, capacity, want)                                                            \
	((array) = (want) <= (capacity) ? (array)                                                  \
	                                : mem_grow((array), &(capacity), (want), sizeof *(array)))
/* A new array of n zeroed elements, for a pointer whose type tells about them. */
#define MEM_NEW(array, n) ((array) = xcalloc((n), sizeof *(array)))

/* How many elements an array has. */
#define COUNT_OF(array) (sizeof(array) / sizeof *(array))

/* NULL when memory is short or n * size overflows or exceeds limit; for sizes read from input. */
void *mem_try(size_t n, size_t size, size_t limit);

/* Whole pages, zeroed, at an address of their own; never NULL. */
void *mem_map(size_t bytes);
/* The same pages, and new ones behind them, maybe elsewhere. */
void *mem_remap(void *memory, size_t bytes, size_t want);
void mem_unmap(void *memory, size_t bytes);

/* What was freed goes back to the system, as far as the C library can: for where much was. */
void mem_give_back(void);

/* What is going on ("while reading"), with which file, and what would take less memory ("fewer
 * threads (--threads 1)"); said when it runs out. Lent. */
struct mem_task {
	const char *doing, *file, *help; /* file, help: NULL: none */
};
/* Of this thread; is_default: of all that have none of their own. NULL: none any more. */
void mem_set_task(const struct mem_task *task, bool is_default);
/* How much there may be, "2.0 GiB, ..."; lent. */
void mem_set_limit(const char *text);
/* "out of memory while reading 'a.json' (...): give more with --memory SIZE, or ..."; cut at size
 * bytes. */
void mem_print_exhausted(char *out, size_t size);

/* Called once, just before the program ends for lack of memory. */
void mem_on_exhausted(void (*hook)(void));

/* Tests only: the n-th mem_try from now fails (0 switches off). */
void mem_fail_at(unsigned n);

/* Bump allocator: everything is freed at once. Returned memory is aligned for any type. */
struct arena;
struct arena *arena_new(void);
void *arena_alloc(struct arena *arena, size_t size);       /* not zeroed */
void *arena_bytes_alloc(struct arena *arena, size_t size); /* of no alignment, not zeroed */
void *arena_zalloc(struct arena *arena, size_t size);
void *arena_copy(struct arena *arena, const void *bytes, size_t size);
char *arena_strndup(struct arena *arena, const char *bytes, size_t length);
char *arena_strdup(struct arena *arena, const char *text);
/* A copy that ends with a NUL, too; its ptr is not NULL. */
struct slice arena_slice(struct arena *arena, struct slice text);
char *arena_printf(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
size_t arena_bytes(const struct arena *arena);
void arena_reset(struct arena *arena); /* frees the contents, keeps the arena */
void arena_free(struct arena *arena);  /* takes NULL */

#endif
