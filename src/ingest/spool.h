/*
 * Records put aside until the end of an import, in the order they came: a small buffer, then a
 * shared spill. Records are raw structs of this process, nothing that is ever read by another.
 * Used by its room alone.
 */
#ifndef LANESCOPE_INGEST_SPOOL_H
#define LANESCOPE_INGEST_SPOOL_H

#include "util/spill.h"
#include "util/slice.h"

struct spool_chunk {
	struct spill_place place;
	size_t bytes;
};

/* Zero-initialised but for spill, which is borrowed. */
struct spool {
	struct spill *spill;
	struct strbuf buffer; /* not spilled yet */
	struct spool_chunk *chunks;
	size_t n_chunks, capacity;
	uint64_t n_records;
};

/* Appends a record: a fixed part of `size` bytes and a variable one. */
int spool_put(struct spool *spool, unsigned type, const void *fixed, size_t size,
              struct slice extra, struct err *err);

struct spool_visitor {
	void *user;
	/* fixed and extra are aligned for any type and lent for the call. Nonzero stops. */
	int (*record)(void *user, unsigned type, const void *fixed, struct slice extra,
	              struct err *err);
};
/* All records in order: 0, or what stopped it. */
int spool_each(const struct spool *spool, const struct spool_visitor *visitor, struct err *err);
void spool_fini(struct spool *spool);

#endif
