/* The spans around gaps, for gaps.c.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_GAPS_NEIGHBOURS_H
#define LANESCOPE_COLUMN_OPS_GAPS_NEIGHBOURS_H

#include "column/ops/gaps.h"

/* Fills before and after of n gaps: one more pass over the spans. The gaps' lanes are cells, by
 * cell_of (NULL: lanes). */
int gap_find_neighbours(const struct dataset *dataset, const struct gaps_request *request,
                        const uint32_t *cell_of, struct gap *gaps, size_t n, struct err *err);

#endif
