/*
 * First the tiles: they are cheap at any zoom and say how many spans there are. Where these are
 * few, the spans are read as well and drawn one by one; where there are many, what tiles don't know
 * (filtered spans, single depths, colours of names) is summed up by a scan of the window.
 */
#include "config.h"

#include "query/timeline/timeline_building.h"

#include <stdlib.h>
#include <string.h>
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

#define PARTS_LIMIT 16384u /* lanes read for groups without tiles, in one window */
#define PARTS_AT_ONCE 64u

/* ---- tiles ---- */

/* Tiles that are part of a group which has none of its own: of its lanes, or of a host and of its
 * other lanes. */
struct group_part {
	enum tile_subject subject;
	uint32_t id;
	struct tile_cell *sum; /* the group's cells */
	bool is_less;          /* taken off, rather */
};

/* Rows of tiles that are wanted. */
struct wishes {
	struct tile_request *requests;
	size_t n, capacity;
	struct group_part *parts;
	size_t n_parts, parts_capacity;
	enum tile_fit fit;
};

static struct tile_axis
axis_of(const struct building *building, const struct wishes *wishes)
{
	return (struct tile_axis){building->start_ns, building->cell_ns, building->n_cells,
	                          wishes->fit};
}

static void
wish(struct wishes *wishes, struct tile_request request)
{
	MEM_GROW(wishes->requests, wishes->capacity, wishes->n + 1);
	wishes->requests[wishes->n++] = request;
}

static void
wish_part(struct wishes *wishes, struct group_part part)
{
	MEM_GROW(wishes->parts, wishes->parts_capacity, wishes->n_parts + 1);
	wishes->parts[wishes->n_parts++] = part;
}

static uint32_t
lanes_of(const struct building *building, const struct timeline_row *row)
{
	const bool *in_scope = store_lanes(building->store);
	uint32_t n = 0;

	for (uint32_t i = 0; i < row->n_members; i++) {
		n += !in_scope || in_scope[row->members[i]];
	}
	return MOST(n, 1);
}

/* Of a process, or of lanes that are alike: where the blocks are read, as one. */
static void
wish_members(struct building *building, struct wishes *wishes, const struct timeline_row *row,
             struct timeline_track *track)
{
	bool is_rest = row->type == TIMELINE_ALIKE && row->others && row->n_others < row->n_members;
	const uint32_t *lanes = is_rest ? row->others : row->members;
	uint32_t n = is_rest ? row->n_others : row->n_members;

	if (!tile_serves(&building->tiles, axis_of(building, wishes))) {
		wish(wishes, (struct tile_request){TILE_GROUP, row->id, row->members,
		                                   row->n_members, track->cells});
		return;
	}
	track->is_cut = wishes->n_parts + n > PARTS_LIMIT;
	if (is_rest && !track->is_cut) {
		wish_part(wishes, (struct group_part){TILE_GROUP, row->id, track->cells, false});
	}
	for (uint32_t i = 0; i < n && !track->is_cut; i++) {
		wish_part(wishes, (struct group_part){TILE_LANE, lanes[i], track->cells, is_rest});
	}
}

/* Tiles are wider than the cells that they are divided into. */
static bool
is_blurred(const struct building *building, const struct wishes *wishes)
{
	struct tile_axis axis = axis_of(building, wishes), split = axis;

	split.fit = LEAST(axis.fit, TILE_SPLIT);
	return tile_serves(&building->tiles, axis) && !tile_serves(&building->tiles, split);
}

static void
wish_line(struct building *building, struct wishes *wishes, size_t line)
{
	const struct timeline_row *row = building_row(building, line);
	struct timeline_track *track = &building->tracks[line];
	bool is_filtered = building->window->is_filtered;

	if (row->type != TIMELINE_LANE && !timeline_row_sums_lanes(row)) {
		return;
	}
	track->n_lanes = row->type == TIMELINE_LANE ? 1 : lanes_of(building, row);
	track->cells = building_cells(building);
	track->is_dense = row->type == TIMELINE_LANE && row->kind == LANE_AGGREGATE &&
	                  building->lines[line].depth <= 0; /* nothing nests there */
	if (is_filtered || (building->lines[line].depth >= 0 && !track->is_dense)) {
		return;
	}
	track->is_about = is_blurred(building, wishes);
	if (row->type == TIMELINE_PROCESS || row->type == TIMELINE_ALIKE) {
		wish_members(building, wishes, row, track);
	} else {
		wish(wishes, (struct tile_request){row->is_host ? TILE_GROUP : TILE_LANE, row->id,
		                                   row->members, row->n_members + row->n_dense,
		                                   track->cells});
	}
}

/* Of a host without some lanes nothing is less than none: tiles that are divided are rounded. Lanes
 * that work have no density. */
static void
add_part(struct tile_cell *sum, const struct tile_cell *cell, bool is_less)
{
	if (is_less) {
		sum->busy_ns = MOST(time_sub(sum->busy_ns, cell->busy_ns), 0);
		sum->count = MOST(sum->count - cell->count, 0);
		return;
	}
	time_raise(&sum->busy_ns, cell->busy_ns);
	sum->count += cell->count;
}

/* A stretch of them at a time: their cells take memory. They have no colours. */
static int
read_parts(struct building *building, const struct wishes *wishes, struct err *err)
{
	struct tile_request requests[PARTS_AT_ONCE];
	struct tile_cell *cells =
	    xmalloc(PARTS_AT_ONCE * ((size_t)building->n_cells + 1) * sizeof *cells);
	int rc = 0;

	for (size_t from = 0; from < wishes->n_parts && rc == 0; from += PARTS_AT_ONCE) {
		const struct group_part *parts = wishes->parts + from;
		size_t n = LEAST(wishes->n_parts - from, PARTS_AT_ONCE);
		struct arena *arena = arena_new();

		for (size_t i = 0; i < n; i++) {
			requests[i] = (struct tile_request){parts[i].subject, parts[i].id, NULL, 0,
			                                    cells + i * building->n_cells};
		}
		rc = tile_read_many(&building->tiles, requests, n, axis_of(building, wishes), arena,
		                    err);
		for (size_t i = 0; i < n * building->n_cells && rc == 0; i++) {
			const struct group_part *part = &parts[i / building->n_cells];

			add_part(&part->sum[i % building->n_cells], &cells[i], part->is_less);
		}
		arena_free(arena);
	}
	free(cells);
	return rc;
}

#define LINES_A_POLL 1024

/* Codes of categories become ranks. */
static void
settle(struct building *building, const struct tile_request *request)
{
	for (uint32_t i = 0; i < building->n_cells; i++) {
		struct tile_cell *cell = &request->cells[i];
		struct category_time *times;

		if (cell->n_categories == 0) {
			continue;
		}
		times = arena_copy(building->arena, cell->categories,
		                   cell->n_categories * sizeof *times);
		for (uint32_t k = 0; k < cell->n_categories; k++) {
			times[k].category = building->colours->mode == COLOUR_CATEGORY
			                        ? colours_rank(building->colours, times[k].category)
			                        : COLOUR_NONE;
		}
		cell->categories = times;
	}
}

static int
read_wishes(struct building *building, const struct wishes *wishes, struct err *err)
{
	if (wishes->n > 0 && tile_read_many(&building->tiles, wishes->requests, wishes->n,
	                                    axis_of(building, wishes), building->arena, err)) {
		return -1;
	}
	for (size_t i = 0; i < wishes->n; i++) {
		if (i % LINES_A_POLL == 0 && cancel_check(building->cancel, err)) {
			return -1;
		}
		settle(building, &wishes->requests[i]);
	}
	return wishes->n_parts > 0 ? read_parts(building, wishes, err) : 0;
}

/* Lanes; and what sums them up, where it may be blurred. */
static int
add_tiles(struct building *building, struct err *err)
{
	struct wishes both[2] = {{.fit = TILE_SPLIT}, {.fit = TILE_BLUR}};
	bool may_blur = building->request->is_picture &&
	                store_run(building->store)->n_spans > TIMELINE_BLUR_SPANS;
	int rc = 0;

	for (size_t i = 0; i < building->n_lines; i++) {
		wish_line(building,
		          &both[may_blur && building_row(building, i)->type != TIMELINE_LANE], i);
	}
	for (int k = 0; k < 2; k++) {
		rc = rc ? rc : read_wishes(building, &both[k], err);
		free(both[k].requests);
		free(both[k].parts);
	}
	return rc;
}

/* ---- the whole ---- */

/* Whether tiles alone say all that is to be seen. */
static bool
tiles_suffice(const struct building *building)
{
	for (size_t i = 0; i < building->n_lines; i++) {
		if (building->lines[i].depth >= 0) {
			return false;
		}
	}
	return !building->window->is_filtered && building->colours->mode == COLOUR_CATEGORY;
}

static bool
may_show_spans(const struct building *building)
{
	int64_t n = 0, limit = building->request->span_limit
	                           ? (int64_t)building->request->span_limit
	                           : WINDOW_SPANS;

	for (size_t i = 0; i < building->n_lines; i++) {
		const struct timeline_track *track = &building->tracks[i];

		for (uint32_t k = 0;
		     building_row(building, i)->type == TIMELINE_LANE && k < building->n_cells;
		     k++) {
			n += track->cells[k].count;
		}
	}
	return n <= limit;
}

static int
build(struct building *building, struct err *err)
{
	int shown = 0;

	if (add_tiles(building, err) || cancel_check(building->cancel, err)) {
		return -1;
	}
	if (may_show_spans(building)) {
		shown = building_add_spans(building, err);
	}
	if (shown < 0 || (!shown && !tiles_suffice(building) && building_add_sums(building, err))) {
		return -1;
	}
	if (building->window->is_filtered && building_add_groups(building, err)) {
		return -1;
	}
	return building_add_values(building, err);
}

struct timeline_window *
timeline_window_read(struct store *store, const struct timeline *timeline,
                     const struct timeline_request *request, const struct cancel *cancel,
                     struct err *err)
{
	struct building building = {.store = store,
	                            .dataset = store_dataset(store, err),
	                            .timeline = timeline,
	                            .request = request,
	                            .lines = request->lines,
	                            .n_lines = request->n_lines,
	                            .start_ns = request->start_ns,
	                            .cell_ns = request->cell_ns,
	                            .n_cells = request->n_cells,
	                            .colours = request->colours,
	                            .cancel = cancel};
	struct timeline_window *window;

	if (!building.dataset || store_tiles(store, &building.tiles, err)) {
		return NULL;
	}
	building.tiles.cancel = cancel;
	window = building.window = xcalloc(1, sizeof *window);
	window->arena = building.arena = arena_new();
	window->start_ns = request->start_ns;
	window->cell_ns = request->cell_ns;
	window->n_cells = request->n_cells;
	window->n_lines = request->n_lines;
	window->is_filtered = (request->filter && *request->filter) || store_scope(store)->n > 0;
	window->lines =
	    arena_copy(window->arena, request->lines, request->n_lines * sizeof *window->lines);
	window->tracks = building.tracks =
	    arena_zalloc(window->arena, (request->n_lines + 1) * sizeof *window->tracks);
	building.end_ns =
	    time_add(request->start_ns, request->cell_ns > INT64_MAX / (request->n_cells + 1)
	                                    ? INT64_MAX
	                                    : request->cell_ns * request->n_cells);
	building.from_ns = building.start_ns;
	building.until_ns = building.end_ns;
	dataset_clip(building.dataset, &building.from_ns, &building.until_ns);
	window->scoped[0].from_ns = building.from_ns;
	window->scoped[0].until_ns = building.until_ns;
	building.line_of_lane =
	    xmalloc(((size_t)building.dataset->n_lanes + 1) * sizeof *building.line_of_lane);
	for (size_t i = 0; i < building.dataset->n_lanes; i++) {
		building.line_of_lane[i] = request->n_lines;
	}
	for (size_t i = request->n_lines; i-- > 0;) {
		const struct timeline_row *row = building_row(&building, i);

		if (row->type == TIMELINE_LANE && row->id < building.dataset->n_lanes) {
			building.line_of_lane[row->id] = i;
		}
	}
	int rc = build(&building, err);
	free(building.line_of_lane);
	if (rc != 0) {
		timeline_window_free(window);
		return NULL;
	}
	return window;
}

void
timeline_window_free(struct timeline_window *window)
{
	if (window) {
		timeline_window_free(window->parts[0]);
		timeline_window_free(window->parts[1]);
		arena_free(window->arena);
		free(window);
	}
}

const struct tile_cell *
timeline_window_cell(const struct timeline_window *window, size_t line, int64_t at_ns)
{
	int64_t at = time_sub(at_ns, window->start_ns);

	if (line >= window->n_lines || !window->tracks[line].cells || at < 0 ||
	    at / window->cell_ns >= window->n_cells) {
		return NULL;
	}
	return &window->tracks[line].cells[at / window->cell_ns];
}

size_t
timeline_window_line(const struct timeline_window *window, struct timeline_line line)
{
	size_t i = 0;

	while (i < window->n_lines &&
	       (window->lines[i].row != line.row || window->lines[i].depth != line.depth)) {
		i++;
	}
	return i;
}

bool *
timeline_window_hits(const struct timeline_window *window, size_t line,
                     const struct timeline_window *hits)
{
	const struct timeline_track *track = &window->tracks[line], *found;
	size_t hit_line = hits ? timeline_window_line(hits, window->lines[line]) : 0, k = 0;
	bool *is_hit;

	if (!hits || hit_line >= hits->n_lines || !hits->tracks[hit_line].has_spans) {
		return NULL;
	}
	found = &hits->tracks[hit_line];
	is_hit = xcalloc(track->n_spans + 1, sizeof *is_hit);
	for (size_t i = 0; i < track->n_spans; i++) { /* both in the same order */
		const struct timeline_span *span = &track->spans[i];

		while (k < found->n_spans && found->spans[k].start_ns < span->start_ns) {
			k++;
		}
		if (k < found->n_spans && found->spans[k].id == span->id) {
			is_hit[i] = true;
			k++;
		}
	}
	return is_hit;
}

bool
timeline_window_is_empty(const struct timeline_window *window)
{
	for (size_t line = 0; line < window->n_lines; line++) {
		const struct timeline_track *track = &window->tracks[line];

		for (uint32_t i = 0; i < window->n_cells; i++) {
			if ((track->values && track->values[i].is_known) ||
			    (track->cells &&
			     (track->cells[i].busy_ns > 0 || track->cells[i].count > 0 ||
			      track->cells[i].density_ns > 0))) {
				return false;
			}
		}
		if (track->n_spans > 0 || track->is_cut) {
			return false;
		}
	}
	return true;
}
