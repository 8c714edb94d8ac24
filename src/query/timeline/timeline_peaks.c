/*
 * Widths of cells, and how busy the groups of a run ever are, by width of cells: what the height of
 * their bars is measured by. It is taken from all of the run and from its first groups, whatever is
 * on the screen, so that a bar keeps its height while one pans, folds and resizes.
 */
#include "config.h"

#include "query/timeline/timeline_private.h"

#include "util/intervals.h"

#define PEAK_CELLS 512
#define PEAK_LANES 1024u /* more are not read: peaks of the first groups have to do */

/* Adds what one lane, or a group that has tiles of its own, was busy. */
static int
add_busy(const struct tile_reader *tiles, struct tile_request request, int64_t cell_ns,
         int64_t busy_ns[PEAK_CELLS], struct err *err)
{
	struct arena *arena = arena_new();

	request.cells = arena_zalloc(arena, PEAK_CELLS * sizeof *request.cells);
	int rc = tile_read_many(tiles, &request, 1,
	                        (struct tile_axis){0, cell_ns, PEAK_CELLS, false}, arena, err);
	for (int i = 0; i < PEAK_CELLS && rc == 0; i++) {
		time_raise(&busy_ns[i], request.cells[i].busy_ns);
	}
	arena_free(arena);
	return rc;
}

static int
read_busy(const struct tile_reader *tiles, const struct timeline_row *row, int64_t cell_ns,
          int64_t busy_ns[PEAK_CELLS], struct err *err)
{
	int rc = 0;

	memset(busy_ns, 0, PEAK_CELLS * sizeof *busy_ns);
	if (row->is_host) {
		return add_busy(
		    tiles,
		    (struct tile_request){TILE_GROUP, row->id, row->members, row->n_members, NULL},
		    cell_ns, busy_ns, err);
	}
	for (uint32_t i = 0; i < row->n_members && rc == 0; i++) {
		rc = add_busy(tiles,
		              (struct tile_request){TILE_LANE, row->members[i], NULL, 0, NULL},
		              cell_ns, busy_ns, err);
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

int
timeline_read_peaks(struct store *store, struct timeline *timeline, struct err *err)
{
	int64_t busy_ns[PEAK_CELLS];
	struct tile_reader tiles;
	uint32_t n_read = 0;

	if (store_tiles(store, &tiles, err)) {
		return -1;
	}
	timeline->peak_cell_ns = timeline_snap(timeline, timeline->duration_ns / PEAK_CELLS + 1);
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
		if (read_busy(&tiles, row, timeline->peak_cell_ns, busy_ns, err)) {
			return -1;
		}
		note_peaks(timeline, busy_ns, row->n_members);
	}
	return 0;
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
