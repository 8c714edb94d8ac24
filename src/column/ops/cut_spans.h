/*
 * Spans that an end of the scope's range cuts, and how much of the part inside of each its children
 * cover: what is left of it is self time. There are few, a lane has as many as it nests deep.
 * Used by its room alone.
 */
#ifndef LANESCOPE_COLUMN_OPS_CUT_SPANS_H
#define LANESCOPE_COLUMN_OPS_CUT_SPANS_H

#include <stdatomic.h>

#include "column/scan/dataset.h"
#include "util/index.h"

/* Zero-initialise. */
struct cut_spans {
	struct index places;
	int64_t *ids;
	_Atomic int64_t *covered_ns;
	size_t n;
	int64_t first_id, last_id;
};
/* Reads the blocks of the range; cut_spans_free() even after an error. */
int cut_spans_find(struct cut_spans *cut, const struct dataset *dataset,
                   const struct cancel *cancel, struct err *err);
/* The self time inside of the range of a span that is cut, of whose duration so much is inside. */
int64_t cut_spans_self(const struct cut_spans *cut, int64_t id, int64_t inside_ns, int64_t self_ns);
void cut_spans_free(struct cut_spans *cut); /* takes a zeroed one */

#endif
