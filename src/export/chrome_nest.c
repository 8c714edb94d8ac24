/*
 * Which lanes hold spans that overlap without nesting: there a span's depth is not its parent's and
 * one. A parent may stand in any block, so the depths of all spans are kept meanwhile, a byte each
 * (blocks without depth need none). Depths are compared modulo 256: of a lane that overlaps at all
 * some span stands just above its neighbours.
 */
#include "config.h"
#include "export/chrome_private.h"

#include <stdlib.h>

#include "column/scan/row_read.h"
#include "util/order.h"

struct nesting {
	const struct dataset *dataset;
	struct row_fields fields;
	uint8_t **depths;             /* by block; NULL: all 0 */
	uint32_t *deepest, *overlaps; /* by thread and lane */
	bool *has_late;               /* the same: a span stands before its parent */
	bool is_second;               /* pass */
};

static bool
wanted(void *user, const struct block_info *block)
{
	const struct nesting *nesting = user;

	return nesting->is_second || block_column(block, FIELD_DEPTH);
}

static void
keep_depths(struct nesting *nesting, struct block_view *view)
{
	uint8_t *depths = xmalloc(view->info->n_rows);
	struct row_chunk chunk;

	while (block_view_next(view)) {
		row_chunk_read(&nesting->fields, view, &chunk);
		const struct chunk_column *column = chunk.columns[FIELD_DEPTH];

		for (uint32_t i = 0; i < view->n; i++) {
			depths[view->row + i] = column->values ? (uint8_t)column->values[i] : 0;
		}
	}
	nesting->depths[view->index] = depths;
}

static unsigned
depth_of(const struct nesting *nesting, int64_t id)
{
	size_t block = row_block(nesting->dataset, BLOCK_SPAN, id);
	const uint8_t *depths = block == SIZE_MAX ? NULL : nesting->depths[block];

	return depths ? depths[id - nesting->dataset->blocks[BLOCK_SPAN][block].first_id] : 0;
}

static void
compare_depths(struct nesting *nesting, struct block_view *view)
{
	uint32_t n_lanes = nesting->dataset->n_lanes;
	uint32_t *deepest = nesting->deepest + (size_t)view->thread * n_lanes;
	uint32_t *overlaps = nesting->overlaps + (size_t)view->thread * n_lanes;
	bool *has_late = nesting->has_late + (size_t)view->thread * n_lanes;
	struct row_chunk chunk;
	struct span_row row;

	while (block_view_next(view)) {
		row_chunk_read(&nesting->fields, view, &chunk);
		for (uint32_t i = 0; i < view->n; i++) {
			row_fill(view, &chunk, i, &row);
			if (row.lane >= n_lanes || row.depth < 0 || row.depth > UINT16_MAX) {
				continue;
			}
			uint32_t depth = (uint32_t)row.depth;
			uint32_t nested = row.parent > 0 ? depth_of(nesting, row.parent) + 1u : 0;
			deepest[row.lane] = MOST(depth, deepest[row.lane]);
			overlaps[row.lane] |= (uint8_t)depth != (uint8_t)nested;
			has_late[row.lane] |= row.parent > row.id;
		}
	}
}

static int
scan(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct nesting *nesting = user;

	(void)slot;
	(void)err;
	if (nesting->is_second) {
		compare_depths(nesting, view);
	} else {
		keep_depths(nesting, view);
	}
	return 0;
}

static int
run_pass(struct nesting *nesting, const struct trace_writer *trace, uint64_t columns,
         struct err *err)
{
	struct block_fields set = {0};
	struct block_loop loop = {.dataset = trace->dataset,
	                          .kind = BLOCK_SPAN,
	                          .fields = &set,
	                          .end = SIZE_MAX,
	                          .n_threads = trace_threads(),
	                          .user = nesting,
	                          .wanted = wanted,
	                          .scan = scan,
	                          .cancel = trace->options->cancel};
	int rc;

	row_fields_add(&nesting->fields, &set, columns);
	rc = block_loop_run(&loop, err);
	block_fields_free(&set);
	return rc;
}

uint32_t *
trace_rows_of_lanes(struct trace_writer *trace, struct err *err)
{
	const struct dataset *dataset = trace->dataset;
	size_t n_blocks = dataset->n_blocks[BLOCK_SPAN], n_lanes = dataset->n_lanes;
	struct nesting nesting = {.dataset = dataset};
	uint32_t *n_rows = xcalloc(n_lanes + 1, sizeof *n_rows);
	int rc;

	nesting.depths = xcalloc(n_blocks + 1, sizeof *nesting.depths);
	nesting.deepest = xcalloc(n_lanes * TRACE_THREADS + 1, sizeof *nesting.deepest);
	nesting.overlaps = xcalloc(n_lanes * TRACE_THREADS + 1, sizeof *nesting.overlaps);
	nesting.has_late = xcalloc(n_lanes * TRACE_THREADS + 1, sizeof *nesting.has_late);
	rc = run_pass(&nesting, trace, UINT64_C(1) << FIELD_DEPTH, err);
	if (rc == 0) {
		nesting.is_second = true;
		rc = run_pass(&nesting, trace,
		              UINT64_C(1) << FIELD_DEPTH | UINT64_C(1) << FIELD_PARENT |
		                  UINT64_C(1) << FIELD_LANE,
		              err);
	}
	for (size_t i = 0; i < n_lanes; i++) {
		uint32_t deepest = 0, overlaps = 0;

		for (size_t thread = 0; thread < TRACE_THREADS; thread++) {
			uint32_t found = nesting.deepest[thread * n_lanes + i];
			deepest = MOST(found, deepest);
			overlaps |= nesting.overlaps[thread * n_lanes + i];
			trace->lanes[i].has_depths |= nesting.has_late[thread * n_lanes + i];
		}
		n_rows[i] = overlaps ? deepest + 1 : 1;
	}
	for (size_t i = 0; i < n_blocks; i++) {
		free(nesting.depths[i]);
	}
	free(nesting.depths);
	free(nesting.deepest);
	free(nesting.overlaps);
	free(nesting.has_late);
	if (rc != 0) {
		free(n_rows);
		return NULL;
	}
	return n_rows;
}
