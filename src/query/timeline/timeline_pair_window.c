/*
 * A window of two runs is read as one of each, whose cells and spans are then laid on the axis.
 * Where a run's tiles have no cells of the axis's width, or where they lie between them, finer ones
 * are read, and each is shared out among those of the axis that it lies in.
 */
#include "config.h"

#include "query/timeline/timeline_pair.h"

#include <stdlib.h>
#include <string.h>

#include "query/timeline/timeline_building.h"
#include "util/order.h"

#define FINE 8 /* cells of a run for one of the axis */
#define CELLS_LIMIT 16384

/* One run's part of the window. */
struct part {
	const struct pair_source *source;
	int side;
	struct building *building; /* the window of both */
	const struct timeline_window *window;
};

static int64_t
window_end(const struct timeline_request *request)
{
	return time_add(request->start_ns, request->cell_ns > INT64_MAX / (request->n_cells + 1)
	                                       ? INT64_MAX
	                                       : request->cell_ns * request->n_cells);
}

/* What to read of a run; false: it has nothing in the window. lines has room for all. */
static bool
part_request(const struct pair_source *source, int side, const struct timeline_request *whole,
             struct timeline_line *lines, struct timeline_request *out)
{
	const struct timeline_pair *pair = source->timeline->pair;
	const struct timeline *own = pair->sides[side];
	int64_t from = pair_axis_time(&source->axis, side, whole->start_ns);
	int64_t to = pair_axis_time(&source->axis, side, window_end(whole));
	int64_t begin = MOST(from, 0), end = LEAST(to, own->duration_ns);
	int64_t wished = MOST(time_sub(to, from) / MOST(whole->n_cells, 1), 1), cell;
	size_t n = 0;

	for (size_t i = 0; i < whole->n_lines; i++) {
		size_t row = whole->lines[i].row;

		if (source->timeline->rows[row].side == side + 1) {
			lines[n++] =
			    (struct timeline_line){pair->origins[row], whole->lines[i].depth};
		}
	}
	if (n == 0 || end < begin) {
		return false;
	}
	cell = whole->cell_ns;
	if (time_sub(to, from) != time_sub(window_end(whole), whole->start_ns) || from % cell) {
		cell = timeline_snap(own, MOST(wished / FINE, 1));
	}
	*out = *whole;
	out->lines = lines;
	out->n_lines = n;
	out->colours = source->colours[side];
	out->cell_ns = cell;
	out->start_ns = begin - begin % cell;
	out->n_cells = (uint32_t)LEAST((end - out->start_ns) / cell + 1, CELLS_LIMIT);
	return true;
}

/* value * by / of, of values >= 0 with by <= of or where the product is a time. */
static int64_t
share_of(int64_t value, int64_t by, int64_t of)
{
	__int128 share = (__int128)value * by / of;

	return share > INT64_MAX ? INT64_MAX : (int64_t)share;
}

/* A stretch of the axis that a cell of a run lies in, up to the run's end. */
struct axis_stretch {
	int64_t from, to;
	int64_t length; /* as if the run went on to the cell's end */
};

/* The part of an amount that lies in a cell of the axis: those of all cells add up to it. */
static int64_t
amount_in(int64_t amount, struct axis_stretch stretch, int64_t from, int64_t to)
{
	int64_t length = stretch.to - stretch.from;

	return share_of(amount, MOST(LEAST(to, stretch.to), stretch.from) - stretch.from, length) -
	       share_of(amount, MOST(LEAST(from, stretch.to), stretch.from) - stretch.from, length);
}

static void
share_out(const struct part *part, const struct tile_cell *cell, int64_t own_ns,
          struct axis_stretch stretch, struct tile_cell *cells)
{
	const struct building *building = part->building;
	int64_t busy = share_of(cell->busy_ns, stretch.length, own_ns);
	int64_t density = share_of(cell->density_ns, stretch.length, own_ns);
	int64_t first = MOST(stretch.from, building->start_ns);

	if (stretch.from >= building->start_ns && stretch.from < building->end_ns) {
		cells[(stretch.from - building->start_ns) / building->cell_ns].count += cell->count;
	}
	for (int64_t i = (first - building->start_ns) / building->cell_ns; i < building->n_cells;
	     i++) {
		int64_t from = time_add(building->start_ns, i * building->cell_ns);
		int64_t to = time_add(from, building->cell_ns);

		if (from >= stretch.to) {
			break;
		}
		time_raise(&cells[i].busy_ns, amount_in(busy, stretch, from, to));
		time_raise(&cells[i].density_ns, amount_in(density, stretch, from, to));
		for (uint32_t k = 0; k < cell->n_categories; k++) {
			int64_t ns = share_of(cell->categories[k].ns, stretch.length, own_ns);

			ns = amount_in(ns, stretch, from, to);
			if (ns > 0) {
				building_add_rank(part->building, &cells[i],
				                  cell->categories[k].category, ns);
			}
		}
	}
}

/* Where the i-th cell that was read lies; its last part may lie behind the axis's end. */
static struct axis_stretch
stretch_of(const struct part *part, uint32_t i)
{
	const struct timeline_window *window = part->window;
	const struct pair_axis *axis = &part->source->axis;
	int64_t from = time_add(window->start_ns, (int64_t)i * window->cell_ns);
	int64_t end = pair_axis_point(axis, part->side, axis->duration_ns[part->side]);
	int64_t to = pair_axis_point(axis, part->side, time_add(from, window->cell_ns));

	from = pair_axis_point(axis, part->side, from);
	end = MOST(end, time_add(from, 1)); /* an instant at the end counts */
	return (struct axis_stretch){from, LEAST(to, end), to - from};
}

static struct tile_cell *
lay_cells(const struct part *part, const struct timeline_track *track)
{
	struct tile_cell *cells = building_cells(part->building);

	for (uint32_t i = 0; i < part->window->n_cells; i++) {
		const struct tile_cell *cell = &track->cells[i];
		struct axis_stretch stretch = stretch_of(part, i);

		if ((cell->busy_ns > 0 || cell->count > 0 || cell->density_ns > 0) &&
		    stretch.to > stretch.from) {
			share_out(part, cell, part->window->cell_ns, stretch, cells);
		}
	}
	building_settle_cells(part->building, cells);
	return cells;
}

static struct timeline_value *
lay_values(const struct part *part, const struct timeline_track *track)
{
	const struct building *building = part->building;
	struct timeline_value *values =
	    arena_zalloc(building->arena, ((size_t)building->n_cells + 1) * sizeof *values);

	for (uint32_t i = 0; i < part->window->n_cells; i++) {
		const struct timeline_value *own = &track->values[i];
		struct axis_stretch stretch = stretch_of(part, i);
		int64_t first = MOST(stretch.from - building->start_ns, 0) / building->cell_ns;

		for (int64_t k = first;
		     own->is_known && k < building->n_cells &&
		     time_add(building->start_ns, k * building->cell_ns) < stretch.to;
		     k++) {
			struct timeline_value *value = &values[k];

			*value = value->is_known
			             ? (struct timeline_value){true, LEAST(value->low, own->low),
			                                       MOST(value->high, own->high)}
			             : *own;
		}
	}
	return values;
}

static struct timeline_span *
lay_spans(const struct part *part, const struct timeline_track *track)
{
	const struct timeline *timeline = part->source->timeline;
	const struct pair_axis *axis = &part->source->axis;
	struct timeline_span *spans =
	    arena_alloc(part->building->arena, (track->n_spans + 1) * sizeof *spans);

	for (size_t i = 0; i < track->n_spans; i++) {
		int64_t end = time_add(track->spans[i].start_ns, track->spans[i].duration_ns);

		spans[i] = track->spans[i];
		spans[i].id = timeline_shared_span(timeline, part->side, spans[i].id);
		spans[i].lane = (uint32_t)timeline_shared_lane(timeline, part->side, spans[i].lane);
		spans[i].start_ns = pair_axis_point(axis, part->side, spans[i].start_ns);
		spans[i].duration_ns =
		    time_sub(pair_axis_point(axis, part->side, end), spans[i].start_ns);
	}
	return spans;
}

static struct timeline_track
lay_track(const struct part *part, const struct timeline_track *own)
{
	struct timeline_track track = *own;

	track.cells = own->cells ? lay_cells(part, own) : NULL;
	track.values = own->values ? lay_values(part, own) : NULL;
	track.spans = own->spans ? lay_spans(part, own) : NULL;
	return track;
}

/* Values of counterparts are drawn against the same range. */
static void
level_values(const struct timeline *timeline, struct timeline_window *window)
{
	for (size_t i = 0; i + 1 < window->n_lines; i++) {
		struct timeline_track *a = &window->tracks[i], *b = &window->tracks[i + 1];

		if (timeline->rows[window->lines[i].row].leads_pair && a->values && b->values) {
			a->low = b->low = LEAST(a->low, b->low);
			a->high = b->high = MOST(a->high, b->high);
		}
	}
}

/* A scope may leave another range of either run. */
static void
take_range(const struct part *part, struct timeline_window *whole)
{
	const struct pair_axis *axis = &part->source->axis;
	int64_t from = pair_axis_point(axis, part->side, part->window->scoped[0].from_ns);
	int64_t until = pair_axis_point(axis, part->side, part->window->scoped[0].until_ns);

	whole->is_filtered |= part->window->is_filtered;
	whole->scoped[part->side].from_ns = MOST(from, whole->start_ns);
	whole->scoped[part->side].until_ns = LEAST(until, part->building->end_ns);
}

static int
read_part(const struct pair_source *source, int side, const struct timeline_request *request,
          struct building *building, const struct cancel *cancel, struct err *err)
{
	struct timeline_window *window = building->window;
	struct timeline_line *lines;
	struct timeline_request own;
	int rc = 0;
	size_t k = 0;

	MEM_NEW(lines, request->n_lines + 1);
	if (part_request(source, side, request, lines, &own)) {
		const struct timeline *timeline = source->timeline->pair->sides[side];
		struct part part = {source, side, building, NULL};

		window->parts[side] =
		    timeline_window_read(source->stores[side], timeline, &own, cancel, err);
		part.window = window->parts[side];
		rc = part.window ? 0 : -1;
		if (part.window) {
			take_range(&part, window);
		}
		for (size_t i = 0; i < request->n_lines && rc == 0; i++) {
			if (source->timeline->rows[request->lines[i].row].side == side + 1) {
				window->tracks[i] = lay_track(&part, &part.window->tracks[k++]);
			}
		}
	}
	free(lines);
	return rc;
}

struct timeline_window *
timeline_pair_window_read(const struct pair_source *source, const struct timeline_request *request,
                          const struct cancel *cancel, struct err *err)
{
	struct timeline_window *window;
	struct building building;

	MEM_NEW(window, 1);
	window->arena = arena_new();
	window->start_ns = request->start_ns;
	window->cell_ns = request->cell_ns;
	window->n_cells = request->n_cells;
	window->n_lines = request->n_lines;
	window->is_filtered = request->filter && *request->filter;
	window->lines =
	    arena_copy(window->arena, request->lines, request->n_lines * sizeof *window->lines);
	window->tracks =
	    arena_zalloc(window->arena, (request->n_lines + 1) * sizeof *window->tracks);
	building = (struct building){.window = window,
	                             .arena = window->arena,
	                             .start_ns = window->start_ns,
	                             .cell_ns = window->cell_ns,
	                             .n_cells = window->n_cells,
	                             .end_ns = window_end(request)};
	building.from_ns = building.start_ns;
	building.until_ns = building.end_ns;
	for (int side = 0; side < 2; side++) {
		if (read_part(source, side, request, &building, cancel, err)) {
			timeline_window_free(window);
			return NULL;
		}
	}
	level_values(source->timeline, window);
	return window;
}
