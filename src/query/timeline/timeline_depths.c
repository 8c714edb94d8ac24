/*
 * How deep lanes are. Blocks know the extremes of their columns: a block of one lane tells how deep
 * that lane is there without being read, and a block that is nowhere deeper than what is known
 * already has nothing to add. Only what remains is scanned.
 */
#include "config.h"

#include "query/timeline/timeline.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "column/scan/scan.h"
#include "util/mem.h"

static void
deepen(int32_t *depths, uint32_t n_lanes, int64_t lane, int64_t depth)
{
	if (lane >= 0 && lane < n_lanes && depth < INT32_MAX && depth > depths[lane]) {
		depths[lane] = (int32_t)depth;
	}
}

/* The lane whose spans alone a block holds; -1: it holds those of several. */
static int64_t
lane_of_block(const struct dataset *dataset, const struct block_info *block)
{
	const struct column_info *lanes = block_column(block, FIELD_LANE);
	const struct dataset_source *source = &dataset->sources[block->source];

	return lanes && lanes->n_present == block->n_rows && lanes->min == lanes->max &&
	               lanes->min >= 0 && lanes->min < source->n_lanes
	           ? (int64_t)source->lanes[lanes->min]
	           : -1;
}

static int64_t
depth_of_block(const struct block_info *block)
{
	const struct column_info *depths = block_column(block, FIELD_DEPTH);

	return depths && depths->n_present > 0 && depths->max > 0 ? depths->max : 0;
}

static void
read_blocks(const struct dataset *dataset, int32_t *depths, uint32_t n_lanes)
{
	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		const struct block_info *block = &dataset->blocks[BLOCK_SPAN][i];

		deepen(depths, n_lanes, lane_of_block(dataset, block), depth_of_block(block));
	}
}

/* Whether a block may hold deeper spans of the lane (-1: of any) than are known. */
static bool
is_open(const struct dataset *dataset, const int32_t *depths, uint32_t n_lanes, int64_t lane)
{
	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		const struct block_info *block = &dataset->blocks[BLOCK_SPAN][i];

		if (lane_of_block(dataset, block) < 0 &&
		    (lane < 0 || lane >= n_lanes || depth_of_block(block) > depths[lane])) {
			return true;
		}
	}
	return false;
}

static int
scan(const struct dataset *dataset, int64_t lane, int32_t *depths, uint32_t n_lanes,
     const struct cancel *cancel, struct err *err)
{
	struct sums_request request = {
	    .kind = BLOCK_SPAN, .by = "lane,depth", .unread_times = true, .cancel = cancel};
	char filter[96];

	if (lane >= 0) {
		snprintf(filter, sizeof filter, "lane = %" PRId64 " AND depth > %d", lane,
		         lane < n_lanes ? depths[lane] : -1);
		request.filter = filter;
	}
	for (int i = 0; i < MEASURES; i++) {
		request.unread[i] = SUMS_NO_SUM | SUMS_NO_RANGE | SUMS_NO_SQUARES;
	}
	struct sums *sums = sums_run(dataset, &request, err);
	for (size_t i = 0; sums && i < sums_count(sums); i++) {
		struct scan_value id = sums_key(sums, i, ROW_LANE);
		struct scan_value depth = sums_key(sums, i, ROW_DEPTH);

		if (id.type == SCAN_INTEGER && depth.type == SCAN_INTEGER) {
			deepen(depths, n_lanes, id.integer, depth.integer);
		}
	}
	sums_free(sums);
	return sums ? 0 : -1;
}

int32_t *
timeline_depths(struct store *store, const struct timeline *timeline, int64_t lane,
                const struct cancel *cancel, struct err *err)
{
	const struct dataset *dataset = store_dataset(store, err);
	uint32_t n_lanes = timeline->n_lanes;
	int32_t *depths;

	if (!dataset) {
		return NULL;
	}
	depths = xmalloc(((size_t)n_lanes + 1) * sizeof *depths);
	memset(depths, 0xff, (size_t)n_lanes * sizeof *depths);
	read_blocks(dataset, depths, n_lanes);
	if (is_open(dataset, depths, n_lanes, lane) &&
	    scan(dataset, lane, depths, n_lanes, cancel, err)) {
		free(depths);
		return NULL;
	}
	for (uint32_t i = 0; lane >= 0 && i < n_lanes; i++) {
		depths[i] = i == lane ? depths[i] : -1;
	}
	return depths;
}
