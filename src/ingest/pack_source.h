/* A source that was read as bytes, for a part of a run, and back. Private to src/ingest.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_PACK_SOURCE_H
#define LANESCOPE_INGEST_PACK_SOURCE_H

#include "ingest/source.h"
#include "util/pack.h"

struct source_pack {
	struct pack pack; /* set up by the caller */
	struct source *source;
	struct spill *spill; /* of its records */
	/* Values of samples stand elsewhere: they are not written, and where the source is read
	 * back, those of the nth come from there (lent until the next call). */
	bool values_apart;
	int (*values)(void *user, uint64_t nth, struct slice *values, struct err *err);
	/* so far: */
	uint32_t n_texts, n_keys, n_lanes;
	uint64_t n_trials, n_samples;
};

/* All that is known of a source, written or read (then after source_init), and what its format
 * knows of it. What is read is checked as far as it names anything: texts, lanes, times, numbers
 * of rows. Failures are the pack's. */
void source_pack(struct source_pack *source_pack, const struct import_format *format);

#endif
