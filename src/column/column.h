/*
 * One column of a block, encoded. Knows nothing of SQLite.
 *
 * Encoding: value = base + scale * n, n an unsigned little-endian integer of `width` bytes (0 to 6, or 8; width 0: all
 * values equal base). With COLUMN_DELTA, value[i] = value[i-1] + base + scale * n[i], value[first present] =
 * first. With COLUMN_SPARSE a bitmap of one bit a row (little-endian, ceil(rows/8) bytes) stands first, and only
 * the present rows have values. With COLUMN_COPY the values are those of field same_as at this column's present rows.
 * Reals are IEEE bits (width 8, or 0). Local text: n+1 offsets (width bytes each, from 0), then the bytes.
 */
#ifndef LANESCOPE_COLUMN_COLUMN_H
#define LANESCOPE_COLUMN_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "model/model.h"
#include "util/err.h"
#include "util/slice.h"

#define BLOCK_ROWS 65536u

enum block_kind { BLOCK_SPAN, BLOCK_EVENT, BLOCK_COUNTER };
#define BLOCK_KINDS 3

/* What a column holds. Arguments: FIELD_ARG + key * ARG_TYPES + arg type, one column for each JSON type. */
enum field {
	FIELD_START = 1, /* ns */
	FIELD_DURATION,  /* ns */
	FIELD_LANE,
	FIELD_NAME, FIELD_CATEGORY, FIELD_PATH, /* dictionary codes */
	FIELD_SIZE,      /* bytes */
	FIELD_CALLS,
	FIELD_VALUE,     /* counter value, real */
	FIELD_DEPTH,     /* finishing pass: row of nesting, 0 outermost; absent = 0 */
	FIELD_PARENT,    /* finishing pass: own id - parent's id; absent: no parent */
	FIELD_COVERED,   /* finishing pass: ns of this span covered by its direct children; absent = 0 */
	FIELD_ARG = 64
};
static inline uint32_t
field_arg(uint32_t key, enum arg_type type)
{
	return FIELD_ARG + key * ARG_TYPES + (uint32_t)type;
}

enum column_type { COLUMN_INTEGER, COLUMN_REAL, COLUMN_TEXT /* dictionary codes */, COLUMN_LOCAL_TEXT };
enum column_flags { COLUMN_DELTA = 1, COLUMN_SPARSE = 2, COLUMN_COPY = 4 };

struct column_info {
	uint32_t field;
	uint8_t type, flags, width;
	uint32_t n_present;      /* rows that have a value */
	uint32_t same_as;        /* COLUMN_COPY: field that holds the values */
	int64_t base, scale, first;
	int64_t min, max;        /* of the values (codes for text; bits for reals); 0, 0 if none */
	int64_t blob_id;         /* where the store keeps the bytes; 0: no bytes */
	uint32_t blob_bytes;
};

/* Encodes n_rows values; presence (bitmap, NULL: all) tells which rows have one. `info` gets everything but blob_id, and
 * the bytes are appended to *out. info->field and type are set by the caller. */
void column_encode_integers(struct column_info *info, const int64_t *values, const uint64_t *presence, uint32_t n_rows,
			    struct strbuf *out);
void column_encode_reals(struct column_info *info, const double *values, const uint64_t *presence, uint32_t n_rows,
			 struct strbuf *out);
void column_encode_texts(struct column_info *info, const struct slice *values, const uint64_t *presence, uint32_t n_rows,
			 struct strbuf *out);
/* A copy of another column, less the rows where presence is 0. */
void column_encode_copy(struct column_info *info, uint32_t same_as, const uint64_t *presence, uint32_t n_rows, struct strbuf *out);

/* Sequential reader of a column, in chunks. Validates everything it reads: info and blob may be hostile. */
struct column_reader {
	const struct column_info *info; /* borrowed */
	const unsigned char *presence, *values; /* into the blob */
	size_t value_bytes;
	uint32_t n_rows, row, value_index;
	int64_t previous;
	const struct column_reader *source; /* COLUMN_COPY */
};
/* blob: info->blob_bytes bytes with 8 readable bytes after. For COLUMN_COPY give the reader's info and blob of the source
 * column as source_info and source_blob (NULL otherwise); copies of copies are refused. ERR_FORMAT if inconsistent. */
int column_reader_init(struct column_reader *reader, const struct column_info *info, const void *blob,
		       const struct column_info *source_info, const void *source_blob, uint32_t n_rows, struct err *err);
/* Next n rows (n <= 4096, a multiple of 64 except for the block's last chunk; all reads start at row 0 or where the last one ended): values of absent rows
 * are 0 (integers) and their bits in presence[(n+63)/64] are 0. Texts: dictionary codes as integers; for
 * LOCAL_TEXT use column_text. */
void column_read(struct column_reader *reader, uint32_t n, int64_t *values, uint64_t *presence);
void column_skip(struct column_reader *reader, uint32_t n);
/* Random access, O(1) for plain, O(row) for delta columns. False: absent. */
bool column_value(const struct column_reader *reader, uint32_t row, int64_t *value);
bool column_text(const struct column_reader *reader, uint32_t row, struct slice *text); /* LOCAL_TEXT */

#endif
