/*
 * How the columns of rows are read from a chunk: their numbers (some are computed: self, end,
 * parent, id), their codes, and what a code stands for.
 * Used by column/ops.
 */
#ifndef LANESCOPE_COLUMN_SCAN_ROWCOLUMN_H
#define LANESCOPE_COLUMN_SCAN_ROWCOLUMN_H

#include "column/scan/blockloop.h"
#include "column/scan/scan.h"

/* Where a column's fields stand in a loop's set. */
struct row_slots {
	uint32_t field,
	    /* the column itself (of self and end: duration), and what self subtracts or end adds
	     * to */
	    covered;
};
void row_column_bind(enum row_column column, struct block_fields *fields, struct row_slots *slots);

/* The column's numbers in a chunk. */
struct row_integers {
	const int64_t *values;
	const uint64_t *presence; /* not read where n_present is 0 or the chunk's n */
	uint32_t n_present;
};
/* For ROW_CLASS_INTEGER and ROW_VALUE (IEEE bits). scratch: CHUNK_ROWS values, used where they are
 * computed. */
struct row_integers row_column_read(enum row_column column, const struct row_slots *slots,
                                    struct block_view *view, int64_t *scratch);

/* The codes of a dictionary column (or FIELD_LANE) of a chunk, and the map to the run's. n_present
 * 0: none in this chunk. */
struct row_codes {
	const int64_t *values;    /* every one, present or not, indexes map safely */
	const uint64_t *presence; /* not read where n_present is 0 or the chunk's n */
	const uint32_t *map;
	uint32_t n_present;
	bool is_constant; /* all present rows have the same */
};
struct row_codes row_codes_read(uint32_t slot, bool is_lane, struct block_view *view);

/* What a column of ROW_CLASS_TEXT makes of its text: of a path its class, basename ... */
struct slice row_text_of(const struct dataset *dataset, enum row_column column, struct slice text);
/* What a code of the run stands for: in such a column, or in one of ROW_CLASS_LANE. */
struct scan_value row_text_value(const struct dataset *dataset, enum row_column column,
                                 uint32_t code);
struct scan_value row_lane_value(const struct dataset *dataset, enum row_column column,
                                 uint32_t lane);

/* Between which values a column's numbers lie in a block, by its metadata. */
struct row_range {
	enum { RANGE_UNKNOWN, RANGE_EMPTY /* no row has a value */, RANGE_KNOWN } type;
	bool has_missing; /* some rows may have none */
	int64_t min, max;
};
struct row_range row_column_range(enum row_column column, const struct block_info *block);

/* Fields of an argument, one for each JSON type. */
struct row_arg_slots {
	uint32_t slots[ARG_TYPES];
};
void row_arg_bind(uint32_t key, struct block_fields *fields, struct row_arg_slots *slots);
/* How an argument's column is stored; ROW_ARG_NONE where the block has none or its type makes no
 * sense. */
enum row_arg_storage {
	ROW_ARG_NONE,
	ROW_ARG_INTEGERS,
	ROW_ARG_REALS,
	ROW_ARG_CODES,
	ROW_ARG_LOCAL
};
enum row_arg_storage row_arg_storage(enum arg_type type, const struct column_info *info);

#endif
