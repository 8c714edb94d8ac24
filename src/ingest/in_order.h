/* Blocks in the order of their sources, whatever the order in which threads decode them: so a run
 * file's bytes don't depend on the number of threads. Private to src/ingest.
 * Used by its room alone. */
#ifndef LANESCOPE_INGEST_IN_ORDER_H
#define LANESCOPE_INGEST_IN_ORDER_H

#include <stdbool.h>
#include "column/encode/block.h"
#include "util/spill.h"

/* Zero-initialise but for the first five, which are borrowed. */
struct in_order {
	struct spill *spill;
	uint32_t n_sources;
	const bool *held; /* which of them there is anything of; NULL: of all */
	void *user;
	int (*write)(void *user, const struct block *block, struct err *err);
	uint32_t current; /* all before are written */
	struct waiting_source *sources;
};

/* Takes a block: it is written now if it is of the source whose turn it is, else put aside. */
int in_order_add(struct in_order *order, struct block *block, struct err *err);
/* Nothing more comes of that source. Writes what has waited for it. */
int in_order_end(struct in_order *order, uint32_t source, struct err *err);
void in_order_fini(struct in_order *order);

#endif
