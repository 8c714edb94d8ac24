/*
 * Sums of groups of cells: those of the deepest level are of the cells, which lie all over the
 * memory, those of the levels above of the next one's groups.
 */
#include "config.h"
#include "column/ops/busy_private.h"

#include <stdlib.h>

#include "util/mem.h"

/* False if the figure does not fit. */
static bool
fit(__int128 value, int64_t *out)
{
	bool fits = value >= INT64_MIN && value <= INT64_MAX;

	*out = fits ? (int64_t)value : 0;
	return fits;
}

/* Cells of a group stand together by their keys, but their sums in the order in which they came. */
#define AHEAD 8
static void
fetch_ahead(const struct busy_grouping *grouping, uint32_t i)
{
	const struct group_totals *totals = &grouping->side->totals;

	if (i + AHEAD < grouping->n_order) {
		uint32_t cell = grouping->order[i + AHEAD];
		__builtin_prefetch(&totals->measures[MEASURE_DURATION][cell]);
		__builtin_prefetch(&totals->measures[MEASURE_DURATION][cell].n);
		__builtin_prefetch(&totals->measures[MEASURE_SIZE][cell]);
		__builtin_prefetch(&totals->measures[MEASURE_SIZE][cell].n);
		__builtin_prefetch(&totals->rows[cell]);
	}
}

/* Of a group, before it is looked at whether they fit. */
struct busy_totals {
	__int128 n, duration, size, size_n, summed;
	int64_t rows;
};

static void
add_totals(struct busy_totals *into, const struct busy_totals *more)
{
	into->n += more->n;
	into->duration += more->duration;
	into->size += more->size;
	into->size_n += more->size_n;
	into->summed += more->summed;
	into->rows += more->rows;
}

/* Of the deepest level: those of cells. */
static void
total_cells(const struct busy_grouping *grouping, const struct busy_cells *cells,
            struct busy_totals *out)
{
	const struct group_totals *totals = &grouping->side->totals;

	for (uint32_t i = cells->first; i < cells->end; i++) {
		uint32_t cell = grouping->order[i];
		const struct calls_total *calls = totals->calls ? &totals->calls[cell] : NULL;
		fetch_ahead(grouping, i);
		struct measure_total durations = totals->measures[MEASURE_DURATION][cell];
		struct measure_total sizes = totals->measures[MEASURE_SIZE][cell];
		int64_t rows = group_totals_rows(totals, cell);
		durations.sum -= totals->outside ? totals->outside[cell].duration : 0;
		if (calls) {
			sums_calls_fold(calls, MEASURE_DURATION, &durations);
			sums_calls_fold(calls, MEASURE_SIZE, &sizes);
		}
		add_totals(
		    out, &(struct busy_totals){.n = rows + (calls ? calls->calls - calls->rows : 0),
		                               .duration = durations.sum,
		                               .size = sizes.sum,
		                               .size_n = sizes.n,
		                               .summed = calls ? calls->calls : 0,
		                               .rows = rows});
	}
}

/* From the last one on: one that is not of the deepest level is of those of the
 * next that have its cells, which stand in its order. */
void
busy_sum_groups(const struct busy_grouping *grouping, struct busy_group *groups)
{
	uint32_t n_cells = grouping->side->table.n_groups;
	struct busy_totals *totals = xcalloc(grouping->n_groups + 1, sizeof *totals);
	size_t child = grouping->n_groups; /* behind those of the groups still to come */

	for (size_t g = grouping->n_groups; g-- > 0;) {
		const struct busy_cells *cells = &grouping->cells[g];
		struct busy_group *group = &groups[g];
		if (cells->level + 1 == grouping->n_levels) {
			total_cells(grouping, cells, &totals[g]);
		} else {
			for (; child > g + 1 &&
			       grouping->cells[child - 1].level == cells->level + 1 &&
			       grouping->cells[child - 1].first >= cells->first + n_cells;
			     child--) {
				add_totals(&totals[g], &totals[child - 1]);
			}
		}
		/* the groups of the next level above are of this one's */
		if (g > 0 && grouping->cells[g - 1].level < cells->level) {
			child = g;
			while (child < grouping->n_groups &&
			       grouping->cells[child].level == cells->level) {
				child++;
			}
		}
		group->rows = totals[g].rows;
		group->n_leaves = !fit(totals[g].n, &group->n);
		(void)fit(totals[g].summed, &group->summed);
		(void)fit(totals[g].size_n, &group->size_n);
		group->duration_leaves = !fit(totals[g].duration, &group->duration_sum);
		group->size_leaves = !fit(totals[g].size, &group->size_sum);
	}
	free(totals);
}
