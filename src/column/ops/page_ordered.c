/*
 * Pages in any other order. All threads gather candidates, block by block, and give their best to
 * one common list, whose worst entry is the mark that later rows must beat. Blocks are visited best
 * first by what their metadata promise, so the mark is good early and most blocks need no look at
 * all: the ten longest spans of a hundred million are found in a few blocks.
 */
#include "config.h"
#include "column/ops/page_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

#define GATHER_MIN 4096u /* entries gathered before the best are selected */

static bool
is_hopeless(struct page *page, const struct block_info *block)
{
	struct sort_key bound;
	bool is_known = page_order_bound(&page->order, block, &bound);

	pthread_mutex_lock(&page->lock);
	bool is_hopeless = page->want == 0 || (is_known && page->worst.n > 0 &&
	                                       sort_key_compare(&bound, &page->worst.keys[0]) > 0);
	pthread_mutex_unlock(&page->lock);
	return is_hopeless;
}

static bool
ordered_wanted(void *user, const struct block_info *block)
{
	struct page *page = user;
	enum filter_verdict verdict = filter_prune(page->threads[0].filter, block);

	if (verdict == FILTER_NONE) {
		return false;
	}
	if (!is_hopeless(page, block)) {
		return true;
	}
	if (verdict == FILTER_ALL) {
		pthread_mutex_lock(&page->lock);
		page->n_matching += block->n_rows;
		pthread_mutex_unlock(&page->lock);
		return false;
	}
	return page->wants_matching;
}

static void
note_worst(struct page *page)
{
	struct page_entries *best = &page->best;

	page_entries_select(best, page->want);
	if (best->n < page->want) {
		return;
	}
	const struct page_entry *worst = NULL;
	for (size_t i = 0; i < best->n; i++) {
		const struct page_entry *entry = page_entries_get(best, i);
		worst = !worst || page_entry_compare(entry, worst) > 0 ? entry : worst;
	}
	page->worst.n = 0;
	while (worst && page->worst.n < worst->n_keys && !worst->keys[page->worst.n].is_owned) {
		page->worst.keys[page->worst.n] = worst->keys[page->worst.n];
		page->worst.n++;
	}
}

/* A thread's best to the common list. */
static void
give_batch(struct page *page, struct page_entries *batch)
{
	page_entries_select(batch, page->want);
	if (batch->n == 0) {
		return;
	}
	size_t bytes = sizeof(struct page_entry) + batch->n_keys * sizeof(struct sort_key);
	pthread_mutex_lock(&page->lock);
	for (size_t i = 0; i < batch->n; i++) {
		memcpy(page_entries_add(&page->best), page_entries_get(batch, i), bytes);
	}
	if (page->best.n >= page->want &&
	    (page->want <= GATHER_MIN || page->best.n >= 2 * page->want || !page->has_tried)) {
		page->has_tried = true;
		note_worst(page);
	}
	pthread_mutex_unlock(&page->lock);
	page_entries_clear(batch, true);
}

/* Makes the keys of a row; false (and none are left) once it is clear that it comes after the
 * mark. */
static bool
make_keys(const struct page *page, struct page_thread *thread, struct block_view *view, uint32_t i,
          const struct worst *worst, struct sort_key *keys)
{
	int order = 0; /* against the mark */

	for (unsigned k = 0; k < page->order.n; k++) {
		order_chunk_key(&page->order, thread->chunk, view, i, k, &keys[k]);
		order = order == 0 && k < worst->n ? sort_key_compare(&keys[k], &worst->keys[k])
		                                   : order;
		if (order > 0) {
			for (unsigned made = 0; made <= k; made++) {
				sort_key_free(&keys[made]);
			}
			return false;
		}
	}
	return true;
}

static void
gather_chunk(struct page *page, struct page_thread *thread, struct block_view *view,
             const uint64_t *matches, const struct worst *worst)
{
	struct sort_key keys[PAGE_KEYS];

	for (uint32_t word = 0; word < (view->n + 63) / 64; word++) {
		for (uint64_t bits = matches[word]; bits; bits &= bits - 1) {
			uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits);
			if (make_keys(page, thread, view, i, worst, keys)) {
				struct page_entry *entry = page_entries_add(&thread->batch);
				entry->position = (uint64_t)view->index << 16 | (view->row + i);
				memcpy(entry->keys, keys, page->order.n * sizeof *keys);
			}
		}
	}
}

static int
ordered_scan(void *user, struct block_view *view, unsigned slot, struct err *err)
{
	struct page *page = user;
	struct page_thread *thread = &page->threads[view->thread];
	enum filter_verdict verdict = filter_prune(thread->filter, view->info);
	bool only_counts = is_hopeless(page, view->info);
	uint64_t matches[CHUNK_WORDS], n_matching = 0;
	struct worst worst;

	(void)slot;
	(void)err;
	pthread_mutex_lock(&page->lock);
	worst = page->worst;
	pthread_mutex_unlock(&page->lock);
	while (block_view_next(view)) {
		n_matching += page_match_chunk(thread->filter, verdict, view, matches);
		if (only_counts) {
			continue;
		}
		order_chunk_read(&page->order, view, thread->chunk);
		if (worst.n > 0) {
			order_chunk_drop(&page->order, thread->chunk, view->n, &worst.keys[0],
			                 matches);
		}
		gather_chunk(page, thread, view, matches, &worst);
		if (thread->batch.n > 2 * page->want + GATHER_MIN) {
			page_entries_select(&thread->batch, page->want);
		}
	}
	give_batch(page, &thread->batch);
	pthread_mutex_lock(&page->lock);
	page->n_matching += n_matching;
	pthread_mutex_unlock(&page->lock);
	return 0;
}

struct block_rank {
	struct sort_key bound;
	size_t block;
};

static int
compare_ranks(const void *left, const void *right)
{
	const struct block_rank *a = left, *b = right;
	int order = sort_key_compare(&a->bound, &b->bound);
	return order ? order : ORDER(a->block, b->block);
}

/* The blocks, those that promise most first. */
static size_t *
best_first(const struct page *page)
{
	size_t n = page->dataset->n_blocks[page->request->kind];
	struct block_rank *ranks = xcalloc(n + 1, sizeof *ranks);
	size_t *blocks = xcalloc(n + 1, sizeof *blocks);

	for (size_t i = 0; i < n; i++) {
		ranks[i].block = i;
		page_order_bound(&page->order, &page->dataset->blocks[page->request->kind][i],
		                 &ranks[i].bound);
	}
	SORT(ranks, n, compare_ranks);
	for (size_t i = 0; i < n; i++) {
		blocks[i] = ranks[i].block;
	}
	free(ranks);
	return blocks;
}

int
page_run_ordered(struct page *page, struct block_loop *loop, struct err *err)
{
	size_t *blocks = best_first(page);

	loop->order = blocks;
	loop->wanted = ordered_wanted;
	loop->scan = ordered_scan;
	int status = block_loop_run(loop, err);
	free(blocks);
	if (status < 0) {
		return -1;
	}
	page_entries_select(&page->best, page->want);
	page_entries_sort(&page->best);
	size_t offset = (size_t)page->request->offset;
	page->n_positions = page->best.n > offset ? page->best.n - offset : 0;
	page->positions = xrealloc_array(NULL, page->n_positions + 1, sizeof *page->positions);
	for (size_t i = 0; i < page->n_positions; i++) {
		page->positions[i] = page_entries_get(&page->best, offset + i)->position;
	}
	return 0;
}
