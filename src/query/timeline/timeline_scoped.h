/*
 * How busy lanes are in what a scope or a filter leaves, which tiles don't know: a scan.
 * Used by query.
 */
#ifndef LANESCOPE_QUERY_TIMELINE_TIMELINE_SCOPED_H
#define LANESCOPE_QUERY_TIMELINE_TIMELINE_SCOPED_H

#include "column/scan/scan.h"
#include "column/finish/tile.h"

#define SCOPED_NO_LINE UINT32_MAX
#define SCOPED_MAPS 6
#define LONG_SPANS 1000000 /* longer than the window and in it: at most one a lane and depth */

/* Cells begin at start_ns, a multiple of their width. */
struct scoped_busy {
	const struct dataset *dataset; /* with its scope */
	const char *filter;            /* besides the scope's; NULL: none */
	bool is_outermost;             /* no condition chooses among a lane's spans */
	struct tile_axis axis;
	/* By lane, what it is part of, SCOPED_NO_LINE: of nothing. NULL: there is no such map. */
	const uint32_t *lines[SCOPED_MAPS];
	struct tile_cell **cells; /* by line: what busy_ns and count are added to */
	const struct cancel *cancel;
};
/* A lane is busy in a cell for as long as its outermost spans are: their union, as spans of a lane
 * that counts for its host nest. Of spans that a condition chooses one may lie in another: then it
 * is their sum, the cell's width at most. */
int timeline_scoped_busy(const struct scoped_busy *asked, struct err *err);

#endif
