/* Groups of cells, level by level. */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>
#include <string.h>

#include "column/scan/rowvalue.h"
#include "util/intervals.h"
#include "util/mem.h"
#include "util/order.h"

struct scan_value
busy_cell_value(const struct busy_side *side, uint32_t cell, unsigned dimension)
{
	const struct coder_set *coders = &side->plan.coders;
	unsigned coder = coders->places[dimension].coder, part = coders->places[dimension].part;

	return coder_value(coders->coders[coder], part,
	                   group_table_codes(busy_table(side), cell)[coder]);
}

static uint32_t *
find_lanes(const struct busy_side *side)
{
	const struct dimension_list *list = &side->plan.dimensions;
	uint32_t n = busy_table(side)->n_groups;
	uint32_t *lanes = xcalloc((size_t)n + 1, sizeof *lanes);
	unsigned dimension = 0;

	while (list->specs[dimension].dimension != ROW_LANE) {
		dimension++;
	}
	for (uint32_t cell = 0; cell < n; cell++) {
		struct scan_value value = busy_cell_value(side, cell, dimension);
		lanes[cell] = value.type == SCAN_INTEGER && value.integer >= 0 &&
		                      value.integer < side->plan.dataset->n_lanes
		                  ? (uint32_t)value.integer
		                  : UINT32_MAX;
	}
	return lanes;
}

static bool
same_group(const struct busy *busy, unsigned level, uint32_t a, uint32_t b)
{
	const struct busy_side *side = &busy->sides[0];
	const uint32_t *codes_a = group_table_codes(busy_table(side), a);
	const uint32_t *codes_b = group_table_codes(busy_table(side), b);

	for (unsigned d = 0; d < busy->level_dimensions[level]; d++) {
		unsigned coder = side->plan.coders.places[d].coder;
		if (codes_a[coder] == codes_b[coder]) {
			continue;
		}
		struct scan_value of_a = busy_cell_value(side, a, d),
				  of_b = busy_cell_value(side, b, d);
		if (of_a.type == SCAN_NULL || of_b.type == SCAN_NULL) {
			if (of_a.type != of_b.type) {
				return false;
			}
		} else if (scan_value_compare(&of_a, &of_b) != 0) {
			return false;
		}
	}
	return true;
}

/* How many threads and processes there are. */
static void
count_threads(const struct busy *busy, const struct busy_cells *cells, struct busy_group *group,
              uint32_t *last_of_process, uint32_t nth)
{
	uint32_t last_thread = UINT32_MAX;

	for (uint32_t i = cells->first; i < cells->end; i++) {
		uint32_t lane = busy->lane_of_cell[0][busy->order[i]];
		if (lane == UINT32_MAX) {
			continue;
		}
		group->threads += busy->lanes.threads[lane] != last_thread;
		last_thread = busy->lanes.threads[lane];
		group->processes += last_of_process[busy->lanes.processes[lane]] != nth + 1;
		last_of_process[busy->lanes.processes[lane]] = nth + 1;
	}
}

/* Where a cell stands among its group's. */
static uint64_t
place_by_thread(const struct busy *busy, uint32_t cell)
{
	uint32_t lane = busy->lane_of_cell[0][cell];
	uint64_t thread = lane == UINT32_MAX ? UINT32_MAX : busy->lanes.threads[lane];

	return thread << 32 | cell;
}

static int
compare_places(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return ORDER(*a, *b);
}

/* Most groups are in this order already, or of few cells. */
static void
order_by_thread(struct busy *busy, const struct busy_cells *cells, uint64_t *places)
{
	uint32_t *order = busy->order + cells->first, n = cells->end - cells->first;
	bool is_sorted = true;

	for (uint32_t i = 0; i < n; i++) {
		places[i] = place_by_thread(busy, order[i]);
		is_sorted = is_sorted && (i == 0 || places[i - 1] <= places[i]);
	}
	if (is_sorted) {
		return;
	}
	SORT(places, n, compare_places);
	for (uint32_t i = 0; i < n; i++) {
		order[i] = (uint32_t)places[i];
	}
}

/* Cells that have a level's dimensions in common are a group of it. Each level has an order of its
 * own, for cells stand by thread in it. */
static void
group_cells(struct busy *busy, unsigned level, const uint32_t *order, uint32_t n)
{
	uint32_t first = level * n;
	size_t before = busy->n_groups;

	memcpy(busy->order + first, order, n * sizeof *order);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || !same_group(busy, level, order[i - 1], order[i])) {
			busy->cells[busy->n_groups++] =
			    (struct busy_cells){.first = first + i, .level = level};
		}
		busy->cells[busy->n_groups - 1].end = first + i + 1;
	}
	if (busy->n_groups == before && busy->level_dimensions[level] == 0) {
		/* the one group is there even if nothing matches */
		busy->cells[busy->n_groups++] = (struct busy_cells){.level = level};
	}
}

/* What was measured, by level and cell: that of a group stands with one of its cells. */
struct cell_measured {
	int64_t busy_ns, hidden_ns;
};

static struct cell_measured *
keep_measured(const struct busy *busy, uint32_t n_cells)
{
	struct cell_measured *kept = xcalloc((size_t)n_cells * busy->n_levels + 1, sizeof *kept);

	for (size_t g = 0; g < busy->n_groups; g++) {
		const struct busy_cells *cells = &busy->cells[g];
		const struct busy_group *group = &busy->groups[g];
		if (cells->first < cells->end) {
			kept[(size_t)cells->level * n_cells + busy->order[cells->first]] =
			    (struct cell_measured){group->busy_ns, group->hidden_ns};
		}
	}
	return kept;
}

static void
take_measured(struct busy *busy, const struct cell_measured *kept, uint32_t n_cells)
{
	for (size_t g = 0; g < busy->n_groups; g++) {
		const struct busy_cells *cells = &busy->cells[g];
		struct busy_group *group = &busy->groups[g];
		*group = (struct busy_group){.level = cells->level};
		for (uint32_t i = cells->first; i < cells->end; i++) {
			const struct cell_measured *of_cell =
			    &kept[(size_t)cells->level * n_cells + busy->order[i]];
			time_raise(&group->busy_ns, of_cell->busy_ns);
			time_raise(&group->hidden_ns, of_cell->hidden_ns);
		}
	}
}

void
busy_group_cells(struct busy *busy)
{
	const struct busy_side *side = &busy->sides[0];
	const struct group_table *table = busy_table(side);
	uint32_t n = table->n_groups;
	uint32_t *order = sums_sort(&side->plan.coders, &side->plan.dimensions, table);
	struct cell_measured *kept = keep_measured(busy, n);

	busy_free_groups(busy);
	busy->lane_of_cell[0] = find_lanes(side);
	if (busy->has_beside) {
		busy->lane_of_cell[1] = find_lanes(&busy->sides[1]);
	}
	busy->n_order = (size_t)n * busy->n_levels;
	MEM_NEW(busy->order, busy->n_order + 1);
	MEM_NEW(busy->cells, ((size_t)n + 1) * busy->n_levels);
	for (unsigned level = 0; level < busy->n_levels; level++) {
		group_cells(busy, level, order, n);
	}
	free(order);
	MEM_NEW(busy->groups, busy->n_groups + 1);
	take_measured(busy, kept, n);
	free(kept);
}

void
busy_free_groups(struct busy *busy)
{
	free(busy->lane_of_cell[0]);
	free(busy->lane_of_cell[1]);
	free(busy->order);
	free(busy->cells);
	free(busy->groups);
	busy->lane_of_cell[0] = busy->lane_of_cell[1] = NULL;
	busy->order = NULL;
	busy->cells = NULL;
	busy->groups = NULL;
	busy->n_groups = busy->n_order = 0;
}

void
busy_complete_groups(struct busy *busy)
{
	uint32_t *last = xcalloc((size_t)busy->lanes.n_processes + 1, sizeof *last);
	uint64_t *places =
	    xcalloc((size_t)busy_table(&busy->sides[0])->n_groups + 1, sizeof *places);
	const struct busy_grouping grouping = {&busy->sides[0], busy->order,    busy->n_order,
	                                       busy->cells,     busy->n_groups, busy->n_levels};

	for (size_t g = 0; g < busy->n_groups; g++) {
		order_by_thread(busy, &busy->cells[g], places);
		count_threads(busy, &busy->cells[g], &busy->groups[g], last, (uint32_t)g);
	}
	busy_sum_groups(&grouping, busy->groups);
	free(places);
	free(last);
}
