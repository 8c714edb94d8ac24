/* What the files of pages share: for src/column/page*.c alone.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_PAGE_PRIVATE_H
#define LANESCOPE_COLUMN_OPS_PAGE_PRIVATE_H

#include <pthread.h>
#include "column/scan/filter.h"
#include "column/ops/page_order.h"

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

/* The mark: keys of the last of the best, as far as their texts stay where they are. */
struct worst {
	struct sort_key keys[PAGE_KEYS];
	unsigned n; /* 0: no mark yet */
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
	size_t want; /* offset + limit */
	struct page_slot *slots;
	uint64_t *positions; /* order of ids: of the page's rows */
	size_t n_positions, positions_capacity;
	uint64_t n_passed;    /* matching rows merged so far */
	pthread_mutex_t lock; /* guards what follows */
	struct page_entries best;
	bool has_tried;
	struct worst worst;
	uint64_t n_matching;
};

/* Sets the bits of the chunk's rows that match; returns how many. */
uint32_t page_match_chunk(struct filter_state *filter, enum filter_verdict verdict,
                          struct block_view *view, uint64_t matches[CHUNK_WORDS]);
/* Which rows: fill in positions and n_matching. */
int page_run_plain(struct page *page, struct block_loop *loop, struct err *err);
int page_run_all(struct page *page, struct err *err); /* by id, without a filter */
int page_run_ordered(struct page *page, struct block_loop *loop, struct err *err);

#endif
