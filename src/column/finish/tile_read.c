/*
 * Cells of a window out of tiles. Each cell asked for is a whole number of base cells, and is put
 * together from the largest tiles that fit: at the widths tile_snap gives at most a dozen or so, of
 * one or two levels. Cells of other widths divide the tiles that they begin and end in, which are
 * small against them.
 */
#include "config.h"
#include "column/finish/tile.h"

#include <stdlib.h>
#include <string.h>

#include "column/finish/cell.h"
#include "column/finish/pyramid.h"
#include "column/finish/tile_window.h"
#include "util/mem.h"
#include "util/order.h"

#define SPLIT_FROM 3   /* tiles that a cell has to hold to be divided at its ends */
#define BLUR_LIMIT 16  /* cells that a tile may be divided into where a picture will do */
#define SPLIT_PARTS 16 /* and holds at least where there are narrower ones */

/* The chunk of a level that was read last. */
struct level_cache {
	bool is_valid;
	uint64_t chunk;
	struct tile_cell *cells;
	struct arena *arena;
};

struct tiles {
	const struct tile_reader *reader;
	uint64_t n_base; /* base cells of the run */
	unsigned n_levels;
	struct level_cache *levels;
	struct cell_sum sum;
};

/* Round widths below the base: at most a third apart, so that a screen that shows a whole run
 * wastes little. */
static int64_t
snap_round(int64_t wished_ns)
{
	static const int64_t steps[] = {10, 12, 15, 20, 25, 30, 40, 50, 60, 80};

	if (wished_ns <= 10) {
		return MOST(wished_ns, 1);
	}
	for (int64_t decade = 1; decade <= INT64_MAX / 1000; decade *= 10) {
		for (unsigned i = 0; i < COUNT_OF(steps); i++) {
			if (steps[i] * decade >= wished_ns) {
				return steps[i] * decade;
			}
		}
	}
	return INT64_MAX;
}

/* The narrowest of the widths that tiles add up to in a few steps. */
static int64_t
snap_tiles(int64_t base_ns, int64_t wished_ns)
{
	for (int64_t width = base_ns;; width *= 4) {
		for (int64_t i = width == base_ns ? 1 : 4; i < 16; i++) {
			if (width > INT64_MAX / 64 || i * width >= wished_ns) {
				return i * width;
			}
		}
	}
}

/* Between the first multiples of the base a round width may fit better, and few spans have to be
 * read for it. */
int64_t
tile_snap(const struct tile_reader *reader, int64_t wished_ns)
{
	int64_t base_ns = reader->base_ns > 0 ? reader->base_ns : INT64_MAX;
	int64_t rounded_ns = snap_round(wished_ns), tiles_ns;

	if (rounded_ns < base_ns || base_ns == INT64_MAX) {
		return rounded_ns;
	}
	tiles_ns = snap_tiles(base_ns, wished_ns);
	return rounded_ns / 3 < base_ns && rounded_ns < tiles_ns ? rounded_ns : tiles_ns;
}

/* Whether a tile's cell can be what it says: texts that exist, a lane no busier than time allows.
 */
static int
check_cell(const struct tiles *tiles, enum tile_subject subject, const struct tile_cell *cell,
           unsigned level, struct err *err)
{
	const struct tile_reader *reader = tiles->reader;
	__int128 width = (__int128)reader->base_ns << (2 * level);

	if (subject == TILE_LANE && cell->busy_ns > width) {
		return err_set(err, ERR_FORMAT, "tiles: a cell is busier than it is wide");
	}
	for (uint32_t i = 0; i < cell->n_categories; i++) {
		uint32_t category = cell->categories[i].category;
		if (category != TEXT_NONE && category >= reader->dataset->n_texts) {
			return err_set(err, ERR_FORMAT, "tiles: no text %u", category);
		}
	}
	return 0;
}

/* A tile's cell, lent until the next call; empty where there is none. NULL on error. */
static const struct tile_cell *
read_tile(struct tiles *tiles, const struct tile_request *request, unsigned level, uint64_t index,
          struct err *err)
{
	const struct tile_reader *reader = tiles->reader;
	struct level_cache *cache = &tiles->levels[level];
	struct slice bytes = {NULL, 0};

	if (!cache->is_valid || cache->chunk != index / TILE_CHUNK) {
		cache->is_valid = false;
		if (cancel_check(reader->cancel, err)) {
			return NULL;
		}
		if (!cache->cells) {
			MEM_NEW(cache->cells, TILE_CHUNK);
			cache->arena = arena_new();
		}
		arena_reset(cache->arena);
		if (reader->fetch(reader->user, request->subject, request->id, level,
		                  index / TILE_CHUNK, &bytes, err) ||
		    tile_decode(bytes, cache->cells, cache->arena, err)) {
			return NULL;
		}
		cache->is_valid = true;
		cache->chunk = index / TILE_CHUNK;
	}
	const struct tile_cell *cell = &cache->cells[index % TILE_CHUNK];
	return cell_is_empty(cell) || check_cell(tiles, request->subject, cell, level, err) == 0
	           ? cell
	           : NULL;
}

static int
add_tile(struct tiles *tiles, const struct tile_request *request, unsigned level, uint64_t index,
         struct err *err)
{
	const struct tile_cell *cell = read_tile(tiles, request, level, index, err);

	if (cell && !cell_is_empty(cell)) {
		cell_add_cell(&tiles->sum, cell);
	}
	return cell ? 0 : -1;
}

/* What lies in [from, to) of a tile that a cell ends or begins in. The last one ends with the
 * run. */
static int
add_part(struct tiles *tiles, const struct tile_request *request, unsigned level, int64_t from_ns,
         int64_t to_ns, struct err *err)
{
	int64_t width = tiles->reader->base_ns << (2 * level), index = from_ns / width;
	int64_t start = index * width, left = tiles->reader->dataset->duration_ns - start;
	int64_t length = LEAST(MOST(left, 1), width);
	const struct tile_cell *cell;

	if (from_ns >= to_ns || left < 0) {
		return 0;
	}
	cell = read_tile(tiles, request, level, (uint64_t)index, err);
	if (cell && !cell_is_empty(cell)) {
		int64_t from = from_ns - start, to = to_ns - start;

		cell_add_part(&tiles->sum, cell, LEAST(from, length), LEAST(to, length), length);
	}
	return cell ? 0 : -1;
}

/* Adds base cells [from, end) as few large tiles. */
static int
add_range(struct tiles *tiles, const struct tile_request *request, uint64_t from, uint64_t end,
          struct err *err)
{
	while (from < end && from < tiles->n_base) {
		unsigned level = 0;
		uint64_t width = 1;
		while (level + 1 < tiles->n_levels && from % (4 * width) == 0 &&
		       end - from >= 4 * width) {
			level++;
			width *= 4;
		}
		if (add_tile(tiles, request, level, from / width, err)) {
			return -1;
		}
		from += width;
	}
	return 0;
}

/* A cell that need not fit the tiles: whole tiles of a level and above, and parts of one of them at
 * either end. */
static int
add_split(struct tiles *tiles, const struct tile_request *request, unsigned level, int64_t from_ns,
          int64_t end_ns, struct err *err)
{
	int64_t width = tiles->reader->base_ns << (2 * level);
	int64_t first = from_ns / width + (from_ns % width != 0), last = end_ns / width;

	if (from_ns % width != 0 &&
	    add_part(tiles, request, level, from_ns, LEAST(first * width, end_ns), err)) {
		return -1;
	}
	if (first <= last && add_range(tiles, request, (uint64_t)first << (2 * level),
	                               (uint64_t)last << (2 * level), err)) {
		return -1;
	}
	return first <= last ? add_part(tiles, request, level, last * width, end_ns, err) : 0;
}

/* The level whose tiles are divided: small against the cells, but not so small that many have to
 * be read. */
static unsigned
split_level(const struct tiles *tiles, int64_t cell_ns)
{
	unsigned level = 0;

	while (level + 1 < tiles->n_levels &&
	       tiles->reader->base_ns << (2 * level) <= cell_ns / (4 * SPLIT_PARTS)) {
		level++;
	}
	return level;
}

static int
read_request(struct tiles *tiles, const struct tile_request *request, int64_t start_ns,
             int64_t cell_ns, uint32_t n_cells, struct arena *arena, struct err *err)
{
	int64_t base_ns = tiles->reader->base_ns, end_of_run = tiles->reader->dataset->duration_ns;
	bool fits = cell_ns % base_ns == 0 && start_ns % base_ns == 0;
	unsigned level = fits ? 0 : split_level(tiles, cell_ns);

	for (unsigned k = 0; k < tiles->n_levels; k++) {
		tiles->levels[k].is_valid = false;
	}
	for (uint32_t i = 0; i < n_cells; i++) {
		int64_t from = tile_cell_start(start_ns, cell_ns, i);
		int64_t end = tile_cell_start(start_ns, cell_ns, (uint64_t)i + 1);
		int rc = 0;

		from = MOST(from, 0);
		if (end > 0 && from <= end_of_run) {
			rc = fits ? add_range(tiles, request, (uint64_t)(from / base_ns),
			                      (uint64_t)(end / base_ns), err)
			          : add_split(tiles, request, level, from, end, err);
		}
		if (rc) {
			return -1;
		}
		request->cells[i] = cell_take(&tiles->sum, arena);
	}
	return 0;
}

static int
read_tiles(const struct tile_reader *reader, const struct tile_request *requests, size_t n_requests,
           struct tile_axis axis, struct arena *arena, struct err *err)
{
	int64_t duration_ns = reader->dataset->duration_ns;
	struct tiles tiles = {.reader = reader};
	int status = 0;

	if (duration_ns < 0 || reader->n_levels != pyramid_levels(reader->base_ns, duration_ns)) {
		return err_set(err, ERR_FORMAT, "tiles: %u levels do not fit the run",
		               reader->n_levels);
	}
	tiles.n_levels = reader->n_levels;
	tiles.n_base = (uint64_t)(duration_ns / reader->base_ns) + 1;
	MEM_NEW(tiles.levels, tiles.n_levels);
	for (size_t i = 0; i < n_requests && status == 0; i++) {
		status = read_request(&tiles, &requests[i], axis.start_ns, axis.cell_ns,
		                      axis.n_cells, arena, err);
	}
	for (unsigned k = 0; k < tiles.n_levels; k++) {
		free(tiles.levels[k].cells);
		arena_free(tiles.levels[k].arena);
	}
	free(tiles.levels);
	cell_fini(&tiles.sum);
	return status;
}

bool
tile_serves(const struct tile_reader *reader, struct tile_axis axis)
{
	int64_t base_ns = reader->base_ns;

	if (base_ns <= 0) {
		return false;
	}
	return (axis.cell_ns % base_ns == 0 && axis.start_ns % base_ns == 0) ||
	       (axis.fit >= TILE_SPLIT && axis.cell_ns / SPLIT_FROM >= base_ns) ||
	       (axis.fit == TILE_BLUR && axis.cell_ns >= base_ns / BLUR_LIMIT);
}

int
tile_read_many(const struct tile_reader *reader, const struct tile_request *requests,
               size_t n_requests, struct tile_axis axis, struct arena *arena, struct err *err)
{
	if (axis.cell_ns <= 0) {
		return err_set(err, ERR_INTERNAL, "cells of no width");
	}
	for (size_t i = 0; i < n_requests; i++) {
		memset(requests[i].cells, 0, axis.n_cells * sizeof *requests[i].cells);
	}
	if (tile_serves(reader, axis)) {
		return read_tiles(reader, requests, n_requests, axis, arena, err);
	}
	return tile_read_blocks(reader, requests, n_requests, axis, arena, err);
}
