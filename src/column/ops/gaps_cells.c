/* Lanes of a process, a host or the run that are looked at as one: a cell. A process is one of a
 * host. Cells are in the order of processes, then of hosts, as SQL has it. */
#include "config.h"
#include "column/ops/gaps_private.h"

#include <stdlib.h>

#include "column/scan/rowcolumn.h"
#include "column/scan/rowvalue.h"
#include "util/mem.h"
#include "util/order.h"

struct placed_lane {
	struct scan_value process, host; /* NULL where lanes of any are one */
	uint32_t lane;
};

static int
compare_owners(const struct placed_lane *a, const struct placed_lane *b)
{
	int order = scan_value_order(&a->process, &b->process);

	return order ? order : scan_value_order(&a->host, &b->host);
}

static int
compare_placed(const void *left, const void *right)
{
	const struct placed_lane *a = left, *b = right;
	int order = compare_owners(a, b);

	return order ? order : ORDER(a->lane, b->lane);
}

void
gaps_find_cells(struct finding *finding, const struct dataset *dataset)
{
	const enum gaps_within within = finding->request->within;
	const uint32_t n_lanes = dataset->n_lanes;
	struct placed_lane *lanes = xmalloc(((size_t)n_lanes + 1) * sizeof *lanes);
	uint32_t n = 0;

	MEM_NEW(finding->cell_of, (size_t)n_lanes + 1);
	MEM_NEW(finding->first_lane, (size_t)n_lanes + 1);
	for (uint32_t i = 0; i < n_lanes; i++) {
		lanes[i] = (struct placed_lane){.lane = i};
		if (within == GAPS_PROCESS) {
			lanes[i].process = row_lane_value(dataset, ROW_PROCESS, i);
		}
		if (within == GAPS_PROCESS || within == GAPS_HOST) {
			lanes[i].host = row_lane_value(dataset, ROW_HOST, i);
		}
	}
	SORT(lanes, n_lanes, compare_placed);
	for (uint32_t i = 0; i < n_lanes; i++) {
		if (i == 0 || compare_owners(&lanes[i - 1], &lanes[i]) != 0) {
			finding->first_lane[n++] = lanes[i].lane;
		}
		finding->cell_of[lanes[i].lane] = n - 1;
	}
	free(lanes);
}
