/*
 * The columns of rows as filters and dimensions name them: which there are for each kind of block, and how the numbers among them are
 * read from a chunk (some are computed: self, end, parent, id).
 */
#ifndef LANESCOPE_COLUMN_SCAN_ROWCOLUMN_H
#define LANESCOPE_COLUMN_SCAN_ROWCOLUMN_H

#include "column/scan/blockloop.h"

enum row_column {
	ROW_ID,
	ROW_NAME,
	ROW_CATEGORY,
	ROW_PATH,
	ROW_BASENAME,
	ROW_DIRNAME,
	ROW_PATH_CLASS,
	ROW_SIZE,
	ROW_DURATION,
	ROW_SELF,
	ROW_START,
	ROW_END,
	ROW_DEPTH,
	ROW_CALLS,
	ROW_CALL_SUM,
	ROW_CALL_MIN,
	ROW_CALL_MAX,
	ROW_SIZE_MIN,
	ROW_SIZE_MAX,
	ROW_UNFINISHED,
	ROW_PARENT,
	ROW_VALUE,
	ROW_LANE,
	ROW_LANE_NAME,
	ROW_HOST,
	ROW_PROCESS,
	ROW_THREAD,
	ROW_KIND,
	ROW_ARG
};
#define ROW_COLUMNS (ROW_ARG + 1)

enum row_class {
	ROW_CLASS_INTEGER,
	ROW_CLASS_REAL,
	ROW_CLASS_TEXT, /* by a dictionary code */
	ROW_CLASS_LANE, /* by the lane */
	ROW_CLASS_ARG
};

const char *row_column_name(enum row_column column);
enum row_class row_column_class(enum row_column column);
bool row_column_in(enum row_column column, enum block_kind kind);
/* By name (ASCII case-insensitive, synonyms too) among those of the kind, but not arguments. False: there is none. */
bool row_column_find(struct slice name, enum block_kind kind, enum row_column *column);
/* "id, name, ..., arg.KEY" of a kind, for messages. */
void row_column_list(enum block_kind kind, struct strbuf *out);

/* Where a column's fields stand in a loop's set. */
struct row_slots {
	uint32_t field,
	    covered; /* the column itself (of self and end: duration), and what self subtracts or end adds to */
};
void row_column_bind(enum row_column column, struct block_fields *fields, struct row_slots *slots);

/* The column's numbers in a chunk. */
struct row_integers {
	const int64_t *values;
	const uint64_t *presence; /* not read where n_present is 0 or the chunk's n */
	uint32_t n_present;
};
/* For ROW_CLASS_INTEGER and ROW_VALUE (IEEE bits). scratch: CHUNK_ROWS values, used where they are computed. */
struct row_integers row_column_read(enum row_column column, const struct row_slots *slots,
                                    struct block_view *view, int64_t *scratch);

/* The codes of a dictionary column (or FIELD_LANE) of a chunk, and the map to the run's. n_present 0: none in this chunk. */
struct row_codes {
	const int64_t *values;    /* every one, present or not, indexes map safely */
	const uint64_t *presence; /* not read where n_present is 0 or the chunk's n */
	const uint32_t *map;
	uint32_t n_present;
	bool is_constant; /* all present rows have the same */
};
struct row_codes row_codes_read(uint32_t slot, bool is_lane, struct block_view *view);

/* Fields of an argument, one for each JSON type. */
struct row_arg_slots {
	uint32_t slots[ARG_TYPES];
};
void row_arg_bind(uint32_t key, struct block_fields *fields, struct row_arg_slots *slots);
/* How an argument's column is stored; ROW_ARG_NONE where the block has none or its type makes no sense. */
enum row_arg_storage {
	ROW_ARG_NONE,
	ROW_ARG_INTEGERS,
	ROW_ARG_REALS,
	ROW_ARG_CODES,
	ROW_ARG_LOCAL
};
enum row_arg_storage row_arg_storage(enum arg_type type, const struct column_info *info);

#endif
