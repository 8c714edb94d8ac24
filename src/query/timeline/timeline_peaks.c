/*
 * Widths of cells, and how busy the groups of a run ever are, by width of cells: what the height of
 * their bars is measured by. It is taken from all of the run and from its first groups, whatever is
 * on the screen, so that a bar keeps its height while one pans, folds and resizes.
 */
#include "config.h"

#include "query/timeline/timeline_private.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/order.h"

#define PEAK_CELLS 512
#define PEAK_LANES 1024u /* more are not read: peaks of the first groups have to do */
#define PEAK_PASS 128u   /* groups in one pass over the blocks: their cells take memory */

/* Where tiles serve, those of a group that has its own, or of its lanes one by one: these add up.
 */
static int
add_tiles(const struct tile_reader *tiles, const struct timeline_row *row, struct tile_axis axis,
          int64_t busy_ns[PEAK_CELLS], struct err *err)
{
	uint32_t n = row->is_host ? 1 : row->n_members;
	int rc = 0;

	for (uint32_t i = 0; i < n && rc == 0; i++) {
		struct arena *arena = arena_new();
		struct tile_request request = {.subject = row->is_host ? TILE_GROUP : TILE_LANE,
		                               .id = row->is_host ? row->id : row->members[i]};

		request.cells = arena_zalloc(arena, PEAK_CELLS * sizeof *request.cells);
		rc = tile_read_many(tiles, &request, 1, axis, arena, err);
		for (int k = 0; k < PEAK_CELLS && rc == 0; k++) {
			time_raise(&busy_ns[k], request.cells[k].busy_ns);
		}
		arena_free(arena);
	}
	return rc;
}

/* Each level joins two cells of the one before it. */
static void
note_peaks(struct timeline *timeline, int64_t busy_ns[PEAK_CELLS], uint32_t n_members)
{
	double width = (double)timeline->peak_cell_ns * (n_members > 0 ? n_members : 1);
	int n = PEAK_CELLS;

	for (int level = 0; level < TIMELINE_PEAKS_LEVELS; level++) {
		for (int i = 0; i < n; i++) {
			double share = (double)busy_ns[i] / width;

			if (share > timeline->peaks[level]) {
				timeline->peaks[level] = share;
			}
		}
		n /= 2;
		width *= 2;
		for (int i = 0; i < n; i++) {
			busy_ns[i] = time_add(busy_ns[2 * i], busy_ns[2 * i + 1]);
		}
	}
}

int64_t
timeline_snap(const struct timeline *timeline, int64_t wished_ns)
{
	struct tile_reader reader = {.base_ns = timeline->tile_base_ns};

	return tile_snap(&reader, wished_ns);
}

/* Out of the blocks, in one pass over them for several groups. */
static int
read_blocks(const struct tile_reader *tiles, struct timeline *timeline,
            const struct timeline_row *const *rows, size_t n, struct tile_axis axis,
            struct err *err)
{
	struct tile_request requests[PEAK_PASS];
	struct arena *arena = arena_new();
	int rc;

	for (size_t i = 0; i < n; i++) {
		requests[i] = (struct tile_request){
		    TILE_GROUP, rows[i]->id, rows[i]->members, rows[i]->n_members,
		    arena_zalloc(arena, PEAK_CELLS * sizeof *requests[i].cells)};
	}
	rc = tile_read_many(tiles, requests, n, axis, arena, err);
	for (size_t i = 0; i < n && rc == 0; i++) {
		int64_t busy_ns[PEAK_CELLS];

		for (int k = 0; k < PEAK_CELLS; k++) {
			busy_ns[k] = requests[i].cells[k].busy_ns;
		}
		note_peaks(timeline, busy_ns, rows[i]->n_members);
	}
	arena_free(arena);
	return rc;
}

static int
read_tiles(const struct tile_reader *tiles, struct timeline *timeline,
           const struct timeline_row *const *rows, size_t n, struct tile_axis axis, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < n && rc == 0; i++) {
		int64_t busy_ns[PEAK_CELLS] = {0};

		rc = add_tiles(tiles, rows[i], axis, busy_ns, err);
		if (rc == 0) {
			note_peaks(timeline, busy_ns, rows[i]->n_members);
		}
	}
	return rc;
}

/* The first groups; returns how many. */
static size_t
choose_rows(const struct timeline *timeline, const struct timeline_row **rows)
{
	uint32_t n_read = 0;
	size_t n = 0;

	for (size_t i = 0; i < timeline->n_rows; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		if (row->type != TIMELINE_HOST && row->type != TIMELINE_PROCESS) {
			continue;
		}
		if (row->n_members > PEAK_LANES - n_read && !row->is_host) {
			break;
		}
		n_read += row->is_host ? 1 : row->n_members; /* a host has tiles of its own */
		if (n_read >= PEAK_LANES) {
			break;
		}
		rows[n++] = row;
	}
	return n;
}

int
timeline_read_peaks(struct store *store, struct timeline *timeline, struct err *err)
{
	const struct timeline_row **rows = xcalloc(timeline->n_rows + 1, sizeof *rows);
	int64_t wished = timeline->duration_ns / PEAK_CELLS + 1;
	size_t n = choose_rows(timeline, rows);
	struct tile_axis axis = {.n_cells = PEAK_CELLS};
	struct tile_reader tiles;
	int rc = store_tiles(store, &tiles, err);

	/* Of very many spans no blocks are read. */
	if (store_run(store)->n_spans > TIMELINE_BLUR_SPANS && rc == 0) {
		wished = MOST(wished, tiles.base_ns);
	}
	axis.cell_ns = timeline->peak_cell_ns = timeline_snap(timeline, wished);
	if (rc == 0 && tile_serves(&tiles, axis)) {
		rc = read_tiles(&tiles, timeline, rows, n, axis, err);
		n = 0;
	}
	for (size_t i = 0; i < n && rc == 0; i += PEAK_PASS) {
		rc = read_blocks(&tiles, timeline, rows + i, LEAST(n - i, PEAK_PASS), axis, err);
	}
	free(rows);
	return rc;
}

double
timeline_peak(const struct timeline *timeline, int64_t cell_ns)
{
	int level = 0;

	while (level + 1 < TIMELINE_PEAKS_LEVELS && timeline->peak_cell_ns > 0 &&
	       timeline->peak_cell_ns <= cell_ns >> (level + 1)) {
		level++;
	}
	return timeline->peaks[level];
}
