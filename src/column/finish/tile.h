/*
 * Tiles: cells of the timeline's level-of-detail pyramid. Level k cells are base * 4^k ns wide and
 * start at multiples of their width from the run's start; the base is chosen so that the base cells
 * of all lanes are at most 1/32 of the spans (but each lane has one); the last level is the first
 * where one cell covers the run. A cell holds
 * - busy: length of the union of everything on the lane in it (never above its width),
 * - by category: ns in which the innermost span (sweep.h) is of that category (adds up to busy),
 * - count: spans that start in it.
 *
 * A group's (host's) cell is the sum over its lanes. Cells stand in chunks of TILE_CHUNK, empty
 * ones cost nothing. Lanes of kind LANE_AGGREGATE hold records that stand for many calls: there a
 * span is the interval that a record tells of, so busy is at most, and the cell has a
 * - density: what the calls took, spread evenly over each record's interval (density.h). Calls of
 *   several threads may take more time than there is: it is cut to the width where it is drawn.
 * Of such lanes a group's cell sums the density alone.
 *
 * There are no tiles of counters and events yet: they would be further subjects (counters: min,
 * max, last, count of a cell by (lane, name); events: count by lane), with their own encodings
 * beside tile_encode; until then they are read from their blocks.
 * Used by ingest, query, query/timeline, store.
 */
#ifndef LANESCOPE_COLUMN_FINISH_TILE_H
#define LANESCOPE_COLUMN_FINISH_TILE_H

#include "column/scan/dataset.h"

#define TILE_CHUNK 256u
/* A cell names at most so many categories: the largest; the rest stands under TEXT_NONE. */
#define TILE_CATEGORIES 4096u

enum tile_subject { TILE_LANE, TILE_GROUP };

struct tile_chunk {
	enum tile_subject subject;
	uint32_t id; /* run lane, or group */
	unsigned level;
	uint64_t chunk;     /* cells chunk * TILE_CHUNK ... */
	struct slice bytes; /* encoded cells */
};

struct category_time {
	uint32_t category; /* run text code; TEXT_NONE for none */
	int64_t ns;
};
struct tile_cell {
	int64_t busy_ns, count;
	int64_t density_ns; /* of records that stand for many calls; else 0 */
	uint32_t n_categories;
	const struct category_time *categories; /* by ns, descending, then code */
};

/* n_cells <= TILE_CHUNK; cells as above (in order, adding up). Appends. */
void tile_encode(const struct tile_cell *cells, uint32_t n_cells, struct strbuf *out);
/* Decodes into cells (TILE_CHUNK of them, zeroed where empty), categories in the arena. Hostile
 * input: ERR_FORMAT, or cells that hold what is promised above (but for the width and what the
 * codes mean). */
struct arena;
int tile_decode(struct slice bytes, struct tile_cell *cells, struct arena *arena, struct err *err);

/* Cells of any window of lanes and groups. Cells come from tiles where cell_ns is a multiple of the
 * base width, else from the blocks. Exact at every zoom: the sums of busy and of density over any
 * cover of the run are the same. */
struct tile_reader {
	const struct dataset *dataset;
	int64_t base_ns; /* 0: there are no tiles, everything is read from the blocks */
	unsigned n_levels;
	/* Bytes of a chunk, lent until the next call; empty slice if there is none. -1 on error. */
	int (*fetch)(void *user, enum tile_subject subject, uint32_t id, unsigned level,
	             uint64_t chunk, struct slice *bytes, struct err *err);
	void *user;
	const struct cancel *cancel;
};
/* Rounds a wished cell width (ns) up, by a third at most: below three times the base width to a
 * number of two digits (10, 12, 15, 20, 25, 30, 40, 50, 60, 80 x 10^k) or a multiple of the base,
 * from there on to up to 15 base * 4^k. */
int64_t tile_snap(const struct tile_reader *reader, int64_t wished_ns);

struct tile_request {
	enum tile_subject subject;
	uint32_t id;
	const uint32_t *members; /* a group's lanes; needed where the blocks are read */
	uint32_t n_members;
	struct tile_cell *cells; /* gets n_cells; categories in the arena */
};
/* How cells that do not fit the tiles come about. */
enum tile_fit {
	TILE_EXACT, /* from the blocks */
	/* The tiles at the ends of a cell are divided as if their time were spread evenly over
	 * them. They are small against the cell; nothing is lost or counted twice. Not of cells so
	 * narrow that the blocks are as quick. */
	TILE_SPLIT,
	/* The same of cells down to a sixteenth of the base width: for pictures of what sums up the
	 * lanes of a run of very many spans, where the blocks would all be read. */
	TILE_BLUR
};
struct tile_axis {
	int64_t start_ns; /* a multiple of cell_ns from the run's start; may be negative */
	int64_t cell_ns;
	uint32_t n_cells;
	enum tile_fit fit;
};
/* Are cells of this axis put together from tiles, not from the blocks? */
bool tile_serves(const struct tile_reader *reader, struct tile_axis axis);
/* A screen of lanes and groups: the axis's cells for each request. Below the base width the blocks
 * are read once for all requests, on all cores; ERR_LIMIT if more than TILE_WINDOW_SPANS spans lie
 * in the window. */
#define TILE_WINDOW_SPANS (16u << 20)
int tile_read_many(const struct tile_reader *reader, const struct tile_request *requests,
                   size_t n_requests, struct tile_axis axis, struct arena *arena, struct err *err);

#endif
