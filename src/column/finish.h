/*
 * The finishing pass: nesting and tiles.
 *
 * Parents arrive after their children and nothing arrives in order, so every lane's spans are sorted by (start, -duration, id order) in
 * bounded runs that are spilled to an unlinked temporary file, merged, and swept once. The sweep gives for each span
 *   parent: the span that started last of those that contain it (same lane),
 *   depth: the lowest row above its parent's on which no open span lies (so spans that overlap without nesting get rows of their own),
 *   covered: ns of it covered by its direct children (self = duration - covered),
 * and fills the tiles. Memory: at most about `memory_bytes` plus a constant per lane.
 */
#ifndef LANESCOPE_COLUMN_FINISH_H
#define LANESCOPE_COLUMN_FINISH_H

#include "column/block.h"
#include "column/tile.h"

struct finish;
/* directory: where the temporary files may be made (unlinked at once; tmpfile semantics). */
struct finish *finish_new(const char *directory, size_t memory_bytes);
/* A block's spans, in order. Thread-safe for different sources. */
int finish_add(struct finish *finish, uint32_t source, uint32_t sequence, const struct span_key *keys, uint32_t n, struct err *err);

struct finish_source {
	const uint32_t *texts, *lanes; /* source's code -> run's code */
};
struct finish_plan {
	const struct finish_source *sources;
	uint32_t n_sources, n_lanes;
	const bool *is_flat;           /* by run lane: no nesting there (aggregate lanes): no columns, no tiles */
	const uint32_t *group;         /* by run lane: tile subject that sums it (its host), numbered by the caller; TEXT_NONE none */
	uint32_t n_groups;
	int64_t origin_ns, duration_ns;/* of the run */
	unsigned n_threads;
	const struct cancel *cancel;
};
struct finish_receiver {
	void *user;
	/* Columns DEPTH, PARENT, COVERED of one block: only those that are not wholly absent; offsets[i] into bytes. Called on one
	 * thread at a time, blocks in order (source, sequence). */
	int (*columns)(void *user, uint32_t source, uint32_t sequence, struct column_info *columns, const size_t *offsets, uint32_t n, struct slice bytes);
	int (*tile)(void *user, const struct tile_chunk *chunk); /* on one thread at a time; lent */
	int (*base)(void *user, int64_t tile_base_ns, unsigned n_levels);
};
int finish_run(struct finish *finish, const struct finish_plan *plan, const struct finish_receiver *receiver, struct err *err);
void finish_free(struct finish *finish); /* takes NULL */

#endif
