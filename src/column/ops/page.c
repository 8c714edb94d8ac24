/*
 * Pages of rows for every list on the screen: first which rows (page_plain.c, page_ordered.c), as
 * positions, then the rows themselves, each block opened once.
 */
#include "config.h"
#include "column/scan/scan.h"

#include <stdlib.h>

#include "column/ops/page_private.h"
#include "column/scan/row_read.h"
#include "util/mem.h"
#include "util/order.h"

#define PAGE_LIMIT 10000000
#define PAGE_BYTES ((size_t)4 << 30)

static int
page_start(struct page *page, struct err *err)
{
	const struct page_request *request = page->request;

	if (request->offset < 0 || request->limit < 0 ||
	    request->offset > PAGE_LIMIT - request->limit) {
		return err_set(err, ERR_LIMIT, "a page may end at row %d at most", PAGE_LIMIT);
	}
	page->want = (size_t)(request->offset + request->limit);
	if (page_order_parse(page->dataset, request->kind, request->order, &page->order, err)) {
		return -1;
	}
	page->filter =
	    filter_compile(page->dataset, request->kind, request->filter, request->parameters, err);
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
	MEM_NEW(page->threads, page->n_threads);
	for (unsigned i = 0; i < page->n_threads; i++) {
		page->threads[i].filter = filter_state_new(page->filter);
		page->threads[i].chunk =
		    page->order.n ? xcalloc(1, sizeof(struct order_chunk)) : NULL;
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

struct page_place {
	uint64_t position;
	size_t at; /* in the page */
};

static int
compare_places(const void *left, const void *right)
{
	const struct page_place *a = left, *b = right;
	return ORDER(a->position, b->position);
}

static int
read_places(const struct page *page, const struct page_place *places, size_t n,
            struct block_reader *reader, const struct row_fields *fields, struct span_row *rows,
            struct err *err)
{
	struct block_view *view = NULL;
	struct row_chunk chunk;

	for (size_t i = 0; i < n; i++) {
		size_t block = (size_t)(places[i].position >> 16);
		uint32_t row = (uint32_t)(places[i].position & 0xffff);
		if (!view || view->index != block) {
			if (cancel_check(page->request->cancel, err) ||
			    !(view = block_reader_open(reader, block, err))) {
				return -1;
			}
		}
		if (row - view->row >= view->n) {
			block_view_skip_to(view, row);
			block_view_next(view);
			row_chunk_read(fields, view, &chunk);
			if (block_reader_check(reader, err)) {
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
	struct block_fields set = {0};
	struct row_fields fields;
	struct page_place *places = mem_try(n + 1, sizeof *places, PAGE_BYTES);
	struct span_row *out = mem_try(n + 1, sizeof *out, PAGE_BYTES);

	if (!places || !out) {
		free(places);
		free(out);
		return err_set(err, ERR_LIMIT, "no memory for a page of %zu rows", n);
	}
	for (size_t i = 0; i < n; i++) {
		places[i] = (struct page_place){page->positions[i], i};
	}
	SORT(places, n, compare_places);
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

int64_t
page_run(const struct dataset *dataset, const struct page_request *request, struct span_row **rows,
         int64_t *matching, struct err *err)
{
	struct page page = {
	    .request = request, .dataset = dataset, .wants_matching = matching != NULL};
	struct block_loop loop = {.dataset = dataset,
	                          .kind = request->kind,
	                          .fields = &page.fields,
	                          .end = SIZE_MAX,
	                          .user = &page,
	                          .cancel = request->cancel};
	int64_t n = -1;

	pthread_mutex_init(&page.lock, NULL);
	int status = page_start(&page, err);
	if (status == 0) {
		threads_start(&page, &loop);
		status = page.order.n > 0                 ? page_run_ordered(&page, &loop, err)
		         : !filter_takes_all(page.filter) ? page_run_plain(&page, &loop, err)
		                                          : page_run_all(&page, err);
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
