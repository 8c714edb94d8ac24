/* What the rows of a page are ordered by, and the best rows so far: for src/column/page*.c
 * alone.
 * Used by its room alone. */
#ifndef LANESCOPE_COLUMN_OPS_PAGE_ORDER_H
#define LANESCOPE_COLUMN_OPS_PAGE_ORDER_H

#include "column/scan/rowcolumn.h"
#include "column/scan/scan.h"

#define PAGE_KEYS 8

struct arena;

/* One column of the order. */
struct order_column {
	enum row_column column;
	uint32_t key; /* of ROW_ARG; UINT32_MAX: no row has it */
	bool is_descending;
	struct row_slots slots;
	struct row_arg_slots arg_slots;
};
struct page_order {
	struct order_column columns[PAGE_KEYS];
	unsigned n; /* 0: by id */
};
/* "-duration,start"; NULL or blank: by id. ERR_QUERY. */
int page_order_parse(const struct dataset *dataset, enum block_kind kind, const char *text,
                     struct page_order *order, struct err *err);
void page_order_bind(struct page_order *order, struct block_fields *fields);

/* Values compare as (rank, a, b), texts by their bytes; descending ones the other way round; no
 * value comes last. */
enum key_rank { KEY_NUMBER, KEY_TEXT, KEY_NONE };
struct sort_key {
	uint8_t rank;
	bool is_descending, is_owned; /* owned: the text's memory is the key's */
	int64_t a, b;                 /* numbers; of texts the length, in b */
	const char *text;
};
int sort_key_compare(const struct sort_key *left, const struct sort_key *right);

/* The columns of the current chunk that the order needs. */
struct order_chunk {
	struct order_chunk_column {
		struct row_integers integers;
		struct row_codes codes;
		const struct chunk_column *args[ARG_TYPES];
		int64_t scratch[CHUNK_ROWS];
	} columns[PAGE_KEYS];
};
void order_chunk_read(const struct page_order *order, struct block_view *view,
                      struct order_chunk *chunk);
/* Key number k of row i of the chunk. */
void order_chunk_key(const struct page_order *order, struct order_chunk *chunk,
                     struct block_view *view, uint32_t i, unsigned k, struct sort_key *key);
void sort_key_free(struct sort_key *key); /* its text, if owned */
/* Clears the bits of rows whose first key comes after `worst`, where that is quick to tell. */
void order_chunk_drop(const struct page_order *order, const struct order_chunk *chunk, uint32_t n,
                      const struct sort_key *worst, uint64_t *matches);
/* The best first key that a row of the block can have, by its metadata; false: they do not tell. */
bool page_order_bound(const struct page_order *order, const struct block_info *block,
                      struct sort_key *key);

/* A row and what it is ordered by. */
struct page_entry {
	uint64_t position; /* block << 16 | row: the order of ids */
	unsigned n_keys;
	struct sort_key keys[];
};
int page_entry_compare(const struct page_entry *a, const struct page_entry *b);
/* Entries in one piece of memory. */
struct page_entries {
	unsigned n_keys;
	size_t n, capacity;
	char *bytes;
};
struct page_entry *page_entries_add(struct page_entries *entries);
struct page_entry *page_entries_get(const struct page_entries *entries, size_t i);
/* Keeps the best `limit`, in any order, and frees the others. */
void page_entries_select(struct page_entries *entries, size_t limit);
void page_entries_sort(struct page_entries *entries);
/* moved: their texts belong to others now */
void page_entries_clear(struct page_entries *entries, bool is_moved);
void page_entries_free(struct page_entries *entries);

#endif
