/*
 * A level's open cell is closed when something lies beyond it: it is added to the level's chunk and
 * to the cell above, which may close that one in turn. A cell without anything never exists, so
 * gaps cost nothing.
 */
#include "config.h"
#include "column/finish/pyramid.h"

#include <stdlib.h>
#include <string.h>

#include "column/finish/cell.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct level {
	bool is_open, has_chunk;
	uint64_t cell, chunk; /* open ones */
	struct cell_sum sum;
	struct tile_cell *cells;  /* TILE_CHUNK of the open chunk */
	struct arena *categories; /* of those */
};

/* A base cell's density that came before its cell was open. */
struct pending_density {
	uint64_t index;
	int64_t ns;
};

struct pyramid {
	int64_t base_ns, cell_end_ns; /* of the open base cell; 0: none is open */
	uint64_t n_cells;
	unsigned n_levels;
	struct level *levels;
	struct pending_density *pending; /* [first_pending, n_pending), by index */
	size_t first_pending, n_pending, pending_capacity;
	struct strbuf bytes;
	int (*chunk)(void *user, unsigned level, uint64_t chunk, struct slice bytes,
	             struct err *err);
	void *user;
};

unsigned
pyramid_levels(int64_t base_ns, int64_t duration_ns)
{
	uint64_t last = (uint64_t)duration_ns / (uint64_t)base_ns;
	unsigned n = 1;

	/* No level is wider than int64 can say. */
	for (; last > 0 && n < 31 && base_ns <= INT64_MAX >> 2 * n; last /= 4) {
		n++;
	}
	return n;
}

struct pyramid *
pyramid_new(int64_t base_ns, int64_t duration_ns,
            int (*chunk)(void *user, unsigned level, uint64_t chunk, struct slice bytes,
                         struct err *err))
{
	struct pyramid *pyramid = xcalloc(1, sizeof *pyramid);

	pyramid->base_ns = base_ns;
	pyramid->n_cells = (uint64_t)duration_ns / (uint64_t)base_ns + 1;
	pyramid->n_levels = pyramid_levels(base_ns, duration_ns);
	MEM_NEW(pyramid->levels, pyramid->n_levels);
	for (unsigned i = 0; i < pyramid->n_levels; i++) {
		pyramid->levels[i].cells = xcalloc(TILE_CHUNK, sizeof(struct tile_cell));
		pyramid->levels[i].categories = arena_new();
	}
	pyramid->chunk = chunk;
	return pyramid;
}

void
pyramid_free(struct pyramid *pyramid)
{
	if (pyramid) {
		for (unsigned i = 0; i < pyramid->n_levels; i++) {
			cell_fini(&pyramid->levels[i].sum);
			free(pyramid->levels[i].cells);
			arena_free(pyramid->levels[i].categories);
		}
		free(pyramid->levels);
		free(pyramid->pending);
		strbuf_free(&pyramid->bytes);
		free(pyramid);
	}
}

void
pyramid_begin(struct pyramid *pyramid, void *user)
{
	pyramid->user = user;
	pyramid->cell_end_ns = 0;
	pyramid->first_pending = pyramid->n_pending = 0;
}

static int
close_chunk(struct pyramid *pyramid, unsigned k, struct err *err)
{
	struct level *level = &pyramid->levels[k];

	strbuf_clear(&pyramid->bytes);
	tile_encode(level->cells, TILE_CHUNK, &pyramid->bytes);
	memset(level->cells, 0, TILE_CHUNK * sizeof *level->cells);
	arena_reset(level->categories);
	level->has_chunk = false;
	return pyramid->chunk(pyramid->user, k, level->chunk, strbuf_slice(&pyramid->bytes), err);
}

/* Adds a closed cell to its chunk. */
static int
store_cell(struct pyramid *pyramid, unsigned k, const struct tile_cell *cell, struct err *err)
{
	struct level *level = &pyramid->levels[k];
	uint64_t chunk = level->cell / TILE_CHUNK;

	if (level->has_chunk && level->chunk != chunk && close_chunk(pyramid, k, err)) {
		return -1;
	}
	struct tile_cell *kept = &level->cells[level->cell % TILE_CHUNK];
	*kept = *cell;
	if (cell->n_categories > 0) {
		kept->categories = arena_copy(level->categories, cell->categories,
		                              cell->n_categories * sizeof *cell->categories);
	}
	level->has_chunk = true;
	level->chunk = chunk;
	return 0;
}

/* Closes the open cell of level k and, upwards, those that `index` (of a cell of level k to come)
 * lies beyond. */
static int
close_cells(struct pyramid *pyramid, unsigned k, uint64_t index, struct err *err)
{
	for (; k < pyramid->n_levels; k++, index /= 4) {
		struct level *level = &pyramid->levels[k];
		if (!level->is_open || level->cell == index) {
			return 0;
		}
		struct tile_cell cell = cell_finish(&level->sum);
		if (store_cell(pyramid, k, &cell, err)) {
			return -1;
		}
		if (k + 1 < pyramid->n_levels) {
			struct level *above = level + 1;
			if (!above->is_open) {
				above->is_open = true;
				above->cell = level->cell / 4;
			}
			cell_add_cell(&above->sum, &cell);
		}
		cell_reset(&level->sum);
		level->is_open = false;
	}
	return 0;
}

/* Makes base cell `index` the open one, whatever waits. */
static int
change_cell(struct pyramid *pyramid, uint64_t index, struct err *err)
{
	struct level *base = &pyramid->levels[0];

	if (base->is_open && base->cell == index) {
		return 0;
	}
	if (close_cells(pyramid, 0, index, err)) {
		return -1;
	}
	base->is_open = true;
	base->cell = index;
	return 0;
}

/* Adds the densities of cells up to `last`. */
static int
add_pending(struct pyramid *pyramid, uint64_t last, struct err *err)
{
	while (pyramid->first_pending < pyramid->n_pending &&
	       pyramid->pending[pyramid->first_pending].index <= last) {
		const struct pending_density *pending = &pyramid->pending[pyramid->first_pending++];
		struct cell_sum *sum = &pyramid->levels[0].sum;
		if (change_cell(pyramid, pending->index, err)) {
			return -1;
		}
		time_raise(&sum->density_ns, pending->ns);
	}
	if (pyramid->first_pending == pyramid->n_pending) {
		pyramid->first_pending = pyramid->n_pending = 0;
	}
	return 0;
}

/* Makes base cell `index` the open one. */
static int
open_cell(struct pyramid *pyramid, uint64_t index, struct err *err)
{
	if (add_pending(pyramid, index, err) || change_cell(pyramid, index, err)) {
		return -1;
	}
	pyramid->cell_end_ns = time_add((int64_t)index * pyramid->base_ns, pyramid->base_ns);
	return 0;
}

int
pyramid_add_time(struct pyramid *pyramid, int64_t start_ns, int64_t end_ns, uint32_t category,
                 struct err *err)
{
	start_ns = MOST(start_ns, 0);
	while (start_ns < end_ns) {
		if (start_ns >= pyramid->cell_end_ns) {
			uint64_t index = (uint64_t)start_ns / (uint64_t)pyramid->base_ns;
			if (index >= pyramid->n_cells) {
				return 0;
			}
			if (open_cell(pyramid, index, err)) {
				return -1;
			}
		}
		int64_t cut = LEAST(end_ns, pyramid->cell_end_ns);
		cell_add(&pyramid->levels[0].sum, category, cut - start_ns);
		start_ns = cut;
	}
	return 0;
}

int
pyramid_add_start(struct pyramid *pyramid, int64_t time_ns, struct err *err)
{
	if (time_ns < 0) {
		return 0;
	}
	if (time_ns >= pyramid->cell_end_ns) {
		uint64_t index = (uint64_t)time_ns / (uint64_t)pyramid->base_ns;
		if (index >= pyramid->n_cells) {
			return 0;
		}
		if (open_cell(pyramid, index, err)) {
			return -1;
		}
	}
	pyramid->levels[0].sum.count++;
	return 0;
}

int
pyramid_add_cell(struct pyramid *pyramid, uint64_t index, const struct tile_cell *cell,
                 struct err *err)
{
	if (open_cell(pyramid, index, err)) {
		return -1;
	}
	cell_add_cell(&pyramid->levels[0].sum, cell);
	return 0;
}

int
pyramid_add_density(struct pyramid *pyramid, uint64_t index, int64_t density_ns, struct err *err)
{
	if (pyramid->levels[0].is_open && pyramid->levels[0].cell > index) {
		return err_set(err, ERR_INTERNAL, "a density comes after its cell");
	}
	MEM_GROW(pyramid->pending, pyramid->pending_capacity, pyramid->n_pending + 1);
	pyramid->pending[pyramid->n_pending++] = (struct pending_density){index, density_ns};
	return 0;
}

int
pyramid_end(struct pyramid *pyramid, struct err *err)
{
	if (add_pending(pyramid, UINT64_MAX, err) || close_cells(pyramid, 0, UINT64_MAX, err)) {
		return -1;
	}
	for (unsigned k = 0; k < pyramid->n_levels; k++) {
		if (pyramid->levels[k].has_chunk && close_chunk(pyramid, k, err)) {
			return -1;
		}
	}
	pyramid->cell_end_ns = 0;
	return 0;
}
