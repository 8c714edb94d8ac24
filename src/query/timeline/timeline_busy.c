/*
 * How busy the run is as a whole, cell by cell. There may be very many lanes: tiles are read a
 * stretch of rows at a time, blocks once, with all lanes as one group; no memory is taken for each
 * lane's cells.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/timeline/timeline.h"
#include "query/timeline/timeline_scoped.h"
#include "util/intervals.h"
#include "util/order.h"

#define STRETCH_ROWS 256u

struct window {
	struct tile_reader tiles;
	struct tile_axis axis;
	int64_t *busy_ns; /* what is added up */
	bool is_dense;    /* of densities */
};

/* Adds what n rows show; their cells are empty before and after. */
static int
add_rows(struct window *window, const struct tile_request *requests, size_t n, struct err *err)
{
	struct arena *arena = arena_new();
	int rc = tile_read_many(&window->tiles, requests, n, window->axis, arena, err);

	for (size_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < window->axis.n_cells && rc == 0; k++) {
			const struct tile_cell *cell = &requests[i].cells[k];
			time_raise(&window->busy_ns[k],
			           window->is_dense ? cell->density_ns : cell->busy_ns);
		}
		memset(requests[i].cells, 0, window->axis.n_cells * sizeof *requests[i].cells);
	}
	arena_free(arena);
	return rc;
}

static int
add_tiles(struct window *window, struct tile_request *rows, size_t n_rows, struct err *err)
{
	size_t stretch = LEAST(n_rows, STRETCH_ROWS);
	struct tile_cell *cells = xcalloc(window->axis.n_cells * stretch + 1, sizeof *cells);
	int rc = 0;

	for (size_t from = 0; from < n_rows && rc == 0; from += stretch) {
		size_t n = LEAST(n_rows - from, stretch);

		for (size_t i = 0; i < n; i++) {
			rows[from + i].cells = cells + i * window->axis.n_cells;
		}
		rc = add_rows(window, rows + from, n, err);
	}
	free(cells);
	return rc;
}

static int
add_blocks(struct window *window, const struct tile_request *rows, size_t n_rows, uint32_t n_lanes,
           struct err *err)
{
	uint32_t *lanes = xcalloc((size_t)n_lanes + 1, sizeof *lanes);
	struct tile_cell *cells = xcalloc((size_t)window->axis.n_cells + 1, sizeof *cells);
	struct tile_request all = {TILE_GROUP, 0, lanes, 0, cells};

	for (size_t i = 0; i < n_rows; i++) {
		const uint32_t *members =
		    rows[i].subject == TILE_LANE ? &rows[i].id : rows[i].members;
		uint32_t n = rows[i].subject == TILE_LANE ? 1 : rows[i].n_members;

		for (uint32_t k = 0; k < n && all.n_members < n_lanes; k++) {
			lanes[all.n_members++] = members[k];
		}
	}
	int rc = add_rows(window, &all, 1, err);
	free(lanes);
	free(cells);
	return rc;
}

/* As a scope leaves it. */
static int
add_scoped(struct store *store, const struct tile_request *rows, size_t n_rows,
           struct window *window, struct err *err)
{
	const struct dataset *dataset = window->tiles.dataset;
	struct tile_cell *cells = xcalloc((size_t)window->axis.n_cells + 1, sizeof *cells);
	uint32_t *lines = xmalloc(((size_t)dataset->n_lanes + 1) * sizeof *lines);
	struct scoped_busy asked = {.dataset = dataset,
	                            .is_outermost = !store_scope_condition(store),
	                            .axis = window->axis,
	                            .cells = &cells,
	                            .cancel = window->tiles.cancel};
	int rc;

	memset(lines, 0xff, dataset->n_lanes * sizeof *lines);
	asked.lines[0] = lines;
	for (size_t i = 0; i < n_rows; i++) {
		for (uint32_t k = 0; k < rows[i].n_members; k++) {
			lines[rows[i].members[k]] = 0;
		}
		if (rows[i].subject == TILE_LANE) {
			lines[rows[i].id] = 0;
		}
	}
	rc = timeline_scoped_busy(&asked, err);
	for (uint32_t k = 0; k < window->axis.n_cells && rc == 0; k++) {
		window->busy_ns[k] = cells[k].busy_ns;
	}
	free(cells);
	free(lines);
	return rc;
}

int
timeline_busy(struct store *store, const struct timeline *timeline, struct tile_axis axis,
              int64_t *busy_ns, const struct cancel *cancel, struct err *err)
{
	struct window window = {.axis = axis, .busy_ns = busy_ns};
	window.is_dense = timeline->n_work == 0 && timeline->n_dense > 0;
	struct tile_request *rows;
	size_t n = 0;
	int rc = 0;

	memset(busy_ns, 0, axis.n_cells * sizeof *busy_ns);
	if (store_tiles(store, &window.tiles, err)) {
		return -1;
	}
	window.tiles.cancel = cancel;
	if (axis.fit == TILE_BLUR && store_run(store)->n_spans <= TIMELINE_BLUR_SPANS) {
		window.axis.fit = TILE_SPLIT;
	}
	MEM_NEW(rows, timeline->n_rows + 1);
	for (size_t i = 0; i < timeline->n_rows; i++) {
		const struct timeline_row *row = &timeline->rows[i];

		if (row->is_host || (row->type == TIMELINE_LANE &&
		                     (window.is_dense ? row->kind == LANE_AGGREGATE
		                                      : lane_kind_is_work(row->kind)))) {
			rows[n++] = (struct tile_request){
			    row->is_host ? TILE_GROUP : TILE_LANE, row->id, row->members,
			    row->n_members + (window.is_dense ? row->n_dense : 0), NULL};
		}
		i += row->is_host ? row->n_below : 0;
	}
	if (n > 0 && store_scope(store)->n > 0 && !window.is_dense) {
		rc = add_scoped(store, rows, n, &window, err);
	} else if (n > 0 && tile_serves(&window.tiles, window.axis)) {
		rc = add_tiles(&window, rows, n, err);
	} else if (n > 0) {
		rc = add_blocks(&window, rows, n, timeline->n_lanes, err);
	}
	free(rows);
	return rc;
}
