/*
 * The one loop over blocks that all scans share: prune, fetch, decode in chunks, on all cores.
 *
 * The calling thread fetches the wanted columns of the blocks that survive pruning (only it may
 * call dataset->fetch), worker threads decode and scan them meanwhile; the caller scans too when it
 * is ahead. Memory is bounded: a few blocks per thread, buffers are reused. Columns are decoded on
 * first use in a chunk, so what a filter has thrown out costs nothing more.
 *
 * Use:   block_fields_add() each field wanted -> slot numbers; block_loop_run() with a scan
 * callback, which does
 *            while (block_view_next(view)) { c = block_view_column(view, slot); ... view->n rows
 *                  from view->row on ... }
 * Used by column/finish, column/ops, explain/parts, export.
 */
#ifndef LANESCOPE_COLUMN_SCAN_BLOCKLOOP_H
#define LANESCOPE_COLUMN_SCAN_BLOCKLOOP_H

#include "column/scan/dataset.h"

#define CHUNK_ROWS 2048u
#define CHUNK_WORDS (CHUNK_ROWS / 64)

/* Set of fields wanted. Zero-initialise. */
struct block_fields {
	uint32_t *fields;
	size_t n, capacity;
};
/* its slot; each field stands once */
uint32_t block_fields_add(struct block_fields *set, uint32_t field);
void block_fields_free(struct block_fields *set);

/* One column in the current chunk. */
struct chunk_column {
	const struct column_info *info; /* NULL: no such column, all rows are absent */
	const int64_t *values;          /* of absent rows: 0 */
	const uint64_t *presence;       /* CHUNK_WORDS; bits beyond the chunk's rows are 0 */
	uint32_t n_present;             /* in this chunk: 0 none, view->n all */
};

/* One block and the current chunk of it, on one thread. */
struct block_view {
	const struct block_info *info;
	const struct dataset *dataset;
	const struct dataset_source *source;
	size_t index;                  /* in dataset->blocks[kind] */
	unsigned thread;               /* 0 is the calling thread */
	uint32_t row, n;               /* current chunk: rows row ... row + n - 1 */
	struct block_decoder *decoder; /* private */
};
bool block_view_next(struct block_view *view); /* first or next chunk; false after the last */
/* the next chunk will hold this row (chunks start at multiples of CHUNK_ROWS) */
void block_view_skip_to(struct block_view *view, uint32_t row);
/* Lent until the next chunk. Codes (text columns, FIELD_LANE) are the source's, and checked:
 * values index view->source->texts or lanes safely (also 0 where absent, if the source has any). */
const struct chunk_column *block_view_column(struct block_view *view, uint32_t slot);
/* A column of few values: rows as indices into a list of them, that of rows without a value is
 * n_values. Every value that the block has is among them (not every one need occur, some stand
 * twice); codes are checked as above. */
#define SMALL_INDICES 128 /* an index is below */
struct few_values {
	const int64_t *values; /* and 0 at n_values */
	unsigned n_values;
	bool has_absent;        /* a row of the block may have no value */
	const uint8_t *indices; /* of the current chunk's rows; CHUNK_ROWS of them can be read */
};
/* False: the column may have many values, or is stored otherwise. Of a block just opened, without
 * indices. */
bool block_view_values(struct block_view *view, uint32_t slot, struct few_values *small);
/* The same of the current chunk, with indices, lent until the next one. */
bool block_view_small(struct block_view *view, uint32_t slot, struct few_values *small);
/* Text of a LOCAL_TEXT column at a row of the block; false: absent. */
bool block_view_text(struct block_view *view, uint32_t slot, uint32_t row, struct slice *text);

/* Memory for the bytes of blocks, which loops use one after another. Zero-initialise. */
struct block_room {
	struct slot *slots;
	unsigned n;
};
void block_room_free(struct block_room *room);

struct filter_state;
typedef int block_scan(void *user, struct block_view *view, unsigned slot, struct err *err);

struct block_loop {
	const struct dataset *dataset;
	enum block_kind kind;
	const struct block_fields *fields;
	size_t first, end;   /* blocks [first, end) of the kind; end is clipped (SIZE_MAX: all) */
	const size_t *order; /* if given: blocks order[first] ... order[end - 1], in this order */
	unsigned n_threads;  /* 0: the dataset's */
	struct block_room *room; /* if given: what this and other loops read into */
	void *user;
	/* If any: a block is left out where none of them, states of the calling thread, finds that
	 * rows may match: as its description tells, and where n_sift > 0 as the first n_sift
	 * fields do, which are fetched before the others. */
	struct filter_state *const *filters;
	unsigned n_filters;
	size_t n_sift;
	/* May the block hold rows wanted? On the calling thread, just before the block would be
	 * fetched, blocks in order. NULL: all. */
	bool (*wanted)(void *user, const struct block_info *block);

	/* Scans one block; threads 0 ... block_loop_threads() - 1, one block at a time each.
	 * Nonzero stops the loop: -1 with *err set is an error (the lowest failing block's is
	 * returned), 1 stops without one. */
	block_scan *scan;
	/* If given: called on the calling thread in the order of the blocks after `scan` of that
	 * block (slots: 0 ... block_loop_slots() - 1; each keeps what scan left for its block
	 * until merge took it). Nonzero as scan's. */
	int (*merge)(void *user, const struct block_info *block, unsigned slot, struct err *err);
	const struct cancel *cancel;
};
unsigned block_loop_threads(const struct block_loop *loop);
unsigned block_loop_slots(const struct block_loop *loop);
/* 0, 1 if a callback stopped it, -1 on error: ERR_CANCELLED, ERR_FORMAT for damaged blocks, what
 * fetch said. */
int block_loop_run(const struct block_loop *loop, struct err *err);

/* One block on the calling thread, for random access (rows, pages). */
struct block_reader;
struct block_reader *block_reader_new(const struct dataset *dataset, enum block_kind kind,
                                      const struct block_fields *fields);
/* Fetches and opens block `index`; the view is lent until the next call. NULL on error. */
struct block_view *block_reader_open(struct block_reader *reader, size_t index, struct err *err);
/* After reading: -1 and ERR_FORMAT if a code was out of range (it was read as absent). */
int block_reader_check(const struct block_reader *reader, struct err *err);
void block_reader_free(struct block_reader *reader); /* takes NULL */

#endif
