/*
 * The arena: a chain of chunks that are filled from the front. Chunks grow with what is already
 * held (up to 1 MiB), so that small arenas stay small and large ones need few calls of malloc; what
 * would waste most of a chunk gets one of its own behind the current one.
 */
#include "config.h"
#include "util/mem.h"
#include "util/order.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_MIN ((size_t)512)
#define CHUNK_MAX ((size_t)1 << 20)
#define ALIGNMENT ((size_t)16)

struct arena_chunk {
	struct arena_chunk *next;
	size_t size; /* of the whole allocation */
};
#define HEADER ((sizeof(struct arena_chunk) + ALIGNMENT - 1) & ~(ALIGNMENT - 1))

struct arena {
	struct arena_chunk *chunks; /* the first is the one being filled */
	char *at, *end;
	size_t bytes;
};

struct arena *
arena_new(void)
{
	return xcalloc(1, sizeof(struct arena));
}

/* A new chunk with room for `size` bytes; returns its contents. */
static char *
add_chunk(struct arena *arena, size_t size)
{
	size_t total = arena->bytes / 2;
	total = total < CHUNK_MIN ? CHUNK_MIN : LEAST(CHUNK_MAX, total);

	bool own = size > total / 4;
	if (own) {
		total = xsize_add(size, HEADER);
	}
	struct arena_chunk *chunk = xmalloc(total);
	chunk->size = total;
	arena->bytes += total;
	char *contents = (char *)chunk + HEADER;
	if (own && arena->chunks) {
		chunk->next = arena->chunks->next;
		arena->chunks->next = chunk;
		return contents;
	}
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	arena->at = contents + size;
	arena->end = (char *)chunk + total;
	return contents;
}

static void *
take(struct arena *arena, size_t size, size_t alignment)
{
	size_t skip = -(uintptr_t)arena->at & (alignment - 1);
	size_t room = (size_t)(arena->end - arena->at);

	if (room < skip || room - skip < size) {
		return add_chunk(arena, size);
	}
	char *memory = arena->at + skip;
	arena->at = memory + size;
	return memory;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	return take(arena, size ? size : 1, ALIGNMENT);
}

void *
arena_zalloc(struct arena *arena, size_t size)
{
	return memset(arena_alloc(arena, size), 0, size);
}

void *
arena_copy(struct arena *arena, const void *bytes, size_t size)
{
	void *copy = arena_alloc(arena, size);
	if (size) {
		memcpy(copy, bytes, size);
	}
	return copy;
}

void *
arena_bytes_alloc(struct arena *arena, size_t size)
{
	return take(arena, size ? size : 1, 1);
}

char *
arena_strndup(struct arena *arena, const char *bytes, size_t length)
{
	char *copy = arena_bytes_alloc(arena, xsize_add(length, 1));
	if (length) {
		memcpy(copy, bytes, length);
	}
	copy[length] = '\0';
	return copy;
}

char *
arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

struct slice
arena_slice(struct arena *arena, struct slice text)
{
	return (struct slice){arena_strndup(arena, text.ptr, text.len), text.len};
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args, again;

	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	size_t size = length < 0 ? 0 : (size_t)length;
	char *text = take(arena, size + 1, 1);
	text[0] = '\0';
	if (size) {
		vsnprintf(text, size + 1, format, again);
	}
	va_end(again);
	return text;
}

size_t
arena_bytes(const struct arena *arena)
{
	return arena->bytes;
}

/* Frees the chunks from `chunk` on. */
static void
free_chunks(struct arena_chunk *chunk)
{
	for (struct arena_chunk *next; chunk; chunk = next) {
		next = chunk->next;
		free(chunk);
	}
}

void
arena_reset(struct arena *arena)
{
	struct arena_chunk *kept = arena->chunks;

	if (!kept) {
		return;
	}
	/* One chunk stays, so that an arena that is reset for every record calls malloc once. */
	free_chunks(kept->next);
	kept->next = NULL;
	if (kept->size > CHUNK_MAX) {
		free(kept);
		memset(arena, 0, sizeof *arena);
		return;
	}
	arena->at = (char *)kept + HEADER;
	arena->end = (char *)kept + kept->size;
	arena->bytes = kept->size;
}

void
arena_free(struct arena *arena)
{
	if (arena) {
		free_chunks(arena->chunks);
		free(arena);
	}
}
