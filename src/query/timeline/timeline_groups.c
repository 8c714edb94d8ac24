/*
 * Busy time of hosts and processes, and of lanes, under a filter or a scope, which tiles don't
 * know.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "query/timeline/timeline_building.h"
#include "query/timeline/timeline_scoped.h"
#include "util/mem.h"

/* By lane, the line that each map has it in: its host's, its process's, its own, those of the
 * lanes, hosts and processes alike that it is of. */
enum { MAP_HOST, MAP_PROCESS, MAP_OWN, MAP_ALIKE };
struct maps {
	uint32_t *lines[SCOPED_MAPS];
};

static uint32_t *
map_of(const struct maps *maps, const struct timeline_row *row)
{
	return maps->lines[row->type == TIMELINE_HOST      ? MAP_HOST
	                   : row->type == TIMELINE_PROCESS ? MAP_PROCESS
	                                                   : MAP_ALIKE + (int)row->alike_are];
}

/* A group's members, or the lane itself; whether the line is one of those. */
static bool
map_line(const struct building *building, size_t line, const struct maps *maps, bool is_outermost)
{
	const struct timeline_row *row = building_row(building, line);
	const struct timeline_track *track = &building->tracks[line];

	if (timeline_row_sums_lanes(row)) {
		uint32_t *map = map_of(maps, row);

		for (uint32_t i = 0; i < row->n_members; i++) {
			map[row->members[i]] = (uint32_t)line;
		}
		return true;
	}
	if (row->type != TIMELINE_LANE || row->is_beside || !is_outermost || track->has_spans ||
	    track->is_dense || building->lines[line].depth >= 0) {
		return false;
	}
	maps->lines[MAP_OWN][row->id] = (uint32_t)line;
	return true;
}

/* A lane's cells have their counts already, of all depths; groups have them from here. */
static void
take_lane(const struct building *building, size_t line, const struct tile_cell *outermost)
{
	for (uint32_t i = 0; i < building->n_cells; i++) {
		building->tracks[line].cells[i].busy_ns = outermost[i].busy_ns;
	}
}

/* Hosts and processes, which nothing else counts; and lanes of so many spans that they were summed
 * up, where those of all depths make more than their union. */
int
building_add_groups(struct building *building, struct err *err)
{
	size_t n_lanes = building->dataset->n_lanes, n = 0;
	struct maps maps;
	struct tile_cell **cells = xcalloc(building->n_lines + 1, sizeof *cells);
	const char *filter = building->request->filter;
	bool is_outermost = !store_scope_condition(building->store) && !(filter && *filter);
	int rc = 0;

	maps.lines[0] = xmalloc((SCOPED_MAPS * n_lanes + 1) * sizeof *maps.lines[0]);
	memset(maps.lines[0], 0xff, SCOPED_MAPS * n_lanes * sizeof *maps.lines[0]);
	for (int i = 1; i < SCOPED_MAPS; i++) {
		maps.lines[i] = maps.lines[i - 1] + n_lanes;
	}
	for (size_t i = 0; i < building->n_lines; i++) {
		if (map_line(building, i, &maps, is_outermost)) {
			bool is_lane = building_row(building, i)->type == TIMELINE_LANE;

			cells[i] = is_lane ? building_cells(building) : building->tracks[i].cells;
			n++;
		}
	}
	if (n > 0) {
		struct scoped_busy asked = {
		    .dataset = building->dataset,
		    .filter = filter,
		    .is_outermost = is_outermost,
		    .axis = {building->start_ns, building->cell_ns, building->n_cells, true},
		    .cells = cells,
		    .cancel = building->cancel};

		for (int i = 0; i < SCOPED_MAPS; i++) {
			asked.lines[i] = maps.lines[i];
		}
		rc = timeline_scoped_busy(&asked, err);
	}
	for (size_t i = 0; i < building->n_lines && rc == 0; i++) {
		if (cells[i] && building_row(building, i)->type == TIMELINE_LANE) {
			take_lane(building, i, cells[i]);
		}
	}
	free(maps.lines[0]);
	free(cells);
	return rc;
}
