#include "config.h"
#include "column/ops/span_scan.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

static struct filter_state **
states_of(const struct span_scan *scan, unsigned thread)
{
	return scan->states + (size_t)thread * scan->n_sets;
}

static bool
block_wanted(void *user, const struct block_info *block)
{
	const struct span_scan *scan = user;
	return block->start_min <= scan->last_ns && block->start_max >= scan->first_ns &&
	       (!scan->loop.wanted || scan->loop.wanted(scan->loop.user, block));
}

/* The rows that either set takes and that start in the window. */
static void
list_rows(const struct span_scan *scan, struct span_chunk *chunk)
{
	chunk->n = 0;
	for (uint32_t w = 0; w < CHUNK_WORDS; w++) {
		uint64_t left = chunk->matches[0][w];
		left |= scan->n_sets > 1 ? chunk->matches[1][w] : 0;
		for (; left; left &= left - 1) {
			uint32_t row = w * 64 + (uint32_t)__builtin_ctzll(left);
			int64_t start = chunk->starts.values[row];
			chunk->rows[chunk->n] = (uint16_t)row;
			chunk->n += start >= scan->first_ns && start <= scan->last_ns;
		}
	}
}

static int
scan_block(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	const struct span_scan *scan = user;
	struct filter_state **states = states_of(scan, view->thread);
	int64_t start_scratch[CHUNK_ROWS], end_scratch[CHUNK_ROWS];
	struct span_chunk chunk;
	int status = 0;

	chunk.view = view;
	while (status == 0 && block_view_next(view)) {
		uint32_t n = 0;
		for (unsigned set = 0; set < scan->n_sets; set++) {
			n += chunk.n_matches[set] =
			    filter_chunk(states[set], view, chunk.matches[set]);
		}
		if (n == 0) {
			continue;
		}
		chunk.starts = row_column_read(ROW_START, &scan->start_slots, view, start_scratch);
		chunk.ends = row_column_read(ROW_END, &scan->end_slots, view, end_scratch);
		if (chunk.starts.n_present < view->n || chunk.ends.n_present < view->n) {
			continue; /* damaged: every row has its times */
		}
		list_rows(scan, &chunk);
		status = scan->take(scan->loop.user, &chunk, slot, err);
	}
	return status == 0 && scan->end_block ? scan->end_block(scan->loop.user, view, err)
	                                      : status;
}

static int
merge_block(void *user, const struct block_info *block, unsigned slot, struct err *err)
{
	const struct span_scan *scan = user;

	return scan->loop.merge(scan->loop.user, block, slot, err);
}

int
span_scan_init(struct span_scan *scan, const struct dataset *dataset, const struct span_set *sets,
               unsigned n_sets, const struct scan_value *parameters, struct err *err)
{
	*scan =
	    (struct span_scan){.loop = {.dataset = dataset, .kind = BLOCK_SPAN, .end = SIZE_MAX},
	                       .n_sets = n_sets,
	                       .first_ns = INT64_MIN,
	                       .last_ns = INT64_MAX};
	for (unsigned set = 0; set < n_sets; set++) {
		scan->filters[set] =
		    filter_compile(dataset, BLOCK_SPAN, sets[set].filter, parameters, err);
		if (!scan->filters[set]) {
			return sets[set].name ? err_wrap(err, "%s", sets[set].name) : -1;
		}
		size_t n_sift = filter_bind(scan->filters[set], &scan->fields);
		scan->loop.n_sift = n_sets > 1 ? scan->fields.n : n_sift;
	}
	row_column_bind(ROW_START, &scan->fields, &scan->start_slots);
	row_column_bind(ROW_END, &scan->fields, &scan->end_slots);
	scan->n_threads = block_loop_threads(&scan->loop);
	MEM_NEW(scan->states, (size_t)scan->n_threads * n_sets);
	for (unsigned i = 0; i < scan->n_threads * n_sets; i++) {
		scan->states[i] = filter_state_new(scan->filters[i % n_sets]);
	}
	return 0;
}

int
span_scan_run(struct span_scan *scan, struct err *err)
{
	struct block_loop loop = scan->loop;

	loop.user = scan;
	loop.fields = &scan->fields;
	loop.wanted = block_wanted;
	loop.filters = scan->states;
	loop.n_filters = scan->n_sets;
	loop.scan = scan_block;
	loop.merge = scan->loop.merge ? merge_block : NULL;
	return block_loop_run(&loop, err);
}

void
span_scan_fini(struct span_scan *scan)
{
	for (unsigned i = 0; scan->states && i < scan->n_threads * scan->n_sets; i++) {
		filter_state_free(scan->states[i]);
	}
	free(scan->states);
	filter_free(scan->filters[0]);
	filter_free(scan->filters[1]);
	block_fields_free(&scan->fields);
}

uint32_t
span_chunk_name(const struct span_chunk *chunk, uint32_t slot, uint32_t row)
{
	struct row_codes names = row_codes_read(slot, false, chunk->view);
	bool has_name = names.n_present == chunk->view->n ||
	                (names.n_present > 0 && (names.presence[row / 64] >> (row & 63) & 1));

	return has_name ? names.map[names.values[row]] : TEXT_NONE;
}

bool
span_bounds(const struct dataset *dataset, int64_t *first_ns, int64_t *last_ns, int64_t *end_ns)
{
	*first_ns = INT64_MAX;
	*last_ns = *end_ns = INT64_MIN;
	for (size_t i = 0; i < dataset->n_blocks[BLOCK_SPAN]; i++) {
		const struct block_info *block = &dataset->blocks[BLOCK_SPAN][i];
		*first_ns = LEAST(block->start_min, *first_ns);
		*last_ns = MOST(block->start_max, *last_ns);
		*end_ns = MOST(block->end_max, *end_ns);
	}
	return *first_ns <= *last_ns;
}
