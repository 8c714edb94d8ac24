/*
 * From the sources' own numbers to the run's: texts, argument names, lanes. Sources are merged in
 * their order, each as soon as it and all before it are read, and give up their dictionaries then.
 * Private to src/ingest.
 * Used by its room alone.
 */
#ifndef LANESCOPE_INGEST_MERGE_H
#define LANESCOPE_INGEST_MERGE_H

#include "column/scan/dataset.h"
#include "ingest/source.h"

/* A code of a source that stands for a symbol not defined there. */
struct pending_symbol {
	uint32_t code;   /* in the source */
	uint32_t scoped; /* in merge.scopes */
};

struct merge {
	struct intern *texts, *keys;
	struct intern *scopes, *names; /* (scope, symbol) and symbol alone */
	uint32_t *scoped_text,
	    *named_text; /* what the first definition says, run code; TEXT_NONE: none */
	size_t scoped_capacity, named_capacity;
	struct lane_list lanes;
};

/* texts: where the run's dictionary goes beyond memory; lent. */
void merge_init(struct merge *merge, struct spill *texts);
void merge_fini(struct merge *merge); /* takes a zeroed one, and leaves one */
/* The next source in order, which is read to its end. */
void merge_source(struct merge *merge, struct source *source);
/* After the last one: symbols that were defined elsewhere or nowhere, then lanes. */
void merge_finish(struct merge *merge, struct source *sources, uint32_t n_sources);

static inline uint32_t
map_code(const uint32_t *map, uint32_t code)
{
	return code == UINT32_MAX ? UINT32_MAX : map[code]; /* TEXT_NONE, LANE_NONE */
}

#endif
