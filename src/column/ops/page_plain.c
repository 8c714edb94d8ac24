/*
 * Pages in the order of ids: blocks are scanned in order, and merged in order, until there are
 * enough rows.
 */
#include "config.h"
#include "column/ops/page_private.h"

#include <stdlib.h>

#include "util/mem.h"

uint32_t
page_match_chunk(struct filter_state *filter, enum filter_verdict verdict, struct block_view *view,
                 uint64_t matches[CHUNK_WORDS])
{
	if (verdict == FILTER_SOME) {
		return filter_chunk(filter, view, matches);
	}
	memset(matches, 0, CHUNK_WORDS * sizeof *matches);
	for (uint32_t i = 0; i < view->n; i += 64) {
		matches[i / 64] =
		    view->n - i >= 64 ? UINT64_MAX : (UINT64_C(1) << (view->n - i)) - 1;
	}
	return view->n;
}

static int
plain_scan(void *user, struct block_view *view, unsigned slot_number, struct err *err)
{
	struct page *page = user;
	struct page_slot *slot = &page->slots[slot_number];
	struct filter_state *filter = page->threads[view->thread].filter;
	enum filter_verdict verdict = filter_prune(filter, view->info);

	(void)err;
	slot->n = 0;
	slot->block = view->index;
	while (block_view_next(view)) {
		slot->n += page_match_chunk(filter, verdict, view, slot->matches + view->row / 64);
	}
	return 0;
}

static int
plain_merge(void *user, const struct block_info *block, unsigned slot_number, struct err *err)
{
	struct page *page = user;
	const struct page_slot *slot = &page->slots[slot_number];
	uint64_t offset = (uint64_t)page->request->offset, passed = page->n_passed;

	(void)err;
	page->n_passed += slot->n;
	for (uint32_t word = 0;
	     word < (block->n_rows + 63) / 64 && passed < page->want && page->n_passed > offset;
	     word++) {
		for (uint64_t bits = slot->matches[word]; bits && passed < page->want;
		     bits &= bits - 1) {
			if (passed++ < offset) {
				continue;
			}
			MEM_GROW(page->positions, page->positions_capacity, page->n_positions + 1);
			page->positions[page->n_positions++] =
			    (uint64_t)slot->block << 16 |
			    (word * 64 + (uint64_t)__builtin_ctzll(bits));
		}
	}
	return !page->wants_matching && page->n_passed >= page->want;
}

int
page_run_plain(struct page *page, struct block_loop *loop, struct err *err)
{
	loop->filters = &page->threads[0].filter;
	loop->n_filters = 1;
	loop->scan = plain_scan;
	loop->merge = plain_merge;
	MEM_NEW(page->slots, block_loop_slots(loop));
	int status = page->want == 0 && !page->wants_matching ? 0 : block_loop_run(loop, err);
	page->n_matching = page->n_passed;
	return status < 0 ? -1 : 0;
}

/* Without a filter the order of ids needs no scan. */
int
page_run_all(struct page *page, struct err *err)
{
	const struct dataset *dataset = page->dataset;
	uint64_t passed = 0, offset = (uint64_t)page->request->offset;

	for (size_t block = 0; block < dataset->n_blocks[page->request->kind]; block++) {
		uint64_t n_rows = dataset->blocks[page->request->kind][block].n_rows;
		if (n_rows > BLOCK_ROWS) {
			return err_set(err, ERR_FORMAT, "block %zu: bad description", block);
		}
		for (uint64_t row = passed < offset ? offset - passed : 0;
		     row < n_rows && passed + row < page->want; row++) {
			MEM_GROW(page->positions, page->positions_capacity, page->n_positions + 1);
			page->positions[page->n_positions++] = (uint64_t)block << 16 | row;
		}
		passed += n_rows;
	}
	page->n_matching = passed;
	return 0;
}
