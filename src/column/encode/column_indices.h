/*
 * Columns of few values (codes of names and categories, lanes, sizes): rows as bytes that index a
 * short list of values, so that a condition or a code is found once a value, not once a row.
 * Used by column/scan.
 */
#ifndef LANESCOPE_COLUMN_ENCODE_COLUMN_INDICES_H
#define LANESCOPE_COLUMN_ENCODE_COLUMN_INDICES_H

#include "column/encode/column.h"

#define SMALL_VALUES 126 /* an index fits 7 bits, that of absent rows too */
#define SMALL_WIDTH 6

struct column_indices {
	struct column_stream stream;
	unsigned n_values;
	/* All that the block has are among these, some twice; then 0 for "absent". */
	int64_t values[SMALL_VALUES + 1];
	uint8_t absent;                 /* index of rows without a value: n_values */
	uint8_t fill;                   /* index of rows without a number */
	uint8_t n_numbers;              /* indices below are the numbers, then come patches */
	uint64_t patches[SMALL_VALUES]; /* numbers of the indices from n_numbers on */
};

/* False: the column may have more values, or is stored otherwise. The bytes are the reader's. */
bool column_indices_init(struct column_indices *small, const struct column_reader *reader);
/* Indices of the next n rows; as column_read. */
void column_indices_read(struct column_indices *small, uint32_t n, uint8_t *indices);
void column_indices_skip(struct column_indices *small, uint32_t n);
void column_indices_rewind(struct column_indices *small);

#endif
