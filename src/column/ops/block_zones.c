/*
 * Blocks follow each other in time, but for their borders, where the lanes of their source do; long
 * spans stand in blocks of their own, which lie beside many. So blocks of sources that have a cell
 * (a lane, or lanes that count as one) in common are put in order of start: one that reaches beyond
 * several of the next is wide, and each of the others is alone from where the last of those before
 * it ends to where the first of those behind it begins.
 */
#include "config.h"
#include "column/ops/block_zones.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

#define BESIDE_MANY 4 /* blocks that a wide one reaches beyond the start of */

struct placed_block {
	uint32_t family; /* of sources that have cells in common */
	size_t block;
	int64_t start_ns, end_ns;
};

static uint32_t
find_family(uint32_t *families, uint32_t source)
{
	while (families[source] != source) {
		families[source] = families[families[source]];
		source = families[source];
	}
	return source;
}

/* By source: what sources that have a cell in common have in common, too. */
static uint32_t *
find_families(const struct dataset *dataset, const uint32_t *cell_of)
{
	uint32_t *families = xmalloc(((size_t)dataset->n_sources + 1) * sizeof *families);
	uint32_t *source_of_cell = xmalloc(((size_t)dataset->n_lanes + 1) * sizeof *source_of_cell);

	for (uint32_t lane = 0; lane < dataset->n_lanes; lane++) {
		source_of_cell[lane] = UINT32_MAX;
	}
	for (uint32_t s = 0; s < dataset->n_sources; s++) {
		const struct dataset_source *source = &dataset->sources[s];
		families[s] = s;
		for (uint32_t i = 0; i < source->n_lanes; i++) {
			uint32_t lane = source->lanes[i];
			uint32_t *first = &source_of_cell[cell_of ? cell_of[lane] : lane];
			*first = *first == UINT32_MAX ? s : *first;
			families[find_family(families, s)] = find_family(families, *first);
		}
	}
	free(source_of_cell);
	return families;
}

static int
compare_placed(const void *left, const void *right)
{
	const struct placed_block *a = left, *b = right;

	ORDER_BY(a->family, b->family);
	ORDER_BY(a->start_ns, b->start_ns);
	return ORDER(a->block, b->block);
}

static struct placed_block *
place_blocks(const struct dataset *dataset, const uint32_t *cell_of, size_t n)
{
	struct placed_block *placed = xmalloc((n + 1) * sizeof *placed);
	uint32_t *families = find_families(dataset, cell_of);

	for (size_t i = 0; i < n; i++) {
		const struct block_info *block = &dataset->blocks[BLOCK_SPAN][i];
		placed[i] = (struct placed_block){find_family(families, block->source), i,
		                                  block->start_min, block->end_max};
	}
	SORT(placed, n, compare_placed);
	free(families);
	return placed;
}

void
block_zones_init(struct block_zones *zones, const struct dataset *dataset, const uint32_t *cell_of)
{
	size_t n = dataset->n_blocks[BLOCK_SPAN];
	struct placed_block *placed = place_blocks(dataset, cell_of, n);
	const struct placed_block *before = NULL; /* the last that is not wide */
	struct block_zone *zone_before = NULL;
	int64_t end_ns = INT64_MIN; /* the last one of those before */

	*zones = (struct block_zones){.zones = xcalloc(n + 1, sizeof *zones->zones)};
	for (size_t i = 0; i < n; i++) {
		const struct placed_block *block = &placed[i];
		struct block_zone *zone = &zones->zones[block->block];
		zone->is_wide = i + BESIDE_MANY < n &&
		                placed[i + BESIDE_MANY].family == block->family &&
		                block->end_ns > placed[i + BESIDE_MANY].start_ns;
		if (zone->is_wide) {
			*zone = (struct block_zone){INT64_MAX, INT64_MIN, true};
			zones->has_wide = true;
			continue;
		}
		if (before && before->family == block->family) {
			zone_before->end_ns = LEAST(block->start_ns, zone_before->end_ns);
		} else {
			end_ns = INT64_MIN;
		}
		zone->start_ns = MOST(end_ns, block->start_ns);
		zone->end_ns = block->end_ns;
		end_ns = MOST(block->end_ns, end_ns);
		before = block;
		zone_before = zone;
	}
	free(placed);
}

void
block_zones_fini(struct block_zones *zones)
{
	free(zones->zones);
	*zones = (struct block_zones){0};
}
