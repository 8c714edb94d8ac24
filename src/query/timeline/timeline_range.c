/* What happens in a range of a lane or a group: sums by a scan, busy time from the tiles. */
#include "config.h"

#include "query/timeline/timeline.h"

#include <inttypes.h>
#include <string.h>

#include "column/scan/scan.h"
#include "query/timeline/timeline_private.h"
#include "util/format.h"
#include "util/intervals.h"

#define RANGE_CELLS 65536
#define RANGE_LANES 4096u

/* Busy time of a row in a range, from cells; wider ones if the range has too many. */
static int
range_busy(struct store *store, const struct timeline *timeline, const struct timeline_row *row,
           int64_t cell_ns, struct range_facts *facts, const struct cancel *cancel, struct err *err)
{
	struct tile_reader tiles;
	int64_t cell = cell_ns, first, n;
	struct tile_cell *cells;
	int rc = 0;

	if (store_tiles(store, &tiles, err)) {
		return -1;
	}
	tiles.cancel = cancel;
	while ((facts->end_ns - facts->start_ns) / cell >= RANGE_CELLS) {
		cell = timeline_snap(timeline, cell * 16);
	}
	first = facts->start_ns / cell;
	n = (facts->end_ns - 1) / cell - first + 1;
	facts->is_about = first * cell != facts->start_ns || (first + n) * cell != facts->end_ns ||
	                  (tiles.base_ns > 0 && cell >= tiles.base_ns && cell % tiles.base_ns != 0);
	struct arena *arena = arena_new();
	cells = arena_zalloc(arena, (size_t)n * sizeof *cells);
	struct tile_axis axis = {first * cell, cell, (uint32_t)n, TILE_SPLIT};
	/* Groups that have no tiles: lane by lane, of blocks all at once. */
	bool by_lane = timeline_row_sums_lanes(row) && !row->is_host && tile_serves(&tiles, axis);

	for (uint32_t i = 0; i < (by_lane ? row->n_members : 1) && rc == 0; i++) {
		bool is_lane = by_lane || row->type == TIMELINE_LANE;
		struct tile_request request = {is_lane ? TILE_LANE : TILE_GROUP,
		                               by_lane ? row->members[i] : row->id, row->members,
		                               row->n_members, cells};

		memset(cells, 0, (size_t)n * sizeof *cells);
		rc = tile_read_many(&tiles, &request, 1, axis, arena, err);
		for (int64_t k = 0; k < n && rc == 0; k++) {
			time_raise(&facts->busy_ns, cells[k].busy_ns);
		}
	}
	arena_free(arena);
	return rc;
}

static void
add_lanes(struct strbuf *text, const uint32_t *lanes, uint32_t n)
{
	strbuf_add_text(text, "lane IN (-1");
	for (uint32_t i = 0; i < n && i < RANGE_LANES; i++) {
		strbuf_printf(text, ",%u", lanes[i]);
	}
	strbuf_add_char(text, ')');
}

int
timeline_range(struct store *store, const struct timeline *timeline, const struct range_request *of,
               struct range_facts *facts, const struct cancel *cancel, struct err *err)
{
	const struct timeline_row *row = &timeline->rows[of->row];
	const struct dataset *dataset = store_dataset(store, err);
	const uint32_t *lanes = row->type == TIMELINE_LANE ? &row->id : row->members;
	uint32_t n_lanes = row->type == TIMELINE_LANE ? 1 : row->n_members;
	struct strbuf text = {0};
	struct sums_request request = {.kind = BLOCK_SPAN, .cancel = cancel};

	*facts = (struct range_facts){.start_ns = of->start_ns, .end_ns = of->end_ns};
	if (!dataset) {
		return -1;
	}
	if (n_lanes == 0 || of->end_ns <= of->start_ns) {
		return 0;
	}
	strbuf_printf(&text, "start >= %" PRId64 " AND start < %" PRId64, of->start_ns, of->end_ns);
	if (row->is_host && n_lanes > RANGE_LANES) {
		strbuf_add_text(&text, " AND host = ?1");
		request.parameters[0] = scan_text(dataset_text(dataset, row->id));
	} else if (row->others && n_lanes > RANGE_LANES) {
		strbuf_add_text(&text, " AND host = ?1 AND kind NOT IN ('aggregate', 'annotation', "
		                       "'async', 'counter', 'summary', 'waiting') AND NOT ");
		add_lanes(&text, row->others, row->n_others);
		request.parameters[0] = scan_text(dataset_text(dataset, row->id));
	} else {
		strbuf_add_text(&text, " AND ");
		add_lanes(&text, lanes, n_lanes);
	}
	if (of->filter && *of->filter) {
		strbuf_printf(&text, " AND (%s)", of->filter);
	}
	request.filter = text.data;
	struct sums *sums = sums_run(dataset, &request, err);
	strbuf_free(&text);
	if (!sums) {
		return -1;
	}
	const struct group_sums *all = sums_group(sums, 0);
	const struct measure_sums *durations = &all->measure[MEASURE_DURATION];
	facts->n = all->rows;
	facts->n_calls = all->summed > 0 ? all->n : all->rows;
	facts->has_no_range = durations->has_no_range;
	facts->min_ns = durations->min;
	facts->max_ns = durations->max;
	facts->mean_ns = durations->n > 0 ? measure_mean(durations) : 0;
	sums_free(sums);
	return range_busy(store, timeline, row, of->cell_ns, facts, cancel, err);
}
