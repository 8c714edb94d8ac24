/*
 * How busy a run was, over time and by host or lane: from tiles, of a scope by a scan. Shares are
 * of what the scope leaves: its range, its lanes.
 */
#include "config.h"

#include "query/overview_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "query/timeline/timeline.h"
#include "query/timeline/timeline_scoped.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct busy_reading {
	struct overview_reading *reading;
	const struct timeline *timeline;
	const struct lane *all_lanes; /* of the run */
	const bool *lanes;            /* in scope; NULL: all */
	struct store_view range;      /* of the run */
	int64_t n_work;               /* lanes in scope that can be busy or idle */
	struct arena *arena;
};

static bool
has_lane(const struct busy_reading *busy, uint32_t lane)
{
	return !busy->lanes || busy->lanes[lane];
}

static int64_t
count_lanes(const struct busy_reading *busy, const struct timeline_row *row)
{
	int64_t n = 0;

	if (!row->is_host) {
		return has_lane(busy, row->id);
	}
	for (uint32_t i = 0; i < row->n_members; i++) {
		n += has_lane(busy, row->members[i]);
	}
	return n;
}

static int
count_spans(const struct busy_reading *busy, int64_t *counts, struct err *err)
{
	struct stmt *stmt = store_prepare(busy->reading->store,
	                                  "SELECT lane, sum(n) FROM span_total GROUP BY lane", err);
	int state = -1;

	while (stmt && (state = stmt_step(stmt, err)) > 0) {
		int64_t lane = stmt_integer(stmt, 0);

		if (lane >= 0 && lane < (int64_t)busy->timeline->n_lanes) {
			counts[lane] = stmt_integer(stmt, 1);
		}
	}
	stmt_free(stmt);
	return state;
}

static bool
is_work(const struct timeline_row *row)
{
	return row->type == TIMELINE_LANE && lane_kind_is_work(row->kind);
}

/* The rows whose busy time makes up the run's: hosts, and lanes that stand on none. */
static size_t
choose_rows(struct busy_reading *busy, const struct timeline_row **rows, size_t limit)
{
	bool lanes_only = busy->reading->overview->n_hosts <= 1;
	size_t n = 0;

	for (size_t i = 0; i < busy->timeline->n_rows; i++) {
		const struct timeline_row *row = &busy->timeline->rows[i];
		bool is_chosen =
		    lanes_only ? is_work(row)
			       : row->type == TIMELINE_HOST || (is_work(row) && row->level == 0);

		busy->n_work += is_work(row) && has_lane(busy, row->id);
		if (is_chosen && n < limit && count_lanes(busy, row) > 0) {
			rows[n++] = row;
		}
	}
	return n;
}

static int
read_tiles(const struct busy_reading *busy, const struct timeline_row *const *rows, size_t n,
           struct tile_axis axis, struct tile_cell *cells, struct err *err)
{
	struct tile_request *requests = xcalloc(n + 1, sizeof *requests);
	struct tile_reader tiles;
	int rc = store_tiles(busy->reading->store, &tiles, err);

	for (size_t i = 0; i < n; i++) {
		requests[i] = (struct tile_request){rows[i]->is_host ? TILE_GROUP : TILE_LANE,
		                                    rows[i]->id, rows[i]->members,
		                                    rows[i]->n_members, cells + i * axis.n_cells};
	}
	if (rc == 0) {
		tiles.cancel = busy->reading->cancel;
		rc = tile_read_many(&tiles, requests, n, axis, busy->arena, err);
	}
	free(requests);
	return rc;
}

static int
read_scoped(const struct busy_reading *busy, const struct timeline_row *const *rows, size_t n,
            struct tile_axis axis, struct tile_cell *cells, struct err *err)
{
	struct store *store = busy->reading->store;
	uint32_t *lines = xmalloc(((size_t)busy->timeline->n_lanes + 1) * sizeof *lines);
	struct tile_cell **cells_of = xcalloc(n + 1, sizeof *cells_of);
	struct scoped_busy asked = {.dataset = store_dataset(store, err),
	                            .is_outermost = !store_scope_condition(store),
	                            .axis = axis,
	                            .lines = {lines},
	                            .cells = cells_of,
	                            .cancel = busy->reading->cancel};
	int rc;

	memset(lines, 0xff, busy->timeline->n_lanes * sizeof *lines);
	for (size_t i = 0; i < n; i++) {
		cells_of[i] = cells + i * axis.n_cells;
		for (uint32_t k = 0; rows[i]->is_host && k < rows[i]->n_members; k++) {
			lines[rows[i]->members[k]] = (uint32_t)i;
		}
		if (!rows[i]->is_host) {
			lines[rows[i]->id] = (uint32_t)i;
		}
	}
	rc = asked.dataset ? timeline_scoped_busy(&asked, err) : -1;
	free(cells_of);
	free(lines);
	return rc;
}

static void
add_lane(const struct busy_reading *busy, const struct timeline_row *row, int64_t busy_ns,
         const int64_t *counts)
{
	struct overview *overview = busy->reading->overview;
	struct overview_lane *lane = &overview->lanes[overview->n_lanes++];
	const struct lane *all = busy->all_lanes;
	int64_t n = count_lanes(busy, row);

	*lane = (struct overview_lane){
	    .name = arena_slice(overview->arena, row->name),
	    .is_host = row->is_host,
	    .lane = row->is_host ? -1 : (int64_t)row->id,
	    .busy_ns = busy_ns,
	    .share = (double)busy_ns / (double)n / (double)overview->inside.duration_ns,
	    .count = row->is_host ? 0 : counts[row->id],
	    .n_lanes = n,
	    .lanes_are = lane_word(n > 0 && row->is_host ? all[row->members[0]].kind : row->kind)};
	for (uint32_t i = 0; row->is_host && i < row->n_members; i++) {
		lane->count += counts[row->members[i]];
		if (all[row->members[i]].kind != all[row->members[0]].kind) {
			lane->lanes_are = "lane";
		}
	}
}

static int
read_lanes(struct busy_reading *busy, struct err *err)
{
	struct overview *overview = busy->reading->overview;
	const struct timeline_row **rows = xcalloc(OVERVIEW_LANES + 1, sizeof *rows);
	int64_t *counts = xcalloc((size_t)busy->timeline->n_lanes + 1, sizeof *counts);
	int64_t cell_ns = timeline_snap(busy->timeline, overview->info.duration_ns / 8 + 1);
	uint32_t n_cells = (uint32_t)((overview->info.duration_ns - 1) / cell_ns + 1);
	struct tile_axis axis = {0, cell_ns, n_cells, TILE_EXACT};
	size_t n = choose_rows(busy, rows, OVERVIEW_LANES);
	struct tile_cell *cells = arena_zalloc(busy->arena, (n * n_cells + 1) * sizeof *cells);
	int rc = store_scope(busy->reading->store)->n > 0
	             ? read_scoped(busy, rows, n, axis, cells, err)
	             : read_tiles(busy, rows, n, axis, cells, err);

	rc = rc ? rc : count_spans(busy, counts, err);
	overview->lanes = arena_zalloc(overview->arena, (n + 1) * sizeof *overview->lanes);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		int64_t busy_ns = 0;

		for (uint32_t k = 0; k < n_cells; k++) {
			time_raise(&busy_ns, cells[i * n_cells + k].busy_ns);
		}
		add_lane(busy, rows[i], busy_ns, counts);
	}
	overview->n_all_lanes = overview->n_hosts <= 1 ? busy->n_work : overview->n_hosts;
	free(counts);
	free(rows);
	return rc;
}

static int
read_minimap(const struct busy_reading *busy, struct err *err)
{
	struct overview *overview = busy->reading->overview;
	int64_t duration_ns = overview->info.duration_ns;
	int64_t cell_ns = timeline_snap(busy->timeline, (duration_ns - 1) / OVERVIEW_CELLS + 1);
	uint32_t n_cells = (uint32_t)((duration_ns - 1) / cell_ns + 1);
	int64_t *busy_ns = xcalloc((size_t)n_cells + 1, sizeof *busy_ns);
	double n_work = (double)MOST(busy->n_work, 1), all_ns = 0;
	int rc = timeline_busy(busy->reading->store, busy->timeline,
	                       (struct tile_axis){0, cell_ns, n_cells, TILE_BLUR}, busy_ns,
	                       busy->reading->cancel, err);

	overview->cells = arena_zalloc(overview->arena, (n_cells + 1) * sizeof(double));
	overview->n_cells = n_cells;
	for (uint32_t k = 0; k < n_cells; k++) {
		int64_t from_ns = MOST((int64_t)k * cell_ns, busy->range.start_ns);
		int64_t end_ns = LEAST((int64_t)k * cell_ns + cell_ns, busy->range.end_ns);
		double whole_ns = (double)(end_ns - from_ns) * n_work;

		all_ns += (double)busy_ns[k];
		overview->cells[k] = whole_ns > 0 ? fmin((double)busy_ns[k] / whole_ns, 1) : 0;
	}
	overview->mean_share = all_ns / (double)overview->inside.duration_ns / n_work;
	overview->minimap_title = "busy";
	free(busy_ns);
	return rc;
}

int
overview_read_busy(struct overview_reading *reading, struct err *err)
{
	struct timeline *timeline = timeline_new(reading->store, err);
	struct busy_reading busy = {.reading = reading,
	                            .timeline = timeline,
	                            .lanes = store_lanes(reading->store),
	                            .range = store_view(reading->store),
	                            .arena = arena_new()};
	const struct dataset *dataset = store_dataset(reading->store, err);
	int rc = timeline && dataset ? 0 : -1;

	busy.all_lanes = dataset ? dataset->lanes : NULL;
	if (rc == 0 && timeline->n_work > 0) {
		rc = read_lanes(&busy, err);
		rc = rc ? rc : read_minimap(&busy, err);
	}
	arena_free(busy.arena);
	timeline_release(timeline);
	return rc;
}
