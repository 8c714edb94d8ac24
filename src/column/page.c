/*
 * Pages of rows for every list on the screen: which rows, then the rows.
 *
 * In the order of ids blocks are scanned in order until there are enough. In any other order all threads gather candidates,
 * block by block, and give their best to one common list, whose worst entry is the mark that later rows must beat. Blocks are visited best
 * first by what their metadata promise, so the mark is good early and most blocks need no look at all: the ten longest spans of a
 * hundred million are found in a few blocks.
 */
#include "config.h"
#include "column/scan.h"

#include <pthread.h>
#include <stdlib.h>

#include "column/filter.h"
#include "column/page_order.h"
#include "column/row_read.h"
#include "util/mem.h"

#define PAGE_LIMIT 10000000
#define PAGE_BYTES ((size_t)4 << 30)
#define GATHER_MIN 4096u /* entries gathered before the best are selected */

struct page_thread {
	struct filter_state *filter;
	struct order_chunk *chunk;
	struct page_entries batch;
};

/* Rows of one block that match, for the order of ids. */
struct page_slot {
	uint64_t matches[BLOCK_ROWS / 64];
	uint32_t n;
	size_t block;
};

struct page {
	const struct page_request *request;
	const struct dataset *dataset;
	struct filter *filter;
	struct page_order order;
	struct block_fields fields;
	struct page_thread *threads;
	unsigned n_threads;
	bool wants_matching;
	size_t want;              /* offset + limit */
	struct page_slot *slots;
	uint64_t *positions;      /* order of ids: of the page's rows */
	size_t n_positions, positions_capacity;
	uint64_t n_passed;        /* matching rows merged so far */
	pthread_mutex_t lock;     /* guards what follows */
	struct page_entries best;
	bool has_tried, has_worst;
	struct sort_key worst;    /* first key of the last of the best; texts are not kept */
	uint64_t n_matching;
};

static int
page_start(struct page *page, struct err *err)
{
	const struct page_request *request = page->request;

	if (request->offset < 0 || request->limit < 0 || request->offset > PAGE_LIMIT - request->limit) {
		return err_set(err, ERR_LIMIT, "a page may end at row %d at most", PAGE_LIMIT);
	}
	page->want = (size_t)(request->offset + request->limit);
	if (page_order_parse(page->dataset, request->kind, request->order, &page->order, err) < 0) {
		return -1;
	}
	page->filter = filter_compile(page->dataset, request->kind, request->filter, request->parameters, err);
	if (!page->filter) {
		return -1;
	}
	filter_bind(page->filter, &page->fields);
	page_order_bind(&page->order, &page->fields);
	page->best.n_keys = page->order.n;
	return 0;
}

static void
threads_start(struct page *page, const struct block_loop *loop)
{
	page->n_threads = block_loop_threads(loop);
	page->threads = xcalloc(page->n_threads, sizeof *page->threads);
	for (unsigned i = 0; i < page->n_threads; i++) {
		page->threads[i].filter = filter_state_new(page->filter);
		page->threads[i].chunk = page->order.n ? xcalloc(1, sizeof(struct order_chunk)) : NULL;
		page->threads[i].batch.n_keys = page->order.n;
	}
}

static void
page_end(struct page *page)
{
	for (unsigned i = 0; i < page->n_threads; i++) {
		filter_state_free(page->threads[i].filter);
		free(page->threads[i].chunk);
		page_entries_free(&page->threads[i].batch);
	}
	free(page->threads);
	page_entries_free(&page->best);
	free(page->slots);
	free(page->positions);
	filter_free(page->filter);
	block_fields_free(&page->fields);
}

static uint32_t
match_chunk(struct filter_state *filter, enum filter_verdict verdict, struct block_view *view, uint64_t matches[CHUNK_WORDS])
{
	if (verdict == FILTER_SOME) {
		return filter_chunk(filter, view, matches);
	}
	memset(matches, 0, CHUNK_WORDS * sizeof *matches);
	for (uint32_t i = 0; i < view->n; i += 64) {
		matches[i / 64] = view->n - i >= 64 ? UINT64_MAX : (UINT64_C(1) << (view->n - i)) - 1;
	}
	return view->n;
}

/* In the order of ids */

static bool
plain_wanted(void *user, const struct block_info *block)
{
	struct page *page = user;
	return filter_prune(page->threads[0].filter, block) != FILTER_NONE;
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
		slot->n += match_chunk(filter, verdict, view, slot->matches + view->row / 64);
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
	for (uint32_t word = 0; word < (block->n_rows + 63) / 64 && passed < page->want && page->n_passed > offset; word++) {
		for (uint64_t bits = slot->matches[word]; bits && passed < page->want; bits &= bits - 1) {
			if (passed++ < offset) {
				continue;
			}
			page->positions =
			    mem_grow(page->positions, &page->positions_capacity, page->n_positions + 1, sizeof *page->positions);
			page->positions[page->n_positions++] =
			    (uint64_t)slot->block << 16 | (word * 64 + (uint64_t)__builtin_ctzll(bits));
		}
	}
	return !page->wants_matching && page->n_passed >= page->want;
}

static int
run_plain(struct page *page, struct block_loop *loop, struct err *err)
{
	loop->wanted = plain_wanted;
	loop->scan = plain_scan;
	loop->merge = plain_merge;
	page->slots = xcalloc(block_loop_slots(loop), sizeof *page->slots);
	int status = page->want == 0 && !page->wants_matching ? 0 : block_loop_run(loop, err);
	page->n_matching = page->n_passed;
	return status < 0 ? -1 : 0;
}

/* Without a filter the order of ids needs no scan. */
static int
run_all(struct page *page, struct err *err)
{
	const struct dataset *dataset = page->dataset;
	uint64_t passed = 0, offset = (uint64_t)page->request->offset;

	for (size_t block = 0; block < dataset->n_blocks[page->request->kind]; block++) {
		uint64_t n_rows = dataset->blocks[page->request->kind][block].n_rows;
		if (n_rows > BLOCK_ROWS) {
			return err_set(err, ERR_FORMAT, "block %zu: bad description", block);
		}
		for (uint64_t row = passed < offset ? offset - passed : 0; row < n_rows && passed + row < page->want; row++) {
			page->positions =
			    mem_grow(page->positions, &page->positions_capacity, page->n_positions + 1, sizeof *page->positions);
			page->positions[page->n_positions++] = (uint64_t)block << 16 | row;
		}
		passed += n_rows;
	}
	page->n_matching = passed;
	return 0;
}

/* In another order */

static bool
is_hopeless(struct page *page, const struct block_info *block)
{
	struct sort_key bound = page_order_bound(&page->order, block);

	pthread_mutex_lock(&page->lock);
	bool is_hopeless = page->want == 0 || (page->has_worst && sort_key_compare(&bound, &page->worst) > 0);
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
	const struct sort_key *worst = NULL;
	for (size_t i = 0; i < best->n; i++) {
		const struct sort_key *key = &page_entries_get(best, i)->keys[0];
		worst = !worst || sort_key_compare(key, worst) > 0 ? key : worst;
	}
	page->has_worst = worst && worst->rank != KEY_TEXT; /* a text may be freed any time */
	page->worst = worst ? *worst : page->worst;
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
	if (page->best.n >= page->want && (page->want <= GATHER_MIN || page->best.n >= 2 * page->want || !page->has_tried)) {
		page->has_tried = true;
		note_worst(page);
	}
	pthread_mutex_unlock(&page->lock);
	page_entries_clear(batch, true);
}

static void
gather_chunk(struct page *page, struct page_thread *thread, struct block_view *view, const uint64_t *matches)
{
	for (uint32_t word = 0; word < (view->n + 63) / 64; word++) {
		for (uint64_t bits = matches[word]; bits; bits &= bits - 1) {
			uint32_t i = word * 64 + (uint32_t)__builtin_ctzll(bits);
			struct page_entry *entry = page_entries_add(&thread->batch);
			entry->position = (uint64_t)view->index << 16 | (view->row + i);
			order_chunk_keys(&page->order, thread->chunk, view, i, entry->keys);
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
	struct sort_key worst;

	(void)slot;
	(void)err;
	pthread_mutex_lock(&page->lock);
	bool has_worst = page->has_worst;
	worst = page->worst;
	pthread_mutex_unlock(&page->lock);
	while (block_view_next(view)) {
		n_matching += match_chunk(thread->filter, verdict, view, matches);
		if (only_counts) {
			continue;
		}
		order_chunk_read(&page->order, view, thread->chunk);
		if (has_worst) {
			order_chunk_drop(&page->order, thread->chunk, view->n, &worst, matches);
		}
		gather_chunk(page, thread, view, matches);
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
	return order ? order : (a->block > b->block) - (a->block < b->block);
}

/* The blocks, those that promise most first. */
static size_t *
best_first(const struct page *page)
{
	size_t n = page->dataset->n_blocks[page->request->kind];
	struct block_rank *ranks = xcalloc(n + 1, sizeof *ranks);
	size_t *blocks = xcalloc(n + 1, sizeof *blocks);

	for (size_t i = 0; i < n; i++) {
		ranks[i] = (struct block_rank){ page_order_bound(&page->order, &page->dataset->blocks[page->request->kind][i]), i };
	}
	qsort(ranks, n, sizeof *ranks, compare_ranks);
	for (size_t i = 0; i < n; i++) {
		blocks[i] = ranks[i].block;
	}
	free(ranks);
	return blocks;
}

static int
run_ordered(struct page *page, struct block_loop *loop, struct err *err)
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

/* The rows themselves */

struct place {
	uint64_t position;
	size_t at; /* in the page */
};

static int
compare_places(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	return (a->position > b->position) - (a->position < b->position);
}

static int
read_places(const struct page *page, const struct place *places, size_t n, struct block_reader *reader,
	    const struct row_fields *fields, struct span_row *rows, struct err *err)
{
	struct block_view *view = NULL;
	struct row_chunk chunk;

	for (size_t i = 0; i < n; i++) {
		size_t block = (size_t)(places[i].position >> 16);
		uint32_t row = (uint32_t)(places[i].position & 0xffff);
		if (!view || view->index != block) {
			if (cancel_requested(page->request->cancel)) {
				return err_set(err, ERR_CANCELLED, "cancelled");
			}
			view = block_reader_open(reader, block, err);
			if (!view) {
				return -1;
			}
		}
		if (row - view->row >= view->n) {
			block_view_skip_to(view, row);
			block_view_next(view);
			row_chunk_read(fields, view, &chunk);
			if (block_reader_check(reader, err) < 0) {
				return -1;
			}
		}
		row_fill(view, &chunk, row - view->row, &rows[places[i].at]);
	}
	return 0;
}

static int
page_rows(const struct page *page, struct span_row **rows, struct err *err)
{
	size_t n = page->n_positions;
	struct block_fields set = { 0 };
	struct row_fields fields;
	struct place *places = mem_try(n + 1, sizeof *places, PAGE_BYTES);
	struct span_row *out = mem_try(n + 1, sizeof *out, PAGE_BYTES);

	if (!places || !out) {
		free(places);
		free(out);
		return err_set(err, ERR_LIMIT, "no memory for a page of %zu rows", n);
	}
	for (size_t i = 0; i < n; i++) {
		places[i] = (struct place){ page->positions[i], i };
	}
	qsort(places, n, sizeof *places, compare_places);
	row_fields_add(&fields, &set, ROW_ALL_COLUMNS);
	struct block_reader *reader = block_reader_new(page->dataset, page->request->kind, &set);
	int status = read_places(page, places, n, reader, &fields, out, err);
	block_reader_free(reader);
	block_fields_free(&set);
	free(places);
	if (status < 0) {
		free(out);
		return -1;
	}
	*rows = out;
	return 0;
}

static bool
has_filter(const struct page_request *request)
{
	return request->filter && request->filter[strspn(request->filter, " \t\r\n")] != '\0';
}

int64_t
page_run(const struct dataset *dataset, const struct page_request *request, struct span_row **rows, int64_t *matching,
	 struct err *err)
{
	struct page page = { .request = request, .dataset = dataset, .wants_matching = matching != NULL };
	struct block_loop loop = { .dataset = dataset,
		                   .kind = request->kind,
		                   .fields = &page.fields,
		                   .end = SIZE_MAX,
		                   .user = &page,
		                   .cancel = request->cancel };
	int64_t n = -1;

	pthread_mutex_init(&page.lock, NULL);
	int status = page_start(&page, err);
	if (status == 0) {
		threads_start(&page, &loop);
		status = page.order.n > 0      ? run_ordered(&page, &loop, err)
		         : has_filter(request) ? run_plain(&page, &loop, err)
		                               : run_all(&page, err);
	}
	if (status == 0 && page_rows(&page, rows, err) == 0) {
		n = (int64_t)page.n_positions;
		if (matching) {
			*matching = (int64_t)page.n_matching;
		}
	}
	page_end(&page);
	pthread_mutex_destroy(&page.lock);
	return n;
}
