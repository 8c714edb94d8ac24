/*
 * A timeline in which lanes that are alike are one row, those that are odd stand below it as they
 * were (column/ops/alike.h says by what rule). Of two runs those fold that are alike in their run
 * both, or stand alone.
 * Used by cli, ui/timeline.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_ALIKE_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_ALIKE_H

#include "query/timeline/timeline.h"
#include "util/slice.h"

/* New, for timeline_release; keeps `base`, the timeline that is folded (of one run: stores[1] is
 * NULL). Where no group folds its rows are those of base, and n_alike is 0. NULL on error. */
struct timeline *timeline_alike_read(struct store *const stores[2], struct timeline *base,
                                     const struct cancel *cancel, struct err *err);

/* Why a row is odd: "write 1.38 ms, 1.72 x the usual 800 us", "ends 1.5 ms later than usual". */
void timeline_odd_say(const struct timeline_odd *odd, struct strbuf *out);

#endif
