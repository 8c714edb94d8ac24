/*
 * Tasks, tags, problems and the like are few beside spans, but nothing bounds them, so they do not
 * stay in memory either: every source gathers some kilobytes and then hands them to the spill that
 * all sources share (one temporary file, however many sources there are).
 */
#include "config.h"
#include "ingest/spool.h"

#include <stdlib.h>

#include "util/mem.h"

#define CHUNK_BYTES ((size_t)64 << 10)
#define ALIGNMENT ((size_t)16)

struct header {
	uint64_t type, size, extra; /* sizes without padding */
	uint64_t reserved;          /* keeps what follows aligned */
};

static size_t
padded(size_t size)
{
	return (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

static void
add_padded(struct strbuf *buffer, const void *bytes, size_t size)
{
	static const char zeros[ALIGNMENT];

	strbuf_add(buffer, bytes, size);
	strbuf_add(buffer, zeros, padded(size) - size);
}

/* Moves the buffer to the spill. */
static int
flush(struct spool *spool, struct err *err)
{
	struct spool_chunk chunk = {.bytes = spool->buffer.len};

	if (spill_add(spool->spill, spool->buffer.data, chunk.bytes, &chunk.place, err)) {
		return -1;
	}
	MEM_GROW(spool->chunks, spool->capacity, spool->n_chunks + 1);
	spool->chunks[spool->n_chunks++] = chunk;
	strbuf_clear(&spool->buffer);
	return 0;
}

int
spool_put(struct spool *spool, unsigned type, const void *fixed, size_t size, struct slice extra,
          struct err *err)
{
	struct header header = {type, size, extra.len, 0};

	add_padded(&spool->buffer, &header, sizeof header);
	add_padded(&spool->buffer, fixed, size);
	add_padded(&spool->buffer, extra.ptr, extra.len);
	spool->n_records++;
	return spool->buffer.len < CHUNK_BYTES ? 0 : flush(spool, err);
}

static int
each_of(const char *bytes, size_t n, const struct spool_visitor *visitor, struct err *err)
{
	for (const char *at = bytes; at < bytes + n;) {
		struct header header;
		memcpy(&header, at, sizeof header);
		const char *fixed = at + padded(sizeof header);
		const char *extra = fixed + padded(header.size);
		int result = visitor->record(visitor->user, (unsigned)header.type, fixed,
		                             (struct slice){extra, header.extra}, err);
		if (result != 0) {
			return result;
		}
		at = extra + padded(header.extra);
	}
	return 0;
}

int
spool_each(const struct spool *spool, const struct spool_visitor *visitor, struct err *err)
{
	char *bytes = NULL;
	size_t capacity = 0;
	int result = 0;

	for (size_t i = 0; i < spool->n_chunks && result == 0; i++) {
		const struct spool_chunk *chunk = &spool->chunks[i];
		bytes = mem_grow(bytes, &capacity, chunk->bytes, 1);
		result = spill_read(spool->spill, &chunk->place, 0, bytes, chunk->bytes, err);
		if (result == 0) {
			result = each_of(bytes, chunk->bytes, visitor, err);
		}
	}
	free(bytes);
	struct slice rest = strbuf_slice(&spool->buffer);
	return result ? result : each_of(rest.ptr, rest.len, visitor, err);
}

void
spool_fini(struct spool *spool)
{
	strbuf_free(&spool->buffer);
	free(spool->chunks);
	spool->chunks = NULL;
	spool->n_chunks = 0;
}
