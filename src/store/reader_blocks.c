/*
 * Loading a dataset: blocks and the facts of their columns, two tables read side by side in the
 * order of their keys. Checked here: that rows are numbered without gaps (so that an id finds its
 * block), and that every number fits its type and its bytes the file.
 */
#include "config.h"
#include "store/reader.h"

#include <stdlib.h>

/* Of a column of numbers in full: bitmap, table, numbers and patches of 65536 rows take less. */
#define NUMBER_BYTES_MAX (4u << 20)

struct loading_blocks {
	struct loading *loading;
	struct block_info *blocks; /* by block.id, from 1 */
	size_t n, capacity;
	struct column_info *columns;
	size_t n_columns, columns_capacity;
	int64_t last_block, last_field; /* of the last column */
};

static int
add_block(void *user, sqlite3_stmt *row, struct err *err)
{
	struct loading_blocks *all = user;
	struct dataset *dataset = all->loading->dataset;
	int64_t kind = sqlite3_column_int64(row, 1), source = sqlite3_column_int64(row, 2),
		sequence = sqlite3_column_int64(row, 3);
	int64_t n_rows = sqlite3_column_int64(row, 5);
	struct block_info block = {
	    .kind = (enum block_kind)kind,
	    .source = (uint32_t)source,
	    .sequence = (uint32_t)sequence,
	    .n_rows = (uint32_t)n_rows,
	    .first_id = sqlite3_column_int64(row, 4),
	    .start_min = sqlite3_column_int64(row, 6),
	    .start_max = sqlite3_column_int64(row, 7),
	    .end_max = sqlite3_column_int64(row, 8),
	};
	if (sqlite3_column_int64(row, 0) != (int64_t)all->n + 1 || kind < 0 ||
	    kind >= BLOCK_KINDS || source < 0 || source >= dataset->n_sources || sequence < 0 ||
	    sequence > UINT32_MAX || n_rows < 1 || n_rows > BLOCK_ROWS ||
	    block.first_id != dataset->n_rows[kind] + 1 || block.start_min > block.start_max) {
		return reader_damaged(err, "block %zu", all->n + 1);
	}
	dataset->n_rows[kind] += n_rows;
	dataset->n_blocks[kind]++;
	MEM_GROW(all->blocks, all->capacity, all->n + 1);
	all->blocks[all->n++] = block;
	return 0;
}

/* Fields below FIELD_ARG that are not ours are a later program's columns: nothing asks for them. */
static bool
field_is_possible(int64_t field, const struct dataset *dataset)
{
	return field >= FIELD_START &&
	       field < (int64_t)field_arg(dataset->n_keys, (enum arg_type)0);
}

/* Whether a column's numbers can be true. What flags and width say of the bytes is for the column's
 * reader to check. */
static bool
column_is_possible(const struct column_info *column, const struct block_info *block,
                   int64_t file_bytes)
{
	return column->type <= COLUMN_LOCAL_TEXT && column->n_present <= block->n_rows &&
	       column->blob_id >= 0 && (column->blob_id > 0) == (column->blob_bytes > 0) &&
	       column->blob_bytes <= file_bytes &&
	       (column->type == COLUMN_LOCAL_TEXT || column->blob_bytes <= NUMBER_BYTES_MAX);
}

/* Rows come by block and field; the columns of a block become its next ones. */
static int
add_column(void *user, sqlite3_stmt *row, struct err *err)
{
	struct loading_blocks *all = user;
	int64_t numbers[14];
	for (int i = 0; i < 14; i++) {
		numbers[i] = sqlite3_column_int64(row, i);
	}
	int64_t id = numbers[0], field = numbers[1];
	struct block_info *block = id >= 1 && (uint64_t)id <= all->n ? &all->blocks[id - 1] : NULL;
	/* type, flags, width fit a byte, n_present, same_as, bytes 32 bits */
	bool fits =
	    (((uint64_t)numbers[2] | (uint64_t)numbers[3] | (uint64_t)numbers[4]) <= UINT8_MAX) &&
	    (((uint64_t)numbers[5] | (uint64_t)numbers[6] | (uint64_t)numbers[13]) <= UINT32_MAX);
	if (!block || !fits || !field_is_possible(field, all->loading->dataset)) {
		return reader_damaged(err, "column %lld of block %lld", (long long)field,
		                      (long long)id);
	}
	struct column_info column = {
	    .field = (uint32_t)field,
	    .type = (uint8_t)numbers[2],
	    .flags = (uint8_t)numbers[3],
	    .width = (uint8_t)numbers[4],
	    .n_present = (uint32_t)numbers[5],
	    .same_as = (uint32_t)numbers[6],
	    .base = numbers[7],
	    .scale = numbers[8],
	    .first = numbers[9],
	    .min = numbers[10],
	    .max = numbers[11],
	    .blob_id = numbers[12],
	    .blob_bytes = (uint32_t)numbers[13],
	};
	/* from the start on strictly ascending, whatever the B-tree looks like: this also bounds
	 * their number */
	bool ascends = (id > all->last_block && field == FIELD_START) ||
	               (id == all->last_block && field > all->last_field);
	if (!ascends || !column_is_possible(&column, block, all->loading->file_bytes)) {
		return reader_damaged(err, "column %lld of block %lld", (long long)field,
		                      (long long)id);
	}
	all->last_block = id;
	all->last_field = field;
	MEM_GROW(all->columns, all->columns_capacity, all->n_columns + 1);
	all->columns[all->n_columns++] = column;
	block->n_columns++;
	return 0;
}

/* Blocks by kind, each with its columns. */
static void
place_blocks(struct loading *loading, const struct loading_blocks *all)
{
	struct dataset *dataset = loading->dataset;
	struct column_info *columns =
	    arena_copy(loading->arena, all->columns, all->n_columns * sizeof *columns);
	struct block_info *blocks[BLOCK_KINDS];
	size_t next[BLOCK_KINDS] = {0};
	for (int kind = 0; kind < BLOCK_KINDS; kind++) {
		blocks[kind] =
		    arena_alloc(loading->arena, dataset->n_blocks[kind] * sizeof **blocks);
		dataset->blocks[kind] = blocks[kind];
	}
	for (size_t i = 0; i < all->n; i++) {
		struct block_info *block =
		    &blocks[all->blocks[i].kind][next[all->blocks[i].kind]++];
		*block = all->blocks[i];
		block->columns = columns;
		columns += block->n_columns;
	}
}

int
load_blocks(struct loading *loading, struct err *err)
{
	struct loading_blocks all = {.loading = loading};
	int status =
	    reader_each(
		loading->db,
		"SELECT id, kind, source, sequence, first_id, n_rows, start_min, start_max, "
		"end_max FROM main.block ORDER BY id",
		add_block, &all, err) ||
		    reader_each(
			loading->db,
			"SELECT block, field, type, flags, width, n_present, same_as, base, "
			"scale, \"first\", \"min\", \"max\", data, bytes "
			"FROM main.block_column ORDER BY block, field",
			add_column, &all, err)
		? -1
		: 0;
	if (status == 0) {
		place_blocks(loading, &all);
	}
	free(all.blocks);
	free(all.columns);
	return status;
}
