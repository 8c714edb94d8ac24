/*
 * Tiles: cells of the timeline's level-of-detail pyramid. Level k cells are base * 4^k ns wide and start at multiples of their width; the
 * base is chosen so that the base cells of all lanes are at most 1/32 of the spans. A cell holds
 *   busy: length of the union of everything on the lane in it (never above its width),
 *   by category: ns in which the innermost span is of that category (they add up to busy),
 *   count: spans that start in it.
 * A group's (host's) cell is the sum over its lanes. Cells stand in chunks of TILE_CHUNK, empty ones cost nothing.
 */
#ifndef LANESCOPE_COLUMN_TILE_H
#define LANESCOPE_COLUMN_TILE_H

#include "column/dataset.h"

#define TILE_CHUNK 256u

enum tile_subject { TILE_LANE, TILE_GROUP };

struct tile_chunk {
	enum tile_subject subject;
	uint32_t id;            /* run lane, or group */
	unsigned level;
	uint64_t chunk;         /* cells chunk * TILE_CHUNK ... */
	struct slice bytes;     /* encoded cells */
};

struct category_time {
	uint32_t category;      /* run text code; TEXT_NONE for none */
	int64_t ns;
};
struct tile_cell {
	int64_t busy_ns, count;
	uint32_t n_categories;
	const struct category_time *categories; /* by ns, descending, then code */
};

void tile_encode(const struct tile_cell *cells, uint32_t n_cells, struct strbuf *out);
/* Decodes into cells (TILE_CHUNK of them, zeroed where empty), categories in the arena. Hostile input: ERR_FORMAT. */
struct arena;
int tile_decode(struct slice bytes, struct tile_cell *cells, struct arena *arena, struct err *err);

/* Cells of any window of a lane or group. The window's start is a multiple of cell_ns from the run's start (the caller snaps it with
 * tile_snap); cells come from tiles where cell_ns is a multiple of a level's width, else from the blocks. Exact at every zoom:
 * the sum of busy over any cover of the run is the same. Groups below the base width are summed over `members`. */
struct tile_reader {
	const struct dataset *dataset;
	int64_t base_ns;
	unsigned n_levels;
	/* Bytes of a chunk, lent until the next call; empty slice if there is none. -1 on error. */
	int (*fetch)(void *user, enum tile_subject subject, uint32_t id, unsigned level, uint64_t chunk, struct slice *bytes, struct err *err);
	void *user;
	const struct cancel *cancel;
};
/* Rounds a wished cell width (ns) up to one of 1, 2, 5 x 10^k below the base width and to base * 4^k * {1, 2, 3} (multiples of a level) from there on. */
int64_t tile_snap(const struct tile_reader *reader, int64_t wished_ns);
int tile_read(const struct tile_reader *reader, enum tile_subject subject, uint32_t id, const uint32_t *members, uint32_t n_members,
	      int64_t start_ns, int64_t cell_ns, uint32_t n_cells, struct tile_cell *cells, struct arena *arena, struct err *err);

/* Spans of a lane that intersect [start, end), sorted by (start, -duration, id), at most limit; for drawing spans one by one. Rows new (free()). */
struct span_row;
int64_t lane_spans(const struct dataset *dataset, uint32_t lane, int64_t start_ns, int64_t end_ns, int64_t limit, struct span_row **rows,
		   const struct cancel *cancel, struct err *err);

#endif
