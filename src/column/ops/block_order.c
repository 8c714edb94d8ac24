/*
 * A source's blocks follow each other in time, but overlap: at their borders, where lanes drift
 * apart that a source has side by side, and where long spans stand in blocks of their own. Their
 * starts rise even so once they are sorted, so that nothing else is needed to tell until when a
 * cell is known. Sources that have no cell in common are read one after another.
 */
#include "config.h"
#include "column/ops/block_order.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

struct placed_block {
	uint32_t family; /* of sources that have cells in common */
	int64_t start_ns;
	size_t block;
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

/* What sources that have a cell in common have in common, too. */
static void
find_families(struct block_order *order, const uint32_t *cell_of)
{
	const struct dataset *dataset = order->dataset;
	uint32_t *families = xmalloc(((size_t)dataset->n_sources + 1) * sizeof *families);
	uint32_t *of_cell = xmalloc(((size_t)dataset->n_lanes + 1) * sizeof *of_cell);

	for (uint32_t cell = 0; cell < dataset->n_lanes; cell++) {
		of_cell[cell] = UINT32_MAX;
	}
	for (uint32_t s = 0; s < dataset->n_sources; s++) {
		const struct dataset_source *source = &dataset->sources[s];
		families[s] = s;
		for (uint32_t i = 0; i < source->n_lanes; i++) {
			uint32_t lane = source->lanes[i];
			uint32_t *first = &of_cell[cell_of ? cell_of[lane] : lane];
			*first = *first == UINT32_MAX ? s : *first;
			families[find_family(families, s)] = find_family(families, *first);
		}
	}
	for (uint32_t s = 0; s < dataset->n_sources; s++) {
		families[s] = find_family(families, s);
	}
	for (uint32_t cell = 0; cell < dataset->n_lanes; cell++) {
		of_cell[cell] = of_cell[cell] == UINT32_MAX ? UINT32_MAX : families[of_cell[cell]];
	}
	order->family_of_source = families;
	order->family_of_cell = of_cell;
}

static int
compare_placed(const void *left, const void *right)
{
	const struct placed_block *a = left, *b = right;

	ORDER_BY(a->family, b->family);
	ORDER_BY(a->start_ns, b->start_ns);
	return ORDER(a->block, b->block);
}

void
block_order_init(struct block_order *order, const struct dataset *dataset, const uint32_t *cell_of)
{
	size_t n = dataset->n_blocks[BLOCK_SPAN];
	struct placed_block *placed = xmalloc((n + 1) * sizeof *placed);

	*order = (struct block_order){.n = n, .dataset = dataset};
	find_families(order, cell_of);
	for (size_t i = 0; i < n; i++) {
		const struct block_info *block = &dataset->blocks[BLOCK_SPAN][i];
		placed[i] = (struct placed_block){order->family_of_source[block->source],
		                                  block->start_min, i};
	}
	SORT(placed, n, compare_placed);
	MEM_NEW(order->blocks, n + 1);
	for (size_t i = 0; i < n; i++) {
		order->blocks[i] = placed[i].block;
	}
	free(placed);
}

void
block_order_fini(struct block_order *order)
{
	free(order->blocks);
	free(order->family_of_source);
	free(order->family_of_cell);
	*order = (struct block_order){0};
}

size_t
block_order_batch(const struct block_order *order, size_t first, size_t *n_rows,
                  struct filter_state *const *filters, unsigned n_filters)
{
	size_t n = 0, end = first;

	while (end < order->n && n < *n_rows) {
		const struct block_info *block =
		    &order->dataset->blocks[BLOCK_SPAN][order->blocks[end++]];
		bool may_match = false;
		for (unsigned i = 0; i < n_filters; i++) {
			may_match |= filter_prune(filters[i], block) != FILTER_NONE;
		}
		n += may_match ? block->n_rows : 0;
	}
	*n_rows = n;
	return end;
}

int64_t
block_order_known(const struct block_order *order, size_t n, uint32_t cell)
{
	if (n >= order->n) {
		return INT64_MAX;
	}
	const struct block_info *next = &order->dataset->blocks[BLOCK_SPAN][order->blocks[n]];
	uint32_t family = order->family_of_source[next->source];
	uint32_t of_cell = order->family_of_cell[cell];

	return of_cell < family ? INT64_MAX : of_cell > family ? INT64_MIN : next->start_min;
}
