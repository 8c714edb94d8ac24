/*
 * Matching of spans by what called them.
 * Used by its room alone.
 */
#ifndef LANESCOPE_EXPLAIN_SCHEDULE_MATCHING_CALLS_H
#define LANESCOPE_EXPLAIN_SCHEDULE_MATCHING_CALLS_H

#include "explain/schedule/matching.h"

/* A call of B is that of A which is the k-th of its name in the same call, or, of the outermost, on
 * the same lane. by_place: lanes are the same where they are the k-th whose names are equal but for
 * numbers and hashes; else where their names are equal. Fills all but the rule; no pairs where a
 * run's calls are not kept. */
void matching_pair_calls(struct matching *matching, const struct schedule *a,
                         const struct schedule *b, bool by_place);
/* Where the first stretches of two calls are paired, the others too: the k-th with the k-th. */
void matching_pair_stretches(struct matching *matching, const struct schedule *a,
                             const struct schedule *b);

#endif
