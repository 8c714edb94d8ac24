/*
 * Building blocks: rows of one source gathered column by column and encoded when full.
 *
 * A block ends when it has `rows` rows, or early when the texts gathered for it or its number of
 * columns grow large. A key whose texts turn out to repeat rarely gets block-local text from the
 * next block on.
 *
 * Rows much longer than the extent of the starts of their block's rows go to a separate block of
 * long ones (so that min/max of the others prune), and so do those whose duration is open; the
 * order of a builder's blocks is the order of emission, deterministic for the same rows.
 * Used by column/finish, column/ops, column/scan, export, ingest, query/timeline, store.
 */
#ifndef LANESCOPE_COLUMN_ENCODE_BLOCK_H
#define LANESCOPE_COLUMN_ENCODE_BLOCK_H

#include "column/encode/column.h"
#include "util/intern.h"

/* No block has more columns, and no row more arguments: importers say what they leave out
 * before. */
#define BLOCK_COLUMNS 8000u
#define BLOCK_ROW_ARGS 6000u

struct block_info {
	enum block_kind kind;
	uint32_t source;   /* index of the source in the run */
	uint32_t sequence; /* of the block in its source and kind, from 0 */
	uint32_t n_rows;
	int64_t first_id; /* of row 0 (run-wide, per kind, from 1); known in the end */
	int64_t start_min, start_max, end_max; /* ns */
	uint32_t n_columns;
	struct column_info *columns; /* sorted by field */
};

/* Turns argument fields (and same_as) from a source's keys into the run's: keys[i] for key i <
 * n_keys; sorts again. */
void block_info_remap(struct block_info *info, const uint32_t *keys, uint32_t n_keys);

/* A finished block: info (first_id 0) and the bytes of its columns, one after another in bytes;
 * columns[i]'s begin at offsets[i]. Owned by the receiver, freed by block_free. */
struct block {
	struct block_info info;
	size_t *offsets;
	struct strbuf bytes; /* padded with 8 bytes */
	/* Which of the rows given to the builder (from 0) each row is: first_ordinal + row, or
	 * ordinals[row] if not NULL (long spans stand apart from their neighbours). */
	uint64_t first_ordinal, *ordinals;
	struct span_order *orders; /* a row; NULL: no span of the block has one */
	/* Its spans' durations are the least ones (struct call_totals): a column of them is made
	 * when all sources are read. */
	bool is_open;
};
void block_free(struct block *block); /* takes NULL */

/* What the finishing pass needs of every span, in the order of the block's rows. */
struct span_key {
	int64_t start_ns, duration_ns;
	uint32_t lane, category;
	int64_t call_sum_ns; /* of a record that stands for many calls; else -1 */
};

struct block_receiver {
	void *user;
	/* Takes the block. keys: one a row for spans, else NULL; lent. Nonzero stops. */
	int (*block)(void *user, struct block *block, const struct span_key *keys);
};

struct block_builder;
/* texts: dictionary of this source (borrowed): texts of arguments are interned there when they
 * repeat, else stored block-local. rows: rows a block (BLOCK_ROWS, less in tests). */
struct block_builder *block_builder_new(enum block_kind kind, uint32_t source, struct intern *texts,
                                        uint32_t rows, const struct block_receiver *receiver);
int block_builder_span(struct block_builder *builder, const struct span *span);
int block_builder_event(struct block_builder *builder, const struct event *event);
int block_builder_counter(struct block_builder *builder, const struct counter *counter);
int block_builder_flush(struct block_builder *builder); /* the rest; at the end of the source */
void block_builder_free(struct block_builder *builder); /* takes NULL */

#endif
