/* What the parts of a window share: cells that times of colours are added to, and the filters of
 * its scans. */
#include "config.h"

#include "query/timeline/timeline_building.h"

#include <stdlib.h>

#include "util/intervals.h"
#include "util/order.h"

#define LANES_LISTED 512u
#define LANES_AROUND 4u /* so many times as many may be scanned along with them */

struct tile_cell *
building_cells(struct building *building)
{
	return arena_zalloc(building->arena,
	                    ((size_t)building->n_cells + 1) * sizeof(struct tile_cell));
}

void
building_add_filter(const struct building *building, struct strbuf *out)
{
	if (building->request->filter && *building->request->filter) {
		strbuf_printf(out, " AND (%s)", building->request->filter);
	}
}

bool
building_lane_filter(const struct building *building, struct strbuf *out)
{
	uint32_t low = UINT32_MAX, high = 0;
	size_t n = 0;
	struct strbuf list = {0};

	for (size_t i = 0; i < building->n_lines; i++) {
		const struct timeline_row *row = building_row(building, i);

		if (row->type != TIMELINE_LANE || building->line_of_lane[row->id] != i) {
			continue;
		}
		strbuf_printf(&list, "%s%u", n++ ? "," : "", row->id);
		low = LEAST(row->id, low);
		high = MOST(row->id, high);
	}
	if (n > LANES_LISTED && high - low < LANES_AROUND * n) {
		strbuf_printf(out, "lane BETWEEN %u AND %u", low, high);
	} else if (n > 0) {
		strbuf_printf(out, "lane IN (%s)", list.data);
	}
	strbuf_free(&list);
	return n > 0;
}

void
building_add_rank(struct building *building, struct tile_cell *cell, uint32_t rank, int64_t ns)
{
	struct category_time *times = (struct category_time *)cell->categories;
	uint32_t k = 0;

	while (k < cell->n_categories && times[k].category != rank) {
		k++;
	}
	if (k == cell->n_categories) { /* room for 1, 2, 4 ... */
		if ((k & (k - 1)) == 0) {
			struct category_time *more =
			    arena_alloc(building->arena, (k ? 2 * k : 1) * sizeof *more);
			if (k > 0) {
				memcpy(more, times, k * sizeof *more);
			}
			cell->categories = times = more;
		}
		times[k] = (struct category_time){rank, 0};
		cell->n_categories++;
	}
	time_raise(&times[k].ns, ns);
}

void
building_add_count(const struct building *building, struct tile_cell *cells, int64_t start_ns,
                   int64_t count)
{
	const struct dataset_scope *scope = &building->dataset->scope;
	int64_t at = scope->has_range ? MOST(start_ns, scope->start_ns) : start_ns;

	if (at >= building->start_ns && at < building->end_ns) {
		cells[(at - building->start_ns) / building->cell_ns].count += count;
	}
}

void
building_add_to_cells(struct building *building, struct tile_cell *cells, int64_t start_ns,
                      int64_t duration_ns, uint32_t rank, int64_t count)
{
	int64_t cell_ns = building->cell_ns, window = building->start_ns;
	int64_t from = MOST(start_ns, building->from_ns), end = time_add(start_ns, duration_ns);

	end = LEAST(end, building->until_ns);
	building_add_count(building, cells, start_ns, count);
	while (from < end) {
		int64_t i = (from - window) / cell_ns;
		int64_t to = time_add(window, (i + 1) * cell_ns);
		struct tile_cell *cell = &cells[i];

		to = LEAST(to, end);
		building_add_rank(building, cell, rank, to - from);
		cell->busy_ns += to - from;
		from = to;
	}
}

static int
compare_times(const void *left, const void *right)
{
	const struct category_time *a = left, *b = right;

	ORDER_BY(b->ns, a->ns);
	return ORDER(a->category, b->category);
}

void
building_settle_cells(struct building *building, struct tile_cell *cells)
{
	for (uint32_t i = 0; i < building->n_cells; i++) {
		SORT((struct category_time *)cells[i].categories, cells[i].n_categories,
		     compare_times);
	}
}
