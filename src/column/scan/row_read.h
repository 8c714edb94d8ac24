/* Reading whole rows of a block: for row*.c and page*.c, and for scans of other layers that need
 * most of a row.
 * Used by column/ops, explain/parts, export, query/spans. */
#ifndef LANESCOPE_COLUMN_SCAN_ROW_READ_H
#define LANESCOPE_COLUMN_SCAN_ROW_READ_H

#include "column/scan/blockloop.h"
#include "column/scan/scan.h"

#define ROW_ALL_COLUMNS (((UINT64_C(1) << FIELD_BEFORE_ARGS) - 1) & ~UINT64_C(1))

/* Where the fields of a row stand in a loop's set; UINT32_MAX: not wanted. */
struct row_fields {
	uint32_t slots[FIELD_BEFORE_ARGS];
};
/* columns: bits (1 << FIELD_x). */
void row_fields_add(struct row_fields *fields, struct block_fields *set, uint64_t columns);
/* The columns of the current chunk, and one row of it (i < view->n) in the run's codes. */
struct row_chunk {
	const struct chunk_column *columns[FIELD_BEFORE_ARGS];
	struct span_row absent; /* a row without a value */
	struct row_member {     /* the columns that the chunk has values of, and where they go */
		const struct chunk_column *from;
		uint32_t member, bound;
		const uint32_t *codes; /* from the source's to the run's; NULL: numbers */
	} members[FIELD_BEFORE_ARGS];
	unsigned n_members;
};
void row_chunk_read(const struct row_fields *fields, struct block_view *view,
                    struct row_chunk *chunk);
void row_fill(const struct block_view *view, const struct row_chunk *chunk, uint32_t i,
              struct span_row *row);

/* Block that holds a row, or SIZE_MAX. */
size_t row_block(const struct dataset *dataset, enum block_kind kind, int64_t id);

/* One argument of a row of the current chunk (row: of the block), as its column stores it; false:
 * the row has none. A slot of a field that is an argument's. */
bool row_argument_read(struct block_view *view, uint32_t slot, uint32_t row, int64_t *value,
                       struct slice *text);
/* Appends it as a JSON value. */
void row_argument_json(struct strbuf *json, enum arg_type type, int64_t value, struct slice text);

/* Arguments of rows, block after block. */
struct row_args;
struct row_args *row_args_new(const struct dataset *dataset, enum block_kind kind);
/* Appends a JSON object. */
int row_args_json(struct row_args *args, size_t block, uint32_t row, struct strbuf *json,
                  struct err *err);
void row_args_free(struct row_args *args); /* takes NULL */

#endif
