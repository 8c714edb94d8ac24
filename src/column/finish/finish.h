/*
 * The finishing pass: nesting and tiles.
 *
 * Parents arrive after their children and nothing arrives in order, so every lane's spans are
 * sorted by (start, -duration, order, id), spilled to an unlinked temporary file where memory does
 * not hold them, merged and swept once. "Before" and "last" mean that order below. "Order" is where
 * a span's begin stands in its source, for the sources that tell (struct span_order; then they tell
 * it of all spans of a lane); 0 elsewhere.
 * The sweep fills the tiles and gives for each span
 * - parent: the last span before it on its lane that contains it. A span contains another that
 *   lies within its start and end (both may touch); of equal ones the earlier contains the later.
 *   It contains a span without length if start <= that instant < end. Spans without length contain
 *   nothing.
 *   Where orders are told, a span without length keeps the parent that was open when it began: what
 *   began at that instant contains it only if its begin stands before (or if both are single
 *   records); what ends at that instant, and may be without length too, also contains it if its
 *   end stands behind that span's begin. Of those that are open and of those that end then the
 *   last SWEEP_TIES_MAX (sweep.h) are looked at.
 * - depth: the lowest number above its parent's (0 on, if it has none) of a row on which no span
 *   before it is still going on, so spans that overlap without nesting get rows of their own. At
 *   most FINISH_DEPTH_MAX, a row that all deeper ones share.
 * - covered: ns of it covered by the union of its direct children (self = duration - covered).
 *
 * What is nested more than SWEEP_NESTING_MAX (sweep.h) deep has the innermost span above that as
 * parent.
 *
 * Memory: about memory_bytes, a few MiB a thread (and 64 MiB where spans are nested a million
 * deep), four bytes a lane, and some hundred for each lane that is swept in a round: 65 536 of
 * them, or a part in 32 of all where these are more. The temporary file takes about nine bytes a
 * span, and 32 for each (block, lane) pair that occurs.
 * Used by ingest.
 */
#ifndef LANESCOPE_COLUMN_FINISH_FINISH_H
#define LANESCOPE_COLUMN_FINISH_FINISH_H

#include "column/encode/block.h"
#include "column/finish/tile.h"

#define FINISH_DEPTH_MAX 65535u

struct finish;
/* directory: where the temporary file may be made (the caller's choice: $TMPDIR if set, else the
 * run file's folder). */
struct finish *finish_new(const char *directory, size_t memory_bytes);
/* A block's spans: n <= BLOCK_ROWS, row by row; orders: NULL if no span has one. Every block of a
 * source once; blocks in any order, on any threads. */
int finish_add(struct finish *finish, uint32_t source, uint32_t sequence,
               const struct span_key *keys, const struct span_order *orders, uint32_t n,
               struct err *err);

/* Tells of each lane of each block that was added when the last of its spans ends, on the source's
 * clock. */
int finish_ends(const struct finish *finish,
                void (*tell)(void *user, uint32_t source, uint32_t lane, int64_t end_ns),
                void *user, struct err *err);

struct finish_source {
	const uint32_t *texts, *lanes; /* source's code -> run's code */
	int64_t shift_ns;              /* to be added to its times, which stay within range */
};
struct finish_plan {
	const struct finish_source *sources;
	uint32_t n_sources, n_lanes;
	const bool
	    *is_flat; /* by run lane: no nesting there: no columns, and no tiles, but of those
	                          that are dense; NULL: none */
	const bool *is_dense; /* by run lane: of records that stand for many calls: tiles have their
	                          density, and groups sum nothing else of them; NULL: none */
	const uint32_t *group; /* by run lane: tile subject that sums it (its host), numbered by the
	                          caller; TEXT_NONE none; NULL: no groups */
	uint32_t n_groups;
	int64_t origin_ns,
	    duration_ns;    /* of the run: tiles hold what lies in [origin, origin + duration] */
	unsigned n_threads; /* 0: workers_count() */
	const struct cancel *cancel;
};
/* Everything is called on the thread that called finish_run; nonzero stops: finish_run returns -1
 * and leaves *err as it is (the receiver knows the reason). */
struct finish_receiver {
	void *user;
	/* First. 0 and 0 if no lane has tiles. */
	int (*base)(void *user, int64_t tile_base_ns, unsigned n_levels);
	/* In order of (subject, id, level, chunk); lent. */
	int (*tile)(void *user, const struct tile_chunk *chunk);
	/* Columns DEPTH, PARENT, COVERED of one block: only those that are not wholly absent,
	 * blocks without any are left out; offsets[i] into bytes. Blocks in order of (source,
	 * sequence). Lent. */
	int (*columns)(void *user, uint32_t source, uint32_t sequence, struct column_info *columns,
	               const size_t *offsets, uint32_t n, struct slice bytes);
};
/* Once, after the last finish_add. Ids are dense from 1 in order of (source, sequence, row). The
 * result does not depend on n_threads, on memory_bytes or on the order of finish_add. */
int finish_run(struct finish *finish, const struct finish_plan *plan,
               const struct finish_receiver *receiver, struct err *err);
void finish_free(struct finish *finish); /* takes NULL */

#endif
