/*
 * One column of a block, encoded. Knows nothing of SQLite.
 *
 * n[i] are unsigned numbers of `width` bits (0 to 57, or 64), packed from the lowest bit of the
 * first byte on; width 0: all are 0.
 *   plain:         value[i] = base + scale * n[i]
 *   COLUMN_DELTA:  value[i] = value[i-1] + base + scale * n[i], value[-1] = first
 *   COLUMN_TABLE:  value[i] = base + scale * table[n[i]]
 * all modulo 2^64. COLUMN_PATCH: some n are replaced by 64-bit ones (outliers do not widen the
 * rest). COLUMN_SPARSE: only present rows have a number, a bitmap tells which (with COLUMN_LIST:
 * their row numbers). COLUMN_FILL: no row is absent; those whose bit is 0 have the value first + a
 * constant. COLUMN_COPY: the values are those of field same_as at this column's present rows. Reals
 * are IEEE bits; with COLUMN_DECIMAL value / 10^digits. Local text: n[i] of the n_present + 1
 * offsets, offset[i] = i * base + n[i].
 *
 * Bytes, in this order, each part only with its flag (little-endian):
 *   SPARSE, FILL   bitmap of ceil(rows / 8) bytes; LIST: n_present row numbers of 2 bytes,
 *                  ascending
 *   FILL           8 bytes: the constant
 *   TABLE          2 bytes: entries - 1, 1 byte: bytes an entry (1 to 8), then the entries
 *   DECIMAL        1 byte: digits (0 to 15)
 *   numbers        ceil(count * width / 8) bytes
 *   PATCH          4 bytes: how many, then their positions (2 bytes each, ascending), then their n
 *                  (8 bytes each)
 *   local text     4 bytes: length of all texts, then the texts
 * Used by column/finish, column/ops, column/scan, ingest, query/timeline, store.
 */
#ifndef LANESCOPE_COLUMN_ENCODE_COLUMN_H
#define LANESCOPE_COLUMN_ENCODE_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "column/encode/registry.h"
#include "model/model.h"
#include "util/err.h"
#include "util/slice.h"

#define BLOCK_ROWS 65536u

static inline uint32_t
field_arg(uint32_t key, enum arg_type type)
{
	return FIELD_ARG + key * ARG_TYPES + (uint32_t)type;
}

enum column_type {
	COLUMN_INTEGER,
	COLUMN_REAL,
	COLUMN_TEXT, /* dictionary codes */
	COLUMN_LOCAL_TEXT
};
enum column_flags {
	COLUMN_DELTA = 1,
	COLUMN_SPARSE = 2,
	COLUMN_COPY = 4,
	COLUMN_LIST = 8,
	COLUMN_TABLE = 16,
	COLUMN_PATCH = 32,
	COLUMN_FILL = 64,
	COLUMN_DECIMAL = 128
};

struct column_info {
	uint32_t field;
	uint8_t type, flags, width;
	uint32_t n_present; /* rows that have a value */
	uint32_t same_as;   /* COLUMN_COPY: field that holds the values */
	int64_t base, scale, first;
	/* Of the values (codes of texts; bits of the smallest and largest real, NaN aside); 0 if
	 * there are none. */
	int64_t min, max;
	int64_t blob_id; /* where the store keeps the bytes; 0: no bytes */
	uint32_t blob_bytes;
};

/* Encodes n_rows values; presence (bitmap, NULL: all) tells which rows have one. `info` gets
 * everything but blob_id, and the bytes are appended to *out. info->field and type are set by
 * the caller. */
void column_encode_integers(struct column_info *info, const int64_t *values,
                            const uint64_t *presence, uint32_t n_rows, struct strbuf *out);
/* A copy of another column, less the rows where presence is 0. */
void column_encode_copy(struct column_info *info, uint32_t same_as, const uint64_t *presence,
                        uint32_t n_rows, struct strbuf *out);

/* The same for values of the present rows only (info->n_present is set by the caller; presence
 * may be NULL if all are; reals as their bits). */
void column_encode_packed_integers(struct column_info *info, const int64_t *values,
                                   const uint64_t *presence, uint32_t n_rows, struct strbuf *out);
void column_encode_packed_reals(struct column_info *info, const int64_t *bits,
                                const uint64_t *presence, uint32_t n_rows, struct strbuf *out);
void column_encode_packed_texts(struct column_info *info, const struct slice *values,
                                const uint64_t *presence, uint32_t n_rows, struct strbuf *out);

/* Adds offset to all values of an integer column without touching its bytes (times: from a
 * clock's zero to the run's start). */
void column_shift(struct column_info *info, int64_t offset);

/* One column's bytes, checked, and how far they are read. Private to column_open.c and
 * column_read.c. */
struct column_stream {
	const struct column_info *info;     /* borrowed */
	const unsigned char *bitmap, *list; /* both NULL: every row has a number */
	const unsigned char *table, *patches, *numbers, *texts;
	uint32_t n_rows, n_numbers, n_table, n_patches, text_bytes;
	unsigned entry_bytes, digits;
	uint32_t row, number, patch; /* next to be read */
	uint64_t previous, fill;
};

/* Sequential reader of a column, in chunks. Validates everything at the start: info and blob may
 * be hostile. */
struct column_reader {
	struct column_stream own;
	struct column_stream source; /* COLUMN_COPY */
};
/* blob: info->blob_bytes bytes with 8 readable bytes after; NULL: no bytes. For COLUMN_COPY give
 * the info and blob of the source column as source_info and source_blob (NULL otherwise); copies
 * of copies are refused. ERR_FORMAT if inconsistent. Reads need no checks then; but codes of
 * texts and lanes are not checked against anything. */
int column_reader_init(struct column_reader *reader, const struct column_info *info,
                       const void *blob, const struct column_info *source_info,
                       const void *source_blob, uint32_t n_rows, struct err *err);
#define COLUMN_READ_ROWS 4096u
/* Next n rows (COLUMN_READ_ROWS at most, a multiple of 64 except for the block's last chunk; all
 * reads start at row 0 or where the last one ended): values of absent rows are 0 (integers) and
 * their bits in presence[(n+63)/64] are 0. Texts: dictionary codes as integers; for LOCAL_TEXT use
 * column_text (values are 0). Reals: their bits. */
void column_read(struct column_reader *reader, uint32_t n, int64_t *values, uint64_t *presence);
void column_skip(struct column_reader *reader, uint32_t n);
void column_rewind(struct column_reader *reader); /* to row 0 */
/* LOCAL_TEXT */
bool column_text(const struct column_reader *reader, uint32_t row, struct slice *text);

#endif
