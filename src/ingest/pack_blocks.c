/*
 * What is known of a source's blocks, as bytes; those of their columns stand in the part by
 * themselves. Lists of numbers that stand beside the rows of a block (in which order they came,
 * which began first, durations that only the whole run tells) are packed as columns are.
 */
#include "config.h"
#include "ingest/pack_private.h"

#include <stdlib.h>

#include "util/mem.h"
#include "util/order.h"

static void
pack_column(struct pack *pack, struct column_info *column)
{
	PACK(pack, column->field);
	PACK(pack, column->type);
	PACK(pack, column->flags);
	PACK(pack, column->width);
	PACK(pack, column->n_present);
	PACK(pack, column->same_as);
	PACK(pack, column->base);
	PACK(pack, column->scale);
	PACK(pack, column->first);
	PACK(pack, column->min);
	PACK(pack, column->max);
	PACK(pack, column->blob_bytes);
}

/* n numbers of a block of n rows, as a column of that many. */
static void
pack_numbers(struct source_pack *sp, int64_t *values, uint32_t n)
{
	struct column_info column = {.type = COLUMN_INTEGER, .n_present = n};
	struct strbuf bytes = {0};

	if (!reads(sp)) {
		column_encode_packed_integers(&column, values, NULL, n, &bytes);
	}
	struct slice packed = {bytes.data, column.blob_bytes};
	pack_column(&sp->pack, &column);
	pack_slice(&sp->pack, &packed);
	if (reads(sp) && !sp->pack.failed) {
		struct column_reader reader;
		struct err err = ERR_INIT;
		uint64_t presence[BLOCK_ROWS / 64 / 16];
		strbuf_add_slice(&bytes, packed);
		strbuf_add(&bytes, "\0\0\0\0\0\0\0", 8);
		refuse_unless(
		    sp, column.blob_bytes == packed.len && column.n_present == n &&
			    column.type == COLUMN_INTEGER && !(column.flags & COLUMN_COPY) &&
			    column_reader_init(&reader, &column, packed.len ? bytes.data : NULL,
		                               NULL, NULL, n, &err) == 0);
		for (uint32_t row = 0; row < n && !sp->pack.failed; row += 4096) {
			column_read(&reader, LEAST(n - row, 4096u), values + row, presence);
		}
	}
	strbuf_free(&bytes);
}

/* The numbers in the order of rows that lie in the spill, one of each `stride` 64-bit words. */
static void
pack_kept(struct source_pack *sp, struct spill_place *place, uint32_t n_rows, uint32_t n_words)
{
	size_t n_bytes = (size_t)n_rows * n_words * sizeof(int64_t);
	int64_t *kept = xmalloc(n_bytes), *column = xrealloc_array(NULL, n_rows, sizeof *column);
	struct err *err = &sp->pack.err;

	if (!reads(sp) && spill_read(sp->spill, place, 0, kept, n_bytes, err)) {
		sp->pack.failed = true;
	}
	for (uint32_t word = 0; word < n_words && !sp->pack.failed; word++) {
		for (uint32_t row = 0; row < n_rows && !reads(sp); row++) {
			column[row] = kept[(size_t)row * n_words + word];
		}
		pack_numbers(sp, column, n_rows);
		for (uint32_t row = 0; row < n_rows && reads(sp); row++) {
			kept[(size_t)row * n_words + word] = column[row];
		}
	}
	if (reads(sp) && !sp->pack.failed && spill_add(sp->spill, kept, n_bytes, place, err)) {
		sp->pack.failed = true;
	}
	free(column);
	free(kept);
}

static void
pack_block(struct source_pack *sp, struct kept_block *block, enum block_kind kind, size_t sequence)
{
	struct pack *pack = &sp->pack;
	struct block_info *info = &block->info;
	size_t capacity = 0, n = info->n_columns;

	PACK(pack, info->n_rows);
	PACK(pack, info->start_min);
	PACK(pack, info->start_max);
	PACK(pack, info->end_max);
	PACK_ARRAY(pack, info->columns, n, capacity, pack_column);
	PACK(pack, block->arrival);
	PACK(pack, block->first_ordinal);
	PACK(pack, block->has_ordinals);
	PACK(pack, block->has_orders);
	PACK(pack, block->is_open);
	info->kind = kind;
	info->source = sp->source->index;
	info->sequence = (uint32_t)sequence;
	info->n_columns = (uint32_t)n;
	refuse_unless(sp, info->n_rows > 0 && info->n_rows <= BLOCK_ROWS);
	refuse_unless(sp, n <= BLOCK_COLUMNS + FIELD_ARG);
	if (!pack->failed && block->has_ordinals) {
		pack_kept(sp, &block->ordinals, info->n_rows, 1);
	}
	if (!pack->failed && block->has_orders) {
		pack_kept(sp, &block->orders, info->n_rows, sizeof(struct span_order) / 8);
	}
	if (!pack->failed && block->is_open) {
		pack_kept(sp, &block->keys, info->n_rows, sizeof(struct span_key) / 8);
	}
}

/* Fields in order, arguments of names that are there. */
static void
check_columns(struct source_pack *sp, const struct block_info *info)
{
	uint32_t end = field_arg(sp->n_keys, 0);

	for (uint32_t i = 0; i < info->n_columns && reads(sp); i++) {
		uint32_t field = info->columns[i].field;
		refuse_unless(sp, field < end && (i == 0 || field > info->columns[i - 1].field));
	}
}

void
source_pack_blocks(struct source_pack *sp)
{
	struct source *source = sp->source;

	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		uint64_t n = source->n_blocks[kind];
		PACK(&sp->pack, source->n_rows[kind]);
		PACK(&sp->pack, n);
		uint64_t n_rows = 0;
		for (uint64_t i = 0; i < n && !sp->pack.failed; i++) {
			pack_break(&sp->pack);
			if (reads(sp)) {
				MEM_GROW(source->blocks[kind], source->blocks_capacity[kind],
				         (size_t)i + 1);
				source->blocks[kind][i] = (struct kept_block){0};
				source->n_blocks[kind] = (size_t)i + 1;
			}
			pack_block(sp, &source->blocks[kind][i], kind, (size_t)i);
			check_columns(sp, &source->blocks[kind][i].info);
			n_rows += source->blocks[kind][i].info.n_rows;
		}
		refuse_unless(sp, n_rows == source->n_rows[kind]);
	}
}
