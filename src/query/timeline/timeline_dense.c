/*
 * Lanes of records that stand for many calls, where tiles do not say it: under a filter, or with
 * colours other than categories. When in its interval the calls of a record were nobody knows, so
 * that their sum is spread evenly over it, in each cell and for each colour; and the lane was busy
 * at most as long as any of the intervals lasts.
 */
#include "config.h"

#include "query/timeline/timeline_building.h"
#include "util/intervals.h"
#include "util/order.h"

/* Of a record's sum what lies before an instant. */
static int64_t
share_until(int64_t at_ns, int64_t start_ns, int64_t duration_ns, int64_t sum_ns)
{
	int64_t into = time_sub(at_ns, start_ns);

	if (into >= duration_ns) {
		return sum_ns;
	}
	return into <= 0 ? 0 : (int64_t)((__int128)sum_ns * into / duration_ns);
}

void
building_add_density(struct building *building, struct tile_cell *cells, int64_t start_ns,
                     int64_t duration_ns, int64_t sum_ns, uint32_t rank)
{
	int64_t cell_ns = building->cell_ns, window = building->start_ns;
	int64_t from = MOST(start_ns, building->from_ns), end = time_add(start_ns, duration_ns);
	bool is_first = true;

	end = LEAST(end, building->until_ns);
	while (sum_ns > 0 && (from < end || (is_first && duration_ns <= 0 && from == start_ns &&
	                                     from < building->until_ns))) {
		int64_t i = (from - window) / cell_ns, to = time_add(window, (i + 1) * cell_ns), ns;

		to = LEAST(to, end);
		ns = share_until(to, start_ns, duration_ns, sum_ns) -
		     (from > start_ns ? share_until(from, start_ns, duration_ns, sum_ns) : 0);
		building_add_rank(building, &cells[i], rank, ns);
		time_raise(&cells[i].density_ns, ns);
		is_first = false;
		from = to;
	}
}

void
building_add_dense_busy(struct building *building, struct tile_cell *cells, int64_t from_ns,
                        int64_t end_ns)
{
	int64_t cell_ns = building->cell_ns, window = building->start_ns;

	from_ns = MOST(from_ns, building->from_ns);
	end_ns = LEAST(end_ns, building->until_ns);
	while (from_ns < end_ns) {
		int64_t i = (from_ns - window) / cell_ns, to = time_add(window, (i + 1) * cell_ns);

		to = LEAST(to, end_ns);
		cells[i].busy_ns += to - from_ns;
		from_ns = to;
	}
}

void
building_dense_cells(struct building *building, struct timeline_track *track)
{
	int64_t busy_until = INT64_MIN;

	track->cells = building_cells(building);
	for (size_t i = 0; i < track->n_spans; i++) {
		const struct timeline_span *span = &track->spans[i];
		int64_t start = span->start_ns, end = time_add(start, span->duration_ns);

		building_add_density(building, track->cells, start, span->duration_ns,
		                     span->call_sum_ns, span->rank);
		building_add_dense_busy(building, track->cells, MOST(start, busy_until), end);
		busy_until = MOST(end, busy_until);
		building_add_count(building, track->cells, start, 1);
	}
	building_settle_cells(building, track->cells);
}
